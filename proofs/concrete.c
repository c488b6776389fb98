/* Instances at a point: terms. */
#include "concrete_eval.h"

#include <stdlib.h>

/* ---- terms: oracle/frame.h, column ideal --------------------------------------------------------------- */

static void shift(cc_state *s, up_op op, mpz_t out, const mpz_t a, const mpz_t k) {
  if (mpz_cmp_ui(k, CC_MAX_BITS) > 0) {
    s->too_large = true;
    return;
  }
  if (op == UP_SHL)
    mpz_mul_2exp(out, a, mpz_get_ui(k));
  else
    mpz_fdiv_q_2exp(out, a, mpz_get_ui(k));
}

/* Wraps to the dtype. */
static void reduce(enum up_scalar type, mpz_t v) {
  fr_type y;
  if (!fr_type_of(up_dt(type), &y)) return;
  if (y.is_bool) {
    mpz_set_ui(v, mpz_sgn(v) != 0);
    return;
  }
  mpz_fdiv_r_2exp(v, v, y.bits);
  if (!y.is_signed || !mpz_tstbit(v, y.bits - 1)) return;
  mpz_t size;
  mpz_init_set_ui(size, 1);
  mpz_mul_2exp(size, size, y.bits);
  mpz_sub(v, v, size);
  mpz_clear(size);
}

static void exact(cc_state *s, const pf_term *p, mpz_t out) {
  const mpz_t *v = s->value;
  const pf_id *k = p->kid;
  switch (p->op) {
  case UP_ADD: mpz_add(out, v[k[0]], v[k[1]]); return;
  case UP_SUB: mpz_sub(out, v[k[0]], v[k[1]]); return;
  case UP_MUL: mpz_mul(out, v[k[0]], v[k[1]]); return;
  case UP_NEG: mpz_neg(out, v[k[0]]); return;
  case UP_MAX: mpz_set(out, mpz_cmp(v[k[0]], v[k[1]]) < 0 ? v[k[1]] : v[k[0]]); return;
  case UP_MULACC:
    mpz_mul(out, v[k[0]], v[k[1]]);
    mpz_add(out, out, v[k[2]]);
    return;
  case UP_IDIV: mpz_tdiv_q(out, v[k[0]], v[k[1]]); return;
  case UP_MOD: mpz_tdiv_r(out, v[k[0]], v[k[1]]); return;
  case UP_FLOORDIV: mpz_fdiv_q(out, v[k[0]], v[k[1]]); return;
  case UP_FLOORMOD: mpz_fdiv_r(out, v[k[0]], v[k[1]]); return;
  case UP_SHL:
  case UP_SHR: shift(s, p->op, out, v[k[0]], v[k[1]]); return;
  case UP_AND: mpz_and(out, v[k[0]], v[k[1]]); return;
  case UP_OR: mpz_ior(out, v[k[0]], v[k[1]]); return;
  case UP_XOR: mpz_xor(out, v[k[0]], v[k[1]]); return;
  case UP_CMPLT: mpz_set_ui(out, mpz_cmp(v[k[0]], v[k[1]]) < 0); return;
  case UP_CMPNE: mpz_set_ui(out, mpz_cmp(v[k[0]], v[k[1]]) != 0); return;
  case UP_CMPEQ: mpz_set_ui(out, mpz_cmp(v[k[0]], v[k[1]]) == 0); return;
  case UP_WHERE: mpz_set(out, v[mpz_sgn(v[k[0]]) != 0 ? k[1] : k[2]]); return;
  default: mpz_set(out, v[k[0]]); return; /* TRUNC CAST BITCAST BIND VECTORIZE */
  }
}

static bool is_defined(const cc_state *s, const pf_term *p) {
  const pf_id *k = p->kid;
  if (p->op == UP_WHERE)
    return s->defined[k[0]] && s->defined[mpz_sgn(s->value[k[0]]) != 0 ? k[1] : k[2]];
  for (uint32_t n = 0; n < p->nkid; n++)
    if (!s->defined[k[n]]) return false;
  if (up_op_divides(p->op)) return mpz_sgn(s->value[k[1]]) != 0;
  if (p->op == UP_SHL || p->op == UP_SHR) return mpz_sgn(s->value[k[1]]) >= 0;
  return true;
}

static void op_term(cc_state *s, pf_id t) {
  const pf_term *p = &s->i->term[t];
  if (p->op == UP_RANGE) { /* its value is in the point; it must be below the end */
    s->defined[t] = s->defined[p->kid[0]];
    if (!s->defined[t] || mpz_sgn(s->value[t]) < 0 ||
        mpz_cmp(s->value[t], s->value[p->kid[0]]) >= 0)
      s->no_premise = true;
    return;
  }
  s->defined[t] = is_defined(s, p);
  if (!s->defined[t]) return;
  exact(s, p, s->value[t]);
  if (p->op == UP_CAST || p->op == UP_BITCAST || p->type == UP_BOOL) reduce(p->type, s->value[t]);
  if (mpz_sizeinbase(s->value[t], 2) > CC_MAX_BITS) s->too_large = true;
}

