/* Programs as terms: what does not depend on how numbers are represented. */
#include "z3enc.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* Z3 walks terms with its own stack in most places, not in all. */
#define MAX_SLOTS 20000u

static bool is_bool(const z3_enc *e, uint32_t slot) { return e->p->ins[slot].type.is_bool; }

Z3_ast z3_slot_number(z3_enc *e, uint32_t slot) {
  if (!is_bool(e, slot)) return e->value[slot];
  return z3_ite(e->z, e->value[slot], z3_num(e, 1), z3_num(e, 0));
}

static Z3_ast slot_truth(z3_enc *e, uint32_t slot) {
  if (is_bool(e, slot)) return e->value[slot];
  return z3_1(e->z, Z3_mk_not, z3_2(e->z, Z3_mk_eq, e->value[slot], z3_num(e, 0)));
}

static Z3_ast all_of(z3_enc *e, Z3_ast a, Z3_ast b) { return z3_n2(e->z, Z3_mk_and, a, b); }
static Z3_ast any_of(z3_enc *e, Z3_ast a, Z3_ast b) { return z3_n2(e->z, Z3_mk_or, a, b); }
static Z3_ast negate(z3_enc *e, Z3_ast a) { return z3_1(e->z, Z3_mk_not, a); }

/* ---- bools ----------------------------------------------------------------------------------- */

/* A strict op on bools with a bool result: the truth table of "exact result is not 0" over 0 and 1.
 * Where it is undefined the table may say anything; x//0 and x%0 are as wrap has them. */
static Z3_ast bool_op(z3_enc *e, up_op op, Z3_ast a, Z3_ast b, Z3_ast c) {
  switch (op) {
  case UP_AND:
  case UP_MUL:
  case UP_IDIV:
  case UP_FLOORDIV: return all_of(e, a, b); /* 1//1 = 1, 0//1 = 0, x//0 = 0 */
  case UP_OR:
  case UP_ADD:
  case UP_MAX: return any_of(e, a, b);
  case UP_XOR:
  case UP_SUB:
  case UP_CMPNE: return z3_2(e->z, Z3_mk_xor, a, b);
  case UP_CMPEQ: return z3_2(e->z, Z3_mk_eq, a, b);
  case UP_CMPLT: return all_of(e, negate(e, a), b);
  case UP_MOD:
  case UP_FLOORMOD:                               /* x%1 = 0, x%0 = x */
  case UP_SHR: return all_of(e, a, negate(e, b)); /* x>>1 = 0 */
  case UP_MULACC: return any_of(e, all_of(e, a, b), c);
  default: return a; /* SHL keeps the truth; NEG, TRUNC, CAST, BITCAST */
  }
}

static bool all_bool(const z3_enc *e, const pr_ins *d) {
  for (unsigned i = 0; i < d->nsrc; i++) {
    if (!is_bool(e, d->src[i])) return false;
  }
  return true;
}

static Z3_ast compare(z3_enc *e, up_op op, Z3_ast a, Z3_ast b) {
  if (op == UP_CMPLT) return a && b ? e->arith->less(e, a, b) : NULL;
  Z3_ast same = z3_2(e->z, Z3_mk_eq, a, b);
  return op == UP_CMPEQ ? same : negate(e, same);
}

/* ---- definedness ----------------------------------------------------------------------------- */

/* NULL stands for "always" in conditions, so failures go through the session's error alone. */
static Z3_ast both(z3_enc *e, Z3_ast a, Z3_ast b) { return !a ? b : !b ? a : all_of(e, a, b); }

static Z3_ast or_true(z3_enc *e, Z3_ast a) { return a ? a : z3_keep(e->z, Z3_mk_true(e->z->ctx)); }

static Z3_ast inherited(z3_enc *e, const pr_ins *d) {
  Z3_ast r = NULL;
  if (d->op != UP_WHERE) {
    for (unsigned i = 0; i < d->nsrc; i++) r = both(e, r, e->defined[d->src[i]]);
    return r;
  }
  Z3_ast t = e->defined[d->src[1]], f = e->defined[d->src[2]];
  if (t || f) r = z3_ite(e->z, slot_truth(e, d->src[0]), or_true(e, t), or_true(e, f));
  return both(e, e->defined[d->src[0]], r);
}

