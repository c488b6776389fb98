/* Quotients and remainders by the means of block.c, where it is told why they are exact: floating point
 * in a format that holds both operands, or a product with the reciprocal of a divisor that many lanes
 * share. LLVM itself divides 32 bits by a constant, and what has too many bits for a double. */
#include "emit.h"

/* Greatest widths of both operands of a float: for a product with the reciprocal, for a division. A
 * double holds JT_REAL_BITS for both. */
#define FLOAT_PRODUCT 22u
#define FLOAT_QUOTIENT 24u

typedef struct ratio {
  const jt_emitter *e;
  unsigned level, from; /* from: level of the divisor */
  LLVMValueRef a;       /* dividend, on `level` */
  LLVMValueRef k;       /* divisor, on `from`: neither 0 nor -1 */
  bool remainder;       /* wanted, else the quotient */
} ratio;

static LLVMValueRef divisor(const ratio *r) { return jt_spread(r->e, r->from, r->level, r->k); }

/* (|a| + 1/2) / |k| with the sign of the quotient; a and k are reals of one format. */
static LLVMValueRef product(const jt_emitter *e, unsigned level, LLVMValueRef a, unsigned from,
                            LLVMValueRef k) {
  LLVMTypeRef format = e->l->LLVMTypeOf(k); /* a scalar: from is before level */
  LLVMValueRef one = e->l->LLVMConstReal(format, 1.0);
  LLVMValueRef inverse = jt_binary(e, from, LLVMFDiv, one, k);
  LLVMValueRef half = jt_spread(e, JT_ONCE, level, e->l->LLVMConstReal(format, 0.5));
  LLVMValueRef sign[2] = {half, a};
  LLVMValueRef sum = jt_binary(e, level, LLVMFAdd, a, jt_call(e, level, "llvm.copysign", sign, 2));
  return jt_binary(e, level, LLVMFMul, sum, jt_spread(e, from, level, inverse));
}

static LLVMValueRef less(const ratio *r, LLVMValueRef q) {
  LLVMValueRef whole = jt_binary(r->e, r->level, LLVMMul, q, divisor(r));
  return jt_binary(r->e, r->level, LLVMSub, r->a, whole);
}

/* Lanes of 32 bits. */
static LLVMValueRef in_format(const ratio *r, LLVMTypeRef format) {
  const jt_emitter *e = r->e;
  LLVMValueRef a = jt_cast(e, r->level, LLVMSIToFP, r->a, format), q;
  LLVMValueRef k = jt_cast(e, r->from, LLVMSIToFP, r->k, format);
  if (r->from < r->level)
    q = product(e, r->level, a, r->from, k);
  else
    q = jt_binary(e, r->level, LLVMFDiv, a, k);
  q = jt_cast(e, r->level, LLVMFPToSI, q, e->lane);
  return r->remainder ? less(r, q) : q;
}

/* Lanes of 64 bits. q * k is no greater than a, so that product and difference are exact too. A
 * divisor 0 gives any number, which does no harm, nor overflows -1. */
static LLVMValueRef in_doubles(const jt_emitter *e, unsigned level, const pr_ins *o) {
  unsigned from = e->slot[o->src[1]].level;
  LLVMValueRef a = jt_real(e, level, o->src[0]), k = jt_real(e, level, o->src[1]), q;
  if (from < level)
    q = product(e, level, a, from, jt_real(e, from, o->src[1]));
  else
    q = jt_binary(e, level, LLVMFDiv, a, k);
  q = jt_call(e, level, "llvm.trunc", &q, 1);
  if (o->op == UP_IDIV) return q;
  return jt_binary(e, level, LLVMFSub, a, jt_binary(e, level, LLVMFMul, q, k));
}

static LLVMValueRef in_integers(const ratio *r, unsigned bits) {
  const jt_emitter *e = r->e;
  if (e->bits < 128)
    return jt_binary(e, r->level, r->remainder ? LLVMSRem : LLVMSDiv, r->a, divisor(r));
  if (bits > 64) {
    LLVMTypeRef types[2] = {e->lane, e->lane}, t = e->l->LLVMFunctionType(e->lane, types, 2, false);
    LLVMValueRef arg[2] = {r->a, divisor(r)}, f = r->remainder ? e->modulo : e->divide;
    return e->l->LLVMBuildCall2(e->at[r->level], t, f, arg, 2, "");
  }
  LLVMTypeRef i64 = e->l->LLVMIntTypeInContext(e->context, 64);
  LLVMValueRef a = jt_cast(e, r->level, LLVMTrunc, r->a, i64);
  LLVMValueRef k = jt_cast(e, r->level, LLVMTrunc, divisor(r), i64);
  LLVMValueRef q = jt_binary(e, r->level, r->remainder ? LLVMSRem : LLVMSDiv, a, k);
  return jt_cast(e, r->level, LLVMSExt, q, e->lane);
}

