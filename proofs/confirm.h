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

/* What stands for a name that may be any node. */
typedef enum cf_way {
  CF_BOUNDS,    /* a variable with the point's bounds, cut to its dtype */
  CF_POINT,     /* a variable of one value */
  CF_DTYPE,     /* of the dtype's whole range */
  CF_CONST,     /* a constant */
  CF_WIDE,      /* a variable with the point's bounds as they are */
  CF_COMPOSITE, /* a sum or difference, whose bounds may leave its dtype */
  CF_WAYS       /* a way for all names is a number, a digit of this base for each */
} cf_way;
#define CF_ORDERS                                                                                  \
  2u /* and one of this base for each list: its least value first, or its greatest */

/* The number of ways to put nodes in place of the names, at most CF_MAX_WAYS. */
#define CF_MAX_WAYS 4096u
uint32_t cf_ways(const pf_instance *i);
/* The left side as a graph, in way number `way`. False: this way does not exist at the point, or no
 * memory. The context's status is that of the engine. */
bool cf_build(up_ctx *c, const pf_instance *i, const pf_point *at, or_frame f, uint32_t way,
              cf_graph *out);

/* How far a graph came. */
typedef enum cf_progress {
  CF_NO_GRAPH,
  CF_NOT_APPLIED,
  CF_NOT_DEFINED,
  CF_NO_FAILURE,
  CF_NOT_EXECUTED, /* exec_alu says something else than the reference evaluator */
  CF_CONFIRMED
} cf_progress;
/* One way: resets the context. The line is written when confirmed. */
cf_progress cf_try(up_ctx *c, const pf_instance *i, const pf_point *at, or_frame f, uint32_t way,
                   up_buf *line);

/* Does exec_alu compute what the reference evaluator did, at every node under root that has a
 * value? */
bool cf_exec_agrees(up_ctx *c, up_node root, or_frame f, const or_values *v);

#endif
