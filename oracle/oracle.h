/* uproof oracle: what is true of a graph. Frames, evaluation, equivalence, bounds, blame, reduction.
 *
 * Nothing here uses the engine's evaluator, bounds or simplifier to decide a verdict: the engine is
 * what is being judged. The engine is used to hold graphs, and (up_alu) to confirm a witness.
 *
 * Meaning of a graph in a frame (DESIGN: "Frames"):
 *   ideal   unbounded integers; x//0, x%0 and a negative shift amount are undefined.
 *   wrap    two's complement at each node's dtype; nothing is undefined: x//0 = 0, x%0 = x; a
 *           shift by the width or more, or by a negative amount, has the value documented in
 *           oracle/frame.h.
 *   refine  as wrap, but signed overflow, x//0, x%0, MIN//-1, a shift outside [0, width) and a
 *           constant outside its dtype are undefined.
 * In every frame: IDIV and MOD truncate toward zero; a CAST to an integer or bool dtype wraps; a
 * variable takes the values of its declared range; an undefined value counts only where it is used
 * (the WHERE branch not taken does not).
 * A rewrite is sound when wherever the original is defined, the result is defined and equal.
 */
#ifndef UPROOF_ORACLE_H
#define UPROOF_ORACLE_H

#include "engine/uop.h"

typedef enum or_frame { OR_IDEAL, OR_WRAP, OR_REFINE, OR_FRAME_COUNT } or_frame;
const char *or_frame_name(or_frame f);
bool or_frame_parse(const char *s, or_frame *out);

typedef enum or_verdict {
  OR_PROVED,      /* same node, or the solver proved it */
  OR_EXHAUSTED,   /* every point of the box was evaluated */
  OR_CERTIFIED,   /* every step is an instance of a proved rule (issue: proofs) */
  OR_SAMPLED,     /* no failure at the sampled points; nothing more was asked for */
  OR_DIFFERS,     /* a witness is at hand */
  OR_UNDECIDED,   /* every stage gave up; see reason */
  OR_UNSUPPORTED, /* an op or dtype that the oracle gives no meaning to; see reason */
  OR_ERROR,       /* a solver or memory failed; never a verdict about the graph; see reason */
  OR_VERDICT_COUNT
} or_verdict;
const char *or_verdict_name(or_verdict v);
/* The names of the stages that can decide, in the order in which they are tried; NULL past the last. */
#define OR_STAGES 13u
const char *or_stage_name(unsigned i);

/* ---- variables and witnesses ------------------------------------------------------------------ */

/* Free variables of one or two graphs: DEFINE_VAR, RANGE, SPECIAL, in order of node id. A vector
 * variable has an entry for each of its lanes. */
typedef struct or_witness {
  uint32_t n;
  up_node *var;
  mpz_t *value;
  uint32_t *lane; /* of the variable; NULL: 0 in every entry */
} or_witness;
static inline uint32_t or_witness_lane(const or_witness *w, uint32_t i) {
  return w->lane ? w->lane[i] : 0;
}
void or_witness_clear(or_witness *w); /* frees; leaves it empty */
bool or_witness_copy(or_witness *dst, const or_witness *src);
/* `{"x":-3,"y":7}`; lanes of a vector v as "v.0", "v.1"; integers beyond int64 as JSON strings. */
void or_witness_put(up_ctx *c, const or_witness *w, up_buf *out);
/* "x" of a scalar variable, "v.1" of lane 1 of a vector. */
void or_entry_name(up_ctx *c, const or_witness *w, uint32_t i, char name[80]);

/* ---- evaluation -------------------------------------------------------------------------------- */

/* The reference evaluator: one node of a graph at an assignment, slowly and exactly. Shares no code
 * with the engine's. Variables not in w have no value: OR_VALUE_UNDEFINED with reason. */
