/* The question of an obligation as bit-vectors, and what the solver's answer means. */
#include "bits.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct question {
  bv_enc e;
  Z3_ast assume, goal; /* goal NULL: nothing to show */
  Z3_ast left_stays;   /* bv_enc.strict of the left side */
} question;

/* ---- building ---------------------------------------------------------------------------------- */

static void claim_equal(question *q) {
  bv_enc *e = &q->e;
  const pf_instance *i = e->i;
  bv_value l = bv_term(e, i->left), r = bv_term(e, i->right);
  if (!l.value || !r.value) return;
  bool alike = i->term[i->left].type == i->term[i->right].type;
  Z3_ast equal = alike ? z3_2(e->z, Z3_mk_eq, l.value, r.value)
                       : bv_equal(e, bv_term_number(e, i->left), bv_term_number(e, i->right));
  q->goal = bv_and(e, equal, r.defined);
  if (i->to_scalar) q->goal = z3_keep(e->z, Z3_mk_false(e->z->ctx));
}

static void claim_bounds(question *q) {
  bv_enc *e = &q->e;
  bv_exact lo = bv_expr(e, e->i->lo), hi = bv_expr(e, e->i->hi);
  bv_num l = bv_number(e, lo), h = bv_number(e, hi), v = bv_term_number(e, e->i->left);
  if (!l.ast || !h.ast || !v.ast) return;
  e->premise = bv_and(e, e->premise, bv_and(e, lo.ok, hi.ok));
  q->goal = bv_not(e, bv_or(e, bv_less(e, v, l), bv_less(e, h, v)));
  if (bv_type(e, e->i->left).is_bool) /* as is assumed of every bool */
    q->goal = bv_and(e, q->goal, bv_not(e, bv_less(e, l, bv_int(e, 0))));
}

/* What has no meaning stands in the dtypes and ops alone; asked before anything is built. */
static const char *without_meaning(const pf_instance *i) {
  fr_type t;
  for (uint32_t k = 0; k < i->nterm; k++)
    if (!fr_type_of(up_dt(i->term[k].type), &t)) return "a dtype that has no meaning in any frame";
  return NULL;
}

/* How the terms are made: see bv_enc. */
typedef struct form {
  pf_id zero, truth;
  bool functions, standard;
} form;

/* Of all points. */
static const form plain = {.zero = PF_NIL, .truth = PF_NIL};

static bool put(question *q, z3_session *z, const pf_instance *i, or_frame f, form how) {
  bv_enc *e = &q->e;
  *q = (question){.e = {.z = z, .i = i, .frame = f, .fact_bits = 2}};
  e->zero = how.zero;
  e->truth = how.truth;
  e->functions = how.functions;
  e->standard = how.standard;
  e->unsupported = without_meaning(i);
  if (e->unsupported) return false;
  e->term = calloc(i->nterm + 1, sizeof *e->term);
  if (!e->term) {
    snprintf(z->error, sizeof z->error, "no memory");
    return false;
  }
  bv_value left = bv_term(e, i->left);
  q->left_stays = e->strict;
  if (left.value && i->when != EXPR_NIL) {
    bv_exact w = bv_expr(e, i->when);
    q->assume = bv_and(e, w.ok, bv_truth(e, w));
  }
  if (!left.value || e->cannot || e->unsupported || z->error[0]) return false;
  if (i->right == PF_NIL)
    claim_bounds(q);
  else
    claim_equal(q);
  q->assume = bv_and(e, q->assume, bv_and(e, left.defined, e->premise));
  return !e->cannot && !e->unsupported && z->error[0] == 0 && q->goal;
}

/* ---- asking --------------------------------------------------------------------------------------- */

/* Bit-vectors want the solver that blasts them, not the general one. */
static bool use_bit_solver(z3_session *z, uint32_t rlimit) {
  Z3_context c = z->ctx;
  Z3_solver s = Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, "QF_BV"));
  if (!s || Z3_get_error_code(c) != Z3_OK) return false;
  Z3_solver_inc_ref(c, s);
  Z3_solver_dec_ref(c, z->solver);
  z->solver = s;
  Z3_params params = Z3_mk_params(c);
  Z3_params_inc_ref(c, params);
  Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "rlimit"), rlimit);
  Z3_solver_set_params(c, s, params);
  Z3_params_dec_ref(c, params);
  return Z3_get_error_code(c) == Z3_OK;
}

