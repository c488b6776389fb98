/* Terms of an instance as bit-vectors, by the words of oracle/frame.h, in wrap and refine. */
#include "bits.h"

#include <assert.h>
#include <stdio.h>

fr_type bv_type(const bv_enc *e, pf_id t) {
  fr_type type = {0};
  bool known = fr_type_of(up_dt(e->i->term[t].type), &type);
  assert(known);
  (void)known;
  return type;
}

bv_num bv_term_number(bv_enc *e, pf_id t) {
  return bv_of_bits(e, bv_type(e, t), bv_term(e, t).value);
}

static Z3_ast no_term(bv_enc *e, const char *what) {
  if (!e->unsupported) e->unsupported = what;
  return NULL;
}

static Z3_ast zero(bv_enc *e, fr_type t) {
  if (t.is_bool) return z3_keep(e->z, Z3_mk_false(e->z->ctx));
  return z3_number(e->z, Z3_mk_bv_sort(e->z->ctx, t.bits), t.bits, 0);
}

static Z3_ast is_zero(bv_enc *e, fr_type t, Z3_ast a) {
  return t.is_bool ? bv_not(e, a) : z3_2(e->z, Z3_mk_eq, a, zero(e, t));
}

/* ---- bools -------------------------------------------------------------------------------------- */

/* A bool result is whether the exact result on 0 and 1 is not 0. v: Bools. */
static Z3_ast bool_op(bv_enc *e, up_op op, const Z3_ast v[3]) {
  switch (op) {
  case UP_ADD:
  case UP_MAX:
  case UP_OR: return bv_or(e, v[0], v[1]);
  case UP_MUL:
  case UP_IDIV: /* by 0: 0 */
  case UP_FLOORDIV:
  case UP_AND: return bv_and(e, v[0], v[1]);
  case UP_SUB:
  case UP_XOR: return z3_2(e->z, Z3_mk_xor, v[0], v[1]);
  case UP_MOD:
  case UP_FLOORMOD: return bv_and(e, v[0], bv_not(e, v[1])); /* by 0: the dividend */
  case UP_MULACC: return bv_or(e, bv_and(e, v[0], v[1]), v[2]);
  case UP_NEG:
  case UP_TRUNC: return v[0];
  default: return no_term(e, "an op that has no meaning on bools");
  }
}

/* ---- integers, operands of the result's width ---------------------------------------------------- */

static Z3_ast less(bv_enc *e, fr_type t, Z3_ast a, Z3_ast b) {
  return z3_2(e->z, t.is_signed ? Z3_mk_bvslt : Z3_mk_bvult, a, b);
}

/* A function of the op's name; a symmetric one has its operands in one order. */
static Z3_ast function_of(bv_enc *e, up_op op, fr_type t, Z3_ast a, Z3_ast b) {
  Z3_context c = e->z->ctx;
  if (!a || !b) return NULL;
  char name[32];
  snprintf(name, sizeof name, "%s-%c%u", up_op_name(op), t.is_signed ? 's' : 'u', t.bits);
  Z3_sort sort = Z3_mk_bv_sort(c, t.bits), domain[2] = {sort, sort};
  Z3_func_decl f = Z3_mk_func_decl(c, Z3_mk_string_symbol(c, name), 2, domain, sort);
  bool turn = op == UP_MUL && Z3_get_ast_id(c, b) < Z3_get_ast_id(c, a);
  Z3_ast pair[2] = {turn ? b : a, turn ? a : b};
  return f ? z3_keep(e->z, Z3_mk_app(c, f, 2, pair)) : z3_keep(e->z, NULL);
}

static Z3_ast divide(bv_enc *e, up_op op, fr_type t, Z3_ast a, Z3_ast b) {
  Z3_ast r = op == UP_IDIV ? z3_2(e->z, t.is_signed ? Z3_mk_bvsdiv : Z3_mk_bvudiv, a, b)
                           : z3_2(e->z, t.is_signed ? Z3_mk_bvsrem : Z3_mk_bvurem, a, b);
  if (e->frame == OR_REFINE) return r;
  return z3_ite(e->z, is_zero(e, t, b), op == UP_IDIV ? zero(e, t) : a, r);
}

