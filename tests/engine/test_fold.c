/* The folders over sums of many terms: more than they keep room for. */
#include "engine/uop.h"
#include "tests/support/cm.h"
#include <stdio.h>

#define TERMS 40

/* 8*v0 + 8*v1 + ... + 5, each v in 0..3 */
static up_node long_sum(up_ctx *c) {
  up_dtype d = up_dt(UP_INT);
  up_node s = UP_NONE, eight = up_const_int(c, d, 8);
  for (int i = 0; i < TERMS; i++) {
    char name[16];
    snprintf(name, sizeof name, "v%02d", i);
    up_node v = up_var(c, name, up_int_of(0), up_int_of(3), d);
    up_node t = up_binary(c, UP_MUL, v, eight);
    s = up_is_none(s) ? t : up_binary(c, UP_ADD, s, t);
  }
  return up_binary(c, UP_ADD, s, up_const_int(c, d, 5));
}

static bool has_op(up_ctx *c, up_node root, up_op op) {
  up_list topo = {0};
  bool found = false;
  assert_true(up_toposort(c, root, &topo));
  for (uint32_t i = 0; i < topo.n; i++) found = found || up_op_of(c, topo.p[i]) == op;
  up_list_free(&topo);
  return found;
}

static up_node folded(up_ctx *c, up_op op, int64_t k) {
  up_node s = long_sum(c);
  up_result r = up_simplify(c, up_binary(c, op, s, up_const_int(c, up_dt(UP_INT), k)), NULL);
  assert_int_equal(r.status, UP_OK);
  return r.node;
}

static void long_sums_are_divided_term_by_term(void **state) {
  (void)state;
  const char *const profile[] = {"v0.10.0", "v0.11.0"};
  for (int i = 0; i < 2; i++) {
    up_profile *p = up_profile_load(profile[i], NULL);
    up_ctx *c = up_ctx_new(p);
    up_node q = folded(c, UP_IDIV, 4), m = folded(c, UP_MOD, 8), lt = folded(c, UP_CMPLT, 13);
    up_bounds b = up_minmax(c, q);
    assert_false(has_op(c, q, UP_IDIV));
    assert_true(up_int_is(b.lo.i, 1) && up_int_is(b.hi.i, 2 * 3 * TERMS + 1));
    assert_true(up_is_const(c, m) && up_int_is(up_const_val(c, m).i, 5));
    assert_false(has_op(c, lt, UP_MUL)); /* 8*(v0 + ...) + 5 < 13: the sum of the v is below 1 */
    up_ctx_free(c);
    up_profile_free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(long_sums_are_divided_term_by_term)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
