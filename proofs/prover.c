/* One obligation, from encoding to verdict. */
#include "prover.h"

#include "oracle/cvc5.h"
#include <stdio.h>

bool pf_query(pf_prover *p, const pf_instance *i, or_frame f, up_buf *out) {
  return f == OR_IDEAL ? pf_query_ints(p, i, out) : pf_query_bits(p, i, f, out);
}

/* The model was found by bit-vectors: the engine has the last word. */
static void confirm(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *a) {
  char why[120] = "";
  if (!p->limits.profile || a->counterexample.len > 0)
    return; /* it was found by the engine itself */
  if (pf_confirm(p->limits.profile, i, &a->point, f, &a->counterexample, why)) return;
  pf_point_clear(&a->point);
  up_buf_free(&a->counterexample);
  a->counterexample = (up_buf){0};
  a->verdict = PF_UNKNOWN;
  snprintf(a->reason, sizeof a->reason, "not confirmed: %s", why);
}

static void try_cvc5(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *a) {
  up_buf text = {0};
  char why[120] = "";
  if (pf_query(p, i, f, &text)) {
    cv_answer c = cv_ask(&text, p->limits.rlimit / CV_PART, CV_SECONDS, NULL, why);
    if (c == CV_UNSAT && a->verdict == PF_UNKNOWN) {
      a->verdict = PF_PROVED;
      a->by = "cvc5";
      a->reason[0] = 0;
    } else if (a->verdict == PF_PROVED) {
      a->second = c == CV_UNSAT ? PF_AGREES : c == CV_SAT ? PF_DISAGREES : PF_UNDECIDED;
    }
    if (a->second == PF_DISAGREES) {
      a->verdict = PF_ERROR;
      snprintf(a->reason, sizeof a->reason, "%s proves it, cvc5 has a model", a->by);
    }
    if (c == CV_ERROR) snprintf(a->reason, sizeof a->reason, "%s", why);
  }
  up_buf_free(&text);
}

pf_answer pf_prove(pf_prover *p, const pf_instance *i, or_frame f) {
  pf_answer a = f == OR_IDEAL ? pf_prove_ints(p, i) : pf_prove_bits(p, i, f);
  if (f != OR_IDEAL && a.verdict == PF_REFUTED) confirm(p, i, f, &a);
  if (p->limits.effort != PF_WHOLE) return a;
  /* of bit-vectors it is not asked to prove more: what is left is too wide for it, too */
  if ((a.verdict == PF_UNKNOWN && f == OR_IDEAL) ||
      (a.verdict == PF_PROVED && p->limits.second_opinion))
    try_cvc5(p, i, f, &a);
  return a;
}
