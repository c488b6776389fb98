/* The program: finds the subcommand, runs it, and makes sure that what it printed arrived. */
#include "cli/cli.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const cl_command *const commands[] = {
    &cl_simplify, &cl_eval,     &cl_bounds, &cl_trace,  &cl_stats,  &cl_rules,
    &cl_coverage, &cl_corpus,   &cl_check,  &cl_equiv,  &cl_fuzz,   &cl_drill,
    &cl_report,   &cl_minimize, &cl_prove,  &cl_mutate, &cl_golden,
};
#define NCOMMANDS (sizeof commands / sizeof commands[0])

static void print_usage(FILE *out) {
  fprintf(out, "usage: uproof COMMAND [OPTIONS] [FILE...]\n\n"
               "Finds, explains and shrinks soundness bugs in a symbolic integer rewriter.\n\n"
               "commands:\n");
  for (size_t i = 0; i < NCOMMANDS; i++) {
    fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
  }
  fprintf(out, "\n`uproof COMMAND --help` lists the options of a command; `uproof --version`.\n"
               "FILE: `.uop` text, infix, JSON lines, or UOp(...) trees as tinygrad prints them\n"
               "(also gzipped), told by content; - is standard input.\n"
               "--profile: sound (rules that are right), or a release as it is: v0.10.0, v0.11.0,\n"
               "v0.11.0:correct-divmod, v0.11.0:decompositions.\n");
}

static const char *command_name(const void *arg, uint32_t i) {
  (void)arg;
  return i < NCOMMANDS ? commands[i]->name : NULL;
}

/* NULL after a message. */
static const cl_command *find_command(const char *name) {
  for (size_t i = 0; i < NCOMMANDS; i++) {
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  }
  const char *near = cl_nearest(name, command_name, NULL);
  cl_usage("unknown %s '%s' (%s%s%suproof --help lists the commands)",
           name[0] == '-' ? "option" : "command", name, near ? "did you mean " : "",
           near ? near : "", near ? "? " : "");
  return NULL;
}

/* `uproof help` and `uproof help COMMAND`. */
static int help(int argc, char **argv) {
  const cl_command *cmd = argc > 0 ? find_command(argv[0]) : NULL;
  if (argc > 0 && !cmd) return CL_USAGE;
  if (cmd)
    cl_print_help(cmd, stdout);
  else
    print_usage(stdout);
  return CL_SOUND;
}

static int run_command(const cl_command *cmd, int argc, char **argv) {
  void *args = calloc(1, cmd->args_size);
  if (!args) {
    cl_error("out of memory");
    return CL_HARNESS;
  }
  int status = CL_USAGE;
  if (cl_parse(cmd, argc, argv, args)) {
    const cl_common *c = args;
    if (c->help) {
      cl_print_help(cmd, stdout);
      status = CL_SOUND;
    } else {
      status = cmd->run(args);
    }
  }
  cl_release(cmd, args);
  free(args);
  return status;
}

static int dispatch(int argc, char **argv) {
  if (argc < 2) {
    cl_usage("which command? (uproof --help lists them)");
    return CL_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return help(0, NULL);
  if (strcmp(argv[1], "help") == 0) return help(argc - 2, argv + 2);
  if (strcmp(argv[1], "--version") == 0) {
    const char *llvm = or_jit_version();
    printf("uproof %s, %s%s\n", UPROOF_VERSION, llvm ? "with LLVM " : "without LLVM",
           llvm ? llvm : "");
    return CL_SOUND;
  }
  const cl_command *cmd = find_command(argv[1]);
  return cmd ? run_command(cmd, argc - 2, argv + 2) : CL_USAGE;
}

int main(int argc, char **argv) {
  cl_memory_begin();
  int status = dispatch(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    cl_error("standard output: write error");
    return CL_HARNESS;
  }
  return status;
}
