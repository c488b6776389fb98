/* Graph -> infix text that up_parse_infix reads back to the same node. Looks as up_render's text
 * where the op has a form there; other ops are written OP:dtype(sources)[arg]. A part that is used
 * more than once and is not small gets a `let` line, and so does every part below which the nesting
 * would pass MAX_DEPTH: the text grows with the graph and not with the tree. */
#include "infix.h"
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64u /* of nested operators in one line */
#define SMALL 8u      /* leaves and operators of a part that is repeated rather than named */

typedef struct note {
  char *name;    /* of a variable; owned */
  uint32_t uses; /* as a source */
  uint32_t size; /* leaves and operators when written in place, saturating */
  uint32_t depth;
  uint32_t let; /* number + 1 of its let, or 0 */
} note;

typedef struct printer {
  up_ctx *c;
  up_buf *out;
  note *note; /* by node id */
  text_names taken;
  uint32_t next_let, next_alias;
} printer;

static note *note_of(const printer *k, up_node n) { return &k->note[n.id]; }

static bool is_leaf(up_op op) {
  return op == UP_DEFINE_VAR || op == UP_SPECIAL || op == UP_RANGE || op == UP_CONST;
}

/* ---- names ---------------------------------------------------------------------- */

static bool is_usable(const printer *k, const char *s) {
  size_t n = strlen(s);
  if (n == 0 || !text_is_letter(s[0]) || infix_is_reserved(s, n)) return false;
  for (size_t i = 0; i < n; i++)
    if (!text_is_word(s[i])) return false;
  return !text_names_get(&k->taken, s, n);
}

/* The node's name becomes s when that is free, else a fresh one. */
static bool name_leaf(printer *k, up_node n, const char *s) {
  char fresh[24];
  while (!is_usable(k, s)) {
    snprintf(fresh, sizeof fresh, "v%u", k->next_alias++);
    s = fresh;
  }
  size_t len = strlen(s);
  char *copy = malloc(len + 1);
  if (!copy) return false;
  memcpy(copy, s, len + 1);
  note_of(k, n)->name = copy;
  return text_names_put(&k->taken, copy, len, n);
}

/* DEFINE_VAR [name, ...], SPECIAL [name, ...]; NULL when the node is not well formed. */
static const char *name_in_arg(const printer *k, up_node n) {
  up_arg a = up_arg_of(k->c, n);
  if (!up_node_check(k->c, up_op_of(k->c, n), up_dtype_of(k->c, n), NULL, up_nsrc(k->c, n), a,
                     NULL))
    return NULL;
  return up_arg_text(k->c, up_arg_at(k->c, a, 0));
}

/* RANGE number: false when the node is not well formed. */
static bool range_id(const printer *k, up_node n, up_int *id) {
  up_arg a = up_arg_of(k->c, n);
  if (up_nsrc(k->c, n) != 1 || up_arg_kind_of(k->c, a) != UP_A_INT) return false;
  *id = up_arg_val(k->c, a).i;
  return true;
}

/* Malformed leaves get no name and are written in the functional form. */
static bool name_leaves(printer *k, const up_list *topo) {
  for (uint32_t i = 0; i < topo->n; i++) {
    up_op op = up_op_of(k->c, topo->p[i]);
    if (op != UP_DEFINE_VAR && op != UP_SPECIAL) continue;
    const char *s = name_in_arg(k, topo->p[i]);
    if (s && !name_leaf(k, topo->p[i], s)) return false;
  }
  for (uint32_t i = 0; i < topo->n; i++) {
    up_int id;
    char s[32] = "";
    if (up_op_of(k->c, topo->p[i]) != UP_RANGE || !range_id(k, topo->p[i], &id)) continue;
    if (up_int_fits(id) && id.lo >= 0) snprintf(s, sizeof s, "ridx%lld", (long long)id.lo);
    if (!name_leaf(k, topo->p[i], s)) return false;
  }
  return true;
}

static uint32_t fresh_let(printer *k) {
  char s[24];
  do {
    snprintf(s, sizeof s, "t%u", k->next_let++);
  } while (text_names_get(&k->taken, s, strlen(s)));
  return k->next_let;
}

/* ---- constants ------------------------------------------------------------------ */

