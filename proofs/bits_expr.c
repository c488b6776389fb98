/* Conditions and computed constants of rules as bit-vectors. */
#include "bits.h"

#include <assert.h>

static bv_exact number(bv_num n, Z3_ast ok) { return (bv_exact){.n = n, .ok = ok}; }
static bv_exact truth(Z3_ast t, Z3_ast ok) { return (bv_exact){.truth = t, .ok = ok}; }
static bv_exact known(bv_enc *e, bool t) {
  return truth(z3_keep(e->z, t ? Z3_mk_true(e->z->ctx) : Z3_mk_false(e->z->ctx)), NULL);
}

static bv_exact cannot(bv_enc *e, const char *why) {
  if (!e->cannot) e->cannot = why;
  return (bv_exact){.n = {NULL, 1}};
}

Z3_ast bv_truth(bv_enc *e, bv_exact x) {
  if (x.truth || !x.n.ast) return x.truth;
  return bv_not(e, bv_equal(e, x.n, bv_int(e, 0)));
}

bv_num bv_number(bv_enc *e, bv_exact x) { return x.truth ? bv_of_bool(e, x.truth) : x.n; }

/* ---- facts ------------------------------------------------------------------------------------- */

static Z3_ast is_between(bv_enc *e, bv_num lo, bv_num v, bv_num hi) {
  return bv_not(e, bv_or(e, bv_less(e, v, lo), bv_less(e, hi, v)));
}

/* Least and greatest value of a list: each is that of some lane, and lies in the dtype as this one does. */
static bv_fact list_fact(bv_enc *e, pf_id t, bv_about about) {
  fr_type y = bv_type(e, t);
  bv_fact f = {t, about, bv_of_bits(e, y, bv_fresh(e, y.is_bool ? 0 : y.bits)),
               bv_of_bits(e, y, bv_fresh(e, y.is_bool ? 0 : y.bits))};
  e->premise = bv_and(e, e->premise, is_between(e, f.lo, bv_term_number(e, t), f.hi));
  return f;
}

/* Of a CONST the engine knows its exact arg; of other nodes, what the analysis says. */
static bv_fact make_fact(bv_enc *e, pf_id t, bv_about about) {
  const pf_term *d = &e->i->term[t];
  if (d->list) return list_fact(e, t, about);
  if (d->kind == PF_CONST) {
    bv_num k = d->literal ? bv_int(e, d->number) : bv_term_number(e, t);
    return (bv_fact){t, about, k, k};
  }
  unsigned width = bv_type(e, t).bits + 1 + e->fact_bits;
  bv_fact f = {t, about, {bv_fresh(e, width), width}, {bv_fresh(e, width), width}};
  bv_num v = bv_term_number(e, t);
  Z3_ast outside = bv_or(e, bv_less(e, v, f.lo), bv_less(e, f.hi, v)), defined = e->term[t].defined;
  e->premise = bv_and(e, e->premise, bv_not(e, bv_and(e, defined, outside)));
  /* of a bool, 0 <= lo: bounds rules have to show that too */
  if (d->type == UP_BOOL)
    e->premise = bv_and(e, e->premise, bv_not(e, bv_less(e, f.lo, bv_int(e, 0))));
  return f;
}

bv_fact bv_facts_of(bv_enc *e, pf_id t, bv_about about) {
  for (unsigned k = 0; k < e->nfact; k++)
    if (e->fact[k].term == t && e->fact[k].about == about) return e->fact[k];
  bv_fact f = make_fact(e, t, about);
  if (e->nfact == BV_MAX_FACTS) {
    cannot(e, "facts about too many nodes");
    return f;
  }
  return e->fact[e->nfact++] = f;
}

/* x is f times a whole number. */
static bv_exact const_factor(bv_enc *e, pf_id t) {
  unsigned bits = bv_type(e, t).bits + 1;
  bv_num f = {bv_fresh(e, bits), bits}, m = {bv_fresh(e, bits), bits};
  Z3_ast divides = bv_equal(e, bv_arith(e, EX_MUL, f, m), bv_term_number(e, t));
  Z3_ast defined = e->term[t].defined;
  if (defined) divides = bv_or(e, bv_not(e, defined), divides);
  e->premise = bv_and(e, e->premise, divides);
  return number(f, NULL);
}

