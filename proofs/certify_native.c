/* Steps of native rules, by what is true of quotients, remainders and comparisons of sums.
 *
 * The C function that made the step is not asked how: from before and after, the split that its lemma
 * speaks of is read off the linear forms of both, and the lemma's premises are checked on it.
 */
#include "certify_sum.h"

typedef struct step {
  pf_certifier *k;
  up_ctx *c;
  up_node x; /* numerator */
  cf_sum s;  /* the same as a sum */
  cf_int d;  /* divisor, not 0 */
} step;

static bool tdiv(cf_int x, cf_int y, cf_int *q) { return cf_alu(UP_IDIV, x, y, q); }

/* An op over something and a constant that is not 0. */
static bool over_constant(const up_ctx *c, up_node n, up_op op, cf_int *k) {
  return up_op_of(c, n) == op && up_nsrc(c, n) == 2 && cf_constant(c, up_src(c, n, 1), k) &&
         *k != 0;
}

/* ---- one quotient at the four corners (lemmas cancel_div, cancel_mod) --------------------------------- */

static bool one_quotient(pf_certifier *k, up_ctx *c, up_node x, up_node y, cf_int *q) {
  cf_range a, b;
  cf_int other;
  if (!cf_bounds(k, c, x, &a) || !cf_bounds(k, c, y, &b)) return false;
  if (b.lo <= 0 && b.hi >= 0) return false;
  if (!tdiv(a.lo, b.lo, q)) return false;
  return tdiv(a.lo, b.hi, &other) && other == *q && tdiv(a.hi, b.lo, &other) && other == *q &&
         tdiv(a.hi, b.hi, &other) && other == *q;
}

static bool cancelled(pf_certifier *k, up_ctx *c, up_node before, const cf_sum *after) {
  up_node x = up_src(c, before, 0), y = up_src(c, before, 1);
  cf_int q;
  if (!one_quotient(k, c, x, y, &q)) return false;
  if (up_op_of(c, before) == UP_IDIV) return cf_sum_is_number(after) && after->rest == q;
  cf_sum want;
  return cf_sum_of(c, x, &want) && cf_sum_add_node(c, &want, -q, y) && cf_sum_same(&want, after);
}

/* ---- one term of two values (binary_numerator_div, binary_numerator_mod) ------------------------------ */

static bool on_line(const step *t, up_op op, const cf_sum *after) {
  cf_range r;
  if (t->s.n != 1 || after->n > 1 || (after->n == 1 && !up_same(after->atom[0], t->s.atom[0])))
    return false;
  if (!cf_bounds(t->k, t->c, t->s.atom[0], &r) || r.hi - r.lo > 1) return false;
  cf_int f = after->n ? after->factor[0] : 0;
  for (cf_int v = r.lo; v <= r.hi; v++) {
    cf_int num, got, want;
    if (!cf_alu(UP_MUL, t->s.factor[0], v, &num) || !cf_alu(UP_ADD, num, t->s.rest, &num))
      return false;
    if (!cf_alu(UP_MUL, f, v, &got) || !cf_alu(UP_ADD, got, after->rest, &got)) return false;
    if (!cf_alu(op, num, t->d, &want) || want != got) return false;
  }
  return true;
}

/* ---- quotients ------------------------------------------------------------------------------------------ */

/* x = d*w + r with r between 0 and d on x's side of 0: x // d is w. */
static bool is_remainder(const step *t, const cf_sum *r) {
  cf_range b;
  if (cf_sum_is_number(r) && r->rest == 0) return true;
  if (!cf_sum_range(t->k, t->c, r, &b)) return false;
  if (t->d < 0) return false;
  if (b.lo >= 0 && b.hi < t->d) return cf_nonnegative(t->k, t->c, t->x, &t->s);
  return b.hi <= 0 && b.lo > -t->d && cf_nonpositive(t->k, t->c, t->x, &t->s);
}

/* g*r + e stands for what is divided, e below g: both on one side of 0. */
static bool one_sided(const step *t, up_node r, const cf_sum *rs, cf_int e, cf_int g) {
  if (e >= 0 && e < g && cf_nonnegative(t->k, t->c, t->x, &t->s))
    return cf_nonnegative(t->k, t->c, r, rs);
  return e <= 0 && e > -g && cf_nonpositive(t->k, t->c, t->x, &t->s) &&
         cf_nonpositive(t->k, t->c, r, rs);
}

