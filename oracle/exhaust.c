/* Every point of the box, in blocks.
 *
 * Variables are ordered by the size of their range, and the first ones, as long as the product of
 * their sizes fits in a block, are filled once. The next one runs through a block in steps; the
 * rest count like an odometer, one step a block.
 */
#include "checker.h"

#include <assert.h>
#include <stdlib.h>

/* Boxes up to this size are done by the reference evaluator when there are no lanes. */
#define SLOW_POINTS 4096u

typedef struct axis {
  uint32_t var;
  or_i128 lo;
  uint64_t size, at; /* at: offset of the current value (inside: of the block's first lane) */
} axis;

typedef struct box {
  const or_task *t;
  axis *axis;
  uint32_t n, inner; /* axes before `inner` are filled once */
  uint32_t period;   /* product of their sizes */
  uint32_t steps;    /* values of axis[inner] in a block */
} box;

static int by_size(const void *a, const void *b) {
  const axis *x = a, *y = b;
  if (x->size != y->size) return x->size < y->size ? -1 : 1;
  return x->var < y->var ? -1 : x->var > y->var;
}

static bool make_axes(box *b) {
  const pr_program *p = b->t->p;
  b->n = p->nvar;
  b->axis = calloc(b->n + 1, sizeof *b->axis);
  if (!b->axis) return false;
  for (uint32_t v = 0; v < p->nvar; v++) {
    pr_range d = p->var[v].domain;
    b->axis[v] = (axis){v, d.lo, (uint64_t)(d.hi - d.lo + 1), 0};
  }
  qsort(b->axis, b->n, sizeof *b->axis, by_size);
  return true;
}

/* Fills the axes that are the same in every block. */
static void fill_inner(box *b) {
  bl_machine *m = &b->t->k->machine;
  b->period = 1;
  for (b->inner = 0; b->inner < b->n; b->inner++) {
    axis *x = &b->axis[b->inner];
    if (x->size > m->lanes / b->period) break;
    uint32_t whole = b->period * (uint32_t)x->size;
    for (uint32_t at = 0; at < m->lanes; at += whole) {
      uint32_t count = m->lanes - at < whole ? m->lanes - at : whole;
      bl_fill(m, x->var, at, count, x->lo, b->period);
    }
    b->period = whole;
  }
  b->steps = m->lanes / b->period;
}

static void fill_outer(box *b, uint32_t i) {
  bl_machine *m = &b->t->k->machine;
  bl_fill(m, b->axis[i].var, 0, m->lanes, b->axis[i].lo + (or_i128)b->axis[i].at, m->lanes);
}

/* To the next block: false when the box is done. Refills what changes. */
static bool advance(box *b) {
  for (uint32_t i = b->inner; i < b->n; i++) {
    axis *x = &b->axis[i];
    uint64_t step = i == b->inner ? b->steps : 1;
    x->at = x->size - x->at > step ? x->at + step : 0;
    if (i > b->inner) fill_outer(b, i);
    if (x->at != 0) return true;
  }
  return false;
}

static uint32_t lanes_now(box *b) {
  bl_machine *m = &b->t->k->machine;
  if (b->inner == b->n) return b->period;
  axis *x = &b->axis[b->inner];
  uint64_t left = x->size - x->at;
  uint32_t steps = left < b->steps ? (uint32_t)left : b->steps;
  bl_fill(m, x->var, 0, steps * b->period, x->lo + (or_i128)x->at, b->period);
  return steps * b->period;
}

static bool make_witness(const box *b, uint32_t lane, or_witness *w) {
  if (!pr_witness_init(b->t->p, w)) return false;
  uint32_t stride = 1;
  for (uint32_t i = 0; i < b->n; i++) {
    const axis *x = &b->axis[i];
    uint64_t at = x->at;
    if (i < b->inner) {
      at = lane / stride % x->size;
      stride *= (uint32_t)x->size;
    } else if (i == b->inner) {
      at += lane / b->period;
    }
    or_i128_to_mpz(x->lo + (or_i128)at, w->value[x->var]);
  }
  return true;
}

/* Goes on after a failure, to find a lesser root; stops when there is none. */
static or_found run_blocks(box *b, or_witness *w, uint32_t *root) {
  bl_machine *m = &b->t->k->machine;
  or_found found = OR_CLEAN;
  do {
    uint32_t n = lanes_now(b);
    bl_failure f = bl_run(m, n);
    b->t->k->points += n;
    if (f.root == BL_NONE) continue;
    if (found == OR_FOUND) or_witness_clear(w);
    if (!make_witness(b, f.lane, w)) return OR_BROKEN;
    found = OR_FOUND;
    *root = m->root_limit = f.root;
    /* where roots are pairs, one failure is as good as another */
  } while (m->root_limit > 0 && !(found == OR_FOUND && !b->t->claim) && advance(b));
  return found;
}

static or_found run_lanes(const or_task *t, or_witness *w, uint32_t *root) {
  box b = {.t = t};
  if (!make_axes(&b)) return OR_BROKEN;
  t->k->machine.root_limit = t->root_limit;
  fill_inner(&b);
  for (uint32_t i = b.inner + 1; i < b.n; i++) fill_outer(&b, i);
  or_found f = run_blocks(&b, w, root);
  free(b.axis);
  return f;
}

/* The slow way, point by point. */
static bool next_point(const pr_program *p, or_witness *w) {
  for (uint32_t v = 0; v < p->nvar; v++) {
    or_i128 now = 0;
    or_i128_from_mpz(w->value[v], &now);
    if (now < p->var[v].domain.hi) {
      mpz_add_ui(w->value[v], w->value[v], 1);
      return true;
    }
    or_i128_to_mpz(p->var[v].domain.lo, w->value[v]);
  }
  return false;
}

static or_found run_slow(const or_task *task, or_witness *w, uint32_t *root) {
  or_task t = *task;
  or_witness at;
  if (!pr_witness_init(t.p, &at)) return OR_BROKEN;
  for (uint32_t v = 0; v < t.p->nvar; v++) or_i128_to_mpz(t.p->var[v].domain.lo, at.value[v]);
  or_found found = OR_CLEAN;
  do {
    or_found f = or_refute(&t, &at, root, NULL, NULL);
    t.k->points++;
    if (f == OR_CLEAN) continue;
    if (found == OR_FOUND) or_witness_clear(w);
    found = f == OR_FOUND && or_witness_copy(w, &at) ? OR_FOUND : f == OR_FOUND ? OR_BROKEN : f;
    if (found != OR_FOUND || !t.claim) break;
    t.root_limit = *root;
  } while (t.root_limit > 0 && next_point(t.p, &at));
  or_witness_clear(&at);
  return found;
}

or_found or_exhaust(const or_task *t, uint64_t most, or_witness *w, uint32_t *root) {
  assert(!t->p->vacuous);
  uint64_t points = pr_points(t->p);
  if (points > most) return OR_SKIPPED;
  bl_status s = bl_prepare(&t->k->machine, t->p, t->claim);
  if (s == BL_NO_MEMORY) return OR_BROKEN;
  if (s == BL_OK) return run_lanes(t, w, root);
  return points <= SLOW_POINTS && !t->k->machine.seen ? run_slow(t, w, root) : OR_SKIPPED;
}
