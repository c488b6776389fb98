/* Conditions and [...]: terms -> expressions. */
#include "ruleexpr.h"

#include <stdlib.h>
#include <string.h>

typedef struct exprcompiler {
  exprbook *b;
  const ruletree *t;
  const patnames *names;
  up_error *err;
} exprcompiler;

/* Functions by name; args: n number, x name, c name of a constant. */
static const struct {
  const char *name, *args;
  ex_op op;
} function_info[] = {
    {"floordiv", "nn", EX_FLOORDIV},
    {"floormod", "nn", EX_FLOORMOD},
    {"ceildiv", "nn", EX_CEILDIV},
    {"gcd", "nn", EX_GCD},
    {"min", "nn", EX_MIN},
    {"max", "nn", EX_MAX},
    {"abs", "n", EX_ABS},
    {"float_ceildiv", "nn", EX_FLOAT_CEILDIV},
    {"float_floordiv", "nn", EX_FLOAT_FLOORDIV},
    {"finite", "n", EX_FINITE},
    {"exact", "n", EX_EXACT},
    {"vmin", "x", EX_VMIN},
    {"vmax", "x", EX_VMAX},
    {"src_vmin", "x", EX_SRC_VMIN},
    {"src_vmax", "x", EX_SRC_VMAX},
    {"lane_min", "c", EX_LANE_MIN},
    {"lane_max", "c", EX_LANE_MAX},
    {"var_min", "x", EX_VAR_MIN},
    {"var_max", "x", EX_VAR_MAX},
    {"special_size", "x", EX_SPECIAL_SIZE},
    {"dtype_min", "x", EX_DTYPE_MIN},
    {"dtype_max", "x", EX_DTYPE_MAX},
    {"scalar_min", "x", EX_SCALAR_MIN},
    {"scalar_max", "x", EX_SCALAR_MAX},
    {"count", "x", EX_COUNT},
    {"nsrc", "x", EX_NSRC},
    {"const_factor", "x", EX_CONST_FACTOR},
    {"increasing", "x", EX_INCREASING},
    {"same", "xx", EX_SAME},
    {"before", "xx", EX_BEFORE},
};

static const struct {
  rtok tok;
  ex_op op;
} binary_info[] = {
    {TK_PLUS, EX_ADD}, {TK_MINUS, EX_SUB},  {TK_STAR, EX_MUL},   {TK_IDIV, EX_TDIV},
    {TK_MOD, EX_TMOD}, {TK_AMP, EX_BITAND}, {TK_PIPE, EX_BITOR}, {TK_CARET, EX_BITXOR},
    {TK_SHL, EX_SHL},  {TK_SHR, EX_SHR},    {TK_AND, EX_AND},    {TK_OR, EX_OR},
    {TK_LT, EX_LT},    {TK_LE, EX_LE},      {TK_GT, EX_GT},      {TK_GE, EX_GE},
    {TK_EQ, EX_EQ},    {TK_NE, EX_NE},
};

void exprbook_free(exprbook *b) {
  free(b->expr);
  *b = (exprbook){0};
}

static bool add_expr(exprcompiler *k, expr e, expr_id *out) {
  exprbook *b = k->b;
  if (!rule_grow(&b->expr, &b->cap, b->n + 1, sizeof *b->expr))
    return up_fail(k->err, 0, 0, "out of memory");
  b->expr[b->n] = e;
  *out = b->n++;
  return true;
}

bool expr_literal(exprbook *b, const term *n, bool negate, expr_id *out, up_error *err) {
  exprcompiler k = {.b = b, .err = err};
  expr e = {.op = n->kind == TERM_FLOAT ? EX_FLOAT : EX_INT, .a = -1, .b = -1};
  if (n->kind == TERM_FLOAT)
    e.fval = negate ? -n->fval : n->fval;
  else
    e.ival = negate ? -n->ival : n->ival;
  return add_expr(&k, e, out);
}

static bool slot_of(exprcompiler *k, const term *n, bool must_be_const, int8_t *out) {
  if (n->kind != TERM_NAME)
    return up_fail(k->err, n->line, n->col, "expected a name bound on the left side");
  int slot = patnames_find(k->names, &n->text);
  if (slot < 0)
    return up_fail(k->err, n->line, n->col, "'%.*s' is not bound on the left side", (int)n->text.n,
                   n->text.p);
  if (must_be_const && !patnames_is_const(k->names, slot))
    return up_fail(k->err, n->line, n->col, "'%.*s' is not a constant: it has no exact value",
                   (int)n->text.n, n->text.p);
  *out = (int8_t)slot;
  return true;
}