/* Toward minus infinity: bvsmod has the divisor's sign, and the quotient is one less where bvsrem is
 * not 0 and the signs are apart. */
static Z3_ast floored(bv_enc *e, up_op op, fr_type t, Z3_ast a, Z3_ast b) {
  if (!t.is_signed) return divide(e, op == UP_FLOORDIV ? UP_IDIV : UP_MOD, t, a, b);
  Z3_ast r = z3_2(e->z, Z3_mk_bvsmod, a, b), none = zero(e, t);
  if (op == UP_FLOORDIV) {
    Z3_ast left = bv_not(e, is_zero(e, t, z3_2(e->z, Z3_mk_bvsrem, a, b)));
    Z3_ast apart = z3_2(e->z, Z3_mk_xor, less(e, t, a, none), less(e, t, b, none));
    Z3_ast one = z3_number(e->z, Z3_mk_bv_sort(e->z->ctx, t.bits), t.bits, 1);
    r = z3_2(e->z, Z3_mk_bvsdiv, a, b);
    r = z3_ite(e->z, bv_and(e, left, apart), z3_2(e->z, Z3_mk_bvsub, r, one), r);
  }
  if (e->frame == OR_REFINE) return r;
  return z3_ite(e->z, is_zero(e, t, b), op == UP_FLOORDIV ? none : a, r);
}

static Z3_ast int_op(bv_enc *e, up_op op, fr_type t, const Z3_ast v[3]) {
  if (e->functions && (op == UP_MUL || up_op_divides(op))) return function_of(e, op, t, v[0], v[1]);
  switch (op) {
  case UP_ADD: return z3_2(e->z, Z3_mk_bvadd, v[0], v[1]);
  case UP_SUB: return z3_2(e->z, Z3_mk_bvsub, v[0], v[1]);
  case UP_MUL: return z3_2(e->z, Z3_mk_bvmul, v[0], v[1]);
  case UP_MULACC: return z3_2(e->z, Z3_mk_bvadd, z3_2(e->z, Z3_mk_bvmul, v[0], v[1]), v[2]);
  case UP_NEG: return z3_1(e->z, Z3_mk_bvneg, v[0]);
  case UP_TRUNC: return v[0];
  case UP_MAX: return z3_ite(e->z, less(e, t, v[0], v[1]), v[1], v[0]);
  case UP_IDIV:
  case UP_MOD: return divide(e, op, t, v[0], v[1]);
  case UP_FLOORDIV:
  case UP_FLOORMOD: return floored(e, op, t, v[0], v[1]);
  case UP_AND: return z3_2(e->z, Z3_mk_bvand, v[0], v[1]);
  case UP_OR: return z3_2(e->z, Z3_mk_bvor, v[0], v[1]);
  case UP_XOR: return z3_2(e->z, Z3_mk_bvxor, v[0], v[1]);
  default: return no_term(e, "an op without meaning on integers");
  }
}

static Z3_ast both(bv_enc *e, Z3_ast (*make)(Z3_context, Z3_ast, Z3_ast, bool), bool is_signed,
                   Z3_ast a, Z3_ast b) {
  return a && b ? z3_keep(e->z, make(e->z->ctx, a, b, is_signed)) : NULL;
}

static Z3_ast sum_fits(bv_enc *e, Z3_ast a, Z3_ast b) {
  return bv_and(e, both(e, Z3_mk_bvadd_no_overflow, true, a, b),
                z3_2(e->z, Z3_mk_bvadd_no_underflow, a, b));
}

