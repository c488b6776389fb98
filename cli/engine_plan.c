/* Which programs a fuzzer's campaign runs, and their command lines. */
#include "cli/engine.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- finding --------------------------------------------------------------------------------- */

/* The folder of this program: what is built is beside it. */
static bool own_folder(char out[CL_PATH]) {
  ssize_t n = readlink("/proc/self/exe", out, CL_PATH - 1);
  if (n <= 0) return false;
  out[n] = 0;
  char *slash = strrchr(out, '/');
  if (slash) *slash = 0;
  return slash != NULL;
}

static bool try(char out[CL_PATH], const char *dir, const char *middle, const char *name,
                int mode) {
  int n = snprintf(out, CL_PATH, "%s%s/%s", dir, middle, name);
  return n > 0 && n < CL_PATH && access(out, mode) == 0;
}

static bool on_the_path(const char *program) {
  const char *at = getenv("PATH");
  char file[CL_PATH];
  while (at && *at) {
    int n = (int)strcspn(at, ":");
    if (snprintf(file, sizeof file, "%.*s/%s", n, at, program) < CL_PATH && access(file, X_OK) == 0)
      return true;
    at += n + (at[n] == ':');
  }
  return false;
}

static bool is_text_target(const char *target) {
  return strcmp(target, "fuzz_parse") == 0 || strcmp(target, "fuzz_rules") == 0;
}

static bool find_target(const cl_fuzz_args *a, const char *own, cl_engine *e) {
  char name[128];
  const char *build = e->afl ? "/../build-afl/fuzz" : "/../build-fuzz/fuzz", *dir = a->target_dir;
  int n = snprintf(name, sizeof name, "%s%s", a->target, e->afl ? "-afl" : "");
  if (n >= (int)sizeof name || strchr(a->target, '/'))
    return cl_usage("--target names a fuzz target, as fuzz_simplify; the folder is --target-dir");
  if (dir ? try(e->target, dir, "", name, X_OK)
          : try(e->target, own, "/fuzz", name, X_OK) || try(e->target, own, build, name, X_OK))
    return true;
  return cl_usage(
      "%s is not built: `make fuzzers` does that, or --target-dir DIR tells where it is "
      "(looked in %s%s)",
      name, dir ? dir : own, dir ? "" : build);
}

static bool find_mutator(const cl_fuzz_args *a, const char *own, cl_engine *e) {
  static const char name[] = "libuproof_afl_mutator.so";
  if (!e->afl || is_text_target(a->target)) return true;
  if (a->target_dir && try(e->mutator, a->target_dir, "", name, R_OK)) return true;
  if (try(e->mutator, own, "/fuzz", name, R_OK)) return true;
  e->mutator[0] = 0;
  cl_error("fuzz: %s is not built (`make fuzzers` does that): with AFL++'s own mutators only",
           name);
  return true;
}

static bool find_seeds(const cl_fuzz_args *a, const char *own, cl_engine *e) {
  char dir[CL_PATH];
  for (unsigned i = 0; i < a->seeds.n; i++) {
    if (access(a->seeds.p[i], R_OK) != 0) return cl_usage("%s: %s", a->seeds.p[i], strerror(errno));
    cl_words_add(&e->seeds, "%s", a->seeds.p[i]);
  }
  if (a->seeds.n > 0) return true;
  if (try(dir, own, "/../corpus/seed", a->target, R_OK)) cl_words_add(&e->seeds, "%s", dir);
  if (!is_text_target(a->target) && strcmp(a->target, "fuzz_simplify") != 0 &&
      try(dir, own, "/../corpus/seed", "fuzz_simplify", R_OK))
    cl_words_add(&e->seeds, "%s", dir);
  return true;
}

bool cl_engine_find(const cl_fuzz_args *a, cl_engine *e) {
  char own[CL_PATH];
  e->afl = strcmp(a->engine, "afl") == 0;
  if (!own_folder(own)) return cl_usage("/proc/self/exe: %s", strerror(errno));
  if (e->afl && !on_the_path("afl-fuzz"))
    return cl_usage("afl-fuzz is not on the PATH (Debian's package is afl++)");
  return find_target(a, own, e) && find_mutator(a, own, e) && find_seeds(a, own, e);
}

/* ---- command lines --------------------------------------------------------------------------- */

