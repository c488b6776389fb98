/* Division and remainder folders of 0.11.0, over sums of any number of terms. Source:
 * uop/symbolic.py, the functions of the same names. Node shapes (constants on the left, sums that
 * begin with 0) are theirs: what later rules see depends on them.
 *
 * d is the division or remainder, x its numerator, y its divisor.
 */
#include "native.h"
#include "quick.h"
#include <stdlib.h>

/* x without its constant, as terms factor*v; the engine's divides gives v. */
typedef struct sum {
  up_node x; /* what it is the sum of; UP_NONE: nothing */
  linear l;
  up_list v;
  up_int rest; /* the constant that pop_const took; 0 when it was not asked to */
} sum;

/* Six rules look at the same numerator, one after the other: the sums that were taken apart last,
 * with and without their constant. */
struct sum_memo {
  sum of[2];
};

static void sum_clear(sum *s) {
  linear_free(&s->l);
  up_list_free(&s->v);
  *s = (sum){0};
}

void sum_memo_forget(struct sum_memo *m) {
  if (m) m->of[0].x = m->of[1].x = UP_NONE;
}

void sum_memo_free(struct sum_memo *m) {
  if (!m) return;
  sum_clear(&m->of[0]);
  sum_clear(&m->of[1]);
  free(m);
}

/* The terms as quick.c has found them. */
static bool split_quick(const quick_sum *q, bool pop, sum *s) {
  uint32_t n = q->n + (q->has_rest && !pop);
  if (n > LINEAR_INLINE) return false;
  for (uint32_t i = 0; i < q->n; i++) s->l.own[i] = (term){q->t[i].leaf, up_int_of(q->t[i].factor)};
  s->l.t = s->l.own;
  s->l.n = n;
  s->l.cap = LINEAR_INLINE;
  return true;
}

static bool split(up_ctx *c, up_node x, bool pop, sum *s) {
  const quick_sum *q = quick_sum_of(c, x);
  if (q && split_quick(q, pop, s)) {
    if (pop) s->rest = up_int_of(q->rest);
    if (!pop && q->has_rest) s->l.own[q->n] = (term){up_src(c, x, 1), up_int_of(q->rest)};
    return true;
  }
  return linear_split(c, pop ? up_pop_const(c, x, &s->rest) : x, &s->l);
}

static bool take_apart(up_ctx *c, up_node x, bool pop, sum *s) {
  s->rest = up_int_of(0);
  s->v.n = 0;
  linear_free(&s->l);
  if (!split(c, x, pop, s)) return false;
  for (uint32_t i = 0; i < s->l.n && ctx_ok(c); i++) {
    /* a factor 0: the release divides by it, and raises */
    if (up_int_is(s->l.t[i].factor, 0) && up_profile_model(c->profile)->total) return false;
    up_node v = up_divides(c, s->l.t[i].node, s->l.t[i].factor);
    if (up_is_none(v)) up_ctx_set_status(c, UP_RAISE_TYPE);
    term_push(c, &s->v, v);
  }
  return ctx_ok(c);
}

/* x as a sum, valid until the next call; NULL: the context's status says why. */
static const sum *sum_begin(up_ctx *c, up_node x, bool pop) {
  if (!c->sums) c->sums = calloc(1, sizeof *c->sums);
  if (!c->sums) {
    up_ctx_set_status(c, UP_NO_MEMORY);
    return NULL;
  }
  sum *s = &c->sums->of[pop];
  if (up_same(s->x, x)) return s;
  s->x = UP_NONE;
  if (!take_apart(c, x, pop, s)) return NULL;
  s->x = x;
  return s;
}

static bool int_bounds(up_ctx *c, up_node n, up_int *lo, up_int *hi) {
  up_bounds b = up_minmax(c, n);
  if (!ctx_ok(c)) return false;
  if (b.lo.is_float || b.hi.is_float) {
    up_ctx_set_status(c, UP_RAISE_TYPE);
    return false;
  }
  *lo = b.lo.i;
  *hi = b.hi.i;
  return true;
}

static bool negative(up_ctx *c, up_node n) {
  up_int lo, hi;
  return int_bounds(c, n, &lo, &hi) && up_int_sign(c, lo) < 0;
}

