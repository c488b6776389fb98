/* Mutants of a profile's rules (proofs/mutant.h), each ready to be proved and to be fuzzed. */
#ifndef UPROOF_CLI_MUTANTS_H
#define UPROOF_CLI_MUTANTS_H

#include "cli/cli.h"
#include "fuzz/instance.h"
#include "proofs/kill.h"

/* A mutant, as text: its statement alone, and the rules of the profile with it in place. */
typedef struct cl_mutant {
  char rule[64], what[64];
  unsigned line, col;
  const char *file;
  up_buf statement, rules;
  up_buf delta; /* what it adds to its rule, as one; len == 0: that can't be told */
  bool
      native; /* its rule is C code: its verdict is that of lemmas and of a small scope of graphs */
  bool proved; /* its rule is, and is no native one: the delta is all that there is to prove */
} cl_mutant;

typedef struct cl_mutants {
  const up_profile *profile;
  pf_cache *verdicts; /* that are part of the program */
  cl_mutant *m;
  uint32_t n;
} cl_mutants;

/* One of `every` mutants of the rule, or of all (NULL), in the order of the texts. False after a
 * message. To be freed either way. */
bool cl_mutants_make(cl_mutants *all, const up_profile *p, const char *rule, uint64_t every);
void cl_mutants_free(cl_mutants *all);

pf_fate cl_mutant_fate(const cl_mutants *all, const cl_mutant *m, pf_prover *prover, char why[160]);
/* The profile with the mutant in it, by a rule set that holds it; `alone`: with no other rewrite rule.
 * NULL: err. *number: of the mutant in its rule table. */
up_profile *cl_mutant_profile(const cl_mutants *all, const cl_mutant *m, bool alone,
                              uint32_t *number, up_error *err);

/* The delta as a rule of its own, in the profile's place: it applies where the mutant does something that
 * its rule does not. NULL: there is none, or err. */
up_profile *cl_mutant_delta(const cl_mutants *all, const cl_mutant *m, uint32_t *number,
                            up_error *err);

/* What shows that a mutant is wrong. */
typedef struct cl_hit {
  bool found;
  or_kind kind;   /* this kind, */
  uint64_t graph; /* in this graph, */
  double seconds; /* after so much time of a processor */
  uint64_t tried; /* graphs looked at or passed over, from 0 on */
} cl_hit;

/* Fuzzes the profile, in ideal, by samples and small boxes as campaigns do, until something is found:
 * around rule `number`, or, for FZ_ANY_RULE, with the graphs of a campaign that knows of nothing.
 * From graph number `from` up to `runs`, or for `seconds` (0: no limit) of a processor. */
typedef struct cl_fuzzing {
  uint32_t number;
  const up_profile
      *delta; /* NULL, or where three graphs of four are made, around rule `at_delta` */
  uint32_t at_delta;
  uint64_t seed, from, runs;
  double seconds;
  const volatile bool *stop;
  /* What is found; true: go on all the same. NULL: no more is wanted. */
  bool (*go_on)(up_ctx *c, const or_finding *f, void *arg);
  void *arg;
} cl_fuzzing;
cl_hit cl_mutant_fuzz(const up_profile *p, const cl_fuzzing *how);
/* The same with given graphs, of another context, in their order. */
cl_hit cl_mutant_check(const up_profile *p, const up_ctx *of, const up_list *graphs,
                       const volatile bool *stop);

#endif
