/* The cascade: each stage decides a case, true identities never differ, limits are no verdicts. */
#include "rig.h"

static void same_node_is_proved(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", 0, 9, UP_INT);
  or_answer a = or_equiv(r.k, r.c, x, x, OR_IDEAL, NULL);
  assert_verdict(a, OR_PROVED);
  assert_string_equal(a.stage, "identity");
  rig_free(&r);
}

/* (x//4)*4 + x%4 == x over `range` values */
static or_answer split_by_four(rig *r, int64_t lo, int64_t hi, or_frame f) {
  up_node x = var(r, "x", lo, hi, UP_INT), four = num(r, 4, UP_INT);
  up_node q = op2(r, UP_MUL, op2(r, UP_IDIV, x, four), four);
  up_node sum = op2(r, UP_ADD, q, op2(r, UP_MOD, x, four));
  return or_equiv(r->k, r->c, sum, x, f, NULL);
}

static void small_boxes_are_exhausted(void **state) {
  (void)state;
  rig r = rig_new();
  for (or_frame f = OR_IDEAL; f < OR_FRAME_COUNT; f++) {
    or_answer a = split_by_four(&r, -300, 255, f);
    assert_verdict(a, OR_EXHAUSTED);
    assert_string_equal(a.stage, "exhaust");
  }
  rig_free(&r);
}

static void large_boxes_are_proved(void **state) {
  (void)state;
  rig r = rig_new();
  or_answer a = split_by_four(&r, -2000000000, 2000000000, OR_IDEAL);
  assert_verdict(a, OR_PROVED);
  assert_string_equal(a.stage, "z3-int");
  /* AND of two variables is beyond the Int terms */
  up_node x = var(&r, "x", 0, 2000000000, UP_INT), y = var(&r, "y", 0, 2000000000, UP_INT);
  up_node once = op2(&r, UP_AND, x, y);
  a = or_equiv(r.k, r.c, op2(&r, UP_AND, once, y), once, OR_IDEAL, NULL);
  assert_verdict(a, OR_PROVED);
  assert_string_equal(a.stage, "z3-bv");
  rig_free(&r);
}

/* x + y - y == x for any two ints: in wrap the sum is reduced, so bits are asked before integers. */
static void bits_come_first_where_results_wrap(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", INT32_MIN, INT32_MAX, UP_INT),
          y = var(&r, "y", INT32_MIN, INT32_MAX, UP_INT);
  up_node back = op2(&r, UP_MUL, y, num(&r, -1, UP_INT));
  up_node sum = op2(&r, UP_ADD, op2(&r, UP_ADD, x, y), back);
  static const char *const stage[] = {[OR_IDEAL] = "z3-int", [OR_WRAP] = "z3-bv"};
  for (or_frame f = OR_IDEAL; f <= OR_WRAP; f++) {
    or_answer a = or_equiv(r.k, r.c, sum, x, f, NULL);
    assert_verdict(a, OR_PROVED);
    assert_string_equal(a.stage, stage[f]);
  }
  rig_free(&r);
}

/* Only one point in 2^32 fails, far from everything that is sampled. */
static void solver_finds_the_needle(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", 0, 4000000000, UP_LONG);
  up_node m = op2(&r, UP_MUL, x, num(&r, 7, UP_LONG));
  up_node hit = op2(&r, UP_CMPNE, m, num(&r, INT64_C(7) * 1234567891, UP_LONG));
  or_answer a = or_equiv(r.k, r.c, hit, up_const_int(r.c, up_dt(UP_BOOL), 1), OR_IDEAL, NULL);
  assert_verdict(a, OR_DIFFERS);
  assert_true(strncmp(a.stage, "z3", 2) == 0 || strcmp(a.stage, "sample") == 0);
  assert_int_equal(a.witness.n, 1);
  assert_int_equal(mpz_cmp_ui(a.witness.value[0], 1234567891), 0);
  assert_string_equal(a.expected, "0");
  assert_string_equal(a.actual, "1");
  or_answer_clear(&a);
  rig_free(&r);
}

