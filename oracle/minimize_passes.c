/* The passes of the minimizer. Each goes once over the best graph and tries simpler forms; after an
 * accepted trial it goes on at the same place of the new graph. */
#include "oracle/shrink.h"
#include "oracle/witness.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- a node for the whole graph -------------------------------------------------------------- */

/* Up to here every node is tried, smallest graphs first; above, a few that are spread evenly, then
 * the sources of the root. */
#define SMALL_GRAPH 512u
#define SPREAD 16u

static bool descend_far(shrink *s) {
  for (uint64_t i = 1; i < SPREAD; i++) {
    if (shrink_try_root(s, s->topo.p[s->topo.n * i / SPREAD])) return true;
  }
  return false;
}

static bool descend_one(shrink *s) {
  up_node root = s->topo.p[s->topo.n - 1];
  for (uint32_t i = 0; i < up_nsrc(s->best, root); i++) {
    if (shrink_try_root(s, up_src(s->best, root, i))) return true;
  }
  return false;
}

bool pass_descend(shrink *s) {
  bool any = false;
  /* the node that the blamed rule rewrote is the most likely one */
  if (!up_is_none(s->cause)) any = shrink_try_root(s, s->cause);
  while (s->topo.n > SMALL_GRAPH && (descend_far(s) || descend_one(s))) any = true;
  if (s->topo.n > SMALL_GRAPH) return any;
  for (uint32_t i = 0; i + 1 < s->topo.n; i++) {
    if (up_nsrc(s->best, s->topo.p[i]) > 0 && shrink_try_root(s, s->topo.p[i])) return true;
  }
  return any;
}

/* ---- an operand, a constant or a variable for a node ----------------------------------------- */

static bool try_const(shrink *s, up_node at, mpz_srcptr v) {
  return shrink_try(s, &(edit){.kind = EDIT_CONST, .at = at, .lo = v});
}

static bool try_const_si(shrink *s, up_node at, long v) {
  mpz_t t;
  mpz_init_set_si(t, v);
  bool ok = try_const(s, at, t);
  mpz_clear(t);
  return ok;
}

static bool try_node(shrink *s, up_node at, up_node by) {
  if (up_same(at, by) || up_dtype_of(s->best, at) != up_dtype_of(s->best, by)) return false;
  return shrink_try(s, &(edit){.kind = EDIT_NODE, .at = at, .by = by});
}

static bool is_plain(const shrink *s, up_node n) {
  up_dtype d = up_dtype_of(s->best, n);
  return up_dt_is_int(d) || up_dt_is_bool(d);
}

/* Sources of n, and their sources. */
static bool cut_to_operand(shrink *s, up_node n) {
  for (uint32_t i = 0; i < up_nsrc(s->best, n); i++) {
    if (try_node(s, n, up_src(s->best, n, i))) return true;
  }
  for (uint32_t i = 0; i < up_nsrc(s->best, n); i++) {
    up_node m = up_src(s->best, n, i);
    for (uint32_t k = 0; k < up_nsrc(s->best, m); k++) {
      if (try_node(s, n, up_src(s->best, m, k))) return true;
    }
  }
  return false;
}

/* 0, 1, -1 and the value at the witness. */
static bool cut_to_constant(shrink *s, up_node n) {
  if (!is_plain(s, n)) return false;
  if (try_const_si(s, n, 0) || try_const_si(s, n, 1)) return true;
  if (!up_dt_is_bool(up_dtype_of(s->best, n)) && try_const_si(s, n, -1)) return true;
  or_point p;
  mpz_t v;
  if (!or_point_eval(s->best, s->topo.p[s->topo.n - 1], s->frame, &s->witness, &p)) return false;
  mpz_init(v);
  bool ok = shrink_value(s, &p, n, v) && mpz_cmpabs_ui(v, 1) > 0 && try_const(s, n, v);
  mpz_clear(v);
  or_point_clear(&p);
  return ok;
}

static bool cut_to_leaf(shrink *s, up_node n) {
  for (uint32_t i = 0; i < s->topo.n; i++) {
    up_node leaf = s->topo.p[i];
    if (up_nsrc(s->best, leaf) == 0 && try_node(s, n, leaf)) return true;
  }
  return false;
}

