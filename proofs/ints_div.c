/* Division: quotient and remainder as witnesses, and what is known of them. */
#include "ints.h"

static Z3_ast zero(in_enc *e) { return in_int(e, 0); }
static Z3_ast one(in_enc *e) { return in_int(e, 1); }

/* ---- the two encodings ----------------------------------------------------------------------------- */

/* A numeral above 0, of any size. */
static bool is_positive(in_enc *e, Z3_ast b) {
  if (!in_is_number(e, b)) return false;
  Z3_string text = Z3_get_numeral_string(e->z->ctx, b);
  return text && text[0] != '-' && text[0] != '0';
}

/* Z3's div and mod are Euclidean: a = b*div + mod with 0 <= mod < |b|. */
static void plain(in_enc *e, in_division *d) {
  Z3_ast div = z3_2(e->z, Z3_mk_div, d->a, d->b), minus = in_neg(e, d->a);
  Z3_ast other = z3_2(e->z, Z3_mk_div, minus, d->floor ? in_neg(e, d->b) : d->b);
  if (d->floor) {
    if (is_positive(e, d->b)) {
      d->q = div;
      d->r = z3_2(e->z, Z3_mk_mod, d->a, d->b);
      return;
    }
    d->q = z3_ite(e->z, in_lt(e, zero(e), d->b), div, other);
  } else {
    d->q = z3_ite(e->z, in_lt(e, d->a, zero(e)), in_neg(e, other), div);
  }
  d->r = in_sub(e, d->a, z3_n2(e->z, Z3_mk_mul, d->q, d->b));
}

/* |r| < |b|, by cases */
static Z3_ast smaller(in_enc *e, Z3_ast r, Z3_ast b) {
  Z3_ast minus = in_neg(e, b);
  return z3_ite(e->z, in_lt(e, zero(e), b), in_and(e, in_lt(e, minus, r), in_lt(e, r, b)),
                in_and(e, in_lt(e, b, r), in_lt(e, r, minus)));
}

/* r has the sign of a, or is 0 */
static Z3_ast sign_of(in_enc *e, Z3_ast r, Z3_ast a) {
  return in_and(e, in_implies(e, in_le(e, zero(e), a), in_le(e, zero(e), r)),
                in_implies(e, in_le(e, a, zero(e)), in_le(e, r, zero(e))));
}

static void witness(in_enc *e, in_division *d) {
  d->q = in_fresh(e, e->integer);
  d->r = in_fresh(e, e->integer);
  Z3_ast meant = in_not(e, in_eq(e, d->b, zero(e)));
  Z3_ast sum = in_eq(e, d->a, in_add(e, in_mul(e, d->q, d->b), d->r));
  z3_assert(e->z, in_implies(e, meant, sum));
  if (d->floor) {
    z3_assert(e->z, in_implies(e, in_lt(e, zero(e), d->b),
                               in_and(e, in_le(e, zero(e), d->r), in_lt(e, d->r, d->b))));
    z3_assert(e->z, in_implies(e, in_lt(e, d->b, zero(e)),
                               in_and(e, in_lt(e, d->b, d->r), in_le(e, d->r, zero(e)))));
    return;
  }
  z3_assert(e->z, in_implies(e, meant, in_and(e, smaller(e, d->r, d->b), sign_of(e, d->r, d->a))));
  /* follows, and saves the solver a product: the sign of the quotient */
  Z3_ast up = in_le(e, zero(e), d->a), down = in_le(e, d->a, zero(e));
  Z3_ast pos = in_lt(e, zero(e), d->b), neg = in_lt(e, d->b, zero(e));
  z3_assert(e->z, in_implies(e, in_or(e, in_and(e, up, pos), in_and(e, down, neg)),
                             in_le(e, zero(e), d->q)));
  z3_assert(e->z, in_implies(e, in_or(e, in_and(e, up, neg), in_and(e, down, pos)),
                             in_le(e, d->q, zero(e))));
}

