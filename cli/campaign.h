/* A fuzzing campaign: its options, its workers, its causes, what it keeps.
 *
 * A campaign's folder (--out DIR) holds
 *   lock             held while a campaign runs in it (fcntl: it dies with the process)
 *   state.json       options, next case, counts, causes: what --resume goes on from
 *   status.json      how fast it is and how far, for who watches it
 *   findings.jsonl   one line a cause, as printed
 *   found/           what fuzz targets saved (--engine)
 *   causes/NAME.*    .json (cause, counts, finding), .uop (a regression test as it is), .py (one for
 *                    the modelled engine)
 * Each file is written under another name, flushed and renamed; findings.jsonl is appended to and
 * flushed, and half a line of a run that was cut off is removed by the next. state.json has each cause
 * with its first case, or found/ its graph, before that case counts as done, so a run that is killed at
 * any moment loses no finding: the next one does the cases again since the last state, finds the same,
 * and writes up what is not there yet, or was not reduced to the end.
 */
#ifndef UPROOF_CLI_CAMPAIGN_H
#define UPROOF_CLI_CAMPAIGN_H

#include "cli/cli.h"
#include "cli/jobs.h"

typedef struct cl_fuzz_args {
  cl_common common;
  const char *frame, *out, *junit, *sarif, *shape, *engine, *target, *target_dir;
  cl_texts show, known, seeds;
  uint64_t runs, seconds, tries, max_nodes;
  bool no_reduce, no_casts, no_bits, no_overflow, floor, verdicts, resume, no_certificates,
      no_alone;
} cl_fuzz_args;

/* ---- causes: findings that are the same bug -------------------------------------------------- */

typedef struct cl_cause {
  char key[OR_CAUSE_ROOM]; /* or_finding_cause: the same of all its findings; names its files */
  or_kind kind;
  or_frame frame;
  int rule;
  char rule_name[64]; /* of an adapter's rule, whose numbers are each process's own; else empty */
  uint64_t first, last, count; /* first and last case that shows it, and how many graphs do */
} cl_cause;
/* As first and last: a fuzz target found it, and it is no case of a seed. */
#define CL_NO_CASE UINT64_MAX
typedef struct cl_causes {
  cl_cause *p;
  uint32_t n, cap;
} cl_causes;
/* Adds the count to the same cause, or the cause. *at (may be NULL): where it is; *is_new (may be
 * NULL): it was not there. False: no memory. */
bool cl_causes_add(cl_causes *all, const cl_cause *one, uint32_t *at, bool *is_new);
/* The name of the blamed rule; NULL: not known. The cause's, or the profile's. */
const char *cl_cause_rule(const up_profile *p, const cl_cause *k);

/* ---- known causes ---------------------------------------------------------------------------- */

/* Causes that a profile is known to have: lines `KIND FRAME RULE` of a file, each a word or `*`, or
 * lines of one word, a cause's key; the word `rules` instead of a file: every rule in the frames in
 * which its text marks it as wrong; `refuted`: wrong values and bounds by rules that the committed
 * verdicts refute in ideal, in that frame (they are of no other). */
typedef struct cl_known {
  char *text; /* words of all lines, three a line, each ended by a zero */
  size_t n, cap;
  bool marks, by_verdicts;
  bool *refuted; /* one a rule, in ideal; NULL: not asked for */
} cl_known;
/* Each false after a message. _verdicts: when the profile is there, before _has is asked. */
bool cl_known_load(const cl_texts *files, cl_known *out);
bool cl_known_verdicts(cl_known *known, const up_profile *p);
bool cl_known_has(const cl_known *known, const up_profile *p, const cl_cause *k);
void cl_known_free(cl_known *known);

/* ---- workers (cl_work; arg: const cl_fuzz_args) ---------------------------------------------- */

#define CL_BLOCK 256u /* cases of a unit */

typedef struct cl_block {
  uint64_t from, to; /* cases that were done: fewer than were asked for when the work was stopped */
  double seconds;    /* of a processor, that its worker has used up to now */
  cl_tally tally;
  uint32_t ncauses;  /* followed by as many cl_cause, in order of their first case, */
  uint32_t ncovered; /* by as many numbers of rules that were seen at work (uint32_t), */
  uint32_t nnotes;   /* and by notes, so many bytes */
} cl_block;
/* What the workers do. */
typedef struct cl_fuzz_work {
  const cl_fuzz_args *a;
  uint64_t first; /* case to begin with; unit u is the rest of block first / CL_BLOCK + u */
} cl_fuzz_work;
void *cl_fuzzer_open(void *work);
bool cl_fuzzer_block(void *state, uint64_t unit, cl_cursor *at, up_buf *reply);
void cl_fuzzer_close(void *state);