static bool name_is_used(shrink *s, const char *name) {
  for (uint32_t i = 0; i < s->topo.n; i++) {
    up_op op = up_op_of(s->best, s->topo.p[i]);
    if (op != UP_DEFINE_VAR && op != UP_RANGE && op != UP_SPECIAL) continue;
    char other[64];
    or_var_name(s->best, s->topo.p[i], other);
    if (strcmp(name, other) == 0) return true;
  }
  return false;
}

/* A new variable with the node's claimed range. */
static bool cut_to_new_variable(shrink *s, up_node n) {
  if (!is_plain(s, n) || up_dt_count(up_dtype_of(s->best, n)) != 1) return false;
  up_bounds b = up_minmax(s->best, n);
  if (b.lo.is_float || b.hi.is_float || up_int_cmp(s->best, b.lo.i, b.hi.i) > 0) return false;
  char name[16];
  unsigned k = 0;
  do snprintf(name, sizeof name, "v%u", k++);
  while (name_is_used(s, name));
  mpz_t lo, hi;
  mpz_inits(lo, hi, NULL);
  up_int_to_mpz(s->best, b.lo.i, lo);
  up_int_to_mpz(s->best, b.hi.i, hi);
  bool ok = shrink_try(s, &(edit){.kind = EDIT_VAR, .at = n, .name = name, .lo = lo, .hi = hi});
  mpz_clears(lo, hi, NULL);
  return ok;
}

bool pass_cut(shrink *s) {
  bool any = false;
  /* from the root down: the largest cuts first */
  for (uint32_t left = s->topo.n; left > 0 && !shrink_over(s);) {
    up_node n = s->topo.p[left - 1];
    bool cut = up_nsrc(s->best, n) > 0 && (cut_to_operand(s, n) || cut_to_constant(s, n) ||
                                           cut_to_leaf(s, n) || cut_to_new_variable(s, n));
    any = any || cut;
    if (!cut) left--;
    if (left > s->topo.n) left = s->topo.n;
  }
  return any;
}

/* ---- fewer variables ------------------------------------------------------------------------- */

static bool domain_of(const shrink *s, up_node n, char name[64], mpz_t lo, mpz_t hi) {
  up_op op = up_op_of(s->best, n);
  up_int a, b;
  if (op != UP_DEFINE_VAR && op != UP_RANGE && op != UP_SPECIAL) return false;
  if (!up_var_domain(s->best, n, name, &a, &b)) return false;
  up_int_to_mpz(s->best, a, lo);
  up_int_to_mpz(s->best, b, hi);
  return true;
}

static void witness_value(const shrink *s, up_node var, mpz_t out) {
  for (uint32_t i = 0; i < s->witness.n; i++) {
    if (up_same(s->witness.var[i], var)) mpz_set(out, s->witness.value[i]);
  }
}

static bool simplify_variable(shrink *s, up_node n) {
  char name[64];
  mpz_t lo, hi, v;
  mpz_inits(lo, hi, v, NULL);
  bool ok = false;
  if (domain_of(s, n, name, lo, hi)) {
    witness_value(s, n, v);
    ok = try_const_si(s, n, 0) || try_const_si(s, n, 1) || try_const(s, n, v) ||
         try_const(s, n, lo) || try_const(s, n, hi) || cut_to_leaf(s, n);
  }
  mpz_clears(lo, hi, v, NULL);
  return ok;
}

/* One node after the other, from the leaves up. */
static bool each_node(shrink *s, bool (*simplify)(shrink *, up_node)) {
  bool any = false;
  for (uint32_t i = 0; i < s->topo.n && !shrink_over(s);) {
    bool done = simplify(s, s->topo.p[i]);
    any = any || done;
    if (!done) i++;
  }
  return any;
}

bool pass_variables(shrink *s) { return each_node(s, simplify_variable); }

/* ---- dtypes -------------------------------------------------------------------------------- */

static bool simplify_type(shrink *s, up_node n) {
  up_dtype d = up_dtype_of(s->best, n), to = up_dt(UP_INT);
  if (!up_dt_is_int(d) || up_dt_count(d) != 1 || up_dt_is_ptr(d) || d == to) return false;
  return shrink_try(s, &(edit){.kind = EDIT_TYPE, .from = d, .to = to});
}

bool pass_types(shrink *s) { return each_node(s, simplify_type); }

