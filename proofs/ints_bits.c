/* AND, OR and XOR of unbounded integers.
 *
 * With a number on one side they are exact: a field of bits is a div and a mod by powers of two. Else
 * they are functions of which only laws are known, all of them true of two's complement with
 * infinitely many sign bits. What is proved from laws holds; a model proves nothing.
 */
#include "ints.h"

static Z3_ast zero(in_enc *e) { return in_int(e, 0); }

/* a AND m, m >= 0: each run of ones is a field. */
static Z3_ast mask(in_enc *e, Z3_ast a, or_i128 m) {
  Z3_ast sum = zero(e);
  for (or_i128 low = 1; m >= low && sum; low <<= 1) {
    if ((m & low) == 0) continue;
    or_i128 end = low;
    while ((m & end) != 0) end <<= 1;
    Z3_ast unit = z3_number(e->z, e->integer, 0, low);
    Z3_ast size = z3_number(e->z, e->integer, 0, end / low);
    Z3_ast field = low == 1 ? a : z3_2(e->z, Z3_mk_div, a, unit);
    field = z3_2(e->z, Z3_mk_mod, field, size);
    sum = in_add(e, sum, low == 1 ? field : in_mul(e, field, unit));
    low = end;
  }
  return sum;
}

/* a & m; a | m = a + m - (a & m); a ^ m = a + m - 2(a & m); of a negative m a & m = a - (a & ~m) */
static Z3_ast with_number(in_enc *e, up_op op, Z3_ast a, int64_t m) {
  Z3_ast both = m >= 0 ? mask(e, a, m) : in_sub(e, a, mask(e, a, ~(or_i128)m));
  if (op == UP_AND) return both;
  Z3_ast sum = in_add(e, a, in_int(e, m));
  return in_sub(e, sum, op == UP_OR ? both : in_mul(e, in_int(e, 2), both));
}

static Z3_ast apply(in_enc *e, up_op op, Z3_ast a, Z3_ast b) {
  static const char *const name[3] = {"bitand", "bitor", "bitxor"};
  unsigned k = op == UP_AND ? 0 : op == UP_OR ? 1 : 2;
  Z3_sort domain[2] = {e->integer, e->integer};
  if (!e->bits[k])
    e->bits[k] =
        Z3_mk_func_decl(e->z->ctx, Z3_mk_string_symbol(e->z->ctx, name[k]), 2, domain, e->integer);
  Z3_ast pair[2] = {a, b};
  e->abstract = true;
  return e->bits[k] && a && b ? z3_keep(e->z, Z3_mk_app(e->z->ctx, e->bits[k], 2, pair)) : NULL;
}

/* Is a one of two numbers, by a condition? */
static bool is_choice(in_enc *e, Z3_ast a, Z3_app *choice) {
  Z3_context c = e->z->ctx;
  if (!a || Z3_get_ast_kind(c, a) != Z3_APP_AST) return false;
  *choice = Z3_to_app(c, a);
  return Z3_get_decl_kind(c, Z3_get_app_decl(c, *choice)) == Z3_OP_ITE &&
         in_is_number(e, Z3_get_app_arg(c, *choice, 1)) &&
         in_is_number(e, Z3_get_app_arg(c, *choice, 2));
}

Z3_ast in_bitop_of(in_enc *e, up_op op, Z3_ast a, Z3_ast b) {
  int64_t m;
  Z3_app choice;
  if (in_small(e, b, &m)) return with_number(e, op, a, m);
  if (in_small(e, a, &m)) return with_number(e, op, b, m);
  if (is_choice(e, b, &choice))
    return z3_ite(e->z, Z3_get_app_arg(e->z->ctx, choice, 0),
                  in_bitop_of(e, op, a, Z3_get_app_arg(e->z->ctx, choice, 1)),
                  in_bitop_of(e, op, a, Z3_get_app_arg(e->z->ctx, choice, 2)));
  if (is_choice(e, a, &choice)) return in_bitop_of(e, op, b, a);
  for (unsigned k = 0; k < e->nbitop; k++)
    if (e->bitop[k].op == op && e->bitop[k].a == a && e->bitop[k].b == b) return e->bitop[k].r;
  in_bitop o = {op, a, b, apply(e, op, a, b)};
  if (e->nbitop < IN_MAX)
    e->bitop[e->nbitop++] = o;
  else
    e->overflow = true;
  return o.r;
}

/* ---- laws -------------------------------------------------------------------------------------------- */

static void law(in_enc *e, Z3_ast a) { z3_assert(e->z, a); }