/* Prints a case's graph as `.uop`, or as a row of JSON lines with the case as id. False: no memory. */
bool cl_fuzzer_show(void *state, uint64_t index, bool json, up_buf *out);
/* The graph of a case, in the context, which is emptied; UP_NONE: the context's status tells why. */
up_node cl_fuzzer_case(void *state, uint64_t index);
up_ctx *cl_fuzzer_ctx(const void *state);
/* With the campaign's limits and certificates; NULL: no memory. */
or_checker *cl_fuzzer_checker(const void *state);

/* The first case of a cause (its rule is a number of the profile), or what a target saved of it, written
 * up by a process of its own: reduced if that works, else as it is, else as much as is known. file: what
 * the JSON line names, or NULL. */
typedef struct cl_write_up {
  up_buf json, uop, py; /* uop and py are empty when only the number of the case is known */
  /* A signal or a lack of memory ended it before its time: a run that goes on does it anew. */
  bool interrupted;
  bool failed; /* the harness did: what is here is not all that there is to tell */
} cl_write_up;
void cl_write_up_free(cl_write_up *w);
typedef struct cl_writing cl_writing;
/* NULL: no memory. */
cl_writing *cl_write_up_start(const cl_fuzz_args *a, const cl_cause *cause, const char *file);
/* Waits at most so long; true: it has come to its end. */
bool cl_write_up_step(cl_writing *w, int milliseconds);
/* Soon it ends with the best so far. */
void cl_write_up_stop(cl_writing *w);
/* What was written, of the cause as it was at the start. Frees w. */
cl_write_up cl_write_up_end(cl_writing *w, const up_profile *p, cl_cause *cause);

/* ---- what is kept: after each call it is on disk, whole or not at all ------------------------ */

/* False: errno tells why, and the file is as it was before. */
bool cl_keep_file(const char *dir, const char *name, const up_buf *text);
/* Appends one line to dir/name. */
bool cl_keep_line(const char *dir, const char *name, const up_buf *line);

#define CL_PATH 1024

/* ---- the folder of a campaign ---------------------------------------------------------------- */

/* A line of findings.jsonl. */
typedef struct cl_line {
  char key[OR_CAUSE_ROOM];
  uint64_t first; /* case that it is about */
  up_buf text;
  bool interrupted; /* its reduction was: to be replaced */
} cl_line;
typedef struct cl_store {
  char dir[CL_PATH], causes[CL_PATH];
  int lock; /* -1: not open */
  cl_line *line;
  uint32_t nlines, cap;
} cl_store;
/* Makes, locks and tidies the folder, and reads findings.jsonl. False after a message. */
bool cl_store_open(cl_store *s, const char *dir);
/* Removes what was being written when a process was cut off. False after a message. */
bool cl_store_tidy(const cl_store *s);
void cl_store_close(cl_store *s);
bool cl_store_has_state(const cl_store *s);
/* Keeps what is written up of a cause, unless it is there already. False: errno tells why; may be
 * called again. */
bool cl_store_cause(cl_store *s, const cl_cause *k, const cl_write_up *w);
/* The line kept of a cause, or NULL. */
const cl_line *cl_store_line(const cl_store *s, const cl_cause *k);
/* Is it about the cause's first case or no case, and reduced to the end? */
bool cl_store_is_final(const cl_line *l, const cl_cause *k);
/* Puts the lines into the order of the causes. False: errno tells why. */
bool cl_store_order(cl_store *s, const cl_causes *all);

/* ---- what fuzz targets found: OUT/found/CAUSE-PROFILE.uop, saved by fz_case_tell -------------- */

/* The graph and its metadata. False: not there, or unreadable; after a message. */
bool cl_found_read(up_ctx *c, const char *out, const char *cause, up_node *root, up_metas *m);
/* The text as it is; nothing when it can't be read. */
void cl_found_text(const char *out, const char *cause, const char *profile, up_buf *text);

