/* Bytes -> graph -> simplify -> sampled check of value, bounds, dtypes and termination, in the
 * profile and frame of the choice byte.
 *
 * The target aborts when the harness is at fault: a malformed graph out of the decoder or the
 * simplifier, evaluators that disagree on a witness, a verdict that can't be. An unsound
 * simplification is what the campaign looks for, not a crash: with UPROOF_FINDINGS=DIR the first of
 * each cause is saved there as a `.uop` file.
 */
#include "fuzz/harness.h"
#include "fuzz/hooks/counters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_case k = fz_case_begin(&all, data, n);
  up_ctx_hits(k.c, fz_counters(k.profile));
  or_report r = {0};
  or_check(fz_harness_checker(k.h), k.c, k.root, k.frame, &r);
  fz_require_report(k.h, k.root, &r);
  fz_case_tell(&k, &r, fz_counters(k.profile));
  or_report_clear(&r);
  return 0;
}
