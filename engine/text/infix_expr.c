/* Expressions of infix text: operator precedence with explicit stacks, so that nesting costs memory
 * and not the C stack. */
#include "infix.h"
#include <stdlib.h>
#include <string.h>

/* ---- what waits for its right operand or its end -------------------------------- */

typedef enum pending_kind {
  P_BINARY,
  P_MINUS,
  P_NOT,
  P_CAST,  /* (dtype) before an operand */
  P_IF,    /* `a if`, until its else */
  P_ELSE,  /* `a if c else` */
  P_GROUP, /* ( */
  P_MAX,   /* max( and so on */
  P_MIN,
  P_WHERE,
  P_CAST_CALL,
  P_FUNCTIONAL /* OP( */
} pending_kind;

typedef struct pending {
  pending_kind kind;
  unsigned char level; /* binds tighter when higher; 0 for brackets and P_IF */
  bool has_dtype;
  up_dtype dtype;
  up_op op;
  uint32_t symbol_n;
  size_t at;
  size_t base; /* brackets: operands before it */
} pending;

enum { LEVEL_NONE = 0, LEVEL_ELSE = 1, LEVEL_NOT = 3, LEVEL_COMPARE = 4, LEVEL_PREFIX = 11 };

typedef struct expr {
  infix *p;
  pending *ops;
  size_t nops, ops_cap;
  operand *val;
  size_t nval, val_cap;
  size_t brackets; /* open ones */
  bool want_operand, done;
} expr;

static bool push_op(expr *e, pending op) {
  if (!text_grow(&e->ops, &e->ops_cap, e->nops + 1, sizeof *e->ops))
    return text_fail(&e->p->in, op.at, "no memory");
  e->ops[e->nops++] = op;
  return true;
}

static bool push_val(expr *e, operand v) {
  if (!text_grow(&e->val, &e->val_cap, e->nval + 1, sizeof *e->val))
    return text_fail(&e->p->in, v.at, "no memory");
  e->val[e->nval++] = v;
  e->want_operand = false;
  return true;
}

static pending *top(expr *e) { return e->nops ? &e->ops[e->nops - 1] : NULL; }

static bool is_bracket(const pending *op) { return op->kind >= P_GROUP; }

/* ---- reducing ------------------------------------------------------------------- */

/* Applies the operator on top to the operands on top. */
static bool reduce(expr *e) {
  pending op = e->ops[--e->nops];
  infix *p = e->p;
  size_t n = op.kind == P_BINARY ? 2 : op.kind == P_ELSE ? 3 : 1;
  assert(e->nval >= n && op.level > LEVEL_NONE);
  e->nval -= n;
  const operand *v = e->val + e->nval;
  operand out;
  bool ok;
  switch (op.kind) {
  case P_BINARY:
    ok = infix_binary(p, op.at, p->in.text + op.at, op.symbol_n, v[0], v[1], &out);
    break;
  case P_MINUS: ok = infix_negative(p, op.at, v[0], &out); break;
  case P_NOT: ok = infix_not(p, op.at, v[0], &out); break;
  case P_CAST: ok = infix_cast(p, op.at, v[0], op.dtype, &out); break;
  default: /* yes if cond else no */ ok = infix_where(p, op.at, v[1], v[0], v[2], &out);
  }
  return ok && push_val(e, out);
}

/* Reduces all that binds at least as tightly as `level`; stops at brackets and at an open `if`. */
static bool reduce_to(expr *e, unsigned level) {
  while (top(e) && top(e)->level >= level && top(e)->level > LEVEL_NONE)
    if (!reduce(e)) return false;
  return true;
}

/* Reduces all inside the innermost bracket, or all when there is none. */
static bool reduce_bracket(expr *e) {
  if (!reduce_to(e, LEVEL_ELSE)) return false;
  if (top(e) && top(e)->kind == P_IF)
    return text_fail(&e->p->in, top(e)->at, "'if' without 'else'");
  return true;
}

/* ---- operands ------------------------------------------------------------------- */

/* `:dtype` after a number, a tuple or True/False gives it its dtype. */
static bool take_literal_dtype(infix *p, operand *v) {
  up_dtype dt;
  if (!infix_accept(p, ":", false)) return true;
  if (!infix_dtype(p, &dt)) return infix_unexpected(p, infix_peek(p, false), "a dtype");
  return infix_resolve(p, v, dt);
}

