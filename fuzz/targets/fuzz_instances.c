/* Bytes -> a rule of the profile and a seed -> the graph that campaigns make around an instance of it.
 * It is well formed, and the same again. What is told of rules at its nodes fits together: a rule that
 * applies has a match and a condition that holds, which is what a distance of 0 says. */
#include "fuzz/harness.h"
#include "fuzz/instance.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define INSTANCES 4u

/* What is told of the rule at the node; applied: the engine made another node or a bound by it. */
static void require_told(up_ctx *c, uint32_t rule, up_node n, bool applied) {
  up_rule_probe probe = {0};
  const char *text;
  up_rule_explain(c, rule, n, &probe);
  double d = up_rule_distance(c, rule, n);
  fz_require((probe.matches > 0) == isfinite(d), "a distance is that of a match");
  fz_require((probe.conditions > 0) == (d == 0), "no distance is a condition that holds");
  fz_require(!applied || probe.conditions > 0, "what applies has a condition that holds");
  for (uint32_t i = 0; i < UP_MAX_CONJUNCTS; i++) {
    fz_require(probe.held[i] <= probe.asked[i] && probe.asked[i] <= probe.matches,
               "a conjunct that holds was asked");
    fz_require(probe.asked[i] == 0 || up_rule_conjunct(up_ctx_profile(c), rule, i, &text) > 0,
               "a conjunct that was asked has a text");
  }
  fz_require(up_ctx_status(c) == UP_OK, "asking leaves the status clean");
}

static void require_nodes(up_ctx *c, uint32_t rule, up_node root) {
  const up_ruleset *set = up_profile_set_of(up_ctx_profile(c), rule);
  up_list topo = {0};
  fz_require(up_toposort(c, root, &topo), "memory");
  for (uint32_t i = 0; i < topo.n && i < 32; i++) {
    int first = -1;
    if (set) up_apply_first(c, set, topo.p[i], &first);
    bool applied = up_ctx_status(c) == UP_OK && first >= 0;
    up_ctx_clear_status(c);
    if (applied) require_told(c, (uint32_t)first, topo.p[i], true);
    up_minmax(c, topo.p[i]);
    bool claimed = up_ctx_status(c) == UP_OK;
    up_ctx_clear_status(c);
    int by = claimed ? up_minmax_rule(c, topo.p[i]) : -1;
    up_ctx_clear_status(c);
    if (by >= 0) require_told(c, (uint32_t)by, topo.p[i], true);
    if (first != (int)rule) require_told(c, rule, topo.p[i], false);
  }
  up_list_free(&topo);
}

static void require_pattern(up_ctx *c, uint32_t rule, uint64_t seed) {
  up_rule_probe probe = {0};
  up_node n = up_rule_instance(c, rule, NULL, 0, up_dt(UP_VOID), seed);
  fz_require(up_is_none(n) == (up_ctx_status(c) != UP_OK), "an instance, or why there is none");
  if (!up_is_none(n)) up_rule_explain(c, rule, n, &probe);
  up_ctx_clear_status(c);
}

static void require_instance(up_ctx *c, const fz_opts *o, uint32_t rule, uint64_t seed) {
  up_node n = fz_instance(c, o, rule, seed);
  up_status s = up_ctx_status(c);
  up_ctx_clear_status(c);
  if (s != UP_OK || up_is_none(n)) return;
  fz_require_well_formed(c, n);
  fz_require(up_same(fz_instance(c, o, rule, seed), n), "the same seed gives the same graph");
  up_ctx_clear_status(c);
  require_nodes(c, rule == FZ_ANY_RULE ? (uint32_t)(seed % up_rule_count(up_ctx_profile(c))) : rule,
                n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_run_begin(&all);
  fz_input in = fz_input_of(data, n);
  up_ctx *c = fz_harness_ctx(fz_harness_of(&all, fz_choice_profile(in.choice)));
  fz_opts o = fz_opts_default();
  fz_rng r = {fz_digest(data, n)};
  o.rare = fz_choice_rest(in.choice) % 2 == 0;
  o.floors = fz_floors_of(up_ctx_profile(c));
  /* the first byte of the rest is most of the rule's number: near inputs ask about near rules */
  uint32_t rule = (in.n ? in.graph[0] * 2u : 0u) + (uint32_t)(r.s & 1);
  rule %= up_rule_count(up_ctx_profile(c));
  for (unsigned i = 0; i < INSTANCES; i++) {
    require_pattern(c, rule, fz_next(&r));
    require_instance(c, &o, i == 0 ? FZ_ANY_RULE : rule, fz_next(&r));
  }
  return 0;
}
