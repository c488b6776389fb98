/* Did a step trust a bounds claim that is wrong?
 *
 * A rule that reads bounds can be right in itself and still make a wrong step. Two questions
 * decide, in this order:
 *  1. Is the step wrong at a point where every claim below it holds? Then it needs no wrong claim,
 *     and the rule is wrong by itself. (A search: see needs_wrong_claim.)
 *  2. If not: would the rule have done the same, had the claims been right at the point? The step
 * is done again in a copy of the graph in which the claims that fail there are widened to hold the
 *     value, one after the other, leaves first; the bounds of their users follow. The first one
 * that makes the rule refrain, or come out right, is the claim that was trusted. If all of them are
 *     right and the rule still errs, it did not trust them: the rule is the cause.
 */
#include "oracle/findings.h"

#include <assert.h>

typedef struct cause {
  or_checker *k;
  up_ctx *c;
  or_frame frame;
  const up_step *step;
} cause;

/* ---- wrong without a wrong claim? ------------------------------------------------------------ */

/* Can the rule have concluded the replacement from the claim of the replaced node alone? */
static bool root_claim_counts(const cause *q) {
  up_bounds b = up_minmax(q->c, q->step->before);
  up_int v;
  return up_is_const_int(q->c, q->step->after, &v) && !b.lo.is_float && !b.hi.is_float &&
         up_int_eq(b.lo.i, v) && up_int_eq(b.hi.i, v);
}

/* First node below the step's node, in topological order, whose claim fails at p. The claim of the
 * node itself counts only where it allows a single value and the replacement is that constant: that
 * is the one thing a rule can conclude from it alone. */
static up_node bad_claim_below(const cause *q, const or_point *p) {
  up_node n = or_point_bad_claim(q->c, p);
  if (up_same(n, q->step->before) && !root_claim_counts(q)) return UP_NONE;
  return n;
}

/* acc, and that something does not hold. */
static up_node and_not(up_ctx *c, up_node acc, up_node violated) {
  up_node holds = up_not(c, violated);
  return up_is_none(acc) ? holds : up_binary(c, UP_AND, acc, holds);
}

/* acc, and lo <= n <= hi as claimed; without the sides that no value of the dtype can violate: as
 * constants of that dtype they would wrap. UP_NONE: no value satisfies the claim, or it is one
 * about lanes, which is not put in words here: then it is held to be needed. */
static up_node and_claim(const cause *q, up_node acc, up_node n) {
  up_ctx *c = q->c;
  up_dtype d = up_dtype_of(c, n);
  up_bounds b = up_minmax(c, n);
  if (b.lo.is_float || b.hi.is_float || up_dt_count(d) != 1) return UP_NONE;
  if (!up_dt_is_int(d) && !up_dt_is_bool(d)) return UP_NONE;
  bool finite = q->frame != OR_IDEAL || up_dt_is_bool(d);
  up_int min = up_dt_min(c, d), max = up_dt_max(c, d);
  if (finite && (up_int_cmp(c, b.lo.i, max) > 0 || up_int_cmp(c, b.hi.i, min) < 0)) return UP_NONE;
  if (!finite || up_int_cmp(c, b.lo.i, min) > 0)
    acc = and_not(c, acc, up_binary(c, UP_CMPLT, n, up_const_like(c, n, b.lo.i)));
  if (!finite || up_int_cmp(c, b.hi.i, max) < 0)
    acc = and_not(c, acc, up_binary(c, UP_CMPLT, up_const_like(c, n, b.hi.i), n));
  return acc;
}

/* A point at which the step differs and the guard holds. False: none was found. */
static bool differs_within(const cause *q, up_node guard, or_witness *w) {
  const up_step *s = q->step;
  up_node a = up_where(q->c, guard, s->before, s->before);
  up_node b = up_where(q->c, guard, s->after, s->before);
  or_answer r = or_equiv(q->k, q->c, a, b, q->frame, NULL);
  bool found = r.verdict == OR_DIFFERS;
  if (found) {
    or_witness_clear(w);
    *w = r.witness;
    r.witness = (or_witness){0};
  }
  or_answer_clear(&r);
  return found;
}