static void samples_find_the_common_failure(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", -1000000, 1000000, UP_INT), three = num(&r, 3, UP_INT);
  up_node a = op2(&r, UP_CMPLT, op2(&r, UP_IDIV, x, three), num(&r, 0, UP_INT));
  or_answer w = or_equiv(r.k, r.c, a, op2(&r, UP_CMPLT, x, num(&r, 0, UP_INT)), OR_IDEAL, NULL);
  assert_verdict(w, OR_DIFFERS);
  assert_string_equal(w.stage, "sample");
  or_answer_clear(&w);
  rig_free(&r);
}

static void empty_range_holds_vacuously(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", 5, 4, UP_INT);
  or_answer a = or_equiv(r.k, r.c, x, num(&r, 0, UP_INT), OR_IDEAL, NULL);
  assert_verdict(a, OR_PROVED);
  assert_string_equal(a.stage, "vacuous");
  rig_free(&r);
}

/* x*y % z and (x % z)*y % z: equal, and beyond every stage. */
static up_node hard_product(rig *r, bool reduced) {
  up_node x = var(r, "x", 0, 1000000, UP_LONG), y = var(r, "y", 0, 1000000, UP_LONG);
  up_node z = var(r, "z", 1, 1000000, UP_LONG);
  return op2(r, UP_MOD, op2(r, UP_MUL, reduced ? op2(r, UP_MOD, x, z) : x, y), z);
}

static void exhausted_resources_are_undecided(void **state) {
  (void)state;
  or_limits l = or_limits_default();
  l.solver_rlimit = 100;
  rig r = rig_new_with(l);
  or_answer a = or_equiv(r.k, r.c, hard_product(&r, false), hard_product(&r, true), OR_WRAP, NULL);
  assert_verdict(a, OR_UNDECIDED);
  assert_true(a.reason[0] != 0);
  rig_free(&r);
}

static void without_a_solver_it_is_only_sampled(void **state) {
  (void)state;
  or_limits l = or_limits_default();
  l.solver_rlimit = 0;
  rig r = rig_new_with(l);
  or_answer a = split_by_four(&r, -2000000000, 2000000000, OR_IDEAL);
  assert_verdict(a, OR_SAMPLED);
  rig_free(&r);
}

/* The whole is too hard for the limit; the one step that was taken is not. */
static void steps_decide_what_the_whole_does_not(void **state) {
  (void)state;
  or_limits l = or_limits_default();
  l.solver_rlimit = 100000;
  rig r = rig_new_with(l);
  up_node x = var(&r, "x", 0, 1000000000, UP_LONG), y = var(&r, "y", 0, 1000000, UP_LONG);
  up_node z = var(&r, "z", 1, 1000000, UP_LONG), three = num(&r, 3, UP_LONG);
  up_node nine = num(&r, 9, UP_LONG);
  up_node twice = op2(&r, UP_IDIV, op2(&r, UP_IDIV, x, three), three);
  up_node once = op2(&r, UP_IDIV, x, nine);
  up_node a = op2(&r, UP_MOD, op2(&r, UP_MUL, twice, y), z);
  up_node b = op2(&r, UP_MOD, op2(&r, UP_MUL, once, y), z);
  up_step step = {.rule = 0, .before = twice, .after = once};
  up_trace t = {.step = &step, .n = 1, .cap = 1};
  or_answer v = or_equiv(r.k, r.c, a, b, OR_WRAP, NULL);
  assert_verdict(v, OR_UNDECIDED);
  v = or_equiv(r.k, r.c, a, b, OR_WRAP, &t);
  assert_verdict(v, OR_PROVED);
  assert_string_equal(v.stage, "steps");
  /* a trace that does not lead to b proves nothing */
  v = (or_answer){.verdict = OR_UNDECIDED};
  or_equiv_steps(r.k, r.c, a, x, OR_WRAP, &t, OR_FULL, &v);
  assert_verdict(v, OR_UNDECIDED);
  assert_non_null(strstr(v.reason, "could not be replayed"));
  /* nor does a step that is wrong */
  step.after = op2(&r, UP_IDIV, x, num(&r, 8, UP_LONG));
  v = (or_answer){.verdict = OR_UNDECIDED};
  up_node wrong = op2(&r, UP_MOD, op2(&r, UP_MUL, step.after, y), z);
  or_equiv_steps(r.k, r.c, a, wrong, OR_WRAP, &t, OR_FULL, &v);
  assert_verdict(v, OR_UNDECIDED);
  assert_non_null(strstr(v.reason, "step 1 alone: differs"));
  rig_free(&r);
}

