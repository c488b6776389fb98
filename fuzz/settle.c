/* A search of a few dozen steps: a number takes another value, which is kept when the rule is no further
 * from applying than before, or slides as long as the rule gets nearer. Then one number is moved on, by doubled steps and halved ones, as far
 * as the condition lets it. */
#include "fuzz/settle.h"

#include <math.h>

#define KNOBS 24u
#define NUMBERS 12u
#define TRIES 32u
#define FARTHEST 14u /* steps are doubled so often */

/* A number of the graph. */
typedef enum knob_part { CONSTANT, LOW, HIGH } knob_part;
typedef struct knob {
  up_node n; /* a constant, or a variable's */
  knob_part part;
} knob;

typedef struct settler {
  up_ctx *c;
  fz_rng *rng;
  uint32_t rule;
  up_node root;
  up_list topo;
  knob knob[KNOBS];
  uint32_t nknob;
  int64_t number[NUMBERS]; /* that the rule's text names */
  uint32_t nnumber;
  double distance; /* of the rule from the root */
} settler;

static uint32_t pick(settler *s, uint32_t n) { return (uint32_t)(fz_next(s->rng) >> 33) % n; }

static bool fine(const settler *s) { return up_ctx_status(s->c) == UP_OK; }

/* ---- numbers of a graph ---------------------------------------------------------------------- */

static void add_knob(settler *s, up_node n, knob_part part) {
  if (s->nknob < KNOBS) s->knob[s->nknob++] = (knob){.n = n, .part = part};
}

/* Of a new root. */
static void collect(settler *s, up_node root, double distance) {
  char name[64];
  up_int lo, hi;
  s->root = root;
  s->distance = distance;
  s->nknob = 0;
  if (!up_toposort(s->c, root, &s->topo)) return;
  for (uint32_t i = 0; i < s->topo.n; i++) {
    up_node n = s->topo.p[i];
    up_dtype dt = up_dtype_of(s->c, n);
    if (!up_dt_is_int(dt) && !up_dt_is_bool(dt)) continue;
    if (up_is_const_int(s->c, n, &lo)) add_knob(s, n, CONSTANT);
    if (up_op_of(s->c, n) != UP_DEFINE_VAR || !up_var_domain(s->c, n, name, &lo, &hi)) continue;
    add_knob(s, n, LOW);
    add_knob(s, n, HIGH);
  }
}

static up_int value_of(settler *s, const knob *k) {
  char name[64];
  up_int lo = up_int_of(0), hi = lo;
  if (k->part == CONSTANT)
    up_is_const_int(s->c, k->n, &lo);
  else
    up_var_domain(s->c, k->n, name, &lo, &hi);
  return k->part == HIGH ? hi : lo;
}

static up_int clamped(settler *s, up_int v, up_int lo, up_int hi) {
  if (up_int_cmp(s->c, v, lo) < 0) return lo;
  return up_int_cmp(s->c, v, hi) > 0 ? hi : v;
}

/* The root with another value of the knob; a range's other end gives way. */
static up_node turned(settler *s, const knob *k, up_int v) {
  up_dtype dt = up_dtype_of(s->c, k->n);
  char name[64];
  up_int lo, hi;
  v = clamped(s, v, up_dt_min(s->c, dt), up_dt_max(s->c, dt));
  up_node to;
  if (k->part == CONSTANT) {
    to = up_const_like(s->c, k->n, v);
  } else {
    up_var_domain(s->c, k->n, name, &lo, &hi);
    if (k->part == LOW || up_int_cmp(s->c, v, lo) < 0) lo = v;
    if (k->part == HIGH || up_int_cmp(s->c, v, hi) > 0) hi = v;
    to = up_var(s->c, name, lo, hi, dt);
  }
  return up_substitute(s->c, s->root, &k->n, &to, 1);
}

/* ---- the search ------------------------------------------------------------------------------ */

static up_int some_end(settler *s) {
  up_node n = s->topo.p[pick(s, s->topo.n)];
  up_bounds b = up_minmax(s->c, n);
  if (!fine(s) || b.lo.is_float || b.hi.is_float) {
    up_ctx_clear_status(s->c);
    return up_int_of(0);
  }
  return pick(s, 2) ? b.lo.i : b.hi.i;
}

