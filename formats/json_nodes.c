/* Graphs as arrays of nodes [op, dtype, [indices of sources], arg]: the interchange format. */
#include "internal.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values --------------------------------------------------------------------- */

static bool val_from_text(up_ctx *c, const char *s, size_t n, up_val *out) {
  static const struct {
    const char *text;
    double value;
  } words[] = {{"inf", INFINITY}, {"-inf", -INFINITY}, {"nan", NAN}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strlen(words[i].text) != n || memcmp(words[i].text, s, n) != 0) continue;
    *out = up_val_float(words[i].value);
    return true;
  }
  up_int v;
  if (!up_int_parse(c, s, n, &v)) return false;
  *out = up_val_int(v);
  return true;
}

bool fm_val_from_json(up_ctx *c, const json_t *j, up_val *out) {
  switch (j ? json_typeof(j) : JSON_NULL) {
  case JSON_INTEGER: *out = up_val_int(up_int_of(json_integer_value(j))); return true;
  case JSON_TRUE:
  case JSON_FALSE: *out = up_val_int(up_int_of(json_is_true(j))); return true;
  case JSON_REAL: *out = up_val_float(json_real_value(j)); return true;
  case JSON_STRING: return val_from_text(c, json_string_value(j), json_string_length(j), out);
  default: return false;
  }
}

static json_t *int_to_json(const up_ctx *c, up_int v) {
  if (up_int_fits(v)) return json_integer(v.lo);
  up_buf b = {0};
  up_int_put(c, v, &b);
  json_t *j = b.no_memory ? NULL : json_stringn(b.p, b.len);
  up_buf_free(&b);
  return j;
}

json_t *fm_val_to_json(const up_ctx *c, up_val v, bool is_bool) {
  if (!v.is_float) return is_bool ? json_boolean(!up_int_is(v.i, 0)) : int_to_json(c, v.i);
  if (isnan(v.f)) return json_string("nan");
  if (isinf(v.f)) return json_string(v.f < 0 ? "-inf" : "inf");
  return json_real(v.f);
}

/* ---- reading -------------------------------------------------------------------- */

typedef struct decoder {
  up_ctx *c;
  up_error *err;
  fm_place *place;
  unsigned base; /* depth of the place of the nodes array */
  up_node *all;
  uint32_t n; /* nodes made so far */
  up_node *src;
  size_t src_cap;
} decoder;

/* Fails at part `part` of the node (-1: the node), element `element` of that part (-1: the part).
 */
static bool bad(decoder *d, int part, int64_t element, const char *what) {
  fm_place *p = d->place;
  p->depth = d->base;
  p->index[p->depth++] = d->n;
  if (part >= 0) p->index[p->depth++] = (uint32_t)part;
  if (part >= 0 && element >= 0) p->index[p->depth++] = (uint32_t)element;
  bool starved = up_ctx_status(d->c) == UP_NO_MEMORY; /* then the row is not at fault */
  return up_fail(d->err, 0, 0, "node %u: %s", d->n, starved ? "no memory" : what);
}

enum { PART_NODE = -1, PART_OP, PART_DTYPE, PART_SOURCES, PART_ARG, PARTS };

static bool bad_word(decoder *d, int part, const char *what, const json_t *j) {
  char msg[120];
  if (json_is_string(j))
    snprintf(msg, sizeof msg, "unknown %s '%.40s'", what, json_string_value(j));
  else
    snprintf(msg, sizeof msg, "its %s must be a string", what);
  return bad(d, part, -1, msg);
}

static bool get_sources(decoder *d, const json_t *j, uint32_t *nsrc) {
  if (!json_is_array(j)) return bad(d, PART_SOURCES, -1, "its sources must be an array of indices");
  size_t n = json_array_size(j);
  if (n > UP_MAX_SRC) return bad(d, PART_SOURCES, -1, "too many sources");
  if (n > d->src_cap) {
    up_node *p = realloc(d->src, n * sizeof *p);
    if (!p) return bad(d, PART_SOURCES, -1, "no memory");
    d->src = p;
    d->src_cap = n;
  }
  for (size_t i = 0; i < n; i++) {
    const json_t *e = json_array_get(j, i);
    json_int_t at = json_is_integer(e) ? json_integer_value(e) : -1;
    if (at < 0) return bad(d, PART_SOURCES, (int64_t)i, "a source must be an index");
    if (at >= (json_int_t)d->n)
      return bad(d, PART_SOURCES, (int64_t)i, "a source must come before the node that uses it");
    d->src[i] = d->all[at];
  }
  *nsrc = (uint32_t)n;
  return true;
}

bool fm_place_is_number(up_op op, int64_t element) {
  switch (op) {
  case UP_CONST:
  case UP_RANGE: return element < 0;
  case UP_VCONST:
  case UP_GEP: return element >= 0;
  case UP_DEFINE_VAR:
  case UP_SPECIAL: return element >= 1;
  default: return false;
  }
}

/* What is being read: the op and dtype decide what a number is. */
typedef struct arg_context {
  up_op op;
  up_dtype dt;
  int64_t element;
} arg_context;

