/* What every fuzz target needs: contexts that live from run to run, and the demands on the harness
 * itself. A demand that is not met prints one line and aborts: that is what a fuzzer reports. */
#ifndef UPROOF_FUZZ_HARNESS_H
#define UPROOF_FUZZ_HARNESS_H

#include "fuzz/gen.h"
#include "oracle/oracle.h"

typedef struct fz_harness fz_harness;
/* Checks by sampling and small boxes, without a solver. Aborts when there is no memory. */
fz_harness *fz_harness_new(const char *profile);
void fz_harness_free(fz_harness *h);
/* The context, emptied. */
up_ctx *fz_harness_fresh(fz_harness *h);
or_checker *fz_harness_checker(fz_harness *h);

/* Saves the finding as `.uop` in the folder that the variable UPROOF_FINDINGS of the environment
 * names, once for each kind, frame and rule. Without the variable it does nothing. */
void fz_harness_save(fz_harness *h, const or_finding *f);

void fz_require(bool holds, const char *demand);
/* Each node under root passes up_node_check. */
void fz_require_well_formed(up_ctx *c, up_node root);
/* `.uop` text of the graph reads back as the same graph. */
void fz_require_reads_back(fz_harness *h, up_node root);
/* At a few points, chosen by seed: the reference evaluator and exec_alu agree on every node that
 * has a value, in ideal without truncation and in wrap with it. */
void fz_require_evaluators_agree(fz_harness *h, up_node root, uint64_t seed);
/* The report is possible: verdict, findings, a well-formed simplified graph. */
void fz_require_report(fz_harness *h, const or_report *r);

#endif
