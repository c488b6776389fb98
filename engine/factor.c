/* Divisibility of expressions. Source: UOp.const_factor, divides, pop_const, is_increasing (0.10.0
 * and 0.11.0 agree). Walks sums with an explicit stack; shared parts are looked at once. */
#include "idmap.h"
#include <stdlib.h>

/* ---- const_factor ---------------------------------------------------------------------------- */

/* A constant's number; a float has no divisors, which raises there. */
static up_int whole(up_ctx *c, up_val v) {
  if (!v.is_float) return v.i;
  up_ctx_set_status(c, UP_RAISE_TYPE);
  return up_int_of(1);
}

static up_int gcd_of_vconst(up_ctx *c, up_node n) {
  up_int g = up_int_of(0);
  for (uint32_t i = 0; i < up_dt_count(up_dtype_of(c, n)); i++)
    g = up_int_gcd(c, g, whole(c, vconst_lane(c, n, i)));
  return g;
}

/* Of anything but a sum. */
static up_int leaf_factor(up_ctx *c, up_node n) {
  switch (node_op(c, n)) {
  case UP_CONST: return whole(c, up_const_val(c, n));
  case UP_VCONST: return gcd_of_vconst(c, n);
  case UP_MUL:
    for (uint32_t i = 0; i < 2; i++)
      if (up_is_const(c, node_src(c, n, i))) return whole(c, up_const_val(c, node_src(c, n, i)));
    return up_int_of(1);
  default: return up_int_of(1);
  }
}

up_int up_const_factor(up_ctx *c, up_node n) {
  if (up_op_of(c, n) != UP_ADD) return leaf_factor(c, n);
  uint32_t gen = ctx_mark_begin(c);
  up_list stack = list_take(c);
  up_int g = up_int_of(0);
  bool ok = gen && list_push(c, &stack, n);
  while (ok && stack.n && !up_int_is(g, 1)) {
    up_node x = stack.p[--stack.n];
    if (c->mark[x.id] == gen) continue;
    c->mark[x.id] = gen;
    if (node_op(c, x) != UP_ADD)
      g = up_int_gcd(c, g, leaf_factor(c, x));
    else
      ok = list_push(c, &stack, node_src(c, x, 1)) && list_push(c, &stack, node_src(c, x, 0));
  }
  list_give(c, &stack);
  return g;
}

/* ---- divides --------------------------------------------------------------------------------- */

/* v = 0 raises there (the remainder is taken first). */
static bool divisible(up_ctx *c, up_val x, up_int v) {
  if (up_int_is(v, 0)) {
    up_ctx_set_status(c, UP_RAISE_ZERO_DIVISION);
    return false;
  }
  return up_int_is(up_int_fmod(c, whole(c, x), v), 0);
}

static up_node vconst_divided(up_ctx *c, up_node n, up_int v) {
  up_dtype dt = up_dtype_of(c, n);
  uint32_t count = up_dt_count(dt);
  up_val *q = malloc(count * sizeof *q);
  if (!q) {
    up_ctx_set_status(c, UP_NO_MEMORY);
    return UP_NONE;
  }
  bool ok = true;
  for (uint32_t i = 0; ok && i < count; i++) {
    up_val x = vconst_lane(c, n, i);
    ok = divisible(c, x, v);
    if (ok) q[i] = up_val_int(up_int_fdiv(c, x.i, v));
  }
  up_node r = ok ? up_vconst(c, dt, q, count) : UP_NONE;
  free(q);
  return r;
}

static up_node const_divided(up_ctx *c, up_node n, up_int v) {
  up_val x = up_const_val(c, n);
  if (!divisible(c, x, v)) return UP_NONE;
  return up_const_like(c, n, up_int_fdiv(c, x.i, v));
}

static bool is_tree(up_op op) { return op == UP_ADD || op == UP_MUL; }

static up_node leaf_divided(up_ctx *c, up_node n, up_int v) {
  if (node_op(c, n) == UP_CONST) return const_divided(c, n, v);
  return node_op(c, n) == UP_VCONST ? vconst_divided(c, n, v) : UP_NONE;
}

/* What is known of n: true and *out when decided from the quotients of its sources in `memo`
 * (0 stands for "does not divide"); false and *need when a source must be decided first. */
