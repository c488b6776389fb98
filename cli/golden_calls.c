/* Rows that record one call of the modelled engine. */
#include "cli/golden.h"
#include <stdlib.h>
#include <string.h>

static const json_t *arg(const gd_row *r, const char *name) {
  return json_object_get(json_object_get(r->json, "args"), name);
}

static const json_t *result(const gd_row *r) { return json_object_get(r->json, "result"); }

/* Graph of an argument: an object with `nodes`, or such an array. */
static bool read_nodes(gd_row *r, const json_t *j, up_node *out) {
  up_error e;
  if (json_is_object(j)) j = json_object_get(j, "nodes");
  if (j && fm_nodes_from_json(r->c, j, out, &e)) return true;
  up_ctx_clear_status(r->c);
  gd_skip(r, "argument has a node that the engine does not read");
  return false;
}

static void call_const_factor(gd_row *r) {
  gd_compare_val(r, "const_factor", result(r), up_val_int(up_const_factor(r->c, r->root)));
}

static void call_is_increasing(gd_row *r) {
  gd_compare_bool(r, "is_increasing", result(r), up_is_increasing(r->c, r->root));
}

static void call_divides(gd_row *r) {
  up_val v;
  if (!fm_val_from_json(r->c, arg(r, "v"), &v) || v.is_float) {
    gd_skip(r, "divides: not an integer argument");
    return;
  }
  gd_compare_nodes(r, "divides", result(r), up_divides(r->c, r->root, v.i));
}

static void call_pop_const(gd_row *r) {
  up_int k;
  up_node rest = up_pop_const(r->c, r->root, &k);
  gd_compare_nodes(r, "pop_const", json_array_get(result(r), 0), rest);
  gd_compare_val(r, "pop_const", json_array_get(result(r), 1), up_val_int(k));
}

/* Recorded before its opaque sources (loads) were replaced by variables, whose bounds are others.
 */
static bool recorded_before_replacement(gd_row *r) {
  bool yes = json_is_true(json_object_get(r->json, "opaque"));
  if (yes) gd_skip(r, "bounds recorded with the opaque source that a variable stands for");
  return yes;
}

static void call_vmin(gd_row *r) {
  if (recorded_before_replacement(r)) return;
  gd_compare_val(r, "vmin", result(r), up_minmax(r->c, r->root).lo);
}

static void call_vmax(gd_row *r) {
  if (recorded_before_replacement(r)) return;
  gd_compare_val(r, "vmax", result(r), up_minmax(r->c, r->root).hi);
}

static void call_is(gd_row *r) {
  up_node other;
  if (read_nodes(r, arg(r, "other"), &other)) {
    gd_compare_bool(r, "is", result(r), up_same(r->root, other));
  }
}

static void call_is_not(gd_row *r) {
  up_node other;
  if (read_nodes(r, arg(r, "other"), &other)) {
    gd_compare_bool(r, "is_not", result(r), !up_same(r->root, other));
  }
}

/* A set: each of the recorded ones is there, and no other. */
static void call_vars(gd_row *r) {
  up_list vars = {0};
  size_t n = json_array_size(result(r)), found = 0;
  if (!up_vars(r->c, r->root, &vars)) r->no_memory = true;
  for (size_t i = 0; i < n; i++) {
    up_node v;
    if (!read_nodes(r, json_array_get(result(r), i), &v)) {
      up_list_free(&vars);
      return;
    }
    for (uint32_t j = 0; j < vars.n; j++) found += up_same(vars.p[j], v);
  }
  gd_compare_text(r, "vars", "the same set",
                  found == n && vars.n == n ? "the same set" : "another set");
  up_list_free(&vars);
}

static void call_simplify(gd_row *r) {
  const char *error = json_string_value(json_object_get(r->json, "error"));
  if (error) {
    up_result got = up_simplify(r->c, r->root, NULL);
    gd_compare_error(r, error, &got);
    return;
  }
  up_node s;
  if (gd_simplify(r, "simplify", r->root, &s)) gd_compare_nodes(r, "simplify", result(r), s);
}