static void float_graphs_are_unsupported(void **state) {
  (void)state;
  rig r = rig_new();
  up_node f = up_const(r.c, up_dt(UP_FLOAT), up_val_float(0.5));
  up_node x = up_cast(r.c, f, up_dt(UP_INT));
  or_answer a = or_equiv(r.k, r.c, x, num(&r, 0, UP_INT), OR_IDEAL, NULL);
  assert_verdict(a, OR_UNSUPPORTED);
  assert_non_null(strstr(a.reason, "float"));
  rig_free(&r);
}

static void division_by_zero_must_stay_defined(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", -3, 3, UP_INT), y = var(&r, "y", -3, 3, UP_INT);
  up_node zero = num(&r, 0, UP_INT), q = op2(&r, UP_MUL, op2(&r, UP_IDIV, x, y), zero);
  /* dropping an undefined value is sound, bringing one in is not */
  or_answer a = or_equiv(r.k, r.c, q, zero, OR_IDEAL, NULL);
  assert_verdict(a, OR_EXHAUSTED);
  a = or_equiv(r.k, r.c, zero, q, OR_IDEAL, NULL);
  assert_verdict(a, OR_DIFFERS);
  assert_string_equal(a.actual, "undefined");
  or_answer_clear(&a);
  /* guarded, it is not used */
  up_node guard = op2(&r, UP_CMPNE, y, zero);
  up_node safe = up_where(r.c, guard, q, zero);
  a = or_equiv(r.k, r.c, zero, safe, OR_IDEAL, NULL);
  assert_verdict(a, OR_EXHAUSTED);
  /* in wrap x//0 is 0 */
  a = or_equiv(r.k, r.c, zero, q, OR_WRAP, NULL);
  assert_verdict(a, OR_EXHAUSTED);
  rig_free(&r);
}

static up_node range(rig *r, up_node end, int64_t id) {
  return up_new(r->c, UP_RANGE, up_dt(UP_INT), &end, 1, up_arg_int(r->c, up_int_of(id)));
}

static void open_ranges_stay_below_their_end(void **state) {
  (void)state;
  rig r = rig_new();
  for (int big = 0; big < 2; big++) {
    up_node n = var(&r, "n", 0, big ? 100000000 : 40, UP_INT);
    up_node i = range(&r, op2(&r, UP_ADD, n, num(&r, 1, UP_INT)), big);
    up_node t = up_const_int(r.c, up_dt(UP_BOOL), 1);
    or_answer a =
        or_equiv(r.k, r.c, op2(&r, UP_CMPLT, n, i), op2(&r, UP_CMPNE, t, t), OR_IDEAL, NULL);
    assert_verdict(a, big ? OR_PROVED : OR_EXHAUSTED);
    a = or_equiv(r.k, r.c, op2(&r, UP_CMPLT, i, n), t, OR_IDEAL, NULL);
    assert_verdict(a, OR_DIFFERS); /* i == n */
    assert_int_equal(a.witness.n, 2);
    assert_int_equal(mpz_cmp(a.witness.value[0], a.witness.value[1]), 0);
    or_answer_clear(&a);
  }
  rig_free(&r);
}

