/* uproof proofs: a solver session. Private to proofs/. */
#ifndef UPROOF_PROOFS_PROVER_H
#define UPROOF_PROOFS_PROVER_H

#include "oracle/z3ctx.h"
#include "prove.h"

struct pf_prover {
  pf_limits limits;
  z3_session z;
};

/* An answer without a model: by and why (both may be NULL) are kept as they are told. */
pf_answer pf_answer_of(pf_verdict v, const char *by, const char *why);

#endif
