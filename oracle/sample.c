/* Sampled evaluation: corners, 0, +-1, range ends, numbers near the graph's constants, random
 * points.
 *
 * The same program and seed give the same points in every build.
 */
#include "checker.h"

#include <assert.h>
#include <stdlib.h>

#define MAX_CONSTS 16u
#define MAX_CORNERS 32u
#define AXIS_POINTS 7u /* a variable */
#define MAX_AXIS 128u
/* The slow way, without lanes: a point takes as long as a block. When the numbers are that long, a few
 * points take all time. */
#define SLOW_POINTS 64u
#define SLOW_LIMBS (UINT64_C(1) << 14)

typedef struct sampler {
  const or_task *t;
  uint64_t state;
  or_i128 constant[MAX_CONSTS];
  uint32_t nconst;
  uint32_t npoint, cap; /* points of the current block */
  or_i128 *point;       /* cap points of nvar values */
  bool slow;            /* no lanes: one point at a time through the reference evaluator */
  uint32_t left;        /* points that may still be tried; the slow way is bounded */
  uint64_t limbs;       /* and ends at so many of the checker's */
  or_points seen;       /* of the slow way, from point to point */
  or_witness *w;
  uint32_t *root;
} sampler;

/* splitmix64 */
static uint64_t next(sampler *s) {
  uint64_t z = s->state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static or_i128 clamp(pr_range d, or_i128 v) { return v < d.lo ? d.lo : v > d.hi ? d.hi : v; }

static or_i128 uniform(sampler *s, pr_range d) {
  or_u128 size = (or_u128)(d.hi - d.lo) + 1;
  or_u128 r = ((or_u128)next(s) << 64) | next(s);
  return d.lo + (or_i128)(r % size);
}

/* A multiple of one of the graph's constants, or next to one: where divisions step. */
static or_i128 near_constant(sampler *s, pr_range d) {
  if (s->nconst == 0) return uniform(s, d);
  or_i128 k = s->constant[next(s) % s->nconst], off = (or_i128)(next(s) % 3) - 1;
  if (k == 0 || next(s) % 2) return clamp(d, k + off);
  or_i128 u = uniform(s, d);
  return clamp(d, u - u % k + off);
}

static or_i128 special(sampler *s, pr_range d) {
  switch (next(s) % 10) {
  case 0: return d.lo;
  case 1: return d.hi;
  case 2: return clamp(d, d.lo + 1);
  case 3: return clamp(d, d.hi - 1);
  case 4: return clamp(d, 0);
  case 5: return clamp(d, (or_i128)(next(s) % 3) - 1);
  case 6: return clamp(d, (or_i128)(next(s) % 33) - 16);
  default: return near_constant(s, d);
  }
}

static void collect_constants(sampler *s) {
  const pr_program *p = s->t->p;
  for (uint32_t i = 0; i < p->n && s->nconst < MAX_CONSTS; i++) {
    const pr_ins *d = &p->ins[i];
    if (d->op == UP_CONST && !d->type.is_bool && !(d->flags & PR_HUGE) &&
        or_i128_bits(d->number) < 100)
      s->constant[s->nconst++] = d->number;
  }
}

/* ---- running --------------------------------------------------------------------------------- */

/* Into *w, which is made by the first point that asks for it. */
static or_found make_witness(const sampler *s, uint32_t at) {
  const pr_program *p = s->t->p;
  if (s->w->n == 0 && !pr_witness_init(p, s->w)) return OR_BROKEN;
  for (uint32_t v = 0; v < p->nvar; v++)
    or_i128_to_mpz(s->point[(size_t)at * p->nvar + v], s->w->value[v]);
  return OR_FOUND;
}

static or_found run_slow(sampler *s) {
  or_found f = make_witness(s, 0);
  if (f == OR_BROKEN) return f;
  f = or_refute_next(s->t, s->w, &s->seen, s->root);
  if (s->t->k->limbs > s->limbs) s->left = 0;
  return f;
}

static or_found run_block(sampler *s) {
  const pr_program *p = s->t->p;
  bl_machine *m = &s->t->k->machine;
  for (uint32_t v = 0; v < p->nvar; v++) {
    for (uint32_t i = 0; i < s->npoint; i++)
      bl_fill(m, v, i, 1, s->point[(size_t)i * p->nvar + v], 1);
  }
  bl_failure f = bl_run(m, s->npoint);
  if (f.root == BL_NONE) return OR_CLEAN;
  *s->root = f.root;
  return make_witness(s, f.lane);
}

static or_found flush(sampler *s) {
  if (s->npoint == 0) return OR_CLEAN;
  s->t->k->points += s->npoint;
  or_found f = s->slow ? run_slow(s) : run_block(s);
  s->npoint = 0;
  return f;
}

/* The point at s->point[npoint] is complete. */
static or_found push(sampler *s) {
  if (s->left == 0) return OR_CLEAN;
  s->left--;
  return ++s->npoint == s->cap ? flush(s) : OR_CLEAN;
}

static or_i128 *current(sampler *s) { return s->point + (size_t)s->npoint * s->t->p->nvar; }

/* ---- points ---------------------------------------------------------------------------------- */

static uint32_t corner_count(const pr_program *p) {
  return p->nvar <= 5 ? 1u << p->nvar : MAX_CORNERS;
}

static or_found corners(sampler *s) {
  const pr_program *p = s->t->p;
  bool all = p->nvar <= 5;
  uint32_t n = corner_count(p);
  or_found f = OR_CLEAN;
  for (uint32_t i = 0; i < n && f == OR_CLEAN; i++) {
    uint64_t pick = i;
    for (uint32_t v = 0; v < p->nvar; v++) {
      if (!all && v % 64 == 0) pick = i == 0 ? 0 : i == 1 ? UINT64_MAX : next(s);
      current(s)[v] = pick >> (v % 64) & 1 ? p->var[v].domain.hi : p->var[v].domain.lo;
    }
    f = push(s);
  }
  return f;
}

/* Each special value of each variable, the others anywhere. */
static or_found axes(sampler *s) {
  const pr_program *p = s->t->p;
  or_found f = OR_CLEAN;
  uint32_t n = 0;
  for (uint32_t v = 0; v < p->nvar; v++) {
    pr_range d = p->var[v].domain;
    or_i128 value[AXIS_POINTS] = {0, 1, -1, d.lo + 1, d.hi - 1, d.lo + (d.hi - d.lo) / 2, d.hi};
    for (unsigned i = 0; i < AXIS_POINTS && n < MAX_AXIS && f == OR_CLEAN; i++, n++) {
      for (uint32_t o = 0; o < p->nvar; o++) current(s)[o] = special(s, p->var[o].domain);
      current(s)[v] = clamp(d, value[i]);
      f = push(s);
    }
  }
  return f;
}

static or_found random_points(sampler *s, uint32_t n) {
  const pr_program *p = s->t->p;
  or_found f = OR_CLEAN;
  for (uint32_t i = 0; i < n && f == OR_CLEAN; i++) {
    for (uint32_t v = 0; v < p->nvar; v++) {
      pr_range d = p->var[v].domain;
      current(s)[v] = i % 2 == 0 ? uniform(s, d) : special(s, d);
    }
    f = push(s);
  }
  return f;
}

/* Corners, axes and random points together, at most. */
static uint64_t point_count(const or_task *t) {
  uint64_t n = corner_count(t->p), axis = (uint64_t)t->p->nvar * AXIS_POINTS;
  return t->p->nvar == 0 ? n : n + (axis < MAX_AXIS ? axis : MAX_AXIS) + t->k->limits.samples;
}

or_found or_sample(const or_task *t, or_witness *w, uint32_t *root) {
  assert(!t->p->vacuous);
  sampler s = {.t = t, .state = t->k->limits.seed, .w = w, .root = root};
  *w = (or_witness){0};
  bl_status b = bl_prepare(&t->k->machine, t->p, t->claim, point_count(t));
  if (b == BL_NO_MEMORY) return OR_BROKEN;
  s.slow = b == BL_TOO_WIDE;
  if (s.slow && t->k->machine.seen) return OR_CLEAN; /* ranges are made of lanes alone */
  s.cap = s.slow ? 1 : t->k->machine.lanes;
  uint32_t slow = t->k->limits.wide_points < SLOW_POINTS ? t->k->limits.wide_points : SLOW_POINTS;
  s.left = s.slow ? slow : UINT32_MAX;
  s.limbs = t->k->limbs + SLOW_LIMBS;
  if (!s.slow) t->k->machine.root_limit = t->root_limit;
  s.point = malloc(((size_t)s.cap * t->p->nvar + 1) * sizeof *s.point);
  if (!s.point) return OR_BROKEN;
  collect_constants(&s);
  or_found f = corners(&s);
  if (f == OR_CLEAN && t->p->nvar > 0) f = axes(&s);
  if (f == OR_CLEAN && t->p->nvar > 0) f = random_points(&s, t->k->limits.samples);
  if (f == OR_CLEAN) f = flush(&s);
  if (f != OR_FOUND) or_witness_clear(w);
  or_points_clear(&s.seen);
  free(s.point);
  return f;
}
