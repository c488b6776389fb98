/* uproof oracle: the order in which the points of a box are evaluated. Private to oracle/.
 *
 * Variables are ordered by the size of their range, and the first ones, as long as the product of
 * their sizes fits in a block, are the same in every block. The next one runs through a block in
 * steps; the rest count like an odometer, one step a block.
 */
#ifndef UPROOF_ORACLE_BOX_H
#define UPROOF_ORACLE_BOX_H

#include "checker.h"

typedef struct bx_axis {
  uint32_t var;
  or_i128 lo;
  uint64_t size, at; /* at: offset of the current value (inner: of the block's first lane) */
} bx_axis;

typedef struct bx_box {
  const or_task *t;
  bx_axis *axis;
  uint32_t n, inner; /* axes before `inner` are the same in every block */
  uint32_t period;   /* product of their sizes */
  uint32_t steps;    /* values of axis[inner] in a block */
} bx_box;

/* Compiled code, where the box is worth it: goes over blocks as long as no root fails. True: over all
 * of them. False: the box is at the first one in which a root fails, or where it was. */
bool bx_clean(bx_box *b);

#endif
