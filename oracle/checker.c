/* Checkers: limits, scratch memory, answers. */
#include "checker.h"

#include <stdlib.h>

or_limits or_limits_default(void) {
  return (or_limits){.samples = 64,
                     .max_points = 1u << 28,
                     .wide_points = 4096,
                     .jobs = 1,
                     .solver_rlimit = 4000000,
                     .solver_seconds = 300,
                     .seed = 1,
                     .jit_work = UINT64_C(1) << 28};
}

or_checker *or_checker_new(const or_limits *l) {
  or_checker *k = calloc(1, sizeof *k);
  if (k) k->limits = *l;
  return k;
}

void or_checker_free(or_checker *k) {
  if (!k) return;
  pr_free(&k->program);
  bl_free(&k->machine);
  z3_free(&k->z3);
  sv_stop(&k->solver);
  up_ctx_free(k->again);
  free(k->claim);
  free(k);
}

const or_jit_stats *or_checker_jit(const or_checker *k) { return &k->jit; }

void or_answer_clear(or_answer *a) { or_witness_clear(&a->witness); }

void or_checker_certify(or_checker *k, const or_certifier *by) {
  k->certifier = by ? *by : (or_certifier){0};
}
