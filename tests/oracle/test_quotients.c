/* Quotients and remainders of the lanes go through floating point where that is exact: at the ends of
 * every width, and next to every multiple of a divisor there, they are those of integers. */
#include "rig.h"

static or_i128 clip(or_i128 v, or_i128 lo, or_i128 hi) { return v < lo ? lo : v > hi ? hi : v; }

/* Dividends: the ends of [lo, hi], and multiples of k and their neighbours near the ends and 0. */
static unsigned dividends(or_i128 lo, or_i128 hi, or_i128 k, or_i128 out[64]) {
  const or_i128 near[] = {lo, lo / 2, 0, hi / 2, hi};
  unsigned n = 0;
  for (unsigned i = 0; i < 5; i++) {
    for (or_i128 m = -1; m <= 1; m++) {
      for (or_i128 off = -1; off <= 1; off++) out[n++] = clip((near[i] / k + m) * k + off, lo, hi);
    }
  }
  return n;
}

static up_int exact(rig *r, or_i128 v) {
  mpz_t m;
  mpz_init(m);
  or_i128_to_mpz(v, m);
  up_int i = up_int_from_mpz(r->c, m);
  mpz_clear(m);
  return i;
}

/* The op on two numbers that do not overflow it. */
static or_i128 expected(up_op op, or_i128 a, or_i128 k) {
  or_i128 q = a / k, r = a % k;
  if ((op == UP_FLOORDIV || op == UP_FLOORMOD) && r != 0 && (r < 0) != (k < 0)) {
    q--;
    r += k;
  }
  return op == UP_IDIV || op == UP_FLOORDIV ? q : r;
}

/* x op k for x in [lo, hi]; k as a constant, or as a variable that can be anything up to |k|. */
static void check(rig *r, up_op op, or_i128 lo, or_i128 hi, or_i128 k, bool constant) {
  up_ctx_reset(r->c);
  up_dtype t = up_dt(UP_LONG);
  or_i128 size = k < 0 ? -k : k, at[64];
  up_node x = up_var(r->c, "x", exact(r, lo), exact(r, hi), t);
  up_node y = constant ? up_const(r->c, t, up_val_int(exact(r, k)))
                       : up_var(r->c, "y", exact(r, -size), exact(r, size), t);
  pr_program *p = &r->k->program;
  bl_machine *m = &r->k->machine;
  up_node q = up_binary(r->c, op, x, y), zero = num(r, 0, UP_LONG);
  assert_int_equal(pr_build_pair(p, r->c, q, zero, OR_WRAP), PR_OK);
  assert_int_equal(bl_prepare(m, p, NULL, BL_LANES), BL_OK);
  unsigned n = dividends(lo, hi, k, at);
  for (uint32_t v = 0; v < p->nvar; v++) {
    for (unsigned i = 0; i < n; i++) bl_fill(m, v, i, 1, up_same(p->var[v].node, x) ? at[i] : k, 1);
  }
  bl_run(m, n);
  for (unsigned i = 0; i < n; i++) {
    or_i128 got = 0, want = expected(op, at[i], k);
    assert_true(bl_value(m, p->root[0].a, i, &got));
    if (got != want)
      fail_msg("%lld %s %lld: %lld, lanes of %u bytes", (long long)at[i], up_op_name(op),
               (long long)k, (long long)got, m->width);
  }
}

static void check_width(rig *r, unsigned bits) {
  static const up_op ops[] = {UP_IDIV, UP_MOD, UP_FLOORDIV, UP_FLOORMOD};
  static const or_i128 divisors[] = {1, 2, 3, 5, 7, 9, 10, 100, 641, 65537, -2, -3, -7, -1000};
  or_i128 half = (or_i128)1 << (bits - 1);
  or_i128 wide[] = {half - 1, half / 2 + 1, -half + 1, half / 3, -half / 7};
  for (unsigned sign = 0; sign < 2; sign++) {
    or_i128 lo = sign ? -half : 0, hi = half - 1;
    for (unsigned i = 0; i < 14; i++) {
      if (divisors[i] >= half || divisors[i] < -half) continue;
      for (unsigned o = 0; o < 4; o++) {
        check(r, ops[o], lo, hi, divisors[i], true);
        check(r, ops[o], lo, hi, divisors[i], false);
      }
    }
    for (unsigned i = 0; i < 5; i++) {
      if (wide[i] == 0 || wide[i] == -1) continue;
      for (unsigned o = 0; o < 4; o++) check(r, ops[o], lo, hi, wide[i], o % 2 == 0);
    }
  }
}

static void quotients_are_exact_at_every_width(void **state) {
  (void)state;
  rig r = rig_new();
  for (unsigned bits = 3; bits <= 64; bits++) check_width(&r, bits);
  rig_free(&r);
}

/* Undefined lanes hold any number, and must not disturb the others. */
static void undefined_dividends_do_no_harm(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", -100, 100, UP_INT), y = var(&r, "y", -3, 3, UP_INT);
  up_node seven = num(&r, 7, UP_INT);
  up_node a = op2(&r, UP_IDIV, op2(&r, UP_IDIV, x, y), seven);
  up_node b = op2(&r, UP_IDIV, x, op2(&r, UP_MUL, y, seven));
  for (or_frame f = OR_IDEAL; f < OR_FRAME_COUNT; f++) {
    or_answer v = or_equiv(r.k, r.c, a, b, f, NULL);
    assert_verdict(v, OR_EXHAUSTED);
  }
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quotients_are_exact_at_every_width),
      cmocka_unit_test(undefined_dividends_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
