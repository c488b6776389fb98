/* The order in which stages are tried, and what their findings become.
 *
 *   sample            a few hundred points
 *   exhaust           all points, if that is quicker than asking the solver
 *   z3-int, z3-bv     with a small part of the resource limit (the other way round: bits_first)
 *   exhaust           all points, if that takes about as long as the solver's next try
 *   z3-int, z3-bv     with the whole resource limit
 *   exhaust           all points, up to the limit
 *   cvc5              as integers and as bit-vectors, where it is installed
 *
 * A stage that finds a failing root leaves the lesser roots open: they are looked at by the next
 * stages, so that the root reported is the least that fails, as far as it could be decided.
 */
#include "checker.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Instructions times points: a few milliseconds of lanes, and about a second. */
#define QUICK_WORK (UINT64_C(1) << 26)
#define SLOW_WORK (UINT64_C(1) << 31)
#define WHYS 4u /* solvers that say why they gave up */
/* The first try of the solver gets this part of the resource limit. */
#define QUICK_PART 16u
/* A unit costs ten times more in nonlinear integer arithmetic than in bits, and what is not decided
 * there soon is not decided later. Where bits come first integers get a REDUCED_PART of the first try,
 * and no second one. */
#define INT_PART 8u
#define REDUCED_PART 4u

void or_refuse(or_answer *a, const pr_program *p, pr_status s) {
  a->verdict = s == PR_UNSUPPORTED ? OR_UNSUPPORTED : OR_ERROR;
  a->stage = "program";
  snprintf(a->reason, sizeof a->reason, "%s", s == PR_UNSUPPORTED ? p->reason : "no memory");
}

static void settle(or_inquiry *q, or_verdict v, const char *stage, const char *reason) {
  q->answer.verdict = v;
  q->answer.stage = stage;
  snprintf(q->answer.reason, sizeof q->answer.reason, "%s", reason);
}

/* Takes over a point that `stage` says fails. False: it was not confirmed, and the answer is an
 * error. */
static bool accept(or_inquiry *q, const char *stage, or_witness *w) {
  or_answer *a = &q->answer;
  char expected[80], actual[80], why[80];
  uint32_t root = BL_NONE;
  or_found f = or_refute(&q->task, w, &root, expected, actual);
  if (f != OR_FOUND) {
    snprintf(why, sizeof why, "%s",
             f == OR_BROKEN ? "no memory" : "a failing point was not confirmed");
  } else if (or_exec_agrees(&q->task, w, why)) {
    or_witness_clear(&a->witness);
    a->witness = *w;
    *w = (or_witness){0};
    memcpy(a->expected, expected, sizeof expected);
    memcpy(a->actual, actual, sizeof actual);
    if (q->task.claim) a->node = q->task.p->root[root].node;
    q->task.root_limit = q->found = root;
    settle(q, OR_DIFFERS, stage, "");
    return true;
  }
  or_witness_clear(w);
  or_witness_clear(&a->witness);
  settle(q, OR_ERROR, stage, why);
  return false;
}

/* Everything that is left was found right (by a stage that can say so). A failure found before
 * stands. True, for callers to return. */
static bool decided(or_inquiry *q, or_verdict v, const char *stage) {
  if (q->found == BL_NONE) settle(q, v, stage, "");
  return true;
}

static bool broken(or_inquiry *q, const char *stage, const char *why) {
  or_witness_clear(&q->answer.witness);
  settle(q, OR_ERROR, stage, why);
  return true;
}

/* The stages: true when there is nothing left to ask. */

static bool all_settled(const or_task *t) {
  for (uint32_t i = 0; i < t->root_limit; i++) {
    if (!pr_settled(t->p, t->claim, i)) return false;
  }
  return true;
}

/* After a failure that was accepted. For pairs one is enough. */
static bool enough(const or_inquiry *q) {
  return !q->task.claim || q->task.root_limit == 0 || all_settled(&q->task);
}

static bool stage_sample(or_inquiry *q) {
  or_witness w = {0};
  uint32_t root;
  or_found f = or_sample(&q->task, &w, &root);
  if (f == OR_BROKEN) return broken(q, "sample", "no memory");
  if (f == OR_FOUND) return !accept(q, "sample", &w) || enough(q);
  return false;
}

static bool stage_exhaust(or_inquiry *q, uint64_t most) {
  or_witness w = {0};
  uint32_t root;
  or_found f = or_exhaust(&q->task, most, &w, &root);
  if (f == OR_SKIPPED) return false;
  if (f == OR_BROKEN) return broken(q, "exhaust", "no memory");
  if (f == OR_CLEAN) return decided(q, OR_EXHAUSTED, "exhaust");
  accept(q, "exhaust", &w);
  return true; /* the least root that fails was asked for */
}

