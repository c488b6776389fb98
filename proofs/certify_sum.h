/* Linear forms for certificates: f0*v0 + f1*v1 + ... + rest. Private to certify_*.c. */
#ifndef UPROOF_CERTIFY_SUM_H
#define UPROOF_CERTIFY_SUM_H

#include "certify.h"

#define CF_MAX_TERMS 24u

typedef struct cf_sum {
  uint32_t n;
  up_node atom[CF_MAX_TERMS];  /* no sums, no products with a constant, no constants; distinct */
  cf_int factor[CF_MAX_TERMS]; /* not 0 */
  cf_int rest;
} cf_sum;

/* The node as a sum. False: declined (too many terms, beyond 64-bit factors, no scalar integer). */
bool cf_sum_of(const up_ctx *c, up_node n, cf_sum *out);
/* s += k * t, s += k * atom, and the sum of a node. False: declined. */
bool cf_sum_add(cf_sum *s, cf_int k, const cf_sum *t);
bool cf_sum_add_atom(cf_sum *s, cf_int k, up_node atom);
bool cf_sum_add_node(const up_ctx *c, cf_sum *s, cf_int k, up_node n);
/* Is it a number, namely s->rest? */
static inline bool cf_sum_is_number(const cf_sum *s) { return s->n == 0; }
bool cf_sum_same(const cf_sum *a, const cf_sum *b);
/* From the certified bounds of the atoms. */
bool cf_sum_range(pf_certifier *k, up_ctx *c, const cf_sum *s, cf_range *out);
/* x known not to be negative, not to be positive: by its own claim or by the sum's range. */
bool cf_nonnegative(pf_certifier *k, up_ctx *c, up_node n, const cf_sum *s);
bool cf_nonpositive(pf_certifier *k, up_ctx *c, up_node n, const cf_sum *s);

#endif
