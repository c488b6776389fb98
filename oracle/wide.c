/* Interval analysis beyond 126 bits: of a program in which the one of interval.c lost an end.
 *
 * The same transfer functions, on GMP integers. A slot's interval is known when it fits 126 bits, or
 * when it was computed here: unbounded shifts and numbers of more than PR_MAX_BITS bits leave it
 * unknown. What is learned flows back: ends that fit after all, and the widths that were missing.
 */
#include "program.h"

#include <assert.h>
#include <stdlib.h>

typedef struct wide {
  mpz_t lo, hi;
} wide;

/* Scratch of one program. */
typedef struct widener {
  pr_program *p;
  wide v[3], r, s; /* operands, result, a part of it */
  mpz_t t, u;
} widener;

static void init(widener *w, pr_program *p) {
  w->p = p;
  for (unsigned i = 0; i < 3; i++) mpz_inits(w->v[i].lo, w->v[i].hi, NULL);
  mpz_inits(w->r.lo, w->r.hi, w->s.lo, w->s.hi, w->t, w->u, NULL);
}

static void clear(widener *w) {
  for (unsigned i = 0; i < 3; i++) mpz_clears(w->v[i].lo, w->v[i].hi, NULL);
  mpz_clears(w->r.lo, w->r.hi, w->s.lo, w->s.hi, w->t, w->u, NULL);
}

bool pr_wide_ends(const pr_program *p, uint32_t slot, mpz_t lo, mpz_t hi) {
  pr_range v = p->ins[slot].value;
  if (pr_range_finite(v)) {
    or_i128_to_mpz(v.lo, lo);
    or_i128_to_mpz(v.hi, hi);
    return true;
  }
  if (slot >= p->nwide || !p->wide[slot].known) return false;
  mpz_set(lo, p->wide[slot].lo);
  mpz_set(hi, p->wide[slot].hi);
  return true;
}

static unsigned bits_of(mpz_srcptr v, mpz_t scratch) {
  if (mpz_sgn(v) < 0)
    mpz_com(scratch, v);
  else
    mpz_set(scratch, v);
  return mpz_sgn(scratch) == 0 ? 1 : (unsigned)mpz_sizeinbase(scratch, 2) + 1;
}

/* ---- transfer: into w->r from w->v; false: no end is known --------------------------------------- */

static void grow(wide *r, mpz_srcptr lo, mpz_srcptr hi) {
  if (mpz_cmp(lo, r->lo) < 0) mpz_set(r->lo, lo);
  if (mpz_cmp(hi, r->hi) > 0) mpz_set(r->hi, hi);
}

static void set(wide *r, const wide *a) {
  mpz_set(r->lo, a->lo);
  mpz_set(r->hi, a->hi);
}

static void shl(mpz_t out, mpz_srcptr a, mpz_srcptr b) { mpz_mul_2exp(out, a, mpz_get_ui(b)); }
static void shr(mpz_t out, mpz_srcptr a, mpz_srcptr b) {
  mpz_fdiv_q_2exp(out, a, mpz_cmp_ui(b, PR_MAX_BITS) > 0 ? PR_MAX_BITS : mpz_get_ui(b));
}

/* Of a function that is monotone in each argument; joined to what out holds, unless first. */
static void corners(widener *w, void (*fn)(mpz_ptr, mpz_srcptr, mpz_srcptr), const wide *a,
                    const wide *b, bool first) {
  mpz_srcptr x[2] = {a->lo, a->hi}, y[2] = {b->lo, b->hi};
  for (unsigned i = 0; i < 4; i++) {
    fn(w->t, x[i / 2], y[i % 2]);
    if (i == 0 && first) {
      mpz_set(w->r.lo, w->t);
      mpz_set(w->r.hi, w->t);
    }
    grow(&w->r, w->t, w->t);
  }
}

/* Quotients (mpz_tdiv_q or mpz_fdiv_q) by the positive and by the negative divisors; 0 is none (wrap has
 * no wide values). */
static bool divide(widener *w, void (*quotient)(mpz_ptr, mpz_srcptr, mpz_srcptr)) {
  const wide *a = &w->v[0], *b = &w->v[1];
  bool first = true;
  if (mpz_sgn(b->hi) > 0) {
    set(&w->s, b);
    if (mpz_sgn(w->s.lo) <= 0) mpz_set_si(w->s.lo, 1);
    corners(w, quotient, a, &w->s, true);
    first = false;
  }
  if (mpz_sgn(b->lo) < 0) {
    set(&w->s, b);
    if (mpz_sgn(w->s.hi) >= 0) mpz_set_si(w->s.hi, -1);
    corners(w, quotient, a, &w->s, first);
    first = false;
  }
  if (!first) return true;
  mpz_set_si(w->r.lo, 0);
  mpz_set_si(w->r.hi, 0);
  return true;
}

