/* Division and remainder folders of the profile sound, over sums of any number of terms.
 *
 * congruence: the lemma, of integers x, q, r, k and the bounds lo <= r <= hi:
 *
 *   x = k*q + r,  k > 0,  x >= 0,  floor(lo/k) = floor(hi/k) = j
 *     =>  x // k = q + j,  x % k = r - k*j
 *
 * since k*j <= lo <= r <= hi < k*j + k, and truncating is flooring where x >= 0. Here
 * x = f1*v1 + f2*v2 + ... + c; each factor f is split into f = k*((f - s)/k) + s with s the
 * remainder nearest 0, and c into k*floor(c/k) + (c mod k). q is the sum of the first parts, r that
 * of the second; lo and hi follow from the bounds of v1, v2 ... Node shapes are those of 0.11.0's
 * `fold_divmod_congruence`, which asks for neither x >= 0 (by default) nor a bound that is right.
 */
#include "native.h"

/* A sum and its split by k. */
typedef struct split {
  linear l;
  up_list v;     /* of the terms: node = factor * v */
  up_int c, k;   /* the constant, the divisor */
  up_int lo, hi; /* bounds of the remainders' sum */
} split;

/* f mod k, of its two values next to 0 the nearer one, the positive when they are as near. */
static up_int near_remainder(up_ctx *c, up_int f, up_int k) {
  up_int r = up_int_fmod(c, f, k), other = up_int_sub(c, r, k);
  return up_int_cmp(c, up_int_abs(c, other), r) < 0 ? other : r;
}

/* Adds the bounds of s*v; false when v has none that are integers. */
static bool add_bounds(up_ctx *c, split *p, up_int s, up_node v) {
  up_bounds b = up_minmax(c, v);
  if (!ctx_ok(c) || b.lo.is_float || b.hi.is_float) return false;
  up_int at_lo = up_int_mul(c, s, b.lo.i), at_hi = up_int_mul(c, s, b.hi.i);
  bool up = up_int_sign(c, s) >= 0;
  p->lo = up_int_add(c, p->lo, up ? at_lo : at_hi);
  p->hi = up_int_add(c, p->hi, up ? at_hi : at_lo);
  return ctx_ok(c);
}

static bool take_terms(up_ctx *c, split *p) {
  p->lo = p->hi = up_int_fmod(c, p->c, p->k);
  for (uint32_t i = 0; i < p->l.n; i++) {
    term t = p->l.t[i];
    up_node v = up_int_is(t.factor, 0) ? UP_NONE : up_divides(c, t.node, t.factor);
    if (up_is_none(v)) return false;
    term_push(c, &p->v, v);
    if (!add_bounds(c, p, near_remainder(c, t.factor, p->k), v)) return false;
  }
  return ctx_ok(c);
}

static up_node plus(up_ctx *c, up_node sum, up_int f, up_node v) {
  if (!ctx_ok(c)) return UP_NONE;
  up_node t = up_binary(c, UP_MUL, up_const_like(c, v, f), v);
  return up_is_none(sum) ? t : up_binary(c, UP_ADD, sum, t);
}

/* r - k*j, or q + j */
static up_node result(up_ctx *c, const split *p, bool mod, up_int j) {
  up_node sum = UP_NONE;
  for (uint32_t i = 0; i < p->l.n; i++) {
    up_int f = p->l.t[i].factor, s = near_remainder(c, f, p->k);
    sum = plus(c, sum, mod ? s : up_int_fdiv(c, up_int_sub(c, f, s), p->k), p->v.p[i]);
  }
  up_int rest = mod ? up_int_sub(c, up_int_fmod(c, p->c, p->k), up_int_mul(c, p->k, j))
                    : up_int_add(c, up_int_fdiv(c, p->c, p->k), j);
  return with_const(c, UP_ADD, sum, rest);
}

/* (d, x, k): d is x // k or x % k; the rule asks for k > 0 and x >= 0 */
up_node native_congruence(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  split p = {.v = list_take(c)};
  up_node r = UP_NONE;
  if (!native_expects(c, up_is_const_int(c, arg[2], &p.k) && up_int_sign(c, p.k) > 0) ||
      up_dt_count(up_dtype_of(c, arg[1])) != 1) {
    list_give(c, &p.v);
    return r;
  }
  if (linear_split(c, up_pop_const(c, arg[1], &p.c), &p.l) && take_terms(c, &p)) {
    up_int j = up_int_fdiv(c, p.lo, p.k);
    if (up_int_eq(j, up_int_fdiv(c, p.hi, p.k)))
      r = result(c, &p, up_op_of(c, arg[0]) == UP_MOD, j);
  }
  linear_free(&p.l);
  list_give(c, &p.v);
  return r;
}
