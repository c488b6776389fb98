/* Which rule is the cause of a finding.
 *
 * A wrong value. The trace replaces nodes one by one, and a replacement that is right at a point
 * keeps every graph around it right at that point. So when the whole differs at a point w, some
 * step differs at w too: the first such step is the one to explain. Only w is evaluated, no solver.
 * (A step that is wrong elsewhere but right at w did not cause this difference.)
 *
 * That step may be right in itself and have trusted something that was wrong already:
 *  - a bounds claim: see trust.c;
 *  - a constant outside its dtype, where integers are finite. If the step is right at w once such
 *    constants are wrapped, the step that made the first of them is the cause.
 *
 * Where no step differs in value, one made a scalar of a vector, or a vector of a scalar: the first
 * such step is the cause.
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

/* A vector for a scalar, or the other way round: where such a step was taken, what is around it has no
 * meaning any more, so that no step after it can be held to a value. */
static uint32_t first_step_of_other_lanes(up_ctx *c, const up_trace *t) {
  uint32_t i = 0;
  while (i < t->n && up_dt_count(up_dtype_of(c, t->step[i].before)) ==
                         up_dt_count(up_dtype_of(c, t->step[i].after)))
    i++;
  return i < t->n ? i : UINT32_MAX;
}

typedef struct cause {
  or_checker *k;
  up_ctx *c;
  or_frame frame;
  const up_step *step;
} cause;

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

static up_node with_wrapped(up_ctx *c, up_node root, const up_list *ill) {
  up_list fixed = {0};
  bool ok = true;
  for (uint32_t i = 0; ok && i < ill->n; i++) {
    up_int v = {0, 0};
    up_is_const_int(c, ill->p[i], &v);
    v = up_int_wrap(c, v, up_dtype_of(c, ill->p[i]));
    ok = up_list_push(&fixed, up_const_like(c, ill->p[i], v));
  }
  up_node n = ok ? up_substitute(c, root, ill->p, fixed.p, ill->n) : UP_NONE;
  up_list_free(&fixed);
  return n;
}

/* The first rule that applies to s->before; of an external engine, whose rules can't be applied one by
 * one, all that it does there. False: nothing came of it. */
static bool apply_again(up_ctx *c, up_step *s) {
  const up_ruleset *rules = up_ctx_rules(c);
  if (up_profile_is_external(up_ctx_profile(c))) {
    up_result r = up_rewrite(c, s->before, rules, 0, NULL, NULL);
    s->after = r.node;
    return r.status == UP_OK;
  }
  s->after = up_apply_first(c, rules, s->before, &s->rule);
  bool ok = up_ctx_status(c) == UP_OK;
  up_ctx_clear_status(c);
  return ok;
}

/* Is the step right at w with these constants wrapped? (Or does its rule then not apply at all?) */
static bool right_when_wrapped(const cause *q, const up_list *ill, const or_witness *w) {
  up_ctx *c = q->c;
  up_step again = {.rule = q->step->rule, .before = with_wrapped(c, q->step->before, ill)};
  if (up_is_none(again.before)) return false;
  if (!apply_again(c, &again)) return false;
  const up_trace one = {.step = &again, .n = 1};
  return again.rule != q->step->rule || first_wrong_step(c, q->frame, &one, w) == UINT32_MAX;
}

/* Sources have smaller ids than their users, so most graphs need not be walked. */
static bool holds_any(up_ctx *c, up_node root, const up_list *wanted) {
  up_list topo = {0};
  bool found = false, possible = false;
  for (uint32_t k = 0; k < wanted->n; k++) possible = possible || wanted->p[k].id <= root.id;
  if (!possible) return false;
  if (!up_toposort(c, root, &topo)) return false;
  for (uint32_t i = 0; i < topo.n && !found; i++) {
    for (uint32_t k = 0; k < wanted->n && !found; k++) found = up_same(topo.p[i], wanted->p[k]);
  }
  up_list_free(&topo);
  return found;
}

/* The first of n steps that brings in one of these constants; n if none does. */
static uint32_t maker_among(up_ctx *c, const up_trace *t, uint32_t n, const up_list *ill) {
  uint32_t i = 0;
  while (i < n && (holds_any(c, t->step[i].before, ill) || !holds_any(c, t->step[i].after, ill)))
    i++;
  return i;
}

/* The step that made the ill constant which the step `at` trusted; `at` itself if none did. */
static uint32_t maker_of_constant(const cause *q, const up_trace *t, uint32_t at,
                                  const or_witness *w) {
  up_list ill = {0};
  uint32_t maker = at;
  if (ill_constants(q->c, q->step->before, &ill) && ill.n > 0 && right_when_wrapped(q, &ill, w))
    maker = maker_among(q->c, t, at, &ill);
  up_list_free(&ill);
  return maker;
}

/* ---- value ----------------------------------------------------------------------------------- */

static or_blame blame_step(const up_step *s) {
  return (or_blame){.rule = s->rule, .before = s->before, .after = s->after};
}

static or_blame blame_claim_or_step(const cause *q, const or_witness *w) {
  up_node claim = or_trusted_claim(q->k, q->c, q->frame, q->step, w);
  if (up_is_none(claim)) return blame_step(q->step);
  return (or_blame){.rule = up_minmax_rule(q->c, claim), .before = claim, .after = UP_NONE};
}

/* The maker itself is right at w. Where it got the constant from a claim that fails at w, as
 * one_value does, the claim is the cause. */
static or_blame blame_maker(const cause *q, const up_step *maker, const or_witness *w) {
  up_node claim = or_claim_behind(q->c, q->frame, maker, OR_STEP_AGAIN, w);
  if (up_is_none(claim)) return blame_step(maker);
  return (or_blame){.rule = up_minmax_rule(q->c, claim), .before = claim, .after = UP_NONE};
}

