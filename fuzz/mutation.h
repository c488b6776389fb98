/* What the mutators share. Private to fuzz/. */
#ifndef UPROOF_MUTATION_H
#define UPROOF_MUTATION_H

#include "fuzz/mutate.h"

typedef struct mutation {
  up_ctx *c;
  up_node root, other;
  up_list topo; /* nodes under root, root last */
  fz_rng *rng;
} mutation;

typedef up_node (*mutator_fn)(mutation *m);

static inline uint32_t fz_below(mutation *m, uint32_t n) { return (uint32_t)(fz_next(m->rng) % n); }
static inline up_node fz_some(mutation *m) { return m->topo.p[fz_below(m, m->topo.n)]; }

/* The graph with `val` where `key` was; UP_NONE when nothing changes. */
up_node mutation_replace(const mutation *m, up_node key, up_node val);
/* A node under root of this dtype, another than `not`; UP_NONE when there is none. */
up_node mutation_of_dtype(mutation *m, up_dtype dt, up_node not );
/* A random one of the integer constants under root; UP_NONE when there is none. */
up_node mutation_const(mutation *m, up_node not );
/* A number that rules care about: small, a power of two or beside one, related to a constant of the
 * graph. */
int64_t mutation_number(mutation *m);
/* The number as a constant, brought into the dtype's range. */
up_node mutation_number_of(mutation *m, up_dtype dt, int64_t v);
/* A new variable with a telling range. */
up_node mutation_variable(mutation *m, up_dtype dt);

/* Of constants, ranges and dtypes (mutate_leaf.c). */
up_node mutate_const_boundary(mutation *m);
up_node mutate_const_related(mutation *m);
up_node mutate_range(mutation *m);
up_node mutate_retype(mutation *m);
up_node mutate_variable(mutation *m);

#endif
