/* Operators of infix text as nodes. Sugar is lowered as the modelled engine's own operators do it
 * (mathtraits.py): x > y is y < x, x <= y is (y < x) != True, x == y is (x != y) != True, x - y is
 * x + y*-1, min(x, y) is -max(-x, -y). */
#include "infix.h"
#include <math.h>
#include <stdlib.h>

/* ---- numbers without dtype ------------------------------------------------------ */

static bool literal_fits(const up_ctx *c, up_arg literal, up_dtype dt) {
  up_arg_kind k = up_arg_kind_of(c, literal);
  if (up_dt_is_float(dt)) return k != UP_A_BOOL;
  if (up_dt_is_int(dt)) return k == UP_A_INT;
  if (!up_dt_is_bool(dt) || k == UP_A_FLOAT) return false;
  up_int v = up_arg_val(c, literal).i;
  return up_int_is(v, 0) || up_int_is(v, 1);
}

/* Numbers of a literal: the items of a tuple, else one. */
static uint32_t literal_count(const up_ctx *c, up_arg literal) {
  return up_arg_kind_of(c, literal) == UP_A_LIST ? up_arg_len(c, literal) : 1;
}

static up_arg literal_at(const up_ctx *c, up_arg literal, uint32_t i) {
  return up_arg_kind_of(c, literal) == UP_A_LIST ? up_arg_at(c, literal, i) : literal;
}

static bool does_not_fit(infix *p, const operand *a, up_dtype dt) {
  char name[32];
  up_dt_print(dt, name);
  return text_fail(&p->in, a->at, "this number does not fit dtype %s", name);
}

/* A tuple as VCONST, or as CONST when all its numbers are equal: up_vconst. */
static bool resolve_tuple(infix *p, operand *a, up_dtype dt) {
  uint32_t n = literal_count(p->in.c, a->literal);
  if (n != up_dt_count(dt)) return does_not_fit(p, a, dt);
  up_val *v = malloc(n * sizeof *v);
  if (!v) return text_fail(&p->in, a->at, "no memory");
  for (uint32_t i = 0; i < n; i++) v[i] = up_arg_val(p->in.c, literal_at(p->in.c, a->literal, i));
  a->node = up_vconst(p->in.c, dt, v, n);
  free(v);
  return text_ctx_ok(&p->in, a->at);
}

bool infix_resolve(infix *p, operand *a, up_dtype dt) {
  if (!infix_is_literal(a)) return true;
  for (uint32_t i = 0; i < literal_count(p->in.c, a->literal); i++)
    if (!literal_fits(p->in.c, literal_at(p->in.c, a->literal, i), dt))
      return does_not_fit(p, a, dt);
  if (up_arg_kind_of(p->in.c, a->literal) == UP_A_LIST) return resolve_tuple(p, a, dt);
  a->node = up_const(p->in.c, dt, up_arg_val(p->in.c, a->literal));
  return text_ctx_ok(&p->in, a->at);
}

bool infix_resolve_alone(infix *p, operand *a) {
  if (!infix_is_literal(a)) return true;
  up_arg_kind k = up_arg_kind_of(p->in.c, literal_at(p->in.c, a->literal, 0));
  enum up_scalar s = k == UP_A_BOOL ? UP_BOOL : k == UP_A_FLOAT ? UP_FLOAT : UP_INT;
  return infix_resolve(p, a, up_dt_vec(up_dt(s), literal_count(p->in.c, a->literal)));
}

bool infix_tuple(infix *p, size_t at, const operand *v, size_t n, operand *out) {
  if (n > 2048) return text_fail(&p->in, at, "a vector has at most 2048 elements");
  up_arg items[2048];
  for (size_t i = 0; i < n; i++) {
    if (!infix_is_literal(&v[i]) || up_arg_kind_of(p->in.c, v[i].literal) == UP_A_LIST)
      return text_fail(&p->in, v[i].at, "only numbers stand in a tuple");
    items[i] = v[i].literal;
  }
  *out = (operand){UP_NONE, up_arg_list(p->in.c, items, (uint32_t)n), at};
  return text_ctx_ok(&p->in, at);
}