/* Claims that are demanded at most; a graph with more wrong ones is taken to need them. */
#define MAX_DEMANDS 32u

/* A difference at a point is explained away by a claim that fails there; so that claim is demanded
 * and the next difference looked for, until one has no excuse (false) or there is none (true). */
static bool needs_wrong_claim(const cause *q, const or_witness *at) {
  up_node guard = UP_NONE;
  or_witness w = {0};
  bool differs = or_witness_copy(&w, at), needs = true;
  for (uint32_t round = 0; differs && round < MAX_DEMANDS; round++) {
    or_point p;
    if (!or_point_eval(q->c, q->step->before, q->frame, &w, &p)) break;
    up_node bad = bad_claim_below(q, &p);
    or_point_clear(&p);
    needs = !up_is_none(bad);
    if (!needs) break;
    guard = and_claim(q, guard, bad);
    differs = !up_is_none(guard) && differs_within(q, guard, &w);
  }
  or_witness_clear(&w);
  return needs;
}

/* ---- the step again, with right claims ------------------------------------------------------- */

typedef struct rerun {
  up_ctx *c; /* holds a copy of the node, and nothing else at first */
  or_frame frame;
  up_node before, after;
  int rule;
  or_doing what;
  or_witness w;
} rerun;

static bool rerun_new(rerun *q, up_ctx *c, up_node before, const or_witness *w) {
  q->c = up_ctx_like(c);
  if (!q->c) return false;
  q->before = up_copy(q->c, c, before);
  return !up_is_none(q->before) && or_witness_carry(q->c, q->before, c, w, &q->w);
}

/* Frees the copy; the node that was found in it, in c. */
static up_node rerun_end(rerun *q, up_ctx *c, up_node found) {
  up_node n = up_is_none(found) ? UP_NONE : up_copy(c, q->c, found);
  or_witness_clear(&q->w);
  if (q->c) up_ctx_free(q->c);
  return n;
}

static bool differs_at(const rerun *q, up_node after) {
  up_node pair[2] = {q->before, after};
  up_node both = up_new(q->c, UP_SINK, up_dt(UP_VOID), pair, 2, up_arg_none());
  or_point p;
  if (up_is_none(both) || !or_point_eval(q->c, both, q->frame, &q->w, &p)) return false;
  bool wrong = or_point_differs(&p, q->before, after);
  or_point_clear(&p);
  return wrong;
}

/* Does the rule apply with the claims as they are now, and do what the step did? */
static bool does_it(const rerun *q) {
  int rule = -1;
  up_node after = up_apply_first(q->c, up_ctx_rules(q->c), q->before, &rule);
  up_status s = up_ctx_status(q->c);
  up_ctx_clear_status(q->c);
  if (rule != q->rule) return false;
  if (q->what == OR_STEP_RAISES) return up_status_raise(s) != NULL;
  if (s != UP_OK) return false;
  return q->what == OR_STEP_AGAIN ? up_same(after, q->after) : differs_at(q, after);
}

static void stretch(up_ctx *c, up_bounds *b, up_dtype d, const mpz_t value) {
  up_int v = up_int_from_mpz(c, value);
  if (b->lo.is_float) b->lo = up_val_int(up_dt_min(c, d));
  if (b->hi.is_float) b->hi = up_val_int(up_dt_max(c, d));
  if (up_int_cmp(c, v, b->lo.i) < 0) b->lo.i = v;
  if (up_int_cmp(c, v, b->hi.i) > 0) b->hi.i = v;
}

