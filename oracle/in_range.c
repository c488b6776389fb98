/* Graphs in which nothing leaves its dtype: there all frames mean the same. Told by the oracle's own
 * intervals, so on the safe side: a node that may leave is one that leaves. */
#include "checker.h"

#include <stdlib.h>

/* May the instruction itself reduce, or lack a value? In refine it is flagged where it may. */
static bool may_leave(const pr_ins *d) {
  bool converts = d->op == UP_CAST || d->op == UP_BITCAST; /* reduces in every frame */
  return (d->flags & (PR_ZERO | PR_SHIFT)) || ((d->flags & PR_REDUCE) && !converts);
}

/* Nodes of the slot's expression as a tree; 0: something in it may leave. */
static double tree_size(const pr_program *p, uint32_t slot, const double *size) {
  const pr_ins *d = &p->ins[slot];
  unsigned needs = d->flags & PR_OPEN ? 1 : d->nsrc;
  double all = may_leave(d) ? 0 : 1;
  for (unsigned s = 0; all > 0 && s < needs; s++)
    all = size[d->src[s]] > 0 ? all + size[d->src[s]] : 0;
  return all;
}

/* Of the nodes all of whose lanes stay (their roots follow each other), the one of the largest tree;
 * the later one of two. */
static up_node largest(const pr_program *p, const double *size) {
  up_node best = UP_NONE;
  double most = 0;
  for (uint32_t i = 0, next; i < p->nroot; i = next) {
    bool stays = true;
    for (next = i; next < p->nroot && up_same(p->root[next].node, p->root[i].node); next++)
      stays = stays && size[p->root[next].a] > 0;
    if (!stays || size[p->root[i].a] < most) continue;
    most = size[p->root[i].a];
    best = p->root[i].node;
  }
  return best;
}

up_node or_in_range(or_checker *k, up_ctx *c, up_node root) {
  pr_program *p = &k->program;
  if (pr_build_all(p, c, root, OR_REFINE) != PR_OK) return UP_NONE;
  if (p->exact) return root;
  double *size = calloc(p->n, sizeof *size);
  if (!size) return UP_NONE;
  for (uint32_t i = 0; i < p->n; i++) size[i] = tree_size(p, i, size);
  up_node n = largest(p, size);
  free(size);
  return n;
}

bool or_steps_in_range(or_checker *k, up_ctx *c, const up_trace *t, up_node result) {
  up_list all = {0};
  bool ok = up_list_push(&all, result);
  for (uint32_t i = 0; ok && i < t->n; i++)
    ok = up_list_push(&all, t->step[i].before) && up_list_push(&all, t->step[i].after);
  up_node sink = UP_NONE;
  if (ok) sink = up_new(c, UP_SINK, up_dt(UP_VOID), all.p, all.n, up_arg_none());
  up_list_free(&all);
  return !up_is_none(sink) && up_same(or_in_range(k, c, sink), sink);
}
