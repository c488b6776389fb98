/* A graph hidden in a large one: what the minimizer is measured with. */
#ifndef UPROOF_HAYSTACK_H
#define UPROOF_HAYSTACK_H

#include "engine/uop.h"

/* A random graph of at least `nodes` nodes with `needle` somewhere below its root, the same for the
 * same seed. What lies around is small, non-negative and without overflow, so that the needle is
 * all that is wrong with it; whether its failure can still be seen is for the caller to check. With
 * an odd seed the needle's variables are replaced by larger expressions of the same range.
 * UP_NONE: the needle is no scalar integer or bool, or the context's status is not UP_OK. */
up_node fz_bury(up_ctx *c, up_node needle, uint64_t seed, uint32_t nodes);

#endif