in_division in_divide(in_enc *e, Z3_ast a, Z3_ast b, bool floor) {
  for (unsigned k = 0; k < e->ndivision; k++) {
    const in_division *d = &e->division[k];
    if (d->a == a && d->b == b && d->floor == floor) return *d;
  }
  in_division d = {.a = a, .b = b, .floor = floor};
  int64_t v;
  /* by a number both are linear; among the residues of casts Z3's own mod does not end */
  bool number = is_positive(e, b) || (in_small(e, b, &v) && v != 0);
  if (e->style == IN_PLAIN || (number && !floor))
    plain(e, &d);
  else
    witness(e, &d);
  if (e->ndivision < IN_MAX)
    e->division[e->ndivision++] = d;
  else
    e->overflow = true;
  return d;
}

/* ---- shifts ------------------------------------------------------------------------------------------ */

/* pow2 grows with its argument. */
static void monotone(in_enc *e, Z3_ast k, Z3_ast p) {
  for (unsigned i = 0; i < e->nexponent; i++) {
    Z3_ast other = e->exponent[i];
    if (other == k) return;
    Z3_ast q = z3_keep(e->z, Z3_mk_app(e->z->ctx, e->pow2, 1, &other));
    Z3_ast up = in_and(e, in_le(e, zero(e), k), in_le(e, k, other));
    Z3_ast down = in_and(e, in_le(e, zero(e), other), in_le(e, other, k));
    z3_assert(e->z, in_implies(e, up, in_le(e, p, q)));
    z3_assert(e->z, in_implies(e, down, in_le(e, q, p)));
  }
  if (e->nexponent < IN_MAX) e->exponent[e->nexponent++] = k;
}

Z3_ast in_pow2(in_enc *e, Z3_ast k) {
  int64_t v;
  if (in_small(e, k, &v)) return v < 0 ? zero(e) : in_power(e, v > 5000 ? 5000 : (unsigned)v);
  if (!e->pow2)
    e->pow2 = Z3_mk_func_decl(e->z->ctx, Z3_mk_string_symbol(e->z->ctx, "pow2"), 1, &e->integer,
                              e->integer);
  if (!e->pow2 || !k) return NULL;
  e->abstract = true;
  Z3_ast p = z3_keep(e->z, Z3_mk_app(e->z->ctx, e->pow2, 1, &k));
  z3_assert(e->z, in_implies(e, in_le(e, zero(e), k), in_lt(e, k, p)));
  z3_assert(e->z, in_implies(e, in_eq(e, k, zero(e)), in_eq(e, p, one(e))));
  z3_assert(e->z, in_implies(e, in_lt(e, zero(e), k), in_le(e, in_int(e, 2), p)));
  monotone(e, k, p);
  return p;
}

Z3_ast in_shift(in_enc *e, up_op op, Z3_ast a, Z3_ast k) {
  Z3_ast p = in_pow2(e, k);
  return op == UP_SHL ? in_mul(e, a, p) : in_divide(e, a, p, true).q;
}

/* ---- checking a result --------------------------------------------------------------------------------- */

Z3_ast in_is_quotient(in_enc *e, Z3_ast l, Z3_ast a, Z3_ast b) {
  Z3_ast rest = in_sub(e, a, in_mul(e, l, b));
  return in_and(e, in_not(e, in_eq(e, b, zero(e))),
                in_and(e, smaller(e, rest, b), sign_of(e, rest, a)));
}

Z3_ast in_is_remainder(in_enc *e, Z3_ast l, Z3_ast a, Z3_ast b) {
  Z3_ast meant = in_not(e, in_eq(e, b, zero(e)));
  Z3_ast range = in_and(e, smaller(e, l, b), sign_of(e, l, a));
  /* some multiple of b: those of the left side's quotients and their negatives */
  Z3_ast some = in_eq(e, a, l);
  unsigned n = e->left_divisions;
  for (unsigned k = 0; k < n; k++) {
    Z3_ast w = in_mul(e, e->division[k].q, b);
    some = in_or(e, some, in_or(e, in_eq(e, a, in_add(e, w, l)), in_eq(e, a, in_sub(e, l, w))));
  }
  return in_and(e, meant, in_and(e, range, some));
}

/* ---- lemmas ---------------------------------------------------------------------------------------------- */

