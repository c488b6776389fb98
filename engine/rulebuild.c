/* Right sides: terms -> builders -> nodes. */
#include "rulebuild.h"

#include <stdlib.h>

/* ---- compiling -------------------------------------------------------------------------- */

typedef struct buildcompiler {
  buildbook *b;
  exprbook *x;
  const ruletree *t;
  const patnames *names;
  up_error *err;
} buildcompiler;

void buildbook_free(buildbook *b) {
  free(b->build);
  free(b->kid);
  *b = (buildbook){0};
}

static bool add_build(buildcompiler *k, build v, const build_id *kid, uint32_t n, build_id *out) {
  buildbook *b = k->b;
  if (!rule_grow(&b->build, &b->build_cap, b->nbuild + 1, sizeof *b->build) ||
      !rule_grow(&b->kid, &b->kid_cap, b->nkid + n, sizeof *b->kid))
    return up_fail(k->err, 0, 0, "out of memory");
  v.kid = b->nkid;
  v.nkid = (uint8_t)n;
  for (uint32_t i = 0; i < n; i++) b->kid[b->nkid++] = kid[i];
  b->build[b->nbuild] = v;
  *out = b->nbuild++;
  return true;
}

static bool find_slot(buildcompiler *k, const token *name, int8_t *out) {
  int slot = patnames_find(k->names, name);
  if (slot < 0)
    return up_fail(k->err, name->line, name->col, "'%.*s' is not bound on the left side",
                   (int)name->n, name->p);
  *out = (int8_t)slot;
  return true;
}

static bool compile(buildcompiler *k, term_id id, build_id *out);

/* Is this a constant that takes the dtype of its sibling? */
static bool wants_dtype(const term *n) {
  if (n->flags & TERM_AT) return false;
  return n->kind == TERM_INT || n->kind == TERM_FLOAT || n->kind == TERM_BOOL ||
         n->kind == TERM_EXACT;
}

/* `@x` of a bound name, or `@int` */
static bool read_at(buildcompiler *k, const term *n, build *v) {
  if (!(n->flags & TERM_AT)) return true;
  const token *at = &k->t->item[n->at];
  if (n->nat != 1 || (n->flags & TERM_AT_NOT))
    return up_fail(k->err, at->line, at->col, "expected one dtype or one bound name behind '@'");
  int slot = patnames_find(k->names, at);
  v->dtype_from = slot >= 0 ? DTYPE_SLOT : DTYPE_FIXED;
  v->dtype_slot = (int8_t)slot;
  if (slot >= 0 || up_dt_parse(at->p, at->n, &v->dtype)) return true;
  return up_fail(k->err, at->line, at->col, "'%.*s' is neither a bound name nor a dtype",
                 (int)at->n, at->p);
}

static bool compile_const(buildcompiler *k, const term *n, bool negate, build_id *out) {
  build v = {.kind = BUILD_CONST, .slot = -1};
  bool ok = n->kind == TERM_EXACT
                ? expr_compile(k->x, k->t, term_kid(k->t, n, 0), k->names, &v.expr, k->err)
                : expr_literal(k->x, n, negate, &v.expr, k->err);
  if (!ok || !read_at(k, n, &v)) return false;
  v.values = expr_value_slots(k->x, v.expr);
  return add_build(k, v, NULL, 0, out);
}

static bool compile_alu(buildcompiler *k, up_op op, const build_id *kid, uint32_t n, uint8_t like,
                        build_id *out) {
  return add_build(k, (build){.kind = BUILD_ALU, .op = (uint8_t)op, .slot = -1, .like = like}, kid,
                   n, out);
}

static bool compile_sign(buildcompiler *k, build_kind kind, build_id a, build_id *out) {
  return add_build(k, (build){.kind = (uint8_t)kind, .slot = -1}, &a, 1, out);
}

/* Two operands of which one at most is a constant without dtype; *like: the one that has it. */
static bool compile_operands(buildcompiler *k, const term *n, const term_id *kid, build_id out[2],
                             uint8_t *like) {
  bool l = wants_dtype(term_at(k->t, kid[0])), r = wants_dtype(term_at(k->t, kid[1]));
  if (l && r)
    return up_fail(k->err, n->line, n->col, "two constants without a dtype: write [...]@x");
  *like = l ? 1 : 0;
  return compile(k, kid[0], &out[0]) && compile(k, kid[1], &out[1]);
}

