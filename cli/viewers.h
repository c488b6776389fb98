/* Findings as JUnit XML and as SARIF, for the viewers of CI services. */
#ifndef UPROOF_CLI_VIEWERS_H
#define UPROOF_CLI_VIEWERS_H

#include "cli/cli.h"

/* Zero-initialise but for the names; cl_viewers_free at the end. */
typedef struct cl_viewers {
  const char *junit, *sarif; /* files to write; NULL: not asked for */
  const char *command;       /* "check" */
  const char *rules;         /* the user's .rules file, or NULL */
  json_t *findings;
  bool no_memory;
} cl_viewers;

/* False after a message: both to one file. */
bool cl_viewers_usable(const char *junit, const char *sarif);
/* Takes note of JSON lines of findings; nothing when no file was asked for. */
void cl_viewers_add(cl_viewers *v, const char *lines, size_t n);
/* Writes the files. False after a message. */
bool cl_viewers_write(cl_viewers *v, const up_profile *p, const cl_tally *t);
void cl_viewers_free(cl_viewers *v);

#endif
