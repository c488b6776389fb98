/* Everything about one graph in one frame: bounds, termination, crashes, dtype, value.
 *
 * The order is fixed, so that a report is the same for the same graph, and each kind is reported
 * once at most:
 *   1. the bounds of the graph as given: before anything rewrites it, so that the claim that fails
 *      first names its transfer rule;
 *   2. the rewrite: a loop or an exhausted step budget is a finding; a raise is one where the graph
 *      has a value somewhere; any other limit leaves the graph undecided;
 *   3. dtype of the result, and whether its nodes are well typed; 4. value of the result; 5. the bounds of the result;
 *   6. if that is asked for, whether the result stays as it is.
 *
 * Of rules that stand apart from their set (up_ctx_choose) what they make is judged, and not whether they
 * end, raise, or could go on: that rests on the rules which come before them.
 */
#include "oracle/checker.h"
#include "oracle/findings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Of rules apart from their set: those that end do so soon. */
#define APART_STEPS 1000u

typedef struct job {
  or_checker *k;
  up_ctx *c;
  up_node root;
  or_frame frame;
  const or_scope *scope;
  or_report *out;
  up_trace trace;
  uint32_t loop_from;
  up_result result;
} job;

static bool wants(const job *j, or_kind kind) { return (j->scope->kinds & (1u << kind)) != 0; }

/* ---- report ---------------------------------------------------------------------------------- */

/* How little a verdict tells; the report keeps the least telling one of its checks. */
static unsigned weakness(or_verdict v) {
  static const unsigned char rank[OR_VERDICT_COUNT] = {
      [OR_PROVED] = 0,      [OR_CERTIFIED] = 1, [OR_EXHAUSTED] = 2, [OR_SAMPLED] = 3,
      [OR_UNSUPPORTED] = 4, [OR_UNDECIDED] = 5, [OR_ERROR] = 6,     [OR_DIFFERS] = 7};
  assert(v < OR_VERDICT_COUNT);
  return rank[v];
}

static unsigned stage_rank(const char *stage) {
  unsigned i = 0;
  while (i < OR_STAGES && strcmp(stage, or_stage_name(i)) != 0) i++;
  return i;
}

/* Of equally good verdicts the one that was harder to reach. */
static bool weaker(or_verdict v, const char *stage, const or_report *r) {
  if (!r->stage) return true;
  unsigned was = weakness(r->verdict), is = weakness(v);
  bool harder = is == was && v < OR_DIFFERS && stage && stage_rank(stage) > stage_rank(r->stage);
  return is > was || harder;
}

static void note(job *j, or_verdict v, const char *stage, const char *about, const char *reason) {
  or_report *r = j->out;
  if (!weaker(v, stage, r)) return;
  r->verdict = v;
  r->stage = stage ? stage : "";
  snprintf(r->reason, sizeof r->reason, "%s%s%s", about, reason[0] ? ": " : "", reason);
}

static or_finding *add_finding(job *j, or_kind kind, const or_blame *b) {
  or_report *r = j->out;
  assert(!or_report_find(r, kind) && r->nfindings < OR_KINDS);
  or_finding *f = &r->finding[r->nfindings++];
  *f = (or_finding){.kind = kind,
                    .frame = j->frame,
                    .graph = j->root,
                    .simplified = r->simplified,
                    .rule = b->rule,
                    .before = b->before,
                    .after = b->after};
  return f;
}

or_finding *or_report_find(or_report *r, or_kind kind) {
  for (uint32_t i = 0; i < r->nfindings; i++) {
    if (r->finding[i].kind == kind) return &r->finding[i];
  }
  return NULL;
}

/* The answer's witness and texts become the finding's. */
static void take_answer(or_finding *f, or_answer *a) {
  f->witness = a->witness;
  a->witness = (or_witness){0};
  memcpy(f->expected, a->expected, sizeof f->expected);
  memcpy(f->actual, a->actual, sizeof f->actual);
}