static bool stage_solve(or_inquiry *q, bool bits, uint32_t rlimit, char *why) {
  const char *stage = bits ? "z3-bv" : "z3-int";
  for (;;) {
    or_witness w = {0};
    or_found f = or_solve(&q->task, bits, rlimit, &w, why);
    if (f == OR_BROKEN) return broken(q, stage, why);
    if (f == OR_CLEAN) return decided(q, OR_PROVED, stage);
    if (f != OR_FOUND) return false;
    if (!accept(q, stage, &w) || enough(q)) return true;
  }
}

/* In wrap, wherever a result is reduced, integers are remainders by powers of two, on which Z3 can go
 * far beyond its resource limit: there bits come first, and integers get little, and once. */
static bool bits_first(const or_inquiry *q) {
  return q->task.frame == OR_WRAP && !q->task.p->exact;
}

/* Limits of 0: not asked. */
static bool stage_solvers(or_inquiry *q, uint32_t bits, uint32_t ints, char why[WHYS][120]) {
  bool first = bits_first(q);
  for (unsigned i = 0; i < 2; i++) {
    bool b = first == (i == 0);
    if ((b ? bits : ints) > 0 && stage_solve(q, b, b ? bits : ints, why[b])) return true;
  }
  return false;
}

/* What cvc5 has to say can't cost a verdict: what goes wrong with it leaves the question open. */
static bool stage_second(or_inquiry *q, bool bits, char *why) {
  uint32_t rlimit = q->task.k->limits.solver_rlimit;
  for (;;) {
    or_witness w = {0};
    or_found f = or_solve_second(&q->task, bits, rlimit, &w, why);
    if (f == OR_CLEAN) return decided(q, OR_PROVED, "cvc5");
    if (f != OR_FOUND) return false;
    if (!accept(q, "cvc5", &w) || enough(q)) return true;
  }
}

static bool last(or_inquiry *q, char why[WHYS][120]) {
  if (q->task.k->limits.solver_rlimit == 0 || q->task.k->limits.z3_alone) return false;
  return stage_second(q, false, why[2]) || stage_second(q, true, why[3]);
}

static void give_up(or_inquiry *q, char why[WHYS][120]) {
  if (q->found != BL_NONE) return; /* it fails; only whether a lesser root does too is open */
  const or_limits *l = &q->task.k->limits;
  if (l->solver_rlimit == 0) {
    settle(q, OR_SAMPLED, "sample", "the box is too large to enumerate, and there is no solver");
    return;
  }
  static const char *const who[WHYS] = {"z3-int", "z3-bv", "cvc5 ints", "cvc5 bits"};
  char text[160] = "";
  for (unsigned i = 0, n = 0; i < WHYS && n < sizeof text; i++) {
    if (why[i][0] == 0) continue;
    n +=
        (unsigned)snprintf(text + n, sizeof text - n, "%s%s: %.50s", n ? "; " : "", who[i], why[i]);
  }
  settle(q, OR_UNDECIDED, "z3-bv", text);
}

/* All points, when there are not more than the limit and than the work allows. */
static bool stage_exhaust_within(or_inquiry *q, uint64_t work) {
  uint64_t n = work / (q->task.p->n > 0 ? q->task.p->n : 1), most = q->task.k->limits.max_points;
  return stage_exhaust(q, n < most ? n : most);
}

/* Milliseconds. True: decided. */
static bool light(or_inquiry *q, char why[WHYS][120]) {
  uint32_t part = q->task.k->limits.solver_rlimit / QUICK_PART;
  if (stage_exhaust(q, q->task.k->limits.at_once)) return true;
  if (stage_sample(q) || stage_exhaust_within(q, QUICK_WORK)) return true;
  return stage_solvers(q, part, bits_first(q) ? part / REDUCED_PART : part, why);
}

static bool heavy(or_inquiry *q, char why[WHYS][120]) {
  uint32_t all = q->task.k->limits.solver_rlimit, ints = all > INT_PART ? all / INT_PART : all;
  if (stage_exhaust_within(q, SLOW_WORK)) return true;
  if (stage_solvers(q, all, bits_first(q) ? 0 : ints, why)) return true;
  return stage_exhaust(q, q->task.k->limits.max_points);
}

void or_cascade(or_inquiry *q, or_effort effort) {
  char why[WHYS][120] = {"", "", "", ""};
  assert(!q->task.p->vacuous && q->task.p->nroot > 0);
  q->found = BL_NONE;
  q->task.k->solver.deaf = false;
  if ((effort & OR_LIGHT) && light(q, why)) return;
  if ((effort & OR_HEAVY) && heavy(q, why)) return;
  if ((effort & OR_LAST) && last(q, why)) return;
  give_up(q, why);
}