static Z3_ast product_fits(bv_enc *e, fr_type t, Z3_ast a, Z3_ast b) {
  if (e->standard)
    return bv_fits(e, t, bv_arith(e, EX_MUL, bv_of_bits(e, t, a), bv_of_bits(e, t, b)));
  if (!t.is_signed) return both(e, Z3_mk_bvmul_no_overflow, false, a, b);
  return bv_and(e, both(e, Z3_mk_bvmul_no_overflow, true, a, b),
                z3_2(e->z, Z3_mk_bvmul_no_underflow, a, b));
}

/* The exact result fits an unsigned type. */
static Z3_ast unsigned_fits(bv_enc *e, up_op op, fr_type t, const Z3_ast v[3]) {
  switch (op) {
  case UP_ADD: return both(e, Z3_mk_bvadd_no_overflow, false, v[0], v[1]);
  case UP_SUB: return bv_not(e, less(e, t, v[0], v[1]));
  case UP_MUL: return product_fits(e, t, v[0], v[1]);
  case UP_NEG: return is_zero(e, t, v[0]);
  case UP_MULACC: {
    bv_num p = bv_arith(e, EX_MUL, bv_of_bits(e, t, v[0]), bv_of_bits(e, t, v[1]));
    return bv_fits(e, t, bv_arith(e, EX_ADD, p, bv_of_bits(e, t, v[2])));
  }
  default: return NULL;
  }
}

/* In refine: is the op itself defined on defined operands? NULL: always. */
static Z3_ast int_defined(bv_enc *e, up_op op, fr_type t, const Z3_ast v[3]) {
  Z3_ast nonzero = NULL;
  if (up_op_divides(op)) nonzero = bv_not(e, is_zero(e, t, v[1]));
  if (!t.is_signed || !fr_overflow_undefined(op)) return nonzero;
  if (e->functions && op == UP_MUL) /* whether it fits, too */
    return z3_2(e->z, Z3_mk_eq, zero(e, t), function_of(e, UP_MULACC, t, v[0], v[1]));
  switch (op) {
  case UP_ADD: return sum_fits(e, v[0], v[1]);
  case UP_SUB:
    return bv_and(e, z3_2(e->z, Z3_mk_bvsub_no_overflow, v[0], v[1]),
                  both(e, Z3_mk_bvsub_no_underflow, true, v[0], v[1]));
  case UP_MUL: return product_fits(e, t, v[0], v[1]);
  case UP_NEG: return z3_1(e->z, Z3_mk_bvneg_no_overflow, v[0]);
  case UP_IDIV:
  case UP_FLOORDIV: return bv_and(e, nonzero, z3_2(e->z, Z3_mk_bvsdiv_no_overflow, v[0], v[1]));
  default: {
    assert(op == UP_MULACC);
    /* the exact a*b+c may fit though a*b does not */
    bv_num n = bv_arith(e, EX_MUL, (bv_num){v[0], t.bits}, (bv_num){v[1], t.bits});
    return bv_fits(e, t, bv_arith(e, EX_ADD, n, (bv_num){v[2], t.bits}));
  }
  }
}

/* ---- shifts, whose operands may have other widths -------------------------------------------------- */

typedef struct shift_parts {
  Z3_ast negative, wide; /* the amount: below 0; the width of the result or more */
  bv_num a, b, result;   /* in one width; b is read without a sign */
} shift_parts;

static shift_parts shift_of(bv_enc *e, up_op op, bv_num a, bv_num b, fr_type t) {
  unsigned w = a.width > b.width ? a.width : b.width;
  if (w < t.bits + 1) w = t.bits + 1;
  shift_parts s = {.a = bv_widen(e, a, w), .b = bv_widen(e, b, w)};
  s.negative = bv_less(e, b, bv_int(e, 0));
  s.wide = bv_not(e, bv_less(e, b, bv_int(e, (int64_t)t.bits)));
  s.result = (bv_num){z3_2(e->z, op == UP_SHL ? Z3_mk_bvshl : Z3_mk_bvashr, s.a.ast, s.b.ast), w};
  return s;
}

