/* Conditions and computed constants over unbounded integers. */
#include "ints.h"

#include "oracle/frame.h"

static const pf_term *term_of(in_enc *e, int slot) { return &e->i->term[e->i->slot[slot]]; }

static void fact(in_enc *e, Z3_ast a) { z3_assert(e->z, a); }

/* ---- facts of the analysis ---------------------------------------------------------------------------- */

/* lo <= t <= hi wherever t is defined, and 0 <= lo of a bool: bounds_hold asks for that too. */
static void between(in_enc *e, pf_id t, Z3_ast lo, Z3_ast hi) {
  Z3_ast v = in_term_number(e, t), d = in_term(e, t).defined;
  if (e->i->term[t].type == UP_BOOL) fact(e, in_le(e, in_int(e, 0), lo));
  fact(e, in_implies(e, d, in_and(e, in_le(e, lo, v), in_le(e, v, hi))));
}

in_fact *in_bounds(in_enc *e, pf_id t) {
  in_fact *f = &e->fact[t];
  const pf_term *p = &e->i->term[t];
  if (f->lo) return f;
  if (p->kind == PF_CONST && !p->list) {
    f->lo = f->hi = in_term_number(e, t);
    return f;
  }
  f->lo = in_fresh(e, e->integer);
  f->hi = in_fresh(e, e->integer);
  between(e, t, f->lo, f->hi);
  if (p->list && p->type == UP_BOOL) fact(e, in_le(e, f->hi, in_int(e, 1)));
  return f;
}

/* It is a number: all lanes of the list have one value. NULL: it is no list. */
static Z3_ast is_uniform(in_enc *e, pf_id t) {
  if (!e->i->term[t].list) return NULL;
  if (e->i->term[t].op == UP_VCONST) return z3_keep(e->z, Z3_mk_false(e->z->ctx));
  in_fact *f = in_bounds(e, t);
  return in_eq(e, f->lo, f->hi);
}

/* The value of a constant. Of a list that is no number, but where lanes are computed one by one. */
static Z3_ast value(in_enc *e, pf_id t, Z3_ast path) {
  Z3_ast uniform = e->by_lane ? NULL : is_uniform(e, t);
  if (uniform) fact(e, in_implies(e, path, uniform));
  return in_term_number(e, t);
}

/* The first lane in which two lists differ decides. Any values that have a lesser one in a, a greater one
 * in b, can be put in an order in which that lane comes first; lists that neither is less are equal, or
 * one of them is a number and no list after all (odd). */
static in_lists *lists_of(in_enc *e, pf_id a, pf_id b) {
  for (unsigned k = 0; k < e->nlists; k++)
    if (e->lists[k].a == a && e->lists[k].b == b) return &e->lists[k];
  if (e->nlists == IN_MAX_LISTS) {
    e->overflow = true;
    e->nlists = 0;
  }
  in_lists *l = &e->lists[e->nlists++];
  in_fact *f = in_bounds(e, a), *g = in_bounds(e, b);
  *l = (in_lists){a, b, in_fresh(e, e->boolean), in_fresh(e, e->boolean), in_fresh(e, e->boolean)};
  Z3_ast ends = in_and(e, in_eq(e, f->lo, g->lo), in_eq(e, f->hi, g->hi));
  Z3_ast equal = in_and(e, ends, in_eq(e, in_term_number(e, a), in_term_number(e, b)));
  fact(e, in_implies(e, l->less, in_lt(e, f->lo, g->hi)));
  fact(e, in_implies(e, l->greater, in_lt(e, g->lo, f->hi)));
  fact(e, in_not(e, in_and(e, l->less, l->greater)));
  fact(e, in_or(e, in_or(e, l->less, l->greater), in_or(e, l->odd, equal)));
  return l;
}

/* op: EX_LT .. EX_NE. A list and a number are unequal and have no order. */
static Z3_ast compare_lists(in_enc *e, ex_op op, pf_id a, pf_id b, Z3_ast path) {
  if (a > b) {
    static const ex_op mirrored[] = {EX_GT, EX_GE, EX_LT, EX_LE, EX_EQ, EX_NE};
    return compare_lists(e, mirrored[op - EX_LT], b, a, path);
  }
  bool both = e->i->term[a].list && e->i->term[b].list;
  if (!both && op != EX_EQ && op != EX_NE) {
    value(e, a, path);
    value(e, b, path);
  }
  in_lists *l = lists_of(e, a, b);
  Z3_ast unequal = in_or(e, in_or(e, l->less, l->greater), l->odd);
  switch (op) {
  case EX_LT: return l->less;
  case EX_GT: return l->greater;
  case EX_LE: return in_not(e, l->greater);
  case EX_GE: return in_not(e, l->less);
  case EX_EQ: return in_not(e, unequal);
  default: return unequal;
  }
}

