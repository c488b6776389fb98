/* Powers of floats. Source: 0.11.0 `simplify_pow` (uop/symbolic.py) and `xpow`
 * (uop/decompositions.py). */
#include "native.h"
#include <math.h>

static up_node float_like(up_ctx *c, up_node x, double f) {
  if (!ctx_ok(c)) return UP_NONE;
  return up_const(c, up_dtype_of(c, x), up_val_float(f));
}

static double number_of(const up_ctx *c, up_node k) {
  up_val v = up_const_val(c, k);
  return v.is_float ? v.f : up_int_to_double(c, v.i);
}

/* x ** (whole n), by squaring: y*y, and once more x when n is odd. */
static up_node whole_power(up_ctx *c, up_node x, double n) {
  up_node half = up_binary(c, UP_POW, x, float_like(c, x, floor(n / 2)));
  up_node square = up_binary(c, UP_MUL, half, half);
  return up_binary(c, UP_MUL, square, fmod(n, 2) == 1 ? x : float_like(c, x, 1));
}

/* (x, k): x ** k */
up_node native_simplify_pow(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_node x = arg[0];
  if (!native_expects(c, up_is_const(c, arg[1]))) return UP_NONE;
  double k = number_of(c, arg[1]);
  if (k < 0) return up_binary(c, UP_POW, up_unary(c, UP_RECIP, x), up_neg(c, arg[1]));
  if (k == 0) return up_const_like(c, x, up_int_of(1));
  if (!isfinite(k)) {
    up_ctx_set_status(c, isnan(k) ? UP_RAISE_VALUE : UP_RAISE_OVERFLOW); /* int() of it there */
    return UP_NONE;
  }
  if (trunc(k - 0.5) + 0.5 == k) {
    up_node whole = up_binary(c, UP_POW, x, float_like(c, arg[1], k - 0.5));
    return up_binary(c, UP_MUL, whole, up_unary(c, UP_SQRT, x));
  }
  return trunc(k) == k ? whole_power(c, x, k) : UP_NONE;
}

/* (x, k): x * log2(k), for k > 0 */
up_node native_scaled_by_log2(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  if (!native_expects(c, up_is_const(c, arg[1]))) return UP_NONE;
  return up_binary(c, UP_MUL, arg[0], float_like(c, arg[0], log2(number_of(c, arg[1]))));
}

static up_node cast_to(up_ctx *c, up_node x, enum up_scalar s) {
  if (!ctx_ok(c)) return UP_NONE;
  up_dtype d = up_dt_vec(up_dt(s), up_dt_count(up_dtype_of(c, x)));
  return up_dtype_of(c, x) == d ? x : up_cast(c, x, d);
}

static up_node less_than_zero(up_ctx *c, up_node x) {
  return with_const(c, UP_CMPLT, x, up_int_of(0));
}
static up_node is_zero(up_ctx *c, up_node x) {
  return up_not(c, with_const(c, UP_CMPNE, x, up_int_of(0)));
}
static up_node magnitude(up_ctx *c, up_node x) {
  return up_where(c, less_than_zero(c, x), up_neg(c, x), x);
}

/* What a negative base does to the result: nan for a broken exponent, -1 for an odd one, else 1. */
static up_node sign_factor(up_ctx *c, up_node ret, up_node e) {
  up_node back = cast_to(c, cast_to(c, e, UP_INT), up_dt_scalar(up_dtype_of(c, e)));
  up_node broken = up_binary(c, UP_CMPNE, e, back);
  up_node parity = with_const(c, UP_MOD, cast_to(c, magnitude(c, e), UP_INT), up_int_of(2));
  up_node sign =
      up_where(c, cast_to(c, parity, UP_BOOL), float_like(c, ret, -1), float_like(c, ret, 1));
  return up_where(c, broken, float_like(c, ret, (double)NAN), sign);
}

/* (b, e): b ** e as 2 ** (e * log2 |b|), its sign, and 0 ** 0 = 1 */
up_node native_xpow(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_node b = arg[0], e = arg[1];
  up_node log = up_unary(c, UP_LOG2, magnitude(c, b));
  up_node ret = up_unary(c, UP_EXP2, up_binary(c, UP_MUL, log, e));
  up_node adj = sign_factor(c, ret, e), one = float_like(c, ret, 1);
  up_node signed_ret = up_binary(c, UP_MUL, ret, up_where(c, less_than_zero(c, b), adj, one));
  up_node zero_zero = up_binary(c, UP_AND, is_zero(c, b), is_zero(c, e));
  return up_where(c, zero_zero, one, signed_ret);
}
