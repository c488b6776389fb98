/* Instances at a point: exact expressions. */
#include "concrete_eval.h"

#include <math.h>

/* ---- the quotient as a double --------------------------------------------------------------------------- */

/* a/b rounded to the nearest double, ties to even, then up or down to an integer. b is not 0. */
static void float_division(bool up, mpz_t out, const mpz_t a, const mpz_t b) {
  mpz_t x, y, r;
  int sign = mpz_sgn(a) * mpz_sgn(b);
  mpz_set_ui(out, 0);
  if (sign == 0) return;
  mpz_inits(x, y, r, (mpz_ptr)0);
  mpz_abs(x, a);
  mpz_abs(y, b);
  long shift = (long)mpz_sizeinbase(x, 2) - (long)mpz_sizeinbase(y, 2) - 60;
  if (shift < 0)
    mpz_mul_2exp(x, x, (mp_bitcnt_t)-shift);
  else
    mpz_mul_2exp(y, y, (mp_bitcnt_t)shift);
  mpz_tdiv_qr(x, r, x, y); /* 59 bits or more, the rest as a sticky bit */
  if (mpz_sgn(r) != 0) mpz_setbit(x, 0);
  mp_bitcnt_t drop = mpz_sizeinbase(x, 2) - 53;
  mpz_fdiv_r_2exp(r, x, drop);
  mpz_sub(x, x, r);
  mpz_set_ui(y, 1);
  mpz_mul_2exp(y, y, drop - 1); /* half a unit */
  int cmp = mpz_cmp(r, y);
  if (cmp > 0 || (cmp == 0 && mpz_tstbit(x, drop))) mpz_addmul_ui(x, y, 2);
  if (sign < 0) mpz_neg(x, x);
  if (shift >= 0)
    mpz_mul_2exp(out, x, (mp_bitcnt_t)shift);
  else if (up)
    mpz_cdiv_q_2exp(out, x, (mp_bitcnt_t)-shift);
  else
    mpz_fdiv_q_2exp(out, x, (mp_bitcnt_t)-shift);
  mpz_clears(x, y, r, (mpz_ptr)0);
}

/* ---- numbers ---------------------------------------------------------------------------------------------- */

static bool division(cc_state *s, ex_op op, mpz_t out, const mpz_t a, const mpz_t b) {
  bool is_division = op == EX_TDIV || op == EX_TMOD || (op >= EX_FLOORDIV && op <= EX_CEILDIV) ||
                     op == EX_FLOAT_CEILDIV || op == EX_FLOAT_FLOORDIV;
  if (!is_division) return false;
  if (mpz_sgn(b) == 0) {
    s->no_premise = true;
    return true;
  }
  switch (op) {
  case EX_TDIV: mpz_tdiv_q(out, a, b); break;
  case EX_TMOD: mpz_tdiv_r(out, a, b); break;
  case EX_FLOORDIV: mpz_fdiv_q(out, a, b); break;
  case EX_FLOORMOD: mpz_fdiv_r(out, a, b); break;
  case EX_CEILDIV: mpz_cdiv_q(out, a, b); break;
  default: float_division(op == EX_FLOAT_CEILDIV, out, a, b); break;
  }
  return true;
}

static void shift(cc_state *s, ex_op op, mpz_t out, const mpz_t a, const mpz_t b) {
  if (mpz_sgn(b) < 0) {
    s->no_premise = true;
  } else if (mpz_cmp_ui(b, CC_MAX_BITS) > 0) {
    s->too_large = true;
  } else if (op == EX_SHL) {
    mpz_mul_2exp(out, a, mpz_get_ui(b));
  } else {
    mpz_fdiv_q_2exp(out, a, mpz_get_ui(b));
  }
}

/* k: the sign of a - b. */
static bool compare_signs(ex_op op, int k) {
  switch (op) {
  case EX_LT: return k < 0;
  case EX_LE: return k <= 0;
  case EX_GT: return k > 0;
  case EX_GE: return k >= 0;
  case EX_EQ: return k == 0;
  default: return k != 0;
  }
}

static bool compare(ex_op op, const mpz_t a, const mpz_t b) {
  return compare_signs(op, mpz_cmp(a, b));
}

