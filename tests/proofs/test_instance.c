/* The instances of a rule: which there are, what they look like as text, what is left out. */
#include "proofs/instance.h"
#include "tests/support/cm.h"
#include <stdlib.h>
#include <string.h>

#define INTS (0xffu << UP_CHAR)
#define ALL_TYPES (INTS | 1u << UP_BOOL)

typedef struct seen {
  up_buf labels, texts;
  unsigned n, stop_after;
} seen;

static bool note(pf_instance *i, void *arg) {
  seen *s = arg;
  up_buf_printf(&s->labels, "%s%s", s->n ? "; " : "", i->label);
  pf_instance_put(i, &s->texts);
  s->n++;
  return s->n != s->stop_after;
}

static up_profile *parse(const char *rules) {
  up_error e = {0};
  up_profile *p = up_profile_parse("v0.11.0", rules, strlen(rules), &e);
  if (!p) fail_msg("%u:%u: %s", e.line, e.col, e.msg);
  return p;
}

/* Instances of the rule `r` of the text. */
static seen visit(const char *rules, unsigned types, bool one_integer, pf_left_out *l) {
  up_profile *p = parse(rules);
  seen s = {0};
  assert_true(
      pf_instances(&p->book, (uint32_t)up_rule_find(p, "r"), types, one_integer, note, &s, l));
  up_profile_free(p);
  return s;
}

static void free_seen(seen *s) {
  up_buf_free(&s->labels);
  up_buf_free(&s->texts);
}

static void expect_labels(const char *text, unsigned types, bool one_integer, const char *labels) {
  pf_left_out l;
  seen s = visit(text, types, one_integer, &l);
  assert_string_equal(s.labels.p ? s.labels.p : "", labels);
  free_seen(&s);
}

static void expect_left_out(const char *text, unsigned choices, const char *reason) {
  pf_left_out l;
  seen s = visit(text, ALL_TYPES, true, &l);
  assert_int_equal(s.n, 0);
  assert_int_equal(l.choices, choices);
  assert_string_equal(l.reason, reason);
  free_seen(&s);
}

static void test_text(void **state) {
  (void)state;
  pf_left_out l;
  seen s = visit("rule r : k0 * x@ints < k1 -> x < [ceildiv(k1, k0)] when k0 > 0 and vmin(x) >= 0",
                 ALL_TYPES, true, &l);
  assert_string_equal(s.texts.p, "t0 const int\n"
                                 "t1 any int\n"
                                 "t2 op MUL int t0 t1\n"
                                 "t3 const int\n"
                                 "t4 op CMPLT bool t2 t3\n"
                                 "t5 const int (ceildiv (value t3) (value t0))\n"
                                 "t6 op CMPLT bool t1 t5\n"
                                 "left t4\n"
                                 "right t6\n"
                                 "when (and (> (value t0) 0) (>= (vmin t1) 0))\n");
  assert_int_equal(l.choices, 0);
  free_seen(&s);
}

/* One rule under other names of rule and variables is one obligation. */
static void test_text_has_no_names(void **state) {
  (void)state;
  pf_left_out l;
  seen a = visit("rule r : (x + c0) + c1 -> x + (c0 + c1)", ALL_TYPES, true, &l);
  seen b = visit("rule other : x -> x\nrule r : (long + c7) + c -> long + (c7 + c)", ALL_TYPES,
                 true, &l);
  assert_string_equal(a.texts.p, b.texts.p);
  free_seen(&a);
  free_seen(&b);
}

static void test_types(void **state) {
  (void)state;
  const char *plain = "rule r : x + 0 -> x";
  expect_labels(plain, ALL_TYPES, true, "bool; int");
  expect_labels(plain, ALL_TYPES, false,
                "bool; char; uchar; short; ushort; int; uint; long; ulong");
  expect_labels(plain, 1u << UP_UCHAR, false, "uchar");
  /* division is of integers, a comparison gives bool, -1 is no bool */
  expect_labels("rule r : x // x -> 1", ALL_TYPES, true, "int");
  expect_labels("rule r : x < x -> False", ALL_TYPES, true, "bool; int");
  expect_labels("rule r : x * -1 -> -x", ALL_TYPES, true, "int");
  expect_labels("rule r : x@uints + 0 -> x", ALL_TYPES, true, "uint");
  /* the condition of where is no choice */
  expect_labels("rule r : where(p, x, x) -> x", INTS, true, "int");
}

