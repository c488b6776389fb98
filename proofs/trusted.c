#include "trusted.h"

#include "certify.h"
#include "ledger.h"
#include <stdlib.h>
#include <string.h>

extern const up_embedded pf_embedded_verdicts[];
extern const unsigned pf_embedded_verdicts_count;

pf_cache *pf_cache_committed(up_error *err) {
  const up_embedded *e = pf_embedded_verdicts;
  return pf_cache_parse((const char *)e->text, pf_embedded_verdicts_count ? e->n : 0, err);
}

enum known { KNOWN_NOTHING, KNOWN_PROVED, KNOWN_OTHERWISE };

static void note_row(const up_profile *p, const pf_row *r, uint8_t *known) {
  int n = up_rule_find(p, r->rule);
  if (n < 0) return;
  bool proved = r->answered && r->verdict == PF_PROVED;
  bool outside = r->answered && r->verdict == PF_UNSUPPORTED;
  if (!proved && !outside) known[n] = KNOWN_OTHERWISE;
  if (proved && known[n] == KNOWN_NOTHING) known[n] = KNOWN_PROVED;
}

int pf_trusted_rules(const up_profile *p, const pf_cache *c, or_frame f, bool *proved,
                     up_error *err) {
  uint32_t n = up_rule_count(p);
  const pf_what what = {.frame = &f, .nframe = 1, .types = ~0u};
  pf_ledger *l = pf_ledger_new(p, &what, err);
  uint8_t *known = calloc(n + 1, 1);
  int count = -1;
  if (l && known) {
    pf_cache_answer(c, l, 0);
    for (uint32_t i = 0; i < pf_ledger_count(l); i++) note_row(p, pf_ledger_row(l, i), known);
    count = 0;
    for (uint32_t r = 0; r < n; r++) {
      proved[r] = known[r] == KNOWN_PROVED;
      count += proved[r];
    }
  } else if (l) {
    up_fail(err, 0, 0, "out of memory");
  }
  free(known);
  pf_ledger_free(l);
  return count;
}

pf_certifier *pf_certifier_committed(const up_profile *p, up_error *err) {
  pf_cache *c = pf_cache_committed(err);
  bool *proved = c ? calloc(up_rule_count(p) + 1, sizeof *proved) : NULL;
  pf_certifier *k = NULL;
  if (proved && pf_trusted_rules(p, c, OR_IDEAL, proved, err) >= 0) {
    k = pf_certifier_new(p, proved);
    if (!k) up_fail(err, 0, 0, "out of memory");
  } else if (c && !proved) {
    up_fail(err, 0, 0, "out of memory");
  }
  free(proved);
  pf_cache_free(c);
  return k;
}
