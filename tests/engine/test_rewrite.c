/* The rewrite driver: fixed points, loops, limits, both matchers, maps; simplification under a
 * valid. */
#include "engine/uop.h"
#include "tests/support/cm.h"
#include <string.h>

typedef struct fixture {
  up_profile *p;
  up_ctx *c;
} fixture;

static fixture with_rules(const char *text) {
  up_error e = {0};
  fixture f = {up_profile_parse("v0.11.0", text, strlen(text), &e), NULL};
  if (!f.p) fail_msg("%u:%u: %s", e.line, e.col, e.msg);
  f.c = up_ctx_new(f.p);
  return f;
}

static fixture with_profile(const char *name) {
  fixture f = {up_profile_load(name, NULL), NULL};
  assert_non_null(f.p);
  f.c = up_ctx_new(f.p);
  return f;
}

static void done(fixture *f) {
  up_ctx_free(f->c);
  up_profile_free(f->p);
}

static up_node parse(up_ctx *c, const char *text) {
  up_node n;
  up_error e = {0};
  if (!up_parse_infix(c, text, strlen(text), &n, &e)) fail_msg("%u:%u: %s", e.line, e.col, e.msg);
  return n;
}

static void assert_renders(up_ctx *c, up_node n, const char *want) {
  up_buf b = {0};
  assert_true(up_render(c, n, &b));
  assert_string_equal(b.p, want);
  up_buf_free(&b);
}

static const up_ruleset *symbolic(const fixture *f) { return up_profile_ruleset(f->p, "symbolic"); }

static void rewriting_goes_on_to_a_fixed_point(void **state) {
  (void)state;
  fixture f = with_rules("rule down : x * 4 -> x * 2\nrule off : x * 2 -> x\n");
  up_result r = up_simplify(f.c, parse(f.c, "x in [0,9]\n(x*4)*4 + x"), NULL);
  assert_int_equal(r.status, UP_OK);
  assert_int_equal(r.steps, 2); /* x*4 comes again when the inner one is gone: it is known then */
  assert_renders(f.c, r.node, "(x+x)");
  done(&f);
}

static void a_loop_names_its_rules(void **state) {
  (void)state;
  fixture f = with_rules("rule one : x * 4 -> x * 2\nrule up : x + 1 -> x + 2\n"
                         "rule back : x + 2 -> x + 1\n");
  up_trace t = {0};
  uint32_t from = 99;
  up_node n = parse(f.c, "x in [0,9]\nx*4 + 1");
  up_result r = up_rewrite(f.c, n, symbolic(&f), 0, &t, &from);
  assert_int_equal(r.status, UP_LOOP);
  assert_true(up_is_none(r.node));
  assert_int_equal(t.n, 3);
  assert_int_equal(from, 1); /* the step on x*4 is not part of the turn */
  assert_string_equal(up_rule_at(f.p, (uint32_t)t.step[1].rule).name, "up");
  assert_string_equal(up_rule_at(f.p, (uint32_t)t.step[2].rule).name, "back");
  assert_int_equal(up_ctx_status(f.c), UP_OK); /* the context can be used again */
  up_trace_free(&t);
  done(&f);
}

static void growth_without_end_uses_up_the_step_budget(void **state) {
  (void)state;
  fixture f = with_rules("rule grow : k + x -> x + [k + 1]\n");
  up_node n = parse(f.c, "x in [0,9]\n1 + x");
  up_result r = up_rewrite(f.c, n, symbolic(&f), 50, NULL, NULL);
  assert_int_equal(r.status, UP_LIMIT_STEPS);
  assert_int_equal(r.steps, 51);
  done(&f);
}

static void the_default_step_budget_goes_by_the_graph_not_by_its_context(void **state) {
  (void)state;
  fixture f = with_rules("rule grow : k + x -> x + [k + 1]\n");
  for (int i = 0; i < 5000; i++) up_const_like(f.c, parse(f.c, "1"), up_int_of(100 + i));
  up_node n = parse(f.c, "x in [0,9]\n1 + x");
  up_result r = up_rewrite(f.c, n, symbolic(&f), 0, NULL, NULL);
  assert_int_equal(r.status, UP_LIMIT_STEPS);
  assert_int_equal(r.steps, 1000000 + 64 * 3 + 1);
  done(&f);
}