/* Least or greatest bound of the sources. A VECTORIZE of any number of them is one of them, whose value
 * lies between; of any other node without named sources nothing is known. */
static Z3_ast source_bound(in_enc *e, pf_id t, bool lower) {
  const pf_term *d = &e->i->term[t];
  Z3_ast all = NULL;
  for (uint32_t k = 0; d->kind == PF_OP && k < d->nkid; k++) {
    Z3_ast one = lower ? in_bounds(e, d->kid[k])->lo : in_bounds(e, d->kid[k])->hi;
    all = !all ? one : lower ? in_min(e, all, one) : in_max(e, all, one);
  }
  if (all) return all;
  if (d->op != UP_VECTORIZE) return in_fresh(e, e->integer);
  in_fact *f = &e->fact[t];
  if (!f->src_lo) {
    f->src_lo = in_fresh(e, e->integer);
    f->src_hi = in_fresh(e, e->integer);
    between(e, t, f->src_lo, f->src_hi);
  }
  return lower ? f->src_lo : f->src_hi;
}

static Z3_ast variable_range(in_enc *e, pf_id t, ex_op op) {
  in_fact *f = &e->fact[t];
  if (!f->var_lo) {
    bool special = op == EX_SPECIAL_SIZE;
    f->var_lo = special ? in_int(e, 0) : in_fresh(e, e->integer);
    f->var_hi = in_fresh(e, e->integer);
    between(e, t, f->var_lo, special ? in_sub(e, f->var_hi, in_int(e, 1)) : f->var_hi);
  }
  return op == EX_VAR_MIN ? f->var_lo : f->var_hi;
}

static Z3_ast const_factor(in_enc *e, pf_id t) {
  in_fact *f = &e->fact[t];
  if (f->factor) return f->factor;
  f->factor = in_fresh(e, e->integer);
  Z3_ast product = in_mul(e, f->factor, in_fresh(e, e->integer));
  fact(e, in_implies(e, in_term(e, t).defined, in_eq(e, in_term_number(e, t), product)));
  return f->factor;
}

static Z3_ast scalar_bound(in_enc *e, pf_id t, bool lower) {
  fr_type y;
  if (!fr_type_of(up_dt(e->i->term[t].type), &y)) return NULL;
  return z3_number(e->z, e->integer, 0, lower ? fr_min(y) : fr_max(y));
}

/* Of an integer vector the range of one integer of all its bits: two lanes of them or more. */
static Z3_ast dtype_bound(in_enc *e, pf_id t, bool lower) {
  fr_type y;
  if (!fr_type_of(up_dt(e->i->term[t].type), &y)) return NULL;
  if (!e->i->lanes || y.is_bool || (lower && !y.is_signed)) return scalar_bound(e, t, lower);
  Z3_ast *end = lower ? &e->fact[t].dt_lo : &e->fact[t].dt_hi;
  if (*end) return *end;
  *end = in_fresh(e, e->integer);
  Z3_ast two = in_power(e, 2 * y.bits - y.is_signed);
  fact(e, lower ? in_le(e, *end, in_neg(e, two)) : in_lt(e, in_sub(e, two, in_int(e, 2)), *end));
  return *end;
}

static Z3_ast count(in_enc *e, pf_id t) {
  if (!e->i->lanes) return in_int(e, 1);
  if (e->fact[t].count) return e->fact[t].count;
  Z3_ast n = e->fact[t].count = in_fresh(e, e->integer);
  fact(e, in_le(e, in_int(e, 2), n));
  return n;
}

/* ---- functions of nodes ------------------------------------------------------------------------------- */

/* One node under two names: then both have one value, defined or not, and one pair of bounds. */
static Z3_ast same_node(in_enc *e, pf_id a, pf_id b) {
  Z3_ast t = in_fresh(e, e->boolean);
  in_value x = in_term(e, a), y = in_term(e, b);
  Z3_ast yes = z3_keep(e->z, Z3_mk_true(e->z->ctx));
  Z3_ast same = in_and(e, in_eq(e, in_term_number(e, a), in_term_number(e, b)),
                       in_eq(e, x.defined ? x.defined : yes, y.defined ? y.defined : yes));
  in_fact *f = in_bounds(e, a), *g = in_bounds(e, b);
  same = in_and(e, same, in_and(e, in_eq(e, f->lo, g->lo), in_eq(e, f->hi, g->hi)));
  fact(e, in_implies(e, t, same));
  return t;
}

