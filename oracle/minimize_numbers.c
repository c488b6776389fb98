/* The passes of the minimizer that change numbers: constants and ranges, one by one and all at once.
 */
#include "oracle/shrink.h"

#include <assert.h>
#include <stdlib.h>

/* ---- numbers nearer to a target -------------------------------------------------------------- */

/* A number inside the best graph; set tries another value for it. Trials that change numbers only
 * keep the positions of nodes, unless two become the same: then the dial is dead. */
typedef struct dial {
  shrink *s;
  uint32_t at, nodes; /* position of the node in topo, length of topo */
  bool (*set)(struct dial *d, mpz_srcptr v);
  int which;
} dial;

/* From v toward the target: the target itself, then half of the way, a quarter ... by one. */
static bool approach(dial *d, mpz_t v, const mpz_t target) {
  bool any = false;
  mpz_t step, next;
  mpz_inits(step, next, NULL);
  mpz_sub(step, v, target);
  while (mpz_sgn(step) != 0 && d->s->topo.n == d->nodes && !shrink_over(d->s)) {
    mpz_sub(next, v, step);
    if (d->set(d, next)) {
      any = true;
      mpz_set(v, next);
      mpz_sub(next, v, target);
      if (mpz_cmpabs(next, step) < 0) mpz_set(step, next);
    } else {
      mpz_tdiv_q_2exp(step, step, 1);
    }
  }
  mpz_clears(step, next, NULL);
  return any;
}

/* ---- constants ----------------------------------------------------------------------------- */

static bool set_constant(dial *d, mpz_srcptr v) { return try_const(d->s, d->s->topo.p[d->at], v); }

bool constant_at(const shrink *s, uint32_t at, mpz_t out) {
  up_int v;
  if (at >= s->topo.n || !up_is_const_int(s->best, s->topo.p[at], &v)) return false;
  up_int_to_mpz(s->best, v, out);
  return true;
}

/* Small numbers that halving can miss, as when only odd ones will do. */
static const long small_numbers[] = {-1, 1, -2, 2, -3, 3};
#define SMALL_NUMBERS (sizeof small_numbers / sizeof *small_numbers)

/* 0, 1, -1, another constant of the graph, a small number, the opposite. */
bool jump_constant(shrink *s, up_node n, mpz_t v) {
  if (mpz_sgn(v) == 0) return cut_to_leaf(s, n); /* no nearer to 0, but a node less */
  if (try_const_si(s, n, 0) || try_const_si(s, n, 1)) return true;
  if (up_dt_is_bool(up_dtype_of(s->best, n))) return false;
  if (try_const_si(s, n, -1) || cut_to_leaf(s, n)) return true;
  for (size_t i = 2; i < SMALL_NUMBERS; i++) {
    if (try_const_si(s, n, small_numbers[i])) return true;
  }
  if (mpz_sgn(v) > 0) return false;
  mpz_neg(v, v);
  bool ok = try_const(s, n, v);
  mpz_neg(v, v);
  return ok;
}

/* One number for all lanes. */
static bool level_lanes(shrink *s, up_node n) {
  if (up_op_of(s->best, n) != UP_VCONST || !is_plain(s, n)) return false;
  if (try_const_si(s, n, 0) || try_const_si(s, n, 1) || try_const_si(s, n, -1)) return true;
  mpz_t v;
  mpz_init(v);
  bool done = false;
  for (uint32_t k = 0; !done && k < up_dt_count(up_dtype_of(s->best, n)); k++) {
    up_val lane = up_vconst_at(s->best, n, k);
    if (lane.is_float) break;
    up_int_to_mpz(s->best, lane.i, v);
    done = try_const(s, n, v);
  }
  mpz_clear(v);
  return done;
}

static bool lower_constant(shrink *s, uint32_t at) {
  mpz_t v, zero;
  mpz_inits(v, zero, NULL);
  bool any = level_lanes(s, s->topo.p[at]);
  if (!any && constant_at(s, at, v)) {
    any = jump_constant(s, s->topo.p[at], v);
    dial d = {.s = s, .at = at, .nodes = s->topo.n, .set = set_constant};
    if (!any) any = approach(&d, v, zero);
  }
  mpz_clears(v, zero, NULL);
  return any;
}

