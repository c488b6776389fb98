#include "cli/corpus.h"
#include "fuzz/gen.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define PROFILES 8u
#define BUCKETS                                                                                    \
  8u /* of how often a rule applies: 1, 2, 3, 4 to 7, 8, 16, 32 and 128 times or more */
/* A rule's things: the buckets, a node of its shape, its conjuncts. */
#define THINGS (BUCKETS + 1u + UP_MAX_CONJUNCTS)

/* One profile. */
typedef struct part {
  up_profile *profile;
  up_ctx *c;
  uint8_t *hits; /* of the input at hand, one a rule */
  bool *seen;    /* THINGS a rule */
} part;

struct cp_reach {
  const char *only;
  part of[PROFILES];
  uint32_t count, rules;
};

cp_reach *cp_reach_new(const char *profile) {
  cp_reach *r = calloc(1, sizeof *r);
  if (r) r->only = profile;
  return r;
}

void cp_reach_free(cp_reach *r) {
  for (unsigned i = 0; r && i < PROFILES; i++) {
    up_ctx_free(r->of[i].c);
    up_profile_free(r->of[i].profile);
    free(r->of[i].hits);
    free(r->of[i].seen);
  }
  free(r);
}

uint32_t cp_reach_rules(const cp_reach *r) { return r->rules; }
uint32_t cp_reach_count(const cp_reach *r) { return r->count; }

static part *part_of(cp_reach *r, unsigned choice) {
  unsigned known = 0, i;
  while (known < PROFILES && up_profile_known(known)) known++;
  i = r->only ? 0 : choice % known;
  part *p = &r->of[i];
  if (p->c) return p;
  up_error e = {0};
  p->profile = up_profile_load(r->only ? r->only : up_profile_known(i), &e);
  if (!p->profile) return NULL;
  uint32_t rules = up_rule_count(p->profile);
  p->hits = calloc(rules + 1, 1);
  p->seen = calloc((size_t)(rules + 1) * THINGS, sizeof *p->seen);
  p->c = p->hits && p->seen ? up_ctx_new(p->profile) : NULL;
  return p->c ? p : NULL;
}

static unsigned bucket(uint8_t hits) {
  static const uint8_t least[] = {2, 3, 4, 8, 16, 32, 128};
  unsigned b = 0;
  while (b < sizeof least && hits >= least[b]) b++;
  return b;
}

static bool is_new(cp_reach *r, bool *seen) {
  if (*seen) return false;
  *seen = true;
  r->count++;
  return true;
}

/* How far a rule that never applied gets at the nodes that there are. */
static uint32_t note_probe(cp_reach *r, part *p, uint32_t rule, bool *seen) {
  up_rule_probe probe = {0};
  uint32_t fresh = 0, nodes = up_ctx_node_count(p->c);
  for (uint32_t id = 1; id <= nodes; id++) up_rule_explain(p->c, rule, (up_node){id}, &probe);
  if (probe.matches) fresh += is_new(r, &seen[BUCKETS]);
  for (uint32_t j = 0; j < UP_MAX_CONJUNCTS; j++)
    if (probe.held[j]) fresh += is_new(r, &seen[BUCKETS + 1 + j]);
  return fresh;
}

static bool has_applied(const bool *seen) {
  for (unsigned b = 0; b < BUCKETS; b++)
    if (seen[b]) return true;
  return false;
}

static uint32_t note_all(cp_reach *r, part *p) {
  uint32_t fresh = 0;
  for (uint32_t i = 0; i < up_rule_count(p->profile); i++) {
    bool *seen = &p->seen[(size_t)i * THINGS];
    bool had = has_applied(seen);
    if (p->hits[i]) fresh += is_new(r, &seen[bucket(p->hits[i])]);
    if (p->hits[i] && !had) r->rules++;
    if (!p->hits[i] && !had) fresh += note_probe(r, p, i, seen);
  }
  return fresh;
}

uint32_t cp_reach_add(cp_reach *r, const cp_input *input) {
  fz_input in = fz_input_of(input->bytes, input->n);
  part *p = part_of(r, fz_choice_profile(in.choice));
  fz_opts o = fz_opts_default();
  up_list topo = {0};
  if (!p) return 0;
  up_ctx_reset(p->c);
  memset(p->hits, 0, up_rule_count(p->profile));
  up_node root = fz_decode(p->c, &o, in.graph, in.n);
  if (up_is_none(root) || !up_toposort(p->c, root, &topo)) return 0;
  up_ctx_hits(p->c, p->hits);
  for (uint32_t i = 0; i < topo.n; i++) up_minmax(p->c, topo.p[i]);
  up_ctx_clear_status(p->c);
  cl_rewrite(p->c, root, 0, NULL, NULL);
  up_ctx_clear_status(p->c);
  up_ctx_hits(p->c, NULL);
  up_list_free(&topo);
  return note_all(r, p);
}
