/* Is it a graph that campaigns take? Rules make instances of nodes of any op and dtype; what the options
 * leave out, and what the oracle gives no meaning to, is none. */
#ifndef UPROOF_FUZZ_FITS_H
#define UPROOF_FUZZ_FITS_H

#include "fuzz/gen.h"

/* False, too, when memory ran out. */
bool fz_fits(up_ctx *c, const fz_opts *o, up_node root);

#endif
