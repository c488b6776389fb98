/* Printing the ledger. */
#ifndef UPROOF_CLI_LEDGER_OUT_H
#define UPROOF_CLI_LEDGER_OUT_H

#include "proofs/ledger.h"

typedef struct cl_ledger_out {
  const char *profile; /* or the rule file */
  bool json, each, quiet;
} cl_ledger_out;

/* Prints all rows, and the summary on standard error; the exit status that they mean. */
int cl_put_ledger(const pf_ledger *l, const cl_ledger_out *o);
/* A rule that never ends when it is applied alone; why: the graph and its first step. */
bool cl_put_loop(const char *name, const char *why, const cl_ledger_out *o);

#endif