/* ---- numbers nearer to a target -------------------------------------------------------------- */

/* A number inside the best graph; set tries another value for it. Trials that change numbers only
 * keep the positions of nodes, unless two become the same: then the dial is dead. */
typedef struct dial {
  shrink *s;
  uint32_t at, nodes; /* position of the node in topo, length of topo */
  bool (*set)(struct dial *d, mpz_srcptr v);
  int which;
} dial;

/* From v toward the target: the target itself, then half of the way, a quarter ... by one. */
static bool approach(dial *d, mpz_t v, const mpz_t target) {
  bool any = false;
  mpz_t step, next;
  mpz_inits(step, next, NULL);
  mpz_sub(step, v, target);
  while (mpz_sgn(step) != 0 && d->s->topo.n == d->nodes && !shrink_over(d->s)) {
    mpz_sub(next, v, step);
    if (d->set(d, next)) {
      any = true;
      mpz_set(v, next);
      mpz_sub(next, v, target);
      if (mpz_cmpabs(next, step) < 0) mpz_set(step, next);
    } else {
      mpz_tdiv_q_2exp(step, step, 1);
    }
  }
  mpz_clears(step, next, NULL);
  return any;
}

/* ---- constants ----------------------------------------------------------------------------- */

static bool set_constant(dial *d, mpz_srcptr v) { return try_const(d->s, d->s->topo.p[d->at], v); }

static bool constant_at(const shrink *s, uint32_t at, mpz_t out) {
  up_int v;
  if (at >= s->topo.n || !up_is_const_int(s->best, s->topo.p[at], &v)) return false;
  up_int_to_mpz(s->best, v, out);
  return true;
}

/* Small numbers that halving can miss, as when only odd ones will do. */
static const long small_numbers[] = {-1, 1, -2, 2, -3, 3};
#define SMALL_NUMBERS (sizeof small_numbers / sizeof *small_numbers)

/* 0, 1, -1, another constant of the graph, a small number, the opposite. */
static bool jump_constant(shrink *s, up_node n, mpz_t v) {
  if (mpz_sgn(v) == 0) return cut_to_leaf(s, n); /* no nearer to 0, but a node less */
  if (try_const_si(s, n, 0) || try_const_si(s, n, 1)) return true;
  if (up_dt_is_bool(up_dtype_of(s->best, n))) return false;
  if (try_const_si(s, n, -1) || cut_to_leaf(s, n)) return true;
  for (size_t i = 2; i < SMALL_NUMBERS; i++) {
    if (try_const_si(s, n, small_numbers[i])) return true;
  }
  if (mpz_sgn(v) > 0) return false;
  mpz_neg(v, v);
  bool ok = try_const(s, n, v);
  mpz_neg(v, v);
  return ok;
}

/* One number for all lanes. */
static bool level_lanes(shrink *s, up_node n) {
  if (up_op_of(s->best, n) != UP_VCONST || !is_plain(s, n)) return false;
  if (try_const_si(s, n, 0) || try_const_si(s, n, 1) || try_const_si(s, n, -1)) return true;
  mpz_t v;
  mpz_init(v);
  bool done = false;
  for (uint32_t k = 0; !done && k < up_dt_count(up_dtype_of(s->best, n)); k++) {
    up_val lane = up_vconst_at(s->best, n, k);
    if (lane.is_float) break;
    up_int_to_mpz(s->best, lane.i, v);
    done = try_const(s, n, v);
  }
  mpz_clear(v);
  return done;
}

static bool lower_constant(shrink *s, uint32_t at) {
  mpz_t v, zero;
  mpz_inits(v, zero, NULL);
  bool any = level_lanes(s, s->topo.p[at]);
  if (!any && constant_at(s, at, v)) {
    any = jump_constant(s, s->topo.p[at], v);
    dial d = {.s = s, .at = at, .nodes = s->topo.n, .set = set_constant};
    if (!any) any = approach(&d, v, zero);
  }
  mpz_clears(v, zero, NULL);
  return any;
}

bool pass_constants(shrink *s) {
  bool any = false;
  for (uint32_t i = 0; i < s->topo.n && !shrink_over(s); i++) any = lower_constant(s, i) || any;
  return any;
}

/* ---- ranges -------------------------------------------------------------------------------- */