static void vectors_and_sinks_are_compared_by_lane(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", 0, 20, UP_INT), y = var(&r, "y", 0, 20, UP_INT);
  up_node xy[2] = {x, y}, yx[2] = {y, x};
  up_dtype d2 = up_dt_vec(up_dt(UP_INT), 2);
  up_node v = up_new(r.c, UP_VECTORIZE, d2, xy, 2, up_arg_none());
  up_node u = up_new(r.c, UP_VECTORIZE, d2, yx, 2, up_arg_none());
  up_arg swap[2] = {up_arg_int(r.c, up_int_of(1)), up_arg_int(r.c, up_int_of(0))};
  up_node g = up_new(r.c, UP_GEP, d2, &u, 1, up_arg_list(r.c, swap, 2));
  or_answer a = or_equiv(r.k, r.c, op2(&r, UP_ADD, v, v), op2(&r, UP_ADD, g, v), OR_IDEAL, NULL);
  assert_verdict(a, OR_EXHAUSTED);
  a = or_equiv(r.k, r.c, v, u, OR_IDEAL, NULL);
  assert_verdict(a, OR_DIFFERS);
  or_answer_clear(&a);
  up_node s1 = up_new(r.c, UP_SINK, up_dt(UP_VOID), xy, 2, up_arg_none());
  up_node s2 = up_new(r.c, UP_SINK, up_dt(UP_VOID), yx, 2, up_arg_none());
  a = or_equiv(r.k, r.c, s1, s2, OR_IDEAL, NULL);
  assert_verdict(a, OR_DIFFERS);
  or_answer_clear(&a);
  rig_free(&r);
}

static void long_chains_are_no_problem(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", 0, 3, UP_INT), one = num(&r, 1, UP_INT), a = x;
  for (int i = 0; i < 200000; i++) a = op2(&r, UP_ADD, a, one);
  up_node b = op2(&r, UP_ADD, x, num(&r, 200000, UP_INT));
  or_answer v = or_equiv(r.k, r.c, a, b, OR_IDEAL, NULL);
  assert_verdict(v, OR_EXHAUSTED);
  v = or_equiv(r.k, r.c, a, op2(&r, UP_ADD, b, one), OR_IDEAL, NULL);
  assert_verdict(v, OR_DIFFERS);
  or_answer_clear(&v);
  rig_free(&r);
}

/* 2^126 + 2^126 does not fit in 128 bits: lanes are no place for it. */
static void sums_at_the_end_of_lanes_are_not_cut(void **state) {
  (void)state;
  rig r = rig_new();
  up_node a = var(&r, "a", INT64_MIN, INT64_MIN + 7, UP_LONG), square = op2(&r, UP_MUL, a, a);
  up_node sum = op2(&r, UP_ADD, square, square),
          twice = op2(&r, UP_MUL, num(&r, 2, UP_LONG), square);
  or_answer b = or_bounds(r.k, r.c, sum, OR_IDEAL); /* by the intervals beyond 126 bits */
  assert_verdict(b, OR_PROVED);
  or_answer e = or_equiv(r.k, r.c, sum, twice, OR_IDEAL, NULL);
  assert_verdict(e, OR_EXHAUSTED);
  or_answer_clear(&b);
  or_answer_clear(&e);
  rig_free(&r);
}

/* Beyond 128 bits the reference evaluator takes the points one by one: as many as the limit says, and
 * a failure at one of them is found. */