static bool finish_literal(expr *e, operand v) {
  return take_literal_dtype(e->p, &v) && push_val(e, v);
}

static bool take_number(expr *e, bool negative, size_t at) {
  infix *p = e->p;
  p->at = infix_peek(p, e->brackets > 0).at;
  operand v = {UP_NONE, up_arg_none(), at};
  if (!text_get_number(&p->in, &p->at, &v.literal)) return false;
  if (negative) v = infix_negate_literal(p, v);
  return finish_literal(e, v);
}

static bool is_number(const infix *p, token t) {
  return t.kind == T_NUMBER || infix_is(p, t, "inf") || infix_is(p, t, "nan");
}

/* A minus sign: of a number, or the operator. */
static bool take_minus(expr *e) {
  token minus = infix_next(e->p, e->brackets > 0), t = infix_peek(e->p, e->brackets > 0);
  if (is_number(e->p, t)) return take_number(e, true, minus.at);
  return push_op(e, (pending){.kind = P_MINUS, .level = LEVEL_PREFIX, .at = minus.at});
}

static bool open_bracket(expr *e, pending op) {
  op.base = e->nval;
  op.level = LEVEL_NONE;
  e->brackets++;
  e->want_operand = true;
  return push_op(e, op);
}

/* ( opens a group, or is a cast: (dtype). */
static bool take_open(expr *e) {
  infix *p = e->p;
  size_t at = infix_next(p, e->brackets > 0).at, inside = p->at;
  up_dtype dt;
  if (infix_dtype(p, &dt) && infix_accept(p, ")", false))
    return push_op(e, (pending){.kind = P_CAST, .level = LEVEL_PREFIX, .dtype = dt, .at = at});
  p->at = inside;
  return open_bracket(e, (pending){.kind = P_GROUP, .at = at});
}

static bool take_variable(expr *e, token t) {
  const char *s = e->p->in.text + t.at;
  const text_name *v = text_names_get(&e->p->names, s, t.n);
  if (!v) return text_fail(&e->p->in, t.at, "'%.*s' is not declared", text_quoted(t.n), s);
  return push_val(e, (operand){v->node, up_arg_none(), t.at});
}

/* floordiv and floormod, which have no symbol: // and % truncate. */
static bool floors(const infix *p, token t, up_op *op) {
  *op = infix_is(p, t, "floordiv") ? UP_FLOORDIV : UP_FLOORMOD;
  return *op == UP_FLOORDIV || infix_is(p, t, "floormod");
}

/* NAME( or OP:dtype( ; false in *is_call when it is neither. */
static bool take_call(expr *e, token t, bool *is_call) {
  static const struct {
    const char *name;
    pending_kind kind;
  } functions[] = {{"max", P_MAX}, {"min", P_MIN}, {"where", P_WHERE}, {"cast", P_CAST_CALL}};
  infix *p = e->p;
  pending op = {.kind = P_FUNCTIONAL, .at = t.at};
  size_t start = p->at;
  bool known = up_op_parse(p->in.text + t.at, t.n, &op.op) || floors(p, t, &op.op);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (infix_is(p, t, functions[i].name)) op.kind = functions[i].kind;
  infix_next(p, false);
  if (known && infix_accept(p, ":", false)) {
    op.has_dtype = infix_dtype(p, &op.dtype);
    if (!op.has_dtype) return infix_unexpected(p, infix_peek(p, false), "a dtype");
  }
  *is_call = infix_accept(p, "(", false);
  if (!*is_call) {
    if (op.has_dtype) return infix_unexpected(p, infix_peek(p, false), "'('");
    p->at = start;
    return true;
  }
  if (!known && op.kind == P_FUNCTIONAL)
    return text_fail(&p->in, t.at, "unknown function '%.*s'", text_quoted(t.n), p->in.text + t.at);
  return open_bracket(e, op);
}