/* D >= 1 => |b|*D >= |b|, D <= -1 => |b|*D <= -|b|: true of all integers. */
static void difference(in_enc *e, Z3_ast d, Z3_ast b) {
  Z3_ast m = z3_n2(e->z, Z3_mk_mul, b, d), minus = in_neg(e, b);
  Z3_ast pos = in_lt(e, zero(e), b), neg = in_lt(e, b, zero(e));
  Z3_ast up = in_le(e, one(e), d), down = in_le(e, d, in_int(e, -1));
  z3_assert(e->z, in_implies(e, in_and(e, pos, up), in_le(e, b, m)));
  z3_assert(e->z, in_implies(e, in_and(e, pos, down), in_le(e, m, minus)));
  z3_assert(e->z, in_implies(e, in_and(e, neg, up), in_le(e, m, b)));
  z3_assert(e->z, in_implies(e, in_and(e, neg, down), in_le(e, minus, m)));
  if (e->style < IN_SCALED) return;
  z3_assert(e->z, in_implies(e, in_eq(e, d, zero(e)), in_eq(e, m, zero(e))));
  z3_assert(e->z, in_implies(e, in_eq(e, d, one(e)), in_eq(e, m, b)));
  z3_assert(e->z, in_implies(e, in_eq(e, d, in_int(e, -1)), in_eq(e, m, minus)));
}

typedef struct multiples {
  Z3_ast b, p[IN_MAX];
  unsigned n;
} multiples;

static void collect(multiples *m, Z3_ast p) {
  for (unsigned k = 0; k < m->n; k++)
    if (m->p[k] == p) return;
  if (m->n < IN_MAX) m->p[m->n++] = p;
}

/* What b is multiplied with: quotients by b, and the other factors of products with b. */
static void multiples_of(in_enc *e, Z3_ast b, Z3_ast minus_b, multiples *m) {
  *m = (multiples){.b = b};
  bool all = e->style >= IN_SCALED && e->ndivision <= 4;
  for (unsigned k = 0; k < e->ndivision; k++)
    if (all || e->division[k].b == b || e->division[k].b == minus_b) collect(m, e->division[k].q);
  for (unsigned k = 0; k < e->nproduct; k++) {
    if (e->product[k].a == b) collect(m, e->product[k].b);
    if (e->product[k].b == b) collect(m, e->product[k].a);
  }
}

/* Summands m*b of a numerator: their m is added up. NULL: none. */
static Z3_ast multiple_in(in_enc *e, Z3_ast a, Z3_ast b, unsigned depth) {
  Z3_context c = e->z->ctx;
  if (depth == 0 || !a || Z3_get_ast_kind(c, a) != Z3_APP_AST) return NULL;
  Z3_app app = Z3_to_app(c, a);
  Z3_decl_kind kind = Z3_get_decl_kind(c, Z3_get_app_decl(c, app));
  if (kind == Z3_OP_UMINUS) {
    Z3_ast m = multiple_in(e, Z3_get_app_arg(c, app, 0), b, depth - 1);
    return m ? in_neg(e, m) : NULL;
  }
  if ((kind != Z3_OP_ADD && kind != Z3_OP_MUL && kind != Z3_OP_SUB) ||
      Z3_get_app_num_args(c, app) != 2)
    return NULL;
  Z3_ast x = Z3_get_app_arg(c, app, 0), y = Z3_get_app_arg(c, app, 1);
  if (kind == Z3_OP_MUL) return x == b ? y : y == b ? x : NULL;
  Z3_ast mx = multiple_in(e, x, b, depth - 1), my = multiple_in(e, y, b, depth - 1);
  if (!mx || !my) return mx ? mx : kind == Z3_OP_SUB && my ? in_neg(e, my) : my;
  return kind == Z3_OP_ADD ? in_add(e, mx, my) : in_sub(e, mx, my);
}

/* D = q' - q - m, m the multiple of b by which the numerators differ. */
static void difference_of_numerators(in_enc *e, const in_division *x, const in_division *y) {
  Z3_ast mx = multiple_in(e, x->a, x->b, 12), my = multiple_in(e, y->a, x->b, 12);
  if (!mx && !my) return;
  Z3_ast m = !mx ? in_neg(e, my) : !my ? mx : in_sub(e, mx, my);
  difference(e, in_sub(e, in_sub(e, x->q, y->q), m), x->b);
}

