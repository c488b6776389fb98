#include "kill.h"

#include "ledger.h"
#include "prover.h"
#include <stdio.h>
#include <string.h>

const char *pf_fate_name(pf_fate f) {
  static const char *const names[PF_FATE_COUNT] = {"no rule", "equivalent",  "refuted", "vacuous",
                                                   "unknown", "unsupported", "error"};
  return names[f];
}

/* A rule is wrong when one of its obligations is, and true when all are that have a meaning. */
static pf_fate worse(pf_fate so_far, const pf_row *r, char why[160]) {
  static const pf_fate fate[PF_VERDICT_COUNT] = {
      [PF_PROVED] = PF_FATE_EQUIVALENT,       [PF_REFUTED] = PF_FATE_REFUTED,
      [PF_UNKNOWN] = PF_FATE_UNKNOWN,         [PF_VACUOUS] = PF_FATE_VACUOUS,
      [PF_UNSUPPORTED] = PF_FATE_UNSUPPORTED, [PF_ERROR] = PF_FATE_ERROR};
  static const unsigned char rank[PF_FATE_COUNT] = {
      [PF_FATE_UNSUPPORTED] = 0, [PF_FATE_VACUOUS] = 1, [PF_FATE_EQUIVALENT] = 2,
      [PF_FATE_UNKNOWN] = 3,     [PF_FATE_ERROR] = 4,   [PF_FATE_REFUTED] = 5};
  pf_fate f = fate[r->verdict];
  if (rank[f] <= rank[so_far] && so_far != PF_FATE_NO_RULE) return so_far;
  snprintf(why, 160, "%s", r->counterexample[0] ? r->counterexample : r->reason);
  return f;
}

/* A statement as a profile, and its rows. */
typedef struct subject {
  up_profile *p;
  pf_ledger *l;
} subject;

static void subject_free(subject *s) {
  pf_ledger_free(s->l);
  up_profile_free(s->p);
}

static pf_fate subject_new(subject *s, const pf_texts *of, bool delta, char why[160]) {
  const char *text = delta ? of->delta : of->mutant;
  size_t n = delta ? of->ndelta : of->nmutant;
  up_error err = {0};
  const or_frame ideal = OR_IDEAL;
  const pf_what what = {.file = "rules", .frame = &ideal, .nframe = 1, .types = ~0u};
  *s = (subject){.p = up_profile_parse(of->base, text, n, &err)};
  why[0] = 0;
  if (s->p) s->l = pf_ledger_new(s->p, &what, &err);
  if (s->l && of->known) pf_cache_answer(of->known, s->l, 0);
  if (s->l) return PF_FATE_UNKNOWN;
  snprintf(why, 160, "%.150s", err.msg);
  return s->p ? PF_FATE_ERROR : PF_FATE_NO_RULE;
}

/* Of all rows, as far as they are asked for now. */
static pf_fate fate_of_rows(const subject *s, pf_prover *prover, pf_effort effort, char why[160]) {
  pf_fate fate = PF_FATE_NO_RULE;
  pf_effort wanted = prover->limits.effort;
  prover->limits.effort = effort;
  for (uint32_t i = 0; i < pf_ledger_count(s->l) && fate != PF_FATE_REFUTED; i++) {
    pf_ledger_prove(s->l, i, prover);
    fate = worse(fate, pf_ledger_row(s->l, i), why);
    if (pf_ledger_row(s->l, i)->verdict == PF_UNKNOWN) pf_ledger_forget(s->l, i);
  }
  prover->limits.effort = wanted;
  return fate == PF_FATE_NO_RULE ? PF_FATE_UNSUPPORTED : fate;
}

/* What the delta says of the mutant, whose premises can hold. */
static pf_fate fate_by_delta(const pf_texts *t, pf_prover *prover, char why[160]) {
  subject s;
  pf_fate fate = subject_new(&s, t, true, why);
  if (fate == PF_FATE_UNKNOWN) fate = fate_of_rows(&s, prover, PF_WHOLE, why);
  /* decided by its dtypes alone, it has no row at all; a mutant's rows without a meaning were told */
  bool nothing = fate == PF_FATE_VACUOUS || fate == PF_FATE_UNSUPPORTED;
  if (nothing) why[0] = 0;
  subject_free(&s);
  if (fate == PF_FATE_NO_RULE) return PF_FATE_UNKNOWN;
  return nothing ? PF_FATE_EQUIVALENT : fate;
}

pf_fate pf_fate_of(const pf_texts *t, pf_prover *prover, char why[160]) {
  subject s;
  pf_fate fate = subject_new(&s, t, false, why);
  if (fate == PF_FATE_UNKNOWN) fate = fate_of_rows(&s, prover, PF_PREMISES, why);
  bool whole = prover->limits.effort == PF_WHOLE;
  if (fate == PF_FATE_UNKNOWN && whole && t->ndelta > 0) fate = fate_by_delta(t, prover, why);
  if (fate == PF_FATE_UNKNOWN && whole && s.l) fate = fate_of_rows(&s, prover, PF_WHOLE, why);
  subject_free(&s);
  return fate;
}
