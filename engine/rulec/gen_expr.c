/* Conditions and computed values -> C expressions over rulerun.h. */
#include "gen.h"

#include <math.h>
#include <string.h>

/* C function of an operator on numbers; NULL: left to eval_arithmetic. */
static const char *const arithmetic[] = {
    [EX_ADD] = "rx_add",           [EX_SUB] = "rx_sub",   [EX_MUL] = "rx_mul",
    [EX_TDIV] = "rx_tdiv",         [EX_TMOD] = "rx_tmod", [EX_FLOORDIV] = "rx_floordiv",
    [EX_FLOORMOD] = "rx_floormod", [EX_MIN] = "rx_min",   [EX_MAX] = "rx_max",
    [EX_FLOAT_FLOORDIV] = NULL,
};

static const char *const ex_name[] = {
    [EX_BITAND] = "EX_BITAND",
    [EX_BITOR] = "EX_BITOR",
    [EX_BITXOR] = "EX_BITXOR",
    [EX_SHL] = "EX_SHL",
    [EX_SHR] = "EX_SHR",
    [EX_CEILDIV] = "EX_CEILDIV",
    [EX_GCD] = "EX_GCD",
    [EX_FLOAT_CEILDIV] = "EX_FLOAT_CEILDIV",
    [EX_FLOAT_FLOORDIV] = "EX_FLOAT_FLOORDIV",
    [EX_SRC_VMIN] = "EX_SRC_VMIN",
    [EX_SRC_VMAX] = "EX_SRC_VMAX",
    [EX_LANE_MIN] = "EX_LANE_MIN",
    [EX_LANE_MAX] = "EX_LANE_MAX",
    [EX_DTYPE_MIN] = "EX_DTYPE_MIN",
    [EX_DTYPE_MAX] = "EX_DTYPE_MAX",
    [EX_SCALAR_MIN] = "EX_SCALAR_MIN",
    [EX_SCALAR_MAX] = "EX_SCALAR_MAX",
};

static const char *const comparison[] = {"lt", "le", "gt", "ge", "eq", "ne"};

/* How the code at hand names its evaluation and its context. */
static const char *env(const gen *g) { return g->quick ? "&bad" : g->lane ? "e" : "&e"; }
static const char *ctx(const gen *g) { return g->lane ? "e->c" : "c"; }

static const char *slot(const gen *g, int8_t s) {
  assert(s >= 0 && g->slot[s].s[0]);
  return g->slot[s].s;
}

uint32_t gen_expr_slots(const exprbook *b, expr_id id) {
  const expr *e = expr_at(b, id);
  uint32_t mask = 0;
  if (e->a >= 0) mask |= UINT32_C(1) << e->a;
  if (e->b >= 0) mask |= UINT32_C(1) << e->b;
  for (unsigned i = 0; i < expr_kids(e); i++) mask |= gen_expr_slots(b, e->kid[i]);
  return mask;
}

bool gen_expr_may_end(const gen *g, expr_id id) {
  const expr *e = expr_at(&g->b->exprs, id);
  switch ((ex_op)e->op) {
  case EX_INT:
  case EX_COUNT:
  case EX_NSRC:
  case EX_SAME:
  case EX_SAME_DTYPE:
  case EX_SAME_OP:
  case EX_HAS_DTYPE:
  case EX_HAS_OP: return false;
  case EX_AND:
  case EX_OR: return gen_expr_may_end(g, e->kid[0]) || gen_expr_may_end(g, e->kid[1]);
  case EX_NOT: return gen_expr_may_end(g, e->kid[0]);
  default: return true;
  }
}

/* ---- quick code --------------------------------------------------------------------------- */

