/* Bounds rules: are the ends reached?
 *
 * First all small boxes: intervals of the operands with ends near 0, the claim of each, and the values
 * of all operands within. An end that no value reaches is a case,
 * where the engine applies this rule and none before it. Then for all intervals: that the
 * value at one of the corners (each operand at one of its ends) is the end, by Z3 over integers.
 */
#include "optimal.h"

#include "concrete_eval.h"
#include "confirm.h"
#include "ints.h"

#include <stdlib.h>

#define MAX_LEAVES 3u
#define ALL_BOUNDS 0u /* the way of confirm.h: each name a variable with the bounds of the point */

const char *pf_optimality_name(pf_optimality o) {
  static const char *const name[] = {"optimal", "not optimal", "unknown", "no bounds"};
  return name[o];
}

/* The operands: names of any node whose bounds the claim reads. -1: too many, or something else. */
static int leaves_of(const pf_instance *i, pf_id leaf[MAX_LEAVES]) {
  int n = 0;
  for (pf_id t = 0; t < i->left; t++) {
    const pf_term *d = &i->term[t];
    if (d->kind == PF_CONST && d->literal) continue;
    if (d->kind != PF_ANY || d->op != UP_NOOP || n == (int)MAX_LEAVES) return -1;
    leaf[n++] = t;
  }
  return i->right == PF_NIL && i->term[i->left].kind == PF_OP ? n : -1;
}

/* ---- small boxes ------------------------------------------------------------------------------------- */

typedef struct boxes {
  const pf_instance *i;
  up_ctx *c;
  pf_id leaf[MAX_LEAVES];
  uint32_t n, tried;
  long reach; /* ends from -reach to reach */
  pf_point at;
  long lo[MAX_LEAVES], hi[MAX_LEAVES];
  mpz_t least, greatest, claim_lo, claim_hi, v, a, b;
  bool seen;
} boxes;

static void see(boxes *s) {
  if (!cc_claim(s->i, &s->at, s->v, s->a, s->b)) return;
  if (!s->seen || mpz_cmp(s->v, s->least) < 0) mpz_set(s->least, s->v);
  if (!s->seen || mpz_cmp(s->v, s->greatest) > 0) mpz_set(s->greatest, s->v);
  mpz_set(s->claim_lo, s->a);
  mpz_set(s->claim_hi, s->b);
  s->seen = true;
}

/* All values of operand k and of those after it. */
static void values(boxes *s, uint32_t k) {
  if (k == s->n) {
    see(s);
    return;
  }
  for (long x = s->lo[k]; x <= s->hi[k]; x++) {
    mpz_set_si(s->at.p[k].value, x);
    values(s, k + 1);
  }
}

/* Is it this rule by which the engine bounds such a node, and not one before it? */
static bool is_the_rule(boxes *s) {
  cf_graph g = {0};
  up_ctx_reset(s->c);
  bool same = cf_build(s->c, s->i, &s->at, OR_IDEAL, ALL_BOUNDS, &g);
  if (same) up_minmax(s->c, g.root);
  same = same && up_ctx_status(s->c) == UP_OK && up_minmax_rule(s->c, g.root) == (int)s->i->rule;
  cf_graph_clear(&g);
  return same;
}

/* False: an end is not reached. A box where the rule never has a value, or another one is applied, says
 * nothing. */
static bool box(boxes *s) {
  s->seen = false;
  values(s, 0);
  if (!s->seen) return true;
  bool lo = mpz_cmp(s->claim_lo, s->least) == 0, hi = mpz_cmp(s->claim_hi, s->greatest) == 0;
  if (!(lo && hi) && !is_the_rule(s)) return true;
  s->tried++;
  return lo && hi;
}

static bool all_boxes(boxes *s, uint32_t k) {
  if (k == s->n) return box(s);
  bool is_bool = s->i->term[s->leaf[k]].type == UP_BOOL;
  for (long lo = is_bool ? 0 : -s->reach; lo <= (is_bool ? 1 : s->reach); lo++)
    for (long hi = lo; hi <= (is_bool ? 1 : s->reach); hi++) {
      s->lo[k] = lo;
      s->hi[k] = hi;
      mpz_set_si(s->at.p[k].lo, lo);
      mpz_set_si(s->at.p[k].hi, hi);
      if (!all_boxes(s, k + 1)) return false;
    }
  return true;
}

static void put_case(const boxes *s, up_buf *out) {
  const patnames *names = &s->i->book->rule[s->i->rule].names;
  for (uint32_t k = 0; k < s->n; k++) {
    int slot = s->i->term[s->leaf[k]].slot;
    up_buf_puts(out, k ? ", " : "");
    up_buf_put(out, slot >= 0 ? names->name[slot].p : "_", slot >= 0 ? names->name[slot].n : 1);
    up_buf_printf(out, " in [%ld, %ld]", s->lo[k], s->hi[k]);
  }
  char text[200];
  gmp_snprintf(text, sizeof text, ": values %Zd to %Zd, claimed [%Zd, %Zd]", s->least, s->greatest,
               s->claim_lo, s->claim_hi);
  up_buf_puts(out, text);
}

/* ---- corners ------------------------------------------------------------------------------------------- */

