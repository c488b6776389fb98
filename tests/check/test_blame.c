/* Blame, with rule sets in which the guilty rule is known because it was planted. */
#include "common.h"

#include "oracle/findings.h"

static const or_finding *the_finding(rig *r, up_node g, or_frame f, or_kind kind, or_report *rep) {
  or_check(r->k, r->c, g, f, rep);
  const or_finding *found = find_kind(rep, kind);
  if (!found)
    fail_msg("no %s finding (%s, %s)", or_kind_name(kind), or_verdict_name(rep->verdict),
             rep->reason);
  assert_int_equal(rep->verdict, OR_DIFFERS);
  return found;
}

static void expect_rule(const char *rules, const char *graph, or_kind kind, const char *rule) {
  rig r = rig_new(rules);
  up_node g = rig_graph(&r, graph);
  or_report rep;
  const or_finding *f = the_finding(&r, g, OR_IDEAL, kind, &rep);
  assert_string_equal(rule_name(&r, f->rule), rule);
  or_report_clear(&rep);
  rig_free(&r);
}

/* ---- value ----------------------------------------------------------------------------------- */

static void test_sound_rules(void **state) {
  (void)state;
  rig r = rig_new("ruleset symbolic\nrule add_zero : x + 0 -> x\n");
  up_node g = rig_graph(&r, "%x = DEFINE_VAR int [\"x\", 0, 9]\n%0 = CONST int 0\n"
                            "%1 = ADD int %x %0\n%2 = ADD int %1 %x\n");
  or_report rep;
  or_check(r.k, r.c, g, OR_IDEAL, &rep);
  assert_int_equal(rep.nfindings, 0);
  assert_true(rep.verdict == OR_PROVED || rep.verdict == OR_EXHAUSTED);
  assert_int_equal(up_count(r.c, rep.simplified), 2);
  or_report_clear(&rep);
  rig_free(&r);
}

/* Of two steps the wrong one is named, wherever it stands. */
static void test_wrong_step(void **state) {
  (void)state;
  const char *rules = "ruleset symbolic\n"
                      "rule add_zero : x + 0 -> x\n"
                      "rule drop_five : x + 5 -> x\n";
  expect_rule(rules,
              "%x = DEFINE_VAR int [\"x\", 0, 9]\n%0 = CONST int 0\n%5 = CONST int 5\n"
              "%1 = ADD int %x %0\n%2 = ADD int %1 %5\n%3 = ADD int %2 %0\n",
              OR_VALUE, "drop_five");
}

/* A step that is wrong at other points only is not the cause of a difference. */
static void test_harmless_wrong_step(void **state) {
  (void)state;
  const char *rules = "ruleset symbolic\n"
                      "rule drop_max : max(x, 0) -> x\n"
                      "rule drop_five : x + 5 -> x\n";
  expect_rule(rules,
              "%x = DEFINE_VAR int [\"x\", 0, 9]\n%0 = CONST int 0\n%5 = CONST int 5\n"
              "%1 = MAX int %x %0\n%2 = ADD int %1 %5\n",
              OR_VALUE, "drop_five");
}

static const char *const mod_graph = "%y = DEFINE_VAR int [\"y\", -8, 8]\n%3 = CONST int 3\n"
                                     "%m = MOD int %y %3\n%0 = CONST int 0\n%r = MAX int %m %0\n";

/* The rule is right, the claim that it trusts is not: y % 3 is claimed to be in [0, 2]. */
static void test_trusted_bounds(void **state) {
  (void)state;
  rig r = rig_new("ruleset symbolic\nrule max_left : max(x, y) -> x when vmin(x) >= vmax(y)\n");
  up_node g = rig_graph(&r, mod_graph);
  or_report rep;
  const or_finding *f = the_finding(&r, g, OR_IDEAL, OR_VALUE, &rep);
  up_node mod = up_src(r.c, g, 0);
  assert_int_equal(up_op_of(r.c, mod), UP_MOD);
  assert_true(f->rule >= 0);
  assert_int_equal(f->rule, up_minmax_rule(r.c, mod));
  assert_int_equal(up_rule_at(r.profile, (uint32_t)f->rule).kind, UP_RULE_BOUND);
  assert_true(up_same(f->before, mod));
  f = find_kind(&rep, OR_BOUNDS);
  assert_non_null(f);
  assert_int_equal(f->rule, up_minmax_rule(r.c, mod));
  or_report_clear(&rep);
  rig_free(&r);
}

