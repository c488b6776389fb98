/* uproof mutate: all single mutants of a profile's rules, and which layer catches which. */
#include "cli/cli.h"
#include "cli/jobs.h"
#include "fuzz/instance.h"
#include "proofs/delta.h"
#include "proofs/kill.h"
#include "proofs/ledger.h"
#include "proofs/mutant.h"
#include "proofs/prove.h"
#include "proofs/trusted.h"
#include <stdlib.h>
#include <string.h>

#define CASE_BYTES 256u

typedef struct mutate_args {
  cl_common common;
  const char *rule;
  uint64_t runs, aimed, every;
  bool each;
} mutate_args;

#define AT(field) offsetof(mutate_args, field)
static const cl_option options[] = {
    {"--rule", "NAME", CL_TEXT, AT(rule), NULL, "mutants of this rule alone"},
    {"--every", "N", CL_COUNT, AT(every), "1", "one mutant of so many"},
    {"--runs", "N", CL_COUNT, AT(runs), "20000",
     "graphs of a campaign that a mutant is tried with; 0: none"},
    {"--aimed", "N", CL_COUNT, AT(aimed), "2000", "graphs made around the mutant itself; 0: none"},
    {"--each", NULL, CL_FLAG, AT(each), NULL, "a line for each mutant, caught ones too"},
};
#undef AT

/* A mutant, as text: its statement alone, and the rules of the profile with it in place. */
typedef struct mutant {
  char rule[64], what[64];
  unsigned line, col;
  const char *file;
  up_buf statement, rules;
  up_buf delta; /* len == 0: none */
} mutant;

typedef struct mutation {
  const mutate_args *a;
  const up_profile *profile;
  pf_cache *verdicts; /* that are part of the program, */
  bool *proved;       /* and by rule of the profile, whether they prove it */
  mutant *m;
  uint32_t n, cap, seen;
  const char *file, *text; /* that is being mutated */
  size_t ntext;
  const char *symbolic; /* the text of the rewrite rules */
  size_t nsymbolic;
  bool no_memory;
} mutation;

/* ---- the mutants ----------------------------------------------------------------------------- */

static bool is_bound(const char *name) { return strncmp(name, "bound_", 6) == 0; }
/* A bounds rule is told apart from that of the profile by its name, and is tried before it. */
static const char *name_of(const char *name) { return is_bound(name) ? "bound_mutant" : name; }

/* Of a rule that is proved. A native one is what its lemmas are, whatever its condition. */
static bool put_delta(const mutation *z, const pf_mutant *m, const char *name, mutant *out) {
  int n = up_rule_find(z->profile, m->rule);
  if (n < 0 || !z->proved[n] || up_rule_at(z->profile, (uint32_t)n).native) return true;
  if (!pf_delta(m, z->text, name, &out->delta)) out->delta.len = 0;
  return !out->delta.no_memory;
}

static bool put_texts(mutation *z, const pf_mutant *m, mutant *out) {
  const char *name = name_of(m->rule);
  if (!pf_mutant_statement(m, z->text, name, &out->statement)) return false;
  if (!put_delta(z, m, name, out)) return false;
  if (!is_bound(m->rule)) return pf_mutant_text(m, z->text, z->ntext, &out->rules);
  up_buf_put(&out->rules, z->symbolic, z->nsymbolic);
  up_buf_puts(&out->rules, "\n");
  up_buf_put(&out->rules, out->statement.p, out->statement.len);
  return !out->rules.no_memory;
}

static bool take_mutant(const pf_mutant *m, void *arg) {
  mutation *z = arg;
  if (z->a->rule && strcmp(z->a->rule, m->rule) != 0) return true;
  if (z->seen++ % z->a->every != 0) return true;
  if (z->n == z->cap) {
    uint32_t cap = z->cap ? 2 * z->cap : 256;
    mutant *p = realloc(z->m, cap * sizeof *p);
    if (!p) return false;
    z->m = p;
    z->cap = cap;
  }
  mutant *out = &z->m[z->n++];
  *out = (mutant){.line = m->line, .col = m->col, .file = z->file};
  snprintf(out->rule, sizeof out->rule, "%s", m->rule);
  snprintf(out->what, sizeof out->what, "%.60s", m->what);
  return put_texts(z, m, out);
}

static bool find_proved(mutation *z) {
  up_error err = {0};
  pf_cache *c = z->verdicts = pf_cache_committed(&err);
  z->proved = calloc(up_rule_count(z->profile) + 1, sizeof *z->proved);
  bool ok = c && z->proved && pf_trusted_rules(z->profile, c, OR_IDEAL, z->proved, &err) >= 0;
  if (!ok) cl_usage("mutate: %s", err.msg[0] ? err.msg : "out of memory");
  return ok;
}

