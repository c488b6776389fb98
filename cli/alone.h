/* Rules tried alone.
 *
 * A rule that is wrong can be hidden by others of its set, which come first and leave nothing that it
 * applies to, until one of them is changed or the rule stands in another set. So a campaign turns some
 * configurations of the thing under test off, as in swarm testing (Groce, Zhang, Eide, Chen, Regehr:
 * Swarm Testing, ISSTA 2012): one case of so many is made around an instance of one rule, and rewritten by
 * that rule and no other. The rules of the set have their turns.
 */
#ifndef UPROOF_CLI_ALONE_H
#define UPROOF_CLI_ALONE_H

#include "fuzz/instance.h"
#include "oracle/oracle.h"

#define CL_ALONE_EVERY 16u /* of its cases the last */

typedef struct cl_alone {
  const up_profile *profile;
  up_ruleset **set;  /* one a rule of the profile, made when it is needed */
  uint32_t *rule, n; /* those of the chosen set */
} cl_alone;

/* False: no memory; to be closed either way. Of an adapter's profile no case is of this kind. */
bool cl_alone_open(cl_alone *a, const up_profile *p);
void cl_alone_close(cl_alone *a);

/* Is the case of this kind? With fewer than two rules none is. */
bool cl_alone_is(const cl_alone *a, uint64_t index);
/* Its graph, in c, whose rules become those of the case (up_ctx_choose): they last as long as `a`. UP_NONE:
 * no graph came of the rule, and c has its profile's rules; c is to be emptied. */
up_node cl_alone_graph(cl_alone *a, up_ctx *c, const fz_opts *o, uint64_t index, uint64_t seed);

/* or_check; what is found by the rules of c themselves is told only where the graph shows nothing when
 * all rules of the profile are at work: else, and where the rule alone comes to no end, all of them are
 * asked, and are then the rules of c. */
void cl_alone_check(or_checker *k, up_ctx *c, up_node root, or_frame f, or_report *out);

#endif