static void plan_env(const cl_campaign *g, const cl_engine *e, cl_words *env) {
  const cl_fuzz_args *a = g->a;
  cl_words_add(env, "UPROOF_PROFILE=%s", up_profile_name(g->profile));
  if (strcmp(a->frame, "all") != 0) cl_words_add(env, "UPROOF_FRAME=%s", a->frame);
  cl_words_add(env, "UPROOF_FINDINGS=%s/found", a->out);
  cl_words_add(env, "UPROOF_STATS=%s/stats", a->out);
  if (!e->afl) return;
  static const char *const calm[] = {
      "AFL_NO_UI=1",        "AFL_NO_COLOR=1",
      "AFL_NO_AFFINITY=1",  "AFL_SKIP_CPUFREQ=1",
      "AFL_AUTORESUME=1",   "AFL_SYNC_TIME=1",
      "AFL_SKIP_CRASHES=1", "AFL_HANG_TMOUT=20000",
      "AFL_IMPORT_FIRST=1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1"};
  for (size_t i = 0; i < sizeof calm / sizeof calm[0]; i++) cl_words_add(env, "%s", calm[i]);
  if (e->mutator[0]) cl_words_add(env, "AFL_CUSTOM_MUTATOR_LIBRARY=%s", e->mutator);
  /* its own mutators break graphs more often than they change them */
  if (e->mutator[0]) cl_words_add(env, "AFL_CUSTOM_MUTATOR_ONLY=1");
}

/* What another engine has left in the folder is taken over. */
static void each_queue(const char *out, cl_words *w) {
  char dir[CL_PATH];
  struct dirent **entry = NULL;
  snprintf(dir, sizeof dir, "%.*s/afl", CL_PATH - 8, out);
  int n = scandir(dir, &entry, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    char queue[CL_PATH + 300];
    snprintf(queue, sizeof queue, "%s/%s/queue", dir, entry[i]->d_name);
    if (entry[i]->d_name[0] != '.' && access(queue, R_OK) == 0) cl_words_add(w, "%s", queue);
    free(entry[i]);
  }
  free(entry);
}

static void plan_libfuzzer(const cl_campaign *g, const cl_engine *e, unsigned i, cl_words *w) {
  const cl_fuzz_args *a = g->a;
  cl_words_add(w, "%s", e->target);
  cl_words_add(w, "-seed=%llu", (unsigned long long)((a->common.seed + i) % 0xfffffffe + 1));
  /* the entropic schedule's bookkeeping takes two thirds of the time, and how often an edge was taken
   * tells the size of a graph more than anything (docs/fuzzing.md); others' finds are read twice a
   * minute; a log that grows for months must stay small */
  static const char *const always[] = {"-entropic=0",         "-use_counters=0",    "-max_len=4096",
                                       "-timeout=20",         "-rss_limit_mb=4096", "-reload=30",
                                       "-print_final_stats=0"};
  for (size_t j = 0; j < sizeof always / sizeof always[0]; j++) cl_words_add(w, "%s", always[j]);
  cl_words_add(w, "-artifact_prefix=%s/faults/", a->out);
  cl_words_add(w, "%s/corpus", a->out);
  for (unsigned j = 0; j < e->seeds.n; j++) cl_words_add(w, "%s", e->seeds.p[j]);
  each_queue(a->out, w);
}

static void plan_afl(const cl_campaign *g, const cl_engine *e, unsigned i, cl_words *w) {
  const char *out = g->a->out;
  cl_words_add(w, "afl-fuzz");
  cl_words_add(w, "-i");
  cl_words_add(w, "%s/seeds", out);
  cl_words_add(w, "-o");
  cl_words_add(w, "%s/afl", out);
  cl_words_add(w, i ? "-S" : "-M");
  cl_words_add(w, i ? "s%u" : "main", i);
  if (i == 0) {
    cl_words_add(w, "-F");
    cl_words_add(w, "%s/corpus", out);
  }
  cl_words_add(w, "-t");
  cl_words_add(w, "5000+");
  cl_words_add(w, "-G");
  cl_words_add(w, "4096");
  cl_words_add(w, "--");
  cl_words_add(w, "%s", e->target);
}

bool cl_engine_plan(const cl_campaign *g, cl_engine *e) {
  bool ok = !e->seeds.no_memory;
  e->nchildren = cl_jobs(&g->a->common);
  e->child = calloc(e->nchildren, sizeof *e->child);
  for (unsigned i = 0; e->child && i < e->nchildren; i++) {
    cl_child *c = &e->child[i];
    snprintf(c->name, sizeof c->name, "%s %u", e->afl ? "afl" : "libfuzzer", i);
    snprintf(c->log, sizeof c->log, "%.*s/logs/%u", CL_PATH - 32, g->a->out, i);
    plan_env(g, e, &c->env);
    (e->afl ? plan_afl : plan_libfuzzer)(g, e, i, &c->argv);
    ok = ok && !c->env.no_memory && !c->argv.no_memory;
  }
  return e->child && ok;
}

void cl_engine_free(cl_engine *e) {
  for (unsigned i = 0; e->child && i < e->nchildren; i++) {
    cl_words_free(&e->child[i].argv);
    cl_words_free(&e->child[i].env);
  }
  free(e->child);
  cl_words_free(&e->seeds);
}