/* In ideal a cast looks at its target, and a dtype test at its operands. */
static void test_types_that_are_looked_at(void **state) {
  (void)state;
  expect_labels("rule r : a:CAST(x@int) -> x when dtype(a) in {char, long}", ALL_TYPES, true,
                "int char; int long");
  expect_labels("rule r : b:CAST(CAST(x)) -> x when dtype(b) == dtype(x) and dtype(x) in {uint}",
                1u << UP_UINT | 1u << UP_INT, true, "uint int uint; uint uint uint");
  expect_labels("rule r : a:BITCAST(x@int) -> x", ALL_TYPES, true, "int int; int uint");
  expect_labels("bound r : n:ADD(x@sints, _) in [scalar_min(n), scalar_max(n)]", ALL_TYPES, true,
                "char; short; int; long");
}

/* Vectors are told from scalars by their constants' other lanes, by their count, and by dtype_min. */
static void test_lanes_that_are_looked_at(void **state) {
  (void)state;
  expect_labels("rule r : x + c -> x when c == 0", INTS, true, "int");
  expect_labels("rule r : x + k -> x when vmin(k) == 0", INTS, true, "int");
  expect_labels("rule r : x + c -> x when lane_min(c) == 0", INTS, true, "int; int lanes");
  expect_labels("rule r : x + c -> x when vmin(c) == 0", INTS, true, "int; int lanes");
  expect_labels("rule r : x + c -> x + [lane_max(c)]", INTS, true, "int; int lanes");
  expect_labels("rule r : (x + c0) + c1 -> x when c0 < c1", INTS, true, "int; int lanes");
  expect_labels("rule r : x + y -> x when op(y) in {CONST}", INTS, true, "int");
  expect_labels("rule r : x + y -> x when op(y) in {CONST, VCONST}", INTS, true, "int; int lanes");
  expect_labels("rule r : x + y -> x when count(y) == 1", INTS, true, "int");
  expect_labels("rule r : x + y -> x when count(y) != 1", INTS, true, "int lanes");
  expect_labels("rule r : x + y -> x when count(y) > 1", INTS, true, "int lanes");
  expect_labels("rule r : x + y -> x when count(y) < 4", INTS, true, "int; int lanes");
  expect_labels("bound r : n:CONST@ints in [lane_min(n), lane_max(n)]", INTS, true, "int");
  expect_labels("bound r : n:VCONST@ints in [lane_min(n), lane_max(n)]", INTS, true, "int lanes");
  expect_labels("bound r : n:_@int in [dtype_min(n), dtype_max(n)]", INTS, true, "int; int lanes");
  pf_left_out l;
  seen s = visit("rule r : x + c -> x when lane_min(c) == 0", INTS, true, &l);
  assert_non_null(strstr(s.texts.p, "t1 const int\n"));
  assert_non_null(strstr(s.texts.p, "t1 const int list\n"));
  free_seen(&s);
}

static void test_ops_and_orders(void **state) {
  (void)state;
  expect_labels("rule r : {//, %}(x, y) -> x", ALL_TYPES, true, "IDIV int; MOD int");
  /* both orders of a sum are one obligation; those of a division are not */
  expect_labels("rule r : x + k -> x", INTS, true, "int");
  expect_labels("rule r : IDIV[x, 2] -> x", INTS, true, "order 1 int; order 2 int");
  expect_labels("rule r : any(x + 0, x * 1) // 1 -> x", INTS, true, "case 1 int; case 2 int");
  expect_labels("rule r : x << y -> x", 1u << UP_UINT | 1u << UP_LONG, false,
                "uint; long; by uint long uint");
  pf_left_out l;
  seen s = visit("rule r : IDIV[x, 2] -> x", INTS, true, &l);
  assert_non_null(strstr(s.texts.p, "t0 any int\nt1 const int 2\nt2 op IDIV int t0 t1\n"));
  assert_non_null(strstr(s.texts.p, "t0 const int 2\nt1 any int\nt2 op IDIV int t0 t1\n"));
  free_seen(&s);
}

static void test_names(void **state) {
  (void)state;
  pf_left_out l;
  /* a name that comes again is one term; nodes without a name are apart */
  seen s = visit("rule r : (x % _) + (x % _) -> x when vmin(x) > 0 and same(x, x)", INTS, true, &l);
  assert_string_equal(s.texts.p, "t0 any int\n"
                                 "t1 any int\n"
                                 "t2 op MOD int t0 t1\n"
                                 "t3 any int\n"
                                 "t4 op MOD int t0 t3\n"
                                 "t5 op ADD int t2 t4\n"
                                 "left t5\n"
                                 "right t0\n"
                                 "when (and (> (vmin t0) 0) true)\n");
  free_seen(&s);
}

