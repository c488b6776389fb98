/* uproof oracle: one question, the scratch of a checker, and the stages that answer. Private to
 * oracle/.
 */
#ifndef UPROOF_ORACLE_CHECKER_H
#define UPROOF_ORACLE_CHECKER_H

#include "block.h"
#include "findings.h"
#include "solver.h"
#include "z3ctx.h"

struct or_checker {
  or_limits limits;
  pr_program program;
  bl_machine machine;
  z3_session z3;   /* of this process */
  sv_child solver; /* the process that is asked, by default */
  pr_range *claim; /* of or_bounds, one a root */
  uint32_t claim_cap;
  or_certifier certifier; /* step == NULL: none */
  up_ctx *again;          /* where results are simplified once more; NULL: not yet */
  bool no_second;         /* cvc5 is not installed */
  uint64_t points;        /* evaluated so far, by samples and enumerations */
  uint64_t limbs;         /* of the reference evaluator's values at them */
  or_jit_stats jit;
};

/* What is asked of the roots of `p`: either b stands in for a, or (b is UP_NONE) claim[i] holds of
 * root i. */
typedef struct or_task {
  or_checker *k;
  up_ctx *c;
  up_node a, b;
  or_frame frame;
  const pr_program *p;
  const pr_range *claim;
  uint32_t root_limit; /* roots from this one on are settled: not looked at */
} or_task;

/* What a stage says. FOUND: *root fails at *w, not confirmed yet. */
typedef enum or_found { OR_CLEAN, OR_FOUND, OR_SKIPPED, OR_GAVE_UP, OR_BROKEN } or_found;

/* Corners, interesting values and random points, at most a few hundred. CLEAN says nothing more
 * than that. w is made when FOUND. */
or_found or_sample(const or_task *t, or_witness *w, uint32_t *root);
/* Every point, when there are at most `most`; else SKIPPED. FOUND: the least root that fails. With
 * machine.seen set these two find ranges, and no failures; SKIPPED also where there are no lanes. */
or_found or_exhaust(const or_task *t, uint64_t most, or_witness *w, uint32_t *root);

/* Asks the solver: as integers, or as bit-vectors. FOUND: its point, not confirmed. SKIPPED: not
 * expressible. GAVE_UP: the resource limit, or no answer. BROKEN: it failed. why (120 bytes) says
 * more, but for CLEAN and FOUND. */
or_found or_solve(const or_task *t, bool bits, uint32_t rlimit, or_witness *w, char *why);

/* The same of cvc5, where it is installed: SKIPPED, without a why, where it is not. */
or_found or_solve_second(const or_task *t, bool bits, uint32_t rlimit, or_witness *w, char *why);
/* A point of a question that said less than is known: FOUND, or not taken, and why. */
or_found or_try_guess(const or_task *t, or_witness *w, char *why);

/* ---- the cascade ----------------------------------------------------------------------------- */

/* A question under way: the answer so far and the task. */
typedef struct or_inquiry {
  or_task task;
  or_answer answer;
  uint32_t found; /* least root known to fail, BL_NONE: none */
} or_inquiry;

/* How much is spent: LIGHT is what takes milliseconds, HEAVY what is left of the limits, LAST is cvc5,
 * after all else: with it or without it, what the others decide is the same. */
typedef enum or_effort { OR_LIGHT = 1, OR_HEAVY = 2, OR_LAST = 4, OR_FULL = 7 } or_effort;
/* Samples, enumerates and solves until every root is decided or the effort is spent. The task's
 * program is built and not vacuous. The answer is complete when it returns. */
void or_cascade(or_inquiry *q, or_effort effort);
/* What a program that was not built answers. */
void or_refuse(or_answer *a, const pr_program *p, pr_status s);
/* Without the trace. */
or_answer or_equiv_whole(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f,
                         or_effort effort);
/* Step by step, each with this effort; *a is the undecided answer about the whole, made better if
 * possible. */
void or_equiv_steps(or_checker *k, up_ctx *c, up_node from, up_node to, or_frame f,
                    const up_trace *trace, or_effort effort, or_answer *a);

/* Are all steps of the trace certified, and do they lead from a to b? */
bool or_equiv_certified(or_checker *k, up_ctx *c, up_node a, up_node b, const up_trace *trace);

/* ---- confirmation ---------------------------------------------------------------------------- */

/* The reference evaluator at a point. FOUND: root `*root` is the least that fails there; expected
 * and actual (80 bytes each, may be NULL) tell how. CLEAN: none fails, or the point does not count.
 * BROKEN: no memory. */
or_found or_refute(const or_task *t, const or_witness *w, uint32_t *root, char *expected,
                   char *actual);
/* The values of a task's graphs at a point; b is empty when there is one graph. */
typedef struct or_points {
  or_point a, b;
} or_points;
void or_points_clear(or_points *p);
/* The same at many points: *at, zero at first, is memory of one task from point to point. */
or_found or_refute_next(const or_task *t, const or_witness *w, or_points *at, uint32_t *root);
/* exec_alu at a point: does it agree with the reference evaluator on every instruction of the
 * program that is defined? False: `why` (80 bytes) says where not. */
bool or_exec_agrees(const or_task *t, const or_witness *w, char *why);

#endif