/* One node for both: one value, and the same word on whether it is defined. */
static bv_exact same_node(bv_enc *e, pf_id a, pf_id b) {
  if (a == b) return known(e, true);
  if (e->i->term[a].type != e->i->term[b].type) return known(e, false);
  Z3_ast s = bv_fresh(e, 0), equal = z3_2(e->z, Z3_mk_eq, bv_term(e, a).value, bv_term(e, b).value);
  Z3_ast da = bv_term(e, a).defined, db = bv_term(e, b).defined;
  if (da && db) equal = bv_and(e, equal, z3_2(e->z, Z3_mk_eq, da, db));
  if (!da != !db) equal = bv_and(e, equal, da ? da : db);
  e->premise = bv_and(e, e->premise, bv_or(e, bv_not(e, s), equal));
  return truth(s, NULL);
}

/* A question about the op of a term; of any node the answer can be either. */
static bv_exact about_op(bv_enc *e, expr_id id, const expr *x) {
  int k = pf_decide(e->i, id);
  if (k >= 0) return known(e, k);
  Z3_ast s = bv_fresh(e, 0);
  opset constants = {0};
  opset_add(&constants, UP_CONST);
  opset_add(&constants, UP_VCONST);
  Z3_ast defined = bv_term(e, e->i->slot[x->a]).defined;
  if (x->op == EX_HAS_OP && defined && opset_subset(&x->ops, &constants))
    e->premise = bv_and(e, e->premise, bv_or(e, bv_not(e, s), defined));
  return truth(s, NULL);
}

/* Of a list it is no number, but where lanes are computed one by one. */
static bv_exact constant_value(bv_enc *e, pf_id t) {
  if (e->i->term[t].kind != PF_CONST) return cannot(e, "the value of what is no constant");
  if (!e->i->term[t].list) return number(bv_facts_of(e, t, BV_NODE).lo, NULL);
  if (e->by_lane) return number(bv_term_number(e, t), NULL);
  bv_fact f = bv_facts_of(e, t, BV_NODE);
  bool never = e->i->term[t].op == UP_VCONST;
  return number(bv_term_number(e, t),
                never ? z3_keep(e->z, Z3_mk_false(e->z->ctx)) : bv_equal(e, f.lo, f.hi));
}

static void implied(bv_enc *e, Z3_ast by, Z3_ast what) {
  e->premise = bv_and(e, e->premise, bv_or(e, bv_not(e, by), what));
}

/* As in ints_expr.c. */
static bv_lists *lists_of(bv_enc *e, pf_id a, pf_id b) {
  for (unsigned k = 0; k < e->nlists; k++)
    if (e->lists[k].a == a && e->lists[k].b == b) return &e->lists[k];
  if (e->nlists == BV_MAX_LISTS) {
    cannot(e, "comparisons of too many lists");
    e->nlists = 0;
  }
  bv_lists *l = &e->lists[e->nlists++];
  bv_fact f = bv_facts_of(e, a, BV_NODE), g = bv_facts_of(e, b, BV_NODE);
  *l = (bv_lists){a, b, bv_fresh(e, 0), bv_fresh(e, 0), bv_fresh(e, 0)};
  Z3_ast ends = bv_and(e, bv_equal(e, f.lo, g.lo), bv_equal(e, f.hi, g.hi));
  Z3_ast equal = bv_and(e, ends, bv_equal(e, bv_term_number(e, a), bv_term_number(e, b)));
  implied(e, l->less, bv_less(e, f.lo, g.hi));
  implied(e, l->greater, bv_less(e, g.lo, f.hi));
  implied(e, l->less, bv_not(e, l->greater));
  implied(e, bv_not(e, bv_or(e, l->less, l->greater)), bv_or(e, l->odd, equal));
  return l;
}

