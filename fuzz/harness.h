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

/* A harness a profile, made when it is first asked for. Zero-initialise. */
typedef struct fz_harnesses {
  fz_harness *of[8];
} fz_harnesses;
/* That of the profile which the choice byte of an input names, its context emptied. */
fz_harness *fz_harness_chosen(fz_harnesses *all, uint8_t choice);
up_ctx *fz_harness_ctx(fz_harness *h);
/* The frame that the choice byte names. */
or_frame fz_frame_chosen(uint8_t choice);
/* Bytes to seeds: a number that depends on every byte. */
uint64_t fz_digest(const uint8_t *data, size_t n);

/* Saves the finding as `.uop` in the folder that the variable UPROOF_FINDINGS of the environment
 * names, once for each kind, frame, rule and profile. Without the variable it does nothing. */
void fz_harness_save(fz_harness *h, const or_finding *f);

void fz_require(bool holds, const char *demand);
/* Does each node under root pass up_node_check? */
bool fz_is_well_formed(up_ctx *c, up_node root);
/* Does up_node_check judge every op of it, so that "well formed" says something? It takes loads,
 * stores and control flow as they are; and of vectors the modelled engines make what it refuses. */
bool fz_is_judged(up_ctx *c, up_node root);
/* As fz_is_well_formed, as a demand. */
void fz_require_well_formed(up_ctx *c, up_node root);
/* `.uop` text of the graph reads back as the same graph. */
void fz_require_reads_back(fz_harness *h, up_node root);
/* At a few points, chosen by seed: the reference evaluator and exec_alu agree on every node that
 * has a value, in ideal without truncation and in wrap with it. */
void fz_require_evaluators_agree(fz_harness *h, up_node root, uint64_t seed);
/* The report about root is possible: verdict, findings, and a simplified graph that is well formed,
 * unless that is a finding, or root holds ops that up_node_check does not judge. */
void fz_require_report(fz_harness *h, up_node root, const or_report *r);

#endif
