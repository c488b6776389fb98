/* 128-bit integers to and from GMP and text. */
#include "i128.h"

#include <assert.h>
#include <string.h>

void or_i128_to_mpz(or_i128 v, mpz_t out) {
  or_u128 m = v < 0 ? (or_u128)0 - (or_u128)v : (or_u128)v;
  uint64_t half[2] = {(uint64_t)m, (uint64_t)(m >> 64)};
  mpz_import(out, 2, -1, sizeof half[0], 0, 0, half);
  if (v < 0) mpz_neg(out, out);
}

bool or_i128_from_mpz(const mpz_t v, or_i128 *out) {
  size_t bits = mpz_sizeinbase(v, 2);
  if (bits > 127) {
    if (bits > 128 || mpz_sgn(v) > 0 || mpz_scan1(v, 0) != 127) return false;
    *out = OR_I128_MIN;
    return true;
  }
  uint64_t half[2] = {0, 0};
  mpz_export(half, NULL, -1, sizeof half[0], 0, 0, v);
  or_i128 m = (or_i128)(((or_u128)half[1] << 64) | half[0]);
  *out = mpz_sgn(v) < 0 ? -m : m;
  return true;
}

void or_i128_print(or_i128 v, char out[41]) {
  char digits[40];
  unsigned n = 0;
  or_u128 m = v < 0 ? (or_u128)0 - (or_u128)v : (or_u128)v;
  do {
    digits[n++] = (char)('0' + (int)(m % 10));
    m /= 10;
  } while (m != 0);
  assert(n < sizeof digits);
  char *p = out;
  if (v < 0) *p++ = '-';
  while (n > 0) *p++ = digits[--n];
  *p = 0;
}

unsigned or_i128_bits(or_i128 v) {
  or_u128 m = (or_u128)(v < 0 ? ~v : v);
  uint64_t high = (uint64_t)(m >> 64), low = (uint64_t)m;
  if (high != 0) return 129u - (unsigned)__builtin_clzll(high);
  if (low != 0) return 65u - (unsigned)__builtin_clzll(low);
  return 1;
}
