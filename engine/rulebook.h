/* Compiled rules of a profile: what rule texts become. Inside of engine/ only.
 *
 * A rulebook owns every array and string; after loading it is read only, and may be shared by
 * threads. Rules are numbered in the order of their texts, rewrite and bound rules in one table.
 */
#ifndef UPROOF_RULEBOOK_H
#define UPROOF_RULEBOOK_H

#include "compiled.h"
#include "match.h"
#include "rulebuild.h"

#define RULEBOOK_MAX_RULES 32000u /* rule numbers are kept in 16 bits beside each bound */

typedef struct rule {
  const char *name, *file, *text;
  const char *known_wrong; /* counterexample in words, or NULL */
  const char *from;        /* where the rule comes from, or NULL */
  uint8_t wrong_in;        /* frames in which it is marked as wrong: enum rule_frame */
  unsigned line, col;      /* of the statement, of its name */
  up_rule_kind kind;
  bool native, reads_bounds;
  pat_id pat;
  opset need;     /* ops that some source must have */
  patnames names; /* slots of the names; the tokens point into the text that the book keeps */
  expr_id when;   /* EXPR_NIL: always */
  build_id rhs;   /* REWRITE */
  expr_id lo, hi; /* BOUND */
} rule;

/* An ordered list of rules, and for each op those that can match a node of it. */
struct up_ruleset {
  const char *name;
  const up_profile *profile;
  uint32_t *rule;
  uint32_t n, cap;
  uint32_t *by_op; /* rule numbers; those for op k: by_op[start[k]..start[k + 1]] */
  uint32_t start[UP_OP_COUNT + 1];
  /* of a built-in profile, or NULL: the rules are interpreted */
  const compiled_first *compiled;
  const compiled_rewrite *rewrite; /* by number in the file, which starts at rule number `base` */
  uint32_t base;
};

typedef struct rulebook {
  patbook pats;
  exprbook exprs;
  buildbook builds;
  rule *rule;
  uint32_t nrule, rule_cap;
  up_ruleset **set;
  uint32_t nset, set_cap;
  up_ruleset bounds; /* first rule that applies gives the bounds */
  char **text;       /* owned strings: rule texts, names, sources */
  uint32_t ntext, text_cap;
} rulebook;

/* Compiles a text and appends its rules. Rules in front of any `ruleset` line belong to `symbolic`.
 * On false, with the error filled in, the book is only good for rulebook_free. */
bool rulebook_add(rulebook *b, const char *file, const char *text, size_t n, up_error *err);
/* Makes the tables of each set; after this the book is ready. */
bool rulebook_finish(rulebook *b, const up_profile *owner, up_error *err);

/* Refuses a rule from which an earlier one of its set takes all matches. Reported only where that
 * is certain: the earlier rule has no condition, and its pattern covers the other's by its form. */
bool rulebook_check_shadowed(const rulebook *b, up_error *err);
/* Refuses a condition that no constants satisfy: intervals that exclude each other. */
bool rulebook_check_conditions(const rulebook *b, up_error *err);
up_ruleset *rulebook_set(const rulebook *b, const char *name, size_t n); /* NULL: no such set */
/* A set of this name, made empty when there is none yet; NULL: out of memory. */
up_ruleset *rulebook_need_set(rulebook *b, const char *name, size_t n);
/* A set is built by pushing rule numbers, and ready once it is indexed. False: out of memory. */
bool ruleset_push(up_ruleset *s, uint32_t number);
bool ruleset_index(const rulebook *b, up_ruleset *s);
/* Makes the set "=RULE,RULE" of these rewrite rules alone, in the order of the texts. */
up_ruleset *rulebook_only(rulebook *b, const char *name, up_error *err);
int rulebook_find(const rulebook *b, const char *name, size_t n); /* -1: no such rule */
void rulebook_free(rulebook *b);

/* One rewrite rule at n, interpreted; UP_NONE: it does not apply, or the status says what raised. */
up_node rule_interpret(up_ctx *c, const rulebook *b, uint32_t number, up_node n);

struct up_profile {
  char *name;       /* as it was asked for */
  const char *base; /* without a rule set */
  up_model model;
  rulebook book;
  const up_ruleset *symbolic, *chosen;
  const compiled_bounds *bounds; /* NULL: the bounds rules are interpreted */
  const quick_bounds *quick;
  uint32_t bounds_base;      /* number of the first rule of their file */
  struct external *external; /* NULL: the engine is this one */
};
/* external.c; the profile has one. */
up_result external_rewrite(up_ctx *c, up_node root, uint64_t max_steps, up_trace *trace);
up_rule_info external_rule(const up_profile *p, uint32_t i);
void external_free(up_profile *p);

#endif