/* ---- the campaign ---------------------------------------------------------------------------- */

/* How far the first finding of a cause has come. */
typedef enum cl_stage {
  CL_TOLD, /* printed, by this run or one before, if it is new */
  CL_WAITS,
  CL_IN_WRITING,
  CL_WRITTEN, /* not printed: causes before it are not written */
} cl_stage;

/* What the parent knows about a cause, beside it. */
typedef struct cl_record {
  cl_stage stage;
  int64_t first_seen, last_seen; /* seconds since 1970 */
  bool known;                    /* in a list of known causes */
  bool kept;                     /* on disk */
  uint64_t counted;              /* what fuzz targets have counted in this run */
  cl_write_up text;              /* until it is kept, or for the reports */
} cl_record;

typedef struct cl_campaign {
  cl_fuzz_args *a;
  json_t *state; /* that the campaign goes on from, or NULL; texts of `a` may point into it */
  up_profile *profile;
  cl_known known;
  cl_store store;
  cl_tally total;
  cl_causes causes;
  cl_record *record;    /* one a cause */
  bool *covered;        /* one a rule: seen at work */
  uint64_t next;        /* first case that is not merged */
  bool frozen;          /* a block is missing: later ones are not part of the state, which is */
  up_buf frozen_state;  /* this from then on */
  cl_writing **writing; /* --jobs of them, each NULL or under way */
  uint32_t told;        /* all causes before this one are */
  bool keep_failed, failed, ended;
  double started, saved, shown; /* clocks, in seconds */
  uint64_t graphs_before;       /* of the runs before this one */
  uint32_t faults;              /* inputs on which a fuzz target itself failed */
  json_t *engine;               /* what status.json tells of a fuzzer that is run, or NULL */
} cl_campaign;

/* Takes what fuzz targets have found since the last call. False: no memory. */
bool cl_found_take(cl_campaign *g);

/* The clock starts, and what an earlier run has left half done is to be written up. False: no memory. */
bool cl_campaign_begin(cl_campaign *g);
/* Notes a cause; *at: where. False: no memory. */
bool cl_campaign_note(cl_campaign *g, const cl_cause *one, uint32_t *at, bool *is_new);
/* Is there time for more graphs? To be called often: starts, ends and keeps what is written up beside. At
 * the end of --seconds a part is left to that alone. */
bool cl_campaign_goes_on(cl_campaign *g);
/* Prints how it is doing, once a second, where that was asked for. */
void cl_campaign_progress(cl_campaign *g);
bool cl_campaign_merge(void *campaign, uint64_t unit, const char *reply, size_t n);
void cl_campaign_finish(cl_campaign *g, bool stopped);
int cl_campaign_status(const cl_campaign *g);
void cl_campaign_free(cl_campaign *g);
uint32_t cl_campaign_new_causes(const cl_campaign *g);
/* Tells once that something can't be kept, by errno. */
void cl_campaign_keep_fails(cl_campaign *g, const char *what);

/* ---- writing up, in order to be printed, by up to --jobs processes ----------------------------- */

/* False: no memory. */
bool cl_writers_open(cl_campaign *g);
/* The first finding of a cause is to be written up, kept and printed. */
void cl_writers_add(cl_campaign *g, uint32_t at);
/* Goes on with it for at most so long; stop: with no more than each takes to be kept. Returns how many are
 * not done. */
uint32_t cl_writers_step(cl_campaign *g, bool stop, int milliseconds);
uint32_t cl_writers_left(const cl_campaign *g);
/* Keeps the state if it has one to keep and `now` or enough time has passed. */
void cl_campaign_save(cl_campaign *g, bool now);

/* state.json. _read: into g->state; _options: are they those of g->a (with --resume they become so)?
 * _take: counts and causes, once the profile is loaded. Each false after a message. */
void cl_state_put(const cl_campaign *g, up_buf *out);
json_t *cl_case_json(uint64_t number); /* null for CL_NO_CASE */
bool cl_state_read(cl_campaign *g);
bool cl_state_options(cl_campaign *g);
bool cl_state_take(cl_campaign *g);
/* status.json, a line on a terminal. */
void cl_status_json(const cl_campaign *g, up_buf *out);
void cl_status_line(const cl_campaign *g, up_buf *out);
double cl_clock(void);

#endif