static Z3_ast within(z3_enc *e, Z3_ast a, or_i128 lo, or_i128 hi) {
  if (!a) return NULL;
  Z3_ast low = negate(e, e->arith->less(e, a, z3_num(e, lo)));
  return all_of(e, low, negate(e, e->arith->less(e, z3_num(e, hi), a)));
}

static Z3_ast define(z3_enc *e, const pr_ins *d, Z3_ast exact) {
  if (!(d->flags & PR_UNDEF)) return NULL;
  Z3_ast r = inherited(e, d);
  if (d->flags & PR_ZERO) r = both(e, r, slot_truth(e, d->src[1]));
  if (d->flags & PR_SHIFT) {
    Z3_ast amount = z3_slot_number(e, d->src[1]);
    Z3_ast ok = negate(e, e->arith->less(e, amount, z3_num(e, 0)));
    pr_range r1 = z3_range(e, d, 1);
    if (e->p->frame == OR_REFINE && r1.hi >= (or_i128)d->type.bits)
      ok = all_of(e, ok, e->arith->less(e, amount, z3_num(e, (or_i128)d->type.bits)));
    r = both(e, r, ok);
  }
  if (d->flags & PR_CHECK) r = both(e, r, within(e, exact, fr_min(d->type), fr_max(d->type)));
  return r;
}

/* ---- slots ----------------------------------------------------------------------------------- */

static Z3_ast const_number(z3_enc *e, const pr_ins *d) {
  if (!(d->flags & PR_HUGE)) return z3_num(e, d->number);
  return z3_digits(e->z, e->sort, e->width, e->p->huge[d->var], 16);
}

static Z3_ast exact_number(z3_enc *e, const pr_ins *d) {
  if (d->op == UP_CONST) return const_number(e, d);
  if (d->nsrc == 0) return e->arith->variable(e, d);
  Z3_ast v[3] = {NULL, NULL, NULL};
  for (unsigned i = 0; i < d->nsrc; i++) v[i] = z3_slot_number(e, d->src[i]);
  if (d->op == UP_WHERE) return z3_ite(e->z, slot_truth(e, d->src[0]), v[1], v[2]);
  for (unsigned i = 0; i < d->nsrc; i++) {
    if (!v[i]) return NULL;
  }
  return e->arith->exact(e, d, v);
}

static Z3_ast bool_value(z3_enc *e, const pr_ins *d) {
  if (d->op == UP_CONST)
    return z3_keep(e->z, d->number != 0 ? Z3_mk_true(e->z->ctx) : Z3_mk_false(e->z->ctx));
  if (d->op == UP_WHERE && is_bool(e, d->src[1]) && is_bool(e, d->src[2]))
    return z3_ite(e->z, slot_truth(e, d->src[0]), e->value[d->src[1]], e->value[d->src[2]]);
  if (d->nsrc > 0 && d->op != UP_WHERE && all_bool(e, d))
    return bool_op(e, (up_op)d->op, e->value[d->src[0]], d->nsrc > 1 ? e->value[d->src[1]] : NULL,
                   d->nsrc > 2 ? e->value[d->src[2]] : NULL);
  if (up_op_in((up_op)d->op, UP_G_COMPARE))
    return compare(e, (up_op)d->op, z3_slot_number(e, d->src[0]), z3_slot_number(e, d->src[1]));
  Z3_ast n = exact_number(e, d);
  return negate(e, z3_2(e->z, Z3_mk_eq, n, z3_num(e, 0)));
}

/* ---- degrees --------------------------------------------------------------------------------- */

