/* uproof mutate: all single mutants of a profile's rules, and which layer catches which. */
#include "cli/jobs.h"
#include "cli/mutate.h"
#include "proofs/prove.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(mu_args, field)
static const cl_option options[] = {
    {"--rule", "NAME", CL_TEXT, AT(rule), NULL, "mutants of this rule alone"},
    {"--every", "N", CL_COUNT, AT(every), "1", "one mutant of so many"},
    {"--runs", "N", CL_COUNT, AT(runs), "20000",
     "graphs of a campaign that a mutant is tried with; 0: none"},
    {"--aimed", "N", CL_COUNT, AT(aimed), "2000", "graphs made around the mutant itself; 0: none"},
    {"--seconds", "N", CL_COUNT, AT(seconds), "0",
     "survivors go on with twice as many graphs, again and again, until each has had so much "
     "processor time a fuzzing"},
    {"--keep", "FILE", CL_TEXT, AT(keep), NULL,
     "what became of each mutant is kept there, as soon as it is known, and not asked again"},
    {"--each", NULL, CL_FLAG, AT(each), NULL, "a line for each mutant, caught ones too"},
    {"--table", NULL, CL_FLAG, AT(table), NULL,
     "a table instead of the survivors: what each layer shows within so many graphs"},
};
#undef AT

/* ---- a pass: some mutants, a budget ------------------------------------------------------------ */

typedef struct pass {
  mu_run *z;
  mu_budget budget;
  uint32_t *todo, n;
  uint64_t done;
  bool lost; /* an outcome could not be kept */
} pass;

typedef struct worker {
  const pass *s;
  pf_prover *prover;
} worker;

static void close_worker(void *state) {
  worker *k = state;
  pf_prover_free(k->prover);
  free(k);
}

static void *open_worker(void *arg) {
  const pass *s = arg;
  worker *k = calloc(1, sizeof *k);
  uint64_t rlimit = s->z->a->common.rlimit;
  const pf_limits l = {.rlimit = rlimit > UINT32_MAX ? UINT32_MAX : (uint32_t)rlimit};
  if (!k) return NULL;
  k->s = s;
  k->prover = pf_prover_new(&l);
  if (k->prover) return k;
  close_worker(k);
  return NULL;
}

static bool judge_unit(void *state, uint64_t unit, cl_cursor *at, up_buf *reply) {
  worker *k = state;
  const pass *s = k->s;
  if (unit >= s->n) return false;
  uint32_t i = s->todo[unit];
  mu_outcome out = s->z->o[i];
  const char *failed = cl_cursor_item(at, 0);
  if (failed) {
    out.judged = true;
    out.fate = PF_FATE_ERROR;
    snprintf(out.why, sizeof out.why, "%s", failed);
  } else {
    mu_judge(s->z, i, &s->budget, k->prover, cl_cursor_stop(at), &out);
  }
  up_buf_put(reply, (const char *)&out, sizeof out);
  return true;
}

static bool same_outcome(const mu_outcome *a, const mu_outcome *b) {
  bool same = a->judged == b->judged && a->fate == b->fate && a->corpus == b->corpus;
  for (int l = 0; l < MU_LAYERS; l++)
    same = same && a->hit[l].tried == b->hit[l].tried && a->hit[l].found == b->hit[l].found;
  return same;
}

static bool merge_unit(void *arg, uint64_t unit, const char *reply, size_t n) {
  pass *s = arg;
  uint32_t i = s->todo[unit];
  mu_outcome o;
  if (n != sizeof o) return false;
  memcpy(&o, reply, sizeof o);
  bool news = !same_outcome(&o, &s->z->o[i]);
  s->z->o[i] = o;
  s->done++;
  if (s->z->a->common.progress)
    fprintf(stderr, "\rmutate: %llu of %u, %llu graphs each ", (unsigned long long)s->done, s->n,
            (unsigned long long)(s->budget.runs + s->budget.aimed));
  if (news && !mu_keep(s->z, i)) s->lost = true;
  return !s->lost;
}

static cl_end run_pass(pass *s) {
  s->done = 0;
  cl_end end = cl_work_run(&(cl_work){.arg = s,
                                      .merge_arg = s,
                                      .jobs = cl_jobs(&s->z->a->common),
                                      .hang_seconds = s->z->a->common.hang,
                                      .heed_signals = true,
                                      .open = open_worker,
                                      .unit = judge_unit,
                                      .close = close_worker,
                                      .merge = merge_unit});
  if (s->z->a->common.progress) fprintf(stderr, "\n");
  return s->lost || (end == CL_END_DONE && s->done < s->n) ? CL_END_FAILED : end;
}

