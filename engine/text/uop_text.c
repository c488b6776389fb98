/* `.uop` text, version 1: the form in which graphs are kept, diffed and sent. This file prints it,
 * uop_parse.c reads it.
 *
 *     uop 1                                  the first line: the version
 *     # a comment, up to the end of the line
 *     meta expect sound                      metadata: a key, then the rest of the line
 *     %0 = DEFINE_VAR int ["x", -6, 6]       a node: label, op, dtype, sources, arg
 *     %1 = CONST int 2
 *     %2 = IDIV int %0 %1                    sources are labels of earlier lines
 *     root %2                                optional: else the last node is the root
 *
 * One statement a line; LF or CRLF; blanks between words are free. A label is % and letters, digits
 * or _, used once; the printer numbers from 0 in topological order (first source first). An arg
 * that is None is left out or written null; otherwise true, false, an integer of any size, a float
 * (with a dot or an exponent, or inf, -inf, nan), a "string" (\" \\ \n \t \r \xHH) or a [list, of,
 * args]. A key is letters, digits and _-. ; a value that is empty, has blanks at its ends, begins
 * with a quote or holds control characters is written as a string. A key stands once. Every node is
 * judged by up_node_check. Nodes that the root does not reach are read and dropped.
 *
 * Promise: print(parse(print(g))) == print(g) byte for byte, and parse(print(g)) is the node g. The
 * version grows when an old text would be read differently. */
#include "text.h"
#include <stdlib.h>
#include <string.h>

/* Can a value stand as it is? */
static bool is_plain(const char *s) {
  size_t n = strlen(s);
  if (n == 0 || s[0] == '"' || s[0] == ' ' || s[n - 1] == ' ') return false;
  for (; *s; s++)
    if ((unsigned char)*s < 32 || *s == 127) return false;
  return true;
}

static void put_metas(const up_metas *meta, up_buf *out) {
  for (uint32_t i = 0; meta && i < meta->n; i++) {
    up_buf_printf(out, "meta %s ", meta->p[i].key);
    if (is_plain(meta->p[i].value))
      up_buf_puts(out, meta->p[i].value);
    else
      text_put_string(meta->p[i].value, out);
    up_buf_puts(out, "\n");
  }
}

/* label[id]: number of the node's line. Sources have smaller ids than the root's. */
static void put_node(const up_ctx *c, up_node n, uint32_t *label, uint32_t number, up_buf *out) {
  char dtype[32];
  up_dt_print(up_dtype_of(c, n), dtype);
  up_buf_printf(out, "%%%u = %s %s", number, up_op_name(up_op_of(c, n)), dtype);
  for (uint32_t i = 0; i < up_nsrc(c, n); i++)
    up_buf_printf(out, " %%%u", label[up_src(c, n, i).id]);
  if (up_arg_kind_of(c, up_arg_of(c, n)) != UP_A_NONE) {
    up_buf_puts(out, " ");
    text_put_arg(c, up_arg_of(c, n), &text_uop_style, out);
  }
  up_buf_puts(out, "\n");
  label[n.id] = number;
}

void up_print_uop(up_ctx *c, up_node root, const up_metas *meta, up_buf *out) {
  up_buf_puts(out, "uop 1\n");
  put_metas(meta, out);
  if (up_is_none(root)) {
    up_buf_puts(out, "# no graph\n");
    return;
  }
  up_list topo = {0};
  uint32_t *label = malloc(((size_t)root.id + 1) * sizeof *label);
  if (!label || !up_toposort(c, root, &topo)) {
    out->no_memory = true;
  } else {
    for (uint32_t i = 0; i < topo.n; i++) put_node(c, topo.p[i], label, i, out);
  }
  up_list_free(&topo);
  free(label);
}
