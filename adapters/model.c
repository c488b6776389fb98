/* uproof's model of a release as an adapter: model PROFILE.
 *
 * The protocol's reference (adapters/README.md), and what tests hold the pipe to: through it a profile
 * has the findings that it has inside of uproof.
 */
#include "engine/uop.h"
#include "formats/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of an answer: a SINK holds their nodes. */
#define MAX_STEPS 30000u

/* Number of a node in the answer's table. */
static json_t *index_of(const up_list *topo, up_node n) {
  for (uint32_t i = 0; i < topo->n; i++)
    if (up_same(topo->p[i], n)) return json_integer(i);
  return json_null();
}

/* Result and steps as one table of nodes: that of a SINK of them, without the SINK. */
static void put_nodes(up_ctx *c, const up_result *r, const up_trace *t, json_t *out) {
  const up_node root[2] = {r->node, r->at};
  uint32_t nsteps = t->n < MAX_STEPS ? t->n : MAX_STEPS, n = 0;
  up_node *src = malloc((2 * (size_t)nsteps + 2) * sizeof *src);
  up_list topo = {0};
  if (!src) exit(4);
  for (uint32_t i = 0; i < nsteps; i++) {
    src[n++] = t->step[i].before;
    src[n++] = t->step[i].after;
  }
  for (uint32_t i = 0; i < 2; i++)
    if (!up_is_none(root[i])) src[n++] = root[i];
  up_node sink = up_new(c, UP_SINK, up_dt(UP_VOID), src, n, up_arg_none());
  if (up_is_none(sink) || !up_toposort(c, sink, &topo)) exit(4);
  json_t *nodes = fm_nodes_to_json(c, sink), *steps = json_array();
  json_array_remove(nodes, json_array_size(nodes) - 1);
  for (uint32_t i = 0; i < nsteps; i++) {
    const up_step *s = &t->step[i];
    const char *rule = up_rule_at(up_ctx_profile(c), (uint32_t)s->rule).name;
    json_array_append_new(
        steps, json_pack("[s,o,o]", rule, index_of(&topo, s->before), index_of(&topo, s->after)));
  }
  json_object_set_new(out, "nodes", nodes);
  json_object_set_new(out, "steps", steps);
  json_object_set_new(out, "result", index_of(&topo, r->node));
  json_object_set_new(out, "at", index_of(&topo, r->at));
  up_list_free(&topo);
  free(src);
}

static const char *error_of(up_status s) {
  return up_status_raise(s) ? up_status_raise(s) : up_status_name(s);
}

static void simplify(up_ctx *c, up_node root, const json_t *question, json_t *out) {
  up_trace t = {0};
  json_int_t most = json_integer_value(json_object_get(question, "max_steps"));
  const up_ruleset *rules = up_ctx_rules(c);
  up_result r = up_rewrite(c, root, rules, most > 0 ? (uint64_t)most : 0, &t, NULL);
  put_nodes(c, &r, &t, out);
  if (r.status != UP_OK) json_object_set_new(out, "error", json_string(error_of(r.status)));
  if (r.status != UP_OK && r.rule >= 0)
    json_object_set_new(out, "rule",
                        json_string(up_rule_at(up_ctx_profile(c), (uint32_t)r.rule).name));
  up_trace_free(&t);
}

/* null: nothing is claimed. */
static json_t *end_of(const up_ctx *c, up_val v) {
  return v.is_float && !isfinite(v.f) ? json_null() : fm_val_to_json(c, v, false);
}

static void bounds(up_ctx *c, const up_node *all, uint32_t n, json_t *out) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < n; i++) {
    up_bounds b = up_minmax(c, all[i]);
    int rule = up_minmax_rule(c, all[i]);
    const char *name = rule < 0 ? "" : up_rule_at(up_ctx_profile(c), (uint32_t)rule).name;
    json_array_append_new(list, json_pack("[o,o,s]", end_of(c, b.lo), end_of(c, b.hi), name));
  }
  if (up_ctx_status(c) == UP_OK)
    json_object_set_new(out, "bounds", list);
  else
    json_object_set_new(out, "error", json_string(error_of(up_ctx_status(c))));
  if (up_ctx_status(c) != UP_OK) json_decref(list);
}

static json_t *answer(up_ctx *c, const json_t *question) {
  const char *what = json_string_value(json_object_get(question, "do"));
  up_node *all = NULL;
  uint32_t n = 0;
  up_error e;
  json_t *out = json_object();
  up_ctx_reset(c);
  if (what && strcmp(what, "hello") == 0)
    json_object_set_new(out, "engine", json_string(up_profile_name(up_ctx_profile(c))));
  else if (!fm_all_nodes_from_json(c, json_object_get(question, "nodes"), &all, &n, &e))
    json_object_set_new(out, "error", json_sprintf("not-covered: %s", e.msg));
  else if (what && strcmp(what, "simplify") == 0)
    simplify(c, all[n - 1], question, out);
  else if (what && strcmp(what, "bounds") == 0)
    bounds(c, all, n, out);
  else
    json_object_set_new(out, "error", json_string("not-covered: what is asked"));
  free(all);
  return out;
}

int main(int argc, char **argv) {
  up_error e;
  up_profile *p = argc == 2 ? up_profile_load(argv[1], &e) : NULL;
  up_ctx *c = p ? up_ctx_new(p) : NULL;
  if (!c) {
    fprintf(stderr, "model: %s\n", argc == 2 ? e.msg : "usage: model PROFILE");
    return 2;
  }
  char *line = NULL;
  size_t cap = 0;
  while (getline(&line, &cap, stdin) > 0) {
    json_error_t bad;
    json_t *question = json_loads(line, 0, &bad), *out = answer(c, question);
    json_dumpf(out, stdout, JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(question);
    json_decref(out);
  }
  free(line);
  up_ctx_free(c);
  up_profile_free(p);
  return 0;
}
