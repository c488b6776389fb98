/* Graph -> the tree that tinygrad 0.11.0 prints for a UOp, and its list of nodes (print_uops).
 *
 * A node that is used more than once is written in full where the walk (first source first) comes
 * to it first, with `xN:=` in front, and as xN elsewhere; N counts all nodes but the root in that
 * order. */
#include "text.h"
#include <stdlib.h>
#include <string.h>

static const text_style repr_style = {"None", "True", "False", "(", ")", true, true};

/* ---- Python's repr -------------------------------------------------------------- */

/* A byte of no UTF-8 sequence is written as the lone surrogate that Python decodes it to. The
 * controls of Latin-1 are escaped; every other character counts as printable. */
static size_t put_repr_char(const char *s, char quote, up_buf *out) {
  unsigned char ch = (unsigned char)*s;
  size_t n = ch < 0x80 ? 1 : text_utf8_length(s);
  unsigned char second = n == 2 ? (unsigned char)s[1] : 0;
  if (ch == (unsigned char)quote || ch == '\\')
    up_buf_printf(out, "\\%c", ch);
  else if (ch == '\n' || ch == '\r' || ch == '\t')
    up_buf_printf(out, "\\%c", ch == '\n' ? 'n' : ch == '\r' ? 'r' : 't');
  else if (ch < 32 || ch == 127)
    up_buf_printf(out, "\\x%02x", ch);
  else if (n == 0)
    up_buf_printf(out, "\\udc%02x", ch);
  else if (ch == 0xc2 && (second <= 0xa0 || second == 0xad))
    up_buf_printf(out, "\\x%02x", second);
  else
    up_buf_put(out, s, n);
  return n == 0 ? 1 : n;
}

void text_put_repr(const char *s, up_buf *out) {
  char quote = strchr(s, '\'') && !strchr(s, '"') ? '"' : '\'';
  up_buf_put(out, &quote, 1);
  while (*s) s += put_repr_char(s, quote, out);
  up_buf_put(out, &quote, 1);
}

static void put_dtype(up_dtype d, up_buf *out) {
  char name[32];
  up_dt_print(up_dt(up_dt_scalar(d)), name);
  up_buf_printf(out, "dtypes.%s", name);
  if (up_dt_count(d) > 1) up_buf_printf(out, ".vec(%u)", up_dt_count(d));
  if (up_dt_is_ptr(d)) up_buf_puts(out, ".ptr(-1)");
}

static bool is_op_name(const up_ctx *c, up_arg a, up_op *op) {
  if (up_arg_kind_of(c, a) != UP_A_STR) return false;
  const char *s = up_arg_text(c, a);
  return up_op_parse(s, strlen(s), op);
}

/* As str() has it: a string without quotes. */
static void put_str(const up_ctx *c, up_arg a, up_buf *out) {
  if (up_arg_kind_of(c, a) == UP_A_STR)
    up_buf_puts(out, up_arg_text(c, a));
  else
    text_put_arg(c, a, &repr_style, out);
}

/* The pair (op, axes): the op by its name. */
static void put_reduce_axis(const up_ctx *c, up_arg a, up_buf *out) {
  up_buf_puts(out, "(");
  for (uint32_t i = 0; i < up_arg_len(c, a); i++) {
    up_op op;
    up_arg item = up_arg_at(c, a, i);
    if (i > 0) up_buf_puts(out, ", ");
    if (is_op_name(c, item, &op))
      up_buf_printf(out, "Ops.%s", up_op_name(op));
    else
      text_put_arg(c, item, &repr_style, out);
  }
  up_buf_puts(out, ")");
}

/* The op that a reduction applies is an arg that prints as a member of an enum does. Its number
 * there is one more than its place in the table of ops, which has the order of 0.11.0. */
static void put_arg(const up_ctx *c, up_node n, up_buf *out) {
  up_op op = up_op_of(c, n), inner;
  up_arg a = up_arg_of(c, n);
  if (op == UP_REDUCE_AXIS && up_arg_kind_of(c, a) == UP_A_LIST && up_arg_len(c, a) > 1)
    put_reduce_axis(c, a, out);
  else if ((op == UP_REDUCE || op == UP_ALLREDUCE) && is_op_name(c, a, &inner))
    up_buf_printf(out, "<Ops.%s: %u>", up_op_name(inner), (unsigned)inner + 1);
  else
    text_put_arg(c, a, &repr_style, out);
}

/* ---- the tree ------------------------------------------------------------------- */

/* A node whose sources are being visited, or written. */
typedef struct frame {
  up_node node;
  uint32_t next;
} frame;

typedef struct printer {
  up_ctx *c;
  up_buf *out;
  uint32_t *number, *uses; /* by node id; number 0: not met, else one more than its number */
  uint32_t met;
  frame *stack;
  size_t n, cap;
} printer;

static bool push(printer *p, up_node n) {
  if (!text_grow(&p->stack, &p->cap, p->n + 1, sizeof *p->stack)) return false;
  p->stack[p->n++] = (frame){n, 0};
  return true;
}

