#include "quick.h"
#include <stdlib.h>

/* ---- taking a sum apart ---------------------------------------------------------------------- */

/* Does f divide both bounds? Those of f*v are f times those of v, the other way round for f < 0. */
static bool divide_bounds(const bound_small *b, int64_t f, quick_term *t) {
  if (f == 0 || f == INT64_MIN || b->lo == INT64_MIN || b->hi == INT64_MIN) return false;
  if (b->lo % f != 0 || b->hi % f != 0) return false;
  t->factor = f;
  t->lo = (f > 0 ? b->lo : b->hi) / f;
  t->hi = (f > 0 ? b->hi : b->lo) / f;
  return true;
}

/* The factor is that of up_const_factor, v what up_divides makes. */
static bool take_term(const up_ctx *c, up_node leaf, quick_term *t) {
  const node *d = node_at(c, leaf);
  const bound_small *b = node_bound_small(c, leaf);
  int64_t f;
  if (!b || d->op == UP_VCONST) return false;
  /* an empty RANGE's bounds stand the other way round; a product's never do */
  if (b->lo > b->hi) return false;
  *t = (quick_term){leaf, 1, b->lo, b->hi};
  if (d->op == UP_CONST) return node_const_small(c, leaf, &f) && divide_bounds(b, f, t);
  if (d->op != UP_MUL) return true;
  for (uint32_t i = 0; i < 2; i++) {
    up_node s = node_src(c, leaf, i);
    if (node_op(c, s) == UP_CONST) return node_const_small(c, s, &f) && divide_bounds(b, f, t);
  }
  return true;
}

static bool take_apart(const up_ctx *c, quick_sum *s) {
  up_node stack[QUICK_TERMS], at = s->x;
  uint32_t depth = 0;
  s->n = 0;
  s->rest = 0;
  s->has_rest = false;
  if (!node_bound_small(c, at) || up_dt_count(node_dtype(c, at)) != 1) return false;
  if (node_op(c, at) == UP_ADD && node_op(c, node_src(c, at, 1)) == UP_CONST) {
    s->has_rest = true;
    if (!node_const_small(c, node_src(c, at, 1), &s->rest)) return false;
    if (s->rest == INT64_MIN) return false;
    at = node_src(c, at, 0);
  }
  for (;;) {
    for (; node_op(c, at) == UP_ADD; at = node_src(c, at, 0)) {
      if (depth == QUICK_TERMS) return false;
      stack[depth++] = node_src(c, at, 1);
    }
    if (s->n == QUICK_TERMS || !take_term(c, at, &s->t[s->n])) return false;
    s->n++;
    if (depth == 0) return true;
    at = stack[--depth];
  }
}

void quick_memo_forget(struct quick_memo *m) {
  if (m) m->last.x = UP_NONE;
}

const quick_sum *quick_take_apart(up_ctx *c, up_node x) {
  if (!c->interval_bounds) return NULL;
  if (!c->quick && !(c->quick = calloc(1, sizeof *c->quick))) return NULL;
  quick_sum *s = &c->quick->last;
  s->x = x;
  s->usable = take_apart(c, s);
  return s->usable ? s : NULL;
}

/* ---- sums of intervals ----------------------------------------------------------------------- */

static int64_t floor_mod(int64_t a, int64_t k) {
  int64_t m = a % k;
  return m < 0 ? m + k : m;
}
static int64_t floor_div(int64_t a, int64_t k) { return a / k - (a % k < 0); }

/* *at + f*v; false when it needs more than 64 bits. */
static bool add_scaled(int64_t *at, int64_t f, int64_t v) {
  int64_t p;
  return !__builtin_mul_overflow(f, v, &p) && !__builtin_add_overflow(*at, p, at);
}

static uint64_t magnitude(int64_t v) { return v < 0 ? -(uint64_t)v : (uint64_t)v; }

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/* ---- the refusals ---------------------------------------------------------------------------- */

bool quick_no_binary_numerator(const quick_sum *s) {
  int64_t width;
  return s->n != 1 || __builtin_sub_overflow(s->t[0].hi, s->t[0].lo, &width) || width != 1;
}

