/* uproof oracle: programs as Z3 terms. Private to oracle/.
 *
 * Every slot becomes a value and a condition under which it is defined. bool slots are Bool terms;
 * integers are Int terms (z3int.c) or bit-vectors of one width in which every value fits (z3bv.c).
 * What is the same for both is in z3enc.c: bools, definedness, the question.
 */
#ifndef UPROOF_ORACLE_Z3ENC_H
#define UPROOF_ORACLE_Z3ENC_H

#include "checker.h"

typedef struct z3_enc z3_enc;

/* How numbers are represented. */
typedef struct z3_arith {
  const char *stage;
  /* Exact result on numbers; NULL and e->cannot when this representation has no term for it. v: the
   * operands. Undefined results may be anything; what wrap says of them must be there. */
  Z3_ast (*exact)(z3_enc *e, const pr_ins *d, const Z3_ast v[3]);
  Z3_ast (*reduce)(z3_enc *e, fr_type t, Z3_ast a);
  Z3_ast (*less)(z3_enc *e, Z3_ast a, Z3_ast b);
  /* A variable of the program: its value as a number, after asserting its range. Sets
   * e->constant[var] and e->constant_width[var]. */
  Z3_ast (*variable)(z3_enc *e, const pr_ins *d);
} z3_arith;
extern const z3_arith z3_ints, z3_bits;

struct z3_enc {
  z3_session *z;
  const pr_program *p;
  const z3_arith *arith;
  Z3_sort sort;
  unsigned width;   /* of bit-vectors; 0: Int */
  Z3_ast *value;    /* by slot: Bool or number */
  Z3_ast *defined;  /* by slot: NULL for "always" */
  Z3_ast *constant; /* by variable */
  unsigned *constant_width;
  bool abstract; /* an op became a function that Z3 knows little of: proofs hold, models may not */
  /* One-bit products of the multiplications and divisions, width * width each: what Z3 makes of them
   * before it counts any resource. */
  uint64_t products;
  /* By slot, of Int terms: the degree as a polynomial in the variables and in what is none. The
   * greatest that any term has; UINT32_MAX and more are the same. */
  uint32_t *degree, steepest;
  const char *cannot; /* why there is no term; static text */
};

static inline pr_range z3_range(const z3_enc *e, const pr_ins *d, unsigned i) {
  return e->p->ins[d->src[i]].value;
}
static inline Z3_ast z3_num(z3_enc *e, or_i128 v) { return z3_number(e->z, e->sort, e->width, v); }

/* Builds all terms of p. False: no memory, e->cannot, or the session's error. Free in any case. */
bool z3_encode(z3_enc *e, z3_session *z, const pr_program *p, const z3_arith *arith);
void z3_enc_free(z3_enc *e);
/* The terms of one slot, from those of its sources. False: as above. */
bool z3_encode_slot(z3_enc *e, uint32_t slot);
/* The slot as a number: a bool as 0 or 1. */
Z3_ast z3_slot_number(z3_enc *e, uint32_t slot);

/* Asks in this process. CLEAN: proved. FOUND: value[] (one a variable of the program) is the solver's
 * point; *guess: of a question that says less than is known, so that it may be none. SKIPPED: not
 * expressible (why says what). GAVE_UP: resource limit. BROKEN: why is the error. why has 120
 * bytes. Needs no context: the program's is not looked at. */
or_found z3_ask(z3_session *z, const sv_question *q, mpz_t *value, bool *guess, char *why);
/* The question in SMT-LIB2 (rlimit 0: however large it is), which has no model when the answer is yes.
 * FOUND: it is in out. CLEAN: there is nothing to ask, the answer is yes. *guess, SKIPPED, BROKEN and
 * why as above. */
or_found z3_write(z3_session *z, const sv_question *q, up_buf *out, bool *guess, char *why);

#endif
