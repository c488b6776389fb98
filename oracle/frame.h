/* uproof oracle: what each op means in each frame, in words. Private to oracle/.
 *
 * This text is the specification. Four programs are written from it, apart from each other, and
 * tests/oracle/test_agreement.c holds them together: refeval.c (GMP), block_kernel.h (lanes of
 * machine integers), z3int.c and z3bv.c (terms).
 *
 * A value is an integer; a bool is 0 or 1. It is made in two steps: the exact result of the op on
 * the values of its operands, as unbounded integers, then the finish of the frame.
 *
 * Exact results
 *   CONST, VCONST     the number of the arg (true is 1)
 *   DEFINE_VAR, RANGE, SPECIAL
 *                     any value of the declared range; of a bool, 0 and 1 where they
 *                     are in it. RANGE: from 0 to its end (source 0), end
 *                     excluded; where the end is not a constant, only the assignments at which the
 *                     end is defined and the value is below it count at all. SPECIAL [name, n]: 0
 *                     to n-1. An empty range leaves no assignment: every claim holds.
 *                     A DEFINE_VAR of a vector dtype has a value a lane, each anywhere in the
 *                     declared range, whatever the others are
 *   BIND              its source 0; the bound value is not looked at, as the engine does not
 *   ADD SUB MUL NEG MAX MULACC
 *                     as usual; MULACC is a*b+c
 *   IDIV MOD          truncating: the quotient goes toward zero, the remainder has the sign of the
 *                     dividend. Divisor 0: undefined in ideal and refine; in wrap x//0 = 0, x%0 = x
 *   FLOORDIV FLOORMOD the same toward minus infinity: the remainder has the sign of the divisor. Divisor 0
 *                     as above
 *   SHL SHR           a * 2^b, floor(a / 2^b). b < 0: undefined in ideal and refine, 0 in wrap
 *                     (exec_alu raises there, so a number had to be chosen). refine: b >= width is
 *                     undefined. With a bool result, SHL keeps the truth of a
 *   AND OR XOR        on two's complement with infinitely many sign bits
 *   CMPLT CMPNE CMPEQ compare the values, whatever the dtypes of the operands
 *   WHERE             condition not 0: source 1, else source 2. The source that is not selected
 *                     need not be defined; the condition must be
 *   TRUNC             the operand (on integers)
 *   CAST, and BITCAST between integers of one width
 *                     the operand reduced to the target's width (bool: not 0), in every frame
 *   VECTORIZE GEP     lanes; every op above works lane by lane, a scalar operand of a vector op
 *                     stands for all its lanes
 *   SINK              no value; two SINKs are compared source by source
 *
 * Finish
 *   a bool result     1 if the exact result is not 0, else 0 (every frame: exec_alu applies bool())
 *   ideal             the exact result
 *   wrap              reduced to the dtype, two's complement
 *   refine            ADD SUB MUL NEG MULACC IDIV FLOORDIV SHL of a signed dtype: undefined when the
 *                     exact result does not fit; a constant or variable outside its dtype: undefined;
 *                     else as wrap. (MIN % -1 is 0: the exact remainder fits.)
 *
 * An op with an undefined operand is undefined, but for WHERE as said. Floating-point values,
 * memory and every op not named here are unsupported: they have no value in any frame.
 */
#ifndef UPROOF_ORACLE_FRAME_H
#define UPROOF_ORACLE_FRAME_H

#include "i128.h"
#include "oracle.h"

/* The nine dtypes that have a meaning, as scalars. */
typedef struct fr_type {
  unsigned bits; /* 1 for bool */
  bool is_signed;
  bool is_bool;
} fr_type;
/* False for void, floats and pointers. The vector count is ignored. */
bool fr_type_of(up_dtype d, fr_type *out);
or_i128 fr_min(fr_type t);
or_i128 fr_max(fr_type t);

/* Does `op` have an exact result by the table above, computed from one to three operands? */
bool fr_is_alu(up_op op);
bool fr_is_variable(up_op op);
/* Is the op undefined in refine when its exact result leaves a signed dtype? */
bool fr_overflow_undefined(up_op op);

#endif
