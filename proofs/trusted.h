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
/* proved[r], up_rule_count(p) of them: all rows of rule r in the frame are proved by the cache, but
 * for choices without a meaning there, and one row at least is. Returns how many rules are, -1 when
 * memory ran out (err). */
int pf_trusted_rules(const up_profile *p, const pf_cache *c, or_frame f, bool *proved,
                     up_error *err);
/* A certifier by the committed verdicts in ideal. NULL: err. */
pf_certifier *pf_certifier_committed(const up_profile *p, up_error *err);
void pf_certifier_free(pf_certifier *k);
/* The certifier as a checker asks for it; k must outlive the checker's use of it. */
or_certifier pf_certifier_hooks(pf_certifier *k);

#endif
