/* Reduction of a finding: hierarchical delta debugging to a fixed point.
 *
 * The best graph so far lives in one context, each trial is built in another one that is reset
 * before; when a trial is accepted the two change places. So memory is that of two graphs and one
 * check, however many trials there are.
 *
 * A trial is accepted when it is smaller (size.c) and fails in the same way: same cause, which is
 * kind, frame, blamed rule, op of the blamed node and sign of its divisor. To be quick, the trial is evaluated first at the last witness, and where that shows
 * nothing, by a small checker without a solver. What comes out is checked again by the caller's
 * checker; if that blames another rule, or the small one can't see the finding at all, the whole
 * reduction is done with the caller's checker alone.
 */
#include "oracle/checker.h"
#include "oracle/shrink.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TRIES 50000u
/* Rewrites that go on for longer than this are taken for endless in a trial. */
#define TRIAL_STEPS 100000u

bool shrink_over(const shrink *s) {
  return (s->stop && *s->stop) || s->tries >= s->max_tries || up_ctx_status(s->best) != UP_OK;
}

bool shrink_value(const shrink *s, const or_point *p, up_node n, mpz_t out) {
  uint32_t i = or_point_find(p, n);
  if (i == UINT32_MAX || p->values.def[i] != OR_VALUE_OK) return false;
  if (up_dt_count(up_dtype_of(s->best, n)) != 1) return false;
  mpz_set(out, p->values.value[i]);
  return true;
}

/* ---- trials ---------------------------------------------------------------------------------- */

/* What is reduced: the graph, or all that a simplification under a valid is given. */
static up_node subject_of(up_ctx *c, const or_finding *f) {
  const up_node parts[2] = {f->valid, f->graph};
  if (f->mode == OR_NO_VALID) return f->graph;
  uint32_t n = f->mode == OR_GIVEN_VALID ? 2 : 1;
  return up_new(c, UP_SINK, up_dt(UP_VOID), parts, n, up_arg_none());
}

static void check_subject(const shrink *s, or_checker *k, up_ctx *c, up_node root,
                          const or_scope *scope, or_report *out) {
  uint32_t parts = s->mode == OR_GIVEN_VALID ? 2 : 1;
  *out = (or_report){.verdict = OR_UNDECIDED};
  if (s->mode == OR_NO_VALID)
    or_check_scoped(k, c, root, s->frame, scope, out);
  else if (up_op_of(c, root) == UP_SINK && up_nsrc(c, root) == parts)
    or_check_valid(k, c, up_src(c, root, 0), up_src(c, root, parts - 1), s->mode, s->frame, out);
}

static bool same_cause(const shrink *s, up_ctx *c, const or_finding *f) {
  char cause[OR_CAUSE_ROOM];
  if (!f || f->rule != s->rule) return false;
  or_finding_cause(c, f, cause);
  return strcmp(cause, s->wanted) == 0;
}

/* Does the graph still fail in the way that is wanted? Then its witness and cause are taken. */
static bool fails_alike(shrink *s, up_ctx *c, up_node root, const or_witness *hint) {
  or_scope scope = {.kinds = 1u << s->kind, .max_steps = TRIAL_STEPS, .hint = hint};
  or_report r;
  check_subject(s, s->checker, c, root, &scope, &r);
  or_finding *f = or_report_find(&r, s->kind);
  bool alike = same_cause(s, c, f);
  if (alike) {
    or_witness_clear(&s->witness);
    s->witness = f->witness;
    s->cause = f->before;
    s->found = *f;
    f->witness = (or_witness){0};
  }
  or_report_clear(&r);
  return alike;
}

static void accept(shrink *s, up_list *topo) {
  up_ctx *c = s->best;
  s->best = s->trial;
  s->trial = c;
  up_list_free(&s->topo);
  s->topo = *topo;
  *topo = (up_list){0};
  size z = s->size;
  s->size = s->trial_size;
  s->trial_size = z;
  s->accepted++;
  s->won[s->pass].accepted++;
  s->won[s->pass].nodes += z.nodes - s->size.nodes;
}