/* A rule that reads bounds and is wrong where every claim holds, too. */
static void test_wrong_despite_bounds(void **state) {
  (void)state;
  expect_rule("ruleset symbolic\nrule drop_two : x + 2 -> x when vmin(x) >= 0\n",
              "%y = DEFINE_VAR int [\"y\", -8, 8]\n%3 = CONST int 3\n%m = MOD int %y %3\n"
              "%2 = CONST int 2\n%r = ADD int %m %2\n",
              OR_VALUE, "drop_two");
}

/* Wrong at y = -8 .. -1 only, where the claim fails, but without a look at bounds. */
static void test_wrong_without_bounds(void **state) {
  (void)state;
  expect_rule("ruleset symbolic\nrule drop_max : max(x, 0) -> x\n", mod_graph, OR_VALUE,
              "drop_max");
}

/* The claim of the replaced node itself: y // 4 for y in [-3, -1] is claimed to be -1. */
static void test_claim_of_replaced_node(void **state) {
  (void)state;
  rig r = rig_new("ruleset symbolic\nrule single : x:ALU -> [vmin(x)] when vmin(x) == vmax(x)\n");
  up_node g = rig_graph(&r, "%y = DEFINE_VAR int [\"y\", -3, -1]\n%4 = CONST int 4\n"
                            "%d = IDIV int %y %4\n");
  or_report rep;
  const or_finding *f = the_finding(&r, g, OR_IDEAL, OR_VALUE, &rep);
  assert_int_equal(f->rule, up_minmax_rule(r.c, g));
  or_report_clear(&rep);
  rig_free(&r);
}

/* The same over a loop that runs to a node. */
static void test_claim_in_open_range(void **state) {
  (void)state;
  rig r = rig_of("v0.11.0", "ruleset symbolic\nrule max_left : MAX(x, y) -> x "
                            "when vmin(x) >= vmax(y)\n");
  up_node g = rig_graph(&r, "%a = DEFINE_VAR char [\"a\", 125, 127]\n%i = RANGE char %a 2\n"
                            "%s = ADD char %a %i\n%4 = CONST char 4\n%m = MAX char %s %4\n");
  or_report rep;
  const or_finding *f = the_finding(&r, g, OR_WRAP, OR_VALUE, &rep);
  assert_string_equal(rule_name(&r, f->rule), "bound_add");
  or_report_clear(&rep);
  rig_free(&r);
}

/* Wrong where y % 2 is negative only, which its claim denies; but the rule would have done the same
 * with a right claim, as it does to a plain variable. */
static void test_wrong_without_trust(void **state) {
  (void)state;
  const char *graph = "%y = DEFINE_VAR int [\"y\", -1, -1]\n%2 = CONST int 2\n%m = MOD int %y %2\n"
                      "%d = MUL int %m %2\n%1 = CONST int 1\n%s = ADD int %d %1\n"
                      "%r = IDIV int %s %2\n";
  rig r = rig_new(NULL);
  up_node g = rig_graph(&r, graph);
  or_report rep;
  const or_finding *f = the_finding(&r, g, OR_IDEAL, OR_VALUE, &rep);
  assert_string_equal(rule_name(&r, f->rule), "div_folding");
  f = find_kind(&rep, OR_BOUNDS);
  assert_non_null(f);
  assert_string_equal(rule_name(&r, f->rule), "bound_mod_pos");
  or_report_clear(&rep);
  rig_free(&r);
}

static void blamed(const char *profile, const char *rules, const char *graph, or_frame frame,
                   or_kind kind, const char *rule) {
  rig r = rig_of(profile, rules);
  or_report rep;
  const or_finding *f = the_finding(&r, rig_graph(&r, graph), frame, kind, &rep);
  assert_string_equal(rule_name(&r, f->rule), rule);
  or_report_clear(&rep);
  rig_free(&r);
}

/* The product wraps, which its claim denies, but the rule looks at factors and not at the claim. */
static void test_wrong_whatever_the_claim(void **state) {
  (void)state;
  blamed("v0.11.0", NULL,
         "%x = DEFINE_VAR int [\"x\", 536870912, 536870917]\n%4 = CONST int 4\n"
         "%m = MUL int %x %4\n%r = IDIV int %m %4\n",
         OR_WRAP, OR_VALUE, "fold_divmod_congruence");
}