/* k*v with the constant on the left, as int * UOp is there. */
static up_node scaled(up_ctx *c, up_int k, up_node v) {
  if (!ctx_ok(c)) return UP_NONE;
  return up_binary(c, UP_MUL, up_const_like(c, v, k), v);
}

/* acc + k*v; an acc of none is the 0 that sum() begins with. */
static up_node plus(up_ctx *c, up_node acc, up_int k, up_node v) {
  up_node t = scaled(c, k, v);
  if (!ctx_ok(c)) return UP_NONE;
  if (up_is_none(acc)) acc = up_const_like(c, t, up_int_of(0));
  return up_binary(c, UP_ADD, acc, t);
}

/* The divisor of a folder: a constant that is not negative, of a scalar division. */
static bool scalar_divisor(up_ctx *c, up_node x, up_node y, up_int *k) {
  if (!native_expects(c, up_is_const_int(c, y, k))) return false;
  if (up_int_sign(c, *k) < 0 || up_dt_count(up_dtype_of(c, x)) != 1) return false;
  if (up_int_is(*k, 0)) up_ctx_set_status(c, UP_RAISE_ZERO_DIVISION); /* a remainder by it there */
  return ctx_ok(c);
}

static bool is_mod(const up_ctx *c, up_node d) { return up_op_of(c, d) == UP_MOD; }

/* The division or remainder that a folder is about. */
static bool division(up_ctx *c, up_node d) {
  return native_expects(c, is_mod(c, d) || up_op_of(c, d) == UP_IDIV);
}

static up_int tdiv(up_ctx *c, up_int a, up_int b) {
  return up_int_is(b, 0) ? b : up_int_tdiv(c, a, b);
}
static up_int tmod(up_ctx *c, up_int a, up_int b) {
  return up_int_is(b, 0) ? a : up_int_tmod(c, a, b);
}

/* ---- cancel_divmod: numerator and divisor give one quotient ---------------------------------- */

/* One of the quotients is another than that of the lower bounds, or y may be 0. */
static bool quick_no_cancel(const up_ctx *c, up_node x, up_node y) {
  const bound_small *a = node_bound_small(c, x), *b = node_bound_small(c, y);
  if (!a || !b || (b->lo == 0 && b->hi == 0)) return false;
  /* wrong bounds may stand the wrong way round, with either end at 0 */
  if (b->lo == 0 || b->hi == 0 || (b->lo < 0) != (b->hi < 0)) return true;
  if (a->lo == INT64_MIN || a->hi == INT64_MIN) return false;
  int64_t q = a->lo / b->lo;
  return a->hi / b->hi != q || (b->lo != b->hi && (a->lo / b->hi != q || a->hi / b->lo != q));
}

up_node native_cancel_divmod(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_node d = arg[0], x = arg[1], y = arg[2];
  up_int xl, xh, yl, yh;
  if (!division(c, d)) return UP_NONE;
  if (quick_no_cancel(c, x, y)) return UP_NONE;
  if (!int_bounds(c, x, &xl, &xh) || !int_bounds(c, y, &yl, &yh)) return UP_NONE;
  if (up_int_is(yl, 0) && up_int_is(yh, 0)) up_ctx_set_status(c, UP_RAISE_ZERO_DIVISION);
  if (up_int_sign(c, yl) * up_int_sign(c, yh) <= 0) return UP_NONE;
  up_int q = tdiv(c, xl, yl);
  if (!up_int_eq(q, tdiv(c, xl, yh)) || !up_int_eq(q, tdiv(c, xh, yl)) ||
      !up_int_eq(q, tdiv(c, xh, yh)))
    return UP_NONE;
  if (!is_mod(c, d)) return up_const_like(c, d, q);
  return up_binary(c, UP_ADD, x, up_neg(c, scaled(c, q, y)));
}

/* ---- remove_nested_mod: (a % (k*m) + b) % k -> (a + b) % k ----------------------------------- */

