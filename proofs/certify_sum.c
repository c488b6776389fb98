#include "certify_sum.h"

/* Factors stay below this, so that products of two and sums of some fit. */
#define LIMIT ((cf_int)1 << 100)

static bool in_limit(cf_int v) { return -LIMIT < v && v < LIMIT; }

static bool add_product(cf_int *to, cf_int a, cf_int b) {
  cf_int p;
  return !__builtin_mul_overflow(a, b, &p) && in_limit(p) && !__builtin_add_overflow(*to, p, to) &&
         in_limit(*to);
}

bool cf_sum_add_atom(cf_sum *s, cf_int k, up_node atom) {
  uint32_t i = 0;
  while (i < s->n && !up_same(s->atom[i], atom)) i++;
  if (i == s->n) {
    if (k == 0) return true;
    if (s->n == CF_MAX_TERMS) return false;
    s->atom[s->n] = atom;
    s->factor[s->n++] = 0;
  }
  if (!add_product(&s->factor[i], 1, k)) return false;
  if (s->factor[i] == 0) {
    s->n--;
    s->atom[i] = s->atom[s->n];
    s->factor[i] = s->factor[s->n];
  }
  return true;
}

bool cf_sum_add(cf_sum *s, cf_int k, const cf_sum *t) {
  for (uint32_t i = 0; i < t->n; i++) {
    cf_int f = 0;
    if (!add_product(&f, k, t->factor[i]) || !cf_sum_add_atom(s, f, t->atom[i])) return false;
  }
  return add_product(&s->rest, k, t->rest);
}

/* ---- of nodes ----------------------------------------------------------------------------------- */

typedef struct part {
  up_node n;
  cf_int k;
} part;

/* The constant of a product, and what it multiplies. */
static bool product(const up_ctx *c, up_node n, cf_int *k, up_node *x) {
  if (up_op_of(c, n) != UP_MUL || up_nsrc(c, n) != 2) return false;
  for (uint32_t i = 0; i < 2; i++) {
    *x = up_src(c, n, 1 - i);
    if (cf_constant(c, up_src(c, n, i), k)) return true;
  }
  return false;
}

bool cf_sum_add_node(const up_ctx *c, cf_sum *s, cf_int k, up_node n) {
  part stack[2 * CF_MAX_TERMS];
  uint32_t top = 0;
  if (!up_dt_is_int(up_dtype_of(c, n)) || up_dt_count(up_dtype_of(c, n)) != 1) return false;
  stack[top++] = (part){n, k};
  while (top > 0) {
    part p = stack[--top];
    cf_int f;
    up_node x;
    if (cf_constant(c, p.n, &f)) {
      if (!add_product(&s->rest, p.k, f)) return false;
    } else if (up_op_of(c, p.n) == UP_ADD && up_nsrc(c, p.n) == 2) {
      if (top + 2 > sizeof stack / sizeof *stack) return false;
      stack[top++] = (part){up_src(c, p.n, 0), p.k};
      stack[top++] = (part){up_src(c, p.n, 1), p.k};
    } else if (product(c, p.n, &f, &x)) {
      cf_int scaled = 0;
      if (!add_product(&scaled, p.k, f)) return false;
      stack[top++] = (part){x, scaled};
    } else if (!cf_sum_add_atom(s, p.k, p.n)) {
      return false;
    }
  }
  return true;
}

bool cf_sum_of(const up_ctx *c, up_node n, cf_sum *out) {
  out->n = 0;
  out->rest = 0;
  return cf_sum_add_node(c, out, 1, n);
}

bool cf_sum_same(const cf_sum *a, const cf_sum *b) {
  cf_sum d = *a;
  return cf_sum_add(&d, -1, b) && d.n == 0 && d.rest == 0;
}

/* ---- ranges ------------------------------------------------------------------------------------- */

bool cf_sum_range(pf_certifier *k, up_ctx *c, const cf_sum *s, cf_range *out) {
  *out = (cf_range){s->rest, s->rest};
  for (uint32_t i = 0; i < s->n; i++) {
    cf_range r;
    cf_int f = s->factor[i];
    if (!cf_bounds(k, c, s->atom[i], &r)) return false;
    if (!add_product(&out->lo, f, f > 0 ? r.lo : r.hi)) return false;
    if (!add_product(&out->hi, f, f > 0 ? r.hi : r.lo)) return false;
  }
  return true;
}

bool cf_nonnegative(pf_certifier *k, up_ctx *c, up_node n, const cf_sum *s) {
  cf_range r;
  return (!up_is_none(n) && cf_bounds(k, c, n, &r) && r.lo >= 0) ||
         (cf_sum_range(k, c, s, &r) && r.lo >= 0);
}

bool cf_nonpositive(pf_certifier *k, up_ctx *c, up_node n, const cf_sum *s) {
  cf_range r;
  return (!up_is_none(n) && cf_bounds(k, c, n, &r) && r.hi <= 0) ||
         (cf_sum_range(k, c, s, &r) && r.hi <= 0);
}
