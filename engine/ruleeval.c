/* Values of exact expressions, at match time. */
#include "ruleexpr.h"

#include <math.h>

bool expr_true(up_val v) { return v.is_float ? v.f != 0 : !up_int_is(v.i, 0); }

static up_val zero(void) { return up_val_int(up_int_of(0)); }
static up_val truth(bool b) { return up_val_int(up_int_of(b)); }
static up_val number(int64_t v) { return up_val_int(up_int_of(v)); }

/* Nothing more is computed once something raised or the rule does not apply. */
static bool over(const evaluation *e) { return e->failed || !ctx_ok(e->c); }

static up_val raise(evaluation *e, up_status s) {
  up_ctx_set_status(e->c, s);
  return zero();
}

static double as_double(const up_ctx *c, up_val v) {
  return v.is_float ? v.f : up_int_to_double(c, v.i);
}

static bool is_nan(up_val v) { return v.is_float && isnan(v.f); }

/* ---- arithmetic as Python has it -------------------------------------------------------- */

static up_val eval_float(evaluation *e, ex_op op, double x, double y) {
  if (op == EX_ADD) return up_val_float(x + y);
  if (op == EX_SUB) return up_val_float(x - y);
  if (op == EX_MUL) return up_val_float(x * y);
  if (op != EX_FLOORDIV && op != EX_FLOORMOD && op != EX_CEILDIV) return raise(e, UP_RAISE_TYPE);
  if (y == 0) return raise(e, UP_RAISE_ZERO_DIVISION);
  double m = fmod(x, y);
  if (m != 0 && (m < 0) != (y < 0)) m += y;
  if (op == EX_FLOORMOD) return up_val_float(m);
  double q = floor((x - m) / y + 0.5);
  return up_val_float(op == EX_FLOORDIV || m == 0 ? q : q + 1);
}

static up_val eval_division(evaluation *e, ex_op op, up_int x, up_int y) {
  if (up_int_is(y, 0)) return raise(e, UP_RAISE_ZERO_DIVISION);
  switch (op) {
  case EX_TDIV: return up_val_int(up_int_tdiv(e->c, x, y));
  case EX_TMOD: return up_val_int(up_int_tmod(e->c, x, y));
  case EX_FLOORDIV: return up_val_int(up_int_fdiv(e->c, x, y));
  case EX_FLOORMOD: return up_val_int(up_int_fmod(e->c, x, y));
  default: assert(op == EX_CEILDIV); return up_val_int(up_int_cdiv(e->c, x, y));
  }
}

static up_val eval_int(evaluation *e, ex_op op, up_int x, up_int y) {
  switch (op) {
  case EX_ADD: return up_val_int(up_int_add(e->c, x, y));
  case EX_SUB: return up_val_int(up_int_sub(e->c, x, y));
  case EX_MUL: return up_val_int(up_int_mul(e->c, x, y));
  case EX_BITAND: return up_val_int(up_int_and(e->c, x, y));
  case EX_BITOR: return up_val_int(up_int_or(e->c, x, y));
  case EX_BITXOR: return up_val_int(up_int_xor(e->c, x, y));
  case EX_SHL: return up_val_int(up_int_shl(e->c, x, y));
  case EX_SHR: return up_val_int(up_int_shr(e->c, x, y));
  case EX_GCD: return up_val_int(up_int_gcd(e->c, x, y));
  default: return eval_division(e, op, x, y);
  }
}

static bool compare(const up_ctx *c, ex_op op, up_val x, up_val y) {
  if (is_nan(x) || is_nan(y)) return op == EX_NE;
  int k = up_val_cmp(c, x, y);
  switch (op) {
  case EX_LT: return k < 0;
  case EX_LE: return k <= 0;
  case EX_GT: return k > 0;
  case EX_GE: return k >= 0;
  case EX_EQ: return k == 0;
  default: assert(op == EX_NE); return k != 0;
  }
}

/* min and max keep the first of equals, and look at the order of their arguments only with <. */
static up_val eval_minmax(const up_ctx *c, ex_op op, up_val x, up_val y) {
  return compare(c, op == EX_MIN ? EX_LT : EX_GT, y, x) ? y : x;
}

/* ---- int / int to the nearest double ---------------------------------------------------- */

