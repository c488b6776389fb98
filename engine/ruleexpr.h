/* Exact expressions of rules: conditions, computed constants, bounds.
 *
 * A tree in flat arrays over the bound nodes of a match. Numbers are exact integers or Python
 * floats; truth values are 0 and 1; `and` and `or` give one of their operands, as in Python. // and
 * % truncate as they do in graphs; the floor versions have names. The table of functions is
 * rules/README.md.
 */
#ifndef UPROOF_RULEEXPR_H
#define UPROOF_RULEEXPR_H

#include "internal.h"
#include "pattern.h"

typedef enum ex_op {
  EX_INT,
  EX_FLOAT,
  EX_VALUE, /* of the constant in slot a */
  /* operators on numbers */
  EX_ADD,
  EX_SUB,
  EX_MUL,
  EX_TDIV,
  EX_TMOD,
  EX_BITAND,
  EX_BITOR,
  EX_BITXOR,
  EX_SHL,
  EX_SHR,
  EX_NEG,
  EX_AND,
  EX_OR,
  EX_NOT,
  EX_LT,
  EX_LE,
  EX_GT,
  EX_GE,
  EX_EQ,
  EX_NE,
  EX_LIST_LT, /* the same of two names that may be VCONST: lists are compared as Python does */
  EX_LIST_LE,
  EX_LIST_GT,
  EX_LIST_GE,
  EX_LIST_EQ,
  EX_LIST_NE,
  /* functions of numbers */
  EX_FLOORDIV,
  EX_FLOORMOD,
  EX_CEILDIV,
  EX_GCD,
  EX_MIN,
  EX_MAX,
  EX_ABS,
  EX_FLOAT_CEILDIV,
  EX_FLOAT_FLOORDIV,
  EX_FINITE,
  EX_EXACT, /* an integer, not a float */
  /* functions of nodes: slots a, b */
  EX_VMIN,
  EX_VMAX,
  EX_SRC_VMIN,
  EX_SRC_VMAX,
  EX_LANE_MIN,
  EX_LANE_MAX,
  EX_VAR_MIN,
  EX_VAR_MAX,
  EX_SPECIAL_SIZE,
  EX_DTYPE_MIN,
  EX_DTYPE_MAX,
  EX_SCALAR_MIN, /* of one lane */
  EX_SCALAR_MAX,
  EX_COUNT,
  EX_NSRC,
  EX_CONST_FACTOR,
  EX_INCREASING,
  EX_SAME,
  EX_BEFORE,
  EX_SAME_DTYPE,
  EX_SAME_OP,
  EX_HAS_DTYPE,
  EX_HAS_OP
} ex_op;

typedef struct expr {
  uint8_t op;  /* ex_op */
  int8_t a, b; /* slots */
  uint32_t kid[2];
  union {
    int64_t ival;
    double fval;
    dtset dt;
    opset ops;
  };
} expr;
typedef uint32_t expr_id;
#define EXPR_NIL UINT32_MAX

typedef struct exprbook {
  expr *expr;
  uint32_t n, cap;
} exprbook;
void exprbook_free(exprbook *b);
static inline const expr *expr_at(const exprbook *b, expr_id i) { return &b->expr[i]; }

bool expr_compile(exprbook *b, const ruletree *t, term_id id, const patnames *names, expr_id *out,
                  up_error *err);
/* A literal as an expression. */
bool expr_literal(exprbook *b, const term *n, bool negate, expr_id *out, up_error *err);
/* Slots whose constant's value is used. */
uint32_t expr_value_slots(const exprbook *b, expr_id id);
/* Operands of an operator or function of numbers: 0, 1 or 2. */
unsigned expr_kids(const expr *e);
/* Does it look at vmin/vmax? */
bool expr_reads_bounds(const exprbook *b, expr_id id);
/* Does it ask for vmin or vmax of the node in this slot (-1: none)? */
bool expr_asks_bounds_of(const exprbook *b, expr_id id, int slot);

typedef struct evaluation {
  up_ctx *c;
  const exprbook *b;
  const up_node *slot;
  int lane;    /* element taken of a VCONST; -1: a VCONST is no number (that raises TypeError) */
  bool failed; /* a function had nothing to say about its node: the rule does not apply */
} evaluation;
/* What raises sets the context's status and gives 0. */
up_val expr_eval(evaluation *e, expr_id id);
bool expr_true(up_val v);

/* The parts, each for the ex_ops of its group. Once something has raised or failed they do nothing
 * and give 0. */
up_val eval_arithmetic(evaluation *e, ex_op op, up_val x, up_val y); /* EX_ADD .. of two numbers */
up_val eval_sign(evaluation *e, ex_op op, up_val x);                 /* EX_NEG, EX_ABS */
up_val eval_value(evaluation *e, up_node n);                         /* EX_VALUE */
up_val eval_list_compare(evaluation *e, ex_op op, up_node a, up_node b); /* EX_LIST_LT .. */
up_val eval_bound(const evaluation *e, ex_op op, up_node n);             /* EX_VMIN, EX_VMAX */
up_val eval_src_bound(evaluation *e, ex_op op, up_node n);
up_val eval_lanes(evaluation *e, ex_op op, up_node n); /* EX_LANE_MIN, EX_LANE_MAX */
up_val eval_dtype_range(evaluation *e, ex_op op, up_dtype d);
up_val eval_scalar_range(evaluation *e, ex_op op, up_dtype d); /* EX_SCALAR_MIN, EX_SCALAR_MAX */
/* Number i of a list arg of this length that starts with a name; fails without such an arg. */
up_val eval_arg(evaluation *e, up_node n, uint32_t len, uint32_t i);

#endif
