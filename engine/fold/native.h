/* The native right sides, one line each; their meaning is in the files named. */
#ifndef UPROOF_NATIVE_H
#define UPROOF_NATIVE_H

#include "linear.h"

up_node native_div_folding(up_ctx *c, const up_node *arg, unsigned n);          /* divmod_0_10.c */
up_node native_mod_folding(up_ctx *c, const up_node *arg, unsigned n);          /* divmod_0_10.c */
up_node native_lt_folding(up_ctx *c, const up_node *arg, unsigned n);           /* compare.c */
up_node native_canonicalize_simplex(up_ctx *c, const up_node *arg, unsigned n); /* compare.c */
up_node native_fold_unrolled_divs(up_ctx *c, const up_node *arg, unsigned n);   /* unrolled.c */
up_node native_fold_constants(up_ctx *c, const up_node *arg, unsigned n);       /* constants.c */

#endif
