/* Rules in words, their instances one by one, and what provers say of them. */
#ifndef UPROOF_TESTS_PROOFS_COMMON_H
#define UPROOF_TESTS_PROOFS_COMMON_H

#include "proofs/prove.h"
#include "tests/support/cm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline up_profile *profile_of(const char *text) {
  up_error err = {0};
  up_profile *p = up_profile_parse("v0.11.0", text, strlen(text), &err);
  if (!p) fail_msg("%u:%u: %s", err.line, err.col, err.msg);
  return p;
}

/* The number of a rule of a text. */
static inline uint32_t rule_of(const up_profile *p, const char *name) {
  int k = up_rule_find(p, name);
  if (k < 0) fail_msg("no rule %s", name);
  return (uint32_t)k;
}

/* "bool,char": a mask of scalar types. */
static inline unsigned types_of(const char *names) {
  unsigned mask = 0;
  while (*names) {
    size_t n = strcspn(names, ",");
    up_dtype d;
    if (!up_dt_parse(names, n, &d)) fail_msg("no dtype %s", names);
    mask |= 1u << up_dt_scalar(d);
    names += n + (names[n] == ',');
  }
  return mask;
}

#endif
