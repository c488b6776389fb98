#include "cli/options.h"
#include "cli/cli.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char cl_default_profile[] = "sound";

#define AT(field) offsetof(cl_common, field)
static const cl_option common[] = {
    {"--profile", "P", CL_TEXT, AT(profile), cl_default_profile,
     "whose rules: sound, or those of a release as they are, v0.10.0 or v0.11.0; P/SET: by this "
     "rule set, P/=RULE,RULE: by these rules alone"},
    {"--rules", "F", CL_TEXT, AT(rules), NULL,
     "rewrite with the rules of this .rules file instead"},
    {"--json", NULL, CL_FLAG, AT(json), NULL, "results as JSON"},
    {"--quiet", NULL, CL_FLAG, AT(quiet), NULL, "no summary and no notes on standard error"},
    {"--progress", NULL, CL_FLAG, AT(progress), NULL, "progress on standard error"},
    {"--seed", "N", CL_COUNT, AT(seed), "1", "seed of every random choice"},
    {"--jobs", "N", CL_COUNT, AT(jobs), "1",
     "worker processes (bounds --exact, check, equiv, fuzz, golden, mutate, prove)"},
    {"--limit-samples", "N", CL_COUNT, AT(samples), "64", "random points a check"},
    {"--limit-points", "N", CL_COUNT, AT(points), "268435456",
     "largest box of which every point is evaluated"},
    {"--points", "N", CL_COUNT, AT(points), NULL, "short for --limit-points"},
    {"--limit-rlimit", "N", CL_COUNT, AT(rlimit), "4000000",
     "solver resource units a query; 0: no solver"},
    {"--limit-solver", "SECONDS", CL_COUNT, AT(solver_seconds), "300",
     "a solver that runs or sleeps so long is killed: undecided; 0: it runs inside the process"},
    {"--limit-steps", "N", CL_COUNT, AT(steps), "0",
     "rule applications of a rewrite; 0: 1000000 and 64 a node"},
    {"--limit-hang", "SECONDS", CL_COUNT, AT(hang), "600",
     "a worker silent for so long is killed; costs one verdict"},
    {"--help", NULL, CL_FLAG, AT(help), NULL, "this text"},
};
#undef AT
#define NCOMMON (sizeof common / sizeof common[0])

/* A command's own options come first: one of the same name replaces the common one. */
static const cl_option *option_at(const cl_command *cmd, size_t i) {
  if (i < cmd->noptions) return &cmd->options[i];
  return i - cmd->noptions < NCOMMON ? &common[i - cmd->noptions] : NULL;
}

static bool replaced(const cl_command *cmd, const cl_option *o) {
  for (size_t i = 0; i < cmd->noptions; i++) {
    if (o != &cmd->options[i] && strcmp(o->name, cmd->options[i].name) == 0) return true;
  }
  return false;
}

/* All options of a command, as cl_nearest takes them. */
static const char *option_name(const void *arg, uint32_t i) {
  const cl_option *o = option_at(arg, i);
  return o ? o->name : NULL;
}

static const cl_option *find(const cl_command *cmd, const char *name, size_t n) {
  const cl_option *o;
  for (size_t i = 0; (o = option_at(cmd, i)) != NULL; i++) {
    if (strlen(o->name) == n && memcmp(o->name, name, n) == 0) return o;
  }
  return NULL;
}

bool cl_parse_count(const char *text, uint64_t *out) {
  if (text[0] < '0' || text[0] > '9') return false;
  char *end;
  errno = 0;
  unsigned long long v = strtoull(text, &end, 10);
  *out = v;
  return errno == 0 && *end == 0;
}

/* Is `text` one of the words of "a|b|c"? */
static bool among(const char *words, const char *text) {
  size_t n = strlen(text);
  for (const char *p = words; p; p = strchr(p, '|')) {
    if (*p == '|') p++;
    if (n > 0 && strncmp(p, text, n) == 0 && (p[n] == 0 || p[n] == '|')) return true;
  }
  return false;
}

static bool push(cl_texts *t, const char *text) {
  const char **p = realloc(t->p, (t->n + 1) * sizeof *p);
  if (!p) return cl_usage("out of memory");
  t->p = p;
  p[t->n++] = text;
  return true;
}