/* op: EX_LT .. EX_NE. A list and a number are unequal and have no order. */
static bv_exact compare_lists(bv_enc *e, ex_op op, pf_id a, pf_id b) {
  if (a > b) {
    static const ex_op mirrored[] = {EX_GT, EX_GE, EX_LT, EX_LE, EX_EQ, EX_NE};
    return compare_lists(e, mirrored[op - EX_LT], b, a);
  }
  bool both = e->i->term[a].list && e->i->term[b].list;
  Z3_ast ok = both || op == EX_EQ || op == EX_NE
                  ? NULL
                  : bv_and(e, constant_value(e, a).ok, constant_value(e, b).ok);
  bv_lists *l = lists_of(e, a, b);
  Z3_ast unequal = bv_or(e, bv_or(e, l->less, l->greater), l->odd);
  switch (op) {
  case EX_LT: return truth(l->less, ok);
  case EX_GT: return truth(l->greater, ok);
  case EX_LE: return truth(bv_not(e, l->greater), ok);
  case EX_GE: return truth(bv_not(e, l->less), ok);
  case EX_EQ: return truth(bv_not(e, unequal), ok);
  default: assert(op == EX_NE); return truth(unequal, ok);
  }
}

/* Of a vector two lanes or more; no node of the instance has others, but for a BITCAST, of which no more
 * than that is known. */
static bv_exact count(bv_enc *e, pf_id t) {
  if (!e->i->lanes) return number(bv_int(e, 1), NULL);
  bool is_cast = e->i->term[t].kind == PF_OP && e->i->term[t].op == UP_BITCAST;
  bv_num n = {is_cast || !e->count ? bv_fresh(e, 32) : e->count, 32};
  e->premise = bv_and(e, e->premise, bv_less(e, bv_int(e, 1), n));
  if (!is_cast) e->count = n.ast;
  return number(n, NULL);
}

static bv_exact dtype_bound(bv_enc *e, fr_type t, bool lower) {
  if (e->i->lanes && !t.is_bool && (!lower || t.is_signed))
    return cannot(e, "the range of a vector of any length");
  return number(bv_i128(e, lower ? fr_min(t) : fr_max(t)), NULL);
}

static bv_exact about_node(bv_enc *e, expr_id id) {
  const expr *x = expr_at(&e->i->book->exprs, id);
  pf_id a = e->i->slot[x->a], b = x->b >= 0 ? e->i->slot[x->b] : PF_NIL;
  if (a == PF_NIL || (x->b >= 0 && b == PF_NIL)) return cannot(e, "a name that is not bound");
  fr_type t = bv_type(e, a);
  switch ((ex_op)x->op) {
  case EX_VALUE: return constant_value(e, a);
  case EX_LANE_MIN:
  case EX_VMIN: return number(bv_facts_of(e, a, BV_NODE).lo, NULL);
  case EX_LANE_MAX:
  case EX_VMAX: return number(bv_facts_of(e, a, BV_NODE).hi, NULL);
  case EX_VAR_MIN: return number(bv_facts_of(e, a, BV_VARIABLE).lo, NULL);
  case EX_VAR_MAX: return number(bv_facts_of(e, a, BV_VARIABLE).hi, NULL);
  case EX_SPECIAL_SIZE: {
    bv_fact f = bv_facts_of(e, a, BV_VARIABLE);
    e->premise = bv_and(e, e->premise, bv_equal(e, f.lo, bv_int(e, 0)));
    return number(bv_arith(e, EX_ADD, f.hi, bv_int(e, 1)), NULL);
  }
  case EX_SRC_VMIN:
  case EX_SRC_VMAX: {
    const pf_term *d = &e->i->term[a];
    if (d->op != UP_VECTORIZE && !e->unsupported)
      e->unsupported = "bounds of the sources of an op with a meaning of its own";
    bv_fact f = bv_facts_of(e, a, BV_SOURCES);
    return number(x->op == EX_SRC_VMIN ? f.lo : f.hi, NULL);
  }
  case EX_SCALAR_MIN: return number(bv_i128(e, fr_min(t)), NULL);
  case EX_SCALAR_MAX: return number(bv_i128(e, fr_max(t)), NULL);
  case EX_DTYPE_MIN: return dtype_bound(e, t, true);
  case EX_DTYPE_MAX: return dtype_bound(e, t, false);
  case EX_COUNT: return count(e, a);
  case EX_NSRC: {
    const pf_term *d = &e->i->term[a];
    if (d->kind == PF_ANY) return cannot(e, "the number of sources of any node");
    return number(bv_int(e, d->kind == PF_OP ? d->nkid : 0), NULL);
  }
  case EX_CONST_FACTOR: return const_factor(e, a);
  case EX_INCREASING:
  case EX_BEFORE: return truth(bv_fresh(e, 0), NULL);
  case EX_SAME: return same_node(e, a, b);
  case EX_SAME_DTYPE: return known(e, e->i->term[a].type == e->i->term[b].type);
  case EX_SAME_OP:
  case EX_HAS_DTYPE: return known(e, dtset_has(x->dt, up_dt(e->i->term[a].type)));
  case EX_HAS_OP: return about_op(e, id, x);
  default: return cannot(e, "a function of nodes that has no bit-vector term");
  }
}