enum { DIAL_HIGH, DIAL_LOW, DIAL_SHIFT };

static bool set_range(dial *d, mpz_srcptr v) {
  shrink *s = d->s;
  char name[64];
  mpz_t lo, hi;
  mpz_inits(lo, hi, NULL);
  bool ok = domain_of(s, s->topo.p[d->at], name, lo, hi);
  if (d->which == DIAL_HIGH) mpz_set(hi, v);
  if (d->which == DIAL_LOW) mpz_set(lo, v);
  if (d->which == DIAL_SHIFT) { /* v is the new low end */
    mpz_sub(hi, hi, lo);
    mpz_add(hi, hi, v);
    mpz_set(lo, v);
  }
  ok = ok && mpz_cmp(lo, hi) <= 0 &&
       shrink_try(
           s, &(edit){.kind = EDIT_VAR, .at = s->topo.p[d->at], .name = name, .lo = lo, .hi = hi});
  mpz_clears(lo, hi, NULL);
  return ok;
}

/* One end of the range toward the witness, or the whole range toward 0. */
static bool turn_range(shrink *s, uint32_t at, int which) {
  char name[64];
  mpz_t lo, hi, target;
  mpz_inits(lo, hi, target, NULL);
  bool any = false;
  if (at < s->topo.n && domain_of(s, s->topo.p[at], name, lo, hi)) {
    dial d = {.s = s, .at = at, .nodes = s->topo.n, .set = set_range, .which = which};
    if (which != DIAL_SHIFT)
      witness_value(s, s->topo.p[at], target);
    else if (mpz_sgn(lo) < 0 && mpz_sgn(hi) > 0)
      mpz_set(target, lo); /* around 0 already */
    else if (mpz_sgn(lo) < 0)
      mpz_sub(target, lo, hi); /* hi to 0 */
    any = approach(&d, which == DIAL_HIGH ? hi : lo, target);
  }
  mpz_clears(lo, hi, target, NULL);
  return any;
}

/* The range as wide as it is, with its end that is nearer to 0 at a small number. */
static bool jump_range(shrink *s, uint32_t at) {
  char name[64];
  mpz_t lo, hi, v;
  mpz_inits(lo, hi, v, NULL);
  bool any = false;
  if (at < s->topo.n && domain_of(s, s->topo.p[at], name, lo, hi) && mpz_sgn(lo) == mpz_sgn(hi)) {
    dial d = {.s = s, .at = at, .nodes = s->topo.n, .set = set_range, .which = DIAL_SHIFT};
    for (size_t i = 0; i < SMALL_NUMBERS && !any; i++) {
      mpz_set_si(v, small_numbers[i]);
      if (small_numbers[i] < 0) { /* the low end that puts the high one there */
        mpz_sub(v, v, hi);
        mpz_add(v, v, lo);
      }
      any = set_range(&d, v);
    }
  }
  mpz_clears(lo, hi, v, NULL);
  return any;
}

bool pass_ranges(shrink *s) {
  bool any = false;
  for (uint32_t i = 0; i < s->topo.n && !shrink_over(s); i++) {
    any = turn_range(s, i, DIAL_HIGH) || any;
    any = turn_range(s, i, DIAL_LOW) || any;
    any = turn_range(s, i, DIAL_SHIFT) || any;
    any = jump_range(s, i) || any;
  }
  return any;
}

/* ---- cuts that need other values of the variables -------------------------------------------- */

/* The ranges have become as small as the graph allows, and can be too small for a smaller graph. */
#define WIDEN_UP_TO 24u
#define MOST_ROOM 4096u

bool pass_widened(shrink *s) {
  if (s->topo.n > WIDEN_UP_TO || s->size.vars == 0) return false;
  unsigned long room =
      mpz_cmp_ui(s->size.consts, MOST_ROOM) < 0 ? mpz_get_ui(s->size.consts) : MOST_ROOM;
  s->widen = room + 8;
  bool any = pass_cut(s);
  any = each_node(s, simplify_variable) || any;
  for (uint32_t i = 0; i < s->topo.n && !shrink_over(s); i++) {
    mpz_t v;
    mpz_init(v);
    if (constant_at(s, i, v)) any = jump_constant(s, s->topo.p[i], v) || any;
    mpz_clear(v);
  }
  s->widen = 0;
  return any;
}