/* Can the literal be negated before it has a dtype? */
static bool is_plain_number(const infix *p, const operand *a) {
  if (!infix_is_literal(a)) return false;
  up_arg_kind k = up_arg_kind_of(p->in.c, a->literal);
  return k == UP_A_INT || k == UP_A_FLOAT;
}

bool infix_pair(infix *p, operand *a, operand *b) {
  if (infix_is_literal(a) && infix_is_literal(b))
    return infix_resolve_alone(p, a) && infix_resolve_alone(p, b);
  if (infix_is_literal(a)) return infix_resolve(p, a, up_dtype_of(p->in.c, b->node));
  return infix_resolve(p, b, up_dtype_of(p->in.c, a->node));
}

operand infix_negate_literal(infix *p, operand a) {
  assert(infix_is_literal(&a));
  up_val v = up_arg_val(p->in.c, a.literal);
  if (v.is_float && isnan(v.f)) return a; /* text knows one nan */
  a.literal =
      v.is_float ? up_arg_float(p->in.c, -v.f) : up_arg_int(p->in.c, up_int_neg(p->in.c, v.i));
  return a;
}

/* ---- nodes ---------------------------------------------------------------------- */

static bool make(infix *p, size_t at, up_op op, up_dtype dt, const up_node *src, uint32_t nsrc,
                 up_arg arg, operand *out) {
  *out = (operand){text_node(&p->in, at, op, dt, src, nsrc, arg), up_arg_none(), at};
  return !up_is_none(out->node);
}

/* dtype of an ALU op from its sources: the last one's, bool for comparisons. */
static up_dtype alu_dtype(const up_ctx *c, up_op op, up_node last) {
  up_dtype d = up_dtype_of(c, last);
  return up_op_in(op, UP_G_COMPARE) ? up_dt_vec(up_dt(UP_BOOL), up_dt_count(d)) : d;
}

static bool make_binary(infix *p, size_t at, up_op op, up_node a, up_node b, operand *out) {
  return make(p, at, op, alu_dtype(p->in.c, op, b), (up_node[]){a, b}, 2, up_arg_none(), out);
}

bool infix_not(infix *p, size_t at, operand a, operand *out) {
  if (!infix_resolve_alone(p, &a)) return false;
  if (!up_dt_is_bool(up_dtype_of(p->in.c, a.node)))
    return text_fail(&p->in, at, "only a bool can be negated");
  up_node yes = up_const_like(p->in.c, a.node, up_int_of(1));
  return make_binary(p, at, UP_CMPNE, a.node, yes, out);
}

bool infix_negative(infix *p, size_t at, operand a, operand *out) {
  if (!infix_resolve_alone(p, &a)) return false;
  up_dtype d = up_dtype_of(p->in.c, a.node);
  if (up_dt_is_bool(d)) return infix_not(p, at, a, out);
  if (!up_dt_is_int(d) && !up_dt_is_float(d))
    return text_fail(&p->in, at, "only a number has a negative");
  up_node minus = up_const_like(p->in.c, a.node, up_int_of(-1));
  return make_binary(p, at, UP_MUL, a.node, minus, out);
}

/* a - b. A bare number b is negated as a number, as Python does it. */
static bool subtract(infix *p, size_t at, operand a, operand b, operand *out) {
  if (is_plain_number(p, &b)) {
    b = infix_negate_literal(p, b);
    return infix_pair(p, &a, &b) && make_binary(p, at, UP_ADD, a.node, b.node, out);
  }
  return infix_pair(p, &a, &b) && infix_negative(p, at, b, &b) &&
         make_binary(p, at, UP_ADD, a.node, b.node, out);
}

typedef struct lowering {
  const char *symbol;
  up_op op;
  bool swap, negate;
} lowering;

