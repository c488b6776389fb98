/* Division and remainder of a sum by a positive constant. Source: 0.10.0 `div_folding` and
 * `mod_folding`. Both reduce constants and factors with the floor remainder, which is wrong for
 * truncating division when the numerator can be negative: that is the modelled release. */
#include "native.h"

/* The divisor; 0 raises there, where the first remainder by it is taken. */
static bool divisor_of(up_ctx *c, up_node n, up_int *k) {
  if (!native_expects(c, up_is_const_int(c, n, k))) return false;
  if (up_int_is(*k, 0)) up_ctx_set_status(c, UP_RAISE_ZERO_DIVISION);
  return ctx_ok(c);
}

static bool int_bounds(up_ctx *c, up_node n, up_int *lo, up_int *hi) {
  up_bounds b = up_minmax(c, n);
  if (!ctx_ok(c) || b.lo.is_float || b.hi.is_float) return false;
  *lo = b.lo.i;
  *hi = b.hi.i;
  return true;
}

/* ---- remainder ------------------------------------------------------------------------------- */

/* x stays within one multiple of k: x % k is x less that multiple. */
static up_node mod_cancelled(up_ctx *c, up_node x, up_int k) {
  up_int lo, hi;
  if (!int_bounds(c, x, &lo, &hi) || up_int_sign(c, lo) < 0) return UP_NONE;
  up_int q = up_int_fdiv(c, lo, k);
  if (!up_int_eq(q, up_int_fdiv(c, hi, k))) return UP_NONE;
  return with_const(c, UP_ADD, x, up_int_neg(c, up_int_mul(c, q, k)));
}

/* One term of the numerator with its multiples of k dropped; the term itself when nothing can be.
 */
static up_node mod_term(up_ctx *c, term t, up_int k) {
  up_int f = up_int_fmod(c, t.factor, k), inner;
  if (!up_int_eq(f, t.factor)) {
    up_node v = up_divides(c, t.node, t.factor);
    if (up_is_none(v)) up_ctx_set_status(c, UP_RAISE_TYPE); /* an assertion there */
    return times(c, v, f);
  }
  if (up_op_of(c, t.node) == UP_MOD && up_is_const_int(c, up_src(c, t.node, 1), &inner) &&
      up_int_is(up_int_fmod(c, inner, k), 0))
    return up_src(c, t.node, 0);
  return t.node;
}

up_node native_mod_folding(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_int k;
  if (!divisor_of(c, arg[1], &k)) return UP_NONE;
  up_node r = mod_cancelled(c, arg[0], k);
  if (!up_is_none(r) || !ctx_ok(c)) return r;
  linear l;
  up_list rest = list_take(c);
  bool changed = false;
  if (linear_split(c, arg[0], &l)) {
    for (uint32_t i = 0; i < l.n && ctx_ok(c); i++) {
      up_node t = mod_term(c, l.t[i], k);
      changed = changed || !up_same(t, l.t[i].node);
      term_push(c, &rest, t);
    }
    if (changed && ctx_ok(c)) r = with_const(c, UP_MOD, sum_of(c, &rest), k);
  }
  linear_free(&l);
  list_give(c, &rest);
  return r;
}

/* ---- quotient -------------------------------------------------------------------------------- */

/* The numerator split by k: x = k*quotient + remainder (+ rem_const). */
typedef struct parts {
  up_list quotient, remainder;
  up_int rem_const, gcd, divisor;
  bool changed;
} parts;

/* A factor that divides k: the smallest of them is a divisor to try. */
static void offer_divisor(up_ctx *c, parts *p, term t, up_int k) {
  if (up_op_of(c, t.node) != UP_MUL || up_int_cmp(c, t.factor, up_int_of(1)) <= 0) return;
  if (!up_int_is(up_int_fmod(c, k, t.factor), 0)) return;
  if (up_int_is(p->divisor, 1) || up_int_cmp(c, p->divisor, t.factor) > 0) p->divisor = t.factor;
}

