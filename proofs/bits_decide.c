/* The order in which an obligation in wrap or refine is tried. */
#include "bits.h"
#include "concrete.h"

#include <stdio.h>
#include <string.h>

static pf_answer answer(pf_verdict v, const char *why) { return pf_answer_of(v, "z3 bits", why); }

/* Most obligations are decided by a fraction of the limit, one way or the other. */
#define FIRST_PART 16u
#define INTS_PART 4u
#define TRIES 30000u
#define POINTS 3000u /* at which the premises are looked for */
/* Beyond so many bits the whole limit has never decided what a part of it did not. */
#define LAST_BITS 8u
/* From so many bits on, what is known of ideal is asked first. */
#define IDEAL_BITS 16u
#define IDEAL_PART 64u
#define WIDE_PART 32u /* of more than IDEAL_BITS bits, instead of FIRST_PART */

static unsigned widest(const pf_instance *i) {
  unsigned bits = 0;
  fr_type t;
  for (uint32_t k = 0; k < i->nterm; k++)
    if (fr_type_of(up_dt(i->term[k].type), &t) && t.bits > bits) bits = t.bits;
  return bits;
}

static uint32_t part_of_limit(const pf_prover *p, const pf_instance *i) {
  return p->limits.rlimit / (widest(i) > IDEAL_BITS ? WIDE_PART : FIRST_PART) + 1;
}

/* Bit-vectors first, with a part of the limit. A model that no graph shows is as good as none: the
 * bounds that it assumes may be out of the engine's reach. */
static pf_answer first_answer(pf_prover *p, const pf_instance *i, or_frame f, bool *can_hold) {
  pf_answer a = bv_prove(&p->z, part_of_limit(p, i), i, f, BV_WHOLE, can_hold);
  char why[120] = "";
  if (a.verdict != PF_REFUTED ||
      pf_confirm(i->book->bounds.profile, i, &a.point, f, &a.counterexample, why))
    return a;
  uint64_t resource = a.resource;
  pf_answer_clear(&a);
  a = answer(PF_UNKNOWN, "");
  a.resource = resource;
  snprintf(a.reason, sizeof a.reason, "not confirmed: %s", why);
  return a;
}

/* From what holds in ideal, without the conclusion being asked again. */
static bool from_ideal(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *out) {
  uint32_t rlimit = p->limits.rlimit / IDEAL_PART + 1;
  if (!p->limits.holds_in_ideal) return false;
  return bv_prove_by_reduction(p, i, out) ||
         (f == OR_WRAP && bv_prove_by_congruence(p, i, false, out)) ||
         bv_stays_by_ideal(&p->z, rlimit, i, f, out);
}

/* Where a leaf is 0, and where it is not: a condition may leave an unsigned one no other value, and a
 * product by 0 needs no circuit. */
static bool by_zero(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *out) {
  for (pf_id t = 0; t <= i->left; t++) {
    fr_type y;
    bool is_unsigned = fr_type_of(up_dt(i->term[t].type), &y) && !y.is_signed && !y.is_bool;
    if (i->term[t].kind == PF_OP || i->term[t].literal || !is_unsigned) continue;
    pf_answer a = bv_prove(&p->z, part_of_limit(p, i), i, f, BV_NOT_ZERO + t, NULL);
    pf_answer b = answer(PF_UNKNOWN, "");
    bool vacuous = a.verdict == PF_VACUOUS;
    if (vacuous) b = bv_prove(&p->z, part_of_limit(p, i), i, f, BV_ZERO + t, NULL);
    pf_answer_clear(&a);
    if (b.verdict == PF_PROVED) *out = answer(PF_PROVED, "");
    pf_answer_clear(&b);
    if (out->verdict == PF_PROVED) return true;
  }
  return false;
}

/* A bool of the pattern that chooses between the arms of a WHERE. PF_NIL: none. */
static pf_id condition(const pf_instance *i) {
  for (pf_id t = 0; t <= i->left; t++) {
    const pf_term *d = &i->term[t];
    if (d->kind != PF_OP || d->op != UP_WHERE) continue;
    pf_id c = d->kid[0];
    if (i->term[c].kind == PF_ANY && i->term[c].type == UP_BOOL) return c;
  }
  return PF_NIL;
}

/* Where the condition of a WHERE is true, and where it is false: in each of the two one arm is left,
 * and sides that compute alike there have the same circuits. */
static bool by_condition(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *out) {
  pf_id c = condition(i);
  uint64_t resource = 0;
  if (c == PF_NIL) return false;
  const bv_part half[2] = {BV_TRUE + c, BV_ZERO + c};
  for (int k = 0; k < 2; k++) {
    if (bv_follows(&p->z, i, f, half[k])) continue;
    pf_answer a = bv_prove(&p->z, part_of_limit(p, i), i, f, half[k], NULL);
    bool holds = a.verdict == PF_PROVED || a.verdict == PF_VACUOUS;
    resource += a.resource;
    pf_answer_clear(&a);
    if (!holds) return false;
  }
  if (!cc_somewhere_stays(i, POINTS, i->left) &&
      !bv_can_hold(&p->z, part_of_limit(p, i), i, f, BV_WHOLE))
    return false;
  *out = pf_answer_of(PF_PROVED, "z3 bits, by condition", NULL);
  out->resource = resource;
  return true;
}

/* Without what has to stay in range. */
static pf_answer decide(pf_prover *p, const pf_instance *i, or_frame f) {
  uint32_t all = p->limits.rlimit;
  bool can_hold = false;
  bool early = widest(i) >= IDEAL_BITS;
  pf_answer a, other = {.verdict = PF_UNKNOWN};
  if (early && from_ideal(p, i, f, &other)) return other;
  a = first_answer(p, i, f, &can_hold);
  if (a.verdict != PF_UNKNOWN) return a;
  bool unconfirmed = strncmp(a.reason, "not confirmed", 13) == 0;
  if (!unconfirmed && bv_prove_by_functions(&p->z, part_of_limit(p, i), i, f)) {
    pf_answer_clear(&a);
    return pf_answer_of(PF_PROVED, "z3 bits, functions", NULL);
  }
  bool congruent = f == OR_WRAP && !p->limits.holds_in_ideal; /* else that is asked here: */
  if ((!early && from_ideal(p, i, f, &other)) || by_zero(p, i, f, &other) ||
      by_condition(p, i, f, &other) || bv_try_points(i, f, TRIES, &other) ||
      (congruent && bv_prove_by_congruence(p, i, can_hold, &other)) ||
      bv_prove_by_ints(&p->z, all / INTS_PART + 1, i, f, p->limits.holds_in_ideal, can_hold,
                       &other)) {
    pf_answer_clear(&a);
    return other;
  }
  if (unconfirmed || widest(i) > LAST_BITS) return a;
  pf_answer_clear(&a);
  return bv_prove(&p->z, all, i, f, BV_WHOLE, NULL);
}

pf_answer pf_prove_bits(pf_prover *p, const pf_instance *i, or_frame f) {
  pf_answer a = decide(p, i, f);
  if (a.verdict == PF_REFUTED || a.verdict == PF_UNKNOWN) bv_find_while(p, i, f, &a);
  return a;
}
