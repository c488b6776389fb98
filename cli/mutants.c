#include "cli/mutants.h"

#include "cli/alone.h"
#include "proofs/delta.h"
#include "proofs/ledger.h"
#include "proofs/trusted.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CASE_BYTES 256u

/* ---- making ---------------------------------------------------------------------------------- */

typedef struct maker {
  cl_mutants *all;
  const char *only; /* this rule, or NULL */
  uint64_t every, seen;
  uint32_t cap;
  bool *proved;            /* by rule: its own proof is part of the program */
  const char *file, *text; /* that is being mutated */
  size_t ntext;
  const char *symbolic; /* the text of the rewrite rules */
  size_t nsymbolic;
} maker;

static bool is_bound(const char *name) { return strncmp(name, "bound_", 6) == 0; }
/* A bounds rule is told apart from that of the profile by its name, and is tried before it. */
static const char *name_of(const char *name) { return is_bound(name) ? "bound_mutant" : name; }

/* A native rule is what its lemmas are, whatever its condition. */
static bool put_delta(const maker *k, const pf_mutant *m, cl_mutant *out) {
  const up_profile *p = k->all->profile;
  int n = up_rule_find(p, m->rule);
  out->native = n >= 0 && up_rule_at(p, (uint32_t)n).native;
  out->proved = n >= 0 && k->proved[n] && !out->native;
  if (!pf_delta(m, k->text, name_of(m->rule), &out->delta)) out->delta.len = 0;
  return !out->delta.no_memory;
}

static bool put_texts(const maker *k, const pf_mutant *m, cl_mutant *out) {
  if (!pf_mutant_statement(m, k->text, name_of(m->rule), &out->statement)) return false;
  if (!put_delta(k, m, out)) return false;
  if (!is_bound(m->rule)) return pf_mutant_text(m, k->text, k->ntext, &out->rules);
  up_buf_put(&out->rules, k->symbolic, k->nsymbolic);
  up_buf_puts(&out->rules, "\n");
  up_buf_put(&out->rules, out->statement.p, out->statement.len);
  return !out->rules.no_memory;
}

static bool take_mutant(const pf_mutant *m, void *arg) {
  maker *k = arg;
  cl_mutants *all = k->all;
  if (k->only && strcmp(k->only, m->rule) != 0) return true;
  if (k->seen++ % k->every != 0) return true;
  if (all->n == k->cap) {
    uint32_t cap = k->cap ? 2 * k->cap : 256;
    cl_mutant *p = realloc(all->m, cap * sizeof *p);
    if (!p) return false;
    all->m = p;
    k->cap = cap;
  }
  cl_mutant *out = &all->m[all->n++];
  *out = (cl_mutant){.line = m->line, .col = m->col, .file = k->file};
  snprintf(out->rule, sizeof out->rule, "%s", m->rule);
  snprintf(out->what, sizeof out->what, "%.60s", m->what);
  return put_texts(k, m, out);
}

static bool find_proved(maker *k) {
  up_error err = {0};
  const up_profile *p = k->all->profile;
  k->all->verdicts = pf_cache_committed(&err);
  k->proved = calloc(up_rule_count(p) + 1, sizeof *k->proved);
  bool ok = k->all->verdicts && k->proved &&
            pf_trusted_rules(p, k->all->verdicts, OR_IDEAL, k->proved, &err) >= 0;
  return ok || cl_usage("mutants: %s", err.msg[0] ? err.msg : "out of memory");
}

/* Of all texts that rules of the profile come from. */
static bool make_all(maker *k) {
  const up_profile *p = k->all->profile;
  const char *last = NULL;
  if (!find_proved(k)) return false;
  for (uint32_t i = 0; i < up_rule_count(p); i++) {
    const char *file = up_rule_at(p, i).file;
    if (last && strcmp(last, file) == 0) continue;
    last = k->file = file;
    k->text = up_rule_text(file, &k->ntext);
    if (!k->text) return cl_usage("mutants: %s has no text in this build", file);
    if (!k->symbolic) {
      k->symbolic = k->text;
      k->nsymbolic = k->ntext;
    }
    if (!pf_mutants(k->text, k->ntext, take_mutant, k)) return cl_usage("mutants: out of memory");
  }
  return true;
}

bool cl_mutants_make(cl_mutants *all, const up_profile *p, const char *rule_name, uint64_t every) {
  *all = (cl_mutants){.profile = p};
  maker k = {.all = all, .only = rule_name, .every = every};
  bool ok = make_all(&k);
  free(k.proved);
  return ok;
}

void cl_mutants_free(cl_mutants *all) {
  for (uint32_t i = 0; i < all->n; i++) {
    up_buf_free(&all->m[i].statement);
    up_buf_free(&all->m[i].rules);
    up_buf_free(&all->m[i].delta);
  }
  free(all->m);
  pf_cache_free(all->verdicts);
}

/* ---- judging --------------------------------------------------------------------------------- */

pf_fate cl_mutant_fate(const cl_mutants *all, const cl_mutant *m, pf_prover *prover,
                       char why[160]) {
  const pf_texts t = {.base = up_profile_base(all->profile),
                      .mutant = m->statement.p,
                      .nmutant = m->statement.len,
                      .delta = m->delta.p,
                      .ndelta = m->proved ? m->delta.len : 0,
                      .known = all->verdicts};
  return pf_fate_of(&t, prover, why);
}

