/* uproof proofs: what a mutant claims beyond its rule.
 *
 * Where the rule itself applies with the same result, its own proof speaks for the mutant. What is
 * left is a rule too: the mutant's, under the condition that the rule's condition does not hold (a
 * changed condition), or that one of the rule's bounds is tighter than the mutant's (a changed bound).
 * Often that has no point at all, or few. An expression that could raise in the rule's condition or
 * bounds counts as one that does not hold, so nothing is taken from the rule where it raises.
 */
#ifndef UPROOF_DELTA_H
#define UPROOF_DELTA_H

#include "mutant.h"

/* The statement of that rule, under this name (NULL: the rule's own). False: the change is of another
 * kind (pattern, result of a rewrite), or no memory (out->no_memory). */
bool pf_delta(const pf_mutant *m, const char *text, const char *name, up_buf *out);

#endif