static const lowering lowerings[] = {
    {"+", UP_ADD, false, false},   {"*", UP_MUL, false, false},    {"//", UP_IDIV, false, false},
    {"%", UP_MOD, false, false},   {"<<", UP_SHL, false, false},   {">>", UP_SHR, false, false},
    {"&", UP_AND, false, false},   {"|", UP_OR, false, false},     {"^", UP_XOR, false, false},
    {"<", UP_CMPLT, false, false}, {">", UP_CMPLT, true, false},   {"<=", UP_CMPLT, true, true},
    {">=", UP_CMPLT, false, true}, {"!=", UP_CMPNE, false, false}, {"==", UP_CMPNE, false, true},
};

bool infix_binary(infix *p, size_t at, const char *symbol, size_t n, operand a, operand b,
                  operand *out) {
  if (text_word_is(symbol, n, "-")) return subtract(p, at, a, b, out);
  const lowering *l = lowerings;
  while (!text_word_is(symbol, n, l->symbol)) {
    l++;
    assert(l < lowerings + sizeof lowerings / sizeof *lowerings);
  }
  if (!infix_pair(p, &a, &b)) return false;
  if (!make_binary(p, at, l->op, l->swap ? b.node : a.node, l->swap ? a.node : b.node, out))
    return false;
  return !l->negate || infix_not(p, at, *out, out);
}

bool infix_cast(infix *p, size_t at, operand a, up_dtype dt, operand *out) {
  return infix_resolve_alone(p, &a) && make(p, at, UP_CAST, dt, &a.node, 1, up_arg_none(), out);
}

bool infix_where(infix *p, size_t at, operand cond, operand yes, operand no, operand *out) {
  if (!infix_resolve_alone(p, &cond) || !infix_pair(p, &yes, &no)) return false;
  up_node src[3] = {cond.node, yes.node, no.node};
  return make(p, at, UP_WHERE, up_dtype_of(p->in.c, no.node), src, 3, up_arg_none(), out);
}

static bool negative_of_either(infix *p, size_t at, operand *a) {
  if (is_plain_number(p, a)) {
    *a = infix_negate_literal(p, *a);
    return true;
  }
  return infix_negative(p, at, *a, a);
}

bool infix_min_max(infix *p, size_t at, bool is_min, operand a, operand b, operand *out) {
  if (is_min && (!negative_of_either(p, at, &a) || !negative_of_either(p, at, &b))) return false;
  if (!infix_pair(p, &a, &b) || !make_binary(p, at, UP_MAX, a.node, b.node, out)) return false;
  return !is_min || infix_negative(p, at, *out, out);
}

/* ---- functional form ------------------------------------------------------------ */

/* The dtype that the sources decide; false when they do not. */
static bool derived_dtype(const infix *p, up_op op, const operand *args, size_t n, up_dtype *out) {
  if (op == UP_SINK) {
    *out = up_dt(UP_VOID);
    return true;
  }
  if (n == 0 || !(up_op_in(op, UP_G_ALU) || op == UP_BIND)) return false;
  *out = alu_dtype(p->in.c, op, args[n - 1].node);
  return true;
}

static bool make_functional(infix *p, size_t at, up_op op, up_dtype dt, const operand *args,
                            size_t n, up_arg arg, operand *out) {
  up_node few[4], *src = few;
  if (n > UP_MAX_SRC) return text_fail(&p->in, at, "a node has at most %u sources", UP_MAX_SRC);
  if (n > 4) src = malloc(n * sizeof *src);
  if (!src) return text_fail(&p->in, at, "no memory");
  for (size_t i = 0; i < n; i++) src[i] = args[i].node;
  bool ok = make(p, at, op, dt, src, (uint32_t)n, arg, out);
  if (src != few) free(src);
  return ok;
}

bool infix_functional(infix *p, size_t at, up_op op, bool has_dtype, up_dtype dt, operand *args,
                      size_t n, up_arg arg, operand *out) {
  if (n == 2 && infix_pairs(op) && !infix_pair(p, &args[0], &args[1])) return false;
  for (size_t i = 0; i < n; i++)
    if (!infix_resolve_alone(p, &args[i])) return false;
  if (!has_dtype && !derived_dtype(p, op, args, n, &dt))
    return text_fail(&p->in, at, "%s needs a dtype here: %s:int(...)", up_op_name(op),
                     up_op_name(op));
  return make_functional(p, at, op, dt, args, n, arg, out);
}
