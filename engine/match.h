/* Matching a pattern against a node.
 *
 * Every way in which the pattern matches is visited in the order of the modelled engine's
 * UPat.match (first source outermost, permutations in the order of itertools.permutations), until
 * the caller's function says that it is content. Nothing is allocated; the depth of the C stack is
 * bounded by the size of the pattern, never by that of the graph.
 */
#ifndef UPROOF_MATCH_H
#define UPROOF_MATCH_H

#include "internal.h"
#include "pattern.h"

typedef struct match {
  up_ctx *c;
  const patbook *b;
  up_node slot[PAT_MAX_SLOTS]; /* bound nodes; UP_NONE: not bound */
  /* Called for each match with all names bound; true: stop, match_run returns true. */
  bool (*found)(struct match *m, void *arg);
  void *arg;
} match;

/* True when `found` was content with a match. */
bool match_run(match *m, pat_id root, up_node n);
/* The ops of n's sources, for the early reject (pat_needed). */
static inline opset match_source_ops(const up_ctx *c, up_node n) {
  const node *d = node_at(c, n);
  const uint32_t *src = node_srcs(c, d);
  opset s = {{0, 0}};
  for (uint32_t i = 0; i < d->nsrc; i++) opset_add(&s, node_op(c, (up_node){src[i]}));
  return s;
}
/* The arg of a CONST equals `want` as Python compares numbers. */
bool match_value_fits(const up_ctx *c, up_arg a, up_val want);

#endif
