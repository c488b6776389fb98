/* Mutants of rule texts: one change each, all the slips that are promised, rules nearly all of them. */
#include "engine/rules.h"
#include "proofs/delta.h"
#include "proofs/mutant.h"
#include "tests/support/cm.h"
#include <string.h>

typedef struct want {
  const char *text, *statement; /* a mutant with this statement is looked for */
  const char *delta;            /* ... and with this one of what it adds; "": none */
  unsigned found, total, rules;
  bool count_rules;
} want;

static void expect_delta(const want *w, const pf_mutant *m, const char *name) {
  up_buf d = {0};
  bool has = pf_delta(m, w->text, name, &d);
  assert_false(d.no_memory);
  assert_int_equal(has, w->delta[0] != 0);
  if (has) assert_string_equal(d.p, w->delta);
  up_buf_free(&d);
}

static bool look(const pf_mutant *m, void *arg) {
  want *w = arg;
  up_buf b = {0};
  bool bound = strncmp(m->rule, "bound_", 6) == 0;
  assert_true(pf_mutant_statement(m, w->text, bound ? "bound_mutant" : NULL, &b));
  assert_true(m->begin <= m->from && m->from < m->to && m->to <= m->end);
  assert_int_not_equal(strncmp(w->text + m->from, m->with, m->to - m->from) == 0 &&
                           strlen(m->with) == m->to - m->from,
                       1);
  w->total++;
  bool is_it = w->statement && strcmp(b.p, w->statement) == 0;
  if (is_it) w->found++;
  if (is_it && w->delta) expect_delta(w, m, bound ? "bound_mutant" : NULL);
  if (w->count_rules) {
    up_error err = {0};
    up_profile *p = up_profile_parse("v0.11.0", b.p, b.len, &err);
    w->rules += p != NULL;
    up_profile_free(p);
  }
  up_buf_free(&b);
  return true;
}

static void has(const char *text, const char *mutant) {
  want w = {.text = text, .statement = mutant};
  assert_true(pf_mutants(text, strlen(text), look, &w));
  if (w.found != 1) fail_msg("%u times among %u: %s", w.found, w.total, mutant);
}

static void each_slip_is_made_once(void **s) {
  (void)s;
  const char *lt = "rule lt : k0*x < k1 -> x < [ceildiv(k1, k0)] when k0 > 0 and k1 > 0\n";
  has(lt, "rule lt : k0*x < k1 -> x < [ceildiv(k1, k0)] when  k1 > 0\n");
  has(lt, "rule lt : k0*x < k1 -> x < [ceildiv(k1, k0)] when k0 > 0 \n");
  has(lt, "rule lt : k0*x < k1 -> x < [ceildiv(k1, k0)] when k0 >= 0 and k1 > 0\n");
  has(lt, "rule lt : k0*x < k1 -> x < [ceildiv(k1, k0)] when k0 < 0 and k1 > 0\n");
  has(lt, "rule lt : k0*x < k1 -> x < [ceildiv(k1, k0)] when k0 > 0 or k1 > 0\n");
  has(lt, "rule lt : k0*x < k1 -> x < [ceildiv(k1, k0)] when k0 > 1 and k1 > 0\n");
  has(lt, "rule lt : k0*x < k1 -> x < [floordiv(k1, k0)] when k0 > 0 and k1 > 0\n");
  has(lt, "rule lt : k0*x < k1 -> x < [ceildiv(k0, k0)] when k0 > 0 and k1 > 0\n");
  has("rule neg : x // y -> -(x // -y) when vmax(y) < 0\n",
      "rule neg : x // y -> -(x // y) when vmax(y) < 0\n");
  has("rule neg : x // y -> -(x // -y) when vmax(y) < 0\n",
      "rule neg : x // y -> -(x // -y) when vmin(y) < 0\n");
  has("rule neg : x // y -> -(x // -y) when vmax(y) < 0\n", "rule neg : x // y -> -(x // -y) \n");
  has("rule d : x // y -> (x // y) - y\n", "rule d : x // y -> (y // x) - y\n");
  has("rule d : x // y -> (x // y) - y\n", "rule d : x // y -> y - (x // y)\n");
  has("rule s : ADD(x@ints, y) -> x\n", "rule s : ADD(x@ints, y) -> y\n");
  has("rule z : x@ints ^ 0 -> x\n", "rule z : x ^ 0 -> x\n");
  has("rule z : x@ints ^ 0 -> x\n", "rule z : x@ints ^ 1 -> x\n");
  has("rule w : a:{IDIV, MOD}(x, 1) -> x\n",
      "rule w : a:{ADD, MUL, IDIV, MOD, IDIV, MOD}(x, 1) -> x\n");
  has("bound b : IDIV(x, y) in [vmin(x) // vmin(y), vmax(x)]\n",
      "bound b : IDIV(x, y) in [floordiv(vmin(x), vmin(y)), vmax(x)]\n");
}

