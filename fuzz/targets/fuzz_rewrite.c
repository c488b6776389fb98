/* Bytes -> graph -> the rewrite drivers, with one rule set of the profile or with some of its rules
 * alone: with and without a trace, top-down matcher alone, images of all nodes, in a fresh context.
 * All must end alike, and each step of the trace must be what its rule makes, in its set and alone. */
#include "fuzz/harness.h"
#include "fuzz/hooks/counters.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define STEPS 5000u

static const up_ruleset *some_ruleset(const up_profile *p, unsigned i) {
  uint32_t n = 0;
  while (up_ruleset_at(p, n)) n++;
  fz_require(n > 0, "a profile has rule sets");
  return up_ruleset_at(p, i % n);
}

static void require_same_end(const up_result *x, const up_result *y, const char *demand) {
  fz_require(x->status == y->status && x->steps == y->steps && x->rule == y->rule, demand);
}

/* A set of one rule is interpreted: by another way it makes the same node. */
static void require_alone(up_ctx *c, const up_step *step) {
  up_ruleset *alone = up_ruleset_alone(up_ctx_profile(c), (uint32_t)step->rule);
  fz_require(alone != NULL, "memory");
  int rule = -1;
  up_node after = up_apply_first(c, alone, step->before, &rule);
  up_ctx_clear_status(c);
  up_ruleset_free(alone);
  fz_require(rule == step->rule && up_same(after, step->after),
             "a rule that is alone makes what it makes in its set");
}

/* Steps outside of natives are answers of up_apply_first. */
static void require_steps(up_ctx *c, const up_ruleset *s, const up_trace *t) {
  for (uint32_t i = 0; i < t->n && i < 64; i++) {
    const up_step *step = &t->step[i];
    if (step->depth != 0 || step->rule < 0) continue;
    int rule = -1;
    up_node after = up_apply_first(c, s, step->before, &rule);
    up_ctx_clear_status(c);
    fz_require(rule == step->rule && up_same(after, step->after),
               "a step of the trace is what its rule makes of the node");
    if (i < 8) require_alone(c, step);
  }
}

static void require_drivers_agree(const fz_case *k, const up_ruleset *s) {
  up_trace trace = {0};
  up_list from = {0}, image = {0};
  up_result traced = up_rewrite(k->c, k->root, s, STEPS, &trace, NULL);
  fz_require(!trace.no_memory, "memory");
  fz_require(traced.status != UP_OK || !up_is_none(traced.node), "what ends well has a node");
  up_result plain = up_rewrite(k->c, k->root, s, STEPS, NULL, NULL);
  require_same_end(&traced, &plain, "a trace changes nothing");
  fz_require(up_same(traced.node, plain.node), "a trace does not change the result");
  fz_require(traced.status != UP_OK || trace.n >= traced.steps, "every step is in the trace");
  up_result both = up_rewrite_both(k->c, k->root, s, NULL, STEPS, NULL, NULL);
  require_same_end(&traced, &both, "the driver without a second matcher is the one-matcher driver");
  fz_require(up_same(traced.node, both.node), "and gives the same node");
  up_result map = up_rewrite_map(k->c, k->root, s, NULL, &from, &image);
  if (traced.status == UP_OK && map.status == UP_OK) {
    fz_require(up_same(map.node, traced.node), "the image of the root is the rewritten root");
    fz_require(from.n == image.n, "every node has an image");
  }
  up_list_free(&from);
  up_list_free(&image);
  require_steps(k->c, s, &trace);
  up_trace_free(&trace);
}

/* The same graph, made anew in a context that has seen nothing else. */
static void require_fresh_context_agrees(const fz_case *k, const up_ruleset *s) {
  up_ctx *d = fz_harness_other(k->h);
  up_node copy = up_copy(d, k->c, k->root);
  up_result there = up_rewrite(d, copy, s, STEPS, NULL, NULL);
  up_result here = up_rewrite(k->c, k->root, s, STEPS, NULL, NULL);
  fz_require(here.status == there.status, "a context's past does not matter to how it ends");
  if (here.status == UP_OK)
    fz_require(up_same(up_copy(k->c, d, there.node), here.node), "nor to the result");
}

/* The matcher that works bottom-up may loop. */
static void require_bottom_up_agrees(const fz_case *k, const up_ruleset *s) {
  up_list from = {0}, image = {0};
  size_t held = up_ctx_bytes(k->c);
  up_result r = up_rewrite_both(k->c, k->root, NULL, s, STEPS, NULL, NULL);
  fz_require(up_ctx_status(k->c) == UP_OK, "a rewrite leaves the context's status clean");
  fz_require((r.status == UP_OK) == !up_is_none(r.node), "a node, or why there is none");
  fz_require(up_ctx_bytes(k->c) >= held, "a context keeps its memory");
  up_result map = up_rewrite_map(k->c, k->root, NULL, s, &from, &image);
  if (r.status == UP_OK && map.status == UP_OK) {
    fz_require(up_same(map.node, r.node), "bottom-up, too, the image of the root is the result");
    fz_require(from.n == image.n && up_same(from.p[from.n - 1], k->root), "users stand last");
  }
  up_list_free(&from);
  up_list_free(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_case k = fz_case_begin(&all, data, n);
  up_ctx_hits(k.c, fz_counters(k.profile));
  const up_ruleset *s = some_ruleset(up_ctx_profile(k.c), fz_choice_rest(k.in.choice));
  require_drivers_agree(&k, s);
  require_fresh_context_agrees(&k, s);
  require_bottom_up_agrees(&k, s);
  return 0;
}
