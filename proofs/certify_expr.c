/* Conditions and computed constants, in 128 bits; what leaves them is declined. */
#include "certify.h"

typedef bool binary_fn(cf_int x, cf_int y, cf_int *out);

static bool add(cf_int x, cf_int y, cf_int *out) { return !__builtin_add_overflow(x, y, out); }
static bool sub(cf_int x, cf_int y, cf_int *out) { return !__builtin_sub_overflow(x, y, out); }
static bool mul(cf_int x, cf_int y, cf_int *out) { return !__builtin_mul_overflow(x, y, out); }

#define LEAST (-1 - (cf_int)(((unsigned __int128)1 << 127) - 1))

static bool divides_in_range(cf_int x, cf_int y) { return y != 0 && !(y == -1 && x == LEAST); }

static bool tdiv(cf_int x, cf_int y, cf_int *out) {
  if (!divides_in_range(x, y)) return false;
  *out = x / y;
  return true;
}

static bool tmod(cf_int x, cf_int y, cf_int *out) {
  if (!divides_in_range(x, y)) return false;
  *out = x % y;
  return true;
}

static bool floormod(cf_int x, cf_int y, cf_int *out) {
  if (!tmod(x, y, out)) return false;
  if (*out != 0 && (*out < 0) != (y < 0)) *out += y;
  return true;
}

static bool floordiv(cf_int x, cf_int y, cf_int *out) {
  cf_int r;
  if (!tdiv(x, y, out) || !tmod(x, y, &r)) return false;
  if (r != 0 && (r < 0) != (y < 0)) *out -= 1;
  return true;
}

static bool ceildiv(cf_int x, cf_int y, cf_int *out) {
  cf_int r;
  if (!tdiv(x, y, out) || !tmod(x, y, &r)) return false;
  if (r != 0 && (r < 0) == (y < 0)) *out += 1;
  return true;
}

static bool gcd(cf_int x, cf_int y, cf_int *out) {
  while (y != 0) {
    cf_int r;
    if (!tmod(x, y, &r)) return false;
    x = y;
    y = r;
  }
  *out = x < 0 ? -x : x;
  return true;
}

static bool shl(cf_int x, cf_int y, cf_int *out) {
  return y >= 0 && y < 64 && mul(x, (cf_int)1 << y, out);
}

/* toward minus infinity, as for Python's integers */
static bool shr(cf_int x, cf_int y, cf_int *out) {
  return y >= 0 && y < 64 && floordiv(x, (cf_int)1 << y, out);
}

static bool bits_and(cf_int x, cf_int y, cf_int *out) { return *out = x & y, true; }
static bool bits_or(cf_int x, cf_int y, cf_int *out) { return *out = x | y, true; }
static bool bits_xor(cf_int x, cf_int y, cf_int *out) { return *out = x ^ y, true; }
static bool least(cf_int x, cf_int y, cf_int *out) { return *out = y < x ? y : x, true; }
static bool most(cf_int x, cf_int y, cf_int *out) { return *out = y > x ? y : x, true; }
static bool lt(cf_int x, cf_int y, cf_int *out) { return *out = x < y, true; }
static bool le(cf_int x, cf_int y, cf_int *out) { return *out = x <= y, true; }
static bool gt(cf_int x, cf_int y, cf_int *out) { return *out = x > y, true; }
static bool ge(cf_int x, cf_int y, cf_int *out) { return *out = x >= y, true; }
static bool eq(cf_int x, cf_int y, cf_int *out) { return *out = x == y, true; }
static bool ne(cf_int x, cf_int y, cf_int *out) { return *out = x != y, true; }

static binary_fn *binary_of(ex_op op) {
  switch (op) {
  case EX_ADD: return add;
  case EX_SUB: return sub;
  case EX_MUL: return mul;
  case EX_TDIV: return tdiv;
  case EX_TMOD: return tmod;
  case EX_BITAND: return bits_and;
  case EX_BITOR: return bits_or;
  case EX_BITXOR: return bits_xor;
  case EX_SHL: return shl;
  case EX_SHR: return shr;
  case EX_LT: return lt;
  case EX_LE: return le;
  case EX_GT: return gt;
  case EX_GE: return ge;
  case EX_EQ: return eq;
  case EX_NE: return ne;
  case EX_FLOORDIV: return floordiv;
  case EX_FLOORMOD: return floormod;
  case EX_CEILDIV: return ceildiv;
  case EX_GCD: return gcd;
  case EX_MIN: return least;
  case EX_MAX: return most;
  default: return NULL;
  }
}

bool cf_alu(up_op op, cf_int x, cf_int y, cf_int *out) {
  static const struct {
    up_op op;
    ex_op as;
  } same[] = {{UP_ADD, EX_ADD},          {UP_SUB, EX_SUB},  {UP_MUL, EX_MUL},
              {UP_IDIV, EX_TDIV},        {UP_MOD, EX_TMOD}, {UP_MAX, EX_MAX},
              {UP_AND, EX_BITAND},       {UP_OR, EX_BITOR}, {UP_XOR, EX_BITXOR},
              {UP_SHL, EX_SHL},          {UP_SHR, EX_SHR},  {UP_CMPLT, EX_LT},
              {UP_CMPNE, EX_NE},         {UP_CMPEQ, EX_EQ}, {UP_FLOORDIV, EX_FLOORDIV},
              {UP_FLOORMOD, EX_FLOORMOD}};
  for (unsigned i = 0; i < sizeof same / sizeof *same; i++)
    if (same[i].op == op) return binary_of(same[i].as)(x, y, out);
  return false;
}

/* ---- nodes -------------------------------------------------------------------------------------- */

