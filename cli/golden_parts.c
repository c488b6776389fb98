/* Rows that record the engine's methods on every node of a graph. */
#include "cli/golden.h"
#include <stdlib.h>
#include <string.h>

typedef struct parts {
  gd_row *r;
  up_node *all; /* by index in the row's `nodes` */
  uint32_t n;
} parts;

static const json_t *field(const parts *p, const char *name) {
  return json_object_get(p->r->json, name);
}

static up_node node_at(const parts *p, const json_t *index) {
  json_int_t i = json_is_integer(index) ? json_integer_value(index) : -1;
  return i >= 0 && i < p->n ? p->all[i] : UP_NONE;
}

/* Order of the nodes under root, as the list of their indices. */
static void compare_order(const parts *p, const char *name, const up_node *got, uint32_t n) {
  const json_t *want = field(p, name);
  if (!want) return;
  bool same = json_array_size(want) == n;
  for (uint32_t i = 0; same && i < n; i++)
    same = up_same(node_at(p, json_array_get(want, i)), got[i]);
  gd_compare_text(p->r, name, "the recorded order", same ? "the recorded order" : "another order");
}

static void compare_toposort(const parts *p) {
  up_list topo = {0};
  if (!up_toposort(p->r->c, p->r->root, &topo)) p->r->no_memory = true;
  compare_order(p, "toposort", topo.p, topo.n);
  up_list_free(&topo);
}

/* The recorded order must be ascending: each node not above its successor. */
static void compare_tuplize_order(const parts *p) {
  const json_t *want = field(p, "tuplize_order");
  bool ascending = true;
  for (size_t i = 1; ascending && i < json_array_size(want); i++) {
    up_node a = node_at(p, json_array_get(want, i - 1)), b = node_at(p, json_array_get(want, i));
    ascending = !up_is_none(a) && !up_is_none(b) && up_cmp(p->r->c, a, b) < 0;
  }
  if (want)
    gd_compare_text(p->r, "tuplize_order", "ascending", ascending ? "ascending" : "not ascending");
}

static void compare_each_node(const parts *p) {
  up_ctx *c = p->r->c;
  const json_t *bounds = field(p, "minmax_all"), *factor = field(p, "const_factor_all"),
               *increasing = field(p, "is_increasing_all");
  for (uint32_t i = 0; i < p->n; i++) {
    up_node n = p->all[i];
    up_bounds b = up_minmax(c, n);
    gd_compare_val(p->r, "minmax_all", json_array_get(json_array_get(bounds, i), 0), b.lo);
    gd_compare_val(p->r, "minmax_all", json_array_get(json_array_get(bounds, i), 1), b.hi);
    gd_compare_val(p->r, "const_factor_all", json_array_get(factor, i),
                   up_val_int(up_const_factor(c, n)));
    gd_compare_bool(p->r, "is_increasing_all", json_array_get(increasing, i),
                    up_is_increasing(c, n));
  }
}

static void compare_divides(const parts *p) {
  const json_t *rows = field(p, "divides");
  for (size_t i = 0; i < json_array_size(rows); i++) {
    const json_t *row = json_array_get(rows, i);
    up_val v;
    if (!fm_val_from_json(p->r->c, json_array_get(row, 1), &v) || v.is_float) continue;
    up_node got = up_divides(p->r->c, node_at(p, json_array_get(row, 0)), v.i);
    gd_compare_nodes(p->r, "divides", json_array_get(row, 2), got);
  }
}

/* Recorded where it changed the node. */
static void compare_pop_const(const parts *p) {
  const json_t *rows = field(p, "pop_const");
  for (size_t i = 0; i < json_array_size(rows); i++) {
    const json_t *row = json_array_get(rows, i);
    up_int k;
    up_node rest = up_pop_const(p->r->c, node_at(p, json_array_get(row, 0)), &k);
    bool same = up_same(rest, node_at(p, json_array_get(row, 1)));
    gd_compare_text(p->r, "pop_const", "the recorded rest", same ? "the recorded rest" : "another");
    gd_compare_val(p->r, "pop_const", json_array_get(row, 2), up_val_int(k));
  }
}