/* Makes the first claim that fails at the point hold there. UP_NONE: all of them hold. */
static up_node mend_one(const rerun *q) {
  or_point p;
  if (!or_point_eval(q->c, q->before, q->frame, &q->w, &p)) return UP_NONE;
  up_node bad = or_point_bad_claim(q->c, &p);
  if (!up_is_none(bad)) {
    up_bounds b = up_minmax(q->c, bad);
    for (uint32_t i = or_point_find(&p, bad); i < p.values.n && up_same(p.values.node[i], bad);
         i++) {
      if (p.values.def[i] == OR_VALUE_OK)
        stretch(q->c, &b, up_dtype_of(q->c, bad), p.values.value[i]);
    }
    up_minmax_assume(q->c, bad, b);
  }
  or_point_clear(&p);
  return bad;
}

/* Each round mends a claim; a graph with more wrong ones than this is blamed on the last of these.
 */
#define MAX_MENDED 256u

/* In q->c. UP_NONE: right claims change nothing, or the step could not be done again. */
static up_node decisive_claim(const rerun *q) {
  up_node mended = UP_NONE;
  for (unsigned i = 0; i < MAX_MENDED; i++) {
    if (!does_it(q)) return mended;
    mended = mend_one(q);
    if (up_is_none(mended)) return UP_NONE;
  }
  return mended;
}

up_node or_claim_behind(up_ctx *c, or_frame f, const up_step *s, or_doing what,
                        const or_witness *w) {
  if (s->rule < 0 || !up_rule_at(up_ctx_profile(c), (uint32_t)s->rule).reads_bounds) return UP_NONE;
  rerun r = {.frame = f, .rule = s->rule, .what = what};
  up_node claim = UP_NONE;
  if (rerun_new(&r, c, s->before, w)) {
    if (what == OR_STEP_AGAIN) r.after = up_copy(r.c, c, s->after);
    claim = decisive_claim(&r);
  }
  return rerun_end(&r, c, claim);
}

/* An external engine is not run again with other claims: the first that fails is the cause. Which of its
 * rules look at claims is not known either; in frames with widths, where claims fail by overflow as the
 * rules themselves do, no claim is blamed. */
static up_node first_bad_claim(const cause *q, const or_witness *w) {
  or_point p;
  if (!or_point_eval(q->c, q->step->before, q->frame, w, &p)) return UP_NONE;
  up_node bad = bad_claim_below(q, &p);
  or_point_clear(&p);
  return bad;
}

up_node or_trusted_claim(or_checker *k, up_ctx *c, or_frame f, const up_step *s,
                         const or_witness *w) {
  const cause q = {.k = k, .c = c, .frame = f, .step = s};
  if (up_profile_is_external(up_ctx_profile(c)))
    return f == OR_IDEAL && !up_is_none(s->after) && needs_wrong_claim(&q, w)
               ? first_bad_claim(&q, w)
               : UP_NONE;
  if (s->rule < 0 || !up_rule_at(up_ctx_profile(c), (uint32_t)s->rule).reads_bounds) return UP_NONE;
  if (up_is_none(s->after)) return or_claim_behind(c, f, s, OR_STEP_RAISES, w);
  return needs_wrong_claim(&q, w) ? or_claim_behind(c, f, s, OR_STEP_ERRS, w) : UP_NONE;
}

/* ---- claims that follow from claims ---------------------------------------------------------- */

static bool fails_still(const rerun *q) {
  or_point p;
  if (!or_point_eval(q->c, q->before, q->frame, &q->w, &p)) return false;
  bool fails = or_point_claim_fails(q->c, &p, q->before);
  or_point_clear(&p);
  return fails;
}

up_node or_claim_cause(up_ctx *c, or_frame f, up_node n, const or_witness *w) {
  rerun r = {.frame = f, .rule = -1};
  up_node found = UP_NONE;
  if (rerun_new(&r, c, n, w)) {
    for (unsigned i = 0; i < MAX_MENDED && fails_still(&r); i++) found = mend_one(&r);
  }
  found = rerun_end(&r, c, found);
  return up_is_none(found) ? n : found;
}