static bool of_bounds(cf_match *m, ex_op op, up_node n, cf_int *out) {
  cf_range r;
  if (!cf_bounds(m->k, m->c, n, &r)) return false;
  *out = op == EX_VMIN || op == EX_SRC_VMIN ? r.lo : r.hi;
  return true;
}

static bool of_sources(cf_match *m, ex_op op, up_node n, cf_int *out) {
  uint32_t nsrc = up_nsrc(m->c, n);
  for (uint32_t i = 0; i < nsrc; i++) {
    cf_int v;
    if (!of_bounds(m, op, up_src(m->c, n, i), &v)) return false;
    if (i == 0 || (op == EX_SRC_VMIN ? v < *out : v > *out)) *out = v;
  }
  return nsrc > 0;
}

/* Number i of a list arg of this length. */
static bool of_arg(const cf_match *m, up_node n, uint32_t len, uint32_t i, cf_int *out) {
  up_arg a = up_arg_of(m->c, n);
  if (up_arg_kind_of(m->c, a) != UP_A_LIST || up_arg_len(m->c, a) != len) return false;
  up_arg v = up_arg_at(m->c, a, i);
  up_arg_kind kind = up_arg_kind_of(m->c, v);
  if (kind != UP_A_INT && kind != UP_A_BOOL) return false;
  up_val val = up_arg_val(m->c, v);
  *out = val.i.lo;
  return up_int_fits(val.i);
}

static bool of_dtype(ex_op op, up_dtype d, cf_int *out) {
  if (up_dt_is_ptr(d) || up_dt_count(d) != 1) return false;
  if (!up_dt_is_int(d) && !up_dt_is_bool(d)) return false;
  bool is_signed = up_dt_is_signed(d);
  unsigned bits = up_dt_bits(d) - is_signed;
  cf_int top = (cf_int)1 << bits;
  *out = op == EX_DTYPE_MAX || op == EX_SCALAR_MAX ? top - 1 : is_signed ? -top : 0;
  return true;
}

static bool of_node(cf_match *m, const expr *x, cf_int *out) {
  up_ctx *c = m->c;
  up_node a = m->slot[x->a], b = x->b >= 0 ? m->slot[x->b] : UP_NONE;
  if (up_is_none(a)) return false;
  switch ((ex_op)x->op) {
  case EX_VALUE:
  case EX_LANE_MIN:
  case EX_LANE_MAX: return cf_constant(c, a, out);
  case EX_VMIN:
  case EX_VMAX: return of_bounds(m, (ex_op)x->op, a, out);
  case EX_SRC_VMIN:
  case EX_SRC_VMAX: return of_sources(m, (ex_op)x->op, a, out);
  case EX_VAR_MIN: return of_arg(m, a, 3, 1, out);
  case EX_VAR_MAX: return of_arg(m, a, 3, 2, out);
  case EX_SPECIAL_SIZE: return of_arg(m, a, 2, 1, out);
  case EX_DTYPE_MIN:
  case EX_DTYPE_MAX:
  case EX_SCALAR_MIN:
  case EX_SCALAR_MAX: return of_dtype((ex_op)x->op, up_dtype_of(c, a), out);
  case EX_COUNT: return *out = up_dt_count(up_dtype_of(c, a)), true;
  case EX_NSRC: return *out = up_nsrc(c, a), true;
  case EX_SAME: return *out = up_same(a, b), true;
  case EX_SAME_DTYPE: return *out = up_dtype_of(c, a) == up_dtype_of(c, b), true;
  case EX_SAME_OP: return *out = up_op_of(c, a) == up_op_of(c, b), true;
  case EX_HAS_DTYPE: return *out = dtset_has(x->dt, up_dtype_of(c, a)), true;
  case EX_HAS_OP: return *out = opset_has(&x->ops, up_op_of(c, a)), true;
  case EX_BEFORE: return *out = 1, true; /* proofs give it no meaning: any answer will do */
  default: return false;
  }
}

/* ---- the tree, as deep as its text ---------------------------------------------------------------- */

static bool of_logic(cf_match *m, const expr *x, cf_int *out) {
  if (!cf_eval(m, x->kid[0], out)) return false;
  if (x->op == EX_NOT) return *out = *out == 0, true;
  if ((*out != 0) == (x->op == EX_OR)) return true;
  return cf_eval(m, x->kid[1], out);
}

bool cf_eval(cf_match *m, expr_id id, cf_int *out) {
  const expr *x = expr_at(&m->book->exprs, id);
  cf_int l, r;
  switch ((ex_op)x->op) {
  case EX_INT: return *out = x->ival, true;
  case EX_AND:
  case EX_OR:
  case EX_NOT: return of_logic(m, x, out);
  case EX_NEG: return cf_eval(m, x->kid[0], &l) && sub(0, l, out);
  case EX_ABS: return cf_eval(m, x->kid[0], &l) && (l < 0 ? sub(0, l, out) : (*out = l, true));
  case EX_FINITE:
  case EX_EXACT:
    return cf_eval(m, x->kid[0], &l) && (*out = 1, true); /* there are no floats here */
  default: break;
  }
  if (x->op >= EX_LIST_LT && x->op <= EX_LIST_NE) {
    binary_fn *compare = binary_of((ex_op)(x->op - EX_LIST_LT + EX_LT));
    return cf_constant(m->c, m->slot[x->a], &l) && cf_constant(m->c, m->slot[x->b], &r) &&
           compare(l, r, out);
  }
  if (x->op >= EX_VMIN || x->op == EX_VALUE) return of_node(m, x, out);
  binary_fn *fn = binary_of((ex_op)x->op);
  return fn && cf_eval(m, x->kid[0], &l) && cf_eval(m, x->kid[1], &r) && fn(l, r, out);
}
