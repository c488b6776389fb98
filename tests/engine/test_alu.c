/* exec_alu: what the two releases make of division by zero, of floats, and of what they can't do. */
#include "engine/uop.h"
#include "tests/support/cm.h"
#include <math.h>

static up_val in(int64_t v) { return up_val_int(up_int_of(v)); }
static up_val fl(double v) { return up_val_float(v); }

static up_val two(up_ctx *c, up_alu_release r, up_op op, up_val a, up_val b) {
  const up_val x[] = {a, b};
  return up_alu(c, r, op, up_dt(UP_INT), x, 2, false);
}

static up_val one(up_ctx *c, up_op op, up_val a) {
  return up_alu(c, UP_ALU_0_11, op, up_dt(UP_FLOAT), &a, 1, false);
}

static void raises(up_ctx *c, up_status want) {
  assert_int_equal(up_ctx_status(c), want);
  up_ctx_clear_status(c);
}

static void division_truncates_toward_zero(void **state) {
  (void)state;
  static const int64_t row[][4] = {{7, 2, 3, 1}, {-7, 2, -3, -1}, {7, -2, -3, 1}, {-7, -2, 3, -1}};
  up_ctx *c = up_ctx_new(NULL);
  for (int r = UP_ALU_0_10; r <= UP_ALU_0_11; r++)
    for (int i = 0; i < 4; i++) {
      up_val a = in(row[i][0]), b = in(row[i][1]);
      assert_true(up_int_is(two(c, (up_alu_release)r, UP_IDIV, a, b).i, row[i][2]));
      assert_true(up_int_is(two(c, (up_alu_release)r, UP_MOD, a, b).i, row[i][3]));
    }
  up_ctx_free(c);
}

static void floor_division_goes_toward_minus_infinity(void **state) {
  (void)state;
  static const int64_t row[][4] = {{7, 2, 3, 1},   {-7, 2, -4, 1}, {7, -2, -4, -1}, {-7, -2, 3, -1},
                                   {-6, 3, -2, 0}, {-1, 7, -1, 6}, {-5, 0, 0, -5}};
  up_ctx *c = up_ctx_new(NULL);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    up_val a = in(row[i][0]), b = in(row[i][1]);
    assert_true(up_int_is(two(c, UP_ALU_0_11, UP_FLOORDIV, a, b).i, row[i][2]));
    assert_true(up_int_is(two(c, UP_ALU_0_11, UP_FLOORMOD, a, b).i, row[i][3]));
  }
  up_ctx_free(c);
}

static void division_by_zero_is_the_releases_own(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  assert_true(isinf(two(c, UP_ALU_0_10, UP_IDIV, in(-3), in(0)).f));
  assert_true(isnan(two(c, UP_ALU_0_10, UP_IDIV, in(0), in(0)).f));
  two(c, UP_ALU_0_10, UP_MOD, in(3), in(0));
  raises(c, UP_RAISE_ZERO_DIVISION);
  assert_true(up_int_is(two(c, UP_ALU_0_11, UP_IDIV, in(-3), in(0)).i, 0));
  assert_true(up_int_is(two(c, UP_ALU_0_11, UP_MOD, in(-3), in(0)).i, -3));
  assert_true(up_is_none(up_const(c, up_dt(UP_INT), two(c, UP_ALU_0_10, UP_IDIV, in(1), in(0)))));
  raises(c, UP_RAISE_OVERFLOW);
  up_ctx_free(c);
}

static void ops_that_a_release_lacks_raise(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  const up_op lacking[] = {UP_CMPEQ, UP_POW};
  for (int i = 0; i < 2; i++) {
    two(c, UP_ALU_0_10, lacking[i], in(1), in(1));
    raises(c, UP_RAISE_TYPE);
  }
  two(c, UP_ALU_0_11, UP_THREEFRY, in(1), in(1));
  raises(c, UP_RAISE_TYPE);
  two(c, UP_ALU_0_11, UP_SHL, in(1), in(-1));
  raises(c, UP_RAISE_VALUE);
  up_ctx_free(c);
}

static void floats_fold_as_python_does(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  assert_true(two(c, UP_ALU_0_11, UP_ADD, fl(0.5), in(2)).f == 2.5);
  assert_true(two(c, UP_ALU_0_11, UP_MAX, fl(-1.5), fl(2)).f == 2);
  assert_true(two(c, UP_ALU_0_11, UP_IDIV, fl(-7.5), fl(2)).f == -3);
  assert_true(two(c, UP_ALU_0_11, UP_MOD, fl(-7.5), fl(2)).f == -1.5);
  assert_true(up_int_is(two(c, UP_ALU_0_11, UP_CMPLT, fl(1), fl(2)).i, 1));
  assert_true(up_int_is(two(c, UP_ALU_0_11, UP_CMPNE, fl((double)NAN), fl((double)NAN)).i, 1));
  assert_true(isinf(two(c, UP_ALU_0_11, UP_POW, fl(0), fl(-1)).f));
  assert_true(isinf(one(c, UP_LOG2, fl(0)).f) && isnan(one(c, UP_LOG2, fl(-1)).f));
  assert_true(one(c, UP_EXP2, fl(3)).f == 8 && up_int_is(one(c, UP_EXP2, in(3)).i, 8));
  assert_true(isnan(one(c, UP_SQRT, fl(-1)).f) && one(c, UP_SQRT, fl(9)).f == 3);
  assert_true(isinf(one(c, UP_RECIP, fl(0)).f) && one(c, UP_RECIP, fl(4)).f == 0.25);
  assert_true(isnan(one(c, UP_SIN, fl((double)INFINITY)).f) && one(c, UP_SIN, fl(0)).f == 0);
  assert_true(one(c, UP_TRUNC, fl(-2.7)).f == -2 && one(c, UP_NEG, fl(2)).f == -2);
  assert_int_equal(up_ctx_status(c), UP_OK);
  one(c, UP_TRUNC, fl((double)NAN));
  raises(c, UP_RAISE_VALUE);
  up_ctx_free(c);
}

static void truncation_is_to_the_dtype(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  const up_val big[] = {in(200), in(100)}, third[] = {fl(1), fl(3)}, huge[] = {fl(60000), fl(6e4)};
  assert_true(up_int_is(up_alu(c, UP_ALU_0_11, UP_ADD, up_dt(UP_UCHAR), big, 2, true).i, 44));
  assert_true(up_int_is(up_alu(c, UP_ALU_0_11, UP_ADD, up_dt(UP_BOOL), big, 2, true).i, 1));
  up_val r = up_alu(c, UP_ALU_0_11, UP_RECIP, up_dt(UP_FLOAT), &third[1], 1, true);
  assert_true(r.f == (double)(1.0f / 3.0f));
  r = up_alu(c, UP_ALU_0_11, UP_RECIP, up_dt(UP_HALF), &third[1], 1, true);
  assert_true(r.f == 0.333251953125); /* 1365 / 4096 */
  assert_true(isinf(up_alu(c, UP_ALU_0_11, UP_ADD, up_dt(UP_HALF), huge, 2, true).f));
  up_alu(c, UP_ALU_0_11, UP_ADD, up_dt(UP_INT), third, 2, true); /* ctypes takes no float */
  raises(c, UP_RAISE_TYPE);
  up_ctx_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(division_truncates_toward_zero),
      cmocka_unit_test(floor_division_goes_toward_minus_infinity),
      cmocka_unit_test(division_by_zero_is_the_releases_own),
      cmocka_unit_test(ops_that_a_release_lacks_raise),
      cmocka_unit_test(floats_fold_as_python_does),
      cmocka_unit_test(truncation_is_to_the_dtype),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