bool pass_constants(shrink *s) {
  bool any = false;
  for (uint32_t i = 0; i < s->topo.n && !shrink_over(s); i++) any = lower_constant(s, i) || any;
  return any;
}

/* ---- ranges -------------------------------------------------------------------------------- */

enum { DIAL_HIGH, DIAL_LOW, DIAL_SHIFT };

static bool set_range(dial *d, mpz_srcptr v) {
  shrink *s = d->s;
  char name[64];
  mpz_t lo, hi;
  mpz_inits(lo, hi, NULL);
  bool ok = domain_of(s, s->topo.p[d->at], name, lo, hi);
  if (d->which == DIAL_HIGH) mpz_set(hi, v);
  if (d->which == DIAL_LOW) mpz_set(lo, v);
  if (d->which == DIAL_SHIFT) { /* v is the new low end */
    mpz_sub(hi, hi, lo);
    mpz_add(hi, hi, v);
    mpz_set(lo, v);
  }
  ok = ok && mpz_cmp(lo, hi) <= 0 &&
       shrink_try(
           s, &(edit){.kind = EDIT_VAR, .at = s->topo.p[d->at], .name = name, .lo = lo, .hi = hi});
  mpz_clears(lo, hi, NULL);
  return ok;
}

/* One end of the range toward the witness (from there on toward the other end, with another
 * witness), or the whole range toward 0. */
static bool turn_range(shrink *s, uint32_t at, int which) {
  char name[64];
  mpz_t lo, hi, target;
  mpz_inits(lo, hi, target, NULL);
  bool any = false;
  if (at < s->topo.n && domain_of(s, s->topo.p[at], name, lo, hi)) {
    dial d = {.s = s, .at = at, .nodes = s->topo.n, .set = set_range, .which = which};
    if (which != DIAL_SHIFT) {
      witness_value(s, s->topo.p[at], target);
      if (mpz_cmp(target, which == DIAL_HIGH ? hi : lo) == 0)
        mpz_set(target, which == DIAL_HIGH ? lo : hi);
    } else if (mpz_sgn(lo) < 0 && mpz_sgn(hi) > 0) {
      mpz_set(target, lo); /* around 0 already */
    } else if (mpz_sgn(lo) < 0) {
      mpz_sub(target, lo, hi); /* hi to 0 */
    }
    any = approach(&d, which == DIAL_HIGH ? hi : lo, target);
  }
  mpz_clears(lo, hi, target, NULL);
  return any;
}

/* The range as wide as it is, with its end that is nearer to 0 at a small number. */
static bool jump_range(shrink *s, uint32_t at) {
  char name[64];
  mpz_t lo, hi, v;
  mpz_inits(lo, hi, v, NULL);
  bool any = false;
  if (at < s->topo.n && domain_of(s, s->topo.p[at], name, lo, hi) && mpz_sgn(lo) == mpz_sgn(hi)) {
    dial d = {.s = s, .at = at, .nodes = s->topo.n, .set = set_range, .which = DIAL_SHIFT};
    for (size_t i = 0; i < SMALL_NUMBERS && !any; i++) {
      mpz_set_si(v, small_numbers[i]);
      if (small_numbers[i] < 0) { /* the low end that puts the high one there */
        mpz_sub(v, v, hi);
        mpz_add(v, v, lo);
      }
      any = set_range(&d, v);
    }
  }
  mpz_clears(lo, hi, v, NULL);
  return any;
}

bool pass_ranges(shrink *s) {
  bool any = false;
  for (uint32_t i = 0; i < s->topo.n && !shrink_over(s); i++) {
    any = turn_range(s, i, DIAL_HIGH) || any;
    any = turn_range(s, i, DIAL_LOW) || any;
    any = turn_range(s, i, DIAL_SHIFT) || any;
    any = jump_range(s, i) || any;
  }
  return any;
}

/* ---- all numbers at once --------------------------------------------------------------------- */

