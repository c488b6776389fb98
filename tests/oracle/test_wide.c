/* Values beyond 126 bits: intervals, bit-vectors of their width, claims about them. */
#include "rig.h"

static const char short_mul[] =
    "bound far_mul : MUL(x, y)@ints in [vmin(x)*vmin(y), vmax(x)*vmax(y) - 1]\n"
    "  when vmin(x) >= 0 and vmin(y) >= 0\n";
static const char high_mul[] =
    "bound far_mul : MUL(x, y)@ints in [vmin(x)*vmin(y) + 1, vmax(x)*vmax(y)]\n"
    "  when vmin(x) >= 0 and vmin(y) >= 0\n";

static rig rig_of(const char *rules) {
  up_error err = {0};
  or_limits l = or_limits_default();
  rig r = {.profile = up_profile_parse("sound", rules, strlen(rules), &err)};
  if (!r.profile) fail_msg("profile: %u:%u: %s", err.line, err.col, err.msg);
  r.c = up_ctx_new(r.profile);
  r.k = or_checker_new(&l);
  assert_true(r.c && r.k);
  return r;
}

/* The n-th power of a variable, as a chain. */
static up_node power(rig *r, up_node x, unsigned n) {
  up_node p = x;
  for (unsigned i = 1; i < n; i++) p = op2(r, UP_MUL, p, x);
  return p;
}

static void test_claims_hold(void **state) {
  (void)state;
  rig r = rig_of("");
  up_node x = var(&r, "x", -3, INT64_C(1) << 40, UP_LONG), y = var(&r, "y", 0, 200, UP_LONG);
  up_node big = op2(&r, UP_SUB, op2(&r, UP_SHL, power(&r, x, 5), y), power(&r, y, 30));
  or_answer a = or_bounds(r.k, r.c, big, OR_IDEAL);
  assert_verdict(a, OR_PROVED);
  assert_string_equal(a.stage, "interval");
  rig_free(&r);
}

/* Too low, or too high, by one at the end: at 2^160, where no 128-bit interval could tell. */
static void far_claim_fails(const char *rules, int64_t lo, const char *expected,
                            const char *actual) {
  rig r = rig_of(rules);
  up_node x = var(&r, "x", lo, INT64_C(1) << 40, UP_LONG);
  up_node square = op2(&r, UP_MUL, x, x), fourth = op2(&r, UP_MUL, square, square);
  or_answer a = or_bounds(r.k, r.c, fourth, OR_IDEAL);
  assert_verdict(a, OR_DIFFERS);
  assert_true(up_same(a.node, square)); /* the first that fails is one that fits */
  or_answer_clear(&a);
  up_node high = var(&r, "h", INT64_C(1) << 62, INT64_C(1) << 62, UP_LONG);
  up_node wide = op2(&r, UP_SHL, high, num(&r, 90, UP_LONG));
  a = or_bounds(r.k, r.c, op2(&r, UP_MUL, wide, num(&r, 2, UP_LONG)), OR_IDEAL);
  assert_verdict(a, OR_DIFFERS);
  assert_int_equal(up_op_of(r.c, a.node), UP_MUL);
  assert_string_equal(a.expected, expected);
  assert_string_equal(a.actual, actual);
  or_answer_clear(&a);
  rig_free(&r);
}

static void test_far_claims_fail(void **state) {
  (void)state;
  /* 2^62 * 2^90 * 2 = 2^153 */
  far_claim_fails(short_mul, 0, "11417981541647679048466287755595961091061972992",
                  "[11417981541647679048466287755595961091061972992, "
                  "11417981541647679048466287...");
  far_claim_fails(high_mul, 0, "11417981541647679048466287755595961091061972992",
                  "[11417981541647679048466287755595961091061972993, "
                  "11417981541647679048466287...");
}

/* Ends between 2^126 and 2^127 fit in 128 bits, and are beyond what intervals there tell: 6 * k**4, and
 * a least value that is one too high, which no sample is asked about. */
