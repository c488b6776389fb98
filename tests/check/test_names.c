/* The words that scripts read. */
#include "common.h"

static void test_frames(void **state) {
  (void)state;
  const char *words[] = {"ideal", "wrap", "refine"};
  for (unsigned i = 0; i < OR_FRAME_COUNT; i++) {
    or_frame f = OR_FRAME_COUNT;
    assert_string_equal(or_frame_name((or_frame)i), words[i]);
    assert_true(or_frame_parse(words[i], &f));
    assert_int_equal(f, i);
  }
  or_frame f = OR_WRAP;
  assert_false(or_frame_parse("Ideal", &f));
  assert_false(or_frame_parse("", &f));
  assert_false(or_frame_parse("wrapped", &f));
  assert_int_equal(f, OR_WRAP);
}

static void test_kinds(void **state) {
  (void)state;
  const char *words[] = {"value", "bounds", "nontermination", "crash",
                         "dtype", "spec",   "idempotence"};
  for (unsigned i = 0; i <= OR_IDEMPOTENCE; i++) {
    or_kind k = OR_VALUE;
    assert_string_equal(or_kind_name((or_kind)i), words[i]);
    assert_true(or_kind_parse(words[i], &k));
    assert_int_equal(k, i);
  }
  or_kind k;
  assert_false(or_kind_parse("loop", &k));
}

static void test_verdicts(void **state) {
  (void)state;
  assert_string_equal(or_verdict_name(OR_PROVED), "proved");
  assert_string_equal(or_verdict_name(OR_EXHAUSTED), "exhausted");
  assert_string_equal(or_verdict_name(OR_CERTIFIED), "certified");
  assert_string_equal(or_verdict_name(OR_SAMPLED), "sampled");
  assert_string_equal(or_verdict_name(OR_DIFFERS), "differs");
  assert_string_equal(or_verdict_name(OR_UNDECIDED), "undecided");
  assert_string_equal(or_verdict_name(OR_UNSUPPORTED), "unsupported");
  assert_string_equal(or_verdict_name(OR_ERROR), "error");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_kinds),
                                     cmocka_unit_test(test_verdicts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
