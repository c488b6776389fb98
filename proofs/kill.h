/* uproof proofs: what becomes of a mutant: the prover's word, and whether fuzzing finds it. */
#ifndef UPROOF_KILL_H
#define UPROOF_KILL_H

#include "oracle/oracle.h"

typedef struct pf_prover pf_prover; /* prove.h */
typedef struct pf_cache pf_cache;   /* ledger.h */

typedef enum pf_fate {
  PF_FATE_NO_RULE,     /* the text is none any more: an unbound name, a contradiction */
  PF_FATE_EQUIVALENT,  /* proved: a true rule, though another one */
  PF_FATE_REFUTED,     /* by a confirmed counterexample */
  PF_FATE_VACUOUS,     /* it never applies */
  PF_FATE_UNKNOWN,     /* no prover decided */
  PF_FATE_UNSUPPORTED, /* without meaning in the frame */
  PF_FATE_ERROR,
  PF_FATE_COUNT
} pf_fate;
const char *pf_fate_name(pf_fate f);

/* The one statement of a mutant (a rule or bound of another name than the base's), and of what it
 * claims beyond its rule (delta.h): n == 0: there is none, or the rule is not known to be proved. */
typedef struct pf_texts {
  const char *base; /* profile */
  const char *mutant, *delta;
  size_t nmutant, ndelta;
  const pf_cache *known; /* verdicts that need no proof any more; NULL: none */
} pf_texts;

/* The mutant's fate in ideal. Points first; then the delta, else the whole, is proved. why: 160 bytes,
 * the parser's complaint, the counterexample or the provers' reason. A prover whose effort is PF_PREMISES
 * says no more than "refuted" or "unknown". */
pf_fate pf_fate_of(const pf_texts *t, pf_prover *prover, char why[160]);

#endif
