/* Points: making, copying, trying many. */
#include "concrete.h"

#include <stdlib.h>

static bool is_free(const pf_term *t) {
  if (t->kind == PF_OP) return t->op == UP_RANGE;
  return t->kind == PF_ANY || (!t->literal && t->exact == EXPR_NIL);
}

uint32_t cc_lanes(const pf_instance *i) {
  for (pf_id t = 0; t < i->nterm; t++)
    if (i->term[t].list) return CC_MAX_LANES;
  return i->lanes ? 2 : 1;
}

bool cc_point_new(const pf_instance *i, pf_point *out) {
  *out = (pf_point){.p = malloc((i->nterm + 1) * sizeof *out->p)};
  if (!out->p) return false;
  for (pf_id t = 0; t < i->nterm; t++) {
    const pf_term *p = &i->term[t];
    bool bounds = p->slot >= 0 && (p->kind != PF_CONST || p->list);
    if (!is_free(p) && !bounds) continue;
    pf_value *v = &out->p[out->n++];
    *v = (pf_value){.term = t, .defined = true, .has_bounds = false};
    mpz_inits(v->value, v->lo, v->hi, (mpz_ptr)0);
  }
  return true;
}

bool cc_point_copy(pf_point *to, const pf_point *from) {
  *to = (pf_point){.p = malloc((from->n + 1) * sizeof *to->p), .n = from->n, .loose = from->loose};
  if (!to->p) return false;
  for (uint32_t k = 0; k < from->n; k++) {
    to->p[k] = from->p[k];
    mpz_init_set(to->p[k].value, from->p[k].value);
    mpz_init_set(to->p[k].lo, from->p[k].lo);
    mpz_init_set(to->p[k].hi, from->p[k].hi);
  }
  return true;
}

/* ---- trying ---------------------------------------------------------------------------------------------- */

static uint32_t draw(uint64_t *seed, uint32_t n) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*seed >> 33) % n;
}

/* Beside small numbers, those at which widths and doubles end. */
static const char *const edges[] = {"127",        "128",         "-128",          "-129",
                                    "255",        "256",         "65536",         "-65536",
                                    "2147483647", "2147483648",  "-2147483648",   "4294967295",
                                    "4294967296", "-4294967296", "1099511627776", "100"};
/* A quotient of these is rounded to the next integer. */
static const char *const doubles[] = {"3",
                                      "-3",
                                      "9007199254740992",
                                      "9007199254740993",
                                      "-9007199254740993",
                                      "27021597764222979",
                                      "-27021597764222979"};

static bool uses_doubles(const exprbook *b, expr_id id) {
  if (id == EXPR_NIL) return false;
  const expr *e = expr_at(b, id);
  if (e->op == EX_FLOAT_CEILDIV || e->op == EX_FLOAT_FLOORDIV) return true;
  for (unsigned k = 0; k < expr_kids(e); k++)
    if (uses_doubles(b, e->kid[k])) return true;
  return false;
}

static bool instance_uses_doubles(const pf_instance *i) {
  for (pf_id t = 0; t < i->nterm; t++)
    if (uses_doubles(&i->book->exprs, i->term[t].exact)) return true;
  return uses_doubles(&i->book->exprs, i->when);
}

/* Small numbers alone in the first half: a counterexample is read by people. */
static void draw_value(uint64_t *seed, bool small, bool with_doubles, mpz_t out) {
  uint32_t kind = small ? 3 + draw(seed, 8) : draw(seed, 16);
  if (with_doubles && !small && kind >= 4)
    mpz_set_str(out, doubles[draw(seed, sizeof doubles / sizeof *doubles)], 10);
  else if (kind < 3)
    mpz_set_str(out, edges[draw(seed, sizeof edges / sizeof *edges)], 10);
  else
    mpz_set_si(out, (long)draw(seed, kind < 10 ? 9 : 25) - (kind < 10 ? 4 : 12));
}

static void draw_point(uint64_t *seed, bool small, bool with_doubles, const pf_instance *i,
                       pf_point *at) {
  static const long slack[4] = {0, 0, 1, 5};
  for (uint32_t k = 0; k < at->n; k++) {
    pf_value *v = &at->p[k];
    const pf_term *t = &i->term[v->term];
    if (t->kind == PF_OP && t->op != UP_RANGE) continue; /* bounds alone: they stay tight */
    draw_value(seed, small, with_doubles, v->value);
    if (t->type == UP_BOOL) mpz_fdiv_r_2exp(v->value, v->value, 1);
    v->defined = t->kind == PF_CONST || t->op != UP_NOOP || draw(seed, 12) != 0;
    if ((t->kind == PF_CONST && !t->list) || t->slot < 0) continue;
    v->has_bounds = true;
    bool uniform = t->list && draw(seed, 2); /* a list that is a number has all that a CONST has */
    mpz_set_si(v->lo, uniform ? 0 : -slack[draw(seed, 4)]);
    mpz_set_si(v->hi, uniform ? 0 : slack[draw(seed, 4)]);
    mpz_add(v->lo, v->lo, v->value);
    mpz_add(v->hi, v->hi, v->value);
    if (t->type == UP_BOOL && mpz_sgn(v->lo) < 0) mpz_set_ui(v->lo, 0);
    if (t->type == UP_BOOL && mpz_cmp_ui(v->hi, 1) > 0) mpz_set_ui(v->hi, 1);
  }
}

bool cc_somewhere_stays(const pf_instance *i, uint32_t points, pf_id last) {
  pf_point at;
  uint64_t seed = 1;
  bool ok = cc_point_new(i, &at), found = false;
  for (uint32_t k = 0; ok && k < points && !found; k++) {
    draw_point(&seed, k < points / 2, false, i, &at);
    found = cc_stays(i, &at, last);
  }
  pf_point_clear(&at);
  return found;
}

bool cc_try_points(const pf_instance *i, uint32_t points,
                   bool (*accept)(const pf_point *at, void *arg), void *arg, cc_search *out) {
  pf_point at;
  uint64_t seed = 1;
  bool with_doubles = instance_uses_doubles(i), ok = cc_point_new(i, &at);
  *out = (cc_search){0};
  for (uint32_t k = 0; ok && k < points && out->failure.n == 0; k++) {
    draw_point(&seed, k < points / 2, with_doubles, i, &at);
    at.loose = k % 4 >= 2;
    cc_result r = cc_run(i, &at, k % 2 == 0);
    if (r == CC_NO_MEMORY) ok = false;
    if (r == CC_HOLDS || r == CC_FAILS) {
      if (out->premise.n == 0) ok = cc_point_copy(&out->premise, &at);
      if (ok && r == CC_FAILS && (!accept || accept(&at, arg)))
        ok = cc_point_copy(&out->failure, &at);
    }
  }
  pf_point_clear(&at);
  if (!ok) {
    pf_point_clear(&out->premise);
    pf_point_clear(&out->failure);
  }
  return ok;
}
