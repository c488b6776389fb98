/* Large boxes by compiled code. */
#include "jit.h"

#include "box.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LLVM's time grows faster than the program. */
#define MAX_INSTRUCTIONS 2000u

/* Blocks of so many lanes are long enough for one value of axis[inner] each: what depends on it and on
 * no row is then computed once a block. */
#define ONE_STEP 64u

#ifndef UPROOF_LLVM_LIBRARY
bool jit_compile(const jit_plan *plan, jit_code *out, char *why) {
  (void)plan;
  (void)out;
  snprintf(why, JIT_WHY, "built without LLVM");
  return false;
}
void jit_free(jit_code *c) { (void)c; }
const char *or_jit_version(void) { return NULL; }
#else
const char *or_jit_version(void) { return UPROOF_LLVM_VERSION; }
#endif

/* What the compiled code reads, in lanes of `width` bytes. */
typedef struct lanes {
  bx_box *box;
  uint32_t width, steps, length;
  uint32_t *row; /* by variable */
  unsigned char *rows, *value;
  jit_code code;
} lanes;

static void store(const lanes *l, unsigned char *at, uint64_t i, or_i128 v) {
  at += i * l->width;
  if (l->width == 4)
    *(int32_t *)(void *)at = (int32_t)v;
  else if (l->width == 8)
    *(int64_t *)(void *)at = (int64_t)v;
  else
    *(or_i128 *)(void *)at = v;
}

/* Row r: lo, lo + 1, ..., lo + size - 1, each `run` times, over and over. */
static void fill_row(const lanes *l, uint32_t r, or_i128 lo, uint64_t size, uint32_t run) {
  for (uint32_t i = 0; i < l->length; i++)
    store(l, l->rows, (uint64_t)r * l->length + i, lo + (or_i128)(i / run % size));
}

/* The lanes that fill up the last vector are the first points of the block once more. */
static bool make_rows(lanes *l) {
  const bx_box *b = l->box;
  const pr_program *p = b->t->p;
  uint32_t points = l->steps * b->period, run = 1, n = b->inner + 1;
  l->length = (points + JIT_LANES - 1) / JIT_LANES * JIT_LANES;
  l->row = malloc((p->nvar + 1) * sizeof *l->row);
  l->rows = aligned_alloc(64, ((size_t)n * l->length * l->width + 63) / 64 * 64);
  l->value = aligned_alloc(64, ((size_t)p->nvar * l->width + 63) / 64 * 64);
  if (!l->row || !l->rows || !l->value) return false;
  for (uint32_t v = 0; v < p->nvar; v++) l->row[v] = BL_NONE;
  for (uint32_t i = 0; i < b->inner; i++) {
    l->row[b->axis[i].var] = i;
    fill_row(l, i, b->axis[i].lo, b->axis[i].size, run);
    run *= (uint32_t)b->axis[i].size;
  }
  if (l->steps > 1) {
    l->row[b->axis[b->inner].var] = b->inner;
    fill_row(l, b->inner, 0, l->steps, b->period);
  }
  return true;
}

/* The first `values` values of axis[inner] are clean: the box goes to the block of lanes that has the
 * next one, and the points before it count. */
static void advance_to(bx_box *b, uint64_t values) {
  bx_axis *x = &b->axis[b->inner];
  x->at = values < x->size ? values / b->steps * b->steps : 0;
  b->t->k->points += (values < x->size ? x->at : x->size) * b->period;
}

/* All values of axis[inner]. Where the last block would be a shorter one, it begins earlier instead, in
 * points that are known to be clean. False: stopped at a failure. */
static bool run_axis(const lanes *l) {
  const bx_axis *x = &l->box->axis[l->box->inner];
  uint64_t whole = x->size / l->steps, clean;
  store(l, l->value, x->var, x->lo);
  clean = l->code.run(l->rows, l->value, whole) * l->steps;
  if (clean == whole * l->steps && clean < x->size) {
    store(l, l->value, x->var, x->lo + (or_i128)(x->size - l->steps));
    if (l->code.run(l->rows, l->value, 1) == 1) clean = x->size;
  }
  advance_to(l->box, clean);
  return clean == x->size;
}

static bool run_box(const lanes *l) {
  bx_box *b = l->box;
  for (uint32_t i = b->inner + 1; i < b->n; i++) store(l, l->value, b->axis[i].var, b->axis[i].lo);
  for (;;) {
    if (!run_axis(l)) return false;
    uint32_t i = b->inner + 1;
    for (; i < b->n; i++) {
      bx_axis *x = &b->axis[i];
      x->at = x->at + 1 < x->size ? x->at + 1 : 0;
      store(l, l->value, x->var, x->lo + (or_i128)x->at);
      if (x->at != 0) break;
    }
    if (i == b->n) return true;
  }
}

static bool worth(const bx_box *b) {
  const or_task *t = b->t;
  uint64_t points = 1, least = t->k->limits.jit_work;
  if (least == 0 || t->k->machine.seen || b->inner == b->n || t->p->n > MAX_INSTRUCTIONS)
    return false;
  for (uint32_t i = 0; i < b->n; i++) points *= b->axis[i].size;
  return points >= least / t->p->n;
}

bool bx_clean(bx_box *b) {
  if (!worth(b)) return false;
  or_jit_stats *stats = &b->t->k->jit;
  lanes l = {.box = b, .width = b->t->k->machine.width};
  const bx_axis *x = &b->axis[b->inner];
  l.steps = b->period >= ONE_STEP ? 1 : x->size < b->steps ? (uint32_t)x->size : b->steps;
  bool clean = false, ok = make_rows(&l);
  if (!ok) snprintf(stats->why, sizeof stats->why, "no memory");
  jit_plan plan = {.p = b->t->p,
                   .claim = b->t->claim,
                   .root_limit = b->t->root_limit,
                   .row = l.row,
                   .base = x->var,
                   .step = l.steps,
                   .length = l.length};
  ok = ok && jit_compile(&plan, &l.code, stats->why);
  if (ok) {
    uint64_t before = b->t->k->points;
    clean = run_box(&l);
    stats->points += b->t->k->points - before;
    jit_free(&l.code);
  }
  stats->compiled += ok;
  stats->failed += !ok;
  free(l.row);
  free(l.rows);
  free(l.value);
  return clean;
}