static bool compile(exprcompiler *k, term_id id, expr_id *out);

static bool compile_call(exprcompiler *k, const term *n, expr_id *out) {
  const token *h = &n->text;
  size_t i = 0, count = sizeof function_info / sizeof *function_info;
  while (i < count && !token_is(h, function_info[i].name)) i++;
  if (i == count)
    return up_fail(k->err, h->line, h->col, "unknown function '%.*s'", (int)h->n, h->p);
  const char *args = function_info[i].args;
  size_t want = strlen(args);
  if (n->nkid != want || (n->flags & ~(unsigned)TERM_ARGS))
    return up_fail(k->err, h->line, h->col, "'%.*s' takes %zu argument%s", (int)h->n, h->p, want,
                   want == 1 ? "" : "s");
  expr e = {.op = (uint8_t)function_info[i].op, .a = -1, .b = -1};
  for (uint32_t a = 0; a < want; a++) {
    term_id arg = term_kid(k->t, n, a);
    bool ok = args[a] == 'n' ? compile(k, arg, &e.kid[a])
                             : slot_of(k, term_at(k->t, arg), args[a] == 'c', a == 0 ? &e.a : &e.b);
    if (!ok) return false;
  }
  return add_expr(k, e, out);
}

/* Is it `word(...)`, with one argument? */
static bool is_query(const term *n, const char *word) {
  return n->kind == TERM_CALL && token_is(&n->text, word) && n->nkid == 1;
}

/* dtype(x) == dtype(y), op(x) != op(y) */
static bool compile_same(exprcompiler *k, const term *n, const term *l, const term *r, ex_op op,
                         expr_id *out) {
  expr e = {.op = (uint8_t)op, .a = -1, .b = -1};
  if (n->bin != TK_EQ && n->bin != TK_NE)
    return up_fail(k->err, n->line, n->col, "ops and dtypes compare by == and != only");
  if (!slot_of(k, term_at(k->t, term_kid(k->t, l, 0)), false, &e.a) ||
      !slot_of(k, term_at(k->t, term_kid(k->t, r, 0)), false, &e.b) || !add_expr(k, e, out))
    return false;
  return n->bin == TK_EQ ||
         add_expr(k, (expr){.op = EX_NOT, .a = -1, .b = -1, .kid = {*out, 0}}, out);
}

/* dtype(x) in ints, op(x) in {ADD, MUL} */
static bool compile_in(exprcompiler *k, const term *n, expr_id *out) {
  const term *l = term_at(k->t, term_kid(k->t, n, 0)), *r = term_at(k->t, term_kid(k->t, n, 1));
  expr e = {.a = -1, .b = -1};
  bool op = is_query(l, "op");
  if (!op && !is_query(l, "dtype"))
    return up_fail(k->err, n->line, n->col, "'in' asks for op(x) or dtype(x) on its left");
  if ((r->kind != TERM_NAME && r->kind != TERM_SET) || (r->flags & TERM_ARGS))
    return up_fail(k->err, r->line, r->col, "expected a set of %s", op ? "ops" : "dtypes");
  if (!slot_of(k, term_at(k->t, term_kid(k->t, l, 0)), false, &e.a)) return false;
  e.op = op ? EX_HAS_OP : EX_HAS_DTYPE;
  bool set = r->kind == TERM_SET;
  if (op ? !ruleset_of_ops(k->t, r, &e.ops, k->err)
         : !ruleset_of_dtypes(set ? &k->t->item[r->item] : &r->text, set ? r->nitem : 1, false,
                              &e.dt, k->err))
    return false;
  return add_expr(k, e, out);
}

/* A comparison of two bare names that may be VCONST compares lists. */
static ex_op list_version(const exprcompiler *k, ex_op op, const expr *l, const expr *r) {
  _Static_assert(EX_LIST_NE - EX_LIST_LT == EX_NE - EX_LT, "comparisons stand in one order");
  if (op < EX_LT || op > EX_NE || l->op != EX_VALUE || r->op != EX_VALUE) return op;
  if (!patnames_may_be_vconst(k->names, l->a) && !patnames_may_be_vconst(k->names, r->a)) return op;
  return (ex_op)(op - EX_LT + EX_LIST_LT);
}

