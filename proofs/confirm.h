/* uproof proofs: graphs made out of an instance and a point. Private to proofs/. */
#ifndef UPROOF_PROOFS_CONFIRM_H
#define UPROOF_PROOFS_CONFIRM_H

#include "prove.h"

/* A graph that is meant to match the left side, with the assignment of the point. */
typedef struct cf_graph {
  up_node root;
  or_witness at; /* cf_graph_clear frees it */
} cf_graph;
void cf_graph_clear(cf_graph *g);

/* The number of ways to put nodes in place of the names, at most CF_MAX_WAYS. */
#define CF_MAX_WAYS 4096u
uint32_t cf_ways(const pf_instance *i);
/* The left side as a graph, in way number `way`. False: this way does not exist at the point, or no
 * memory. The context's status is that of the engine. */
bool cf_build(up_ctx *c, const pf_instance *i, const pf_point *at, or_frame f, uint32_t way,
              cf_graph *out);

/* Does exec_alu compute what the reference evaluator did, at every node under root that has a
 * value? */
bool cf_exec_agrees(up_ctx *c, up_node root, or_frame f, const or_values *v);

#endif