static void one_term(cc_state *s, pf_id t) {
  const pf_term *p = &s->i->term[t];
  if (p->kind == PF_OP) {
    op_term(s, t);
  } else if (p->kind == PF_CONST) {
    s->defined[t] = true;
    if (p->literal) mpz_set_si(s->value[t], p->number);
    if (p->exact != EXPR_NIL) {
      s->by_lane = true;
      cc_expr(s, p->exact, s->value[t]);
      s->by_lane = false;
    }
    if (p->type == UP_BOOL) reduce(UP_BOOL, s->value[t]);
  }
  if (p->kind == PF_ANY && p->type == UP_BOOL) reduce(UP_BOOL, s->value[t]);
}

/* ---- the obligation ----------------------------------------------------------------------------------- */

static cc_result stopped(const cc_state *s) {
  return s->too_large ? CC_TOO_LARGE : s->no_premise ? CC_NO_PREMISE : CC_HOLDS;
}

/* Can the op take its sources' values as they are now? */
static bool has_value(const cc_state *s, const pf_term *p) {
  const mpz_t *b = p->nkid > 1 ? (const mpz_t *)&s->value[p->kid[1]] : NULL;
  if (up_op_divides(p->op)) return mpz_sgn(*b) != 0;
  if (p->op == UP_SHL || p->op == UP_SHR) return mpz_sgn(*b) >= 0 && mpz_cmp_ui(*b, 64) < 0;
  return p->op != UP_RANGE;
}

static void stretch(cc_state *s, pf_id t, const mpz_t v) {
  if (mpz_cmp(v, s->lo[t]) < 0) mpz_set(s->lo[t], v);
  if (mpz_cmp(v, s->hi[t]) > 0) mpz_set(s->hi[t], v);
}

/* From the least to the greatest result at the corners of the sources' bounds: what an analysis says
 * that looks at these alone. */
static void bounds_by_corners(cc_state *s, pf_id t) {
  const pf_term *p = &s->i->term[t];
  mpz_t was[3], v;
  mpz_init(v);
  for (uint32_t k = 0; k < p->nkid; k++) mpz_init_set(was[k], s->value[p->kid[k]]);
  for (uint32_t corner = 0; corner < 1u << p->nkid; corner++) {
    for (uint32_t k = 0; k < p->nkid; k++)
      mpz_set(s->value[p->kid[k]], corner >> k & 1 ? s->hi[p->kid[k]] : s->lo[p->kid[k]]);
    if (!has_value(s, p)) continue;
    exact(s, p, v);
    if (p->op == UP_CAST || p->op == UP_BITCAST || p->type == UP_BOOL) reduce(p->type, v);
    stretch(s, t, v);
  }
  for (uint32_t k = 0; k < p->nkid; k++) {
    mpz_set(s->value[p->kid[k]], was[k]);
    mpz_clear(was[k]);
  }
  mpz_clear(v);
}

/* Where the point has no bounds, they are tight or those of an analysis; else lo <= value <= hi must
 * hold. */
static void check_facts(cc_state *s, pf_id t) {
  const pf_term *p = &s->i->term[t];
  if (!s->given[t] || (p->kind == PF_CONST && !p->list)) {
    mpz_set(s->lo[t], s->value[t]);
    mpz_set(s->hi[t], s->value[t]);
    if (s->loose && p->kind == PF_OP) bounds_by_corners(s, t);
    return;
  }
  if (p->type == UP_BOOL && mpz_sgn(s->lo[t]) < 0) s->no_premise = true;
  if (p->list && p->type == UP_BOOL && mpz_cmp_ui(s->hi[t], 1) > 0) s->no_premise = true;
  if (s->defined[t] && (mpz_cmp(s->lo[t], s->value[t]) > 0 || mpz_cmp(s->hi[t], s->value[t]) < 0))
    s->no_premise = true;
}

static cc_result conclusion(cc_state *s) {
  const pf_instance *i = s->i;
  if (i->to_scalar) return CC_FAILS;
  if (i->right != PF_NIL)
    return s->defined[i->right] && mpz_cmp(s->value[i->right], s->value[i->left]) == 0 ? CC_HOLDS
                                                                                       : CC_FAILS;
  mpz_t lo, hi;
  mpz_inits(lo, hi, (mpz_ptr)0);
  cc_expr(s, i->lo, lo);
  cc_expr(s, i->hi, hi);
  bool holds = mpz_cmp(lo, s->value[i->left]) <= 0 && mpz_cmp(hi, s->value[i->left]) >= 0;
  if (i->term[i->left].type == UP_BOOL && mpz_sgn(lo) < 0) holds = false;
  mpz_clears(lo, hi, (mpz_ptr)0);
  if (s->too_large || s->no_premise) return stopped(s);
  return holds ? CC_HOLDS : CC_FAILS;
}

