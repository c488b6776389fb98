/* The native right sides, one line each; their meaning is in the files named. */
#ifndef UPROOF_NATIVE_H
#define UPROOF_NATIVE_H

#include "linear.h"

up_node native_div_folding(up_ctx *c, const up_node *arg, unsigned n);          /* divmod_0_10.c */
up_node native_mod_folding(up_ctx *c, const up_node *arg, unsigned n);          /* divmod_0_10.c */
up_node native_lt_folding(up_ctx *c, const up_node *arg, unsigned n);           /* compare.c */
up_node native_canonicalize_simplex(up_ctx *c, const up_node *arg, unsigned n); /* compare.c */
/* unrolled.c: of the sum in 0.10.0; of sum, divisor and optional common factor in 0.11.0 */
up_node native_fold_unrolled_divs(up_ctx *c, const up_node *arg, unsigned n);
up_node native_fold_unrolled_divs_by(up_ctx *c, const up_node *arg, unsigned n);
/* divmod_0_11.c, all of (d, x, y) */
up_node native_cancel_divmod(up_ctx *c, const up_node *arg, unsigned n);
up_node native_remove_nested_mod(up_ctx *c, const up_node *arg, unsigned n);
up_node native_fold_binary_numerator(up_ctx *c, const up_node *arg, unsigned n);
up_node native_fold_divmod_congruence(up_ctx *c, const up_node *arg, unsigned n);
up_node native_divide_by_gcd(up_ctx *c, const up_node *arg, unsigned n);
up_node native_nest_div_by_smallest_factor(up_ctx *c, const up_node *arg, unsigned n);
up_node native_simplify_remainder(up_ctx *c, const up_node *arg, unsigned n);
up_node native_congruence(up_ctx *c, const up_node *arg, unsigned n); /* divmod_sound.c */
/* vector.c; arguments are said there */
up_node native_gep_of_gep(up_ctx *c, const up_node *arg, unsigned n);
up_node native_gep_of_vectorize(up_ctx *c, const up_node *arg, unsigned n);
up_node native_gep_of_const(up_ctx *c, const up_node *arg, unsigned n);
up_node native_gep_in_order(up_ctx *c, const up_node *arg, unsigned n);
up_node native_gep_through_alu(up_ctx *c, const up_node *arg, unsigned n);
up_node native_cat_to_vectorize(up_ctx *c, const up_node *arg, unsigned n);
up_node native_vectorize_of_geps(up_ctx *c, const up_node *arg, unsigned n);
up_node native_vectorize_of_consts(up_ctx *c, const up_node *arg, unsigned n);
up_node native_alu_of_broadcasts(up_ctx *c, const up_node *arg, unsigned n);
up_node native_vectorize_void_to_sink(up_ctx *c, const up_node *arg, unsigned n);
up_node native_flatten_group(up_ctx *c, const up_node *arg, unsigned n);
up_node native_store_gated(up_ctx *c, const up_node *arg, unsigned n);
/* power.c */
up_node native_simplify_pow(up_ctx *c, const up_node *arg, unsigned n);
up_node native_scaled_by_log2(up_ctx *c, const up_node *arg, unsigned n);
up_node native_xpow(up_ctx *c, const up_node *arg, unsigned n);
/* constants.c */
up_node native_fold_bitcast(up_ctx *c, const up_node *arg, unsigned n);
/* decompose.c */
up_node native_masked_below(up_ctx *c, const up_node *arg, unsigned n);
up_node native_shift_left_by(up_ctx *c, const up_node *arg, unsigned n);
up_node native_shift_right_by(up_ctx *c, const up_node *arg, unsigned n);
up_node native_signed_shift_right_by(up_ctx *c, const up_node *arg, unsigned n);
up_node native_fast_idiv(up_ctx *c, const up_node *arg, unsigned n);
up_node native_threefry2x32(up_ctx *c, const up_node *arg, unsigned n);
/* reduce.c */
up_node native_reduce_const_factor(up_ctx *c, const up_node *arg, unsigned n);
up_node native_reduce_mul_chain(up_ctx *c, const up_node *arg, unsigned n);
up_node native_fold_constants(up_ctx *c, const up_node *arg, unsigned n); /* constants.c */

#endif