static uint32_t added(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }
static uint32_t greater(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* What an op does to the degrees x of its operands. A quotient and a remainder are unknowns of their
 * own, held to a = b*q + r. */
static uint32_t degree_of(z3_enc *e, const pr_ins *d, const uint32_t x[3]) {
  switch ((up_op)d->op) {
  case UP_CONST: return 0;
  case UP_MUL: return added(x[0], x[1]);
  case UP_MULACC: return greater(added(x[0], x[1]), x[2]);
  case UP_IDIV:
  case UP_MOD:
  case UP_FLOORDIV:
  case UP_FLOORMOD: e->steepest = greater(e->steepest, added(x[1], 1)); return 1;
  case UP_SHR:
  case UP_AND:
  case UP_OR:
  case UP_XOR: return 1;
  default: return d->nsrc == 0 || d->type.is_bool ? 1 : greater(greater(x[0], x[1]), x[2]);
  }
}

static void count_degree(z3_enc *e, uint32_t slot) {
  const pr_ins *d = &e->p->ins[slot];
  uint32_t x[3] = {0, 0, 0};
  for (unsigned i = 0; i < d->nsrc; i++) x[i] = e->degree[d->src[i]];
  uint32_t exact = degree_of(e, d, x);
  e->steepest = greater(e->steepest, exact);
  bool reduced = (d->flags & PR_REDUCE) && !(d->flags & PR_CHECK);
  e->degree[slot] = reduced && exact > 1 ? 1 : exact;
}

bool z3_encode_slot(z3_enc *e, uint32_t slot) {
  const pr_ins *d = &e->p->ins[slot];
  if (e->width == 0) count_degree(e, slot);
  if (d->type.is_bool) {
    e->value[slot] = bool_value(e, d);
    e->defined[slot] = define(e, d, NULL);
  } else {
    Z3_ast exact = exact_number(e, d);
    e->defined[slot] = define(e, d, exact);
    bool reduce = (d->flags & PR_REDUCE) && !(d->flags & PR_CHECK);
    e->value[slot] = exact && reduce ? e->arith->reduce(e, d->type, exact) : exact;
  }
  return e->value[slot] != NULL && e->cannot == NULL && e->z->error[0] == 0;
}

static void assert_assumptions(z3_enc *e) {
  for (uint32_t i = 0; i < e->p->nassume; i++) {
    uint32_t s = e->p->assume[i];
    z3_assert(e->z, e->value[s]);
    if (e->defined[s]) z3_assert(e->z, e->defined[s]);
  }
}

void z3_enc_free(z3_enc *e) {
  free(e->value);
  free(e->defined);
  free(e->constant);
  free(e->constant_width);
  free(e->degree);
}

bool z3_encode(z3_enc *e, z3_session *z, const pr_program *p, const z3_arith *arith) {
  *e = (z3_enc){.z = z, .p = p, .arith = arith};
  if (p->n > MAX_SLOTS) {
    e->cannot = "a graph too large for the solver";
    return false;
  }
  if (arith == &z3_bits) {
    /* one bit more than needed when only bools are there: widths start at 2 */
    e->width = p->bits < 2 ? 2 : p->bits;
    if (p->bits > PR_MAX_BITS) e->cannot = "values of no known width";
  }
  if (e->cannot) return false;
  e->sort = e->width != 0 ? Z3_mk_bv_sort(z->ctx, e->width) : Z3_mk_int_sort(z->ctx);
  e->value = calloc(p->n + 1, sizeof *e->value);
  e->defined = calloc(p->n + 1, sizeof *e->defined);
  e->constant = calloc(p->nvar + 1, sizeof *e->constant);
  e->constant_width = calloc(p->nvar + 1, sizeof *e->constant_width);
  e->degree = calloc(p->n + 1, sizeof *e->degree);
  if (!e->value || !e->defined || !e->constant || !e->constant_width || !e->degree) return false;
  for (uint32_t i = 0; i < p->n; i++) {
    if (!z3_encode_slot(e, i)) return false;
  }
  assert_assumptions(e);
  return z->error[0] == 0;
}

/* ---- the question ---------------------------------------------------------------------------- */

static Z3_ast pair_fails(z3_enc *e, pr_pair r) {
  bool bools = is_bool(e, r.a) && is_bool(e, r.b);
  Z3_ast a = bools ? e->value[r.a] : z3_slot_number(e, r.a);
  Z3_ast b = bools ? e->value[r.b] : z3_slot_number(e, r.b);
  Z3_ast f = negate(e, z3_2(e->z, Z3_mk_eq, a, b));
  if (e->defined[r.b]) f = any_of(e, f, negate(e, e->defined[r.b]));
  return both(e, e->defined[r.a], f);
}

/* The claim is not settled: an end of it is inside the slot's interval, or all of it outside. The
 * ends that are asked about lie inside the slot's interval, so that they fit in its width. */
static Z3_ast claim_fails(z3_enc *e, uint32_t slot, pr_range claim) {
  pr_range v = e->p->ins[slot].value;
  Z3_ast n = z3_slot_number(e, slot), f = NULL;
  if (claim.lo > v.hi || claim.hi < v.lo) f = or_true(e, NULL);
  if (!f && claim.lo > v.lo) f = n ? e->arith->less(e, n, z3_num(e, claim.lo)) : NULL;
  if (claim.lo <= v.hi && claim.hi >= v.lo && claim.hi < v.hi) {
    Z3_ast above = n ? e->arith->less(e, z3_num(e, claim.hi), n) : NULL;
    f = f ? any_of(e, f, above) : above;
  }
  return f ? both(e, e->defined[slot], f) : NULL;
}

static bool assert_question(z3_enc *e, const sv_question *t) {
  Z3_ast any = NULL;
  for (uint32_t i = 0; i < t->root_limit; i++) {
    if (pr_settled(t->p, t->claim, i)) continue;
    Z3_ast f =
        t->claim ? claim_fails(e, t->p->root[i].a, t->claim[i]) : pair_fails(e, t->p->root[i]);
    if (f) any = any ? any_of(e, any, f) : f;
  }
  if (any) z3_assert(e->z, any);
  return any != NULL;
}

static or_found read_model(z3_enc *e, mpz_t *value) {
  Z3_model m = z3_model(e->z);
  if (!m) return OR_BROKEN;
  bool ok = true;
  for (uint32_t i = 0; ok && i < e->p->nvar; i++)
    ok = z3_model_value(e->z, m, e->constant[i], e->constant_width[i], value[i]);
  Z3_model_dec_ref(e->z->ctx, m);
  return ok ? OR_FOUND : OR_BROKEN;
}

/* Asserts the question. CLEAN: nothing is asked; FOUND: it waits for an answer. */
static or_found pose(z3_enc *e, z3_session *z, const sv_question *q, char *why) {
  if (!z3_encode(e, z, q->p, e->arith)) {
    snprintf(why, 120, "%s", e->cannot ? e->cannot : z->error[0] ? z->error : "no memory");
    return e->cannot ? OR_SKIPPED : OR_BROKEN;
  }
  return !assert_question(e, q) && z->error[0] == 0 ? OR_CLEAN : OR_FOUND;
}

static or_found answer(z3_enc *e, z3_session *z, mpz_t *value, char *why) {
  or_found f = OR_BROKEN;
  switch (z3_check(z, why)) {
  case Z3_NO_MODEL: return OR_CLEAN;
  case Z3_GAVE_UP: return OR_GAVE_UP;
  case Z3_MODEL: f = read_model(e, value); break;
  default: break;
  }
  if (f == OR_BROKEN) snprintf(why, 120, "%s", z->error);
  return f;
}

/* What solvers do before they count anything is not begun where it is far beyond the limit. Z3 makes
 * the bits of a product or quotient, in some 50 microseconds a one-bit product, and expands
 * polynomials: from some degree on for minutes, or hours. */
#define MOST_DEGREE 32u

static or_found within_limit(const z3_enc *e, const sv_question *q, char *why) {
  if (q->rlimit == 0) return OR_FOUND;
  if (e->products > q->rlimit)
    snprintf(why, 120, "its products have more bits than the resource limit allows");
  else if (e->steepest > MOST_DEGREE)
    snprintf(why, 120, "a polynomial of degree %u%s", e->steepest,
             e->steepest == UINT32_MAX ? " or more" : "");
  else
    return OR_FOUND;
  return OR_GAVE_UP;
}

or_found z3_ask(z3_session *z, const sv_question *q, mpz_t *value, bool *guess, char *why) {
  z3_enc e = {.arith = q->bits ? &z3_bits : &z3_ints};
  if (!z3_begin(z, q->rlimit)) {
    snprintf(why, 120, "%s", z->error);
    return OR_BROKEN;
  }
  or_found f = pose(&e, z, q, why);
  if (f == OR_FOUND) f = within_limit(&e, q, why);
  if (f == OR_FOUND) f = answer(&e, z, value, why);
  *guess = e.abstract;
  z3_enc_free(&e);
  return f;
}

or_found z3_write(z3_session *z, const sv_question *q, up_buf *out, bool *guess, char *why) {
  z3_enc e = {.arith = q->bits ? &z3_bits : &z3_ints};
  snprintf(why, 120, "%s", z->error);
  or_found f = z3_begin(z, 1) && z3_keep_text(z) ? pose(&e, z, q, why) : OR_BROKEN;
  if (f == OR_FOUND) f = within_limit(&e, q, why);
  if (f == OR_FOUND && !z3_text(z, out)) f = OR_BROKEN;
  if (f == OR_BROKEN && z->error[0] != 0) snprintf(why, 120, "%s", z->error);
  *guess = e.abstract;
  z3_enc_free(&e);
  return f;
}
