/* tinygrad's infix rendering. Source: ops.py `renderer` of 0.10.0 and 0.11.0; ops that a release's
 * renderer does not know make the rendering fail there, and here. */
#include "internal.h"
#include <stdlib.h>
#include <string.h>

/* What is still to be written: a stretch of static text, or a node. */
typedef struct piece {
  const char *text; /* NULL: the node */
  size_t len;
  up_node node;
} piece;

typedef struct pieces {
  piece *p;
  size_t n, cap;
  uint32_t renderable; /* mark of the nodes that have a rendering */
} pieces;

static bool add(up_ctx *c, pieces *s, piece x) {
  if (!ctx_grow_size(c, &s->p, &s->cap, s->n + 1, sizeof *s->p)) return false;
  s->p[s->n++] = x;
  return true;
}
static bool add_text(up_ctx *c, pieces *s, const char *t, size_t len) {
  return add(c, s, (piece){t, len, UP_NONE});
}
static bool add_node(up_ctx *c, pieces *s, up_node n) { return add(c, s, (piece){NULL, 0, n}); }

static const char *symbol(up_op op) {
  switch (op) {
  case UP_ADD: return "+";
  case UP_SUB: return "-";
  case UP_IDIV: return "//";
  case UP_MOD: return "%";
  case UP_SHL: return "<<";
  case UP_SHR: return ">>";
  case UP_MUL: return "*";
  case UP_CMPLT: return "<";
  case UP_CMPNE: return "!=";
  case UP_AND: return "&";
  case UP_OR: return "|";
  case UP_XOR: return "^";
  default: return NULL;
  }
}

/* How a node with rendered sources looks: %0, %1, %2 are the sources. NULL: not renderable. */
static const char *form_of(const up_ctx *c, up_op op) {
  bool old = old_release(c);
  switch (op) {
  case UP_BIND: return "%0";
  case UP_NEG: return "(-%0)";
  case UP_RECIP: return old ? NULL : "(1/%0)";
  case UP_MAX: return "max(%0, %1)";
  case UP_MULACC: return "(%0*%1+%2)";
  case UP_WHERE: return "(%1 if %0 else %2)";
  default: return NULL;
  }
}

static bool add_binary(up_ctx *c, pieces *s, up_node n, const char *sym) {
  return add_text(c, s, ")", 1) && add_node(c, s, node_src(c, n, 1)) &&
         add_text(c, s, sym, strlen(sym)) && add_node(c, s, node_src(c, n, 0)) &&
         add_text(c, s, "(", 1);
}

/* Pushes the pieces of a form, last first, so that they come off the stack in order. */
static bool add_form(up_ctx *c, pieces *s, up_node n, const char *form) {
  size_t end = strlen(form);
  while (end > 0) {
    if (end >= 2 && form[end - 2] == '%') {
      if (!add_node(c, s, node_src(c, n, (uint32_t)(form[end - 1] - '0')))) return false;
      end -= 2;
      continue;
    }
    size_t at = end - 1;
    while (at > 0 && !(at >= 2 && form[at - 2] == '%')) at--;
    if (!add_text(c, s, form + at, end - at)) return false;
    end = at;
  }
  return true;
}

static void put_number(const up_ctx *c, up_arg a, up_buf *out) {
  up_val v = up_arg_val(c, a);
  if (up_arg_kind_of(c, a) == UP_A_BOOL)
    up_buf_puts(out, up_int_is(v.i, 0) ? "False" : "True");
  else
    up_val_put(c, v, out);
}

static void put_vconst(const up_ctx *c, up_arg a, up_buf *out) {
  up_buf_puts(out, "(");
  for (uint32_t i = 0; i < up_arg_len(c, a); i++) {
    if (i) up_buf_puts(out, ", ");
    put_number(c, up_arg_at(c, a, i), out);
  }
  up_buf_puts(out, ")");
}

static bool is_leaf(const up_ctx *c, up_node n) {
  switch (node_op(c, n)) {
  case UP_DEFINE_VAR:
  case UP_SPECIAL: return up_arg_kind_of(c, up_arg_of(c, n)) == UP_A_LIST;
  case UP_RANGE:
  case UP_CONST: return true;
  case UP_VCONST:
  case UP_LOAD: return !old_release(c);
  default: return false;
  }
}

/* A leaf is written at once. False: not a leaf. */
static bool put_leaf(const up_ctx *c, up_node n, up_buf *out) {
  up_arg a = up_arg_of(c, n);
  if (!is_leaf(c, n)) return false;
  switch (node_op(c, n)) {
  case UP_DEFINE_VAR:
  case UP_SPECIAL: up_buf_puts(out, up_arg_text(c, up_arg_at(c, a, 0))); break;
  case UP_RANGE:
    up_buf_puts(out, "ridx");
    put_number(c, a, out);
    break;
  case UP_CONST: put_number(c, a, out); break;
  case UP_VCONST: put_vconst(c, a, out); break;
  default: up_buf_puts(out, "load");
  }
  return true;
}

