/* Proofs in ideal: points first, then a fixed row of encodings, each with its resource limit. */
#include "ints.h"

#include "concrete.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points tried before any solver is asked. */
#define FIRST_POINTS 2000u
#define DOUBLE_POINTS 20000u

static const struct {
  in_style style;
  bool reals;    /* with Z3's procedure for nonlinear reals */
  unsigned part; /* of 32 of the limit */
  const char *by, *by_laws;
} plan[] = {
    {IN_PLAIN, false, 1, "z3 ints", "z3 ints, laws"},
    {IN_SCALED, false, 4, "z3 ints, scaled", "z3 ints, scaled, laws"},
    {IN_ORDERED, false, 4, "z3 ints, ordered", "z3 ints, ordered, laws"},
    {IN_CHECKED, true, 8, "z3 ints, checked", "z3 ints, checked, laws"},
    {IN_CORNERS, false, 4, "z3 ints, corners", "z3 ints, corners, laws"},
    {IN_WITNESS, true, 8, "z3 ints, witness", "z3 ints, witness, laws"},
    {IN_PLAIN, true, 8, "z3 ints", "z3 ints, laws"},
};
#define NPLAN (sizeof plan / sizeof *plan)

/* ---- one query --------------------------------------------------------------------------------------- */

/* The procedure for nonlinear reals decides much, but does not heed the resource limit: it is asked
 * after the encodings that need none, and a clock ends it. */
#define REALS_MILLISECONDS 60000u
/* Lemmas about the order of products are off throughout: among many products they do not end either,
 * and those that matter here are asserted by ints_div.c. */
static void set_params(z3_session *z, uint32_t rlimit, bool reals) {
  Z3_params params = Z3_mk_params(z->ctx);
  if (!params) return;
  Z3_params_inc_ref(z->ctx, params);
  Z3_params_set_uint(z->ctx, params, Z3_mk_string_symbol(z->ctx, "rlimit"), rlimit);
  Z3_params_set_bool(z->ctx, params, Z3_mk_string_symbol(z->ctx, "arith.nl.nra"), reals);
  Z3_params_set_bool(z->ctx, params, Z3_mk_string_symbol(z->ctx, "arith.nl.order"), false);
  if (reals)
    Z3_params_set_uint(z->ctx, params, Z3_mk_string_symbol(z->ctx, "timeout"), REALS_MILLISECONDS);
  Z3_solver_set_params(z->ctx, z->solver, params);
  Z3_params_dec_ref(z->ctx, params);
}

static bool open_enc(in_enc *e, pf_prover *p, const pf_instance *i, in_style style, bool reals,
                     uint32_t rlimit) {
  *e = (in_enc){.z = &p->z, .i = i, .style = style};
  if (!z3_begin(&p->z, rlimit)) return false;
  set_params(&p->z, rlimit, reals);
  e->integer = Z3_mk_int_sort(p->z.ctx);
  e->boolean = Z3_mk_bool_sort(p->z.ctx);
  e->term = calloc(i->nterm + 1, sizeof *e->term);
  e->fact = calloc(i->nterm + 1, sizeof *e->fact);
  return e->term && e->fact;
}

static void close_enc(in_enc *e) {
  free(e->term);
  free(e->fact);
}

static bool model_number(in_enc *e, Z3_model m, Z3_ast a, mpz_t out) {
  a = in_number(e, a);
  return !a || z3_model_value(e->z, m, a, 0, out);
}

static bool model_truth(in_enc *e, Z3_model m, Z3_ast a) {
  Z3_ast v = NULL;
  if (!a || !Z3_model_eval(e->z->ctx, m, a, true, &v) || !v) return true;
  return Z3_get_bool_value(e->z->ctx, v) != Z3_L_FALSE;
}

/* The model as a point. */
static bool point_of(in_enc *e, pf_point *out) {
  Z3_model m = z3_model(e->z);
  if (!m || !cc_point_new(e->i, out)) return false;
  bool ok = true;
  for (uint32_t k = 0; ok && k < out->n; k++) {
    pf_value *v = &out->p[k];
    const in_fact *f = &e->fact[v->term];
    v->defined = model_truth(e, m, e->term[v->term].defined);
    const pf_term *p = &e->i->term[v->term];
    v->has_bounds = f->lo != NULL && (p->kind != PF_CONST || p->list);
    ok = model_number(e, m, e->term[v->term].value, v->value) && model_number(e, m, f->lo, v->lo) &&
         model_number(e, m, f->hi, v->hi);
  }
  Z3_model_dec_ref(e->z->ctx, m);
  return ok;
}