static void lemmas_of_divisor(in_enc *e, Z3_ast b, Z3_ast minus_b) {
  multiples m;
  multiples_of(e, b, minus_b, &m);
  for (unsigned i = 0; i < m.n && m.n <= 8; i++) {
    difference(e, m.p[i], b);
    for (unsigned k = i + 1; k < m.n; k++) {
      difference(e, in_sub(e, m.p[i], m.p[k]), b);
      difference(e, in_add(e, m.p[i], m.p[k]), b);
    }
  }
  for (unsigned i = 0; i < e->ndivision; i++)
    for (unsigned k = i + 1; k < e->ndivision; k++)
      if (e->division[i].b == b && e->division[k].b == b)
        difference_of_numerators(e, &e->division[i], &e->division[k]);
  /* one division: q against the multiple in its own numerator */
  for (unsigned i = 0; i < e->ndivision; i++) {
    Z3_ast own = e->division[i].b == b ? multiple_in(e, e->division[i].a, b, 12) : NULL;
    if (!own) continue;
    Z3_ast rest = in_sub(e, e->division[i].q, own);
    difference(e, rest, b);
    for (unsigned k = 0; k < e->ndivision && e->style >= IN_SCALED && e->ndivision <= 4; k++)
      if (k != i) difference(e, in_sub(e, rest, e->division[k].q), b);
  }
}

/* The sign of x*y, and 0 of a 0. */
static void sign_of_product(in_enc *e, Z3_ast x, Z3_ast y) {
  Z3_ast p = z3_n2(e->z, Z3_mk_mul, x, y), z = zero(e);
  for (int k = 0; k < 4; k++) {
    Z3_ast sx = k & 1 ? in_le(e, z, x) : in_le(e, x, z),
           sy = k & 2 ? in_le(e, z, y) : in_le(e, y, z);
    bool up = (k & 1) == (k >> 1);
    z3_assert(e->z, in_implies(e, in_and(e, sx, sy), up ? in_le(e, z, p) : in_le(e, p, z)));
  }
}

/* a = q*b + r times k; and |r*k| <= |b*k| - |k|, by cases. */
static void scale(in_enc *e, const in_division *d, Z3_ast k) {
  Z3_ast z = zero(e), rk = z3_n2(e->z, Z3_mk_mul, d->r, k), bk = z3_n2(e->z, Z3_mk_mul, d->b, k);
  Z3_ast sum = in_add(e, z3_n2(e->z, Z3_mk_mul, d->q, bk), rk);
  z3_assert(e->z, in_implies(e, in_not(e, in_eq(e, d->b, z)),
                             in_eq(e, z3_n2(e->z, Z3_mk_mul, d->a, k), sum)));
  sign_of_product(e, d->r, k);
  for (int c = 0; c < 4; c++) {
    Z3_ast sb = c & 1 ? in_lt(e, z, d->b) : in_lt(e, d->b, z);
    Z3_ast sk = c & 2 ? in_lt(e, z, k) : in_lt(e, k, z);
    /* |b| - 1 times |k| */
    Z3_ast most = c & 1 ? in_sub(e, bk, k) : in_add(e, bk, k);
    if ((c & 1) != (c >> 1)) most = in_neg(e, most);
    z3_assert(e->z, in_implies(e, in_and(e, sb, sk),
                               in_and(e, in_le(e, in_neg(e, most), rk), in_le(e, rk, most))));
  }
}

/* By the factors that meet its dividend or remainder in a product, and by quotients whose divisor is
 * its own quotient. */
static void scale_divisions(in_enc *e) {
  unsigned n = e->ndivision, products = e->nproduct;
  for (unsigned i = 0; i < n; i++) {
    in_division d = e->division[i];
    multiples m = {0};
    for (unsigned k = 0; k < products; k++) {
      in_product p = e->product[k];
      if (p.a == d.a || p.a == d.r) collect(&m, p.b);
      if (p.b == d.a || p.b == d.r) collect(&m, p.a);
    }
    for (unsigned k = 0; k < n; k++)
      if (e->division[k].b == d.q) collect(&m, e->division[k].q);
    for (unsigned k = 0; k < m.n && k < 6; k++)
      if (!in_is_number(e, m.p[k])) scale(e, &d, m.p[k]);
  }
}