/* Most conditions compare numbers of a graph with each other, with what nodes are claimed to be, and with
 * small ones. */
static up_int some_value(settler *s, const knob *k) {
  up_int v = value_of(s, k), w = value_of(s, &s->knob[pick(s, s->nknob)]);
  uint32_t how = pick(s, 10), beside = pick(s, 6);
  if (how == 0) v = up_int_neg(s->c, v);
  if (how == 1) v = up_int_of((int64_t)pick(s, 5) - 2);
  if (how == 2 || how == 3) v = w;
  if (how == 4) v = up_int_mul(s->c, v, w);
  if (how == 5) v = up_int_mul(s->c, w, up_int_of((int64_t)pick(s, 6) - 2));
  if (how == 6 || how == 7) v = some_end(s);
  if (how == 8 && s->nnumber) v = up_int_of(s->number[pick(s, s->nnumber)]);
  if (how == 9) v = up_int_tdiv(s->c, v, up_int_of(2));
  if (beside == 0) v = up_int_add(s->c, v, up_int_of(1));
  if (beside == 1) v = up_int_sub(s->c, v, up_int_of(1));
  return v;
}

static bool take(settler *s, up_node to, bool if_nearer) {
  double d = fine(s) ? up_rule_distance(s->c, s->rule, to) : (double)INFINITY;
  if (d >= (double)INFINITY || (if_nearer ? d >= s->distance : d > s->distance)) return false;
  collect(s, to, d);
  return true;
}

/* By doubled steps, as long as each brings the rule nearer. */
static void slide(settler *s, uint32_t which) {
  up_int step = up_int_of(pick(s, 2) ? 1 : -1);
  for (unsigned i = 0; i < FARTHEST && which < s->nknob; i++) {
    const knob *k = &s->knob[which];
    if (!take(s, turned(s, k, up_int_add(s->c, value_of(s, k), step)), true)) return;
    step = up_int_mul(s->c, step, up_int_of(2));
  }
}

static void climb(settler *s) {
  for (unsigned i = 0; i < TRIES && s->distance > 0 && s->nknob > 0 && fine(s); i++) {
    uint32_t which = pick(s, s->nknob);
    const knob *k = &s->knob[which];
    if (i % 2)
      slide(s, which);
    else
      take(s, turned(s, k, some_value(s, k)), false);
  }
}

/* `step` further than v, in that direction, while the condition holds: the last root at which it does. */
static void to_edge(settler *s) {
  if (s->distance > 0 || s->nknob == 0) return;
  const knob k = s->knob[pick(s, s->nknob)];
  up_int from = value_of(s, &k), step = up_int_of(pick(s, 2) ? 1 : -1);
  up_node last = s->root;
  for (unsigned i = 0, halving = 0; i < 2 * FARTHEST && fine(s); i++) {
    up_int v = up_int_add(s->c, from, step);
    up_node to = turned(s, &k, v);
    bool holds = fine(s) && up_rule_distance(s->c, s->rule, to) <= 0;
    if (holds) {
      last = to;
      from = v;
    } else {
      halving = 1;
    }
    if (halving && up_int_cmp(s->c, up_int_abs(s->c, step), up_int_of(1)) == 0) break;
    if (!halving && i >= FARTHEST) break;
    step = halving ? up_int_tdiv(s->c, step, up_int_of(2)) : up_int_mul(s->c, step, up_int_of(2));
  }
  s->root = last;
}

up_node fz_settle(up_ctx *c, uint32_t rule, up_node root, fz_rng *rng) {
  settler s = {.c = c, .rng = rng, .rule = rule};
  s.nnumber = up_rule_numbers(up_ctx_profile(c), rule, s.number, NUMBERS);
  collect(&s, root, up_rule_distance(c, rule, root));
  climb(&s);
  if (pick(&s, 4)) to_edge(&s);
  up_list_free(&s.topo);
  return fine(&s) ? s.root : UP_NONE;
}