up_node native_remove_nested_mod(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_node x = arg[1], y = arg[2], r = UP_NONE;
  up_int k;
  int64_t quick_k;
  const quick_sum *q = quick_division(c, arg, &quick_k);
  if (q && quick_no_nested_mod(c, q)) return UP_NONE;
  if (!up_is_const_int(c, y, &k) || up_int_sign(c, k) < 0 || negative(c, x)) return UP_NONE;
  up_list leaf = list_take(c), out = list_take(c);
  bool changed = false;
  if (!up_split(c, x, UP_ADD, &leaf)) leaf.n = 0;
  for (uint32_t i = 0; i < leaf.n && ctx_ok(c); i++) {
    up_node u = leaf.p[i];
    bool inner = up_op_of(c, u) == UP_MOD && !up_is_none(up_divides(c, up_src(c, u, 1), k));
    changed = changed || inner;
    term_push(c, &out, inner ? up_src(c, u, 0) : u);
  }
  up_node s = sum_of(c, &out);
  if (ctx_ok(c) && changed && !negative(c, s)) r = up_binary(c, UP_MOD, s, y);
  list_give(c, &leaf);
  list_give(c, &out);
  return ctx_ok(c) ? r : UP_NONE;
}

/* ---- fold_binary_numerator: one term that takes two values -> a line through both ------------ */

static up_node line_through(up_ctx *c, up_node v, up_int lo, up_int y1, up_int y2) {
  up_node shifted = with_const(c, UP_ADD, v, up_int_neg(c, lo));
  return with_const(c, UP_ADD, scaled(c, up_int_sub(c, y2, y1), shifted), y1);
}

up_node native_fold_binary_numerator(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_int k, lo, hi, at[2];
  int64_t quick_k;
  const quick_sum *q = quick_division(c, arg, &quick_k);
  if (q && quick_no_binary_numerator(q)) return UP_NONE;
  if (!division(c, arg[0]) || !scalar_divisor(c, arg[1], arg[2], &k)) return UP_NONE;
  const sum *s = sum_begin(c, arg[1], true);
  if (!s || s->l.n != 1 || !int_bounds(c, s->v.p[0], &lo, &hi)) return UP_NONE;
  if (!up_int_is(up_int_sub(c, hi, lo), 1)) return UP_NONE;
  for (int i = 0; i < 2; i++) {
    up_int num = up_int_add(c, up_int_mul(c, s->l.t[0].factor, i ? hi : lo), s->rest);
    at[i] = is_mod(c, arg[0]) ? tmod(c, num, k) : tdiv(c, num, k);
  }
  return line_through(c, s->v.p[0], lo, at[0], at[1]);
}

/* ---- fold_divmod_congruence: factors reduced to the remainders nearest 0 --------------------- */

/* f modulo k, of r and r - k the one nearer to 0, r when they are as near. */
static up_int near_remainder(up_ctx *c, up_int f, up_int k) {
  if (up_int_fits(f) && up_int_fits(k) && k.lo > 0) {
    int64_t m = f.lo % k.lo, up = m < 0 ? m + k.lo : m;
    return up_int_of(k.lo - up < up ? up - k.lo : up);
  }
  up_int r = up_int_fmod(c, f, k), other = up_int_sub(c, r, k);
  return up_int_cmp(c, up_int_abs(c, other), up_int_abs(c, r)) < 0 ? other : r;
}

static up_node congruent(up_ctx *c, const sum *s, up_int k) {
  up_node rem = UP_NONE;
  for (uint32_t i = 0; i < s->l.n; i++)
    rem = plus(c, rem, near_remainder(c, s->l.t[i].factor, k), s->v.p[i]);
  return with_const(c, UP_ADD, rem, up_int_fmod(c, s->rest, k));
}

static bool all_positive(const up_ctx *c, const sum *s) {
  for (uint32_t i = 0; i < s->l.n; i++)
    if (up_int_sign(c, s->l.t[i].factor) <= 0) return false;
  return true;
}

/* (x - rem) / k, term by term; `base` is the multiple of k under rem. */
static up_node congruence_quotient(up_ctx *c, const sum *s, up_int k, up_int base) {
  up_node q = UP_NONE;
  for (uint32_t i = 0; i < s->l.n; i++) {
    up_int f = s->l.t[i].factor, r = near_remainder(c, f, k);
    q = plus(c, q, up_int_fdiv(c, up_int_sub(c, f, r), k), s->v.p[i]);
  }
  up_int whole = up_int_sub(c, s->rest, up_int_fmod(c, s->rest, k));
  return with_const(c, UP_ADD, q, up_int_fdiv(c, up_int_add(c, whole, base), k));
}

