/* Graphs made around instances of a profile's rules: what a random graph hardly ever holds (a mask
 * between two shifts, a product that is compared with its own factor), over variables whose ranges
 * end where a dtype does. The same seed and profile give the same graph in every build. */
#ifndef UPROOF_FUZZ_INSTANCE_H
#define UPROOF_FUZZ_INSTANCE_H

#include "fuzz/gen.h"

/* A graph that holds an instance of this rule, by its number, or of one of the profile's (FZ_ANY_RULE),
 * within the options. UP_NONE: what came out is no graph that the oracle gives a meaning to (or the
 * context's status is set); another seed may do better. */
#define FZ_ANY_RULE UINT32_MAX
/* Of a campaign's instances one of so many may hold what is rare (fz_opts). */
#define FZ_RARE_EVERY 4u
up_node fz_instance(up_ctx *c, const fz_opts *o, uint32_t rule, uint64_t seed);

#endif
