/* Bytes -> graph -> values at a few points by the reference evaluator and, node by node, by exec_alu:
 * the same wherever both have one. And the part of it that the oracle takes to be without overflow: it
 * has a value at every point, the same one in all frames. Where no step of a rewrite overflows, by the
 * oracle, neither does any of its nodes alone, nor what it makes. */
#include "fuzz/harness.h"
#include "fuzz/plain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define POINTS 32u

static void require_in_range(const fz_case *k, up_node n) {
  fz_points p = {0};
  if (!up_is_none(n) && fz_points_of(&p, k->c, n, POINTS)) {
    for (bool more = p.n > 0; more; more = fz_points_next(&p)) {
      or_values v[OR_FRAME_COUNT] = {{0}};
      for (int f = 0; f < OR_FRAME_COUNT; f++) {
        fz_require(or_eval(k->c, n, (or_frame)f, &p.at, &v[f]), "memory");
        uint32_t last = v[f].n - 1;
        /* or none in any frame: a pointer, a float */
        fz_require(v[f].def[last] == v[0].def[last], "frames agree on what has a meaning");
        if (v[f].def[last] == OR_VALUE_UNSUPPORTED) continue;
        fz_require(v[f].def[last] == OR_VALUE_OK, "what does not overflow has a value");
        fz_require(mpz_cmp(v[f].value[last], v[0].value[last]) == 0, "the same in all frames");
      }
      for (int f = 0; f < OR_FRAME_COUNT; f++) or_values_clear(&v[f]);
    }
  }
  fz_points_free(&p);
}

static void require_alone_in_range(const fz_case *k, up_node n) {
  up_node whole = or_in_range(fz_harness_checker(k->h), k->c, n);
  fz_require(up_same(whole, n), "what does not overflow among others does not alone");
}

static void require_steps_in_range(const fz_case *k) {
  up_trace t = {0};
  up_result r = up_rewrite(k->c, k->root, up_ctx_rules(k->c), 2000, &t, NULL);
  fz_require(!t.no_memory, "memory");
  if (r.status == UP_OK && or_steps_in_range(fz_harness_checker(k->h), k->c, &t, r.node)) {
    for (uint32_t i = 0; i < t.n && i < 16; i++) require_alone_in_range(k, t.step[i].after);
    require_alone_in_range(k, r.node);
    require_in_range(k, r.node);
  }
  up_trace_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_case k = fz_case_begin(&all, data, n);
  for (uint64_t i = 0; i < 4; i++) fz_require_evaluators_agree(k.h, k.root, k.seed + i);
  require_in_range(&k, or_in_range(fz_harness_checker(k.h), k.c, k.root));
  require_steps_in_range(&k);
  return 0;
}
