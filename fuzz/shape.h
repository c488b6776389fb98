/* uproof fuzz: mutation of inputs through their graphs: decode, mutate, encode. What libFuzzer's and
 * AFL++'s custom mutators call.
 *
 * An input of a graph target is one byte of choice (gen.h) and a graph. */
#ifndef UPROOF_SHAPE_H
#define UPROOF_SHAPE_H

#include "fuzz/gen.h"

/* Contexts that live from call to call, and what the mutators were good for. */
typedef struct fz_shaper fz_shaper;
fz_shaper *fz_shaper_new(void); /* NULL: no memory */
void fz_shaper_free(fz_shaper *s);

/* A mutant of the input, by one to four mutators; with a second input (else NULL, 0) parts of it are
 * taken over. Writes at most cap bytes and returns how many, 0 when nothing came of it. Depends on
 * nothing but the arguments; out may be data. */
size_t fz_shape(fz_shaper *s, const uint8_t *data, size_t n, const uint8_t *other, size_t nother,
                uint8_t *out, size_t cap, uint64_t seed);

/* The mutators of the latest mutant, "insert_op+splice"; the shaper's. */
const char *fz_shaper_latest(const fz_shaper *s);
/* The fuzzer has kept this input in its corpus: counted for the mutators that made it, if they are
 * still remembered. fz_shape itself calls it for what it is given to mutate. */
void fz_shaper_kept(fz_shaper *s, const uint8_t *data, size_t n);
/* A line a mutator: name, how often tried, how often it made another graph, how often that was kept.
 */
void fz_shaper_report(const fz_shaper *s, FILE *out);

/* The i-th smaller neighbour of an input: a node replaced by one of its sources or by a constant, or
 * the graph by a part of it. Returns its length, 0 when there is no such one that is smaller;
 * fz_smaller_count tells how many i to try. */
uint32_t fz_smaller_count(fz_shaper *s, const uint8_t *data, size_t n);
size_t fz_smaller(fz_shaper *s, const uint8_t *data, size_t n, uint32_t i, uint8_t *out,
                  size_t cap);

#endif