static void arithmetic(cc_state *s, ex_op op, mpz_t out, const mpz_t a, const mpz_t b) {
  if (division(s, op, out, a, b)) return;
  switch (op) {
  case EX_ADD: mpz_add(out, a, b); return;
  case EX_SUB: mpz_sub(out, a, b); return;
  case EX_MUL: mpz_mul(out, a, b); return;
  case EX_BITAND: mpz_and(out, a, b); return;
  case EX_BITOR: mpz_ior(out, a, b); return;
  case EX_BITXOR: mpz_xor(out, a, b); return;
  case EX_SHL:
  case EX_SHR: shift(s, op, out, a, b); return;
  case EX_GCD: mpz_gcd(out, a, b); return;
  case EX_MIN: mpz_set(out, mpz_cmp(b, a) < 0 ? b : a); return;
  case EX_MAX: mpz_set(out, mpz_cmp(a, b) < 0 ? b : a); return;
  default: mpz_set_ui(out, compare(op, a, b)); return;
  }
}

/* ---- nodes ------------------------------------------------------------------------------------------------ */

static void scalar_bound(const cc_state *s, pf_id t, bool lower, mpz_t out) {
  fr_type y;
  if (fr_type_of(up_dt(s->i->term[t].type), &y)) or_i128_to_mpz(lower ? fr_min(y) : fr_max(y), out);
}

/* An integer vector counts as one integer of all its bits. */
static void dtype_bound(const cc_state *s, pf_id t, bool lower, mpz_t out) {
  fr_type y;
  scalar_bound(s, t, lower, out);
  if (!s->i->lanes || !fr_type_of(up_dt(s->i->term[t].type), &y) || y.is_bool) return;
  if (lower && !y.is_signed) return;
  mpz_set_ui(out, 1);
  mpz_mul_2exp(out, out, cc_lanes(s->i) * y.bits - y.is_signed);
  if (lower)
    mpz_neg(out, out);
  else
    mpz_sub_ui(out, out, 1);
}

/* Is it a VCONST? */
static bool is_list(const cc_state *s, pf_id t) {
  const pf_term *p = &s->i->term[t];
  return p->list && (p->op == UP_VCONST || mpz_cmp(s->lo[t], s->hi[t]) != 0);
}

static void value(cc_state *s, pf_id t, mpz_t out) {
  if (!s->by_lane && is_list(s, t)) s->no_premise = true;
  mpz_set(out, s->value[t]);
}

/* -1, 0 or 1. Where that depends on the order of the values in the lists, truth decides. */
static int order_of_lists(const cc_state *s, pf_id a, pf_id b) {
  bool less = mpz_cmp(s->lo[a], s->hi[b]) < 0, greater = mpz_cmp(s->lo[b], s->hi[a]) < 0;
  bool equal = mpz_cmp(s->lo[a], s->lo[b]) == 0 && mpz_cmp(s->hi[a], s->hi[b]) == 0 &&
               mpz_cmp(s->value[a], s->value[b]) == 0;
  if (s->truth) return equal ? 0 : less ? -1 : 1;
  return greater ? 1 : less ? -1 : 0;
}

/* The first difference decides. A list and a number are unequal and have no order. */
static bool compare_lists(cc_state *s, ex_op op, pf_id a, pf_id b) {
  bool both = is_list(s, a) && is_list(s, b);
  if (!is_list(s, a) && !is_list(s, b)) return compare(op, s->value[a], s->value[b]);
  if (!both && op != EX_EQ && op != EX_NE) s->no_premise = true;
  int order = !both ? 1 : a < b ? order_of_lists(s, a, b) : -order_of_lists(s, b, a);
  return compare_signs(op, order);
}

/* Least or greatest bound of the sources; a VECTORIZE of any number of them stands for one of them. */
static void source_bound(cc_state *s, pf_id a, bool lower, mpz_t out) {
  const pf_term *d = &s->i->term[a];
  bool own = d->kind != PF_OP || d->nkid == 0;
  mpz_set(out, lower ? s->lo[own ? a : d->kid[0]] : s->hi[own ? a : d->kid[0]]);
  for (uint32_t k = 1; !own && k < d->nkid; k++) {
    mpz_srcptr one = lower ? s->lo[d->kid[k]] : s->hi[d->kid[k]];
    if (lower ? mpz_cmp(one, out) < 0 : mpz_cmp(one, out) > 0) mpz_set(out, one);
  }
}

