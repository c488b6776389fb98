/* Step by step: a whole that is too hard, decided by the steps that the rewrite took.
 *
 * Why that is sound. Write a >= b for "wherever a is defined, b is defined and equal". It is
 * reflexive and transitive. It is also a congruence: put b for a in a larger graph G. At a point
 * where G[a] is defined, go through G[a] from the leaves. Each node that a definite evaluation of
 * G[a] uses is defined there, and by induction its counterpart in G[b] is defined and equal: strict
 * ops use all their operands; WHERE uses its condition and the branch that is selected, and the
 * condition's counterpart is equal, so the same branch is selected. Nodes that are not used do not
 * matter in either. So if before >= after for each step, and the steps lead from the first graph to
 * the last one, first >= last. The points are those of all variables; a step that has fewer
 * variables is decided for every value of them.
 *
 * That the steps do lead there is not taken on trust: they are replayed here, apart from the
 * engine's driver.
 */
#include "checker.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- replay ---------------------------------------------------------------------------------- */

#define IN_PROGRESS UINT32_MAX

typedef struct frame {
  up_node node;    /* what is being rewritten */
  up_node rebuilt; /* with rewritten sources; UP_NONE before that */
  up_node next;    /* what the step made of it; UP_NONE: no step */
} frame;

typedef struct replay {
  up_ctx *c;
  uint32_t *step; /* by node id: after of the step on that node, 0: none */
  uint32_t *done; /* by node id: the result, 0, or IN_PROGRESS */
  uint32_t cap;
  frame *stack;
  uint32_t depth, stack_cap;
  uint64_t budget;
} replay;

static bool cover(replay *r, uint32_t id) {
  if (id < r->cap) return true;
  uint32_t cap = id + 1 + id / 2;
  uint32_t *step = realloc(r->step, cap * sizeof *step);
  if (step) r->step = step;
  uint32_t *done = step ? realloc(r->done, cap * sizeof *done) : NULL;
  if (!done) return false;
  r->done = done;
  memset(r->step + r->cap, 0, (cap - r->cap) * sizeof *step);
  memset(r->done + r->cap, 0, (cap - r->cap) * sizeof *done);
  r->cap = cap;
  return true;
}

static bool push(replay *r, up_node n) {
  if (up_is_none(n) || r->budget-- == 0 || !cover(r, n.id)) return false;
  if (r->done[n.id] == IN_PROGRESS) return false; /* the steps go in a circle */
  if (r->depth == r->stack_cap) {
    uint32_t cap = r->stack_cap < 64 ? 128 : r->stack_cap * 2;
    frame *q = realloc(r->stack, cap * sizeof *q);
    if (!q) return false;
    r->stack = q;
    r->stack_cap = cap;
  }
  r->done[n.id] = IN_PROGRESS;
  r->stack[r->depth++] = (frame){n, UP_NONE, UP_NONE};
  return true;
}

static bool known(const replay *r, up_node n) {
  return n.id < r->cap && r->done[n.id] != 0 && r->done[n.id] != IN_PROGRESS;
}

/* Pushes the first source that is not rewritten yet; *pushed tells whether there was one. */
static bool push_source(replay *r, up_node n, bool *pushed) {
  *pushed = false;
  for (uint32_t i = 0; i < up_nsrc(r->c, n); i++) {
    if (known(r, up_src(r->c, n, i))) continue;
    *pushed = true;
    return push(r, up_src(r->c, n, i));
  }
  return true;
}

static up_node rebuild(replay *r, up_node n) {
  uint32_t nsrc = up_nsrc(r->c, n);
  up_node *src = malloc((nsrc + 1) * sizeof *src);
  if (!src) return UP_NONE;
  for (uint32_t i = 0; i < nsrc; i++) src[i] = (up_node){r->done[up_src(r->c, n, i).id]};
  up_node m = up_new(r->c, up_op_of(r->c, n), up_dtype_of(r->c, n), src, nsrc, up_arg_of(r->c, n));
  free(src);
  return m;
}

static void finish_frame(replay *r, up_node result) {
  const frame *f = &r->stack[--r->depth];
  r->done[f->node.id] = result.id;
  r->done[f->rebuilt.id] = result.id;
}