static bool open_enc(in_enc *e, pf_prover *p, const pf_instance *i, in_style style) {
  *e = (in_enc){.z = &p->z, .i = i, .style = style};
  if (!z3_begin(&p->z, p->limits.rlimit / 8 + 1)) return false;
  e->integer = Z3_mk_int_sort(p->z.ctx);
  e->boolean = Z3_mk_bool_sort(p->z.ctx);
  e->term = calloc(i->nterm + 1, sizeof *e->term);
  e->fact = calloc(i->nterm + 1, sizeof *e->fact);
  return e->term && e->fact;
}

/* The value of the left side with each operand at one of its ends. */
static in_value at_corner(in_enc *e, const boxes *s, unsigned corner, const in_fact *bounds) {
  for (pf_id t = 0; t < e->i->nterm; t++)
    if (e->i->term[t].kind == PF_OP) e->term[t] = (in_value){0};
  for (uint32_t k = 0; k < s->n; k++) {
    Z3_ast end = (corner >> k) & 1 ? bounds[k].hi : bounds[k].lo;
    bool is_bool = e->i->term[s->leaf[k]].type == UP_BOOL;
    e->term[s->leaf[k]] = (in_value){.value = is_bool ? in_truth(e, end) : end};
  }
  return in_term(e, e->i->left);
}

/* No corner has the end as its value: asserted. */
static void assert_missed(in_enc *e, const boxes *s, bool upper) {
  in_fact bounds[MAX_LEAVES];
  for (uint32_t k = 0; k < s->n; k++) {
    bounds[k] = *in_bounds(e, s->leaf[k]);
    if (e->i->term[s->leaf[k]].type == UP_BOOL)
      z3_assert(e->z, in_le(e, bounds[k].hi, in_int(e, 1)));
    if (e->term[s->leaf[k]].defined) z3_assert(e->z, e->term[s->leaf[k]].defined);
  }
  if (e->i->when != EXPR_NIL) z3_assert(e->z, in_truth(e, in_expr(e, e->i->when, NULL)));
  Z3_ast end = in_number(e, in_expr(e, upper ? e->i->hi : e->i->lo, NULL));
  for (unsigned corner = 0; corner < 1u << s->n; corner++) {
    in_value v = at_corner(e, s, corner, bounds);
    z3_assert(e->z, in_not(e, in_and(e, v.defined, in_eq(e, in_number(e, v.value), end))));
  }
  in_division_lemmas(e);
  in_bit_laws(e);
}

static bool is_reached(pf_prover *p, const boxes *s, bool upper) {
  static const in_style style[] = {IN_PLAIN, IN_WITNESS, IN_CORNERS};
  bool reached = false;
  for (size_t k = 0; k < sizeof style / sizeof *style && !reached; k++) {
    in_enc e;
    char why[80];
    bool ok = open_enc(&e, p, s->i, style[k]);
    if (ok) assert_missed(&e, s, upper);
    ok = ok && !e.cannot && !e.overflow && p->z.error[0] == 0;
    reached = ok && z3_check(&p->z, why) == Z3_NO_MODEL;
    p->z.error[0] = 0;
    free(e.term);
    free(e.fact);
  }
  return reached;
}

/* ---- the whole ------------------------------------------------------------------------------------------- */

static pf_optimality decide(pf_prover *p, boxes *s, up_buf *out) {
  bool reached = all_boxes(s, 0);
  if (s->tried == 0) return PF_NO_BOUNDS;
  if (!reached) {
    put_case(s, out);
    return PF_NOT_OPTIMAL;
  }
  if (is_reached(p, s, false) && is_reached(p, s, true)) {
    up_buf_puts(out, "both ends at corners");
    return PF_OPTIMAL;
  }
  up_buf_printf(out, "both ends reached in %u small boxes", s->tried);
  return PF_SEEMS_OPTIMAL;
}

pf_optimality pf_find_optimality(pf_prover *p, const pf_instance *i, up_buf *out) {
  boxes s = {.i = i};
  int n = leaves_of(i, s.leaf);
  if (n <= 0) return PF_NO_BOUNDS;
  s.n = (uint32_t)n;
  s.reach = n < 3 ? 4 : 2;
  s.at = (pf_point){.p = calloc(s.n, sizeof *s.at.p)};
  s.c = up_ctx_new(i->book->bounds.profile);
  if (!s.at.p || !s.c) {
    up_ctx_free(s.c);
    free(s.at.p);
    out->no_memory = true;
    return PF_NO_BOUNDS;
  }
  for (uint32_t k = 0; k < s.n; k++) {
    pf_value *v = &s.at.p[s.at.n++];
    *v = (pf_value){.term = s.leaf[k], .defined = true, .has_bounds = true};
    mpz_inits(v->value, v->lo, v->hi, (mpz_ptr)0);
  }
  mpz_inits(s.least, s.greatest, s.claim_lo, s.claim_hi, s.v, s.a, s.b, (mpz_ptr)0);
  pf_optimality o = decide(p, &s, out);
  mpz_clears(s.least, s.greatest, s.claim_lo, s.claim_hi, s.v, s.a, s.b, (mpz_ptr)0);
  pf_point_clear(&s.at);
  up_ctx_free(s.c);
  return o;
}
