/* A sum taken apart: x = f0*v0 + f1*v1 + ... The one helper of the native folders. */
#ifndef UPROOF_LINEAR_H
#define UPROOF_LINEAR_H

#include "engine/rules.h"

/* A term of a sum: the leaf as it stands, and its const_factor. A constant c is the term 1*c with
 * factor c. */
typedef struct term {
  up_node node;
  up_int factor;
} term;

#define LINEAR_INLINE 16u
typedef struct linear {
  term *t; /* own, or heap beyond LINEAR_INLINE */
  uint32_t n, cap;
  term own[LINEAR_INLINE];
} linear;

/* The leaves of the ADDs of x, left to right; out is overwritten, and given to linear_free whatever
 * the answer. False: the context's status says why. */
bool linear_split(up_ctx *c, up_node x, linear *out);
void linear_free(linear *l);
/* Nodes summed from the left, as functools.reduce(operator.add, ...) does; UP_NONE of none. */
up_node sum_of(up_ctx *c, const up_list *terms);
/* A native's demand on its arguments: not met (a user's rule can pass anything), it raises TypeError
 * as the release would, and the rule gives nothing. */
static inline bool native_expects(up_ctx *c, bool met) {
  if (!met) up_ctx_set_status(c, UP_RAISE_TYPE);
  return met;
}
/* Appends; on failure sets UP_NO_MEMORY. */
void term_push(up_ctx *c, up_list *terms, up_node n);
/* v*factor with the constant on the right; no folding. */
up_node times(up_ctx *c, up_node v, up_int factor);
/* x op k with k made a constant of x's dtype. */
up_node with_const(up_ctx *c, up_op op, up_node x, up_int k);

#endif
