/* Simplification under a valid: what is found, what is not, and who is to blame. */
#include "common.h"

static const char *const xy =
    "%x = DEFINE_VAR int [\"x\", 0, 9]\n%y = DEFINE_VAR int [\"y\", 0, 9]\n";

/* The nodes of a text: the valid, and the graph, as the two sources of its root. */
static void split(rig *r, const char *lines, up_node *valid, up_node *n) {
  char text[2048];
  snprintf(text, sizeof text, "%s%s", xy, lines);
  up_node sink = rig_graph(r, text);
  assert_int_equal(up_nsrc(r->c, sink), 2);
  *valid = up_src(r->c, sink, 0);
  *n = up_src(r->c, sink, 1);
}

static or_report given(rig *r, const char *lines, or_frame f) {
  up_node valid, n;
  or_report rep;
  split(r, lines, &valid, &n);
  or_check_valid(r->k, r->c, valid, n, OR_GIVEN_VALID, f, &rep);
  return rep;
}

/* x + y < 3 and (x + y) % 3. */
static const char *const sum_below_3 = "%s = ADD int %x %y\n%3 = CONST int 3\n"
                                       "%v = CMPLT bool %s %3\n%m = MOD int %s %3\n"
                                       "%r = SINK void %v %m\n";

static void test_sound(void **state) {
  (void)state;
  rig r = rig_of("v0.11.0", NULL);
  up_node valid, n;
  split(&r, sum_below_3, &valid, &n);
  or_report rep = given(&r, sum_below_3, OR_IDEAL);
  assert_int_equal(rep.nfindings, 0);
  assert_true(rep.verdict == OR_PROVED || rep.verdict == OR_EXHAUSTED);
  /* not for want of a change: the remainder is gone, which is wrong where the valid is false */
  assert_true(up_same(rep.simplified, up_src(r.c, n, 0)));
  or_answer a = or_equiv(r.k, r.c, n, rep.simplified, OR_IDEAL, NULL);
  assert_int_equal(a.verdict, OR_DIFFERS);
  or_answer_clear(&a);
  or_report_clear(&rep);
  rig_free(&r);
}

/* A rule that is wrong for the stand-in variable, whose range it reads. */
static void test_wrong_step(void **state) {
  (void)state;
  rig r = rig_of("v0.11.0", "ruleset symbolic\n"
                            "rule drop_mod : x % c -> x + 1 when vmin(x) >= 0 and vmax(x) < c\n");
  or_report rep = given(&r, sum_below_3, OR_WRAP);
  const or_finding *f = find_kind(&rep, OR_VALUE);
  assert_non_null(f);
  assert_string_equal(rule_name(&r, f->rule), "drop_mod");
  assert_int_equal(f->mode, OR_GIVEN_VALID);
  assert_int_equal(f->witness.n, 2);
  /* the witness is a point where the valid is true */
  or_values v;
  assert_true(or_eval(r.c, f->valid, OR_WRAP, &f->witness, &v));
  assert_int_equal(mpz_get_si(v.value[v.n - 1]), 1);
  or_values_clear(&v);
  or_report_clear(&rep);
  rig_free(&r);
}

/* Valid and graph are reduced together, and the rest of both goes. */
static void test_reduced(void **state) {
  (void)state;
  rig r = rig_of("v0.11.0", NULL);
  or_report rep = given(&r,
                        "%2 = CONST int 2\n%t = MUL int %x %2\n%k = CONST int -13\n"
                        "%s = ADD int %t %k\n%0 = CONST int 0\n%a = CMPLT bool %s %0\n"
                        "%8 = CONST int 8\n%b = CMPLT bool %y %8\n%v = AND bool %a %b\n"
                        "%13 = CONST int 13\n%m = MOD int %s %13\n%u = ADD int %m %y\n"
                        "%r = SINK void %v %u\n",
                        OR_IDEAL);
  const or_finding *f = find_kind(&rep, OR_VALUE);
  assert_non_null(f);
  assert_string_equal(rule_name(&r, f->rule), "fold_divmod_congruence");
  or_reduced m;
  assert_true(or_minimize(r.k, r.c, f, NULL, 0, &m));
  assert_int_equal(m.finding.rule, f->rule);
  assert_int_equal(m.finding.mode, OR_GIVEN_VALID);
  assert_int_equal(m.nodes_before, 14);
  assert_true(m.nodes_after <= 7);
  /* what came out fails alone */
  or_report again;
  or_check_valid(r.k, m.ctx, m.finding.valid, m.finding.graph, OR_GIVEN_VALID, OR_IDEAL, &again);
  assert_non_null(find_kind(&again, OR_VALUE));
  or_report_clear(&again);
  or_reduced_clear(&m);
  or_report_clear(&rep);
  rig_free(&r);
}

