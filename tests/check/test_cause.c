/* The words that tell one bug from another. */
#include "common.h"

static void expect_cause(const char *profile, const char *rules, const char *graph, or_frame frame,
                         or_kind kind, const char *cause) {
  rig r = rig_of(profile, rules);
  or_report rep;
  or_check(r.k, r.c, rig_graph(&r, graph), frame, &rep);
  const or_finding *f = find_kind(&rep, kind);
  if (!f) fail_msg("%s: no such finding (%s)", cause, rep.reason);
  char out[OR_CAUSE_ROOM];
  or_finding_cause(r.c, f, out);
  assert_string_equal(out, cause);
  or_reduced m;
  assert_true(or_minimize(r.k, r.c, f, NULL, 0, &m));
  or_finding_cause(m.ctx, &m.finding, out);
  assert_string_equal(out, cause);
  or_reduced_clear(&m);
  or_report_clear(&rep);
  rig_free(&r);
}

/* One rule, two ops and two signs are four bugs: none of them may be taken for another. */
static void test_op_and_sign(void **state) {
  (void)state;
  const char *x = "%x = DEFINE_VAR int [\"x\", -7, -6]\n";
  static const struct {
    const char *op, *divisor, *cause;
  } cases[] = {{"IDIV", "4", "value-ideal-drop-IDIV-positive"},
               {"IDIV", "-4", "value-ideal-drop-IDIV-negative"},
               {"MOD", "4", "value-ideal-drop-MOD-positive"},
               {"MOD", "-4", "value-ideal-drop-MOD-negative"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char graph[256];
    snprintf(graph, sizeof graph, "%s%%c = CONST int %s\n%%r = %s int %%x %%c\n", x,
             cases[i].divisor, cases[i].op);
    expect_cause("v0.10.0", "ruleset symbolic\nrule drop : d:{//, %}(x, y) -> x\n", graph, OR_IDEAL,
                 OR_VALUE, cases[i].cause);
  }
}

static void test_mixed_and_zero(void **state) {
  (void)state;
  const char *rules = "ruleset symbolic\nrule drop : x // y -> x\n";
  expect_cause("v0.10.0", rules,
               "%x = DEFINE_VAR int [\"x\", 6, 7]\n%y = DEFINE_VAR int [\"y\", -3, 3]\n"
               "%r = IDIV int %x %y\n",
               OR_REFINE, OR_VALUE, "value-refine-drop-IDIV-mixed");
  expect_cause("v0.10.0", rules,
               "%x = DEFINE_VAR int [\"x\", 6, 7]\n%y = CONST int 0\n%r = IDIV int %x %y\n",
               OR_WRAP, OR_VALUE, "value-wrap-drop-IDIV-zero");
}

/* Of bounds the blamed node is the one whose claim fails, wherever it stands. */
static void test_bounds(void **state) {
  (void)state;
  const char *graph = "%x = DEFINE_VAR int [\"x\", -8, -6]\n%3 = CONST int 3\n%m = MOD int %x %3\n"
                      "%0 = CONST int 0\n%r = MAX int %m %0\n";
  expect_cause("v0.10.0", NULL, graph, OR_IDEAL, OR_BOUNDS,
               "bounds-ideal-bound_mod_pos-MOD-positive");
  expect_cause("v0.10.0", NULL, graph, OR_IDEAL, OR_VALUE,
               "value-ideal-bound_mod_pos-MOD-positive");
}

/* No divisor where the blamed node is no division. */
static void test_without_divisor(void **state) {
  (void)state;
  const char *rules = "ruleset symbolic\nrule half : x + x -> x\n";
  expect_cause("v0.10.0", rules, "%x = DEFINE_VAR int [\"x\", 0, 9]\n%r = ADD int %x %x\n",
               OR_IDEAL, OR_VALUE, "value-ideal-half-ADD");
}

/* What is not known is left out. */
static void test_unknown(void **state) {
  (void)state;
  rig r = rig_new(NULL);
  char out[OR_CAUSE_ROOM];
  or_finding f = {.kind = OR_CRASH, .frame = OR_WRAP, .rule = -1};
  or_finding_cause(r.c, &f, out);
  assert_string_equal(out, "crash-wrap-unknown");
  f.mode = OR_GIVEN_VALID;
  or_finding_cause(r.c, &f, out);
  assert_string_equal(out, "crash-wrap-uop_given_valid");
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_op_and_sign), cmocka_unit_test(test_mixed_and_zero),
      cmocka_unit_test(test_bounds), cmocka_unit_test(test_without_divisor),
      cmocka_unit_test(test_unknown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
