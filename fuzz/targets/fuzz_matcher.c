/* Bytes -> graph -> every rule set at every node, compiled and interpreted: the same rule, the same
 * node, the same bounds, the same simplification. The first byte chooses the profile. Any
 * difference is a fault of rulec or of the interpreter, and aborts. */
#include "fuzz/agree.h"
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define MAX_PROFILES 8u

static fz_agree *agree_of(unsigned i) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_agree agree[MAX_PROFILES];
  up_error err = {0};
  if (!agree[i].c && !fz_agree_init(&agree[i], up_profile_known(i), &err))
    fz_require(false, err.msg);
  fz_agree_reset(&agree[i]);
  return &agree[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  fz_input in = fz_input_of(data, n);
  unsigned profiles = 0;
  while (profiles < MAX_PROFILES && up_profile_known(profiles)) profiles++;
  fz_agree *a = agree_of(fz_choice_profile(in.choice) % profiles);
  fz_opts opts = fz_opts_default();
  up_node root = fz_decode(a->c, &opts, in.graph, in.n);
  fz_require(!up_is_none(root), "every input decodes to a graph");
  fz_require(fz_agree_nodes(a, root), a->why);
  fz_require(fz_agree_simplify(a, root), a->why);
  return 0;
}
