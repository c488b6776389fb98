/* Verdicts in ideal, pinned: true rules are proved, wrong ones refuted at a point that is one. */
#include "proofs/concrete.h"
#include "proofs/prove.h"
#include "tests/support/cm.h"
#include <string.h>

typedef struct seen {
  pf_prover *prover;
  pf_verdict verdict;
  unsigned n;
  bool point_fails;
} seen;

static bool prove(pf_instance *i, void *arg) {
  seen *s = arg;
  pf_answer a = pf_prove_ints(s->prover, i);
  if (s->n++ == 0) s->verdict = a.verdict;
  if (a.verdict != s->verdict) fail_msg("%s: %s", i->label, pf_verdict_name(a.verdict));
  if (a.verdict == PF_REFUTED)
    s->point_fails =
        cc_run(i, &a.point, true) == CC_FAILS || cc_run(i, &a.point, false) == CC_FAILS;
  if (a.verdict == PF_PROVED && a.witness.len == 0) fail_msg("%s: no witness", i->label);
  pf_answer_clear(&a);
  return true;
}

/* One verdict for all instances of the rule r. */
static void expect(const char *text, pf_verdict want) {
  up_error e = {0};
  up_profile *p = up_profile_parse("v0.11.0", text, strlen(text), &e);
  if (!p) fail_msg("%s: %u:%u: %s", text, e.line, e.col, e.msg);
  pf_limits l = {.rlimit = 4000000, .profile = p};
  seen s = {.prover = pf_prover_new(&l)};
  pf_left_out left;
  assert_non_null(s.prover);
  assert_true(pf_instances(&p->book, (uint32_t)up_rule_find(p, "r"), ~0u, true, prove, &s, &left));
  if (s.n == 0 || s.verdict != want) fail_msg("%s: %s", text, pf_verdict_name(s.verdict));
  if (want == PF_REFUTED) assert_true(s.point_fails);
  pf_prover_free(s.prover);
  up_profile_free(p);
}

static void test_proved(void **state) {
  (void)state;
  expect("rule r : (x // c1) // c2 -> x // (c1 * c2)", PF_PROVED);
  expect("rule r : x % c + (x // c) * c -> x", PF_PROVED);
  expect("rule r : x@ints // k0 < k1 -> x < [k1 * k0] when k0 > 0 and k1 > 0", PF_PROVED);
  expect("rule r : x % y -> -((-x) % y) when vmax(x) <= 0", PF_PROVED);
  expect("rule r : k0 * x@ints < k1 -> x < [ceildiv(k1, k0)] when k0 > 0", PF_PROVED);
  expect("rule r : max(x, y) -> x when vmin(x) >= vmax(y)", PF_PROVED);
  expect("rule r : (x & c1) & c2 -> x & (c1 & c2)", PF_PROVED);
  expect("rule r : b:CAST(a:CAST(x@int)@char)@ulong -> CAST(x)@b"
         " when vmin(x) >= scalar_min(a) and vmax(x) <= scalar_max(a)",
         PF_PROVED);
  expect("rule r : r:CAST(c@int)@ulong"
         " -> [floormod(c - scalar_min(r), scalar_max(r) - scalar_min(r) + 1) + scalar_min(r)]",
         PF_PROVED);
  expect("bound r : MUL(x, y)@ints in [0, vmax(x)*vmax(y)] when vmin(x) >= 0 and vmin(y) >= 0",
         PF_PROVED);
  /* by the order of quotients */
  expect("bound r : IDIV(x, y)@ints in [vmin(x) // vmin(y) - 1, vmax(x) // vmax(y)]"
         " when vmax(x) <= 0 and vmin(y) > 0",
         PF_PROVED);
  expect("bound r : SHR(x, y)@ints in [vmin(x) >> vmin(y), 0]"
         " when vmax(x) < 0 and vmin(y) >= 0",
         PF_PROVED);
}