/* bits: of both operands, more than 64 where either may be undefined, and hold anything. */
static LLVMValueRef in_lanes(const ratio *r, unsigned bits, bool constant) {
  const jt_emitter *e = r->e;
  bool shared = r->from < r->level;
  if (e->bits > 32) return in_integers(r, bits);
  if (bits <= (shared ? FLOAT_PRODUCT : FLOAT_QUOTIENT))
    return in_format(r, e->l->LLVMFloatTypeInContext(e->context));
  if (constant) return in_integers(r, bits);
  return in_format(r, e->l->LLVMDoubleTypeInContext(e->context));
}

static bool may_be(const pr_ins *i, or_i128 v) {
  return (i->flags & PR_UNDEF) || (i->value.lo <= v && v <= i->value.hi);
}

/* As integers: x//0 = 0, x%0 = x; -1 is apart because the least lane over -1 overflows. */
static LLVMValueRef guarded(const jt_emitter *e, unsigned level, const pr_ins *o, unsigned bits,
                            bool remainder) {
  const pr_ins *by = &e->p->ins[o->src[1]];
  ratio r = {.e = e, .level = level, .from = e->slot[o->src[1]].level, .remainder = remainder};
  r.a = jt_value(e, level, o->src[0]);
  r.k = jt_value(e, r.from, o->src[1]);
  LLVMValueRef is_zero = NULL, is_minus = NULL, one = jt_number(e, r.from, 1);
  if (may_be(by, 0)) is_zero = jt_compare(e, r.from, LLVMIntEQ, r.k, jt_number(e, r.from, 0));
  if (may_be(by, -1)) is_minus = jt_compare(e, r.from, LLVMIntEQ, r.k, jt_number(e, r.from, -1));
  if (is_zero) r.k = jt_select(e, r.from, is_zero, one, r.k);
  if (is_minus) r.k = jt_select(e, r.from, is_minus, one, r.k);
  LLVMValueRef none = jt_number(e, level, 0), v = in_lanes(&r, bits, by->op == UP_CONST);
  if (is_minus && !r.remainder)
    v = jt_select(e, level, jt_spread(e, r.from, level, is_minus),
                  jt_binary(e, level, LLVMSub, none, r.a), v);
  if (is_zero)
    v = jt_select(e, level, jt_spread(e, r.from, level, is_zero), r.remainder ? r.a : none, v);
  return v;
}

/* FLOORDIV and FLOORMOD from the truncating ones: one less where a remainder is left and its sign is not
 * the divisor's. By 0 the quotient stays 0; the remainder stays the dividend, as the divisor is added. */
static LLVMValueRef floored(const jt_emitter *e, unsigned level, const pr_ins *o, unsigned bits) {
  LLVMValueRef r = guarded(e, level, o, bits, true), k = jt_value(e, level, o->src[1]);
  LLVMValueRef none = jt_number(e, level, 0);
  LLVMValueRef less =
      jt_binary(e, level, LLVMAnd, jt_compare(e, level, LLVMIntNE, r, none),
                jt_compare(e, level, LLVMIntSLT, jt_binary(e, level, LLVMXor, r, k), none));
  if (o->op == UP_FLOORMOD)
    return jt_binary(e, level, LLVMAdd, r, jt_select(e, level, less, k, none));
  if (may_be(&e->p->ins[o->src[1]], 0))
    less = jt_binary(e, level, LLVMAnd, less, jt_compare(e, level, LLVMIntNE, k, none));
  return jt_binary(e, level, LLVMSub, guarded(e, level, o, bits, false),
                   jt_select(e, level, less, jt_number(e, level, 1), none));
}

void jt_divide(const jt_emitter *e, unsigned level, const pr_ins *o, jt_slot *s) {
  const pr_ins *dividend = &e->p->ins[o->src[0]], *by = &e->p->ins[o->src[1]];
  unsigned bits = by->bits > dividend->bits ? by->bits : dividend->bits;
  bool floors = o->op == UP_FLOORDIV || o->op == UP_FLOORMOD;
  if (e->bits == 64 && bits <= JT_REAL_BITS && !floors) {
    s->real = in_doubles(e, level, o);
    if (!(o->flags & PR_ZERO) || e->p->frame != OR_WRAP) return; /* x//0 is undefined */
    LLVMValueRef zero = jt_double(e, level, 0.0), x = jt_real(e, level, o->src[0]);
    s->real =
        jt_select(e, level, jt_truth(e, level, o->src[1]), s->real, o->op == UP_MOD ? x : zero);
    return;
  }
  if ((by->flags | dividend->flags) & PR_UNDEF) bits = 128;
  s->value = floors ? floored(e, level, o, bits) : guarded(e, level, o, bits, o->op == UP_MOD);
}
