/* Instances as canonical text. */
#include "instance.h"

static const char *type_name(enum up_scalar s, char out[32]) {
  up_dt_print(up_dt(s), out);
  return out;
}

static const char *const expr_name[] = {
    [EX_INT] = "int",
    [EX_FLOAT] = "float",
    [EX_VALUE] = "value",
    [EX_ADD] = "+",
    [EX_SUB] = "-",
    [EX_MUL] = "*",
    [EX_TDIV] = "//",
    [EX_TMOD] = "%",
    [EX_BITAND] = "&",
    [EX_BITOR] = "|",
    [EX_BITXOR] = "^",
    [EX_SHL] = "<<",
    [EX_SHR] = ">>",
    [EX_NEG] = "neg",
    [EX_AND] = "and",
    [EX_OR] = "or",
    [EX_NOT] = "not",
    [EX_LT] = "<",
    [EX_LE] = "<=",
    [EX_GT] = ">",
    [EX_GE] = ">=",
    [EX_EQ] = "==",
    [EX_NE] = "!=",
    [EX_LIST_LT] = "<",
    [EX_LIST_LE] = "<=",
    [EX_LIST_GT] = ">",
    [EX_LIST_GE] = ">=",
    [EX_LIST_EQ] = "==",
    [EX_LIST_NE] = "!=",
    [EX_FLOORDIV] = "floordiv",
    [EX_FLOORMOD] = "floormod",
    [EX_CEILDIV] = "ceildiv",
    [EX_GCD] = "gcd",
    [EX_MIN] = "min",
    [EX_MAX] = "max",
    [EX_ABS] = "abs",
    [EX_FLOAT_CEILDIV] = "float_ceildiv",
    [EX_FLOAT_FLOORDIV] = "float_floordiv",
    [EX_FINITE] = "finite",
    [EX_EXACT] = "exact",
    [EX_VMIN] = "vmin",
    [EX_VMAX] = "vmax",
    [EX_SRC_VMIN] = "src_vmin",
    [EX_SRC_VMAX] = "src_vmax",
    [EX_LANE_MIN] = "lane_min",
    [EX_LANE_MAX] = "lane_max",
    [EX_VAR_MIN] = "var_min",
    [EX_VAR_MAX] = "var_max",
    [EX_SPECIAL_SIZE] = "special_size",
    [EX_DTYPE_MIN] = "dtype_min",
    [EX_DTYPE_MAX] = "dtype_max",
    [EX_SCALAR_MIN] = "scalar_min",
    [EX_SCALAR_MAX] = "scalar_max",
    [EX_COUNT] = "count",
    [EX_NSRC] = "nsrc",
    [EX_CONST_FACTOR] = "const_factor",
    [EX_INCREASING] = "increasing",
    [EX_SAME] = "same",
    [EX_BEFORE] = "before",
    [EX_SAME_DTYPE] = "same_dtype",
    [EX_SAME_OP] = "same_op",
    [EX_HAS_DTYPE] = "has_dtype",
    [EX_HAS_OP] = "has_op",
};
_Static_assert(sizeof expr_name / sizeof *expr_name == EX_HAS_OP + 1, "every function has a name");

static void put_ops(const opset *s, up_buf *out) {
  for (int op = 0; op < UP_OP_COUNT; op++)
    if (opset_has(s, (up_op)op)) up_buf_printf(out, " %s", up_op_name((up_op)op));
}

/* As deep as the rule's text. What the instance decides stands as its truth value. */
static void put_expr(const pf_instance *i, expr_id id, up_buf *out) {
  const expr *e = expr_at(&i->book->exprs, id);
  int truth = e->op >= EX_AND ? pf_decide(i, id) : -1;
  if (e->op == EX_INT) {
    up_buf_printf(out, "%lld", (long long)e->ival);
  } else if (truth >= 0 && e->op != EX_COUNT && e->op != EX_NSRC) {
    up_buf_printf(out, "%s", truth ? "true" : "false");
  } else {
    up_buf_printf(out, "(%s", expr_name[e->op]);
    if (e->a >= 0) up_buf_printf(out, " t%u", i->slot[e->a]);
    if (e->b >= 0) up_buf_printf(out, " t%u", i->slot[e->b]);
    if (e->op == EX_HAS_OP) put_ops(&e->ops, out);
    if (e->op == EX_FLOAT) up_buf_printf(out, " %.17g", e->fval);
    for (unsigned k = 0; k < expr_kids(e); k++) {
      up_buf_puts(out, " ");
      put_expr(i, e->kid[k], out);
    }
    up_buf_puts(out, ")");
  }
}

static void put_term(const pf_instance *i, pf_id id, up_buf *out) {
  const pf_term *t = &i->term[id];
  char type[32];
  static const char *const kind[] = {"any", "const", "op"};
  up_buf_printf(out, "t%u %s", id, kind[t->kind]);
  if (t->kind == PF_OP || t->op != UP_NOOP) up_buf_printf(out, " %s", up_op_name(t->op));
  up_buf_printf(out, " %s", type_name(t->type, type));
  for (uint32_t k = 0; k < t->nkid; k++) up_buf_printf(out, " t%u", t->kid[k]);
  if (t->literal) up_buf_printf(out, " %lld", (long long)t->number);
  if (t->list) up_buf_puts(out, " list");
  if (t->exact != EXPR_NIL) {
    up_buf_puts(out, " ");
    put_expr(i, t->exact, out);
  }
  up_buf_puts(out, "\n");
}

static void put_line(const pf_instance *i, const char *word, expr_id id, up_buf *out) {
  if (id == EXPR_NIL) return;
  up_buf_printf(out, "%s ", word);
  put_expr(i, id, out);
  up_buf_puts(out, "\n");
}

void pf_instance_put(const pf_instance *i, up_buf *out) {
  for (pf_id t = 0; t < i->nterm; t++) put_term(i, t, out);
  if (i->lanes) up_buf_puts(out, i->to_scalar ? "lanes to scalar\n" : "lanes\n");
  up_buf_printf(out, "left t%u\n", i->left);
  if (i->right != PF_NIL) up_buf_printf(out, "right t%u\n", i->right);
  put_line(i, "when", i->when, out);
  put_line(i, "lo", i->lo, out);
  put_line(i, "hi", i->hi, out);
}
