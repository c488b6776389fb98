/* Integers and truths as Z3 terms. */
#include "ints.h"

#include <string.h>

Z3_ast in_int(in_enc *e, int64_t v) { return z3_number(e->z, e->integer, 0, v); }

Z3_ast in_fresh(in_enc *e, Z3_sort sort) { return z3_variable(e->z, sort, e->fresh++); }

Z3_ast in_and(in_enc *e, Z3_ast a, Z3_ast b) {
  if (!a) return b;
  return b ? z3_n2(e->z, Z3_mk_and, a, b) : a;
}

Z3_ast in_or(in_enc *e, Z3_ast a, Z3_ast b) { return z3_n2(e->z, Z3_mk_or, a, b); }
Z3_ast in_not(in_enc *e, Z3_ast a) { return z3_1(e->z, Z3_mk_not, a); }
Z3_ast in_implies(in_enc *e, Z3_ast a, Z3_ast b) { return a ? z3_2(e->z, Z3_mk_implies, a, b) : b; }
Z3_ast in_eq(in_enc *e, Z3_ast a, Z3_ast b) { return z3_2(e->z, Z3_mk_eq, a, b); }
Z3_ast in_lt(in_enc *e, Z3_ast a, Z3_ast b) { return z3_2(e->z, Z3_mk_lt, a, b); }
Z3_ast in_le(in_enc *e, Z3_ast a, Z3_ast b) { return z3_2(e->z, Z3_mk_le, a, b); }
Z3_ast in_neg(in_enc *e, Z3_ast a) { return z3_1(e->z, Z3_mk_unary_minus, a); }

bool in_is_number(in_enc *e, Z3_ast a) { return a && Z3_is_numeral_ast(e->z->ctx, a); }

bool in_is_bool(in_enc *e, Z3_ast a) {
  return a && Z3_get_sort_kind(e->z->ctx, Z3_get_sort(e->z->ctx, a)) == Z3_BOOL_SORT;
}

bool in_small(in_enc *e, Z3_ast a, int64_t *out) {
  return in_is_number(e, a) && Z3_get_numeral_int64(e->z->ctx, a, out);
}

static bool is_zero(in_enc *e, Z3_ast a) {
  int64_t v;
  return in_small(e, a, &v) && v == 0;
}

/* Of two numerals the numeral: whether a divisor is one is asked of its term. */
static Z3_ast folded(in_enc *e, Z3_ast a, Z3_ast b, Z3_ast r) {
  return r && in_is_number(e, a) && in_is_number(e, b) ? z3_keep(e->z, Z3_simplify(e->z->ctx, r))
                                                       : r;
}

Z3_ast in_add(in_enc *e, Z3_ast a, Z3_ast b) {
  if (is_zero(e, b)) return a;
  return folded(e, a, b, z3_n2(e->z, Z3_mk_add, a, b));
}

Z3_ast in_sub(in_enc *e, Z3_ast a, Z3_ast b) {
  if (is_zero(e, b)) return a;
  return folded(e, a, b, z3_n2(e->z, Z3_mk_sub, a, b));
}

/* Powers of two among the numbers: what laws about low bits are stated for. */
static void note_power(in_enc *e, int64_t v) {
  if (v > 1 && (v & (v - 1)) == 0) e->powers |= UINT64_C(1) << __builtin_ctzll((uint64_t)v);
}

Z3_ast in_mul(in_enc *e, Z3_ast a, Z3_ast b) {
  int64_t v;
  for (int turn = 0; turn < 2; turn++) {
    if (in_is_number(e, a)) {
      if (in_small(e, a, &v)) {
        note_power(e, v);
        if (v == 1) return b;
        if (v == -1) return in_neg(e, b);
      }
      return z3_n2(e->z, Z3_mk_mul, a, b);
    }
    Z3_ast t = a;
    a = b;
    b = t;
  }
  if (e->nproduct < IN_MAX)
    e->product[e->nproduct++] = (in_product){a, b};
  else
    e->overflow = true;
  return z3_n2(e->z, Z3_mk_mul, a, b);
}

Z3_ast in_max(in_enc *e, Z3_ast a, Z3_ast b) { return z3_ite(e->z, in_lt(e, a, b), b, a); }
Z3_ast in_min(in_enc *e, Z3_ast a, Z3_ast b) { return z3_ite(e->z, in_lt(e, b, a), b, a); }
Z3_ast in_abs(in_enc *e, Z3_ast a) {
  return z3_ite(e->z, in_lt(e, a, in_int(e, 0)), in_neg(e, a), a);
}

Z3_ast in_truth(in_enc *e, Z3_ast a) {
  if (in_is_bool(e, a)) return a;
  return in_not(e, in_eq(e, a, in_int(e, 0)));
}

Z3_ast in_number(in_enc *e, Z3_ast a) {
  if (!in_is_bool(e, a)) return a;
  return z3_ite(e->z, a, in_int(e, 1), in_int(e, 0));
}

Z3_ast in_power(in_enc *e, unsigned k) {
  char text[1300];
  mpz_t v;
  if (k > 4096) {
    e->cannot = "a shift by a huge amount";
    return NULL;
  }
  mpz_init_set_ui(v, 1);
  mpz_mul_2exp(v, v, k);
  mpz_get_str(text, 10, v); /* 4096 bits are 1,234 digits */
  mpz_clear(v);
  if (k < 64) e->powers |= UINT64_C(1) << k;
  return z3_decimal(e->z, e->integer, text);
}
