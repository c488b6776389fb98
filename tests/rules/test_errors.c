/* What the rule parser refuses, and where it says so; any bytes whatever are read without harm. */
#include "common.h"

typedef struct row {
  const char *text;
  unsigned line, col;
  const char *word; /* part of the message */
} row;

static const row table[] = {
    /* statements */
    {"rulez r : a + b -> a\n", 1, 1, "expected 'rule'"},
    {" rule r : a + b -> a\n", 1, 2, "column 1"},
    {"rule\n", 2, 1, "a name"},
    {"rule r a + b -> a\n", 1, 8, "expected ':'"},
    {"rule r : a + b\n", 2, 1, "expected '->'"},
    {"rule r : a + b -> a b\n", 1, 21, "end of the statement"},
    {"rule r : a + b -> a when\n", 2, 1, "expected a term"},
    {"rule r : a + b -> a known-right \"x\"\n", 1, 27, "known-wrong"},
    {"rule r : a + b -> a known-wrong\n", 2, 1, "string"},
    {"rule r : a + b -> a known-wrong sometimes \"x\"\n", 1, 33, "ideal, wrap"},
    {"rule r : a + b -> a from \"x\" from \"y\"\n", 1, 30, "twice"},
    {"rule r : a + b -> a from \"x\n", 1, 26, "closing quote"},
    {"rule r : a + b -> a\nrule r : a * b -> a\n", 2, 6, "there already"},
    {"ruleset a\nruleset a\n", 2, 9, "there already"},
    {"ruleset a = b\n", 1, 13, "unknown rule set"},
    {"ruleset a = a\n", 1, 13, "unknown rule set"},
    {"ruleset a = here + here\n", 1, 20, "given twice"},
    {"ruleset a =\n", 2, 1, "name of a rule set"},
    {"ruleset here\n", 1, 9, "there already"},
    {"ruleset other\nrule r : a + b -> a\n", 0, 0, "no rule set 'symbolic'"},
    {"bound b : ADD(x, y) in [vmin(x)]\n", 1, 32, "expected ','"},
    {"bound b : ADD(x, y) -> x\n", 1, 21, "in [lo, hi]"},
    {"bound b : ADD(x, y) in [x, y]\n", 1, 25, "not a constant"},
    {"bound b : n:ADD(x, y) in [0, vmax(n)]\n", 1, 7, "asks for the bounds that it gives"},
    {"bound b : n:_ in [0, 1] when not (vmin(n) > 0)\n", 1, 7, "the bounds that it gives"},
    /* tokens */
    {"rule r : a $ b -> a\n", 1, 12, "no token"},
    {"rule r : a + 12x -> a\n", 1, 14, "malformed number"},
    {"rule r : a + 99999999999999999999 -> a\n", 1, 14, "64 bits"},
    {"rule r : a + 0x -> a\n", 1, 14, "malformed number"},
    {"rule r :\n  a +\n  * b -> a\n", 3, 3, "expected a term"},
    {"# a comment\n\nrule r : a +% b -> a\n", 3, 13, "expected a term"},
    /* patterns */
    {"rule r : (a + b -> a\n", 1, 17, "expected ')'"},
    {"rule r : FOO(a, b) -> a\n", 1, 10, "unknown op 'FOO'"},
    {"rule r : {ADD, FOO}(a, b) -> a\n", 1, 16, "unknown op 'FOO'"},
    {"rule r : {ADD, -ADD}(a, b) -> a\n", 1, 10, "empty set"},
    {"rule r : a@foo + b -> a\n", 1, 12, "unknown dtype 'foo'"},
    {"rule r : a@ptr.float + b -> a\n", 1, 15, "no token"},
    {"rule r : (a@int)@long + b -> a\n", 1, 17, "one dtype constraint"},
    {"rule r : frob(a) -> a\n", 1, 10, "unknown pattern function"},
    {"rule r : const + b -> b\n", 1, 10, "constants"},
    {"rule r : key + b -> b\n", 1, 10, "constants"},
    {"rule r : c:ADD(a, b) -> a\n", 1, 10, "is a constant"},
    {"rule r : when + b -> b\n", 1, 10, "word of the language"},
    {"rule r : _:ADD(a, b) -> a\n", 1, 10, "names nothing"},
    {"rule r : a:b + d -> a\n", 1, 12, "second name"},
    {"rule r : 1 + 2 -> 3\n", 1, 12, "two literals"},
    {"rule r : a * nan -> a\n", 1, 14, "nan"},
    {"rule r : a and b -> a\n", 1, 12, "condition"},
    {"rule r : not a -> a\n", 1, 10, "condition"},
    {"rule r : a in ints -> a\n", 1, 12, "condition"},
    {"rule r : a < b < d -> a\n", 1, 16, "do not chain"},
    {"rule r : a + [1] -> a\n", 1, 14, "right side"},
    {"rule r : native f(a) -> a\n", 1, 17, "right side"},
    {"rule r : max(a, b, d) -> a\n", 1, 10, "takes 2 arguments"},
    {"rule r : where(a, b) -> a\n", 1, 10, "takes 3 arguments"},
    {"rule r : any(a // b, b % a) -> a\n", 1, 10, "at the root"},
    {"rule r : any(a // b) + b -> a\n", 1, 10, "two patterns"},
    {"rule r : any(a // b, a % d) + b -> a\n", 1, 10, "same names"},
    {"rule r : ALU((a + b)...) -> a\n", 1, 10, "two ways"},
    {"rule r : ALU(a, b...) -> a\n", 1, 18, "one argument"},
    {"rule r : ALU(a, ) -> a\n", 1, 17, "expected an argument"},
    {"rule r : SINK[a, b, d, e, f] -> a\n", 1, 10, "at most 4"},
    {"rule r : SINK(a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a) -> a\n", 1, 47, "16 arguments"},
    {"rule r : SINK(a1,a2,a3,a4,a5,a6,a7,a8) + SINK(b1,b2,b3,b4,b5,b6,b7,b8,d) -> a1\n", 1, 71,
     "16 names"},
    /* conditions */
    {"rule r : a + b -> a when d > 0\n", 1, 26, "not bound"},
    {"rule r : a + b -> a when a > 0\n", 1, 26, "not a constant"},
    {"rule r : a + b -> a when vmin(d) > 0\n", 1, 31, "not bound"},
    {"rule r : a + b -> a when vmin(a + b) > 0\n", 1, 33, "name bound"},
    {"rule r : a + b -> a when vmin(a, b) > 0\n", 1, 26, "takes 1 argument"},
    {"rule r : a + k -> a when gcd(k) > 0\n", 1, 26, "takes 2 arguments"},
    {"rule r : a + k -> a when frob(k) > 0\n", 1, 26, "unknown function"},
    {"rule r : a + k -> a when k / 2 == 0\n", 1, 28, "no exact operation"},
    {"rule r : a + k -> a when !k\n", 1, 26, "not part of an exact"},
    {"rule r : a + k -> a when dtype(a) < dtype(k)\n", 1, 35, "== and !="},
    {"rule r : a + k -> a when k in ints\n", 1, 28, "op(x) or dtype(x)"},
    {"rule r : a + k -> a when dtype(k) in foo\n", 1, 38, "unknown dtype"},
    {"rule r : a + k -> a when op(k) in FOO\n", 1, 35, "unknown op"},
    {"rule r : a + k -> a when k > 0 > 1\n", 1, 32, "do not chain"},
    {"rule r : a + k -> a when native f(k)\n", 1, 33, "not part of an exact"},
    /* right sides */
    {"rule r : a + b -> d\n", 1, 19, "not bound"},
    {"rule r : a + b -> a + d\n", 1, 23, "not bound"},
    {"rule r : a + b -> [d]\n", 1, 20, "not bound"},
    {"rule r : a + b -> [a]\n", 1, 20, "not a constant"},
    {"rule r : a + b -> 1 + 2\n", 1, 21, "without a dtype"},
    {"rule r : a + b -> -[1]\n", 1, 20, "into the brackets"},
    {"rule r : a + b -> a@int\n", 1, 19, "has its dtype"},
    {"rule r : a + b -> [1]@foo\n", 1, 23, "neither a bound name nor a dtype"},
    {"rule r : a + b -> CAST(a)\n", 1, 19, "dtype of the CAST"},
    {"rule r : a + b -> CAST(a, b)@int\n", 1, 19, "CAST has 1 source"},
    {"rule r : a + b -> ADD(a)\n", 1, 19, "ADD has 2 sources"},
    {"rule r : a + b -> ADD(a, 1)\n", 1, 26, "needs a dtype"},
    {"rule r : a + b -> ADD[a, b]\n", 1, 19, "in order"},
    {"rule r : a + b -> FOO(a, b)\n", 1, 19, "unknown op"},
    {"rule r : a + b -> frob(a, b)\n", 1, 19, "not bound"},
    {"rule r : a + b -> {d}(a, b)\n", 1, 20, "not bound"},
    {"rule r : a + b -> {a}\n", 1, 19, "expected {x}(...)"},
    {"rule r : a + b -> native frob(a)\n", 1, 26, "unknown native"},
    {"rule r : a + k -> native div_folding(a)\n", 1, 26, "takes 2 arguments"},
    {"rule r : a + b -> native\n", 2, 1, "native function"},
    {"rule r : a + b -> a and b\n", 1, 21, "write & and |"},
    {"rule r : a + b -> not a\n", 1, 19, "condition"},
    {"rule r : a + b -> e:a\n", 1, 19, "left side"},
    {"rule r : a + b -> a / 2\n", 1, 21, "needs a dtype"},
    {"rule r : a + b -> max(a)\n", 1, 19, "takes 2 arguments"},
};

