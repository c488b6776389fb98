/* Reads the tree that tinygrad prints for a UOp, as pasted from a terminal or a bug report:
 *
 *     UOp(Ops.ADD, dtypes.int, arg=None, src=(
 *       x0:=UOp(Ops.DEFINE_VAR, dtypes.int, arg=('x', 0, 7), src=()),
 *        x0,))
 *
 * Blanks and line ends are free. A name in front of := stands for its node from there on. op,
 * dtype, src, arg and tag may be in any order with their names, or without names in this one, as
 * the constructor takes them; dtype, src, arg and tag may be left out. A tag is read and dropped.
 * Several trees may follow one another; names are those of one tree. Lines of ``` and prompts of
 * Python (`>>> `) around trees are passed over.
 *
 * What differs from the nodes of this engine: a RANGE of 0.10.0 has its start as first source,
 * which must be 0, and a pair (number, flag) as arg; it becomes a RANGE with its end as only
 * source. What releases since 0.13.0 print is in tree_later.c. A CONST or DEFINE_VAR of a kernel that is not lowered has its VIEW as a source and keeps
 * it. An arg without a counterpart is kept as the string of its text (tree_lex.c).
 *
 * Nodes that are open are on a stack, their sources on another: depth costs no recursion. */
#include "tree.h"
#include <stdlib.h>
#include <string.h>

enum field { FIELD_OP, FIELD_DTYPE, FIELD_SRC, FIELD_ARG, FIELD_TAG, FIELD_COUNT };
static const char *const field_name[FIELD_COUNT] = {"op", "dtype", "src", "arg", "tag"};

/* A UOp( that is not closed yet. */
typedef struct open_node {
  size_t at, first_src;
  const char *label; /* or NULL */
  uint32_t label_n;
  up_op op;
  up_dtype dtype;
  up_arg arg;
  uint8_t seen;       /* bit i: field i was given */
  uint8_t positional; /* fields given without a name */
  bool named;         /* a field with its name was given */
} open_node;

typedef struct parser {
  text_in in;
  size_t at;
  text_names labels;
  open_node *open;
  size_t nopen, open_cap;
  up_node *src; /* finished sources of all open nodes, one after the other */
  size_t nsrc, src_cap;
  up_node value; /* the node that was finished last */
  bool weak;     /* a dtype without width was met */
} parser;

typedef enum step { STEP_NODE, STEP_FIELDS, STEP_VALUE, STEP_FAIL } step;

static step fail(bool never) {
  assert(!never);
  (void)never;
  return STEP_FAIL;
}

static open_node *top(parser *p) {
  assert(p->nopen > 0);
  return &p->open[p->nopen - 1];
}

static char look(parser *p) {
  tree_skip(&p->in, &p->at);
  return text_char(&p->in, p->at);
}

/* The text ends too early: the innermost bracket is where. */
static step cut_short(parser *p, const char *expected) {
  if (p->at < p->in.n && p->in.text[p->at] == 0) return fail(text_fail(&p->in, p->at, "NUL byte"));
  if (p->at >= p->in.n && p->nopen > 0)
    return fail(text_fail(&p->in, top(p)->at, "the text ends before this UOp( is closed"));
  return fail(text_fail(&p->in, p->at, "%s was expected", expected));
}

/* ---- finished nodes ------------------------------------------------------------- */

/* 0.10.0's RANGE -> its id and end. */
static bool convert_range(const text_in *in, size_t at, tree_parts *r) {
  up_ctx *c = in->c;
  if (up_arg_kind_of(c, r->arg) == UP_A_LIST && up_arg_len(c, r->arg) == 2 &&
      up_arg_kind_of(c, up_arg_at(c, r->arg, 0)) == UP_A_INT &&
      up_arg_kind_of(c, up_arg_at(c, r->arg, 1)) == UP_A_BOOL)
    r->arg = up_arg_at(c, r->arg, 0);
  if (r->nsrc != 2) return true;
  up_int start;
  if (!up_is_const_int(c, r->src[0], &start) || !up_int_is(start, 0))
    return text_fail(in, at, "RANGE: its start is not 0");
  if (up_dtype_of(c, r->src[0]) != r->dtype)
    return text_fail(in, at, "RANGE: its start has another dtype");
  r->src++;
  r->nsrc--;
  return true;
}

/* Constants and variables of kernels that are not lowered yet have their view as a source: where it is
 * masked they are 0, so such a node is no constant to the oracle. It is let in as it is. */
static bool is_viewed_leaf(const up_ctx *c, const tree_parts *r) {
  if ((r->op != UP_CONST && r->op != UP_DEFINE_VAR) || r->nsrc != 1) return false;
  up_op s = up_op_of(c, r->src[0]);
  return s == UP_VIEW || s == UP_DEVICE;
}