/* |a| / |b| with 55 bits or more and whatever remains as a sticky last bit: value * 2^shift. */
static uint64_t quotient_bits(const mpz_t a, const mpz_t b, long shift) {
  mpz_t x, y, r;
  mpz_inits(x, y, r, (mpz_ptr)0);
  mpz_abs(x, a);
  mpz_abs(y, b);
  if (shift < 0)
    mpz_mul_2exp(x, x, (mp_bitcnt_t)-shift);
  else
    mpz_mul_2exp(y, y, (mp_bitcnt_t)shift);
  mpz_tdiv_qr(x, r, x, y);
  uint64_t q = mpz_get_ui(x) | (mpz_sgn(r) != 0);
  mpz_clears(x, y, r, (mpz_ptr)0);
  return q;
}
_Static_assert(sizeof(unsigned long) == 8, "a quotient of 56 bits is read as one unsigned long");

/* Rounds q to a multiple of 2^drop, halves to even. */
static uint64_t round_bits(uint64_t q, int drop) {
  if (drop <= 0) return q;
  uint64_t unit = UINT64_C(1) << drop, rest = q & (unit - 1), half = unit >> 1;
  q -= rest;
  if (rest > half || (rest == half && (q & unit))) q += unit;
  return q;
}

/* The true quotient rounded once, as Python's int / int is; infinite beyond the doubles. */
static double true_divide(const mpz_t a, const mpz_t b) {
  if (mpz_sgn(a) == 0) return 0;
  long diff = (long)mpz_sizeinbase(a, 2) - (long)mpz_sizeinbase(b, 2);
  double sign = (mpz_sgn(a) < 0) != (mpz_sgn(b) < 0) ? -1.0 : 1.0;
  if (diff > 1024) return sign * (double)INFINITY;
  if (diff < -1076) return sign * 0.0;
  /* bits below the 53rd, or below the smallest subnormal, are rounded off */
  long shift = (diff > -1021 ? diff : -1021) - 55;
  uint64_t q = quotient_bits(a, b, shift);
  int bits = q ? 64 - __builtin_clzll(q) : 0;
  int keep_from = bits - 53, subnormal = (int)(-1074 - shift);
  q = round_bits(q, keep_from > subnormal ? keep_from : subnormal);
  return sign * ldexp((double)q, (int)shift);
}

static up_val int_of_double(evaluation *e, double f) {
  if (isnan(f)) return raise(e, UP_RAISE_VALUE);
  if (isinf(f)) return raise(e, UP_RAISE_OVERFLOW);
  if (fabs(f) < 0x1p62) return number((int64_t)f);
  mpz_t z;
  mpz_init_set_d(z, f);
  up_int v = up_int_from_mpz(e->c, z);
  mpz_clear(z);
  return up_val_int(v);
}

#define EXACT_DOUBLE (INT64_C(1) << 53)

static bool is_exact_double(up_int v) {
  return up_int_fits(v) && v.lo >= -EXACT_DOUBLE && v.lo <= EXACT_DOUBLE;
}

/* math.ceil(x / y), math.floor(x / y) */
static up_val eval_float_division(evaluation *e, ex_op op, up_val x, up_val y) {
  double q;
  if (y.is_float ? y.f == 0 : up_int_is(y.i, 0)) return raise(e, UP_RAISE_ZERO_DIVISION);
  if (x.is_float || y.is_float || (is_exact_double(x.i) && is_exact_double(y.i))) {
    q = as_double(e->c, x) / as_double(e->c, y);
  } else {
    mpz_t a, b;
    mpz_inits(a, b, (mpz_ptr)0);
    up_int_to_mpz(e->c, x.i, a);
    up_int_to_mpz(e->c, y.i, b);
    q = true_divide(a, b);
    mpz_clears(a, b, (mpz_ptr)0);
  }
  return int_of_double(e, op == EX_FLOAT_CEILDIV ? ceil(q) : floor(q));
}

up_val eval_arithmetic(evaluation *e, ex_op op, up_val x, up_val y) {
  if (over(e)) return zero();
  if (op >= EX_LT && op <= EX_NE) return truth(compare(e->c, op, x, y));
  if (op == EX_MIN || op == EX_MAX) return eval_minmax(e->c, op, x, y);
  if (op == EX_FLOAT_CEILDIV || op == EX_FLOAT_FLOORDIV) return eval_float_division(e, op, x, y);
  if (x.is_float || y.is_float) return eval_float(e, op, as_double(e->c, x), as_double(e->c, y));
  return eval_int(e, op, x.i, y.i);
}

up_val eval_sign(evaluation *e, ex_op op, up_val x) {
  if (x.is_float) return up_val_float(op == EX_NEG ? -x.f : fabs(x.f));
  return up_val_int(op == EX_NEG ? up_int_neg(e->c, x.i) : up_int_abs(e->c, x.i));
}

/* ---- constants -------------------------------------------------------------------------- */

