/* Counts that fuzz targets keep for whoever runs them, in a file that all their processes map: the
 * variable UPROOF_STATS of the environment names it. They are for the eye: nothing that is found
 * depends on them. */
#ifndef UPROOF_FUZZ_STATS_H
#define UPROOF_FUZZ_STATS_H

#include "fuzz/hooks/counters.h"
#include "oracle/oracle.h"
#include <stdatomic.h>

#define FZ_STATS_CAUSES 4096u

/* All zero at the start. */
typedef struct fz_stats {
  _Atomic uint64_t layout; /* FZ_STATS_LAYOUT */
  _Atomic uint64_t runs, findings, verdict[OR_VERDICT_COUNT];
  _Atomic uint8_t
      rule[FZ_COUNTERS]; /* 1: it has applied, or given a bound, in the latest profile */
  struct {
    _Atomic uint64_t name, count; /* name: a digest of the cause, 0: free */
  } cause[FZ_STATS_CAUSES];
} fz_stats;
#define FZ_STATS_LAYOUT (UINT64_C(0x75700001) << 32 | sizeof(fz_stats))

/* Maps the file; anew: as an empty one. NULL: errno tells why, EINVAL when it is something else. */
fz_stats *fz_stats_map(const char *path, bool anew);
void fz_stats_unmap(fz_stats *s);
/* One more finding of the cause; beyond FZ_STATS_CAUSES causes nothing. */
void fz_stats_add(fz_stats *s, const char *cause);
uint64_t fz_stats_of(const fz_stats *s, const char *cause);

#endif
