/* The parts of `uproof mutate`. */
#ifndef UPROOF_CLI_MUTATE_H
#define UPROOF_CLI_MUTATE_H

#include "cli/mutants.h"

typedef struct mu_args {
  cl_common common; /* operands: graphs of the corpus */
  const char *rule, *keep;
  uint64_t runs, aimed, every, seconds;
  bool each, table;
} mu_args;

/* What may show that a mutant is wrong, beside the prover: given graphs; graphs made around the mutant;
 * those of a campaign that does not know of it; and those around it with no other rule at work: what is
 * found there alone the other rules hide. */
typedef enum mu_layer { MU_CORPUS, MU_AIMED, MU_FUZZ, MU_ALONE, MU_LAYERS } mu_layer;
const char *mu_layer_name(mu_layer l);

typedef struct mu_outcome {
  bool judged; /* else nothing of it is known yet */
  pf_fate fate;
  char why[160], hidden_by[96]; /* "": not hidden; else rules that take its place, with counts */
  uint64_t corpus;              /* digest of the graphs that it was checked on */
  cl_hit hit[MU_LAYERS];        /* seconds and tried: of all passes */
} mu_outcome;

typedef struct mu_run {
  const mu_args *a;
  cl_mutants all;
  mu_outcome *o; /* one a mutant */
  char (*key)[33];
  up_ctx *corpus; /* NULL: none was given */
  up_list graphs; /* its */
  uint64_t digest;
} mu_run;

/* ---- layers (mutate_layers.c) ---------------------------------------------------------------- */

/* Graphs of the operands, files and folders of fuzz inputs. False after a message. */
bool mu_read_corpus(mu_run *z, const up_profile *p);
/* What of the mutant's outcome is missing is added, up to so many graphs; both 0: neither. */
typedef struct mu_budget {
  uint64_t runs, aimed;
} mu_budget;
void mu_judge(const mu_run *z, uint32_t mutant, const mu_budget *b, pf_prover *prover,
              const volatile bool *stop, mu_outcome *out);

/* ---- what is kept (mutate_keep.c) ------------------------------------------------------------ */

/* The keys of all mutants: of everything that an outcome depends on. */
bool mu_make_keys(mu_run *z);
/* Takes outcomes out of the file, if it is there. A line that is cut off, the last one, is dropped. False
 * after a message: it is none of this kind, or can't be read. */
bool mu_load(mu_run *z);
/* Adds a line with the outcome of the mutant; the last one of a key counts. False after a message. */
bool mu_keep(const mu_run *z, uint32_t mutant);

/* ---- results (mutate_out.c) ------------------------------------------------------------------ */

/* A layer has shown a wrong value or bound. */
bool mu_is_wrong(const mu_outcome *o);
/* Refuted, and a layer that was asked for does not show it; or not decided. */
bool mu_survives(const mu_run *z, const mu_outcome *o);
/* Lines, JSON or table, and the summary on standard error. The exit status that they mean. */
int mu_put_results(const mu_run *z);

#endif