/* x + y where x is 128 as char, claimed to be in [100, 127]. Both of two claims fail, and the rule
 * trusts that of the sum: which is right, given that of its source. */
static void test_claim_from_claim(void **state) {
  (void)state;
  blamed("v0.11.0", "ruleset symbolic\nrule max_left : max(x, y) -> x when vmin(x) >= vmax(y)\n",
         "%x = DEFINE_VAR int [\"x\", 100, 200]\n%c = CAST char %x\n%1 = CONST char 1\n"
         "%s = ADD char %c %1\n%0 = CONST char 0\n%r = MAX char %s %0\n",
         OR_IDEAL, OR_VALUE, "bound_cast");
}

/* A dtype bounds nothing in `ideal`: taking its range for the node's is a claim that can fail, and the
 * cause of what follows from it. */
static void test_bounds_from_dtype(void **state) {
  (void)state;
  rig r = rig_of("v0.11.0", NULL);
  const char *lines = "%x = DEFINE_VAR char [\"x\", 5, 6]\n%22 = CONST char 22\n"
                      "%m = MUL char %x %22\n%a = XOR char %m %m\n%o = OR char %m %a\n"
                      "%r = IDIV char %o %22\n";
  up_node g = rig_graph(&r, lines);
  or_report rep;
  const or_finding *f = the_finding(&r, g, OR_IDEAL, OR_BOUNDS, &rep);
  assert_string_equal(rule_name(&r, f->rule), "bound_dtype_range");
  assert_true(up_same(f->before, up_src(r.c, g, 0)));
  or_report_clear(&rep);
  f = the_finding(&r, up_src(r.c, g, 0), OR_IDEAL, OR_BOUNDS, &rep);
  assert_string_equal(rule_name(&r, f->rule), "bound_dtype_range");
  or_report_clear(&rep);
  rig_free(&r);
}

/* One value is claimed of a product that wraps; the constant does not fit, and a later step fails.
 */
static void test_claim_behind_constant(void **state) {
  (void)state;
  blamed("v0.11.0", NULL,
         "%a = DEFINE_VAR int [\"a\", -384, -128]\n%c = CAST char %a\n%m = MUL char %c %c\n"
         "%3 = CONST char 3\n%r = IDIV char %m %3\n",
         OR_WRAP, OR_VALUE, "bound_mul");
}

/* mask_if makes one number of two lanes; what comes after can't be held to a value. */
static void test_lanes_lost(void **state) {
  (void)state;
  blamed("v0.11.0", NULL,
         "%t = CONST bool true\n%p = VECTORIZE bool.vec2 %t %t\n%x = CONST ulong.vec2 4294967295\n"
         "%0 = CONST ulong.vec2 0\n%w = WHERE ulong.vec2 %p %x %0\n%m = CONST ulong.vec2 -1\n"
         "%a = AND ulong.vec2 %w %m\n%c = CAST uint.vec2 %a\n%z = CONST uint.vec2 0\n"
         "%r = MAX uint.vec2 %c %z\n",
         OR_IDEAL, OR_VALUE, "mask_if");
}

/* A constant that does not fit is right where it is made; the step that reads it errs. */
static void test_maker_of_constant(void **state) {
  (void)state;
  blamed("v0.11.0", NULL,
         "%a = DEFINE_VAR int [\"a\", -2, -1]\n%9 = CONST int 9\n%1 = MUL int %a %9\n"
         "%2 = MUL int %1 %9\n%k = CONST int 26512144\n%m = MUL int %2 %k\n"
         "%r = CMPLT bool %m %9\n",
         OR_WRAP, OR_VALUE, "fold_binary");
}

/* The claim that fails is that of a constant in the result, and a step made it. */
static void test_constant_of_result(void **state) {
  (void)state;
  blamed("v0.11.0", NULL, "%k = CONST int -1\n%r = CAST uint %k\n", OR_WRAP, OR_BOUNDS,
         "cast_const");
}

/* In `wrap` 0 % 0 is 0: the raise is wrong, whatever else is wrong below. */
static void test_raise_in_wrap(void **state) {
  (void)state;
  blamed("v0.11.0", NULL,
         "%0 = CONST int 0\n%d = IDIV int %0 %0\n%x = DEFINE_VAR int [\"x\", 0, 3]\n"
         "%s = ADD int %d %x\n%r = MOD int %s %0\n",
         OR_WRAP, OR_CRASH, "cancel_divmod");
}

