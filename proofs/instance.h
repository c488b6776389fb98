/* uproof proofs: typed instances of rules.
 *
 * A rule's text speaks of op sets, of nodes of any dtype and of sources in any order. A proof
 * obligation is about one choice of each: an instance. The instances of a rule cover everything that
 * its pattern can match among integers and bools, one lane at a time; what they leave out (floats,
 * memory, control flow) is told apart by pf_instances, never dropped.
 *
 * An instance has two terms, left and right, over the rule's names, and the rule's own expressions
 * (conditions, computed constants), which are read out of the rule book as they are: nothing about a
 * rule is written twice.
 *
 * What the names stand for:
 *   PF_ANY      any node: a value, and whether it is defined, both free. Two uses of a name are one
 *               node
 *   PF_CONST    a CONST of the left side: an exact integer, free, inside of its dtype in wrap and
 *               refine, any integer in ideal; of the right side: the value of `exact`, an unbounded
 *               integer, which the frame then finishes as it does any constant
 * What expressions may assume of nodes (a must-analysis: facts on the safe side, never exact):
 *   vmin(x), vmax(x)      fresh l, h with l <= x <= h wherever x is defined; of a constant: its value
 *   const_factor(x)       fresh f != 0 with x = f * some integer wherever x is defined
 *   same(x, y)            true only of one node: when true, the values are equal
 *   increasing(x), before(x, y)   fresh truth values without any meaning
 *   count(x)              1;  dtype_min, dtype_max, dtype(x) ..., op(x) ...: decided by the instance
 */
#ifndef UPROOF_INSTANCE_H
#define UPROOF_INSTANCE_H

#include "engine/rulebook.h" /* the model of rules, which is read here and nowhere else outside */

typedef enum pf_kind { PF_ANY, PF_CONST, PF_OP } pf_kind;

typedef uint32_t pf_id;
#define PF_NIL UINT32_MAX

typedef struct pf_term {
  pf_kind kind;
  up_op op;            /* PF_OP */
  enum up_scalar type; /* UP_BOOL or one of the eight integer types */
  int slot;            /* the name that is bound to it, first of several; -1: anonymous */
  expr_id exact;       /* PF_CONST of the right side, and literals: its value. EXPR_NIL: free */
  uint8_t nkid;        /* PF_OP: 1 to 3 */
  pf_id kid[3];
} pf_term;

typedef struct pf_instance {
  const rulebook *book;
  uint32_t rule; /* number in the book */
  pf_term *term; /* sources before users */
  uint32_t nterm, cap;
  pf_id left, right;         /* right: PF_NIL for a bounds rule */
  pf_id slot[PAT_MAX_SLOTS]; /* the term that each name is bound to; PF_NIL: not in this instance */
  expr_id when, lo, hi;      /* EXPR_NIL: absent. Over the slots */
  bool wide;                 /* some op or cast needs a width even in ideal (a CAST) */
  char label[64];            /* "IDIV int", "int <- uchar": unique within the rule */
} pf_instance;
void pf_instance_free(pf_instance *i);

/* Why a rule, or a choice of its dtypes and ops, has no instance. */
typedef struct pf_left_out {
  uint32_t choices; /* how many were left out */
  char reason[120]; /* of the first */
} pf_left_out;

/* Calls `each` for every instance, in a fixed order; false from it stops. All dtype combinations that
 * the pattern allows and the type rules of ops demand (ALU: sources and result alike; comparisons
 * give bool; WHERE's condition is bool) are visited; `types` is a mask of 1 << enum up_scalar to draw
 * from. In ideal the eight integer types differ only where a CAST or a dtype test looks at them:
 * one_integer tells to visit `int` alone for the rest. Orders of sources: all of a permuted pattern,
 * but those that mirror each other by commutativity of the op once.
 * A native right side, or a pattern over any number of sources, has no instance: `left_out` says so;
 * lemmas (lemma.h) speak for those. Returns false when memory ran out or each stopped. */
bool pf_instances(const rulebook *b, uint32_t rule, unsigned types, bool one_integer,
                  bool (*each)(pf_instance *i, void *arg), void *arg, pf_left_out *left_out);

/* The instance as text: canonical, one line an item. Equal texts are equal obligations: the cache is
 * keyed by a hash of it, the frame and the encoding's version. */
void pf_instance_put(const pf_instance *i, up_buf *out);

#endif
