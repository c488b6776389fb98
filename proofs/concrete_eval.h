/* uproof proofs: the state of an instance at a point. Private to concrete*.c. */
#ifndef UPROOF_PROOFS_CONCRETE_EVAL_H
#define UPROOF_PROOFS_CONCRETE_EVAL_H

#include "concrete.h"
#include "oracle/frame.h"

#define CC_MAX_BITS 4096u

typedef struct cc_state {
  const pf_instance *i;
  mpz_t *value, *lo, *hi; /* by pf_id */
  bool *defined, *given;  /* given: lo and hi are from the point */
  bool truth;             /* of functions without meaning */
  bool loose;             /* pf_point.loose */
  bool by_lane;           /* a computed constant is made: of a list its value counts */
  bool no_premise, too_large;
} cc_state;

/* Value of an expression; what raises is no premise. */
void cc_expr(cc_state *s, expr_id id, mpz_t out);

#endif
