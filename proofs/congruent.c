/* Obligations in wrap by ideal: what wraps is congruent.
 *
 * In wrap, a sum or product of numbers that are congruent to those of ideal modulo 2^width is congruent
 * again, whether it wraps or not; an op that looks at its operands' values, like a quotient or a
 * comparison, needs them exact. A leaf is exact, for it lies in its dtype. So each term is exact,
 * congruent, or neither; and when both roots are congruent (a bool or a claim about bounds: exact),
 * what holds in ideal holds in wrap. That is so at every point at which ideal gives the left side a
 * value. At the others a divisor is 0 or a shift amount negative, and the terms have wrap's values
 * there. MIN // -1 is congruent to what ideal has; where that is not enough it has wrap's value, too.
 */
#include "bits.h"
#include "concrete.h"

#include <stdlib.h>

typedef enum likeness { UNLIKE, CONGRUENT, EXACT } likeness;

typedef struct survey {
  const pf_instance *i;
  likeness *like; /* by pf_id */
  bool min_wraps; /* MIN // -1 is looked at by itself; else it is congruent to what ideal has */
} survey;

static fr_type type_of(const pf_instance *i, pf_id t) {
  fr_type y = {0};
  fr_type_of(up_dt(i->term[t].type), &y);
  return y;
}

/* The least of the operands of the result's width; of others only what is exact. */
static likeness least(const survey *s, pf_id t, unsigned from) {
  const pf_term *d = &s->i->term[t];
  likeness all = EXACT;
  for (unsigned k = from; k < d->nkid; k++) {
    likeness one = s->like[d->kid[k]];
    bool alike = type_of(s->i, d->kid[k]).bits == type_of(s->i, t).bits;
    if (one == CONGRUENT && !alike) one = UNLIKE;
    if (one < all) all = one;
  }
  return all;
}

static bool exact(const survey *s, pf_id kid) { return s->like[kid] == EXACT; }

/* A number that may leave its dtype. */
static likeness at_most_congruent(likeness a) { return a == EXACT ? CONGRUENT : a; }

static likeness of_cast(const survey *s, pf_id t) {
  pf_id from = s->i->term[t].kid[0];
  fr_type to = type_of(s->i, t), y = type_of(s->i, from);
  if (exact(s, from)) return EXACT; /* reduced in ideal, too */
  return s->like[from] == CONGRUENT && !to.is_bool && to.bits <= y.bits ? EXACT : UNLIKE;
}

static likeness of_op(const survey *s, pf_id t) {
  const pf_term *d = &s->i->term[t];
  likeness all = least(s, t, 0);
  if (d->op == UP_CAST || d->op == UP_BITCAST) return of_cast(s, t);
  if (d->op == UP_BIND || d->op == UP_VECTORIZE || d->op == UP_TRUNC) return s->like[d->kid[0]];
  if (d->op == UP_WHERE) return exact(s, d->kid[0]) ? least(s, t, 1) : UNLIKE;
  if (all == EXACT && type_of(s->i, t).is_bool) return EXACT;
  switch (d->op) {
  case UP_ADD:
  case UP_SUB:
  case UP_MUL:
  case UP_NEG:
  case UP_MULACC: return at_most_congruent(all);
  case UP_SHL: /* by any amount that is not negative */
    return exact(s, d->kid[1]) ? at_most_congruent(s->like[d->kid[0]]) : UNLIKE;
  case UP_AND:
  case UP_OR:
  case UP_XOR: return all; /* the low bits of the operands */
  case UP_IDIV:
  case UP_FLOORDIV:
    if (all == EXACT && type_of(s->i, t).is_signed && !s->min_wraps) return CONGRUENT;
    return all == EXACT ? EXACT : UNLIKE;
  default: return all == EXACT ? EXACT : UNLIKE; /* MOD FLOORMOD SHR MAX, RANGE */
  }
}

static likeness of_constant(const pf_instance *i, pf_id t) {
  const pf_term *d = &i->term[t];
  fr_type y = type_of(i, t);
  if (d->exact != EXPR_NIL) return y.is_bool ? EXACT : CONGRUENT;
  if (!d->literal || y.is_bool) return EXACT;
  return fr_min(y) <= d->number && d->number <= fr_max(y) ? EXACT : CONGRUENT;
}

static void look(survey *s) {
  for (pf_id t = 0; t < s->i->nterm; t++) {
    const pf_term *d = &s->i->term[t];
    s->like[t] = d->kind == PF_ANY     ? EXACT
                 : d->kind == PF_CONST ? of_constant(s->i, t)
                                       : of_op(s, t);
  }
}