static bool compile_compare(buildcompiler *k, const term *n, build_id a[2], uint8_t like,
                            build_id *out) {
  build_id swapped[2] = {a[1], a[0]};
  bool swap = n->bin == TK_GT || n->bin == TK_LE;
  bool flip = n->bin == TK_GE || n->bin == TK_LE || n->bin == TK_EQ;
  up_op op = n->bin == TK_NE || n->bin == TK_EQ ? UP_CMPNE : UP_CMPLT;
  if (!compile_alu(k, op, swap ? swapped : a, 2, swap ? (uint8_t)(1 - like) : like, out))
    return false;
  return !flip || compile_sign(k, BUILD_FLIP, *out, out);
}

/* x - y adds y*-1; a literal or [e] is negated as a number. */
static bool compile_minus(buildcompiler *k, const term *n, const term_id *kid, build_id *out) {
  const term *r = term_at(k->t, kid[1]);
  build_id a[2];
  uint8_t like;
  if (!compile_operands(k, n, kid, a, &like)) return false;
  if (wants_dtype(r)) {
    build *v = &k->b->build[a[1]];
    expr_id old = v->expr;
    if (!rule_grow(&k->x->expr, &k->x->cap, k->x->n + 1, sizeof *k->x->expr))
      return up_fail(k->err, 0, 0, "out of memory");
    k->x->expr[k->x->n] = (expr){.op = EX_NEG, .a = -1, .b = -1, .kid = {old, 0}};
    v->expr = k->x->n++;
  } else if (!compile_sign(k, BUILD_NEG, a[1], &a[1])) {
    return false;
  }
  return compile_alu(k, UP_ADD, a, 2, like, out);
}

/* x / y is x * RECIP(y) */
static bool compile_slash(buildcompiler *k, const term *n, const term_id *kid, build_id *out) {
  build_id a[2];
  uint8_t like;
  if (wants_dtype(term_at(k->t, kid[1])))
    return up_fail(k->err, n->line, n->col, "a constant divisor needs a dtype: write [...]@x");
  if (!compile_operands(k, n, kid, a, &like) || !compile_alu(k, UP_RECIP, &a[1], 1, 0, &a[1]))
    return false;
  return compile_alu(k, UP_MUL, a, 2, like, out);
}

static bool compile_infix(buildcompiler *k, const term *n, build_id *out) {
  const term_id *kid = &k->t->kid[n->kid];
  build_id a[2];
  uint8_t like;
  up_op op;
  if (n->bin == TK_AND || n->bin == TK_OR)
    return up_fail(k->err, n->line, n->col, "'and' and 'or' build no node; write & and |");
  if (n->bin == TK_MINUS) return compile_minus(k, n, kid, out);
  if (n->bin == TK_SLASH) return compile_slash(k, n, kid, out);
  if (!compile_operands(k, n, kid, a, &like)) return false;
  if (n->bin >= TK_LT && n->bin <= TK_NE) return compile_compare(k, n, a, like, out);
  if (!rule_op_of_token((rtok)n->bin, &op))
    return up_fail(k->err, n->line, n->col, "no op is written so");
  return compile_alu(k, op, a, 2, like, out);
}

static bool compile_kids(buildcompiler *k, const term *n, build_id *kid) {
  if (n->flags & ~(unsigned)(TERM_ARGS | TERM_AT))
    return up_fail(k->err, n->line, n->col, "a node is built with its sources in order");
  for (uint32_t i = 0; i < n->nkid; i++)
    if (!compile(k, term_kid(k->t, n, i), &kid[i])) return false;
  return true;
}

static bool need_args(buildcompiler *k, const term *n, uint32_t want) {
  if (n->nkid == want) return true;
  return up_fail(k->err, n->line, n->col, "'%.*s' takes %u argument%s", (int)n->text.n, n->text.p,
                 want, want == 1 ? "" : "s");
}

