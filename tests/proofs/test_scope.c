/* The native right sides on a share of the small scope, and that lemmas speak of rules that exist. */
#include "proofs/lemma.h"
#include "proofs/scope.h"
#include "tests/support/cm.h"
#include <stdlib.h>
#include <string.h>

#define SHARES 12u /* of the scope, of which one is run here */

static bool listed(const char *const *list, const char *name) {
  for (; *list; list++)
    if (strcmp(*list, name) == 0) return true;
  return false;
}

/* Exactly the rules of `wrong` give something that differs, of all native ones. */
static void sweep(const char *profile, or_frame f, const char *const *wrong) {
  up_error err = {0};
  up_profile *p = up_profile_load_interpreted(profile, &err);
  if (!p) fail_msg("%s", err.msg);
  uint32_t n = up_rule_count(p);
  pf_scope_row *row = calloc(n, sizeof *row);
  assert_non_null(row);
  assert_true(pf_scope_run(p, f, (pf_share){0, SHARES}, row));
  for (uint32_t r = 0; r < n; r++) {
    const char *name = up_rule_at(p, r).name;
    bool expected = listed(wrong, name);
    if ((row[r].wrong > 0) == expected) continue;
    fail_msg("%s %s: %s is %s: %s", profile, or_frame_name(f), name,
             expected ? "wrong, and nothing shows it" : "wrong",
             row[r].first.p ? row[r].first.p : "");
  }
  pf_scope_clear(row, n);
  free(row);
  up_profile_free(p);
}

/* Beside it the folds of constants, which wrap in a vector. */
static void the_congruence_fold_of_0_11_is_wrong_in_ideal(void **s) {
  (void)s;
  sweep("v0.11.0", OR_IDEAL,
        (const char *const[]){"fold_unary", "fold_binary", "fold_ternary", "fold_divmod_congruence",
                              NULL});
  sweep("v0.11.0:correct-divmod", OR_IDEAL,
        (const char *const[]){"fold_unary", "fold_binary", "fold_ternary", NULL});
}

static void four_folds_of_0_10_are_wrong_in_ideal(void **s) {
  (void)s;
  sweep("v0.10.0", OR_IDEAL,
        (const char *const[]){"fold_constants", "fold_unrolled_divs", "div_folding", "mod_folding",
                              NULL});
}

static void magic_numbers_and_masks_are_wrong_in_ideal(void **s) {
  (void)s;
  sweep("v0.11.0:decompositions", OR_IDEAL,
        (const char *const[]){"mod_to_and", "div_to_mul", NULL});
}

static void every_fold_of_sums_applies_in_the_scope(void **s) {
  (void)s;
  up_error err = {0};
  up_profile *p = up_profile_load_interpreted("v0.11.0", &err);
  pf_lemmas *l = pf_lemmas_load("v0.11.0", &err);
  assert_non_null(p);
  assert_non_null(l);
  uint32_t n = up_rule_count(p);
  pf_scope_row *row = calloc(n, sizeof *row);
  assert_non_null(row);
  assert_true(pf_scope_run(p, OR_IDEAL, (pf_share){1, SHARES}, row));
  unsigned folds = 0;
  for (uint32_t r = 0; r < n; r++) {
    pf_lemma one;
    if (!pf_lemma_at(l, up_rule_at(p, r).name, 0, &one)) continue;
    folds++;
    if (row[r].applied == 0) fail_msg("%s applied nowhere", up_rule_at(p, r).name);
  }
  assert_int_equal(folds, 11);
  pf_scope_clear(row, n);
  free(row);
  pf_lemmas_free(l);
  up_profile_free(p);
}

static void lemmas_are_from_native_rules_of_their_profile(void **s) {
  (void)s;
  for (unsigned i = 0; up_profile_known(i); i++) {
    up_error err = {0};
    const char *name = up_profile_known(i);
    up_profile *p = up_profile_load(name, &err);
    pf_lemmas *l = pf_lemmas_load(name, &err);
    if (!p || !l || !pf_lemmas_fit(l, p, &err)) fail_msg("%s: %s", name, err.msg);
    pf_lemmas_free(l);
    up_profile_free(p);
  }
}

static void the_flag_for_correct_division_has_its_own_lemmas(void **s) {
  (void)s;
  up_error err = {0};
  pf_lemma with, without, other;
  pf_lemmas *a = pf_lemmas_load("v0.11.0", &err),
            *b = pf_lemmas_load("v0.11.0:correct-divmod", &err);
  assert_non_null(a);
  assert_non_null(b);
  assert_true(pf_lemma_at(a, "fold_divmod_congruence", 0, &without));
  assert_true(pf_lemma_at(b, "fold_divmod_congruence", 0, &with));
  assert_non_null(without.book->rule[without.rule].known_wrong);
  assert_null(with.book->rule[with.rule].known_wrong);
  assert_true(pf_lemma_at(b, "divide_by_gcd", 1, &other));
  assert_false(pf_lemma_at(b, "divide_by_gcd", 2, &other));
  assert_false(pf_lemma_at(b, "no_such_rule", 0, &other));
  pf_lemmas_free(a);
  pf_lemmas_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_congruence_fold_of_0_11_is_wrong_in_ideal),
      cmocka_unit_test(four_folds_of_0_10_are_wrong_in_ideal),
      cmocka_unit_test(magic_numbers_and_masks_are_wrong_in_ideal),
      cmocka_unit_test(every_fold_of_sums_applies_in_the_scope),
      cmocka_unit_test(lemmas_are_from_native_rules_of_their_profile),
      cmocka_unit_test(the_flag_for_correct_division_has_its_own_lemmas),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
