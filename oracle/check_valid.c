/* Simplification under a valid, checked: uop_given_valid and simplify_valid.
 *
 * What is asked, in terms of or_equiv:
 *   given     WHERE(valid, n, 0) becomes WHERE(valid, result, 0): so the result must be defined and
 *             equal wherever valid is true and n is defined, and nothing is said of other points;
 *             lane by lane for vectors
 *   given, "the valid never holds"   valid becomes false
 *   simplify  valid becomes the new conjunction
 *
 * Blame. Both calls work by rewrites of their own, in which a variable `fake` stands for an
 * expression that the valid bounds; a trace of the context records them, the substitutions as steps
 * of rule -1. Between two substitutions `fake` has, at a witness, the value of what it stands for.
 * Where that value is in the range of `fake`, a step that is wrong there is wrong by itself, and
 * its rule is the cause. Where it is not, the steps were taken under an assumption that does not
 * hold at the witness (one of several cases), and prove nothing. When no step is wrong the call is:
 * it misread the valid, or put cases together that do not belong together.
 */
#include "oracle/checker.h"
#include "oracle/findings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef struct question {
  or_checker *k;
  up_ctx *c;
  up_node valid, n;
  or_valid_mode mode;
  or_frame frame;
  or_report *out;
  up_trace trace;
  up_node result; /* UP_NONE: the valid is said never to hold */
} question;

const char *or_valid_mode_name(or_valid_mode m) {
  return m == OR_SIMPLIFY_VALID ? "simplify_valid" : "uop_given_valid";
}

bool or_valid_mode_parse(const char *s, or_valid_mode *out) {
  for (unsigned m = OR_GIVEN_VALID; m <= OR_SIMPLIFY_VALID; m++) {
    *out = (or_valid_mode)m;
    if (strcmp(s, or_valid_mode_name(*out)) == 0) return true;
  }
  return false;
}

static void settle(question *q, or_verdict v, const char *stage, const char *reason) {
  or_report *r = q->out;
  r->verdict = r->value = v;
  r->stage = stage ? stage : "";
  snprintf(r->reason, sizeof r->reason, "%s", reason);
}

static or_finding *add_finding(question *q, or_kind kind, const or_blame *b) {
  assert(q->out->nfindings == 0);
  or_finding *f = &q->out->finding[q->out->nfindings++];
  *f = (or_finding){.kind = kind,
                    .frame = q->frame,
                    .graph = q->n,
                    .simplified = q->result,
                    .rule = b->rule,
                    .before = b->before,
                    .after = b->after,
                    .valid = q->valid,
                    .mode = q->mode};
  return f;
}

static void take_answer(or_finding *f, or_answer *a) {
  f->witness = a->witness;
  a->witness = (or_witness){0};
  memcpy(f->expected, a->expected, sizeof f->expected);
  memcpy(f->actual, a->actual, sizeof f->actual);
}

/* ---- blame ----------------------------------------------------------------------------------- */

static bool is_fake(up_ctx *c, up_node n) {
  char name[64];
  up_int lo, hi;
  return up_op_of(c, n) == UP_DEFINE_VAR && up_var_domain(c, n, name, &lo, &hi) &&
         strcmp(name, "fake") == 0;
}

/* Does a stretch begin here: something other than `fake` is replaced, by no rule? */
static bool begins(up_ctx *c, const up_step *s) {
  return s->rule < 0 && s->depth == 0 && !is_fake(c, s->before);
}

/* w, and the value there of what `fake` stands for. False: it has none, or not one in the range. */
static bool with_fake(const question *q, const or_witness *w, const up_step *s, or_witness *out) {
  up_ctx *c = q->c;
  char name[64];
  up_int lo, hi;
  or_point p;
  *out = (or_witness){0};
  if (!or_witness_copy(out, w)) return false;
  if (!begins(c, s) || !is_fake(c, s->after)) return true;
  if (!or_point_eval(c, s->before, q->frame, w, &p)) return false;
  uint32_t i = or_point_find(&p, s->before);
  bool ok = i != UINT32_MAX && p.values.def[i] == OR_VALUE_OK &&
            up_var_domain(c, s->after, name, &lo, &hi);
  if (ok) {
    up_int v = up_int_from_mpz(c, p.values.value[i]);
    ok = up_int_cmp(c, lo, v) <= 0 && up_int_cmp(c, v, hi) <= 0 &&
         or_witness_add(out, s->after, p.values.value[i]);
  }
  or_point_clear(&p);
  return ok;
}

