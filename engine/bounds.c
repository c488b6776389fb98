/* vmin/vmax: the memo and the walk; the transfer rules themselves are text (rules/bounds-*.rules).
 * Source: UOp._min_max. */
#include "internal.h"
#include <math.h>
#include <string.h>

/* Bounds from the dtype alone: what a node has when no transfer rule applies. */
static up_bounds dtype_bounds(up_ctx *c, up_dtype dt) {
  if (up_dt_is_int(dt) || up_dt_is_bool(dt))
    return (up_bounds){up_val_int(up_dt_min(c, dt)), up_val_int(up_dt_max(c, dt))};
  if (up_dt_is_float(dt))
    return (up_bounds){up_val_float(-(double)INFINITY), up_val_float((double)INFINITY)};
  return (up_bounds){up_val_int(up_int_of(0)), up_val_int(up_int_of(1))};
}

static bool is_small(up_val v) { return !v.is_float && up_int_fits(v.i); }

/* NULL: no memory. */
static inline const bound_small *set_small(up_ctx *c, up_node n, bound_small b, int rule) {
  if (!ctx_grow(c, &c->bound, &c->bound_cap, c->node_cap, sizeof *c->bound)) return NULL;
  node *d = &c->node[n.id];
  c->bound[n.id] = b;
  d->bound_rule = (int16_t)rule;
  d->flags = (uint8_t)((d->flags & ~(NODE_BOUND_KNOWN | NODE_BOUND_RAISES)) | NODE_BOUND_SMALL);
  return &c->bound[n.id];
}

static void store(up_ctx *c, up_node n, up_bounds b, int rule) {
  if (is_small(b.lo) && is_small(b.hi)) {
    set_small(c, n, (bound_small){b.lo.i.lo, b.hi.i.lo}, rule);
    return;
  }
  if (!ctx_grow(c, &c->wide, &c->wide_cap, (uint64_t)c->nwide + 1, sizeof *c->wide)) return;
  c->wide[c->nwide] = b;
  set_small(c, n, (bound_small){.lo = c->nwide++}, rule);
  if (ctx_ok(c)) c->node[n.id].flags ^= NODE_BOUND_KNOWN;
}

static inline bool known(const up_ctx *c, up_node n) {
  return (node_at(c, n)->flags & NODE_BOUND_KNOWN) != 0;
}

/* Known, or known to raise. */
static inline bool settled(const up_ctx *c, up_node n) {
  return (node_at(c, n)->flags & (NODE_BOUND_KNOWN | NODE_BOUND_RAISES)) != 0;
}

static up_bounds stored(const up_ctx *c, up_node n) {
  const bound_small *b = &c->bound[n.id];
  if (node_at(c, n)->flags & NODE_BOUND_WIDE) return c->wide[b->lo];
  return (up_bounds){up_val_int(up_int_of(b->lo)), up_val_int(up_int_of(b->hi))};
}

/* The releases compute the bounds of both sources of a binary op before they look at its kind: what
 * raises there raises here, whatever the rules ask for. */
static bool binary_sources_raise(up_ctx *c, up_node n) {
  if (!up_op_in(node_op(c, n), UP_G_BINARY) || up_dt_is_float(up_dtype_of(c, n))) return false;
  for (uint32_t i = 0; i < node_nsrc(c, n); i++) up_minmax(c, node_src(c, n, i));
  return !ctx_ok(c);
}

/* By the quick form; NULL: it can't tell. */
static inline const bound_small *apply_quick(up_ctx *c, up_node n) {
  quick_bounds fn = c->quick_bounds ? c->quick_bounds[node_op(c, n)] : NULL;
  bound_small b;
  int rule = fn ? fn(c, n, &b) : QUICK_UNKNOWN;
  if (rule == QUICK_UNKNOWN) return NULL;
  rule += (int)c->quick_base;
  ctx_hit(c, rule);
  return set_small(c, n, b, rule);
}

/* Constants are seldom asked for themselves. */
static inline bool leaf_or_known(up_ctx *c, uint32_t id) {
  up_node s = {id};
  return known(c, s) || (node_nsrc(c, s) == 0 && apply_quick(c, s));
}

static inline const bound_small *compute_quick(up_ctx *c, up_node n) {
  const node *d = node_at(c, n); /* no node is made meanwhile */
  if (d->nsrc == 2 && !(leaf_or_known(c, d->src[0]) && leaf_or_known(c, d->src[1]))) return NULL;
  return apply_quick(c, n);
}

/* Rules make trees of a few nodes at a time: the bounds of sources are computed first, so many levels
 * down. */
#define QUICK_LEVELS 4
static bool quick_with_sources(up_ctx *c, up_node n, int levels) {
  const node *d = node_at(c, n); /* no node is made meanwhile */
  const uint32_t *src = node_srcs(c, d);
  bool found = false;
  for (uint32_t i = 0; i < d->nsrc; i++) {
    up_node s = {src[i]};
    if (known(c, s)) continue;
    if (!compute_quick(c, s) && (levels == 0 || !quick_with_sources(c, s, levels - 1)))
      return false;
    found = true;
  }
  return found && ctx_ok(c) && compute_quick(c, n);
}

