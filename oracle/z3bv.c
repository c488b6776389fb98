/* Numbers as bit-vectors of one width, the narrowest in which every value fits as two's complement.
 *
 * The width comes from the interval analysis: at points where a slot is defined its value, and
 * whatever must be known exactly to decide it, fits (pr_ins.bits). So no operation here loses
 * anything that counts, and signed comparison is comparison of values.
 */
#include "z3enc.h"

#include <assert.h>

static Z3_ast less(z3_enc *e, Z3_ast a, Z3_ast b) { return z3_2(e->z, Z3_mk_bvslt, a, b); }

static Z3_ast is_zero(z3_enc *e, Z3_ast a) { return z3_2(e->z, Z3_mk_eq, a, z3_num(e, 0)); }

/* Toward minus infinity: where a remainder is left and its sign, the dividend's, is not the divisor's,
 * the quotient is one less. */
static Z3_ast floored(z3_enc *e, const pr_ins *d, Z3_ast r, Z3_ast a, Z3_ast b) {
  if (d->op == UP_FLOORMOD) return z3_2(e->z, Z3_mk_bvsmod, a, b);
  Z3_ast left = z3_1(e->z, Z3_mk_not, is_zero(e, z3_2(e->z, Z3_mk_bvsrem, a, b)));
  Z3_ast zero = z3_num(e, 0), apart = z3_2(e->z, Z3_mk_xor, less(e, a, zero), less(e, b, zero));
  Z3_ast less_one = z3_2(e->z, Z3_mk_bvsub, r, z3_num(e, 1));
  return z3_ite(e->z, z3_n2(e->z, Z3_mk_and, left, apart), less_one, r);
}

/* bvsdiv and bvsrem truncate; by 0 they are total with values of their own. Where neither operand
 * is negative the unsigned forms say the same and are smaller. */
static Z3_ast divide(z3_enc *e, const pr_ins *d, Z3_ast a, Z3_ast b) {
  bool plain = z3_range(e, d, 0).lo >= 0 && z3_range(e, d, 1).lo >= 0;
  bool quotient = d->op == UP_IDIV || d->op == UP_FLOORDIV;
  Z3_ast r = quotient ? z3_2(e->z, plain ? Z3_mk_bvudiv : Z3_mk_bvsdiv, a, b)
                      : z3_2(e->z, plain ? Z3_mk_bvurem : Z3_mk_bvsrem, a, b);
  if (!plain && (d->op == UP_FLOORDIV || d->op == UP_FLOORMOD)) r = floored(e, d, r, a, b);
  if (e->p->frame != OR_WRAP || !(d->flags & PR_ZERO)) return r;
  return z3_ite(e->z, is_zero(e, b), quotient ? z3_num(e, 0) : a, r);
}

/* Amounts beyond the width shift everything out, as they should. A negative one would count as a
 * huge one: in wrap the result is 0. */
static Z3_ast shift(z3_enc *e, const pr_ins *d, Z3_ast a, Z3_ast b) {
  Z3_ast r = d->op == UP_SHR   ? z3_2(e->z, Z3_mk_bvashr, a, b)
             : d->type.is_bool ? a
                               : z3_2(e->z, Z3_mk_bvshl, a, b);
  if (e->p->frame != OR_WRAP || z3_range(e, d, 1).lo >= 0) return r;
  return z3_ite(e->z, less(e, b, z3_num(e, 0)), z3_num(e, 0), r);
}

static bool multiplies(up_op op) {
  return op == UP_MUL || op == UP_MULACC || op == UP_IDIV || op == UP_MOD || op == UP_FLOORDIV ||
         op == UP_FLOORMOD;
}

static Z3_ast exact(z3_enc *e, const pr_ins *d, const Z3_ast v[3]) {
  if (multiplies((up_op)d->op)) e->products += (uint64_t)e->width * e->width;
  switch ((up_op)d->op) {
  case UP_ADD: return z3_2(e->z, Z3_mk_bvadd, v[0], v[1]);
  case UP_SUB: return z3_2(e->z, Z3_mk_bvsub, v[0], v[1]);
  case UP_MUL: return z3_2(e->z, Z3_mk_bvmul, v[0], v[1]);
  case UP_MULACC: return z3_2(e->z, Z3_mk_bvadd, z3_2(e->z, Z3_mk_bvmul, v[0], v[1]), v[2]);
  case UP_NEG: return z3_1(e->z, Z3_mk_bvneg, v[0]);
  case UP_MAX: return z3_ite(e->z, less(e, v[0], v[1]), v[1], v[0]);
  case UP_TRUNC:
  case UP_CAST:
  case UP_BITCAST: return v[0];
  case UP_IDIV:
  case UP_MOD:
  case UP_FLOORDIV:
  case UP_FLOORMOD: return divide(e, d, v[0], v[1]);
  case UP_SHL:
  case UP_SHR: return shift(e, d, v[0], v[1]);
  case UP_AND: return z3_2(e->z, Z3_mk_bvand, v[0], v[1]);
  case UP_OR: return z3_2(e->z, Z3_mk_bvor, v[0], v[1]);
  default: assert(d->op == UP_XOR); return z3_2(e->z, Z3_mk_bvxor, v[0], v[1]);
  }
}

static Z3_ast extend(z3_enc *e, bool is_signed, unsigned by, Z3_ast a) {
  if (!a || by == 0) return a;
  return z3_keep(e->z,
                 is_signed ? Z3_mk_sign_ext(e->z->ctx, by, a) : Z3_mk_zero_ext(e->z->ctx, by, a));
}

/* The low bits of a, whatever its width, as a value of the type in the common width. */
static Z3_ast cut(z3_enc *e, fr_type t, Z3_ast a) {
  if (!a) return NULL;
  assert(t.bits <= e->width);
  Z3_ast low = z3_keep(e->z, Z3_mk_extract(e->z->ctx, t.bits - 1, 0, a));
  return extend(e, t.is_signed, e->width - t.bits, low);
}

static Z3_ast reduce(z3_enc *e, fr_type t, Z3_ast a) { return cut(e, t, a); }

/* A declared range may be wider than the values that are left of it: then the variable has a width
 * of its own. */
static Z3_ast variable(z3_enc *e, const pr_ins *d) {
  pr_range r = e->p->var[d->var].domain;
  unsigned lo = or_i128_bits(r.lo), hi = or_i128_bits(r.hi), own = lo > hi ? lo : hi;
  if (own < e->width) own = e->width;
  Z3_sort sort = Z3_mk_bv_sort(e->z->ctx, own);
  Z3_ast x = z3_variable(e->z, sort, d->var);
  e->constant[d->var] = x;
  e->constant_width[d->var] = own;
  z3_assert(e->z, z3_2(e->z, Z3_mk_bvsge, x, z3_number(e->z, sort, own, r.lo)));
  z3_assert(e->z, z3_2(e->z, Z3_mk_bvsle, x, z3_number(e->z, sort, own, r.hi)));
  if (!x || own == e->width) return x;
  return z3_keep(e->z, Z3_mk_extract(e->z->ctx, e->width - 1, 0, x));
}

const z3_arith z3_bits = {"z3-bv", exact, reduce, less, variable};
