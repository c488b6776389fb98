/* fz_symbolic: the graphs of tinygrad's fuzz_symbolic.py, always the same ones of a seed, well
 * formed, of the distribution that is told, and all of them decided by the oracle. */
#include "tests/support/cm.h"
#include "fuzz/gen.h"
#include "oracle/oracle.h"
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
  up_profile *profile;
  up_ctx *c;
} fixture;

static fixture open_fixture(void) {
  up_error e = {0};
  fixture f = {.profile = up_profile_load("v0.11.0:correct-divmod", &e)};
  if (!f.profile) fail_msg("%s", e.msg);
  f.c = up_ctx_new(f.profile);
  assert_non_null(f.c);
  return f;
}

static void close_fixture(fixture *f) {
  up_ctx_free(f->c);
  up_profile_free(f->profile);
}

static up_node make(fixture *f, uint64_t seed, uint64_t index) {
  up_ctx_reset(f->c);
  fz_opts o = fz_opts_default();
  up_node n = fz_symbolic(f->c, &o, seed, index);
  assert_int_equal(up_ctx_status(f->c), UP_OK);
  assert_false(up_is_none(n));
  return n;
}

static char *text_of(fixture *f, uint64_t seed, uint64_t index) {
  up_buf b = {0};
  up_print_uop(f->c, make(f, seed, index), NULL, &b);
  assert_non_null(b.p);
  return b.p;
}

static void a_case_is_always_the_same_graph(void **state) {
  (void)state;
  fixture f = open_fixture();
  unsigned other = 0;
  for (uint64_t i = 0; i < 50; i++) {
    char *a = text_of(&f, 7, i), *b = text_of(&f, 7, i), *c = text_of(&f, 8, i);
    assert_string_equal(a, b);
    other += strcmp(a, c) != 0;
    free(a);
    free(b);
    free(c);
  }
  assert_true(other >= 49);
  close_fixture(&f);
}

static void check_domain(up_ctx *c, up_node n) {
  static const int64_t bounds[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 64, 128, 256};
  char name[64];
  up_int lo, hi;
  assert_true(up_var_domain(c, n, name, &lo, &hi));
  assert_true(name[0] == 'v' && name[1] >= '1' && name[1] <= '3' && name[2] == 0);
  assert_true(up_int_is(lo, 0));
  unsigned i = 0;
  while (i < 14 && !up_int_is(hi, bounds[i])) i++;
  assert_true(i < 14);
}

/* Each node well formed; counts of ops over many graphs near what the weights say. */
static void graphs_are_distributed_as_told(void **state) {
  (void)state;
  fixture f = open_fixture();
  enum { CASES = 4000 };
  unsigned with[UP_OP_COUNT] = {0};
  for (uint64_t i = 0; i < CASES; i++) {
    up_node root = make(&f, 1, i);
    up_list topo = {0};
    bool seen[UP_OP_COUNT] = {false};
    assert_true(up_toposort(f.c, root, &topo));
    assert_int_equal(up_dtype_of(f.c, root), up_dt(UP_INT));
    for (uint32_t k = 0; k < topo.n; k++) {
      up_node n = topo.p[k], bad;
      seen[up_op_of(f.c, n)] = true;
      assert_true(up_type_verify(f.c, n, &bad));
      if (up_op_of(f.c, n) == UP_DEFINE_VAR) check_domain(f.c, n);
    }
    for (unsigned op = 0; op < UP_OP_COUNT; op++) with[op] += seen[op];
    up_list_free(&topo);
  }
  assert_int_equal(with[UP_DEFINE_VAR], CASES);
  /* a level is a // with probability 6/11 * 4/18 = 0.12, so at least 1 - 0.88^6 = 0.54 have one */
  assert_in_range(with[UP_IDIV], CASES * 54 / 100, CASES * 75 / 100);
  assert_in_range(with[UP_MOD], CASES * 54 / 100, CASES * 75 / 100);
  /* a where, 1/11: at least 0.43 */
  assert_in_range(with[UP_WHERE], CASES * 43 / 100, CASES * 65 / 100);
  assert_in_range(with[UP_CMPLT], with[UP_WHERE], with[UP_WHERE]);
  assert_int_equal(with[UP_CAST], 0);
  close_fixture(&f);
}

static void all_of_them_are_decided(void **state) {
  (void)state;
  fixture f = open_fixture();
  or_limits l = or_limits_default();
  or_checker *k = or_checker_new(&l);
  assert_non_null(k);
  for (uint64_t i = 0; i < 400; i++) {
    or_report r = {0};
    or_check(k, f.c, make(&f, 1, i), OR_IDEAL, &r);
    if (r.verdict != OR_PROVED && r.verdict != OR_EXHAUSTED)
      fail_msg("case %u: %s, %s", (unsigned)i, or_verdict_name(r.verdict), r.reason);
    or_report_clear(&r);
  }
  or_checker_free(k);
  close_fixture(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_case_is_always_the_same_graph),
      cmocka_unit_test(graphs_are_distributed_as_told),
      cmocka_unit_test(all_of_them_are_decided),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
