/* Constant folding through exec_alu. Source: symbolic_simple's rule "constant folding" and
 * `exec_alu`: a scalar is not reduced to its dtype, the lanes of a vector are. */
#include "native.h"
#include <stdlib.h>
#include <string.h>

#define MAX_OPERANDS 3u

static bool is_constant(const up_ctx *c, up_node n) {
  return up_op_of(c, n) == UP_CONST || up_op_of(c, n) == UP_VCONST;
}

static bool all_constant(const up_ctx *c, up_node a) {
  for (uint32_t i = 0; i < up_nsrc(c, a); i++)
    if (!is_constant(c, up_src(c, a, i))) return false;
  return true;
}

static up_node fold_scalar(up_ctx *c, up_node a) {
  up_val x[MAX_OPERANDS];
  uint32_t n = up_nsrc(c, a);
  for (uint32_t i = 0; i < n; i++) x[i] = vconst_lane(c, up_src(c, a, i), 0);
  up_val v = up_exec_alu(c, up_op_of(c, a), up_dtype_of(c, a), x, n, false);
  return ctx_ok(c) ? up_const(c, up_dtype_of(c, a), v) : UP_NONE;
}

static up_val fold_lane(up_ctx *c, up_node a, uint32_t lane) {
  up_val x[MAX_OPERANDS];
  uint32_t n = up_nsrc(c, a);
  for (uint32_t i = 0; i < n; i++) x[i] = vconst_lane(c, up_src(c, a, i), lane);
  up_dtype scalar = up_dt(up_dt_scalar(up_dtype_of(c, a)));
  return up_exec_alu(c, up_op_of(c, a), scalar, x, n, true);
}

static up_node fold_vector(up_ctx *c, up_node a) {
  uint32_t count = up_dt_count(up_dtype_of(c, a));
  up_val *v = malloc(count * sizeof *v);
  if (!v) up_ctx_set_status(c, UP_NO_MEMORY);
  for (uint32_t i = 0; v && i < count && ctx_ok(c); i++) v[i] = fold_lane(c, a, i);
  up_node r = v && ctx_ok(c) ? up_vconst(c, up_dtype_of(c, a), v, count) : UP_NONE;
  free(v);
  return r;
}

/* Two integers of 64 bits, which most operands are. */
static up_node fold_small(up_ctx *c, up_node a) {
  const node *d = node_at(c, a);
  int64_t x, y, r;
  if (d->nsrc != 2 || up_dt_count(d->dtype) != 1) return UP_NONE;
  if (!node_const_small(c, (up_node){d->src[0]}, &x)) return UP_NONE;
  if (!node_const_small(c, (up_node){d->src[1]}, &y)) return UP_NONE;
  if (!alu_small((up_op)d->op, x, y, &r)) return UP_NONE;
  return up_const_int(c, d->dtype, r);
}

up_node native_fold_constants(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_node a = arg[0], small = fold_small(c, a);
  if (!up_is_none(small)) return small;
  if (!native_expects(c, (int)up_nsrc(c, a) == up_op_arity(up_op_of(c, a)) &&
                             up_op_in(up_op_of(c, a), UP_G_ALU) && all_constant(c, a)))
    return UP_NONE;
  return up_dt_count(up_dtype_of(c, a)) > 1 ? fold_vector(c, a) : fold_scalar(c, a);
}

/* ---- bitcast --------------------------------------------------------------------------------- */

/* The bits of a number in a dtype, as struct.pack has them. False: it raises there. */
static bool pack(up_ctx *c, up_val v, enum up_scalar s, uint64_t *bits) {
  *bits = 0;
  if (s == UP_DOUBLE || s == UP_FLOAT) {
    double d = v.is_float ? v.f : up_int_to_double(c, v.i);
    float f = (float)d;
    if (s == UP_DOUBLE) memcpy(bits, &d, sizeof d);
    if (s == UP_FLOAT) memcpy(bits, &f, sizeof f);
    return true;
  }
  if (v.is_float || !up_int_eq(up_int_wrap(c, v.i, up_dt(s)), v.i)) return false;
  up_int u = up_int_wrap(c, v.i, up_dt(UP_ULONG));
  if (u.big) {
    mpz_t z;
    mpz_init(z);
    up_int_to_mpz(c, u, z);
    *bits = mpz_get_ui(z);
    mpz_clear(z);
  } else {
    *bits = (uint64_t)u.lo;
  }
  return true;
}

static up_val unpack(up_ctx *c, uint64_t bits, enum up_scalar s) {
  if (s == UP_DOUBLE) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return up_val_float(d);
  }
  if (s == UP_FLOAT) {
    float f;
    uint32_t low = (uint32_t)bits;
    memcpy(&f, &low, sizeof f);
    return up_val_float((double)f);
  }
  return up_val_int(up_int_wrap(c, up_int_from_u64(c, bits), up_dt(s)));
}

/* half and bfloat16 have no format that we pack: the rule declines, as it does there for bfloat16.
 */
static bool packable(enum up_scalar s) { return s != UP_VOID && s != UP_HALF && s != UP_BFLOAT16; }

static unsigned bytes_of(up_dtype d) { return (up_dt_bits(d) + 7) / 8 * up_dt_count(d); }

/* (root, k): BITCAST of a constant to a dtype of the same size */
up_node native_fold_bitcast(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_dtype to = up_dtype_of(c, arg[0]), from = up_dtype_of(c, arg[1]);
  if (!native_expects(c, is_constant(c, arg[1]))) return UP_NONE;
  enum up_scalar s = up_dt_scalar(from), t = up_dt_scalar(to);
  uint32_t count = up_dt_count(to);
  if (!packable(s) || !packable(t) || bytes_of(from) != bytes_of(to)) return UP_NONE;
  if (count != up_dt_count(from)) return UP_NONE;
  up_val *v = malloc(count * sizeof *v);
  if (!v) up_ctx_set_status(c, UP_NO_MEMORY);
  for (uint32_t i = 0; v && i < count && ctx_ok(c); i++) {
    uint64_t bits;
    up_val x = vconst_lane(c, arg[1], i);
    if (ctx_ok(c) && pack(c, x, s, &bits))
      v[i] = unpack(c, bits, t);
    else
      up_ctx_set_status(c, UP_RAISE_VALUE); /* struct.error there */
  }
  up_node r = v && ctx_ok(c) ? up_vconst(c, to, v, count) : UP_NONE;
  free(v);
  return r;
}