typedef enum or_defined { OR_VALUE_OK, OR_VALUE_UNDEFINED, OR_VALUE_UNSUPPORTED } or_defined;
typedef struct or_values {
  uint32_t n; /* entries: nodes in topological order, root last; a vector has one a lane */
  up_node *node;
  uint32_t *lane; /* of a vector node, ascending; 0 for scalars */
  or_defined *def;
  mpz_t *value;            /* meaningful where def is OR_VALUE_OK; bool is 0/1 */
  uint32_t first_id, nids; /* node ids first_id .. first_id+nids-1 */
  uint32_t *base; /* by id - first_id: the node's first entry + 1; 0: no node of the graph */
} or_values;
bool or_eval(up_ctx *c, up_node root, or_frame f, const or_witness *at, or_values *out);
/* The same graph at another assignment, in the memory of v, which or_eval made in this context. */
void or_eval_again(up_ctx *c, or_frame f, const or_witness *at, or_values *v);
/* The first entry of the node, or UINT32_MAX. */
uint32_t or_values_find(const or_values *v, up_node n);
void or_values_clear(or_values *v);

/* ---- equivalence and bounds ---------------------------------------------------------------------- */

typedef struct or_limits {
  uint32_t samples;        /* random points after the corner points; default 64 */
  uint64_t max_points;     /* box size up to which all points are evaluated; default 1<<28 */
  uint32_t at_once;        /* boxes of so many points are not sampled before; default 0 */
  uint32_t wide_points;    /* the same where values may not fit in 128 bits, which the reference
                              evaluator takes one by one; default 4,096. Samples are at most 64 then */
  bool whole_only;         /* a rewrite whose whole was only sampled is not looked at step by step,
                              which can but prove it */
  uint32_t jobs;           /* processes that share the enumeration of one large box; default 1 */
  uint32_t solver_rlimit;  /* Z3 resource units a query; default 4,000,000; 0: no solver */
  uint32_t solver_seconds; /* a solver that runs or sleeps so long is killed: a net, far beyond what
                              solver_rlimit takes; default 300; 0: it runs inside this process */
  bool z3_alone;           /* cvc5 is not asked, where it is installed */
  uint64_t seed;           /* of the random points */
  uint64_t jit_work;       /* boxes of so many instructions times points are compiled, where LLVM is
                              at hand; default 1<<28; 0: none */
  uint64_t max_steps;      /* of a rewrite that or_check asks for; 0: the engine's default */
  bool idempotence;        /* or_check asks, too, whether the result stays as it is */
  bool no_overflow;        /* or_check, or_check_valid: a graph that is out of the box below, or one
                              of whose steps is, is unsupported */
} or_limits;
or_limits or_limits_default(void);

/* Holds the solver and scratch memory; used by one thread. NULL: no memory. */
typedef struct or_checker or_checker;
or_checker *or_checker_new(const or_limits *l);
void or_checker_free(or_checker *k);

/* What became of the boxes that were worth compiling. The answers are the same in any case. */
typedef struct or_jit_stats {
  uint64_t compiled, failed, points; /* failed: they were interpreted */
  char why[120];                     /* the last failure */
} or_jit_stats;
const or_jit_stats *or_checker_jit(const or_checker *k);
/* "LLVM 14.0.6", or NULL: built without. */
const char *or_jit_version(void);

/* Judges of what an engine did, in ideal, that need no evaluation: they check that a step is an
 * instance of a rule whose obligation is proved, and a claim one of a transfer rule. What they decline
 * goes through the cascade. They are outside of the oracle (proofs/), so here they are functions. */
typedef struct or_certifier {
  void *arg;
  void (*begin)(void *arg); /* another graph: what is known by node no longer holds */
  bool (*step)(void *arg, up_ctx *c, const up_step *step);
  bool (*bounds)(void *arg, up_ctx *c, up_node root); /* all claims of root and below */
} or_certifier;
/* From now on these are asked first, for questions in ideal; NULL: nobody is. Copied. */
void or_checker_certify(or_checker *k, const or_certifier *by);

typedef struct or_answer {
  or_verdict verdict;
  const char *
      stage; /* "certificate", "identity", "sample", "exhaust", "z3-int", "z3-bv", "steps", "cvc5": static text */
  or_witness witness; /* OR_DIFFERS only; clear it with or_answer_clear */
  char expected[80]; /* value of the original at the witness, decimal; long ones are cut with ... */
  char actual[80];   /* value of the other, "undefined", or "[lo, hi]" of a bounds claim */
  up_node node;      /* bounds: the node whose claim fails */
  char reason[160];  /* undecided, unsupported, error: why */
} or_answer;
void or_answer_clear(or_answer *a);

/* Is `b` a sound replacement of `a` in the frame? trace may be NULL; with it, certificates of its steps
 * are asked for first, and an undecided whole is decided step by step. Every witness is confirmed by or_eval and by exec_alu. */