static bool set(const cl_option *o, void *args, const char *text) {
  char *at = (char *)args + o->at;
  switch (o->type) {
  case CL_FLAG: *(bool *)at = true; return true;
  case CL_TEXT: *(const char **)(void *)at = text; return true;
  case CL_TEXTS: return push((cl_texts *)(void *)at, text);
  case CL_CHOICE:
    if (!among(o->arg, text)) return cl_usage("%s is one of %s, not '%s'", o->name, o->arg, text);
    *(const char **)(void *)at = text;
    return true;
  case CL_COUNT:
    if (cl_parse_count(text, (uint64_t *)(void *)at)) return true;
    return cl_usage("%s takes a number from 0 to 18446744073709551615, not '%s'", o->name, text);
  }
  return false;
}

/* argv[*i] is an option; moves *i to its last word. */
static bool parse_option(const cl_command *cmd, int argc, char **argv, int *i, void *args) {
  const char *word = argv[*i], *eq = strchr(word, '=');
  size_t n = eq ? (size_t)(eq - word) : strlen(word);
  const cl_option *o = strcmp(word, "-h") == 0 ? find(cmd, "--help", 6) : find(cmd, word, n);
  if (!o) {
    const char *near = eq ? NULL : cl_nearest(word, option_name, cmd);
    return cl_usage("%s: unknown option %.*s (%s%s%suproof %s --help lists them)", cmd->name,
                    (int)n, word, near ? "did you mean " : "", near ? near : "", near ? "? " : "",
                    cmd->name);
  }
  if (o->type == CL_FLAG) {
    if (eq) return cl_usage("%s takes no value", o->name);
    return set(o, args, NULL);
  }
  if (eq) return set(o, args, eq + 1);
  if (*i + 1 >= argc) return cl_usage("%s needs a value: %s", o->name, o->arg);
  return set(o, args, argv[++*i]);
}

static bool set_defaults(const cl_command *cmd, void *args) {
  const cl_option *o;
  for (size_t i = 0; (o = option_at(cmd, i)) != NULL; i++) {
    if (o->dflt && !replaced(cmd, o) && !set(o, args, o->dflt)) return false;
  }
  return true;
}

bool cl_parse(const cl_command *cmd, int argc, char **argv, void *args) {
  cl_common *c = args;
  if (!set_defaults(cmd, args)) return false;
  bool only_operands = false;
  for (int i = 0; i < argc; i++) {
    if (!only_operands && strcmp(argv[i], "--") == 0) {
      only_operands = true;
    } else if (!only_operands && argv[i][0] == '-' && argv[i][1] != 0) {
      if (!parse_option(cmd, argc, argv, &i, args)) return false;
    } else if (!push(&c->operands, argv[i])) {
      return false;
    }
  }
  if (c->help) return true;
  if (c->operands.n < cmd->min_operands) {
    return cl_usage("%s: missing operand (usage: uproof %s [OPTIONS]%s%s)", cmd->name, cmd->name,
                    cmd->operands[0] ? " " : "", cmd->operands);
  }
  if (c->operands.n > cmd->max_operands) {
    return cl_usage("%s: too many operands, from '%s' on (usage: uproof %s [OPTIONS]%s%s)",
                    cmd->name, c->operands.p[cmd->max_operands], cmd->name,
                    cmd->operands[0] ? " " : "", cmd->operands);
  }
  return true;
}

void cl_release(const cl_command *cmd, void *args) {
  free(((cl_common *)args)->operands.p);
  for (size_t i = 0; i < cmd->noptions; i++) {
    const cl_option *o = &cmd->options[i];
    if (o->type == CL_TEXTS) free(((cl_texts *)(void *)((char *)args + o->at))->p);
  }
}

void cl_print_help(const cl_command *cmd, FILE *out) {
  fprintf(out, "usage: uproof %s [OPTIONS]%s%s\n\n%s\n\noptions:\n", cmd->name,
          cmd->operands[0] ? " " : "", cmd->operands, cmd->about);
  const cl_option *o;
  for (size_t i = 0; (o = option_at(cmd, i)) != NULL; i++) {
    if (replaced(cmd, o)) continue;
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
    if (strlen(left) > 26)
      fprintf(out, "  %s\n  %-26s %s", left, "", o->help);
    else
      fprintf(out, "  %-26s %s", left, o->help);
    if (o->dflt) fprintf(out, " (default %s)", o->dflt);
    fputc('\n', out);
  }
  fprintf(out,
          "\nexit status: 0 all sound or done, 1 findings or mismatches, 2 bad usage or input,\n"
          "3 nothing wrong but something undecided, 4 the harness itself failed\n");
}
