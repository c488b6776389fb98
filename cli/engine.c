#include "cli/engine.h"
#include "fuzz/stats.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NANOSECONDS 200000000

typedef struct engine_run {
  cl_campaign *g;
  cl_engine e;
  fz_stats *stats;
  cl_tally before; /* of the runs before this one */
  cl_words faults; /* paths that have been told */
  double looked;
} engine_run;

bool cl_engine_options(const cl_fuzz_args *a) {
  if (strcmp(a->engine, "builtin") == 0)
    return !a->target_dir || cl_usage("--target-dir is for --engine libfuzzer and afl");
  if (!a->out) return cl_usage("--engine %s needs --out DIR", a->engine);
  if (a->common.adapter) return cl_usage("--adapter is for --engine builtin");
  if (a->common.rules)
    return cl_usage("--engine %s runs compiled rules: --rules is for builtin", a->engine);
  if (strcmp(a->shape, "default") != 0 || a->no_casts || a->no_bits || a->no_overflow || a->floor)
    return cl_usage(
        "--shape, --no-casts, --no-bits, --no-overflow and --floor are for --engine builtin");
  for (unsigned i = 0; up_profile_known(i); i++)
    if (strcmp(up_profile_known(i), a->common.profile) == 0) return true;
  return cl_usage("the fuzz targets do not know the profile '%s'", a->common.profile);
}

/* ---- looking --------------------------------------------------------------------------------- */

static void note_fault(void *arg, const char *path) {
  engine_run *r = arg;
  for (unsigned i = 0; i < r->faults.n; i++)
    if (strcmp(r->faults.p[i], path) == 0) return;
  cl_words_add(&r->faults, "%s", path);
  cl_error("fuzz: %s itself failed on an input: %s", r->g->a->target, path);
  r->g->faults++;
}

static void take_counts(engine_run *r) {
  cl_campaign *g = r->g;
  fz_stats *s = r->stats;
  g->total = r->before;
  g->total.graphs += atomic_load(&s->runs);
  g->total.findings += atomic_load(&s->findings);
  for (unsigned v = 0; v < OR_VERDICT_COUNT; v++)
    g->total.verdict[v] += atomic_load(&s->verdict[v]);
  for (uint32_t i = 0; i < up_rule_count(g->profile) && i < FZ_COUNTERS; i++)
    if (atomic_load(&s->rule[i])) g->covered[i] = true;
  for (uint32_t i = 0; i < g->causes.n; i++) {
    uint64_t now = fz_stats_of(s, g->causes.p[i].key);
    g->causes.p[i].count += now - g->record[i].counted;
    if (now != g->record[i].counted) g->record[i].last_seen = (int64_t)time(NULL);
    g->record[i].counted = now;
    if (g->causes.p[i].count == 0) g->causes.p[i].count = 1; /* saved, so it was seen */
  }
}

static void tell_engine(engine_run *r) {
  uint64_t inputs, edges;
  unsigned running = 0;
  double seconds = cl_clock() - r->g->started;
  for (unsigned i = 0; i < r->e.nchildren; i++) running += r->e.child[i].pid != 0;
  cl_engine_reach(r->g->a->out, &r->e, &inputs, &edges);
  json_decref(r->g->engine);
  uint64_t runs = atomic_load(&r->stats->runs);
  r->g->engine = json_pack("{s:s,s:s,s:i,s:f,s:I,s:I,s:i}", "engine", r->g->a->engine, "target",
                           r->g->a->target, "processes", (int)running, "executions_per_second",
                           seconds > 0 ? (double)runs / seconds : 0, "inputs", (json_int_t)inputs,
                           "edges", (json_int_t)edges, "faults", (int)r->g->faults);
}

/* False: no memory. */
static bool look(engine_run *r) {
  bool ok = cl_found_take(r->g);
  take_counts(r);
  if (cl_clock() - r->looked < 1.0) return ok;
  cl_engine_faults(r->g->a->out, note_fault, r);
  tell_engine(r);
  cl_campaign_save(r->g, false);
  cl_campaign_progress(r->g);
  r->looked = cl_clock();
  return ok && !r->faults.no_memory;
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool has_more_to_do(engine_run *r) {
  const cl_fuzz_args *a = r->g->a;
  if (!cl_campaign_goes_on(r->g)) return false;
  if (a->runs && r->g->total.graphs >= a->runs) return false;
  bool running = false;
  for (unsigned i = 0; i < r->e.nchildren; i++) {
    cl_child *c = &r->e.child[i];
    bool was = c->given_up;
    cl_child_watch(c);
    if (c->given_up && !was) r->g->faults++;
    running |= c->pid != 0;
  }
  return running;
}

static bool run_children(engine_run *r) {
  bool ok = true;
  for (unsigned i = 0; i < r->e.nchildren && ok; i++) ok = cl_child_start(&r->e.child[i]);
  while (ok && has_more_to_do(r)) {
    ok = look(r);
    nanosleep(&(struct timespec){.tv_nsec = LOOK_NANOSECONDS}, NULL);
  }
  cl_children_stop(r->e.child, r->e.nchildren);
  r->looked = 0;
  return cl_store_tidy(&r->g->store) && look(r) && ok;
}

static bool prepare(engine_run *r) {
  static const char *const folder[] = {"found", "corpus", "faults", "logs", "seeds", "afl"};
  const char *out = r->g->a->out;
  char path[CL_PATH + 16];
  for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", out, folder[i]);
    if (!cl_keep_dir(path)) return false;
  }
  snprintf(path, sizeof path, "%s/stats", out);
  r->stats = fz_stats_map(path, true);
  if (!r->stats) {
    cl_error("%s: %s", path, strerror(errno));
    return false;
  }
  if (r->e.afl && !cl_engine_gather(out, &r->e.seeds)) return false;
  return cl_engine_plan(r->g, &r->e) || cl_usage("out of memory");
}

int cl_engine_run(cl_campaign *g) {
  engine_run r = {.g = g, .before = g->total};
  int status = CL_USAGE;
  if (cl_engine_find(g->a, &r.e) && prepare(&r)) {
    if (!cl_campaign_begin(g) || !run_children(&r)) g->failed = true;
    cl_campaign_finish(g, cl_signal_pending());
    status = cl_campaign_status(g);
  }
  fz_stats_unmap(r.stats);
  cl_words_free(&r.faults);
  cl_engine_free(&r.e);
  return status;
}
