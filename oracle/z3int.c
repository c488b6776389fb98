/* Numbers as Int terms: the natural way for `ideal`, and for any frame where intervals leave little
 * to reduce.
 *
 * Z3's div and mod are Euclidean: a = b*div + mod with 0 <= mod < |b|. For a >= 0 that is
 * truncation, whatever the sign of b; for a < 0 the quotient and remainder of -a are negated.
 */
#include "z3enc.h"

#include <assert.h>

#define MAX_SHIFT 4096

static Z3_ast add(z3_enc *e, Z3_ast a, Z3_ast b) { return z3_n2(e->z, Z3_mk_add, a, b); }
static Z3_ast sub(z3_enc *e, Z3_ast a, Z3_ast b) { return z3_n2(e->z, Z3_mk_sub, a, b); }
static Z3_ast mul(z3_enc *e, Z3_ast a, Z3_ast b) { return z3_n2(e->z, Z3_mk_mul, a, b); }
static Z3_ast minus(z3_enc *e, Z3_ast a) { return z3_1(e->z, Z3_mk_unary_minus, a); }
static Z3_ast less(z3_enc *e, Z3_ast a, Z3_ast b) { return z3_2(e->z, Z3_mk_lt, a, b); }

static Z3_ast cannot(z3_enc *e, const char *why) {
  e->cannot = why;
  return NULL;
}

/* An op without an integer term, as a function of which only this is known: it is one, it is
 * symmetric if the op is, and its values lie in the slot's interval. Rewrites mostly leave such ops
 * alone, so that is enough to prove many of them; a model proves nothing. */
static Z3_ast opaque(z3_enc *e, const pr_ins *d, Z3_ast a, Z3_ast b) {
  Z3_context c = e->z->ctx;
  Z3_sort domain[2] = {e->sort, e->sort};
  Z3_func_decl f =
      Z3_mk_func_decl(c, Z3_mk_string_symbol(c, up_op_name((up_op)d->op)), 2, domain, e->sort);
  Z3_ast pair[2] = {a, b}, turned[2] = {b, a};
  if (!f || !a || !b) return z3_keep(e->z, NULL);
  Z3_ast r = z3_keep(e->z, Z3_mk_app(c, f, 2, pair));
  e->abstract = true;
  if (up_op_in((up_op)d->op, UP_G_COMMUTATIVE))
    z3_assert(e->z, z3_2(e->z, Z3_mk_eq, r, z3_keep(e->z, Z3_mk_app(c, f, 2, turned))));
  /* the interval is of the exact result only where nothing is reduced */
  if ((d->flags & (PR_UNDEF | PR_REDUCE)) || !pr_range_finite(d->value)) return r;
  z3_assert(e->z, z3_2(e->z, Z3_mk_ge, r, z3_num(e, d->value.lo)));
  z3_assert(e->z, z3_2(e->z, Z3_mk_le, r, z3_num(e, d->value.hi)));
  return r;
}

static Z3_ast power_of_two(z3_enc *e, unsigned k) {
  char text[MAX_SHIFT / 3 + 4];
  mpz_t v;
  mpz_init_set_ui(v, 1);
  mpz_mul_2exp(v, v, k);
  mpz_get_str(text, 10, v);
  mpz_clear(v);
  return z3_decimal(e->z, e->sort, text);
}

/* Truncating, from a Euclidean operation: make is Z3_mk_div or Z3_mk_mod. */
static Z3_ast truncating(z3_enc *e, Z3_ast (*make)(Z3_context, Z3_ast, Z3_ast), pr_range ra,
                         Z3_ast a, Z3_ast b) {
  if (ra.lo >= 0) return z3_2(e->z, make, a, b);
  Z3_ast down = minus(e, z3_2(e->z, make, minus(e, a), b));
  if (ra.hi <= 0) return down;
  return z3_ite(e->z, less(e, a, z3_num(e, 0)), down, z3_2(e->z, make, a, b));
}

/* Toward minus infinity, from a Euclidean operation, which is the same for a divisor above 0. */
static Z3_ast flooring(z3_enc *e, bool quotient, pr_range rb, Z3_ast a, Z3_ast b) {
  Z3_ast up = z3_2(e->z, quotient ? Z3_mk_div : Z3_mk_mod, a, b);
  if (rb.lo >= 0) return up;
  Z3_ast x = minus(e, a), y = minus(e, b),
         down = z3_2(e->z, quotient ? Z3_mk_div : Z3_mk_mod, x, y);
  if (!quotient) down = minus(e, down);
  return rb.hi <= 0 ? down : z3_ite(e->z, less(e, b, z3_num(e, 0)), down, up);
}

