/* What carries over from ideal to wrap and refine: by congruence, by ranges, and under which condition
 * what is refuted there holds. */
#include "common.h"
#include "proofs/bits.h"

typedef struct asked {
  or_frame frame;
  const up_profile *profile;
  bool (*ask)(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *out);
  unsigned yes, no;
  pf_answer last; /* without its texts */
} asked;

static bool each(pf_instance *i, void *arg) {
  asked *s = arg;
  pf_limits l = {.rlimit = 4000000, .profile = s->profile};
  pf_prover *p = pf_prover_new(&l);
  assert_non_null(p);
  pf_answer a = {.verdict = PF_UNKNOWN};
  *(s->ask(p, i, s->frame, &a) ? &s->yes : &s->no) += 1;
  s->last = a;
  pf_answer_clear(&a);
  pf_prover_free(p);
  return true;
}

static asked ask(const char *text, or_frame f, const char *types,
                 bool (*how)(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *out)) {
  up_profile *p = profile_of(text);
  asked s = {.frame = f, .profile = p, .ask = how};
  pf_left_out out = {0};
  uint32_t r = rule_of(p, strncmp(text, "bound", 5) == 0 ? "bound_r" : "r");
  pf_instances(&p->book, r, types_of(types), false, each, &s, &out);
  if (s.yes + s.no == 0 || out.choices) fail_msg("%s: no instance", text);
  up_profile_free(p);
  return s;
}

/* ---- congruence ------------------------------------------------------------------------------------ */

static bool congruent(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *out) {
  (void)f;
  return bv_prove_by_congruence(p, i, false, out);
}

static void expect_congruent(const char *text, const char *types, bool want) {
  asked s = ask(text, OR_WRAP, types, congruent);
  if (want ? s.no > 0 : s.yes > 0) fail_msg("%s: %u proved, %u not", text, s.yes, s.no);
}

static void sums_of_exact_quotients_carry_over(void **state) {
  (void)state;
  expect_congruent("rule r : (x // c1) * c3 + x % c1 * c2 -> x * c2 when c1 * c2 == c3",
                   "char,uint,long", true);
  expect_congruent("rule r : x % c + (x // c) * c -> x", "int,ulong", true);
  expect_congruent("rule r : (x & y) * 2 -> x * 2 - (x - (x & y)) * 2", "int,ulong", true);
  expect_congruent("bound bound_r : MOD(x, y)@ints in [-abs(vmax(y)) + 1, abs(vmax(y)) - 1]"
                   "  when vmin(y) == vmax(y) and vmin(y) != 0",
                   "int,long", true);
}

static void what_wraps_is_not_divided_or_compared(void **state) {
  (void)state;
  expect_congruent("rule r : (x * 2) // 2 -> x", "int", false);
  expect_congruent("rule r : x < x + 1 -> True", "int", false);
  expect_congruent("rule r : (x << 1) >> 1 -> x", "ulong", false);
  expect_congruent("rule r : where(x + 1 < w, y, z) -> where(x + 1 < w, y, z) + 0", "int", false);
  expect_congruent("bound bound_r : ADD(x, y)@ints in [vmin(x) + vmin(y), vmax(x) + vmax(y)]",
                   "int", false);
  /* what is said of a sum is said of the sum that wrapped */
  expect_congruent("rule r : n:(x + y) * z -> (x + y) * z + 0 when vmin(n) >= 0", "int", false);
  /* at 0 ideal says nothing */
  expect_congruent("rule r : (x // x) * y -> y", "int", false);
}

/* ---- ranges ------------------------------------------------------------------------------------------ */

static bool by_ints(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *out) {
  z3_session z = {0};
  bool proved = bv_prove_by_ints(&z, p->limits.rlimit, i, f, false, true, out);
  z3_free(&z);
  return proved;
}

/* A shift that leaves its dtype is among what bit-vectors are asked about. */
static void shifts_leave_their_dtype(void **state) {
  (void)state;
  asked s = ask("rule r : (x << 1) >> 1 -> x", OR_WRAP, "char,ulong", by_ints);
  assert_int_equal(s.yes, 0);
  s = ask("rule r : (x << 1) >> 1 -> x", OR_REFINE, "char,long", by_ints);
  assert_int_equal(s.no, 0);
}

/* ---- conditions --------------------------------------------------------------------------------------- */

static bool whole(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *out) {
  *out = pf_prove_bits(p, i, f);
  return out->verdict == PF_PROVED;
}

static void expect_while(const char *text, or_frame f, const char *types, pf_while want,
                         bool left_stays) {
  asked s = ask(text, f, types, whole);
  if (s.last.verdict != PF_REFUTED || s.last.holds_while != want || s.last.left_stays != left_stays)
    fail_msg("%s in %s of %s: %s, %s, %d", text, or_frame_name(f), types,
             pf_verdict_name(s.last.verdict), pf_while_name(s.last.holds_while), s.last.left_stays);
}

