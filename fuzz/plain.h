/* The plain way to an answer: every assignment of the variables, one after the other, each evaluated
 * by the reference evaluator and by nothing else. Slow; what other ways are held to. */
#ifndef UPROOF_FUZZ_PLAIN_H
#define UPROOF_FUZZ_PLAIN_H

#include "oracle/oracle.h"

/* The assignments of a graph, least values first. Zero-initialise, fz_points_free at the end. */
typedef struct fz_points {
  or_witness at;  /* an entry a variable and lane */
  mpz_t *lo, *hi; /* of the entries */
  uint64_t n;     /* how many there are; 0: a variable has no value at all */
} fz_points;
/* At the first one. False: more than `most` (at least 1), or a variable without numbers as ends. */
bool fz_points_of(fz_points *p, up_ctx *c, up_node root, uint64_t most);
/* To the next one; false: there is none. */
bool fz_points_next(fz_points *p);
void fz_points_free(fz_points *p);

/* Is b a sound replacement of a? Asked at all points of both. UNKNOWN: there are more than `most`, or
 * an op has no meaning. */
typedef enum fz_truth { FZ_FALSE, FZ_TRUE, FZ_UNKNOWN } fz_truth;
fz_truth fz_plain_equiv(up_ctx *c, up_node a, up_node b, or_frame f, uint64_t most);
/* At one assignment. */
fz_truth fz_plain_equiv_at(up_ctx *c, up_node a, up_node b, or_frame f, const or_witness *at);

#endif