static void adds(const char *text, const char *mutant, const char *delta) {
  want w = {.text = text, .statement = mutant, .delta = delta};
  assert_true(pf_mutants(text, strlen(text), look, &w));
  if (w.found != 1) fail_msg("%u times among %u: %s", w.found, w.total, mutant);
}

/* What is left to prove of a mutant, when its rule is. */
static void what_a_mutant_adds(void **s) {
  (void)s;
  const char *lt = "rule lt : k0*x < k1 -> x < 0 when k0 > 0 and k1 == 0  from \"here\"\n";
  adds(lt, "rule lt : k0*x < k1 -> x < 0 when k0 >= 0 and k1 == 0  from \"here\"\n",
       "rule lt : k0*x < k1 -> x < 0 when (k0 >= 0 and k1 == 0) and not ((k0 > 0 and k1 == 0))\n");
  adds(lt, "rule lt : k0*x < k1 -> x < 0 when k0 > 0   from \"here\"\n",
       "rule lt : k0*x < k1 -> x < 0 when (k0 > 0 ) and not ((k0 > 0 and k1 == 0))\n");
  adds("rule n : x // y -> -(x // -y) when vmax(y) < 0\n", "rule n : x // y -> -(x // -y) \n",
       "rule n : x // y -> -(x // -y) when not ((vmax(y) < 0))\n");
  /* another result, another pattern: nothing is known of them */
  adds(lt, "rule lt : k0*x < k1 -> x < 1 when k0 > 0 and k1 == 0  from \"here\"\n", "");
  adds("rule z : x@ints ^ 0 -> x\n", "rule z : x ^ 0 -> x\n", "");
  /* where the rule's own condition raises the rule does not apply: that point is the mutant's */
  adds("rule m : x -> 0 when k % (k // c) == 0\n", "rule m : x -> 0 when k % (k // c) == 1\n",
       "rule m : x -> 0 when (k % (k // c) == 1) and "
       "not ((c) != 0 and ((k // c)) != 0 and (k % (k // c) == 0))\n");
  adds("rule m : x -> 0 when floordiv(k, -k) < 1 << k\n",
       "rule m : x -> 0 when floordiv(k, -k) < 2 << k\n",
       "rule m : x -> 0 when (floordiv(k, -k) < 2 << k) and "
       "not ((k) >= 0 and (-k) != 0 and (floordiv(k, -k) < 1 << k))\n");
}

static void what_a_mutant_of_bounds_adds(void **s) {
  (void)s;
  adds("bound bound_d : IDIV(x, y)@ints in [0, vmax(x) // vmin(y)] when vmin(x) >= 0\n",
       "bound bound_mutant : IDIV(x, y)@ints in [0, vmax(x) // vmax(y)] when vmin(x) >= 0\n",
       "bound bound_mutant : IDIV(x, y)@ints in [0, vmax(x) // vmax(y)] when (vmin(x) >= 0) and "
       "not ((vmin(y)) != 0 and (0) <= (0) and (vmax(x) // vmin(y)) <= (vmax(x) // vmax(y)))\n");
  /* of a bool a lower bound below 0 is one too many */
  adds("bound bound_b : MUL(x, y) in [vmin(x), 1]\n",
       "bound bound_mutant : MUL(x, y) in [vmax(x), 1]\n",
       "bound bound_mutant : MUL(x, y) in [vmax(x), 1] when "
       "not ((vmax(x)) == (vmin(x)) and (1) <= (1))\n");
  adds("bound bound_n : n:_@bool in [0, 1] when vmin(n) > 2\n",
       "bound bound_mutant : n:_@bool in [0, 1] when vmin(n) > 1\n",
       "bound bound_mutant : n:_@bool in [0, 1] when (vmin(n) > 1) and not ((vmin(n) > 2))\n");
}

static void nearly_all_mutants_of_the_releases_are_rules(void **s) {
  (void)s;
  want w = {.count_rules = true};
  for (unsigned i = 0; i < up_embedded_rules_count; i++) {
    if (!strstr(up_embedded_rules[i].name, "0.11.0")) continue;
    w.text = (const char *)up_embedded_rules[i].text;
    assert_true(pf_mutants(w.text, up_embedded_rules[i].n, look, &w));
  }
  assert_true(w.total > 1000);
  assert_true(w.rules * 100 >= w.total * 97);
}

static bool stop_at_third(const pf_mutant *m, void *arg) {
  (void)m;
  return ++*(unsigned *)arg < 3;
}

static void whoever_is_called_can_stop(void **s) {
  (void)s;
  unsigned seen = 0;
  const char *text = "rule lt : k0*x < k1 -> x < k0 when k0 > 0 and k1 > 0\n";
  assert_false(pf_mutants(text, strlen(text), stop_at_third, &seen));
  assert_int_equal(seen, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_slip_is_made_once),
      cmocka_unit_test(what_a_mutant_adds),
      cmocka_unit_test(what_a_mutant_of_bounds_adds),
      cmocka_unit_test(nearly_all_mutants_of_the_releases_are_rules),
      cmocka_unit_test(whoever_is_called_can_stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
