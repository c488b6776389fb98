/* A result that is simplified once more is a finding of an engine that is asked for it, whatever the
 * engine: here one of a few lines, which adds a 0 as often as it is asked. */
#include "common.h"

static up_result add_zero(void *arg, up_ctx *c, up_node root, uint64_t max_steps, up_trace *trace) {
  (void)arg, (void)max_steps;
  up_node more = up_binary(c, UP_ADD, root, up_const_like(c, root, up_int_of(0)));
  int rule = up_rule_named(up_ctx_profile(c), "add_zero");
  if (trace) up_trace_add(trace, (up_step){.rule = rule, .before = root, .after = more});
  return (up_result){.status = UP_OK, .node = more, .steps = 1, .rule = -1};
}

static up_status no_claims(void *arg, up_ctx *c, up_node root) {
  (void)arg, (void)c, (void)root;
  return UP_OK;
}

static rig growing(bool asked) {
  const up_external e = {.rewrite = add_zero, .bounds = no_claims};
  rig r = {.profile = up_profile_external("growing", &e)};
  or_limits l = or_limits_default();
  l.idempotence = asked;
  assert_non_null(r.profile);
  r.c = up_ctx_new(r.profile);
  r.k = or_checker_new(&l);
  assert_non_null(r.c);
  assert_non_null(r.k);
  return r;
}

static void check(rig *r, or_report *out) {
  up_node x = up_var(r->c, "x", up_int_of(0), up_int_of(9), up_dt(UP_INT));
  or_check(r->k, r->c, x, OR_IDEAL, out);
}

static void test_told_when_asked(void **state) {
  (void)state;
  rig r = growing(true);
  or_report got;
  check(&r, &got);
  assert_int_equal(got.verdict, OR_DIFFERS);
  assert_int_equal(got.nfindings, 1);
  const or_finding *f = &got.finding[0];
  assert_int_equal(f->kind, OR_IDEMPOTENCE);
  assert_string_equal(f->expected, "no step");
  assert_string_equal(f->actual, "another graph");
  assert_int_equal(f->rule, up_rule_named(r.profile, "add_zero"));
  assert_true(
      up_same(f->before, got.simplified)); /* of the graph's context, not of the second one */
  assert_int_equal(up_op_of(r.c, f->after), UP_ADD);
  assert_true(up_same(up_src(r.c, f->after, 0), got.simplified));
  char cause[OR_CAUSE_ROOM];
  or_finding_cause(r.c, f, cause);
  assert_string_equal(cause, "idempotence-ideal-add_zero-ADD");
  or_report_clear(&got);
  rig_free(&r);
}

static void test_no_finding_when_not_asked(void **state) {
  (void)state;
  rig r = growing(false);
  or_report got;
  check(&r, &got);
  assert_int_equal(got.nfindings, 0);
  or_report_clear(&got);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_told_when_asked),
      cmocka_unit_test(test_no_finding_when_not_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