static bool take_name(expr *e, token t) {
  infix *p = e->p;
  bool yes = infix_is(p, t, "True"), is_call = false;
  if (yes || infix_is(p, t, "False")) {
    infix_next(p, e->brackets > 0);
    return finish_literal(e, (operand){UP_NONE, up_arg_bool(p->in.c, yes), t.at});
  }
  if (is_number(p, t)) return take_number(e, false, t.at);
  if (infix_is(p, t, "not")) {
    infix_next(p, e->brackets > 0);
    if (top(e) && top(e)->level > LEVEL_NOT)
      return text_fail(&p->in, t.at, "'not' needs parentheses here");
    return push_op(e, (pending){.kind = P_NOT, .level = LEVEL_NOT, .at = t.at});
  }
  p->at = t.at;
  if (!take_call(e, t, &is_call)) return false;
  if (is_call) return true;
  if (infix_is_reserved(p->in.text + t.at, t.n)) return infix_unexpected(p, t, "an operand");
  infix_next(p, false);
  return take_variable(e, t);
}

/* ---- brackets ------------------------------------------------------------------- */

static bool has_args(const expr *e, const pending *call, size_t want) {
  size_t n = e->nval - call->base;
  return n == want || text_fail(&e->p->in, call->at, "%zu arguments, but %zu are taken", n, want);
}

/* [arg] after the functional form. */
static bool take_arg(infix *p, up_arg *out) {
  *out = up_arg_none();
  if (!infix_accept(p, "[", false)) return true;
  p->at = infix_peek(p, false).at;
  return text_get_arg(&p->in, &p->at, out) && infix_expect(p, "]", false);
}

static bool apply_call(expr *e, const pending *call, operand *out) {
  infix *p = e->p;
  operand *v = e->val ? e->val + call->base : NULL; /* none yet: OP:dtype() */
  up_arg arg;
  switch (call->kind) {
  case P_GROUP:
    return infix_tuple(p, call->at, v, e->nval - call->base, out) && take_literal_dtype(p, out);
  case P_MAX:
  case P_MIN:
    return has_args(e, call, 2) && infix_min_max(p, call->at, call->kind == P_MIN, v[0], v[1], out);
  case P_WHERE: return has_args(e, call, 3) && infix_where(p, call->at, v[0], v[1], v[2], out);
  case P_CAST_CALL: return text_fail(&p->in, call->at, "cast takes an operand and a dtype");
  default:
    return take_arg(p, &arg) && infix_functional(p, call->at, call->op, call->has_dtype,
                                                 call->dtype, v, e->nval - call->base, arg, out);
  }
}

static bool take_close(expr *e) {
  token t = infix_next(e->p, true);
  if (!reduce_bracket(e)) return false;
  pending *open = top(e);
  if (!open) return text_fail(&e->p->in, t.at, "')' without '('");
  assert(is_bracket(open));
  pending call = *open;
  e->nops--;
  e->brackets--;
  if (call.kind == P_GROUP && e->nval == call.base + 1) return true;
  operand out;
  if (!apply_call(e, &call, &out)) return false;
  e->nval = call.base;
  return push_val(e, out);
}

/* cast(x, dtype) from the comma on. */
static bool finish_cast(expr *e) {
  infix *p = e->p;
  pending call = e->ops[--e->nops];
  up_dtype dt;
  if (!has_args(e, &call, 1)) return false;
  p->at = infix_peek(p, true).at;
  if (!infix_dtype(p, &dt)) return infix_unexpected(p, infix_peek(p, true), "a dtype");
  if (!infix_expect(p, ")", true)) return false;
  e->brackets--;
  operand out;
  operand v = e->val[--e->nval];
  return infix_cast(p, call.at, v, dt, &out) && push_val(e, out);
}

static bool take_comma(expr *e) {
  token t = infix_next(e->p, true);
  if (!reduce_bracket(e)) return false;
  assert(top(e) && is_bracket(top(e)));
  if (top(e)->kind == P_GROUP && !infix_is_literal(&e->val[e->nval - 1]))
    return text_fail(&e->p->in, t.at, "',' outside of a call");
  if (top(e)->kind == P_CAST_CALL) return finish_cast(e);
  e->want_operand = true;
  return true;
}

/* ---- operators ------------------------------------------------------------------ */