uint64_t bv_resource(z3_session *z) {
  Z3_stats stats = Z3_solver_get_statistics(z->ctx, z->solver);
  if (!stats || Z3_get_error_code(z->ctx) != Z3_OK) return 0;
  Z3_stats_inc_ref(z->ctx, stats);
  uint64_t units = 0;
  for (unsigned k = 0; k < Z3_stats_size(z->ctx, stats); k++)
    if (strcmp(Z3_stats_get_key(z->ctx, stats, k), "rlimit count") == 0)
      units = Z3_stats_is_uint(z->ctx, stats, k) ? Z3_stats_get_uint_value(z->ctx, stats, k) : 0;
  Z3_stats_dec_ref(z->ctx, stats);
  return units;
}

/* ---- points ----------------------------------------------------------------------------------------- */

static pf_value *entry(pf_point *p, pf_id t) {
  for (uint32_t k = 0; k < p->n; k++)
    if (p->p[k].term == t) return &p->p[k];
  pf_value *v = &p->p[p->n++];
  v->term = t;
  v->defined = true;
  v->has_bounds = false;
  mpz_inits(v->value, v->lo, v->hi, (mpz_ptr)0);
  return v;
}

static bool truth_in(bv_enc *e, Z3_model m, Z3_ast a, bool *out) {
  Z3_ast v = NULL;
  *out = true;
  if (!a) return true;
  if (!Z3_model_eval(e->z->ctx, m, a, true, &v) || !v) return false;
  *out = Z3_get_bool_value(e->z->ctx, v) == Z3_L_TRUE;
  return Z3_get_error_code(e->z->ctx) == Z3_OK;
}

static bool value_in(bv_enc *e, Z3_model m, pf_id t, mpz_t out) {
  fr_type type = bv_type(e, t);
  if (!type.is_bool) {
    bv_num n = bv_term_number(e, t);
    return z3_model_value(e->z, m, n.ast, n.width, out);
  }
  bool b;
  bool ok = truth_in(e, m, e->term[t].value, &b);
  mpz_set_ui(out, b);
  return ok;
}

