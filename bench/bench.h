/* What the benchmarks share: a clock, and the exponent of a growth. */
#ifndef UPROOF_BENCH_H
#define UPROOF_BENCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Seconds of processor time: the programs have one thread, and a busy machine must not slow them.
 */
static inline double bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Least squares slope of log y over log x: 1 when y grows in proportion to x. */
static inline double bench_exponent(const double *x, const double *y, unsigned n) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (unsigned i = 0; i < n; i++) {
    double lx = log(x[i]), ly = log(y[i]);
    sx += lx, sy += ly, sxx += lx * lx, sxy += lx * ly;
  }
  return ((double)n * sxy - sx * sy) / ((double)n * sxx - sx * sx);
}

_Noreturn static inline void bench_die(const char *what, const char *why) {
  fprintf(stderr, "bench: %s: %s\n", what, why);
  exit(4);
}

#endif
