/* Verdicts, answers, points, sessions. */
#include "prover.h"

#include <stdio.h>
#include <stdlib.h>

const char *pf_verdict_name(pf_verdict v) {
  static const char *const name[PF_VERDICT_COUNT] = {"proved",  "refuted",     "unknown",
                                                     "vacuous", "unsupported", "error"};
  return name[v];
}

void pf_point_clear(pf_point *p) {
  for (uint32_t k = 0; k < p->n; k++) mpz_clears(p->p[k].value, p->p[k].lo, p->p[k].hi, (mpz_ptr)0);
  free(p->p);
  *p = (pf_point){0};
}

pf_answer pf_answer_of(pf_verdict v, const char *by, const char *why) {
  pf_answer a = {.verdict = v, .by = by ? by : ""};
  snprintf(a.reason, sizeof a.reason, "%s", why ? why : "");
  return a;
}

void pf_answer_clear(pf_answer *a) {
  pf_point_clear(&a->point);
  up_buf_free(&a->counterexample);
  *a = (pf_answer){0};
}

pf_prover *pf_prover_new(const pf_limits *l) {
  pf_prover *p = calloc(1, sizeof *p);
  if (p) p->limits = *l;
  return p;
}

void pf_prover_free(pf_prover *p) {
  if (!p) return;
  z3_free(&p->z);
  free(p);
}