static bool no_bare_constants(buildcompiler *k, const term *n) {
  for (uint32_t i = 0; i < n->nkid; i++) {
    const term *a = term_at(k->t, term_kid(k->t, n, i));
    if (wants_dtype(a))
      return up_fail(k->err, a->line, a->col, "a constant needs a dtype here: write [...]@x");
  }
  return true;
}

static bool compile_max(buildcompiler *k, const term *n, bool is_min, build_id *out) {
  build_id a[2];
  uint8_t like;
  if (!need_args(k, n, 2) || !compile_operands(k, n, &k->t->kid[n->kid], a, &like)) return false;
  if (!is_min) return compile_alu(k, UP_MAX, a, 2, like, out);
  if (!no_bare_constants(k, n)) return false;
  return compile_sign(k, BUILD_NEG, a[0], &a[0]) && compile_sign(k, BUILD_NEG, a[1], &a[1]) &&
         compile_alu(k, UP_MAX, a, 2, 0, out) && compile_sign(k, BUILD_NEG, *out, out);
}

static bool compile_where(buildcompiler *k, const term *n, build_id *out) {
  build_id kid[3];
  uint8_t like;
  if (!need_args(k, n, 3)) return false;
  const term *gate = term_at(k->t, term_kid(k->t, n, 0));
  if (wants_dtype(gate))
    return up_fail(k->err, gate->line, gate->col, "a constant needs a dtype here: write [...]@x");
  return compile(k, term_kid(k->t, n, 0), &kid[0]) &&
         compile_operands(k, n, &k->t->kid[n->kid + 1], &kid[1], &like) &&
         compile_alu(k, UP_WHERE, kid, 3, (uint8_t)(like + 1), out);
}

/* OP(...): dtype as for an operator when OP is one, else by '@'. */
static bool compile_op(buildcompiler *k, const term *n, build_id *out) {
  build_id kid[PAT_MAX_KIDS];
  build v = {.kind = n->flags & TERM_AT ? BUILD_NEW : BUILD_ALU, .slot = -1};
  up_op op;
  if (!up_op_parse(n->text.p, n->text.n, &op))
    return up_fail(k->err, n->line, n->col, "unknown op '%.*s'", (int)n->text.n, n->text.p);
  v.op = (uint8_t)op;
  if (v.kind == BUILD_ALU && !up_op_in(op, UP_G_ALU))
    return up_fail(k->err, n->line, n->col, "dtype of the %s? write %s(...)@x", up_op_name(op),
                   up_op_name(op));
  int arity = up_op_arity(op);
  if (arity >= 0 && n->nkid != (uint32_t)arity)
    return up_fail(k->err, n->line, n->col, "%s has %d source%s", up_op_name(op), arity,
                   arity == 1 ? "" : "s");
  return no_bare_constants(k, n) && read_at(k, n, &v) && compile_kids(k, n, kid) &&
         add_build(k, v, kid, n->nkid, out);
}

/* x(...): the node bound to x with other sources. */
static bool compile_with(buildcompiler *k, const term *n, build_id *out) {
  build_id kid[PAT_MAX_KIDS];
  build v = {.kind = BUILD_WITH};
  return find_slot(k, &n->text, &v.slot) && no_bare_constants(k, n) && compile_kids(k, n, kid) &&
         add_build(k, v, kid, n->nkid, out);
}

static bool compile_call(buildcompiler *k, const term *n, build_id *out) {
  const token *h = &n->text;
  bool max = token_is(h, "max"), min = token_is(h, "min"), where = token_is(h, "where");
  if (rule_is_op_name(h)) return compile_op(k, n, out);
  if (n->flags & TERM_AT)
    return up_fail(k->err, n->line, n->col, "the dtype of this node is given by its sources");
  if (!max && !min && !where) return compile_with(k, n, out);
  if (n->flags & ~(unsigned)TERM_ARGS)
    return up_fail(k->err, n->line, n->col, "a node is built with its sources in order");
  return where ? compile_where(k, n, out) : compile_max(k, n, min, out);
}

