#include "fuzz/hooks/counters.h"
#include <assert.h>

uint8_t *fz_counters(unsigned profile) {
  /* libFuzzer finds them by the name of the section, so they have to be here. Each rule is an edge
   * of the generated code already; the counters say which profile it was, and how often. */
  __attribute__((section("__libfuzzer_extra_counters"),
                 used)) static uint8_t counters[FZ_PROFILES][FZ_COUNTERS];
  assert(profile < FZ_PROFILES);
  return counters[profile];
}