/* The exact a * 2^b fits when shifting back gives a again. NULL: always. */
static Z3_ast shift_fits(bv_enc *e, up_op op, fr_type t, const shift_parts *s, Z3_ast value) {
  if (op != UP_SHL || t.is_bool) return NULL;
  bv_num wide = bv_widen(e, bv_of_bits(e, t, value), s->b.width);
  bv_num back = {z3_2(e->z, Z3_mk_bvashr, wide.ast, s->b.ast), s->b.width};
  return bv_equal(e, back, s->a);
}

static bv_value shift(bv_enc *e, const pf_term *d, fr_type t) {
  shift_parts s = shift_of(e, d->op, bv_term_number(e, d->kid[0]), bv_term_number(e, d->kid[1]), t);
  if (d->op == UP_SHL && t.is_bool) s.result = s.a; /* its truth stays */
  bv_value r = {.value = bv_reduce(e, t, s.result)};
  Z3_ast inside = bv_not(e, bv_or(e, s.negative, s.wide));
  Z3_ast fits = shift_fits(e, d->op, t, &s, r.value);
  e->valued = bv_and(e, e->valued, inside);
  e->strict = bv_and(e, e->strict, bv_and(e, inside, fits));
  if (e->frame == OR_REFINE)
    r.defined = bv_and(e, inside, t.is_signed ? fits : NULL);
  else
    r.value = z3_ite(e->z, s.negative, zero(e, t), r.value);
  return r;
}

/* ---- the other ops --------------------------------------------------------------------------------- */

/* Compares values, whatever the dtypes. */
static Z3_ast comparison(bv_enc *e, const pf_term *d) {
  fr_type ta = bv_type(e, d->kid[0]), tb = bv_type(e, d->kid[1]);
  Z3_ast a = bv_term(e, d->kid[0]).value, b = bv_term(e, d->kid[1]).value;
  bool alike = ta.bits == tb.bits && ta.is_signed == tb.is_signed;
  bv_num na = bv_term_number(e, d->kid[0]), nb = bv_term_number(e, d->kid[1]);
  if (d->op == UP_CMPLT) {
    if (alike && ta.is_bool) return bv_and(e, bv_not(e, a), b);
    return alike ? less(e, ta, a, b) : bv_less(e, na, nb);
  }
  Z3_ast equal = alike ? z3_2(e->z, Z3_mk_eq, a, b) : bv_equal(e, na, nb);
  return d->op == UP_CMPEQ ? equal : bv_not(e, equal);
}

/* The arm that is left where the condition is made true or false; PF_NIL: both are. */
static pf_id only_arm(const bv_enc *e, const pf_term *d) {
  if (d->kid[0] == e->truth) return d->kid[1];
  return d->kid[0] == e->zero ? d->kid[2] : PF_NIL;
}

static bv_value where(bv_enc *e, const pf_term *d, fr_type t) {
  pf_id arm = only_arm(e, d);
  if (arm != PF_NIL) {
    bool alike = e->i->term[arm].type == d->type;
    Z3_ast value = alike ? bv_term(e, arm).value : bv_reduce(e, t, bv_term_number(e, arm));
    return (bv_value){value, bv_and(e, bv_term(e, d->kid[0]).defined, bv_term(e, arm).defined)};
  }
  bv_value c = bv_term(e, d->kid[0]), x = bv_term(e, d->kid[1]), y = bv_term(e, d->kid[2]);
  fr_type tc = bv_type(e, d->kid[0]);
  Z3_ast cond = tc.is_bool ? c.value : bv_not(e, is_zero(e, tc, c.value));
  Z3_ast vx = bv_reduce(e, t, bv_term_number(e, d->kid[1]));
  Z3_ast vy = bv_reduce(e, t, bv_term_number(e, d->kid[2]));
  bv_value r = {z3_ite(e->z, cond, vx, vy), c.defined};
  if (!x.defined && !y.defined) return r;
  Z3_ast always = z3_keep(e->z, Z3_mk_true(e->z->ctx));
  Z3_ast taken = z3_ite(e->z, cond, x.defined ? x.defined : always, y.defined ? y.defined : always);
  r.defined = bv_and(e, c.defined, taken);
  return r;
}

