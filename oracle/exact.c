/* The exact range of a node: by evaluating every point; else from both sides, the values that were
 * found within the interval that the analysis has, and by asking the solver for a value beyond.
 */
#include "checker.h"
#include "findings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* A query of a search gets this part of the resource limit first, then all of it: as bits, which
 * keep to it, then as integers, which do not always, then as bits again. */
#define QUICK_PART 16u

typedef struct search {
  or_checker *k;
  up_ctx *c;
  or_frame frame;
  or_ranges *out;
} search;

void or_ranges_clear(or_ranges *r) {
  for (uint32_t i = 0; i < r->n; i++) mpz_clears(r->range[i].lo, r->range[i].hi, NULL);
  free(r->range);
  *r = (or_ranges){0};
}

/* ---- ranges of values that were found -------------------------------------------------------- */

static void add_value(or_range *r, const mpz_t v) {
  if (!r->seen || mpz_cmp(v, r->lo) < 0) mpz_set(r->lo, v);
  if (!r->seen || mpz_cmp(v, r->hi) > 0) mpz_set(r->hi, v);
  r->seen = true;
}

static void add_range(or_range *r, pr_range seen) {
  if (seen.lo > seen.hi) return; /* defined nowhere */
  mpz_t v;
  mpz_init(v);
  or_i128_to_mpz(seen.lo, v);
  add_value(r, v);
  or_i128_to_mpz(seen.hi, v);
  add_value(r, v);
  mpz_clear(v);
}

/* Roots of one node follow each other. */
static uint32_t count_nodes(const pr_program *p) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->nroot; i++)
    n += i == 0 || !up_same(p->root[i].node, p->root[i - 1].node);
  return n;
}

static bool make_ranges(const pr_program *p, or_ranges *out) {
  uint32_t n = count_nodes(p);
  out->range = calloc(n + 1, sizeof *out->range);
  if (!out->range) return false;
  for (uint32_t i = 0; i < p->nroot; i++) {
    if (i > 0 && up_same(p->root[i].node, p->root[i - 1].node)) continue;
    or_range *r = &out->range[out->n++];
    *r = (or_range){.node = p->root[i].node};
    mpz_inits(r->lo, r->hi, NULL);
  }
  return true;
}

static void take_ranges(const pr_program *p, const pr_range *seen, or_ranges *out) {
  or_range *r = out->range;
  for (uint32_t i = 0; i < p->nroot; i++) {
    if (i > 0 && !up_same(p->root[i].node, p->root[i - 1].node)) r++;
    add_range(r, seen[i]);
  }
}