/* One move of the topmost frame. */
static bool move(replay *r) {
  frame *f = &r->stack[r->depth - 1];
  bool pushed;
  if (up_is_none(f->rebuilt)) {
    if (!push_source(r, f->node, &pushed)) return false;
    if (pushed) return true;
    f->rebuilt = rebuild(r, f->node);
    if (up_is_none(f->rebuilt) || !cover(r, f->rebuilt.id)) return false;
    if (known(r, f->rebuilt)) {
      finish_frame(r, (up_node){r->done[f->rebuilt.id]});
      return true;
    }
    f->next = (up_node){r->step[f->rebuilt.id]};
  }
  if (up_is_none(f->next)) {
    finish_frame(r, f->rebuilt);
    return true;
  }
  if (!known(r, f->next)) return push(r, f->next);
  finish_frame(r, (up_node){r->done[f->next.id]});
  return true;
}

/* Do the steps of depth 0 lead from a to b? Deeper ones are inside of those. */
static bool leads(up_ctx *c, up_node a, up_node b, const up_trace *t) {
  replay r = {.c = c, .budget = 1000 + 64 * (uint64_t)t->n + 64 * (uint64_t)up_ctx_node_count(c)};
  bool ok = cover(&r, up_ctx_node_count(c));
  for (uint32_t i = 0; ok && i < t->n; i++) {
    const up_step *s = &t->step[i];
    if (s->depth == 0 && !up_same(s->before, s->after) && r.step[s->before.id] == 0)
      r.step[s->before.id] = s->after.id;
  }
  ok = ok && push(&r, a);
  while (ok && r.depth > 0) ok = move(&r);
  ok = ok && r.done[a.id] == b.id;
  free(r.step);
  free(r.done);
  free(r.stack);
  up_ctx_clear_status(c); /* a limit met while replaying is no failure of the graph */
  return ok;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool certified(or_checker *k, up_ctx *c, or_frame f, const up_step *s) {
  return f == OR_IDEAL && k->certifier.step && k->certifier.step(k->certifier.arg, c, s);
}

bool or_equiv_certified(or_checker *k, up_ctx *c, up_node a, up_node b, const up_trace *trace) {
  k->certifier.begin(k->certifier.arg);
  for (uint32_t i = 0; i < trace->n; i++)
    if (trace->step[i].depth == 0 && !certified(k, c, OR_IDEAL, &trace->step[i])) return false;
  return leads(c, a, b, trace);
}

/* False: this step does not prove itself; `a` says why. */
static bool decide_step(or_checker *k, up_ctx *c, or_frame f, const up_step *s, uint32_t number,
                        or_effort effort, or_answer *a, bool *exhausted) {
  if (certified(k, c, f, s)) return true;
  or_answer r = or_equiv_whole(k, c, s->before, s->after, f, effort);
  bool ok = r.verdict == OR_PROVED || r.verdict == OR_EXHAUSTED;
  if (r.verdict == OR_EXHAUSTED) *exhausted = true;
  if (!ok)
    snprintf(a->reason, sizeof a->reason, "step %u alone: %s%s%.100s", number,
             or_verdict_name(r.verdict), r.reason[0] ? ": " : "", r.reason);
  or_answer_clear(&r);
  return ok;
}

void or_equiv_steps(or_checker *k, up_ctx *c, up_node from, up_node to, or_frame f,
                    const up_trace *trace, or_effort effort, or_answer *a) {
  assert(a->verdict == OR_UNDECIDED || a->verdict == OR_SAMPLED);
  if (!leads(c, from, to, trace)) {
    size_t n = strlen(a->reason);
    snprintf(a->reason + n, sizeof a->reason - n, "; the steps could not be replayed");
    return;
  }
  bool exhausted = false;
  for (uint32_t i = 0; i < trace->n; i++) {
    const up_step *s = &trace->step[i];
    if (s->depth == 0 && !decide_step(k, c, f, s, i + 1, effort, a, &exhausted)) return;
  }
  a->verdict = exhausted ? OR_EXHAUSTED : OR_PROVED;
  a->stage = "steps";
  a->reason[0] = 0;
}