/* Values of 64 bits, of which the code is told when they are not: functions qx_ for rx_. */
bool gen_can_be_quick(const exprbook *x, expr_id id) {
  const expr *e = expr_at(x, id);
  switch ((ex_op)e->op) {
  case EX_INT:
  case EX_VALUE:
  case EX_VMIN:
  case EX_VMAX:
  case EX_LANE_MIN:
  case EX_LANE_MAX:
  case EX_SRC_VMIN:
  case EX_SRC_VMAX:
  case EX_VAR_MIN:
  case EX_VAR_MAX:
  case EX_SPECIAL_SIZE:
  case EX_COUNT:
  case EX_SAME:
  case EX_SAME_DTYPE:
  case EX_SAME_OP:
  case EX_HAS_DTYPE:
  case EX_HAS_OP:
  case EX_DTYPE_MIN:
  case EX_DTYPE_MAX: return true;
  case EX_AND:
  case EX_OR:
  case EX_NOT:
  case EX_NEG:
  case EX_ADD:
  case EX_SUB:
  case EX_MUL:
  case EX_TDIV:
  case EX_TMOD:
  case EX_SHL:
  case EX_SHR:
  case EX_EXACT:
  case EX_MIN:
  case EX_MAX:
  case EX_LT:
  case EX_LE:
  case EX_GT:
  case EX_GE:
  case EX_EQ:
  case EX_NE:
    for (unsigned i = 0; i < expr_kids(e); i++)
      if (!gen_can_be_quick(x, e->kid[i])) return false;
    return true;
  default: return false;
  }
}

/* Writes rx_NAME, or qx_NAME in quick code. */
static void put_name(const gen *g, const char *rx_name, up_buf *out) {
  assert(rx_name[0] == 'r');
  up_buf_printf(out, "%c%s", g->quick ? 'q' : 'r', rx_name + 1);
}

/* ---- truth ------------------------------------------------------------------------------ */

static bool is_comparison(ex_op op) { return op >= EX_LT && op <= EX_NE; }
static bool is_list_comparison(ex_op op) { return op >= EX_LIST_LT && op <= EX_LIST_NE; }

static void node_question(gen *g, const expr *e, up_buf *out) {
  const char *a = slot(g, e->a), *b = e->b >= 0 ? slot(g, e->b) : "";
  switch ((ex_op)e->op) {
  case EX_SAME: up_buf_printf(out, "up_same(%s, %s)", a, b); break;
  case EX_BEFORE: up_buf_printf(out, "rx_before(%s, %s, %s)", ctx(g), a, b); break;
  case EX_SAME_DTYPE:
    up_buf_printf(out, "rx_dtype(%s, %s) == rx_dtype(%s, %s)", ctx(g), a, ctx(g), b);
    break;
  case EX_SAME_OP:
    up_buf_printf(out, "node_op(%s, %s) == node_op(%s, %s)", ctx(g), a, ctx(g), b);
    break;
  case EX_INCREASING: up_buf_printf(out, "up_is_increasing(%s, %s)", ctx(g), a); break;
  case EX_HAS_DTYPE:
    up_buf_printf(out, "rx_dtype_%s(%s, %s, 0x%x)", e->dt.negated ? "not_in" : "in", ctx(g), a,
                  e->dt.mask);
    break;
  default:
    assert(e->op == EX_HAS_OP);
    up_buf_printf(out, "rx_op_in(%s, %s, UINT64_C(0x%llx), UINT64_C(0x%llx))", ctx(g), a,
                  (unsigned long long)e->ops.w[0], (unsigned long long)e->ops.w[1]);
  }
}

static void two_values(gen *g, const char *fn, const expr *e, up_buf *out) {
  put_name(g, fn, out);
  up_buf_printf(out, "(%s, ", env(g));
  gen_value(g, e->kid[0], out);
  up_buf_puts(out, ", ");
  gen_value(g, e->kid[1], out);
  up_buf_puts(out, ")");
}

/* Is the C of it a bool by nature? */
static bool is_truth(const expr *e) {
  switch ((ex_op)e->op) {
  case EX_NOT:
  case EX_FINITE:
  case EX_EXACT:
  case EX_INCREASING:
  case EX_SAME:
  case EX_BEFORE:
  case EX_SAME_DTYPE:
  case EX_SAME_OP:
  case EX_HAS_DTYPE:
  case EX_HAS_OP: return true;
  default: return is_comparison((ex_op)e->op) || is_list_comparison((ex_op)e->op);
  }
}

static void logic(gen *g, const expr *e, up_buf *out) {
  up_buf_puts(out, "(");
  gen_condition(g, e->kid[0], out);
  up_buf_puts(out, e->op == EX_AND ? " && " : " || ");
  gen_condition(g, e->kid[1], out);
  up_buf_puts(out, ")");
}

static void one_condition(gen *g, const char *before, expr_id id, up_buf *out) {
  up_buf_puts(out, before);
  gen_condition(g, id, out);
  up_buf_puts(out, ")");
}

static void one_value(gen *g, const char *before, expr_id id, up_buf *out) {
  up_buf_puts(out, before);
  gen_value(g, id, out);
  up_buf_puts(out, ")");
}

