/* Obligations in wrap and refine by the integers of ideal, where bit-blasting gives up.
 *
 * As long as no result leaves its dtype, an op means the same in all frames. So the points of an
 * obligation fall in two kinds. Where nothing that either side computes leaves its dtype or lacks a
 * value, the conclusion is shown as in ideal, over integers that lie in their dtypes. That there are
 * no other points is shown over integers, too; or else they are left to bit-vectors: they are the
 * corners, such as a divisor of 0, and bit-blasting is quick there.
 *
 * Refine itself grants that the left side has a value, and so that results of signed dtypes stay in
 * them. What lies in an arm of a WHERE may not count: of it nothing is assumed on that ground.
 */
#include "bits.h"
#include "concrete.h"
#include "confirm.h"
#include "ints.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum part {
  THE_CONCLUSION, /* where everything stays in range */
  THE_RANGES,     /* everything stays in range and has a value */
  THE_VALUED,     /* everything stays in range where divisions and shifts do and have a value */
  IDEALLY,   /* by the values of ideal, and wrap's where ideal has none, whatever leaves a dtype */
  AT_CORNERS /* the same where ideal has none */
} part;

typedef struct transfer {
  in_enc e;
  or_frame frame;
  bool left_stays; /* the left side is in range */
  bool *used;      /* terms of the left side that always count */
} transfer;

static fr_type type_of(const in_enc *e, pf_id t) {
  fr_type y = {0};
  fr_type_of(up_dt(e->i->term[t].type), &y);
  return y;
}

/* min <= value <= max of its dtype; NULL: a bool, which is always so. */
static Z3_ast in_range(in_enc *e, pf_id t) {
  fr_type y = type_of(e, t);
  if (y.is_bool) return NULL;
  Z3_ast v = in_term_number(e, t);
  return in_and(e, in_le(e, z3_number(e->z, e->integer, 0, fr_min(y)), v),
                in_le(e, v, z3_number(e->z, e->integer, 0, fr_max(y))));
}

/* The values in the other lanes, too. */
static Z3_ast list_in_range(in_enc *e, pf_id t) {
  fr_type y = type_of(e, t);
  in_fact *f = in_bounds(e, t);
  return in_and(e, in_le(e, z3_number(e->z, e->integer, 0, fr_min(y)), f->lo),
                in_le(e, f->hi, z3_number(e->z, e->integer, 0, fr_max(y))));
}

/* The results that may leave a dtype. */
static bool may_leave(const pf_term *d) { return d->kind == PF_OP && fr_overflow_undefined(d->op); }

static bool is_leaf(const pf_term *d) {
  return d->kind == PF_ANY || d->op == UP_RANGE || (d->kind == PF_CONST && d->exact == EXPR_NIL);
}

static void mark_used(const pf_instance *i, bool arms, bool *used) {
  used[i->left] = true;
  for (pf_id t = i->left + 1; t-- > 0;) {
    const pf_term *d = &i->term[t];
    if (!used[t] || d->kind != PF_OP) continue;
    for (unsigned k = 0; k < (d->op == UP_WHERE && !arms ? 1u : d->nkid); k++)
      used[d->kid[k]] = true;
  }
}

static bool is_shift(const pf_term *d) {
  return d->kind == PF_OP && (d->op == UP_SHL || d->op == UP_SHR);
}

static Z3_ast shift_fits(in_enc *e, const pf_term *d, unsigned bits) {
  return in_lt(e, in_term_number(e, d->kid[1]), in_int(e, (int64_t)bits));
}

/* Is it granted that a result stays in its dtype? In refine what is used of the left side, of a signed
 * dtype; all of the left side where that is the condition. */
static bool is_granted(const transfer *t, pf_id k) {
  return t->used[k] && (t->left_stays || (t->frame == OR_REFINE && type_of(&t->e, k).is_signed));
}

/* ---- premises -------------------------------------------------------------------------------------- */

/* Leaves lie in their dtypes; in wrap all of them have a value. A literal of the pattern that lies
 * outside of its dtype is no number of these. False: there is one. */
