/* A fuzz target as a persistent AFL++ program: inputs come through shared memory, a process runs
 * many. Only afl-clang-fast knows the macros. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

__AFL_FUZZ_INIT();

int main(void) {
  __AFL_INIT();
  const unsigned char *input = __AFL_FUZZ_TESTCASE_BUF;
  /* contexts keep their memory, so that a process can run long; a fresh one now and then shows what
   * depends on the runs before */
  while (__AFL_LOOP(100000)) {
    size_t n = (size_t)__AFL_FUZZ_TESTCASE_LEN;
    /* a copy of its size: a read past the end is seen by AddressSanitizer */
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy) abort();
    for (size_t i = 0; i < n; i++) copy[i] = input[i];
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
  }
  return 0;
}