static void call_ssimplify(gd_row *r) {
  up_node s;
  if (!gd_simplify(r, "ssimplify", r->root, &s)) return;
  if (json_is_object(result(r)))
    gd_compare_nodes(r, "ssimplify", result(r), s);
  else if (up_is_const(r->c, s))
    gd_compare_val(r, "ssimplify", result(r), up_const_val(r->c, s));
  else
    gd_compare_text(r, "ssimplify", "a constant", "a graph");
}

static void call_resolve(gd_row *r) {
  const json_t *dflt = arg(r, "default");
  gd_compare_bool(r, "resolve", result(r), up_resolve(r->c, r->root, !dflt || json_is_true(dflt)));
}

static void call_eval(gd_row *r) {
  const char *error = json_string_value(json_object_get(r->json, "error"));
  up_val v;
  bool single = up_eval_const(r->c, r->root, &v);
  if (error)
    gd_compare_text(r, "eval", error, single ? "a value" : "ValueError");
  else if (!single)
    gd_compare_text(r, "eval", "a value", "ValueError");
  else
    gd_compare_val(r, "eval", result(r), v);
}

static void call_render(gd_row *r) {
  up_node s;
  up_buf got = {0};
  if (!gd_simplify(r, "render", r->root, &s)) return;
  bool ok = gd_render(r, s, &got);
  const char *want = json_string_value(result(r));
  gd_compare_text(r, "render", want ? want : "no rendering", ok && got.p ? got.p : "no rendering");
  up_buf_free(&got);
}

static void call_substitute(gd_row *r) {
  const json_t *map = arg(r, "map");
  size_t n = json_array_size(map);
  up_node *key = calloc(2 * n + 1, sizeof *key), *val = key ? key + n : NULL;
  bool ok = key != NULL;
  if (!ok) r->no_memory = true;
  for (size_t i = 0; ok && i < n; i++) {
    const json_t *pair = json_array_get(map, i);
    ok = read_nodes(r, json_array_get(pair, 0), &key[i]) &&
         read_nodes(r, json_array_get(pair, 1), &val[i]);
  }
  if (ok) {
    gd_compare_nodes(r, "substitute", result(r),
                     up_substitute(r->c, r->root, key, val, (uint32_t)n));
  }
  free(key);
}

static void call_graph_rewrite(gd_row *r) {
  const char *pm = json_string_value(arg(r, "pm"));
  const up_ruleset *rules = pm ? up_profile_ruleset(up_ctx_profile(r->c), pm) : NULL;
  if (!rules) {
    char why[64];
    snprintf(why, sizeof why, "graph_rewrite %s: not a rule set of the profile",
             pm ? pm : "without a rule set");
    gd_skip(r, why);
    return;
  }
  bool bottom_up = json_is_true(arg(r, "bottom_up"));
  up_result got = up_rewrite_both(r->c, r->root, bottom_up ? NULL : rules, bottom_up ? rules : NULL,
                                  0, NULL, NULL);
  if (got.status == UP_OK)
    gd_compare_nodes(r, "graph_rewrite", result(r), got.node);
  else
    gd_compare_text(r, "graph_rewrite", "a graph", up_status_name(got.status));
}

/* ---- evaluation by exec_alu ------------------------------------------------------------------ */

/* Value of a variable: pairs of a name, or of its graph, and a number. */
static bool variable_value(gd_row *r, const json_t *pairs, up_node var, up_val *out) {
  char name[64];
  up_int lo, hi;
  up_node v;
  if (!up_var_domain(r->c, var, name, &lo, &hi)) return false;
  for (size_t i = 0; i < json_array_size(pairs); i++) {
    const json_t *pair = json_array_get(pairs, i), *key = json_array_get(pair, 0);
    const char *text = json_string_value(key);
    bool here = text ? strcmp(text, name) == 0 : read_nodes(r, key, &v) && up_same(v, var);
    if (here) return fm_val_from_json(r->c, json_array_get(pair, 1), out);
  }
  return false;
}