static bool leaves(transfer *t, part p) {
  in_enc *e = &t->e;
  for (pf_id k = 0; k < e->i->nterm; k++) {
    const pf_term *d = &e->i->term[k];
    if (!is_leaf(d)) continue;
    in_value v = in_term(e, k);
    Z3_ast r = in_range(e, k);
    if (r && d->kind == PF_CONST && d->literal) {
      fr_type y = type_of(e, k);
      bool lies = fr_min(y) <= d->number && d->number <= fr_max(y);
      if (!lies && p < IDEALLY) return false;
    } else if (r) {
      z3_assert(e->z, r);
      if (d->list) z3_assert(e->z, list_in_range(e, k));
    }
    if (v.defined && t->frame == OR_WRAP) z3_assert(e->z, v.defined);
  }
  return true;
}

/* Every result stays in its dtype, as far as terms were made: where that is not so, bit-vectors or the
 * other query speak. */
static void assume_ranges(transfer *t) {
  in_enc *e = &t->e;
  for (pf_id k = 0; k < e->i->nterm; k++) {
    const pf_term *d = &e->i->term[k];
    bool computed = d->kind == PF_CONST && d->exact != EXPR_NIL;
    if ((!may_leave(d) && !computed) || !e->term[k].value) continue;
    Z3_ast r = in_range(e, k);
    if (r) z3_assert(e->z, r);
  }
}

/* What refine, or the condition, grants of the left side. */
static void grants(transfer *t) {
  in_enc *e = &t->e;
  for (pf_id k = 0; k < e->i->nterm; k++) {
    const pf_term *d = &e->i->term[k];
    if (!is_granted(t, k)) continue;
    Z3_ast r = may_leave(d) ? in_range(e, k) : NULL;
    if (r) z3_assert(e->z, r);
    if (is_shift(d)) z3_assert(e->z, shift_fits(e, d, type_of(e, k).bits));
  }
}

/* ---- conclusions ------------------------------------------------------------------------------------- */

/* The left side has a value: refine and the condition say so. */
static bool grants_value(const transfer *t) { return t->frame == OR_REFINE || t->left_stays; }

static bool is_quotient(up_op op) { return op == UP_IDIV || op == UP_FLOORDIV; }

/* All in range, as far as it is not granted. NULL: nothing is left to show. */
static Z3_ast stays_in_range(transfer *t, part p) {
  in_enc *e = &t->e;
  Z3_ast all = NULL;
  for (pf_id k = 0; k < e->i->nterm; k++) {
    const pf_term *d = &e->i->term[k];
    bool computed = d->kind == PF_CONST && d->exact != EXPR_NIL;
    bool granted = is_granted(t, k) || (p == THE_VALUED && d->kind == PF_OP && is_quotient(d->op));
    if ((may_leave(d) && !granted) || computed) all = in_and(e, all, in_range(e, k));
    if (p == THE_RANGES && is_shift(d) && !is_granted(t, k))
      all = in_and(e, all, shift_fits(e, d, type_of(e, k).bits));
  }
  if (!grants_value(t) && p == THE_RANGES) all = in_and(e, all, in_term(e, e->i->left).defined);
  return all;
}

/* ---- queries --------------------------------------------------------------------------------------------- */

static bool open_transfer(transfer *t, z3_session *z, const pf_instance *i, or_frame f,
                          bool left_stays, in_style style, uint32_t rlimit) {
  *t = (transfer){.e = {.z = z, .i = i, .style = style}, .frame = f, .left_stays = left_stays};
  if (!z3_begin(z, rlimit)) return false;
  t->e.integer = Z3_mk_int_sort(z->ctx);
  t->e.boolean = Z3_mk_bool_sort(z->ctx);
  t->e.term = calloc(i->nterm + 1, sizeof *t->e.term);
  t->e.fact = calloc(i->nterm + 1, sizeof *t->e.fact);
  t->used = calloc(i->nterm + 1, sizeof *t->used);
  if (!t->e.term || !t->e.fact || !t->used) return false;
  mark_used(i, left_stays, t->used);
  return true;
}

static void close_transfer(transfer *t) {
  free(t->e.term);
  free(t->e.fact);
  free(t->used);
}