/* 0: no binary operator. */
static unsigned char binary_level(const infix *p, token t) {
  static const struct {
    const char *symbol;
    unsigned char level;
  } levels[] = {{"<", LEVEL_COMPARE},
                {"<=", LEVEL_COMPARE},
                {">", LEVEL_COMPARE},
                {">=", LEVEL_COMPARE},
                {"==", LEVEL_COMPARE},
                {"!=", LEVEL_COMPARE},
                {"|", 5},
                {"^", 6},
                {"&", 7},
                {"<<", 8},
                {">>", 8},
                {"+", 9},
                {"-", 9},
                {"*", 10},
                {"//", 10},
                {"%", 10}};
  if (t.kind != T_SYMBOL) return 0;
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    if (infix_is(p, t, levels[i].symbol)) return levels[i].level;
  return 0;
}

static bool take_binary(expr *e, token t, unsigned char level) {
  /* all operators group to the left; comparisons would chain in Python, which is refused */
  if (!reduce_to(e, level + (level == LEVEL_COMPARE ? 1u : 0u))) return false;
  if (level == LEVEL_COMPARE && top(e) && top(e)->level == LEVEL_COMPARE)
    return text_fail(&e->p->in, t.at, "comparisons do not chain: use parentheses");
  infix_next(e->p, e->brackets > 0);
  e->want_operand = true;
  return push_op(
      e, (pending){.kind = P_BINARY, .level = level, .symbol_n = (uint32_t)t.n, .at = t.at});
}

static bool take_if(expr *e, token t) {
  infix_next(e->p, e->brackets > 0);
  if (!reduce_to(e, LEVEL_ELSE + 1)) return false;
  if (top(e) && top(e)->kind == P_IF)
    return text_fail(&e->p->in, t.at, "an 'if' in a condition needs parentheses");
  e->want_operand = true;
  return push_op(e, (pending){.kind = P_IF, .at = t.at});
}

static bool take_else(expr *e, token t) {
  infix_next(e->p, e->brackets > 0);
  if (!reduce_to(e, LEVEL_ELSE + 1)) return false;
  if (!top(e) || top(e)->kind != P_IF) return text_fail(&e->p->in, t.at, "'else' without 'if'");
  top(e)->kind = P_ELSE;
  top(e)->level = LEVEL_ELSE;
  e->want_operand = true;
  return true;
}

/* ---- the two states ------------------------------------------------------------- */

/* A call may have no arguments: OP:dtype()[arg]. */
static bool closes_empty_call(expr *e, token t) {
  return infix_is(e->p, t, ")") && top(e) && top(e)->kind == P_FUNCTIONAL &&
         top(e)->base == e->nval;
}

static bool operand_step(expr *e, token t) {
  if (t.kind == T_NUMBER) return take_number(e, false, t.at);
  if (t.kind == T_NAME) return take_name(e, t);
  if (infix_is(e->p, t, "-")) return take_minus(e);
  if (infix_is(e->p, t, "(")) return take_open(e);
  if (closes_empty_call(e, t)) return take_close(e);
  return infix_unexpected(e->p, t, "an operand");
}

static bool operator_step(expr *e, token t) {
  unsigned char level = binary_level(e->p, t);
  if (level) return take_binary(e, t, level);
  if (infix_is(e->p, t, "if")) return take_if(e, t);
  if (infix_is(e->p, t, "else")) return take_else(e, t);
  if (infix_is(e->p, t, ")")) return take_close(e);
  if (e->brackets == 0) {
    e->done = true;
    return true;
  }
  if (infix_is(e->p, t, ",")) return take_comma(e);
  if (t.kind != T_END) return infix_unexpected(e->p, t, "an operator or ')'");
  while (!is_bracket(top(e))) e->nops--;
  return text_fail(&e->p->in, top(e)->at, "'(' is not closed");
}

bool infix_expression(infix *p, up_node *out) {
  expr e = {.p = p, .want_operand = true};
  bool ok = true;
  while (ok && !e.done) {
    token t = infix_peek(p, e.brackets > 0);
    ok = e.want_operand ? operand_step(&e, t) : operator_step(&e, t);
  }
  ok = ok && reduce_bracket(&e);
  if (ok) {
    assert(e.nval == 1 && e.nops == 0);
    ok = infix_resolve_alone(p, &e.val[0]);
    *out = ok ? e.val[0].node : UP_NONE;
  }
  free(e.ops);
  free(e.val);
  return ok;
}
