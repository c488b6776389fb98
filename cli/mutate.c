/* uproof mutate: all single mutants of a profile's rules, and which layer catches which. */
#include "cli/jobs.h"
#include "cli/mutants.h"
#include "proofs/prove.h"
#include <stdlib.h>
#include <string.h>

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

/* ---- a worker -------------------------------------------------------------------------------- */

typedef struct outcome {
  pf_fate fate;
  char why[160];
  /* by graphs of a campaign that does not know of the mutant; by graphs around it; by these with no
   * other rule at work: what is found there alone the other rules hide */
  cl_hit fuzz, aimed, alone;
} outcome;

typedef struct mutation {
  const mutate_args *a;
  cl_mutants all;
} mutation;

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

/* Fuzzes with the mutant in its profile; false: it is no rule of it. */
static bool fuzz_among_others(const mutation *z, const cl_mutant *m, cl_cursor *at, outcome *out) {
  const mutate_args *a = z->a;
  up_error err = {0};
  uint32_t n;
  up_profile *p = cl_mutant_profile(&z->all, m, false, &n, &err);
  cl_fuzzing how = {
      .number = n, .seed = a->common.seed, .runs = a->aimed, .stop = cl_cursor_stop(at)};
  if (!p) {
    snprintf(out->why, sizeof out->why, "%.150s", err.msg);
    return false;
  }
  up_profile *delta = cl_mutant_delta(&z->all, m, &how.at_delta, &err);
  how.delta = delta;
  out->aimed = cl_mutant_fuzz(p, &how);
  how.delta = NULL;
  up_profile_free(delta);
  how.number = FZ_ANY_RULE;
  how.runs = a->runs;
  out->fuzz = cl_mutant_fuzz(p, &how);
  up_profile_free(p);
  return true;
}

static void fuzz_alone(const mutation *z, const cl_mutant *m, cl_cursor *at, outcome *out) {
  up_error err = {0};
  cl_fuzzing how = {.seed = z->a->common.seed, .runs = z->a->aimed, .stop = cl_cursor_stop(at)};
  up_profile *p = cl_mutant_profile(&z->all, m, true, &how.number, &err);
  if (p) out->alone = cl_mutant_fuzz(p, &how);
  up_profile_free(p);
}

static void judge(worker *k, const cl_mutant *m, cl_cursor *at, outcome *out) {
  out->fate = cl_mutant_fate(&k->z->all, m, k->prover, out->why);
  if (out->fate == PF_FATE_NO_RULE) return;
  if (!fuzz_among_others(k->z, m, at, out)) out->fate = PF_FATE_NO_RULE;
  if (out->fate == PF_FATE_REFUTED && !out->fuzz.found && !out->aimed.found)
    fuzz_alone(k->z, m, at, out);
}

static bool judge_unit(void *state, uint64_t unit, cl_cursor *at, up_buf *reply) {
  worker *k = state;
  if (unit >= k->z->all.n) return false;
  outcome out = {.fate = PF_FATE_ERROR};
  const char *failed = cl_cursor_item(at, 0);
  if (failed)
    snprintf(out.why, sizeof out.why, "%s", failed);
  else
    judge(k, &k->z->all.m[unit], at, &out);
  up_buf_put(reply, (const char *)&out, sizeof out);
  return true;
}

/* ---- results --------------------------------------------------------------------------------- */

typedef struct results {
  const mutation *z;
  uint64_t fate[PF_FATE_COUNT], done, fuzz, aimed, hidden, looping, contradictions;
} results;

static bool is_wrong(const cl_hit *h) {
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

static json_t *hit_json(const cl_hit *h) {
  if (!h->found) return json_null();
  return json_pack("{s:s,s:I}", "kind", or_kind_name(h->kind), "graph", (json_int_t)h->graph);
}

static void put_json(const results *r, const cl_mutant *m, const outcome *o) {
  json_t *j = json_pack("{s:s,s:s,s:i,s:i,s:s,s:s,s:s}", "rule", m->rule, "file", m->file, "line",
                        (int)m->line, "column", (int)m->col, "change", m->what, "fate",
                        pf_fate_name(o->fate), "why", o->why);
  if (r->z->a->aimed) json_object_set_new(j, "aimed", hit_json(&o->aimed));
  if (o->alone.found) json_object_set_new(j, "alone", hit_json(&o->alone));
  if (r->z->a->runs) json_object_set_new(j, "fuzz", hit_json(&o->fuzz));
  json_object_set_new(j, "survives", json_boolean(survives(r, o)));
  json_object_set_new(j, "contradiction", json_boolean(contradicts(o)));
  cl_print_json(j);
}

static void put_hit(const char *how, const cl_hit *h, bool asked) {
  if (h->found)
    printf("  [%s: %s in graph %llu]", how, or_kind_name(h->kind), (unsigned long long)h->graph);
  else if (asked)
    printf("  [%s: not found]", how);
}

static void put_line(const results *r, const cl_mutant *m, const outcome *o) {
  bool refuted = o->fate == PF_FATE_REFUTED;
  printf("%-11s %-28s %s:%u:%u %s", pf_fate_name(o->fate), m->rule, m->file, m->line, m->col,
         m->what);
  put_hit("aimed", &o->aimed, refuted && r->z->a->aimed > 0);
  put_hit("fuzz", &o->fuzz, refuted && r->z->a->runs > 0);
  put_hit("alone", &o->alone, false);
  if (o->why[0]) printf("\n    %s", o->why);
  printf("\n");
}

static bool merge_unit(void *arg, uint64_t unit, const char *reply, size_t n) {
  results *r = arg;
  const cl_mutant *m = &r->z->all.m[unit];
  outcome o;
  if (n != sizeof o) return false;
  memcpy(&o, reply, sizeof o);
  r->done++;
  r->fate[o.fate]++;
  r->aimed += o.aimed.found && o.fate == PF_FATE_REFUTED;
  r->fuzz += o.fuzz.found && o.fate == PF_FATE_REFUTED;
  r->hidden += o.alone.found;
  r->looping += (o.aimed.found || o.fuzz.found) && o.fate == PF_FATE_EQUIVALENT && !contradicts(&o);
  r->contradictions += contradicts(&o);
  if (r->z->a->common.json)
    put_json(r, m, &o);
  else if (r->z->a->each || survives(r, &o) || contradicts(&o))
    put_line(r, m, &o);
  if (r->z->a->common.progress)
    fprintf(stderr, "\rmutate: %llu of %u", (unsigned long long)r->done, r->z->all.n);
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
  if (r->hidden) fprintf(stderr, ", %llu hidden by other rules", (unsigned long long)r->hidden);
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
  int status = CL_USAGE;
  if (z.a->common.rules)
    cl_usage("mutate takes a profile's own rules; no --rules");
  else if (z.a->common.rlimit == 0)
    cl_usage("mutate: --limit-rlimit 0 leaves no solver");
  else if (z.a->every == 0)
    cl_usage("--every 0: one of no mutants?");
  else if (!cl_mutants_make(&z.all, p, z.a->rule, z.a->every))
    status = CL_USAGE;
  else if (z.all.n == 0)
    cl_usage("mutate: no rule '%s'", z.a->rule ? z.a->rule : "");
  else
    status = run_all(&z);
  cl_mutants_free(&z.all);
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