/* Numbers and counts of uses. */
static bool count_uses(printer *p, up_node root) {
  if (!push(p, root)) return false;
  while (p->n > 0) {
    frame *f = &p->stack[p->n - 1];
    if (f->next == up_nsrc(p->c, f->node)) {
      p->n--;
      continue;
    }
    up_node s = up_src(p->c, f->node, f->next++);
    p->uses[s.id]++;
    if (p->number[s.id]) continue;
    p->number[s.id] = ++p->met;
    if (!push(p, s)) return false;
  }
  return true;
}

static void put_indent(size_t depth, up_buf *out) {
  static const char blanks[] = "                                                                ";
  for (size_t left = depth * 2; left > 0 && !out->overflow && !out->no_memory;) {
    size_t n = left < sizeof blanks - 1 ? left : sizeof blanks - 1;
    up_buf_put(out, blanks, n);
    left -= n;
  }
}

/* Up to the bracket of its sources. */
static void put_head(printer *p, up_node n) {
  if (p->uses[n.id] > 1) up_buf_printf(p->out, "x%u:=", p->number[n.id] - 1);
  up_buf_printf(p->out, "UOp(Ops.%s, ", up_op_name(up_op_of(p->c, n)));
  put_dtype(up_dtype_of(p->c, n), p->out);
  up_buf_puts(p->out, ", arg=");
  put_arg(p->c, n, p->out);
  up_buf_puts(p->out, ", src=(");
}

/* uses counts down to nothing once a node is written: from then on it is its name. */
static bool put_tree(printer *p, up_node root) {
  put_head(p, root);
  if (!push(p, root)) return false;
  while (p->n > 0 && !p->out->overflow && !p->out->no_memory) {
    frame *f = &p->stack[p->n - 1];
    if (f->next == up_nsrc(p->c, f->node)) {
      p->n--;
      up_buf_puts(p->out, p->n > 0 ? "))," : "))");
      continue;
    }
    up_node s = up_src(p->c, f->node, f->next++);
    up_buf_puts(p->out, "\n");
    put_indent(p->n, p->out);
    if (p->uses[s.id] == 0) {
      up_buf_printf(p->out, " x%u,", p->number[s.id] - 1);
      continue;
    }
    put_head(p, s);
    p->uses[s.id] = 0;
    if (!push(p, s)) return false;
  }
  return true;
}

void up_print_tree(up_ctx *c, up_node root, up_buf *out) {
  if (up_is_none(root)) return;
  printer p = {.c = c, .out = out};
  p.number = calloc((size_t)root.id + 1, sizeof *p.number);
  p.uses = calloc((size_t)root.id + 1, sizeof *p.uses);
  if (!p.number || !p.uses || !count_uses(&p, root) || !put_tree(&p, root)) out->no_memory = true;
  up_buf_puts(out, "\n");
  free(p.number);
  free(p.uses);
  free(p.stack);
}

/* ---- the list ------------------------------------------------------------------- */

/* Fills up to a width, counted from `start`. */
static void pad(up_buf *out, size_t start, size_t width) {
  while (!out->no_memory && !out->overflow && out->len - start < width) up_buf_puts(out, " ");
}

/* Numbers of the sources; a constant stands there as itself. */
static void put_source_list(const up_ctx *c, up_node n, const uint32_t *number, up_buf *out) {
  up_buf_puts(out, "[");
  for (uint32_t i = 0; i < up_nsrc(c, n); i++) {
    up_node s = up_src(c, n, i);
    if (i > 0) up_buf_puts(out, ", ");
    if (!up_is_const(c, s)) {
      up_buf_printf(out, "%u", number[s.id]);
      continue;
    }
    up_buf_puts(out, "'");
    put_str(c, up_arg_of(c, s), out);
    up_buf_puts(out, "'");
  }
  up_buf_puts(out, "]");
}

static void put_line(const up_ctx *c, up_node n, uint32_t i, const uint32_t *number, up_buf *out) {
  up_buf_printf(out, "%4u Ops.%-16s: ", i, up_op_name(up_op_of(c, n)));
  size_t start = out->len;
  put_dtype(up_dtype_of(c, n), out);
  pad(out, start, 30);
  up_buf_puts(out, " ");
  start = out->len;
  put_source_list(c, n, number, out);
  pad(out, start, 32);
  up_buf_puts(out, " ");
  put_str(c, up_arg_of(c, n), out);
  up_buf_puts(out, "\n");
}

void up_print_uops(up_ctx *c, up_node root, up_buf *out) {
  if (up_is_none(root)) return;
  up_list topo = {0};
  uint32_t *number = malloc(((size_t)root.id + 1) * sizeof *number);
  if (!number || !up_toposort(c, root, &topo)) {
    out->no_memory = true;
  } else {
    for (uint32_t i = 0; i < topo.n; i++) {
      number[topo.p[i].id] = i;
      put_line(c, topo.p[i], i, number, out);
    }
  }
  up_list_free(&topo);
  free(number);
}
