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

static pf_fate fate_of_rows(pf_ledger *l, pf_prover *prover, char why[160]) {
  pf_fate fate = PF_FATE_NO_RULE;
  for (uint32_t i = 0; i < pf_ledger_count(l) && fate != PF_FATE_REFUTED; i++) {
    pf_ledger_prove(l, i, prover);
    fate = worse(fate, pf_ledger_row(l, i), why);
  }
  return fate == PF_FATE_NO_RULE ? PF_FATE_UNSUPPORTED : fate;
}

pf_fate pf_fate_of(const char *base, const char *text, size_t n, pf_prover *prover, char why[160]) {
  up_error err = {0};
  const or_frame ideal = OR_IDEAL;
  const pf_what what = {.file = "rules", .frame = &ideal, .nframe = 1, .types = ~0u};
  up_profile *p = up_profile_parse(base, text, n, &err);
  why[0] = 0;
  if (!p) {
    snprintf(why, 160, "%.150s", err.msg);
    return PF_FATE_NO_RULE;
  }
  pf_ledger *l = pf_ledger_new(p, &what, &err);
  pf_fate fate = l ? fate_of_rows(l, prover, why) : PF_FATE_ERROR;
  if (!l) snprintf(why, 160, "%.150s", err.msg);
  pf_ledger_free(l);
  up_profile_free(p);
  return fate;
}