/* The dtype that a bare number has when nothing else decides. */
static up_dtype alone_dtype(up_dtype d) {
  if (up_dt_is_bool(d)) return up_dt(UP_BOOL);
  return up_dt(up_dt_is_float(d) ? UP_FLOAT : UP_INT);
}

/* A constant that can be written as a number; a malformed one takes the functional form. */
static bool is_bare(const printer *k, up_node n) {
  up_arg_kind a = up_arg_kind_of(k->c, up_arg_of(k->c, n));
  return up_op_of(k->c, n) == UP_CONST && up_nsrc(k->c, n) == 0 &&
         (a == UP_A_INT || a == UP_A_BOOL || a == UP_A_FLOAT);
}

/* A constant where a bare number would have the dtype `bare`. */
static void put_const(printer *k, up_node n, up_dtype bare) {
  up_dtype d = up_dtype_of(k->c, n);
  up_arg a = up_arg_of(k->c, n);
  if (up_arg_kind_of(k->c, a) == UP_A_BOOL)
    up_buf_puts(k->out, up_int_is(up_arg_val(k->c, a).i, 0) ? "False" : "True");
  else
    up_val_put(k->c, up_arg_val(k->c, a), k->out);
  if (d == bare) return;
  char name[32];
  up_dt_print(d, name);
  up_buf_printf(k->out, ":%s", name);
}

/* ---- expressions ---------------------------------------------------------------- */

static void put_in_place(printer *k, up_node n);

/* A source. Recursion through here is bounded by MAX_DEPTH. */
static void put(printer *k, up_node n, up_dtype bare) {
  const note *t = note_of(k, n);
  if (t->name)
    up_buf_puts(k->out, t->name);
  else if (t->let)
    up_buf_printf(k->out, "t%u", t->let - 1);
  else if (is_bare(k, n))
    put_const(k, n, bare);
  else
    put_in_place(k, n);
}

static void put_alone(printer *k, up_node n) { put(k, n, alone_dtype(up_dtype_of(k->c, n))); }

/* Two sources of which a bare number takes the other's dtype: of two numbers either both tell theirs,
 * or neither has to. */
static void put_pair(printer *k, up_node a, up_node b, const char *between) {
  bool both = is_bare(k, a) && is_bare(k, b);
  up_dtype da = up_dtype_of(k->c, a), db = up_dtype_of(k->c, b);
  up_dtype alone = da == db ? alone_dtype(da) : up_dt(UP_VOID);
  put(k, a, both ? alone : db);
  up_buf_puts(k->out, between);
  put(k, b, both ? alone : da);
}

static const char *symbol_of(up_op op) {
  switch (op) {
  case UP_ADD: return "+";
  case UP_MUL: return "*";
  case UP_IDIV: return "//";
  case UP_MOD: return "%";
  case UP_SHL: return "<<";
  case UP_SHR: return ">>";
  case UP_CMPLT: return "<";
  case UP_CMPNE: return "!=";
  case UP_AND: return "&";
  case UP_OR: return "|";
  case UP_XOR: return "^";
  default: return NULL;
  }
}

static void put_functional(printer *k, up_node n) {
  char dtype[32];
  up_op op = up_op_of(k->c, n);
  up_dt_print(up_dtype_of(k->c, n), dtype);
  uint32_t nsrc = up_nsrc(k->c, n);
  up_buf_printf(k->out, "%s:%s(", up_op_name(op), dtype);
  if (nsrc == 2 && infix_pairs(op)) {
    put_pair(k, up_src(k->c, n, 0), up_src(k->c, n, 1), ", ");
  } else {
    for (uint32_t i = 0; i < nsrc; i++) {
      if (i > 0) up_buf_puts(k->out, ", ");
      put_alone(k, up_src(k->c, n, i));
    }
  }
  up_buf_puts(k->out, ")");
  up_arg a = up_arg_of(k->c, n);
  if (up_arg_kind_of(k->c, a) == UP_A_NONE) return;
  up_buf_puts(k->out, "[");
  text_put_arg(k->c, a, &text_uop_style, k->out);
  up_buf_puts(k->out, "]");
}

/* (yes if cond else no) */
static void put_where(printer *k, up_node n) {
  up_node yes = up_src(k->c, n, 1), no = up_src(k->c, n, 2);
  bool both = is_bare(k, yes) && is_bare(k, no);
  up_dtype dy = up_dtype_of(k->c, yes), dn = up_dtype_of(k->c, no);
  up_buf_puts(k->out, "(");
  put(k, yes, both ? alone_dtype(dy) : dn);
  up_buf_puts(k->out, " if ");
  put_alone(k, up_src(k->c, n, 0));
  up_buf_puts(k->out, " else ");
  put(k, no, both ? alone_dtype(dn) : dy);
  up_buf_puts(k->out, ")");
}