static uint64_t resource_used(in_enc *e) {
  Z3_stats s = Z3_solver_get_statistics(e->z->ctx, e->z->solver);
  uint64_t used = 0;
  if (!s) return 0;
  Z3_stats_inc_ref(e->z->ctx, s);
  for (unsigned k = 0; k < Z3_stats_size(e->z->ctx, s); k++)
    if (strcmp(Z3_stats_get_key(e->z->ctx, s, k), "rlimit count") == 0 &&
        Z3_stats_is_uint(e->z->ctx, s, k))
      used = Z3_stats_get_uint_value(e->z->ctx, s, k);
  Z3_stats_dec_ref(e->z->ctx, s);
  return used;
}

typedef struct query {
  z3_answer answer;
  bool abstract;
  uint64_t resource;
  pf_point point;     /* Z3_MODEL */
  const char *cannot; /* no term */
  char why[80];
} query;

static query ask(pf_prover *p, const pf_instance *i, in_style style, bool reals, uint32_t rlimit,
                 bool negated) {
  query q = {.answer = Z3_FAILED};
  in_enc e;
  bool ok = open_enc(&e, p, i, style, reals, rlimit);
  if (ok) in_ask(&e, negated);
  if (ok && e.cannot) {
    q.cannot = e.cannot;
    p->z.error[0] = 0; /* a NULL term is no fault of the solver */
    q.answer = Z3_GAVE_UP;
  } else if (ok && e.overflow) {
    q.answer = Z3_GAVE_UP;
    snprintf(q.why, sizeof q.why, "too many operations in one rule");
  } else if (ok) {
    q.answer = z3_check(&p->z, q.why);
    q.abstract = e.abstract;
    q.resource = q.answer == Z3_FAILED ? 0 : resource_used(&e);
    if (q.answer == Z3_MODEL && !point_of(&e, &q.point)) q.answer = Z3_FAILED;
  }
  if (q.answer == Z3_FAILED)
    snprintf(q.why, sizeof q.why, "%.79s", p->z.error[0] ? p->z.error : "out of memory");
  close_enc(&e);
  return q;
}

/* ---- refutations --------------------------------------------------------------------------------------- */

typedef struct judge {
  pf_prover *p;
  const pf_instance *i;
  up_buf line, witness;
  char why[120]; /* of the last point that was not confirmed */
} judge;

/* Is the failure real? Judged by exact arithmetic, then by the engine. */
static bool confirmed(const pf_point *at, void *arg) {
  judge *j = arg;
  if (cc_run(j->i, at, true) != CC_FAILS && cc_run(j->i, at, false) != CC_FAILS) {
    snprintf(j->why, sizeof j->why, "the solver's model is none by exact arithmetic");
    return false;
  }
  if (!j->p->limits.profile) return true;
  j->line.len = 0;
  return pf_confirm(j->p->limits.profile, j->i, at, OR_IDEAL, &j->line, j->why);
}

/* The solver's assertions as text; a set-logic and a check-sat make it a file. */
static bool solver_text(pf_prover *p, up_buf *out) {
  Z3_string text = Z3_solver_to_string(p->z.ctx, p->z.solver);
  if (!text || Z3_get_error_code(p->z.ctx) != Z3_OK) return false;
  up_buf_printf(out, "(set-logic ALL)\n%s(check-sat)\n", text);
  return !out->no_memory;
}

bool pf_query_ints(pf_prover *p, const pf_instance *i, up_buf *out) {
  in_enc e;
  bool ok = open_enc(&e, p, i, IN_WITNESS, false, p->limits.rlimit);
  if (ok) in_ask(&e, true);
  ok = ok && !e.cannot && !e.overflow && p->z.error[0] == 0 && solver_text(p, out);
  close_enc(&e);
  return ok;
}

