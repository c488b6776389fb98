/* uproof proofs: instances over unbounded integers, frame ideal. Private to proofs/.
 *
 * A term is a value (Bool for bool, else Int) and a condition under which it is defined. Facts of
 * the analysis and what follows from the meaning of an op are asserted as they come up: each is true
 * of every point of the obligation, so that asserting it changes no verdict.
 *
 * Division has two encodings:
 *   plain     Z3's own div and mod, after a case split on the sign
 *   witness   fresh q and r with a = q*b + r, the range and the sign of r. A right side that is a
 *             division is not introduced but checked: L is a/b when |a - L*b| < |b| and a - L*b has the
 *             sign of a; L is a%b when some multiple w*b of b leaves L of a. Differences of
 *             multipliers of one divisor get the tautology D >= 1 => b*D >= b and its mirror.
 */
#ifndef UPROOF_PROOFS_INTS_H
#define UPROOF_PROOFS_INTS_H

#include "prover.h"

typedef struct in_value {
  Z3_ast value;
  Z3_ast defined; /* NULL: always */
} in_value;

/* What is assumed about a term. */
typedef struct in_fact {
  Z3_ast lo, hi;         /* vmin, vmax; NULL: not asked for */
  Z3_ast src_lo, src_hi; /* src_vmin, src_vmax */
  Z3_ast var_lo, var_hi; /* var_min, var_max; of a SPECIAL var_hi is its size */
  Z3_ast factor;         /* const_factor */
  Z3_ast dt_lo, dt_hi;   /* dtype_min, dtype_max of a vector */
  Z3_ast count;          /* of a vector */
} in_fact;

/* a = q*b + r, rounded toward zero or down. */
typedef struct in_division {
  Z3_ast a, b, q, r;
  bool floor;
} in_division;

typedef struct in_product {
  Z3_ast a, b; /* neither is a number */
} in_product;

/* An operation on bits, as a function. */
typedef struct in_bitop {
  up_op op;
  Z3_ast a, b, r;
} in_bitop;

typedef enum in_style {
  IN_PLAIN,   /* Z3's div and mod on both sides */
  IN_CHECKED, /* witness on the left, the division of the right side checked */
  IN_WITNESS, /* witness on both sides */
  IN_ORDERED, /* as IN_WITNESS, with quotients in the order that their operands give */
  IN_SCALED,  /* as IN_WITNESS, with divisions multiplied by the factors that they meet */
  IN_CORNERS, /* as IN_SCALED, with products bounded at the corners of their factors */
  IN_STYLES
} in_style;

/* The order of two constants, a list at least one of them. */
typedef struct in_lists {
  pf_id a, b; /* a < b */
  Z3_ast less, greater, odd;
} in_lists;

#define IN_MAX 48u
#define IN_MAX_LISTS 8u

typedef struct in_enc {
  z3_session *z;
  const pf_instance *i;
  in_style style;
  Z3_sort integer, boolean;
  in_value *term; /* by pf_id; value NULL: not made yet */
  in_fact *fact;  /* by pf_id */
  in_division division[IN_MAX];
  in_product product[IN_MAX];
  in_bitop bitop[IN_MAX];
  unsigned ndivision, nproduct, nbitop;
  unsigned left_divisions; /* those of the left side come first */
  in_lists lists[IN_MAX_LISTS];
  unsigned nlists;
  Z3_ast exponent[IN_MAX]; /* of which pow2 was taken */
  unsigned nexponent;
  Z3_func_decl pow2, bits[3];
  bool wraps;         /* divisions and shifts have wrap's values where ideal gives none */
  bool min_wraps;     /* and MIN // -1, too */
  Z3_ast corner;      /* somewhere that is so. NULL: nowhere */
  uint64_t powers;    /* 2^k occurs as a number, for k of this mask */
  bool abstract;      /* some function is known by laws only: a model may be none */
  bool overflow;      /* more than IN_MAX of something */
  bool by_lane;       /* a computed constant is made: of a list the value in this lane counts */
  unsigned fresh;     /* symbols made so far */
  const char *cannot; /* why there is no term; static text */
} in_enc;

