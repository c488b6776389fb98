/* The committed verdicts: what they make a profile's rules be, and what they do not. */
#include "proofs/ledger.h"
#include "proofs/trusted.h"
#include "tests/support/cm.h"
#include <stdlib.h>
#include <string.h>

static bool trusts(const up_profile *p, const char *name) {
  up_error err = {0};
  bool *proved = calloc(up_rule_count(p) + 1, sizeof *proved);
  pf_cache *c = pf_cache_committed(&err);
  assert_non_null(proved);
  if (!c) fail_msg("%u: %s", err.line, err.msg);
  assert_true(pf_trusted_rules(p, c, OR_IDEAL, proved, &err) >= 0);
  int r = up_rule_find(p, name);
  assert_true(r >= 0);
  bool yes = proved[r];
  free(proved);
  pf_cache_free(c);
  return yes;
}

static up_profile *of_text(const char *text) {
  up_error err = {0};
  up_profile *p = up_profile_parse("sound", text, strlen(text), &err);
  if (!p) fail_msg("%s", err.msg);
  return p;
}

static void a_rule_is_trusted_as_long_as_its_obligation_is_the_proved_one(void **s) {
  (void)s;
  up_profile *same = of_text("rule mul_one : x * 1 -> x\n");
  up_profile *renamed = of_text("rule times_one : x * 1 -> x\n");
  up_profile *other = of_text("rule mul_one : x * 2 -> x\n");
  up_profile *sound = up_profile_load("sound", NULL);
  assert_true(trusts(sound, "mul_one"));
  assert_true(trusts(same, "mul_one"));
  assert_true(trusts(renamed, "times_one"));
  assert_false(trusts(other, "mul_one"));
  up_profile_free(same);
  up_profile_free(renamed);
  up_profile_free(other);
  up_profile_free(sound);
}

static void wrong_rules_are_not_trusted(void **s) {
  (void)s;
  up_profile *p = up_profile_load("v0.11.0", NULL);
  assert_false(trusts(p, "fold_divmod_congruence"));
  assert_false(trusts(p, "mul_pos_lt"));
  assert_false(trusts(p, "bound_dtype_range"));
  up_profile_free(p);
}

static pf_standing stands(const up_profile *p, const char *name) {
  up_error err = {0};
  pf_standing *all = calloc(up_rule_count(p) + 1, sizeof *all);
  pf_cache *c = pf_cache_committed(&err);
  assert_non_null(all);
  assert_non_null(c);
  assert_true(pf_standings(p, c, OR_IDEAL, all, &err));
  pf_standing one = all[up_rule_find(p, name)];
  free(all);
  pf_cache_free(c);
  return one;
}

static void a_rule_is_refuted_as_long_as_it_says_what_was_refuted(void **s) {
  (void)s;
  up_profile *p = up_profile_load("v0.11.0", NULL);
  up_profile *other = of_text("rule fold_divmod_congruence : x * 3 -> x\n");
  assert_int_equal(stands(p, "fold_divmod_congruence"), PF_STANDS_REFUTED);
  assert_int_equal(stands(p, "bound_dtype_range"), PF_STANDS_REFUTED);
  assert_int_equal(stands(p, "mul_one"), PF_STANDS_PROVED);
  assert_int_equal(stands(other, "fold_divmod_congruence"), PF_STANDS_OPEN);
  up_profile_free(other);
  up_profile_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rule_is_trusted_as_long_as_its_obligation_is_the_proved_one),
      cmocka_unit_test(wrong_rules_are_not_trusted),
      cmocka_unit_test(a_rule_is_refuted_as_long_as_it_says_what_was_refuted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
