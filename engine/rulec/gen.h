/* rulec: rules -> C. One rule becomes
 *
 *   do_NAME(c, n, bound nodes): condition and right side
 *   rule_NAME(c, n): the pattern as nested tests, with each way to match written out in the order
 *                    in which match.c visits them; at the end of each, do_NAME
 *
 * and each set of rules one function an op, which tries its rules in turn (gen_file.c).
 *
 * Bounds rules have a quick form beside that, quickly_NAME and quick_NAME: the same on values of 64
 * bits, with 1 for "these are the bounds", 0 for "does not apply" and -1 for "ask the long way".
 */
#ifndef UPROOF_RULEC_GEN_H
#define UPROOF_RULEC_GEN_H

#include "engine/rulebook.h"

/* The name of a node in the generated code: "n", "n0" its first source, "n01" that one's second
 * (hexadecimal digits, which is why PAT_MAX_KIDS is 16), "r3" a node bound by a repeated pattern.
 */
#define GEN_NAME 80u
typedef struct gen_name {
  char s[GEN_NAME];
} gen_name;

/* A value that the function has computed already, under the name of a variable. */
typedef struct gen_known {
  expr_id expr;
  gen_name name;
} gen_known;
#define GEN_MAX_KNOWN 24u

typedef struct gen {
  const rulebook *b;
  const rule *r;
  up_buf *out;                  /* code of the function that is being written */
  up_buf before;                /* functions that have to come in front of it */
  unsigned indent, numbered;    /* numbered: names given so far */
  gen_name slot[PAT_MAX_SLOTS]; /* how the bound nodes are called here; "": not bound yet */
  uint32_t maybe_none;          /* slots that a repeated pattern may have left unbound */
  uint32_t used;                /* slots that the condition and the right side look at */
  bool uses_root;               /* ... and whether they look at the root */
  gen_known known[GEN_MAX_KNOWN];
  unsigned nknown;
  bool lane;  /* inside of the function of one lane of a constant */
  bool quick; /* quick code is written: values are int64_t */
  bool asks;  /* ... in which bounds may be computed */
} gen;

/* A line of code, indented. */
void gen_line(gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void gen_open(gen *g);  /* what follows stands in braces that were opened */
void gen_close(gen *g); /* closes them */
/* Does the name stand in the text as a word? */
bool gen_mentions(const up_buf *text, const char *name);

/* gen_expr.c: C expressions, appended to out. */
void gen_value(gen *g, expr_id id, up_buf *out);     /* an up_val */
void gen_condition(gen *g, expr_id id, up_buf *out); /* a bool */
/* Slots that the expression looks at. */
uint32_t gen_expr_slots(const exprbook *b, expr_id id);
/* Can evaluating it raise, or find that the rule does not apply? */
bool gen_expr_may_end(const gen *g, expr_id id);

/* Can quick code say it? */
bool gen_can_be_quick(const exprbook *x, expr_id id);

/* gen_share.c: variables for what the sides of a bounds rule ask for again and again: the bounds of
 * nodes, and arithmetic that stands in both. Lines of code; g->known is filled. */
void gen_share(gen *g, const expr_id *side, unsigned n);
/* The variable that holds the value; NULL: none. */
const char *gen_known_as(const gen *g, expr_id id);

/* gen_build.c: do_NAME. False: there is nothing to be done but to return slot *plain. */
bool gen_action(gen *g, int *plain);
/* gen_match.c: rule_NAME; plain < 0: it calls do_NAME. */
void gen_matcher(gen *g, int plain);

/* gen_reject.c: the table that tells, by the ops of a node's sources, which of the n rules of a list
 * may apply, as the variable `told`: bit i for rule i. Returns how many rules have a bit. */
uint32_t gen_reject(gen *g, const uint32_t *list, uint32_t n);

/* gen_file.c: the C file of a rule file. False: out of memory. */
bool gen_file(const rulebook *b, const char *file, const char *text, size_t n, up_buf *out);
/* "symbolic-v0.11.0.rules" -> "symbolic_v0_11_0" */
void gen_symbol(const char *file, gen_name *out);

#endif
