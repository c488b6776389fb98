/* uproof proofs: the native right sides, run on everything in a small scope.
 *
 * A lemma (lemma.h) speaks for what a native rule means; whether the C code does that is another
 * question. Here the code itself is judged: each native rule is applied to every graph of a stated
 * small scope, and what it gives is compared with the graph at every point.
 *
 * The scope, by families of graphs (scope_sums.c, scope_other.c): sums of one to three terms over
 * leaves with a factor, a range and a shape each, with a constant, divided by constants and by
 * variables and compared with constants; sums of divisions; every op on constants and on lists of two at
 * the edges of all dtypes; multiplication,
 * division and remainder by constants of both signs; vectors of two and four lanes. In ideal at
 * dtype int with small numbers; in wrap and refine at dtype char, with numbers that overflow it.
 */
#ifndef UPROOF_SCOPE_H
#define UPROOF_SCOPE_H

#include "instance.h"
#include "oracle/oracle.h"

typedef struct pf_scope_row {
  uint64_t tried;       /* graphs whose root the rule's pattern can match by its op */
  uint64_t applied;     /* ... and to which it applied: all of them were compared */
  uint64_t raised;      /* ... on which it raised where the graph has a value */
  uint64_t wrong;       /* ... for which it gave something that differs */
  uint64_t inherited;   /* differs too, but a bounds claim that it trusted, or a rule that it ran on
                           a part, is wrong there: no verdict about this rule */
  uint64_t unsupported; /* ... that the frame gives no meaning to */
  up_buf first;         /* the first wrong or raising one, in a line for a person */
} pf_scope_row;

/* A share of the scope: number `part` of `parts` equal ones. */
typedef struct pf_share {
  uint32_t part, parts;
} pf_share;
#define PF_WHOLE_SCOPE ((pf_share){0, 1})

/* Adds to row[r] for every native rewrite rule r of the profile, up_rule_count(p) rows. False: no
 * memory, or an evaluator failed. Free with pf_scope_clear. */
bool pf_scope_run(const up_profile *p, or_frame f, pf_share share, pf_scope_row *row);
/* For one rule. */
bool pf_scope_rule(const up_profile *p, uint32_t rule_number, or_frame f, pf_share share,
                   pf_scope_row *row);
void pf_scope_clear(pf_scope_row *row, uint32_t n);

/* ---- families: private to scope*.c -------------------------------------------------------------- */

/* The numbers that graphs are made of. */
typedef struct sc_dial {
  enum up_scalar type;
  const int64_t *factor, *constant, *divisor;
  const int64_t (*range)[2];
  uint32_t nfactor, nconstant, ndivisor, nrange;
} sc_dial;

/* Digits of a graph's number, one a choice. */
typedef struct sc_maker {
  up_ctx *c;
  const sc_dial *dial;
  uint64_t rest;  /* of the number */
  uint64_t count; /* product of the bases so far: of all choices, the size of the family */
} sc_maker;
uint32_t sc_pick(sc_maker *m, uint32_t n); /* 0..n-1. The bases never depend on earlier picks */

/* Graphs of one shape. */
typedef struct sc_family {
  up_node (*make)(sc_maker *m); /* number m->rest; UP_NONE: none of this number */
  up_op root[4]; /* what the roots can be, NOOP behind the last; none given: any op */
} sc_family;
extern const sc_family sc_sums[], sc_other[]; /* make == NULL behind the last */

#endif