/* Wrong only where the valid is false: no finding, though a rule is wrong there. */
static void test_wrong_elsewhere(void **state) {
  (void)state;
  const char *rules = "ruleset symbolic\nrule drop_max : max(x, 2) -> 2\n";
  rig r = rig_of("v0.11.0", rules);
  or_report rep = given(&r,
                        "%3 = CONST int 3\n%v = CMPLT bool %x %3\n%2 = CONST int 2\n"
                        "%m = MAX int %x %2\n%r = SINK void %v %m\n",
                        OR_IDEAL);
  assert_int_equal(rep.nfindings, 0);
  assert_true(rep.verdict == OR_PROVED || rep.verdict == OR_EXHAUSTED);
  or_report_clear(&rep);
  rig_free(&r);
}

/* x < 0 and x >= 5: never, and it is right to say so. In `wrap` x + 1 < -5 does hold, of the
 * greatest x. */
static void test_never(void **state) {
  (void)state;
  rig r = rig_of("v0.11.0", NULL);
  or_report rep =
      given(&r, "%0 = CONST int 0\n%v = CMPLT bool %x %0\n%r = SINK void %v %y\n", OR_IDEAL);
  assert_true(up_is_none(rep.simplified));
  assert_int_equal(rep.nfindings, 0);
  assert_true(rep.verdict == OR_PROVED || rep.verdict == OR_EXHAUSTED);
  or_report_clear(&rep);

  const char *wraps = "%z = DEFINE_VAR int [\"z\", 0, 2147483647]\n%1 = CONST int 1\n"
                      "%s = ADD int %z %1\n%k = CONST int -5\n%v = CMPLT bool %s %k\n"
                      "%r = SINK void %v %y\n";
  rep = given(&r, wraps, OR_WRAP);
  assert_true(up_is_none(rep.simplified));
  const or_finding *f = find_kind(&rep, OR_VALUE);
  assert_non_null(f);
  assert_int_equal(f->rule, -1); /* no step: the call itself trusted vmin */
  assert_string_equal(f->expected, "1");
  assert_string_equal(f->actual, "0");
  or_report_clear(&rep);
  rep = given(&r, wraps, OR_IDEAL);
  assert_int_equal(rep.nfindings, 0);
  or_report_clear(&rep);
  rig_free(&r);
}

static void test_simplify_valid(void **state) {
  (void)state;
  /* x < 3 and x % 3 < 1 */
  const char *lines = "%3 = CONST int 3\n%a = CMPLT bool %x %3\n%m = MOD int %x %3\n"
                      "%1 = CONST int 1\n%b = CMPLT bool %m %1\n%v = AND bool %a %b\n"
                      "%r = SINK void %v %y\n";
  rig r = rig_of("v0.11.0", NULL);
  up_node valid, n;
  or_report rep;
  split(&r, lines, &valid, &n);
  or_check_valid(r.k, r.c, valid, UP_NONE, OR_SIMPLIFY_VALID, OR_IDEAL, &rep);
  assert_int_equal(rep.nfindings, 0);
  assert_true(rep.verdict == OR_PROVED || rep.verdict == OR_EXHAUSTED);
  assert_false(up_same(rep.simplified, valid));
  or_report_clear(&rep);
  rig_free(&r);

  r = rig_of("v0.11.0", "ruleset symbolic\nrule zero : x % c -> 0 when vmax(x) < c\n");
  split(&r, lines, &valid, &n);
  or_check_valid(r.k, r.c, valid, UP_NONE, OR_SIMPLIFY_VALID, OR_IDEAL, &rep);
  const or_finding *f = find_kind(&rep, OR_VALUE);
  assert_non_null(f);
  assert_string_equal(rule_name(&r, f->rule), "zero");
  assert_int_equal(f->mode, OR_SIMPLIFY_VALID);
  or_report_clear(&rep);
  rig_free(&r);
}