/* {x}(...): the op of the node bound to x. */
static bool compile_like(buildcompiler *k, const term *n, build_id *out) {
  build_id kid[PAT_MAX_KIDS];
  build v = {.kind = BUILD_LIKE};
  if (n->nitem != 1 || !(n->flags & TERM_ARGS) || n->nkid == 0 || (n->flags & TERM_AT))
    return up_fail(k->err, n->line, n->col, "expected {x}(...): the op of the node bound to x");
  return find_slot(k, &k->t->item[n->item], &v.slot) && no_bare_constants(k, n) &&
         compile_kids(k, n, kid) && add_build(k, v, kid, n->nkid, out);
}

static bool compile_native(buildcompiler *k, const term *n, build_id *out) {
  build_id kid[PAT_MAX_KIDS];
  build v = {.kind = BUILD_NATIVE, .slot = -1};
  v.native = up_native_find(n->text.p, n->text.n);
  if (!v.native)
    return up_fail(k->err, n->line, n->col, "unknown native function '%.*s'", (int)n->text.n,
                   n->text.p);
  return need_args(k, n, v.native->nargs) && no_bare_constants(k, n) && compile_kids(k, n, kid) &&
         add_build(k, v, kid, n->nkid, out);
}

static bool compile_name(buildcompiler *k, const term *n, build_id *out) {
  build v = {.kind = BUILD_SLOT};
  if (n->flags & TERM_AT)
    return up_fail(k->err, n->line, n->col, "a bound node has its dtype already");
  return find_slot(k, &n->text, &v.slot) && add_build(k, v, NULL, 0, out);
}

static bool compile_unary(buildcompiler *k, const term *n, build_id *out) {
  build_id a;
  const term *inner = term_at(k->t, term_kid(k->t, n, 0));
  if (wants_dtype(inner))
    return up_fail(k->err, inner->line, inner->col, "put the sign into the brackets: [-k]");
  return compile(k, term_kid(k->t, n, 0), &a) &&
         compile_sign(k, n->kind == TERM_NEG ? BUILD_NEG : BUILD_FLIP, a, out);
}

static bool compile(buildcompiler *k, term_id id, build_id *out) {
  const term *n = term_at(k->t, id);
  if (n->label.n)
    return up_fail(k->err, n->label.line, n->label.col, "names are given on the left side");
  switch ((term_kind)n->kind) {
  case TERM_NAME: return compile_name(k, n, out);
  case TERM_INT:
  case TERM_FLOAT:
  case TERM_BOOL:
  case TERM_EXACT: return compile_const(k, n, false, out);
  case TERM_CALL: return compile_call(k, n, out);
  case TERM_SET: return compile_like(k, n, out);
  case TERM_NATIVE: return compile_native(k, n, out);
  case TERM_NEG:
  case TERM_FLIP: return compile_unary(k, n, out);
  case TERM_BIN: return compile_infix(k, n, out);
  case TERM_NOT:
  case TERM_IN: break;
  }
  return up_fail(k->err, n->line, n->col, "this belongs into the condition");
}

bool build_compile(buildbook *b, exprbook *x, const ruletree *t, term_id rhs, const patnames *names,
                   build_id *out, up_error *err) {
  buildcompiler k = {.b = b, .x = x, .t = t, .names = names, .err = err};
  return compile(&k, rhs, out);
}

const up_native *build_native(const buildbook *b, build_id id) {
  const build *v = build_at(b, id);
  if (v->kind == BUILD_NATIVE) return v->native;
  for (uint32_t i = 0; i < v->nkid; i++) {
    const up_native *f = build_native(b, b->kid[v->kid + i]);
    if (f) return f;
  }
  return NULL;
}

bool build_reads_bounds(const buildbook *b, const exprbook *x, build_id id) {
  const build *v = build_at(b, id);
  if (v->kind == BUILD_CONST && expr_reads_bounds(x, v->expr)) return true;
  if (v->kind == BUILD_NATIVE && v->native->reads_bounds) return true;
  for (uint32_t i = 0; i < v->nkid; i++)
    if (build_reads_bounds(b, x, b->kid[v->kid + i])) return true;
  return false;
}
