/* The solver's process: what goes wrong in it costs one verdict, and the next question is answered. */
#include "rig.h"

#include "oracle/z3enc.h"

#include <unistd.h>

static up_node quarter(rig *r, up_op op, int64_t k) {
  up_node x = var(r, "x", 0, 2000000000, UP_INT), four = num(r, 4, UP_INT);
  if (op == UP_ADD)
    return op2(r, UP_ADD, op2(r, UP_MUL, op2(r, UP_IDIV, x, four), four), op2(r, UP_MOD, x, four));
  return op2(r, UP_ADD, x, num(r, k, UP_INT));
}

/* True, and only the solver can tell: the box is too large. */
static or_answer ask(rig *r) {
  return or_equiv(r->k, r->c, quarter(r, UP_ADD, 0), quarter(r, UP_MUL, 0), OR_IDEAL, NULL);
}

static rig with_fault(const char *fault, uint32_t seconds) {
  or_limits l = or_limits_default();
  l.solver_seconds = seconds;
  if (fault)
    setenv("UPROOF_TEST_SOLVER", fault, 1);
  else
    unsetenv("UPROOF_TEST_SOLVER");
  setenv("PATH", "/nonexistent", 1); /* cvc5 could decide what is to be left open */
  return rig_new_with(l);
}

static void assert_reason(const or_answer *a, const char *part) {
  if (!strstr(a->reason, part)) fail_msg("'%s' is not in the reason: %s", part, a->reason);
}

static void one_process_answers_many_questions(void **state) {
  (void)state;
  rig r = with_fault(NULL, 60);
  or_answer a = ask(&r);
  assert_verdict(a, OR_PROVED);
  pid_t pid = r.k->solver.pid;
  assert_true(pid > 0 && pid != getpid());
  for (int i = 0; i < 50; i++) {
    up_ctx_reset(r.c);
    a = ask(&r);
    assert_verdict(a, OR_PROVED);
    assert_string_equal(a.stage, "z3-int");
  }
  assert_int_equal(r.k->solver.pid, pid);
  assert_null(r.k->z3.ctx); /* nothing was solved here */
  rig_free(&r);
}

static void inside_and_outside_say_the_same(void **state) {
  (void)state;
  rig out = with_fault(NULL, 60), in = with_fault(NULL, 0);
  for (int64_t k = 0; k < 2; k++) {
    or_answer a =
        or_equiv(out.k, out.c, quarter(&out, UP_ADD, 0), quarter(&out, UP_MUL, k), OR_IDEAL, NULL);
    or_answer b =
        or_equiv(in.k, in.c, quarter(&in, UP_ADD, 0), quarter(&in, UP_MUL, k), OR_IDEAL, NULL);
    assert_verdict(a, k == 0 ? OR_PROVED : OR_DIFFERS);
    assert_int_equal(a.verdict, b.verdict);
    assert_string_equal(a.stage, b.stage);
    or_answer_clear(&a);
    or_answer_clear(&b);
  }
  assert_int_equal(in.k->solver.pid, 0);
  rig_free(&in);
  rig_free(&out);
}

/* ---- the same question, the same answer --------------------------------------------------------- */

#define QUESTIONS 60u

/* Of differing effort, so that a small limit ends some of them. */
static or_answer ask_number(rig *r, unsigned k) {
  int64_t c1 = 3 + (int64_t)k % 5, c2 = 5 + (int64_t)k % 7;
  up_node x = var(r, k % 2 ? "x" : "y", -5, 1000000 + k, UP_INT);
  up_node y = var(r, k % 2 ? "y" : "x", 0, 5000000, UP_INT), m = num(r, c2, UP_INT);
  up_node a = op2(r, UP_ADD, op2(r, UP_MUL, x, num(r, c1, UP_INT)), y);
  up_node back = op2(r, UP_ADD, op2(r, UP_MUL, op2(r, UP_IDIV, a, m), m), op2(r, UP_MOD, a, m));
  up_node twice = op2(r, UP_IDIV, op2(r, UP_IDIV, a, m), num(r, c1, UP_INT));
  up_node once = op2(r, UP_IDIV, a, num(r, c1 * c2, UP_INT));
  return k % 3 ? or_equiv(r->k, r->c, twice, once, OR_IDEAL, NULL)
               : or_equiv(r->k, r->c, back, a, OR_IDEAL, NULL);
}

