/* uproof corpus: inputs of several fuzzers, merged into few that reach the same. */
#include "cli/corpus.h"
#include "cli/engine.h"
#include "fuzz/harness.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct corpus_args {
  cl_common common;
  const char *merge, *edges;
} corpus_args;

#define AT(field) offsetof(corpus_args, field)
static const cl_option options[] = {
    {"--merge", "OUT", CL_TEXT, AT(merge), NULL,
     "the folder to write to; what is in it already is kept"},
    {"--edges", "TARGET", CL_TEXT, AT(edges), NULL,
     "a libFuzzer program: keep what reaches edges of the code that the rest does not, too"},
};
#undef AT

static bool path_of(const char *dir, const cp_input *in, char path[CL_PATH]) {
  int n =
      snprintf(path, CL_PATH, "%s/%016llx", dir, (unsigned long long)fz_digest(in->bytes, in->n));
  return n > 0 && n < CL_PATH;
}

static bool write_input(const char *dir, const cp_input *in) {
  char path[CL_PATH];
  if (!path_of(dir, in, path)) return cl_usage("%s: path too long", dir);
  FILE *f = fopen(path, "wb");
  bool ok = f && fwrite(in->bytes, 1, in->n, f) == in->n;
  if (f && fclose(f) != 0) ok = false;
  if (!ok) cl_error("%s: %s", path, strerror(errno));
  return ok;
}

static void remove_input(const char *dir, const cp_input *in) {
  char path[CL_PATH];
  if (path_of(dir, in, path)) unlink(path);
}

/* Marks what the folder's own inputs reach. */
static bool begin_with(cp_reach *r, const char *dir) {
  cp_inputs own = {0};
  bool ok = cl_keep_dir(dir) && cp_collect(dir, &own);
  for (size_t i = 0; i < own.n; i++) cp_reach_add(r, &own.p[i]);
  cp_free(&own);
  return ok;
}

static int merge(const corpus_args *a, const cp_inputs *all, cp_reach *r) {
  uint32_t kept = 0;
  if (!begin_with(r, a->merge)) return CL_USAGE;
  for (size_t i = 0; i < all->n; i++) {
    if (cp_reach_add(r, &all->p[i]) == 0) continue;
    if (!write_input(a->merge, &all->p[i])) return CL_HARNESS;
    kept++;
  }
  fprintf(stderr, "corpus: %zu inputs, %u kept in %s, which reaches %u rules (%u things)", all->n,
          kept, a->merge, cp_reach_rules(r), cp_reach_count(r));
  if (all->too_long) fprintf(stderr, ", %llu too long", (unsigned long long)all->too_long);
  if (all->unreadable)
    fprintf(stderr, ", %llu graphs without an encoding", (unsigned long long)all->unreadable);
  fputc('\n', stderr);
  return CL_SOUND;
}

/* Runs `TARGET -merge=1 OUT DIR`; it is killed with this process. */
static bool run_merge(const corpus_args *a, const char *dir) {
  cl_child c = {.name = "libfuzzer"};
  int status = -1;
  snprintf(c.log, sizeof c.log, "%.*s.log", CL_PATH - 8, dir);
  cl_words_add(&c.argv, "%s", a->edges);
  cl_words_add(&c.argv, "-merge=1");
  cl_words_add(&c.argv, "-max_len=%u", CP_MOST_BYTES);
  cl_words_add(&c.argv, "%s", a->merge);
  cl_words_add(&c.argv, "%s", dir);
  if (a->common.profile != cl_default_profile)
    cl_words_add(&c.env, "UPROOF_PROFILE=%s", a->common.profile);
  if (!c.argv.no_memory && !c.env.no_memory && cl_child_start(&c)) {
    while (waitpid(c.pid, &status, 0) < 0 && errno == EINTR) {
    }
  }
  cl_words_free(&c.argv);
  cl_words_free(&c.env);
  struct stat log;
  bool says = status != 0 && stat(c.log, &log) == 0 && log.st_size > 0;
  if (!says) unlink(c.log);
  if (says) cl_error("%s -merge=1 failed: %s tells more", a->edges, c.log);
  if (!says && status != 0) cl_error("%s -merge=1 failed, and said nothing", a->edges);
  return status == 0;
}

/* libFuzzer's own merge: all inputs, in a folder for the time of it, into OUT. */
static int merge_edges(const corpus_args *a, const cp_inputs *all) {
  char dir[CL_PATH];
  const char *tmp = getenv("TMPDIR");
  int n = snprintf(dir, sizeof dir, "%s/uproof-corpus-XXXXXX", tmp ? tmp : "/tmp");
  if (n >= (int)sizeof dir - 8 || !mkdtemp(dir)) {
    cl_error("%s: %s", dir, strerror(errno));
    return CL_HARNESS;
  }
  cp_inputs before = {0}, after = {0};
  bool ok = cp_collect(a->merge, &before);
  for (size_t i = 0; i < all->n && ok; i++) ok = write_input(dir, &all->p[i]);
  ok = ok && run_merge(a, dir) && cp_collect(a->merge, &after);
  if (ok) fprintf(stderr, "corpus: %zu more for edges of the code\n", after.n - before.n);
  for (size_t i = 0; i < all->n; i++) remove_input(dir, &all->p[i]);
  rmdir(dir);
  cp_free(&before);
  cp_free(&after);
  return ok ? CL_SOUND : CL_HARNESS;
}

static int run(void *args) {
  const corpus_args *a = args;
  bool chosen = a->common.profile != cl_default_profile;
  cp_inputs all = {0};
  int status = CL_USAGE;
  if (!a->merge) {
    cl_usage("corpus: --merge OUT tells where the inputs go");
    return CL_USAGE;
  }
  up_profile *p = cl_load_profile(&a->common); /* told before the work, if there is none */
  cp_reach *r = p ? cp_reach_new(chosen ? a->common.profile : NULL) : NULL;
  bool ok = r != NULL;
  for (unsigned i = 0; i < a->common.operands.n && ok; i++)
    ok = cp_collect(a->common.operands.p[i], &all);
  if (ok) {
    cp_sort(&all);
    status = merge(a, &all, r);
  }
  if (status == CL_SOUND && a->edges) status = merge_edges(a, &all);
  cp_free(&all);
  cp_reach_free(r);
  up_profile_free(p);
  return status;
}

const cl_command cl_corpus = {
    .name = "corpus",
    .operands = "DIR...",
    .summary = "merges inputs of fuzz targets into few that reach the same",
    .about =
        "Reads inputs of graph targets: libFuzzer's folders, AFL++'s (their queues), campaigns'\n"
        "(all of these, and their findings). Goes through them, smallest first, and keeps in OUT\n"
        "what reaches a rule more or less often than any before it, or a condition of a rule that\n"
        "never applied: in the profile that each input chooses, or that of --profile. With a new\n"
        "OUT this makes a corpus small; with one that is there it adds what is missing.",
    .min_operands = 1,
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(corpus_args),
    .run = run,
};
