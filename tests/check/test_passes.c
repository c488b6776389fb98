/* What the minimizer's passes can do, one by one, with planted rules; and how a reduction is watched,
 * stopped and counted. */
#include <stdlib.h>
#include "common.h"

static up_node infix_graph(rig *r, const char *text) {
  up_node root = UP_NONE;
  up_error e;
  if (!up_parse_infix(r->c, text, strlen(text), &root, &e)) fail_msg("%s: %s", text, e.msg);
  return root;
}

static const or_finding *the_finding(rig *r, const char *graph, or_report *rep) {
  or_check(r->k, r->c, infix_graph(r, graph), OR_IDEAL, rep);
  const or_finding *f = find_kind(rep, OR_VALUE);
  if (!f) fail_msg("%s: no finding: %s", graph, rep->reason);
  return f;
}

static void expect_infix(const or_reduced *m, const char *want) {
  up_buf text = {0};
  up_print_infix(m->ctx, m->finding.graph, &text);
  while (text.len > 0 && text.p[text.len - 1] == '\n') text.p[--text.len] = 0;
  assert_string_equal(text.p, want);
  up_buf_free(&text);
}

/* With these rules the graph is reduced to that, and the pass has a part in it. */
static void expect_reduced(const char *rules, const char *graph, or_pass pass, const char *want) {
  rig r = rig_of("v0.11.0", rules);
  or_report rep;
  or_reduced m;
  assert_true(or_minimize(r.k, r.c, the_finding(&r, graph, &rep), NULL, 0, &m));
  expect_infix(&m, want);
  if (m.won[pass].accepted == 0) fail_msg("%s: pass %s won nothing", graph, or_pass_name(pass));
  or_reduced_clear(&m);
  or_report_clear(&rep);
  rig_free(&r);
}

/* ---- passes ---------------------------------------------------------------------------------- */

static void test_descend(void **state) {
  (void)state;
  expect_reduced("ruleset symbolic\nrule drop : max(x, 7) -> x\n",
                 "x in [0,9]\ny in [0,3]\nmax(x, 7) * 3 + (y + 5) * y", OR_PASS_DESCEND,
                 "max(0, 7)");
}

static void test_cut(void **state) {
  (void)state;
  expect_reduced("ruleset symbolic\nrule drop : max(x, 7) -> x\n",
                 "x in [0,9]\ny in [0,3]\nmax((x + y) * y % 5, 7)", OR_PASS_CUT, "max(0, 7)");
}

/* The quotient is needed at one of its uses. */
static void test_one_use(void **state) {
  (void)state;
  expect_reduced("ruleset symbolic\nrule drop : x // y + max(z, 3) -> z\n",
                 "a in [5,9]\na//2 + max(a//2, 3)", OR_PASS_USES, "((3//3)+max(3, 3))");
}

/* No range of the two alone will do for both. */
static void test_merged_variables(void **state) {
  (void)state;
  expect_reduced("ruleset symbolic\nrule drop : (x + y) * z -> x * z when vmax(x) >= 100 and "
                 "vmax(y) >= 200 and vmin(x) < 0 and vmin(y) < 100\n",
                 "a in [-5,100]\nb in [7,200]\n(a + b) * 3", OR_PASS_VARIABLES,
                 "b in [-1,200]\n((b+b)*b)");
}

static void test_types(void **state) {
  (void)state;
  expect_reduced("ruleset symbolic\nrule drop : x * 3 + y -> y when vmax(x) > 1000\n",
                 "x in [0,9000] : long\ny in [50,90]\nx*3 + (long)(y%10)", OR_PASS_TYPES,
                 "((1001*3)+1001)");
  /* vectors of it, too */
  expect_reduced("ruleset symbolic\nrule drop : a:VECTORIZE(x, y) + _ -> VECTORIZE(y, x)@a\n",
                 "x in [1,9] : long\ny in [20,30] : long\n"
                 "VECTORIZE:long.vec2(x, y) + VECTORIZE:long.vec2(y, x)",
                 OR_PASS_TYPES, "(VECTORIZE:int.vec2(0, 1)+0)");
}

/* Both must fall together: one by one they stay where they are. */
static void test_numbers_together(void **state) {
  (void)state;
  expect_reduced("ruleset symbolic\n"
                 "rule drop : max(x, k0) + k1 -> x when k1 == k0 + 1 and k0 > 5\n",
                 "x in [0,9]\nmax(x, 4000) + 4001", OR_PASS_NUMBERS, "(max(6, 6)+7)");
}

