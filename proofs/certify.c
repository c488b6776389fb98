#include "certify.h"

#include <stdlib.h>
#include <string.h>

enum claim { CLAIM_NEW, CLAIM_HOLDS, CLAIM_DECLINED };

struct pf_certifier {
  const up_profile *profile;
  bool *proved;   /* by rule */
  uint8_t *claim; /* by node id: enum claim */
  uint32_t ncap;
  up_list stack;
};

pf_certifier *pf_certifier_new(const up_profile *p, const bool *proved) {
  uint32_t n = up_rule_count(p);
  pf_certifier *k = calloc(1, sizeof *k);
  if (k) k->proved = malloc(n + 1);
  if (!k || !k->proved) {
    free(k);
    return NULL;
  }
  memcpy(k->proved, proved, n * sizeof *proved);
  k->profile = p;
  return k;
}

void pf_certifier_free(pf_certifier *k) {
  if (!k) return;
  up_list_free(&k->stack);
  free(k->claim);
  free(k->proved);
  free(k);
}

void pf_certifier_forget(pf_certifier *k) {
  if (k->claim) memset(k->claim, CLAIM_NEW, k->ncap);
}

/* ---- claims ------------------------------------------------------------------------------------- */

static bool cover(pf_certifier *k, uint32_t id) {
  if (id < k->ncap) return true;
  uint32_t cap = id + id / 2 + 64;
  uint8_t *p = realloc(k->claim, cap);
  if (!p) return false;
  memset(p + k->ncap, CLAIM_NEW, cap - k->ncap);
  k->claim = p;
  k->ncap = cap;
  return true;
}

static bool claimed(up_ctx *c, up_node n, cf_range *out) {
  up_bounds b = up_minmax(c, n);
  if (up_ctx_status(c) != UP_OK || b.lo.is_float || b.hi.is_float) return false;
  if (!up_int_fits(b.lo.i) || !up_int_fits(b.hi.i)) return false;
  *out = (cf_range){b.lo.i.lo, b.hi.i.lo};
  return true;
}

static bool gives_ends(cf_match *m, void *arg) {
  const cf_range *claim = arg;
  cf_int lo, hi;
  if (!cf_eval(m, m->rule->lo, &lo) || !cf_eval(m, m->rule->hi, &hi)) return false;
  return lo == claim->lo && hi == claim->hi;
}

/* The claims of all nodes below n are judged. */
static bool judge_claim(pf_certifier *k, up_ctx *c, up_node n) {
  cf_range claim;
  if (!claimed(c, n, &claim)) return false;
  int r = up_minmax_rule(c, n);
  if (r < 0 || !k->proved[r]) return false;
  cf_match m = {
      .c = c, .k = k, .book = &k->profile->book, .rule = &k->profile->book.rule[r], .root = n};
  return cf_match_rule(&m, gives_ends, &claim);
}

static bool push_new_sources(pf_certifier *k, up_ctx *c, up_node n, bool *pushed) {
  *pushed = false;
  for (uint32_t i = 0; i < up_nsrc(c, n); i++) {
    up_node s = up_src(c, n, i);
    if (k->claim[s.id] != CLAIM_NEW) continue;
    *pushed = true;
    if (!up_list_push(&k->stack, s)) return false;
  }
  return true;
}

/* Sources before users: sources have smaller ids, so one cover does for all. */
static bool judge_below(pf_certifier *k, up_ctx *c, up_node root) {
  bool pushed;
  if (!cover(k, root.id)) return false;
  if (k->claim[root.id] != CLAIM_NEW) return true;
  k->stack.n = 0;
  bool ok = up_list_push(&k->stack, root);
  while (ok && k->stack.n > 0) {
    up_node n = k->stack.p[k->stack.n - 1];
    ok = push_new_sources(k, c, n, &pushed);
    if (pushed) continue;
    k->stack.n--;
    if (k->claim[n.id] != CLAIM_NEW) continue;
    k->claim[n.id] = CLAIM_DECLINED; /* while it is judged it is no ground for itself */
    if (judge_claim(k, c, n)) k->claim[n.id] = CLAIM_HOLDS;
  }
  return ok;
}

/* Proofs take a bool's claim to be within 0 and 1. That of a variable whose range is declared wider is
 * right, and no premise. */
static bool premise(up_ctx *c, up_node n, cf_range *out) {
  if (!claimed(c, n, out)) return false;
  return !up_dt_is_bool(up_dtype_of(c, n)) || (out->lo >= 0 && out->hi <= 1);
}

bool cf_bounds(pf_certifier *k, up_ctx *c, up_node n, cf_range *out) {
  if (n.id < k->ncap && k->claim[n.id] != CLAIM_NEW)
    return k->claim[n.id] == CLAIM_HOLDS && premise(c, n, out);
  return judge_below(k, c, n) && k->claim[n.id] == CLAIM_HOLDS && premise(c, n, out);
}

bool pf_certify_bounds(pf_certifier *k, up_ctx *c, up_node root) {
  if (!judge_below(k, c, root) || k->claim[root.id] != CLAIM_HOLDS) return false;
  up_list topo = {0};
  bool ok = up_toposort(c, root, &topo);
  for (uint32_t i = 0; ok && i < topo.n; i++) ok = k->claim[topo.p[i].id] == CLAIM_HOLDS;
  up_list_free(&topo);
  return ok;
}

/* ---- steps -------------------------------------------------------------------------------------- */

static bool gives_after(cf_match *m, void *arg) {
  const up_node *after = arg;
  return cf_builds(m, m->rule->rhs, *after);
}

bool pf_certify_step(pf_certifier *k, up_ctx *c, const up_step *s) {
  if (s->rule < 0) return false;
  /* an operation on constants is computed here: no word of the rule's is taken */
  if (cf_folds(c, s->before, s->after)) return true;
  if (!k->proved[s->rule]) return false;
  if (up_same(s->before, s->after)) return true;
  if (up_dtype_of(c, s->before) != up_dtype_of(c, s->after)) return false;
  cf_match m = {.c = c,
                .k = k,
                .book = &k->profile->book,
                .rule = &k->profile->book.rule[s->rule],
                .root = s->before};
  if (m.rule->kind != UP_RULE_REWRITE) return false; /* a rule of bounds makes no node */
  if (m.rule->native) return cf_native_step(k, c, s->before, s->after);
  up_node after = s->after;
  return cf_match_rule(&m, gives_after, &after);
}

/* ---- for a checker ------------------------------------------------------------------------------ */

static void hook_begin(void *arg) { pf_certifier_forget(arg); }
static bool hook_step(void *arg, up_ctx *c, const up_step *s) { return pf_certify_step(arg, c, s); }
static bool hook_bounds(void *arg, up_ctx *c, up_node root) {
  return pf_certify_bounds(arg, c, root);
}

or_certifier pf_certifier_hooks(pf_certifier *k) {
  return (or_certifier){k, hook_begin, hook_step, hook_bounds};
}
