/* Making instances: what the files behind pf_instances share. Private to proofs/.
 *
 * An instance is made by a program that asks for choices (which op, which dtype, which order) as it
 * goes. The choices that it was given are kept, the last that has another answer is moved on, and
 * the program is run again, until there is none: every combination is visited once, in order.
 */
#ifndef UPROOF_PROOFS_MAKE_H
#define UPROOF_PROOFS_MAKE_H

#include "instance.h"

#define MK_MAX_CHOICES 64u
#define MK_MAX_TERMS 192u /* of both sides: patterns and right sides have at most 64 nodes each */

/* How a choice ended. */
typedef enum mk_end {
  MK_FINE,
  MK_NEVER,    /* no node is so, or the condition is false: nothing to say about it */
  MK_LEFT_OUT, /* the choice is one that instances do not cover; why */
  MK_NO_MEMORY
} mk_end;

typedef struct maker {
  const rulebook *book;
  const rule *rule;
  pf_instance *i;
  unsigned types; /* mask of scalars to draw from */
  bool one_integer;
  /* choices: answers, and how many there are; `at` is the next one to ask for */
  uint32_t pick[MK_MAX_CHOICES], limit[MK_MAX_CHOICES], nchoice, at;
  /* classes of terms of one dtype: a forest, its roots with the dtypes that they may have */
  pf_id same[MK_MAX_TERMS];
  uint16_t mask[MK_MAX_TERMS];
  bool forced[MK_MAX_TERMS]; /* bool by its op, not drawn */
  bool wide[MK_MAX_TERMS];   /* every integer dtype is to be visited */
  bool lists_only;           /* the pattern asks for a VCONST */
  mk_end end;
  char why[120];
} maker;

uint32_t mk_choose(maker *m, uint32_t n); /* 0 to n - 1 */
/* Ends the choice, with why for MK_LEFT_OUT; the first end stays. Returns PF_NIL. */
pf_id mk_stop(maker *m, mk_end end, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
pf_id mk_add(maker *m, pf_term t); /* a term; PF_NIL when m->end is not MK_FINE */
void mk_label(maker *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Has the op a value that oracle/frame.h and instance.h give a meaning to? */
bool mk_has_value(up_op op);

/* instance_left.c: the terms of the pattern, with their classes. */
pf_id mk_left(maker *m, pat_id p);
/* instance_types.c: the classes. */
void mk_join(maker *m, pf_id a, pf_id b);
void mk_narrow(maker *m, pf_id a, unsigned mask);
void mk_force_bool(maker *m, pf_id a);
void mk_rules_of_op(maker *m, pf_id a); /* what the type rules of a's op demand */
/* Marks the classes whose dtype the rule looks at, then chooses a dtype for every class. */
void mk_choose_types(maker *m);
/* instance_lanes.c: scalars or vectors, once all else is chosen. */
void mk_choose_lanes(maker *m);
/* instance_right.c: the right side. */
pf_id mk_right(maker *m, build_id b);

#endif
