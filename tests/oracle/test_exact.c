/* Exact ranges: by every point, by intervals whose ends are values, by the solver; and none when the
 * limits do not suffice. */
#include "rig.h"

static void assert_range(const or_range *r, int64_t lo, int64_t hi) {
  assert_true(r->seen);
  if (mpz_cmp_si(r->lo, lo) != 0 || mpz_cmp_si(r->hi, hi) != 0)
    fail_msg("[%ld, %ld], not [%ld, %ld]", mpz_get_si(r->lo), mpz_get_si(r->hi), (long)lo,
             (long)hi);
}

/* The root's range, which must be established at both ends. */
static void assert_exact(rig *r, up_node n, or_frame f, int64_t lo, int64_t hi, const char *by) {
  or_ranges x;
  if (!or_exact(r->k, r->c, n, f, false, &x)) fail_msg("%s", x.reason);
  assert_int_equal(x.n, 1);
  assert_non_null(x.range[0].lo_by);
  assert_non_null(x.range[0].hi_by);
  assert_range(&x.range[0], lo, hi);
  bool found = strstr(x.range[0].lo_by, by) || strstr(x.range[0].hi_by, by);
  if (!found) fail_msg("by %s and %s, not %s", x.range[0].lo_by, x.range[0].hi_by, by);
  or_ranges_clear(&x);
}

/* x*x - x over x */
static up_node parabola(rig *r, up_node x) { return op2(r, UP_SUB, op2(r, UP_MUL, x, x), x); }

static void small_boxes_by_every_point(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", -7, 9, UP_INT), y = var(&r, "y", -3, 5, UP_INT);
  assert_exact(&r, parabola(&r, x), OR_IDEAL, 0, 72, "exhaust");
  /* only where it is defined */
  assert_exact(&r, op2(&r, UP_IDIV, num(&r, 100, UP_INT), y), OR_IDEAL, -100, 100, "exhaust");
  assert_exact(&r, op2(&r, UP_MOD, x, y), OR_IDEAL, -4, 4, "exhaust");
  assert_exact(&r, op2(&r, UP_MOD, x, y), OR_WRAP, -7, 9, "exhaust"); /* x % 0 = x */
  up_node c = op2(&r, UP_CMPLT, x, num(&r, -7, UP_INT));
  assert_exact(&r, c, OR_IDEAL, 0, 0, "exhaust");
  rig_free(&r);
}

static void large_boxes_by_interval_and_solver(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", -3, 1000000000, UP_LONG), y = var(&r, "y", 1, 2000000000, UP_LONG);
  assert_exact(&r, op2(&r, UP_ADD, x, y), OR_IDEAL, -2, INT64_C(3000000000), "interval");
  assert_exact(&r, parabola(&r, x), OR_IDEAL, 0, INT64_C(999999999000000000), "z3-");
  /* a maximum in the middle, where no sample is: 2x up to 123456789, then down */
  up_node k = num(&r, 123456789, UP_LONG), two = num(&r, 2, UP_LONG);
  up_node up = op2(&r, UP_MUL, x, two);
  up_node down = op2(&r, UP_SUB, op2(&r, UP_MUL, k, num(&r, 3, UP_LONG)), x);
  up_node roof = up_where(r.c, op2(&r, UP_CMPLT, x, k), up, down);
  assert_exact(&r, roof, OR_IDEAL, INT64_C(3) * 123456789 - 1000000000, 2 * 123456789, "z3-");
  rig_free(&r);
}

/* 3xy needs 126 bits, where there is no room to search: an end that a corner has is known. */
static void ends_without_room_to_search_are_known_by_their_corners(void **state) {
  (void)state;
  const int64_t most = INT64_C(1) << 62;
  rig r = rig_new();
  or_ranges a = {0};
  up_node x = var(&r, "x", -most, most, UP_LONG), y = var(&r, "y", -most, most, UP_LONG);
  up_node p = op2(&r, UP_MUL, op2(&r, UP_MUL, x, y), num(&r, 3, UP_LONG));
  if (!or_exact(r.k, r.c, p, OR_IDEAL, false, &a)) fail_msg("%s", a.reason);
  assert_string_equal(a.range[0].lo_by, "interval");
  assert_string_equal(a.range[0].hi_by, "interval");
  assert_int_equal(mpz_sizeinbase(a.range[0].hi, 2), 126);
  or_ranges_clear(&a);
  rig_free(&r);
}

static void every_node_has_its_range(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", 0, 9, UP_INT), big = var(&r, "big", 0, 2000000000, UP_INT);
  up_node small = op2(&r, UP_MOD, x, num(&r, 4, UP_INT));
  up_node sum = op2(&r, UP_ADD, small, big);
  or_ranges out;
  assert_true(or_exact(r.k, r.c, sum, OR_IDEAL, true, &out));
  assert_int_equal(out.n, 5);
  for (uint32_t i = 0; i < out.n; i++) {
    assert_non_null(out.range[i].lo_by);
    assert_non_null(out.range[i].hi_by);
    if (up_same(out.range[i].node, small)) assert_range(&out.range[i], 0, 3);
    if (up_same(out.range[i].node, sum)) assert_range(&out.range[i], 0, 2000000003);
  }
  or_ranges_clear(&out);
  rig_free(&r);
}

