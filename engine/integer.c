/* Exact integers: int64 inline, interned GMP numbers beyond. */
#include "internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- big numbers ----------------------------------------------------------------------------- */

static uint32_t mpz_hash(const mpz_t v) {
  uint32_t h = mpz_sgn(v) < 0 ? 7u : 3u;
  size_t n = mpz_size(v);
  for (size_t i = 0; i < n; i++) {
    uint64_t limb = mpz_getlimbn(v, (mp_size_t)i);
    h = hash_mix(h, (uint32_t)limb);
    h = hash_mix(h, (uint32_t)(limb >> 32));
  }
  return h;
}

static idkey big_key_of(const up_ctx *c, uint32_t i) {
  return (idkey){c->big[i].hash, c->big[i].hash};
}

static bool mpz_fits_i64(const mpz_t v) {
  _Static_assert(sizeof(long) == 8, "mpz_fits_slong_p is about 64 bits");
  return mpz_fits_slong_p(v) != 0;
}

/* A new entry of the big table, its mpz initialised (entries of before a reset are used again). */
static bool big_new(up_ctx *c, const mpz_t v, uint32_t hash) {
  if (!ctx_grow(c, &c->big, &c->big_cap, (uint64_t)c->nbig + 2, sizeof(bigint))) return false;
  uint32_t i = ++c->nbig;
  if (i >= c->big_init) {
    mpz_init(c->big[i].v);
    c->big_init = i + 1;
  }
  mpz_set(c->big[i].v, v);
  c->big[i].hash = hash;
  return true;
}

static up_int intern(up_ctx *c, const mpz_t v) {
  if (mpz_sizeinbase(v, 2) > UP_MAX_BITS) {
    up_ctx_set_status(c, UP_LIMIT_BITS);
    return up_int_of(0);
  }
  uint32_t h = mpz_hash(v);
  if (!idtable_reserve(c, &c->bigs, big_key_of)) return up_int_of(0);
  idtable *t = &c->bigs;
  const idkey key = {h, h};
  idprobe p = idtable_first(t, key);
  for (; !idtable_is_free(t, p.at); idtable_next(t, key, &p)) {
    uint32_t i = t->slot[p.at].id;
    if (c->big[i].hash == h && mpz_cmp(c->big[i].v, v) == 0) return (up_int){0, i};
  }
  if (!big_new(c, v, h)) return up_int_of(0);
  idtable_fill(t, p.at, key, c->nbig);
  return (up_int){0, c->nbig};
}

up_int up_int_from_mpz(up_ctx *c, const mpz_t v) {
  return mpz_fits_i64(v) ? up_int_of(mpz_get_si(v)) : intern(c, v);
}

void up_int_to_mpz(const up_ctx *c, up_int a, mpz_t out) {
  if (a.big == 0) {
    mpz_set_si(out, a.lo);
    return;
  }
  UP_REQUIRE(a.big <= c->nbig, "up_int_to_mpz");
  mpz_set(out, c->big[a.big].v);
}

up_int up_int_from_u64(up_ctx *c, uint64_t v) {
  if (v <= INT64_MAX) return up_int_of((int64_t)v);
  mpz_set_ui(c->t0, v);
  return intern(c, c->t0);
}

/* ---- text ------------------------------------------------------------------------------------ */

#define MAX_DIGITS (UP_MAX_BITS / 3u)

static bool all_digits(const char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (s[i] < '0' || s[i] > '9') return false;
  return n > 0;
}

bool up_int_parse(up_ctx *c, const char *s, size_t n, up_int *out) {
  bool neg = n > 0 && s[0] == '-';
  size_t skip = n > 0 && (s[0] == '-' || s[0] == '+') ? 1 : 0;
  const char *d = s + skip;
  n -= skip;
  if (!all_digits(d, n) || n > MAX_DIGITS) return false;
  if (n <= 18) {
    int64_t v = 0;
    for (size_t i = 0; i < n; i++) v = v * 10 + (d[i] - '0');
    *out = up_int_of(neg ? -v : v);
    return true;
  }
  char *z = malloc(n + 1);
  if (!z) {
    up_ctx_set_status(c, UP_NO_MEMORY);
    return false;
  }
  memcpy(z, d, n);
  z[n] = 0;
  mpz_set_str(c->t0, z, 10);
  free(z);
  if (neg) mpz_neg(c->t0, c->t0);
  *out = up_int_from_mpz(c, c->t0);
  return ctx_ok(c);
}