/* All texts that rules of the profile come from. */
static bool collect(mutation *z) {
  const char *last = NULL;
  if (!find_proved(z)) return false;
  for (uint32_t i = 0; i < up_rule_count(z->profile); i++) {
    const char *file = up_rule_at(z->profile, i).file;
    if (last && strcmp(last, file) == 0) continue;
    last = z->file = file;
    z->text = up_rule_text(file, &z->ntext);
    if (!z->text) return cl_usage("mutate: %s has no text in this build", file);
    if (!z->symbolic) {
      z->symbolic = z->text;
      z->nsymbolic = z->ntext;
    }
    if (!pf_mutants(z->text, z->ntext, take_mutant, z)) return cl_usage("mutate: out of memory");
  }
  if (z->n == 0) return cl_usage("mutate: no rule '%s'", z->a->rule ? z->a->rule : "");
  return true;
}

static void free_mutants(mutation *z) {
  for (uint32_t i = 0; i < z->n; i++) {
    up_buf_free(&z->m[i].statement);
    up_buf_free(&z->m[i].rules);
    up_buf_free(&z->m[i].delta);
  }
  free(z->m);
  free(z->proved);
  pf_cache_free(z->verdicts);
}

/* ---- a worker -------------------------------------------------------------------------------- */

/* What shows that a mutant is wrong. */
typedef struct hit {
  bool found;
  or_kind kind;   /* this kind, */
  uint64_t graph; /* in this graph */
} hit;

typedef struct outcome {
  pf_fate fate;
  char why[160];
  hit aimed, fuzz; /* graphs around the mutant, graphs of a campaign that does not know it */
} outcome;

typedef struct worker {
  const mutation *z;
  pf_prover *prover;
} worker;

static void close_worker(void *state) {
  worker *k = state;
  pf_prover_free(k->prover);
  free(k);
}

static void *open_worker(void *arg) {
  const mutation *z = arg;
  worker *k = calloc(1, sizeof *k);
  uint64_t rlimit = z->a->common.rlimit;
  const pf_limits l = {.rlimit = rlimit > UINT32_MAX ? UINT32_MAX : (uint32_t)rlimit};
  if (!k) return NULL;
  k->z = z;
  k->prover = pf_prover_new(&l);
  if (k->prover) return k;
  close_worker(k);
  return NULL;
}

/* Graph i of the fuzzing: around this rule, or, for FZ_ANY_RULE, as campaigns have it. */
static up_node graph_of(up_ctx *c, uint32_t number, uint64_t seed, uint64_t i) {
  uint8_t bytes[CASE_BYTES];
  fz_opts o = fz_opts_default();
  up_ctx_reset(c);
  if (number != FZ_ANY_RULE || i % 2) {
    up_node made = fz_instance(c, &o, number, seed * UINT64_C(0x9E3779B97F4A7C15) + i);
    if (!up_is_none(made)) return made;
    up_ctx_reset(c);
  }
  if (number != FZ_ANY_RULE) return UP_NONE;
  return fz_decode(c, &o, bytes, fz_case_bytes(seed, i, bytes, sizeof bytes));
}

/* Samples and small boxes, without a solver, as fuzz has it. */
static hit fuzz_with(uint64_t seed, up_ctx *c, uint32_t number, uint64_t runs, cl_cursor *at) {
  or_limits l = or_limits_default();
  l.solver_rlimit = 0;
  l.max_points = 1024;
  or_checker *k = or_checker_new(&l);
  hit h = {0};
  for (uint64_t i = 0; k && i < runs && !h.found && !*cl_cursor_stop(at); i++) {
    or_report r = {0};
    up_node root = graph_of(c, number, seed, i);
    if (!up_is_none(root)) or_check(k, c, root, OR_IDEAL, &r);
    if (r.nfindings > 0) h = (hit){true, r.finding[0].kind, i};
    or_report_clear(&r);
  }
  or_checker_free(k);
  return h;
}

/* The profile with the mutant in it, by a rule set that holds it. */
static up_profile *mutated_profile(const mutation *z, const mutant *m, up_error *err) {
  char name[128];
  int n = up_rule_find(z->profile, m->rule);
  const up_ruleset *set = n < 0 ? NULL : up_profile_set_of(z->profile, (uint32_t)n);
  if (!set) set = up_profile_chosen(z->profile);
  snprintf(name, sizeof name, "%s/%s", up_profile_base(z->profile), up_ruleset_name(set));
  return up_profile_parse(name, m->rules.p, m->rules.len, err);
}