static pf_answer refuted(judge *j, const pf_point *at, const char *by, uint64_t resource) {
  pf_answer a = pf_answer_of(PF_REFUTED, by, NULL);
  a.resource = resource;
  a.counterexample = j->line;
  j->line = (up_buf){0};
  if (!cc_point_copy(&a.point, at)) return pf_answer_of(PF_ERROR, by, "out of memory");
  return a;
}

static uint32_t part_of(uint32_t rlimit, unsigned part) {
  uint32_t r = (uint32_t)((uint64_t)rlimit * part / 32);
  return r ? r : 1;
}

/* ---- the whole ------------------------------------------------------------------------------------------- */

/* By points alone: true when that decided. */
static bool by_points(judge *j, uint32_t points, bool *can_hold, pf_answer *out) {
  cc_search s;
  if (!cc_try_points(j->i, points, confirmed, j, &s)) {
    *out = pf_answer_of(PF_ERROR, "points", "out of memory");
    return true;
  }
  if (s.premise.n > 0 && !*can_hold) pf_point_put(j->i, &s.premise, &j->witness);
  *can_hold = s.premise.n > 0 || *can_hold;
  bool found = s.failure.n > 0;
  if (found) *out = refuted(j, &s.failure, "points", 0);
  pf_point_clear(&s.premise);
  pf_point_clear(&s.failure);
  return found;
}

/* Can the premises hold at all? True: go on. */
static bool not_vacuous(judge *j, pf_answer *out) {
  query q = ask(j->p, j->i, IN_PLAIN, false, part_of(j->p->limits.rlimit, 8), false);
  if (q.answer == Z3_MODEL && !q.abstract) pf_point_put(j->i, &q.point, &j->witness);
  pf_point_clear(&q.point);
  if (q.answer == Z3_NO_MODEL)
    *out = pf_answer_of(PF_VACUOUS, "z3 ints", "the premises can't hold");
  if (q.answer == Z3_FAILED) *out = pf_answer_of(PF_ERROR, "z3 ints", q.why);
  return q.answer != Z3_NO_MODEL && q.answer != Z3_FAILED;
}

static bool has_division(const pf_instance *i) {
  for (pf_id t = 0; t < i->nterm; t++)
    if (i->term[t].kind == PF_OP && up_op_divides(i->term[t].op)) return true;
  return false;
}

/* One encoding; true when it decided. */
static bool by_solver(judge *j, size_t step, pf_answer *out) {
  query q = ask(j->p, j->i, plan[step].style, plan[step].reals,
                part_of(j->p->limits.rlimit, plan[step].part), true);
  const char *by = q.abstract ? plan[step].by_laws : plan[step].by;
  bool decided = true;
  if (q.answer == Z3_NO_MODEL) {
    *out = pf_answer_of(PF_PROVED, by, NULL);
    out->resource = q.resource;
  } else if (q.answer == Z3_FAILED) {
    *out = pf_answer_of(PF_ERROR, by, q.why);
  } else if (q.answer == Z3_MODEL && confirmed(&q.point, j)) {
    *out = refuted(j, &q.point, by, q.resource);
  } else {
    if (q.answer == Z3_GAVE_UP && j->why[0] == 0)
      snprintf(j->why, sizeof j->why, "%s", q.cannot ? q.cannot : q.why);
    decided = false;
  }
  pf_point_clear(&q.point);
  return decided;
}

pf_answer pf_prove_ints(pf_prover *p, const pf_instance *i) {
  judge j = {.p = p, .i = i};
  pf_answer a = {0};
  bool can_hold = false, decided = by_points(&j, FIRST_POINTS, &can_hold, &a);
  if (!decided && !can_hold) decided = !not_vacuous(&j, &a);
  bool whole = p->limits.effort == PF_WHOLE;
  for (size_t step = 0; !decided && whole && step < NPLAN; step++) {
    in_style style = plan[step].style;
    bool useful = (style != IN_CHECKED && style != IN_WITNESS) || has_division(i);
    if (useful) decided = by_solver(&j, step, &a);
  }
  if (!decided && whole) decided = by_points(&j, DOUBLE_POINTS, &can_hold, &a);
  if (!decided) a = pf_answer_of(PF_UNKNOWN, "", j.why);
  a.witness = j.witness;
  up_buf_free(&j.line);
  return a;
}
