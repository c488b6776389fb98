/* Bytes -> graph -> the late decompositions, in wrap, which is where they run: values as in
 * fuzz_simplify. Findings are saved with UPROOF_FINDINGS=DIR. */
#include "fuzz/harness.h"
#include "fuzz/hooks/counters.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static unsigned decompositions(void) {
  unsigned i = 0;
  while (up_profile_known(i) && strcmp(up_profile_known(i), "v0.11.0:decompositions") != 0) i++;
  fz_require(up_profile_known(i) != NULL, "the profile of the decompositions is known");
  return i;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  unsigned profile = decompositions();
  fz_case k = fz_case_begin_as(&all, data, n, profile);
  up_ctx_hits(k.c, fz_counters(profile));
  or_report r = {0};
  or_check(fz_harness_checker(k.h), k.c, k.root, OR_WRAP, &r);
  fz_require_report(k.h, k.root, &r);
  fz_case_tell(&k, &r, fz_counters(profile));
  or_report_clear(&r);
  return 0;
}
