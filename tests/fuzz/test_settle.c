/* fz_settle: numbers of a graph moved to where a rule applies, and to the edge of that; and
 * up_rule_distance, which it follows. */
#include "fuzz/instance.h"
#include "fuzz/settle.h"
#include "tests/support/cm.h"

#include <math.h>
#include <string.h>

enum { SEEDS = 200 };

static up_profile *profile_of(const char *text) {
  up_error err = {0};
  up_profile *p = up_profile_parse("sound", text, strlen(text), &err);
  if (!p) fail_msg("%s", err.msg);
  return p;
}

/* x + k over x in [-5, 5] and a constant. */
static up_node sum(up_ctx *c, int64_t k) {
  up_node x = up_var(c, "x", up_int_of(-5), up_int_of(5), up_dt(UP_INT));
  return up_binary(c, UP_ADD, x, up_const_int(c, up_dt(UP_INT), k));
}

/* The constant, and the lower end of x. */
static void read_sum(up_ctx *c, up_node n, int64_t *k, int64_t *lo) {
  char name[64];
  up_int v, a, b;
  assert_true(up_is_const_int(c, up_src(c, n, 1), &v));
  assert_true(up_var_domain(c, up_src(c, n, 0), name, &a, &b));
  assert_true(up_int_cmp(c, a, b) <= 0);
  *k = v.lo;
  *lo = a.lo;
}

static void it_goes_to_where_the_rule_applies(void **state) {
  (void)state;
  up_profile *p =
      profile_of("rule far : x@ints + k -> x when k > 1000 and vmin(x) > 40 and k % 8 == 0\n");
  up_ctx *c = up_ctx_new(p);
  unsigned there = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int64_t k, lo;
    fz_rng rng = {seed};
    up_ctx_reset(c);
    up_node n = fz_settle(c, 0, sum(c, 4), &rng);
    read_sum(c, n, &k, &lo);
    bool holds = k > 1000 && lo > 40 && k % 8 == 0;
    assert_true(holds == (up_rule_distance(c, 0, n) == 0));
    there += holds;
  }
  print_message("%u there\n", there);
  assert_true(there > SEEDS / 2);
  up_ctx_free(c);
  up_profile_free(p);
}

/* The last numbers that the condition lets through, on each of its sides. */
static void it_goes_on_to_the_edge(void **state) {
  (void)state;
  up_profile *p = profile_of("rule between : x@ints + k -> x when k >= 17 and k < 300\n");
  up_ctx *c = up_ctx_new(p);
  unsigned inside = 0, low = 0, high = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int64_t k, lo;
    fz_rng rng = {seed};
    up_ctx_reset(c);
    read_sum(c, fz_settle(c, 0, sum(c, 20), &rng), &k, &lo);
    inside += k >= 17 && k < 300;
    low += k == 17;
    high += k == 299;
  }
  assert_int_equal(inside, SEEDS);
  assert_true(low > SEEDS / 20);
  assert_true(high > SEEDS / 20);
  up_ctx_free(c);
  up_profile_free(p);
}

/* Of every rule and graph: no distance where its condition holds, none at all where it has no match. */
static void distance_is_nothing_where_the_rule_applies(void **state) {
  (void)state;
  up_profile *p = up_profile_load("sound", NULL);
  up_ctx *c = up_ctx_new(p);
  fz_opts o = fz_opts_default();
  unsigned zero = 0, between = 0;
  for (uint32_t rule = 0; rule < up_rule_count(p); rule++) {
    for (uint64_t seed = 0; seed < 8; seed++) {
      up_ctx_reset(c);
      up_node n = fz_instance(c, &o, rule, seed);
      if (up_is_none(n)) continue;
      up_rule_probe probe = {0};
      up_rule_explain(c, rule, n, &probe);
      double d = up_rule_distance(c, rule, n);
      assert_int_equal(up_ctx_status(c), UP_OK);
      assert_true((d == 0) == (probe.conditions > 0));
      assert_true(isinf(d) == (probe.matches == 0));
      zero += d == 0;
      between += d > 0 && isfinite(d);
    }
  }
  assert_true(zero > 100);
  assert_true(between > 30);
  up_ctx_free(c);
  up_profile_free(p);
}

static void a_nearer_number_is_a_smaller_distance(void **state) {
  (void)state;
  up_profile *p = profile_of("rule r : x@ints + k -> x when not (k < 50 or k == 60) and k < 90\n");
  up_ctx *c = up_ctx_new(p);
  double at[] = {up_rule_distance(c, 0, sum(c, 10)), up_rule_distance(c, 0, sum(c, 40)),
                 up_rule_distance(c, 0, sum(c, 49)), up_rule_distance(c, 0, sum(c, 50))};
  assert_true(at[0] > at[1] && at[1] > at[2] && at[2] > at[3] && at[3] == 0);
  assert_true(up_rule_distance(c, 0, sum(c, 60)) > 0);
  assert_true(up_rule_distance(c, 0, sum(c, 91)) < up_rule_distance(c, 0, sum(c, 1000)));
  assert_true(isinf(up_rule_distance(c, 0, up_const_int(c, up_dt(UP_INT), 3))));
  up_ctx_free(c);
  up_profile_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_goes_to_where_the_rule_applies),
      cmocka_unit_test(it_goes_on_to_the_edge),
      cmocka_unit_test(distance_is_nothing_where_the_rule_applies),
      cmocka_unit_test(a_nearer_number_is_a_smaller_distance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
