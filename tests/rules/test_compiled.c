/* Compiled rules answer as interpreted ones do: all sets and the bounds of every profile, at every
 * node of the golden and real graphs and of random ones, and at each step of their simplification.
 */
#include "fuzz/agree.h"
#include "fuzz/gen.h"
#include "formats/formats.h"
#include "tests/support/cm.h"
#include <stdlib.h>

static void require(const fz_agree *a, const char *profile, const char *what, bool holds) {
  if (!holds) fail_msg("%s, %s: %s", profile, what, a->why);
}

/* The graph, and, one by one, the nodes that its simplification makes. */
static void compare(fz_agree *a, const char *profile, const char *what, up_node root) {
  up_trace trace = {0};
  require(a, profile, what, fz_agree_nodes(a, root));
  require(a, profile, what, fz_agree_simplify(a, root));
  const up_ruleset *rules = up_profile_ruleset(a->compiled, "symbolic");
  up_rewrite(a->c, root, rules, 2000, &trace, NULL);
  if (trace.n) require(a, profile, what, fz_agree_nodes(a, trace.step[trace.n / 2].after));
  up_trace_free(&trace);
}

static void compare_file(fz_agree *a, const char *profile, const char *name) {
  char path[600];
  up_error err = {0};
  fm_item item;
  unsigned read = 0;
  snprintf(path, sizeof path, "%s/corpus/%s", getenv("SRC"), name);
  fm_reader *r = fm_open(path, &err);
  if (!r) fail_msg("%s: %s", path, err.msg);
  for (int got; fz_agree_reset(a), (got = fm_next(r, a->c, &item, &err)) != 0;) {
    if (got < 0) continue; /* rows of ops that are not modelled */
    compare(a, profile, name, item.root);
    fm_item_clear(&item);
    read++;
  }
  fm_close(r);
  assert_true(read > 50);
}

static void report(const fz_agree *a, const char *profile) {
  print_message(
      "%s: %llu nodes, %llu answers of sets, %llu applied, %llu raised, %llu simplified\n", profile,
      (unsigned long long)a->nodes, (unsigned long long)a->asked, (unsigned long long)a->applied,
      (unsigned long long)a->raised, (unsigned long long)a->simplified);
}

static void test_corpus(void **state) {
  (void)state;
  static const char *const file[] = {
      "golden/v0.10.0-fuzz.jsonl.gz",      "golden/v0.10.0-suite.jsonl.gz",
      "golden/v0.11.0-fuzz-cdf0.jsonl.gz", "golden/v0.11.0-fuzz-cdf1.jsonl.gz",
      "golden/v0.11.0-suite.jsonl.gz",     "real/v0.11.0-real.jsonl.gz",
  };
  uint64_t raised = 0;
  for (unsigned i = 0; up_profile_known(i); i++) {
    fz_agree a;
    up_error err = {0};
    if (!fz_agree_init(&a, up_profile_known(i), &err)) fail_msg("%s", err.msg);
    for (size_t k = 0; k < sizeof file / sizeof *file; k++)
      compare_file(&a, up_profile_known(i), file[k]);
    report(&a, up_profile_known(i));
    assert_true(a.applied > 1000 && a.bounds > 1000);
    raised += a.raised;
    fz_agree_free(&a);
  }
  assert_true(raised > 100);
}

static void test_random(void **state) {
  (void)state;
  uint8_t bytes[2048];
  fz_opts opts = fz_opts_default();
  opts.casts = opts.bits = true;
  for (unsigned i = 0; up_profile_known(i); i++) {
    fz_agree a;
    up_error err = {0};
    if (!fz_agree_init(&a, up_profile_known(i), &err)) fail_msg("%s", err.msg);
    for (unsigned k = 0; k < 3000; k++) {
      size_t n = fz_case_bytes(7, k, bytes, sizeof bytes);
      fz_agree_reset(&a);
      up_node root = fz_decode(a.c, &opts, bytes, n);
      assert_false(up_is_none(root));
      compare(&a, up_profile_known(i), "random", root);
    }
    report(&a, up_profile_known(i));
    assert_true(a.applied > 10000 && a.bounds > 10000);
    fz_agree_free(&a);
  }
}

/* The two ways of loading are two ways: one is compiled, the other is not told apart by its table.
 */
static void test_same_table(void **state) {
  (void)state;
  for (unsigned i = 0; up_profile_known(i); i++) {
    fz_agree a;
    up_error err = {0};
    if (!fz_agree_init(&a, up_profile_known(i), &err)) fail_msg("%s", err.msg);
    assert_int_equal(up_rule_count(a.compiled), up_rule_count(a.interpreted));
    for (uint32_t k = 0; k < up_rule_count(a.compiled); k++)
      assert_string_equal(up_rule_at(a.compiled, k).name, up_rule_at(a.interpreted, k).name);
    fz_agree_free(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_table),
      cmocka_unit_test(test_corpus),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
