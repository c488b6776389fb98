/* A finding as JSON and as a `.uop` file. */
#include "cli/cli.h"
#include <stdlib.h>
#include <string.h>

static json_t *from_buf(up_buf *b) {
  while (b->len > 0 && b->p[b->len - 1] == '\n') b->p[--b->len] = 0;
  json_t *j = b->no_memory ? NULL : cl_json_text(b->p ? b->p : "");
  up_buf_free(b);
  return j;
}

static json_t *witness_json(up_ctx *c, const or_witness *w) {
  up_buf b = {0};
  or_witness_put(c, w, &b);
  json_error_t e;
  json_t *j = b.p ? json_loads(b.p, 0, &e) : NULL;
  up_buf_free(&b);
  return j ? j : json_null();
}

static json_t *infix_json(up_ctx *c, up_node n) {
  up_buf b = {.limit = 1u << 20};
  up_print_infix(c, n, &b);
  return from_buf(&b);
}

static json_t *expr_json(up_ctx *c, up_node n) {
  if (up_is_none(n)) return json_null();
  up_buf b = {0};
  cl_put_expr(c, n, &b);
  return from_buf(&b);
}

/* A JSON id is kept as it was, a number or a text. */
static json_t *id_json(const char *id) {
  json_error_t e;
  json_t *j = id ? json_loads(id, JSON_DECODE_ANY, &e) : NULL;
  if (j) return j;
  return id ? cl_json_text(id) : json_null();
}

/* The name by which the rules are loaded. */
static void put_profile(const up_ctx *c, up_buf *out) {
  const up_profile *p = up_ctx_profile(c);
  up_buf_puts(out, up_ctx_has_own_rules(c) ? up_profile_base(p) : up_profile_name(p));
  if (!up_ctx_has_own_rules(c)) return;
  up_buf_puts(out, "/");
  up_buf_puts(out, up_ruleset_name(up_ctx_rules(c)));
}

static json_t *profile_json(const up_ctx *c) {
  up_buf name = {0};
  put_profile(c, &name);
  json_t *j = cl_json_text(name.p ? name.p : "");
  up_buf_free(&name);
  return j;
}

static bool has_witness(const or_finding *f) { return f->kind == OR_VALUE || f->kind == OR_BOUNDS; }

json_t *cl_finding_json(up_ctx *c, const or_finding *f, const cl_source *from) {
  const char *rule = cl_rule_name(up_ctx_profile(c), f->rule);
  if (!rule && f->mode != OR_NO_VALID) rule = or_valid_mode_name(f->mode);
  json_t *j = json_object();
  json_object_set_new(j, "file", from->file ? cl_json_text(from->file) : json_null());
  json_object_set_new(j, "id", id_json(from->id));
  json_object_set_new(j, "profile", profile_json(c));
  json_object_set_new(j, "kind", json_string(or_kind_name(f->kind)));
  json_object_set_new(j, "frame", json_string(or_frame_name(f->frame)));
  json_object_set_new(j, "rule", rule ? cl_json_text(rule) : json_null());
  char cause[OR_CAUSE_ROOM];
  or_finding_cause(c, f, cause);
  json_object_set_new(j, "cause", cl_json_text(cause));
  json_object_set_new(j, "witness", has_witness(f) ? witness_json(c, &f->witness) : json_null());
  json_object_set_new(j, "expected", f->expected[0] ? cl_json_value(f->expected) : json_null());
  json_object_set_new(j, "actual", f->actual[0] ? cl_json_value(f->actual) : json_null());
  json_object_set_new(j, "reduced", infix_json(c, f->graph));
  json_object_set_new(j, "result", expr_json(c, f->simplified));
  json_object_set_new(j, "before", expr_json(c, f->before));
  json_object_set_new(j, "after", expr_json(c, f->after));
  if (from->generated) {
    json_object_set_new(j, "seed", json_integer((json_int_t)from->seed));
    json_object_set_new(j, "case", json_integer((json_int_t)from->index));
  }
  json_object_set_new(j, "node_count", json_integer(up_count(c, f->graph)));
  json_object_set_new(j, "nodes", fm_nodes_to_json(c, f->graph));
  if (f->mode != OR_NO_VALID) {
    json_object_set_new(j, "mode", json_string(or_valid_mode_name(f->mode)));
    json_object_set_new(j, "given", expr_json(c, f->valid));
    json_object_set_new(j, "valid", fm_nodes_to_json(c, f->valid));
  }
  return j;
}

/* Metadata is one line a pair. */
static void meta_buf(up_metas *m, const char *key, up_buf *value) {
  for (size_t i = 0; i < value->len; i++) {
    if (value->p[i] == '\n') value->p[i] = ' ';
  }
  if (value->p) up_metas_set(m, key, value->p);
  up_buf_free(value);
}

void cl_put_finding_uop(up_ctx *c, const or_finding *f, const cl_source *from, up_buf *out) {
  up_metas m = {0};
  const up_profile *p = up_ctx_profile(c);
  const char *rule = cl_rule_name(p, f->rule);
  up_buf name = {0};
  put_profile(c, &name);
  meta_buf(&m, "profile", &name);
  up_metas_set(&m, "kind", or_kind_name(f->kind));
  up_metas_set(&m, "frame", or_frame_name(f->frame));
  if (rule) up_metas_set(&m, "rule", rule);
  char cause[OR_CAUSE_ROOM];
  or_finding_cause(c, f, cause);
  up_metas_set(&m, "cause", cause);
  if (has_witness(f)) {
    up_buf w = {0};
    or_witness_put(c, &f->witness, &w);
    meta_buf(&m, "witness", &w);
  }
  if (f->expected[0]) up_metas_set(&m, "expected", f->expected);
  if (f->actual[0]) up_metas_set(&m, "actual", f->actual);
  up_buf b = {0};
  if (from->generated) {
    up_buf_printf(&b, "seed %llu, case %llu", (unsigned long long)from->seed,
                  (unsigned long long)from->index);
    meta_buf(&m, "origin", &b);
  }
  b = (up_buf){0};
  cl_put_expr(c, f->graph, &b);
  meta_buf(&m, "infix", &b);
  up_print_uop(c, f->graph, &m, out);
  up_metas_free(&m);
}