/* Its bounds are [0, -2], as the release has them, those of 1*ridx1 [-2, 0]: simplify_remainder sees a
 * numerator that may be negative, and declines. The result is that of the release. */
static void a_folder_sees_the_bounds_of_an_empty_range_as_the_release_does(void **state) {
  (void)state;
  fixture f = with_profile("v0.11.0");
  up_node n = parse(f.c, "a in [10,70]\nrange ridx1 < a//8*-1\n(ridx1 + 64)//8");
  up_result r = up_simplify(f.c, n, NULL);
  assert_int_equal(r.status, UP_OK);
  assert_renders(f.c, r.node, "(((((ridx1*-1)+7)//8)*-1)+8)");
  done(&f);
}

static void a_raise_names_the_rule(void **state) {
  (void)state;
  fixture f = with_rules("rule bad : x * k -> [1 // k]\n");
  up_node n = parse(f.c, "x in [0,9]\nx*0 + x");
  up_result r = up_simplify(f.c, n, NULL);
  assert_int_equal(r.status, UP_RAISE_ZERO_DIVISION);
  assert_true(up_same(r.at, up_src(f.c, n, 0)));
  assert_string_equal(up_rule_at(f.p, (uint32_t)r.rule).name, "bad");
  done(&f);
}

static void the_same_node_again_is_a_loop_in_0_10_and_no_match_in_0_11(void **state) {
  (void)state;
  const char *text = "rule same : x + y -> x + y\n";
  fixture new = with_rules(text);
  assert_int_equal(up_simplify(new.c, parse(new.c, "x in [0,9]\nx + 1"), NULL).status, UP_OK);
  done(&new);
  up_profile *p = up_profile_parse("v0.10.0", text, strlen(text), NULL);
  up_ctx *c = up_ctx_new(p);
  assert_int_equal(up_simplify(c, parse(c, "x in [0,9]\nx + 1"), NULL).status, UP_LOOP);
  up_ctx_free(c);
  up_profile_free(p);
}

/* x*2 -> x below; a sum is replaced before its sources are looked at. */
static void bottom_up_rewrites_a_node_before_its_sources(void **state) {
  (void)state;
  fixture f = with_rules("ruleset symbolic\nrule off : x * 2 -> x\n"
                         "ruleset early\nrule drop : (x * 2) + y -> y * 3\n");
  const up_ruleset *early = up_profile_ruleset(f.p, "early");
  up_node n = parse(f.c, "x in [0,9], y in [0,9]\nx*2 + y");
  up_result both = up_rewrite_both(f.c, n, symbolic(&f), early, 0, NULL, NULL);
  assert_renders(f.c, both.node, "(y*3)");
  up_result down = up_rewrite(f.c, n, symbolic(&f), 0, NULL, NULL);
  assert_renders(f.c, down.node, "(x+y)");
  done(&f);
}

static void a_map_has_the_image_of_every_node(void **state) {
  (void)state;
  fixture f = with_profile("v0.11.0");
  up_node n = parse(f.c, "x in [0,9]\n(x + 0) * 1 + (x + 0)");
  up_list from = {0}, image = {0};
  up_result r = up_rewrite_map(f.c, n, symbolic(&f), NULL, &from, &image);
  assert_int_equal(r.status, UP_OK);
  assert_renders(f.c, r.node, "(x*2)");
  for (uint32_t i = 0; i < from.n; i++) {
    up_result one = up_simplify(f.c, from.p[i], NULL);
    assert_true(up_same(one.node, image.p[i]));
  }
  up_list_free(&from);
  up_list_free(&image);
  done(&f);
}

