/* What the oracle's tests share: a context, a checker, variables and ops by short names. */
#ifndef UPROOF_TESTS_ORACLE_RIG_H
#define UPROOF_TESTS_ORACLE_RIG_H

#include "tests/support/cm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/checker.h"

typedef struct rig {
  up_profile *profile;
  up_ctx *c;
  or_checker *k;
} rig;

static inline rig rig_new_with(or_limits l) {
  up_error err = {0};
  rig r = {0};
  r.profile = up_profile_load("v0.10.0", &err);
  if (!r.profile) fail_msg("profile: %u:%u: %s", err.line, err.col, err.msg);
  r.c = up_ctx_new(r.profile);
  r.k = or_checker_new(&l);
  assert_non_null(r.c);
  assert_non_null(r.k);
  return r;
}

static inline rig rig_new(void) { return rig_new_with(or_limits_default()); }

static inline void rig_free(rig *r) {
  or_checker_free(r->k);
  up_ctx_free(r->c);
  up_profile_free(r->profile);
}

static inline up_node var(rig *r, const char *name, int64_t lo, int64_t hi, enum up_scalar s) {
  return up_var(r->c, name, up_int_of(lo), up_int_of(hi), up_dt(s));
}
static inline up_node num(rig *r, int64_t v, enum up_scalar s) {
  return up_const_int(r->c, up_dt(s), v);
}
static inline up_node op2(rig *r, up_op op, up_node a, up_node b) {
  return up_binary(r->c, op, a, b);
}

/* Value of the root at a point given in the order of the program's variables (x, y, ...). */
static inline or_witness point_of(const up_node *var, const or_i128 *value, uint32_t n) {
  or_witness w = {
      .n = n, .var = calloc(n + 1, sizeof(up_node)), .value = calloc(n + 1, sizeof(mpz_t))};
  assert_non_null(w.var);
  assert_non_null(w.value);
  for (uint32_t i = 0; i < n; i++) {
    w.var[i] = var[i];
    mpz_init(w.value[i]);
    or_i128_to_mpz(value[i], w.value[i]);
  }
  return w;
}

/* A verdict with all that is needed to see why, when it is not the one that was expected. */
#define assert_verdict(answer, want)                                                               \
  do {                                                                                             \
    if ((answer).verdict != (want))                                                                \
      fail_msg("%s by %s, not %s: %s (expected %s, actual %s)", or_verdict_name((answer).verdict), \
               (answer).stage, or_verdict_name(want), (answer).reason, (answer).expected,          \
               (answer).actual);                                                                   \
  } while (0)

#endif