/* x // d is inner + w, inner = r // small (remainder_div, gcd_div). */
static bool split_quotient(const step *t, up_node inner, const cf_sum *w) {
  cf_int small;
  cf_sum left = t->s, rs;
  up_node r = up_src(t->c, inner, 0);
  if (!over_constant(t->c, inner, UP_IDIV, &small) || t->d % small) return false;
  cf_int g = t->d / small;
  if (!cf_sum_of(t->c, r, &rs) || !cf_sum_add(&left, -t->d, w) || !cf_sum_add(&left, -g, &rs))
    return false;
  if (!cf_sum_is_number(&left)) return false;
  bool whole = left.rest == 0 && cf_sum_is_number(w) && w->rest == 0;
  return whole || (small > 0 && t->d > 0 && one_sided(t, r, &rs, left.rest, g));
}

static bool quotient(const step *t, up_node after, unsigned depth);

/* x // d is (x // g) // small, and x // g is what is divided by small (nested_div). */
static bool nested_quotient(const step *t, up_node after, unsigned depth) {
  cf_int small;
  if (depth == 0 || !over_constant(t->c, after, UP_IDIV, &small)) return false;
  if (t->d <= 1 || small <= 1 || t->d % small) return false;
  step inner = *t;
  inner.d = t->d / small;
  return quotient(&inner, up_src(t->c, after, 0), depth - 1);
}

/* depth: of quotients of quotients. */
static bool quotient(const step *t, up_node after, unsigned depth) {
  cf_sum a, r = t->s;
  cf_int small;
  if (!cf_sum_of(t->c, after, &a)) return false;
  if (cf_sum_add(&r, -t->d, &a) && is_remainder(t, &r)) return true;
  if (on_line(t, UP_IDIV, &a)) return true;
  for (uint32_t i = 0; i < a.n; i++) {
    cf_sum w = a;
    if (a.factor[i] != 1 || !over_constant(t->c, a.atom[i], UP_IDIV, &small)) continue;
    if (cf_sum_add_atom(&w, -1, a.atom[i]) && split_quotient(t, a.atom[i], &w)) return true;
  }
  return nested_quotient(t, after, depth);
}

/* ---- remainders ------------------------------------------------------------------------------------------ */

/* The atom is a remainder by a multiple of k / gcd(k, f): then f*(x % m) and f*x are congruent. */
static bool drops(const up_ctx *c, up_node atom, cf_int f, cf_int k) {
  cf_int m;
  if (up_op_of(c, atom) != UP_MOD || up_nsrc(c, atom) != 2) return false;
  up_node by = up_src(c, atom, 1);
  if (!cf_constant(c, by, &m)) {
    if (up_op_of(c, by) != UP_MUL || up_nsrc(c, by) != 2) return false;
    if (!cf_constant(c, up_src(c, by, 1), &m) && !cf_constant(c, up_src(c, by, 0), &m))
      return false;
  }
  cf_int product;
  return m != 0 && cf_alu(UP_MUL, f % k, m, &product) && product % k == 0;
}

/* Is s a multiple of k, whatever its atoms are? Remainders are replaced by what they are of. */
static bool multiple_of(const up_ctx *c, cf_sum s, cf_int k) {
  for (unsigned round = 0; round < 8; round++) {
    uint32_t i = 0;
    while (i < s.n && s.factor[i] % k == 0) i++;
    if (i == s.n) return s.rest % k == 0;
    i = 0;
    while (i < s.n && (s.factor[i] % k == 0 || !drops(c, s.atom[i], s.factor[i], k))) i++;
    if (i == s.n) return false;
    cf_int f = s.factor[i];
    up_node atom = s.atom[i];
    if (!cf_sum_add_atom(&s, -f, atom) || !cf_sum_add_node(c, &s, f, up_src(c, atom, 0)))
      return false;
  }
  return false;
}

/* x % d is a, which lies between 0 and d on x's side (congruence_mod). */
static bool is_whole_remainder(const step *t, const cf_sum *a) {
  cf_sum diff = t->s;
  return is_remainder(t, a) && cf_sum_add(&diff, -1, a) && multiple_of(t->c, diff, t->d);
}

/* x % d is g*(r % small) + e (remainder_mod, gcd_mod, nested_mod). */
static bool split_remainder(const step *t, up_node inner, cf_int g, cf_int e) {
  cf_int small;
  cf_sum diff = t->s, rs;
  if (!over_constant(t->c, inner, UP_MOD, &small) || t->d % small || t->d / small != g)
    return false;
  up_node r = up_src(t->c, inner, 0);
  if (!cf_sum_of(t->c, r, &rs) || !cf_sum_add(&diff, -g, &rs)) return false;
  if (cf_sum_is_number(&diff) && diff.rest == 0 && e == 0) return true;
  if (t->d < 0 || small < 0) return false;
  diff.rest -= e;
  return multiple_of(t->c, diff, t->d) && one_sided(t, r, &rs, e, g);
}

