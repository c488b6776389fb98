/* Inside of the findings part of the oracle: what check, blame and the minimizer share. */
#ifndef UPROOF_FINDINGS_H
#define UPROOF_FINDINGS_H

#include "oracle/oracle.h"

#define OR_KINDS ((unsigned)OR_IDEMPOTENCE + 1u)

/* ---- evaluation at one point ----------------------------------------------------------------- */

/* A graph's values at one assignment, found by node. Zero-initialise; or_point_clear at the end. */
typedef struct or_point {
  or_values values;
} or_point;
bool or_point_eval(up_ctx *c, up_node root, or_frame f, const or_witness *w, or_point *out);
void or_point_clear(or_point *p);
/* Position of the node in p->values, or UINT32_MAX. */
uint32_t or_point_find(const or_point *p, up_node n);

/* Is `to` a wrong stand-in for `from` at this point: from defined, to undefined or different? */
bool or_point_differs(const or_point *p, up_node from, up_node to);
/* Value of the first lane: decimal, "undefined" or "unsupported"; long numbers are cut with "...".
 */
void or_point_print(const or_point *p, up_node n, char out[80]);

/* The first node in topological order (leaves first) whose vmin/vmax claim fails at this point, or
 * UP_NONE. Nodes that are undefined here claim nothing. */
up_node or_point_bad_claim(up_ctx *c, const or_point *p);
/* Does the claim of this node fail here? */
bool or_point_claim_fails(up_ctx *c, const or_point *p, up_node n);
/* "[lo, hi]" as claimed for the node. */
void or_claim_print(up_ctx *c, up_node n, char out[80]);
/* "WHERE int (int, int, int)": op, dtype, and dtypes of the sources; long ones are cut with "...". */
void or_types_print(up_ctx *c, up_node n, char out[80]);

/* A witness for the variables of root in c: values by variable name from `from` (of from_ctx), cut
 * to the domain; variables that are new take the value of their domain that is nearest to 0. The end
 * of a RANGE to a node is what that node is claimed to be at most.
 * False: no memory, or a variable whose domain is not known or empty. */
bool or_witness_carry(up_ctx *c, up_node root, up_ctx *from_ctx, const or_witness *from,
                      or_witness *out);

/* One more variable with a value. False: no memory; w is as it was. */
bool or_witness_add(or_witness *w, up_node var, const mpz_t value);

/* ---- blame ----------------------------------------------------------------------------------- */

typedef struct or_blame {
  int rule; /* -1: not known */
  up_node before, after;
} or_blame;
/* The cause of a difference at w between the first and the last graph of a trace. */
or_blame or_blame_value(or_checker *k, up_ctx *c, or_frame f, const up_trace *t,
                        const or_witness *w);
/* The node below the step's, or it itself, whose wrong bounds claim the step trusted at w, a point
 * where it errs (after UP_NONE: raises). UP_NONE: the rule is wrong by itself. */
up_node or_trusted_claim(or_checker *k, up_ctx *c, or_frame f, const up_step *s,
                         const or_witness *w);
/* The claim among those that fail at w without which the rule would not have done this again. */
typedef enum or_doing {
  OR_STEP_ERRS,  /* give a node that is wrong at w */
  OR_STEP_AGAIN, /* give the same node */
  OR_STEP_RAISES
} or_doing;
up_node or_claim_behind(up_ctx *c, or_frame f, const up_step *s, or_doing what,
                        const or_witness *w);
/* The node whose transfer rule is the cause of n's claim failing at w: n itself, or one below it
 * that n's claim follows from. */
up_node or_claim_cause(up_ctx *c, or_frame f, up_node n, const or_witness *w);
/* The cause of a raise in the rewrite of root, which is defined at w; r is what up_rewrite gave. */
or_blame or_blame_raise(or_checker *k, up_ctx *c, or_frame f, up_node root, const up_result *r,
                        const or_witness *w);
/* The cause of n's claim failing at w: a transfer rule; or, where the claim is that of a constant
 * outside its dtype which a step of the trace made (n is of the result), that step. */
or_blame or_blame_claim(up_ctx *c, or_frame f, const up_trace *t, up_node n, const or_witness *w);
/* The rule that keeps a rewrite from ending. from: where the turn of the loop begins. */
or_blame or_blame_loop(up_ctx *c, const up_trace *t, uint32_t from, const up_result *r);
/* The rule that simplifies what was simplified: of the first step, or the one at a loss. */
or_blame or_blame_again(const up_trace *t, const up_result *r);
/* The first step that changes the dtype of its node, or makes of well typed nodes one that is not. */
or_blame or_blame_dtype(up_ctx *c, const up_trace *t);

/* ---- check ----------------------------------------------------------------------------------- */

/* What to look for. */
typedef struct or_scope {
  unsigned kinds;         /* one bit a kind: 1u << OR_VALUE ... */
  uint64_t max_steps;     /* of the rewrite; 0: the engine's default */
  const or_witness *hint; /* a point to try before or_equiv and or_bounds; NULL: none. A difference
                             there is reported without a second opinion, so hints are for reduction
                             only, whose result is checked again without. */
} or_scope;
void or_check_scoped(or_checker *k, up_ctx *c, up_node root, or_frame f, const or_scope *scope,
                     or_report *out);
/* The finding of this kind in a report, or NULL. */
or_finding *or_report_find(or_report *r, or_kind kind);

#endif
