/* Comparisons of sums with constants. Source: 0.10.0 and 0.11.0 `lt_folding` and
 * `canonicalize_simplex`, which agree. */
#include "native.h"
#include "quick.h"

/* ---- lt_folding: p + d*q < c, 0 <= p < d, d | c  ->  q < c/d --------------------------------- */

/* Terms with factor 1 (their bounds are summed) and the others (their factors' gcd is taken). */
typedef struct split_terms {
  up_list scaled;
  up_int gcd, lo, hi;
} split_terms;

static bool take_term(up_ctx *c, split_terms *s, term t) {
  if (!up_int_is(t.factor, 1)) {
    term_push(c, &s->scaled, t.node);
    s->gcd = up_int_gcd(c, s->gcd, t.factor);
    return ctx_ok(c);
  }
  up_bounds b = up_minmax(c, t.node);
  if (!ctx_ok(c) || b.lo.is_float || b.hi.is_float) return false;
  s->lo = up_int_add(c, s->lo, b.lo.i);
  s->hi = up_int_add(c, s->hi, b.hi.i);
  return true;
}

static up_node divided_lt(up_ctx *c, const split_terms *s, up_int k) {
  if (s->scaled.n == 0 || up_int_cmp(c, s->gcd, up_int_of(1)) <= 0) return UP_NONE;
  if (up_int_sign(c, s->lo) < 0 || up_int_cmp(c, s->hi, s->gcd) >= 0) return UP_NONE;
  up_node q = up_divides(c, sum_of(c, &s->scaled), s->gcd);
  if (up_is_none(q)) up_ctx_set_status(c, UP_RAISE_TYPE); /* an attribute of None there */
  return with_const(c, UP_CMPLT, q, up_int_fdiv(c, k, s->gcd));
}

up_node native_lt_folding(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_int k;
  int64_t quick_k;
  const quick_sum *q = node_const_small(c, arg[1], &quick_k) ? quick_sum_of(c, arg[0]) : NULL;
  if (q && quick_no_lt(q, quick_k)) return UP_NONE;
  if (!up_is_const_int(c, arg[1], &k)) return UP_NONE;
  split_terms s = {
      .scaled = list_take(c), .gcd = up_int_abs(c, k), .lo = up_int_of(0), .hi = up_int_of(0)};
  linear l;
  bool ok = linear_split(c, arg[0], &l);
  for (uint32_t i = 0; ok && i < l.n; i++) ok = take_term(c, &s, l.t[i]);
  up_node r = ok ? divided_lt(c, &s, k) : UP_NONE;
  linear_free(&l);
  list_give(c, &s.scaled);
  return r;
}

/* ---- simplex: a0*x0 + a1*x1 + ... > 0 with ai > 0, xi >= 0  ->  x0 + x1 + ... > 0 ------------ */

/* The term without a positive constant on its right. */
static up_node without_factor(up_ctx *c, up_node u) {
  up_int k;
  if (up_op_of(c, u) == UP_MUL && up_is_const_int(c, up_src(c, u, 1), &k) && up_int_sign(c, k) > 0)
    return up_src(c, u, 0);
  return u;
}

static bool nonnegative_leaf(up_ctx *c, up_node u) {
  if (!up_op_in(up_op_of(c, u), UP_G_IRREDUCIBLE)) return false;
  up_val lo = up_minmax(c, u).lo;
  return ctx_ok(c) && up_val_cmp(c, lo, up_val_int(up_int_of(0))) >= 0;
}

up_node native_canonicalize_simplex(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_list leaf = list_take(c), out = list_take(c);
  bool ok = up_split(c, arg[0], UP_ADD, &leaf), changed = false;
  for (uint32_t i = 0; ok && i < leaf.n; i++) {
    up_node u = without_factor(c, leaf.p[i]);
    changed = changed || !up_same(u, leaf.p[i]);
    ok = nonnegative_leaf(c, u);
    if (ok) term_push(c, &out, u);
  }
  up_node r = ok && changed && ctx_ok(c) ? sum_of(c, &out) : UP_NONE;
  list_give(c, &leaf);
  list_give(c, &out);
  return r;
}