static void judge(worker *k, const mutant *m, cl_cursor *at, outcome *out) {
  const mutate_args *a = k->z->a;
  const pf_texts t = {.base = up_profile_base(k->z->profile),
                      .mutant = m->statement.p,
                      .nmutant = m->statement.len,
                      .delta = m->delta.p,
                      .ndelta = m->delta.len,
                      .known = k->z->verdicts};
  out->fate = pf_fate_of(&t, k->prover, out->why);
  if (out->fate == PF_FATE_NO_RULE) return;
  up_error err = {0};
  up_profile *p = mutated_profile(k->z, m, &err);
  up_ctx *c = p ? up_ctx_new(p) : NULL;
  if (!p) {
    out->fate = PF_FATE_NO_RULE;
    snprintf(out->why, sizeof out->why, "%.150s", err.msg);
  }
  int n = p ? up_rule_find(p, name_of(m->rule)) : -1;
  if (c && n >= 0) out->aimed = fuzz_with(a->common.seed, c, (uint32_t)n, a->aimed, at);
  if (c) out->fuzz = fuzz_with(a->common.seed, c, FZ_ANY_RULE, a->runs, at);
  up_ctx_free(c);
  up_profile_free(p);
}

static bool judge_unit(void *state, uint64_t unit, cl_cursor *at, up_buf *reply) {
  worker *k = state;
  if (unit >= k->z->n) return false;
  outcome out = {.fate = PF_FATE_ERROR};
  const char *failed = cl_cursor_item(at, 0);
  if (failed)
    snprintf(out.why, sizeof out.why, "%s", failed);
  else
    judge(k, &k->z->m[unit], at, &out);
  up_buf_put(reply, (const char *)&out, sizeof out);
  return true;
}

/* ---- results --------------------------------------------------------------------------------- */

typedef struct results {
  const mutation *z;
  uint64_t fate[PF_FATE_COUNT], done, aimed, fuzz, looping, contradictions;
} results;

static bool is_wrong(const hit *h) {
  return h->found && (h->kind == OR_VALUE || h->kind == OR_BOUNDS);
}

/* A value or a bound that is wrong though the rule is proved: one of the two is at fault. */
static bool contradicts(const outcome *o) {
  return o->fate == PF_FATE_EQUIVALENT && (is_wrong(&o->aimed) || is_wrong(&o->fuzz));
}

static bool survives(const results *r, const outcome *o) {
  const mutate_args *a = r->z->a;
  if (o->fate == PF_FATE_UNKNOWN || o->fate == PF_FATE_ERROR) return true;
  if (o->fate != PF_FATE_REFUTED) return false;
  return (a->runs > 0 && !o->fuzz.found) || (a->aimed > 0 && !o->aimed.found);
}

static json_t *hit_json(const hit *h) {
  if (!h->found) return json_null();
  return json_pack("{s:s,s:I}", "kind", or_kind_name(h->kind), "graph", (json_int_t)h->graph);
}

static void put_json(const results *r, const mutant *m, const outcome *o) {
  json_t *j = json_pack("{s:s,s:s,s:i,s:i,s:s,s:s,s:s}", "rule", m->rule, "file", m->file, "line",
                        (int)m->line, "column", (int)m->col, "change", m->what, "fate",
                        pf_fate_name(o->fate), "why", o->why);
  if (r->z->a->aimed) json_object_set_new(j, "aimed", hit_json(&o->aimed));
  if (r->z->a->runs) json_object_set_new(j, "fuzz", hit_json(&o->fuzz));
  json_object_set_new(j, "survives", json_boolean(survives(r, o)));
  json_object_set_new(j, "contradiction", json_boolean(contradicts(o)));
  cl_print_json(j);
}

static void put_hit(const char *how, const hit *h, bool asked) {
  if (h->found)
    printf("  [%s: %s in graph %llu]", how, or_kind_name(h->kind), (unsigned long long)h->graph);
  else if (asked)
    printf("  [%s: not found]", how);
}

static void put_line(const results *r, const mutant *m, const outcome *o) {
  bool refuted = o->fate == PF_FATE_REFUTED;
  printf("%-11s %-28s %s:%u:%u %s", pf_fate_name(o->fate), m->rule, m->file, m->line, m->col,
         m->what);
  put_hit("aimed", &o->aimed, refuted && r->z->a->aimed > 0);
  put_hit("fuzz", &o->fuzz, refuted && r->z->a->runs > 0);
  if (o->why[0]) printf("\n    %s", o->why);
  printf("\n");
}