static bool remainder_of(const step *t, up_node after) {
  cf_sum a;
  if (!cf_sum_of(t->c, after, &a)) return false;
  if (is_whole_remainder(t, &a) || on_line(t, UP_MOD, &a)) return true;
  return a.n == 1 && split_remainder(t, a.atom[0], a.factor[0], a.rest);
}

static bool divided(pf_certifier *k, up_ctx *c, up_node before, up_node after) {
  cf_sum a;
  if (up_nsrc(c, before) != 2) return false;
  if (cf_sum_of(c, after, &a) && cancelled(k, c, before, &a)) return true;
  step t = {.k = k, .c = c, .x = up_src(c, before, 0)};
  if (!cf_constant(c, up_src(c, before, 1), &t.d) || t.d == 0) return false;
  if (!cf_sum_of(c, t.x, &t.s)) return false;
  return up_op_of(c, before) == UP_IDIV ? quotient(&t, after, 3) : remainder_of(&t, after);
}

/* ---- comparisons ------------------------------------------------------------------------------------------ */

/* x < n*m from q < m, x = n*q + p with 0 <= p < n (lt_folding_split). */
static bool below(pf_certifier *k, up_ctx *c, up_node before, up_node after) {
  cf_int limit, small;
  cf_sum p;
  cf_range r;
  if (!over_constant(c, before, UP_CMPLT, &limit) || !over_constant(c, after, UP_CMPLT, &small))
    return false;
  if (limit % small || limit / small <= 0) return false;
  cf_int n = limit / small;
  return cf_sum_of(c, up_src(c, before, 0), &p) &&
         cf_sum_add_node(c, &p, -n, up_src(c, after, 0)) && cf_sum_range(k, c, &p, &r) &&
         r.lo >= 0 && r.hi < n;
}

/* !(x < 1), as x */
static bool positive(const up_ctx *c, up_node n, cf_sum *x) {
  cf_int one;
  if (!over_constant(c, n, UP_CMPNE, &one) || one != 1) return false;
  up_node lt = up_src(c, n, 0);
  return over_constant(c, lt, UP_CMPLT, &one) && one == 1 && cf_sum_of(c, up_src(c, lt, 0), x);
}

/* Sums of the same terms that are not negative, with positive factors, are positive together
 * (simplex_term). */
static bool simplex(pf_certifier *k, up_ctx *c, up_node before, up_node after) {
  cf_sum a, b;
  if (!positive(c, before, &a) || !positive(c, after, &b)) return false;
  if (a.n != b.n || a.rest != 0 || b.rest != 0) return false;
  for (uint32_t i = 0; i < a.n; i++) {
    cf_range r;
    uint32_t j = 0;
    while (j < b.n && !up_same(a.atom[i], b.atom[j])) j++;
    if (j == b.n || a.factor[i] <= 0 || b.factor[j] <= 0) return false;
    if (!cf_bounds(k, c, a.atom[i], &r) || r.lo < 0) return false;
  }
  return true;
}

/* ---- sums of divisions (unrolled_step, unrolled_missing, unrolled_all) -------------------------------------- */

/* Offset of the atom (base + offset) // d. */
static bool offset_of(const up_ctx *c, up_node atom, cf_int d, const cf_sum *base, cf_int *offset) {
  cf_sum x;
  cf_int by;
  if (!over_constant(c, atom, UP_IDIV, &by) || by != d) return false;
  if (!cf_sum_of(c, up_src(c, atom, 0), &x) || !cf_sum_add(&x, -1, base)) return false;
  *offset = x.rest;
  return cf_sum_is_number(&x);
}

/* before is f times the sum of (x + i)//d for i from d-n to d-1, after is f*x; what is missing is 0. */
static bool unrolled(pf_certifier *k, up_ctx *c, up_node before, up_node after) {
  cf_sum s, want, base = {0};
  cf_range r;
  cf_int d;
  if (!cf_sum_of(c, before, &s) || s.n == 0 || s.rest != 0 || !cf_sum_of(c, after, &want))
    return false;
  cf_int f = s.factor[0];
  if (!over_constant(c, s.atom[0], UP_IDIV, &d) || d < (cf_int)s.n) return false;
  for (uint32_t i = 0; i < want.n; i++)
    if (want.factor[i] % f || !cf_sum_add_atom(&base, want.factor[i] / f, want.atom[i]))
      return false;
  if (want.rest % f) return false;
  base.rest = want.rest / f;
  uint64_t seen = 0;
  for (uint32_t i = 0; i < s.n; i++) {
    cf_int o;
    if (s.factor[i] != f || !offset_of(c, s.atom[i], d, &base, &o)) return false;
    cf_int place = o - (d - (cf_int)s.n);
    if (place < 0 || place >= (cf_int)s.n) return false;
    seen |= UINT64_C(1) << (unsigned)place;
  }
  if (seen != (UINT64_C(1) << s.n) - 1) return false;
  if (!cf_sum_range(k, c, &base, &r) || r.lo < 0) return false;
  cf_int missing = d - (cf_int)s.n;
  return missing == 0 || r.hi + missing - 1 < d;
}

