/* uproof proofs: the verdicts that are part of the program, as a certifier.
 *
 * proofs/verdicts.txt is the committed cache (ledger.h). A rule is trusted in a frame when every
 * obligation of it there is proved in that file, under the hash of what the obligation says now:
 * after a change of the rule's text, of a lemma or of native code there is no such line, and the rule
 * is not trusted until it has been proved again.
 */
#ifndef UPROOF_TRUSTED_H
#define UPROOF_TRUSTED_H

#include "oracle/oracle.h"

typedef struct pf_cache pf_cache;         /* ledger.h */
typedef struct pf_certifier pf_certifier; /* certify.h */

/* The committed cache. NULL: err. */
pf_cache *pf_cache_committed(up_error *err);
/* What the cache says of a rule in a frame: the worst of its rows there, but for choices without a meaning
 * (unasked: there are no others). Open: neither proved nor refuted, or not in the cache. */
typedef enum pf_standing {
  PF_STANDS_UNASKED,
  PF_STANDS_PROVED,
  PF_STANDS_OPEN,
  PF_STANDS_REFUTED,
} pf_standing;
/* standing[r], up_rule_count(p) of them. False: no memory (err). */
bool pf_standings(const up_profile *p, const pf_cache *c, or_frame f, pf_standing *standing,
                  up_error *err);
/* proved[r]: rule r is. Returns how many are, -1 when memory ran out (err). */
int pf_trusted_rules(const up_profile *p, const pf_cache *c, or_frame f, bool *proved,
                     up_error *err);
/* A certifier by the committed verdicts in ideal. NULL: err. */
pf_certifier *pf_certifier_committed(const up_profile *p, up_error *err);
void pf_certifier_free(pf_certifier *k);
/* The certifier as a checker asks for it; k must outlive the checker's use of it. */
or_certifier pf_certifier_hooks(pf_certifier *k);

#endif