/* A pair of indexes is compared lane by lane. */
static void test_pair(void **state) {
  (void)state;
  const char *lines = "%s = ADD int %x %y\n%3 = CONST int 3\n%v = CMPLT bool %s %3\n"
                      "%m = MOD int %s %3\n%p = VECTORIZE int.vec2 %y %m\n"
                      "%r = SINK void %v %p\n";
  rig r = rig_of("v0.11.0", NULL);
  or_report rep = given(&r, lines, OR_IDEAL);
  assert_int_equal(rep.nfindings, 0);
  assert_true(rep.verdict == OR_PROVED || rep.verdict == OR_EXHAUSTED);
  assert_int_equal(up_count(r.c, rep.simplified), 4);
  or_report_clear(&rep);
  rig_free(&r);

  r = rig_of("v0.11.0", "ruleset symbolic\nrule drop : x % c -> 0 when vmax(x) < c\n");
  rep = given(&r, lines, OR_IDEAL);
  const or_finding *f = find_kind(&rep, OR_VALUE);
  assert_non_null(f);
  assert_string_equal(rule_name(&r, f->rule), "drop");
  or_report_clear(&rep);
  rig_free(&r);
}

/* The rewrite under the valid does not end, or raises. */
static void test_no_result(void **state) {
  (void)state;
  rig r = rig_of("v0.11.0", "ruleset symbolic\nrule turn : x % c -> (x + 0) % c\n"
                            "rule back : x + 0 -> x\n");
  or_report rep = given(&r, sum_below_3, OR_IDEAL);
  assert_int_equal(rep.verdict, OR_DIFFERS);
  const or_finding *f = find_kind(&rep, OR_NONTERMINATION);
  assert_non_null(f);
  assert_string_equal(f->actual, "loop");
  assert_string_equal(rule_name(&r, f->rule), "turn");
  or_report_clear(&rep);
  rig_free(&r);

  r = rig_of("v0.11.0", NULL);
  rep = given(&r,
              "%3 = CONST int 3\n%v = CMPLT bool %x %3\n%0 = CONST int 0\n%7 = CONST int 7\n"
              "%c = CMPNE bool %y %7\n%d = IDIV int %x %0\n%w = WHERE int %c %x %d\n"
              "%r = SINK void %v %w\n",
              OR_IDEAL);
  f = find_kind(&rep, OR_CRASH);
  assert_non_null(f);
  assert_string_equal(f->actual, "ZeroDivisionError");
  or_report_clear(&rep);
  rig_free(&r);
}

/* The value is right, but a condition must be a bool. */
static void test_ill_typed(void **state) {
  (void)state;
  rig r = rig_of("v0.11.0", "ruleset symbolic\nrule drop_mod : x % c -> where(x, x, 0)"
                            " when vmin(x) >= 0 and vmax(x) < c\n");
  or_report rep = given(&r, sum_below_3, OR_IDEAL);
  const or_finding *f = find_kind(&rep, OR_SPEC);
  assert_non_null(f);
  assert_int_equal(rep.nfindings, 1);
  assert_string_equal(rep.stage, "spec");
  assert_string_equal(rule_name(&r, f->rule), "drop_mod");
  assert_string_equal(f->expected, "a bool and two operands of its dtype");
  assert_string_equal(f->actual, "WHERE int (int, int, int)");
  or_report_clear(&rep);
  rig_free(&r);
}

static void test_names(void **state) {
  (void)state;
  or_valid_mode m;
  assert_true(or_valid_mode_parse("uop_given_valid", &m) && m == OR_GIVEN_VALID);
  assert_true(or_valid_mode_parse("simplify_valid", &m) && m == OR_SIMPLIFY_VALID);
  assert_false(or_valid_mode_parse("valid", &m));
  assert_string_equal(or_valid_mode_name(OR_GIVEN_VALID), "uop_given_valid");
  assert_string_equal(or_valid_mode_name(OR_SIMPLIFY_VALID), "simplify_valid");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sound),
                                     cmocka_unit_test(test_wrong_step),
                                     cmocka_unit_test(test_wrong_elsewhere),
                                     cmocka_unit_test(test_never),
                                     cmocka_unit_test(test_reduced),
                                     cmocka_unit_test(test_simplify_valid),
                                     cmocka_unit_test(test_pair),
                                     cmocka_unit_test(test_no_result),
                                     cmocka_unit_test(test_ill_typed),
                                     cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
