/* uproof proofs: cvc5, where it is installed, as a process that is given SMT-LIB2 text. Private to
 * proofs/. */
#ifndef UPROOF_PROOFS_CVC5_H
#define UPROOF_PROOFS_CVC5_H

#include "engine/uop.h"

typedef enum cv_answer {
  CV_UNSAT,
  CV_SAT,
  CV_UNKNOWN,       /* it gave up, or was killed after CV_SECONDS */
  CV_NOT_INSTALLED, /* no program of that name */
  CV_ERROR          /* anything else that it said, or a failure to run it; why */
} cv_answer;

/* The resource limit decides; the clock only ends a process that does not heed it. */
#define CV_SECONDS 60
/* why: 120 bytes. */
cv_answer cv_ask(const up_buf *query, uint32_t rlimit, char *why);

#endif
