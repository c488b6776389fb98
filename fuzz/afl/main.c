/* A fuzz target as a persistent AFL++ program: inputs come through shared memory, a process runs
 * many. Only afl-clang-fast knows the macros. */
#include "fuzz/hooks/counters.h"
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

__AFL_FUZZ_INIT();

/* ---- rules as coverage ----------------------------------------------------------------------- */

#define COUNTERS (FZ_PROFILES * FZ_COUNTERS)

/* AFL++'s runtime: gives numbers to what may be reached, and holds what was. */
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);
void __afl_coverage_interesting(uint8_t value, uint32_t place);

/* The number in AFL++'s map of each counter; the runtime fills it, once. */
static uint32_t *places(void) {
  static uint32_t place[COUNTERS];
  return place;
}

/* Behind the edges of the instrumented code, whose constructor has priority 2, and before the map is made,
 * at 5: as libFuzzer takes the section of counters. */
__attribute__((constructor(3))) static void ask_for_places(void) {
  __sanitizer_cov_trace_pc_guard_init(places(), places() + COUNTERS);
}

static void export_counters(void) {
  /* not called by its name: afl-clang-fast gives such calls places of its own */
  void (*volatile reach)(uint8_t, uint32_t) = __afl_coverage_interesting;
  uint8_t *counter = fz_counters(0);
  for (unsigned i = 0; i < COUNTERS; i += 8) {
    uint64_t eight;
    memcpy(&eight, counter + i, sizeof eight);
    for (unsigned j = i; eight != 0 && j < i + 8; j++)
      if (counter[j]) reach(counter[j], places()[j]);
  }
}

/* ---- the program ----------------------------------------------------------------------------- */

/* A killed afl-fuzz must not leave its target behind, which may hang or be stopped between two runs. */
static void die_with_parent(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

int main(void) {
  die_with_parent(); /* the fork server, */
  __AFL_INIT();
  die_with_parent(); /* and what it forks */
  const unsigned char *input = __AFL_FUZZ_TESTCASE_BUF;
  /* contexts keep their memory, so that a process can run long; a fresh one now and then shows what
   * depends on the runs before */
  while (__AFL_LOOP(100000)) {
    size_t n = (size_t)__AFL_FUZZ_TESTCASE_LEN;
    /* a copy of its size: a read past the end is seen by AddressSanitizer */
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy) abort();
    memcpy(copy, input, n);
    memset(fz_counters(0), 0, COUNTERS);
    LLVMFuzzerTestOneInput(copy, n);
    export_counters();
    free(copy);
  }
  return 0;
}
