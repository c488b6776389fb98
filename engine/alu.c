/* exec_alu: the meaning of each op on numbers, as the modelled releases have it.
 *
 * Integers are exact. IDIV and MOD truncate toward zero. Division by zero:
 *   0.10.0  x // 0 is x*inf, a float (which then can't be made an int); x % 0 raises
 *   0.11.0  x // 0 = 0, x % 0 = x
 * FLOORDIV and FLOORMOD are the same toward minus infinity; 0.11.0 and before do not have them.
 * Source: ops.py `python_alu`, helpers.py `cdiv` and `cmod`, dtype.py `truncate`.
 */
#include "internal.h"
#include <math.h>
#include <string.h>

static up_val val_i(int64_t v) { return up_val_int(up_int_of(v)); }

static up_val raise(up_ctx *c, up_status s) {
  up_ctx_set_status(c, s);
  return val_i(0);
}

static double as_double(const up_ctx *c, up_val v) {
  return v.is_float ? v.f : up_int_to_double(c, v.i);
}

static bool truthy(up_val v) { return v.is_float ? v.f != 0 : !up_int_is(v.i, 0); }

/* ---- integers -------------------------------------------------------------------------------- */

static up_val int_div(up_ctx *c, up_alu_release r, up_int x, up_int y) {
  if (!up_int_is(y, 0)) return up_val_int(up_int_tdiv(c, x, y));
  if (r == UP_ALU_0_11) return val_i(0);
  int s = up_int_sign(c, x);
  return up_val_float(s == 0 ? (double)NAN : s > 0 ? (double)INFINITY : -(double)INFINITY);
}

static up_val int_mod(up_ctx *c, up_alu_release r, up_int x, up_int y) {
  if (!up_int_is(y, 0)) return up_val_int(up_int_tmod(c, x, y));
  return r == UP_ALU_0_11 ? up_val_int(x) : raise(c, UP_RAISE_ZERO_DIVISION);
}

static up_val int_binary(up_ctx *c, up_alu_release r, up_op op, up_int x, up_int y) {
  int64_t small;
  if (up_int_fits(x) && up_int_fits(y) && alu_small(op, x.lo, y.lo, &small)) return val_i(small);
  switch (op) {
  case UP_ADD: return up_val_int(up_int_add(c, x, y));
  case UP_SUB: return up_val_int(up_int_sub(c, x, y));
  case UP_MUL: return up_val_int(up_int_mul(c, x, y));
  case UP_IDIV: return int_div(c, r, x, y);
  case UP_MOD: return int_mod(c, r, x, y);
  case UP_FLOORDIV: return up_int_is(y, 0) ? val_i(0) : up_val_int(up_int_fdiv(c, x, y));
  case UP_FLOORMOD: return up_val_int(up_int_is(y, 0) ? x : up_int_fmod(c, x, y));
  case UP_MAX: return up_val_int(up_int_cmp(c, x, y) >= 0 ? x : y);
  case UP_CMPLT: return val_i(up_int_cmp(c, x, y) < 0);
  case UP_CMPNE: return val_i(!up_int_eq(x, y));
  case UP_CMPEQ: return r == UP_ALU_0_11 ? val_i(up_int_eq(x, y)) : raise(c, UP_RAISE_TYPE);
  case UP_AND: return up_val_int(up_int_and(c, x, y));
  case UP_OR: return up_val_int(up_int_or(c, x, y));
  case UP_XOR: return up_val_int(up_int_xor(c, x, y));
  case UP_SHL: return up_val_int(up_int_shl(c, x, y));
  case UP_SHR: return up_val_int(up_int_shr(c, x, y));
  default: return raise(c, UP_RAISE_TYPE); /* not in python_alu */
  }
}

/* ---- floats ---------------------------------------------------------------------------------- */

static double float_idiv(double x, double y) {
  double q = floor(fabs(x) / fabs(y));
  return x * y < 0 ? -q : q;
}

static up_val float_pow(up_ctx *c, double x, double y) {
  if (x == 0 && y < 0) return up_val_float((double)INFINITY); /* ZeroDivisionError, made inf */
  double p = pow(x, y); /* a complex result there is nan here and there */
  if (isinf(p) && !isinf(x) && !isinf(y)) return raise(c, UP_RAISE_OVERFLOW);
  return up_val_float(p);
}

static up_val float_binary(up_ctx *c, up_alu_release r, up_op op, double x, double y) {
  switch (op) {
  case UP_ADD: return up_val_float(x + y);
  case UP_SUB: return up_val_float(x - y);
  case UP_MUL: return up_val_float(x * y);
  case UP_MAX: return up_val_float(y > x ? y : x);
  case UP_CMPLT: return val_i(x < y);
  case UP_CMPNE: return val_i(x != y);
  case UP_CMPEQ: return r == UP_ALU_0_11 ? val_i(x == y) : raise(c, UP_RAISE_TYPE);
  case UP_POW: return r == UP_ALU_0_11 ? float_pow(c, x, y) : raise(c, UP_RAISE_TYPE);
  case UP_IDIV:
    if (y != 0) return up_val_float(float_idiv(x, y));
    return r == UP_ALU_0_11 ? val_i(0) : up_val_float(x * (double)INFINITY);
  case UP_MOD:
    if (y == 0) return r == UP_ALU_0_11 ? up_val_float(x) : raise(c, UP_RAISE_ZERO_DIVISION);
    if (r == UP_ALU_0_11) return up_val_float(x - float_idiv(x, y) * y);
    return up_val_float(fmod(trunc(x), trunc(y)));
  default: return raise(c, UP_RAISE_TYPE);
  }
}