or_blame or_blame_value(or_checker *k, up_ctx *c, or_frame f, const up_trace *t,
                        const or_witness *w) {
  const or_blame unknown = {.rule = -1, .before = UP_NONE, .after = UP_NONE};
  uint32_t at = first_wrong_step(c, f, t, w);
  if (at == UINT32_MAX) {
    at = first_step_of_other_lanes(c, t);
    return at == UINT32_MAX ? unknown : blame_step(&t->step[at]);
  }
  cause q = {.k = k, .c = c, .frame = f, .step = &t->step[at]};
  if (f != OR_IDEAL) {
    uint32_t maker = maker_of_constant(&q, t, at, w);
    if (maker != at) return blame_maker(&q, &t->step[maker], w);
  }
  return blame_claim_or_step(&q, w);
}

or_blame or_blame_claim(up_ctx *c, or_frame f, const up_trace *t, up_node n, const or_witness *w) {
  up_node origin = or_claim_cause(c, f, n, w);
  if (f != OR_IDEAL && is_ill_constant(c, origin)) {
    const up_list ill = {.p = &origin, .n = 1, .cap = 1};
    uint32_t maker = maker_among(c, t, t->n, &ill);
    if (maker < t->n) return blame_step(&t->step[maker]);
  }
  return (or_blame){.rule = up_minmax_rule(c, origin), .before = origin, .after = UP_NONE};
}

/* ---- raises ---------------------------------------------------------------------------------- */

/* The same of an external engine, asked part by part. */
static up_node raising_outside(up_ctx *c, up_node root, const up_ruleset *rules) {
  up_list topo = {0};
  up_node part = root;
  bool found = false;
  uint32_t n = up_toposort(c, root, &topo) ? topo.n : 0;
  for (uint32_t i = 0; i < n && !found; i++) {
    part = topo.p[i];
    found = up_status_raise(up_rewrite(c, part, rules, 0, NULL, NULL).status) != NULL;
  }
  up_list_free(&topo);
  return found ? part : root;
}

/* The smallest part of root, leaves first, whose rewrite raises too. */
static up_node raising_part(up_ctx *c, up_node root, const up_ruleset *rules) {
  if (up_profile_is_external(up_ctx_profile(c))) return raising_outside(c, root, rules);
  up_list from = {0}, image = {0};
  up_result r = up_rewrite_map(c, root, rules, NULL, &from, &image);
  uint32_t i = 0;
  while (i < image.n && !up_is_none(image.p[i])) i++;
  up_node part = up_status_raise(r.status) && i < image.n ? from.p[i] : root;
  up_list_free(&from);
  up_list_free(&image);
  return part;
}

static bool is_defined_at(up_ctx *c, or_frame f, up_node n, const or_witness *w) {
  or_point p;
  if (!or_point_eval(c, n, f, w, &p)) return false;
  uint32_t i = or_point_find(&p, n);
  bool defined = i != UINT32_MAX && p.values.def[i] == OR_VALUE_OK;
  or_point_clear(&p);
  return defined;
}

/* Is n a division by something that is 0 at w? */
static bool divides_by_zero(up_ctx *c, or_frame f, up_node n, const or_witness *w) {
  or_point p;
  if (!up_op_divides(up_op_of(c, n))) return false;
  if (!or_point_eval(c, n, f, w, &p)) return false;
  uint32_t i = or_point_find(&p, up_src(c, n, 1));
  bool zero = i != UINT32_MAX && p.values.def[i] == OR_VALUE_OK && mpz_sgn(p.values.value[i]) == 0;
  or_point_clear(&p);
  return zero;
}

/* Where the node whose rewrite raised has a value at w, the raise is wrong by itself, whatever else
 * went wrong before. Where it has none, but the part that was rewritten has one, a step lost it, as
 * when a divisor that is not 0 became 0: that step is the cause and not the rule which met the 0. Of
 * a part that has no value, or that divides by 0 itself (in `wrap`), nothing was lost. */
or_blame or_blame_raise(or_checker *k, up_ctx *c, or_frame f, up_node root, const up_result *r,
                        const or_witness *w) {
  const up_step raise = {.rule = r->rule, .before = r->at, .after = UP_NONE};
  const up_ruleset *rules = up_ctx_rules(c);
  const cause q = {.k = k, .c = c, .frame = f, .step = &raise};
  or_blame b = {.rule = -1};
  up_trace t = {0};
  up_node part = raising_part(c, root, rules);
  up_result again = up_rewrite(c, part, rules, 0, &t, NULL);
  bool lost = up_is_none(again.at) || !is_defined_at(c, f, again.at, w);
  if (lost && is_defined_at(c, f, part, w) && !divides_by_zero(c, f, part, w))
    b = or_blame_value(k, c, f, &t, w);
  up_trace_free(&t);
  if (b.rule < 0) b = up_is_none(r->at) ? blame_step(&raise) : blame_claim_or_step(&q, w);
  up_ctx_clear_status(c);
  return b;
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

or_blame or_blame_again(const up_trace *t, const up_result *r) {
  if (t->n > 0) return blame_step(&t->step[0]);
  return (or_blame){.rule = r->rule, .before = r->node, .after = UP_NONE};
}

or_blame or_blame_dtype(up_ctx *c, const up_trace *t) {
  up_node bad;
  for (uint32_t i = 0; i < t->n; i++) {
    const up_step *s = &t->step[i];
    if (up_dtype_of(c, s->before) != up_dtype_of(c, s->after)) return blame_step(s);
    if (!up_type_kept(c, s->before, s->after, &bad)) return blame_step(s);
  }
  return (or_blame){.rule = -1, .before = UP_NONE, .after = UP_NONE};
}
