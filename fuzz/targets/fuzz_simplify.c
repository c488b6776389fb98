/* Bytes -> graph -> simplify -> sampled check of value, bounds, dtypes and termination, in the
 * profile and frame of the choice byte.
 *
 * The target aborts when the harness is at fault: a malformed graph out of the decoder or the
 * simplifier, a text that does not read back, two evaluators that disagree, a verdict that can't
 * be. An unsound simplification is what the campaign looks for, not a crash: with
 * UPROOF_FINDINGS=DIR the first of each cause is saved there as a `.uop` file.
 */
#include "fuzz/harness.h"
#include "fuzz/hooks/counters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_input in = fz_input_of(data, n);
  fz_harness *h = fz_harness_chosen(&all, in.choice);
  up_ctx *c = fz_harness_ctx(h);
  up_ctx_hits(c, fz_counters(fz_choice_profile(in.choice)));
  fz_opts opts = fz_opts_default();
  up_node root = fz_decode(c, &opts, in.graph, in.n);
  fz_require(!up_is_none(root), "every input decodes to a graph");
  fz_require_well_formed(c, root);
  uint64_t seed = fz_digest(data, n);
  /* texts and evaluators have targets of their own */
  if (seed % 8 == 0) fz_require_reads_back(h, root);
  if (seed % 4 == 1) fz_require_evaluators_agree(h, root, seed);
  or_report r = {0};
  or_check(fz_harness_checker(h), c, root, fz_frame_chosen(in.choice), &r);
  fz_require_report(h, root, &r);
  for (uint32_t i = 0; i < r.nfindings; i++) fz_harness_save(h, &r.finding[i]);
  or_report_clear(&r);
  return 0;
}
