/* Graph -> array of nodes of the interchange format. */
#include "internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Where in a node an arg stands; element -1: it is the arg itself. */
typedef struct arg_place {
  up_op op;
  int64_t element;
  unsigned depth;
} arg_place;

static json_t *arg_to_json(const up_ctx *c, up_arg a, arg_place at);

static json_t *list_to_json(const up_ctx *c, up_arg a, arg_place at) {
  json_t *list = at.depth < UP_MAX_ARG_DEPTH ? json_array() : NULL;
  for (uint32_t i = 0; list && i < up_arg_len(c, a); i++) {
    arg_place inner = {at.op, at.depth == 0 ? (int64_t)i : at.element, at.depth + 1};
    if (json_array_append_new(list, arg_to_json(c, up_arg_at(c, a, i), inner)) == 0) continue;
    json_decref(list);
    list = NULL;
  }
  return list;
}

static json_t *number_to_json(const up_ctx *c, up_arg a, arg_place at) {
  json_t *j = fm_val_to_json(c, up_arg_val(c, a), up_arg_kind_of(c, a) == UP_A_BOOL);
  if (!json_is_string(j) || fm_place_is_number(at.op, at.element)) return j;
  return json_pack("{s:o}", "number", j);
}

/* NULL: no memory, a string that is not UTF-8, or lists nested too deep. */
static json_t *arg_to_json(const up_ctx *c, up_arg a, arg_place at) {
  switch (up_arg_kind_of(c, a)) {
  case UP_A_NONE: return json_null();
  case UP_A_LIST: return list_to_json(c, a, at);
  case UP_A_STR: return json_string(up_arg_text(c, a));
  default: return number_to_json(c, a, at);
  }
}

static json_t *node_to_json(const up_ctx *c, up_node n, const uint32_t *index) {
  char dtype[32];
  up_dt_print(up_dtype_of(c, n), dtype);
  json_t *src = json_array();
  for (uint32_t i = 0; src && i < up_nsrc(c, n); i++)
    if (json_array_append_new(src, json_integer(index[up_src(c, n, i).id])) != 0) {
      json_decref(src);
      return NULL;
    }
  json_t *arg = arg_to_json(c, up_arg_of(c, n), (arg_place){up_op_of(c, n), -1, 0});
  /* steals both references, and frees them when one is NULL */
  return json_pack("[s, s, o, o]", up_op_name(up_op_of(c, n)), dtype, src, arg);
}

static bool append_all(const up_ctx *c, const up_list *topo, uint32_t *index, json_t *out) {
  for (uint32_t i = 0; i < topo->n; i++) {
    index[topo->p[i].id] = i;
    if (json_array_append_new(out, node_to_json(c, topo->p[i], index)) != 0) return false;
  }
  return true;
}

json_t *fm_nodes_to_json(up_ctx *c, up_node root) {
  if (up_is_none(root)) return NULL;
  up_list topo = {0};
  uint32_t *index = malloc(((size_t)root.id + 1) * sizeof *index);
  json_t *out = json_array();
  bool ok = index && out && up_toposort(c, root, &topo) && append_all(c, &topo, index, out);
  up_list_free(&topo);
  free(index);
  if (ok) return out;
  json_decref(out);
  return NULL;
}