static rig with_little(uint32_t rlimit) {
  or_limits l = or_limits_default();
  l.max_points = 1;
  l.solver_rlimit = rlimit;
  l.solver_seconds = 0;
  setenv("PATH", "/nonexistent", 1);
  return rig_new_with(l);
}

/* Near the resource limit a context that remembers other questions says otherwise than a new one. */
static void answers_do_not_depend_on_other_questions(void **state) {
  (void)state;
  unsigned decided = 0, undecided = 0;
  rig all = with_little(10000);
  for (unsigned k = 0; k < QUESTIONS; k++) {
    rig one = with_little(10000);
    or_answer a = ask_number(&one, k), b = ask_number(&all, k);
    assert_int_equal(a.verdict, b.verdict);
    assert_string_equal(a.stage, b.stage);
    assert_string_equal(a.reason, b.reason);
    decided += a.verdict == OR_PROVED;
    undecided += a.verdict == OR_UNDECIDED;
    or_answer_clear(&a);
    or_answer_clear(&b);
    rig_free(&one);
  }
  rig_free(&all);
  assert_true(decided > 5);
  assert_true(undecided > 5);
}

/* A point that no sample finds, and a constant beyond 126 bits, cross both ways. */
static void points_and_huge_numbers_cross(void **state) {
  (void)state;
  rig r = with_fault(NULL, 60);
  up_node x = var(&r, "x", -4000000000, 4000000000, UP_LONG);
  up_node hit = op2(&r, UP_CMPNE, op2(&r, UP_MUL, x, num(&r, 7, UP_LONG)),
                    num(&r, INT64_C(-7) * 1234567891, UP_LONG));
  up_node yes = up_const_int(r.c, up_dt(UP_BOOL), 1);
  or_answer a = or_equiv(r.k, r.c, hit, yes, OR_IDEAL, NULL);
  assert_verdict(a, OR_DIFFERS);
  assert_int_equal(mpz_get_si(a.witness.value[0]), -1234567891);
  or_answer_clear(&a);
  up_int huge = up_int_shl(r.c, up_int_of(3), up_int_of(200));
  up_node h = up_const(r.c, up_dt(UP_LONG), up_val_int(huge));
  up_node below = op2(&r, UP_CMPLT, op2(&r, UP_ADD, x, h), h);
  a = or_equiv(r.k, r.c, below, op2(&r, UP_CMPLT, x, num(&r, 0, UP_LONG)), OR_IDEAL, NULL);
  assert_verdict(a, OR_PROVED);
  rig_free(&r);
}

static void a_crash_costs_one_verdict(void **state) {
  (void)state;
  rig r = with_fault("crash:2", 60);
  or_answer a = ask(&r);
  assert_verdict(a, OR_PROVED);
  a = ask(&r);
  assert_verdict(a, OR_ERROR);
  assert_reason(&a, "killed by signal 9");
  a = ask(&r);
  assert_verdict(a, OR_PROVED);
  rig_free(&r);
}

static void nonsense_costs_one_verdict(void **state) {
  (void)state;
  rig r = with_fault("garbage:2", 60);
  or_answer a = ask(&r);
  assert_verdict(a, OR_PROVED);
  a = ask(&r);
  assert_verdict(a, OR_ERROR);
  assert_reason(&a, "garbled");
  a = ask(&r);
  assert_verdict(a, OR_PROVED);
  rig_free(&r);
}

/* One wait for the whole question, not one for each stage that asks. */
static void silence_leaves_it_undecided(void **state) {
  (void)state;
  rig r = with_fault("hang:2", 1);
  or_answer a = ask(&r);
  assert_verdict(a, OR_PROVED);
  a = ask(&r);
  assert_verdict(a, OR_UNDECIDED);
  assert_reason(&a, "did not answer in 1 seconds");
  a = ask(&r);
  assert_verdict(a, OR_PROVED);
  rig_free(&r);
}

