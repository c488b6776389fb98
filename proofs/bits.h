/* uproof proofs: instances as bit-vectors. Private to proofs/.
 *
 * Two kinds of terms. What graphs compute (bv_value): a Bool, or a bit-vector as wide as the dtype,
 * with the condition under which it is defined; by the words of oracle/frame.h. What rules compute
 * about graphs (bv_exact): conditions and computed constants are exact and unbounded, so each is a
 * bit-vector that is wide enough for every value it can have, read as two's complement. Nothing is
 * lost on the way from one kind to the other.
 */
#ifndef UPROOF_PROOFS_BITS_H
#define UPROOF_PROOFS_BITS_H

#include "oracle/frame.h"
#include "prover.h"

/* An exact number: never outside of `width` bits. */
typedef struct bv_num {
  Z3_ast ast;
  unsigned width;
} bv_num;

/* Value of an expression of a rule. */
typedef struct bv_exact {
  Z3_ast truth; /* Bool, of a comparison; else NULL and n holds */
  bv_num n;
  Z3_ast ok; /* it raises nothing; NULL: never */
} bv_exact;

typedef struct bv_value {
  Z3_ast value;   /* Bool for bool, else a bit-vector of the dtype's width */
  Z3_ast defined; /* NULL: always */
} bv_value;

/* What is assumed about a term: lo <= it <= hi wherever it is defined. */
typedef enum bv_about {
  BV_NODE,     /* vmin, vmax */
  BV_VARIABLE, /* var_min, var_max; of a SPECIAL 0 and its size - 1 */
  BV_SOURCES   /* src_vmin, src_vmax of a node that stands for one of its sources */
} bv_about;
typedef struct bv_fact {
  pf_id term;
  bv_about about;
  bv_num lo, hi;
} bv_fact;

/* The order of two constants, a list at least one of them. */
typedef struct bv_lists {
  pf_id a, b; /* a < b */
  Z3_ast less, greater, odd;
} bv_lists;

#define BV_MAX_LISTS 8u
#define BV_MAX_WIDTH 512u /* wider expressions are not asked about as bit-vectors */
#define BV_MAX_FACTS 32u

typedef struct bv_enc {
  z3_session *z;
  const pf_instance *i;
  or_frame frame;
  bv_value *term; /* by pf_id; value NULL: not made yet */
  bv_fact fact[BV_MAX_FACTS];
  unsigned nfact;
  bv_lists lists[BV_MAX_LISTS];
  unsigned nlists;
  Z3_ast count;       /* of lanes; NULL: not asked for */
  unsigned fact_bits; /* facts have so many bits more than a value of their term needs */
  unsigned fresh;     /* symbols made so far */
  Z3_ast limit;       /* points that are looked at: others are too wide. NULL: all */
  Z3_ast premise;     /* facts, and that no constant raises: as they come up. NULL: none yet */
  bool abstract;      /* something is less than known: proofs hold, models may be none */
  pf_id zero;         /* a leaf that is 0 or false, of BV_ZERO; PF_NIL: none */
  pf_id truth;        /* a bool that is true, of BV_TRUE; PF_NIL: none */
  bool standard;      /* terms that every solver reads */
  bool functions;     /* products and quotients are functions of which only that much is known */
  bool by_lane;       /* a computed constant is made: of a list the value in this lane counts */
  Z3_ast valued;      /* no division by 0 or of MIN by -1, no shift out of its range; as strict */
  Z3_ast
      strict; /* no result leaves its dtype, no divisor is 0, no shift is out of its range; of all
                    terms made so far, arms of a WHERE included. NULL: always */
  const char *cannot;      /* why there is no term; static text */
  const char *unsupported; /* what has no meaning in the frame; static text */
} bv_enc;

/* ---- bits_num.c: exact numbers ---------------------------------------------------------------- */

Z3_ast bv_not(bv_enc *e, Z3_ast a);
Z3_ast bv_and(bv_enc *e, Z3_ast a, Z3_ast b); /* NULL stands for true */
Z3_ast bv_or(bv_enc *e, Z3_ast a, Z3_ast b);  /* no NULL */
Z3_ast bv_fresh(bv_enc *e, unsigned width);   /* 0: a Bool */
bv_num bv_int(bv_enc *e, int64_t v);
bv_num bv_i128(bv_enc *e, or_i128 v);
bv_num bv_of_bool(bv_enc *e, Z3_ast truth);
/* The bits of a value of this type as a number. */
bv_num bv_of_bits(bv_enc *e, fr_type t, Z3_ast value);
bv_num bv_widen(bv_enc *e, bv_num a, unsigned width); /* no narrower than it is */
/* The low bits: a reduced to the type's width; bool: not 0. */
Z3_ast bv_reduce(bv_enc *e, fr_type t, bv_num a);
Z3_ast bv_fits(bv_enc *e, fr_type t, bv_num a);
Z3_ast bv_less(bv_enc *e, bv_num a, bv_num b);
Z3_ast bv_equal(bv_enc *e, bv_num a, bv_num b);
/* EX_ADD .. of two numbers, comparisons excepted. Division by 0 and shifts by less than 0: see
 * bv_raises. */
