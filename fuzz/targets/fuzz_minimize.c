/* Bytes -> graph -> check -> its first finding, reduced: the reduced graph is well formed and no
 * larger, and fails in the same way when it is checked by itself. Slow where a finding is found. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define TRIES 150u
/* Each candidate of a rewrite that does not end takes all its steps, over graphs that grow. */
#define LOOP_TRIES 15u

static void require_fails_alike(fz_harness *h, const or_finding *f, or_reduced *small) {
  or_report again = {0};
  const or_finding *g = &small->finding;
  fz_require(g->kind == f->kind && g->frame == f->frame && g->rule == f->rule,
             "a reduced finding is of the same kind, frame and rule");
  fz_require(small->nodes_after <= small->nodes_before, "and no larger");
  fz_require(up_count(small->ctx, g->graph) == small->nodes_after, "as it says");
  or_check(fz_harness_checker(h), small->ctx, g->graph, g->frame, &again);
  bool found = again.verdict != OR_DIFFERS; /* what only its witness shows is not found by itself */
  for (uint32_t i = 0; i < again.nfindings; i++) found |= again.finding[i].kind == g->kind;
  fz_require(found, "checked by itself it fails in the same kind, or only at its witness");
  or_report_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_case k = fz_case_begin(&all, data, n);
  or_report r = {0};
  if (up_count(k.c, k.root) > 40) return 0;
  or_check(fz_harness_checker(k.h), k.c, k.root, k.frame, &r);
  if (r.nfindings > 0) {
    or_reduced small = {0};
    uint64_t tries = r.finding[0].kind == OR_NONTERMINATION ? LOOP_TRIES : TRIES;
    if (or_minimize(fz_harness_checker(k.h), k.c, &r.finding[0], NULL, tries, &small)) {
      require_fails_alike(k.h, &r.finding[0], &small);
      or_reduced_clear(&small);
    }
  }
  or_report_clear(&r);
  return 0;
}
