/* Which rule is the cause of a finding.
 *
 * A wrong value. The trace replaces nodes one by one, and a replacement that is right at a point
 * keeps every graph around it right at that point. So when the whole differs at a point w, some
 * step differs at w too: the first such step is the one to explain. Only w is evaluated, no solver.
 * (A step that is wrong elsewhere but right at w did not cause this difference.)
 *
 * That step may be right in itself and have trusted something that was wrong already:
 *  - a bounds claim. Only rules that read bounds can. If the step also differs at a point where
 *    every claim below it holds, then the rule is wrong by itself. If there is no such point, the
 *    nodes whose claims fail at w are replaced by variables with claims that hold: if the rule
 *    still applies and is still wrong, it is the cause too; if not, the transfer rule of the first
 *    claim that fails at w is. The claim of the replaced node
 *    itself counts only where it allows a single value and the replacement is that constant: that
 *    is the one thing a rule can conclude from it alone.
 *  - a constant outside its dtype, where integers are finite. If the step is right once such
 *    constants are wrapped, the step that made the first of them is the cause.
 */
#include "oracle/findings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the first step that is wrong at a point ------------------------------------------------- */

/* Steps evaluated together: their nodes are sources of one SINK, whose graph is walked once. */
#define CHUNK 16384u
_Static_assert(2 * CHUNK <= UP_MAX_SRC, "a SINK holds a chunk");

static up_node sink_of_steps(up_ctx *c, const up_step *s, uint32_t n) {
  up_node *src = malloc(2 * (size_t)n * sizeof *src);
  if (!src) return UP_NONE;
  for (uint32_t i = 0; i < n; i++) {
    src[2 * i] = s[i].before;
    src[2 * i + 1] = s[i].after;
  }
  up_node sink = up_new(c, UP_SINK, up_dt(UP_VOID), src, 2 * n, up_arg_none());
  free(src);
  return sink;
}

/* Number of the first step that differs at w, or UINT32_MAX. */
static uint32_t first_wrong_step(up_ctx *c, or_frame f, const up_trace *t, const or_witness *w) {
  for (uint32_t from = 0; from < t->n; from += CHUNK) {
    uint32_t n = t->n - from < CHUNK ? t->n - from : CHUNK;
    up_node sink = sink_of_steps(c, t->step + from, n);
    or_point p;
    if (up_is_none(sink) || !or_point_eval(c, sink, f, w, &p)) return UINT32_MAX;
    uint32_t i = 0;
    while (i < n && !or_point_differs(&p, t->step[from + i].before, t->step[from + i].after)) i++;
    or_point_clear(&p);
    if (i < n) return from + i;
  }
  return UINT32_MAX;
}

/* ---- trusted bounds -------------------------------------------------------------------------- */

typedef struct cause {
  or_checker *k;
  up_ctx *c;
  or_frame frame;
  const up_step *step;
} cause;

/* Can the rule have concluded the replacement from the claim of the replaced node alone? */
static bool root_claim_counts(const cause *q) {
  up_bounds b = up_minmax(q->c, q->step->before);
  up_int v;
  return up_is_const_int(q->c, q->step->after, &v) && !b.lo.is_float && !b.hi.is_float &&
         up_int_eq(b.lo.i, v) && up_int_eq(b.hi.i, v);
}

/* First node below the step's node, in topological order, whose claim fails at p. */
static up_node bad_claim_below(const cause *q, const or_point *p) {
  up_node n = or_point_bad_claim(q->c, p);
  if (up_same(n, q->step->before) && !root_claim_counts(q)) return UP_NONE;
  return n;
}

/* acc, and one side of a claim: `less` is lo or hi, whichever the comparison needs. Sides that no
 * value of the dtype can violate are left out: as constants of that dtype they would wrap. */
static up_node and_not(up_ctx *c, up_node acc, up_node violated) {
  up_node holds = up_not(c, violated);
  return up_is_none(acc) ? holds : up_binary(c, UP_AND, acc, holds);
}

/* acc, and lo <= n <= hi as claimed. UP_NONE: no value satisfies the claim, or it is one about
 * lanes, which is not put in words here: then it is held to be the cause. */