static void put_cast(printer *k, up_node n) {
  char dtype[32];
  up_dt_print(up_dtype_of(k->c, n), dtype);
  up_buf_printf(k->out, "(%s)(", dtype);
  put_alone(k, up_src(k->c, n, 0));
  up_buf_puts(k->out, ")");
}

/* Two operands in brackets behind it. */
static const char *function_of(up_op op) {
  return op == UP_MAX        ? "max"
         : op == UP_FLOORDIV ? "floordiv"
         : op == UP_FLOORMOD ? "floormod"
                             : NULL;
}

/* Does the infix form of this op give back this dtype and this arg? */
static bool has_infix_form(const printer *k, up_node n) {
  up_op op = up_op_of(k->c, n);
  up_dtype d = up_dtype_of(k->c, n);
  uint32_t nsrc = up_nsrc(k->c, n);
  if (up_arg_kind_of(k->c, up_arg_of(k->c, n)) != UP_A_NONE) return false;
  if (op == UP_CAST) return nsrc == 1;
  if (op == UP_WHERE) return nsrc == 3 && d == up_dtype_of(k->c, up_src(k->c, n, 2));
  if ((!symbol_of(op) && !function_of(op)) || nsrc != 2) return false;
  up_dtype last = up_dtype_of(k->c, up_src(k->c, n, 1));
  if (up_op_in(op, UP_G_COMPARE)) return d == up_dt_vec(up_dt(UP_BOOL), up_dt_count(last));
  return d == last;
}

static void put_in_place(printer *k, up_node n) {
  up_op op = up_op_of(k->c, n);
  if (!has_infix_form(k, n)) {
    put_functional(k, n);
  } else if (op == UP_WHERE) {
    put_where(k, n);
  } else if (op == UP_CAST) {
    put_cast(k, n);
  } else {
    const char *symbol = symbol_of(op);
    if (!symbol) up_buf_puts(k->out, function_of(op));
    up_buf_puts(k->out, "(");
    put_pair(k, up_src(k->c, n, 0), up_src(k->c, n, 1), symbol ? symbol : ", ");
    up_buf_puts(k->out, ")");
  }
}

/* ---- declarations --------------------------------------------------------------- */

static void put_dtype_suffix(printer *k, up_dtype d) {
  char name[32];
  up_dt_print(d, name);
  if (d != up_dt(UP_INT)) up_buf_printf(k->out, " : %s", name);
  up_buf_puts(k->out, "\n");
}

static void put_bound(printer *k, up_arg a) {
  up_val v = up_arg_val(k->c, a);
  if (up_arg_kind_of(k->c, a) == UP_A_BOOL)
    up_buf_puts(k->out, up_int_is(v.i, 0) ? "False" : "True");
  else
    up_val_put(k->c, v, k->out);
}

/* [0,size-1] */
static void put_extent(printer *k, up_int size, up_dtype d) {
  up_buf_puts(k->out, " in [0,");
  up_int_put(k->c, up_int_sub(k->c, size, up_int_of(1)), k->out);
  up_buf_puts(k->out, "]");
  put_dtype_suffix(k, d);
}

/* The name in the text, and the real one when it differs. */
static void put_name(printer *k, up_node n, up_arg real) {
  const char *name = note_of(k, n)->name, *s = up_arg_text(k->c, real);
  up_buf_puts(k->out, name);
  if (strcmp(name, s) == 0) return;
  up_buf_puts(k->out, " ");
  text_put_string(s, k->out);
}

static void declare_range(printer *k, up_node n) {
  up_node end = up_src(k->c, n, 0);
  up_int id = {0}, size;
  char natural[32];
  bool named = range_id(k, n, &id);
  assert(named);
  (void)named;
  snprintf(natural, sizeof natural, "ridx%lld", (long long)id.lo);
  up_buf_printf(k->out, "range %s", note_of(k, n)->name);
  if (!up_int_fits(id) || strcmp(natural, note_of(k, n)->name) != 0) {
    up_buf_puts(k->out, " ");
    up_int_put(k->c, id, k->out);
  }
  if (up_op_of(k->c, end) == UP_CONST && up_is_const_int(k->c, end, &size)) {
    put_extent(k, size, up_dtype_of(k->c, n));
  } else {
    up_buf_puts(k->out, " < ");
    put_alone(k, end);
    up_buf_puts(k->out, "\n");
  }
}

