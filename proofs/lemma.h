/* uproof proofs: lemmas, what the native right sides of a profile's rules claim.
 *
 * A lemma is a rule of proofs/lemmas/, in the rule language, whose `from` names a native rule. All
 * lemmas of a native rule together are its obligation. How a lemma over two nodes speaks for sums of
 * any number of terms is said in lemmas/v0.11.0.rules.
 */
#ifndef UPROOF_LEMMA_H
#define UPROOF_LEMMA_H

#include "instance.h"

typedef struct pf_lemmas pf_lemmas;
/* The lemmas of a profile; a profile that has none gives an empty set. NULL: err says why. */
pf_lemmas *pf_lemmas_load(const char *profile, up_error *err);
void pf_lemmas_free(pf_lemmas *l);

/* A lemma: rule number `rule` of `book`, which pf_instances reads. */
typedef struct pf_lemma {
  const up_profile *profile; /* of lemmas alone, with the bounds of a release */
  const rulebook *book;
  uint32_t rule;
} pf_lemma;
/* The i-th lemma of the native rule with this name; false past the last. */
bool pf_lemma_at(const pf_lemmas *l, const char *rule, uint32_t i, pf_lemma *out);
/* Do all lemmas name a rule of this profile whose right side is native? Else err names one that does
 * not. */
bool pf_lemmas_fit(const pf_lemmas *l, const up_profile *p, up_error *err);

#endif
