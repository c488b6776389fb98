/* The question of an obligation as bit-vectors, and what the solver's answer means. */
#include "bits.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct question {
  bv_enc e;
  Z3_ast assume, goal; /* goal NULL: nothing to show */
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

static bool put(question *q, z3_session *z, const pf_instance *i, or_frame f, bool functions) {
  bv_enc *e = &q->e;
  *q = (question){.e = {.z = z, .i = i, .frame = f, .fact_bits = 2, .functions = functions}};
  e->unsupported = without_meaning(i);
  if (e->unsupported) return false;
  e->term = calloc(i->nterm + 1, sizeof *e->term);
  if (!e->term) {
    snprintf(z->error, sizeof z->error, "no memory");
    return false;
  }
  bv_value left = bv_term(e, i->left);
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

/* ---- facts -------------------------------------------------------------------------------------- */

/* What the encoding assumes of vmin and vmax is that they lie in a range a little wider than the
 * dtype's, and the engine's may lie anywhere. Nothing is lost when the condition can only become
 * true, never false, as the bounds draw together: then bounds beyond the dtype's range, of a term
 * that has a value, may be drawn in to it. That holds of `and`, `or` and comparisons where each
 * vmin stands alone on the greater side and each vmax on the lesser side; and of vmin(x) == vmax(x),
 * which leaves them no choice at all. */
typedef enum side { SIDE_NONE, SIDE_LESSER, SIDE_GREATER } side;

static bool is_bound(const expr *x) { return x->op >= EX_VMIN && x->op <= EX_SRC_VMAX; }

static bool grows_tighter(const pf_instance *i, expr_id id, side s) {
  const expr *x = expr_at(&i->book->exprs, id);
  if (x->op == EX_VMIN) return s == SIDE_GREATER;
  if (x->op == EX_VMAX) return s == SIDE_LESSER;
  return !expr_reads_bounds(&i->book->exprs, id);
}

static bool one_value(const exprbook *b, const expr *x) {
  if (x->op != EX_EQ) return false;
  const expr *l = expr_at(b, x->kid[0]), *r = expr_at(b, x->kid[1]);
  return l->op == EX_VMIN && r->op == EX_VMAX && l->a == r->a;
}

static bool monotone(const pf_instance *i, expr_id id) {
  const exprbook *b = &i->book->exprs;
  const expr *x = expr_at(b, id);
  switch ((ex_op)x->op) {
  case EX_AND:
  case EX_OR: return monotone(i, x->kid[0]) && monotone(i, x->kid[1]);
  case EX_LT:
  case EX_LE:
    return grows_tighter(i, x->kid[0], SIDE_LESSER) && grows_tighter(i, x->kid[1], SIDE_GREATER);
  case EX_GT:
  case EX_GE:
    return grows_tighter(i, x->kid[0], SIDE_GREATER) && grows_tighter(i, x->kid[1], SIDE_LESSER);
  default: return one_value(b, x) || !expr_reads_bounds(b, id);
  }
}

/* Does the condition, as a conjunction, say vmin(x) == vmax(x) of this slot? */
static bool settles(const exprbook *b, expr_id id, int slot) {
  const expr *x = expr_at(b, id);
  if (x->op == EX_AND) return settles(b, x->kid[0], slot) || settles(b, x->kid[1], slot);
  return one_value(b, x) && expr_at(b, x->kid[0])->a == slot;
}

/* All bounds in a computed constant are of nodes of one value, which the condition says. */
static bool settled(const pf_instance *i, expr_id id) {
  const exprbook *b = &i->book->exprs;
  const expr *x = expr_at(b, id);
  if (is_bound(x)) return i->when != EXPR_NIL && settles(b, i->when, x->a);
  for (unsigned k = 0; k < expr_kids(x); k++)
    if (!settled(i, x->kid[k])) return false;
  return true;
}

/* Is a node of a fact always used where the left side has a value? The arms of a WHERE are not. */
static bool has_where(const pf_instance *i) {
  for (uint32_t k = 0; k < i->nterm; k++)
    if (i->term[k].kind == PF_OP && i->term[k].op == UP_WHERE) return true;
  return false;
}

/* Do proofs with bounds inside of the dtype's range hold for all bounds? */
static bool bounds_are_covered(const pf_instance *i, const bv_enc *e) {
  unsigned n = 0;
  for (unsigned k = 0; k < e->nfact; k++) {
    n += i->term[e->fact[k].term].kind != PF_CONST;
    if (e->fact[k].about != BV_NODE) return false;
  }
  if (n == 0) return true;
  if (i->right == PF_NIL || (e->frame == OR_REFINE && has_where(i))) return false;
  if (i->when != EXPR_NIL && !monotone(i, i->when)) return false;
  for (uint32_t k = 0; k < i->nterm; k++)
    if (i->term[k].kind == PF_CONST && i->term[k].exact != EXPR_NIL &&
        !settled(i, i->term[k].exact))
      return false;
  return true;
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
    if (i->term[f->term].kind == PF_CONST) continue;
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
  if (r == Z3_MODEL && !bounds_are_covered(q->e.i, &q->e))
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

pf_answer bv_prove(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f, bv_part part,
                   bool *can_hold) {
  assert(f == OR_WRAP || f == OR_REFINE);
  question q = {0};
  pf_answer a;
  bool holds = false;
  z3_free(z); /* a context of its own: no answer depends on what was asked before */
  if (!z3_begin(z, rlimit)) return answer(PF_ERROR, z->error);
  bool can = put(&q, z, i, f, false);
  if (can && part != BV_WHOLE) {
    Z3_ast inside = part == BV_LEAVING ? q.e.strict : q.e.valued;
    Z3_ast never = z3_keep(z, Z3_mk_false(z->ctx));
    q.assume = bv_and(&q.e, q.assume, inside ? bv_not(&q.e, inside) : never);
  }
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

bool bv_can_hold(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f) {
  question q = {0};
  char why[80];
  z3_free(z);
  bool holds = z3_begin(z, rlimit) && put(&q, z, i, f, false) && use_bit_solver(z, rlimit);
  if (holds) {
    if (q.assume) z3_assert(z, q.assume);
    holds = z3_check(z, why) == Z3_MODEL && !q.e.abstract;
  }
  free(q.e.term);
  return holds;
}

bool bv_prove_by_functions(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f) {
  question q = {0};
  char why[80];
  z3_free(z);
  bool proved = z3_begin(z, rlimit) && put(&q, z, i, f, true);
  if (proved) { /* the session's general solver, which knows functions */
    if (q.assume) z3_assert(z, q.assume);
    z3_assert(z, bv_not(&q.e, q.goal));
    proved = z3_check(z, why) == Z3_NO_MODEL && bounds_are_covered(i, &q.e);
  }
  z->error[0] = 0;
  free(q.e.term);
  return proved && bv_can_hold(z, rlimit, i, f);
}

/* Most obligations are decided by a fraction of the limit, one way or the other. */
#define FIRST_PART 16u
#define INTS_PART 4u
#define TRIES 30000u

/* Bit-vectors first, with a part of the limit. A model that no graph shows is as good as none: the
 * bounds that it assumes may be out of the engine's reach. */
static pf_answer first_answer(pf_prover *p, const pf_instance *i, or_frame f, bool *can_hold) {
  pf_answer a = bv_prove(&p->z, p->limits.rlimit / FIRST_PART + 1, i, f, BV_WHOLE, can_hold);
  char why[120] = "";
  if (a.verdict != PF_REFUTED ||
      pf_confirm(i->book->bounds.profile, i, &a.point, f, &a.counterexample, why))
    return a;
  uint64_t resource = a.resource;
  pf_answer_clear(&a);
  a = answer(PF_UNKNOWN, "");
  a.resource = resource;
  snprintf(a.reason, sizeof a.reason, "not confirmed: %s", why);
  return a;
}

pf_answer pf_prove_bits(pf_prover *p, const pf_instance *i, or_frame f) {
  uint32_t all = p->limits.rlimit;
  bool can_hold = false;
  pf_answer a = first_answer(p, i, f, &can_hold), other;
  if (a.verdict != PF_UNKNOWN) return a;
  bool unconfirmed = strncmp(a.reason, "not confirmed", 13) == 0;
  if (!unconfirmed && bv_prove_by_functions(&p->z, all / FIRST_PART + 1, i, f)) {
    pf_answer_clear(&a);
    return pf_answer_of(PF_PROVED, "z3 bits, functions", NULL);
  }
  if (bv_try_points(i, f, TRIES, &other) ||
      bv_prove_by_ints(&p->z, all / INTS_PART + 1, i, f, can_hold, &other)) {
    pf_answer_clear(&a);
    return other;
  }
  if (unconfirmed) return a;
  pf_answer_clear(&a);
  return bv_prove(&p->z, all, i, f, BV_WHOLE, NULL);
}