static void wide_values_are_looked_at_up_to_their_limit(void **state) {
  (void)state;
  or_limits l = or_limits_default();
  l.solver_rlimit = 0;
  for (unsigned few = 0; few < 2; few++) {
    if (few) l.wide_points = 16;
    rig r = rig_new_with(l);
    up_node c = num(&r, INT64_C(1) << 60, UP_LONG), s = var(&r, "x", 0, 99, UP_LONG);
    for (unsigned i = 0; i < 3; i++) s = op2(&r, UP_MUL, s, c);
    up_node sum = op2(&r, UP_ADD, s, s), twice = op2(&r, UP_MUL, num(&r, 2, UP_LONG), s);
    or_answer a = or_equiv(r.k, r.c, sum, twice, OR_IDEAL, NULL);
    assert_verdict(a, few ? OR_SAMPLED : OR_EXHAUSTED);
    if (few) assert_in_range(r.k->points, 10, 16);
    or_answer_clear(&a);
    a = or_equiv(r.k, r.c, sum, s, OR_IDEAL, NULL);
    assert_verdict(a, OR_DIFFERS);
    or_answer_clear(&a);
    rig_free(&r);
  }
}

/* Squares of squares: a point or two take as long as all points of other graphs, and are enough. */
static void long_numbers_end_the_samples_early(void **state) {
  (void)state;
  or_limits l = or_limits_default();
  l.solver_rlimit = 0;
  rig r = rig_new_with(l);
  up_node s = var(&r, "x", 2, INT64_C(1) << 40, UP_LONG);
  for (unsigned i = 0; i < 10; i++) s = op2(&r, UP_MUL, s, s);
  up_node sum = op2(&r, UP_ADD, s, s), twice = op2(&r, UP_MUL, num(&r, 2, UP_LONG), s);
  or_answer a = or_equiv(r.k, r.c, sum, twice, OR_IDEAL, NULL);
  assert_verdict(a, OR_SAMPLED);
  assert_in_range(r.k->points, 5, 40);
  or_answer_clear(&a);
  rig_free(&r);
}

static void steps_are_left_out_on_demand(void **state) {
  (void)state;
  or_limits l = or_limits_default();
  l.solver_rlimit = 0;
  for (unsigned whole = 0; whole < 2; whole++) {
    l.whole_only = whole;
    rig r = rig_new_with(l);
    up_node x = var(&r, "x", 0, INT64_C(1) << 30, UP_INT), y = var(&r, "y", 0, 9, UP_INT);
    up_node before = op2(&r, UP_MUL, y, num(&r, 1, UP_INT)), a = op2(&r, UP_ADD, x, before);
    up_step step = {.rule = 0, .before = before, .after = y};
    up_trace t = {.step = &step, .n = 1, .cap = 1};
    or_answer got = or_equiv(r.k, r.c, a, op2(&r, UP_ADD, x, y), OR_IDEAL, &t);
    assert_verdict(got, whole ? OR_SAMPLED : OR_EXHAUSTED);
    or_answer_clear(&got);
    rig_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_node_is_proved),
      cmocka_unit_test(small_boxes_are_exhausted),
      cmocka_unit_test(large_boxes_are_proved),
      cmocka_unit_test(bits_come_first_where_results_wrap),
      cmocka_unit_test(solver_finds_the_needle),
      cmocka_unit_test(samples_find_the_common_failure),
      cmocka_unit_test(empty_range_holds_vacuously),
      cmocka_unit_test(exhausted_resources_are_undecided),
      cmocka_unit_test(without_a_solver_it_is_only_sampled),
      cmocka_unit_test(steps_decide_what_the_whole_does_not),
      cmocka_unit_test(float_graphs_are_unsupported),
      cmocka_unit_test(division_by_zero_must_stay_defined),
      cmocka_unit_test(open_ranges_stay_below_their_end),
      cmocka_unit_test(vectors_and_sinks_are_compared_by_lane),
      cmocka_unit_test(long_chains_are_no_problem),
      cmocka_unit_test(sums_at_the_end_of_lanes_are_not_cut),
      cmocka_unit_test(wide_values_are_looked_at_up_to_their_limit),
      cmocka_unit_test(long_numbers_end_the_samples_early),
      cmocka_unit_test(steps_are_left_out_on_demand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