static void test_table(void **state) {
  (void)state;
  size_t bad = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const row *t = &table[i];
    up_error e = {99, 99, ""};
    up_profile *p = up_profile_parse("v0.10.0", t->text, strlen(t->text), &e);
    if (p || e.line != t->line || e.col != t->col || !strstr(e.msg, t->word)) {
      print_error("%s: %s at %u:%u: %s; want %u:%u %s\n", t->text, p ? "accepted" : "refused",
                  e.line, e.col, e.msg, t->line, t->col, t->word);
      bad++;
    }
    up_profile_free(p);
  }
  assert_int_equal(bad, 0);
}

static void test_unknown_profile(void **state) {
  (void)state;
  up_error e = {0};
  assert_null(up_profile_load("v0.9.9", &e));
  assert_non_null(strstr(e.msg, "v0.10.0")); /* says what there is */
  assert_null(up_profile_parse("none", "", 0, &e));
  assert_null(up_profile_load("", NULL));
}

static void test_deep_nesting(void **state) {
  (void)state;
  static const char *const part[] = {"(", "-", "!", "not ", "[", "{", "max(", "a + "};
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
    up_buf b = {0};
    up_error e = {0};
    up_buf_puts(&b, "rule r : a + ");
    for (int i = 0; i < 100000; i++) up_buf_puts(&b, part[k]);
    up_profile *p = up_profile_parse("v0.10.0", b.p, b.len, &e);
    assert_null(p);
    assert_true(e.line == 1 && e.col > 9);
    up_buf_free(&b);
  }
}

