/* Inside of the infix reader and printer. The form is described in infix_parse.c. */
#ifndef UPROOF_INFIX_H
#define UPROOF_INFIX_H

#include "text.h"

/* ---- tokens --------------------------------------------------------------------- */

typedef enum token_kind {
  T_END,
  T_NEWLINE,
  T_NAME,
  T_NUMBER,
  T_STRING,
  T_SYMBOL, /* an operator, or one of , ; : = ( ) [ ] */
  T_BAD     /* no token begins here */
} token_kind;

typedef struct token {
  token_kind kind;
  size_t at, n; /* n: length; a T_STRING's is 0, text_get_string finds its end */
} token;

typedef struct infix {
  text_in in;
  size_t at;
  text_names names; /* variables and lets */
} infix;

/* The next token; comments and blanks before it are skipped, newlines too when asked. Peek leaves
 * the position where it was. */
token infix_peek(const infix *p, bool skip_newlines);
token infix_next(infix *p, bool skip_newlines);
bool infix_is(const infix *p, token t, const char *text);
/* Takes the next token when it is this one. */
bool infix_accept(infix *p, const char *text, bool skip_newlines);
bool infix_expect(infix *p, const char *text, bool skip_newlines);
/* Fails: `what` was expected, and says what is there instead. */
bool infix_unexpected(const infix *p, token t, const char *what);
/* A dtype at the position: int, int.vec4, int.vec(4). Nothing is taken when there is none. */
bool infix_dtype(infix *p, up_dtype *out);
/* Words that cannot name a variable. */
bool infix_is_reserved(const char *s, size_t n);

/* ---- operands and lowering ------------------------------------------------------ */

/* A node, or a number without dtype yet, which takes that of its partner. */
typedef struct operand {
  up_node node;   /* UP_NONE for a bare number */
  up_arg literal; /* INT, BOOL or FLOAT, or a LIST of them: a tuple */
  size_t at;
} operand;

static inline bool infix_is_literal(const operand *a) { return up_is_none(a->node); }
/* Makes a bare number a constant of this dtype; of int, bool or float when alone. */
bool infix_resolve(infix *p, operand *a, up_dtype dt);
bool infix_resolve_alone(infix *p, operand *a);
/* Makes nodes of both; a bare number takes the other's dtype. */
bool infix_pair(infix *p, operand *a, operand *b);
/* (1, 2, 3): a vector without dtype yet. */
bool infix_tuple(infix *p, size_t at, const operand *v, size_t n, operand *out);
operand infix_negate_literal(infix *p, operand a);

/* Lowered as the modelled engine's own operators are; `at` is the operator, for errors. */
bool infix_binary(infix *p, size_t at, const char *symbol, size_t n, operand a, operand b,
                  operand *out);
bool infix_negative(infix *p, size_t at, operand a, operand *out);
bool infix_not(infix *p, size_t at, operand a, operand *out);
bool infix_cast(infix *p, size_t at, operand a, up_dtype dt, operand *out);
bool infix_where(infix *p, size_t at, operand cond, operand yes, operand no, operand *out);
bool infix_min_max(infix *p, size_t at, bool is_min, operand a, operand b, operand *out);
/* OP(args)[arg]; dt is used when has_dtype. Changes args. */
bool infix_functional(infix *p, size_t at, up_op op, bool has_dtype, up_dtype dt, operand *args,
                      size_t n, up_arg arg, operand *out);
/* Does the functional form of this op pair its two bare numbers? */
static inline bool infix_pairs(up_op op) {
  return up_op_in(op, UP_G_BINARY) && up_op_arity(op) == 2;
}

/* One expression from the position on; it ends where none of its tokens can follow. */
bool infix_expression(infix *p, up_node *out);

#endif
