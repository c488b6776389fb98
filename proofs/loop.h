/* uproof proofs: true rules that never end.
 *
 * A rule may hold for all values and still be useless: x + y -> y + x matches what it makes. The
 * check rewrites instances of its left side with this rule alone, by the driver of its release. That
 * finds loops, it does not show that there is none; and a loop of several rules is not looked for.
 */
#ifndef UPROOF_LOOP_H
#define UPROOF_LOOP_H

#include "instance.h"

/* Does rewriting an instance of the rule's left side with this rule alone not end? base: the profile
 * whose driver and bounds are used ("v0.11.0"). 1: *line has the graph and how it went on; 0: no
 * instance was found that loops; -1: no memory, or the rule's text can't be read by itself. */
int pf_loops(const char *base, const rulebook *b, uint32_t rule, up_buf *line);

/* The same for rule number `rule` of a profile, by the driver and bounds of that profile. */
int pf_loops_of(const up_profile *p, uint32_t rule, up_buf *line);

#endif
