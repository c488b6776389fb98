/* Division by constants as multiplication and shift, powers of two, threefry. Source: 0.11.0
 * uop/decompositions.py; magic numbers after Warren, Hacker's Delight, chapter 10. */
#include "native.h"

/* The exponent of a constant 2**s with 1 <= s < 64; 0 for other constants. */
static unsigned exponent_of(const up_ctx *c, up_node k) {
  up_int v;
  if (!up_is_const_int(c, k, &v) || up_int_sign(c, v) <= 0) return 0;
  mpz_t z;
  mpz_init(z);
  up_int_to_mpz(c, v, z);
  unsigned s = mpz_popcount(z) == 1 ? (unsigned)mpz_scan1(z, 0) : 0;
  mpz_clear(z);
  return s < 64 ? s : 0;
}

/* (x, k): x % 2**s as x & (2**s - 1); k = 1 counts as 2**0 here */
up_node native_masked_below(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_int k;
  if (!up_is_const_int(c, arg[1], &k) || (exponent_of(c, arg[1]) == 0 && !up_int_is(k, 1)))
    return UP_NONE;
  return with_const(c, UP_AND, arg[0], up_int_sub(c, k, up_int_of(1)));
}

static up_node shifted(up_ctx *c, up_op op, up_node x, unsigned s) {
  return s ? with_const(c, op, x, up_int_of(s)) : UP_NONE;
}

/* (x, k): x * 2**s as x << s */
up_node native_shift_left_by(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  return shifted(c, UP_SHL, arg[0], exponent_of(c, arg[1]));
}

/* (x, k): x // 2**s as x >> s, of an unsigned x */
up_node native_shift_right_by(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  return shifted(c, UP_SHR, arg[0], exponent_of(c, arg[1]));
}

/* x < 0, as a constant where the bounds decide it. */
static up_node sign_of(up_ctx *c, up_node x) {
  up_node lt = with_const(c, UP_CMPLT, x, up_int_of(0));
  if (!ctx_ok(c)) return UP_NONE;
  up_bounds b = up_minmax(c, lt);
  if (!ctx_ok(c) || up_val_cmp(c, b.lo, b.hi) != 0) return lt;
  return up_const(c, up_dtype_of(c, lt), b.lo);
}

/* (x, k): x // 2**s as (x + (x < 0 ? k - 1 : 0)) >> s */
up_node native_signed_shift_right_by(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  unsigned s = exponent_of(c, arg[1]);
  if (s == 0) return UP_NONE;
  up_node less = with_const(c, UP_ADD, arg[1], up_int_of(-1));
  if (!ctx_ok(c)) return UP_NONE;
  up_node zero = up_const_like(c, less, up_int_of(0));
  up_node fix = up_where(c, sign_of(c, arg[0]), less, zero);
  return shifted(c, UP_SHR, up_binary(c, UP_ADD, arg[0], fix), s);
}

/* ---- magic numbers --------------------------------------------------------------------------- */

/* m, s with x // d == (x*m) >> s for 0 <= x <= vmax: the least s with 2**s > nc*(d-1-(2**s-1)%d),
 * nc the largest value below a multiple of d that is at most vmax + 1. */
static void magic(up_ctx *c, up_int vmax, up_int d, up_int *m, unsigned *s) {
  up_int one = up_int_of(1);
  up_int whole = up_int_tdiv(c, up_int_add(c, vmax, one), d);
  up_int nc = up_int_sub(c, up_int_mul(c, whole, d), one);
  for (*s = 0; ctx_ok(c) && *s < UP_MAX_BITS; (*s)++) {
    up_int p = up_int_shl(c, one, up_int_of(*s)), p1 = up_int_sub(c, p, one);
    up_int gap = up_int_sub(c, up_int_sub(c, d, one), up_int_tmod(c, p1, d));
    if (up_int_cmp(c, p, up_int_mul(c, nc, gap)) <= 0) continue;
    *m = up_int_tdiv(c, up_int_add(c, p, gap), d);
    return;
  }
}

static bool product_fits(up_ctx *c, up_int m, up_int lo, up_int hi, up_dtype d) {
  return up_int_cmp(c, up_int_mul(c, m, lo), up_dt_min(c, d)) >= 0 &&
         up_int_cmp(c, up_int_mul(c, m, hi), up_dt_max(c, d)) <= 0;
}

/* The next wider integer type of the promotion lattice; the same type when there is none. */
static up_dtype wider(up_dtype d) {
  enum up_scalar s = up_dt_scalar(d);
  if (s >= UP_LONG) return d;
  return up_dt_vec(up_dt((enum up_scalar)(s + 2)), up_dt_count(d));
}