/* The graph `root` of s->trial. */
static bool judge(shrink *s, up_node root) {
  up_list topo = {0};
  or_witness hint = {0};
  bool better = !up_is_none(root) && up_toposort(s->trial, root, &topo) &&
                size_measure(s->trial, &topo, &s->trial_size) &&
                size_cmp(&s->trial_size, &s->size) < 0;
  if (better) {
    s->tries++;
    s->won[s->pass].tries++;
    bool carried = s->hints && or_witness_carry(s->trial, root, s->best, &s->witness, &hint);
    better = fails_alike(s, s->trial, root, carried ? &hint : NULL);
  }
  if (better) accept(s, &topo);
  if (better && s->watch) s->watch->better(s->watch->arg, s->best, &s->found);
  or_witness_clear(&hint);
  up_list_free(&topo);
  return better;
}

bool shrink_try(shrink *s, const edit *e) {
  if (shrink_over(s)) return false;
  edit with = *e;
  with.widen = s->widen;
  up_ctx_reset(s->trial);
  return judge(s, edit_copy(s->trial, s->best, &s->topo, &with));
}

bool shrink_try_root(shrink *s, up_node root) {
  if (shrink_over(s)) return false;
  up_ctx_reset(s->trial);
  return judge(s, up_copy(s->trial, s->best, root));
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Copies the finding's graph into s->best. */
static bool load(shrink *s, up_ctx *c, const or_finding *f) {
  up_ctx_reset(s->best);
  up_list_free(&s->topo);
  or_witness_clear(&s->witness);
  s->cause = UP_NONE;
  up_node root = up_copy(s->best, c, subject_of(c, f));
  return !up_is_none(root) && up_toposort(s->best, root, &s->topo) &&
         size_measure(s->best, &s->topo, &s->size) &&
         or_witness_carry(s->best, root, c, &f->witness, &s->witness);
}

static up_node root_of(const shrink *s) { return s->topo.p[s->topo.n - 1]; }

static bool run_pass(shrink *s, or_pass p, shrink_pass pass) {
  s->pass = p;
  return pass(s);
}

static bool all_passes(shrink *s) {
  static const struct {
    or_pass pass;
    shrink_pass run;
  } passes[] = {{OR_PASS_DESCEND, pass_descend},     {OR_PASS_CUT, pass_cut},
                {OR_PASS_USES, pass_uses},           {OR_PASS_VARIABLES, pass_variables},
                {OR_PASS_TYPES, pass_types},         {OR_PASS_NUMBERS, pass_together},
                {OR_PASS_CONSTANTS, pass_constants}, {OR_PASS_RANGES, pass_ranges}};
  bool changed = false;
  numbers before = {0};
  if (!numbers_take(s, &before)) return false;
  for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
    changed = run_pass(s, passes[i].pass, passes[i].run) || changed;
  s->pass = OR_PASS_NUMBERS;
  if (changed) pass_leap(s, &before);
  numbers_clear(&before);
  return changed;
}

static void to_fixed_point(shrink *s) {
  do {
    while (!shrink_over(s) && all_passes(s)) continue;
  } while (!shrink_over(s) && run_pass(s, OR_PASS_WIDENED, pass_widened));
}

/* The finding of the best graph as this checker sees it (the quick one in no more steps than it has
 * in a trial); false: none of the wanted cause. */
static bool find_in_best(shrink *s, or_checker *k, const or_witness *hint, or_finding *out) {
  or_report r;
  bool trial = s->hints && k == s->checker;
  const or_scope all = {.kinds = (1u << OR_KINDS) - 1u,
                        .max_steps = trial ? TRIAL_STEPS : k->limits.max_steps,
                        .hint = hint};
  check_subject(s, k, s->best, root_of(s), &all, &r);
  or_finding *found = or_report_find(&r, s->kind);
  bool same = same_cause(s, s->best, found);
  if (same) {
    *out = *found;
    *found = (or_finding){.kind = s->kind};
  }
  or_report_clear(&r);
  return same;
}

static bool is_stopped(const shrink *s) { return s->stop && *s->stop; }

/* Who is in a hurry does not wait for the solver: what the quick checker finds is taken, or the last
 * witness, which the reference evaluator has confirmed. */
static bool conclude(shrink *s, or_checker *judge_of_result, or_finding *out) {
  bool hurry = s->hints && is_stopped(s);
  if (find_in_best(s, hurry ? s->checker : judge_of_result, NULL, out)) return true;
  return (hurry || s->trusting) && find_in_best(s, s->checker, &s->witness, out);
}

/* Goes on from the point that the judge saw. False: no memory. */
static bool take_witness(shrink *s, const or_finding *f) {
  or_witness w;
  if (!or_witness_copy(&w, &f->witness)) return false;
  or_witness_clear(&s->witness);
  s->witness = w;
  s->cause = f->before;
  return true;
}

/* Reduces with this checker, and asks the caller's for the finding of what came out. That may be at
 * another point, from which more can go: then so on, so that the result reduced again stays as it
 * is. */
static bool reduce(shrink *s, or_checker *with, or_checker *judge_of_result, up_ctx *c,
                   const or_finding *f, or_finding *out) {
  s->checker = with;
  s->hints = with != judge_of_result;
  s->accepted = 0;
  memset(s->won, 0, sizeof s->won);
  if (!load(s, c, f)) return false;
  or_witness hint = {0};
  bool hinted = s->hints && or_witness_copy(&hint, &s->witness);
  bool alike = fails_alike(s, s->best, root_of(s), hinted ? &hint : NULL);
  or_witness_clear(&hint);
  if (!alike) return !s->hints && conclude(s, judge_of_result, out);
  for (;;) {
    uint32_t before = s->accepted;
    to_fixed_point(s);
    if (out->graph.id && s->accepted == before) return true;
    or_finding_clear(out);
    if (!conclude(s, judge_of_result, out)) return false;
    if (shrink_over(s) || !take_witness(s, out)) return true;
  }
}

/* The three ways, each when the one before has come out with something that its judge does not find
 * or blames on another cause. */
static bool reduce_somehow(shrink *s, or_checker *quick, or_checker *k, up_ctx *c,
                           const or_finding *f, or_finding *out) {
  if (reduce(s, quick, k, c, f, out)) return true;
  if (!is_stopped(s) && reduce(s, k, k, c, f, out)) return true;
  s->trusting = true;
  return reduce(s, quick, k, c, f, out);
}

static or_checker *quick_checker(const or_checker *k) {
  or_limits l = or_limits_default();
  l.samples = 24;
  l.max_points = 4096;
  l.solver_rlimit = 0;
  l.no_overflow = k->limits.no_overflow;
  return or_checker_new(&l);
}

static void shrink_clear(shrink *s) {
  if (s->best) up_ctx_free(s->best);
  if (s->trial) up_ctx_free(s->trial);
  up_list_free(&s->topo);
  or_witness_clear(&s->witness);
  size_clear(&s->size);
  size_clear(&s->trial_size);
}

bool or_minimize(or_checker *k, up_ctx *c, const or_finding *f, const volatile bool *stop,
                 uint64_t max_tries, or_reduced *out) {
  return or_minimize_watched(k, c, f, stop, max_tries, NULL, out);
}

bool or_minimize_watched(or_checker *k, up_ctx *c, const or_finding *f, const volatile bool *stop,
                         uint64_t max_tries, const or_watch *watch, or_reduced *out) {
  assert(k && c && f && out);
  *out = (or_reduced){0};
  shrink s = {.frame = f->frame, .kind = f->kind, .rule = f->rule, .stop = stop};
  s.mode = f->mode;
  s.watch = watch;
  or_finding_cause(c, f, s.wanted);
  s.max_tries = max_tries ? max_tries : DEFAULT_TRIES;
  s.best = up_ctx_like(c);
  s.trial = up_ctx_like(c);
  size_init(&s.size);
  size_init(&s.trial_size);
  const uint32_t sink = s.mode == OR_NO_VALID ? 0 : 1; /* is not counted */
  out->nodes_before = up_count(c, subject_of(c, f)) - sink;
  or_checker *quick = quick_checker(k);
  bool ok = s.best && s.trial && quick && reduce_somehow(&s, quick, k, c, f, &out->finding);
  if (ok) {
    out->ctx = s.best;
    s.best = NULL;
    out->nodes_after = s.topo.n - sink;
    out->tries = (uint32_t)s.tries;
    out->accepted = s.accepted;
    memcpy(out->won, s.won, sizeof out->won);
  }
  if (quick) or_checker_free(quick);
  shrink_clear(&s);
  return ok;
}

void or_reduced_clear(or_reduced *r) {
  or_finding_clear(&r->finding);
  if (r->ctx) up_ctx_free(r->ctx);
  *r = (or_reduced){0};
}
