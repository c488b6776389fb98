/* A fuzz target as a persistent AFL++ program: inputs come through shared memory, a process runs
 * many. Only afl-clang-fast knows the macros. */
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
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
  }
  return 0;
}