/* str() of an arg, as far as a node that has no rendering can have one. */
static void put_arg(const up_ctx *c, up_arg a, up_buf *out) {
  switch (up_arg_kind_of(c, a)) {
  case UP_A_NONE: up_buf_puts(out, "None"); return;
  case UP_A_STR: up_buf_puts(out, up_arg_text(c, a)); return;
  case UP_A_LIST: /* a tuple of numbers: lanes of a GEP */
    up_buf_puts(out, "(");
    for (uint32_t i = 0; i < up_arg_len(c, a); i++) {
      if (i) up_buf_puts(out, ", ");
      put_arg(c, up_arg_at(c, a, i), out);
    }
    up_buf_puts(out, up_arg_len(c, a) == 1 ? ",)" : ")");
    return;
  default: put_number(c, a, out);
  }
}

/* The cast is rendered whatever is under it; of what can't be rendered it shows the arg. */
static bool add_cast(up_ctx *c, pieces *s, up_node n, up_buf *out) {
  char name[32];
  up_node x = node_src(c, n, 0);
  up_dt_print(up_dtype_of(c, n), name);
  char *dot = strstr(name, ".vec"); /* repr: dtypes.int.vec(4) */
  if (dot)
    up_buf_printf(out, "(%.*s.vec(%s))(", (int)(dot - name), name, dot + 4);
  else
    up_buf_printf(out, "(%s)(", name);
  if (c->mark[x.id] == s->renderable) return add_text(c, s, ")", 1) && add_node(c, s, x);
  put_arg(c, up_arg_of(c, x), out);
  up_buf_puts(out, ")");
  return true;
}

/* One node: written if it is a leaf, else its pieces are pushed. */
static bool put_node(up_ctx *c, pieces *s, up_node n, up_buf *out) {
  if (put_leaf(c, n, out)) return true;
  up_op op = node_op(c, n);
  if (op == UP_CAST && !old_release(c)) return add_cast(c, s, n, out);
  const char *form = form_of(c, op), *sym = symbol(op);
  if (form) return add_form(c, s, n, form);
  return sym && up_nsrc(c, n) == 2 && add_binary(c, s, n, sym);
}

static bool sources_have(const up_ctx *c, up_node n, uint32_t renderable) {
  for (uint32_t i = 0; i < up_nsrc(c, n); i++)
    if (c->mark[node_src(c, n, i).id] != renderable) return false;
  return true;
}

enum rendering { NO_RENDERING, HAS_RENDERING, RAISES };

/* What becomes of n, when its sources are marked by whether they have a rendering. The rule for ALU
 * ops looks the symbol up in a table, and raises for an op that is not there (CMPEQ, TRUNC, ...).
 */
static enum rendering rendering_of(const up_ctx *c, up_node n, uint32_t renderable) {
  up_op op = node_op(c, n);
  if (is_leaf(c, n) || (op == UP_CAST && !old_release(c))) return HAS_RENDERING;
  bool binary = symbol(op) && up_nsrc(c, n) == 2;
  if (!form_of(c, op) && !binary && !up_op_in(op, UP_G_ALU)) return NO_RENDERING;
  if (!sources_have(c, n, renderable)) return NO_RENDERING;
  return form_of(c, op) || binary ? HAS_RENDERING : RAISES;
}

/* Marks every node under n that has a rendering; 0 when one raises, or there is no memory. */
static uint32_t mark_renderable(up_ctx *c, up_node n) {
  up_list topo = list_take(c);
  uint32_t gen = up_toposort(c, n, &topo) ? ctx_mark_begin(c) : 0;
  for (uint32_t i = 0; gen && i < topo.n; i++) {
    enum rendering r = rendering_of(c, topo.p[i], gen);
    if (r == HAS_RENDERING) c->mark[topo.p[i].id] = gen;
    if (r == RAISES) gen = 0;
  }
  list_give(c, &topo);
  return gen;
}

bool up_render(up_ctx *c, up_node n, up_buf *out) {
  pieces s = {0};
  if (ctx_ok(c)) s.renderable = mark_renderable(c, n);
  bool ok = s.renderable && c->mark[n.id] == s.renderable && add_node(c, &s, n);
  while (ok && s.n && !out->overflow && !out->no_memory) {
    piece x = s.p[--s.n];
    if (x.text)
      up_buf_put(out, x.text, x.len);
    else
      ok = put_node(c, &s, x.node, out);
  }
  free(s.p);
  return ok;
}
