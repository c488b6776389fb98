/* uproof oracle: a program evaluated at many points at once, a block of lanes an instruction.
 * Private to oracle/.
 *
 * Lanes are int32, int64 or 128 bits wide, the narrowest that the program's intervals allow; wider
 * programs are refused. Registers are shared by slots whose lives do not overlap. One machine is
 * used for many programs, one after the other.
 */
#ifndef UPROOF_ORACLE_BLOCK_H
#define UPROOF_ORACLE_BLOCK_H

#include "program.h"

#define BL_LANES 1024u
#define BL_NONE UINT32_MAX

typedef struct bl_machine {
  const pr_program *p;
  const pr_range *claim; /* one a root, or NULL: roots are pairs to compare */
  unsigned width;        /* bytes of a lane: 4, 8, 16 */
  uint32_t lanes;        /* points a block, BL_LANES at most */
  uint32_t nreg;
  uint32_t *reg;      /* by slot */
  uint32_t *last;     /* by slot: the last instruction that reads it */
  uint32_t *stack;    /* registers that are free, while they are given out */
  uint32_t *event;    /* roots in order of the instruction after which they can be looked at */
  uint32_t *event_at; /* by slot: first event; slot n has the end */
  uint32_t slot_cap, root_cap;
  unsigned char *file; /* values: nreg * lanes * width bytes */
  uint8_t *defined;    /* nreg * lanes; 0 or 1; only of slots that may be undefined */
  uint8_t *ones;
  size_t file_cap, defined_cap;
  uint32_t root_limit; /* roots from this one on are not looked at */
  /* Instead of looking for failures: one a root, widened by every run to hold the values that the
   * root has where it is defined. To be set before bl_prepare, NULL again after use. */
  pr_range *seen;
  const uint8_t *counts;   /* with seen: lanes at which the assumptions hold */
  uint32_t fail[BL_LANES]; /* first root that fails in this lane, or BL_NONE */
} bl_machine;

typedef enum bl_status { BL_OK, BL_TOO_WIDE, BL_NO_MEMORY } bl_status;
/* points: as many as there will be; few take few lanes, and so less to fill and less cache. The machine
 * refers to p and claim until the next call. */
bl_status bl_prepare(bl_machine *m, const pr_program *p, const pr_range *claim, uint64_t points);
void bl_free(bl_machine *m);

/* Sets `count` lanes of a variable, from lane `from` on, to v, v+1, ..., each `run` times. */
void bl_fill(bl_machine *m, uint32_t var, uint32_t from, uint32_t count, or_i128 v, uint32_t run);

typedef struct bl_failure {
  uint32_t root, lane; /* BL_NONE: nothing fails */
} bl_failure;
/* Evaluates the first n lanes; the least root that fails, and its least lane. */
bl_failure bl_run(bl_machine *m, uint32_t n);

/* After bl_run: the value of a root's slot in a lane. False: undefined there. */
bool bl_value(const bl_machine *m, uint32_t slot, uint32_t lane, or_i128 *out);

#endif
