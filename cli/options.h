/* Command-line options as tables: parsing, defaults and help all come from them. */
#ifndef UPROOF_CLI_OPTIONS_H
#define UPROOF_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum cl_type {
  CL_FLAG,   /* bool */
  CL_TEXT,   /* const char * */
  CL_CHOICE, /* const char *, one of the words of `arg` ("a|b|c") */
  CL_COUNT,  /* uint64_t */
  CL_TEXTS   /* cl_texts: may be given again and again */
} cl_type;

typedef struct cl_texts {
  const char **p;
  unsigned n;
} cl_texts;

typedef struct cl_option {
  const char *name; /* "--seed" */
  const char *arg;  /* "N"; NULL for a flag */
  cl_type type;
  size_t at;        /* offset of the value in the command's argument struct */
  const char *dflt; /* as it would be typed; NULL: none */
  const char *help;
} cl_option;

/* What every command's argument struct begins with. */
/* What --profile is when it is not given: then cl_common.profile is this very pointer. */
extern const char cl_default_profile[];
typedef struct cl_common {
  cl_texts operands; /* the files */
  bool help, json, quiet, progress, idempotence;
  const char *profile, *rules, *adapter;
  uint64_t seed, jobs, adapter_seconds;
  uint64_t samples, points, rlimit, steps, hang, solver_seconds;
} cl_common;

/* Of the commands that can judge another program's engine. */
#define CL_ADAPTER_OPTIONS                                                                         \
  {"--adapter", "CMD",                                                                             \
   CL_TEXT,     offsetof(cl_common, adapter),                                                      \
   NULL,        "judge the engine of this program instead, over a pipe (adapters/README.md)"},     \
  {                                                                                                \
    "--limit-adapter", "SECONDS", CL_COUNT, offsetof(cl_common, adapter_seconds), "60",            \
        "an adapter that is silent for so long is killed and started again: undecided"             \
  }

typedef struct cl_command {
  const char *name;     /* "check" */
  const char *operands; /* "FILE..." */
  const char *summary;  /* one line for the list of commands */
  const char *about;    /* paragraphs for its own help */
  unsigned min_operands, max_operands;
  const cl_option *options; /* its own; the common ones come on top */
  size_t noptions;
  size_t args_size;
  int (*run)(void *args); /* an exit status of cli.h */
} cl_command;

/* Fills args (of cmd->args_size bytes, zeroed) from the defaults and argv. False: one line was
 * printed on standard error. */
bool cl_parse(const cl_command *cmd, int argc, char **argv, void *args);
/* Frees what cl_parse allocated. */
void cl_release(const cl_command *cmd, void *args);
/* A decimal number from 0 to UINT64_MAX, and nothing else. */
bool cl_parse_count(const char *text, uint64_t *out);
void cl_print_help(const cl_command *cmd, FILE *out);

#endif
