/* Each rewrite rule of the shipped profiles: a graph on which it is the rule that applies, with
 * what it makes, and a near miss that it leaves alone. A rule without a row fails the test. */
#include "common.h"

typedef struct row {
  const char *set, *rule;
  const char *input, *want; /* the rule is the first of its set to apply here, and makes this */
  const char *miss;         /* here it does not apply, were it the only rule */
} row;

#define S0 "symbolic_simple"
#define S1 "symbolic"
#define S2 "symbolic_flat"

static const row v0_10_0[] = {
    {S0, "add_zero", "0 + x", "x", "x + 1"},
    {S0, "mul_one", "x * 1", "x", "x * -1"},
    {S0, "div_self", "x // x", "1", "x // y"},
    {S0, "div_one", "x // 1", "x", "x // 2"},
    {S0, "div_minus_one", "x // -1", "x * -1", "x // 1"},
    {S0, "fdiv_self", "f * RECIP:float(f)", "1.0:float", "f * RECIP:float(g)"},
    {S0, "fdiv_cancel", "(f * g) * RECIP:float(g)", "f", "(f * g) * RECIP:float(h)"},
    {S0, "mod_mod", "(x % y) % y", "x % y", "(x % y) % z"},
    {S0, "mod_plus_div", "(x // 3) * 3 + x % 3", "x", "(x // 3) * 4 + x % 3"},
    {S0, "and_true", "p & True", "p", "p & False"},
    {S0, "and_false", "False & p", "False", "p & True"},
    {S0, "or_true", "p | True", "True", "p | False"},
    {S0, "or_false", "p | False", "p", "p | True"},
    {S0, "max_self", "max(x, x)", "x", "max(x, y)"},
    {S0, "and_self", "x & x", "x", "x & y"},
    {S0, "or_self", "x | x", "x", "x | y"},
    {S0, "not_not", "(p != True) != True", "p", "(p != True) != False"},
    {S0, "where_true_false", "where(p, True, False)", "p", "where(p, False, True)"},
    {S0, "lt_self", "x < x", "False", "x < y"},
    {S0, "ne_self", "x != x", "False", "f != f"},
    {S0, "mul_zero_nan", "inf * 0.0", "nan", "0.5 * 0.0"},
    {S0, "mul_zero", "0 * x", "0", "x * 1"},
    {S0, "fold_constants", "-7 // 2", "-3", "x // 2"},
    {S0, "bool_mul", "p * q", "p & q", "x * y"},
    {S0, "bool_add", "p + q", "p | q", "x + y"},
    {S0, "bool_max", "max(p, q)", "p | q", "max(x, y)"},
    {S0, "cast_const", "cast(3, long)", "3:long", "cast(x, long)"},
    {S0, "cast_noop", "cast(x, int)", "x", "cast(x, long)"},
    {S1, "commute", "y + x", "x + y", "x + y"},
    {S1, "group_like", "(x + y) + x * 2", "(x + x * 2) + y", "(x + y) + z * 2"},
    {S1, "or_absorb", "x | (x & y)", "x", "x | (y & z)"},
    {S1, "add_mul_mul", "x * 2 + x * 3", "x * (2 + 3)", "x * 2 + y * 3"},
    {S1, "add_self_mul", "x + x * 2", "x * (2 + 1)", "x + y * 2"},
    {S1, "add_self", "x + x", "x * 2", "x + y"},
    {S1, "fdiv_fdiv", "RECIP:float(h) * (f * RECIP:float(g))", "f * RECIP:float(g * h)",
     "(f * g) * RECIP:float(h)"},
    {S1, "neg_add_const", "(x + 3) * -1", "x * -1 + 3 * -1", "(x + y) * -1"},
    {S1, "where_same", "where(p, x, x)", "x", "where(p, x, y)"},
    {S1, "where_const_true", "where(True, x, y)", "x", "where(False, x, y)"},
    {S1, "where_const_false", "where(False, x, y)", "y", "where(True, x, y)"},
    {S1, "alu_is_const", "x < n", "False", "x < y"},
    {S1, "max_left", "max(x, n * 2)", "x", "max(n, x)"},
    {S1, "max_right", "max(n, x)", "x", "max(x, n)"},
    {S1, "max_mul_nonneg", "max(x * 2, x * 3)", "x * 3", "max(z * 2, z * 3)"},
    {S1, "max_mul_nonpos", "max(n * 2, n * 3)", "n * 2", "max(z * 2, z * 3)"},
    {S1, "add_add", "x + 2 + 3", "x + (2 + 3)", "x + 2 + y"},
    {S1, "mul_mul", "x * 2 * 3", "x * (2 * 3)", "x * 2 * y"},
    {S1, "and_and", "(x & 2) & 3", "x & (2 & 3)", "(x & 2) & y"},
    {S1, "or_or", "(x | 2) | 3", "x | (2 | 3)", "(x | 2) | y"},
    {S1, "add_lt", "x + 2 < 5", "x < 5 + 2 * -1", "x + y < 5"},
    {S1, "div_div", "(x // 2) // 3", "x // (2 * 3)", "(x // 2) // y"},
    {S1, "mul_pos_lt", "x * 3 < 7", "x < 3", "x * 3 < -7"},
    {S1, "mul_neg_lt", "z * -3 < -7", "z * -1 < -2", "z * -1 < -7"},
    {S1, "div_lt", "z // 3 < 1", "z < 3", "z // -3 < 1"},
    {S1, "mul_add_lt", "z * 16 + x < 32", "z < 32 // 16", "z * 9 + x < 27"},
    {S1, "add_const_out", "y + (x + 2)", "(x + y) + 2", "(2 + x) + y"},
    {S1, "mul_const_out", "y * (x * 2)", "(x * y) * 2", "(2 * x) * y"},
    {S1, "fold_unrolled_divs", "x // 2 + (x + 1) // 2", "x", "(x + 2) // 2 + x // 2"},
    {S1, "lt_folding", "z * 4 + y * 8 + x % 4 < 8", "z * 1 + y * 2 < 2", "z * 4 + x < 8"},
    {S1, "canonicalize_simplex", "(x * 2 + y < 1) != True", "(x + y < 1) != True",
     "(x + y < 1) != True"},
    {S1, "div_folding", "(x * 6 + y) // 3", "y // 3 + x * 2", "(x * 6 + y) // -3"},
    {S1, "mod_folding", "(x * 6 + y) % 4", "(x * 1 * 2 + y) % 4", "(x * 2 + y) % 4"},
    {S2, "neg_add", "(x + y) * -1", "x * -1 + y * -1", "(x + y) * 2"},
    {S2, "mul_add", "(x + y) * 2", "x * 2 + y * 2", "(f + g) * 2.0"},
};