static void declare(printer *k, up_node n) {
  up_arg a = up_arg_of(k->c, n);
  switch (up_op_of(k->c, n)) {
  case UP_DEFINE_VAR:
    put_name(k, n, up_arg_at(k->c, a, 0));
    up_buf_puts(k->out, " in [");
    put_bound(k, up_arg_at(k->c, a, 1));
    up_buf_puts(k->out, ",");
    put_bound(k, up_arg_at(k->c, a, 2));
    up_buf_puts(k->out, "]");
    put_dtype_suffix(k, up_dtype_of(k->c, n));
    break;
  case UP_SPECIAL:
    up_buf_puts(k->out, "special ");
    put_name(k, n, up_arg_at(k->c, a, 0));
    put_extent(k, up_arg_val(k->c, up_arg_at(k->c, a, 1)).i, up_dtype_of(k->c, n));
    break;
  default: declare_range(k, n);
  }
}

/* ---- the whole text ------------------------------------------------------------- */

static uint32_t add_sizes(uint32_t a, uint32_t b) {
  return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* Uses are counted, so sources first: decides which parts get a let. */
static void measure(printer *k, up_node n, bool is_root) {
  note *t = note_of(k, n);
  t->size = 1;
  for (uint32_t i = 0; !t->name && i < up_nsrc(k->c, n); i++) {
    const note *s = note_of(k, up_src(k->c, n, i));
    bool leaf = s->let != 0 || s->name;
    t->size = add_sizes(t->size, leaf ? 1 : s->size);
    uint32_t depth = leaf ? 0 : s->depth;
    if (depth + 1 > t->depth) t->depth = depth + 1;
  }
  bool shared = t->uses > 1 && t->size > SMALL;
  if (!is_root && !t->name && !is_leaf(up_op_of(k->c, n)) && (shared || t->depth >= MAX_DEPTH))
    t->let = fresh_let(k);
}

static bool has_constant_end(const printer *k, up_node n) {
  up_op op = up_op_of(k->c, n);
  return op != UP_RANGE || up_op_of(k->c, up_src(k->c, n, 0)) == UP_CONST;
}

static void put_lines(printer *k, const up_list *topo) {
  for (uint32_t i = 0; i < topo->n; i++)
    if (note_of(k, topo->p[i])->name && has_constant_end(k, topo->p[i])) declare(k, topo->p[i]);
  for (uint32_t i = 0; i < topo->n; i++) {
    up_node n = topo->p[i];
    if (note_of(k, n)->name && !has_constant_end(k, n)) declare(k, n);
    if (note_of(k, n)->let == 0) continue;
    up_buf_printf(k->out, "let t%u = ", note_of(k, n)->let - 1);
    put_in_place(k, n);
    up_buf_puts(k->out, "\n");
  }
  put_alone(k, topo->p[topo->n - 1]);
  up_buf_puts(k->out, "\n");
}

static void count_uses(printer *k, const up_list *topo) {
  for (uint32_t i = 0; i < topo->n; i++)
    for (uint32_t s = 0; s < up_nsrc(k->c, topo->p[i]); s++)
      note_of(k, up_src(k->c, topo->p[i], s))->uses++;
}

void up_print_infix(up_ctx *c, up_node root, up_buf *out) {
  if (up_is_none(root)) return;
  up_list topo = {0};
  printer k = {.c = c, .out = out, .note = calloc((size_t)root.id + 1, sizeof *k.note)};
  if (!k.note || !up_toposort(c, root, &topo) || !name_leaves(&k, &topo)) {
    out->no_memory = true;
  } else {
    count_uses(&k, &topo);
    for (uint32_t i = 0; i < topo.n; i++) measure(&k, topo.p[i], i + 1 == topo.n);
    put_lines(&k, &topo);
  }
  for (uint32_t i = 0; k.note && i < topo.n; i++) free(note_of(&k, topo.p[i])->name);
  text_names_free(&k.taken);
  free(k.note);
  up_list_free(&topo);
}