static uint32_t lanes_of(const up_ctx *c, up_node n) {
  return up_op_of(c, n) == UP_VCONST ? up_arg_len(c, up_arg_of(c, n)) : 1;
}

up_val eval_value(evaluation *e, up_node n) {
  if (over(e)) return zero();
  if (up_op_of(e->c, n) == UP_CONST) return up_const_val(e->c, n);
  /* a list is no number; a name in a pattern that was repeated no times stands for nothing */
  if (e->lane < 0 || up_op_of(e->c, n) != UP_VCONST) return raise(e, UP_RAISE_TYPE);
  return vconst_lane(e->c, n, (uint32_t)e->lane);
}

/* Two constants of which one at least may be a VCONST. A list and a number are unequal and have no
 * order; lists are ordered by their first difference. */
up_val eval_list_compare(evaluation *e, ex_op op, up_node a, up_node b) {
  up_ctx *c = e->c;
  if (over(e)) return zero();
  bool la = up_op_of(c, a) == UP_VCONST, lb = up_op_of(c, b) == UP_VCONST;
  op = (ex_op)(op - EX_LIST_LT + EX_LT);
  if (la != lb) return op == EX_EQ || op == EX_NE ? truth(op == EX_NE) : raise(e, UP_RAISE_TYPE);
  if (!la) return truth(compare(c, op, up_const_val(c, a), up_const_val(c, b)));
  uint32_t na = lanes_of(c, a), nb = lanes_of(c, b);
  for (uint32_t i = 0; i < na && i < nb; i++) {
    up_val x = up_vconst_at(c, a, i), y = up_vconst_at(c, b, i);
    if (compare(c, EX_NE, x, y)) return truth(compare(c, op, x, y));
  }
  return truth(compare(c, op, number(na), number(nb)));
}

up_val eval_lanes(evaluation *e, ex_op op, up_node n) {
  up_ctx *c = e->c;
  if (up_op_of(c, n) == UP_CONST) return up_const_val(c, n);
  uint32_t lanes = lanes_of(c, n);
  up_val best = lanes ? up_vconst_at(c, n, 0) : zero();
  for (uint32_t i = 1; i < lanes; i++)
    best = eval_minmax(c, op == EX_LANE_MIN ? EX_MIN : EX_MAX, best, up_vconst_at(c, n, i));
  return best;
}

/* ---- nodes ------------------------------------------------------------------------------ */

up_val eval_bound(const evaluation *e, ex_op op, up_node n) {
  if (over(e)) return zero();
  up_bounds b = up_minmax(e->c, n);
  return op == EX_VMIN ? b.lo : b.hi;
}

up_val eval_src_bound(evaluation *e, ex_op op, up_node n) {
  uint32_t nsrc = up_nsrc(e->c, n);
  up_val best = zero();
  if (nsrc == 0) e->failed = true;
  for (uint32_t i = 0; i < nsrc; i++) {
    up_val v = eval_bound(e, op == EX_SRC_VMIN ? EX_VMIN : EX_VMAX, up_src(e->c, n, i));
    best = i == 0 ? v : eval_minmax(e->c, op == EX_SRC_VMIN ? EX_MIN : EX_MAX, best, v);
  }
  return best;
}

/* Number i of a list arg that starts with a name: DEFINE_VAR (name, min, max), SPECIAL (name,
 * size). */
up_val eval_arg(evaluation *e, up_node n, uint32_t len, uint32_t i) {
  up_arg a = up_arg_of(e->c, n);
  if (up_arg_kind_of(e->c, a) == UP_A_LIST && up_arg_len(e->c, a) == len) {
    up_arg v = up_arg_at(e->c, a, i);
    up_arg_kind k = up_arg_kind_of(e->c, v);
    if (k == UP_A_INT || k == UP_A_BOOL || k == UP_A_FLOAT) return up_arg_val(e->c, v);
  }
  e->failed = true;
  return zero();
}

/* dtypes.min, dtypes.max: an integer vector counts as one integer of all its bits; what is neither
 * integer nor float is False..True. */
up_val eval_dtype_range(evaluation *e, ex_op op, up_dtype d) {
  bool min = op == EX_DTYPE_MIN, ptr = up_dt_is_ptr(d);
  if (!ptr && up_dt_is_float(d)) return up_val_float(min ? -(double)INFINITY : (double)INFINITY);
  if (ptr || !up_dt_is_int(d)) return truth(!min);
  bool is_unsigned = up_dt_is_unsigned(d);
  if (min && is_unsigned) return zero();
  unsigned bits = up_dt_bits(d) * up_dt_count(d) - !is_unsigned;
  if (bits == 64 && !min) return up_val_int(up_int_from_u64(e->c, UINT64_MAX));
  up_int top = up_int_shl(e->c, up_int_of(1), up_int_of(bits));
  return up_val_int(min ? up_int_neg(e->c, top) : up_int_sub(e->c, top, up_int_of(1)));
}

