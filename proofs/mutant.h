/* uproof proofs: mutants of rule texts, the slips that one makes.
 *
 * A mutant differs from its rule in one place. Those that are still true rules are equivalent as far
 * as soundness goes (a prover says which); every other one is a wrong rule that a prover must refute
 * and a fuzzer should find: the share that each does is its kill score.
 *
 * The slips: a conjunct of the condition left out; a comparison the other way round, or with the
 * bound in or out; and for or; a number one off; a sign lost or turned; operands swapped; one name for
 * another; vmin for vmax, min for max; floor for truncation or ceiling and back; a dtype constraint
 * left out; an op set made wider.
 */
#ifndef UPROOF_MUTANT_H
#define UPROOF_MUTANT_H

#include "engine/uop.h"

typedef struct pf_mutant {
  const char *rule;   /* name of the rule, zero-terminated, until the next call */
  unsigned line, col; /* of the change, in the text */
  uint32_t number;    /* of this rule's mutants, from 0 */
  const char *what;   /* "conjunct left out", "'<' for '<='": until the next call */
  size_t begin, end;  /* of the rule's statement in the text, bytes */
  size_t name;        /* where its name begins */
  size_t from, to;    /* what is replaced, in the text */
  const char *with;   /* ... by this, zero-terminated, until the next call */
} pf_mutant;

/* Calls `each` for all mutants of all rule and bound statements of a text that parses, in the order
 * of the text; false from it stops. Some mutants are no rules (a name that is not bound any more):
 * whoever parses them sees it. Returns false when it was stopped or memory ran out. */
bool pf_mutants(const char *text, size_t n, bool (*each)(const pf_mutant *m, void *arg), void *arg);
/* The mutated statement, under this name (NULL: the rule's own), or the whole text with it in its
 * place. False: no memory. */
bool pf_mutant_statement(const pf_mutant *m, const char *text, const char *name, up_buf *out);
bool pf_mutant_text(const pf_mutant *m, const char *text, size_t n, up_buf *out);

#endif
