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

or_answer or_equiv_whole(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f) {
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
  or_cascade(&q);
  return q.answer;
}

or_answer or_equiv(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f,
                   const up_trace *trace) {
  assert(!up_is_none(a) && !up_is_none(b));
  or_answer r = or_equiv_whole(k, c, a, b, f);
  bool open = r.verdict == OR_UNDECIDED || r.verdict == OR_SAMPLED;
  if (open && trace && trace->n > 0) or_equiv_steps(k, c, a, b, f, trace, &r);
  return r;
}