static void a_chain_of_a_million_is_rewritten(void **state) {
  (void)state;
  fixture f = with_profile("v0.11.0");
  up_node n = up_var(f.c, "x", up_int_of(0), up_int_of(9), up_dt(UP_INT));
  up_node one = up_const_int(f.c, up_dt(UP_INT), 1);
  for (int i = 0; i < 1000000; i++) n = up_binary(f.c, UP_ADD, n, one);
  up_result r = up_simplify(f.c, n, NULL);
  assert_int_equal(r.status, UP_OK);
  assert_renders(f.c, r.node, "(x+1000000)");
  done(&f);
}

static void rules_are_counted(void **state) {
  (void)state;
  fixture f = with_rules("rule off : x * 2 -> x\nrule never : x // 7 -> x\n");
  up_rule_stat *s = test_calloc(up_rule_count(f.p), sizeof *s);
  up_ctx_stats(f.c, s);
  up_simplify(f.c, parse(f.c, "x in [0,9], y in [0,9]\nx*2 + y*2 + x*3"), NULL);
  assert_int_equal(s[up_rule_find(f.p, "off")].matched, 2);
  assert_int_equal(s[up_rule_find(f.p, "off")].tried, 3);
  assert_int_equal(s[up_rule_find(f.p, "never")].tried, 0);
  test_free(s);
  done(&f);
}

/* ---- under a valid --------------------------------------------------------------------------- */

static void a_valid_narrows_what_it_says(void **state) {
  (void)state;
  fixture f = with_profile("v0.11.0");
  up_node valid = parse(f.c, "x in [0,100]\n(x < 8)"), n = parse(f.c, "x in [0,100]\nx//8 + x%8");
  up_node out;
  assert_true(up_given_valid(f.c, valid, n, &out));
  assert_renders(f.c, out, "x");
  /* nothing can be read out of this one */
  assert_true(up_given_valid(f.c, parse(f.c, "x in [0,100]\n(x != 8)"), n, &out));
  assert_true(up_same(out, n));
  done(&f);
}

static void an_impossible_valid_is_said_so(void **state) {
  (void)state;
  fixture f = with_profile("v0.11.0");
  up_node x = parse(f.c, "x in [0,100]\nx"), out;
  assert_false(
      up_given_valid(f.c, parse(f.c, "x in [0,100]\n(x < 3) & ((x < 7) != True)"), x, &out));
  done(&f);
}

static void conjuncts_simplify_each_other(void **state) {
  (void)state;
  fixture f = with_profile("v0.11.0");
  up_node v = parse(f.c, "x in [0,100]\n(x < 8) & ((x%8 < 4))");
  up_node s = up_simplify_valid(f.c, v);
  assert_renders(f.c, s, "((x<8)&(x<4))");
  assert_true(up_is_none(up_simplify_valid(f.c, s)));
  done(&f);
}

/* The part of the name behind the slash; up_simplify stays with `symbolic`. */
static void a_profile_is_judged_by_the_set_of_its_name(void **state) {
  (void)state;
  fixture f = with_profile("v0.11.0/symbolic_flat");
  assert_string_equal(up_profile_name(f.p), "v0.11.0/symbolic_flat");
  assert_string_equal(up_profile_base(f.p), "v0.11.0");
  assert_string_equal(up_ruleset_name(up_profile_chosen(f.p)), "symbolic_flat");
  up_node n = parse(f.c, "x in [0,9]\ny in [0,9]\n(x + y)*3");
  up_result flat = up_rewrite(f.c, n, up_profile_chosen(f.p), 0, NULL, NULL);
  assert_renders(f.c, flat.node, "((x*3)+(y*3))");
  assert_renders(f.c, up_simplify(f.c, n, NULL).node, "((x+y)*3)");
  uint32_t flattens = (uint32_t)up_rule_find(f.p, "mul_add");
  assert_string_equal(up_ruleset_name(up_profile_set_of(f.p, flattens)), "symbolic_flat");
  uint32_t adds = (uint32_t)up_rule_find(f.p, "add_zero");
  assert_string_equal(up_ruleset_name(up_profile_set_of(f.p, adds)), "symbolic");
  assert_null(up_profile_set_of(f.p, (uint32_t)up_rule_find(f.p, "bound_lt")));
  done(&f);
  f = with_profile("v0.11.0");
  assert_string_equal(up_ruleset_name(up_profile_chosen(f.p)), "symbolic");
  done(&f);
  up_error e = {0};
  assert_null(up_profile_load("v0.11.0/flat", &e));
  assert_string_equal(e.msg, "profile v0.11.0 has no rule set 'flat'");
  assert_null(up_profile_load("v0.11/symbolic", &e));
}