static cc_result run(cc_state *s) {
  const pf_instance *i = s->i;
  mpz_t truth;
  /* terms of the left side first: conditions and constants of the right side look at them */
  for (pf_id t = 0; t < i->nterm && !s->too_large; t++) {
    if (t == i->left + 1) {
      if (!s->defined[i->left] || s->no_premise) return CC_NO_PREMISE;
      for (pf_id k = 0; k <= i->left; k++) check_facts(s, k);
      if (s->no_premise) return CC_NO_PREMISE;
    }
    one_term(s, t);
  }
  if (i->left + 1 == i->nterm) {
    if (!s->too_large && !s->defined[i->left]) return CC_NO_PREMISE;
    for (pf_id k = 0; k <= i->left; k++) check_facts(s, k);
  }
  if (s->too_large || s->no_premise) return stopped(s);
  if (i->when != EXPR_NIL) {
    mpz_init(truth);
    cc_expr(s, i->when, truth);
    if (mpz_sgn(truth) == 0) s->no_premise = true;
    mpz_clear(truth);
  }
  if (s->too_large || s->no_premise) return stopped(s);
  return conclusion(s);
}

static bool open_state(cc_state *s, const pf_instance *i, const pf_point *at) {
  *s = (cc_state){.i = i, .loose = at->loose};
  s->value = malloc(3 * i->nterm * sizeof *s->value);
  s->defined = calloc(2 * i->nterm, sizeof *s->defined);
  if (!s->value || !s->defined) {
    free(s->value);
    free(s->defined);
    return false;
  }
  s->lo = s->value + i->nterm;
  s->hi = s->lo + i->nterm;
  s->given = s->defined + i->nterm;
  for (uint32_t k = 0; k < 3 * i->nterm; k++) mpz_init(s->value[k]);
  for (uint32_t k = 0; k < at->n; k++) {
    const pf_value *v = &at->p[k];
    mpz_set(s->value[v->term], v->value);
    s->defined[v->term] = v->defined;
    s->given[v->term] = v->has_bounds;
    mpz_set(s->lo[v->term], v->lo);
    mpz_set(s->hi[v->term], v->hi);
  }
  return true;
}

static void close_state(cc_state *s) {
  for (uint32_t k = 0; k < 3 * s->i->nterm; k++) mpz_clear(s->value[k]);
  free(s->value);
  free(s->defined);
}

cc_result cc_run(const pf_instance *i, const pf_point *at, bool truth) {
  cc_state s;
  if (!open_state(&s, i, at)) return CC_NO_MEMORY;
  s.truth = truth;
  cc_result r = run(&s);
  close_state(&s);
  return r;
}

bool cc_claim(const pf_instance *i, const pf_point *at, mpz_t value, mpz_t lo, mpz_t hi) {
  cc_state s;
  if (!open_state(&s, i, at)) return false;
  cc_result r = run(&s);
  bool holds = r == CC_HOLDS || r == CC_FAILS;
  if (holds) {
    mpz_set(value, s.value[i->left]);
    cc_expr(&s, i->lo, lo);
    cc_expr(&s, i->hi, hi);
  }
  close_state(&s);
  return holds;
}

/* ---- in range ------------------------------------------------------------------------------------------ */

static bool inside(enum up_scalar type, const mpz_t v) {
  fr_type y;
  or_i128 n;
  return fr_type_of(up_dt(type), &y) && or_i128_from_mpz(v, &n) && fr_min(y) <= n && n <= fr_max(y);
}

static bool term_stays(const cc_state *s, pf_id t) {
  const pf_term *p = &s->i->term[t];
  fr_type y;
  if (!s->defined[t] || !inside(p->type, s->value[t])) return false;
  if (p->kind != PF_OP || (p->op != UP_SHL && p->op != UP_SHR)) return true;
  return fr_type_of(up_dt(p->type), &y) && mpz_cmp_ui(s->value[p->kid[1]], y.bits) < 0;
}

bool cc_stays(const pf_instance *i, const pf_point *at, pf_id last) {
  cc_state s;
  if (!open_state(&s, i, at)) return false;
  s.truth = true;
  cc_result r = run(&s);
  bool stays = r == CC_HOLDS || r == CC_FAILS;
  for (pf_id t = 0; stays && t <= last; t++) stays = term_stays(&s, t);
  close_state(&s);
  return stays;
}
