/* What the subcommands of the program share: exit statuses, messages, reading, tallies. */
#ifndef UPROOF_CLI_H
#define UPROOF_CLI_H

#include "cli/options.h"
#include "engine/uop.h"
#include "formats/formats.h"
#include "oracle/oracle.h"

enum cl_status { CL_SOUND = 0, CL_FINDINGS = 1, CL_USAGE = 2, CL_UNDECIDED = 3, CL_HARNESS = 4 };

extern const cl_command cl_simplify, cl_eval, cl_bounds, cl_trace, cl_stats, cl_rules, cl_check,
    cl_equiv, cl_fuzz, cl_drill, cl_report, cl_minimize, cl_mutate, cl_prove, cl_golden,
    cl_coverage, cl_corpus;

/* To call first: from then on memory that runs out ends the process, in one line, with CL_HARNESS. */
void cl_memory_begin(void);

/* ---- messages: one line on standard error, `uproof: ...` ------------------------------------- */

/* For bad usage; returns false. */
bool cl_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void cl_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* `uproof: FILE:LINE:COL: message`; without the parts that are not known. */
void cl_put_input_error(up_buf *out, const char *file, const up_error *e);
void cl_input_error(const char *file, const up_error *e);

/* Of the names that `at` gives, NULL past the last: the one that `word` may have been meant to be, a
 * slip or two away (of a word of four letters one); NULL: none is near. */
const char *cl_nearest(const char *word, const char *(*at)(const void *arg, uint32_t i),
                       const void *arg);
/* Bad usage: the profile has no such rule. Returns false. */
bool cl_no_rule(const up_profile *p, const char *name);

/* ---- reading --------------------------------------------------------------------------------- */

/* The profile of --profile and --rules; NULL after a message. */
up_profile *cl_load_profile(const cl_common *a);
or_limits cl_limits(const cl_common *a);
/* The text of a file ("-": standard input), zero-terminated, without the zero *n long; the caller
 * frees it. NULL after a message. */
char *cl_read_text(const char *path, size_t *n);
unsigned cl_jobs(const cl_common *a); /* 1 to 256 */

/* Calls `each` for every graph of every operand. Returns the worst exit status of them; bad input
 * is reported and gives CL_USAGE. */
typedef struct cl_graph {
  const char *file;
  const fm_item *item;
  uint32_t index; /* of the graph in the run, from 0 */
} cl_graph;
typedef int (*cl_each)(up_ctx *c, const cl_graph *g, void *arg);
int cl_for_each(const cl_common *a, cl_each each, void *arg);
/* With a profile that is loaded. */
int cl_for_each_of(const cl_common *a, const up_profile *p, cl_each each, void *arg);
/* Tells on standard error what the reader changed in the graph, if anything. */
void cl_note(const char *file, const fm_item *item);
/* The first graph of a file into c. False after a message. */
bool cl_read_one(up_ctx *c, const char *file, fm_item *item);

/* ---- places for results ---------------------------------------------------------------------- */

/* Makes the folder unless it is there. False after a message. */
bool cl_keep_dir(const char *dir);
/* Can the file be written, as far as one can say without making it? False after a message. */
bool cl_can_write(const char *path);

/* ---- judging --------------------------------------------------------------------------------- */

/* Which call a row of JSON lines is about; OR_NO_VALID: its graph is to be simplified. */
or_valid_mode cl_item_mode(const fm_item *it);
/* or_check or or_check_valid, as the row asks for. */
void cl_check_item(or_checker *oracle, up_ctx *c, const fm_item *it, or_frame f, or_report *out);

/* ---- frames ---------------------------------------------------------------------------------- */

#define CL_FRAMES "ideal|wrap|refine|all"
/* Writes the frames that the word stands for; returns how many. */
unsigned cl_frames(const char *word, or_frame out[OR_FRAME_COUNT]);

/* ---- rewriting ------------------------------------------------------------------------------- */

/* up_rewrite with the profile's chosen set. */
up_result cl_rewrite(up_ctx *c, up_node root, uint64_t max_steps, up_trace *trace,
                     uint32_t *loop_from);

/* ---- assignments ----------------------------------------------------------------------------- */