/* A rule set of this one rule. */
static rig rig_only(rig *r, const char *name) {
  up_buf b = {0};
  int number = up_rule_find(r->p, name);
  if (number < 0) fail_msg("no rule %s", name);
  up_buf_printf(&b, "%s\n", up_rule_at(r->p, (uint32_t)number).text);
  rig one = rig_rules(b.p);
  up_buf_free(&b);
  return one;
}

static void check_miss(rig *r, const row *t) {
  rig one = rig_only(r, t->rule);
  int number;
  /* the text of a rule is the whole rule: on its own it does what it does in its set */
  up_node in = graph(&one, t->input);
  up_node got = up_apply_first(one.c, set_of(&one, "symbolic"), in, &number);
  expect_node(&one, t->rule, got, graph(&one, t->want));
  got = up_apply_first(one.c, set_of(&one, "symbolic"), graph(&one, t->miss), &number);
  assert_int_equal(up_ctx_status(one.c), UP_OK);
  expect_node(&one, t->miss, got, UP_NONE);
  rig_free(&one);
}

static void check_row(rig *r, const row *t) {
  int number;
  up_node got = up_apply_first(r->c, set_of(r, t->set), graph(r, t->input), &number);
  const char *name = number < 0 ? "no rule" : up_rule_at(r->p, (uint32_t)number).name;
  if (strcmp(name, t->rule) != 0) fail_msg("%s: %s applies to %s", t->rule, name, t->input);
  if (strcmp(t->rule, "mul_zero_nan") == 0) { /* nan is not the same node twice to a reader */
    assert_true(up_is_const(r->c, got) && up_const_val(r->c, got).is_float);
    return;
  }
  expect_node(r, t->rule, got, graph(r, t->want));
  check_miss(r, t);
}

static void test_each_rule(void **state) {
  (void)state;
  rig r = rig_load("v0.10.0");
  for (size_t i = 0; i < sizeof v0_10_0 / sizeof *v0_10_0; i++) check_row(&r, &v0_10_0[i]);
  rig_free(&r);
}

static void test_no_rule_without_a_row(void **state) {
  (void)state;
  rig r = rig_load("v0.10.0");
  uint32_t rows = sizeof v0_10_0 / sizeof *v0_10_0, at = 0;
  for (uint32_t i = 0; i < up_rule_count(r.p); i++) {
    up_rule_info info = up_rule_at(r.p, i);
    if (info.kind != UP_RULE_REWRITE) continue;
    if (at == rows || strcmp(info.name, v0_10_0[at].rule) != 0)
      fail_msg("%s:%u: rule %s has no row, or not in its place", info.file, info.line, info.name);
    at++;
  }
  assert_int_equal(at, rows);
  rig_free(&r);
}

static void test_rule_table(void **state) {
  (void)state;
  rig r = rig_load("v0.10.0");
  unsigned native = 0, reads = 0, wrong = 0, bounds = 0;
  for (uint32_t i = 0; i < up_rule_count(r.p); i++) {
    up_rule_info info = up_rule_at(r.p, i);
    assert_int_equal(up_rule_find(r.p, info.name), i);
    assert_true(info.line > 0);
    assert_non_null(strstr(info.text, info.name));
    assert_null(strchr(info.text, '\n'));
    assert_null(strchr(info.text, '#'));
    native += info.native;
    reads += info.reads_bounds;
    wrong += info.known_wrong;
    bounds += info.kind == UP_RULE_BOUND;
  }
  assert_int_equal(up_rule_count(r.p) - bounds, 63);
  assert_int_equal(bounds, 19);
  assert_int_equal(native, 6);
  assert_true(reads > native && wrong > 10 && wrong < 30);
  assert_int_equal(up_rule_find(r.p, "nothing"), -1);
  up_rule_info info = up_rule_at(r.p, (uint32_t)up_rule_find(r.p, "div_lt"));
  assert_string_equal(info.file, "symbolic-v0.10.0.rules");
  assert_true(info.known_wrong && !info.native && !info.reads_bounds);
  assert_string_equal(up_profile_name(r.p), "v0.10.0");
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_rule),
      cmocka_unit_test(test_no_rule_without_a_row),
      cmocka_unit_test(test_rule_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
