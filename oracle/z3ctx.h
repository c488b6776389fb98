/* uproof oracle: a Z3 context with everything that can go wrong caught. Private to oracle/ and
 * proofs/.
 *
 * The error handler is always set (without one Z3 prints and exits). Every call that makes a term
 * is checked; a call that fails gives NULL, and a NULL operand gives NULL again, so that a query is
 * built without looking and asked once, at the end. After a failure `error` is not empty, and the
 * query has no answer. Limits are resource units, not seconds: verdicts do not depend on the
 * machine.
 */
#ifndef UPROOF_ORACLE_Z3CTX_H
#define UPROOF_ORACLE_Z3CTX_H

#include "engine/uop.h"
#include "i128.h"
#include <z3.h>

typedef struct z3_session {
  Z3_context ctx; /* NULL before the first query */
  Z3_solver solver;
  const char *const *name; /* of variables by number; NULL: v0, v1 ... */
  Z3_ast_vector kept; /* not NULL: assertions go here, not to the solver, which rewrites them */
  char error[120];
} z3_session;

/* A question begins, in a context of its own: terms of the one before are gone. In a context that
 * remembers other questions Z3 numbers terms otherwise, searches in another order, and near the
 * resource limit says otherwise. False: see error. */
bool z3_begin(z3_session *z, uint32_t rlimit);
void z3_free(z3_session *z);

/* Terms. NULL on any failure. */
Z3_ast z3_keep(z3_session *z, Z3_ast a);
Z3_ast z3_1(z3_session *z, Z3_ast (*make)(Z3_context, Z3_ast), Z3_ast a);
Z3_ast z3_2(z3_session *z, Z3_ast (*make)(Z3_context, Z3_ast, Z3_ast), Z3_ast a, Z3_ast b);
/* The constructors that take any number of operands, with two. */
Z3_ast z3_n2(z3_session *z, Z3_ast (*make)(Z3_context, unsigned, const Z3_ast[]), Z3_ast a,
             Z3_ast b);
Z3_ast z3_ite(z3_session *z, Z3_ast cond, Z3_ast then, Z3_ast otherwise);
/* Of the Int sort, or of a bit-vector sort of `width` bits (0: Int). */
Z3_ast z3_number(z3_session *z, Z3_sort sort, unsigned width, or_i128 v);
/* The same of digits in any base. */
Z3_ast z3_digits(z3_session *z, Z3_sort sort, unsigned width, const char *digits, int base);
Z3_ast z3_decimal(z3_session *z, Z3_sort sort, const char *digits);
Z3_ast z3_variable(z3_session *z, Z3_sort sort, unsigned number);

void z3_assert(z3_session *z, Z3_ast truth);

/* From z3_keep_text on assertions are only kept; z3_text writes them as a script in SMT-LIB2, from
 * its set-logic to its check-sat. False: see error. */
bool z3_keep_text(z3_session *z);
bool z3_text(z3_session *z, up_buf *out);

typedef enum z3_answer { Z3_NO_MODEL, Z3_MODEL, Z3_GAVE_UP, Z3_FAILED } z3_answer;
/* GAVE_UP: the resource limit, or the solver's "unknown"; why (80 bytes) says which. */
z3_answer z3_check(z3_session *z, char *why);
/* After Z3_MODEL: the value of a variable. width: of its bit-vector sort, read as two's complement;
 * 0: Int. False: see error. */
bool z3_model_value(z3_session *z, Z3_model m, Z3_ast variable, unsigned width, mpz_t out);
/* v, less than 2^width, becomes what its bits are in two's complement; width 0: it stays. */
void z3_read_signed(mpz_t v, size_t width);
/* Release with Z3_model_dec_ref. NULL: see error. */
Z3_model z3_model(z3_session *z);

#endif
