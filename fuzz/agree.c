#include "fuzz/agree.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool fz_agree_init(fz_agree *a, const char *profile, up_error *err) {
  *a = (fz_agree){0};
  a->compiled = up_profile_load(profile, err);
  a->interpreted = a->compiled ? up_profile_load_interpreted(profile, err) : NULL;
  if (a->interpreted) {
    a->c = up_ctx_new(a->compiled);
    a->other = up_ctx_new(a->interpreted);
    if (a->c && a->other) return true;
    up_fail(err, 0, 0, "out of memory");
  }
  fz_agree_free(a);
  return false;
}

void fz_agree_free(fz_agree *a) {
  up_ctx_free(a->c);
  up_ctx_free(a->other);
  up_profile_free(a->compiled);
  up_profile_free(a->interpreted);
  *a = (fz_agree){0};
}

void fz_agree_reset(fz_agree *a) {
  up_ctx_reset(a->c);
  up_ctx_reset(a->other);
}

static const char *name_of(const up_profile *p, int rule) {
  return rule < 0 ? "no rule" : up_rule_at(p, (uint32_t)rule).name;
}

/* ---- rule sets: both sorts of rules, in the one context ------------------------------------- */

typedef struct answer {
  up_node node;
  int rule;
  up_status status;
} answer;

static answer ask(up_ctx *c, const up_ruleset *s, up_node n) {
  answer x = {.rule = -1};
  x.node = up_apply_first(c, s, n, &x.rule);
  x.status = up_ctx_status(c);
  up_ctx_clear_status(c);
  return x;
}

static bool agree_on_set(fz_agree *a, const up_ruleset *s, const up_ruleset *t, up_node n) {
  answer x = ask(a->c, s, n), y = ask(a->c, t, n);
  a->asked++;
  a->applied += x.rule >= 0;
  a->raised += x.status != UP_OK;
  if (up_same(x.node, y.node) && x.rule == y.rule && x.status == y.status) return true;
  snprintf(a->why, sizeof a->why,
           "set %s at %s: compiled %s (%s, node %u), interpreted %s (%s, node %u)",
           up_ruleset_name(s), up_op_name(up_op_of(a->c, n)), name_of(a->compiled, x.rule),
           up_status_name(x.status), x.node.id, name_of(a->interpreted, y.rule),
           up_status_name(y.status), y.node.id);
  return false;
}

static bool agree_on_sets(fz_agree *a, up_node n) {
  const up_ruleset *s, *t;
  for (uint32_t i = 0; (s = up_ruleset_at(a->compiled, i)) != NULL; i++) {
    t = up_ruleset_at(a->interpreted, i);
    assert(t && strcmp(up_ruleset_name(s), up_ruleset_name(t)) == 0);
    if (!agree_on_set(a, s, t, n)) return false;
  }
  return true;
}

/* ---- bounds: the same graph in both contexts ------------------------------------------------ */

static bool same_value(const fz_agree *a, up_val x, up_val y) {
  if (x.is_float != y.is_float) return false;
  if (x.is_float) return memcmp(&x.f, &y.f, sizeof x.f) == 0;
  if (up_int_fits(x.i) && up_int_fits(y.i)) return x.i.lo == y.i.lo;
  up_buf p = {0}, q = {0};
  up_int_put(a->c, x.i, &p);
  up_int_put(a->other, y.i, &q);
  bool same = p.p && q.p && strcmp(p.p, q.p) == 0;
  up_buf_free(&p);
  up_buf_free(&q);
  return same;
}

static bool agree_on_bounds(fz_agree *a, up_node n, up_node m) {
  up_bounds x = up_minmax(a->c, n), y = up_minmax(a->other, m);
  up_status xs = up_ctx_status(a->c), ys = up_ctx_status(a->other);
  up_ctx_clear_status(a->c);
  up_ctx_clear_status(a->other);
  a->bounds++;
  if (xs != UP_OK || ys != UP_OK) {
    snprintf(a->why, sizeof a->why, "bounds of %s: compiled %s, interpreted %s",
             up_op_name(up_op_of(a->c, n)), up_status_name(xs), up_status_name(ys));
    return xs == ys;
  }
  int r = up_minmax_rule(a->c, n), s = up_minmax_rule(a->other, m);
  if (r == s && same_value(a, x.lo, y.lo) && same_value(a, x.hi, y.hi)) return true;
  snprintf(a->why, sizeof a->why, "bounds of %s: compiled by %s, interpreted by %s",
           up_op_name(up_op_of(a->c, n)), name_of(a->compiled, r), name_of(a->interpreted, s));
  return false;
}

bool fz_agree_nodes(fz_agree *a, up_node root) {
  up_list left = {0}, right = {0};
  up_node copy = up_copy(a->other, a->c, root);
  bool ok = up_toposort(a->c, root, &left) && up_toposort(a->other, copy, &right);
  if (!ok) snprintf(a->why, sizeof a->why, "out of memory");
  assert(!ok || left.n == right.n);
  for (uint32_t i = 0; ok && i < left.n; i++) {
    a->nodes++;
    ok = agree_on_bounds(a, left.p[i], right.p[i]) && agree_on_sets(a, left.p[i]);
  }
  up_list_free(&left);
  up_list_free(&right);
  return ok;
}

/* ---- simplification ------------------------------------------------------------------------- */

typedef struct outcome {
  up_result r;
  up_trace trace;
  up_rule_stat *stats;
} outcome;

static bool simplify(up_ctx *c, up_node root, outcome *o) {
  o->stats = calloc(up_rule_count(up_ctx_profile(c)), sizeof *o->stats);
  if (!o->stats) return false;
  up_ctx_stats(c, o->stats);
  up_ruleset const *rules = up_profile_ruleset(up_ctx_profile(c), "symbolic");
  o->r = up_rewrite(c, root, rules, 20000, &o->trace, NULL);
  up_ctx_stats(c, NULL);
  return !o->trace.no_memory;
}

static bool same_trace(const up_trace *x, const up_trace *y) {
  if (x->n != y->n) return false;
  for (uint32_t i = 0; i < x->n; i++)
    if (x->step[i].rule != y->step[i].rule || x->step[i].depth != y->step[i].depth) return false;
  return true;
}

static bool same_stats(const up_rule_stat *x, const up_rule_stat *y, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (x[i].tried != y[i].tried || x[i].matched != y[i].matched) return false;
  return true;
}

static bool agree_on(fz_agree *a, const outcome *x, const outcome *y) {
  const char *what = NULL;
  if (x->r.status != y->r.status || x->r.rule != y->r.rule || x->r.steps != y->r.steps)
    what = "end";
  else if (!same_trace(&x->trace, &y->trace))
    what = "steps";
  else if (!same_stats(x->stats, y->stats, up_rule_count(a->compiled)))
    what = "counts";
  else if (x->r.status == UP_OK && !up_same(up_copy(a->c, a->other, y->r.node), x->r.node))
    what = "graph";
  if (what) snprintf(a->why, sizeof a->why, "simplification: the %s differ", what);
  return !what;
}

bool fz_agree_simplify(fz_agree *a, up_node root) {
  outcome x = {.stats = NULL}, y = {.stats = NULL};
  up_node copy = up_copy(a->other, a->c, root);
  a->simplified++;
  bool ok = simplify(a->c, root, &x) && simplify(a->other, copy, &y);
  if (!ok) snprintf(a->why, sizeof a->why, "out of memory");
  ok = ok && agree_on(a, &x, &y);
  up_trace_free(&x.trace);
  up_trace_free(&y.trace);
  free(x.stats);
  free(y.stats);
  return ok;
}