static void compare_vars(const parts *p) {
  const json_t *want = field(p, "vars");
  up_list vars = {0};
  size_t found = 0, n = json_array_size(want);
  if (!up_vars(p->r->c, p->r->root, &vars)) p->r->no_memory = true;
  for (size_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < vars.n; j++) {
      found += up_same(vars.p[j], node_at(p, json_array_get(want, i)));
    }
  }
  gd_compare_text(p->r, "vars", "the same set",
                  found == n && vars.n == n ? "the same set" : "another set");
  up_list_free(&vars);
}

static void compare_ruleset(const parts *p, const char *name) {
  char error_name[48];
  snprintf(error_name, sizeof error_name, "%s_error", name);
  const json_t *want = field(p, name), *error = field(p, error_name);
  if (!want && !error) return;
  const up_ruleset *rules = up_profile_ruleset(up_ctx_profile(p->r->c), name);
  if (!rules) {
    char why[72];
    snprintf(why, sizeof why, "%s: not a rule set of the profile", name);
    gd_skip(p->r, why);
    return;
  }
  up_result got = up_rewrite(p->r->c, p->r->root, rules, 0, NULL, NULL);
  if (error)
    gd_compare_error(p->r, json_string_value(error), &got);
  else if (got.status == UP_OK)
    gd_compare_nodes(p->r, name, want, got.node);
  else
    gd_compare_text(p->r, name, "a graph", up_status_name(got.status));
}

/* Substitution of each variable by its value, simplified: one number. */
static void compare_eval(const parts *p) {
  const json_t *rows = field(p, "eval");
  for (size_t i = 0; i < json_array_size(rows); i++) {
    const json_t *row = json_array_get(rows, i), *at = json_object_get(row, "at"),
                 *want = json_object_get(row, "substitute");
    size_t n = json_array_size(at);
    up_node key[16], val[16];
    if (!want || json_is_null(want) || n > 16) continue;
    for (size_t j = 0; j < n; j++) {
      up_val v = up_val_int(up_int_of(0));
      fm_val_from_json(p->r->c, json_array_get(json_array_get(at, j), 1), &v);
      key[j] = node_at(p, json_array_get(json_array_get(at, j), 0));
      val[j] = up_const(p->r->c, up_dtype_of(p->r->c, key[j]), v);
    }
    up_node s;
    up_node there = up_substitute(p->r->c, p->r->root, key, val, (uint32_t)n);
    if (!gd_simplify(p->r, "eval", there, &s)) continue;
    if (up_is_const(p->r->c, s))
      gd_compare_val(p->r, "eval", want, up_const_val(p->r->c, s));
    else
      gd_compare_text(p->r, "eval", "a number", "a graph");
  }
}

static void compare_partial(const parts *p) {
  const json_t *row = field(p, "partial");
  up_node to;
  up_error e;
  if (!json_is_object(row) || !fm_nodes_from_json(p->r->c, json_object_get(row, "to"), &to, &e))
    return;
  up_node from = node_at(p, json_object_get(row, "from"));
  up_node got = up_substitute(p->r->c, p->r->root, &from, &to, 1);
  gd_compare_nodes(p->r, "partial", json_object_get(row, "result"), got);
}

void gd_parts_row(gd_row *r) {
  static const char *const rulesets[] = {"symbolic_simple", "symbolic", "symbolic_flat", "sym"};
  parts p = {.r = r};
  up_error e;
  if (!fm_all_nodes_from_json(r->c, json_object_get(r->json, "nodes"), &p.all, &p.n, &e)) {
    gd_skip(r, "a node that the engine does not read");
    return;
  }
  compare_toposort(&p);
  compare_tuplize_order(&p);
  compare_each_node(&p);
  compare_divides(&p);
  compare_pop_const(&p);
  compare_vars(&p);
  compare_eval(&p);
  compare_partial(&p);
  for (size_t i = 0; i < sizeof rulesets / sizeof rulesets[0]; i++)
    compare_ruleset(&p, rulesets[i]);
  free(p.all);
}