static Z3_ast cast(bv_enc *e, const pf_term *d, fr_type t) {
  fr_type from = bv_type(e, d->kid[0]);
  if (d->op == UP_BITCAST && from.bits != t.bits)
    return no_term(e, "BITCAST between types of different size");
  return bv_reduce(e, t, bv_term_number(e, d->kid[0]));
}

/* Of a sum or product: one circuit, whichever way round a rule has it. That two circuits of products
 * are alike is out of a SAT solver's reach. */
static void in_one_order(bv_enc *e, up_op op, Z3_ast v[3]) {
  if ((op != UP_ADD && op != UP_MUL) || !v[0] || !v[1]) return;
  if (Z3_get_ast_id(e->z->ctx, v[0]) <= Z3_get_ast_id(e->z->ctx, v[1])) return;
  Z3_ast first = v[0];
  v[0] = v[1];
  v[1] = first;
}

static bv_value alu(bv_enc *e, const pf_term *d, fr_type t) {
  Z3_ast v[3] = {0};
  for (unsigned k = 0; k < d->nkid; k++) {
    v[k] = bv_term(e, d->kid[k]).value;
    /* operands of another dtype keep their value as far as the result has bits for it; for
     * division, remainder and MAX that is not enough */
    fr_type s = bv_type(e, d->kid[k]);
    if (s.bits == t.bits && s.is_signed == t.is_signed && s.is_bool == t.is_bool) continue;
    v[k] = no_term(e, "an op on mixed dtypes");
  }
  in_one_order(e, d->op, v);
  if (t.is_bool) {
    bool divides = up_op_divides(d->op);
    bv_value r = {.value = bool_op(e, d->op, v)};
    if (divides) {
      e->valued = bv_and(e, e->valued, v[1]);
      e->strict = bv_and(e, e->strict, v[1]);
    }
    if (e->frame == OR_REFINE && divides) r.defined = v[1];
    return r;
  }
  bv_value r = {.value = int_op(e, d->op, t, v)};
  if (!r.value) return r;
  Z3_ast defined = int_defined(e, d->op, t, v);
  if (up_op_divides(d->op)) e->valued = bv_and(e, e->valued, defined);
  e->strict = bv_and(e, e->strict, defined);
  if (!t.is_signed) e->strict = bv_and(e, e->strict, unsigned_fits(e, d->op, t, v));
  if (e->frame == OR_REFINE) r.defined = defined;
  return r;
}

/* From 0 to below its end. */
static bv_value range(bv_enc *e, const pf_term *d, fr_type t) {
  bv_value r = {bv_fresh(e, t.is_bool ? 0 : t.bits), bv_term(e, d->kid[0]).defined};
  bv_num v = bv_of_bits(e, t, r.value), end = bv_term_number(e, d->kid[0]);
  Z3_ast outside = bv_or(e, bv_less(e, v, bv_int(e, 0)), bv_not(e, bv_less(e, v, end)));
  e->premise = bv_and(e, e->premise, bv_not(e, outside));
  return r;
}

static bv_value op_term(bv_enc *e, const pf_term *d, fr_type t) {
  if (d->op == UP_WHERE) return where(e, d, t);
  if (d->op == UP_RANGE) return range(e, d, t);
  if (d->op == UP_BIND || d->op == UP_VECTORIZE) return bv_term(e, d->kid[0]);
  bv_value r = {0};
  if (!fr_is_alu(d->op))
    r.value = no_term(e, "an op that has no meaning in any frame");
  else if (d->op == UP_SHL || d->op == UP_SHR)
    r = shift(e, d, t);
  else if (d->op == UP_CAST || d->op == UP_BITCAST)
    r.value = cast(e, d, t);
  else if (d->op == UP_CMPLT || d->op == UP_CMPNE || d->op == UP_CMPEQ)
    r.value = comparison(e, d);
  else
    r = alu(e, d, t);
  for (unsigned k = 0; k < d->nkid; k++)
    r.defined = bv_and(e, r.defined, bv_term(e, d->kid[k]).defined);
  return r;
}

