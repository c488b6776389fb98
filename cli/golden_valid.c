/* Rows about simplification under a valid: uop_given_valid, simplify_valid, gated indexes. */
#include "cli/golden.h"

static bool read_graph(gd_row *r, const json_t *j, up_node *out) {
  up_error e;
  if (json_is_object(j)) j = json_object_get(j, "nodes");
  if (j && fm_nodes_from_json(r->c, j, out, &e)) return true;
  up_ctx_clear_status(r->c);
  gd_skip(r, "valid has a node that the engine does not read");
  return false;
}

/* A status that a call left behind, as a difference. True: there was none. */
static bool ended_well(gd_row *r, const char *field) {
  up_status s = up_ctx_status(r->c);
  up_ctx_clear_status(r->c);
  if (s != UP_OK) gd_compare_text(r, field, "a result", up_status_name(s));
  return s == UP_OK;
}

static void compare_given(gd_row *r, const char *field, const json_t *want, up_node valid,
                          up_node n) {
  up_node got = UP_NONE;
  bool possible = up_given_valid(r->c, valid, n, &got);
  if (ended_well(r, field)) gd_compare_nodes(r, field, want, possible ? got : UP_NONE);
}

static void compare_simplified(gd_row *r, const char *field, const json_t *want, up_node valid) {
  up_node got = up_simplify_valid(r->c, valid);
  if (ended_well(r, field)) gd_compare_nodes(r, field, want, got);
}

void gd_given_valid(gd_row *r) {
  up_node valid;
  if (read_graph(r, json_object_get(r->json, "valid"), &valid))
    compare_given(r, "uop_given_valid", json_object_get(r->json, "result"), valid, r->root);
}

/* The valid is a field of its own in real/, the subject itself in the suites. */
void gd_simplify_valid(gd_row *r) {
  const json_t *v = json_object_get(r->json, "valid");
  up_node valid = r->root;
  if (!v || read_graph(r, v, &valid))
    compare_simplified(r, "simplify_valid", json_object_get(r->json, "result"), valid);
}

/* A gated index: its valid and its index, each as given and simplified. What the load or store is
 * then made of (image shapes, folding of gates) belongs to code generation. */
void gd_gated_index(gd_row *r) {
  const json_t *v = json_object_get(json_object_get(r->json, "args"), "valid");
  up_node valid, sv, si;
  if (!json_object_get(r->json, "simplify_valid")) {
    gd_skip(r, "gated index without the results of its parts");
    return;
  }
  if (!read_graph(r, v, &valid)) return;
  compare_simplified(r, "simplify_valid", json_object_get(r->json, "simplify_valid"), valid);
  compare_given(r, "uop_given_valid", json_object_get(r->json, "uop_given_valid"), valid, r->root);
  if (!gd_simplify(r, "simplified", valid, &sv) || !gd_simplify(r, "simplified", r->root, &si))
    return;
  compare_simplified(r, "simplify_valid", json_object_get(r->json, "simplify_valid_of_simplified"),
                     sv);
  compare_given(r, "uop_given_valid", json_object_get(r->json, "uop_given_valid_of_simplified"), sv,
                si);
}