/* Values of leaves, and bounds of whatever they were asked of. */
static bool read_point(bv_enc *e, Z3_model m, pf_point *p) {
  const pf_instance *i = e->i;
  p->p = calloc(i->nterm + 1, sizeof *p->p);
  if (!p->p) return false;
  for (pf_id t = 0; t < i->nterm; t++) {
    const pf_term *d = &i->term[t];
    if (!e->term[t].value || d->kind == PF_OP) continue;
    pf_value *v = entry(p, t);
    if (!value_in(e, m, t, v->value) || !truth_in(e, m, e->term[t].defined, &v->defined))
      return false;
  }
  for (unsigned k = 0; k < e->nfact; k++) {
    const bv_fact *f = &e->fact[k];
    if (i->term[f->term].kind == PF_CONST && !i->term[f->term].list) continue;
    pf_value *v = entry(p, f->term);
    v->has_bounds = true;
    if (!value_in(e, m, f->term, v->value) ||
        !truth_in(e, m, e->term[f->term].defined, &v->defined) ||
        !z3_model_value(e->z, m, f->lo.ast, f->lo.width, v->lo) ||
        !z3_model_value(e->z, m, f->hi.ast, f->hi.width, v->hi))
      return false;
  }
  return true;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

static pf_answer answer(pf_verdict v, const char *why) { return pf_answer_of(v, "z3 bits", why); }

static pf_answer refuted(question *q) {
  if (q->e.abstract) return answer(PF_UNKNOWN, "a quotient that is rounded to a double");
  pf_answer a = answer(PF_REFUTED, "");
  Z3_model m = z3_model(q->e.z);
  bool ok = m && read_point(&q->e, m, &a.point);
  if (m) Z3_model_dec_ref(q->e.z->ctx, m);
  a.resource = bv_resource(q->e.z);
  if (ok) return a;
  pf_point_clear(&a.point);
  return answer(PF_ERROR, q->e.z->error[0] ? q->e.z->error : "the solver's model can't be read");
}

/* Do the premises rule out what is beyond the limit? */
static bool all_are_looked_at(question *q, char *why) {
  z3_session *z = q->e.z;
  if (!q->e.limit) return true;
  Z3_solver_push(z->ctx, z->solver);
  z3_assert(z, bv_not(&q->e, q->e.limit));
  return z3_check(z, why) == Z3_NO_MODEL;
}

/* The negation has no model: are the premises to blame? */
static pf_answer not_vacuous(question *q, bool *can_hold) {
  char why[80] = "";
  uint64_t units = bv_resource(q->e.z);
  Z3_solver_pop(q->e.z->ctx, q->e.z->solver, 1);
  z3_answer r = z3_check(q->e.z, why);
  pf_answer a = answer(PF_PROVED, "");
  if (r == Z3_NO_MODEL) a = answer(PF_VACUOUS, "the condition can't hold");
  if (r == Z3_GAVE_UP) a = answer(PF_UNKNOWN, "it may be that the condition can't hold");
  if (r == Z3_FAILED) a = answer(PF_ERROR, q->e.z->error);
  *can_hold = r == Z3_MODEL;
  if (r == Z3_MODEL && !all_are_looked_at(q, why))
    a = answer(PF_UNKNOWN, "no counterexample where a shift is by less than 256");
  else if (r == Z3_MODEL && !bv_bounds_are_covered(q->e.i, &q->e))
    a = answer(PF_UNKNOWN, "no counterexample with bounds near the dtype's range");
  a.resource = units;
  return a;
}

/* Bounds that are the values themselves. The engine has such bounds of a node over variables of one
 * value, so a counterexample with them can be shown; free ones may be out of its reach. NULL: the
 * rule asks for no bounds. */
static Z3_ast tight(question *q) {
  bv_enc *e = &q->e;
  Z3_ast all = NULL;
  for (unsigned k = 0; k < e->nfact; k++) {
    const bv_fact *f = &e->fact[k];
    if (e->i->term[f->term].kind == PF_CONST || f->about != BV_NODE) continue;
    bv_num v = bv_term_number(e, f->term);
    all = bv_and(e, all, bv_and(e, bv_equal(e, f->lo, v), bv_equal(e, f->hi, v)));
  }
  return all;
}

/* Is there a counterexample where `also` holds? */
static z3_answer counterexample(question *q, Z3_ast also, char *why) {
  z3_session *z = q->e.z;
  Z3_solver_push(z->ctx, z->solver);
  z3_assert(z, bv_not(&q->e, q->goal));
  if (q->e.limit) z3_assert(z, q->e.limit);
  if (also) z3_assert(z, also);
  return z3_check(z, why);
}

static pf_answer ask(question *q, uint32_t rlimit, bool *can_hold) {
  z3_session *z = q->e.z;
  char why[80] = "";
  if (!use_bit_solver(z, rlimit)) return answer(PF_ERROR, "no solver for bit-vectors");
  if (q->assume) z3_assert(z, q->assume);
  Z3_ast t = tight(q);
  if (t) {
    if (counterexample(q, t, why) == Z3_MODEL) return refuted(q);
    Z3_solver_pop(z->ctx, z->solver, 1);
  }
  switch (counterexample(q, NULL, why)) {
  case Z3_MODEL: return refuted(q);
  case Z3_NO_MODEL: return not_vacuous(q, can_hold);
  case Z3_GAVE_UP: {
    pf_answer a = answer(PF_UNKNOWN, why);
    a.resource = bv_resource(z);
    return a;
  }
  default: return answer(PF_ERROR, z->error);
  }
}

/* The leaf as 0, or true, itself: the solver does not put it in place of the symbol. */
static form form_of(bv_part part) {
  form how = plain;
  if (part >= BV_TRUE)
    how.truth = part - BV_TRUE;
  else if (part >= BV_ZERO && part < BV_NOT_ZERO)
    how.zero = part - BV_ZERO;
  return how;
}

static bool zero_or_true(bv_part part) {
  return part >= BV_TRUE || (part >= BV_ZERO && part < BV_NOT_ZERO);
}

/* The part as a premise; NULL: the whole. */
static Z3_ast part_of(question *q, bv_part part) {
  Z3_ast never = z3_keep(q->e.z, Z3_mk_false(q->e.z->ctx));
  switch (part) {
  case BV_LEAVING: return q->e.strict ? bv_not(&q->e, q->e.strict) : never;
  case BV_VALUELESS: return q->e.valued ? bv_not(&q->e, q->e.valued) : never;
  case BV_LEFT_STAYS: return q->left_stays;
  case BV_BOTH_STAY: return q->e.strict;
  case BV_WHOLE: return NULL;
  default:
    if (zero_or_true(part)) return NULL; /* the leaf is made so */
    return bv_not(&q->e,
                  bv_equal(&q->e, bv_term_number(&q->e, part - BV_NOT_ZERO), bv_int(&q->e, 0)));
  }
}

pf_answer bv_prove(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f, bv_part part,
                   bool *can_hold) {
  assert(f == OR_WRAP || f == OR_REFINE);
  question q = {0};
  pf_answer a;
  bool holds = false;
  if (!z3_begin(z, rlimit)) return answer(PF_ERROR, z->error);
  bool can = put(&q, z, i, f, form_of(part));
  if (can) q.assume = bv_and(&q.e, q.assume, part_of(&q, part));
  if (can)
    a = ask(&q, rlimit, &holds);
  else if (z->error[0] && !q.e.cannot && !q.e.unsupported)
    a = answer(PF_ERROR, z->error);
  else if (q.e.unsupported)
    a = answer(PF_UNSUPPORTED, q.e.unsupported);
  else
    a = answer(PF_UNKNOWN, q.e.cannot ? q.e.cannot : "the question can't be put as bit-vectors");
  if (can_hold) *can_hold = holds;
  free(q.e.term);
  return a;
}

/* ---- without a solver ---------------------------------------------------------------------------------- */

#define MAX_PREMISES 64u

/* The conjuncts of a. False: too many. */
static bool conjuncts(z3_session *z, Z3_ast a, Z3_ast out[MAX_PREMISES], unsigned *n) {
  Z3_context c = z->ctx;
  Z3_app app = Z3_to_app(c, a);
  if (Z3_get_decl_kind(c, Z3_get_app_decl(c, app)) != Z3_OP_AND) {
    if (*n == MAX_PREMISES) return false;
    out[(*n)++] = a;
    return true;
  }
  for (unsigned k = 0; k < Z3_get_app_num_args(c, app); k++) { /* flat: it is simplified */
    if (*n == MAX_PREMISES) return false;
    out[(*n)++] = Z3_get_app_arg(c, app, k);
  }
  return true;
}

static bool is_true(z3_session *z, Z3_ast a) {
  return a && Z3_get_bool_value(z->ctx, a) == Z3_L_TRUE;
}

/* Is the goal true when each premise is put for true in it? */
static bool follows(question *q) {
  z3_session *z = q->e.z;
  Z3_context c = z->ctx;
  Z3_ast premise[MAX_PREMISES], truth[MAX_PREMISES];
  unsigned n = 0;
  Z3_ast goal = z3_1(z, Z3_simplify, q->goal);
  Z3_ast assume = q->assume ? z3_1(z, Z3_simplify, q->assume) : NULL;
  if (!goal || (assume && !conjuncts(z, assume, premise, &n))) return false;
  for (unsigned k = 0; k < n; k++) truth[k] = z3_keep(z, Z3_mk_true(c));
  if (n > 0) goal = z3_keep(z, Z3_substitute(c, goal, n, premise, truth));
  return is_true(z, goal ? z3_1(z, Z3_simplify, goal) : NULL);
}

bool bv_follows(z3_session *z, const pf_instance *i, or_frame f, bv_part part) {
  question q = {0};
  assert(zero_or_true(part));
  bool holds = z3_begin(z, 1) && put(&q, z, i, f, form_of(part)) && !q.e.limit &&
               bv_bounds_are_covered(i, &q.e) && follows(&q);
  z->error[0] = 0;
  free(q.e.term);
  return holds;
}

bool bv_can_hold(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f, bv_part part) {
  question q = {0};
  char why[80];
  bool holds = z3_begin(z, rlimit) && put(&q, z, i, f, plain) && use_bit_solver(z, rlimit);
  if (holds) {
    q.assume = bv_and(&q.e, q.assume, part_of(&q, part));
    if (q.assume) z3_assert(z, q.assume);
    holds = z3_check(z, why) == Z3_MODEL && !q.e.abstract;
  }
  free(q.e.term);
  return holds;
}

bool bv_prove_by_functions(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f) {
  question q = {0};
  char why[80];
  bool proved = z3_begin(z, rlimit) &&
                put(&q, z, i, f, (form){.zero = PF_NIL, .truth = PF_NIL, .functions = true});
  if (proved) { /* the session's general solver, which knows functions */
    if (q.assume) z3_assert(z, q.assume);
    z3_assert(z, bv_not(&q.e, q.goal));
    proved = !q.e.limit && z3_check(z, why) == Z3_NO_MODEL && bv_bounds_are_covered(i, &q.e);
  }
  z->error[0] = 0;
  free(q.e.term);
  return proved && bv_can_hold(z, rlimit, i, f, BV_WHOLE);
}

bool pf_query_bits(pf_prover *p, const pf_instance *i, or_frame f, up_buf *out) {
  question q = {0};
  z3_session *z = &p->z;
  bool ok = z3_begin(z, 1) &&
            put(&q, z, i, f, (form){.zero = PF_NIL, .truth = PF_NIL, .standard = true}) &&
            !q.e.limit && bv_bounds_are_covered(i, &q.e);
  /* not from a solver, which puts operations of its own in their place */
  Z3_ast assume = q.assume, fails = ok ? bv_not(&q.e, q.goal) : NULL;
  Z3_string text = fails ? Z3_benchmark_to_smtlib_string(z->ctx, "", "ALL", "unknown", "",
                                                         assume ? 1 : 0, &assume, fails)
                         : NULL;
  ok = ok && text && Z3_get_error_code(z->ctx) == Z3_OK;
  if (ok) up_buf_puts(out, text);
  z->error[0] = 0;
  free(q.e.term);
  return ok;
}