/* ---- operations on constants ----------------------------------------------------------------------------------- */

bool cf_folds(const up_ctx *c, up_node before, up_node after) {
  cf_int v[3], want, is;
  uint32_t n = up_nsrc(c, before);
  up_dtype d = up_dtype_of(c, before);
  if (n == 0 || n > 3 || up_dt_count(d) != 1 || up_dtype_of(c, after) != d) return false;
  if (!cf_constant(c, after, &is)) return false;
  for (uint32_t i = 0; i < n; i++)
    if (!cf_constant(c, up_src(c, before, i), &v[i])) return false;
  switch (up_op_of(c, before)) {
  case UP_NEG: want = -v[0]; break;
  case UP_WHERE: want = v[0] ? v[1] : v[2]; break;
  case UP_MULACC:
    if (!cf_alu(UP_MUL, v[0], v[1], &want) || !cf_alu(UP_ADD, want, v[2], &want)) return false;
    break;
  default:
    if (n != 2 || !cf_alu(up_op_of(c, before), v[0], v[1], &want)) return false;
  }
  return is == (up_dt_is_bool(d) ? want != 0 : want);
}

/* ---- definedness -------------------------------------------------------------------------------- */

#define MAX_NODES 256u
/* Nodes whose values are used wherever that of a root is: arms of a WHERE are not among them. */
typedef struct used {
  up_node n[MAX_NODES];
  uint32_t count;
} used;

static bool holds(const used *u, up_node n) {
  for (uint32_t i = 0; i < u->count; i++)
    if (up_same(u->n[i], n)) return true;
  return false;
}

static bool put(used *u, up_node n) {
  if (holds(u, n)) return true;
  if (u->count == MAX_NODES) return false;
  u->n[u->count++] = n;
  return true;
}

/* Breadth first: what does not fit is taken as not used. */
static void collect_used(const up_ctx *c, up_node root, used *u) {
  u->count = 0;
  put(u, root);
  for (uint32_t i = 0; i < u->count; i++) {
    up_node n = u->n[i];
    uint32_t nsrc = up_op_of(c, n) == UP_WHERE ? 1 : up_nsrc(c, n);
    for (uint32_t s = 0; s < nsrc; s++) put(u, up_src(c, n, s));
  }
}

/* Number of sources that must be defined for n to be; -1: it can be undefined by itself. */
static int needs(const up_ctx *c, up_node n) {
  cf_int k;
  switch (up_op_of(c, n)) {
  case UP_CONST:
  case UP_DEFINE_VAR:
  case UP_SPECIAL: return 0;
  case UP_ADD:
  case UP_SUB:
  case UP_MUL:
  case UP_NEG:
  case UP_MAX:
  case UP_AND:
  case UP_OR:
  case UP_XOR:
  case UP_CMPLT:
  case UP_CMPNE:
  case UP_CMPEQ:
  case UP_WHERE:
  case UP_CAST: return (int)up_nsrc(c, n);
  case UP_IDIV: return over_constant(c, n, UP_IDIV, &k) ? 1 : -1;
  case UP_MOD: return over_constant(c, n, UP_MOD, &k) ? 1 : -1;
  default: return -1;
  }
}

/* Is `after` defined wherever `before` is? A linear form does not see a term that is multiplied by 0
 * or cancelled. */
static bool stays_defined(const up_ctx *c, up_node before, up_node after) {
  used was, is = {.count = 0};
  collect_used(c, before, &was);
  put(&is, after);
  for (uint32_t i = 0; i < is.count; i++) {
    if (holds(&was, is.n[i])) continue;
    int n = needs(c, is.n[i]);
    if (n < 0) return false;
    for (int s = 0; s < n; s++)
      if (!put(&is, up_src(c, is.n[i], (uint32_t)s))) return false;
  }
  return true;
}

bool cf_native_step(pf_certifier *k, up_ctx *c, up_node before, up_node after) {
  if (!stays_defined(c, before, after)) return false;
  switch (up_op_of(c, before)) {
  case UP_IDIV:
  case UP_MOD: return divided(k, c, before, after);
  case UP_CMPLT: return below(k, c, before, after);
  case UP_CMPNE: return simplex(k, c, before, after);
  case UP_ADD: return unrolled(k, c, before, after);
  default: return false;
  }
}