static void test_constants_and_ranges(void **state) {
  (void)state;
  expect_reduced("ruleset symbolic\nrule drop : max(x, k) -> x when k > 100 and vmax(x) > 30 and "
                 "vmin(x) < 3\n",
                 "x in [-1000,9000]\nmax(x, 98765)", OR_PASS_CONSTANTS, "x in [2,31]\nmax(x, 101)");
  expect_reduced("ruleset symbolic\nrule drop : max(x, k) -> x when k > 100 and vmax(x) > 30 and "
                 "vmin(x) < 3\n",
                 "x in [-1000,9000]\nmax(x, 98765)", OR_PASS_RANGES, "x in [2,31]\nmax(x, 101)");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const char *const large = "x in [0,900]\ny in [0,30]\n"
                                 "max(x * y + 3, 70) * 3 + (y + 5) * (x % 7) + max(y, x % 3)";
static const char *const max_rule = "ruleset symbolic\nrule drop : max(x, 70) -> x\n";

/* What the passes won is all that was won. */
static void test_sums(void **state) {
  (void)state;
  rig r = rig_of("v0.11.0", max_rule);
  or_report rep;
  or_reduced m;
  assert_true(or_minimize(r.k, r.c, the_finding(&r, large, &rep), NULL, 0, &m));
  or_pass_won sum = {0};
  for (unsigned p = 0; p < OR_PASS_COUNT; p++) {
    sum.tries += m.won[p].tries;
    sum.accepted += m.won[p].accepted;
    sum.nodes += m.won[p].nodes;
  }
  assert_int_equal(sum.tries, m.tries);
  assert_int_equal(sum.accepted, m.accepted);
  assert_int_equal(sum.nodes, m.nodes_before - m.nodes_after);
  assert_true(m.nodes_after <= 3 && m.nodes_before > 15);
  or_reduced_clear(&m);
  or_report_clear(&rep);
  rig_free(&r);
}

typedef struct watching {
  or_checker *k;
  uint32_t calls, nodes;
  uint32_t stop_at;
  volatile bool stop;
} watching;

/* Each graph is a finding of the same cause by itself, and no larger than the one before. */
static void see_better(void *arg, up_ctx *c, const or_finding *f) {
  watching *z = arg;
  or_values v;
  char cause[OR_CAUSE_ROOM];
  or_finding_cause(c, f, cause);
  assert_string_equal(cause, "value-ideal-drop-MAX");
  assert_true(up_count(c, f->graph) <= z->nodes);
  assert_true(or_eval(c, f->graph, f->frame, &f->witness, &v));
  assert_int_equal(v.def[v.n - 1], OR_VALUE_OK);
  assert_int_equal(mpz_get_si(v.value[v.n - 1]), atol(f->expected));
  or_values_clear(&v);
  z->nodes = up_count(c, f->graph);
  if (++z->calls == z->stop_at) z->stop = true;
}

/* Stopped after any number of changes, what comes out is what was seen last, or smaller. */
static void test_watched_and_stopped(void **state) {
  (void)state;
  rig r = rig_of("v0.11.0", max_rule);
  for (uint32_t stop_at = 1; stop_at < 5; stop_at++) {
    or_report rep;
    or_reduced m;
    const or_finding *f = the_finding(&r, large, &rep);
    watching z = {.k = r.k, .nodes = up_count(r.c, f->graph), .stop_at = stop_at};
    const or_watch watch = {.better = see_better, .arg = &z};
    assert_true(or_minimize_watched(r.k, r.c, f, &z.stop, 0, &watch, &m));
    assert_int_equal(z.calls, m.accepted);
    assert_int_equal(m.accepted, stop_at);
    assert_int_equal(m.nodes_after, z.nodes);
    assert_int_equal(up_count(m.ctx, m.finding.graph), m.nodes_after);
    or_reduced_clear(&m);
    or_report_clear(&rep);
  }
  rig_free(&r);
}

/* A point that the judge's own samples miss is kept: the witness will do. */
static void test_lucky_point(void **state) {
  (void)state;
  rig r =
      rig_of("v0.11.0", "ruleset symbolic\nrule drop : max(x % 1000003, k) -> [k] when k > 9\n");
  or_limits l = or_limits_default();
  l.samples = 0;
  l.max_points = 0;
  l.solver_rlimit = 0;
  or_checker *blind = or_checker_new(&l);
  or_report rep;
  const or_finding *f = the_finding(
      &r, "x in [0,2000000000]\ny in [0,2000000000]\nmax((x * y + x) % 1000003, 999990)", &rep);
  or_reduced m;
  assert_true(or_minimize(blind, r.c, f, NULL, 0, &m));
  assert_int_equal(m.finding.rule, f->rule);
  assert_true(m.nodes_after < m.nodes_before);
  assert_string_not_equal(m.finding.expected, m.finding.actual);
  or_reduced_clear(&m);
  or_report_clear(&rep);
  or_checker_free(blind);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_descend),     cmocka_unit_test(test_cut),
      cmocka_unit_test(test_one_use),     cmocka_unit_test(test_merged_variables),
      cmocka_unit_test(test_types),       cmocka_unit_test(test_numbers_together),
      cmocka_unit_test(test_sums),        cmocka_unit_test(test_constants_and_ranges),
      cmocka_unit_test(test_lucky_point), cmocka_unit_test(test_watched_and_stopped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