static void place_term(up_ctx *c, parts *p, term t, up_int k) {
  if (up_is_const(c, t.node)) {
    if (!up_int_is(p->rem_const, 0)) p->changed = true;
    p->rem_const = up_int_add(c, p->rem_const, t.factor);
  } else if (up_int_is(up_int_fmod(c, t.factor, k), 0)) {
    if (!up_int_is(t.factor, 0)) {
      up_node q = up_divides(c, t.node, k);
      if (up_is_none(q))
        up_ctx_set_status(c, UP_RAISE_TYPE); /* an assertion there */
      else
        term_push(c, &p->quotient, q);
    }
    p->changed = true;
  } else {
    offer_divisor(c, p, t, k);
    term_push(c, &p->remainder, t.node);
    p->gcd = up_int_gcd(c, p->gcd, t.factor);
  }
}

static void place_const(up_ctx *c, parts *p, up_node x, up_int k) {
  up_int r = up_int_fmod(c, p->rem_const, k);
  if (!up_int_eq(r, p->rem_const)) {
    p->changed = true;
    term_push(c, &p->quotient, up_const_like(c, x, up_int_fdiv(c, p->rem_const, k)));
    p->rem_const = r;
  }
  if (!up_int_is(r, 0)) term_push(c, &p->remainder, up_const_like(c, x, r));
}

static up_node div_folding(up_ctx *c, up_node x, up_int k);

/* (rem // div) // (k // div), the inner division folded. */
static up_node nested(up_ctx *c, up_node rem, up_int div, up_int k) {
  up_node inner = div_folding(c, rem, div);
  if (up_is_none(inner)) {
    up_ctx_set_status(c, UP_RAISE_TYPE); /* None // int there */
    return UP_NONE;
  }
  return with_const(c, UP_IDIV, inner, up_int_fdiv(c, k, div));
}

static up_node put_together(up_ctx *c, const parts *p, up_node x, up_int k) {
  up_int div = up_int_cmp(c, p->gcd, up_int_of(1)) > 0 ? p->gcd : p->divisor;
  if (!p->changed) {
    if (up_int_cmp(c, div, up_int_of(1)) <= 0 || up_int_cmp(c, div, k) >= 0) return UP_NONE;
    up_node y = div_folding(c, x, div);
    return up_is_none(y) ? y : with_const(c, UP_IDIV, y, up_int_fdiv(c, k, div));
  }
  up_node rem = sum_of(c, &p->remainder), quo = sum_of(c, &p->quotient);
  if (up_is_none(rem)) return up_is_none(quo) ? up_const_like(c, x, up_int_of(0)) : quo;
  up_node r = nested(c, rem, div, k);
  return up_is_none(quo) || !ctx_ok(c) ? r : up_binary(c, UP_ADD, r, quo);
}

/* Recursive in k, not in the graph: the inner divisor divides every factor that is left (then only
 * a constant below it remains) or is the smallest factor, so it is three levels at most. */
static up_node div_folding(up_ctx *c, up_node x, up_int k) {
  up_int lo, hi;
  if (!int_bounds(c, x, &lo, &hi)) return UP_NONE;
  if (up_int_sign(c, lo) >= 0 && up_int_cmp(c, hi, k) < 0) return up_const_like(c, x, up_int_of(0));
  parts p = {.quotient = list_take(c),
             .remainder = list_take(c),
             .rem_const = up_int_of(0),
             .gcd = k,
             .divisor = up_int_of(1)};
  linear l;
  up_node r = UP_NONE;
  if (linear_split(c, x, &l)) {
    for (uint32_t i = 0; i < l.n && ctx_ok(c); i++) place_term(c, &p, l.t[i], k);
    if (ctx_ok(c)) place_const(c, &p, x, k);
    if (ctx_ok(c)) r = put_together(c, &p, x, k);
  }
  linear_free(&l);
  list_give(c, &p.quotient);
  list_give(c, &p.remainder);
  return ctx_ok(c) ? r : UP_NONE;
}

up_node native_div_folding(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_int k;
  return divisor_of(c, arg[1], &k) ? div_folding(c, arg[0], k) : UP_NONE;
}
