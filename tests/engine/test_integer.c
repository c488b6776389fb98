/* Exact integers against GMP and against hand-picked values. */
#include "engine/uop.h"
#include "tests/support/cm.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Decimal texts around every boundary that the inline form has. */
static const char *const edge[] = {"0",
                                   "1",
                                   "-1",
                                   "2",
                                   "-2",
                                   "7",
                                   "-7",
                                   "63",
                                   "64",
                                   "2147483647",
                                   "-2147483648",
                                   "4294967295",
                                   "9007199254740993",
                                   "9223372036854775807",
                                   "-9223372036854775808",
                                   "9223372036854775808",
                                   "-9223372036854775809",
                                   "18446744073709551615",
                                   "18446744073709551616",
                                   "-340282366920938463463374607431768211457"};
#define EDGES (sizeof edge / sizeof *edge)

static up_int parse(up_ctx *c, const char *s) {
  up_int v;
  assert_true(up_int_parse(c, s, strlen(s), &v));
  return v;
}

static void assert_same(up_ctx *c, up_int got, const mpz_t want, const char *what) {
  mpz_t g;
  mpz_init(g);
  up_int_to_mpz(c, got, g);
  if (mpz_cmp(g, want) != 0) {
    gmp_fprintf(stderr, "%s: got %Zd, want %Zd\n", what, g, want);
    fail();
  }
  assert_true(up_int_fits(got) == (mpz_fits_slong_p(want) != 0));
  mpz_clear(g);
}

typedef up_int (*int_op)(up_ctx *, up_int, up_int);
typedef void (*gmp_op)(mpz_ptr, mpz_srcptr, mpz_srcptr);

static void compare(up_ctx *c, int_op f, gmp_op g, bool division, const char *what) {
  mpz_t a, b, r;
  mpz_inits(a, b, r, NULL);
  for (size_t i = 0; i < EDGES; i++) {
    for (size_t j = 0; j < EDGES; j++) {
      mpz_set_str(a, edge[i], 10);
      mpz_set_str(b, edge[j], 10);
      if (division && mpz_sgn(b) == 0) continue;
      g(r, a, b);
      assert_same(c, f(c, parse(c, edge[i]), parse(c, edge[j])), r, what);
    }
  }
  mpz_clears(a, b, r, NULL);
}

static void arithmetic_agrees_with_gmp_at_the_edges(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  compare(c, up_int_add, mpz_add, false, "add");
  compare(c, up_int_sub, mpz_sub, false, "sub");
  compare(c, up_int_mul, mpz_mul, false, "mul");
  compare(c, up_int_tdiv, mpz_tdiv_q, true, "tdiv");
  compare(c, up_int_tmod, mpz_tdiv_r, true, "tmod");
  compare(c, up_int_fdiv, mpz_fdiv_q, true, "fdiv");
  compare(c, up_int_fmod, mpz_fdiv_r, true, "fmod");
  compare(c, up_int_cdiv, mpz_cdiv_q, true, "cdiv");
  compare(c, up_int_gcd, mpz_gcd, false, "gcd");
  compare(c, up_int_and, mpz_and, false, "and");
  compare(c, up_int_or, mpz_ior, false, "or");
  compare(c, up_int_xor, mpz_xor, false, "xor");
  assert_int_equal(up_ctx_status(c), UP_OK);
  up_ctx_free(c);
}

static void order_is_the_order_of_the_numbers(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  mpz_t a, b;
  mpz_inits(a, b, NULL);
  for (size_t i = 0; i < EDGES; i++) {
    for (size_t j = 0; j < EDGES; j++) {
      mpz_set_str(a, edge[i], 10);
      mpz_set_str(b, edge[j], 10);
      int want = mpz_cmp(a, b);
      up_int x = parse(c, edge[i]), y = parse(c, edge[j]);
      assert_int_equal(up_int_cmp(c, x, y), (want > 0) - (want < 0));
      assert_int_equal(up_int_eq(x, y), want == 0); /* equal values are one representation */
    }
  }
  mpz_clears(a, b, NULL);
  up_ctx_free(c);
}