/* (x - lx)(y - ly) >= 0 and so on, for factors with bounds. */
static void corner(in_enc *e, Z3_ast x, Z3_ast lx, Z3_ast y, Z3_ast ly, bool x_up, bool y_up) {
  Z3_ast dx = x_up ? in_le(e, lx, x) : in_le(e, x, lx);
  Z3_ast dy = y_up ? in_le(e, ly, y) : in_le(e, y, ly);
  Z3_ast product = in_add(e, in_sub(e, z3_n2(e->z, Z3_mk_mul, x, y), z3_n2(e->z, Z3_mk_mul, x, ly)),
                          in_sub(e, z3_n2(e->z, Z3_mk_mul, lx, ly), z3_n2(e->z, Z3_mk_mul, lx, y)));
  Z3_ast sign = x_up == y_up ? in_le(e, zero(e), product) : in_le(e, product, zero(e));
  z3_assert(e->z, in_implies(e, in_and(e, dx, dy), sign));
}

static void corners_of(in_enc *e, pf_id s, pf_id t) {
  const in_fact *f = &e->fact[s], *g = &e->fact[t];
  if (!f->lo || !g->lo) return;
  Z3_ast x = in_term_number(e, s), y = in_term_number(e, t);
  Z3_ast fx[2] = {f->lo, f->hi}, gy[2] = {g->lo, g->hi};
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) corner(e, x, fx[a], y, gy[b], a == 0, b == 0);
  /* and along the edges, by the sign of the other factor: then a product lies between corners */
  for (int a = 0; a < 2; a++) {
    for (int up = 0; up < 2; up++) {
      corner(e, x, fx[a], y, zero(e), a == 0, up != 0);
      corner(e, y, gy[a], x, zero(e), a == 0, up != 0);
      for (int b = 0; b < 2; b++) {
        corner(e, y, gy[b], fx[a], zero(e), b == 0, up != 0);
        corner(e, x, fx[b], gy[a], zero(e), b == 0, up != 0);
      }
    }
  }
}

/* With divisors above 0: q <= q' where the dividend is no greater, and the divisor is no greater if the
 * dividend is not above 0, no less if the other dividend is not below 0. sign: of the divisors. */
static void ordered(in_enc *e, const in_division *x, const in_division *y, bool positive) {
  Z3_ast z = zero(e), a = x->a, b = x->b, c = y->a, d = y->b;
  Z3_ast same = positive ? in_and(e, in_lt(e, z, b), in_lt(e, z, d))
                         : in_and(e, in_lt(e, b, z), in_lt(e, d, z));
  /* below 0: of the negatives */
  Z3_ast less = positive ? in_le(e, a, c) : in_le(e, c, a);
  Z3_ast down = positive ? in_and(e, in_le(e, a, z), in_le(e, b, d))
                         : in_and(e, in_le(e, z, a), in_le(e, d, b));
  Z3_ast up = positive ? in_and(e, in_le(e, z, c), in_le(e, d, b))
                       : in_and(e, in_le(e, c, z), in_le(e, b, d));
  z3_assert(e->z, in_implies(e, in_and(e, same, in_and(e, less, in_or(e, down, up))),
                             in_le(e, x->q, y->q)));
}

static void order_quotients(in_enc *e) {
  for (unsigned i = 0; i < e->ndivision; i++) {
    for (unsigned k = 0; k < e->ndivision; k++) {
      const in_division *x = &e->division[i], *y = &e->division[k];
      if (i == k || x->floor != y->floor) continue;
      ordered(e, x, y, true);
      ordered(e, x, y, false);
    }
  }
}

void in_division_lemmas(in_enc *e) {
  if (e->style == IN_PLAIN) return;
  if (e->style == IN_ORDERED) order_quotients(e);
  unsigned n = e->ndivision, products = e->nproduct;
  Z3_ast done[2 * IN_MAX];
  unsigned ndone = 0;
  for (unsigned k = 0; k < n + products; k++) {
    /* divisors first; then factors that bound a comparison without any division */
    Z3_ast b = k < n ? e->division[k].b : e->product[k - n].a;
    if (k >= n && n > 0 && e->style < IN_SCALED) break;
    bool seen = in_is_number(e, b);
    for (unsigned j = 0; j < ndone; j++) seen = seen || done[j] == b;
    if (seen) continue;
    done[ndone++] = b;
    lemmas_of_divisor(e, b, in_neg(e, b));
  }
  if (e->style >= IN_SCALED) scale_divisions(e);
  if (e->style != IN_CORNERS) return;
  for (pf_id s = 0; s < e->i->nterm; s++)
    for (pf_id t = s + 1; t < e->i->nterm; t++) corners_of(e, s, t);
}
