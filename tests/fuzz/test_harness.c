/* fuzz/harness.h: each demand aborts when it is not met, and holds on sound graphs. */
#include "tests/support/cm.h"
#include "fuzz/harness.h"
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Does it abort, with a line on standard error? Run in a child. */
static bool aborts(void (*demand)(void)) {
  int fd[2];
  char line[200] = "";
  assert_int_equal(pipe(fd), 0);
  pid_t pid = fork();
  if (pid == 0) {
    dup2(fd[1], STDERR_FILENO);
    demand();
    _exit(0);
  }
  close(fd[1]);
  ssize_t n = read(fd[0], line, sizeof line - 1);
  close(fd[0]);
  int status = 0;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  bool told = n > 0 && strncmp(line, "uproof: the harness failed: ", 28) == 0;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && told;
}

static void demand_false(void) { fz_require(false, "this never holds"); }
static void demand_true(void) { fz_require(true, "this holds"); }

static void demand_shape(bool good) {
  fz_harness *h = fz_harness_new("v0.10.0");
  up_ctx *c = fz_harness_fresh(h);
  up_node one = up_const_int(c, up_dt(UP_INT), 1), src[] = {one, one};
  up_node n = up_new(c, UP_ADD, up_dt(UP_INT), src, good ? 2 : 1, up_arg_none());
  fz_require_well_formed(c, n);
  fz_harness_free(h);
}
static void demand_bad_shape(void) { demand_shape(false); }
static void demand_good_shape(void) { demand_shape(true); }

static void demand_report(or_verdict v, uint32_t nfindings, int rule) {
  fz_harness *h = fz_harness_new("v0.10.0");
  up_ctx *c = fz_harness_fresh(h);
  or_report r = {.verdict = v, .nfindings = nfindings};
  r.finding[0] = (or_finding){.graph = up_const_int(c, up_dt(UP_INT), 1), .rule = rule};
  fz_require_report(h, r.finding[0].graph, &r);
  fz_harness_free(h);
}
static void demand_error(void) { demand_report(OR_ERROR, 0, -1); }
static void demand_unfound(void) { demand_report(OR_DIFFERS, 0, -1); }
static void demand_found_proved(void) { demand_report(OR_PROVED, 1, -1); }
static void demand_wild_rule(void) { demand_report(OR_DIFFERS, 1, 1 << 20); }
static void demand_proved(void) { demand_report(OR_PROVED, 0, -1); }
static void demand_differs(void) { demand_report(OR_DIFFERS, 1, 0); }

static void demand_no_profile(void) { fz_harness_free(fz_harness_new("v0.0.0")); }

static void test_demands(void **state) {
  (void)state;
  assert_true(aborts(demand_false));
  assert_true(aborts(demand_bad_shape));
  assert_true(aborts(demand_error));
  assert_true(aborts(demand_unfound));
  assert_true(aborts(demand_found_proved));
  assert_true(aborts(demand_wild_rule));
  assert_true(aborts(demand_no_profile));
  assert_false(aborts(demand_true));
  assert_false(aborts(demand_good_shape));
  assert_false(aborts(demand_proved));
  assert_false(aborts(demand_differs));
}

static void test_sound_graphs(void **state) {
  (void)state;
  fz_harness *h = fz_harness_new("v0.10.0");
  fz_opts o = fz_opts_default();
  uint8_t b[256];
  for (uint64_t i = 0; i < 2000; i++) {
    up_ctx *c = fz_harness_fresh(h);
    up_node root = fz_decode(c, &o, b, fz_case_bytes(11, i, b, sizeof b));
    fz_require_well_formed(c, root);
    fz_require_reads_back(h, root);
    fz_require_evaluators_agree(h, root, i);
  }
  fz_harness_free(h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_demands),
                                     cmocka_unit_test(test_sound_graphs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
