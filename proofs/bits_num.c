/* Exact integers as bit-vectors that are wide enough. */
#include "bits.h"

#include <assert.h>

Z3_ast bv_not(bv_enc *e, Z3_ast a) { return z3_1(e->z, Z3_mk_not, a); }

Z3_ast bv_and(bv_enc *e, Z3_ast a, Z3_ast b) {
  if (!a || !b) return a ? a : b;
  return z3_n2(e->z, Z3_mk_and, a, b);
}

Z3_ast bv_or(bv_enc *e, Z3_ast a, Z3_ast b) { return z3_n2(e->z, Z3_mk_or, a, b); }

Z3_ast bv_fresh(bv_enc *e, unsigned width) {
  Z3_context c = e->z->ctx;
  Z3_sort sort = width ? Z3_mk_bv_sort(c, width) : Z3_mk_bool_sort(c);
  return z3_variable(e->z, sort, e->fresh++);
}

static Z3_ast numeral(bv_enc *e, or_i128 v, unsigned width) {
  char text[41];
  or_i128_print(v, text);
  return z3_decimal(e->z, Z3_mk_bv_sort(e->z->ctx, width), text);
}

bv_num bv_i128(bv_enc *e, or_i128 v) {
  unsigned width = or_i128_bits(v);
  return (bv_num){numeral(e, v, width), width};
}

bv_num bv_int(bv_enc *e, int64_t v) { return bv_i128(e, v); }

bv_num bv_of_bool(bv_enc *e, Z3_ast truth) {
  return (bv_num){z3_ite(e->z, truth, numeral(e, 1, 2), numeral(e, 0, 2)), 2};
}

/* ---- widths ----------------------------------------------------------------------------------- */

static Z3_ast extended(bv_enc *e, bool is_signed, unsigned by, Z3_ast a) {
  if (!a || by == 0) return a;
  Z3_context c = e->z->ctx;
  return z3_keep(e->z, is_signed ? Z3_mk_sign_ext(c, by, a) : Z3_mk_zero_ext(c, by, a));
}

bv_num bv_widen(bv_enc *e, bv_num a, unsigned width) {
  assert(width >= a.width);
  return (bv_num){extended(e, true, width - a.width, a.ast), width};
}

static Z3_ast low_bits(bv_enc *e, Z3_ast a, unsigned width) {
  return a ? z3_keep(e->z, Z3_mk_extract(e->z->ctx, width - 1, 0, a)) : NULL;
}

bv_num bv_of_bits(bv_enc *e, fr_type t, Z3_ast value) {
  if (t.is_bool) return bv_of_bool(e, value);
  if (t.is_signed) return (bv_num){value, t.bits};
  return (bv_num){extended(e, false, 1, value), t.bits + 1};
}

Z3_ast bv_reduce(bv_enc *e, fr_type t, bv_num a) {
  if (t.is_bool) return bv_not(e, bv_equal(e, a, bv_int(e, 0)));
  if (a.width >= t.bits) return low_bits(e, a.ast, t.bits);
  return bv_widen(e, a, t.bits).ast;
}

Z3_ast bv_fits(bv_enc *e, fr_type t, bv_num a) {
  Z3_ast low = bv_less(e, a, bv_i128(e, fr_min(t))), high = bv_less(e, bv_i128(e, fr_max(t)), a);
  return bv_not(e, bv_or(e, low, high));
}

static unsigned wider(bv_num a, bv_num b) { return a.width > b.width ? a.width : b.width; }

static Z3_ast relation(bv_enc *e, Z3_ast (*make)(Z3_context, Z3_ast, Z3_ast), bv_num a, bv_num b) {
  unsigned w = wider(a, b);
  return z3_2(e->z, make, bv_widen(e, a, w).ast, bv_widen(e, b, w).ast);
}

Z3_ast bv_less(bv_enc *e, bv_num a, bv_num b) { return relation(e, Z3_mk_bvslt, a, b); }
Z3_ast bv_equal(bv_enc *e, bv_num a, bv_num b) { return relation(e, Z3_mk_eq, a, b); }

/* ---- operations -------------------------------------------------------------------------------- */

static bv_num cannot(bv_enc *e, const char *why) {
  if (!e->cannot) e->cannot = why;
  return (bv_num){NULL, 1};
}

/* make on both operands at this width */
static bv_num at_width(bv_enc *e, Z3_ast (*make)(Z3_context, Z3_ast, Z3_ast), bv_num a, bv_num b,
                       unsigned width) {
  if (width > BV_MAX_WIDTH) return cannot(e, "an expression is too wide for bit-vectors");
  return (bv_num){z3_2(e->z, make, bv_widen(e, a, width).ast, bv_widen(e, b, width).ast), width};
}

static bv_num minus(bv_enc *e, bv_num a) {
  bv_num w = bv_widen(e, a, a.width + 1);
  return (bv_num){z3_1(e->z, Z3_mk_bvneg, w.ast), w.width};
}

static bv_num choose(bv_enc *e, Z3_ast cond, bv_num a, bv_num b) {
  unsigned w = wider(a, b);
  return (bv_num){z3_ite(e->z, cond, bv_widen(e, a, w).ast, bv_widen(e, b, w).ast), w};
}