static void test_empty(void **state) {
  (void)state;
  static const char *const text[] = {"", "\n\n", "# nothing\n", "ruleset symbolic\n"};
  for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
    rig r = rig_rules(text[k]);
    int rule;
    assert_true(up_is_none(up_apply_first(r.c, set_of(&r, "symbolic"), graph(&r, "x + 0"), &rule)));
    assert_int_equal(rule, -1);
    rig_free(&r);
  }
}

/* One rule a form, for the two tests that follow. */
static const char sample[] =
    "ruleset symbolic = here\n"
    "rule r1 : e:{//, -MOD}(a@!{ints, bool}, ..) -> {e}(a, [1 + 2]@e) from \"x\"\n"
    "rule r2 : any(a // k, k % a)@int + -0.5 * !p - (u > w) -> where(p, max(a, [-k * 0x1f]), a)\n"
    "  when not (vmin(a) >= 2 or op(a) in {ADD, ALU}) and floordiv(k, 3) == 1 << 2 # remark\n"
    "  known-wrong ideal wrap \"a = 3\"\n"
    "rule r3 : s:ADD[a, CAST(c...)] -> native canonicalize_simplex(s(a, a)) + min(a, a) / a\n"
    "bound b1 : n:MAX(x, y) in [src_vmin(n), (vmax(x) or 3) ^ 1]\n";

static void parse_bytes(const char *text, size_t n) {
  char *exact = malloc(n ? n : 1); /* so that a read past the end is seen */
  up_error e = {0};
  assert_non_null(exact);
  memcpy(exact, text, n);
  up_profile *p = up_profile_parse("v0.10.0", exact, n, &e);
  if (!p) assert_true(e.msg[0] != 0);
  up_profile_free(p);
  free(exact);
}

static void test_truncated(void **state) {
  (void)state;
  rig r = rig_rules(sample); /* all of it is accepted */
  rig_free(&r);
  for (size_t n = 0; n <= sizeof sample - 1; n++) parse_bytes(sample, n);
}

static void test_mutated(void **state) {
  (void)state;
  static const char bytes[] = "()[]{}@!:,.|&<>=+-*/%#\"\n \tacknx019_AR\x80";
  uint32_t seed = 7;
  char text[sizeof sample];
  for (int round = 0; round < 1500; round++) {
    memcpy(text, sample, sizeof sample);
    for (int k = 0; k < 1 + round % 4; k++) {
      seed = seed * 1664525u + 1013904223u;
      text[(seed >> 8) % (sizeof sample - 1)] = bytes[(seed >> 20) % (sizeof bytes - 1)];
    }
    parse_bytes(text, sizeof sample - 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),        cmocka_unit_test(test_unknown_profile),
      cmocka_unit_test(test_deep_nesting), cmocka_unit_test(test_empty),
      cmocka_unit_test(test_truncated),    cmocka_unit_test(test_mutated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