static void test_claims_between_are_asked(void **state) {
  (void)state;
  const char *const rules[] = {"", high_mul};
  for (unsigned i = 0; i < 2; i++) {
    rig r = rig_of(rules[i]);
    or_limits l = or_limits_default();
    l.samples = 0;
    l.max_points = 0;
    or_checker_free(r.k);
    r.k = or_checker_new(&l);
    up_node x = var(&r, "x", 6, 6, UP_LONG), k = var(&r, "k", 2147483646, 2147483646, UP_LONG);
    up_node n = op2(&r, UP_MUL, x, power(&r, k, 4));
    or_answer a = or_bounds(r.k, r.c, n, OR_IDEAL);
    assert_verdict(a, i == 0 ? OR_PROVED : OR_DIFFERS);
    or_answer_clear(&a);
    rig_free(&r);
  }
}

/* (x << 100) + y compared with itself in another order, and with something near it: bit-vectors of
 * 170 bits decide both. */
static void test_solver_is_wide(void **state) {
  (void)state;
  rig r = rig_of("");
  up_node x = var(&r, "x", 0, INT64_MAX, UP_LONG), y = var(&r, "y", 0, INT64_MAX, UP_LONG);
  up_node hundred = num(&r, 100, UP_LONG), five = num(&r, 5, UP_LONG);
  up_node a = op2(&r, UP_XOR, op2(&r, UP_SHL, x, hundred), y);
  up_node same = op2(&r, UP_ADD, y, op2(&r, UP_SHL, x, hundred));
  or_answer e = or_equiv(r.k, r.c, a, same, OR_IDEAL, NULL);
  assert_verdict(e, OR_PROVED);
  assert_string_equal(e.stage, "z3-bv");
  /* differs only where bit 60 of y is set and bit 1 of x not */
  up_node b60 = op2(&r, UP_AND, op2(&r, UP_SHR, y, num(&r, 60, UP_LONG)), num(&r, 1, UP_LONG));
  up_node off = op2(&r, UP_CMPEQ, op2(&r, UP_AND, x, five), five);
  up_node near = op2(&r, UP_SUB, a, op2(&r, UP_MUL, b60, up_cast(r.c, off, up_dt(UP_LONG))));
  e = or_equiv(r.k, r.c, a, near, OR_IDEAL, NULL);
  assert_verdict(e, OR_DIFFERS);
  or_answer_clear(&e);
  rig_free(&r);
}

/* The wide intervals hold what the reference evaluator gets, at the corners of random graphs that
 * are multiplied up. */
static void check_slots(rig *r, up_node root, uint64_t *checked) {
  pr_program *p = &r->k->program;
  if (pr_build_pair(p, r->c, root, root, OR_IDEAL) != PR_OK || p->vacuous) return;
  mpz_t lo, hi, short_end;
  mpz_inits(lo, hi, short_end, NULL);
  for (unsigned corner = 0; corner < 8; corner++) {
    or_witness w;
    or_values v;
    assert_true(pr_witness_init(p, &w));
    for (uint32_t i = 0; i < w.n; i++)
      or_i128_to_mpz(corner >> (i % 3) & 1 ? p->var[i].domain.hi : p->var[i].domain.lo, w.value[i]);
    assert_true(or_eval(r->c, root, OR_IDEAL, &w, &v));
    for (uint32_t s = 0; s < p->n - p->nassume; s++) {
      if (pr_range_finite(p->ins[s].value) || !pr_wide_ends(p, s, lo, hi)) continue;
      for (uint32_t i = 0; i < v.n; i++) {
        if (!up_same(v.node[i], p->ins[s].node) || v.lane[i] != p->ins[s].lane) continue;
        if (v.def[i] != OR_VALUE_OK) continue;
        (*checked)++;
        assert_true(mpz_cmp(lo, v.value[i]) <= 0 && mpz_cmp(v.value[i], hi) <= 0);
        pr_range narrow = p->ins[s].value; /* infinite is below or above all */
        or_i128_to_mpz(narrow.lo, short_end);
        assert_true(narrow.lo == OR_I128_MIN || mpz_cmp(short_end, v.value[i]) <= 0);
        or_i128_to_mpz(narrow.hi, short_end);
        assert_true(narrow.hi == OR_I128_MAX || mpz_cmp(v.value[i], short_end) <= 0);
        assert_true(mpz_sizeinbase(v.value[i], 2) + (mpz_sgn(v.value[i]) >= 0) <= p->ins[s].bits);
      }
    }
    or_values_clear(&v);
    or_witness_clear(&w);
  }
  mpz_clears(lo, hi, short_end, NULL);
}