/* vmin(x) == vmax(x), asked in quick code: one question. */
static bool asks_single(const gen *g, const expr *e) {
  if (!g->quick || !g->asks || e->op != EX_EQ) return false;
  const expr *lo = expr_at(&g->b->exprs, e->kid[0]), *hi = expr_at(&g->b->exprs, e->kid[1]);
  return lo->op == EX_VMIN && hi->op == EX_VMAX && lo->a == hi->a;
}

void gen_condition(gen *g, expr_id id, up_buf *out) {
  const expr *e = expr_at(&g->b->exprs, id);
  ex_op op = (ex_op)e->op;
  char fn[32];
  if (op == EX_AND || op == EX_OR) {
    logic(g, e, out);
  } else if (op == EX_NOT) {
    one_condition(g, "!(", e->kid[0], out);
  } else if (asks_single(g, e)) {
    up_buf_printf(out, "qx_ask_single(c, &bad, %s)", slot(g, expr_at(&g->b->exprs, e->kid[0])->a));
  } else if (is_comparison(op)) {
    snprintf(fn, sizeof fn, "rx_%s", comparison[op - EX_LT]);
    two_values(g, fn, e, out);
  } else if (is_list_comparison(op)) {
    up_buf_printf(out, "rx_list_%s(%s, %s, %s)", comparison[op - EX_LIST_LT], env(g), slot(g, e->a),
                  slot(g, e->b));
  } else if (op == EX_EXACT && g->quick) {
    up_buf_puts(out, "true");
  } else if (op == EX_FINITE || op == EX_EXACT) {
    one_value(g, op == EX_FINITE ? "rx_finite(" : "rx_exact(", e->kid[0], out);
  } else if (is_truth(e)) {
    node_question(g, e, out);
  } else {
    put_name(g, "rx_true", out);
    one_value(g, "(", id, out);
  }
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* `a or b` is a if that is true, else b; so `and`, the other way round. */
static void choice(gen *g, const expr *e, up_buf *out) {
  bool and = e->op == EX_AND;
  one_condition(g, "((", e->kid[0], out);
  up_buf_puts(out, " ? ");
  gen_value(g, e->kid[and? 1 : 0], out);
  up_buf_puts(out, " : ");
  gen_value(g, e->kid[and? 0 : 1], out);
  up_buf_puts(out, ")");
}

static void float_value(double f, up_buf *out) {
  if (isnan(f))
    up_buf_puts(out, "up_val_float((double)NAN)");
  else if (isinf(f))
    up_buf_printf(out, "up_val_float(%s(double)INFINITY)", f < 0 ? "-" : "");
  else
    up_buf_printf(out, "up_val_float(%a)", f);
}

static void int_value(const gen *g, int64_t v, up_buf *out) {
  if (!g->quick) up_buf_puts(out, "rx_int(");
  if (v == INT64_MIN)
    up_buf_puts(out, "INT64_MIN");
  else
    up_buf_printf(out, "INT64_C(%lld)", (long long)v);
  if (!g->quick) up_buf_puts(out, ")");
}

/* What quick code asks of a node. */
static void quick_node_value(gen *g, const expr *e, up_buf *out) {
  const char *a = slot(g, e->a);
  switch ((ex_op)e->op) {
  case EX_VMIN:
  case EX_VMAX:
    up_buf_printf(out, "qx_%s%s(c, &bad, %s)", g->asks ? "ask_" : "",
                  e->op == EX_VMIN ? "vmin" : "vmax", a);
    break;
  case EX_SRC_VMIN:
  case EX_SRC_VMAX: up_buf_printf(out, "qx_src_bound(c, &bad, %s, %s)", ex_name[e->op], a); break;
  case EX_VALUE: up_buf_printf(out, "qx_value(c, &bad, %s)", a); break;
  case EX_LANE_MIN:
  case EX_LANE_MAX: up_buf_printf(out, "qx_lanes(c, &bad, %s, %s)", ex_name[e->op], a); break;
  case EX_VAR_MIN: up_buf_printf(out, "qx_arg(c, &bad, %s, 3, 1)", a); break;
  case EX_VAR_MAX: up_buf_printf(out, "qx_arg(c, &bad, %s, 3, 2)", a); break;
  case EX_SPECIAL_SIZE: up_buf_printf(out, "qx_arg(c, &bad, %s, 2, 1)", a); break;
  case EX_DTYPE_MIN: up_buf_printf(out, "qx_dtype_min(&bad, rx_dtype(c, %s))", a); break;
  case EX_DTYPE_MAX: up_buf_printf(out, "qx_dtype_max(&bad, rx_dtype(c, %s))", a); break;
  default:
    assert(e->op == EX_COUNT);
    up_buf_printf(out, "(int64_t)up_dt_count(rx_dtype(c, %s))", a);
  }
}

static void node_value(gen *g, const expr *e, up_buf *out) {
  const char *a = slot(g, e->a);
  switch ((ex_op)e->op) {
  case EX_VALUE: up_buf_printf(out, "rx_value(%s, %s)", env(g), a); break;
  case EX_VMIN: up_buf_printf(out, "rx_vmin(%s, %s)", env(g), a); break;
  case EX_VMAX: up_buf_printf(out, "rx_vmax(%s, %s)", env(g), a); break;
  case EX_SRC_VMIN:
  case EX_SRC_VMAX:
    up_buf_printf(out, "eval_src_bound(%s, %s, %s)", env(g), ex_name[e->op], a);
    break;
  case EX_LANE_MIN:
  case EX_LANE_MAX: up_buf_printf(out, "rx_lanes_of(%s, %s, %s)", env(g), ex_name[e->op], a); break;
  case EX_VAR_MIN: up_buf_printf(out, "eval_arg(%s, %s, 3, 1)", env(g), a); break;
  case EX_VAR_MAX: up_buf_printf(out, "eval_arg(%s, %s, 3, 2)", env(g), a); break;
  case EX_SPECIAL_SIZE: up_buf_printf(out, "eval_arg(%s, %s, 2, 1)", env(g), a); break;
  case EX_DTYPE_MIN:
  case EX_DTYPE_MAX:
    up_buf_printf(out, "eval_dtype_range(%s, %s, rx_dtype(%s, %s))", env(g), ex_name[e->op], ctx(g),
                  a);
    break;
  case EX_SCALAR_MIN:
  case EX_SCALAR_MAX:
    up_buf_printf(out, "eval_scalar_range(%s, %s, rx_dtype(%s, %s))", env(g), ex_name[e->op],
                  ctx(g), a);
    break;
  case EX_COUNT: up_buf_printf(out, "rx_int(up_dt_count(rx_dtype(%s, %s)))", ctx(g), a); break;
  case EX_NSRC: up_buf_printf(out, "rx_int(rx_nsrc(%s, %s))", ctx(g), a); break;
  default:
    assert(e->op == EX_CONST_FACTOR);
    up_buf_printf(out, "up_val_int(up_const_factor(%s, %s))", ctx(g), a);
  }
}

void gen_value(gen *g, expr_id id, up_buf *out) {
  const expr *e = expr_at(&g->b->exprs, id);
  ex_op op = (ex_op)e->op;
  const char *known = gen_known_as(g, id);
  if (known) {
    up_buf_puts(out, known);
  } else if (op == EX_INT) {
    int_value(g, e->ival, out);
  } else if (op == EX_FLOAT) {
    float_value(e->fval, out);
  } else if (op == EX_AND || op == EX_OR) {
    choice(g, e, out);
  } else if (is_truth(e)) {
    put_name(g, "rx_truth", out);
    one_condition(g, "(", id, out);
  } else if (op == EX_NEG) {
    put_name(g, "rx_neg", out);
    up_buf_printf(out, "(%s, ", env(g));
    one_value(g, "", e->kid[0], out);
  } else if (op == EX_ABS) {
    up_buf_printf(out, "eval_sign(%s, EX_ABS, ", env(g));
    one_value(g, "", e->kid[0], out);
  } else if (expr_kids(e) == 2) {
    if (g->quick && (op == EX_SHL || op == EX_SHR)) {
      two_values(g, op == EX_SHL ? "rx_shl" : "rx_shr", e, out);
    } else if (arithmetic[op]) {
      two_values(g, arithmetic[op], e, out);
    } else {
      up_buf_printf(out, "eval_arithmetic(%s, %s, ", env(g), ex_name[op]);
      gen_value(g, e->kid[0], out);
      up_buf_puts(out, ", ");
      gen_value(g, e->kid[1], out);
      up_buf_puts(out, ")");
    }
  } else if (g->quick) {
    quick_node_value(g, e, out);
  } else {
    node_value(g, e, out);
  }
}
