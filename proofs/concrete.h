/* uproof proofs: an instance at one point, by exact arithmetic in ideal. Private to proofs/.
 *
 * What no solver is asked for: models of it are judged here before they are confirmed by the engine,
 * since an encoding by laws has models that mean nothing; and a few thousand points are tried first.
 */
#ifndef UPROOF_PROOFS_CONCRETE_H
#define UPROOF_PROOFS_CONCRETE_H

#include "prove.h"

typedef enum cc_result {
  CC_NO_PREMISE, /* the left side is undefined, a fact or the condition fails, or something raises */
  CC_HOLDS,
  CC_FAILS,
  CC_TOO_LARGE, /* an integer beyond some thousand bits */
  CC_NO_MEMORY
} cc_result;

/* The lanes of a graph of vectors: a list has its least value, its greatest, and its value. A constant
 * that has one value in all of them is a CONST. */
#define CC_MAX_LANES 3u
uint32_t cc_lanes(const pf_instance *i);

/* The point gives PF_ANY and the free constants a value, and terms with has_bounds their vmin and
 * vmax, lists their least and greatest value; other bounds are tight, or those of the sources' corners
 * (pf_point.loose). Functions without meaning (before, increasing, op(x) of any node) are `truth`; so is
 * whether a list is less than another, where that depends on the order of its values. */
cc_result cc_run(const pf_instance *i, const pf_point *at, bool truth);

/* Of a bounds rule, where the premises hold: the value and what is claimed. False: they don't. */
bool cc_claim(const pf_instance *i, const pf_point *at, mpz_t value, mpz_t lo, mpz_t hi);

/* Do the premises hold at the point, and are the terms up to `last` in range (pf_while)? */
bool cc_stays(const pf_instance *i, const pf_point *at, pf_id last);

/* A point with a value for every free term, all 0; bounds for every term that has a name. */
bool cc_point_new(const pf_instance *i, pf_point *out);

typedef struct cc_search {
  pf_point premise, failure; /* n == 0: none found */
} cc_search;
/* Tries `points` points, the same ones each time, and ends at the first failure that `accept` takes
 * (NULL: any). False: no memory. */
bool cc_try_points(const pf_instance *i, uint32_t points,
                   bool (*accept)(const pf_point *at, void *arg), void *arg, cc_search *out);
/* Is there one among so many points at which the terms up to `last` are in range? */
bool cc_somewhere_stays(const pf_instance *i, uint32_t points, pf_id last);
bool cc_point_copy(pf_point *to, const pf_point *from);

#endif