up_node native_fold_divmod_congruence(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_int k, lo, hi;
  if (up_profile_model(c->profile)->correct_divmod && negative(c, arg[1])) return UP_NONE;
  int64_t quick_k, quick_base;
  const quick_sum *q = quick_division(c, arg, &quick_k);
  quick_answer answer = q ? quick_congruence(q, quick_k, &quick_base) : QUICK_ASK;
  if (answer == QUICK_DECLINES) return UP_NONE;
  if (!scalar_divisor(c, arg[1], arg[2], &k) || !ctx_ok(c)) return UP_NONE;
  const sum *s = sum_begin(c, arg[1], true);
  if (s && answer == QUICK_APPLIES && !is_mod(c, arg[0]))
    return congruence_quotient(c, s, k, up_int_of(quick_base));
  up_node rem = s ? congruent(c, s, k) : UP_NONE;
  if (!s || !ctx_ok(c)) return UP_NONE;
  if (answer == QUICK_APPLIES) return with_const(c, UP_ADD, rem, up_int_of(-quick_base));
  if (!int_bounds(c, rem, &lo, &hi)) return UP_NONE;
  if (!up_int_eq(up_int_fdiv(c, lo, k), up_int_fdiv(c, hi, k)) || !all_positive(c, s))
    return UP_NONE;
  up_int base = up_int_mul(c, up_int_fdiv(c, lo, k), k);
  return is_mod(c, arg[0]) ? with_const(c, UP_ADD, rem, up_int_neg(c, base))
                           : congruence_quotient(c, s, k, base);
}

/* ---- divide_by_gcd --------------------------------------------------------------------------- */

up_node native_divide_by_gcd(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_int k;
  int64_t quick_k;
  const quick_sum *q = quick_division(c, arg, &quick_k);
  if (q && quick_no_gcd(q, quick_k)) return UP_NONE;
  if (!division(c, arg[0]) || !up_is_const_int(c, arg[2], &k)) return UP_NONE;
  const sum *s = sum_begin(c, arg[1], false);
  up_int g = up_int_abs(c, k);
  for (uint32_t i = 0; s && i < s->l.n; i++) g = up_int_gcd(c, g, s->l.t[i].factor);
  if (!s || up_int_is(g, 1)) return UP_NONE;
  if (up_int_is(g, 0)) {
    up_ctx_set_status(c, UP_RAISE_ZERO_DIVISION);
    return UP_NONE;
  }
  up_node num = UP_NONE;
  for (uint32_t i = 0; i < s->l.n; i++)
    num = plus(c, num, up_int_fdiv(c, s->l.t[i].factor, g), s->v.p[i]);
  if (!ctx_ok(c)) return UP_NONE;
  up_node small = up_const_like(c, arg[2], up_int_fdiv(c, k, g));
  up_node r = ctx_ok(c) ? up_binary(c, up_op_of(c, arg[0]), num, small) : UP_NONE;
  return is_mod(c, arg[0]) ? times(c, r, g) : r;
}

/* ---- nest_div_by_smallest_factor ------------------------------------------------------------- */

/* The smallest factor above 1 that divides k, k itself if there is none. */
static up_int smallest_factor(up_ctx *c, const linear *l, up_int k) {
  up_int div = k;
  for (uint32_t i = 0; i < l->n; i++) {
    up_int f = up_int_abs(c, l->t[i].factor);
    if (up_int_cmp(c, f, up_int_of(1)) > 0 && up_int_is(up_int_fmod(c, k, f), 0) &&
        up_int_cmp(c, f, div) < 0)
      div = f;
  }
  return div;
}

