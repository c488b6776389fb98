/* uproof fuzz: bytes -> graph. Every byte string decodes to a valid graph, with sharing; the same
 * bytes give the same graph in every build. Two forms: a short program that grows a graph (dense:
 * random bytes give telling graphs; it may change), and a versioned list of nodes (nodes.h: any
 * graph has one; what seeds and mutated inputs are kept as).
 */
#ifndef UPROOF_GEN_H
#define UPROOF_GEN_H

#include "engine/uop.h"

/* Floor divisions in place of those that truncate: engines since tinygrad 0.13.0 have both. */
typedef enum fz_floors { FZ_NO_FLOORS, FZ_SOME_FLOORS, FZ_ALL_FLOORS } fz_floors;
typedef struct fz_opts {
  uint32_t max_nodes; /* default 64 */
  bool casts;         /* other dtypes than int and bool, and CAST between them */
  bool bits;          /* AND OR XOR SHL SHR */
  bool
      rare; /* vectors, BIND, TRUNC: of instances (instance.h) alone, where campaigns set it for one of
              * FZ_RARE_EVERY; default no */
  fz_floors floors; /* default none */
} fz_opts;
fz_opts fz_opts_default(void);
/* Some where a rule of the profile names them, else none. */
fz_floors fz_floors_of(const up_profile *p);

/* The graph that the bytes stand for. Never UP_NONE while the context's status is UP_OK. */
up_node fz_decode(up_ctx *c, const fz_opts *o, const uint8_t *data, size_t n);

/* Case number `index` of a seed, distributed like the graphs of tinygrad's fuzz_symbolic.py: int
 * expressions of depth 6 over v1, v2, v3. Of the options only FZ_ALL_FLOORS counts. UP_NONE: the context
 * failed (its status). */
up_node fz_symbolic(up_ctx *c, const fz_opts *o, uint64_t seed, uint64_t index);

/* What a graph target is given: a byte that chooses what is asked, and the bytes of a graph. */
typedef struct fz_input {
  uint8_t choice;
  const uint8_t *graph;
  size_t n;
} fz_input;
static inline fz_input fz_input_of(const uint8_t *data, size_t n) {
  return n ? (fz_input){data[0], data + 1, n - 1} : (fz_input){0, data, 0};
}
/* The parts of the choice: 8 profiles, 3 frames, and what is left to the target (0 to 7). */
static inline unsigned fz_choice_profile(uint8_t choice) { return choice & 7u; }
static inline unsigned fz_choice_frame(uint8_t choice) { return (choice >> 3) % 3u; }
static inline unsigned fz_choice_rest(uint8_t choice) { return (choice >> 5) & 7u; }

/* Deterministic generator (splitmix64): the seeded driver makes bytes of it. */
typedef struct fz_rng {
  uint64_t s;
} fz_rng;
uint64_t fz_next(fz_rng *r);
/* Fills buf with the bytes of case number `index` of a campaign with this seed; returns how many.
 */
size_t fz_case_bytes(uint64_t seed, uint64_t index, uint8_t *buf, size_t cap);

#endif