const bound_small *bound_compute_quick(up_ctx *c, up_node n) {
  if (!ctx_ok(c)) return NULL;
  const bound_small *b = compute_quick(c, n);
  if (b) return b;
  return quick_with_sources(c, n, QUICK_LEVELS) ? node_bound_small(c, n) : NULL;
}

/* What is not for want of memory is a property of the node. */
static void remember_raise(up_ctx *c, up_node n) {
  up_status s = c->status;
  if (s == UP_NO_MEMORY || s == UP_LIMIT_NODES) return;
  set_small(c, n, (bound_small){.lo = (int64_t)s}, -1);
  if (known(c, n)) c->node[n.id].flags ^= NODE_BOUND_SMALL | NODE_BOUND_RAISES;
}

static void compute_long(up_ctx *c, up_node n) {
  up_bounds b;
  bool raises = binary_sources_raise(c, n);
  int rule = c->profile && !raises ? up_bounds_apply(c, c->profile, n, &b) : -1;
  if (rule < 0) b = dtype_bounds(c, up_dtype_of(c, n));
  if (!ctx_ok(c)) {
    remember_raise(c, n);
    return;
  }
  store(c, n, b, rule);
  ctx_hit(c, rule);
}

static void compute(up_ctx *c, up_node n) {
  if (!compute_quick(c, n)) compute_long(c, n);
}

static bool sources_settled(const up_ctx *c, up_node n) {
  const node *d = node_at(c, n);
  const uint32_t *src = node_srcs(c, d);
  for (uint32_t i = 0; i < d->nsrc; i++)
    if (!settled(c, (up_node){src[i]})) return false;
  return true;
}

/* Sources first, so that no rule's question goes deep. A node stays on the stack until its sources
 * are settled. The release asks only for what a rule wants: a source that raises matters when a rule
 * asks for its bounds (up_minmax). */
static void fill(up_ctx *c, up_node root) {
  if (c->profile && up_profile_is_external(c->profile)) {
    external_bounds(c, root);
    return;
  }
  if (bound_compute_quick(c, root)) return;
  if (sources_settled(c, root)) { /* nodes are mostly made from nodes that were looked at */
    compute_long(c, root);
    return;
  }
  up_list stack = list_take(c);
  bool ok = list_push(c, &stack, root);
  while (ok && stack.n && ctx_ok(c)) {
    up_node n = stack.p[stack.n - 1];
    uint32_t before = stack.n;
    for (uint32_t i = node_nsrc(c, n); ok && !settled(c, n) && i-- > 0;)
      if (!settled(c, node_src(c, n, i))) ok = list_push(c, &stack, node_src(c, n, i));
    if (stack.n > before) continue;
    stack.n--;
    if (!settled(c, n)) compute(c, n);
    if (stack.n && settled(c, n)) up_ctx_clear_status(c);
  }
  list_give(c, &stack);
}

up_bounds up_minmax(up_ctx *c, up_node n) {
  UP_REQUIRE(n.id < c->nnode, "up_minmax");
  if (!settled(c, n) && ctx_ok(c) && !up_is_none(n)) fill(c, n);
  if (known(c, n)) return stored(c, n);
  if (settled(c, n)) up_ctx_set_status(c, (up_status)c->bound[n.id].lo);
  return (up_bounds){up_val_int(up_int_of(0)), up_val_int(up_int_of(0))};
}

int up_minmax_rule(up_ctx *c, up_node n) {
  up_minmax(c, n);
  return known(c, n) ? c->node[n.id].bound_rule : -1;
}

void up_minmax_tell(up_ctx *c, up_node n, up_bounds b, int rule) {
  UP_REQUIRE(!up_is_none(n) && n.id < c->nnode, "up_minmax_tell");
  if (!known(c, n)) store(c, n, b, rule);
}

/* ---- bounds that are assumed ----------------------------------------------------------------- */

#define RULE_ASSUMED (-2)

/* What was computed from n's bounds: nodes that use n have greater ids. That goes for what rewriting
 * has found, too. */
static void forget_users(up_ctx *c, up_node n) {
  sum_memo_forget(c->sums);
  for (uint32_t i = n.id; i < c->nnode; i++) {
    node *d = &c->node[i];
    bool computed = (d->flags & NODE_BOUND_KNOWN) != 0 && d->bound_rule != RULE_ASSUMED;
    d->flags &= (uint8_t) ~(computed ? NODE_FIXED | NODE_BOUND_KNOWN : NODE_FIXED);
    d->flags &= (uint8_t)~NODE_BOUND_RAISES;
  }
}

void up_minmax_assume(up_ctx *c, up_node n, up_bounds b) {
  UP_REQUIRE(!up_is_none(n) && n.id < c->nnode, "up_minmax_assume");
  up_minmax(c, n);
  if (!ctx_ok(c)) return;
  c->interval_bounds = false;
  forget_users(c, n);
  store(c, n, b, RULE_ASSUMED);
}
