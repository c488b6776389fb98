/* Counterexamples in wrap and refine by trying: graphs at points that are likely to fail, judged by
 * the engine and the evaluators alone. It finds what bit-blasting is slow at (division of 64 bits) and
 * what has no bit-vector term (a quotient that is rounded to a double). */
#include "bits.h"
#include "confirm.h"

#include <stdlib.h>

typedef struct sampler {
  const pf_instance *i;
  or_frame frame;
  uint64_t seed;
  pf_point at;
  uint32_t drawn; /* entries of `at` that have a value, one bit each */
} sampler;

static uint32_t draw(sampler *s, uint32_t n) {
  s->seed = s->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(s->seed >> 33) % n;
}

static long near(sampler *s, uint32_t reach) { return (long)draw(s, 2 * reach + 1) - (long)reach; }

static void add_signed(mpz_t v, long d) {
  if (d >= 0)
    mpz_add_ui(v, v, (unsigned long)d);
  else
    mpz_sub_ui(v, v, (unsigned long)-d);
}

/* A value drawn before; 1 when there is none. */
static void earlier(sampler *s, mpz_t out) {
  mpz_set_ui(out, 1);
  for (uint32_t tries = 0; tries < 8; tries++) {
    uint32_t k = draw(s, s->at.n);
    if (!((s->drawn >> k) & 1)) continue;
    mpz_set(out, s->at.p[k].value);
    return;
  }
}

/* Conditions and right sides compute with constants: so do the points. */
static void combination(sampler *s, mpz_t out) {
  mpz_t b;
  mpz_init(b);
  earlier(s, out);
  earlier(s, b);
  switch (draw(s, 5)) {
  case 0: mpz_mul(out, out, b); break;
  case 1: mpz_add(out, out, b); break;
  case 2: mpz_sub(out, out, b); break;
  default:
    if (mpz_sgn(b) != 0) mpz_tdiv_q(out, out, b);
    break;
  }
  mpz_clear(b);
  add_signed(out, near(s, 1));
}

static void bits_of(sampler *s, unsigned bits, mpz_t out) {
  mpz_set_ui(out, 0);
  for (unsigned k = 0; k < bits; k += 16) {
    mpz_mul_2exp(out, out, 16);
    mpz_add_ui(out, out, draw(s, 1u << 16));
  }
  mpz_fdiv_r_2exp(out, out, bits);
}

/* Two's complement of the type. */
static void reduce(fr_type t, mpz_t v) {
  mpz_fdiv_r_2exp(v, v, t.bits);
  if (!t.is_signed || !mpz_tstbit(v, t.bits - 1)) return;
  mpz_t size;
  mpz_init_set_ui(size, 1);
  mpz_mul_2exp(size, size, t.bits);
  mpz_sub(v, v, size);
  mpz_clear(size);
}

static void draw_value(sampler *s, fr_type t, mpz_t out) {
  switch (draw(s, 8)) {
  case 0: mpz_set_si(out, near(s, 3)); break;
  case 1: /* the ends of the dtype */
    or_i128_to_mpz(draw(s, 2) ? fr_min(t) : fr_max(t), out);
    add_signed(out, near(s, 1));
    break;
  case 2:
    mpz_set_si(out, draw(s, 2) ? 1 : -1);
    mpz_mul_2exp(out, out, draw(s, t.bits));
    add_signed(out, near(s, 1));
    break;
  case 3: mpz_set_si(out, near(s, 200)); break;
  case 4: bits_of(s, 1 + draw(s, t.bits), out); break;
  case 5: bits_of(s, t.bits, out); break;
  default: combination(s, out); break;
  }
  reduce(t, out);
}

/* ---- points ----------------------------------------------------------------------------------------- */

static bool is_free(const pf_term *d) {
  return d->kind == PF_ANY || (d->kind == PF_CONST && !d->literal && d->exact == EXPR_NIL);
}

static bool make_entries(sampler *s) {
  const pf_instance *i = s->i;
  s->at.p = calloc(i->nterm + 1, sizeof *s->at.p);
  if (!s->at.p) return false;
  for (unsigned pass = 0; pass < 2; pass++) /* constants first: the others are drawn near them */
    for (pf_id t = 0; t < i->nterm && s->at.n < 32; t++) {
      if (!is_free(&i->term[t]) || (i->term[t].kind == PF_CONST) != (pass == 0)) continue;
      pf_value *v = &s->at.p[s->at.n++];
      v->term = t;
      mpz_inits(v->value, v->lo, v->hi, (mpz_ptr)0);
    }
  return true;
}

