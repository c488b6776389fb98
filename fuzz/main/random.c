/* Runs a fuzz target on the cases of a seed: what a fuzzer does where none is installed. With
 * --keep the input being run is kept in a file, which is the guilty one when the target aborts. */
#include "fuzz/gen.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static uint64_t number(const char *option, const char *text) {
  char *end;
  unsigned long long v = text ? strtoull(text, &end, 10) : 0;
  if (!text || *text < '0' || *text > '9' || *end) {
    fprintf(stderr, "random: %s takes a number\n", option);
    exit(2);
  }
  return v;
}

/* A case now and then is long or all of one byte: no campaign makes those. */
static size_t make_case(uint64_t seed, uint64_t i, uint8_t *buf, size_t cap) {
  if (i % 64 == 63) {
    memset(buf, (int)(i / 64 % 256), cap);
    return (size_t)(i / 64 % cap);
  }
  return fz_case_bytes(seed, i, buf, cap);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void keep_input(const char *dir, const uint8_t *data, size_t n) {
  char path[1024];
  snprintf(path, sizeof path, "%s/last-input", dir);
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(data, 1, n, f) != n || fclose(f) != 0)
    fprintf(stderr, "random: %s: not kept\n", path);
}

int main(int argc, char **argv) {
  uint64_t seed = 1, runs = 10000, from = 0;
  const char *keep = NULL;
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--seed") == 0)
      seed = number(argv[i], value);
    else if (strcmp(argv[i], "--runs") == 0)
      runs = number(argv[i], value);
    else if (strcmp(argv[i], "--from") == 0)
      from = number(argv[i], value);
    else if (strcmp(argv[i], "--keep") == 0 && value)
      keep = value;
    else {
      fprintf(stderr, "usage: %s [--seed S] [--runs N] [--from CASE] [--keep DIR]\n", argv[0]);
      return strcmp(argv[i], "--help") == 0 ? 0 : 2;
    }
  }
  static uint8_t buf[4096];
  double start = seconds();
  for (uint64_t i = from; i < from + runs; i++) {
    size_t n = make_case(seed, i, buf, sizeof buf);
    if (keep) keep_input(keep, buf, n);
    LLVMFuzzerTestOneInput(buf, n);
  }
  double took = seconds() - start;
  fprintf(stderr, "random: seed %llu, %llu runs from case %llu, %.0f a second\n",
          (unsigned long long)seed, (unsigned long long)runs, (unsigned long long)from,
          took > 0 ? (double)runs / took : 0);
  return 0;
}
