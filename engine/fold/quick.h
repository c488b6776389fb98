/* Quick refusals: most of the native folders decline most of the time. What they ask of a sum, asked
 * in 64-bit integers of the terms' known bounds, without making a node.
 *
 * A quick answer is only ever "the rule does not apply"; where there is none, and where it would
 * apply, the folder itself is asked. Answers rest on the transfer rules of ADD and MUL being
 * interval arithmetic, which they are in the built-in profiles as long as no bounds are assumed
 * (ctx.interval_bounds).
 */
#ifndef UPROOF_QUICK_H
#define UPROOF_QUICK_H

#include "engine/rules.h"

/* factor*v, factor not 0; lo and hi are the bounds of v. */
typedef struct quick_term {
  up_node leaf; /* as it stands in the sum */
  int64_t factor, lo, hi;
} quick_term;

#define QUICK_TERMS 16u
/* x = the terms + rest. A constant that stands last is the rest, as up_pop_const has it. */
typedef struct quick_sum {
  up_node x;
  bool usable, has_rest;
  int64_t rest;
  uint32_t n;
  quick_term t[QUICK_TERMS];
} quick_sum;

struct quick_memo {
  quick_sum last;
};

/* x taken apart, valid until the next call. NULL: no quick answers about x. */
const quick_sum *quick_sum_of(up_ctx *c, up_node x);
/* The same, of the arguments (_, x, y) of a folder, if y is a constant above 0. */
const quick_sum *quick_division(up_ctx *c, const up_node *arg, int64_t *k);

/* Each: true, the folder of this name declines (d: of an IDIV or a MOD, by k). */
bool quick_no_binary_numerator(const quick_sum *s);
bool quick_no_congruence(const quick_sum *s, int64_t k);
bool quick_no_gcd(const quick_sum *s, int64_t k);
bool quick_no_nested_mod(const up_ctx *c, const quick_sum *s);
bool quick_no_smallest_factor(const quick_sum *s, int64_t k);
bool quick_no_remainder(const up_ctx *c, const quick_sum *s, int64_t k, bool mod);
bool quick_no_lt(const quick_sum *s, int64_t k);

#endif
