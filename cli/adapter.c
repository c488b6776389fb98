/* What an adapter is asked, and what its answers mean. */
#include "cli/adapter.h"
#include "cli/cli.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Answers that can't be read are told of so many times. */
#define MAX_TOLD 3u

typedef struct adapter {
  cl_pipe *pipe;
  up_profile *profile; /* the one that has this engine */
  char *name, *bounds_rule;
  unsigned told;
} adapter;

static void close_adapter(void *arg) {
  adapter *a = arg;
  cl_pipe_free(a->pipe);
  free(a->name);
  free(a->bounds_rule);
  free(a);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static void tell(adapter *a, const char *what) {
  if (a->told == MAX_TOLD) return;
  a->told++;
  cl_error("adapter: %s%s", what, a->told == MAX_TOLD ? " (and is not told again)" : "");
}

static up_status unreadable(adapter *a, const char *what) {
  char line[300];
  snprintf(line, sizeof line, "an answer that can't be read: %s", what);
  tell(a, line);
  return UP_NO_ANSWER;
}

static up_status no_answer(adapter *a, cl_pipe_got got) {
  if (got == CL_PIPE_ENDED) return UP_RAISE_OTHER; /* an engine that dies of a graph */
  if (got != CL_PIPE_STOPPED) tell(a, cl_pipe_why(a->pipe));
  return UP_NO_ANSWER;
}

/* The class before the colon, if any. */
static up_status status_of_error(const char *error) {
  static const struct {
    const char *word;
    up_status status;
  } known[] = {{"ZeroDivisionError", UP_RAISE_ZERO_DIVISION},
               {"OverflowError", UP_RAISE_OVERFLOW},
               {"ValueError", UP_RAISE_VALUE},
               {"TypeError", UP_RAISE_TYPE},
               {"loop", UP_LOOP},
               {"limit-steps", UP_LIMIT_STEPS},
               {"not-covered", UP_NOT_COVERED}};
  size_t n = strcspn(error, ":");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i].word) == n && memcmp(known[i].word, error, n) == 0) return known[i].status;
  return UP_RAISE_OTHER;
}

/* The question (which it takes) sent; an answer that is an object in *out, its error as status. */
static up_status ask(adapter *a, json_t *question, json_t **out) {
  const char *text = NULL;
  size_t n = 0;
  *out = NULL;
  char *line = question ? json_dumps(question, JSON_COMPACT) : NULL;
  json_decref(question);
  if (!line) return UP_NO_MEMORY;
  cl_pipe_got got = cl_pipe_ask(a->pipe, line, &text, &n);
  free(line);
  if (got != CL_PIPE_ANSWER) return no_answer(a, got);
  json_error_t e;
  *out = json_loadb(text, n, 0, &e);
  if (!*out) return unreadable(a, e.text);
  if (!json_is_object(*out)) return unreadable(a, "no object");
  const char *error = json_string_value(json_object_get(*out, "error"));
  return error ? status_of_error(error) : UP_OK;
}

static json_t *question_of(up_ctx *c, const char *what, up_node root) {
  json_t *nodes = fm_nodes_to_json(c, root);
  return nodes ? json_pack("{s:s,s:o}", "do", what, "nodes", nodes) : NULL;
}

/* ---- rewriting ------------------------------------------------------------------------------- */

/* The nodes that an answer talks of, by their numbers. */
typedef struct nodes {
  up_node *all;
  uint32_t n;
} nodes;

static up_node node_at(const nodes *t, const json_t *index) {
  json_int_t i = json_is_integer(index) ? json_integer_value(index) : -1;
  return i >= 0 && i < (json_int_t)t->n ? t->all[i] : UP_NONE;
}

static int rule_of(const adapter *a, const json_t *name) {
  const char *s = json_string_value(name);
  return s && *s ? up_rule_named(a->profile, s) : -1;
}

/* [rule, before, after] each. False: one is not so. */
static bool take_steps(const adapter *a, const json_t *steps, const nodes *t, up_trace *trace) {
  size_t i;
  const json_t *s;
  if (steps && !json_is_array(steps)) return false;
  json_array_foreach(steps, i, s) {
    up_step one = {.rule = rule_of(a, json_array_get(s, 0)),
                   .before = node_at(t, json_array_get(s, 1)),
                   .after = node_at(t, json_array_get(s, 2))};
    if (up_is_none(one.before) || up_is_none(one.after)) return false;
    if (trace) up_trace_add(trace, one);
  }
  return true;
}

static up_status take_result(adapter *a, up_ctx *c, const json_t *answer, up_trace *trace,
                             up_result *out) {
  nodes t = {0};
  up_error e = {0};
  const json_t *list = json_object_get(answer, "nodes");
  const json_t *result = json_object_get(answer, "result");
  bool failed = json_object_get(answer, "error") != NULL;
  if (!list) return failed ? UP_OK : unreadable(a, "no nodes");
  if (json_array_size(list) > 0 && !fm_all_nodes_from_json(c, list, &t.all, &t.n, &e)) {
    if (up_ctx_status(c) != UP_OK) return UP_OK; /* which the context tells */
    return unreadable(a, e.msg);
  }
  if (failed && json_object_get(answer, "at")) out->at = node_at(&t, json_object_get(answer, "at"));
  out->node = failed ? UP_NONE : node_at(&t, result);
  bool ok = (failed || !up_is_none(out->node)) &&
            take_steps(a, json_object_get(answer, "steps"), &t, trace);
  free(t.all);
  return ok ? UP_OK : unreadable(a, "result or steps name no node");
}