static void laws_of_one(in_enc *e, const in_bitop *o) {
  Z3_ast a = o->a, b = o->b, r = o->r, z = zero(e);
  Z3_ast a_up = in_le(e, z, a), b_up = in_le(e, z, b);
  law(e, in_eq(e, r, apply(e, o->op, b, a)));
  law(e, in_implies(e, in_eq(e, a, b), in_eq(e, r, o->op == UP_XOR ? z : a)));
  if (o->op == UP_AND) {
    law(e, in_implies(e, a_up, in_and(e, in_le(e, z, r), in_le(e, r, a))));
    law(e, in_implies(e, b_up, in_and(e, in_le(e, z, r), in_le(e, r, b))));
    law(e, in_or(e, in_or(e, a_up, b_up),
                 in_and(e, in_lt(e, r, z), in_and(e, in_le(e, r, a), in_le(e, r, b)))));
    /* -1 - r is at most the sum of -1 - a and -1 - b */
    law(e, in_or(e, in_or(e, a_up, b_up), in_lt(e, in_add(e, a, b), r)));
    law(e, in_implies(e, in_or(e, in_eq(e, a, z), in_eq(e, b, z)), in_eq(e, r, z)));
    return;
  }
  if (o->op == UP_OR) {
    law(e, in_implies(e, a_up, in_le(e, b, r)));
    law(e, in_implies(e, b_up, in_le(e, a, r)));
    law(e, in_eq(e, in_lt(e, r, z), in_not(e, in_and(e, a_up, b_up))));
    law(e, in_implies(e, in_not(e, a_up), in_le(e, a, r)));
    law(e, in_implies(e, in_not(e, b_up), in_le(e, b, r)));
  } else {
    Z3_ast minus_two = in_int(e, -2);
    law(e, in_eq(e, in_le(e, z, r), in_eq(e, a_up, b_up)));
    law(e, in_implies(e, in_and(e, a_up, in_not(e, b_up)), in_le(e, in_sub(e, b, a), r)));
    law(e, in_implies(e, in_and(e, b_up, in_not(e, a_up)), in_le(e, in_sub(e, a, b), r)));
    law(e, in_or(e, in_or(e, a_up, b_up), in_le(e, r, in_sub(e, minus_two, in_add(e, a, b)))));
  }
  law(e, in_implies(e, in_and(e, a_up, b_up), in_le(e, r, in_add(e, a, b))));
  law(e, in_implies(e, in_eq(e, a, z), in_eq(e, r, b)));
  law(e, in_implies(e, in_eq(e, b, z), in_eq(e, r, a)));
}

/* A multiple of 2^k and a number below 2^k have no bit in common; the low bits of the result with a
 * multiple of 2^k are those of the other operand, or none. */
static void low_bits(in_enc *e, const in_bitop *o, unsigned k) {
  Z3_ast p = in_power(e, k), none = o->op == UP_AND ? zero(e) : in_add(e, o->a, o->b);
  for (int turn = 0; turn < 2; turn++) {
    Z3_ast high = turn ? o->b : o->a, low = turn ? o->a : o->b;
    Z3_ast multiple = in_eq(e, z3_2(e->z, Z3_mk_mod, high, p), zero(e));
    Z3_ast apart = in_and(e, multiple, in_and(e, in_le(e, zero(e), low), in_lt(e, low, p)));
    Z3_ast rest = o->op == UP_AND ? zero(e) : z3_2(e->z, Z3_mk_mod, low, p);
    law(e, in_implies(e, apart, in_eq(e, o->r, none)));
    law(e, in_implies(e, multiple, in_eq(e, z3_2(e->z, Z3_mk_mod, o->r, p), rest)));
  }
}

/* f(f(a, b), c) = f(a, f(b, c)) = f(b, f(a, c)); x | (x & y) = x & (x | y) = x */
static void laws_of_two(in_enc *e, const in_bitop *outer, const in_bitop *inner) {
  Z3_ast c = outer->a == inner->r ? outer->b : outer->b == inner->r ? outer->a : NULL;
  if (!c) return;
  if (outer->op == inner->op) {
    Z3_ast right = apply(e, outer->op, inner->b, c), left = apply(e, outer->op, inner->a, c);
    law(e, in_eq(e, outer->r, apply(e, outer->op, inner->a, right)));
    law(e, in_eq(e, outer->r, apply(e, outer->op, inner->b, left)));
  } else if (outer->op != UP_XOR && inner->op != UP_XOR && (c == inner->a || c == inner->b)) {
    law(e, in_eq(e, outer->r, c));
  }
}

void in_bit_laws(in_enc *e) {
  unsigned n = e->nbitop;
  uint64_t powers = e->powers;
  for (unsigned k = 0; k < n; k++) {
    in_bitop o = e->bitop[k];
    laws_of_one(e, &o);
    for (unsigned p = 1; p < 64; p++)
      if ((powers >> p) & 1) low_bits(e, &o, p);
    for (unsigned j = 0; j < n; j++)
      if (j != k) laws_of_two(e, &o, &e->bitop[j]);
  }
}
