/* Bytes -> graph -> simplify -> sampled check.
 *
 * The target aborts when the harness is at fault: a malformed graph out of the decoder or the
 * simplifier, a text that does not read back, two evaluators that disagree, a verdict that can't
 * be. An unsound simplification is what the campaign looks for, not a crash: with
 * UPROOF_FINDINGS=DIR the first of each cause is saved there as a `.uop` file.
 */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A number that depends on every byte of the input (FNV-1a). */
static uint64_t digest(const uint8_t *data, size_t n) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < n; i++) h = (h ^ data[i]) * UINT64_C(0x100000001b3);
  return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harness *h;
  if (!h) h = fz_harness_new("v0.10.0");
  up_ctx *c = fz_harness_fresh(h);
  fz_opts opts = fz_opts_default();
  up_node root = fz_decode(c, &opts, data, n);
  fz_require(!up_is_none(root), "every input decodes to a graph");
  fz_require_well_formed(c, root);
  fz_require_reads_back(h, root);
  uint64_t seed = digest(data, n);
  fz_require_evaluators_agree(h, root, seed);
  or_report r = {0};
  or_check(fz_harness_checker(h), c, root, seed & 64 ? OR_WRAP : OR_IDEAL, &r);
  fz_require_report(h, &r);
  for (uint32_t i = 0; i < r.nfindings; i++) fz_harness_save(h, &r.finding[i]);
  or_report_clear(&r);
  return 0;
}
