/* The matcher: depth first, with the rest of the work as a chain of goals on the C stack. */
#include "match.h"

/* Match the sources of n from number i on with the kids of p, then go on with `next`. */
typedef struct goal {
  const pat *p; /* NULL: nothing left to do, and nobody to tell */
  up_node n;
  uint32_t i;
  const uint8_t *order; /* kid of source i; NULL: kid i */
  const struct goal *next;
} goal;

static bool match_node(match *m, const pat *p, up_node n, const goal *next);

static bool run(match *m, const goal *g) {
  while (g && g->p && g->i == g->p->nkid) g = g->next;
  if (!g) return m->found(m, m->arg);
  if (!g->p) return true;
  goal rest = *g;
  rest.i++;
  uint32_t kid = g->order ? g->order[g->i] : g->i;
  return match_node(m, pat_kid(m->b, g->p, kid), node_src(m->c, g->n, g->i), &rest);
}

bool match_value_fits(const up_ctx *c, up_arg a, up_val want) {
  up_arg_kind k = up_arg_kind_of(c, a);
  if (k != UP_A_INT && k != UP_A_BOOL && k != UP_A_FLOAT) return false;
  up_val v = up_arg_val(c, a);
  if (!v.is_float && !want.is_float) return up_int_eq(v.i, want.i);
  if (v.is_float && v.f != v.f) return false;
  return up_val_cmp(c, v, want) == 0;
}

static bool fits(const match *m, const pat *p, const node *d) {
  if (!opset_has(&p->ops, (up_op)d->op) || !dtset_has(p->dt, d->dtype)) return false;
  if (p->src == SRC_ORDERED || p->src == SRC_PERMUTED) {
    if (p->any_len ? d->nsrc < p->nkid : d->nsrc != p->nkid) return false;
  }
  return !p->has_value || match_value_fits(m->c, (up_arg){d->arg}, p->value);
}

/* Orders of n <= 4 kids, as itertools.permutations gives them. */
static const uint8_t orders2[][4] = {{0, 1}, {1, 0}};
static const uint8_t orders3[][4] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
static const uint8_t orders4[][4] = {
    {0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1},
    {1, 0, 2, 3}, {1, 0, 3, 2}, {1, 2, 0, 3}, {1, 2, 3, 0}, {1, 3, 0, 2}, {1, 3, 2, 0},
    {2, 0, 1, 3}, {2, 0, 3, 1}, {2, 1, 0, 3}, {2, 1, 3, 0}, {2, 3, 0, 1}, {2, 3, 1, 0},
    {3, 0, 1, 2}, {3, 0, 2, 1}, {3, 1, 0, 2}, {3, 1, 2, 0}, {3, 2, 0, 1}, {3, 2, 1, 0}};
static const struct {
  const uint8_t (*order)[4];
  unsigned n;
} orders[5] = {{orders2, 1}, {orders2, 1}, {orders2, 2}, {orders3, 6}, {orders4, 24}};

static bool match_permuted(match *m, const pat *p, up_node n, const goal *next) {
  assert(p->nkid <= 4);
  for (unsigned k = 0; k < orders[p->nkid].n; k++) {
    goal g = {p, n, 0, orders[p->nkid].order[k], next};
    if (run(m, &g)) return true;
  }
  return false;
}

/* Each source by the one kid, which matches in one way at most. */
static bool match_repeat(match *m, const pat *p, up_node n, const goal *next) {
  static const goal stop = {0};
  up_node saved[PAT_MAX_SLOTS];
  for (unsigned i = 0; i < PAT_MAX_SLOTS; i++) saved[i] = m->slot[i];
  const pat *kid = pat_kid(m->b, p, 0);
  uint32_t nsrc = node_at(m->c, n)->nsrc, i = 0;
  while (i < nsrc && match_node(m, kid, node_src(m->c, n, i), &stop)) i++;
  if (i == nsrc && run(m, next)) return true;
  for (i = 0; i < PAT_MAX_SLOTS; i++) m->slot[i] = saved[i];
  return false;
}

static bool match_any_of(match *m, const pat *p, up_node n, const goal *next) {
  for (uint32_t i = 0; i < p->nkid; i++)
    if (match_node(m, pat_kid(m->b, p, i), n, next)) return true;
  return false;
}

static bool match_sources(match *m, const pat *p, up_node n, const goal *next) {
  switch ((pat_src)p->src) {
  case SRC_FREE: return run(m, next);
  case SRC_ORDERED: break;
  case SRC_PERMUTED: return match_permuted(m, p, n, next);
  case SRC_REPEAT: return match_repeat(m, p, n, next);
  case SRC_ANY_OF: return match_any_of(m, p, n, next);
  }
  goal g = {p, n, 0, NULL, next};
  return run(m, &g);
}

static bool match_node(match *m, const pat *p, up_node n, const goal *next) {
  if (!fits(m, p, node_at(m->c, n))) return false;
  if (p->slot < 0) return match_sources(m, p, n, next);
  up_node *slot = &m->slot[p->slot];
  bool fresh = up_is_none(*slot);
  if (!fresh && !up_same(*slot, n)) return false;
  *slot = n;
  if (match_sources(m, p, n, next)) return true;
  if (fresh) *slot = UP_NONE;
  return false;
}

bool match_run(match *m, pat_id root, up_node n) {
  for (unsigned i = 0; i < PAT_MAX_SLOTS; i++) m->slot[i] = UP_NONE;
  return match_node(m, pat_at(m->b, root), n, NULL);
}