static or_blame blame_nested(question *q, const or_witness *w) {
  const up_trace *t = &q->trace;
  or_blame b = {.rule = -1};
  for (uint32_t i = 0, end; i < t->n && up_is_none(b.before); i = end) {
    end = i + 1;
    while (end < t->n && !begins(q->c, &t->step[end])) end++;
    const up_trace part = {.step = t->step + i, .n = end - i};
    or_witness at;
    if (with_fake(q, w, &t->step[i], &at)) b = or_blame_value(q->k, q->c, q->frame, &part, &at);
    or_witness_clear(&at);
  }
  up_ctx_clear_status(q->c);
  return b;
}

/* ---- the value ------------------------------------------------------------------------------- */

/* UP_NONE with the status clean: a rule made a vector of too few lanes. */
static up_node lane(up_ctx *c, up_node n, unsigned i) {
  up_dtype d = up_dtype_of(c, n);
  if (up_dt_count(d) == 1) return n;
  if (up_op_of(c, n) == UP_VECTORIZE) return i < up_nsrc(c, n) ? up_src(c, n, i) : UP_NONE;
  up_arg at = up_arg_int(c, up_int_of((int64_t)i));
  return up_new(c, UP_GEP, up_dt(up_dt_scalar(d)), &n, 1, up_arg_list(c, &at, 1));
}

static up_node where_valid(const question *q, up_node n) {
  if (up_is_none(n)) return n;
  return up_where(q->c, q->valid, n, up_const_int(q->c, up_dtype_of(q->c, n), 0));
}

static or_answer compare_lane(const question *q, unsigned i) {
  up_node a = where_valid(q, lane(q->c, q->n, i)), b = where_valid(q, lane(q->c, q->result, i));
  if (up_ctx_status(q->c) != UP_OK) return (or_answer){.verdict = OR_ERROR, .stage = "input"};
  if (up_is_none(a) || up_is_none(b))
    return (or_answer){.verdict = OR_UNSUPPORTED, .stage = "input"};
  return or_equiv(q->k, q->c, a, b, q->frame, NULL);
}

static or_answer compare_given(const question *q) {
  unsigned lanes = up_dt_count(up_dtype_of(q->c, q->n));
  or_answer worst = {.verdict = OR_PROVED, .stage = "identity"};
  bool open = false;
  if (up_same(q->n, q->result)) return worst;
  for (unsigned i = 0; i < lanes && worst.verdict != OR_DIFFERS; i++) {
    or_answer a = compare_lane(q, i);
    bool sure = a.verdict == OR_PROVED || a.verdict == OR_EXHAUSTED;
    bool keep = a.verdict == OR_DIFFERS || !open;
    open = open || !sure;
    or_answer drop = keep ? worst : a;
    if (keep) worst = a;
    or_answer_clear(&drop);
  }
  return worst;
}

static or_answer compare(const question *q) {
  if (up_is_none(q->result)) {
    up_node never = up_const_int(q->c, up_dtype_of(q->c, q->valid), 0);
    return or_equiv(q->k, q->c, q->valid, never, q->frame, NULL);
  }
  if (q->mode == OR_SIMPLIFY_VALID)
    return or_equiv(q->k, q->c, q->valid, q->result, q->frame, NULL);
  return compare_given(q);
}

/* The result can hold parts of the valid, too. */
static void check_spec(question *q) {
  up_node bad;
  if (up_is_none(q->result) || up_type_verify(q->c, q->result, &bad)) return;
  up_node any;
  if (!up_type_verify(q->c, q->n, &any) || !up_type_verify(q->c, q->valid, &any)) return;
  settle(q, OR_DIFFERS, "spec", "the result is not well typed");
  or_blame b = or_blame_dtype(q->c, &q->trace);
  or_finding *f = add_finding(q, OR_SPEC, &b);
  snprintf(f->expected, sizeof f->expected, "%s", up_type_wants(q->c, bad));
  or_types_print(q->c, bad, f->actual);
}

static void check_value(question *q) {
  up_dtype from = up_dtype_of(q->c, q->n);
  if (!up_is_none(q->result) && up_dtype_of(q->c, q->result) != from) {
    settle(q, OR_DIFFERS, "dtype", "the dtype changed");
    or_blame b = or_blame_dtype(q->c, &q->trace);
    or_finding *f = add_finding(q, OR_DTYPE, &b);
    char name[32];
    up_dt_print(from, name);
    snprintf(f->expected, sizeof f->expected, "%s", name);
    up_dt_print(up_dtype_of(q->c, q->result), name);
    snprintf(f->actual, sizeof f->actual, "%s", name);
    return;
  }
  or_answer a = compare(q);
  settle(q, a.verdict, a.stage, a.reason);
  if (a.verdict == OR_DIFFERS) {
    or_blame b = blame_nested(q, &a.witness);
    take_answer(add_finding(q, OR_VALUE, &b), &a);
  } else {
    check_spec(q);
  }
  or_answer_clear(&a);
}

