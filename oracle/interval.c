/* Interval analysis of programs: which values an instruction can have, and in which width they and
 * the steps towards them fit.
 *
 * Sound where a value is defined; nothing is said about undefined ones. Ends of more than 126 bits
 * become "unbounded".
 */
#include "program.h"

#include <assert.h>

#define FINITE_MAX ((or_i128)1 << 126)
#define INF OR_I128_MAX
#define NEG_INF OR_I128_MIN

static const pr_range everything = {NEG_INF, INF};

static bool infinite(or_i128 v) { return v == INF || v == NEG_INF; }
static or_i128 cut(or_i128 v) { return v > FINITE_MAX ? INF : v < -FINITE_MAX ? NEG_INF : v; }
static or_i128 min2(or_i128 a, or_i128 b) { return a < b ? a : b; }
static or_i128 max2(or_i128 a, or_i128 b) { return a > b ? a : b; }
static pr_range join(pr_range a, pr_range b) {
  return (pr_range){min2(a.lo, b.lo), max2(a.hi, b.hi)};
}
static pr_range meet(pr_range a, pr_range b) {
  return (pr_range){max2(a.lo, b.lo), min2(a.hi, b.hi)};
}
static bool contains(pr_range r, or_i128 v) { return r.lo <= v && v <= r.hi; }
static bool inside(pr_range r, pr_range outer) { return r.lo >= outer.lo && r.hi <= outer.hi; }

/* The ends of any range kept in a program: never empty at infinity, so that a sum of two lower ends
 * can't meet both infinities. */
static pr_range normal(pr_range r) {
  r = (pr_range){cut(r.lo), cut(r.hi)};
  return (pr_range){r.lo == INF ? FINITE_MAX : r.lo, r.hi == NEG_INF ? -FINITE_MAX : r.hi};
}

/* ---- arithmetic on ends ---------------------------------------------------------------------- */

/* Both ends are lower ends, or both upper ones. */
static or_i128 end_add(or_i128 a, or_i128 b) {
  or_i128 r;
  if (infinite(a)) return a;
  if (infinite(b)) return b;
  return __builtin_add_overflow(a, b, &r) ? (a < 0 ? NEG_INF : INF) : cut(r);
}
static or_i128 end_neg(or_i128 a) { return a == INF ? NEG_INF : a == NEG_INF ? INF : -a; }

static or_i128 end_mul(or_i128 a, or_i128 b) {
  if (a == 0 || b == 0) return 0;
  or_i128 r;
  if (!infinite(a) && !infinite(b) && !__builtin_mul_overflow(a, b, &r)) return cut(r);
  return (a < 0) == (b < 0) ? INF : NEG_INF;
}

static or_i128 end_div(or_i128 a, or_i128 b) {
  assert(b != 0);
  if (infinite(a)) return b > 0 ? a : end_neg(a);
  return infinite(b) ? 0 : a / b;
}

