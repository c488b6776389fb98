/* libFuzzer's custom mutators for targets whose input is a graph. With UPROOF_MUTATORS=FILE in the
 * environment, what each mutator was good for is written there at the end. */
#include "fuzz/shape.h"
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b, size_t nb,
                                 uint8_t *out, size_t max_size, unsigned seed);

static fz_shaper *shaper(void);

static void report(void) {
  const char *path = getenv("UPROOF_MUTATORS");
  FILE *f = path ? fopen(path, "w") : NULL;
  if (!f) return;
  fz_shaper_report(shaper(), f);
  if (fclose(f) != 0) fprintf(stderr, "uproof: %s: not written\n", path);
}

static fz_shaper *shaper(void) {
  /* libFuzzer passes no context: what lives from call to call has to be here */
  static fz_shaper *s;
  if (!s) {
    s = fz_shaper_new();
    if (!s) abort();
    atexit(report);
  }
  return s;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  /* bytes as such now and then: the decoder takes whatever comes of it */
  if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
  size_t n = fz_shape(shaper(), data, size, NULL, 0, data, max_size, seed);
  return n ? n : LLVMFuzzerMutate(data, size, max_size);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b, size_t nb,
                                 uint8_t *out, size_t max_size, unsigned seed) {
  return fz_shape(shaper(), a, na, b, nb, out, max_size, seed);
}
