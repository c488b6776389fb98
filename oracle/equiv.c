/* Is one graph a sound replacement of another? */
#include "checker.h"

#include <assert.h>
#include <stdio.h>

static bool identical(const pr_program *p) {
  for (uint32_t i = 0; i < p->nroot; i++) {
    if (!pr_settled(p, NULL, i)) return false;
  }
  return true;
}

or_answer or_equiv_whole(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f,
                         or_effort effort) {
  or_inquiry q = {.answer = {.verdict = OR_PROVED, .stage = "identity"}};
  if (up_same(a, b)) return q.answer;
  pr_program *p = &k->program;
  pr_status s = pr_build_pair(p, c, a, b, f);
  if (s != PR_OK) {
    or_refuse(&q.answer, p, s);
    return q.answer;
  }
  if (p->vacuous) q.answer.stage = "vacuous";
  if (p->vacuous || identical(p)) return q.answer;
  q.task = (or_task){.k = k, .c = c, .a = a, .b = b, .frame = f, .p = p, .root_limit = p->nroot};
  or_cascade(&q, effort);
  return q.answer;
}

static bool open(const or_answer *a) {
  return a->verdict == OR_UNDECIDED || a->verdict == OR_SAMPLED;
}

/* Steps are small: they are tried before much is spent on the whole. */
or_answer or_equiv(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f,
                   const up_trace *trace) {
  assert(!up_is_none(a) && !up_is_none(b));
  if (trace && f == OR_IDEAL && k->certifier.step && !up_same(a, b) &&
      or_equiv_certified(k, c, a, b, trace))
    return (or_answer){.verdict = OR_CERTIFIED, .stage = "certificate"};
  if (!trace || trace->n == 0 || k->limits.whole_only)
    return or_equiv_whole(k, c, a, b, f, OR_FULL);
  or_answer r = or_equiv_whole(k, c, a, b, f, OR_LIGHT);
  if (open(&r)) or_equiv_steps(k, c, a, b, f, trace, OR_LIGHT, &r);
  if (!open(&r)) return r;
  r = or_equiv_whole(k, c, a, b, f, OR_HEAVY);
  if (open(&r)) or_equiv_steps(k, c, a, b, f, trace, OR_FULL, &r);
  if (!open(&r) || k->limits.solver_rlimit == 0 || k->no_second) return r;
  or_answer last = or_equiv_whole(k, c, a, b, f, OR_LAST);
  return open(&last) ? r : last;
}