static bool get_number(decoder *d, const json_t *j, arg_context k, up_arg *out) {
  up_val v;
  if (!fm_val_from_json(d->c, j, &v))
    return bad(d, PART_ARG, k.element, "a number was expected (or too many digits)");
  bool make_float = up_dt_is_float(k.dt) && (k.op == UP_CONST || k.op == UP_VCONST);
  if (json_is_boolean(j))
    *out = up_arg_bool(d->c, json_is_true(j));
  else if (v.is_float || make_float)
    *out = up_arg_float(d->c, v.is_float ? v.f : up_int_to_double(d->c, v.i));
  else
    *out = up_arg_int(d->c, v.i);
  return true;
}

static bool get_arg(decoder *d, const json_t *j, arg_context k, unsigned depth, up_arg *out);

/* Recursion is bounded by UP_MAX_ARG_DEPTH. */
static bool get_list(decoder *d, const json_t *j, arg_context k, unsigned depth, up_arg *out) {
  size_t n = json_array_size(j);
  if (depth >= UP_MAX_ARG_DEPTH) return bad(d, PART_ARG, -1, "its arg is nested too deep");
  if (n > UINT32_MAX) return bad(d, PART_ARG, -1, "its arg is too long");
  up_arg *items = malloc((n ? n : 1) * sizeof *items);
  if (!items) return bad(d, PART_ARG, -1, "no memory");
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++) {
    if (depth == 0) k.element = (int64_t)i;
    ok = get_arg(d, json_array_get(j, i), k, depth + 1, &items[i]);
  }
  if (ok) *out = up_arg_list(d->c, items, (uint32_t)n);
  free(items);
  return ok;
}

static bool get_arg(decoder *d, const json_t *j, arg_context k, unsigned depth, up_arg *out) {
  switch (json_typeof(j)) {
  case JSON_NULL: *out = up_arg_none(); return true;
  case JSON_ARRAY: return get_list(d, j, k, depth, out);
  case JSON_OBJECT:
    if (json_object_size(j) == 1 && json_object_get(j, "number"))
      return get_number(d, json_object_get(j, "number"), k, out);
    return bad(d, PART_ARG, k.element, "an arg cannot be an object");
  case JSON_STRING:
    if (fm_place_is_number(k.op, k.element)) return get_number(d, j, k, out);
    *out = up_arg_str(d->c, json_string_value(j), json_string_length(j));
    return true;
  default: return get_number(d, j, k, out);
  }
}

static bool get_node(decoder *d, const json_t *j, up_node *out) {
  if (!json_is_array(j) || json_array_size(j) != PARTS)
    return bad(d, PART_NODE, -1, "a node is [op, dtype, [sources], arg]");
  const json_t *op_j = json_array_get(j, PART_OP), *dt_j = json_array_get(j, PART_DTYPE);
  arg_context k = {.element = -1};
  uint32_t nsrc = 0;
  up_arg arg;
  if (!json_is_string(op_j) ||
      !up_op_parse(json_string_value(op_j), json_string_length(op_j), &k.op))
    return bad_word(d, PART_OP, "op", op_j);
  if (!json_is_string(dt_j) ||
      !up_dt_parse(json_string_value(dt_j), json_string_length(dt_j), &k.dt))
    return bad_word(d, PART_DTYPE, "dtype", dt_j);
  if (!get_sources(d, json_array_get(j, PART_SOURCES), &nsrc) ||
      !get_arg(d, json_array_get(j, PART_ARG), k, 0, &arg))
    return false;
  up_error why = {0};
  if (!up_node_readable(d->c, k.op, k.dt, d->src, nsrc, arg, &why))
    return bad(d, PART_NODE, -1, why.msg);
  *out = up_new(d->c, k.op, k.dt, d->src, nsrc, arg);
  return true;
}

static bool get_all(decoder *d, const json_t *nodes) {
  size_t n = json_array_size(nodes);
  for (size_t i = 0; i < n; i++) {
    if (!get_node(d, json_array_get(nodes, i), &d->all[i])) return false;
    up_status s = up_ctx_status(d->c);
    if (s != UP_OK) return bad(d, PART_NODE, -1, up_status_name(s));
    d->n++;
  }
  return true;
}

bool fm_decode(up_ctx *c, const json_t *nodes, fm_graph *out, up_error *err, fm_place *place) {
  *out = (fm_graph){0};
  if (!json_is_array(nodes)) return up_fail(err, 0, 0, "a graph is an array of nodes");
  size_t n = json_array_size(nodes);
  if (n == 0) return up_fail(err, 0, 0, "a graph has at least one node");
  if (n > UP_MAX_NODES) return up_fail(err, 0, 0, "too many nodes");
  decoder d = {.c = c, .err = err, .place = place, .base = place->depth};
  d.all = malloc(n * sizeof *d.all);
  bool ok = d.all ? get_all(&d, nodes) : up_fail(err, 0, 0, "no memory");
  free(d.src);
  if (ok)
    *out = (fm_graph){d.all, d.n};
  else
    free(d.all);
  return ok;
}

bool fm_all_nodes_from_json(up_ctx *c, const json_t *nodes, up_node **all, uint32_t *n,
                            up_error *err) {
  fm_graph g;
  fm_place place = {0};
  bool ok = fm_decode(c, nodes, &g, err, &place);
  *all = g.all;
  *n = g.n;
  return ok;
}

bool fm_nodes_from_json(up_ctx *c, const json_t *nodes, up_node *root, up_error *err) {
  fm_graph g;
  fm_place place = {0};
  bool ok = fm_decode(c, nodes, &g, err, &place);
  *root = ok ? g.all[g.n - 1] : UP_NONE;
  free(g.all);
  return ok;
}
