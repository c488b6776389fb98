/* Quick answers: most of the native folders decline most of the time. What they ask of a sum, asked in
 * 64-bit integers of the terms' known bounds, without making a node. What is made where a rule applies
 * is the folder's own. Answers rest on the transfer rules of ADD and MUL being
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

const quick_sum *quick_take_apart(up_ctx *c, up_node x);
/* x taken apart, valid until the next call. NULL: no quick answers about x. */
static inline const quick_sum *quick_sum_of(up_ctx *c, up_node x) {
  const quick_sum *last = c->quick ? &c->quick->last : NULL;
  if (last && up_same(last->x, x) && c->interval_bounds) return last->usable ? last : NULL;
  return quick_take_apart(c, x);
}
/* The same, of the arguments (_, x, y) of a folder, if y is a constant above 0. */
static inline const quick_sum *quick_division(up_ctx *c, const up_node *arg, int64_t *k) {
  return node_const_small(c, arg[2], k) && *k > 0 ? quick_sum_of(c, arg[1]) : NULL;
}

/* What a folder does: it declines, it applies, or it must be asked itself. */
typedef enum quick_answer { QUICK_DECLINES, QUICK_APPLIES, QUICK_ASK } quick_answer;

/* *base: the multiple of k under the remainders. */
quick_answer quick_congruence(const quick_sum *s, int64_t k, int64_t *base);
/* Where it declines because of bounds or applies, the numerators that it makes are not negative. */
quick_answer quick_remainder(const up_ctx *c, const quick_sum *s, int64_t k, bool mod);

/* Each: true, the folder of this name declines (d: of an IDIV or a MOD, by k). */
bool quick_no_binary_numerator(const quick_sum *s);
bool quick_no_gcd(const quick_sum *s, int64_t k);
bool quick_no_nested_mod(const up_ctx *c, const quick_sum *s);
bool quick_no_smallest_factor(const quick_sum *s, int64_t k);
bool quick_no_lt(const quick_sum *s, int64_t k);

#endif