static up_result rewrite(void *arg, up_ctx *c, up_node root, uint64_t max_steps, up_trace *trace) {
  adapter *a = arg;
  up_result out = {UP_NO_MEMORY, UP_NONE, 0, -1, root};
  json_t *answer, *question = question_of(c, "simplify", root);
  if (question && max_steps)
    json_object_set_new(question, "max_steps", json_integer((json_int_t)max_steps));
  if (question && !trace) json_object_set_new(question, "trace", json_false());
  out.status = ask(a, question, &answer);
  if (answer && json_is_object(answer)) {
    up_status s = take_result(a, c, answer, trace, &out);
    if (s != UP_OK) out.status = s;
    out.rule = rule_of(a, json_object_get(answer, "rule"));
    if (trace) out.steps = trace->n;
  }
  if (out.status != UP_OK) out.node = UP_NONE;
  if (out.status == UP_OK || up_is_none(out.at)) out.at = out.status == UP_OK ? UP_NONE : root;
  json_decref(answer);
  return out;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* One end; null claims nothing. */
static bool end_of(up_ctx *c, const json_t *j, bool upper, up_val *out) {
  *out = up_val_float(upper ? (double)INFINITY : -(double)INFINITY);
  return json_is_null(j) || fm_val_from_json(c, j, out);
}

/* null, or [lo, hi], or [lo, hi, rule]. False: it is none of them. */
static bool take_claim(adapter *a, up_ctx *c, up_node n, const json_t *claim) {
  up_bounds b;
  size_t size = json_array_size(claim);
  if (json_is_null(claim)) return true;
  if (size < 2 || size > 3 || !end_of(c, json_array_get(claim, 0), false, &b.lo) ||
      !end_of(c, json_array_get(claim, 1), true, &b.hi))
    return false;
  int rule = size == 3 ? rule_of(a, json_array_get(claim, 2)) : -1;
  up_minmax_tell(c, n, b, rule >= 0 ? rule : up_rule_named(a->profile, a->bounds_rule));
  return true;
}

static up_status take_bounds(adapter *a, up_ctx *c, up_node root, const json_t *list) {
  up_list topo = {0};
  up_status s = up_toposort(c, root, &topo) ? UP_OK : UP_NO_MEMORY;
  if (s == UP_OK && (!json_is_array(list) || json_array_size(list) != topo.n))
    s = unreadable(a, "not one pair of bounds a node");
  for (uint32_t i = 0; s == UP_OK && i < topo.n; i++)
    if (!take_claim(a, c, topo.p[i], json_array_get(list, i)))
      s = unreadable(a, "bounds that are no pair of numbers");
  up_list_free(&topo);
  return s;
}

static up_status bounds(void *arg, up_ctx *c, up_node root) {
  adapter *a = arg;
  json_t *answer;
  up_status s = ask(a, question_of(c, "bounds", root), &answer);
  if (s == UP_OK) s = take_bounds(a, c, root, json_object_get(answer, "bounds"));
  json_decref(answer);
  return s;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* {"engine": "tinygrad 0.11.0", "bounds_rule": "_min_max"}: the name that findings carry. */
static bool greet(adapter *a, const char *command) {
  json_t *answer;
  up_status s = ask(a, json_pack("{s:s}", "do", "hello"), &answer);
  const char *name = json_string_value(json_object_get(answer, "engine"));
  const char *rule = json_string_value(json_object_get(answer, "bounds_rule"));
  if (s == UP_OK && name && *name) {
    a->name = strdup(name);
    a->bounds_rule = strdup(rule && *rule ? rule : "bounds");
  } else if (s != UP_NO_ANSWER) {
    const char *why = cl_pipe_why(a->pipe);
    cl_usage("--adapter '%s': %s", command, *why ? why : "it does not say which engine it is");
  }
  json_decref(answer);
  return a->name && a->bounds_rule;
}

up_profile *cl_adapter_profile(const char *command, uint64_t seconds) {
  adapter *a = calloc(1, sizeof *a);
  if (a) a->pipe = cl_pipe_new(command, seconds);
  if (!a || !a->pipe || !greet(a, command)) {
    if (!a || !a->pipe) cl_error("out of memory");
    if (a) close_adapter(a);
    return NULL;
  }
  const up_external e = {.arg = a, .rewrite = rewrite, .bounds = bounds, .close = close_adapter};
  a->profile = up_profile_external(a->name, &e);
  if (a->profile) return a->profile;
  cl_error("out of memory");
  close_adapter(a);
  return NULL;
}
