/* What has to stay in range for an obligation to hold in wrap or refine that does not hold everywhere.
 *
 * Where both sides stay in range all frames mean the same: a proof of ideal is enough for that. Where
 * the left side alone has to, the right side stays in range by itself, or does not matter; else there
 * is a counterexample at which it leaves and the left side does not.
 */
#include "bits.h"
#include "concrete.h"

#define PART 32u     /* of the limit, for each query */
#define POINTS 3000u /* at which the premises are looked for */

/* The counterexample becomes b's, at which the left side is in range, if the engine confirms it. */
static void take_point(const pf_instance *i, or_frame f, pf_answer *b, pf_answer *a) {
  up_buf line = {0};
  char why[120] = "";
  if (a->verdict != PF_REFUTED ||
      !pf_confirm(i->book->bounds.profile, i, &b->point, f, &line, why)) {
    up_buf_free(&line);
    return;
  }
  up_buf_free(&a->counterexample);
  pf_point_clear(&a->point);
  a->counterexample = line;
  a->point = b->point;
  b->point = (pf_point){0};
  a->left_stays = true;
}

/* Is the left side alone enough? By what; NULL: it is not, or is not known to be. */
static const char *left_is_enough(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *a) {
  uint32_t rlimit = p->limits.rlimit / PART + 1;
  a->left_stays = a->verdict == PF_REFUTED && cc_stays(i, &a->point, i->left);
  if (a->left_stays) return NULL;
  pf_answer b = bv_prove(&p->z, rlimit, i, f, BV_LEFT_STAYS, NULL);
  const char *by = b.verdict == PF_PROVED ? b.by : NULL;
  if (b.verdict == PF_REFUTED) take_point(i, f, &b, a);
  if (b.verdict == PF_UNKNOWN && cc_somewhere_stays(i, POINTS, i->left))
    by = bv_stays_by_ints(&p->z, rlimit, i, f, PF_WHILE_LEFT, p->limits.holds_in_ideal);
  pf_answer_clear(&b);
  return by;
}

static bool somewhere(pf_prover *p, const pf_instance *i, or_frame f) {
  return cc_somewhere_stays(i, POINTS, i->nterm - 1) ||
         bv_can_hold(&p->z, p->limits.rlimit / PART + 1, i, f, BV_BOTH_STAY);
}

/* By ideal, by bit-vectors, or by the integers of the frame. */
static const char *both_are_enough(pf_prover *p, const pf_instance *i, or_frame f) {
  uint32_t rlimit = p->limits.rlimit / PART + 1;
  if (p->limits.holds_in_ideal) return somewhere(p, i, f) ? "ideal" : NULL;
  pf_answer a = bv_prove(&p->z, rlimit, i, f, BV_BOTH_STAY, NULL);
  const char *by = a.verdict == PF_PROVED ? a.by : NULL;
  bool open = a.verdict == PF_UNKNOWN || a.verdict == PF_REFUTED;
  pf_answer_clear(&a);
  if (by || !open || !somewhere(p, i, f)) return by;
  return bv_stays_by_ints(&p->z, rlimit, i, f, PF_WHILE_BOTH, false);
}

void bv_find_while(pf_prover *p, const pf_instance *i, or_frame f, pf_answer *a) {
  const char *by = left_is_enough(p, i, f, a);
  a->holds_while = by ? PF_WHILE_LEFT : PF_NEVER;
  if (!by && (by = both_are_enough(p, i, f))) a->holds_while = PF_WHILE_BOTH;
  a->while_by = by;
}