/* (x*m) >> s, made in dtype `in`, and one more where x is negative. */
static up_node by_magic(up_ctx *c, up_node x, up_int m, unsigned s, up_dtype in, bool nonneg) {
  up_dtype d = up_dtype_of(c, x);
  up_node q = in == d ? x : up_cast(c, x, in);
  q = with_const(c, UP_SHR, times(c, q, m), up_int_of(s));
  if (in != d && ctx_ok(c)) q = up_cast(c, q, d);
  if (nonneg || !ctx_ok(c)) return q;
  up_node lt = with_const(c, UP_CMPLT, x, up_int_of(0));
  up_node one = up_const_like(c, x, up_int_of(1)), zero = up_const_like(c, x, up_int_of(0));
  return up_binary(c, UP_ADD, q, up_where(c, lt, one, zero));
}

static up_int larger(up_ctx *c, up_int a, up_int b) { return up_int_cmp(c, a, b) >= 0 ? a : b; }
static up_int smaller(up_ctx *c, up_int a, up_int b) { return up_int_cmp(c, a, b) <= 0 ? a : b; }

/* (x, k): x // k for k > 0, where a product with the magic number fits x's dtype or the next */
up_node native_fast_idiv(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_node x = arg[0];
  up_dtype d = up_dtype_of(c, x), next = wider(d);
  up_int k, m = up_int_of(0);
  unsigned s = 0;
  up_bounds b = up_minmax(c, x);
  if (!up_is_const_int(c, arg[1], &k) || b.lo.is_float || b.hi.is_float || !ctx_ok(c))
    return UP_NONE;
  if (up_int_sign(c, k) <= 0) {
    up_ctx_set_status(c, UP_RAISE_TYPE); /* an assertion there */
    return UP_NONE;
  }
  bool nonneg = up_int_sign(c, b.lo.i) >= 0 || up_dt_is_unsigned(d);
  up_int lo = larger(c, b.lo.i, up_dt_min(c, d)), hi = smaller(c, b.hi.i, up_dt_max(c, d));
  magic(c, larger(c, hi, up_int_abs(c, lo)), k, &m, &s);
  if (!ctx_ok(c)) return UP_NONE;
  if (product_fits(c, m, lo, hi, d)) return by_magic(c, x, m, s, d, nonneg);
  if (next != d && product_fits(c, m, lo, hi, next)) return by_magic(c, x, m, s, next, nonneg);
  return UP_NONE;
}

/* ---- threefry 2x32 --------------------------------------------------------------------------- */

static up_node low_half(up_ctx *c, up_node x) {
  up_node m = with_const(c, UP_AND, x, up_int_of(0xffffffff));
  return ctx_ok(c) ? up_cast(c, m, up_dt(UP_UINT)) : UP_NONE;
}
static up_node high_half(up_ctx *c, up_node x) {
  return low_half(c, with_const(c, UP_IDIV, x, up_int_of(INT64_C(1) << 32)));
}
static up_node add(up_ctx *c, up_node a, up_node b) { return up_binary(c, UP_ADD, a, b); }

/* (x rotated left by r) ^ y, the rotation as a product and a quotient */
static up_node rotated_xor(up_ctx *c, up_node x, unsigned r, up_node y) {
  up_node up = times(c, x, up_int_of(INT64_C(1) << r));
  up_node down = with_const(c, UP_IDIV, x, up_int_of(INT64_C(1) << (32 - r)));
  return up_binary(c, UP_XOR, y, add(c, up, down));
}

/* (x, key): 20 rounds, the key schedule added every four */
up_node native_threefry2x32(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  static const unsigned rotation[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  up_node k0 = low_half(c, arg[1]), k1 = high_half(c, arg[1]);
  up_node parity = with_const(c, UP_XOR, up_binary(c, UP_XOR, k0, k1), up_int_of(0x1BD11BDA));
  const up_node ks[3] = {k1, parity, k0};
  up_node a = add(c, low_half(c, arg[0]), ks[2]), b = add(c, high_half(c, arg[0]), ks[0]);
  for (unsigned i = 0; i < 5 && ctx_ok(c); i++) {
    for (unsigned r = 0; r < 4; r++) {
      a = add(c, a, b);
      b = rotated_xor(c, b, rotation[i % 2][r], a);
    }
    a = add(c, a, ks[i % 3]);
    b = with_const(c, UP_ADD, add(c, b, ks[(i + 1) % 3]), up_int_of(i));
    b = with_const(c, UP_ADD, b, up_int_of(1));
  }
  if (!ctx_ok(c)) return UP_NONE;
  up_node high = times(c, up_cast(c, b, up_dt(UP_ULONG)), up_int_of(INT64_C(1) << 32));
  return ctx_ok(c) ? up_binary(c, UP_OR, high, up_cast(c, a, up_dt(UP_ULONG))) : UP_NONE;
}