/* The same of one lane. */
up_val eval_scalar_range(evaluation *e, ex_op op, up_dtype d) {
  up_dtype lane = up_dt_is_ptr(d) ? d : up_dt(up_dt_scalar(d));
  return eval_dtype_range(e, op == EX_SCALAR_MIN ? EX_DTYPE_MIN : EX_DTYPE_MAX, lane);
}

static up_val eval_node(evaluation *e, const expr *x) {
  up_ctx *c = e->c;
  up_node a = e->slot[x->a], b = x->b >= 0 ? e->slot[x->b] : UP_NONE;
  switch ((ex_op)x->op) {
  case EX_VALUE: return eval_value(e, a);
  case EX_VMIN:
  case EX_VMAX: return eval_bound(e, (ex_op)x->op, a);
  case EX_SRC_VMIN:
  case EX_SRC_VMAX: return eval_src_bound(e, (ex_op)x->op, a);
  case EX_LANE_MIN:
  case EX_LANE_MAX: return eval_lanes(e, (ex_op)x->op, a);
  case EX_VAR_MIN: return eval_arg(e, a, 3, 1);
  case EX_VAR_MAX: return eval_arg(e, a, 3, 2);
  case EX_SPECIAL_SIZE: return eval_arg(e, a, 2, 1);
  case EX_DTYPE_MIN:
  case EX_DTYPE_MAX: return eval_dtype_range(e, (ex_op)x->op, up_dtype_of(c, a));
  case EX_SCALAR_MIN:
  case EX_SCALAR_MAX: return eval_scalar_range(e, (ex_op)x->op, up_dtype_of(c, a));
  case EX_COUNT: return number(up_dt_count(up_dtype_of(c, a)));
  case EX_NSRC: return number(up_nsrc(c, a));
  case EX_CONST_FACTOR: return up_val_int(up_const_factor(c, a));
  case EX_INCREASING: return truth(up_is_increasing(c, a));
  case EX_SAME: return truth(up_same(a, b));
  case EX_BEFORE: return truth(up_cmp(c, a, b) < 0);
  case EX_SAME_DTYPE: return truth(up_dtype_of(c, a) == up_dtype_of(c, b));
  case EX_SAME_OP: return truth(up_op_of(c, a) == up_op_of(c, b));
  case EX_HAS_DTYPE: return truth(dtset_has(x->dt, up_dtype_of(c, a)));
  default: assert(x->op == EX_HAS_OP); return truth(opset_has(&x->ops, up_op_of(c, a)));
  }
}

/* ---- the tree, which is as deep as its text -------------------------------------------------- */

static up_val eval_logic(evaluation *e, const expr *x) {
  up_val l = expr_eval(e, x->kid[0]);
  if (x->op == EX_NOT) return truth(!expr_true(l));
  if (expr_true(l) == (x->op == EX_OR)) return l;
  return expr_eval(e, x->kid[1]);
}

static up_val eval_kind(up_val v, ex_op op) {
  return truth(!v.is_float || (op == EX_FINITE && isfinite(v.f)));
}

up_val expr_eval(evaluation *e, expr_id id) {
  const expr *x = expr_at(e->b, id);
  if (over(e)) return zero();
  switch ((ex_op)x->op) {
  case EX_INT: return number(x->ival);
  case EX_FLOAT: return up_val_float(x->fval);
  case EX_AND:
  case EX_OR:
  case EX_NOT: return eval_logic(e, x);
  case EX_NEG:
  case EX_ABS: return eval_sign(e, (ex_op)x->op, expr_eval(e, x->kid[0]));
  case EX_FINITE:
  case EX_EXACT: return eval_kind(expr_eval(e, x->kid[0]), (ex_op)x->op);
  default: break;
  }
  if (x->op >= EX_LIST_LT && x->op <= EX_LIST_NE)
    return eval_list_compare(e, (ex_op)x->op, e->slot[x->a], e->slot[x->b]);
  if (x->op >= EX_VMIN || x->op == EX_VALUE) return eval_node(e, x);
  up_val l = expr_eval(e, x->kid[0]);
  return eval_arithmetic(e, (ex_op)x->op, l, expr_eval(e, x->kid[1]));
}
