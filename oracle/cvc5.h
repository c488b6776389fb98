/* uproof oracle: cvc5, where it is installed, as a process that is given SMT-LIB2 text. Private to
 * oracle/ and proofs/. */
#ifndef UPROOF_ORACLE_CVC5_H
#define UPROOF_ORACLE_CVC5_H

#include "engine/uop.h"

typedef enum cv_answer {
  CV_UNSAT,
  CV_SAT,
  CV_UNKNOWN,       /* it gave up, or was killed after `seconds` */
  CV_NOT_INSTALLED, /* no program of that name */
  CV_ERROR          /* anything else that it said, or a failure to run it; why */
} cv_answer;

#define CV_SECONDS 60
/* cvc5 counts its resources in units of its own: about this many a unit of Z3's in the same time. */
#define CV_PART 8u
/* The resource limit decides; the clock only ends a process that does not heed it. rest: what it says
 * behind its answer (to get-value), or NULL. why: 120 bytes. */
cv_answer cv_ask(const up_buf *query, uint32_t rlimit, uint32_t seconds, up_buf *rest, char *why);

#endif
