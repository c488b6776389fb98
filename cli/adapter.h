/* Another program as the engine under test, over a pipe: adapters/README.md has the protocol. */
#ifndef UPROOF_CLI_ADAPTER_H
#define UPROOF_CLI_ADAPTER_H

#include "engine/uop.h"

/* The program, running or not: a shell command that reads a question a line on its standard input and
 * writes an answer a line on its standard output. */
typedef struct cl_pipe cl_pipe;
/* Nothing is started yet. seconds: how long an answer is waited for. NULL: no memory. */
cl_pipe *cl_pipe_new(const char *command, uint64_t seconds);
void cl_pipe_free(cl_pipe *p); /* ends the program */

typedef enum cl_pipe_got {
  CL_PIPE_ANSWER,
  CL_PIPE_ENDED, /* the program ended over the question, as `why` says; the next one starts it again */
  CL_PIPE_SILENT,  /* it said nothing for so long, and was killed; so does this */
  CL_PIPE_STOPPED, /* a blocked SIGINT or SIGTERM came before it said anything: likewise */
  CL_PIPE_FAILED   /* it could not be started, or there is no memory */
} cl_pipe_got;
/* Sends the line (without its end), starting the program if need be, and reads one: the program's,
 * until the next call. */
cl_pipe_got cl_pipe_ask(cl_pipe *p, const char *line, const char **answer, size_t *n);
const char *cl_pipe_why(const cl_pipe *p); /* "ended with status 1"; after an answer, "" */

/* The profile whose engine is the program. NULL after a message: it does not start, or does not
 * answer as an adapter does. */
up_profile *cl_adapter_profile(const char *command, uint64_t seconds);

#endif
