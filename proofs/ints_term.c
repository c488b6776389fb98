/* Terms over unbounded integers: oracle/frame.h, column ideal. */
#include "ints.h"

#include "oracle/frame.h"

static Z3_ast zero(in_enc *e) { return in_int(e, 0); }

static enum up_scalar type_of(const in_enc *e, pf_id t) { return e->i->term[t].type; }

/* ---- leaves ---------------------------------------------------------------------------------------- */

static in_value any(in_enc *e, pf_id t) {
  bool is_bool = type_of(e, t) == UP_BOOL;
  up_op op = e->i->term[t].op;
  in_value v = {.value = in_fresh(e, is_bool ? e->boolean : e->integer)};
  if (op != UP_DEFINE_VAR && op != UP_SPECIAL) v.defined = in_fresh(e, e->boolean);
  return v;
}

static in_value constant(in_enc *e, pf_id t) {
  const pf_term *p = &e->i->term[t];
  bool is_bool = p->type == UP_BOOL;
  Z3_ast v;
  if (p->literal) {
    v = in_int(e, p->number);
  } else if (p->exact != EXPR_NIL) {
    e->by_lane = true;
    v = in_expr(e, p->exact, NULL);
    e->by_lane = false;
  } else {
    v = in_fresh(e, is_bool ? e->boolean : e->integer);
  }
  return (in_value){.value = is_bool ? in_truth(e, v) : in_number(e, v)};
}

/* ---- casts ------------------------------------------------------------------------------------------- */

/* (a - min) mod 2^bits + min, the term that rule texts have for it; and a where that is in range. */
static Z3_ast reduce(in_enc *e, enum up_scalar type, Z3_ast a) {
  fr_type y;
  if (!fr_type_of(up_dt(type), &y)) return NULL;
  Z3_ast min = z3_number(e->z, e->integer, 0, fr_min(y));
  Z3_ast max = z3_number(e->z, e->integer, 0, fr_max(y));
  Z3_ast low = in_divide(e, in_sub(e, a, min), in_power(e, y.bits), true).r;
  Z3_ast result = in_add(e, low, min), fits = in_and(e, in_le(e, min, a), in_le(e, a, max));
  z3_assert(e->z, in_implies(e, fits, in_eq(e, result, a)));
  return result;
}

/* ---- ops --------------------------------------------------------------------------------------------- */

static bool is_logic(up_op op) { return !up_op_divides(op) && op != UP_SHL && op != UP_SHR; }

static Z3_ast bool_op(in_enc *e, up_op op, const Z3_ast v[3]) {
  switch (op) {
  case UP_ADD:
  case UP_OR:
  case UP_MAX: return in_or(e, v[0], v[1]);
  case UP_MUL:
  case UP_AND: return in_and(e, v[0], v[1]);
  case UP_SUB:
  case UP_XOR: return z3_2(e->z, Z3_mk_xor, v[0], v[1]);
  case UP_MULACC: return in_or(e, in_and(e, v[0], v[1]), v[2]);
  case UP_NEG:
  case UP_TRUNC:
  case UP_BIND:
  case UP_VECTORIZE: return v[0];
  default: return NULL;
  }
}

static Z3_ast int_op(in_enc *e, up_op op, const Z3_ast v[3]) {
  switch (op) {
  case UP_ADD: return in_add(e, v[0], v[1]);
  case UP_SUB: return in_sub(e, v[0], v[1]);
  case UP_MUL: return in_mul(e, v[0], v[1]);
  case UP_MULACC: return in_add(e, in_mul(e, v[0], v[1]), v[2]);
  case UP_NEG: return in_neg(e, v[0]);
  case UP_MAX: return in_max(e, v[0], v[1]);
  case UP_IDIV: return in_divide(e, v[0], v[1], false).q;
  case UP_MOD: return in_divide(e, v[0], v[1], false).r;
  case UP_FLOORDIV: return in_divide(e, v[0], v[1], true).q;
  case UP_FLOORMOD: return in_divide(e, v[0], v[1], true).r;
  case UP_SHL:
  case UP_SHR: return in_shift(e, op, v[0], v[1]);
  case UP_AND:
  case UP_OR:
  case UP_XOR: return in_bitop_of(e, op, v[0], v[1]);
  case UP_TRUNC:
  case UP_BIND:
  case UP_VECTORIZE: return v[0];
  default: e->cannot = "an op that has no integer meaning"; return NULL;
  }
}

static Z3_ast compare(in_enc *e, const pf_term *p, const in_value k[3]) {
  Z3_ast a = k[0].value, b = k[1].value;
  if (p->op == UP_CMPLT || in_is_bool(e, a) != in_is_bool(e, b)) {
    a = in_number(e, a);
    b = in_number(e, b);
  }
  if (p->op == UP_CMPLT) return in_lt(e, a, b);
  Z3_ast eq = in_eq(e, a, b);
  return p->op == UP_CMPEQ ? eq : in_not(e, eq);
}

/* Operands as the result has them: all Bool, or all Int. */
static Z3_ast as_type(in_enc *e, enum up_scalar type, Z3_ast v) {
  return type == UP_BOOL ? in_truth(e, v) : in_number(e, v);
}