/* A range around the value, on one side of 0 as often as not. */
static void draw_bounds(sampler *s, fr_type t, pf_value *v) {
  mpz_t d;
  mpz_init(d);
  bits_of(s, 1 + draw(s, t.bits), d);
  mpz_sub(v->lo, v->value, d);
  bits_of(s, 1 + draw(s, t.bits), d);
  mpz_add(v->hi, v->value, d);
  if (mpz_sgn(v->value) >= 0 && mpz_sgn(v->lo) < 0 && draw(s, 2)) mpz_set_ui(v->lo, 0);
  if (mpz_sgn(v->value) <= 0 && mpz_sgn(v->hi) > 0 && draw(s, 2)) mpz_set_ui(v->hi, 0);
  mpz_clear(d);
  v->has_bounds = true;
}

/* Values of other lanes; as often the same one in all of them. */
static void draw_list(sampler *s, fr_type t, pf_value *v) {
  if (draw(s, 2)) return;
  draw_value(s, t, v->lo);
  draw_value(s, t, v->hi);
  if (mpz_cmp(v->lo, v->hi) > 0) mpz_swap(v->lo, v->hi);
  if (mpz_cmp(v->value, v->lo) < 0) mpz_swap(v->value, v->lo);
  if (mpz_cmp(v->value, v->hi) > 0) mpz_swap(v->value, v->hi);
  v->has_bounds = true;
}

static void draw_point(sampler *s, bool bounds) {
  s->drawn = 0;
  for (uint32_t k = 0; k < s->at.n; k++) {
    pf_value *v = &s->at.p[k];
    const pf_term *d = &s->i->term[v->term];
    fr_type t = {0};
    if (!fr_type_of(up_dt(d->type), &t)) continue;
    v->defined = d->kind == PF_CONST || s->frame != OR_REFINE || draw(s, 8) != 0;
    v->has_bounds = false;
    draw_value(s, t, v->value);
    s->drawn |= UINT32_C(1) << k;
    if (d->list)
      draw_list(s, t, v);
    else if (bounds && v->defined)
      draw_bounds(s, t, v);
  }
}

/* The way in which every name is a variable with these bounds, or of one value. */
static uint32_t way_of(sampler *s, bool bounds) {
  uint32_t way = 0, base = 1;
  for (pf_id t = 0; t <= s->i->left && base < CF_MAX_WAYS; t++) {
    if (s->i->term[t].list) {
      way += base * draw(s, CF_ORDERS);
      base *= CF_ORDERS;
    }
    if (s->i->term[t].kind != PF_ANY) continue;
    bool defined = true;
    for (uint32_t k = 0; k < s->at.n; k++)
      if (s->at.p[k].term == t) defined = s->at.p[k].defined;
    way += base * (uint32_t)(!defined ? CF_DTYPE : bounds ? CF_BOUNDS : CF_POINT);
    base *= CF_WAYS;
  }
  return way;
}

bool bv_each_point(const up_profile *profile, const pf_instance *i, or_frame f, uint32_t tries,
                   bv_visit *visit, void *arg) {
  sampler s = {.i = i, .frame = f, .seed = 1};
  up_ctx *c = up_ctx_new(profile);
  bool reads = i->book->rule[i->rule].reads_bounds || i->right == PF_NIL;
  bool ok = c && make_entries(&s), more = ok;
  for (uint32_t k = 0; k < tries && more; k++) {
    bool bounds = reads && k % 2;
    draw_point(&s, bounds);
    more = visit(c, i, &s.at, way_of(&s, bounds), arg);
  }
  pf_point_clear(&s.at);
  up_ctx_free(c);
  return ok;
}

typedef struct search {
  or_frame frame;
  pf_answer *out;
  bool found, no_memory;
} search;

static bool copy_point(const pf_point *from, pf_point *to) {
  *to = (pf_point){.p = calloc(from->n + 1, sizeof *to->p)};
  if (!to->p) return false;
  for (; to->n < from->n; to->n++) {
    const pf_value *v = &from->p[to->n];
    to->p[to->n] = *v;
    mpz_init_set(to->p[to->n].value, v->value);
    mpz_init_set(to->p[to->n].lo, v->lo);
    mpz_init_set(to->p[to->n].hi, v->hi);
  }
  return true;
}

static bool fails_here(up_ctx *c, const pf_instance *i, const pf_point *at, uint32_t way,
                       void *arg) {
  search *s = arg;
  up_buf line = {0};
  s->found = cf_try(c, i, at, s->frame, way, &line) == CF_CONFIRMED;
  if (!s->found) {
    up_buf_free(&line);
    return true;
  }
  *s->out = pf_answer_of(PF_REFUTED, "points", NULL);
  s->out->counterexample = line;
  s->no_memory = !copy_point(at, &s->out->point);
  return false;
}

bool bv_try_points(const pf_instance *i, or_frame f, uint32_t tries, pf_answer *out) {
  search s = {.frame = f, .out = out};
  if (!bv_each_point(i->book->bounds.profile, i, f, tries, fails_here, &s)) s.no_memory = true;
  if (s.no_memory) *out = pf_answer_of(PF_ERROR, "points", "no memory");
  return s.found || s.no_memory;
}
