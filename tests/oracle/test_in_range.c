/* The box in which nothing overflows: which graphs are in it, which part of one that is not; what a
 * checker that keeps to it says. */
#include "rig.h"

static bool inside(rig *r, up_node n) { return up_same(or_in_range(r->k, r->c, n), n); }

static void test_ends_of_dtypes(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", -100, 27, UP_CHAR), u = var(&r, "u", 0, 255, UP_UCHAR);
  assert_true(inside(&r, op2(&r, UP_ADD, x, num(&r, 100, UP_CHAR))));
  assert_false(inside(&r, op2(&r, UP_ADD, x, num(&r, 101, UP_CHAR))));
  assert_true(inside(&r, op2(&r, UP_ADD, x, num(&r, -28, UP_CHAR))));
  assert_false(inside(&r, op2(&r, UP_ADD, x, num(&r, -29, UP_CHAR))));
  assert_false(inside(&r, op2(&r, UP_SUB, u, num(&r, 1, UP_UCHAR)))); /* unsigned ones, too */
  assert_false(inside(&r, num(&r, 128, UP_CHAR)));
  assert_false(inside(&r, var(&r, "wide", 0, 128, UP_CHAR)));
  assert_true(inside(&r, up_cast(r.c, op2(&r, UP_ADD, x, num(&r, 100, UP_CHAR)), up_dt(UP_BOOL))));
  assert_true(inside(&r, up_cast(r.c, u, up_dt(UP_CHAR)))); /* a cast wraps in every frame */
  rig_free(&r);
}

static void test_divisors_and_shifts(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", -100, 100, UP_INT), zero = var(&r, "zero", 0, 3, UP_INT);
  up_node one = var(&r, "one", 1, 3, UP_INT), m = var(&r, "m", INT32_MIN, 0, UP_INT);
  assert_true(inside(&r, op2(&r, UP_MOD, x, one)));
  assert_false(inside(&r, op2(&r, UP_MOD, x, zero)));
  assert_false(inside(&r, op2(&r, UP_IDIV, m, num(&r, -1, UP_INT))));
  assert_true(inside(&r, op2(&r, UP_SHR, x, num(&r, 31, UP_INT))));
  assert_false(inside(&r, op2(&r, UP_SHR, x, num(&r, 32, UP_INT))));
  assert_false(inside(&r, op2(&r, UP_SHL, x, num(&r, -1, UP_INT))));
  assert_false(inside(&r, op2(&r, UP_SHL, x, num(&r, 25, UP_INT)))); /* 100 << 25 */
  rig_free(&r);
}

static void test_largest_part(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", 0, 9, UP_INT), big = num(&r, INT32_MAX, UP_INT);
  up_node part = op2(&r, UP_MUL, op2(&r, UP_ADD, x, num(&r, 1, UP_INT)), x);
  up_node leaves = op2(&r, UP_ADD, part, big);
  assert_true(up_same(or_in_range(r.k, r.c, op2(&r, UP_MOD, leaves, num(&r, 3, UP_INT))), part));
  /* an arm that is never taken counts */
  up_node w = up_where(r.c, num(&r, 1, UP_BOOL), part, leaves);
  assert_true(up_same(or_in_range(r.k, r.c, w), part));
  assert_true(up_is_none(or_in_range(r.k, r.c, num(&r, INT64_C(1) << 40, UP_INT))));
  rig_free(&r);
}

/* 0.10.0 folds x + 100 + 100 to x + 200, which is no char. */
static void test_checker_keeps_to_it(void **state) {
  (void)state;
  or_limits l = or_limits_default();
  l.no_overflow = true;
  rig r = rig_new_with(l);
  up_node c = num(&r, 100, UP_CHAR), low = var(&r, "low", -128, -100, UP_CHAR);
  up_node x = var(&r, "x", -100, 100, UP_CHAR);
  or_report rep;
  or_check(r.k, r.c, op2(&r, UP_ADD, x, c), OR_WRAP, &rep);
  assert_int_equal(rep.verdict, OR_UNSUPPORTED);
  or_report_clear(&rep);
  or_check(r.k, r.c, op2(&r, UP_ADD, op2(&r, UP_ADD, low, c), c), OR_REFINE, &rep);
  assert_int_equal(rep.verdict, OR_UNSUPPORTED);
  assert_string_equal(rep.stage, "rewrite");
  or_report_clear(&rep);
  or_check(r.k, r.c, op2(&r, UP_ADD, low, c), OR_REFINE, &rep);
  assert_int_equal(rep.verdict, OR_PROVED); /* it stays as it is */
  or_report_clear(&rep);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ends_of_dtypes), cmocka_unit_test(test_divisors_and_shifts),
      cmocka_unit_test(test_largest_part), cmocka_unit_test(test_checker_keeps_to_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