static void text_round_trips(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  for (size_t i = 0; i < EDGES; i++) {
    up_buf b = {0};
    up_int_put(c, parse(c, edge[i]), &b);
    assert_string_equal(b.p, edge[i]);
    up_buf_free(&b);
  }
  up_int v;
  const char *const bad[] = {"", "-", "+", "1x", " 1", "0x10", "1 ", "--1", "1e3"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(up_int_parse(c, bad[i], strlen(bad[i]), &v));
  up_ctx_free(c);
}

static void shifts_are_exact_and_limited(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  assert_true(up_int_is(up_int_shr(c, up_int_of(-5), up_int_of(1)), -3));
  assert_true(up_int_is(up_int_shr(c, up_int_of(-1), up_int_of(1000000000)), -1));
  assert_true(up_int_is(up_int_shl(c, up_int_of(0), up_int_of(1000000000)), 0));
  up_int big = up_int_shl(c, up_int_of(-3), up_int_of(100));
  assert_true(up_int_is(up_int_shr(c, big, up_int_of(100)), -3));
  assert_int_equal(up_ctx_status(c), UP_OK);
  up_int_shl(c, up_int_of(1), up_int_of(1000000000));
  assert_int_equal(up_ctx_status(c), UP_LIMIT_BITS);
  up_ctx_clear_status(c);
  up_int_shl(c, up_int_of(1), up_int_of(-1));
  assert_int_equal(up_ctx_status(c), UP_RAISE_VALUE);
  up_ctx_free(c);
}

static void products_above_the_limit_are_refused(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_int v = up_int_of(3);
  int rounds = 0;
  for (; up_ctx_status(c) == UP_OK && rounds < 64; rounds++) v = up_int_mul(c, v, v);
  assert_int_equal(up_ctx_status(c), UP_LIMIT_BITS);
  assert_in_range(rounds, 14, 17); /* 3^(2^16) has 103873 bits */
  up_ctx_free(c);
}

static void wrap_is_twos_complement(void **state) {
  (void)state;
  static const struct {
    enum up_scalar dt;
    const char *in, *out;
  } row[] = {
      {UP_CHAR, "128", "-128"},
      {UP_CHAR, "-129", "127"},
      {UP_UCHAR, "-1", "255"},
      {UP_UCHAR, "256", "0"},
      {UP_SHORT, "32768", "-32768"},
      {UP_USHORT, "-32768", "32768"},
      {UP_INT, "2147483648", "-2147483648"},
      {UP_UINT, "-1", "4294967295"},
      {UP_LONG, "9223372036854775808", "-9223372036854775808"},
      {UP_LONG, "18446744073709551616", "0"},
      {UP_ULONG, "-1", "18446744073709551615"},
      {UP_ULONG, "-340282366920938463463374607431768211457", "18446744073709551615"},
      {UP_BOOL, "-7", "1"},
      {UP_BOOL, "0", "0"},
  };
  up_ctx *c = up_ctx_new(NULL);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    assert_true(
        up_int_eq(up_int_wrap(c, parse(c, row[i].in), up_dt(row[i].dt)), parse(c, row[i].out)));
  up_ctx_free(c);
}

static void conversion_to_double_rounds_to_even(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  assert_true(up_int_to_double(c, parse(c, "9007199254740993")) == 9007199254740992.0);
  assert_true(up_int_to_double(c, parse(c, "9007199254740995")) == 9007199254740996.0);
  assert_true(up_int_to_double(c, parse(c, "-18446744073709551617")) == -18446744073709551616.0);
  /* 2^64 + 2^11 is a tie, and one more is not */
  assert_true(up_int_to_double(c, parse(c, "18446744073709553664")) == 18446744073709551616.0);
  assert_true(up_int_to_double(c, parse(c, "18446744073709553665")) == 18446744073709555712.0);
  up_ctx_free(c);
}

static void a_reset_forgets_big_numbers(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  for (int round = 0; round < 3; round++) {
    for (int i = 70; i < 400; i++) up_int_shl(c, up_int_of(1), up_int_of(i));
    up_int a = up_int_shl(c, up_int_of(1), up_int_of(200));
    assert_true(up_int_eq(a, up_int_mul(c, up_int_shl(c, up_int_of(1), up_int_of(100)),
                                        up_int_shl(c, up_int_of(1), up_int_of(100)))));
    up_ctx_reset(c);
  }
  up_ctx_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic_agrees_with_gmp_at_the_edges),
      cmocka_unit_test(order_is_the_order_of_the_numbers),
      cmocka_unit_test(text_round_trips),
      cmocka_unit_test(shifts_are_exact_and_limited),
      cmocka_unit_test(products_above_the_limit_are_refused),
      cmocka_unit_test(wrap_is_twos_complement),
      cmocka_unit_test(conversion_to_double_rounds_to_even),
      cmocka_unit_test(a_reset_forgets_big_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
