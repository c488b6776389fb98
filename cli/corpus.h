/* The parts of `uproof corpus`. */
#ifndef UPROOF_CLI_CORPUS_H
#define UPROOF_CLI_CORPUS_H

#include "cli/cli.h"

#define CP_MOST_BYTES (1u << 16) /* of an input; targets read no more */

typedef struct cp_input {
  uint8_t *bytes; /* its own */
  size_t n;
} cp_input;
typedef struct cp_inputs {
  cp_input *p;
  size_t n, cap;
  uint64_t too_long, unreadable; /* files that are not among them */
} cp_inputs;

/* Adds what the folder holds: the queues of an AFL++ folder, the corpus, queues and findings of a
 * campaign's, else its files and those of its folders. `.uop` files become inputs that ask the same.
 * False after a message. */
bool cp_collect(const char *dir, cp_inputs *all);
/* Smallest first, equal ones once. */
void cp_sort(cp_inputs *all);
void cp_free(cp_inputs *all);

/* What inputs reach: rules by how often they apply or give bounds, and the conjuncts of conditions. */
typedef struct cp_reach cp_reach;
/* profile: of all inputs; NULL: that which each chooses. NULL: no memory. */
cp_reach *cp_reach_new(const char *profile);
void cp_reach_free(cp_reach *r);
/* How many things the input reaches that none before it has. */
uint32_t cp_reach_add(cp_reach *r, const cp_input *in);
uint32_t cp_reach_rules(const cp_reach *r); /* reached up to now, over all profiles */
uint32_t cp_reach_count(const cp_reach *r); /* things, up to now */

#endif