/* ---- calls without a result ------------------------------------------------------------------ */

static void check_raise(question *q, up_status s) {
  up_dtype d = up_dtype_of(q->c, q->n);
  up_node other = UP_NONE;
  if (up_dt_count(d) == 1 && up_dt_is_bool(d)) other = up_not(q->c, q->n);
  if (up_dt_count(d) == 1 && up_dt_is_int(d))
    other = up_binary(q->c, UP_ADD, q->n, up_const_int(q->c, d, 1));
  if (up_is_none(other)) {
    settle(q, OR_UNSUPPORTED, "rewrite", up_status_raise(s));
    return;
  }
  bool given = q->mode == OR_GIVEN_VALID;
  up_node a = given ? where_valid(q, q->n) : q->n, b = given ? where_valid(q, other) : other;
  or_answer r = or_equiv(q->k, q->c, a, b, q->frame, NULL);
  settle(q, r.verdict, r.stage, up_status_raise(s));
  if (r.verdict == OR_DIFFERS) {
    or_blame blame = {.rule = -1};
    or_finding *f = add_finding(q, OR_CRASH, &blame);
    take_answer(f, &r);
    snprintf(f->actual, sizeof f->actual, "%s", up_status_raise(s));
  }
  or_answer_clear(&r);
}

static void check_status(question *q, up_status s) {
  if (s == UP_LOOP || s == UP_LIMIT_STEPS) {
    /* where the turn begins is not told, so the end of the trace is looked at */
    const up_result r = {.status = UP_LIMIT_STEPS, .rule = -1};
    or_blame b = or_blame_loop(q->c, &q->trace, 0, &r);
    settle(q, OR_DIFFERS, "rewrite", up_status_name(s));
    or_finding *f = add_finding(q, OR_NONTERMINATION, &b);
    snprintf(f->actual, sizeof f->actual, "%s", up_status_name(s));
  } else if (up_status_raise(s)) {
    check_raise(q, s);
  } else {
    settle(q, s == UP_NO_MEMORY ? OR_ERROR : OR_UNDECIDED, "rewrite", up_status_name(s));
  }
}

static up_status call(question *q) {
  up_ctx_trace(q->c, &q->trace);
  if (q->mode == OR_SIMPLIFY_VALID) {
    q->result = up_simplify_valid(q->c, q->valid);
    if (up_is_none(q->result)) q->result = q->valid;
  } else if (!up_given_valid(q->c, q->valid, q->n, &q->result)) {
    q->result = UP_NONE;
  }
  up_ctx_trace(q->c, NULL);
  up_status s = up_ctx_status(q->c);
  up_ctx_clear_status(q->c);
  return q->trace.no_memory ? UP_NO_MEMORY : s;
}

void or_check_valid(or_checker *k, up_ctx *c, up_node valid, up_node n, or_valid_mode mode,
                    or_frame f, or_report *out) {
  assert(k && c && out);
  *out = (or_report){.verdict = OR_PROVED, .value = OR_UNDECIDED, .bounds = OR_UNDECIDED};
  question q = {.k = k, .c = c, .valid = valid, .mode = mode, .frame = f, .out = out};
  q.n = mode == OR_SIMPLIFY_VALID ? valid : n;
  if (up_ctx_status(c) != UP_OK || up_is_none(valid) || up_is_none(q.n)) {
    settle(&q, OR_ERROR, "input", "no graph");
    return;
  }
  if (k->limits.no_overflow &&
      !(up_same(or_in_range(k, c, valid), valid) && up_same(or_in_range(k, c, q.n), q.n))) {
    settle(&q, OR_UNSUPPORTED, "input", "a node may leave its dtype");
    return;
  }
  up_status s = call(&q);
  if (s == UP_OK && k->limits.no_overflow && !up_is_none(q.result) &&
      !or_steps_in_range(k, c, &q.trace, q.result))
    settle(&q, OR_UNSUPPORTED, "rewrite", "what a step makes may leave its dtype");
  else if (s == UP_OK)
    check_value(&q);
  else
    check_status(&q, s);
  if (q.out->nfindings == 0 && up_ctx_status(c) != UP_OK)
    settle(&q, OR_UNDECIDED, "engine", up_status_name(up_ctx_status(c)));
  up_ctx_clear_status(c);
  q.out->simplified = q.result;
  up_trace_free(&q.trace);
}