static bool divided(up_ctx *c, const idmap *memo, up_node n, up_int v, up_node *out,
                    up_node *need) {
  up_op op = node_op(c, n);
  *out = UP_NONE;
  if (!is_tree(op)) {
    *out = leaf_divided(c, n, v);
    return true;
  }
  up_node s[2] = {node_src(c, n, 0), node_src(c, n, 1)}, d[2];
  for (int i = 0; i < 2; i++) {
    bool known;
    d[i] = (up_node){idmap_get(memo, s[i].id, &known)};
    *need = s[i];
    if (!known) return false;
    if (op == UP_ADD && up_is_none(d[i])) return true;
    if (op == UP_MUL && !up_is_none(d[i])) {
      *out = up_binary(c, UP_MUL, i ? s[0] : d[0], i ? d[1] : s[1]);
      return true;
    }
  }
  if (op == UP_ADD) *out = up_binary(c, UP_ADD, d[0], d[1]);
  return true;
}

/* Leaves and products of two leaves, which most terms are. False: n is more than that. */
static bool small_divided(up_ctx *c, up_node n, up_int v, up_node *out) {
  *out = UP_NONE;
  if (!is_tree(node_op(c, n))) {
    *out = leaf_divided(c, n, v);
    return true;
  }
  up_node a = node_src(c, n, 0), b = node_src(c, n, 1);
  if (node_op(c, n) != UP_MUL || is_tree(node_op(c, a)) || is_tree(node_op(c, b))) return false;
  up_node q = leaf_divided(c, a, v);
  if (!up_is_none(q)) {
    *out = up_binary(c, UP_MUL, q, b);
  } else if (ctx_ok(c)) {
    q = leaf_divided(c, b, v);
    if (!up_is_none(q)) *out = up_binary(c, UP_MUL, a, q);
  }
  return true;
}

static bool is_leaf(up_op op) { return !is_tree(op) && op != UP_CONST && op != UP_VCONST; }

/* A constant, or a leaf times a constant, by a positive number, all of 64 bits: most terms are that. */
static bool quick_divided(up_ctx *c, up_node n, up_int v, up_node *out) {
  const node *d = node_at(c, n);
  bool product = d->op == UP_MUL && is_leaf(node_op(c, (up_node){d->src[0]}));
  up_node number = product ? (up_node){d->src[1]} : n;
  int64_t k;
  if (!up_int_fits(v) || v.lo <= 0 || !node_const_small(c, number, &k)) return false;
  *out = UP_NONE;
  if (k % v.lo != 0) return true;
  up_node other = {d->src[0]}, q = up_const_int(c, node_dtype(c, number), k / v.lo);
  *out = product && ctx_ok(c) ? up_binary(c, UP_MUL, other, q) : q;
  return true;
}

up_node up_divides(up_ctx *c, up_node n, up_int v) {
  if (!ctx_ok(c) || up_int_is(v, 1)) return ctx_ok(c) ? n : UP_NONE;
  up_node small;
  if (quick_divided(c, n, v, &small)) return small;
  if (small_divided(c, n, v, &small)) return ctx_ok(c) ? small : UP_NONE;
  idmap memo = {0};
  up_list stack = list_take(c);
  bool ok = list_push(c, &stack, n);
  up_node r = UP_NONE, need;
  while (ok && stack.n) {
    up_node x = stack.p[stack.n - 1];
    if (!divided(c, &memo, x, v, &r, &need)) {
      ok = list_push(c, &stack, need);
      continue;
    }
    stack.n--;
    ok = ctx_ok(c) && idmap_set(c, &memo, x.id, r.id);
  }
  idmap_free(&memo);
  list_give(c, &stack);
  return ok ? r : UP_NONE;
}

/* ---- the small ones -------------------------------------------------------------------------- */

up_node up_pop_const(up_ctx *c, up_node n, up_int *rest) {
  *rest = up_int_of(0);
  if (up_op_of(c, n) != UP_ADD || !up_is_const_int(c, node_src(c, n, 1), rest)) return n;
  return node_src(c, n, 0);
}

static bool scaled_by_nonnegative(up_ctx *c, up_node n) {
  up_int k;
  up_op op = node_op(c, n);
  return (op == UP_MUL || op == UP_IDIV) && up_is_const_int(c, node_src(c, n, 1), &k) &&
         up_int_sign(c, k) >= 0;
}

bool up_is_increasing(up_ctx *c, up_node n) {
  uint32_t gen = ctx_mark_begin(c);
  up_list stack = list_take(c);
  bool yes = gen && list_push(c, &stack, n);
  while (yes && stack.n) {
    up_node x = stack.p[--stack.n];
    if (c->mark[x.id] == gen) continue;
    c->mark[x.id] = gen;
    if (up_op_in(node_op(c, x), UP_G_IRREDUCIBLE)) continue;
    if (node_op(c, x) == UP_ADD)
      yes = list_push(c, &stack, node_src(c, x, 1)) && list_push(c, &stack, node_src(c, x, 0));
    else
      yes = scaled_by_nonnegative(c, x) && list_push(c, &stack, node_src(c, x, 0));
  }
  list_give(c, &stack);
  return yes;
}