/* Variables under root, RANGEs with any end among them, each at its lowest value. False: no memory. */
bool cl_variables(up_ctx *c, up_node root, or_witness *out);
/* Values from NAME=N words; used[i] is set where word i names a variable. False after a message:
 * missing, not a number, outside its range. */
bool cl_assign(up_ctx *c, const cl_texts *sets, or_witness *w, bool *used);
/* Is each RANGE whose end is no constant below it, as v has it? False after a message. */
bool cl_below_ends(up_ctx *c, const or_witness *w, const or_values *v);

/* ---- text ------------------------------------------------------------------------------------ */

/* Prints the buffer on standard output and frees it. False: no memory while it was filled. */
bool cl_flush(up_buf *b);
/* One line for a node, without ranges: the engine's rendering, or infix where that fails. Long ones
 * end in "...". */
void cl_put_expr(up_ctx *c, up_node n, up_buf *out);
void cl_put_bounds(const up_ctx *c, up_bounds b, up_buf *out); /* [lo, hi] */
void cl_put_dot(up_ctx *c, up_node root, up_buf *out);
const char *cl_rule_name(const up_profile *p, int rule); /* NULL: not known */
/* Why a rewrite has no result: "loop in rule_name", "ZeroDivisionError (zero-division) in ...". */
void cl_put_failure(const up_profile *p, const up_result *r, up_buf *out);

/* JSON values for texts of any bytes, and for decimals ("-3", "[0, 2]", "undefined"). */
json_t *cl_json_text(const char *s);
json_t *cl_json_value(const char *s);
/* One compact line with its newline; takes the reference. */
void cl_put_json(up_buf *out, json_t *j);
void cl_print_json(json_t *j);

/* ---- bounds ---------------------------------------------------------------------------------- */

/* The table of `bounds --tightness`; an exit status. */
int cl_tightness(const cl_common *a, const char *frame);

/* ---- verdicts -------------------------------------------------------------------------------- */

typedef struct cl_tally {
  uint64_t graphs, findings, bad_input, out_of_scope;
  uint64_t interpreted; /* boxes that could not be compiled, as they should have been */
  uint64_t verdict[OR_VERDICT_COUNT];
  uint64_t stage[OR_STAGES]; /* graphs that this stage decided */
} cl_tally;
/* One more verdict of this stage. */
void cl_tally_note(cl_tally *t, or_verdict v, const char *stage);
void cl_tally_add(cl_tally *into, const cl_tally *t);
/* "300 graphs, 2 findings, 0 undecided, 290 proved, ..., 250 by exhaust" */
void cl_tally_put(const cl_tally *t, up_buf *out);
/* The same as an object: graphs, findings, verdicts, stages, ... */
json_t *cl_tally_json(const cl_tally *t);
json_t *cl_tally_verdicts(const cl_tally *t);
json_t *cl_tally_stages(const cl_tally *t);
int cl_tally_status(const cl_tally *t);

/* Says so on standard error where compiling failed. */
void cl_note_jit(const or_checker *k);

/* ---- findings -------------------------------------------------------------------------------- */

/* Where a finding comes from. */
typedef struct cl_source {
  const char *file; /* NULL: none */
  const char *id;   /* as fm_item.id */
  bool generated;   /* a case of a seed */
  uint64_t seed, index;
} cl_source;
/* The finding as the object that `check` and `fuzz` print. c holds f's nodes. */
json_t *cl_finding_json(up_ctx *c, const or_finding *f, const cl_source *from);
/* `.uop` text of the finding's graph with the finding as metadata: a regression test as it is. */
void cl_put_finding_uop(up_ctx *c, const or_finding *f, const cl_source *from, up_buf *out);
/* A test of the finding for the modelled engine, in Python; nothing in frames of which that engine's
 * own arithmetic, which is unbounded, says nothing. */
void cl_put_finding_py(up_ctx *c, const or_finding *f, up_buf *out);
/* A test of the finding in C, for uproof's own suite: a cmocka program. profile: the name that loads
 * it; rules: the text of --rules, whose base it then is, or NULL. */
void cl_put_finding_c(up_ctx *c, const or_finding *f, const char *profile, const char *rules,
                      up_buf *out);

#endif