quick_answer quick_congruence(const quick_sum *s, int64_t k, int64_t *base) {
  int64_t lo = floor_mod(s->rest, k), hi = lo;
  bool positive = true;
  for (uint32_t i = 0; i < s->n; i++) {
    const quick_term *t = &s->t[i];
    int64_t r = floor_mod(t->factor, k);
    if (k - r < r) r -= k;
    positive = positive && t->factor > 0;
    if (!add_scaled(&lo, r, r < 0 ? t->hi : t->lo)) return QUICK_ASK;
    if (!add_scaled(&hi, r, r < 0 ? t->lo : t->hi)) return QUICK_ASK;
  }
  if (!positive || floor_div(lo, k) != floor_div(hi, k)) return QUICK_DECLINES;
  bool fits = !__builtin_mul_overflow(floor_div(lo, k), k, base) && *base != INT64_MIN;
  return fits ? QUICK_APPLIES : QUICK_ASK;
}

bool quick_no_gcd(const quick_sum *s, int64_t k) {
  uint64_t g = magnitude(k);
  if (s->has_rest && s->rest == 0) return false; /* a term 0 raises there */
  if (s->has_rest) g = gcd(g, magnitude(s->rest));
  for (uint32_t i = 0; i < s->n && g != 1; i++) g = gcd(g, magnitude(s->t[i].factor));
  return g == 1;
}

bool quick_no_nested_mod(const up_ctx *c, const quick_sum *s) {
  for (uint32_t i = 0; i < s->n; i++)
    if (node_op(c, s->t[i].leaf) == UP_MOD) return false;
  return true;
}

bool quick_no_smallest_factor(const quick_sum *s, int64_t k) {
  for (uint32_t i = 0; i < s->n; i++) {
    int64_t f = s->t[i].factor < 0 ? -s->t[i].factor : s->t[i].factor;
    if (f > 1 && f < k && k % f == 0) return false;
  }
  return true;
}

quick_answer quick_remainder(const up_ctx *c, const quick_sum *s, int64_t k, bool mod) {
  int64_t rest = floor_mod(s->rest, k);
  uint64_t g = magnitude(k);
  bool useful = rest != s->rest;
  for (uint32_t i = 0; i < s->n; i++) {
    int64_t f = s->t[i].factor, r = floor_mod(f, k);
    g = gcd(g, magnitude(r));
    useful = useful || r == 0 || (mod && r != f);
  }
  if ((!useful && g == 1) || node_bound_small(c, s->x)->lo < 0) return QUICK_DECLINES;
  int64_t unit = (int64_t)g, lo = floor_div(rest, unit);
  for (uint32_t i = 0; i < s->n; i++) { /* the numerator that would be left must not be negative */
    int64_t r = floor_mod(s->t[i].factor, k);
    int64_t f = floor_div(!mod && r != 0 ? s->t[i].factor : r, unit);
    if (!add_scaled(&lo, f, f < 0 ? s->t[i].hi : s->t[i].lo)) return QUICK_ASK;
  }
  return lo < 0 ? QUICK_DECLINES : QUICK_APPLIES;
}

bool quick_no_lt(const quick_sum *s, int64_t k) {
  uint64_t g = magnitude(k);
  int64_t lo = 0, hi = 0;
  uint32_t scaled = 0;
  if (s->has_rest) {
    if (s->rest == 0) return false;
    if (s->rest == 1) lo = hi = 1;
    if (s->rest != 1) g = gcd(g, magnitude(s->rest)), scaled++;
  }
  for (uint32_t i = 0; i < s->n; i++) {
    const quick_term *t = &s->t[i];
    if (t->factor != 1)
      g = gcd(g, magnitude(t->factor)), scaled++;
    else if (!add_scaled(&lo, 1, t->lo) || !add_scaled(&hi, 1, t->hi))
      return false;
  }
  return scaled == 0 || g <= 1 || lo < 0 || (uint64_t)hi >= g;
}
