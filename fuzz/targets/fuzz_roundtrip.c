/* Bytes -> graph -> each form it can be printed in -> the same graph: `.uop`, infix, JSON nodes,
 * tinygrad's tree, and the list of nodes that inputs are kept as. The other printers must end. */
#include "formats/formats.h"
#include "fuzz/harness.h"
#include "fuzz/nodes.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require_infix(up_ctx *c, up_node root) {
  up_buf text = {.limit = 1u << 20};
  up_node again = UP_NONE;
  up_error err = {0};
  up_print_infix(c, root, &text);
  fz_require(!text.no_memory, "memory");
  if (!text.overflow) {
    if (!up_parse_infix(c, text.p, text.len, &again, &err)) fz_require(false, err.msg);
    fz_require(up_same(root, again), "infix reads back as the same graph");
  }
  up_buf_free(&text);
}

static void require_json(up_ctx *c, up_node root) {
  up_node again = UP_NONE;
  up_error err = {0};
  json_t *nodes = fm_nodes_to_json(c, root);
  if (!nodes) return; /* a name that is not UTF-8 has no JSON */
  if (!fm_nodes_from_json(c, nodes, &again, &err)) fz_require(false, err.msg);
  fz_require(up_same(root, again), "JSON nodes read back as the same graph");
  json_decref(nodes);
}

static void require_tree(up_ctx *c, up_node root) {
  up_buf text = {.limit = 1u << 16}, twice = {.limit = 1u << 16};
  up_node again = UP_NONE;
  up_error err = {0};
  size_t at = 0;
  up_print_tree(c, root, &text);
  if (!text.overflow && !text.no_memory) {
    if (!up_parse_tree(c, text.p, text.len, &at, &again, &err)) fz_require(false, err.msg);
    up_print_tree(c, again, &twice);
    fz_require(text.len == twice.len && memcmp(text.p, twice.p, text.len) == 0,
               "a tree reads back as the same tree");
  }
  up_buf_free(&text);
  up_buf_free(&twice);
}

static void require_nodes(up_ctx *c, up_node root) {
  static uint8_t bytes[1u << 17];
  fz_opts o = fz_opts_default();
  size_t n = fz_encode(c, root, bytes, sizeof bytes);
  fz_require(n > 0, "a decoded graph has an encoding");
  fz_require(up_same(fz_decode(c, &o, bytes, n), root), "that decodes to the same graph");
}

static void require_ends(up_ctx *c, up_node root) {
  up_buf out = {.limit = 1u << 16};
  up_render(c, root, &out);
  out.len = 0;
  up_print_tinygrad(c, root, &out);
  out.len = 0;
  up_print_uops(c, root, &out);
  up_buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_case k = fz_case_begin(&all, data, n);
  require_nodes(k.c, k.root);
  fz_require_reads_back(k.h, k.root);
  require_infix(k.c, k.root);
  require_json(k.c, k.root);
  require_tree(k.c, k.root);
  require_ends(k.c, k.root);
  return 0;
}