/* Each op over operands that are wide, of either sign, and mixed. */
static void test_intervals_hold_values(void **state) {
  (void)state;
  static const up_op ops[] = {UP_ADD, UP_SUB, UP_MUL, UP_MAX, UP_IDIV,     UP_MOD,     UP_AND,
                              UP_OR,  UP_XOR, UP_SHL, UP_SHR, UP_FLOORDIV, UP_FLOORMOD};
  static const int64_t ends[][2] = {{-5, 7}, {3, 9}, {-9, -3}, {INT64_MIN, INT64_MAX}, {0, 60}};
  uint64_t checked = 0;
  rig r = rig_of("");
  for (unsigned i = 0; i < 25; i++) {
    up_node x = var(&r, "x", ends[i / 5][0], ends[i / 5][1], UP_LONG);
    up_node y = var(&r, "y", ends[i % 5][0], ends[i % 5][1], UP_LONG);
    up_node up = op2(&r, UP_SHL, x, num(&r, 130, UP_LONG)), small = num(&r, 140, UP_LONG);
    for (unsigned o = 0; o < sizeof ops / sizeof ops[0]; o++) {
      up_node wide = op2(&r, UP_ADD, op2(&r, UP_MUL, up, y), y);
      up_node with[] = {up, y, op2(&r, UP_SHL, y, small), op2(&r, UP_SUB, up, y)};
      for (unsigned k = 0; k < 4; k++) {
        check_slots(&r, op2(&r, ops[o], wide, with[k]), &checked);
        check_slots(&r, op2(&r, ops[o], with[k], wide), &checked);
      }
      up_node where = up_where(r.c, op2(&r, UP_CMPLT, x, y), wide, up);
      check_slots(&r, op2(&r, ops[o], where, y), &checked);
    }
    up_ctx_reset(r.c);
  }
  assert_true(checked > 10000);
  rig_free(&r);
}

/* All small intervals of both signs, every value of them: the narrow ones, too. */
static void test_bits_of_small_intervals(void **state) {
  (void)state;
  static const up_op ops[] = {UP_AND, UP_OR, UP_XOR};
  rig r = rig_of("");
  for (unsigned i = 0; i < 3 * 9 * 9 * 9 * 9; i++) {
    int e[4] = {(int)(i % 9) - 4, (int)(i / 9 % 9) - 4, (int)(i / 81 % 9) - 4,
                (int)(i / 729 % 9) - 4};
    if (e[0] > e[1] || e[2] > e[3]) continue;
    up_op op = ops[i / 6561];
    up_ctx_reset(r.c);
    up_node x = var(&r, "x", e[0], e[1], UP_INT), y = var(&r, "y", e[2], e[3], UP_INT);
    up_node n = op2(&r, op, x, y);
    pr_program *p = &r.k->program;
    assert_int_equal(pr_build_pair(p, r.c, n, n, OR_IDEAL), PR_OK);
    pr_range v = p->ins[p->root[0].a].value;
    for (int a = e[0]; a <= e[1]; a++)
      for (int b = e[2]; b <= e[3]; b++) {
        int got = op == UP_AND ? (a & b) : op == UP_OR ? (a | b) : (a ^ b);
        if (got < v.lo || got > v.hi) fail_msg("%s of %d and %d is %d", up_op_name(op), a, b, got);
      }
  }
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_claims_hold),
      cmocka_unit_test(test_far_claims_fail),
      cmocka_unit_test(test_claims_between_are_asked),
      cmocka_unit_test(test_solver_is_wide),
      cmocka_unit_test(test_intervals_hold_values),
      cmocka_unit_test(test_bits_of_small_intervals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