static bool compile_binary(exprcompiler *k, const term *n, expr_id *out) {
  const term *l = term_at(k->t, term_kid(k->t, n, 0)), *r = term_at(k->t, term_kid(k->t, n, 1));
  if (is_query(l, "dtype") && is_query(r, "dtype"))
    return compile_same(k, n, l, r, EX_SAME_DTYPE, out);
  if (is_query(l, "op") && is_query(r, "op")) return compile_same(k, n, l, r, EX_SAME_OP, out);
  size_t i = 0, count = sizeof binary_info / sizeof *binary_info;
  while (i < count && binary_info[i].tok != n->bin) i++;
  if (i == count)
    return up_fail(k->err, n->line, n->col, "%s is no exact operation", rtok_name((rtok)n->bin));
  expr e = {.a = -1, .b = -1};
  for (uint32_t a = 0; a < 2; a++)
    if (!compile(k, term_kid(k->t, n, a), &e.kid[a])) return false;
  const expr *x = expr_at(k->b, e.kid[0]), *y = expr_at(k->b, e.kid[1]);
  ex_op op = list_version(k, binary_info[i].op, x, y);
  if (op != binary_info[i].op) {
    e.a = x->a;
    e.b = y->a;
  }
  e.op = (uint8_t)op;
  return add_expr(k, e, out);
}

static bool compile_kind(exprcompiler *k, const term *n, expr_id *out) {
  expr e = {.op = n->kind == TERM_NOT ? EX_NOT : EX_NEG, .a = -1, .b = -1};
  switch ((term_kind)n->kind) {
  case TERM_INT:
  case TERM_FLOAT:
  case TERM_BOOL: return expr_literal(k->b, n, false, out, k->err);
  case TERM_NAME: e.op = EX_VALUE; return slot_of(k, n, true, &e.a) && add_expr(k, e, out);
  case TERM_CALL: return compile_call(k, n, out);
  case TERM_NEG:
  case TERM_NOT: return compile(k, term_kid(k->t, n, 0), &e.kid[0]) && add_expr(k, e, out);
  case TERM_IN: return compile_in(k, n, out);
  case TERM_BIN: return compile_binary(k, n, out);
  default: break;
  }
  return up_fail(k->err, n->line, n->col, "this is not part of an exact expression");
}

static bool compile(exprcompiler *k, term_id id, expr_id *out) {
  const term *n = term_at(k->t, id);
  if (n->label.n || (n->flags & TERM_AT))
    return up_fail(k->err, n->line, n->col, "names and dtypes are given on the left side");
  return compile_kind(k, n, out);
}

bool expr_compile(exprbook *b, const ruletree *t, term_id id, const patnames *names, expr_id *out,
                  up_error *err) {
  exprcompiler k = {.b = b, .t = t, .names = names, .err = err};
  return compile(&k, id, out);
}

unsigned expr_kids(const expr *e) {
  if (e->op == EX_NEG || e->op == EX_NOT || e->op == EX_ABS) return 1;
  if (e->op == EX_FINITE || e->op == EX_EXACT) return 1;
  return e->op >= EX_ADD && e->op <= EX_FLOAT_FLOORDIV ? 2 : 0;
}

uint32_t expr_value_slots(const exprbook *b, expr_id id) {
  const expr *e = expr_at(b, id);
  uint32_t mask = e->op == EX_VALUE ? UINT32_C(1) << e->a : 0;
  for (unsigned i = 0; i < expr_kids(e); i++) mask |= expr_value_slots(b, e->kid[i]);
  return mask;
}

bool expr_asks_bounds_of(const exprbook *b, expr_id id, int slot) {
  if (id == EXPR_NIL || slot < 0) return false;
  const expr *e = expr_at(b, id);
  if ((e->op == EX_VMIN || e->op == EX_VMAX) && e->a == slot) return true;
  for (unsigned k = 0; k < expr_kids(e); k++)
    if (expr_asks_bounds_of(b, e->kid[k], slot)) return true;
  return false;
}

bool expr_reads_bounds(const exprbook *b, expr_id id) {
  const expr *e = expr_at(b, id);
  if (e->op >= EX_VMIN && e->op <= EX_SRC_VMAX) return true;
  for (unsigned i = 0; i < expr_kids(e); i++)
    if (expr_reads_bounds(b, e->kid[i])) return true;
  return false;
}