static up_val binary(up_ctx *c, up_alu_release r, up_op op, up_val x, up_val y) {
  if (!x.is_float && !y.is_float && op != UP_POW) return int_binary(c, r, op, x.i, y.i);
  return float_binary(c, r, op, as_double(c, x), as_double(c, y));
}

static up_val exp2_of(up_ctx *c, up_val x) {
  if (!x.is_float && up_int_sign(c, x.i) >= 0) return up_val_int(up_int_shl(c, up_int_of(1), x.i));
  return up_val_float(exp2(as_double(c, x))); /* overflow is inf there too */
}

static double log2_of(double x) {
  return x > 0 ? log2(x) : x == 0 ? -(double)INFINITY : (double)NAN;
}

static up_val trunc_of(up_ctx *c, up_val x) {
  if (!x.is_float) return x;
  if (isnan(x.f)) return raise(c, UP_RAISE_VALUE);
  if (isinf(x.f)) return raise(c, UP_RAISE_OVERFLOW);
  return up_val_float(trunc(x.f));
}

static up_val unary(up_ctx *c, up_alu_release r, up_op op, up_val x) {
  double f = as_double(c, x);
  switch (op) {
  case UP_NEG: return x.is_float ? up_val_float(-x.f) : up_val_int(up_int_neg(c, x.i));
  case UP_EXP2: return exp2_of(c, x);
  case UP_LOG2: return up_val_float(log2_of(f));
  case UP_SQRT: return up_val_float(f >= 0 ? sqrt(f) : (double)NAN);
  case UP_SIN: return up_val_float(isinf(f) ? (double)NAN : sin(f));
  case UP_RECIP: return up_val_float(f != 0 ? 1 / f : copysign((double)INFINITY, f));
  case UP_TRUNC: return r == UP_ALU_0_11 ? trunc_of(c, x) : raise(c, UP_RAISE_TYPE);
  default: return raise(c, UP_RAISE_TYPE);
  }
}

/* ---- truncation ------------------------------------------------------------------------------ */

/* Nearest half, ties to even; beyond its range an infinity. */
static double round_to_half(double x) {
  if (isnan(x) || isinf(x) || x == 0) return x;
  int e;
  frexp(x, &e);
  int unit = e - 11 < -24 ? -24 : e - 11; /* weight of the last of 11 bits; subnormals at 2^-24 */
  double r = ldexp(nearbyint(ldexp(x, -unit)), unit);
  return fabs(r) > 65504 ? copysign((double)INFINITY, x) : r;
}

static up_val truncated(up_ctx *c, up_dtype dt, up_val v) {
  switch (up_dt_scalar(dt)) {
  case UP_BOOL: return val_i(truthy(v));
  case UP_HALF: return up_val_float(round_to_half(as_double(c, v)));
  case UP_FLOAT: return up_val_float((double)(float)as_double(c, v));
  case UP_DOUBLE: return up_val_float(as_double(c, v));
  case UP_VOID:
  case UP_BFLOAT16: return v;
  default:
    if (v.is_float) return raise(c, UP_RAISE_TYPE); /* ctypes refuses a float */
    return up_val_int(up_int_wrap(c, v.i, up_dt_vec(dt & 31u, 1)));
  }
}

/* ---- the entry ------------------------------------------------------------------------------- */

up_val up_alu(up_ctx *c, up_alu_release r, up_op op, up_dtype dt, const up_val *operand, uint32_t n,
              bool truncate) {
  UP_REQUIRE(up_op_in(op, UP_G_ALU) && (int)n == up_op_arity(op), "up_alu");
  up_val v;
  if (op == UP_WHERE)
    v = truthy(operand[0]) ? operand[1] : operand[2];
  else if (op == UP_MULACC)
    v = binary(c, r, UP_ADD, binary(c, r, UP_MUL, operand[0], operand[1]), operand[2]);
  else if (n == 1)
    v = unary(c, r, op, operand[0]);
  else
    v = binary(c, r, op, operand[0], operand[1]);
  return truncate && ctx_ok(c) ? truncated(c, dt, v) : v;
}

up_val up_exec_alu(up_ctx *c, up_op op, up_dtype dt, const up_val *operand, uint32_t n,
                   bool truncate) {
  return up_alu(c, old_release(c) ? UP_ALU_0_10 : UP_ALU_0_11, op, dt, operand, n, truncate);
}
