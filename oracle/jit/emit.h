/* uproof oracle: a program's instructions as LLVM values. Private to oracle/jit/.
 *
 * The function has three places to put an instruction, its levels: before the first block, at the
 * head of each block, and in the loop over a block's lanes. An instruction is put where its operands
 * are. On the first two levels values are scalars, on the third vectors.
 */
#ifndef UPROOF_JIT_EMIT_H
#define UPROOF_JIT_EMIT_H

#include "llvm.h"
#include "oracle/jit.h"

enum { JT_ONCE, JT_BLOCK, JT_LANES, JT_LEVELS };

/* In lanes of 64 bits, few processors multiply or divide, or convert to double. A value of at most so
 * many bits becomes a double, and a double of such a value a lane, by a sum with 3 * 2^51, which has
 * the number in its lowest 52 bits; and as long as results have no more bits, arithmetic on doubles is
 * exact. So a slot can have its value as a double, and as a lane only when that is asked for. */
#define JT_REAL_BITS 51u

typedef struct jt_slot {
  unsigned level;
  LLVMValueRef value;   /* NULL: it is there as `real` only */
  LLVMValueRef real;    /* double; NULL: not asked for yet */
  LLVMValueRef truth;   /* i1, where the value is that extended; else NULL */
  LLVMValueRef defined; /* i1; NULL: everywhere */
} jt_slot;

typedef struct jt_emitter {
  const jl_api *l;
  const jit_plan *plan;
  const pr_program *p;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef at[JT_LEVELS];
  unsigned bits;  /* of a lane: 32, 64, 128 */
  unsigned lanes; /* of a vector; 1: no vectors */
  LLVMTypeRef lane, truth;
  LLVMValueRef rows, values;   /* the function's pointers, to lanes */
  LLVMValueRef index;          /* of the first lane, in the loop over lanes */
  LLVMValueRef start;          /* of plan->base in this block */
  LLVMValueRef divide, modulo; /* functions for lanes of 128 bits */
  jt_slot *slot;
} jt_emitter;

/* A scalar type as it is on a level. */
LLVMTypeRef jt_type(const jt_emitter *e, unsigned level, LLVMTypeRef scalar);
LLVMValueRef jt_number(const jt_emitter *e, unsigned level, or_i128 v);
LLVMValueRef jt_spread(const jt_emitter *e, unsigned from, unsigned to, LLVMValueRef v);
LLVMValueRef jt_binary(const jt_emitter *e, unsigned level, LLVMOpcode op, LLVMValueRef a,
                       LLVMValueRef b);
LLVMValueRef jt_compare(const jt_emitter *e, unsigned level, LLVMIntPredicate is, LLVMValueRef a,
                        LLVMValueRef b);
LLVMValueRef jt_select(const jt_emitter *e, unsigned level, LLVMValueRef c, LLVMValueRef a,
                       LLVMValueRef b);
LLVMValueRef jt_cast(const jt_emitter *e, unsigned level, LLVMOpcode op, LLVMValueRef a,
                     LLVMTypeRef scalar);
/* The value of a slot on a level that is not before its own. */
LLVMValueRef jt_value(const jt_emitter *e, unsigned level, uint32_t slot);

/* Whether a slot's value, or the `truth` of a bool, is not 0. */
LLVMValueRef jt_truth(const jt_emitter *e, unsigned level, uint32_t slot);

/* Makes the value or the real of an IDIV or MOD, as frame.h has them for wrap; any number where that
 * is undefined. */
void jt_divide(const jt_emitter *e, unsigned level, const pr_ins *o, jt_slot *s);

/* ---- doubles (real.c) ------------------------------------------------------------------------ */

LLVMValueRef jt_double(const jt_emitter *e, unsigned level, double v);
/* The value of a slot of at most JT_REAL_BITS, in a program of lanes of 64 bits. */
LLVMValueRef jt_real(const jt_emitter *e, unsigned level, uint32_t slot);
/* Of a whole number of at most JT_REAL_BITS. */
LLVMValueRef jt_whole(const jt_emitter *e, unsigned level, LLVMValueRef real);
/* A function of LLVM's own whose operands and result are of one type of reals. */
LLVMValueRef jt_call(const jt_emitter *e, unsigned level, const char *name, LLVMValueRef *arg,
                     unsigned n);
/* Makes the real of an instruction, or the truth of a comparison, where that is the better way. */
bool jt_in_reals(const jt_emitter *e, unsigned level, const pr_ins *o, jt_slot *s);
/* Do two slots differ, asked of reals. NULL: not the better way. */
LLVMValueRef jt_reals_differ(const jt_emitter *e, unsigned level, uint32_t a, uint32_t b);

/* All slots of the program; returns whether a root fails, an i1 on JT_LANES. */
LLVMValueRef jt_program(jt_emitter *e);

#endif
