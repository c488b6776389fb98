/* Rules as bit-vectors: what is proved, refuted and vacuous in wrap and refine. Every refutation is
 * confirmed by engine, exec_alu and reference evaluator. */
#include "common.h"

typedef struct survey {
  const up_profile *profile;
  pf_prover *prover;
  or_frame frame;
  unsigned n[PF_VERDICT_COUNT], confirmed;
  char first[400]; /* line or reason of the first answer that has one */
} survey;

static bool each(pf_instance *i, void *arg) {
  survey *s = arg;
  pf_answer a = pf_prove_bits(s->prover, i, s->frame);
  up_buf line = {0};
  char why[120] = "";
  s->n[a.verdict]++;
  if (a.verdict == PF_REFUTED && a.counterexample.len > 0)
    s->confirmed++; /* the engine found it */
  else if (a.verdict == PF_REFUTED && pf_confirm(s->profile, i, &a.point, s->frame, &line, why))
    s->confirmed++;
  if (s->first[0] == 0)
    snprintf(s->first, sizeof s->first, "%s%s%s", a.reason, why, line.len ? line.p : "");
  up_buf_free(&line);
  pf_answer_clear(&a);
  return true;
}

static survey survey_of(const char *text, or_frame f, const char *types) {
  pf_limits l = {.rlimit = 4000000};
  up_profile *p = profile_of(text);
  survey s = {.profile = p, .prover = pf_prover_new(&l), .frame = f};
  pf_left_out out = {0};
  assert_non_null(s.prover);
  pf_instances(&p->book, rule_of(p, strncmp(text, "bound", 5) == 0 ? "bound_r" : "r"),
               types_of(types), false, each, &s, &out);
  if (out.choices) fail_msg("%s: left out: %s", text, out.reason);
  pf_prover_free(s.prover);
  up_profile_free(p);
  return s;
}

/* All instances have this verdict. */
static void expect(const char *text, or_frame f, const char *types, pf_verdict want) {
  survey s = survey_of(text, f, types);
  unsigned all = 0;
  for (unsigned v = 0; v < PF_VERDICT_COUNT; v++) all += s.n[v];
  if (all == 0) fail_msg("%s: no instance", text);
  if (s.n[want] != all)
    fail_msg("%s in %s of %s: %u of %u %s; %s", text, or_frame_name(f), types, s.n[want], all,
             pf_verdict_name(want), s.first);
  if (want == PF_REFUTED && s.confirmed != all)
    fail_msg("%s in %s of %s: %u of %u confirmed; %s", text, or_frame_name(f), types, s.confirmed,
             all, s.first);
}

static void wrap_is_modular(void **state) {
  (void)state;
  expect("rule r : x * c0 + x * c1 -> x * (c0 + c1)", OR_WRAP, "char,uchar,int,ulong", PF_PROVED);
  expect("rule r : (x + c0) + c1 -> x + [c0 + c1]", OR_WRAP, "char,uchar,int", PF_PROVED);
  expect("rule r : x - y -> y - x", OR_WRAP, "char,int,ulong", PF_REFUTED);
  expect("rule r : (x * 2) // 2 -> x", OR_WRAP, "char,uchar,int,long", PF_REFUTED);
  expect("rule r : x < x + 1 -> True", OR_WRAP, "char,uint", PF_REFUTED);
}

static void wrap_divides_by_zero(void **state) {
  (void)state;
  expect("rule r : x // x -> 1", OR_WRAP, "char,uchar,int", PF_REFUTED);
  expect("rule r : x % x -> 0", OR_WRAP, "char,uchar,int", PF_PROVED);
  expect("rule r : x // (y * 0) -> 0", OR_WRAP, "char,ulong", PF_PROVED);
  expect("rule r : x % (y * 0) -> x", OR_WRAP, "char,ulong", PF_PROVED);
  expect("rule r : x // -1 -> -x", OR_WRAP, "char,int,long", PF_PROVED);
}

static void refine_knows_overflow(void **state) {
  (void)state;
  expect("rule r : (x * 2) // 2 -> x", OR_REFINE, "char,long", PF_PROVED);
  expect("rule r : (x * 2) // 2 -> x", OR_REFINE, "uchar,uint", PF_REFUTED);
  expect("rule r : x < x + 1 -> True", OR_REFINE, "char,long", PF_PROVED);
  expect("rule r : x // -1 -> -x", OR_REFINE, "char,long", PF_PROVED);
  expect("rule r : -x // -1 -> x", OR_REFINE, "char,long", PF_PROVED);
  expect("rule r : (x + y) - y -> x", OR_REFINE, "char,long", PF_PROVED);
  expect("rule r : NEG(x) -> x * -1", OR_REFINE, "char,short,int", PF_PROVED);
  expect("rule r : MULACC(x, y, z) -> x * y + z", OR_REFINE, "char", PF_REFUTED);
  expect("rule r : x * y + z -> MULACC(x, y, z)", OR_REFINE, "char,uchar", PF_PROVED);
}

