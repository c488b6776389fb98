/* uproof proofs: are bounds rules optimal, the two ends reached by some operands? In ideal. */
#ifndef UPROOF_OPTIMAL_H
#define UPROOF_OPTIMAL_H

#include "prove.h"

typedef enum pf_optimality {
  PF_OPTIMAL, /* proved: whatever the bounds of the operands, each end is the value at some corner */
  PF_NOT_OPTIMAL,   /* a case is at hand: bounds at which no operands reach an end */
  PF_SEEMS_OPTIMAL, /* reached in all small boxes, but not by corners, or not known to be */
  PF_NO_BOUNDS      /* not a claim about operands with bounds, or no small box where it applies */
} pf_optimality;
const char *pf_optimality_name(pf_optimality o);

/* Of a bounds instance that is proved. out: the case, or what was looked at. */
pf_optimality pf_find_optimality(pf_prover *p, const pf_instance *i, up_buf *out);

#endif