/* ---- ints_num.c: numbers ------------------------------------------------------------------------ */

Z3_ast in_int(in_enc *e, int64_t v);
Z3_ast in_fresh(in_enc *e, Z3_sort sort);
Z3_ast in_and(in_enc *e, Z3_ast a, Z3_ast b); /* NULL stands for true */
Z3_ast in_or(in_enc *e, Z3_ast a, Z3_ast b);
Z3_ast in_not(in_enc *e, Z3_ast a);
Z3_ast in_implies(in_enc *e, Z3_ast a, Z3_ast b); /* a NULL: b */
Z3_ast in_eq(in_enc *e, Z3_ast a, Z3_ast b);
Z3_ast in_lt(in_enc *e, Z3_ast a, Z3_ast b);
Z3_ast in_le(in_enc *e, Z3_ast a, Z3_ast b);
Z3_ast in_add(in_enc *e, Z3_ast a, Z3_ast b);
Z3_ast in_sub(in_enc *e, Z3_ast a, Z3_ast b);
Z3_ast in_neg(in_enc *e, Z3_ast a);
Z3_ast in_mul(in_enc *e, Z3_ast a, Z3_ast b); /* products of two unknowns are remembered */
Z3_ast in_max(in_enc *e, Z3_ast a, Z3_ast b);
Z3_ast in_min(in_enc *e, Z3_ast a, Z3_ast b);
Z3_ast in_abs(in_enc *e, Z3_ast a);
Z3_ast in_truth(in_enc *e, Z3_ast number); /* not 0 */
Z3_ast in_number(in_enc *e, Z3_ast truth); /* a Bool as 0 or 1, a number as it is */
bool in_is_number(in_enc *e, Z3_ast a);    /* a numeral */
bool in_is_bool(in_enc *e, Z3_ast a);
bool in_small(in_enc *e, Z3_ast a, int64_t *out); /* a numeral of 64 bits */
Z3_ast in_power(in_enc *e, unsigned k);           /* 2^k as a numeral */

/* ---- ints_div.c: division, shifts by variables ---------------------------------------------------- */

in_division in_divide(in_enc *e, Z3_ast a, Z3_ast b, bool floor); /* meant where b is not 0 */
Z3_ast in_pow2(in_enc *e, Z3_ast k);                              /* meant for k >= 0 */
Z3_ast in_shift(in_enc *e, up_op op, Z3_ast a, Z3_ast k);
/* Is L = a/b, a%b (truncating), b not 0? Without a new division. */
Z3_ast in_is_quotient(in_enc *e, Z3_ast l, Z3_ast a, Z3_ast b);
Z3_ast in_is_remainder(in_enc *e, Z3_ast l, Z3_ast a, Z3_ast b);
/* After the last term: the tautologies about what was made. */
void in_division_lemmas(in_enc *e);

/* ---- ints_bits.c: AND OR XOR of integers ---------------------------------------------------------- */

Z3_ast in_bitop_of(in_enc *e, up_op op, Z3_ast a, Z3_ast b);
void in_bit_laws(in_enc *e);

/* ---- ints_expr.c ---------------------------------------------------------------------------------- */

/* Value of an exact expression: a Bool or an Int. path: what must hold for it to be evaluated (NULL:
 * always); that nothing raises on the way is asserted. */
Z3_ast in_expr(in_enc *e, expr_id id, Z3_ast path);
/* vmin and vmax of a term, made when first asked for. */
in_fact *in_bounds(in_enc *e, pf_id t);

/* ---- ints_term.c ---------------------------------------------------------------------------------- */

in_value in_term(in_enc *e, pf_id t);
Z3_ast in_term_number(in_enc *e, pf_id t);

/* ---- ints_goal.c ---------------------------------------------------------------------------------- */

/* Asserts the premises, and with `negated` that the conclusion fails. */
void in_ask(in_enc *e, bool negated);

#endif