/* A node that is a constant is defined; its bounds are its value, unless it is a list. */
static Z3_ast has_op(in_enc *e, const expr *x, pf_id a) {
  Z3_ast t = in_fresh(e, e->boolean);
  opset k = {{0, 0}};
  opset_add(&k, UP_CONST);
  opset_add(&k, UP_VCONST);
  if (!opset_subset(&x->ops, &k)) return t;
  in_fact *f = in_bounds(e, a);
  Z3_ast v = in_term_number(e, a), exact = NULL;
  if (!e->i->lanes || !opset_has(&x->ops, UP_VCONST))
    exact = in_and(e, in_eq(e, f->lo, v), in_eq(e, f->hi, v));
  Z3_ast known = in_and(e, in_term(e, a).defined, exact);
  if (known) fact(e, in_implies(e, t, known));
  return t;
}

static Z3_ast of_node(in_enc *e, const expr *x, Z3_ast path) {
  pf_id a = e->i->slot[x->a];
  switch ((ex_op)x->op) {
  case EX_VALUE: return value(e, a, path);
  case EX_LANE_MIN:
  case EX_VMIN: return in_bounds(e, a)->lo;
  case EX_LANE_MAX:
  case EX_VMAX: return in_bounds(e, a)->hi;
  case EX_SRC_VMIN: return source_bound(e, a, true);
  case EX_SRC_VMAX: return source_bound(e, a, false);
  case EX_VAR_MIN:
  case EX_VAR_MAX:
  case EX_SPECIAL_SIZE: return variable_range(e, a, (ex_op)x->op);
  case EX_SCALAR_MIN: return scalar_bound(e, a, true);
  case EX_SCALAR_MAX: return scalar_bound(e, a, false);
  case EX_DTYPE_MIN: return dtype_bound(e, a, true);
  case EX_DTYPE_MAX: return dtype_bound(e, a, false);
  case EX_COUNT: return count(e, a);
  case EX_CONST_FACTOR: return const_factor(e, a);
  case EX_SAME: return same_node(e, a, e->i->slot[x->b]);
  case EX_HAS_OP: return has_op(e, x, a);
  case EX_NSRC:
    return term_of(e, x->a)->kind == PF_OP ? in_int(e, term_of(e, x->a)->nkid)
                                           : in_fresh(e, e->integer);
  default: return in_fresh(e, e->boolean); /* increasing, before, op(x) == op(y) */
  }
}

/* ---- functions of numbers ------------------------------------------------------------------------------- */

/* Raises nothing: asserted for where it is evaluated. */
static void not_zero(in_enc *e, Z3_ast b, Z3_ast path) {
  fact(e, in_implies(e, path, in_not(e, in_eq(e, b, in_int(e, 0)))));
}

/* g divides both, g >= 0, g = 0 only of two zeros. */
static Z3_ast gcd(in_enc *e, Z3_ast a, Z3_ast b) {
  Z3_ast g = in_fresh(e, e->integer), z = in_int(e, 0);
  e->abstract = true;
  fact(e, in_eq(e, a, in_mul(e, g, in_fresh(e, e->integer))));
  fact(e, in_eq(e, b, in_mul(e, g, in_fresh(e, e->integer))));
  fact(e, in_le(e, z, g));
  fact(e, in_eq(e, in_eq(e, g, z), in_and(e, in_eq(e, a, z), in_eq(e, b, z))));
  return g;
}

/* The quotient goes through a double: exact while both operands are below 2^53, else anything. */
static Z3_ast float_division(in_enc *e, bool up, Z3_ast a, Z3_ast b) {
  Z3_ast exact = up ? in_neg(e, in_divide(e, in_neg(e, a), b, true).q) : in_divide(e, a, b, true).q;
  Z3_ast f = in_fresh(e, e->integer), limit = in_power(e, 53);
  Z3_ast small = in_and(e, in_le(e, in_abs(e, a), limit), in_le(e, in_abs(e, b), limit));
  e->abstract = true;
  fact(e, in_implies(e, small, in_eq(e, f, exact)));
  return f;
}