void up_int_put(const up_ctx *c, up_int a, up_buf *out) {
  if (a.big == 0) {
    up_buf_printf(out, "%lld", (long long)a.lo);
    return;
  }
  UP_REQUIRE(a.big <= c->nbig, "up_int_put");
  char *s = mpz_get_str(NULL, 10, c->big[a.big].v);
  up_buf_puts(out, s);
  free(s); /* GMP's default allocator is malloc */
}

/* ---- comparison ------------------------------------------------------------------------------ */

int up_int_sign(const up_ctx *c, up_int a) {
  if (a.big == 0) return (a.lo > 0) - (a.lo < 0);
  return mpz_sgn(c->big[a.big].v);
}

int up_int_cmp(const up_ctx *c, up_int a, up_int b) {
  if (a.big == 0 && b.big == 0) return (a.lo > b.lo) - (a.lo < b.lo);
  if (a.big == 0) return -up_int_sign(c, b); /* a big number is beyond every small one */
  if (b.big == 0) return up_int_sign(c, a);
  int r = mpz_cmp(c->big[a.big].v, c->big[b.big].v);
  return (r > 0) - (r < 0);
}

/* mpz_get_d truncates; Python rounds to nearest, ties to even. */
static double mpz_to_double(const mpz_t v) {
  size_t bits = mpz_sizeinbase(v, 2);
  if (bits <= 53) return mpz_get_d(v);
  mpz_t top, rest;
  mpz_init(top);
  mpz_init(rest);
  mp_bitcnt_t shift = bits - 54; /* 53 bits and the rounding bit */
  mpz_tdiv_q_2exp(top, v, shift);
  mpz_tdiv_r_2exp(rest, v, shift);
  uint64_t m = mpz_get_ui(top); /* absolute value */
  bool half = (m & 1) != 0, sticky = mpz_sgn(rest) != 0;
  m >>= 1;
  if (half && (sticky || (m & 1) != 0)) m++;
  double r = ldexp((double)m, (int)shift + 1);
  if (mpz_sgn(v) < 0) r = -r;
  mpz_clear(top);
  mpz_clear(rest);
  return r;
}