up_profile *cl_mutant_profile(const cl_mutants *all, const cl_mutant *m, bool alone,
                              uint32_t *number, up_error *err) {
  char name[128];
  const char *base = up_profile_base(all->profile);
  int of = up_rule_find(all->profile, m->rule);
  const up_ruleset *set = of < 0 ? NULL : up_profile_set_of(all->profile, (uint32_t)of);
  if (!set) set = up_profile_chosen(all->profile);
  snprintf(name, sizeof name, "%s/%s", base, up_ruleset_name(set));
  const up_buf *text = alone ? &m->statement : &m->rules;
  up_profile *p = up_profile_parse(alone ? base : name, text->p, text->len, err);
  int at = p ? up_rule_find(p, name_of(m->rule)) : -1;
  *number = at < 0 ? 0 : (uint32_t)at;
  return p;
}

up_profile *cl_mutant_delta(const cl_mutants *all, const cl_mutant *m, uint32_t *number,
                            up_error *err) {
  if (m->delta.len == 0) return NULL;
  up_profile *p = up_profile_parse(up_profile_base(all->profile), m->delta.p, m->delta.len, err);
  int at = p ? up_rule_find(p, name_of(m->rule)) : -1;
  if (at >= 0) *number = (uint32_t)at;
  if (at < 0) up_profile_free(p);
  return at < 0 ? NULL : p;
}

/* ---- fuzzing --------------------------------------------------------------------------------- */

/* In the context of the delta, and taken over from there. */
static up_node graph_of_delta(up_ctx *c, up_ctx *delta, const cl_fuzzing *how, const fz_opts *o,
                              uint64_t seed) {
  up_ctx_reset(delta);
  up_node n = fz_instance(delta, o, how->at_delta, seed);
  return up_is_none(n) ? n : up_copy(c, delta, n);
}

typedef struct fuzzing {
  or_checker *k;
  up_ctx *c, *delta; /* delta: NULL, or of the delta's profile */
  cl_alone alone;
} fuzzing;

/* Case number i. */
static up_node graph_of(fuzzing *z, const cl_fuzzing *how, uint64_t i) {
  uint8_t bytes[CASE_BYTES];
  fz_opts o = fz_opts_default();
  up_ctx *c = z->c;
  bool aimed = how->number != FZ_ANY_RULE;
  uint64_t seed = how->seed * UINT64_C(0x9E3779B97F4A7C15) + i;
  o.rare = aimed || i / 2 % FZ_RARE_EVERY == 0;
  o.floors = fz_floors_of(up_ctx_profile(c));
  up_ctx_reset(c);
  up_ctx_choose(c, NULL);
  if (z->delta && i % 4) return graph_of_delta(c, z->delta, how, &o, seed);
  if (!aimed && cl_alone_is(&z->alone, i)) {
    o.rare = i / CL_ALONE_EVERY % FZ_RARE_EVERY == 0;
    up_node made = cl_alone_graph(&z->alone, c, &o, i, seed);
    if (!up_is_none(made)) return made;
    up_ctx_reset(c);
  }
  if (aimed || i % 2) {
    up_node made = fz_instance(c, &o, how->number, seed);
    if (aimed || !up_is_none(made)) return made;
    up_ctx_reset(c);
  }
  return fz_decode(c, &o, bytes, fz_case_bytes(how->seed, i, bytes, sizeof bytes));
}

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* In ideal, by samples and small boxes. */
static or_checker *sampler_new(void) {
  or_limits l = or_limits_default();
  l.solver_rlimit = 0;
  l.max_points = 1024;
  return or_checker_new(&l);
}

/* Graph number h->tried; true: that is enough. */
static bool look(or_checker *k, up_ctx *c, up_node root, const cl_fuzzing *how, cl_hit *h) {
  or_report r = {0};
  if (!up_is_none(root)) cl_alone_check(k, c, root, OR_IDEAL, &r);
  bool found = r.nfindings > 0, enough = found;
  if (found && !h->found) {
    h->found = true;
    h->kind = r.finding[0].kind;
    h->graph = h->tried;
  }
  if (found && how && how->go_on) enough = !how->go_on(c, &r.finding[0], how->arg);
  h->tried++;
  or_report_clear(&r);
  return enough;
}

cl_hit cl_mutant_fuzz(const up_profile *p, const cl_fuzzing *how) {
  fuzzing z = {
      .k = sampler_new(), .c = up_ctx_new(p), .delta = how->delta ? up_ctx_new(how->delta) : NULL};
  bool ok = cl_alone_open(&z.alone, p) && z.k && z.c;
  cl_hit h = {.tried = how->from};
  double from = processor_seconds();
  while (ok && h.tried < how->runs && !*how->stop) {
    bool enough = look(z.k, z.c, graph_of(&z, how, h.tried), how, &h);
    h.seconds = processor_seconds() - from;
    if (enough || (how->seconds > 0 && h.seconds > how->seconds)) break;
  }
  up_ctx_free(z.delta);
  up_ctx_free(z.c);
  cl_alone_close(&z.alone);
  or_checker_free(z.k);
  return h;
}

cl_hit cl_mutant_check(const up_profile *p, const up_ctx *of, const up_list *graphs,
                       const volatile bool *stop) {
  or_checker *k = sampler_new();
  up_ctx *c = up_ctx_new(p);
  cl_hit h = {0};
  double from = processor_seconds();
  while (k && c && h.tried < graphs->n && !*stop) {
    up_ctx_reset(c);
    if (look(k, c, up_copy(c, of, graphs->p[h.tried]), NULL, &h)) break;
  }
  h.seconds = processor_seconds() - from;
  up_ctx_free(c);
  or_checker_free(k);
  return h;
}