/* ---- passes ------------------------------------------------------------------------------------ */

static bool has_time(const mu_args *a, const cl_hit *h) {
  return !h->found && h->seconds < (double)a->seconds;
}

/* Wrong, and not shown by a fuzzing that has time left. Of a hidden one graphs around it show nothing, and
 * campaigns may: they try rules alone. */
static bool goes_on(const mu_run *z, const mu_outcome *o) {
  const mu_args *a = z->a;
  if (!o->judged || o->fate != PF_FATE_REFUTED) return false;
  return (a->aimed && !o->hidden_by[0] && has_time(a, &o->hit[MU_AIMED])) ||
         (a->runs && has_time(a, &o->hit[MU_FUZZ]));
}

static cl_end run_passes(mu_run *z) {
  pass s = {.z = z, .budget = {.runs = z->a->runs, .aimed = z->a->aimed}};
  s.todo = calloc(z->all.n + 1u, sizeof *s.todo);
  if (!s.todo) return CL_END_FAILED;
  for (s.n = 0; s.n < z->all.n; s.n++) s.todo[s.n] = s.n;
  cl_end end = run_pass(&s);
  while (end == CL_END_DONE && z->a->seconds > 0) {
    s.n = 0;
    for (uint32_t i = 0; i < z->all.n; i++)
      if (goes_on(z, &z->o[i])) s.todo[s.n++] = i;
    if (s.n == 0) break;
    s.budget.runs *= 2;
    s.budget.aimed *= 2;
    end = run_pass(&s);
  }
  free(s.todo);
  return end;
}

static int run_all(mu_run *z, const up_profile *p) {
  z->o = calloc(z->all.n + 1u, sizeof *z->o);
  if (!z->o) return cl_usage("out of memory"), CL_HARNESS;
  if (!mu_make_keys(z) || !mu_load(z) || !mu_read_corpus(z, p)) return CL_USAGE;
  cl_block_signals();
  cl_end end = run_passes(z);
  int status = mu_put_results(z);
  if (end == CL_END_FAILED) return CL_HARNESS;
  return status == CL_SOUND && end == CL_END_STOPPED ? CL_UNDECIDED : status;
}

static int run(void *args) {
  mu_run z = {.a = args};
  up_profile *p = cl_load_profile(&z.a->common);
  if (!p) return CL_USAGE;
  int status = CL_USAGE;
  if (z.a->common.rules)
    cl_usage("mutate takes a profile's own rules; no --rules");
  else if (z.a->common.rlimit == 0)
    cl_usage("mutate: --limit-rlimit 0 leaves no solver");
  else if (z.a->every == 0)
    cl_usage("--every 0: one of no mutants?");
  else if (z.a->keep && !cl_can_write(z.a->keep))
    status = CL_USAGE;
  else if (!cl_mutants_make(&z.all, p, z.a->rule, z.a->every))
    status = CL_USAGE;
  else if (z.all.n == 0)
    cl_no_rule(p, z.a->rule ? z.a->rule : "");
  else
    status = run_all(&z, p);
  free(z.o);
  free(z.key);
  up_list_free(&z.graphs);
  up_ctx_free(z.corpus);
  cl_mutants_free(&z.all);
  up_profile_free(p);
  return status;
}

const cl_command cl_mutate = {
    .name = "mutate",
    .operands = "[FILE|FOLDER...]",
    .summary = "make slips in the rules and see which layer catches them",
    .about =
        "Makes every single mutant of the profile's rule texts (a conjunct left out, a comparison\n"
        "turned, a number one off, operands swapped, floor for truncation ...), has each proved\n"
        "or refuted in ideal, and checks the profile with it in place of its rule: on the graphs\n"
        "of FILEs and on inputs of fuzzers in FOLDERs, and on random graphs. Prints the\n"
        "survivors: wrong ones that fuzzing did not find, and those that no prover decided; all\n"
        "with --each or --json. The last line on standard error counts them. A survivor that was\n"
        "refuted is no finding (exit status 0); undecided ones make it 3. A mutant that is\n"
        "proved and gives a wrong value all the same is a contradiction: exit status 4.",
    .min_operands = 0,
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(mu_args),
    .run = run,
};