/* The divisor is 1 at a = -2, and becomes 0 because of a wrong claim about a // 3. */
static void test_raise_after_wrong_step(void **state) {
  (void)state;
  const char *graph = "%a = DEFINE_VAR int [\"a\", -2, -1]\n%3 = CONST int 3\n"
                      "%d = IDIV int %a %3\n%s = ADD int %d %3\n%1 = CONST int 1\n"
                      "%m = AND int %s %1\n%r = MOD int %3 %m\n";
  blamed("v0.10.0", NULL, graph, OR_IDEAL, OR_CRASH, "bound_div_const_pos");
  blamed("v0.10.0",
         "ruleset symbolic\nrule drop : x + 3 -> x + 2\n"
         "rule fold_constants : a:ALU({VCONST, CONST}...) -> native fold_constants(a)\n"
         "rule one : x // 3 -> 0\n",
         graph, OR_IDEAL, OR_CRASH, "drop");
}

/* An earlier step is wrong at the point, too: a & 7 for a % 8 of a negative number. But the division
 * by -2 has a value whatever comes in, and so its raise is wrong by itself. */
static void test_raise_after_unrelated_step(void **state) {
  (void)state;
  blamed("v0.11.0:decompositions", NULL,
         "%a = DEFINE_VAR int [\"a\", -8, -8]\n%4 = CONST int 4\n%d = IDIV int %a %4\n"
         "%8 = CONST int 8\n%m = MOD int %d %8\n%2 = CONST int -2\n%r = IDIV int %m %2\n",
         OR_IDEAL, OR_CRASH, "div_to_mul");
}

/* ---- other kinds ----------------------------------------------------------------------------- */

/* The same rule is named wherever the turn is entered. */
static void test_loop(void **state) {
  (void)state;
  const char *rules = "ruleset symbolic\n"
                      "rule double : x * 2 -> x + x\n"
                      "rule undouble : x + x -> x * 2\n";
  const char *x = "%x = DEFINE_VAR int [\"x\", 0, 9]\n%2 = CONST int 2\n";
  char text[256];
  snprintf(text, sizeof text, "%s%%r = MUL int %%x %%2\n", x);
  expect_rule(rules, text, OR_NONTERMINATION, "undouble");
  snprintf(text, sizeof text, "%s%%r = ADD int %%x %%x\n", x);
  expect_rule(rules, text, OR_NONTERMINATION, "undouble");
}

static void test_dtype(void **state) {
  (void)state;
  expect_rule("ruleset symbolic\nrule to_bool : max(x, 5) -> x < 5\n",
              "%x = DEFINE_VAR int [\"x\", 0, 9]\n%5 = CONST int 5\n%r = MAX int %x %5\n", OR_DTYPE,
              "to_bool");
  /* the dtype stays, but a condition must be a bool */
  expect_rule("ruleset symbolic\nrule ill : max(x, 5) -> where(x, x, 5)\n",
              "%x = DEFINE_VAR int [\"x\", 0, 9]\n%5 = CONST int 5\n%r = MAX int %x %5\n", OR_SPEC,
              "ill");
}

/* Sound is asked for it and holds it; who would not is blamed by the first step of another rewrite. */
static void test_idempotence(void **state) {
  (void)state;
  rig r = rig_new("ruleset symbolic\nrule add_zero : x + 0 -> x\n");
  up_node g = rig_graph(&r, "%x = DEFINE_VAR int [\"x\", 0, 9]\n%0 = CONST int 0\n"
                            "%r = ADD int %x %0\n");
  up_trace t = {0};
  up_result res = up_simplify(r.c, g, &t);
  or_blame b = or_blame_again(&t, &res);
  assert_string_equal(up_rule_at(r.profile, (uint32_t)b.rule).name, "add_zero");
  assert_true(up_same(b.before, g) && up_same(b.after, up_src(r.c, g, 0)));
  up_trace_free(&t);
  rig_free(&r);
}