bv_num bv_arith(bv_enc *e, ex_op op, bv_num a, bv_num b);
Z3_ast bv_raises(bv_enc *e, ex_op op, bv_num b); /* NULL: never */

/* ---- bits_expr.c ------------------------------------------------------------------------------ */

bv_exact bv_expr(bv_enc *e, expr_id id);
Z3_ast bv_truth(bv_enc *e, bv_exact x);
bv_num bv_number(bv_enc *e, bv_exact x);
/* Made when first asked for. */
bv_fact bv_facts_of(bv_enc *e, pf_id t, bv_about about);

/* ---- bits_term.c ------------------------------------------------------------------------------ */

bv_value bv_term(bv_enc *e, pf_id t);
fr_type bv_type(const bv_enc *e, pf_id t);
bv_num bv_term_number(bv_enc *e, pf_id t); /* its value */

/* ---- bits_facts.c ----------------------------------------------------------------------------- */

/* Do proofs with bounds inside of the dtype's range hold for all bounds? */
bool bv_bounds_are_covered(const pf_instance *i, const bv_enc *e);

/* ---- bits.c ------------------------------------------------------------------------------------- */

/* Which points of an obligation. */
typedef unsigned bv_part;
enum {
  BV_WHOLE,
  BV_LEAVING, /* where some result leaves its dtype or lacks a value: bv_enc.strict is false */
  BV_VALUELESS, /* where a division or shift has no value or leaves its dtype: bv_enc.valued is false */
  BV_LEFT_STAYS,         /* where bv_enc.strict is true of the left side */
  BV_BOTH_STAY,          /* where it is true */
  BV_ZERO,               /* + t: where the leaf t is 0, or false */
  BV_NOT_ZERO = 1 << 16, /* + t: where it is not */
  BV_TRUE = 1 << 17      /* + t: where the leaf t, a bool, is true */
};
/* The obligation as bit-vectors alone. PF_UNKNOWN: not expressible, given up, or proved only of
 * bounds near the dtype's range. *can_hold (may be NULL) is set when the premises are seen to hold
 * somewhere. Of a part, PF_VACUOUS says that there is no such point. */
pf_answer bv_prove(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f, bv_part part,
                   bool *can_hold);
/* The goal is among the premises once both are simplified; no solver is asked. part: BV_ZERO or
 * BV_TRUE. False: not seen. That the premises can hold is another question. */
bool bv_follows(z3_session *z, const pf_instance *i, or_frame f, bv_part part);
/* The obligation with products, quotients and remainders as functions. True: it holds; and the
 * premises hold somewhere. */
bool bv_prove_by_functions(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f);
/* Are the premises seen to hold at some point of this part? */
bool bv_can_hold(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f, bv_part part);

uint64_t bv_resource(z3_session *z); /* units that the solver has spent */

/* ---- bits_ints.c -------------------------------------------------------------------------------- */

/* By integers that stay in range, and bit-vectors where they do not. can_hold: the premises are known
 * to hold somewhere. False: not proved so; nothing else is known. */
bool bv_prove_by_ints(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f,
                      bool holds_in_ideal, bool can_hold, pf_answer *out);
/* The same of what holds in ideal, where everything stays in range. */
bool bv_stays_by_ideal(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f,
                       pf_answer *out);
/* It holds where everything stays in range (PF_WHILE_BOTH), or where the left side does. By what; NULL:
 * not shown. That there are such points is another question. */
const char *bv_stays_by_ints(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f,
                             pf_while what, bool holds_in_ideal);

/* It holds of the values that ideal gives where leaves lie in their dtypes, and wrap where ideal gives
 * none; min_wraps: and to MIN // -1. By what; NULL: not shown. */
const char *bv_congruent_by_ints(z3_session *z, uint32_t rlimit, const pf_instance *i,
                                 bool holds_in_ideal, bool min_wraps);

/* ---- congruent.c -------------------------------------------------------------------------------- */

/* In wrap, by ideal: see there. */
bool bv_prove_by_congruence(pf_prover *p, const pf_instance *i, bool can_hold, pf_answer *out);
/* In wrap and refine, of a bounds rule that holds in ideal: the value is not below 0 and at most the
 * exact one. */
bool bv_prove_by_reduction(pf_prover *p, const pf_instance *i, pf_answer *out);

/* ---- bits_while.c ------------------------------------------------------------------------------- */

/* Sets what has to stay in range for it to hold, and makes the counterexample one with the left side
 * in range, if there is one. a: an answer that proves nothing. */
void bv_find_while(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *a);

/* ---- bits_points.c ------------------------------------------------------------------------------ */

/* Visits so many points, the same ones each time, with the way to make a graph at each (confirm.h);
 * false from visit ends it. False: no memory. */
typedef bool bv_visit(up_ctx *c, const pf_instance *i, const pf_point *at, uint32_t way, void *arg);
bool bv_each_point(const up_profile *profile, const pf_instance *i, or_frame f, uint32_t tries,
                   bv_visit *visit, void *arg);
/* True: a confirmed refutation at one of so many points, with its line; or PF_ERROR. */
bool bv_try_points(const pf_instance *i, or_frame f, uint32_t tries, pf_answer *out);

#endif