static bool merge_unit(void *arg, uint64_t unit, const char *reply, size_t n) {
  results *r = arg;
  const mutant *m = &r->z->m[unit];
  outcome o;
  if (n != sizeof o) return false;
  memcpy(&o, reply, sizeof o);
  r->done++;
  r->fate[o.fate]++;
  r->aimed += o.aimed.found && o.fate == PF_FATE_REFUTED;
  r->fuzz += o.fuzz.found && o.fate == PF_FATE_REFUTED;
  r->looping += (o.aimed.found || o.fuzz.found) && o.fate == PF_FATE_EQUIVALENT && !contradicts(&o);
  r->contradictions += contradicts(&o);
  if (r->z->a->common.json)
    put_json(r, m, &o);
  else if (r->z->a->each || survives(r, &o) || contradicts(&o))
    put_line(r, m, &o);
  if (r->z->a->common.progress)
    fprintf(stderr, "\rmutate: %llu of %u", (unsigned long long)r->done, r->z->n);
  return true;
}

static void put_summary(const results *r) {
  uint64_t wrong = r->fate[PF_FATE_REFUTED];
  fflush(stdout);
  fprintf(stderr, "%smutate: %llu mutants", r->z->a->common.progress ? "\n" : "",
          (unsigned long long)r->done);
  for (int f = 0; f < PF_FATE_COUNT; f++)
    fprintf(stderr, ", %llu %s", (unsigned long long)r->fate[f], pf_fate_name((pf_fate)f));
  if (r->z->a->aimed)
    fprintf(stderr, "; aimed fuzz found %llu of %llu refuted", (unsigned long long)r->aimed,
            (unsigned long long)wrong);
  if (r->z->a->runs)
    fprintf(stderr, "; fuzz found %llu of %llu refuted", (unsigned long long)r->fuzz,
            (unsigned long long)wrong);
  if (r->looping) fprintf(stderr, ", %llu true ones loop or raise", (unsigned long long)r->looping);
  if (r->contradictions)
    fprintf(stderr, ", %llu CONTRADICTIONS", (unsigned long long)r->contradictions);
  fprintf(stderr, ", seed %llu\n", (unsigned long long)r->z->a->common.seed);
}

static int run_all(mutation *z) {
  results r = {.z = z};
  cl_block_signals();
  cl_end end = cl_work_run(&(cl_work){.arg = z,
                                      .merge_arg = &r,
                                      .jobs = cl_jobs(&z->a->common),
                                      .hang_seconds = z->a->common.hang,
                                      .heed_signals = true,
                                      .open = open_worker,
                                      .unit = judge_unit,
                                      .close = close_worker,
                                      .merge = merge_unit});
  if (!z->a->common.quiet) put_summary(&r);
  if (end == CL_END_FAILED || r.contradictions || r.fate[PF_FATE_ERROR]) return CL_HARNESS;
  return r.fate[PF_FATE_UNKNOWN] || end == CL_END_STOPPED ? CL_UNDECIDED : CL_SOUND;
}

static int run(void *args) {
  mutation z = {.a = args};
  up_profile *p = cl_load_profile(&z.a->common);
  if (!p) return CL_USAGE;
  z.profile = p;
  int status = CL_USAGE;
  if (z.a->common.rules)
    cl_usage("mutate takes a profile's own rules; no --rules");
  else if (z.a->common.rlimit == 0)
    cl_usage("mutate: --limit-rlimit 0 leaves no solver");
  else if (z.a->every == 0)
    cl_usage("--every 0: one of no mutants?");
  else if (collect(&z))
    status = run_all(&z);
  free_mutants(&z);
  up_profile_free(p);
  return status;
}

const cl_command cl_mutate = {
    .name = "mutate",
    .operands = "",
    .summary = "make slips in the rules and see which layer catches them",
    .about =
        "Makes every single mutant of the profile's rule texts (a conjunct left out, a comparison\n"
        "turned, a number one off, operands swapped, floor for truncation ...), has each proved\n"
        "or refuted in ideal, and fuzzes the profile with it in place of its rule. Prints the\n"
        "survivors: wrong ones that fuzzing did not find, and those that no prover decided; all\n"
        "with --each or --json. The last line on standard error counts them. A survivor that was\n"
        "refuted is no finding (exit status 0); undecided ones make it 3. A mutant that is\n"
        "proved and gives a wrong value all the same is a contradiction: exit status 4.",
    .min_operands = 0,
    .max_operands = 0,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(mutate_args),
    .run = run,
};
