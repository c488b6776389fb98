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

static void note_row(const up_profile *p, const pf_row *r, pf_standing *standing) {
  int n = up_rule_find(p, r->rule);
  if (n < 0) return;
  pf_standing s = PF_STANDS_OPEN;
  if (r->answered && r->verdict == PF_UNSUPPORTED) return;
  if (r->answered && r->verdict == PF_PROVED) s = PF_STANDS_PROVED;
  if (r->answered && r->verdict == PF_REFUTED) s = PF_STANDS_REFUTED;
  if (s > standing[n]) standing[n] = s;
}

bool pf_standings(const up_profile *p, const pf_cache *c, or_frame f, pf_standing *standing,
                  up_error *err) {
  const pf_what what = {.frame = &f, .nframe = 1, .types = ~0u};
  pf_ledger *l = pf_ledger_new(p, &what, err);
  if (!l) return false;
  pf_cache_answer(c, l, 0);
  for (uint32_t r = 0; r < up_rule_count(p); r++) standing[r] = PF_STANDS_UNASKED;
  for (uint32_t i = 0; i < pf_ledger_count(l); i++) note_row(p, pf_ledger_row(l, i), standing);
  pf_ledger_free(l);
  return true;
}

int pf_trusted_rules(const up_profile *p, const pf_cache *c, or_frame f, bool *proved,
                     up_error *err) {
  uint32_t n = up_rule_count(p);
  pf_standing *standing = calloc(n + 1, sizeof *standing);
  int count = -1;
  if (!standing) {
    up_fail(err, 0, 0, "out of memory");
  } else if (pf_standings(p, c, f, standing, err)) {
    count = 0;
    for (uint32_t r = 0; r < n; r++) count += proved[r] = standing[r] == PF_STANDS_PROVED;
  }
  free(standing);
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