static void what_has_to_stay_in_range(void **state) {
  (void)state;
  expect_while("rule r : (x * 2) // 2 -> x", OR_WRAP, "char", PF_WHILE_LEFT, false);
  expect_while("rule r : (x * 2) // 2 -> x", OR_WRAP, "ulong", PF_WHILE_LEFT, false);
  expect_while("rule r : x // x -> 1", OR_WRAP, "int", PF_WHILE_LEFT, false);
  expect_while("rule r : (x + c0) + c1 -> x + [c0 + c1]", OR_REFINE, "char", PF_WHILE_BOTH, true);
  expect_while("rule r : c0 + x < c1 -> x < [c1 - c0]", OR_WRAP, "long", PF_WHILE_BOTH, true);
  expect_while("rule r : x - y -> y - x", OR_WRAP, "int", PF_NEVER, true);
  /* -1 is no number of an unsigned dtype: nothing would be left */
  expect_while("rule r : x // 2 -> -1 * x", OR_WRAP, "uint", PF_NEVER, true);
}

/* ---- the two cases of a condition ------------------------------------------------------------------ */

static bool by_bits(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *out) {
  *out = pf_prove_bits(p, i, f);
  return out->verdict == PF_PROVED;
}

static void each_arm_of_a_where_is_a_case(void **state) {
  static const char *const right[] = {
      "rule r : where(p, x, y) << z -> where(p, x << z, y << z)",
      "rule r : where(p, x, y) * z -> where(p, z * x, z * y)",
      "rule r : where(p, x, y) - where(p, z, w) -> where(p, x - z, y - w)"};
  static const char *const wrong[] = {
      "rule r : where(p, x, y) << z -> where(p, x << z, x << z)", /* in one arm alone */
      "rule r : where(p, x, y) << z -> where(p, y << z, y << z)",
      "rule r : where(p, x, y) - z -> where(p, x - z, z - y)",
      "rule r : where(p, x, y) + z -> where(p, y + z, x + z)"};
  (void)state;
  for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
    asked s = ask(right[k], OR_REFINE, "long", by_bits);
    if (s.no > 0) fail_msg("%s: not proved", right[k]);
    assert_string_equal(s.last.by, "z3 bits, by condition");
  }
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    asked s = ask(wrong[k], OR_REFINE, "long", by_bits);
    if (s.yes > 0) fail_msg("%s: proved", wrong[k]);
    assert_int_equal(s.last.verdict, PF_REFUTED);
  }
}

/* ---- bounds of what wraps --------------------------------------------------------------------------- */

/* Of rules that hold in ideal, which is not asked here. */
static bool reduced(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *out) {
  (void)f;
  p->limits.holds_in_ideal = true;
  return bv_prove_by_reduction(p, i, out);
}

static void expect_reduced(const char *text, const char *types, bool want) {
  asked s = ask(text, OR_WRAP, types, reduced);
  if (want ? s.no > 0 : s.yes > 0) fail_msg("%s: %u proved, %u not", text, s.yes, s.no);
}

static void what_wraps_is_at_most_the_exact_number(void **state) {
  (void)state;
  expect_reduced("bound bound_r : MUL(x, y)@ints in [min(0, vmin(x)), max(0, vmax(x) * vmax(y))]",
                 "uchar,ulong", true);
  expect_reduced("bound bound_r : ADD(x, y)@ints in [min(vmin(x), min(vmin(y), -1)), vmax(x)]",
                 "uint", true);
  /* a sum below 0 or above MAX, of a signed dtype, comes out at the other end */
  expect_reduced("bound bound_r : ADD(x, y)@ints in [min(0, vmin(x)), max(0, vmax(x) + vmax(y))]",
                 "char,long", false);
  /* 0 - 1 is MAX */
  expect_reduced("bound bound_r : SUB(x, y)@ints in [min(0, vmin(x)), max(0, vmax(x) - vmin(y))]",
                 "uchar,ulong", false);
  /* 200 + 100 is 44 */
  expect_reduced("bound bound_r : ADD(x, y)@ints in [vmin(x) + vmin(y), vmax(x) + vmax(y)]",
                 "uchar", false);
  expect_reduced("bound bound_r : ADD(x, y)@ints in [min(1, vmin(x) + vmin(y)), vmax(x) + vmax(y)]",
                 "uchar", false);
  /* under a condition nothing is said */
  expect_reduced("bound bound_r : MUL(x, y)@ints in [0, vmax(x) * vmax(y)] when vmin(x) >= 0",
                 "uchar", false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_of_exact_quotients_carry_over),
      cmocka_unit_test(what_wraps_is_not_divided_or_compared),
      cmocka_unit_test(shifts_leave_their_dtype),
      cmocka_unit_test(what_has_to_stay_in_range),
      cmocka_unit_test(each_arm_of_a_where_is_a_case),
      cmocka_unit_test(what_wraps_is_at_most_the_exact_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