static void questions_that_are_none_are_refused(void **state) {
  (void)state;
  rig r = with_fault(NULL, 0);
  pr_program *p = &r.k->program, back = {0};
  up_buf good = {0};
  assert_int_equal(pr_build_pair(p, r.c, quarter(&r, UP_ADD, 0), quarter(&r, UP_MUL, 1), OR_WRAP),
                   PR_OK);
  sv_question q = {p, NULL, p->nroot, true, 77}, got;
  pr_range *claim;
  assert_true(sv_pack(&q, &good));
  assert_true(sv_unpack(good.p, good.len, &back, &claim, &got));
  assert_int_equal(got.rlimit, 77);
  assert_int_equal(back.n, p->n);
  for (size_t n = 0; n < good.len; n += 1 + n / 16) {
    assert_false(sv_unpack(good.p, n, &back, &claim, &got));
    free(claim);
  }
  up_buf_put(&good, "", 1);
  assert_false(sv_unpack(good.p, good.len, &back, &claim, &got));
  free(claim);
  pr_free(&back);
  up_buf_free(&good);
  rig_free(&r);
}

/* ---- what is not begun --------------------------------------------------------------------------- */

/* x + y, squared k times, against that and 1: of degree 2^k, with k products of 64 bits in wrap. */
static bool is_begun(unsigned k, or_frame f, uint32_t rlimit, char *why) {
  rig r = with_fault(NULL, 0);
  up_node x = var(&r, "x", 0, 2000000000, UP_LONG), y = var(&r, "y", 0, 2000000000, UP_LONG);
  up_node p = op2(&r, UP_ADD, x, y);
  for (unsigned i = 0; i < k; i++) p = op2(&r, UP_MUL, p, p);
  up_node q = op2(&r, UP_ADD, p, num(&r, 1, UP_LONG));
  pr_program *program = &r.k->program;
  assert_int_equal(pr_build_pair(program, r.c, p, q, f), PR_OK);
  sv_question question = {program, NULL, program->nroot, f == OR_WRAP, rlimit};
  up_buf script = {0};
  bool guess = false;
  or_found found = z3_write(&r.k->z3, &question, &script, &guess, why);
  assert_true(found == OR_FOUND || found == OR_GAVE_UP);
  up_buf_free(&script);
  rig_free(&r);
  return found == OR_FOUND;
}

static void steep_polynomials_are_not_begun(void **state) {
  (void)state;
  char why[120] = "";
  assert_true(is_begun(5, OR_IDEAL, 4000000, why));
  assert_false(is_begun(6, OR_IDEAL, 4000000, why));
  assert_string_equal(why, "a polynomial of degree 64");
  assert_false(is_begun(40, OR_IDEAL, 4000000, why));
  assert_string_equal(why, "a polynomial of degree 4294967295 or more");
  assert_true(is_begun(6, OR_IDEAL, 0, why)); /* no limit */
}

static void more_bits_than_the_limit_are_not_begun(void **state) {
  (void)state;
  char why[120] = "";
  uint32_t limit = 3 * 64 * 64;
  assert_true(is_begun(3, OR_WRAP, limit, why));
  assert_false(is_begun(4, OR_WRAP, limit, why));
  assert_string_equal(why, "its products have more bits than the resource limit allows");
  assert_true(is_begun(4, OR_WRAP, 0, why));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_process_answers_many_questions),
      cmocka_unit_test(inside_and_outside_say_the_same),
      cmocka_unit_test(answers_do_not_depend_on_other_questions),
      cmocka_unit_test(points_and_huge_numbers_cross),
      cmocka_unit_test(a_crash_costs_one_verdict),
      cmocka_unit_test(nonsense_costs_one_verdict),
      cmocka_unit_test(silence_leaves_it_undecided),
      cmocka_unit_test(questions_that_are_none_are_refused),
      cmocka_unit_test(steep_polynomials_are_not_begun),
      cmocka_unit_test(more_bits_than_the_limit_are_not_begun),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
