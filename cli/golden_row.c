/* Rows of golden data: comparing values, and rows that record a whole graph's answers. */
#include "cli/golden.h"
#include <stdlib.h>
#include <string.h>

#define RENDER_LIMIT (1u << 24)
/* A tree larger than this has no recorded rendering. */
#define RENDERED_TREE 5000.0

bool gd_counts_add(gd_counts *all, const gd_count *one) {
  for (uint32_t i = 0; i < all->n; i++) {
    gd_count *k = &all->p[i];
    if (k->out_of_scope == one->out_of_scope && strcmp(k->name, one->name) == 0) {
      k->agree += one->agree;
      k->differ += one->differ;
      return true;
    }
  }
  if (all->n == all->cap) {
    uint32_t cap = all->cap ? all->cap * 2 : 16;
    gd_count *p = realloc(all->p, cap * sizeof *p);
    if (!p) return false;
    all->p = p;
    all->cap = cap;
  }
  all->p[all->n++] = *one;
  return true;
}

static void count(gd_row *r, const char *name, bool out_of_scope, bool same) {
  gd_count one = {.out_of_scope = out_of_scope, .agree = same, .differ = !same};
  snprintf(one.name, sizeof one.name, "%s", name);
  if (!gd_counts_add(&r->counts, &one)) r->no_memory = true;
}

void gd_skip(gd_row *r, const char *why) { count(r, why, true, true); }

static void record(gd_row *r, const char *field, bool same, const char *want, const char *got) {
  count(r, field, false, same);
  if (!same) up_buf_printf(&r->log, "  %s: expected %s, got %s\n", field, want, got);
}

void gd_compare_text(gd_row *r, const char *field, const char *want, const char *got) {
  record(r, field, strcmp(want, got) == 0, want, got);
}

static void compare_bufs(gd_row *r, const char *field, up_buf *want, up_buf *got) {
  gd_compare_text(r, field, want->p ? want->p : "", got->p ? got->p : "");
  if (want->no_memory || got->no_memory) r->no_memory = true;
  up_buf_free(want);
  up_buf_free(got);
}

void gd_compare_val(gd_row *r, const char *field, const json_t *want, up_val got) {
  up_val v;
  up_buf w = {0}, g = {0};
  if (fm_val_from_json(r->c, want, &v)) {
    up_val_put(r->c, v, &w);
  } else {
    char *s = json_dumps(want, JSON_COMPACT | JSON_ENCODE_ANY);
    up_buf_puts(&w, s ? s : "none");
    free(s);
  }
  up_val_put(r->c, got, &g);
  compare_bufs(r, field, &w, &g);
}

void gd_compare_bool(gd_row *r, const char *field, const json_t *want, bool got) {
  bool same = got ? json_is_true(want) : json_is_false(want);
  const char *wanted = json_is_true(want) ? "true" : json_is_false(want) ? "false" : "no bool";
  record(r, field, same, wanted, got ? "true" : "false");
}

static void put_nodes(gd_row *r, up_node n, up_buf *out) {
  if (up_is_none(n))
    up_buf_puts(out, "none");
  else
    cl_put_expr(r->c, n, out);
}

/* want: an array of nodes, an object that holds one, or null for none. */
void gd_compare_nodes(gd_row *r, const char *field, const json_t *want, up_node got) {
  up_node w = UP_NONE;
  up_error e = {0};
  if (json_is_object(want)) want = json_object_get(want, "nodes");
  if (want && !json_is_null(want) && !fm_nodes_from_json(r->c, want, &w, &e)) {
    up_ctx_clear_status(r->c);
    gd_skip(r, "recorded result has a node that the engine does not read");
    return;
  }
  bool same = up_same(w, got);
  count(r, field, false, same);
  if (same) return;
  up_buf_printf(&r->log, "  %s: expected ", field);
  put_nodes(r, w, &r->log);
  up_buf_puts(&r->log, ", got ");
  put_nodes(r, got, &r->log);
  up_buf_puts(&r->log, "\n");
}