static Z3_ast division(in_enc *e, ex_op op, Z3_ast a, Z3_ast b, Z3_ast path) {
  not_zero(e, b, path);
  switch (op) {
  case EX_TDIV: return in_divide(e, a, b, false).q;
  case EX_TMOD: return in_divide(e, a, b, false).r;
  case EX_FLOORDIV: return in_divide(e, a, b, true).q;
  case EX_FLOORMOD: return in_divide(e, a, b, true).r;
  case EX_CEILDIV: return in_neg(e, in_divide(e, in_neg(e, a), b, true).q);
  default: return float_division(e, op == EX_FLOAT_CEILDIV, a, b);
  }
}

static Z3_ast arithmetic(in_enc *e, ex_op op, Z3_ast a, Z3_ast b, Z3_ast path) {
  switch (op) {
  case EX_ADD: return in_add(e, a, b);
  case EX_SUB: return in_sub(e, a, b);
  case EX_MUL: return in_mul(e, a, b);
  case EX_BITAND: return in_bitop_of(e, UP_AND, a, b);
  case EX_BITOR: return in_bitop_of(e, UP_OR, a, b);
  case EX_BITXOR: return in_bitop_of(e, UP_XOR, a, b);
  case EX_SHL:
  case EX_SHR:
    fact(e, in_implies(e, path, in_le(e, in_int(e, 0), b)));
    return in_shift(e, op == EX_SHL ? UP_SHL : UP_SHR, a, b);
  case EX_LT: return in_lt(e, a, b);
  case EX_LE: return in_le(e, a, b);
  case EX_GT: return in_lt(e, b, a);
  case EX_GE: return in_le(e, b, a);
  case EX_EQ: return in_eq(e, a, b);
  case EX_NE: return in_not(e, in_eq(e, a, b));
  case EX_GCD: return gcd(e, a, b);
  case EX_MIN: return in_min(e, a, b);
  case EX_MAX: return in_max(e, a, b);
  default: return division(e, op, a, b, path);
  }
}

/* `and` and `or` give one of their operands. */
static Z3_ast logic(in_enc *e, const expr *x, Z3_ast path) {
  Z3_ast l = in_expr(e, x->kid[0], path), t = in_truth(e, l);
  bool is_and = x->op == EX_AND;
  Z3_ast r = in_expr(e, x->kid[1], in_and(e, path, is_and ? t : in_not(e, t)));
  if (in_is_bool(e, l) && in_is_bool(e, r)) return is_and ? in_and(e, l, r) : in_or(e, l, r);
  l = in_number(e, l);
  r = in_number(e, r);
  return is_and ? z3_ite(e->z, t, r, l) : z3_ite(e->z, t, l, r);
}

/* As deep as the rule's text. */
Z3_ast in_expr(in_enc *e, expr_id id, Z3_ast path) {
  const expr *x = expr_at(&e->i->book->exprs, id);
  int decided = x->op >= EX_AND ? pf_decide(e->i, id) : -1;
  if (x->op == EX_INT) return in_int(e, x->ival);
  if (decided >= 0 && x->op != EX_COUNT && x->op != EX_NSRC)
    return z3_keep(e->z, decided ? Z3_mk_true(e->z->ctx) : Z3_mk_false(e->z->ctx));
  if (x->op >= EX_LIST_LT && x->op <= EX_LIST_NE) {
    pf_id a = e->i->slot[x->a], b = e->i->slot[x->b];
    ex_op op = (ex_op)(x->op - EX_LIST_LT + EX_LT);
    if (e->i->term[a].list || e->i->term[b].list) return compare_lists(e, op, a, b, path);
    return arithmetic(e, op, in_term_number(e, a), in_term_number(e, b), path);
  }
  if (x->op >= EX_VMIN || x->op == EX_VALUE) return of_node(e, x, path);
  if (x->op == EX_AND || x->op == EX_OR) return logic(e, x, path);
  if (x->op == EX_FLOAT) {
    e->cannot = "a float constant";
    return NULL;
  }
  Z3_ast a = in_expr(e, x->kid[0], path);
  if (x->op == EX_NOT) return in_not(e, in_truth(e, a));
  a = in_number(e, a);
  if (x->op == EX_NEG) return in_neg(e, a);
  if (x->op == EX_ABS) return in_abs(e, a);
  return arithmetic(e, (ex_op)x->op, a, in_number(e, in_expr(e, x->kid[1], path)), path);
}
