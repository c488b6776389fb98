/* resolve, extremes, values at a point, bound variables, ranges, the type spec. */
#include "engine/uop.h"
#include "tests/support/cm.h"
#include <string.h>

static up_node parse(up_ctx *c, const char *text) {
  up_node n;
  up_error e = {0};
  if (!up_parse_infix(c, text, strlen(text), &n, &e)) fail_msg("%u:%u: %s", e.line, e.col, e.msg);
  return n;
}

static up_ctx *open_ctx(up_profile **p) {
  *p = up_profile_load("v0.11.0", NULL);
  assert_non_null(*p);
  return up_ctx_new(*p);
}

static void close_ctx(up_ctx *c, up_profile *p) {
  assert_int_equal(up_ctx_status(c), UP_OK);
  up_ctx_free(c);
  up_profile_free(p);
}

static void assert_renders(up_ctx *c, up_node n, const char *want) {
  up_buf b = {0};
  assert_true(up_render(c, n, &b));
  assert_string_equal(b.p, want);
  up_buf_free(&b);
}

static void a_truth_is_resolved_or_defaulted(void **state) {
  (void)state;
  up_profile *p;
  up_ctx *c = open_ctx(&p);
  assert_true(up_resolve(c, parse(c, "i in [1,10]\ni < 11"), false));
  assert_false(up_resolve(c, parse(c, "i in [1,10]\ni < 1"), true));
  up_node open = parse(c, "i in [1,10]\ni < 4");
  assert_true(up_resolve(c, open, true));
  assert_false(up_resolve(c, open, false));
  close_ctx(c, p);
}

static void extremes_keep_symbols(void **state) {
  (void)state;
  up_profile *p;
  up_ctx *c = open_ctx(&p);
  up_node x = parse(c, "x in [0,8]\nx"), y = parse(c, "y in [9,12]\ny");
  up_node three = parse(c, "3"), five = parse(c, "5");
  const up_node all[] = {three, x, five}, numbers[] = {five, three}, apart[] = {x, y};
  assert_renders(c, up_smax(c, all, 3), "max(x, 5)");
  assert_renders(c, up_smax(c, numbers, 2), "5");
  assert_renders(c, up_smin(c, numbers, 2), "3");
  assert_renders(c, up_smax(c, apart, 2), "y");
  assert_renders(c, up_smin(c, apart, 2), "x");
  close_ctx(c, p);
}

static void a_value_is_inferred_at_a_point(void **state) {
  (void)state;
  up_profile *p;
  up_ctx *c = open_ctx(&p);
  up_node n = parse(c, "a in [-9,9], b in [0,9]\na//2 + b*3"), v[2];
  v[0] = parse(c, "a in [-9,9]\na");
  v[1] = parse(c, "b in [0,9]\nb");
  const up_val at[] = {up_val_int(up_int_of(-7)), up_val_int(up_int_of(4))};
  up_val got;
  assert_true(up_sym_infer(c, n, v, at, 2, &got));
  assert_true(up_int_is(got.i, 9));
  assert_false(up_sym_infer(c, n, v, at, 1, &got));
  assert_true(up_eval_const(c, parse(c, "a in [-9,9]\na - a + 7"), &got) && up_int_is(got.i, 7));
  assert_false(up_eval_const(c, n, &got));
  close_ctx(c, p);
}

static void a_variable_is_bound_within_its_range(void **state) {
  (void)state;
  up_profile *p;
  up_ctx *c = open_ctx(&p);
  up_node x = parse(c, "x in [1,10]\nx"), var;
  up_int v;
  assert_true(up_is_none(up_bind(c, x, up_int_of(11))));
  up_node b = up_bind(c, x, up_int_of(4));
  assert_true(up_unbind(c, b, &var, &v) && up_same(var, x) && up_int_is(v, 4));
  assert_false(up_unbind(c, x, &var, &v));
  close_ctx(c, p);
}

static void ranges_end_at_their_reduce(void **state) {
  (void)state;
  up_profile *p;
  up_ctx *c = open_ctx(&p);
  up_node r0 = parse(c, "range ridx0 in [0,3]\nridx0"),
          r1 = parse(c, "range ridx1 in [0,3]\nridx1");
  up_node body = up_binary(c, UP_ADD, r0, r1);
  const up_node src[] = {body, r1};
  up_node red = up_new(c, UP_REDUCE, up_dt(UP_INT), src, 2, up_arg_str(c, "ADD", 3));
  up_list out = {0};
  assert_true(up_ranges(c, body, &out) && out.n == 2);
  assert_true(up_ranges(c, red, &out) && out.n == 1 && up_same(out.p[0], r0));
  up_list_free(&out);
  close_ctx(c, p);
}

static void the_type_spec_names_the_first_bad_node(void **state) {
  (void)state;
  up_profile *p;
  up_ctx *c = open_ctx(&p);
  up_node good = parse(c, "x in [0,8]\n(x << 2) if (x < 3) else x//2"), bad;
  assert_true(up_type_verify(c, good, &bad));
  up_node l = up_const_int(c, up_dt(UP_LONG), 1), x = parse(c, "x in [0,8]\nx");
  up_node mixed = up_binary(c, UP_ADD, x, l);
  assert_false(up_type_verify(c, up_neg(c, mixed), &bad));
  assert_true(up_same(bad, mixed));
  up_node k = up_new(c, UP_CONST, up_dt(UP_BOOL), NULL, 0, up_arg_int(c, up_int_of(1)));
  assert_false(up_type_fits(c, k));
  close_ctx(c, p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_truth_is_resolved_or_defaulted),
      cmocka_unit_test(extremes_keep_symbols),
      cmocka_unit_test(a_value_is_inferred_at_a_point),
      cmocka_unit_test(a_variable_is_bound_within_its_range),
      cmocka_unit_test(ranges_end_at_their_reduce),
      cmocka_unit_test(the_type_spec_names_the_first_bad_node),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