/* ---- operators --------------------------------------------------------------------------------- */

static bv_exact compare(bv_enc *e, ex_op op, bv_num a, bv_num b, Z3_ast ok) {
  if (!a.ast || !b.ast) return (bv_exact){.n = {NULL, 1}};
  switch (op) {
  case EX_LT: return truth(bv_less(e, a, b), ok);
  case EX_GT: return truth(bv_less(e, b, a), ok);
  case EX_LE: return truth(bv_not(e, bv_less(e, b, a)), ok);
  case EX_GE: return truth(bv_not(e, bv_less(e, a, b)), ok);
  case EX_EQ: return truth(bv_equal(e, a, b), ok);
  default: assert(op == EX_NE); return truth(bv_not(e, bv_equal(e, a, b)), ok);
  }
}

/* One of the operands, as in Python; the second one is not looked at when the first decides. */
static bv_exact either(bv_enc *e, const expr *x) {
  bv_exact l = bv_expr(e, x->kid[0]), r = bv_expr(e, x->kid[1]);
  Z3_ast tl = bv_truth(e, l), ok = l.ok;
  if (r.ok) {
    Z3_ast decided = x->op == EX_AND ? bv_not(e, tl) : tl;
    ok = bv_and(e, ok, bv_or(e, decided, r.ok));
  }
  if (l.truth && r.truth)
    return truth(z3_n2(e->z, x->op == EX_AND ? Z3_mk_and : Z3_mk_or, l.truth, r.truth), ok);
  bv_num a = bv_number(e, l), b = bv_number(e, r);
  unsigned w = a.width > b.width ? a.width : b.width;
  if (!a.ast || !b.ast) return number((bv_num){NULL, 1}, NULL);
  Z3_ast wa = bv_widen(e, a, w).ast, wb = bv_widen(e, b, w).ast;
  bool is_and = x->op == EX_AND;
  return number((bv_num){z3_ite(e->z, tl, is_and ? wb : wa, is_and ? wa : wb), w}, ok);
}

static bv_exact operator_of(bv_enc *e, const expr *x) {
  bv_exact l = bv_expr(e, x->kid[0]), r = expr_kids(x) > 1 ? bv_expr(e, x->kid[1]) : l;
  Z3_ast ok = expr_kids(x) > 1 ? bv_and(e, l.ok, r.ok) : l.ok;
  if (x->op == EX_NOT) {
    Z3_ast t = bv_truth(e, l);
    return truth(t ? bv_not(e, t) : NULL, ok);
  }
  bv_num a = bv_number(e, l), b = bv_number(e, r);
  if (!a.ast || !b.ast) return number((bv_num){NULL, 1}, NULL);
  if (x->op >= EX_LT && x->op <= EX_NE) return compare(e, (ex_op)x->op, a, b, ok);
  Z3_ast raises = bv_raises(e, (ex_op)x->op, b);
  if (raises) ok = bv_and(e, ok, bv_not(e, raises));
  return number(bv_arith(e, (ex_op)x->op, a, b), ok);
}

bv_exact bv_expr(bv_enc *e, expr_id id) {
  const expr *x = expr_at(&e->i->book->exprs, id);
  if (x->op == EX_INT) return number(bv_int(e, x->ival), NULL);
  if (x->op == EX_FLOAT) return cannot(e, "a floating-point number");
  if (x->op == EX_AND || x->op == EX_OR) return either(e, x);
  if (x->op >= EX_LIST_LT && x->op <= EX_LIST_NE) {
    pf_id s = e->i->slot[x->a], t = e->i->slot[x->b];
    ex_op op = (ex_op)(x->op - EX_LIST_LT + EX_LT);
    if (e->i->term[s].list || e->i->term[t].list) return compare_lists(e, op, s, t);
    return compare(e, op, constant_value(e, s).n, constant_value(e, t).n, NULL);
  }
  return expr_kids(x) ? operator_of(e, x) : about_node(e, id);
}
