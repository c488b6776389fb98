/* The late decompositions that are C code: powers of two for every exponent, magic numbers for every
 * divisor, threefry against known answers.
 *
 * Magic numbers: with m*k = 2^s + e, x*m >> s is x//k for all x in 0..vmax when 0 <= e < k and
 * n*e < 2^s for the greatest n <= vmax with n % k = k - 1. For floor(x*m / 2^s) grows with x, at x = q*k
 * it is at least q since e >= 0, and at the greatest q*k - 1, which is n at most, (q*k - 1)*(2^s + e) is
 * below q*k*2^s just when (q*k - 1)*e < 2^s. Below 0, where 1 is added to the floor, that is right for
 * all x just when e > 0, too. So two numbers tell of a divisor, and every divisor can be looked at. */
#include "common.h"

typedef struct rig {
  up_profile *p;
  up_ctx *c;
} rig;

static rig rig_new(void) {
  up_error err = {0};
  rig r = {.p = up_profile_load("v0.11.0:decompositions", &err)};
  assert_non_null(r.p);
  r.c = up_ctx_new(r.p);
  assert_non_null(r.c);
  return r;
}

static void rig_free(rig *r) {
  up_ctx_free(r->c);
  up_profile_free(r->p);
}

static up_node apply(rig *r, const char *name, up_node n) {
  up_node out = rule_interpret(r->c, &r->p->book, rule_of(r->p, name), n);
  assert_int_equal(up_ctx_status(r->c), UP_OK);
  return out;
}

static up_node var(rig *r, int64_t lo, int64_t hi, enum up_scalar s) {
  return up_var(r->c, "x", up_int_of(lo), up_int_of(hi), up_dt(s));
}

/* ---- magic numbers ------------------------------------------------------------------------------- */

/* m and s out of ((x * m) >> s), under casts and the sum that corrects negative values. */
static bool magic_of(rig *r, up_node n, int64_t *m, int64_t *s, up_dtype *in) {
  up_int v;
  if (up_op_of(r->c, n) == UP_ADD) n = up_src(r->c, n, 0);
  if (up_op_of(r->c, n) == UP_CAST) n = up_src(r->c, n, 0);
  if (up_op_of(r->c, n) != UP_SHR || !up_is_const_int(r->c, up_src(r->c, n, 1), &v)) return false;
  *s = v.lo;
  n = up_src(r->c, n, 0);
  *in = up_dtype_of(r->c, n);
  if (up_op_of(r->c, n) != UP_MUL || !up_is_const_int(r->c, up_src(r->c, n, 1), &v)) return false;
  *m = v.lo;
  return up_int_fits(v) && *s < 62;
}

/* Right for all x in lo..hi? -1: the rule does not apply. */
static int divides_rightly(rig *r, int64_t lo, int64_t hi, int64_t k, enum up_scalar t) {
  int64_t m = 0, s = 0;
  up_dtype in = 0;
  up_node q = up_binary(r->c, UP_IDIV, var(r, lo, hi, t), up_const_int(r->c, up_dt(t), k));
  up_node n = apply(r, "div_to_mul", q);
  if (up_is_none(n)) return -1;
  assert_true(magic_of(r, n, &m, &s, &in));
  int64_t vmax = hi > -lo ? hi : -lo;
  int64_t greatest =
      (vmax + 1) / k * k - 1; /* n of above; -1: there is none, and n*e < 2^s says nothing */
  __extension__ typedef __int128 wide;
  wide e = (wide)m * k - ((wide)1 << s), top = (wide)1 << s;
  wide least = (wide)m * lo, most = (wide)m * hi;
  unsigned bits = up_dt_bits(in) - (up_dt_is_unsigned(in) ? 0 : 1);
  assert_true(most < (wide)1 << bits);
  assert_true(least >= (up_dt_is_unsigned(in) ? 0 : -((wide)1 << bits)));
  bool below = vmax < k; /* every quotient is 0: x*m must stay below 2^s */
  bool right = e >= 0 && e < k && (below ? (wide)vmax * m < top : (wide)greatest * e < top);
  return right && (lo >= 0 || e > 0);
}

static bool is_power(int64_t k) { return (k & (k - 1)) == 0; }

static void every_divisor_of_8_bits_in_every_range(void **state) {
  (void)state;
  rig r = rig_new();
  unsigned applied = 0;
  for (int64_t hi = 0; hi < 256; hi++) {
    up_ctx_reset(r.c);
    for (int64_t k = 1; k < 256; k++) {
      int got = divides_rightly(&r, 0, hi, k, UP_UCHAR);
      if (got < 0) continue;
      applied++;
      /* wrong just where no multiple of k is in reach: the magic number is then 1, the shift 0 */
      if (got != (k <= hi + 1 || hi == 0)) fail_msg("x//%d in 0..%d", (int)k, (int)hi);
    }
  }
  assert_true(applied > 60000);
  rig_free(&r);
}

static void every_divisor_of_16_bits(void **state) {
  (void)state;
  rig r = rig_new();
  unsigned applied = 0;
  for (int64_t k = 1; k < 32768; k++) {
    if (k % 1000 == 0) up_ctx_reset(r.c);
    int got = divides_rightly(&r, 0, 65535, k, UP_USHORT);
    if (got >= 0 && got != 1) fail_msg("x//%d of ushort", (int)k);
    applied += got >= 0;
    got = divides_rightly(&r, -32768, 32767, k, UP_SHORT);
    /* of powers of two e is 0: div_to_shr stands before this rule */
    if (got >= 0 && got != !is_power(k)) fail_msg("x//%d of short", (int)k);
    applied += got >= 0;
  }
  if (applied <= 50000) fail_msg("%u applied", applied);
  rig_free(&r);
}

