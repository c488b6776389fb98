/* The table of native right sides. */
#include "native.h"
#include <string.h>

static const up_native table[] = {
    {"div_folding", 2, true, native_div_folding, "a sum of any number of terms"},
    {"mod_folding", 2, true, native_mod_folding, "a sum of any number of terms"},
    {"lt_folding", 2, true, native_lt_folding, "a sum of any number of terms"},
    {"canonicalize_simplex", 1, true, native_canonicalize_simplex, "a sum of any number of terms"},
    {"fold_unrolled_divs", 1, true, native_fold_unrolled_divs, "a sum of any number of terms"},
    {"fold_unrolled_divs_by", 2, true, native_fold_unrolled_divs_by,
     "a sum of any number of terms"},
    {"fold_unrolled_divs_by_scaled", 3, true, native_fold_unrolled_divs_by,
     "a sum of any number of terms"},
    {"cancel_divmod", 3, true, native_cancel_divmod, "one quotient for four corners"},
    {"remove_nested_mod", 3, true, native_remove_nested_mod, "a sum of any number of terms"},
    {"fold_binary_numerator", 3, true, native_fold_binary_numerator,
     "divides out the term's factor"},
    {"fold_divmod_congruence", 3, true, native_fold_divmod_congruence,
     "a sum of any number of terms"},
    {"divide_by_gcd", 3, false, native_divide_by_gcd, "a sum of any number of terms"},
    {"nest_div_by_smallest_factor", 3, true, native_nest_div_by_smallest_factor,
     "a sum of any number of terms; simplifies on its own"},
    {"simplify_remainder", 3, true, native_simplify_remainder, "a sum of any number of terms"},
    {"gep_of_gep", 2, false, native_gep_of_gep, "any number of lanes"},
    {"gep_of_vectorize", 2, false, native_gep_of_vectorize, "any number of lanes"},
    {"gep_of_const", 2, false, native_gep_of_const, "any number of lanes"},
    {"gep_in_order", 1, false, native_gep_in_order, "any number of lanes"},
    {"gep_through_alu", 2, false, native_gep_through_alu, "any number of lanes"},
    {"cat_to_vectorize", 1, false, native_cat_to_vectorize, "any number of lanes"},
    {"vectorize_of_geps", 2, false, native_vectorize_of_geps, "any number of lanes"},
    {"vectorize_of_consts", 1, false, native_vectorize_of_consts, "any number of lanes"},
    {"alu_of_broadcasts", 3, false, native_alu_of_broadcasts, "any number of lanes"},
    {"vectorize_void_to_sink", 1, false, native_vectorize_void_to_sink, "any number of sources"},
    {"flatten_group", 1, false, native_flatten_group, "any number of sources"},
    {"store_gated", 4, false, native_store_gated, "any number of sources"},
    {"simplify_pow", 2, false, native_simplify_pow, "computes with floats"},
    {"scaled_by_log2", 2, false, native_scaled_by_log2, "computes with floats"},
    {"xpow", 2, false, native_xpow, "a large right side, written once"},
    {"fold_bitcast", 2, false, native_fold_bitcast, "looks at the bits of constants"},
    {"reduce_const_factor", 3, false, native_reduce_const_factor, "any number of ranges"},
    {"reduce_mul_chain", 1, true, native_reduce_mul_chain, "a product of any number of factors"},
    {"fold_constants", 1, false, native_fold_constants, "evaluates any op on constants"},
};
#define COUNT (sizeof table / sizeof *table)

const up_native *up_native_at(unsigned i) { return i < COUNT ? &table[i] : NULL; }

const up_native *up_native_find(const char *name, size_t n) {
  for (unsigned i = 0; i < COUNT; i++)
    if (strlen(table[i].name) == n && memcmp(table[i].name, name, n) == 0) return &table[i];
  return NULL;
}
