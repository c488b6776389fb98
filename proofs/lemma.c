#include "lemma.h"

#include <stdlib.h>
#include <string.h>

extern const up_embedded pf_embedded_lemmas[];
extern const unsigned pf_embedded_lemmas_count;

#define MAX_TEXTS 3u
/* Which texts speak for a profile. Where two have lemmas of one rule, those of the later text count.
 */
typedef struct lemma_texts {
  const char *profile;
  const char *text[MAX_TEXTS];
} lemma_texts;

static const lemma_texts texts[] = {
    {"v0.10.0", {"v0.10.0.rules"}},
    {"v0.11.0", {"v0.11.0.rules"}},
    {"v0.11.0:correct-divmod", {"v0.11.0.rules", "v0.11.0-correct-divmod.rules"}},
    {"sound", {"sound.rules"}},
};

struct pf_lemmas {
  up_profile *of[MAX_TEXTS]; /* one a text */
  unsigned n;
};

static const up_embedded *find_text(const char *name) {
  for (unsigned i = 0; i < pf_embedded_lemmas_count; i++)
    if (strcmp(pf_embedded_lemmas[i].name, name) == 0) return &pf_embedded_lemmas[i];
  return NULL;
}

static bool add_text(pf_lemmas *l, const char *name, up_error *err) {
  const up_embedded *t = find_text(name);
  if (!t) return up_fail(err, 0, 0, "lemmas %s are not part of this build", name);
  up_error e = {0};
  up_profile *p = up_profile_parse("v0.11.0", (const char *)t->text, t->n, &e);
  if (!p) return up_fail(err, e.line, e.col, "lemmas %s: %s", name, e.msg);
  l->of[l->n++] = p;
  return true;
}

pf_lemmas *pf_lemmas_load(const char *profile, up_error *err) {
  pf_lemmas *l = calloc(1, sizeof *l);
  if (!l) {
    up_fail(err, 0, 0, "out of memory");
    return NULL;
  }
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (strcmp(texts[i].profile, profile) != 0) continue;
    for (unsigned k = 0; k < MAX_TEXTS && texts[i].text[k]; k++) {
      if (add_text(l, texts[i].text[k], err)) continue;
      pf_lemmas_free(l);
      return NULL;
    }
  }
  return l;
}

void pf_lemmas_free(pf_lemmas *l) {
  if (!l) return;
  for (unsigned i = 0; i < l->n; i++) up_profile_free(l->of[i]);
  free(l);
}

static bool is_of(const rule *r, const char *name) {
  return r->kind == UP_RULE_REWRITE && r->from && strcmp(r->from, name) == 0;
}

bool pf_lemma_at(const pf_lemmas *l, const char *name, uint32_t i, pf_lemma *out) {
  for (unsigned t = l->n; t-- > 0;) {
    const rulebook *b = &l->of[t]->book;
    uint32_t seen = 0;
    for (uint32_t k = 0; k < b->nrule; k++) {
      if (!is_of(&b->rule[k], name) || seen++ != i) continue;
      *out = (pf_lemma){l->of[t], b, k};
      return true;
    }
    if (seen) return false;
  }
  return false;
}

bool pf_lemmas_fit(const pf_lemmas *l, const up_profile *p, up_error *err) {
  for (unsigned t = 0; t < l->n; t++) {
    const rulebook *b = &l->of[t]->book;
    for (uint32_t k = 0; k < b->nrule; k++) {
      const rule *r = &b->rule[k];
      if (r->kind != UP_RULE_REWRITE) continue;
      int of = r->from ? up_rule_find(p, r->from) : -1;
      if (of < 0 || !up_rule_at(p, (uint32_t)of).native)
        return up_fail(err, r->line, r->col, "lemma %s is from no native rule of %s", r->name,
                       up_profile_name(p));
    }
  }
  return true;
}