/* A raise counts where the graph has a value, and only there. */
static void test_crash(void **state) {
  (void)state;
  rig r = rig_new(NULL);
  const char *dead = "%x = DEFINE_VAR int [\"x\", 0, 3]\n%7 = CONST int 7\n%0 = CONST int 0\n"
                     "%c = CMPNE bool %x %7\n%d = IDIV int %7 %0\n%r = WHERE int %c %x %d\n";
  up_node g = rig_graph(&r, dead);
  or_report rep;
  const or_finding *f = the_finding(&r, g, OR_IDEAL, OR_CRASH, &rep);
  assert_string_equal(f->actual, "OverflowError");
  assert_int_equal(f->witness.n, 1);
  assert_true(f->rule >= 0);
  or_report_clear(&rep);

  or_check(r.k, r.c, up_src(r.c, g, 2), OR_IDEAL, &rep); /* 7 // 0 alone */
  assert_int_equal(rep.nfindings, 0);
  assert_true(rep.verdict != OR_DIFFERS && rep.verdict != OR_ERROR);
  or_report_clear(&rep);

  or_check(r.k, r.c, up_src(r.c, g, 2), OR_WRAP, &rep); /* is 0 in wrap */
  f = find_kind(&rep, OR_CRASH);
  assert_non_null(f);
  assert_string_equal(f->expected, "0");
  or_report_clear(&rep);
  rig_free(&r);
}

/* Running into a limit is no finding and no verdict. */
static void test_limit(void **state) {
  (void)state;
  rig r = rig_new("ruleset symbolic\nrule grow : x + k -> (x + [k + 1]) + 1\n");
  up_node g = rig_graph(&r, "%x = DEFINE_VAR int [\"x\", 0, 3]\n%7 = CONST int 7\n"
                            "%r = ADD int %x %7\n");
  up_ctx_set_node_limit(r.c, 100000);
  or_report rep;
  or_check(r.k, r.c, g, OR_IDEAL, &rep);
  assert_int_equal(rep.verdict, OR_UNDECIDED);
  assert_int_equal(rep.nfindings, 0);
  assert_non_null(strstr(rep.reason, "node"));
  or_report_clear(&rep);
  rig_free(&r);
}

/* The verdict of each comparison is kept, when another one failed too. */
static void test_verdicts_apart(void **state) {
  (void)state;
  rig r = rig_new("ruleset symbolic\nrule add_zero : x + 0 -> x\n");
  up_node g = rig_graph(&r, "%y = DEFINE_VAR int [\"y\", -8, 8]\n%3 = CONST int 3\n"
                            "%m = MOD int %y %3\n%0 = CONST int 0\n%r = ADD int %m %0\n");
  or_report rep;
  or_check(r.k, r.c, g, OR_IDEAL, &rep);
  assert_int_equal(rep.verdict, OR_DIFFERS);
  assert_int_equal(rep.bounds, OR_DIFFERS);
  assert_true(rep.value == OR_PROVED || rep.value == OR_EXHAUSTED);
  assert_int_equal(rep.nfindings, 1);
  or_report_clear(&rep);

  or_check(r.k, r.c, up_src(r.c, up_src(r.c, g, 0), 0), OR_IDEAL, &rep); /* y alone */
  assert_int_equal(rep.value, OR_PROVED);
  assert_true(rep.bounds == OR_PROVED || rep.bounds == OR_EXHAUSTED);
  or_report_clear(&rep);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sound_rules),
                                     cmocka_unit_test(test_wrong_step),
                                     cmocka_unit_test(test_harmless_wrong_step),
                                     cmocka_unit_test(test_trusted_bounds),
                                     cmocka_unit_test(test_wrong_despite_bounds),
                                     cmocka_unit_test(test_wrong_without_bounds),
                                     cmocka_unit_test(test_wrong_without_trust),
                                     cmocka_unit_test(test_claim_of_replaced_node),
                                     cmocka_unit_test(test_claim_in_open_range),
                                     cmocka_unit_test(test_wrong_whatever_the_claim),
                                     cmocka_unit_test(test_claim_from_claim),
                                     cmocka_unit_test(test_bounds_from_dtype),
                                     cmocka_unit_test(test_claim_behind_constant),
                                     cmocka_unit_test(test_lanes_lost),
                                     cmocka_unit_test(test_maker_of_constant),
                                     cmocka_unit_test(test_constant_of_result),
                                     cmocka_unit_test(test_raise_in_wrap),
                                     cmocka_unit_test(test_raise_after_wrong_step),
                                     cmocka_unit_test(test_raise_after_unrelated_step),
                                     cmocka_unit_test(test_loop),
                                     cmocka_unit_test(test_dtype),
                                     cmocka_unit_test(test_idempotence),
                                     cmocka_unit_test(test_crash),
                                     cmocka_unit_test(test_limit),
                                     cmocka_unit_test(test_verdicts_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