or_answer or_equiv(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f,
                   const up_trace *trace);
/* The same question as an SMT-LIB2 script of one check-sat: `unsat` means yes. both: in either
 * direction, so that `unsat` means that a and b are defined at the same points and equal there. As
 * integers where every op has an integer term, else as bit-vectors that are wide enough for every
 * value. Variables have their names. False: there is no such script; why (120 bytes) says so. */
bool or_smt2(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f, bool both, up_buf *out,
             char *why);
/* Does vmin <= value <= vmax hold for every integer or bool node under root, wherever it is
 * defined? The node reported is the first in topological order whose claim fails. */
or_answer or_bounds(or_checker *k, up_ctx *c, up_node root, or_frame f);

/* ---- exact ranges ---------------------------------------------------------------------------- */

/* The values of a node over all assignments at which it is defined; of a vector, over its lanes. */
typedef struct or_range {
  up_node node;
  bool seen;    /* values were found; lo and hi are the least and the greatest of them */
  mpz_t lo, hi; /* initialised in any case */
  const char *lo_by,
      *hi_by; /* what shows that there is none beyond: "exhaust", "interval", "z3-int",
                                "z3-bv", "vacuous"; NULL: nothing does. Not seen: both tell what
                                shows that the node is defined nowhere */
} or_range;
typedef struct or_ranges {
  uint32_t
      n; /* the integer and bool nodes under the root, in topological order, or the root alone */
  or_range *range;
  char reason[160]; /* why an end that is not established is not, or why n is 0 */
} or_ranges;
/* all: every node. False: no memory, or an op without meaning in the frame; see reason. Points up to
 * the checker's limit are evaluated, else each end is asked for with its resource limit a query. */
bool or_exact(or_checker *k, up_ctx *c, up_node root, or_frame f, bool all, or_ranges *out);
void or_ranges_clear(or_ranges *r);

/* ---- no overflow ----------------------------------------------------------------------------- */

/* The box: no node of a graph can leave its dtype, no divisor can be 0 and no shift amount can leave
 * the width, by the oracle's own intervals. Such a graph means the same in all frames. */
/* The root, when it is in the box; else its largest node that is (as a tree; the later one of two).
 * UP_NONE: there is none, no memory, or an op without meaning. */
up_node or_in_range(or_checker *k, up_ctx *c, up_node root);
/* Are both sides of all steps in the box, and the result? Makes a SINK of them in c. */
bool or_steps_in_range(or_checker *k, up_ctx *c, const up_trace *t, up_node result);

/* ---- findings -------------------------------------------------------------------------------------- */

typedef enum or_kind {
  OR_VALUE,
  OR_BOUNDS,
  OR_NONTERMINATION,
  OR_CRASH,
  OR_DTYPE,       /* the root has another dtype */
  OR_SPEC,        /* the release's type spec does not accept the result, as it did the graph */
  OR_IDEMPOTENCE, /* the result is simplified once more */
} or_kind;
/* "value", "bounds", "nontermination", "crash", "dtype", "spec", "idempotence" */
const char *or_kind_name(or_kind k);
bool or_kind_parse(const char *s, or_kind *out);

/* Which simplification: of a graph under a valid, or of the valid itself. */
typedef enum or_valid_mode { OR_NO_VALID, OR_GIVEN_VALID, OR_SIMPLIFY_VALID } or_valid_mode;
const char *or_valid_mode_name(or_valid_mode m); /* "uop_given_valid", "simplify_valid" */
bool or_valid_mode_parse(const char *s, or_valid_mode *out);

/* A failing graph with its cause. Nodes belong to the context that was checked. */
typedef struct or_finding {
  or_kind kind;
  or_frame frame;
  up_node graph;         /* as given */
  up_node simplified;    /* UP_NONE when there is none */
  int rule;              /* blamed rule, in the profile's table; -1: not known, or the call that
                           `mode` names is to blame and none of its steps */
  up_node before, after; /* the blamed step, or the node whose bounds fail and UP_NONE */
  or_witness witness;
  char expected[80], actual[80];
  up_node valid;      /* of or_check_valid; then `mode` tells the call, and graph is its subject */
  or_valid_mode mode; /* OR_NO_VALID: the graph was simplified */
} or_finding;
void or_finding_clear(or_finding *f);
/* What tells one bug from another, as one word that can name a file:
 * "value-ideal-div_folding-IDIV-positive": kind, frame, blamed rule, op of the blamed node, and of a
 * division the sign of its divisor by its claimed range (positive, negative, zero, mixed). Parts
 * that are not known are left out, a rule that is not is "unknown" or the call of `mode`. The
 * minimizer keeps it. The context's status must be UP_OK, and is so afterwards. */