static up_node make_node(const text_in *in, size_t at, const tree_parts *r) {
  if (!is_viewed_leaf(in->c, r)) return text_node(in, at, r->op, r->dtype, r->src, r->nsrc, r->arg);
  if (up_is_none(text_node(in, at, r->op, r->dtype, NULL, 0, r->arg))) return UP_NONE;
  up_node n = up_new(in->c, r->op, r->dtype, r->src, r->nsrc, r->arg);
  return text_ctx_ok(in, at) ? n : UP_NONE;
}

static step close_node(parser *p) {
  open_node *f = top(p);
  if (!(f->seen & 1u << FIELD_OP)) return fail(text_fail(&p->in, f->at, "a UOp without an op"));
  size_t count = p->nsrc - f->first_src;
  assert(count <= UP_MAX_SRC);
  tree_parts r = {.op = f->op, .dtype = f->dtype, .nsrc = (uint32_t)count, .arg = f->arg};
  if (p->src) r.src = p->src + f->first_src;
  if (r.op == UP_RANGE && !convert_range(&p->in, f->at, &r)) return STEP_FAIL;
  tree_from_later(&p->in, p->weak, &r);
  p->value = make_node(&p->in, f->at, &r);
  if (up_is_none(p->value)) return STEP_FAIL;
  /* inside of the node its own name may have been given to another one */
  if (f->label && text_names_get(&p->labels, f->label, f->label_n))
    return fail(
        text_fail(&p->in, f->at, "'%.*s' is defined twice", text_quoted(f->label_n), f->label));
  if (f->label && !text_names_put(&p->labels, f->label, f->label_n, p->value))
    return fail(text_fail(&p->in, f->at, "no memory"));
  p->nsrc = f->first_src;
  p->nopen--;
  p->at++;
  return STEP_VALUE;
}

/* ---- fields --------------------------------------------------------------------- */

/* The name in front of an = that is not ==; else the next field in order. */
static bool get_field(parser *p, open_node *f, enum field *out) {
  size_t start = p->at, n = tree_word(&p->in, start), after = start + n;
  tree_skip(&p->in, &after);
  bool named = n > 0 && text_char(&p->in, after) == '=' && text_char(&p->in, after + 1) != '=';
  if (!named) {
    if (f->named || f->positional == FIELD_COUNT)
      return text_fail(&p->in, start, "a field (op, dtype, src, arg or tag) was expected");
    *out = (enum field)f->positional++;
  } else {
    unsigned i = 0;
    while (i < FIELD_COUNT && !text_word_is(p->in.text + start, n, field_name[i])) i++;
    if (i == FIELD_COUNT)
      return text_fail(&p->in, start, "a UOp has no field '%.*s'", text_quoted(n),
                       p->in.text + start);
    *out = (enum field)i;
    p->at = after + 1;
    tree_skip(&p->in, &p->at);
    f->named = true;
  }
  if (f->seen & 1u << *out) return text_fail(&p->in, start, "%s is given twice", field_name[*out]);
  f->seen = (uint8_t)(f->seen | 1u << *out);
  return true;
}

/* At the tuple of sources: into it, or past it when it is empty. */
static step open_sources(parser *p) {
  if (look(p) != '(') return cut_short(p, "'('");
  p->at++;
  if (look(p) != ')') return STEP_NODE;
  p->at++;
  return STEP_FIELDS;
}

static step read_field(parser *p) {
  open_node *f = top(p);
  enum field which = FIELD_OP;
  if (!get_field(p, f, &which)) return STEP_FAIL;
  bool ok = true;
  switch (which) {
  case FIELD_OP: ok = tree_get_op(&p->in, &p->at, &f->op); break;
  case FIELD_DTYPE: ok = tree_get_dtype(&p->in, &p->at, &f->dtype, &p->weak); break;
  case FIELD_ARG: ok = tree_get_value(&p->in, &p->at, &f->arg); break;
  case FIELD_SRC: return open_sources(p);
  default: ok = tree_skip_value(&p->in, &p->at);
  }
  return ok ? STEP_FIELDS : STEP_FAIL;
}

/* Behind a field (or the opening bracket): the next one, or the end of the node. */
static step next_field(parser *p) {
  bool first = top(p)->seen == 0;
  char ch = look(p);
  if (ch == ',' && !first) {
    p->at++;
    ch = look(p);
  } else if (ch != ')' && !first) {
    return cut_short(p, "',' or ')'");
  }
  if (ch == ')') return close_node(p);
  if (p->at >= p->in.n || ch == 0) return cut_short(p, "a field");
  return read_field(p);
}