static void settle(or_ranges *out, const char *by) {
  for (uint32_t i = 0; i < out->n; i++) out->range[i].lo_by = out->range[i].hi_by = by;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* Ranges of the roots, from `points` samples besides the corners. */
static or_found see_samples(const search *s, const or_task *t, uint32_t points, pr_range *seen) {
  or_checker *k = s->k;
  const uint32_t samples = k->limits.samples;
  or_witness w = {0};
  uint32_t root;
  if (points > samples) k->limits.samples = points;
  k->machine.seen = seen;
  or_found f = or_sample(t, &w, &root);
  k->machine.seen = NULL;
  k->limits.samples = samples;
  return f;
}

static or_found see_all(const search *s, const or_task *t, pr_range *seen) {
  or_witness w = {0};
  uint32_t root;
  s->k->machine.seen = seen;
  or_found f = or_exhaust(t, s->k->limits.max_points, &w, &root);
  s->k->machine.seen = NULL;
  return f;
}

/* In a large box the range of many samples is taken for the whole one. Where the analysis allows no more,
 * it is. Else, since compiled code finds no ranges but a point outside of one, every point is asked
 * whether it is outside; a few that are widen it, each after going uphill from there. SKIPPED: that does
 * not pay, or did not end; then `seen` holds what was found. */
#define GUESS_SAMPLES (1u << 16)
#define GUESS_POINTS (16u * GUESS_SAMPLES)
#define GUESS_ROUNDS 3u
#define GUESS_TURNS 16u

static bool worth_guessing(const search *s, const pr_program *p) {
  uint64_t points = pr_points(p);
  return p->nroot == 1 && points >= GUESS_POINTS && points <= s->k->limits.max_points;
}

static bool worth_compiling(const search *s, const pr_program *p) {
  uint64_t least = s->k->limits.jit_work;
  return or_jit_version() && least > 0 && pr_points(p) >= least / p->n;
}

/* The root's value at w. False: it has none. */
static bool value_at(const search *s, const or_task *t, const or_witness *w, or_i128 *v) {
  or_point at;
  up_node root = t->p->root[0].node;
  if (!or_point_eval(s->c, root, s->frame, w, &at)) return false;
  uint32_t i = or_point_find(&at, root);
  bool ok =
      i != UINT32_MAX && at.values.def[i] == OR_VALUE_OK && or_i128_from_mpz(at.values.value[i], v);
  or_point_clear(&at);
  return ok;
}

/* Moves one variable of w by `step`, if the root is then further out. */
static bool move_out(const search *s, const or_task *t, or_witness *w, uint32_t var, or_i128 step,
                     bool up, or_i128 *best) {
  pr_range d = t->p->var[var].domain;
  or_i128 from, v;
  or_i128_from_mpz(w->value[var], &from);
  if (from + step < d.lo || from + step > d.hi) return false;
  or_i128_to_mpz(from + step, w->value[var]);
  bool better = value_at(s, t, w, &v) && (up ? v > *best : v < *best);
  if (better) *best = v;
  if (!better) or_i128_to_mpz(from, w->value[var]);
  return better;
}

/* The value at w, which is outside of the range, and what is further out near by, become part of it. */
static bool widen_from(const search *s, const or_task *t, or_witness *w, pr_range *seen) {
  or_i128 best;
  if (!value_at(s, t, w, &best)) return false;
  bool up = best > seen->hi;
  bool moved = true;
  for (unsigned turn = 0; moved && turn < GUESS_TURNS; turn++) {
    moved = false;
    for (uint32_t i = 0; i < t->p->nvar; i++) {
      or_i128 step = (t->p->var[i].domain.hi - t->p->var[i].domain.lo) / 2 + 1;
      for (; step > 0; step /= 2) {
        if (move_out(s, t, w, i, step, up, &best) || move_out(s, t, w, i, -step, up, &best))
          moved = true;
      }
    }
  }
  if (up) seen->hi = best;
  if (!up) seen->lo = best;
  return true;
}

static or_found see_by_guess(const search *s, const or_task *t, pr_range *seen) {
  if (!worth_guessing(s, t->p)) return OR_SKIPPED;
  or_found f = see_samples(s, t, GUESS_SAMPLES, seen);
  if (f != OR_CLEAN || seen->lo > seen->hi) return f == OR_CLEAN ? OR_SKIPPED : f;
  or_task ask = *t;
  ask.claim = seen;
  for (unsigned i = 0; i < GUESS_ROUNDS; i++) {
    or_witness w = {0};
    uint32_t root;
    if (pr_settled(t->p, seen, 0)) return OR_CLEAN;
    if (!worth_compiling(s, t->p)) break;
    f = or_exhaust(&ask, s->k->limits.max_points, &w, &root);
    if (f != OR_FOUND) return f;
    bool ok = widen_from(s, t, &w, seen);
    or_witness_clear(&w);
    if (!ok) return OR_BROKEN;
  }
  return OR_SKIPPED;
}

/* *by: what shows that the range is the whole one, or NULL. */
static bool find_by_lanes(const search *s, const or_task *t, const char **by) {
  const pr_program *p = t->p;
  pr_range *seen = malloc((p->nroot + 1) * sizeof *seen);
  if (!seen) return false;
  for (uint32_t i = 0; i < p->nroot; i++) seen[i] = (pr_range){OR_I128_MAX, OR_I128_MIN};
  or_found f = see_by_guess(s, t, seen);
  if (f == OR_SKIPPED) f = see_all(s, t, seen);
  /* compiled or not, the same is told */
  bool interval = worth_guessing(s, p) && pr_settled(p, seen, 0);
  *by = f != OR_CLEAN ? NULL : interval ? "interval" : "exhaust";
  if (f == OR_SKIPPED) f = see_samples(s, t, 0, seen);
  assert(f != OR_FOUND);
  if (f == OR_CLEAN) take_ranges(p, seen, s->out);
  free(seen);
  return f == OR_CLEAN;
}

/* What the analysis knows of all roots of the program. */
static pr_range interval_of(const pr_program *p) {
  pr_range all = p->ins[p->root[0].a].value;
  for (uint32_t i = 1; i < p->nroot; i++) {
    pr_range v = p->ins[p->root[i].a].value;
    if (v.lo < all.lo) all.lo = v.lo;
    if (v.hi > all.hi) all.hi = v.hi;
  }
  return all;
}

/* ---- the solver ------------------------------------------------------------------------------ */

/* A value of the node outside of `claim`: FOUND, and the range is widened; CLEAN: there is none,
 * which `by` has shown. */
static or_found beyond(const search *s, or_task *t, pr_range claim, or_range *r, const char **by) {
  pr_range *c = malloc((t->p->nroot + 1) * sizeof *c);
  or_found f = OR_GAVE_UP;
  uint32_t all = s->k->limits.solver_rlimit;
  or_witness w = {0};
  or_point at;
  if (!c) {
    snprintf(s->out->reason, sizeof s->out->reason, "no memory");
    return OR_BROKEN;
  }
  for (uint32_t i = 0; i < t->p->nroot; i++) c[i] = claim;
  t->claim = c;
  for (unsigned try = 0; try < 3 && f != OR_CLEAN && f != OR_FOUND && f != OR_BROKEN; try++) {
    static const uint32_t part[] = {QUICK_PART, QUICK_PART, 1};
    bool bits = try != 1;
    if (all / part[try] == 0) continue;
    *by = bits ? "z3-bv" : "z3-int";
    f = or_solve(t, bits, all / part[try], &w, s->out->reason);
  }
  t->claim = NULL;
  free(c);
  if (f != OR_FOUND) return f == OR_SKIPPED ? OR_GAVE_UP : f;
  bool ok = or_point_eval(s->c, r->node, s->frame, &w, &at);
  if (!ok) snprintf(s->out->reason, sizeof s->out->reason, "no memory");
  for (uint32_t i = ok ? or_point_find(&at, r->node) : 0; ok && i < at.values.n; i++) {
    if (up_same(at.values.node[i], r->node) && at.values.def[i] == OR_VALUE_OK)
      add_value(r, at.values.value[i]);
  }
  if (ok) or_point_clear(&at);
  or_witness_clear(&w);
  return ok && r->seen ? OR_FOUND : OR_BROKEN;
}

static bool small(const mpz_t v, or_i128 *out) {
  return mpz_sizeinbase(v, 2) <= 125 && or_i128_from_mpz(v, out);
}

/* Moves the upper (else the lower) end to where nothing is beyond, or as far as the solver can tell.
 * First just beyond what was found, which mostly settles it; then by halves of what is open, while both
 * ends and their distance have room. False: broken. */
static bool push_end(const search *s, or_task *t, or_range *r, or_i128 limit, bool upper) {
  const char **done = upper ? &r->hi_by : &r->lo_by, *by = "interval", *asked = NULL;
  or_i128 at = 0, before = 0;
  for (bool first = true; !*done; first = false) {
    bool fits = or_i128_from_mpz(upper ? r->hi : r->lo, &at);
    if (fits && at == limit) *done = by;
    if (*done) break;
    if (!small(upper ? r->hi : r->lo, &at)) {
      snprintf(s->out->reason, sizeof s->out->reason, "values beyond 125 bits");
      break;
    }
    or_i128 far = first ? at : at + (limit - at) / 2;
    pr_range claim = upper ? (pr_range){OR_I128_MIN, far} : (pr_range){far, OR_I128_MAX};
    or_found f = beyond(s, t, claim, r, &asked);
    if (f == OR_GAVE_UP) break;
    if (f == OR_BROKEN) return false;
    before = at;
    if (f == OR_CLEAN) {
      limit = far;
      by = asked;
    } else if (small(upper ? r->hi : r->lo, &at) && at == before) {
      snprintf(s->out->reason, sizeof s->out->reason, "a point of the solver was not confirmed");
      return false;
    }
  }
  return true;
}

static bool solve_ends(const search *s, or_task *t, or_range *r) {
  pr_range within = interval_of(t->p);
  if (!pr_range_finite(within)) {
    snprintf(s->out->reason, sizeof s->out->reason, "values beyond 126 bits");
    return true;
  }
  if (!r->seen) {
    const char *by = NULL;
    or_found f = beyond(s, t, (pr_range){1, 0}, r, &by);
    if (f == OR_BROKEN) return false;
    if (f == OR_CLEAN) r->lo_by = r->hi_by = by;
    if (f != OR_FOUND) return true;
  }
  return push_end(s, t, r, within.lo, false) && push_end(s, t, r, within.hi, true);
}

/* One node at a time: in a program of its own it has the fewest variables. */
static bool finish_node(const search *s, or_range *r) {
  pr_program *p = &s->k->program;
  pr_status built = pr_build_pair(p, s->c, r->node, r->node, s->frame);
  if (built != PR_OK) {
    snprintf(s->out->reason, sizeof s->out->reason, "%s",
             built == PR_UNSUPPORTED ? p->reason : "no memory");
    return false;
  }
  or_task t = {
      .k = s->k, .c = s->c, .a = r->node, .frame = s->frame, .p = p, .root_limit = p->nroot};
  const char *by = NULL;
  or_ranges one = {.n = 1, .range = r};
  search own = *s;
  own.out = &one;
  if (!find_by_lanes(&own, &t, &by)) {
    snprintf(s->out->reason, sizeof s->out->reason, "no memory");
    return false;
  }
  r->lo_by = r->hi_by = by;
  s->k->solver.deaf = false;
  return by || solve_ends(s, &t, r);
}

static bool finish_all(const search *s) {
  for (uint32_t i = 0; i < s->out->n; i++) {
    or_range *r = &s->out->range[i];
    if (!(r->lo_by && r->hi_by) && !finish_node(s, r)) return false;
  }
  return true;
}

bool or_exact(or_checker *k, up_ctx *c, up_node root, or_frame f, bool all, or_ranges *out) {
  *out = (or_ranges){0};
  pr_program *p = &k->program;
  search s = {k, c, f, out};
  pr_status built = all ? pr_build_all(p, c, root, f) : pr_build_pair(p, c, root, root, f);
  snprintf(out->reason, sizeof out->reason, "%s",
           built == PR_UNSUPPORTED ? p->reason : "no memory");
  if (built != PR_OK || !make_ranges(p, out)) return false;
  if (p->vacuous) {
    settle(out, "vacuous");
    return true;
  }
  or_task t = {.k = k, .c = c, .a = root, .frame = f, .p = p, .root_limit = p->nroot};
  const char *by = NULL;
  if (!find_by_lanes(&s, &t, &by)) return false;
  if (by) settle(out, by);
  snprintf(out->reason, sizeof out->reason, "the box is above the limit, and there is no solver");
  return finish_all(&s);
}