/* Each slip of these is one that was made. */
static void test_refuted(void **state) {
  (void)state;
  expect("rule r : x@ints // k0 < k1 -> x < [k1 * k0] when k0 > 0", PF_REFUTED);
  expect("rule r : (x + c1) // c2 -> x // c2 when c1 < c2", PF_REFUTED);
  expect("rule r : k0 * x@ints < k1 -> x < [floordiv(k1, k0)] when k0 > 0", PF_REFUTED);
  expect("rule r : k0 * x@ints < k1 -> x < [float_ceildiv(k1, k0)] when k0 > 0 and k1 > 0",
         PF_REFUTED);
  expect("rule r : x % y -> x when vmin(x) >= 0 and vmax(x) <= vmin(y)", PF_REFUTED);
  expect("rule r : x // y -> 0 when vmax(x) < vmin(y)", PF_REFUTED);
  expect("rule r : where(p, where(q, x@int, y), y) -> where(p & q, x, y)", PF_REFUTED);
  expect("rule r : b:CAST(a:CAST(x@int)@char)@ulong -> CAST(x)@b"
         " when vmin(x) >= scalar_min(a) and vmax(x) <= scalar_max(a) + 1",
         PF_REFUTED);
  expect("rule r : r:CAST(c@int)@long"
         " -> [floormod(c, scalar_max(r) - scalar_min(r) + 1)]",
         PF_REFUTED);
  expect("bound r : MOD(x, y)@ints in [0, vmax(y) - 1] when vmin(y) > 0", PF_REFUTED);
  /* only where the analysis of a named op knows less than its value */
  expect("rule r : n:(x@sints + k0) // k1"
         " -> -((-([floormod(k0, k1)] + x + [1 - k1])) // k1) + [floordiv(k0, k1)]"
         " when vmax(x) <= 0 and vmax(n) >= 0 and k1 > 0",
         PF_REFUTED);
  /* ends that are no constants; of a bool, a lower bound that is none of its values */
  expect("bound r : RANGE(x, ..) in [0, vmin(x) - 1]", PF_REFUTED);
  expect("bound r : n:DEFINE_VAR in [var_max(n), var_max(n)]", PF_REFUTED);
  expect("bound r : n:SPECIAL in [0, special_size(n) - 2]", PF_REFUTED);
  expect("bound r : BIND(x, ..) in [vmin(x), vmin(x)]", PF_REFUTED);
  expect("bound r : n:VECTORIZE in [src_vmin(n), src_vmin(n)]", PF_REFUTED);
  expect("bound r : MUL(x, y)@bool in [vmin(x) - 1, vmax(y)]", PF_REFUTED);
}

/* What lies between the bounds of its sources: a vector of them, and no sum. */
static void test_sources(void **state) {
  (void)state;
  expect("bound r : n:VECTORIZE in [src_vmin(n), src_vmax(n)]", PF_PROVED);
  expect("bound r : n:MAX@ints in [src_vmin(n), src_vmax(n)]", PF_PROVED);
  expect("bound r : n:ADD@ints in [src_vmin(n), src_vmax(n)]", PF_REFUTED);
  expect("bound r : n:MAX@ints in [src_vmin(n), src_vmax(n) - 1]", PF_REFUTED);
  /* beside an op that has no value, too: those instances are left out */
  expect("bound r : n:{UNROLL, VECTORIZE} in [src_vmin(n), src_vmax(n)]", PF_PROVED);
  expect("bound r : n:{EXPAND, VECTORIZE} in [src_vmin(n), src_vmax(n)]", PF_PROVED);
}