up_node native_nest_div_by_smallest_factor(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_node x = arg[1];
  up_int k, rest;
  linear l;
  int64_t quick_k;
  const quick_sum *quick = quick_division(c, arg, &quick_k);
  if (quick && quick_no_smallest_factor(quick, quick_k)) return UP_NONE;
  if (!scalar_divisor(c, x, arg[2], &k)) return UP_NONE;
  bool ok = linear_split(c, up_pop_const(c, x, &rest), &l);
  up_int div = ok ? smallest_factor(c, &l, k) : k;
  linear_free(&l);
  if (!ok || up_int_cmp(c, div, up_int_of(1)) <= 0 || up_int_cmp(c, div, k) >= 0) return UP_NONE;
  up_node q = with_const(c, UP_IDIV, x, div);
  /* nested as often as k has factors, which its bits bound */
  up_result r = up_rewrite(c, q, up_profile_symbolic(c->profile), 0, NULL, NULL);
  up_node simple = r.node;
  /* the outermost rewrite takes the status with it; asked for outside of one, this is that */
  if (r.status != UP_OK) up_ctx_set_status(c, r.status);
  if (!ctx_ok(c) || up_same(simple, q) || negative(c, x) || negative(c, q)) return UP_NONE;
  return with_const(c, UP_IDIV, simple, up_int_fdiv(c, k, div));
}

/* ---- simplify_remainder: whole multiples of the divisor taken out ---------------------------- */

typedef struct divided {
  up_node quo, rem;
  up_int gcd;
} divided;

/* gcd of k and the factors' remainders; *useful: something can be taken out. */
static up_int remainder_gcd(up_ctx *c, const sum *s, up_int k, bool mod, bool *useful) {
  up_int g = k;
  *useful = !up_int_eq(up_int_fmod(c, s->rest, k), s->rest);
  for (uint32_t i = 0; i < s->l.n; i++) {
    up_int f = s->l.t[i].factor, r = up_int_fmod(c, f, k);
    g = up_int_gcd(c, g, r);
    *useful = *useful || up_int_is(r, 0) || (mod && !up_int_eq(r, f));
  }
  *useful = *useful || !up_int_is(g, 1);
  return g;
}

static void take_out(up_ctx *c, const sum *s, up_int k, bool mod, divided *out) {
  for (uint32_t i = 0; i < s->l.n && ctx_ok(c); i++) {
    up_int f = s->l.t[i].factor, r = up_int_fmod(c, f, k);
    bool keep = !mod && !up_int_is(r, 0);
    out->rem = plus(c, out->rem, up_int_fdiv(c, keep ? f : r, out->gcd), s->v.p[i]);
    if (!keep) out->quo = plus(c, out->quo, up_int_fdiv(c, f, k), s->v.p[i]);
  }
}

static up_node remainder_form(up_ctx *c, const sum *s, up_int k, const divided *t) {
  up_node m = with_const(c, UP_MOD, t->rem, up_int_fdiv(c, k, t->gcd));
  return with_const(c, UP_ADD, scaled(c, t->gcd, m), up_int_fmod(c, s->rest, t->gcd));
}

up_node native_simplify_remainder(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_node x = arg[1];
  bool mod = is_mod(c, arg[0]), useful = false;
  up_int k;
  int64_t quick_k;
  const quick_sum *q = quick_division(c, arg, &quick_k);
  quick_answer answer = q ? quick_remainder(c, q, quick_k, mod) : QUICK_ASK;
  if (answer == QUICK_DECLINES) return UP_NONE;
  if (!scalar_divisor(c, x, arg[2], &k)) return UP_NONE;
  const sum *s = sum_begin(c, x, true);
  divided t = {.gcd = s ? remainder_gcd(c, s, k, mod, &useful) : k};
  if (!useful || !ctx_ok(c)) return UP_NONE;
  t.quo = up_const_like(c, x, up_int_fdiv(c, s->rest, k));
  t.rem = up_const_like(c, x, up_int_fdiv(c, up_int_fmod(c, s->rest, k), t.gcd));
  take_out(c, s, k, mod, &t);
  if (!ctx_ok(c)) return UP_NONE;
  if (answer == QUICK_ASK && (negative(c, x) || negative(c, t.rem) || !ctx_ok(c))) return UP_NONE;
  if (mod) return remainder_form(c, s, k, &t);
  return up_binary(c, UP_ADD, with_const(c, UP_IDIV, t.rem, up_int_fdiv(c, k, t.gcd)), t.quo);
}