/* Right sides are what the engine builds: -x of a bool is x != True, constants have the dtype of the
 * operand beside them. */
static void test_right_sides(void **state) {
  (void)state;
  pf_left_out l;
  seen s = visit("rule r : x@bool + y -> max(-x, y)", ALL_TYPES, true, &l);
  assert_non_null(
      strstr(s.texts.p, "t3 const bool 1\nt4 op CMPNE bool t0 t3\nt5 op MAX bool t4 t1\n"));
  free_seen(&s);
  s = visit("rule r : a:{SUB, MAX}(x@uint, y) -> CAST({a}(y, x))@long < 3", INTS, true, &l);
  assert_non_null(strstr(s.texts.p, "t3 op SUB uint t1 t0\nt4 op CAST long t3\nt5 const long 3\n"));
  assert_non_null(strstr(s.texts.p, "t3 op MAX uint t1 t0\n"));
  free_seen(&s);
  s = visit("rule r : a:(x@int // y) -> a(y, [vmax(x)]@x)", INTS, true, &l);
  assert_non_null(strstr(s.texts.p, "t3 const int (vmax t0)\nt4 op IDIV int t1 t3\n"));
  free_seen(&s);
}

static void test_left_out(void **state) {
  (void)state;
  expect_left_out("rule r : x@sints < k -> native lt_folding(x, k)", 1, "native right side");
  expect_left_out("rule r : x / x -> 1", 1, "RECIP has no integer value");
  expect_left_out("rule r : VECTORIZE(x...) -> x", 1, "any number of sources");
  expect_left_out("rule r : x@floats + 0 -> x", 1, "neither an integer nor a bool");
  expect_left_out("rule r : x * 0.5 -> x", 1, "a float constant");
  expect_left_out("rule r : k * 0 -> [0]@k when not finite(k)", 1,
                  "never applies to one lane of integers or bools");
  /* of an op set only those without a value are left out */
  pf_left_out l;
  seen s = visit("rule r : {ADD, THREEFRY, POW}(x@int, y) -> x", ALL_TYPES, true, &l);
  assert_string_equal(s.labels.p, "ADD int");
  assert_int_equal(l.choices, 2);
  assert_string_equal(l.reason, "THREEFRY has no integer value");
  free_seen(&s);
}

static void test_each_can_stop(void **state) {
  (void)state;
  pf_left_out l;
  seen s = {.stop_after = 2};
  up_profile *p = parse("rule r : x + 0 -> x");
  assert_false(
      pf_instances(&p->book, (uint32_t)up_rule_find(p, "r"), ALL_TYPES, false, note, &s, &l));
  assert_int_equal(s.n, 2);
  assert_false(l.no_memory);
  up_profile_free(p);
  free_seen(&s);
}

/* Of every profile: a rule has instances, or it is said why not; labels are unique. */
static bool unique(pf_instance *i, void *arg) {
  seen *s = arg;
  char line[80];
  snprintf(line, sizeof line, "\n%s\n", i->label);
  if (s->labels.p && strstr(s->labels.p, line))
    fail_msg("%s: two instances are '%s'", i->book->rule[i->rule].name, i->label);
  up_buf_puts(&s->labels, line);
  assert_true(i->left < i->nterm && (i->right < i->nterm || i->lo != EXPR_NIL));
  s->n++;
  return true;
}

static void test_every_profile(void **state) {
  (void)state;
  for (unsigned k = 0; up_profile_known(k); k++) {
    up_profile *p = up_profile_load(up_profile_known(k), NULL);
    assert_non_null(p);
    for (uint32_t r = 0; r < p->book.nrule; r++) {
      for (int one = 0; one < 2; one++) {
        pf_left_out l;
        seen s = {0};
        assert_true(pf_instances(&p->book, r, ALL_TYPES, one != 0, unique, &s, &l));
        if (s.n == 0 && l.choices == 0)
          fail_msg("%s: neither instance nor reason", p->book.rule[r].name);
        assert_true(l.choices == 0 || l.reason[0] != 0);
        free_seen(&s);
      }
    }
    up_profile_free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_text_has_no_names),
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_types_that_are_looked_at),
      cmocka_unit_test(test_lanes_that_are_looked_at),
      cmocka_unit_test(test_ops_and_orders),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_right_sides),
      cmocka_unit_test(test_left_out),
      cmocka_unit_test(test_each_can_stop),
      cmocka_unit_test(test_every_profile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
