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

struct fz_stats;
/* A harness a profile, made when it is first asked for, and what the environment asks of all inputs:
 * UPROOF_PROFILE and UPROOF_FRAME instead of the input's own, UPROOF_STATS=FILE to count in (stats.h).
 * Zero-initialise. */
typedef struct fz_harnesses {
  fz_harness *of[8];
  bool asked;             /* the environment was; then the following hold */
  int profile, frame;     /* -1: the input's */
  struct fz_stats *stats; /* or NULL */
} fz_harnesses;
/* Counts a run, and asks the environment in the first one. fz_case_begin does it. */
void fz_run_begin(fz_harnesses *all);
/* That of a profile, by its number (modulo how many are known), its context emptied. */
fz_harness *fz_harness_of(fz_harnesses *all, unsigned profile);
up_ctx *fz_harness_ctx(fz_harness *h);
/* Another context of the profile, emptied by each call: where texts are read back, and graphs made anew. */
up_ctx *fz_harness_other(fz_harness *h);
/* Bytes to seeds: a number that depends on every byte. */
uint64_t fz_digest(const uint8_t *data, size_t n);

/* What most graph targets begin with: the harness that the input chooses, and the well-formed graph
 * that its bytes stand for. */
typedef struct fz_case {
  fz_input in;
  unsigned profile; /* number of up_profile_known */
  or_frame frame;
  uint64_t seed; /* depends on every byte of the input */
  struct fz_stats *stats;
  fz_harness *h;
  up_ctx *c;
  up_node root;
} fz_case;
fz_case fz_case_begin(fz_harnesses *all, const uint8_t *data, size_t n);
/* In this profile, whatever the input or the environment chooses. */
fz_case fz_case_begin_as(fz_harnesses *all, const uint8_t *data, size_t n, unsigned profile);

/* Saves the finding as `.uop` (one about a valid as a JSON row, `.jsonl`) in the folder that the variable UPROOF_FINDINGS of the environment
 * names, once for each cause (or_finding_cause) and profile. Without the variable it does nothing. */
void fz_harness_save(fz_harness *h, const or_finding *f, const char *cause);
/* Counts the report on the case and the rules with hits (up_ctx_hits), and saves its findings. */
void fz_case_tell(const fz_case *k, const or_report *r, const uint8_t *hits);

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