static void constants_stay_in_their_dtype(void **state) {
  (void)state;
  /* 100 + 100 is no constant of char */
  expect("rule r : (x + c0) + c1 -> x + [c0 + c1]", OR_REFINE, "char", PF_REFUTED);
  expect("rule r : (x + c0) + c1 -> x + [c0 + c1] when c0 + c1 <= scalar_max(x) and"
         " c0 + c1 >= scalar_min(x)",
         OR_REFINE, "char,uchar,int", PF_PROVED);
  /* a vector's dtype counts as one integer of all its bits */
  expect("rule r : (x + c0) + c1 -> x + [c0 + c1] when count(x) > 1 and"
         " c0 + c1 <= dtype_max(x) and c0 + c1 >= dtype_min(x)",
         OR_REFINE, "char,int", PF_REFUTED);
  expect("rule r : (x // c0) // c1 -> x // [c0 * c1]", OR_REFINE, "char,uchar", PF_REFUTED);
}

/* In another lane a VCONST has another value. */
static void lists_have_many_values(void **state) {
  (void)state;
  for (or_frame f = OR_WRAP; f <= OR_REFINE; f++) {
    expect("bound bound_r : n:VCONST in [lane_min(n), lane_max(n)]", f, "char,uint", PF_PROVED);
    expect("bound bound_r : n:VCONST in [lane_min(n), lane_min(n)]", f, "char,uint", PF_REFUTED);
    expect("bound bound_r : n:VCONST in [lane_max(n), lane_max(n)]", f, "char,uint", PF_REFUTED);
    expect("rule r : MAX(c0, c1) -> c1 when c0 < c1 and count(c0) == 1", f, "char,uint", PF_PROVED);
    expect("rule r : MAX(c0, c1) -> c1 when c0 < c1 and count(c0) > 1", f, "char,uint", PF_REFUTED);
    expect("rule r : MAX(c0, c1) -> c1 when lane_max(c0) <= lane_min(c1)", f, "char,uint",
           PF_PROVED);
    expect("rule r : MAX(c0, c1) -> c1 when vmin(c0) <= vmin(c1) and count(c0) > 1", f, "char,uint",
           PF_REFUTED);
    expect("rule r : MAX(c0, c1) -> c0 when c0 < c1 and c1 < c0", f, "char", PF_VACUOUS);
    expect("rule r : (x + c0) - c1 -> x when c0 == c1", f, "char", PF_PROVED);
    expect("rule r : x * 0 -> [0]@char when count(x) > 1", f, "char", PF_REFUTED);
    expect("rule r : (x + c0) - c1 -> x when c0 <= c1 and count(x) > 1", f, "char", PF_REFUTED);
  }
}

/* A constant 0 has the factor 0. */
static void zero_is_a_factor(void **state) {
  (void)state;
  expect("rule r : x + y -> x when const_factor(y) == 0", OR_WRAP, "char", PF_PROVED);
  expect("rule r : x + y -> y when const_factor(y) == 0", OR_WRAP, "char", PF_REFUTED);
}

static void shifts(void **state) {
  (void)state;
  expect("rule r : x << 1 -> x * 2", OR_WRAP, "char,uchar,int", PF_PROVED);
  expect("rule r : x << 1 -> x * 2", OR_REFINE, "char,int", PF_PROVED);
  expect("rule r : x >> 1 -> x // 2", OR_REFINE, "char,long", PF_REFUTED);
  expect("rule r : x >> 1 -> x // 2", OR_WRAP, "uchar,uint", PF_PROVED);
  expect("rule r : x >> 1 -> x // 2 when vmin(x) >= 0", OR_WRAP, "char,int", PF_PROVED);
  expect("rule r : (x << 8) -> [0]@x", OR_WRAP, "uchar,char", PF_PROVED);
  expect("rule r : (x << 8) -> [0]@x", OR_REFINE, "uchar", PF_VACUOUS);
}

