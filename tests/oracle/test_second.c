/* cvc5 as the last stage: what it decides, and that nothing it does costs a verdict. */
#include "rig.h"

#include "oracle/cvc5.h"

#include <sys/stat.h>
#include <unistd.h>

static bool installed(void) {
  up_buf ask = {0};
  char why[120];
  up_buf_puts(&ask, "(set-logic ALL)\n(check-sat)\n");
  cv_answer a = cv_ask(&ask, 1000, 10, NULL, why);
  up_buf_free(&ask);
  return a != CV_NOT_INSTALLED;
}

/* x*y % z and (x % z)*y % z: equal, and beyond every stage that is given little. */
static up_node product(rig *r, bool reduced) {
  up_node x = var(r, "x", 0, 1000000, UP_LONG), y = var(r, "y", 0, 1000000, UP_LONG);
  up_node z = var(r, "z", 1, 1000000, UP_LONG);
  return op2(r, UP_MOD, op2(r, UP_MUL, reduced ? op2(r, UP_MOD, x, z) : x, y), z);
}

/* 7*x != -7*1234567891: false at one point that no sample tries. */
static or_found ask_needle(rig *r, bool bits, or_witness *w, char *why) {
  up_node x = var(r, "x", -4000000000, 4000000000, UP_LONG);
  up_node hit = op2(r, UP_CMPNE, op2(r, UP_MUL, x, num(r, 7, UP_LONG)),
                    num(r, INT64_C(-7) * 1234567891, UP_LONG));
  up_node yes = up_const_int(r->c, up_dt(UP_BOOL), 1);
  assert_int_equal(pr_build_pair(&r->k->program, r->c, hit, yes, OR_IDEAL), PR_OK);
  or_task t = {.k = r->k, .c = r->c, .a = hit, .b = yes, .p = &r->k->program, .root_limit = 1};
  return or_solve_second(&t, bits, 8000000, w, why);
}

static void it_finds_the_point(void **state) {
  (void)state;
  if (!installed()) skip();
  for (int bits = 0; bits < 2; bits++) {
    rig r = rig_new();
    or_witness w = {0};
    char why[120];
    or_found f = ask_needle(&r, bits, &w, why);
    if (f != OR_FOUND) fail_msg("%d: %s", f, why);
    assert_int_equal(mpz_get_si(w.value[0]), -1234567891);
    or_witness_clear(&w);
    rig_free(&r);
  }
}

static void it_proves(void **state) {
  (void)state;
  if (!installed()) skip();
  rig r = rig_new();
  up_node x = var(&r, "x", -1000000000, 1000000000, UP_INT), five = num(&r, 5, UP_INT);
  up_node a =
      op2(&r, UP_ADD, op2(&r, UP_MUL, op2(&r, UP_IDIV, x, five), five), op2(&r, UP_MOD, x, five));
  assert_int_equal(pr_build_pair(&r.k->program, r.c, a, x, OR_IDEAL), PR_OK);
  or_task t = {.k = r.k, .c = r.c, .a = a, .b = x, .p = &r.k->program, .root_limit = 1};
  or_witness w = {0};
  char why[120];
  or_found f = or_solve_second(&t, false, 8000000, &w, why);
  if (f != OR_CLEAN) fail_msg("%d: %s", f, why);
  rig_free(&r);
}

/* ---- programs of that name that go wrong ----------------------------------------------------- */

typedef struct fake {
  const char *does; /* shell; NULL: there is no such program */
  or_verdict verdict;
  const char *reason; /* a part of it */
} fake;

static void with_fake(const fake *f) {
  char dir[] = "/tmp/uproof-cvc5-XXXXXX", path[64];
  assert_non_null(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/cvc5", dir);
  if (f->does) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, "#!/bin/sh\n%s\n", f->does);
    fclose(out);
    assert_int_equal(chmod(path, 0700), 0);
  }
  const char *old = getenv("PATH");
  char *keep = strdup(old ? old : "");
  setenv("PATH", dir, 1);
  or_limits l = or_limits_default();
  l.solver_rlimit = 100;
  l.max_points = 1000;
  l.solver_seconds = 1;
  rig r = rig_new_with(l);
  or_answer a = or_equiv(r.k, r.c, product(&r, false), product(&r, true), OR_IDEAL, NULL);
  assert_verdict(a, f->verdict);
  if (f->verdict == OR_PROVED) assert_string_equal(a.stage, "cvc5");
  if (f->reason && !strstr(a.reason, f->reason)) fail_msg("no '%s' in %s", f->reason, a.reason);
  if (!f->does) assert_null(strstr(a.reason, "cvc5"));
  or_answer_clear(&a);
  rig_free(&r);
  setenv("PATH", keep, 1);
  free(keep);
  unlink(path);
  rmdir(dir);
}

static void nothing_it_does_costs_a_verdict(void **state) {
  (void)state;
  static const fake fakes[] = {
      {NULL, OR_UNDECIDED, "z3-bv: "},
      {"while read line; do :; done; echo unsat", OR_PROVED, NULL},
      {"echo unsat", OR_PROVED, NULL},
      {"echo unknown", OR_UNDECIDED, "gave up"},
      {"while :; do :; done", OR_UNDECIDED, "gave up"},
      {"kill -9 $$", OR_UNDECIDED, "gave up"},
      {"kill -11 $$", OR_UNDECIDED, "gave up"},
      {"echo unsatisfied", OR_UNDECIDED, "cvc5: unsatisfied"},
      {"echo '(error \"parse\")'; echo unsat", OR_UNDECIDED, "cvc5: (error"},
      {"echo sat", OR_UNDECIDED, "its point"},
      {"echo sat; echo '((v0 1))'; echo '((v1 x))'", OR_UNDECIDED, "its point"},
      {"echo sat; echo '((v0 7))'; echo '((v1 5))'; echo '((v2 3))'", OR_UNDECIDED, "its point"},
  };
  for (size_t i = 0; i < sizeof fakes / sizeof fakes[0]; i++) with_fake(&fakes[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_finds_the_point),
      cmocka_unit_test(it_proves),
      cmocka_unit_test(nothing_it_does_costs_a_verdict),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
