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

/* The three tables grow together and cover every node that exists now. */
static bool reserve(up_ctx *c) {
  uint32_t old = c->bound_cap, kinds = old, bounds = old, rules = old;
  if (c->nnode <= old) return true;
  if (!ctx_grow(c, &c->bound_kind, &kinds, c->nnode, sizeof *c->bound_kind) ||
      !ctx_grow(c, &c->bound, &bounds, c->nnode, sizeof *c->bound) ||
      !ctx_grow(c, &c->bound_rule, &rules, c->nnode, sizeof *c->bound_rule))
    return false;
  memset(c->bound_kind + old, BOUND_UNKNOWN, kinds - old);
  c->bound_cap = kinds;
  return true;
}

static bool is_small(up_val v) { return !v.is_float && up_int_fits(v.i); }

static void store(up_ctx *c, up_node n, up_bounds b, int rule) {
  c->bound_rule[n.id] = (int16_t)rule;
  if (is_small(b.lo) && is_small(b.hi)) {
    c->bound[n.id] = (bound_small){b.lo.i.lo, b.hi.i.lo};
    c->bound_kind[n.id] = BOUND_SMALL;
    return;
  }
  if (!ctx_grow(c, &c->wide, &c->wide_cap, (uint64_t)c->nwide + 1, sizeof *c->wide)) return;
  c->wide[c->nwide] = b;
  c->bound[n.id] = (bound_small){.lo = c->nwide++};
  c->bound_kind[n.id] = BOUND_WIDE;
}

up_bounds up_minmax_known(const up_ctx *c, up_node n) {
  assert(n.id < c->bound_cap && c->bound_kind[n.id] != BOUND_UNKNOWN);
  const bound_small *b = &c->bound[n.id];
  if (c->bound_kind[n.id] == BOUND_WIDE) return c->wide[b->lo];
  return (up_bounds){up_val_int(up_int_of(b->lo)), up_val_int(up_int_of(b->hi))};
}

static void compute(up_ctx *c, up_node n) {
  up_bounds b;
  int rule = c->profile ? up_bounds_apply(c, c->profile, n, &b) : -1;
  if (rule < 0) b = dtype_bounds(c, up_dtype_of(c, n));
  if (!ctx_ok(c)) return;
  store(c, n, b, rule);
  ctx_hit(c, rule);
}

static bool known(const up_ctx *c, up_node n) {
  return n.id < c->bound_cap && c->bound_kind[n.id] != BOUND_UNKNOWN;
}

static bool sources_known(const up_ctx *c, up_node n) {
  for (uint32_t i = 0; i < up_nsrc(c, n); i++)
    if (!known(c, node_src(c, n, i))) return false;
  return true;
}

/* Sources first. A node stays on the stack until its sources are known. */
static void fill(up_ctx *c, up_node root) {
  if (!reserve(c)) return;
  if (sources_known(c, root)) { /* nodes are mostly made from nodes that were looked at */
    compute(c, root);
    return;
  }
  up_list stack = list_take(c);
  bool ok = up_list_push(&stack, root);
  while (ok && stack.n && ctx_ok(c)) {
    up_node n = stack.p[stack.n - 1];
    uint32_t before = stack.n;
    for (uint32_t i = up_nsrc(c, n); ok && !known(c, n) && i-- > 0;)
      if (!known(c, node_src(c, n, i))) ok = up_list_push(&stack, node_src(c, n, i));
    if (stack.n > before) continue;
    stack.n--;
    if (!known(c, n)) compute(c, n);
  }
  if (!ok) up_ctx_set_status(c, UP_NO_MEMORY);
  list_give(c, &stack);
}

up_bounds up_minmax(up_ctx *c, up_node n) {
  UP_REQUIRE(n.id < c->nnode, "up_minmax");
  if (!known(c, n) && ctx_ok(c) && !up_is_none(n)) fill(c, n);
  if (known(c, n)) return up_minmax_known(c, n);
  return (up_bounds){up_val_int(up_int_of(0)), up_val_int(up_int_of(0))};
}

int up_minmax_rule(up_ctx *c, up_node n) {
  up_minmax(c, n);
  return known(c, n) ? c->bound_rule[n.id] : -1;
}

/* ---- bounds that are assumed ----------------------------------------------------------------- */

#define RULE_ASSUMED (-2)

/* What was computed from n's bounds: nodes that use n have greater ids. */
static void forget_users(up_ctx *c, up_node n) {
  for (uint32_t i = n.id + 1; i < c->nnode && i < c->bound_cap; i++) {
    bool computed = c->bound_kind[i] != BOUND_UNKNOWN && c->bound_rule[i] != RULE_ASSUMED;
    if (computed) c->bound_kind[i] = BOUND_UNKNOWN;
  }
}

void up_minmax_assume(up_ctx *c, up_node n, up_bounds b) {
  UP_REQUIRE(!up_is_none(n) && n.id < c->nnode, "up_minmax_assume");
  up_minmax(c, n);
  if (!ctx_ok(c)) return;
  forget_users(c, n);
  store(c, n, b, RULE_ASSUMED);
}