/* One bit more than the operands: MIN // -1 is a number like others. Quotient and remainder by 0
 * are any numbers: that raises. */
static bv_num divide(bv_enc *e, ex_op op, bv_num a, bv_num b) {
  unsigned w = wider(a, b) + 1;
  bv_num q = at_width(e, Z3_mk_bvsdiv, a, b, w);
  bv_num r = at_width(e, Z3_mk_bvsrem, a, b, w), zero = bv_int(e, 0);
  if (op == EX_TDIV) return q;
  if (op == EX_TMOD) return r;
  Z3_ast exact = bv_equal(e, r, zero);
  Z3_ast opposite =
      z3_n2(e->z, Z3_mk_distinct, bv_less(e, a, zero), bv_less(e, b, zero)); /* signs of a and b */
  Z3_ast turn = bv_not(e, exact);
  bv_num step = bv_int(e, op == EX_CEILDIV ? 1 : -1);
  if (op == EX_CEILDIV) opposite = bv_not(e, opposite);
  turn = bv_and(e, turn, opposite);
  if (op == EX_FLOORMOD) return choose(e, turn, at_width(e, Z3_mk_bvadd, r, b, w), r);
  return choose(e, turn, at_width(e, Z3_mk_bvadd, q, step, w), q);
}

/* Most amounts of a shift are below 256; points at which one is not are not looked at, and what was
 * found of the others is no proof unless the premises rule those points out. */
#define AMOUNT_BITS 9u

static bv_num shift(bv_enc *e, ex_op op, bv_num a, bv_num b) {
  if (op == EX_SHR) return at_width(e, Z3_mk_bvashr, a, b, wider(a, b));
  if (b.width > AMOUNT_BITS) {
    e->limit = bv_and(e, e->limit, bv_less(e, b, bv_int(e, 1 << (AMOUNT_BITS - 1))));
    b = (bv_num){low_bits(e, b.ast, AMOUNT_BITS), AMOUNT_BITS};
  }
  unsigned most = (1u << (b.width - 1)) - 1, w = a.width + most;
  return at_width(e, Z3_mk_bvshl, a, b, w > b.width ? w : b.width);
}

/* math.ceil of a quotient that was rounded to a double. Where |a| < 2^53 and |b| <= 2^53 that is
 * the exact one: a quotient that is not whole keeps 1/|b| away from the next integer, and it is
 * rounded by at most |a/b| * 2^-53, which is less. Elsewhere it is some number near a. */
static bv_num rounded_division(bv_enc *e, ex_op op, bv_num a, bv_num b) {
  if (a.width > 53 || b.width > 53) {
    e->abstract = true;
    return (bv_num){bv_fresh(e, a.width + 2), a.width + 2};
  }
  return divide(e, op == EX_FLOAT_CEILDIV ? EX_CEILDIV : EX_FLOORDIV, a, b);
}

bv_num bv_arith(bv_enc *e, ex_op op, bv_num a, bv_num b) {
  unsigned w = wider(a, b);
  if (!a.ast) return a; /* already said why */
  switch (op) {
  case EX_ADD: return at_width(e, Z3_mk_bvadd, a, b, w + 1);
  case EX_SUB: return at_width(e, Z3_mk_bvsub, a, b, w + 1);
  case EX_MUL: return at_width(e, Z3_mk_bvmul, a, b, a.width + b.width);
  case EX_TDIV:
  case EX_TMOD:
  case EX_FLOORDIV:
  case EX_FLOORMOD:
  case EX_CEILDIV: return divide(e, op, a, b);
  case EX_BITAND: return at_width(e, Z3_mk_bvand, a, b, w);
  case EX_BITOR: return at_width(e, Z3_mk_bvor, a, b, w);
  case EX_BITXOR: return at_width(e, Z3_mk_bvxor, a, b, w);
  case EX_SHL:
  case EX_SHR: return shift(e, op, a, b);
  case EX_NEG: return minus(e, a);
  case EX_ABS: return choose(e, bv_less(e, a, bv_int(e, 0)), minus(e, a), a);
  case EX_MIN: return choose(e, bv_less(e, b, a), b, a);
  case EX_MAX: return choose(e, bv_less(e, a, b), b, a);
  case EX_FLOAT_CEILDIV:
  case EX_FLOAT_FLOORDIV: return rounded_division(e, op, a, b);
  case EX_FINITE:
  case EX_EXACT: return bv_int(e, 1);
  default: return cannot(e, "a function that has no bit-vector term");
  }
}

Z3_ast bv_raises(bv_enc *e, ex_op op, bv_num b) {
  switch (op) {
  case EX_TDIV:
  case EX_TMOD:
  case EX_FLOORDIV:
  case EX_FLOORMOD:
  case EX_CEILDIV:
  case EX_FLOAT_CEILDIV:
  case EX_FLOAT_FLOORDIV: return bv_equal(e, b, bv_int(e, 0));
  case EX_SHL:
  case EX_SHR: return bv_less(e, b, bv_int(e, 0));
  default: return NULL;
  }
}