static void only_the_taken_arm_counts(void **state) {
  (void)state;
  expect("rule r : where(p, x, x) -> x", OR_REFINE, "bool,char,int", PF_PROVED);
  expect("rule r : where(p, x, y) -> where(!p, y, x)", OR_REFINE, "bool,char,int", PF_PROVED);
  expect("rule r : where(p, where(q, x, y), y) -> where(p & q, x, y)", OR_WRAP, "bool,char",
         PF_PROVED);
  expect("rule r : where(p, where(q, x, y), y) -> where(p & q, x, y)", OR_REFINE, "bool,char",
         PF_REFUTED);
  expect("rule r : x * 0 -> [0]@x", OR_REFINE, "char,int", PF_PROVED);
}

static void bounds_are_assumptions(void **state) {
  (void)state;
  expect("rule r : MAX(x, y) -> x when vmin(x) >= vmax(y)", OR_WRAP, "bool,char,ulong", PF_PROVED);
  expect("rule r : MAX(x, y) -> x when vmax(x) >= vmin(y)", OR_WRAP, "char,ulong", PF_REFUTED);
  expect("rule r : x % y -> x when vmin(x) >= 0 and vmax(x) < vmin(y)", OR_REFINE, "char,uchar",
         PF_PROVED);
  expect("rule r : x % y -> x when vmax(x) < vmin(y)", OR_REFINE, "char,int", PF_REFUTED);
}

static void vacuous_rules_prove_nothing(void **state) {
  (void)state;
  expect("rule r : x < c -> x when c > 5 and vmax(x) > 0 and c * c < 0", OR_WRAP, "char",
         PF_VACUOUS);
  expect("rule r : x + 300 -> x", OR_REFINE, "char,uchar", PF_VACUOUS);
}

/* Division of 64 bits is beyond bit-blasting. */
static void integers_carry_over_where_nothing_leaves_its_dtype(void **state) {
  (void)state;
  expect("rule r : x % c + (x // c) * c -> x", OR_WRAP, "long", PF_PROVED);
  expect("rule r : x % c + (x // c) * c -> x", OR_REFINE, "ulong", PF_PROVED);
  expect("rule r : r:(_ % y) % y -> r % y", OR_WRAP, "ulong", PF_PROVED);
  expect("rule r : x // x -> 1", OR_REFINE, "long", PF_PROVED);
  expect("rule r : x % x -> 0", OR_WRAP, "long", PF_PROVED);
}

static void functions_are_enough_where_operands_are_alike(void **state) {
  (void)state;
  expect("rule r : where(p, x, y) // where(p, z, w) -> where(p, x // z, y // w)", OR_WRAP, "long",
         PF_PROVED);
  expect("rule r : x * y + z -> z + y * x", OR_REFINE, "ulong", PF_PROVED);
}

static void wide_divisions_are_refuted_by_points(void **state) {
  (void)state;
  expect("rule r : (x // c0) // c1 -> x // [c0 * c1]", OR_WRAP, "ulong", PF_REFUTED);
  expect("rule r : k0 * x < k1 -> x < [float_ceildiv(k1, k0)] when k0 > 0 and k1 > 0", OR_REFINE,
         "long", PF_REFUTED);
  expect("rule r : x // y -> -(x // -y) when vmax(y) < 0", OR_WRAP, "long", PF_REFUTED);
}

/* Bounds that are assumed may lie anywhere, outside of the dtype too. */
static void bounds_rules(void **state) {
  (void)state;
  expect("bound bound_r : MAX(x, y)@ints in [max(vmin(x), vmin(y)), max(vmax(x), vmax(y))]",
         OR_WRAP, "char,ulong", PF_PROVED);
  expect("bound bound_r : ADD(x, y)@ints in [vmin(x) + vmin(y), vmax(x) + vmax(y)]", OR_REFINE,
         "char,long", PF_PROVED);
  expect("bound bound_r : ADD(x, y)@ints in [vmin(x) + vmin(y), vmax(x) + vmax(y)]", OR_WRAP,
         "char,uchar,long", PF_REFUTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrap_is_modular),
      cmocka_unit_test(wrap_divides_by_zero),
      cmocka_unit_test(refine_knows_overflow),
      cmocka_unit_test(constants_stay_in_their_dtype),
      cmocka_unit_test(lists_have_many_values),
      cmocka_unit_test(zero_is_a_factor),
      cmocka_unit_test(shifts),
      cmocka_unit_test(only_the_taken_arm_counts),
      cmocka_unit_test(bounds_are_assumptions),
      cmocka_unit_test(vacuous_rules_prove_nothing),
      cmocka_unit_test(integers_carry_over_where_nothing_leaves_its_dtype),
      cmocka_unit_test(functions_are_enough_where_operands_are_alike),
      cmocka_unit_test(wide_divisions_are_refuted_by_points),
      cmocka_unit_test(bounds_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