static bool node_value(gd_row *r, const json_t *pairs, up_node n, const up_val *value,
                       up_val *out) {
  up_val operand[3];
  if (up_is_const(r->c, n)) {
    *out = up_const_val(r->c, n);
    return true;
  }
  if (up_op_of(r->c, n) == UP_BIND && up_nsrc(r->c, n) > 0) { /* rendered as its variable */
    *out = value[up_src(r->c, n, 0).id];
    return true;
  }
  if (!up_op_in(up_op_of(r->c, n), UP_G_ALU)) return variable_value(r, pairs, n, out);
  uint32_t nsrc = up_nsrc(r->c, n);
  for (uint32_t i = 0; i < nsrc && i < 3; i++) operand[i] = value[up_src(r->c, n, i).id];
  *out = up_exec_alu(r->c, up_op_of(r->c, n), up_dtype_of(r->c, n), operand, nsrc, false);
  return up_ctx_status(r->c) == UP_OK;
}

static bool evaluate(gd_row *r, up_node root, const json_t *pairs, up_val *out) {
  up_list topo = {0};
  up_val *value = calloc((size_t)root.id + 1, sizeof *value);
  bool ok = value && up_toposort(r->c, root, &topo);
  if (!ok) r->no_memory = true;
  for (uint32_t i = 0; ok && i < topo.n; i++) {
    ok = node_value(r, pairs, topo.p[i], value, &value[topo.p[i].id]);
  }
  if (ok) *out = value[root.id];
  free(value);
  up_list_free(&topo);
  up_ctx_clear_status(r->c);
  return ok;
}

static void compare_value(gd_row *r, const char *field, up_node n, const json_t *pairs) {
  up_val got;
  if (evaluate(r, n, pairs, &got))
    gd_compare_val(r, field, result(r), got);
  else
    gd_compare_text(r, field, "a value", "none");
}

static void call_evaluate(gd_row *r) { compare_value(r, "evaluate", r->root, arg(r, "vars")); }

/* var_vals: pairs of a variable's graph and a number. */
static void call_sym_infer(gd_row *r) {
  const json_t *pairs = arg(r, "var_vals");
  uint32_t n = (uint32_t)json_array_size(pairs);
  up_node *var = calloc((size_t)n + 1, sizeof *var);
  up_val *val = calloc((size_t)n + 1, sizeof *val), got;
  bool ok = var && val;
  if (!ok) r->no_memory = true;
  for (uint32_t i = 0; ok && i < n; i++) {
    const json_t *pair = json_array_get(pairs, i);
    ok = read_nodes(r, json_array_get(pair, 0), &var[i]);
    if (ok && !fm_val_from_json(r->c, json_array_get(pair, 1), &val[i])) {
      gd_skip(r, "sym_infer: a variable's value is not a number");
      ok = false;
    }
  }
  if (ok && up_sym_infer(r->c, r->root, var, val, n, &got))
    gd_compare_val(r, "sym_infer", result(r), got);
  else if (ok) /* else the row was counted as unread */
    gd_compare_text(r, "sym_infer", "a value", "none");
  free(var);
  free(val);
}

/* ---- table ----------------------------------------------------------------------------------- */

void gd_call_row(gd_row *r, const char *call) {
  static const struct {
    const char *name;
    void (*run)(gd_row *r);
  } calls[] = {
      {"const_factor", call_const_factor},
      {"divides", call_divides},
      {"is_increasing", call_is_increasing},
      {"pop_const", call_pop_const},
      {"vars", call_vars},
      {"is", call_is},
      {"is_not", call_is_not},
      {"resolve", call_resolve},
      {"eval", call_eval},
      {"simplify", call_simplify},
      {"ssimplify", call_ssimplify},
      {"render", call_render},
      {"vmin", call_vmin},
      {"vmax", call_vmax},
      {"substitute", call_substitute},
      {"graph_rewrite", call_graph_rewrite},
      {"evaluate", call_evaluate},
      {"sym_infer", call_sym_infer},
      {"uop_given_valid", gd_given_valid},
      {"simplify_valid", gd_simplify_valid},
      {"gated_index", gd_gated_index},
      {"gated_image_index", gd_gated_index},
  };
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    if (strcmp(calls[i].name, call) == 0) {
      calls[i].run(r);
      return;
    }
  }
  char why[72];
  snprintf(why, sizeof why, "call of %.40s", call);
  gd_skip(r, why);
}