/* ---- nodes ---------------------------------------------------------------------- */

static step open_uop(parser *p, size_t at, const char *label, size_t label_n) {
  if (!text_grow(&p->open, &p->open_cap, p->nopen + 1, sizeof *p->open))
    return fail(text_fail(&p->in, at, "no memory"));
  p->open[p->nopen++] = (open_node){.at = at,
                                    .first_src = p->nsrc,
                                    .label = label,
                                    .label_n = (uint32_t)label_n,
                                    .dtype = up_dt(UP_VOID),
                                    .arg = up_arg_none()};
  return STEP_FIELDS;
}

static bool open_bracket(parser *p, size_t after) {
  if (text_char(&p->in, after) != '(') return false;
  p->at = after + 1;
  return true;
}

/* `UOp(`, `name:=UOp(` or a name. */
static step read_node(parser *p) {
  look(p);
  size_t start = p->at, n = tree_word(&p->in, start);
  const char *s = p->in.text + start;
  if (n == 0) return cut_short(p, p->nopen > 0 ? "UOp( or a name" : "a tree (UOp(...))");
  if (text_word_is(s, n, "UOp") && open_bracket(p, start + n)) return open_uop(p, start, NULL, 0);
  const text_name *e = text_names_get(&p->labels, s, n);
  p->at = start + n;
  if (look(p) != ':' || text_char(&p->in, p->at + 1) != '=') {
    if (p->nopen == 0) return fail(text_fail(&p->in, start, "a tree (UOp(...)) was expected"));
    if (!e) return fail(text_fail(&p->in, start, "'%.*s' is not defined above", text_quoted(n), s));
    p->value = e->node;
    return STEP_VALUE;
  }
  if (e) return fail(text_fail(&p->in, start, "'%.*s' is defined twice", text_quoted(n), s));
  p->at += 2;
  look(p);
  if (!text_word_is(p->in.text + p->at, tree_word(&p->in, p->at), "UOp") ||
      !open_bracket(p, p->at + 3))
    return cut_short(p, "UOp(");
  if (n > UINT32_MAX) return fail(text_fail(&p->in, start, "name too long"));
  return open_uop(p, start, s, n);
}

/* A source is finished: the next one, or the end of the tuple. */
static step take_source(parser *p) {
  if (p->nsrc - top(p)->first_src == UP_MAX_SRC)
    return fail(text_fail(&p->in, p->at, "a node has at most %u sources", UP_MAX_SRC));
  if (!text_grow(&p->src, &p->src_cap, p->nsrc + 1, sizeof *p->src))
    return fail(text_fail(&p->in, p->at, "no memory"));
  p->src[p->nsrc++] = p->value;
  char ch = look(p);
  if (ch == ',') {
    p->at++;
    ch = look(p);
    if (ch != ')') return STEP_NODE;
  }
  if (ch != ')') return cut_short(p, "',' or ')'");
  p->at++;
  return STEP_FIELDS;
}

static bool parse(parser *p) {
  step s = STEP_NODE;
  while (s != STEP_FAIL) {
    if (s == STEP_NODE)
      s = read_node(p);
    else if (s == STEP_FIELDS)
      s = next_field(p);
    else if (p->nopen > 0)
      s = take_source(p);
    else
      return true;
  }
  return false;
}

bool up_parse_tree(up_ctx *c, const char *text, size_t n, size_t *at, up_node *root,
                   up_error *err) {
  UP_REQUIRE(text && *at <= n, "up_parse_tree");
  parser p = {.in = {c, text, n, err}, .at = tree_skip_around(text, n, *at)};
  bool ok = parse(&p);
  if (ok) {
    *root = p.value;
    *at = tree_skip_around(text, n, p.at);
  }
  text_names_free(&p.labels);
  free(p.open);
  free(p.src);
  return ok;
}

size_t up_tree_start(const char *text, size_t n, size_t at) {
  UP_REQUIRE(text && at <= n, "up_tree_start");
  return tree_skip_around(text, n, at);
}

bool up_begins_tree(const char *text, size_t n) {
  const text_in in = {NULL, text, n, NULL};
  size_t at = 0;
  tree_skip(&in, &at);
  if (n - at >= 3 && (memcmp(text + at, ">>>", 3) == 0 || memcmp(text + at, "```", 3) == 0))
    return true;
  size_t word = tree_word(&in, at), after = at + word;
  if (text_word_is(text + at, word, "UOp")) return text_char(&in, after) == '(';
  tree_skip(&in, &after);
  return word > 0 && text_char(&in, after) == ':' && text_char(&in, after + 1) == '=';
}
