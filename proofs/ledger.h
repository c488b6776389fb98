/* uproof proofs: the ledger, rule x frame x dtype -> verdict, and the cache of verdicts.
 *
 * A row is one obligation, or what is said instead of one: choices without a meaning in the frame
 * are rows too (`unsupported`). A native right side stands for its lemmas: a row an instance of each.
 * Rows are made first, all with the hash of their query; then each is answered out of the cache or
 * proved, in any order and in any process.
 */
#ifndef UPROOF_LEDGER_H
#define UPROOF_LEDGER_H

#include "optimal.h"

#define PF_KEY 33 /* 128 bits in hex, and a zero */

typedef struct pf_row {
  const char *rule;  /* of the profile */
  const char *lemma; /* of its native right side, or NULL */
  up_rule_kind kind;
  const char *file;
  unsigned line;
  unsigned wrong_in; /* frames in which rule (or lemma) is marked as wrong: enum up_rule_frame */
  or_frame frame;
  char label[64]; /* ops and dtypes; "" when there is no instance */
  char key[PF_KEY];
  bool answered, cached;
  pf_verdict verdict;
  pf_second second;
  uint64_t resource;
  uint32_t rlimit; /* under which the answer was found */
  char by[40];
  pf_while holds_while; /* of wrap and refine: what is enough where the verdict is no proof */
  char while_by[40];
  bool left_stays;                         /* the left side is in range at the counterexample */
  char *reason, *counterexample, *witness; /* owned; "" for none */
} pf_row;

typedef struct pf_what {
  const char *rule; /* one rule, or NULL */
  const char *file; /* rules of this text alone, or NULL; "rules" is a user's own */
  const or_frame *frame;
  unsigned nframe;
  unsigned types; /* mask of 1 << enum up_scalar */
} pf_what;

typedef struct pf_ledger pf_ledger;
/* The rows, unanswered but for those without an obligation. The profile must outlive it. NULL: err. */
pf_ledger *pf_ledger_new(const up_profile *p, const pf_what *what, up_error *err);
void pf_ledger_free(pf_ledger *l);
uint32_t pf_ledger_count(const pf_ledger *l);
const pf_row *pf_ledger_row(const pf_ledger *l, uint32_t i);
/* Proves row i. p's limits are used; its profile is set to that of the row. */
void pf_ledger_prove(pf_ledger *l, uint32_t i, pf_prover *p);
/* The obligation of row i as SMT-LIB2 text; false: there is none. */
bool pf_ledger_query(pf_ledger *l, uint32_t i, pf_prover *p, up_buf *out);

/* Is the bounds rule of row i, proved in ideal, optimal? out: as pf_find_optimality has it. */
pf_optimality pf_ledger_optimality(pf_ledger *l, uint32_t i, pf_prover *p, up_buf *out);

/* A row's answer as one line with its key in front, without a newline: so many fields with a tab
 * between them, the last three left out where they are empty. */
#define PF_FIELDS 9u
#define PF_MOST_FIELDS 12u
void pf_ledger_put(const pf_ledger *l, uint32_t i, up_buf *out);
/* Sets row i's answer from such a line; false when it is none, or of another key. */
bool pf_ledger_take(pf_ledger *l, uint32_t i, const char *line, size_t n);
/* Answers row i without having asked: a worker that died, a verdict that the cache does not hold. */
void pf_ledger_give_up(pf_ledger *l, uint32_t i, pf_verdict v, const char *reason);
/* Row i is unanswered again. */
void pf_ledger_forget(pf_ledger *l, uint32_t i);
/* Its answer came out of a cache. */
void pf_ledger_mark_cached(pf_ledger *l, uint32_t i);

/* ---- cache: lines of pf_ledger_put, sorted by key --------------------------------------------- */

typedef struct pf_cache pf_cache;
/* An empty one when there is no such file and `create`. NULL: err, with the line. */
pf_cache *pf_cache_load(const char *file, bool create, up_error *err);
/* The same of a text. */
pf_cache *pf_cache_parse(const char *text, size_t n, up_error *err);
void pf_cache_free(pf_cache *c);
/* Answers every row that it holds a verdict for: a decided one, or one that was not decided under
 * this resource limit or a higher one. Returns how many. */
uint32_t pf_cache_answer(const pf_cache *c, pf_ledger *l, uint32_t rlimit);
/* Takes over every answered row that is not an error. False: no memory. */
bool pf_cache_add(pf_cache *c, const pf_ledger *l);
/* Replaces the file, whole or not at all. */
bool pf_cache_save(pf_cache *c, const char *file, up_error *err);

#endif
