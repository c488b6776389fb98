/* A large box shared by several processes: the answer is that of one, the witness included. */
#include "rig.h"

static rig with_jobs(uint32_t jobs) {
  or_limits l = or_limits_default();
  l.samples = 0;
  l.solver_rlimit = 0;
  l.jobs = jobs;
  return rig_new_with(l);
}

/* (x*y + z) % 7 and 0 where x*y + z is `hit` (-1: nowhere); 400*300*101 points. */
static or_answer ask(rig *r, int64_t hit) {
  up_node x = var(r, "x", 3, 402, UP_INT), y = var(r, "y", -100, 199, UP_INT);
  up_node z = var(r, "z", 0, 100, UP_INT), seven = num(r, 7, UP_INT);
  up_node s = op2(r, UP_ADD, op2(r, UP_MUL, x, y), z), m = op2(r, UP_MOD, s, seven);
  up_node wrong = op2(r, UP_ADD, m, num(r, 1, UP_INT));
  up_node b = op2(r, UP_SUB, s, op2(r, UP_MUL, op2(r, UP_IDIV, s, seven), seven));
  up_node is = op2(r, UP_CMPEQ, s, num(r, hit, UP_INT));
  up_node other = hit < 0 ? b : up_where(r->c, is, wrong, b);
  return or_equiv(r->k, r->c, m, other, OR_IDEAL, NULL);
}

static void slices_find_nothing_where_nothing_is(void **state) {
  (void)state;
  for (uint32_t jobs = 1; jobs <= 4; jobs += 3) {
    rig r = with_jobs(jobs);
    or_answer a = ask(&r, -1);
    assert_verdict(a, OR_EXHAUSTED);
    assert_true(r.k->points >= UINT64_C(400) * 300 * 101);
    rig_free(&r);
  }
}

/* Values that few points have, in different slices: 80050 = 402*199 + 52, 71003 = 401*177 + 26 ... */
static void slices_find_the_first_point(void **state) {
  (void)state;
  static const int64_t hits[] = {80050, 71003, 12347, 401 * 199 + 100};
  for (unsigned i = 0; i < 4; i++) {
    rig one = with_jobs(1);
    or_answer want = ask(&one, hits[i]);
    assert_verdict(want, OR_DIFFERS);
    for (uint32_t jobs = 2; jobs <= 5; jobs++) {
      rig r = with_jobs(jobs);
      or_answer a = ask(&r, hits[i]);
      assert_verdict(a, OR_DIFFERS);
      assert_int_equal(a.witness.n, want.witness.n);
      for (uint32_t v = 0; v < a.witness.n; v++)
        assert_int_equal(mpz_cmp(a.witness.value[v], want.witness.value[v]), 0);
      assert_string_equal(a.actual, want.actual);
      or_answer_clear(&a);
      rig_free(&r);
    }
    or_answer_clear(&want);
    rig_free(&one);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slices_find_nothing_where_nothing_is),
      cmocka_unit_test(slices_find_the_first_point),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
