/* Counters of applied rules, which libFuzzer takes for coverage besides edges. */
#ifndef UPROOF_COUNTERS_H
#define UPROOF_COUNTERS_H

#include <stdint.h>

#define FZ_PROFILES 6u
#define FZ_COUNTERS 384u /* a profile: more rules than any has */

/* The FZ_COUNTERS bytes of a profile, for up_ctx_hits. libFuzzer clears them before each run. */
uint8_t *fz_counters(unsigned profile);

#endif
