/* uproof proofs: certificates for single rewrite steps and bounds claims.
 *
 * A step is certified when it is an instance of a rule whose obligation is proved. That it is one is
 * checked here, against the rule's pattern, condition and right side, by a matcher and an evaluator
 * of their own: nothing of the engine's matcher, rule compiler, builders or folders is called. A step
 * of a native rule is certified by what its lemma says, on linear forms that are computed here from
 * both graphs (certify_sum.c), however the C function came to its result.
 *
 * Conditions read vmin and vmax; a claim is certified when the transfer rule that made it is proved,
 * applies to the node, and gives these ends, and when the claims that the rule read are certified.
 *
 * Everything else is declined: then the caller asks its evaluators and solvers. Declining is no
 * verdict. Integers beyond 64 bits, floats, lists of constants and repeated patterns are declined.
 */
#ifndef UPROOF_CERTIFY_H
#define UPROOF_CERTIFY_H

#include "engine/rulebook.h"
#include "trusted.h"

/* proved[r]: the obligations of rule r of the profile are proved in the frame that certificates are
 * asked for; up_rule_count(p) of them, copied. NULL: no memory. The profile must outlive it. */
pf_certifier *pf_certifier_new(const up_profile *p, const bool *proved);
/* Call when the context is emptied: claims are remembered by node. */
void pf_certifier_forget(pf_certifier *k);

/* Is step->after sound for step->before, in ideal, by its rule? */
bool pf_certify_step(pf_certifier *k, up_ctx *c, const up_step *step);
/* Do all claims of root and what is below it hold, in ideal? */
bool pf_certify_bounds(pf_certifier *k, up_ctx *c, up_node root);

/* ---- private to certify*.c ---------------------------------------------------------------------- */

typedef __int128 cf_int;
typedef struct cf_range {
  cf_int lo, hi;
} cf_range;

/* A binding of a rule's names that makes its pattern and its condition hold. */
typedef struct cf_match {
  up_ctx *c;
  pf_certifier *k;
  const rulebook *book;
  const rule *rule;
  up_node root;
  up_node slot[PAT_MAX_SLOTS];
} cf_match;
/* Calls `each` for the bindings of the rule at root that meet its condition until it returns true.
 * False: none did. */
bool cf_match_rule(cf_match *m, bool (*each)(cf_match *m, void *arg), void *arg);
/* An expression over the binding. False: declined. Truth is 0 or 1, or an operand of and/or. */
bool cf_eval(cf_match *m, expr_id id, cf_int *out);
/* Is n what the right side builds? */
bool cf_builds(cf_match *m, build_id id, up_node n);
/* The certified bounds of n as integers. False: not certified, or wider than 64 bits. */
bool cf_bounds(pf_certifier *k, up_ctx *c, up_node n, cf_range *out);
/* The step of a native rule, by what is true of quotients, remainders and comparisons of sums. */
bool cf_native_step(pf_certifier *k, up_ctx *c, up_node before, up_node after);
/* An operation on constants of one dtype, and its value as a constant of the result's. */
bool cf_folds(const up_ctx *c, up_node before, up_node after);
/* A binary op on numbers, in ideal. False: undefined there, beyond 128 bits, or no such op. */
bool cf_alu(up_op op, cf_int x, cf_int y, cf_int *out);
/* An integer constant of 64 bits. */
bool cf_constant(const up_ctx *c, up_node n, cf_int *out);

#endif