/* With the loop's beginning, which up_simplify does not tell. */
static up_result rewrite(const job *j, up_ctx *c, up_node n, up_trace *t, uint32_t *loop_from) {
  up_result r = up_rewrite(c, n, up_ctx_rules(c), j->scope->max_steps, t, loop_from);
  if (t->no_memory && r.status == UP_OK) r.status = UP_NO_MEMORY;
  return r;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* The hint as an answer: a claim that fails at that point. */
static bool hinted_bounds(job *j, up_node root, or_answer *a) {
  or_point p;
  if (!j->scope->hint || !or_point_eval(j->c, root, j->frame, j->scope->hint, &p)) return false;
  up_node bad = or_point_bad_claim(j->c, &p);
  *a = (or_answer){.verdict = OR_DIFFERS, .stage = "hint", .node = bad};
  bool found = !up_is_none(bad) && or_witness_copy(&a->witness, j->scope->hint);
  if (found) {
    or_point_print(&p, bad, a->expected);
    or_claim_print(j->c, bad, a->actual);
  }
  or_point_clear(&p);
  return found;
}

/* What the engine could not compute on the way; the next check starts clean. */
static void note_status(job *j, const char *about) {
  up_status s = up_ctx_status(j->c);
  if (s == UP_OK) return;
  note(j, s == UP_NO_MEMORY ? OR_ERROR : OR_UNDECIDED, "engine", about, up_status_name(s));
  up_ctx_clear_status(j->c);
}

static void check_bounds(job *j, up_node root) {
  if (!wants(j, OR_BOUNDS) || or_report_find(j->out, OR_BOUNDS)) return;
  or_answer a;
  if (!hinted_bounds(j, root, &a)) a = or_bounds(j->k, j->c, root, j->frame);
  note(j, a.verdict, a.stage, "bounds", a.reason);
  bool first = up_same(root, j->root);
  if (first || weakness(a.verdict) > weakness(j->out->bounds)) j->out->bounds = a.verdict;
  if (a.verdict == OR_DIFFERS) {
    or_blame b = or_blame_claim(j->c, j->frame, &j->trace, a.node, &a.witness);
    take_answer(add_finding(j, OR_BOUNDS, &b), &a);
  }
  or_answer_clear(&a);
  note_status(j, "bounds");
}

/* ---- rewrites without a result --------------------------------------------------------------- */

static void report_loop(job *j) {
  const char *what = up_status_name(j->result.status);
  note(j, OR_DIFFERS, "rewrite", "the rewrite does not end", what);
  if (!wants(j, OR_NONTERMINATION)) return;
  or_blame b = or_blame_loop(j->c, &j->trace, j->loop_from, &j->result);
  or_finding *f = add_finding(j, OR_NONTERMINATION, &b);
  snprintf(f->actual, sizeof f->actual, "%s", what);
}

/* A graph that is another one than n wherever n has a value; UP_NONE when n has none (SINK). */
static up_node altered(up_ctx *c, up_node n) {
  up_dtype d = up_dtype_of(c, n);
  if (up_dt_is_bool(d)) return up_not(c, n);
  if (!up_dt_is_int(d)) return UP_NONE;
  return up_binary(c, UP_ADD, n, up_const_like(c, n, up_int_of(1)));
}

/* The hint as an answer: the root has a value there. */
static bool hinted_value_of_root(job *j, or_answer *a) {
  const or_witness *w = j->scope->hint;
  or_point p;
  if (!w || !or_point_eval(j->c, j->root, j->frame, w, &p)) return false;
  uint32_t i = or_point_find(&p, j->root);
  *a = (or_answer){.verdict = OR_DIFFERS, .stage = "hint"};
  bool found = i != UINT32_MAX && p.values.def[i] == OR_VALUE_OK && or_witness_copy(&a->witness, w);
  if (found) or_point_print(&p, j->root, a->expected);
  or_point_clear(&p);
  return found;
}

/* A raise is wrong where the graph has a value: at a point where it differs from its altered form,
 * which is each point where it is defined. So the checker's whole cascade looks for that point, and
 * "equal everywhere" means undefined everywhere: then there is nothing to get right. */
static void report_raise(job *j) {
  const char *raised = up_status_raise(j->result.status);
  up_node other = altered(j->c, j->root);
  if (up_is_none(other)) {
    note(j, OR_UNSUPPORTED, "rewrite", "raises on a root without a value", raised);
    return;
  }
  or_answer a;
  if (!hinted_value_of_root(j, &a)) a = or_equiv(j->k, j->c, j->root, other, j->frame, NULL);
  if (a.verdict == OR_DIFFERS) {
    note(j, OR_DIFFERS, a.stage, "the rewrite raises", raised);
    if (wants(j, OR_CRASH)) {
      or_blame b = or_blame_raise(j->k, j->c, j->frame, j->root, &j->result, &a.witness);
      or_finding *f = add_finding(j, OR_CRASH, &b);
      take_answer(f, &a);
      snprintf(f->actual, sizeof f->actual, "%s", raised);
    }
  } else {
    bool nowhere = a.verdict == OR_PROVED || a.verdict == OR_EXHAUSTED;
    note(j, a.verdict == OR_SAMPLED ? OR_UNDECIDED : a.verdict, a.stage,
         nowhere ? "raises, and is defined nowhere" : "raises, and is perhaps defined", raised);
  }
  or_answer_clear(&a);
}

static void report_no_result(job *j) {
  up_status s = j->result.status;
  bool ends = s != UP_LOOP && s != UP_LIMIT_STEPS && !up_status_raise(s);
  if (!ends && up_ctx_has_own_rules(j->c)) {
    note(j, OR_UNSUPPORTED, "rewrite", "rules apart from their set", up_status_name(s));
  } else if (s == UP_NOT_COVERED) {
    note(j, OR_UNSUPPORTED, "rewrite", "no result", up_status_name(s));
  } else if (s == UP_LOOP || s == UP_LIMIT_STEPS) {
    report_loop(j);
  } else if (up_status_raise(s)) {
    report_raise(j);
  } else {
    note(j, s == UP_NO_MEMORY ? OR_ERROR : OR_UNDECIDED, "rewrite", "no result", up_status_name(s));
  }
}

/* ---- rewrites with a result ------------------------------------------------------------------ */

static void check_dtype(job *j) {
  up_dtype from = up_dtype_of(j->c, j->root), to = up_dtype_of(j->c, j->result.node);
  if (from == to) return;
  note(j, OR_DIFFERS, "dtype", "the dtype of the root changed", "");
  if (!wants(j, OR_DTYPE)) return;
  or_blame b = or_blame_dtype(j->c, &j->trace);
  or_finding *f = add_finding(j, OR_DTYPE, &b);
  char name[32];
  up_dt_print(from, name);
  snprintf(f->expected, sizeof f->expected, "%s", name);
  up_dt_print(to, name);
  snprintf(f->actual, sizeof f->actual, "%s", name);
}

/* The release's type spec accepts what it accepted before. */
static void check_spec(job *j) {
  up_node bad;
  if (up_type_kept(j->c, j->root, j->result.node, &bad)) return;
  note(j, OR_DIFFERS, "spec", "the result is not well typed", "");
  if (!wants(j, OR_SPEC)) return;
  or_blame b = or_blame_dtype(j->c, &j->trace);
  or_finding *f = add_finding(j, OR_SPEC, &b);
  snprintf(f->expected, sizeof f->expected, "%s", up_type_wants(j->c, bad));
  or_types_print(j->c, bad, f->actual);
}

/* The hint as an answer: root and result differ at that point. */
static bool hinted_value(job *j, or_answer *a) {
  const or_witness *w = j->scope->hint;
  up_node pair[2] = {j->root, j->result.node}, both = UP_NONE;
  if (w) both = up_new(j->c, UP_SINK, up_dt(UP_VOID), pair, 2, up_arg_none());
  or_point p;
  if (up_is_none(both) || !or_point_eval(j->c, both, j->frame, w, &p)) return false;
  *a = (or_answer){.verdict = OR_DIFFERS, .stage = "hint"};
  bool found = or_point_differs(&p, pair[0], pair[1]) && or_witness_copy(&a->witness, w);
  if (found) {
    or_point_print(&p, pair[0], a->expected);
    or_point_print(&p, pair[1], a->actual);
  }
  or_point_clear(&p);
  return found;
}

static void check_value(job *j) {
  if (!wants(j, OR_VALUE)) return;
  or_answer a;
  if (!hinted_value(j, &a)) {
    a = or_equiv(j->k, j->c, j->root, j->result.node, j->frame, &j->trace);
  }
  note(j, a.verdict, a.stage, a.reason[0] ? "value" : "", a.reason);
  j->out->value = a.verdict;
  if (a.verdict == OR_DIFFERS) {
    or_blame b = or_blame_value(j->k, j->c, j->frame, &j->trace, &a.witness);
    take_answer(add_finding(j, OR_VALUE, &b), &a);
  }
  or_answer_clear(&a);
}

/* A context of the same profile that knows nothing of the graph. NULL: no memory. */
static up_ctx *fresh_context(job *j) {
  or_checker *k = j->k;
  const up_profile *p = up_ctx_profile(j->c);
  if (k->again && up_ctx_profile(k->again) != p) {
    up_ctx_free(k->again);
    k->again = NULL;
  }
  if (!k->again) k->again = up_ctx_new(p);
  if (!k->again) return NULL;
  up_ctx_reset(k->again);
  up_ctx_choose(k->again, up_ctx_rules(j->c));
  return k->again;
}

/* What is simplified stays as it is. It is simplified again in another context: in its own the engine
 * remembers which nodes have no more steps. */
static void check_idempotence(job *j) {
  if (!wants(j, OR_IDEMPOTENCE)) return;
  up_ctx *d = fresh_context(j);
  up_node n = d ? up_copy(d, j->c, j->result.node) : UP_NONE;
  if (up_is_none(n)) {
    note(j, OR_ERROR, "rewrite", "simplifying again", "no memory");
    return;
  }
  up_trace again = {0};
  up_result r = rewrite(j, d, n, &again, NULL);
  if (r.status != UP_OK || !up_same(r.node, n)) {
    note(j, OR_DIFFERS, "rewrite", "the result is simplified once more", "");
    or_blame b = or_blame_again(&again, &r);
    b.before = up_is_none(b.before) ? UP_NONE : up_copy(j->c, d, b.before);
    b.after = up_is_none(b.after) ? UP_NONE : up_copy(j->c, d, b.after);
    or_finding *f = add_finding(j, OR_IDEMPOTENCE, &b);
    snprintf(f->expected, sizeof f->expected, "no step");
    snprintf(f->actual, sizeof f->actual, "%s",
             r.status == UP_OK ? "another graph" : up_status_name(r.status));
  }
  up_trace_free(&again);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void run(job *j) {
  check_bounds(j, j->root);
  if ((j->scope->kinds & ~(1u << OR_BOUNDS)) == 0 && j->out->nfindings > 0) return;
  j->result = rewrite(j, j->c, j->root, &j->trace, &j->loop_from);
  if (j->result.status != UP_OK) {
    report_no_result(j);
    return;
  }
  if (j->k->limits.no_overflow && !or_steps_in_range(j->k, j->c, &j->trace, j->result.node)) {
    note(j, OR_UNSUPPORTED, "rewrite", "what a step makes may leave its dtype", "");
    return;
  }
  j->out->simplified = j->result.node;
  for (uint32_t i = 0; i < j->out->nfindings; i++) j->out->finding[i].simplified = j->result.node;
  check_dtype(j);
  check_spec(j);
  check_value(j);
  if (!up_same(j->result.node, j->root)) check_bounds(j, j->result.node);
  check_idempotence(j);
}

void or_check_scoped(or_checker *k, up_ctx *c, up_node root, or_frame f, const or_scope *scope,
                     or_report *out) {
  assert(k && c && scope && out);
  *out = (or_report){.verdict = OR_PROVED, .value = OR_UNDECIDED, .bounds = OR_UNDECIDED};
  job j = {.k = k, .c = c, .root = root, .frame = f, .scope = scope, .out = out};
  if (up_ctx_status(c) != UP_OK || up_is_none(root)) {
    note(&j, OR_ERROR, "input", "no graph", up_status_name(up_ctx_status(c)));
    return;
  }
  if (k->limits.no_overflow && !up_same(or_in_range(k, c, root), root))
    note(&j, OR_UNSUPPORTED, "input", "a node may leave its dtype", "");
  else
    run(&j);
  note_status(&j, "check");
  if (!out->stage) note(&j, OR_UNDECIDED, "none", "nothing was asked", "");
  up_trace_free(&j.trace);
}

void or_check(or_checker *k, up_ctx *c, up_node root, or_frame f, or_report *out) {
  unsigned kinds = (1u << OR_KINDS) - 1u;
  if (!k->limits.idempotence || up_ctx_has_own_rules(c)) kinds &= ~(1u << OR_IDEMPOTENCE);
  or_scope all = {.kinds = kinds, .max_steps = k->limits.max_steps};
  if (up_ctx_has_own_rules(c)) all.max_steps = APART_STEPS;
  or_check_scoped(k, c, root, f, &all, out);
}

void or_finding_clear(or_finding *f) {
  or_witness_clear(&f->witness);
  *f = (or_finding){0};
}

void or_report_clear(or_report *r) {
  for (uint32_t i = 0; i < r->nfindings; i++) or_finding_clear(&r->finding[i]);
  *r = (or_report){0};
}