/* Does the expression look at exact terms alone? What it says of others is said of their values in
 * wrap. */
static bool reads_exact(const survey *s, expr_id id) {
  if (id == EXPR_NIL) return true;
  const expr *x = expr_at(&s->i->book->exprs, id);
  unsigned kids = expr_kids(x);
  for (unsigned k = 0; k < kids; k++)
    if (!reads_exact(s, x->kid[k])) return false;
  if (kids > 0 || x->op == EX_INT || x->op == EX_FLOAT) return true;
  for (int turn = 0; turn < 2; turn++) {
    int slot = turn ? x->b : x->a;
    pf_id t = slot < 0 ? PF_NIL : s->i->slot[slot];
    if (t != PF_NIL && s->like[t] != EXACT) return false;
  }
  return true;
}

static bool carries_over(const survey *s) {
  const pf_instance *i = s->i;
  bool fine = reads_exact(s, i->when) && reads_exact(s, i->lo) && reads_exact(s, i->hi);
  for (pf_id t = 0; fine && t < i->nterm; t++) fine = reads_exact(s, i->term[t].exact);
  if (!fine || i->right == PF_NIL) return fine && s->like[i->left] == EXACT;
  likeness l = s->like[i->left], r = s->like[i->right];
  fr_type a = type_of(i, i->left), b = type_of(i, i->right);
  if (l == EXACT && r == EXACT) return true;
  return l != UNLIKE && r != UNLIKE && a.bits == b.bits && a.is_signed == b.is_signed && !a.is_bool;
}

#define PART 16u     /* of the limit, for each query */
#define POINTS 3000u /* at which the premises are looked for */

bool bv_prove_by_congruence(pf_prover *p, const pf_instance *i, bool can_hold, pf_answer *out) {
  survey s = {.i = i, .like = calloc(i->nterm + 1, sizeof *s.like)};
  uint32_t rlimit = p->limits.rlimit / PART + 1;
  const char *by = NULL;
  for (int turn = 0; s.like && !by && turn < 2; turn++) {
    s.min_wraps = turn == 1;
    look(&s);
    if (carries_over(&s))
      by = bv_congruent_by_ints(&p->z, rlimit, i, p->limits.holds_in_ideal, s.min_wraps);
  }
  free(s.like);
  if (!by) return false;
  if (!can_hold && !cc_somewhere_stays(i, POINTS, i->left) &&
      !bv_can_hold(&p->z, rlimit, i, OR_WRAP, BV_WHOLE))
    return false;
  *out = pf_answer_of(PF_PROVED, by, NULL);
  return true;
}

/* ---- bounds of what wraps ---------------------------------------------------------------------------- */

/* A number that is at most 0, or the least of some numbers that has one. */
static bool is_at_most_zero(const exprbook *b, expr_id id) {
  const expr *x = expr_at(b, id);
  if (x->op == EX_INT) return x->ival <= 0;
  return x->op == EX_MIN && (is_at_most_zero(b, x->kid[0]) || is_at_most_zero(b, x->kid[1]));
}

/* An unsigned sum, product or shift to the left of any unsigned nodes. */
static bool is_unsigned_op(const pf_instance *i) {
  const pf_term *d = &i->term[i->left];
  if (d->kind != PF_OP) return false;
  if (d->op != UP_ADD && d->op != UP_MUL && d->op != UP_MULACC && d->op != UP_SHL) return false;
  for (unsigned k = 0; k < d->nkid; k++) {
    fr_type y = type_of(i, d->kid[k]);
    if (i->term[d->kid[k]].kind != PF_ANY || y.is_signed || y.is_bool) return false;
    if (d->op != UP_SHL && i->term[d->kid[k]].type != d->type) return false;
  }
  return d->op != UP_SHL || i->term[d->kid[0]].type == d->type;
}

/* The exact result of such an op is not below 0, and so what is left of it in the dtype is between 0 and
 * the exact one: by ideal at most `hi`; and `lo` is at most 0. */
bool bv_prove_by_reduction(pf_prover *p, const pf_instance *i, pf_answer *out) {
  if (!p->limits.holds_in_ideal || i->right != PF_NIL || i->when != EXPR_NIL) return false;
  if (!is_unsigned_op(i) || !is_at_most_zero(&i->book->exprs, i->lo)) return false;
  if (!cc_somewhere_stays(i, POINTS, i->left)) return false;
  *out = pf_answer_of(PF_PROVED, "ideal, reduced", NULL);
  return true;
}