static bool numbers_new(numbers *z, uint32_t nodes) {
  *z = (numbers){0};
  z->v = malloc(2 * (size_t)nodes * sizeof *z->v);
  if (!z->v) return false;
  z->n = nodes;
  for (uint32_t i = 0; i < 2 * nodes; i++) mpz_init(z->v[i]);
  return true;
}

void numbers_clear(numbers *z) {
  for (uint32_t i = 0; i < 2 * z->n; i++) mpz_clear(z->v[i]);
  free(z->v);
  *z = (numbers){0};
}

bool numbers_take(const shrink *s, numbers *out) {
  if (!numbers_new(out, s->topo.n)) return false;
  for (uint32_t i = 0; i < out->n; i++) {
    char name[64];
    if (!constant_at(s, i, out->v[2 * i]))
      domain_of(s, s->topo.p[i], name, out->v[2 * i], out->v[2 * i + 1]);
  }
  return true;
}

static bool try_numbers(shrink *s, const numbers *z) {
  return z->n == s->topo.n && shrink_try(s, &(edit){.kind = EDIT_NUMBERS, .number = z->v});
}

static bool halve_all(shrink *s) {
  numbers z = {0};
  if (!numbers_take(s, &z)) return false;
  for (uint32_t i = 0; i < 2 * z.n; i++) mpz_tdiv_q_2exp(z.v[i], z.v[i], 1);
  bool ok = try_numbers(s, &z);
  numbers_clear(&z);
  return ok;
}

/* All numbers beyond it nearer to 0 by as much. */
static bool lower_all(shrink *s, const mpz_t by) {
  numbers z = {0};
  if (!numbers_take(s, &z)) return false;
  for (uint32_t i = 0; i < 2 * z.n; i++) {
    if (mpz_cmpabs(z.v[i], by) < 0) continue;
    if (mpz_sgn(z.v[i]) > 0)
      mpz_sub(z.v[i], z.v[i], by);
    else
      mpz_add(z.v[i], z.v[i], by);
  }
  bool ok = try_numbers(s, &z);
  numbers_clear(&z);
  return ok;
}

/* The largest magnitude of all numbers. */
static bool largest(const shrink *s, mpz_t out) {
  numbers z = {0};
  if (!numbers_take(s, &z)) return false;
  mpz_set_ui(out, 0);
  for (uint32_t i = 0; i < 2 * z.n; i++) {
    if (mpz_cmpabs(z.v[i], out) > 0) mpz_abs(out, z.v[i]);
  }
  numbers_clear(&z);
  return true;
}

bool pass_together(shrink *s) {
  bool any = false;
  while (!shrink_over(s) && halve_all(s)) any = true;
  mpz_t by;
  mpz_init(by);
  bool ok = largest(s, by);
  while (ok && mpz_cmp_ui(by, 1) > 0 && !shrink_over(s)) {
    mpz_tdiv_q_2exp(by, by, 1);
    while (!shrink_over(s) && lower_all(s, by)) any = true;
  }
  mpz_clear(by);
  return any;
}

/* to: from + times * (from - before). */
static void extrapolate(const numbers *before, const numbers *from, unsigned long times,
                        numbers *to) {
  for (uint32_t i = 0; i < 2 * from->n; i++) {
    mpz_sub(to->v[i], from->v[i], before->v[i]);
    mpz_mul_ui(to->v[i], to->v[i], times);
    mpz_add(to->v[i], to->v[i], from->v[i]);
  }
}

bool pass_leap(shrink *s, const numbers *before) {
  numbers from = {0}, to = {0};
  bool any = false;
  bool ok = before->n == s->topo.n && numbers_take(s, &from) && numbers_new(&to, from.n);
  /* twice as far each time; past the end, half as far */
  bool growing = true;
  for (unsigned long times = 1; ok && times > 0 && !shrink_over(s);) {
    extrapolate(before, &from, times, &to);
    bool taken = try_numbers(s, &to);
    any = any || taken;
    if (!taken) growing = false;
    if (taken && s->topo.n != from.n) break;
    if (taken) {
      numbers_clear(&from);
      ok = numbers_take(s, &from);
    }
    times = growing ? times * 2 : times / 2;
  }
  numbers_clear(&from);
  numbers_clear(&to);
  return any;
}