#define OR_CAUSE_ROOM 160
void or_finding_cause(up_ctx *c, const or_finding *f, char out[OR_CAUSE_ROOM]);

/* Everything about one graph in one frame: simplify, compare, bounds, dtype, termination. */
typedef struct or_report {
  or_verdict verdict;       /* the least certain one of value comparison, bounds and rewrite;
                           OR_DIFFERS when anything failed */
  or_verdict value, bounds; /* each comparison alone: a failure of one can hide that the other was
                               left undecided. OR_UNDECIDED too where it was not reached */
  const char *stage;
  char reason[160];
  up_node simplified;
  uint32_t nfindings; /* one a kind at most */
  or_finding finding[7];
} or_report;
void or_check(or_checker *k, up_ctx *c, up_node root, or_frame f, or_report *out);
/* The same for up_given_valid(valid, n) and up_simplify_valid(valid) (n is not looked at): wherever
 * valid is true and n is defined, the result must be defined and equal; the new conjunction must be
 * equal to the old one wherever that is defined; "never holds" must be so. Bounds are not looked at;
 * the simplified node is UP_NONE for "never holds". */
void or_check_valid(or_checker *k, up_ctx *c, up_node valid, up_node n, or_valid_mode mode,
                    or_frame f, or_report *out);
void or_report_clear(or_report *r);

/* ---- reduction --------------------------------------------------------------------------------------- */

/* The kinds of changes that are tried. */
typedef enum or_pass {
  OR_PASS_DESCEND,   /* a node for the whole graph */
  OR_PASS_CUT,       /* an operand, a constant or a new variable for a node */
  OR_PASS_USES,      /* the same for one use of a shared node */
  OR_PASS_VARIABLES, /* a constant or another variable for a variable */
  OR_PASS_TYPES,     /* one dtype less, and the casts that are then idle */
  OR_PASS_CONSTANTS, /* constants nearer to 0 */
  OR_PASS_RANGES,    /* ranges smaller, and nearer to 0 */
  OR_PASS_NUMBERS,   /* all numbers at once */
  OR_PASS_WIDENED,   /* cuts for which the ranges must grow */
  OR_PASS_COUNT
} or_pass;
const char *or_pass_name(or_pass p); /* "descend", "cut", ... */
typedef struct or_pass_won {
  uint32_t tries, accepted, nodes; /* nodes: how many fewer the graph has for it */
} or_pass_won;
typedef struct or_reduced {
  up_ctx *ctx;
  or_finding finding;
  uint32_t nodes_before, nodes_after, tries, accepted;
  or_pass_won won[OR_PASS_COUNT];
} or_reduced;
/* Told of every accepted change: the graph so far and its finding, both only for the call. */
typedef struct or_watch {
  void (*better)(void *arg, up_ctx *c, const or_finding *f);
  void *arg;
} or_watch;
/* Shrinks f->graph while its cause (or_finding_cause) stays the same. The result is a finding in a
 * new context of the same profile, which or_reduced_clear frees. stop and watch may be NULL; stop is
 * polled, and when it becomes true the best so far is returned. max_tries 0: 50,000 trials. Never
 * larger than the input; deterministic apart from stop; reduced again it stays as it is, if it was
 * not stopped. Where k does not find the failure without its witness, the witness is taken as the
 * reference evaluator has confirmed it. False: no memory, or f is no finding of its graph; then out
 * is empty. A valid and its graph are reduced together, and nodes_before and nodes_after count the
 * nodes of both. */
bool or_minimize(or_checker *k, up_ctx *c, const or_finding *f, const volatile bool *stop,
                 uint64_t max_tries, or_reduced *out);
bool or_minimize_watched(or_checker *k, up_ctx *c, const or_finding *f, const volatile bool *stop,
                         uint64_t max_tries, const or_watch *watch, or_reduced *out);
void or_reduced_clear(or_reduced *r);

#endif
