/* uproof oracle: all points of a large box by compiled code, where LLVM is at hand. Private to oracle/.
 *
 * The compiled function answers one question about a run of blocks: in which one is there a point at
 * which a root fails? Everything else (which point, which root) is left to the lanes of block.c, which
 * go on from that block on: so verdicts and witnesses are theirs, byte for byte.
 */
#ifndef UPROOF_ORACLE_JIT_H
#define UPROOF_ORACLE_JIT_H

#include "program.h"

#define JIT_WHY 120u /* bytes of a reason */

/* Lanes of a row are a multiple of this. */
#define JIT_LANES 8u

/* How the points of a box are put into blocks. A block is `length` lanes; what a variable is in them:
 *   a row             the same values in every block: row[var]
 *   `base`            start + k * step in block k; plus its row, if it has one
 *   any other         one value for all blocks of a call
 */
typedef struct jit_plan {
  const pr_program *p;
  const pr_range *claim; /* one a root, or NULL: roots are pairs to compare */
  uint32_t root_limit;   /* roots from this one on are not looked at */
  const uint32_t *row;   /* by variable: number of its row, or BL_NONE */
  uint32_t base, step;
  uint32_t length;
} jit_plan;

/* rows: `length` lanes a row, aligned to 64 bytes; value: one lane a variable, for `base` the start.
 * Lanes are as wide as those of bl_machine. Every lane of every block must be a point of the box. Returns the number of
 * blocks before the first one with a point that fails; `blocks` if there is none. */
typedef uint64_t jit_function(const void *rows, const void *value, uint64_t blocks);

typedef struct jit_code {
  jit_function *run;
  void *own;
} jit_code;

/* False: why (JIT_WHY bytes) says what failed; nothing is to be freed. */
bool jit_compile(const jit_plan *plan, jit_code *out, char *why);
void jit_free(jit_code *c);

#endif