static Z3_ast divide(z3_enc *e, const pr_ins *d, Z3_ast a, Z3_ast b) {
  bool quotient = d->op == UP_IDIV || d->op == UP_FLOORDIV;
  Z3_ast r = d->op == UP_IDIV || d->op == UP_MOD
                 ? truncating(e, quotient ? Z3_mk_div : Z3_mk_mod, z3_range(e, d, 0), a, b)
                 : flooring(e, quotient, z3_range(e, d, 1), a, b);
  if (e->p->frame != OR_WRAP || !(d->flags & PR_ZERO)) return r;
  return z3_ite(e->z, z3_2(e->z, Z3_mk_eq, b, z3_num(e, 0)), quotient ? z3_num(e, 0) : a, r);
}

static Z3_ast shift(z3_enc *e, const pr_ins *d, Z3_ast a, Z3_ast b) {
  const pr_ins *amount = &e->p->ins[d->src[1]];
  if (d->op == UP_SHL && d->type.is_bool && amount->value.lo >= 0) return a;
  if (amount->op != UP_CONST || amount->value.lo != amount->value.hi) return opaque(e, d, a, b);
  or_i128 k = amount->value.lo;
  if (k < 0) return z3_num(e, 0); /* wrap; else undefined */
  if (k > MAX_SHIFT) return cannot(e, "a shift by a huge amount");
  Z3_ast p = power_of_two(e, (unsigned)k);
  return d->op == UP_SHL ? mul(e, a, p) : z3_2(e->z, Z3_mk_div, a, p);
}

/* a AND m for m >= 0 and any a: each run of ones takes a field of bits out of a, which div and mod
 * by powers of two do for negative numbers too (their two's complement has infinitely many bits).
 */
static Z3_ast mask(z3_enc *e, Z3_ast a, or_i128 m) {
  Z3_ast sum = z3_num(e, 0);
  for (or_i128 low = 1; m >= low && sum; low <<= 1) {
    if ((m & low) == 0) continue;
    or_i128 end = low;
    while ((m & end) != 0) end <<= 1;
    Z3_ast field = low == 1 ? a : z3_2(e->z, Z3_mk_div, a, z3_num(e, low));
    field = z3_2(e->z, Z3_mk_mod, field, z3_num(e, end / low));
    sum = add(e, sum, low == 1 ? field : mul(e, field, z3_num(e, low)));
    low = end;
  }
  return sum;
}

/* With a constant m: a & m, a | m = a + m - (a & m), a ^ m = a + m - 2(a & m). */
static Z3_ast bits(z3_enc *e, const pr_ins *d, Z3_ast a, Z3_ast b) {
  const pr_ins *x = &e->p->ins[d->src[0]], *y = &e->p->ins[d->src[1]];
  if (x->op == UP_CONST && y->op != UP_CONST) {
    y = x;
    a = b;
  }
  if (y->op != UP_CONST || (y->flags & (PR_HUGE | PR_CHECK))) return opaque(e, d, a, b);
  or_i128 m = y->number;
  /* a negative m: a & m = a - (a & ~m) */
  Z3_ast both = m >= 0 ? mask(e, a, m) : sub(e, a, mask(e, a, ~m));
  if (d->op == UP_AND) return both;
  Z3_ast sum = add(e, a, z3_num(e, m));
  return sub(e, sum, d->op == UP_OR ? both : mul(e, both, z3_num(e, 2)));
}

static Z3_ast exact(z3_enc *e, const pr_ins *d, const Z3_ast v[3]) {
  switch ((up_op)d->op) {
  case UP_ADD: return add(e, v[0], v[1]);
  case UP_SUB: return sub(e, v[0], v[1]);
  case UP_MUL: return mul(e, v[0], v[1]);
  case UP_MULACC: return add(e, mul(e, v[0], v[1]), v[2]);
  case UP_NEG: return minus(e, v[0]);
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
  default:
    assert(d->op == UP_AND || d->op == UP_OR || d->op == UP_XOR);
    return bits(e, d, v[0], v[1]);
  }
}

/* (a - min) mod 2^bits + min */
static Z3_ast reduce(z3_enc *e, fr_type t, Z3_ast a) {
  Z3_ast size = z3_num(e, (or_i128)1 << t.bits), min = z3_num(e, fr_min(t));
  if (!t.is_signed) return z3_2(e->z, Z3_mk_mod, a, size);
  return add(e, z3_2(e->z, Z3_mk_mod, sub(e, a, min), size), min);
}

static Z3_ast variable(z3_enc *e, const pr_ins *d) {
  Z3_ast x = z3_variable(e->z, e->sort, d->var);
  pr_range r = e->p->var[d->var].domain;
  e->constant[d->var] = x;
  z3_assert(e->z, z3_2(e->z, Z3_mk_ge, x, z3_num(e, r.lo)));
  z3_assert(e->z, z3_2(e->z, Z3_mk_le, x, z3_num(e, r.hi)));
  return x;
}

const z3_arith z3_ints = {"z3-int", exact, reduce, less, variable};