/* Remainders: less than the greatest divisor, no more than the dividend, with its sign. */
static bool remainder_of(widener *w) {
  const wide *a = &w->v[0], *b = &w->v[1];
  mpz_abs(w->t, b->lo);
  mpz_abs(w->u, b->hi);
  if (mpz_cmp(w->u, w->t) > 0) mpz_set(w->t, w->u);
  if (mpz_sgn(w->t) > 0) mpz_sub_ui(w->t, w->t, 1);
  mpz_neg(w->u, w->t);
  mpz_set_si(w->r.lo, 0);
  mpz_set_si(w->r.hi, 0);
  if (mpz_sgn(a->lo) < 0) mpz_set(w->r.lo, mpz_cmp(a->lo, w->u) > 0 ? a->lo : w->u);
  if (mpz_sgn(a->hi) > 0) mpz_set(w->r.hi, mpz_cmp(a->hi, w->t) < 0 ? a->hi : w->t);
  return true;
}

/* Between 0 and the divisor. */
static bool floormod(widener *w) {
  const wide *b = &w->v[1];
  mpz_set_si(w->r.lo, 0);
  mpz_set_si(w->r.hi, 0);
  if (mpz_sgn(b->lo) < 0) mpz_add_ui(w->r.lo, b->lo, 1);
  if (mpz_sgn(b->hi) > 0) mpz_sub_ui(w->r.hi, b->hi, 1);
  return true;
}

static bool shift(widener *w, up_op op) {
  wide *amount = &w->v[1];
  if (mpz_sgn(amount->lo) < 0) mpz_set_si(amount->lo, 0);
  if (mpz_sgn(amount->hi) < 0) mpz_set_si(amount->hi, 0);
  if (op == UP_SHL && mpz_cmp_ui(amount->hi, PR_MAX_BITS) > 0) return false;
  corners(w, op == UP_SHL ? shl : shr, &w->v[0], amount, true);
  return true;
}

/* All bits up to the longest operand's; a sign if any has one. What interval.c knows of `or` and `and`
 * beyond that is not repeated here, but for sums: a | b and a ^ b are a + b less what both have. */
static bool bitwise(widener *w, up_op op) {
  const wide *a = &w->v[0], *b = &w->v[1];
  bool na = mpz_sgn(a->lo) < 0, nb = mpz_sgn(b->lo) < 0;
  if (op == UP_AND && !(na && nb)) {
    mpz_set_si(w->r.lo, 0);
    mpz_set(w->r.hi, na ? b->hi : nb || mpz_cmp(a->hi, b->hi) < 0 ? a->hi : b->hi);
    return true;
  }
  mpz_srcptr end[4] = {a->lo, a->hi, b->lo, b->hi};
  unsigned most = 1;
  for (unsigned i = 0; i < 4; i++) {
    unsigned n = bits_of(end[i], w->t);
    if (n > most) most = n;
  }
  mpz_set_ui(w->r.hi, 1);
  mpz_mul_2exp(w->r.hi, w->r.hi, most - 1);
  mpz_neg(w->r.lo, w->r.hi);
  mpz_sub_ui(w->r.hi, w->r.hi, 1);
  if (na || nb) return true;
  mpz_set_si(w->r.lo, 0);
  if (op == UP_OR) mpz_set(w->r.lo, mpz_cmp(a->lo, b->lo) > 0 ? a->lo : b->lo);
  mpz_add(w->t, a->hi, b->hi);
  if (op != UP_AND && mpz_cmp(w->t, w->r.hi) < 0) mpz_set(w->r.hi, w->t);
  return true;
}

static bool select_of(widener *w, pr_range cond) {
  bool yes = cond.lo != 0 || cond.hi != 0, no = cond.lo <= 0 && cond.hi >= 0;
  set(&w->r, yes ? &w->v[1] : &w->v[2]);
  if (yes && no) grow(&w->r, w->v[2].lo, w->v[2].hi);
  return true;
}