static void of_node(cc_state *s, const expr *x, mpz_t out) {
  pf_id a = s->i->slot[x->a];
  switch ((ex_op)x->op) {
  case EX_LANE_MIN:
  case EX_VMIN:
  case EX_VAR_MIN: mpz_set(out, s->lo[a]); return;
  case EX_LANE_MAX:
  case EX_VMAX:
  case EX_VAR_MAX: mpz_set(out, s->hi[a]); return;
  case EX_SRC_VMIN:
  case EX_SRC_VMAX: source_bound(s, a, x->op == EX_SRC_VMIN, out); return;
  case EX_SCALAR_MIN: scalar_bound(s, a, true, out); return;
  case EX_SCALAR_MAX: scalar_bound(s, a, false, out); return;
  case EX_DTYPE_MIN: dtype_bound(s, a, true, out); return;
  case EX_DTYPE_MAX: dtype_bound(s, a, false, out); return;
  case EX_SPECIAL_SIZE:
    mpz_add_ui(out, s->hi[a], 1);
    if (mpz_sgn(s->value[a]) < 0) s->no_premise = true;
    return;
  case EX_COUNT: mpz_set_ui(out, cc_lanes(s->i)); return;
  case EX_CONST_FACTOR: mpz_set_ui(out, 1); return;
  case EX_NSRC: mpz_set_ui(out, s->i->term[a].kind == PF_OP ? s->i->term[a].nkid : 1); return;
  case EX_SAME:
    mpz_set_ui(out, s->truth && mpz_cmp(s->value[a], s->value[s->i->slot[x->b]]) == 0 &&
                        s->defined[a] == s->defined[s->i->slot[x->b]]);
    return;
  case EX_INCREASING:
  case EX_BEFORE:
  case EX_SAME_OP: mpz_set_ui(out, s->truth); return;
  case EX_HAS_OP: mpz_set_ui(out, s->truth && s->defined[a]); return;
  default: value(s, a, out); return;
  }
}

static void logic(cc_state *s, const expr *x, mpz_t out) {
  cc_expr(s, x->kid[0], out);
  if (s->no_premise || s->too_large) return;
  if ((mpz_sgn(out) != 0) == (x->op == EX_AND)) cc_expr(s, x->kid[1], out);
}

/* As deep as the rule's text. */
void cc_expr(cc_state *s, expr_id id, mpz_t out) {
  const expr *x = expr_at(&s->i->book->exprs, id);
  int decided = x->op >= EX_AND ? pf_decide(s->i, id) : -1;
  mpz_t a, b;
  if (s->no_premise || s->too_large) return;
  if (x->op == EX_INT) {
    mpz_set_si(out, x->ival);
  } else if (decided >= 0 && x->op != EX_COUNT && x->op != EX_NSRC) {
    mpz_set_ui(out, decided != 0);
  } else if (x->op >= EX_LIST_LT && x->op <= EX_LIST_NE) {
    ex_op op = (ex_op)(x->op - EX_LIST_LT + EX_LT);
    mpz_set_ui(out, compare_lists(s, op, s->i->slot[x->a], s->i->slot[x->b]));
  } else if (x->op >= EX_VMIN || x->op == EX_VALUE) {
    of_node(s, x, out);
  } else if (x->op == EX_AND || x->op == EX_OR) {
    logic(s, x, out);
  } else {
    mpz_inits(a, b, (mpz_ptr)0);
    cc_expr(s, x->kid[0], a);
    if (expr_kids(x) == 2) cc_expr(s, x->kid[1], b);
    if (s->no_premise || s->too_large) {
    } else if (x->op == EX_NOT) {
      mpz_set_ui(out, mpz_sgn(a) == 0);
    } else if (x->op == EX_NEG) {
      mpz_neg(out, a);
    } else if (x->op == EX_ABS) {
      mpz_abs(out, a);
    } else {
      arithmetic(s, (ex_op)x->op, out, a, b);
    }
    mpz_clears(a, b, (mpz_ptr)0);
  }
}