static void open_ranges_count_below_their_end(void **state) {
  (void)state;
  rig r = rig_new();
  up_node n = var(&r, "n", 0, 40, UP_INT);
  up_node i = up_new(r.c, UP_RANGE, up_dt(UP_INT), &n, 1, up_arg_int(r.c, up_int_of(0)));
  assert_exact(&r, op2(&r, UP_SUB, n, i), OR_IDEAL, 1, 40, "exhaust");
  rig_free(&r);
}

static void lanes_of_a_vector_are_one_range(void **state) {
  (void)state;
  rig r = rig_new();
  up_node lane[2] = {var(&r, "x", 0, 9, UP_INT), var(&r, "y", -5, 3, UP_INT)};
  up_node v = up_new(r.c, UP_VECTORIZE, up_dt_vec(up_dt(UP_INT), 2), lane, 2, up_arg_none());
  assert_exact(&r, v, OR_IDEAL, -5, 9, "exhaust");
  rig_free(&r);
}

static void undefined_everywhere_is_told(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", 0, 9, UP_INT);
  or_ranges out;
  assert_true(or_exact(r.k, r.c, op2(&r, UP_IDIV, x, num(&r, 0, UP_INT)), OR_IDEAL, false, &out));
  assert_false(out.range[0].seen);
  assert_string_equal(out.range[0].lo_by, "exhaust");
  or_ranges_clear(&out);
  rig_free(&r);
}

static void without_the_means_nothing_is_claimed(void **state) {
  (void)state;
  or_limits l = or_limits_default();
  l.solver_rlimit = 0;
  rig r = rig_new_with(l);
  or_ranges out;
  up_node x = var(&r, "x", -3, 1000000000, UP_LONG);
  assert_true(or_exact(r.k, r.c, parabola(&r, x), OR_IDEAL, false, &out));
  assert_null(out.range[0].lo_by);
  assert_non_null(strstr(out.reason, "no solver"));
  /* what was seen is a part of the range all the same */
  assert_true(out.range[0].seen);
  assert_true(mpz_sgn(out.range[0].lo) >= 0);
  or_ranges_clear(&out);
  up_node f = up_cast(r.c, up_const(r.c, up_dt(UP_FLOAT), up_val_float(0.5)), up_dt(UP_INT));
  assert_false(or_exact(r.k, r.c, f, OR_IDEAL, false, &out));
  assert_non_null(strstr(out.reason, "float"));
  or_ranges_clear(&out);
  rig_free(&r);
}

/* Pairs of box and root whose ends are at corners, in the middle, at one point, and all over. */
static up_node large_root(rig *r, unsigned which) {
  up_node x = var(r, "x", -1500, 1499, UP_INT), y = var(r, "y", 0, 1999, UP_INT);
  up_node sum = op2(r, UP_ADD, op2(r, UP_MUL, x, num(r, 7919, UP_INT)), y);
  up_node at = op2(r, UP_CMPNE, sum, num(r, 1234 * 7919 + 1567, UP_INT));
  switch (which) {
  case 0: return sum;
  case 1: return op2(r, UP_SUB, parabola(r, x), y);
  case 2: return up_where(r->c, at, num(r, 3, UP_INT), num(r, 70000, UP_INT));
  case 3: return op2(r, UP_IDIV, num(r, 1000000, UP_INT), op2(r, UP_SUB, op2(r, UP_MUL, x, x), y));
  default: return op2(r, UP_MOD, op2(r, UP_MUL, sum, sum), num(r, 1000003, UP_INT));
  }
}

/* The same range with compiled code and without, by one process and by three. */
static void large_boxes_compiled_and_shared(void **state) {
  (void)state;
  uint64_t compiled = 0;
  for (unsigned which = 0; which < 5; which++) {
    or_ranges x[3];
    for (unsigned i = 0; i < 3; i++) {
      or_limits l = or_limits_default();
      l.solver_rlimit = 0;
      l.jit_work = i == 1;
      l.jobs = i == 2 ? 3 : 1;
      rig r = rig_new_with(l);
      if (!or_exact(r.k, r.c, large_root(&r, which), OR_IDEAL, false, &x[i]))
        fail_msg("%s", x[i].reason);
      static const char *const by[] = {"interval", "exhaust", "interval", "interval", "exhaust"};
      assert_string_equal(x[i].range[0].lo_by, by[which]);
      assert_string_equal(x[i].range[0].hi_by, by[which]);
      assert_int_equal(mpz_cmp(x[i].range[0].lo, x[0].range[0].lo), 0);
      assert_int_equal(mpz_cmp(x[i].range[0].hi, x[0].range[0].hi), 0);
      compiled += or_checker_jit(r.k)->compiled;
      rig_free(&r);
    }
    if (which == 2) assert_range(&x[1].range[0], 3, 70000);
    for (unsigned i = 0; i < 3; i++) or_ranges_clear(&x[i]);
  }
  assert_true(or_jit_version() ? compiled >= 3 : compiled == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_boxes_by_every_point),
      cmocka_unit_test(large_boxes_by_interval_and_solver),
      cmocka_unit_test(ends_without_room_to_search_are_known_by_their_corners),
      cmocka_unit_test(every_node_has_its_range),
      cmocka_unit_test(open_ranges_count_below_their_end),
      cmocka_unit_test(lanes_of_a_vector_are_one_range),
      cmocka_unit_test(undefined_everywhere_is_told),
      cmocka_unit_test(without_the_means_nothing_is_claimed),
      cmocka_unit_test(large_boxes_compiled_and_shared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
