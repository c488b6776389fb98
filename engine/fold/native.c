/* The table of native right sides. */
#include "native.h"
#include <string.h>

static const up_native table[] = {
    {"div_folding", 2, true, native_div_folding, "a sum of any number of terms"},
    {"mod_folding", 2, true, native_mod_folding, "a sum of any number of terms"},
    {"lt_folding", 2, true, native_lt_folding, "a sum of any number of terms"},
    {"canonicalize_simplex", 1, true, native_canonicalize_simplex, "a sum of any number of terms"},
    {"fold_unrolled_divs", 1, true, native_fold_unrolled_divs, "a sum of any number of terms"},
    {"fold_constants", 1, false, native_fold_constants, "evaluates any op on constants"},
};
#define COUNT (sizeof table / sizeof *table)

const up_native *up_native_at(unsigned i) { return i < COUNT ? &table[i] : NULL; }

const up_native *up_native_find(const char *name, size_t n) {
  for (unsigned i = 0; i < COUNT; i++)
    if (strlen(table[i].name) == n && memcmp(table[i].name, name, n) == 0) return &table[i];
  return NULL;
}