static void divisors_of_32_bits_near_powers(void **state) {
  (void)state;
  rig r = rig_new();
  unsigned applied = 0;
  for (unsigned s = 1; s < 31; s++)
    for (int64_t d = -2; d <= 2; d++) {
      int64_t k = (INT64_C(1) << s) + d;
      if (k < 1 || k > INT32_MAX) continue;
      int got = divides_rightly(&r, 0, INT32_MAX, k, UP_INT);
      if (got >= 0 && got != 1) fail_msg("x//%lld of int", (long long)k);
      applied += got >= 0;
      got = divides_rightly(&r, -INT32_MAX, INT32_MAX, k, UP_INT);
      if (got >= 0 && got != !is_power(k)) fail_msg("x//%lld of int", (long long)k);
    }
  assert_true(applied > 60);
  rig_free(&r);
}

/* ---- powers of two --------------------------------------------------------------------------------- */

static bool each(pf_instance *i, void *arg) {
  unsigned *proved = arg;
  pf_limits l = {.rlimit = 2000000};
  pf_prover *p = pf_prover_new(&l);
  pf_answer a = pf_prove_bits(p, i, OR_WRAP);
  if (a.verdict != PF_PROVED) fail_msg("%s: %s", i->label, a.reason);
  ++*proved;
  pf_answer_clear(&a);
  pf_prover_free(p);
  return true;
}

/* The rule, given one exponent, is proved in wrap of this type. */
static void prove(const char *types, const char *fmt, long long a, long long b) {
  char text[200];
  unsigned proved = 0;
  pf_left_out out = {0};
  snprintf(text, sizeof text, fmt, a, b);
  up_profile *p = profile_of(text);
  pf_instances(&p->book, rule_of(p, "r"), types_of(types), false, each, &proved, &out);
  assert_true(proved > 0);
  up_profile_free(p);
}

static void powers_of_two_for_every_exponent(void **state) {
  (void)state;
  static const struct {
    unsigned bits;
    enum up_scalar u, s;
    const char *unsigned_name, *signed_name;
  } type[] = {{8, UP_UCHAR, UP_CHAR, "uchar", "char"}, {32, UP_UINT, UP_INT, "uint", "int"}};
  rig r = rig_new();
  for (unsigned t = 0; t < 2; t++)
    for (unsigned s = 1; s < type[t].bits; s++) {
      long long k = 1LL << s;
      up_node x = up_var(r.c, "x", up_dt_min(r.c, up_dt(type[t].u)),
                         up_dt_max(r.c, up_dt(type[t].u)), up_dt(type[t].u));
      up_node c = up_const_int(r.c, up_dt(type[t].u), k);
      up_node shift = up_const_int(r.c, up_dt(type[t].u), s);
      up_node mask = up_const_int(r.c, up_dt(type[t].u), k - 1);
      /* what the C code makes is the right side that is proved */
      assert_true(up_same(apply(&r, "udiv_to_shr", up_binary(r.c, UP_IDIV, x, c)),
                          up_binary(r.c, UP_SHR, x, shift)));
      assert_true(up_same(apply(&r, "mul_to_shl", up_binary(r.c, UP_MUL, x, c)),
                          up_binary(r.c, UP_SHL, x, shift)));
      assert_true(up_same(apply(&r, "mod_to_and", up_binary(r.c, UP_MOD, x, c)),
                          up_binary(r.c, UP_AND, x, mask)));
      prove(type[t].unsigned_name, "rule r : x // %lld -> x >> %lld", k, s);
      prove(type[t].unsigned_name, "rule r : x * %lld -> x << %lld", k, s);
      prove(type[t].unsigned_name, "rule r : x %% %lld -> x & %lld", k, k - 1);
      if (s + 1 < type[t].bits)
        prove(type[t].signed_name,
              "rule r : x // %1$lld -> (x + where(x < 0, [%1$lld - 1]@x, [0]@x)) >> %2$lld", k, s);
    }
  rig_free(&r);
}

/* ---- threefry -------------------------------------------------------------------------------------- */

/* The published answers of threefry2x32 with 20 rounds. */
static void threefry_gives_the_known_answers(void **state) {
  (void)state;
  static const uint64_t kat[][3] = {
      {0, 0, UINT64_C(0x99ba4efe6b200159)},
      {UINT64_MAX, UINT64_MAX, UINT64_C(0xbb002be71cb996fc)},
      {UINT64_C(0x85a308d3243f6a88), UINT64_C(0x0370734413198a2e), UINT64_C(0x483df7a0c4923a9c)}};
  rig r = rig_new();
  for (unsigned k = 0; k < 3; k++) {
    up_dtype d = up_dt(UP_ULONG);
    up_node x = up_const(r.c, d, up_val_int(up_int_from_u64(r.c, kat[k][0])));
    up_node key = up_const(r.c, d, up_val_int(up_int_from_u64(r.c, kat[k][1])));
    up_node n = apply(&r, "threefry_expand", up_binary(r.c, UP_THREEFRY, x, key));
    or_witness none = {0};
    or_values v;
    assert_true(or_eval(r.c, n, OR_WRAP, &none, &v));
    assert_int_equal(v.def[v.n - 1], OR_VALUE_OK);
    assert_true(mpz_cmp_ui(v.value[v.n - 1], kat[k][2]) == 0);
    or_values_clear(&v);
  }
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_divisor_of_8_bits_in_every_range),
      cmocka_unit_test(every_divisor_of_16_bits),
      cmocka_unit_test(divisors_of_32_bits_near_powers),
      cmocka_unit_test(powers_of_two_for_every_exponent),
      cmocka_unit_test(threefry_gives_the_known_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