static up_node and_claim(const cause *q, up_node acc, up_node n) {
  up_ctx *c = q->c;
  up_dtype d = up_dtype_of(c, n);
  up_bounds b = up_minmax(c, n);
  if (b.lo.is_float || b.hi.is_float || up_dt_count(d) != 1) return UP_NONE;
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

/* Rounds of the search below; each adds a claim, so graphs with more wrong claims than this are
 * blamed on the first of them. */
#define MAX_CLAIMS 32u

/* The claim that the step trusted, or UP_NONE when the step is wrong by itself. A difference at a
 * point is explained away by a claim that fails there; so that claim is demanded and the next
 * difference looked for, until one has no excuse or there is none. */
static up_node trusted_claim(const cause *q, const or_witness *at) {
  up_node guard = UP_NONE, first = UP_NONE;
  or_witness w = {0};
  bool differs = or_witness_copy(&w, at);
  for (uint32_t round = 0; differs && round < MAX_CLAIMS; round++) {
    or_point p;
    if (!or_point_eval(q->c, q->step->before, q->frame, &w, &p)) break;
    up_node bad = bad_claim_below(q, &p);
    or_point_clear(&p);
    if (up_is_none(bad)) {
      first = UP_NONE;
      break;
    }
    if (up_is_none(first)) first = bad;
    guard = and_claim(q, guard, bad);
    differs = !up_is_none(guard) && differs_within(q, guard, &w);
  }
  or_witness_clear(&w);
  return first;
}

/* A variable in place of a node, with a range that is the node's claim and its value. */
static up_node claim_repaired(const cause *q, up_node n, unsigned number, const mpz_t value) {
  up_ctx *c = q->c;
  up_bounds b = up_minmax(c, n);
  up_dtype d = up_dtype_of(c, n);
  if (b.lo.is_float || b.hi.is_float || up_dt_count(d) != 1) return UP_NONE;
  up_int v = up_int_from_mpz(c, value), lo = b.lo.i, hi = b.hi.i;
  if (q->frame != OR_IDEAL) {
    if (up_int_cmp(c, lo, up_dt_min(c, d)) < 0) lo = up_dt_min(c, d);
    if (up_int_cmp(c, hi, up_dt_max(c, d)) > 0) hi = up_dt_max(c, d);
  }
  if (up_int_cmp(c, v, lo) < 0) lo = v;
  if (up_int_cmp(c, v, hi) > 0) hi = v;
  char name[32];
  snprintf(name, sizeof name, "claim %u", number);
  return up_var(c, name, lo, hi, d);
}

/* Replaces the first node below *root whose claim fails at w. False: there is none, or it has no
 * such variable (then *root is UP_NONE). */
static bool repair_one(const cause *q, up_node *root, or_witness *w, unsigned number) {
  or_point p;
  if (!or_point_eval(q->c, *root, q->frame, w, &p)) {
    *root = UP_NONE;
    return false;
  }
  up_node bad = or_point_bad_claim(q->c, &p), var = UP_NONE;
  bool some = !up_is_none(bad) && !up_same(bad, *root);
  if (some) {
    const mpz_t *v = &p.values.value[or_point_find(&p, bad)];
    var = claim_repaired(q, bad, number, *v);
    bool ok = !up_is_none(var) && or_witness_add(w, var, *v);
    *root = ok ? up_substitute(q->c, *root, &bad, &var, 1) : UP_NONE;
    some = ok;
  }
  or_point_clear(&p);
  return some;
}

/* Does the rule still apply, and is it still wrong at the point, once every claim that fails there
 * has been made right? Nodes with such claims become variables, so a rule that looks into them may
 * not apply any more; then this says no. */
static bool wrong_when_repaired(const cause *q, const or_witness *at) {
  up_node root = q->step->before;
  or_witness w = {0};
  bool wrong = false;
  if (!or_witness_copy(&w, at)) return false;
  for (unsigned i = 0; i < MAX_CLAIMS && repair_one(q, &root, &w, i); i++) continue;
  const up_ruleset *rules = up_profile_ruleset(up_ctx_profile(q->c), "symbolic");
  if (!up_is_none(root) && rules) {
    up_step again = {.before = root};
    again.after = up_apply_first(q->c, rules, root, &again.rule);
    const up_trace one = {.step = &again, .n = 1};
    const cause repaired = {.c = q->c, .frame = q->frame, .step = &again};
    wrong = again.rule == q->step->rule && !root_claim_counts(&repaired) &&
            first_wrong_step(q->c, q->frame, &one, &w) == 0;
  }
  up_ctx_clear_status(q->c);
  or_witness_clear(&w);
  return wrong;
}

/* ---- constants outside their dtype ----------------------------------------------------------- */

static bool is_ill_constant(up_ctx *c, up_node n) {
  up_int v;
  return up_is_const_int(c, n, &v) && !up_int_eq(v, up_int_wrap(c, v, up_dtype_of(c, n)));
}

/* The ill constants of a graph; false: no memory. */
static bool ill_constants(up_ctx *c, up_node root, up_list *out) {
  up_list topo = {0};
  bool ok = up_toposort(c, root, &topo);
  for (uint32_t i = 0; ok && i < topo.n; i++) {
    if (is_ill_constant(c, topo.p[i])) ok = up_list_push(out, topo.p[i]);
  }
  up_list_free(&topo);
  return ok;
}

/* Is the step sound with these constants wrapped? (Or does the rule then not apply at all?) */
static bool sound_when_wrapped(const cause *q, const up_list *ill) {
  up_ctx *c = q->c;
  up_list fixed = {0};
  bool ok = true;
  for (uint32_t i = 0; ok && i < ill->n; i++) {
    up_int v = {0, 0};
    up_is_const_int(c, ill->p[i], &v);
    ok = up_list_push(&fixed,
                      up_const_like(c, ill->p[i], up_int_wrap(c, v, up_dtype_of(c, ill->p[i]))));
  }
  up_node before = ok ? up_substitute(c, q->step->before, ill->p, fixed.p, ill->n) : UP_NONE;
  up_list_free(&fixed);
  const up_ruleset *rules = up_profile_ruleset(up_ctx_profile(c), "symbolic");
  if (up_is_none(before) || !rules) return false;
  int rule;
  up_node after = up_apply_first(c, rules, before, &rule);
  if (up_ctx_status(c) != UP_OK) {
    up_ctx_clear_status(c);
    return false;
  }
  if (rule != q->step->rule) return true;
  or_answer a = or_equiv(q->k, c, before, after, q->frame, NULL);
  ok = a.verdict == OR_PROVED || a.verdict == OR_EXHAUSTED;
  or_answer_clear(&a);
  return ok;
}

static bool holds_any(up_ctx *c, up_node root, const up_list *wanted) {
  up_list topo = {0};
  bool found = false;
  if (!up_toposort(c, root, &topo)) return false;
  for (uint32_t i = 0; i < topo.n && !found; i++) {
    for (uint32_t k = 0; k < wanted->n && !found; k++) found = up_same(topo.p[i], wanted->p[k]);
  }
  up_list_free(&topo);
  return found;
}

/* The step that made the ill constant which the step `at` trusted; `at` itself if none did. */
static uint32_t maker_of_constant(const cause *q, const up_trace *t, uint32_t at) {
  up_list ill = {0};
  uint32_t maker = at;
  if (ill_constants(q->c, q->step->before, &ill) && ill.n > 0 && sound_when_wrapped(q, &ill)) {
    for (uint32_t i = 0; i < at && maker == at; i++) {
      if (!holds_any(q->c, t->step[i].before, &ill) && holds_any(q->c, t->step[i].after, &ill))
        maker = i;
    }
  }
  up_list_free(&ill);
  return maker;
}

/* ---- value ----------------------------------------------------------------------------------- */

static or_blame blame_step(const up_step *s) {
  return (or_blame){.rule = s->rule, .before = s->before, .after = s->after};
}

static bool reads_bounds(const up_ctx *c, int rule) {
  return rule >= 0 && up_rule_at(up_ctx_profile(c), (uint32_t)rule).reads_bounds;
}

or_blame or_blame_value(or_checker *k, up_ctx *c, or_frame f, const up_trace *t,
                        const or_witness *w) {
  const or_blame unknown = {.rule = -1, .before = UP_NONE, .after = UP_NONE};
  uint32_t at = first_wrong_step(c, f, t, w);
  if (at == UINT32_MAX) return unknown;
  cause q = {.k = k, .c = c, .frame = f, .step = &t->step[at]};
  if (f != OR_IDEAL) {
    uint32_t maker = maker_of_constant(&q, t, at);
    if (maker != at) return blame_step(&t->step[maker]);
  }
  if (reads_bounds(c, q.step->rule)) {
    up_node bad = trusted_claim(&q, w);
    if (!up_is_none(bad) && !wrong_when_repaired(&q, w))
      return (or_blame){.rule = up_minmax_rule(c, bad), .before = bad, .after = UP_NONE};
  }
  return blame_step(q.step);
}

/* ---- loops and dtypes ------------------------------------------------------------------------ */

/* Steps that are looked at when the budget ran out without a repeat: the end of the trace. */
#define TAIL 256u

/* Every step of a turn belongs to the loop; which one is called the cause is a convention, and it
 * must not depend on where the turn was entered. So: the step whose graph grows the most (a rule
 * that makes things larger undoes what the others do), among equals the rule that stands last in
 * the table (the newest), among those the first in the turn. */
or_blame or_blame_loop(up_ctx *c, const up_trace *t, uint32_t from, const up_result *r) {
  or_blame best = {.rule = r->rule, .before = UP_NONE, .after = UP_NONE};
  int64_t best_growth = INT64_MIN;
  if (r->status != UP_LOOP || from >= t->n) from = t->n > TAIL ? t->n - TAIL : 0;
  uint32_t end = t->n - from > TAIL ? from + TAIL : t->n;
  for (uint32_t i = from; i < end; i++) {
    const up_step *s = &t->step[i];
    int64_t growth = (int64_t)up_count(c, s->after) - (int64_t)up_count(c, s->before);
    if (growth > best_growth || (growth == best_growth && s->rule > best.rule)) {
      best = blame_step(s);
      best_growth = growth;
    }
  }
  return best;
}

or_blame or_blame_dtype(const up_ctx *c, const up_trace *t) {
  for (uint32_t i = 0; i < t->n; i++) {
    const up_step *s = &t->step[i];
    if (up_dtype_of(c, s->before) != up_dtype_of(c, s->after)) return blame_step(s);
  }
  return (or_blame){.rule = -1, .before = UP_NONE, .after = UP_NONE};
}