static const char *ending(const up_result *r) {
  const char *raise = up_status_raise(r->status);
  return raise ? raise : up_status_name(r->status);
}

bool gd_simplify(gd_row *r, const char *field, up_node n, up_node *out) {
  up_result s = up_simplify(r->c, n, NULL);
  *out = s.node;
  if (s.status == UP_OK) return true;
  count(r, field, false, false);
  up_buf_printf(&r->log, "  %s: expected a graph, got ", field);
  cl_put_failure(up_ctx_profile(r->c), &s, &r->log);
  up_buf_puts(&r->log, "\n");
  return false;
}

/* CPython sees a rewrite without end as one of these. */
static bool is_endless(const char *error) {
  return strcmp(error, "RecursionError") == 0 || strcmp(error, "RuntimeError") == 0;
}

void gd_compare_error(gd_row *r, const char *want, const up_result *got) {
  bool endless = got->status == UP_LOOP || got->status == UP_LIMIT_STEPS;
  if (endless && is_endless(want))
    gd_compare_text(r, "error", want, want);
  else
    gd_compare_text(r, "error", want, ending(got));
}

bool gd_render(gd_row *r, up_node n, up_buf *out) {
  *out = (up_buf){.limit = RENDER_LIMIT};
  bool ok = up_render(r->c, n, out) && !out->overflow;
  up_ctx_clear_status(r->c);
  return ok;
}

/* Nodes of the graph seen as a tree. */
static double tree_size(up_ctx *c, up_node root) {
  up_list topo = {0};
  if (!up_toposort(c, root, &topo)) return 0;
  double *size = calloc((size_t)root.id + 1, sizeof *size), total = 0;
  for (uint32_t i = 0; size && i < topo.n; i++) {
    size[topo.p[i].id] = 1;
    for (uint32_t j = 0; j < up_nsrc(c, topo.p[i]); j++) {
      size[topo.p[i].id] += size[up_src(c, topo.p[i], j).id];
    }
  }
  if (size) total = size[root.id];
  free(size);
  up_list_free(&topo);
  return total;
}

static void compare_render(gd_row *r, const json_t *want, up_node n) {
  if (tree_size(r->c, n) > RENDERED_TREE) {
    gd_skip(r, "rendering of a tree of more than 5000 nodes");
    return;
  }
  up_buf got;
  bool ok = gd_render(r, n, &got);
  const char *w = json_string_value(want);
  gd_compare_text(r, "render", w ? w : "no rendering", ok ? got.p ? got.p : "" : "no rendering");
  up_buf_free(&got);
}

/* Bounds of n against two fields of the row, where it has them. */
static void compare_bounds(gd_row *r, up_node n, const char *lo, const char *hi) {
  const json_t *want_lo = json_object_get(r->json, lo), *want_hi = json_object_get(r->json, hi);
  if (!want_lo || !want_hi) return;
  up_bounds b = up_minmax(r->c, n);
  if (up_ctx_status(r->c) != UP_OK) {
    up_result failed = {.status = up_ctx_status(r->c), .rule = -1};
    gd_compare_text(r, lo, "a bound", ending(&failed));
    up_ctx_clear_status(r->c);
    return;
  }
  gd_compare_val(r, lo, want_lo, b.lo);
  gd_compare_val(r, hi, want_hi, b.hi);
}

void gd_graph_row(gd_row *r) {
  const char *error = json_string_value(json_object_get(r->json, "error"));
  const json_t *want = json_object_get(r->json, "simplified");
  compare_bounds(r, r->root, "vmin", "vmax");
  if (error) {
    up_result got = up_simplify(r->c, r->root, NULL);
    gd_compare_error(r, error, &got);
    return;
  }
  up_node s;
  if (!want || !gd_simplify(r, "simplified", r->root, &s)) return;
  gd_compare_nodes(r, "simplified", want, s);
  compare_bounds(r, s, "svmin", "svmax");
  const json_t *render = json_object_get(r->json, "render");
  if (!render) render = json_object_get(r->json, "srender");
  if (render) compare_render(r, render, s);
}