/* Toward minus infinity. */
static or_i128 end_floor(or_i128 a, or_i128 b) {
  or_i128 q = end_div(a, b);
  if (infinite(a)) return q;
  if (infinite(b)) return a != 0 && (a < 0) != (b < 0) ? -1 : 0;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

static or_i128 end_shl(or_i128 a, or_i128 b) {
  assert(b >= 0);
  if (a == 0) return 0;
  return b > 126 ? (a < 0 ? NEG_INF : INF) : end_mul(a, (or_i128)1 << b);
}
static or_i128 end_shr(or_i128 a, or_i128 b) {
  assert(b >= 0);
  return infinite(a) ? a : a >> (b > 127 ? 127 : (int)b);
}

/* Values of a function that is monotone in each argument: its extremes are at the corners. */
static pr_range corners(or_i128 (*fn)(or_i128, or_i128), pr_range a, pr_range b) {
  or_i128 v[4] = {fn(a.lo, b.lo), fn(a.lo, b.hi), fn(a.hi, b.lo), fn(a.hi, b.hi)};
  return (pr_range){min2(min2(v[0], v[1]), min2(v[2], v[3])),
                    max2(max2(v[0], v[1]), max2(v[2], v[3]))};
}

/* ---- transfer -------------------------------------------------------------------------------- */

static pr_range range_add(pr_range a, pr_range b) {
  return (pr_range){end_add(a.lo, b.lo), end_add(a.hi, b.hi)};
}
static pr_range range_neg(pr_range a) { return (pr_range){end_neg(a.hi), end_neg(a.lo)}; }

/* fn: end_div or end_floor. */
static pr_range range_div(or_frame f, or_i128 (*fn)(or_i128, or_i128), pr_range a, pr_range b) {
  pr_range r = {INF, NEG_INF}; /* empty */
  if (b.hi >= 1) r = join(r, corners(fn, a, (pr_range){max2(b.lo, 1), b.hi}));
  if (b.lo <= -1) r = join(r, corners(fn, a, (pr_range){b.lo, min2(b.hi, -1)}));
  if (r.lo > r.hi || (f == OR_WRAP && contains(b, 0))) r = join(r, (pr_range){0, 0});
  return r;
}

static pr_range range_mod(or_frame f, pr_range a, pr_range b) {
  if (f == OR_WRAP && contains(b, 0)) return join(a, (pr_range){0, 0});
  or_i128 most = max2(b.hi, end_neg(b.lo)); /* greatest |divisor| */
  if (most < 1) return (pr_range){0, 0};    /* the divisor is 0: never defined */
  if (!infinite(most)) most--;
  or_i128 least = b.lo > 0 ? b.lo : b.hi < 0 ? end_neg(b.hi) : 1;
  if (a.lo > -least && a.hi < least) return a; /* the quotient is 0 */
  return (pr_range){a.lo < 0 ? max2(a.lo, end_neg(most)) : 0, a.hi > 0 ? min2(a.hi, most) : 0};
}

/* Between 0 and the divisor; the dividend itself where it lies there. */
static pr_range range_floormod(or_frame f, pr_range a, pr_range b) {
  if (f == OR_WRAP && contains(b, 0)) return join(a, b);
  if (b.lo > 0 && a.lo >= 0 && a.hi < b.lo) return a;
  if (b.hi < 0 && a.hi <= 0 && a.lo > b.hi) return a;
  pr_range r = {b.lo < 0 ? end_add(b.lo, 1) : 0, b.hi > 0 ? end_add(b.hi, -1) : 0};
  if (b.lo > 0 && a.lo >= 0) r.hi = min2(r.hi, a.hi);
  if (b.hi < 0 && a.hi <= 0) r.lo = max2(r.lo, a.lo);
  return r;
}

static pr_range range_shift(const pr_program *p, const pr_ins *d, pr_range a, pr_range b) {
  pr_range r = {0, 0}; /* wrap: of a negative amount; else unused */
  bool first = p->frame != OR_WRAP || b.lo >= 0;
  pr_range amount = {max2(b.lo, 0), b.hi};
  if (p->frame == OR_REFINE) amount.hi = min2(amount.hi, (or_i128)d->type.bits - 1);
  if (amount.lo <= amount.hi) {
    pr_range s = d->op == UP_SHR   ? corners(end_shr, a, amount)
                 : d->type.is_bool ? a
                                   : corners(end_shl, a, amount);
    r = first ? s : join(r, s);
  }
  return r;
}

/* Smallest 2^k - 1 that is not below v. */
static or_i128 ones(or_i128 v) {
  assert(v >= 0);
  return v > FINITE_MAX ? INF : (or_i128)(((or_u128)1 << (or_i128_bits(v) - 1)) - 1);
}

/* a | b has a sign if one of them has, and then is no less than the lesser; else it is a + b less what
 * both have. The same of a & b, by complements. */
static pr_range range_or(pr_range a, pr_range b, or_i128 m) {
  bool negative = a.hi < 0 || b.hi < 0;
  or_i128 lo = a.lo >= 0 && b.lo >= 0 ? max2(a.lo, b.lo) : min2(a.lo, b.lo);
  return (pr_range){lo, negative ? -1 : min2(m, end_add(a.hi, b.hi))};
}

static pr_range range_bits(up_op op, pr_range a, pr_range b) {
  if (op == UP_AND && (a.lo >= 0 || b.lo >= 0)) {
    or_i128 hi = a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : min2(a.hi, b.hi);
    return (pr_range){0, hi};
  }
  pr_range both = join(a, b);
  if (!pr_range_finite(both)) return everything;
  or_i128 m = ones(max2(both.hi, both.lo < 0 ? ~both.lo : 0));
  if (m == INF) return everything;
  if (op == UP_OR) return range_or(a, b, m);
  if (op == UP_AND) {
    pr_range r = range_or((pr_range){~a.hi, ~a.lo}, (pr_range){~b.hi, ~b.lo}, m);
    return (pr_range){~r.hi, ~r.lo};
  }
  return (pr_range){both.lo < 0 ? -m - 1 : 0, both.lo < 0 ? m : min2(m, end_add(a.hi, b.hi))};
}

static pr_range range_compare(up_op op, pr_range a, pr_range b) {
  bool below = a.hi<b.lo, above = a.lo> b.hi;
  bool equal = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo && !infinite(a.lo);
  bool known = op == UP_CMPLT ? below || a.lo >= b.hi : below || above || equal;
  if (!known) return (pr_range){0, 1};
  or_i128 v = op == UP_CMPLT ? below : op == UP_CMPEQ ? equal : !equal;
  return (pr_range){v, v};
}

static pr_range range_where(pr_range cond, pr_range t, pr_range e) {
  if (!contains(cond, 0)) return t;
  return cond.lo == 0 && cond.hi == 0 ? e : join(t, e);
}

static pr_range range_max(pr_range a, pr_range b) {
  return (pr_range){max2(a.lo, b.lo), max2(a.hi, b.hi)};
}

static pr_range exact_range(const pr_program *p, const pr_ins *d) {
  pr_range v[3] = {{0, 0}, {0, 0}, {0, 0}};
  for (unsigned i = 0; i < d->nsrc; i++) v[i] = p->ins[d->src[i]].value;
  switch ((up_op)d->op) {
  case UP_ADD: return range_add(v[0], v[1]);
  case UP_SUB: return range_add(v[0], range_neg(v[1]));
  case UP_MUL: return corners(end_mul, v[0], v[1]);
  case UP_MULACC: return range_add(normal(corners(end_mul, v[0], v[1])), v[2]);
  case UP_NEG: return range_neg(v[0]);
  case UP_MAX: return range_max(v[0], v[1]);
  case UP_IDIV: return range_div(p->frame, end_div, v[0], v[1]);
  case UP_FLOORDIV: return range_div(p->frame, end_floor, v[0], v[1]);
  case UP_FLOORMOD: return range_floormod(p->frame, v[0], v[1]);
  case UP_MOD: return range_mod(p->frame, v[0], v[1]);
  case UP_SHL:
  case UP_SHR: return range_shift(p, d, v[0], v[1]);
  case UP_AND:
  case UP_OR:
  case UP_XOR: return range_bits((up_op)d->op, v[0], v[1]);
  case UP_CMPLT:
  case UP_CMPNE:
  case UP_CMPEQ: return range_compare((up_op)d->op, v[0], v[1]);
  case UP_WHERE: return range_where(v[0], v[1], v[2]);
  case UP_TRUNC:
  case UP_CAST:
  case UP_BITCAST: return v[0];
  default: return d->value; /* leaves: set by the builder */
  }
}

/* ---- finish and flags ------------------------------------------------------------------------ */

static unsigned range_width(pr_range r) {
  if (!pr_range_finite(r)) return PR_NO_BITS;
  unsigned lo = or_i128_bits(r.lo), hi = or_i128_bits(r.hi);
  return lo > hi ? lo : hi;
}

/* May the instruction be undefined, its operands aside? Sets PR_ZERO and PR_SHIFT. */
static void flag_operands(const pr_program *p, pr_ins *d) {
  bool partial = p->frame != OR_WRAP;
  if (up_op_divides((up_op)d->op)) {
    if (contains(p->ins[d->src[1]].value, 0)) d->flags |= PR_ZERO | (partial ? PR_UNDEF : 0);
  } else if (d->op == UP_SHL || d->op == UP_SHR) {
    pr_range amount = p->ins[d->src[1]].value;
    bool wide = p->frame == OR_REFINE && amount.hi >= (or_i128)d->type.bits;
    if (amount.lo < 0 || wide) d->flags |= PR_SHIFT | (partial ? PR_UNDEF : 0);
  }
}

static void inherit_undefined(const pr_program *p, pr_ins *d) {
  pr_range cond = d->op == UP_WHERE ? p->ins[d->src[0]].value : everything;
  for (unsigned i = 0; i < d->nsrc; i++) {
    bool selected =
        d->op != UP_WHERE || i == 0 || (i == 1 ? cond.lo != 0 || cond.hi != 0 : contains(cond, 0));
    if (selected) d->flags |= p->ins[d->src[i]].flags & PR_UNDEF;
  }
}

static pr_range finish_range(const pr_program *p, pr_ins *d, pr_range exact) {
  if (d->type.is_bool)
    return (pr_range){contains(exact, 0) ? 0 : 1, exact.lo == 0 && exact.hi == 0 ? 0 : 1};
  bool convert = d->op == UP_CAST || d->op == UP_BITCAST;
  pr_range whole = {fr_min(d->type), fr_max(d->type)};
  if ((p->frame == OR_IDEAL && !convert) || inside(exact, whole)) return exact;
  d->flags |= PR_REDUCE;
  bool leaf = d->nsrc == 0;
  bool strict = leaf || (d->type.is_signed && fr_overflow_undefined((up_op)d->op));
  if (p->frame != OR_REFINE || !strict) return whole;
  d->flags |= PR_CHECK | PR_UNDEF;
  pr_range both = {max2(exact.lo, whole.lo), min2(exact.hi, whole.hi)};
  return both.lo <= both.hi ? both : whole; /* else never defined: any interval will do */
}

or_i128 pr_reduce(fr_type t, or_i128 v) {
  if (t.is_bool) return v != 0;
  or_u128 mask = ((or_u128)1 << t.bits) - 1, m = (or_u128)v & mask;
  bool negative = t.is_signed && (m >> (t.bits - 1)) != 0;
  return negative ? (or_i128)(m | ~mask) : (or_i128)m;
}

void pr_finish(pr_program *p, uint32_t i, pr_range exact, unsigned width) {
  pr_ins *d = &p->ins[i];
  d->flags &= PR_HUGE | PR_OPEN;
  flag_operands(p, d);
  inherit_undefined(p, d);
  d->value = finish_range(p, d, exact);
  /* A check needs the exact result, and bools are decided by it; a reduction only needs it modulo
   * the dtype's width, which the reduced value's interval is as wide as. */
  bool whole = (d->flags & PR_CHECK) || d->type.is_bool || !(d->flags & PR_REDUCE);
  unsigned own = pr_range_finite(d->value) ? range_width(d->value) : width;
  d->bits = (uint16_t)(whole && width > own ? width : own);
}

void pr_analyse(pr_program *p, uint32_t i) {
  pr_range exact = normal(exact_range(p, &p->ins[i]));
  assert(exact.lo <= exact.hi);
  pr_finish(p, i, exact, range_width(exact));
}

void pr_narrow(pr_program *p, uint32_t slot, pr_range known) {
  pr_range *v = &p->ins[slot].value;
  pr_range both = meet(*v, known);
  if (p->nwide > 0 || both.lo > both.hi) return;
  *v = both;
  for (uint32_t i = slot + 1; i < p->n; i++) {
    pr_range before = p->ins[i].value;
    if (p->ins[i].nsrc == 0 || fr_is_variable((up_op)p->ins[i].op)) continue;
    pr_analyse(p, i);
    pr_range less = meet(before, p->ins[i].value);        /* what was narrowed stays so */
    p->ins[i].value = less.lo <= less.hi ? less : before; /* else it is never defined */
  }
}