/* The premises; of "the left side has a value" only what is granted. */
static void ask_ranges(transfer *t, part p) {
  in_enc *e = &t->e;
  in_value l = in_term(e, e->i->left);
  if (l.defined && (grants_value(t) || p == THE_VALUED)) z3_assert(e->z, l.defined);
  e->left_divisions = e->ndivision;
  if (e->i->when != EXPR_NIL) z3_assert(e->z, in_truth(e, in_expr(e, e->i->when, NULL)));
  if (e->i->right != PF_NIL) {
    in_value r = in_term(e, e->i->right);
    if (r.defined && p == THE_VALUED) z3_assert(e->z, r.defined);
  }
  for (pf_id k = 0; p == THE_VALUED && k < e->i->nterm; k++) {
    const pf_term *d = &e->i->term[k];
    Z3_ast r = d->kind == PF_OP && is_quotient(d->op) ? in_range(e, k) : NULL;
    if (r) z3_assert(e->z, r);
  }
  Z3_ast goal = stays_in_range(t, p);
  z3_assert(e->z, goal ? in_not(e, goal) : z3_keep(e->z, Z3_mk_false(e->z->ctx)));
  in_division_lemmas(e);
  in_bit_laws(e);
}

/* One query of an obligation. */
typedef struct query {
  z3_session *z;
  const pf_instance *i;
  or_frame frame;
  part part;
  bool left_stays, min_wraps;
  uint32_t rlimit;
  uint64_t resource; /* spent, of all attempts */
} query;

static z3_answer ask(query *q, in_style style, char *why) {
  transfer t;
  z3_session *z = q->z;
  z3_answer r = Z3_FAILED;
  if (open_transfer(&t, z, q->i, q->frame, q->left_stays, style, q->rlimit)) {
    t.e.wraps = q->part == IDEALLY || q->part == AT_CORNERS;
    t.e.min_wraps = q->min_wraps;
    if (q->part == THE_CONCLUSION || t.e.wraps)
      in_ask(&t.e, true);
    else
      ask_ranges(&t, q->part);
    bool fine = leaves(&t, q->part) && !t.e.cannot && !t.e.overflow;
    if (q->part == THE_CONCLUSION)
      assume_ranges(&t);
    else if (!t.e.wraps)
      grants(&t);
    if (q->part == AT_CORNERS)
      z3_assert(z, t.e.corner ? t.e.corner : z3_keep(z, Z3_mk_false(z->ctx)));
    if (fine) {
      r = z3_check(z, why);
      q->resource += bv_resource(z);
    } else {
      r = Z3_GAVE_UP;
      z->error[0] = 0;
      snprintf(why, 80, "%s", t.e.cannot ? t.e.cannot : "a literal outside of its dtype");
    }
  }
  close_transfer(&t);
  return r;
}

/* ---- the whole --------------------------------------------------------------------------------------------- */

static bool applies_here(up_ctx *c, const pf_instance *i, const pf_point *at, uint32_t way,
                         void *arg) {
  bool *applied = arg;
  up_buf line = {0};
  /* no failure: the rule applied, both sides have a value */
  *applied = cf_try(c, i, at, OR_REFINE, way, &line) == CF_NO_FAILURE;
  up_buf_free(&line);
  return !*applied;
}

/* The rule applies to some graph where the left side is defined in refine, and so in wrap. */
static bool can_apply(const pf_instance *i) {
  bool applied = false;
  return bv_each_point(i->book->bounds.profile, i, OR_REFINE, 3000, applies_here, &applied) &&
         applied;
}

static const struct {
  in_style style;
  const char *by, *by_both; /* with bit-vectors for the other points */
  const char *ideally;
} plan[] = {{IN_PLAIN, "z3 ints in range", "z3 ints in range, bits", "z3 ints, congruent"},
            {IN_WITNESS, "z3 ints in range, witness", "z3 ints in range, witness, bits",
             "z3 ints, witness, congruent"},
            {IN_CHECKED, "z3 ints in range, checked", "z3 ints in range, checked, bits",
             "z3 ints, checked, congruent"},
            {IN_CORNERS, "z3 ints in range, corners", "z3 ints in range, corners, bits",
             "z3 ints, corners, congruent"}};
