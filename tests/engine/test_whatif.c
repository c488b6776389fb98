/* Bounds that are assumed, and the trace of a context. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "engine/uop.h"

typedef struct bench {
  up_profile *p;
  up_ctx *c;
} bench;

static bench bench_new(void) {
  up_error e;
  bench b = {.p = up_profile_load("v0.11.0", &e)};
  assert_non_null(b.p);
  b.c = up_ctx_new(b.p);
  assert_non_null(b.c);
  return b;
}

static void bench_free(bench *b) {
  up_ctx_free(b->c);
  up_profile_free(b->p);
}

static up_node var(bench *b, const char *name, int64_t lo, int64_t hi) {
  return up_var(b->c, name, up_int_of(lo), up_int_of(hi), up_dt(UP_INT));
}

static void expect(bench *b, up_node n, int64_t lo, int64_t hi) {
  up_bounds m = up_minmax(b->c, n);
  assert_true(up_int_is(m.lo.i, lo));
  assert_true(up_int_is(m.hi.i, hi));
}

static up_bounds between(int64_t lo, int64_t hi) {
  return (up_bounds){up_val_int(up_int_of(lo)), up_val_int(up_int_of(hi))};
}

static up_node simplified(bench *b, up_node n) {
  up_result r = up_simplify(b->c, n, NULL);
  assert_int_equal(r.status, UP_OK);
  return r.node;
}

/* What rewriting has found out about a node under other bounds is forgotten. */
static void test_assume_after_rewriting(void **state) {
  (void)state;
  bench b = bench_new();
  up_node x = var(&b, "x", 0, 9), five = up_const_int(b.c, up_dt(UP_INT), 5);
  up_node max = up_binary(b.c, UP_MAX, x, five), quo = up_binary(b.c, UP_IDIV, x, five);
  assert_true(up_same(simplified(&b, max), max));
  assert_true(up_same(simplified(&b, quo), quo));
  up_minmax_assume(b.c, x, between(0, 3));
  assert_true(up_same(simplified(&b, max), five));
  assert_true(up_same(simplified(&b, quo), up_const_int(b.c, up_dt(UP_INT), 0)));
  bench_free(&b);
}

/* Users follow, others and earlier assumptions stay; a reset forgets. */
static void test_assume(void **state) {
  (void)state;
  bench b = bench_new();
  up_node x = var(&b, "x", 0, 9), y = var(&b, "y", 0, 9);
  up_node s = up_binary(b.c, UP_ADD, x, y), t = up_binary(b.c, UP_ADD, s, x);
  up_node m = up_binary(b.c, UP_MUL, y, y);
  int rule = up_minmax_rule(b.c, s);
  expect(&b, t, 0, 27);
  expect(&b, m, 0, 81);
  up_minmax_assume(b.c, s, between(-5, 100));
  expect(&b, s, -5, 100);
  expect(&b, t, -5, 109);
  expect(&b, m, 0, 81);
  expect(&b, x, 0, 9);
  assert_true(rule >= 0 && up_minmax_rule(b.c, s) < 0);
  assert_int_equal(up_minmax_rule(b.c, t), rule);
  up_minmax_assume(b.c, x, between(1, 2));
  expect(&b, s, -5, 100); /* is assumed, so does not follow */
  expect(&b, t, -4, 102);
  up_ctx_reset(b.c);
  x = var(&b, "x", 0, 9);
  y = var(&b, "y", 0, 9);
  s = up_binary(b.c, UP_ADD, x, y);
  expect(&b, x, 0, 9);
  expect(&b, s, 0, 18);
  bench_free(&b);
}

/* A rule sees what is assumed. */
static void test_rule_sees_it(void **state) {
  (void)state;
  bench b = bench_new();
  const up_ruleset *rules = up_profile_ruleset(b.p, "symbolic");
  up_node x = var(&b, "x", 3, 9), zero = up_const_int(b.c, up_dt(UP_INT), 0);
  up_node n = up_binary(b.c, UP_MAX, x, zero);
  int rule;
  assert_true(up_same(up_apply_first(b.c, rules, n, &rule), x));
  assert_string_equal(up_rule_at(b.p, (uint32_t)rule).name, "max_left");
  up_minmax_assume(b.c, x, between(-3, 9));
  up_apply_first(b.c, rules, n, &rule);
  assert_int_equal(rule, -1);
  bench_free(&b);
}

/* Rewrites inside of up_given_valid, the substitutions among them; then no more. */
static void test_ctx_trace(void **state) {
  (void)state;
  bench b = bench_new();
  up_node x = var(&b, "x", 0, 9), three = up_const_int(b.c, up_dt(UP_INT), 3);
  up_node valid = up_binary(b.c, UP_CMPLT, x, three), n = up_binary(b.c, UP_MOD, x, three), out;
  up_trace t = {0}, own = {0};
  up_ctx_trace(b.c, &t);
  assert_true(up_given_valid(b.c, valid, n, &out));
  assert_true(up_same(out, x));
  uint32_t substitutions = 0;
  for (uint32_t i = 0; i < t.n; i++) substitutions += t.step[i].rule < 0;
  assert_int_equal(substitutions, 2);
  assert_true(t.n > substitutions);
  assert_true(up_same(t.step[0].before, x));
  uint32_t before = t.n;
  up_simplify(b.c, up_binary(b.c, UP_ADD, x, x), &own); /* has a trace of its own */
  assert_true(own.n > 0);
  assert_int_equal(t.n, before);
  up_ctx_trace(b.c, NULL);
  assert_true(up_given_valid(b.c, valid, n, &out));
  assert_int_equal(t.n, before);
  up_trace_free(&t);
  up_trace_free(&own);
  bench_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_assume), cmocka_unit_test(test_assume_after_rewriting),
      cmocka_unit_test(test_rule_sees_it), cmocka_unit_test(test_ctx_trace)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