/* ---- leaves ------------------------------------------------------------------------------------------ */

/* Of a constant. fits: the exact number does; NULL: a bool. */
static bv_value finished(bv_enc *e, fr_type t, Z3_ast value, Z3_ast fits) {
  bv_value r = {.value = value};
  if (t.is_bool) return r;
  e->strict = bv_and(e, e->strict, fits);
  if (e->frame == OR_REFINE) r.defined = fits;
  return r;
}

static Z3_ast free_value(bv_enc *e, const pf_term *d, fr_type t) {
  bool is_zero = e->zero != PF_NIL && d == &e->i->term[e->zero];
  bool is_true = e->truth != PF_NIL && d == &e->i->term[e->truth];
  if (is_true) return z3_keep(e->z, Z3_mk_true(e->z->ctx));
  return is_zero ? zero(e, t) : bv_fresh(e, t.is_bool ? 0 : t.bits);
}

/* Lane by lane. */
static bv_exact computed(bv_enc *e, expr_id id) {
  e->by_lane = true;
  bv_exact x = bv_expr(e, id);
  e->by_lane = false;
  return x;
}

/* A computed constant a << b: any amount, of which the low bits are no wider for it. */
static bv_value shifted_constant(bv_enc *e, const expr *x, fr_type t) {
  bv_exact l = computed(e, x->kid[0]), r = computed(e, x->kid[1]);
  bv_num a = bv_number(e, l), b = bv_number(e, r);
  if (!a.ast || !b.ast) return (bv_value){0};
  e->premise =
      bv_and(e, e->premise, bv_and(e, bv_and(e, l.ok, r.ok), bv_not(e, bv_raises(e, EX_SHL, b))));
  shift_parts s = shift_of(e, UP_SHL, a, b, t);
  bv_value v = {.value = bv_reduce(e, t, t.is_bool ? s.a : s.result)};
  return finished(e, t, v.value, shift_fits(e, UP_SHL, t, &s, v.value));
}

static bv_value constant(bv_enc *e, const pf_term *d, fr_type t) {
  bv_num n;
  if (d->exact != EXPR_NIL) {
    const expr *top = expr_at(&e->i->book->exprs, d->exact);
    if (top->op == EX_SHL) return shifted_constant(e, top, t);
    bv_exact x = computed(e, d->exact);
    e->premise = bv_and(e, e->premise, x.ok);
    n = bv_number(e, x);
  } else if (d->literal) {
    n = bv_int(e, d->number);
  } else {
    return (bv_value){.value = free_value(e, d, t)};
  }
  if (!n.ast) return (bv_value){0};
  return finished(e, t, bv_reduce(e, t, n), t.is_bool ? NULL : bv_fits(e, t, n));
}

static bv_value any_node(bv_enc *e, const pf_term *d, fr_type t) {
  bv_value r = {.value = free_value(e, d, t)};
  bool variable = d->op == UP_DEFINE_VAR || d->op == UP_SPECIAL;
  if (e->frame == OR_REFINE && !variable) r.defined = bv_fresh(e, 0);
  return r;
}

/* As deep as the rule's text. */
bv_value bv_term(bv_enc *e, pf_id id) {
  if (e->term[id].value || e->cannot || e->unsupported) return e->term[id];
  const pf_term *d = &e->i->term[id];
  fr_type t = bv_type(e, id);
  bv_value r = d->kind == PF_ANY     ? any_node(e, d, t)
               : d->kind == PF_CONST ? constant(e, d, t)
                                     : op_term(e, d, t);
  return e->term[id] = r;
}