#define NPLAN (sizeof plan / sizeof *plan)
#define POINTS 3000u /* at which the premises are looked for */

/* The number of the plan that proved it, NPLAN: none did. A model is none of the frame's: it only ends
 * the search. */
static size_t try_plans(query *q, part p) {
  char why[80] = "";
  q->part = p;
  for (size_t s = 0; s < NPLAN; s++) {
    /* a division that is checked and not made has no value of wrap */
    if (p >= IDEALLY && plan[s].style == IN_CHECKED) continue;
    z3_answer r = ask(q, plan[s].style, why);
    if (r == Z3_NO_MODEL) return s;
    if (r != Z3_GAVE_UP) break;
  }
  return NPLAN;
}

/* Points at which something lacks a value or leaves its dtype: none, or bit-vectors prove them. */
static bool others_hold(query *q, uint32_t rlimit, bool *by_bits) {
  *by_bits = false;
  if (try_plans(q, THE_RANGES) < NPLAN) return true;
  *by_bits = true;
  bool valued = try_plans(q, THE_VALUED) < NPLAN;
  pf_answer a = bv_prove(q->z, rlimit, q->i, q->frame, valued ? BV_VALUELESS : BV_LEAVING, NULL);
  bool proved = a.verdict == PF_PROVED || a.verdict == PF_VACUOUS;
  q->resource += a.resource;
  pf_answer_clear(&a);
  return proved;
}

/* What stands for the conclusion where it is known already. */
static const char *const known = "ideal, in range", *const known_by_both = "ideal, in range, bits";

bool bv_prove_by_ints(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f,
                      bool holds_in_ideal, bool can_hold, pf_answer *out) {
  query q = {.z = z, .i = i, .frame = f, .rlimit = rlimit};
  bool by_bits;
  size_t s = holds_in_ideal ? 0 : try_plans(&q, THE_CONCLUSION);
  q.rlimit = rlimit / NPLAN + 1;
  if (s == NPLAN || !others_hold(&q, rlimit, &by_bits)) return false;
  if (!can_hold && !cc_somewhere_stays(i, POINTS, i->left) && !can_apply(i) &&
      !bv_can_hold(z, rlimit, i, f, BV_WHOLE))
    return false;
  const char *by = by_bits ? plan[s].by_both : plan[s].by;
  if (holds_in_ideal) by = by_bits ? known_by_both : known;
  *out = pf_answer_of(PF_PROVED, by, NULL);
  out->resource = q.resource;
  return true;
}

bool bv_stays_by_ideal(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f,
                       pf_answer *out) {
  query q = {.z = z, .i = i, .frame = f, .rlimit = rlimit};
  if (try_plans(&q, THE_RANGES) == NPLAN || !cc_somewhere_stays(i, POINTS, i->left)) return false;
  *out = pf_answer_of(PF_PROVED, known, NULL);
  out->resource = q.resource;
  return true;
}

const char *bv_stays_by_ints(z3_session *z, uint32_t rlimit, const pf_instance *i, or_frame f,
                             pf_while what, bool holds_in_ideal) {
  query q = {.z = z, .i = i, .frame = f, .rlimit = rlimit, .left_stays = what == PF_WHILE_LEFT};
  if (what == PF_WHILE_LEFT && try_plans(&q, THE_RANGES) == NPLAN) return NULL;
  if (holds_in_ideal) return known;
  size_t s = try_plans(&q, THE_CONCLUSION);
  return s == NPLAN ? NULL : plan[s].by;
}

const char *bv_congruent_by_ints(z3_session *z, uint32_t rlimit, const pf_instance *i,
                                 bool holds_in_ideal, bool min_wraps) {
  query q = {.z = z, .i = i, .frame = OR_WRAP, .rlimit = rlimit, .min_wraps = min_wraps};
  size_t s = try_plans(&q, holds_in_ideal ? AT_CORNERS : IDEALLY);
  if (s == NPLAN) return NULL;
  return holds_in_ideal ? "ideal, congruent" : plan[s].ideally;
}
