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
 * An instance speaks of one lane: of scalars, or of vectors of two lanes or more (`lanes`), all of one
 * length but where an expression asks. The latter are made where the rule can tell the difference, and
 * what holds of one lane, whichever it is, holds of all.
 *
 * What the names stand for:
 *   PF_ANY      any node: a value, and whether it is defined, both free. Two uses of a name are one
 *               node. Also a node of a set of ops without sources in the pattern, and the leaves
 *               whose op the pattern names (`op`): a DEFINE_VAR or SPECIAL is always defined, a
 *               VECTORIZE stands for one of its lanes
 *   PF_CONST    a CONST of the left side: an exact integer, free, inside of its dtype in wrap and
 *               refine, any integer in ideal, 0 or 1 for bool. A `list` is one that may be a VCONST:
 *               it has another value in each lane, and this is one of them. A literal of the pattern: that
 *               number; of the right side: the value of `exact`, an unbounded integer. The last two
 *               are then finished by the frame as any constant is
 *   PF_OP       the op on its sources, as oracle/frame.h has it; BIND and VECTORIZE have the value
 *               of their one source here, a RANGE any value from 0 to below its source's
 * What expressions may assume of nodes (a must-analysis: facts on the safe side, never exact):
 *   vmin(x), vmax(x)      fresh l, h with l <= x <= h wherever x is defined, and 0 <= l of a bool; of a
 *                         constant of the left side: its value, of a list the least and the greatest
 *   src_vmin(x), src_vmax(x)   of a VECTORIZE: fresh l, h with l <= x <= h for whichever lane x is
 *   lane_min(c), lane_max(c)   the value of c; of a list l, h as above, each the value of some lane
 *   c                     its value; in a condition or bound what raises of a VCONST, so there a list has
 *                         one value in all lanes
 *   var_min(x), var_max(x), special_size(x)   fresh: l <= x <= h, 0 <= x < n
 *   const_factor(x)       fresh f with x = f * some integer wherever x is defined (of the constant 0
 *                         it is 0)
 *   same(x, y)            true only of one node: when true, the values are equal
 *   increasing(x), before(x, y)   fresh truth values without any meaning
 *   count(x)              1; with lanes some number from 2 on
 *   dtype_min(x), dtype_max(x)   of the dtype; of an integer vector l, h that hold the range of two lanes
 *                         read as one integer
 *   scalar_min, scalar_max, dtype(x) ...   decided by the instance
 *   op(x) in {...}, op(x) == op(y)   decided by the instance (pf_decide); of a PF_ANY whose op is not
 *                         known a fresh truth value, which for a set of constants implies that x is
 *                         defined
 *   c0 < c1               the comparison of the two values; of lists a truth value that goes with their
 *                         least and greatest values: the first lane in which they differ decides
 */
#ifndef UPROOF_INSTANCE_H
#define UPROOF_INSTANCE_H

#include "engine/rulebook.h" /* the model of rules, which is read here and nowhere else outside */

typedef enum pf_kind { PF_ANY, PF_CONST, PF_OP } pf_kind;

typedef uint32_t pf_id;
#define PF_NIL UINT32_MAX

typedef struct pf_term {
  pf_kind kind;
  up_op op; /* PF_OP; of a PF_ANY DEFINE_VAR, SPECIAL, VECTORIZE, else NOOP; of a PF_CONST
                        * VCONST where the pattern asks for one, else NOOP */
  enum up_scalar type; /* UP_BOOL or one of the eight integer types */
  int slot;            /* the name that is bound to it, first of several; -1: anonymous */
  expr_id exact;       /* PF_CONST of the right side: its value; else EXPR_NIL */
  bool literal;        /* PF_CONST of the left side that the pattern gives a value */
  int64_t number;      /* ... which is this */
  bool list;           /* PF_CONST that may be a VCONST; only with lanes */
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
  bool lanes;                /* of vectors */
  bool to_scalar;            /* ... of which the right side makes scalars: never right */
  char label[64];            /* "IDIV int", "int <- uchar": unique within the rule */
} pf_instance;

/* Why a rule, or a choice of its dtypes and ops, has no instance. */
typedef struct pf_left_out {
  uint32_t choices; /* how many were left out; a rule that is left out as a whole counts as one */
  char reason[120]; /* of the first */
  bool no_memory;
} pf_left_out;

/* Calls `each` for every instance, in a fixed order; false from it stops. All dtype combinations that
 * the pattern allows and the type rules of ops demand (ALU: sources and result alike; comparisons
 * give bool; WHERE's condition is bool) are visited; `types` is a mask of 1 << enum up_scalar to draw
 * from. In ideal the eight integer types differ only where a CAST or a dtype test looks at them:
 * one_integer tells to visit `int` alone for the rest. Orders of sources: all of a permuted pattern,
 * but those that mirror each other by commutativity of the op once.
 * A choice of dtypes at which the condition is false is no instance, and not left out either: the
 * rule itself says that it does not apply there.
 * A native right side, or a pattern over any number of sources, has no instance: `left_out` says so;
 * lemmas (lemma.h) speak for those. The instance belongs to pf_instances and lives as long as the
 * call of each. Returns false when memory ran out (`no_memory` in left_out) or each stopped. */
bool pf_instances(const rulebook *b, uint32_t rule, unsigned types, bool one_integer,
                  bool (*each)(pf_instance *i, void *arg), void *arg, pf_left_out *left_out);

/* The truth of a condition as far as the instance decides it, by dtypes, ops and counts alone: 1, 0,
 * or -1 when it depends on values or bounds. */
int pf_decide(const pf_instance *i, expr_id e);

/* The instance as text: canonical, one line an item. Equal texts are equal obligations: the cache is
 * keyed by a hash of it, the frame and the encoding's version. Names of rules and variables are not
 * in it: one rule of two profiles is proved once. */
void pf_instance_put(const pf_instance *i, up_buf *out);

#endif