static void rules_of_a_name_are_at_work_alone(void **state) {
  (void)state;
  fixture f = with_profile("v0.11.0/=mul_one,add_zero");
  assert_string_equal(up_profile_base(f.p), "v0.11.0");
  up_node n = parse(f.c, "x in [0,9]\n((x + 0)*1)//1 + 0*x");
  assert_renders(f.c, up_rewrite(f.c, n, up_ctx_rules(f.c), 0, NULL, NULL).node, "((x//1)+(0*x))");
  assert_renders(f.c, up_simplify(f.c, n, NULL).node, "x");
  assert_false(up_ctx_has_own_rules(f.c));
  done(&f);
  up_error e = {0};
  assert_null(up_profile_load("v0.11.0/=mul_one,none", &e));
  assert_string_equal(e.msg, "the profile has no rule 'none'");
  assert_null(up_profile_load("v0.11.0/=", &e));
  assert_null(up_profile_load("v0.11.0/=bound_lt", &e));
  assert_string_equal(e.msg, "'bound_lt' is a rule of bounds, which every rule set has");
}

static void a_context_keeps_the_rules_that_it_was_given(void **state) {
  (void)state;
  fixture f = with_profile("v0.11.0");
  up_ruleset *one = up_ruleset_alone(f.p, (uint32_t)up_rule_find(f.p, "add_zero"));
  assert_non_null(one);
  assert_string_equal(up_ruleset_name(one), "=add_zero");
  assert_ptr_equal(up_ctx_rules(f.c), up_profile_chosen(f.p));
  up_ctx_choose(f.c, one);
  up_ctx_reset(f.c);
  up_ctx *like = up_ctx_like(f.c);
  assert_ptr_equal(up_ctx_rules(like), one);
  assert_true(up_ctx_has_own_rules(like));
  up_ctx_free(like);
  up_node n = parse(f.c, "x in [0,9]\n(x + 0)*1");
  assert_renders(f.c, up_rewrite(f.c, n, up_ctx_rules(f.c), 0, NULL, NULL).node, "(x*1)");
  up_ctx_choose(f.c, NULL);
  assert_renders(f.c, up_rewrite(f.c, n, up_ctx_rules(f.c), 0, NULL, NULL).node, "x");
  up_ruleset_free(one);
  up_ruleset_free(NULL);
  done(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rewriting_goes_on_to_a_fixed_point),
      cmocka_unit_test(a_loop_names_its_rules),
      cmocka_unit_test(growth_without_end_uses_up_the_step_budget),
      cmocka_unit_test(the_default_step_budget_goes_by_the_graph_not_by_its_context),
      cmocka_unit_test(a_folder_sees_the_bounds_of_an_empty_range_as_the_release_does),
      cmocka_unit_test(a_raise_names_the_rule),
      cmocka_unit_test(the_same_node_again_is_a_loop_in_0_10_and_no_match_in_0_11),
      cmocka_unit_test(bottom_up_rewrites_a_node_before_its_sources),
      cmocka_unit_test(a_map_has_the_image_of_every_node),
      cmocka_unit_test(a_chain_of_a_million_is_rewritten),
      cmocka_unit_test(rules_are_counted),
      cmocka_unit_test(a_valid_narrows_what_it_says),
      cmocka_unit_test(an_impossible_valid_is_said_so),
      cmocka_unit_test(conjuncts_simplify_each_other),
      cmocka_unit_test(a_profile_is_judged_by_the_set_of_its_name),
      cmocka_unit_test(rules_of_a_name_are_at_work_alone),
      cmocka_unit_test(a_context_keeps_the_rules_that_it_was_given),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
