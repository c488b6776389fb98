/* Refutations are believed only when the engine applies the rule to a graph whose sides differ. */
#include "common.h"

typedef struct expectation {
  const up_profile *profile;
  or_frame frame;
  const char *value[4]; /* of the free leaves, in order; "u": undefined; NULL: no more */
  const char *lo, *hi;  /* bounds of each that is no constant; NULL: none */
  bool lanes;           /* judge vectors, with these ends of lists too */
  bool confirmed;
  unsigned seen;
  char line[400], why[120];
} expectation;

static bool is_free(const pf_term *d) {
  return d->kind == PF_ANY || (d->kind == PF_CONST && !d->literal && d->exact == EXPR_NIL);
}

static bool each(pf_instance *i, void *arg) {
  expectation *x = arg;
  if (i->lanes != x->lanes) return true;
  pf_point at = {.p = calloc(i->nterm + 1, sizeof *at.p)};
  assert_non_null(at.p);
  for (pf_id t = 0; t < i->nterm; t++) {
    if (!is_free(&i->term[t])) continue;
    pf_value *v = &at.p[at.n];
    const char *text = x->value[at.n++];
    assert_non_null(text);
    v->term = t;
    v->defined = strcmp(text, "u") != 0;
    v->has_bounds = x->lo && (i->term[t].kind == PF_ANY || i->term[t].list);
    mpz_init_set_str(v->value, v->defined ? text : "0", 10);
    mpz_init_set_str(v->lo, x->lo ? x->lo : "0", 10);
    mpz_init_set_str(v->hi, x->hi ? x->hi : "0", 10);
  }
  up_buf line = {0};
  x->confirmed = pf_confirm(x->profile, i, &at, x->frame, &line, x->why);
  x->seen++;
  snprintf(x->line, sizeof x->line, "%s", line.len ? line.p : "");
  up_buf_free(&line);
  pf_point_clear(&at);
  return true;
}

static void run(const char *text, const char *types, expectation *x) {
  pf_left_out out = {0};
  up_profile *p = profile_of(text);
  int k = up_rule_find(p, "r");
  if (k < 0) k = up_rule_find(p, "bound_r");
  x->profile = p;
  pf_instances(&p->book, (uint32_t)k, types_of(types), false, each, x, &out);
  assert_int_equal(x->seen, 1);
  up_profile_free(p);
}

static void a_failure_is_told_in_one_line(void **state) {
  (void)state;
  expectation x = {.frame = OR_WRAP, .value = {"0"}};
  run("rule r : x // x -> 1", "int", &x);
  assert_true(x.confirmed);
  assert_string_equal(x.line, "(x//x) as int -> 1 at x = 0 in [0,0] as int: 0 becomes 1");
}

static void a_point_that_does_not_fail_is_none(void **state) {
  (void)state;
  expectation x = {.frame = OR_WRAP, .value = {"3"}};
  run("rule r : x // x -> 1", "int", &x);
  assert_false(x.confirmed);
  assert_string_equal(x.why, "both sides have the same value at the point");
  x = (expectation){.frame = OR_REFINE, .value = {"0"}};
  run("rule r : x // x -> 1", "int", &x);
  assert_false(x.confirmed);
  assert_string_equal(x.why, "the left side has no value at the point");
}

/* A rule whose condition is false at the point does not fail there. */
static void the_condition_is_the_engines(void **state) {
  (void)state;
  expectation x = {.frame = OR_IDEAL, .value = {"-7", "4"}};
  run("rule r : x // k -> x >> 2 when k == 4", "int", &x);
  assert_true(x.confirmed);
  x = (expectation){.frame = OR_IDEAL, .value = {"-7", "8"}};
  run("rule r : x // k -> x >> 2 when k == 4", "int", &x);
  assert_false(x.confirmed);
  assert_string_equal(x.why, "the rule does not apply to any graph that was tried");
}

/* vmin and vmax that the point assumes become ranges of variables. */
static void bounds_become_ranges(void **state) {
  (void)state;
  expectation x = {.frame = OR_IDEAL, .value = {"0"}, .lo = "0", .hi = "9"};
  run("rule r : x + 1 -> x + 2 when vmax(x) == 9 and vmin(x) == 0", "int", &x);
  assert_true(x.confirmed);
  assert_string_equal(x.line, "(x+1) as int -> (x+2) at x = 0 in [0,9] as int: 1 becomes 2");
}

