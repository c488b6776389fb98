/* A fuzzing campaign: its options, its workers, its causes, what it keeps. */
#ifndef UPROOF_CLI_CAMPAIGN_H
#define UPROOF_CLI_CAMPAIGN_H

#include "cli/cli.h"
#include "cli/jobs.h"

typedef struct cl_fuzz_args {
  cl_common common;
  const char *frame, *out;
  cl_texts show;
  uint64_t runs, seconds, tries, max_nodes;
  bool no_reduce, no_casts, no_bits, verdicts;
} cl_fuzz_args;

/* ---- causes: findings that are the same bug -------------------------------------------------- */

typedef struct cl_cause {
  or_kind kind;
  or_frame frame;
  int rule;
  uint64_t first, count; /* first case that shows it, and how many do */
} cl_cause;
typedef struct cl_causes {
  cl_cause *p;
  uint32_t n, cap;
} cl_causes;
/* Adds the count to the same cause, or the cause. *is_new may be NULL. False: no memory. */
bool cl_causes_add(cl_causes *all, const cl_cause *one, bool *is_new);
/* "bounds-ideal-mod_bounds": a file name for the cause. */
void cl_cause_name(const up_profile *p, const cl_cause *k, char out[128]);

/* ---- workers (cl_work; arg: const cl_fuzz_args) ---------------------------------------------- */

typedef struct cl_block {
  cl_tally tally;
  uint32_t ncauses; /* followed by as many cl_cause, in order of their first case, and by notes */
} cl_block;
void *cl_fuzzer_open(void *args);
bool cl_fuzzer_block(void *state, uint64_t unit, cl_cursor *at, up_buf *reply);
void cl_fuzzer_close(void *state);

/* Prints a case's graph as `.uop`. False: no memory. */
bool cl_fuzzer_show(void *state, uint64_t index, up_buf *out);

/* The first case of a cause (its rule is a number of p), written up by a process of its own:
 * reduced if that works, else as it is, else as much as is known. file: what the JSON line names,
 * or NULL. */
typedef struct cl_write_up {
  up_buf json, uop; /* uop is empty when only the number of the case is known */
} cl_write_up;
bool cl_fuzzer_write_up(cl_fuzz_args *a, const up_profile *p, const cl_cause *cause,
                        const char *file, cl_write_up *out);

/* ---- what is kept: after each call it is on disk, whole or not at all ------------------------ */

bool cl_keep_file(const char *dir, const char *name, const up_buf *text);
/* Appends one line to dir/name. */
bool cl_keep_line(const char *dir, const char *name, const up_buf *line);
bool cl_keep_dir(const char *dir);

#endif