static bool transfer(widener *w, const pr_ins *d) {
  const wide *v = w->v;
  switch ((up_op)d->op) {
  case UP_ADD:
    mpz_add(w->r.lo, v[0].lo, v[1].lo);
    mpz_add(w->r.hi, v[0].hi, v[1].hi);
    return true;
  case UP_SUB:
    mpz_sub(w->r.lo, v[0].lo, v[1].hi);
    mpz_sub(w->r.hi, v[0].hi, v[1].lo);
    return true;
  case UP_NEG:
    mpz_neg(w->r.lo, v[0].hi);
    mpz_neg(w->r.hi, v[0].lo);
    return true;
  case UP_MULACC:
  case UP_MUL:
    corners(w, mpz_mul, &v[0], &v[1], true);
    if (d->op == UP_MUL) return true;
    mpz_add(w->r.lo, w->r.lo, v[2].lo);
    mpz_add(w->r.hi, w->r.hi, v[2].hi);
    return true;
  case UP_MAX:
    set(&w->r, &v[0]);
    if (mpz_cmp(v[1].lo, w->r.lo) > 0) mpz_set(w->r.lo, v[1].lo);
    if (mpz_cmp(v[1].hi, w->r.hi) > 0) mpz_set(w->r.hi, v[1].hi);
    return true;
  case UP_IDIV: return divide(w, mpz_tdiv_q);
  case UP_FLOORDIV: return divide(w, mpz_fdiv_q);
  case UP_FLOORMOD: return floormod(w);
  case UP_MOD: return remainder_of(w);
  case UP_SHL:
  case UP_SHR: return shift(w, (up_op)d->op);
  case UP_AND:
  case UP_OR:
  case UP_XOR: return bitwise(w, (up_op)d->op);
  case UP_WHERE: return select_of(w, w->p->ins[d->src[0]].value);
  case UP_TRUNC:
  case UP_CAST:
  case UP_BITCAST: set(&w->r, &v[0]); return true;
  default: return false; /* comparisons have no wide result */
  }
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* An end, moved outwards where it is beyond 126 bits. A least value that fits in 128 is at least 2^126, and
 * not infinite: claims of such ends are compared with it. */
static or_i128 cut(mpz_srcptr v, bool upper) {
  const or_i128 far = (or_i128)1 << 126;
  or_i128 r;
  bool fits = or_i128_from_mpz(v, &r);
  if (fits && mpz_sizeinbase(v, 2) <= 126) return r;
  if (mpz_sgn(v) < 0) return fits && upper ? -far : OR_I128_MIN;
  return fits && !upper ? far : OR_I128_MAX;
}

/* The exact result's interval into w->r; false: not known, or too long. */
static bool exact_ends(widener *w, uint32_t i) {
  const pr_program *p = w->p;
  const pr_ins *d = &p->ins[i];
  bool ok = true;
  if (d->op == UP_CONST && (d->flags & PR_HUGE)) {
    ok = mpz_set_str(w->r.lo, p->huge[d->var], 16) == 0;
    mpz_set(w->r.hi, w->r.lo);
  } else if (d->nsrc == 0) {
    return false;
  } else {
    for (unsigned s = 0; ok && s < d->nsrc; s++)
      ok = pr_wide_ends(p, d->src[s], w->v[s].lo, w->v[s].hi);
    ok = ok && transfer(w, d);
  }
  return ok && bits_of(w->r.lo, w->t) <= PR_MAX_BITS && bits_of(w->r.hi, w->t) <= PR_MAX_BITS;
}

static void widen_slot(widener *w, uint32_t i) {
  pr_program *p = w->p;
  pr_ins *d = &p->ins[i];
  if (!exact_ends(w, i)) return;
  unsigned lo = bits_of(w->r.lo, w->t), hi = bits_of(w->r.hi, w->t);
  pr_finish(p, i, (pr_range){cut(w->r.lo, false), cut(w->r.hi, true)}, lo > hi ? lo : hi);
  if (pr_range_finite(d->value)) return;
  pr_wide *out = &p->wide[i];
  mpz_inits(out->lo, out->hi, NULL);
  mpz_set(out->lo, w->r.lo);
  mpz_set(out->hi, w->r.hi);
  out->known = true;
}

void pr_wide_clear(pr_program *p) {
  for (uint32_t i = 0; i < p->nwide; i++) {
    if (p->wide[i].known) mpz_clears(p->wide[i].lo, p->wide[i].hi, NULL);
  }
  free(p->wide);
  p->wide = NULL;
  p->nwide = 0;
}

bool pr_widen(pr_program *p) {
  assert(p->nwide == 0);
  p->wide = calloc(p->n + 1, sizeof *p->wide);
  if (!p->wide) return false;
  p->nwide = p->n;
  widener w;
  init(&w, p);
  bool moved = false; /* a source has other ends than before */
  for (uint32_t i = 0; i < p->n; i++) {
    const pr_ins *d = &p->ins[i];
    bool lost = !pr_range_finite(d->value) || d->bits == PR_NO_BITS;
    if (!lost && !moved) continue;
    if (!lost && d->nsrc > 0) pr_analyse(p, i);
    if (!pr_range_finite(p->ins[i].value) || p->ins[i].bits == PR_NO_BITS) widen_slot(&w, i);
    moved = true;
  }
  clear(&w);
  return true;
}
