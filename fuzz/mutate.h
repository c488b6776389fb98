/* uproof fuzz: mutators of graphs. Each takes a well-formed graph and gives a well-formed one that is
 * near it; all of them together are a table, from which libFuzzer, AFL++ and the plain drivers draw.
 */
#ifndef UPROOF_MUTATE_H
#define UPROOF_MUTATE_H

#include "fuzz/gen.h"

unsigned fz_mutator_count(void);
const char *fz_mutator_name(unsigned i); /* i < fz_mutator_count(); "swap_operands" */
/* Does it need a second graph? */
bool fz_mutator_joins(unsigned i);
/* One of them by weight; those that need a second graph only when there is one. */
unsigned fz_mutator_pick(fz_rng *r, bool two_graphs);

/* The graph after one mutation by mutator i; UP_NONE when it finds nothing to change, or the
 * context's status is set. other: a second graph of the same context, or UP_NONE. Deterministic. */
up_node fz_mutate(up_ctx *c, up_node root, up_node other, unsigned i, fz_rng *r);

#endif
