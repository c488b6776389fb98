/* 128-bit integers for intervals and wide lanes. Private to oracle/. */
#ifndef UPROOF_ORACLE_I128_H
#define UPROOF_ORACLE_I128_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 or_i128;
__extension__ typedef unsigned __int128 or_u128;

#define OR_I128_MAX ((or_i128)(((or_u128)1 << 127) - 1))
#define OR_I128_MIN (-OR_I128_MAX - 1)

void or_i128_to_mpz(or_i128 v, mpz_t out);
/* False, and *out untouched, when v does not fit. */
bool or_i128_from_mpz(const mpz_t v, or_i128 *out);
/* Decimal with a sign; at most 40 characters and the zero. */
void or_i128_print(or_i128 v, char out[41]);
/* Bits of the shortest two's complement form: 1 for 0 and -1, 2 for 1, 8 for -128. */
unsigned or_i128_bits(or_i128 v);

#endif