/* One lane is judged; a VCONST has other values in others, and a vector another range of its dtype. */
static void test_lanes(void **state) {
  (void)state;
  expect("bound r : n:VCONST in [lane_min(n), lane_max(n)]", PF_PROVED);
  expect("bound r : n:VCONST in [lane_min(n), lane_min(n)]", PF_REFUTED);
  expect("bound r : n:VCONST in [lane_max(n), lane_max(n)]", PF_REFUTED);
  expect("bound r : n:VCONST in [n, n]", PF_VACUOUS); /* a list is no number */
  expect("rule r : IDIV(c0, c1)@ints -> [c0 // c1] when lane_min(c1) > 0 or lane_max(c1) < 0",
         PF_PROVED);
  expect("rule r : IDIV(c0, c1)@ints -> [c0 // lane_max(c1)] when lane_min(c1) > 0"
         " and count(c0) > 1",
         PF_REFUTED);
  expect("rule r : SHL(c0, c1)@ints -> [c0 << lane_min(c1)] when lane_min(c1) >= 0"
         " and count(c0) > 1",
         PF_REFUTED);
  expect("rule r : max(x * c1, x * c2) -> x * c1 when vmin(x) >= 0 and c1 >= c2 and count(x) == 1",
         PF_PROVED);
  expect("rule r : max(x * c1, x * c2) -> x * c1 when vmin(x) >= 0 and c1 >= c2 and count(x) > 1",
         PF_REFUTED);
  expect("rule r : max(x * c1, x * c2) -> x * c1"
         " when vmin(x) >= 0 and lane_min(c1) >= lane_max(c2)",
         PF_PROVED);
  expect("rule r : max(x, c) -> [vmin(x)] when vmin(c) <= vmin(x) and vmax(x) == vmin(x)"
         " and count(x) > 1",
         PF_REFUTED);
  expect("rule r : x@int * c0 + c1 -> x when c0 == 1 and c1 == 0", PF_PROVED);
  expect("rule r : (x@int + c0) - c1 -> x when c0 == c1", PF_PROVED);
  expect("rule r : (x@int + c0) - c1 -> x when not (c0 < c1) and not (c1 < c0) and count(x) == 1",
         PF_PROVED);
  expect("rule r : (x@int + c0) - c1 -> x when c0 >= c1 and count(x) > 1", PF_REFUTED);
  expect("rule r : max(x@int, y) -> x when op(y) in {CONST, VCONST} and vmin(x) >= vmin(y)"
         " and count(x) == 1",
         PF_PROVED);
  expect("rule r : max(x@int, y) -> x when op(y) in {CONST} and vmin(x) >= vmin(y)", PF_PROVED);
  expect("rule r : x@int + y -> [0]@x when count(x) > 2 and count(x) < 2", PF_VACUOUS);
  /* 200 is in the range of char.vec(2) */
  expect("rule r : CAST(CAST(x@int)@char)@int -> x when dtype_min(x) <= vmin(x)"
         " and vmax(x) <= dtype_max(x) and count(x) > 1",
         PF_REFUTED);
  /* one uint, of however many ulongs */
  expect("rule r : CAST(x@ulong & 4294967295)@uint -> CAST(x)@uint when count(x) > 1", PF_REFUTED);
  expect("rule r : CAST(x@ulong & 4294967295)@uint -> CAST(x)@uint when count(x) == 1", PF_PROVED);
  expect("rule r : a:CAST(x@ulong & 4294967295)@uint -> CAST(x)@a", PF_PROVED);
  expect("rule r : x@int * 0 -> [0]@int when count(x) > 1", PF_REFUTED);
}

static void test_vacuous(void **state) {
  (void)state;
  expect("rule r : x@int + k -> x when k > 3 and k < 2", PF_VACUOUS);
  expect("rule r : x@int // 0 -> 0", PF_VACUOUS);
  expect("rule r : x@int + y -> y when vmin(x) > vmax(x)", PF_VACUOUS);
}

/* Facts come from an analysis: what is not known proves nothing. */
static void test_facts_are_one_sided(void **state) {
  (void)state;
  expect("rule r : max(x@int, 0) -> 0 when not (vmax(x) > 0)", PF_PROVED);
  expect("rule r : max(x@int, 0) -> 0 when not (vmin(x) >= 0)", PF_REFUTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_proved),  cmocka_unit_test(test_refuted),
      cmocka_unit_test(test_sources), cmocka_unit_test(test_lanes),
      cmocka_unit_test(test_vacuous), cmocka_unit_test(test_facts_are_one_sided),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
