/* Fuzzers that `uproof fuzz` runs as processes of its own: libFuzzer and AFL++, several at once, over
 * the corpus in the campaign's folder.
 *
 *   OUT/corpus/     libFuzzer's inputs, shared by its processes
 *   OUT/afl/        AFL++'s folder, one below it a process; it begins with OUT/seeds/
 *   OUT/found/      findings that the targets saved
 *   OUT/faults/     inputs on which a target failed by itself (libFuzzer's artifacts; AFL++ has its own)
 *   OUT/logs/       what each process prints
 *   OUT/stats       counts, shared memory of all processes (fuzz/stats.h)
 */
#ifndef UPROOF_CLI_ENGINE_H
#define UPROOF_CLI_ENGINE_H

#include "cli/campaign.h"
#include <sys/types.h>

#define CL_ENGINES "builtin|libfuzzer|afl"

/* A list of texts that it owns, with a NULL behind the last. Zero-initialise. */
typedef struct cl_words {
  char **p;
  unsigned n;
  bool no_memory;
} cl_words;
void cl_words_add(cl_words *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void cl_words_free(cl_words *w);

/* ---- one process ----------------------------------------------------------------------------- */

typedef struct cl_child {
  char name[32], log[CL_PATH];
  cl_words argv, env; /* env: NAME=VALUE, beside this process's own */
  pid_t pid;          /* 0: not running */
  double since;       /* cl_clock of its start */
  unsigned failures;  /* in a row, each soon after the start */
  bool given_up;
} cl_child;

/* It dies with this process, whatever kills that; SIGINT and SIGTERM are not blocked in it; it gets no
 * signal of the terminal. False after a message. */
bool cl_child_start(cl_child *c);
/* Notes the end of a process that has ended by itself, tells why, and starts it again unless it keeps
 * failing at its start. */
void cl_child_watch(cl_child *c);
/* Ends all by SIGTERM, and after a while by SIGKILL. */
void cl_children_stop(cl_child *c, unsigned n);

/* ---- the programs ---------------------------------------------------------------------------- */

typedef struct cl_engine {
  bool afl;
  char target[CL_PATH], mutator[CL_PATH]; /* programs; mutator: AFL++'s module, "" for texts */
  cl_words seeds;                         /* folders */
  cl_child *child;
  unsigned nchildren;
} cl_engine;

/* Finds the target and the seeds. False after a message. */
bool cl_engine_find(const cl_fuzz_args *a, cl_engine *e);
/* Copies the seeds into OUT/seeds, or makes one where there are none: AFL++ begins with one folder, and
 * not with an empty one. False after a message. */
bool cl_engine_gather(const char *out, const cl_words *seeds);
/* Makes the command lines. False: no memory. */
bool cl_engine_plan(const cl_campaign *g, cl_engine *e);
void cl_engine_free(cl_engine *e);

/* Inputs on which targets failed by themselves, in the folders of the campaign: `each` is told the
 * path. */
void cl_engine_faults(const char *out, void (*each)(void *arg, const char *path), void *arg);
/* Inputs kept, and edges reached by the process that has reached most. */
void cl_engine_reach(const char *out, const cl_engine *e, uint64_t *inputs, uint64_t *edges);

/* ---- the run --------------------------------------------------------------------------------- */

/* False after a message: what was asked for needs the builtin engine, or more options. */
bool cl_engine_options(const cl_fuzz_args *a);
/* Runs the campaign; an exit status. */
int cl_engine_run(cl_campaign *g);

#endif