static void an_undefined_node_is_made(void **state) {
  (void)state;
  expectation x = {.frame = OR_IDEAL, .value = {"0", "u", "1", "2"}};
  run("rule r : where(p@bool, where(q@bool, x@int, y@int), y) -> where(p & q, x, y)", "int", &x);
  assert_true(x.confirmed);
  assert_non_null(strstr(x.line, "2 becomes undefined"));
}

static void a_wrong_bound_is_confirmed(void **state) {
  (void)state;
  expectation x = {.frame = OR_IDEAL, .value = {"-5", "3"}, .lo = "-5", .hi = "3"};
  run("bound bound_r : MOD(x, y)@ints in [0, vmax(y) - 1]", "int", &x);
  assert_true(x.confirmed);
  assert_non_null(strstr(x.line, "claimed [0, 2]"));
}

/* The rule that is left for nodes that no other takes: a variable is not such a node. */
static void the_last_bounds_rule_is_reached(void **state) {
  (void)state;
  expectation x = {.frame = OR_IDEAL, .value = {"-3"}, .lo = "-3", .hi = "-3"};
  run("bound my_variable : n:DEFINE_VAR in [var_min(n), var_max(n)]\n"
      "bound my_add : ADD(x, y)@!floats in [vmin(x) + vmin(y), vmax(x) + vmax(y)]\n"
      "bound my_const : n:CONST in [lane_min(n), lane_max(n)]\n"
      "bound bound_r : n:_ in [scalar_min(n), scalar_max(n)]",
      "uint", &x);
  assert_true(x.confirmed);
  assert_non_null(strstr(x.line, "(n^u0) as uint"));
  assert_non_null(strstr(x.line, "-3, claimed [0, 4294967295]"));
}

/* A list is a VCONST of which another lane has what the condition asks for; where lists are compared,
 * either end may come first. */
static void a_list_becomes_a_vconst(void **state) {
  (void)state;
  static const char *const text = "rule r : x * c -> x when lane_min(c) < 0 and lane_max(c) == 3";
  expectation x = {.frame = OR_IDEAL, .value = {"0", "3"}, .lo = "-2", .hi = "3", .lanes = true};
  run(text, "int", &x);
  assert_false(x.confirmed); /* 0 * 3 is 0 */
  x = (expectation){.frame = OR_IDEAL, .value = {"1", "3"}, .lo = "-2", .hi = "3", .lanes = true};
  run(text, "int", &x);
  assert_true(x.confirmed);
  assert_non_null(strstr(x.line, "VCONST:int.vec3()[[-2, 3, 3]]"));
  x = (expectation){.frame = OR_IDEAL, .value = {"5", "4"}, .lo = "0", .hi = "9", .lanes = true};
  run("rule r : MAX(c0@int, c1@int) -> c1 when c0 < c1", "int", &x);
  assert_true(x.confirmed);
  assert_non_null(strstr(x.line, "5 becomes 4"));
}

static void a_wrong_bound_of_a_list_is_confirmed(void **state) {
  (void)state;
  expectation x = {.frame = OR_WRAP, .value = {"1"}, .lo = "1", .hi = "7", .lanes = true};
  run("bound bound_r : n:VCONST in [lane_max(n), lane_max(n)]", "int", &x);
  assert_true(x.confirmed);
  assert_non_null(strstr(x.line, "1, claimed [7, 7]"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_failure_is_told_in_one_line),
      cmocka_unit_test(a_point_that_does_not_fail_is_none),
      cmocka_unit_test(the_condition_is_the_engines),
      cmocka_unit_test(bounds_become_ranges),
      cmocka_unit_test(an_undefined_node_is_made),
      cmocka_unit_test(a_wrong_bound_is_confirmed),
      cmocka_unit_test(the_last_bounds_rule_is_reached),
      cmocka_unit_test(a_list_becomes_a_vconst),
      cmocka_unit_test(a_wrong_bound_of_a_list_is_confirmed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