static Z3_ast value_of(in_enc *e, const pf_term *p, const in_value k[3]) {
  Z3_ast v[3] = {NULL, NULL, NULL};
  if (up_op_in(p->op, UP_G_COMPARE)) return compare(e, p, k);
  if (p->op == UP_CAST || p->op == UP_BITCAST)
    return p->type == UP_BOOL ? in_truth(e, k[0].value)
                              : reduce(e, p->type, in_number(e, k[0].value));
  if (p->op == UP_WHERE)
    return z3_ite(e->z, in_truth(e, k[0].value), as_type(e, p->type, k[1].value),
                  as_type(e, p->type, k[2].value));
  for (uint32_t n = 0; n < p->nkid; n++) v[n] = as_type(e, p->type, k[n].value);
  if (p->type != UP_BOOL) return int_op(e, p->op, v);
  if (is_logic(p->op)) return bool_op(e, p->op, v);
  /* a rule may build a division or shift of bools: the truth of the exact result */
  for (uint32_t n = 0; n < p->nkid; n++) v[n] = in_number(e, v[n]);
  return in_truth(e, int_op(e, p->op, v));
}

static Z3_ast defined_of(in_enc *e, const pf_term *p, const in_value k[3]) {
  Z3_ast all = NULL, yes = z3_keep(e->z, Z3_mk_true(e->z->ctx));
  if (p->op == UP_WHERE) {
    if (!k[1].defined && !k[2].defined) return k[0].defined;
    return in_and(e, k[0].defined,
                  z3_ite(e->z, in_truth(e, k[0].value), k[1].defined ? k[1].defined : yes,
                         k[2].defined ? k[2].defined : yes));
  }
  for (uint32_t n = 0; n < p->nkid; n++) all = in_and(e, all, k[n].defined);
  int64_t v;
  if (up_op_divides(p->op)) {
    if (in_small(e, k[1].value, &v) && v != 0) return all;
    return in_and(e, all, in_not(e, in_eq(e, in_number(e, k[1].value), zero(e))));
  }
  if (p->op == UP_SHL || p->op == UP_SHR) {
    if (in_small(e, k[1].value, &v) && v >= 0) return all;
    return in_and(e, all, in_le(e, zero(e), in_number(e, k[1].value)));
  }
  return all;
}

/* What wrap says where ideal does not: x//0 is 0, x%0 is x, a shift by less than 0 is 0; and MIN // -1
 * may be MIN. Operands that lie in their dtype. */
static in_value wrapped(in_enc *e, const pf_term *p, const in_value k[3], Z3_ast value) {
  fr_type y;
  Z3_ast a = in_number(e, k[0].value), b = in_number(e, k[1].value), at, instead = zero(e);
  bool shift = p->op == UP_SHL || p->op == UP_SHR;
  if (p->type == UP_BOOL || !fr_type_of(up_dt(p->type), &y)) {
    e->cannot = "a division or shift of bools";
    return (in_value){.value = value};
  }
  at = shift ? in_lt(e, b, zero(e)) : in_eq(e, b, zero(e));
  if (p->op == UP_MOD || p->op == UP_FLOORMOD) instead = a;
  e->corner = e->corner ? in_or(e, e->corner, at) : at;
  value = z3_ite(e->z, at, instead, value);
  bool quotient = p->op == UP_IDIV || p->op == UP_FLOORDIV;
  if (quotient && y.is_signed && e->min_wraps) {
    Z3_ast min = z3_number(e->z, e->integer, 0, fr_min(y));
    at = in_and(e, in_eq(e, a, min), in_eq(e, b, in_int(e, -1)));
    e->corner = in_or(e, e->corner, at);
    value = z3_ite(e->z, at, min, value);
  }
  return (in_value){value, in_and(e, k[0].defined, k[1].defined)};
}

static bool is_partial(up_op op) { return up_op_divides(op) || op == UP_SHL || op == UP_SHR; }

/* Only the assignments at which the end is defined and the value is below it count. */
static in_value range(in_enc *e, const in_value *end) {
  in_value v = {.value = in_fresh(e, e->integer)};
  if (end->defined) z3_assert(e->z, end->defined);
  z3_assert(e->z, in_and(e, in_le(e, zero(e), v.value), in_lt(e, v.value, end->value)));
  return v;
}

in_value in_term(in_enc *e, pf_id t) {
  const pf_term *p = &e->i->term[t];
  in_value k[3];
  if (e->term[t].value) return e->term[t];
  for (uint32_t n = 0; n < p->nkid; n++) k[n] = in_term(e, p->kid[n]); /* as deep as the text */
  if (p->kind == PF_ANY)
    e->term[t] = any(e, t);
  else if (p->kind == PF_CONST)
    e->term[t] = constant(e, t);
  else if (p->op == UP_RANGE)
    e->term[t] = range(e, &k[0]);
  else if (e->wraps && is_partial(p->op))
    e->term[t] = wrapped(e, p, k, value_of(e, p, k));
  else
    e->term[t] = (in_value){value_of(e, p, k), defined_of(e, p, k)};
  return e->term[t];
}

Z3_ast in_term_number(in_enc *e, pf_id t) { return in_number(e, in_term(e, t).value); }
