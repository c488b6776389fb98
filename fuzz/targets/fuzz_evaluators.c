/* Bytes -> graph -> values at a few points by the reference evaluator and, node by node, by exec_alu:
 * the same wherever both have one. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_case k = fz_case_begin(&all, data, n);
  for (uint64_t i = 0; i < 4; i++) fz_require_evaluators_agree(k.h, k.root, k.seed + i);
  return 0;
}
