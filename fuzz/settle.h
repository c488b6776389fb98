/* Constants and ends of ranges of a graph, moved until a rule's condition holds at the root, and often on
 * to where it just holds: conditions that compare are wrong at such places first. */
#ifndef UPROOF_FUZZ_SETTLE_H
#define UPROOF_FUZZ_SETTLE_H

#include "fuzz/gen.h"

/* The graph with its shape, other numbers, each of them inside of its dtype. What it is made of depends on
 * the arguments alone; where the condition could not be met it is as near as the search came. UP_NONE:
 * the context's status is set. */
up_node fz_settle(up_ctx *c, uint32_t rule, up_node root, fz_rng *rng);

#endif