double up_int_to_double(const up_ctx *c, up_int a) {
  return a.big == 0 ? (double)a.lo : mpz_to_double(c->big[a.big].v);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

typedef void (*mpz_binary)(mpz_ptr, mpz_srcptr, mpz_srcptr);

/* Both operands into the scratch numbers, the operation, the result interned. */
static up_int slow(up_ctx *c, up_int a, up_int b, mpz_binary f) {
  up_int_to_mpz(c, a, c->t0);
  up_int_to_mpz(c, b, c->t1);
  f(c->t2, c->t0, c->t1);
  return up_int_from_mpz(c, c->t2);
}

up_int up_int_add(up_ctx *c, up_int a, up_int b) {
  int64_t r;
  if (a.big == 0 && b.big == 0 && !__builtin_add_overflow(a.lo, b.lo, &r)) return up_int_of(r);
  return slow(c, a, b, mpz_add);
}

up_int up_int_sub(up_ctx *c, up_int a, up_int b) {
  int64_t r;
  if (a.big == 0 && b.big == 0 && !__builtin_sub_overflow(a.lo, b.lo, &r)) return up_int_of(r);
  return slow(c, a, b, mpz_sub);
}

static bool mul_too_wide(const up_ctx *c, up_int a, up_int b) {
  size_t n = a.big ? mpz_sizeinbase(c->big[a.big].v, 2) : 64;
  size_t m = b.big ? mpz_sizeinbase(c->big[b.big].v, 2) : 64;
  return n + m > UP_MAX_BITS + 128;
}

up_int up_int_mul(up_ctx *c, up_int a, up_int b) {
  int64_t r;
  if (a.big == 0 && b.big == 0 && !__builtin_mul_overflow(a.lo, b.lo, &r)) return up_int_of(r);
  if (mul_too_wide(c, a, b)) {
    up_ctx_set_status(c, UP_LIMIT_BITS);
    return up_int_of(0);
  }
  return slow(c, a, b, mpz_mul);
}

up_int up_int_neg(up_ctx *c, up_int a) { return up_int_sub(c, up_int_of(0), a); }
up_int up_int_abs(up_ctx *c, up_int a) { return up_int_sign(c, a) < 0 ? up_int_neg(c, a) : a; }

/* int64 division is safe: divisor not 0 and not MIN / -1. */
static bool quick_div(up_int a, up_int b) {
  return a.big == 0 && b.big == 0 && !(a.lo == INT64_MIN && b.lo == -1);
}

up_int up_int_tdiv(up_ctx *c, up_int a, up_int b) {
  UP_REQUIRE(!up_int_is(b, 0), "up_int_tdiv");
  return quick_div(a, b) ? up_int_of(a.lo / b.lo) : slow(c, a, b, mpz_tdiv_q);
}

up_int up_int_tmod(up_ctx *c, up_int a, up_int b) {
  UP_REQUIRE(!up_int_is(b, 0), "up_int_tmod");
  return quick_div(a, b) ? up_int_of(a.lo % b.lo) : slow(c, a, b, mpz_tdiv_r);
}

up_int up_int_fdiv(up_ctx *c, up_int a, up_int b) {
  UP_REQUIRE(!up_int_is(b, 0), "up_int_fdiv");
  if (!quick_div(a, b)) return slow(c, a, b, mpz_fdiv_q);
  int64_t q = a.lo / b.lo, r = a.lo % b.lo;
  return up_int_of(q - (r != 0 && (r < 0) != (b.lo < 0)));
}

up_int up_int_fmod(up_ctx *c, up_int a, up_int b) {
  UP_REQUIRE(!up_int_is(b, 0), "up_int_fmod");
  if (!quick_div(a, b)) return slow(c, a, b, mpz_fdiv_r);
  int64_t r = a.lo % b.lo;
  return up_int_of(r != 0 && (r < 0) != (b.lo < 0) ? r + b.lo : r);
}

up_int up_int_cdiv(up_ctx *c, up_int a, up_int b) {
  return up_int_neg(c, up_int_fdiv(c, up_int_neg(c, a), b));
}

up_int up_int_gcd(up_ctx *c, up_int a, up_int b) {
  if (a.big || b.big) return slow(c, a, b, mpz_gcd);
  uint64_t x = a.lo < 0 ? -(uint64_t)a.lo : (uint64_t)a.lo;
  uint64_t y = b.lo < 0 ? -(uint64_t)b.lo : (uint64_t)b.lo;
  while (y) {
    uint64_t t = x % y;
    x = y;
    y = t;
  }
  return up_int_from_u64(c, x);
}

/* ---- bits ------------------------------------------------------------------------------------ */

up_int up_int_and(up_ctx *c, up_int a, up_int b) {
  return a.big || b.big ? slow(c, a, b, mpz_and) : up_int_of(a.lo & b.lo);
}
up_int up_int_or(up_ctx *c, up_int a, up_int b) {
  return a.big || b.big ? slow(c, a, b, mpz_ior) : up_int_of(a.lo | b.lo);
}
up_int up_int_xor(up_ctx *c, up_int a, up_int b) {
  return a.big || b.big ? slow(c, a, b, mpz_xor) : up_int_of(a.lo ^ b.lo);
}

up_int up_int_shl(up_ctx *c, up_int a, up_int b) {
  if (up_int_sign(c, b) < 0) {
    up_ctx_set_status(c, UP_RAISE_VALUE);
    return up_int_of(0);
  }
  if (up_int_is(a, 0)) return a;
  if (b.big || b.lo > (int64_t)UP_MAX_BITS) {
    up_ctx_set_status(c, UP_LIMIT_BITS);
    return up_int_of(0);
  }
  up_int_to_mpz(c, a, c->t0);
  mpz_mul_2exp(c->t2, c->t0, (mp_bitcnt_t)b.lo);
  return up_int_from_mpz(c, c->t2);
}

up_int up_int_shr(up_ctx *c, up_int a, up_int b) {
  if (up_int_sign(c, b) < 0) {
    up_ctx_set_status(c, UP_RAISE_VALUE);
    return up_int_of(0);
  }
  if (b.big || b.lo > (int64_t)UP_MAX_BITS) return up_int_of(up_int_sign(c, a) < 0 ? -1 : 0);
  if (a.big == 0) return up_int_of(a.lo >> (b.lo > 63 ? 63 : b.lo));
  up_int_to_mpz(c, a, c->t0);
  mpz_fdiv_q_2exp(c->t2, c->t0, (mp_bitcnt_t)b.lo);
  return up_int_from_mpz(c, c->t2);
}

/* ---- dtypes ---------------------------------------------------------------------------------- */

up_int up_int_wrap(up_ctx *c, up_int a, up_dtype d) {
  if (up_dt_is_bool(d)) return up_int_of(!up_int_is(a, 0));
  UP_REQUIRE(up_dt_is_int(d), "up_int_wrap");
  unsigned bits = up_dt_bits(d);
  uint64_t low;
  if (a.big) {
    mpz_fdiv_r_2exp(c->t0, c->big[a.big].v, 64);
    low = mpz_get_ui(c->t0);
  } else {
    low = (uint64_t)a.lo;
  }
  unsigned drop = 64 - bits;
  if (up_dt_is_signed(d)) return up_int_of((int64_t)(low << drop) >> drop);
  return up_int_from_u64(c, (low << drop) >> drop);
}

up_int up_dt_min(up_ctx *c, up_dtype d) {
  (void)c;
  if (!up_dt_is_signed(d)) return up_int_of(0);
  return up_int_of((int64_t)(UINT64_C(1) << 63) >> (64 - up_dt_bits(d)));
}

up_int up_dt_max(up_ctx *c, up_dtype d) {
  if (up_dt_is_bool(d)) return up_int_of(1);
  UP_REQUIRE(up_dt_is_int(d), "up_dt_max");
  unsigned bits = up_dt_bits(d) - (up_dt_is_signed(d) ? 1u : 0u);
  return up_int_from_u64(c, UINT64_MAX >> (64 - bits));
}

/* ---- numbers --------------------------------------------------------------------------------- */

int up_val_cmp(const up_ctx *c, up_val a, up_val b) {
  if (!a.is_float && !b.is_float) return up_int_cmp(c, a.i, b.i);
  double x = a.is_float ? a.f : up_int_to_double(c, a.i);
  double y = b.is_float ? b.f : up_int_to_double(c, b.i);
  return (x > y) - (x < y);
}

/* Shortest decimal that reads back as the same double, in Python's form. */
static void put_double(double f, up_buf *out) {
  if (isnan(f) || isinf(f)) {
    up_buf_puts(out, isnan(f) ? "nan" : f > 0 ? "inf" : "-inf");
    return;
  }
  char s[40];
  for (int prec = 1; prec <= 17; prec++) {
    snprintf(s, sizeof s, "%.*g", prec, f);
    if (strtod(s, NULL) == f) break;
  }
  up_buf_puts(out, s);
  if (!strpbrk(s, ".en")) up_buf_puts(out, ".0");
}

void up_val_put(const up_ctx *c, up_val v, up_buf *out) {
  if (v.is_float)
    put_double(v.f, out);
  else
    up_int_put(c, v.i, out);
}
