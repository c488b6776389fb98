/* Constructors with the shapes that the modelled engine makes (mathtraits.py, UOp.const). */
#include "internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A double made an int, as Python's int() does: toward zero; inf and nan raise. */
static up_int int_of_double(up_ctx *c, double f) {
  if (isnan(f) || isinf(f)) {
    up_ctx_set_status(c, isnan(f) ? UP_RAISE_VALUE : UP_RAISE_OVERFLOW);
    return up_int_of(0);
  }
  mpz_set_d(c->t0, f);
  return up_int_from_mpz(c, c->t0);
}

static bool is_true(up_val v) { return v.is_float ? v.f != 0 : !up_int_is(v.i, 0); }

/* dtypes.as_const: the number that a constant of this dtype holds; no reduction to the width. */
static up_arg as_const(up_ctx *c, up_dtype dt, up_val v) {
  if (up_dt_is_int(dt)) return up_arg_int(c, v.is_float ? int_of_double(c, v.f) : v.i);
  if (up_dt_is_float(dt)) return up_arg_float(c, v.is_float ? v.f : up_int_to_double(c, v.i));
  return up_arg_bool(c, is_true(v));
}

static up_node const_of(up_ctx *c, up_dtype dt, up_val v) {
  return up_new(c, UP_CONST, dt, NULL, 0, as_const(c, dt, v));
}

static __attribute__((noinline)) up_node remember_const(up_ctx *c, const_entry *e, up_dtype dt,
                                                        int64_t v) {
  up_node n = up_new(c, UP_CONST, dt, NULL, 0, up_arg_int(c, up_int_of(v)));
  if (!up_is_none(n)) *e = (const_entry){v, n.id, c->epoch, dt};
  return n;
}

/* The few numbers that rules make again and again are remembered: two hash tables less to look at. */
static inline up_node const_small(up_ctx *c, up_dtype dt, int64_t v) {
  if (!ctx_ok(c)) return UP_NONE;
  const_entry *e = &c->constant[((uint64_t)v ^ (unsigned)dt << 4) % CONST_CACHE];
  if (e->epoch == c->epoch && e->value == v && e->dtype == dt) return (up_node){e->id};
  return remember_const(c, e, dt, v);
}

up_node up_const(up_ctx *c, up_dtype dt, up_val v) {
  bool small = !v.is_float && up_int_fits(v.i) && up_dt_is_int(dt);
  return small ? const_small(c, dt, v.i.lo) : const_of(c, dt, v);
}

up_node up_const_int(up_ctx *c, up_dtype dt, int64_t v) {
  return up_dt_is_int(dt) ? const_small(c, dt, v) : const_of(c, dt, up_val_int(up_int_of(v)));
}

up_node up_const_like(up_ctx *c, up_node like, up_int v) {
  UP_REQUIRE(like.id < c->nnode, "up_const_like");
  up_dtype dt = node_dtype(c, like);
  return up_int_fits(v) ? up_const_int(c, dt, v.lo) : const_of(c, dt, up_val_int(v));
}

static bool val_same(const up_ctx *c, up_val a, up_val b) {
  if (a.is_float && b.is_float && (isnan(a.f) || isnan(b.f))) return false;
  return up_val_cmp(c, a, b) == 0;
}

up_node up_vconst(up_ctx *c, up_dtype dt, const up_val *v, uint32_t n) {
  UP_REQUIRE(n >= 1 && n == up_dt_count(dt), "up_vconst");
  bool all_same = true;
  for (uint32_t i = 1; i < n; i++) all_same = all_same && val_same(c, v[i], v[0]);
  if (all_same) return up_const(c, dt, v[0]);
  up_arg *items = malloc(n * sizeof *items);
  if (!items) {
    up_ctx_set_status(c, UP_NO_MEMORY);
    return UP_NONE;
  }
  for (uint32_t i = 0; i < n; i++) items[i] = as_const(c, dt, v[i]);
  up_arg list = up_arg_list(c, items, n);
  free(items);
  return up_new(c, UP_VCONST, dt, NULL, 0, list);
}

up_node up_var(up_ctx *c, const char *name, up_int lo, up_int hi, up_dtype dt) {
  up_arg part[3] = {up_arg_str(c, name, strlen(name)), up_arg_none(), up_arg_none()};
  bool b = up_dt_is_bool(dt);
  part[1] = b ? up_arg_bool(c, !up_int_is(lo, 0)) : up_arg_int(c, lo);
  part[2] = b ? up_arg_bool(c, !up_int_is(hi, 0)) : up_arg_int(c, hi);
  return up_new(c, UP_DEFINE_VAR, dt, NULL, 0, up_arg_list(c, part, 3));
}

up_node up_unary(up_ctx *c, up_op op, up_node a) {
  if (!ctx_ok(c)) return UP_NONE;
  UP_REQUIRE(a.id < c->nnode, "up_unary");
  return up_new(c, op, node_dtype(c, a), &a, 1, up_arg_none());
}

up_node up_where(up_ctx *c, up_node cond, up_node t, up_node f) {
  if (!ctx_ok(c)) return UP_NONE;
  UP_REQUIRE(f.id < c->nnode, "up_where");
  return up_new(c, UP_WHERE, node_dtype(c, f), (up_node[]){cond, t, f}, 3, up_arg_none());
}

up_node up_cast(up_ctx *c, up_node a, up_dtype dt) {
  return up_new(c, UP_CAST, dt, &a, 1, up_arg_none());
}

up_node up_not(up_ctx *c, up_node a) {
  if (!ctx_ok(c)) return UP_NONE;
  return up_binary(c, UP_CMPNE, a, up_const_like(c, a, up_int_of(1)));
}

up_node up_neg(up_ctx *c, up_node a) {
  if (!ctx_ok(c)) return UP_NONE;
  if (up_dt_scalar(up_dtype_of(c, a)) == UP_BOOL) return up_not(c, a);
  return up_binary(c, UP_MUL, a, up_const_like(c, a, up_int_of(-1)));
}

/* ---- reading constants and variables --------------------------------------------------------- */

bool up_is_const(const up_ctx *c, up_node n) { return up_op_of(c, n) == UP_CONST; }

up_val up_const_val(const up_ctx *c, up_node n) {
  UP_REQUIRE(up_is_const(c, n), "up_const_val");
  return up_arg_val(c, up_arg_of(c, n));
}

up_val up_vconst_at(const up_ctx *c, up_node n, uint32_t i) {
  if (up_is_const(c, n)) return up_const_val(c, n);
  UP_REQUIRE(up_op_of(c, n) == UP_VCONST, "up_vconst_at");
  return up_arg_val(c, up_arg_at(c, up_arg_of(c, n), i));
}

up_val vconst_lane(up_ctx *c, up_node n, uint32_t i) {
  if (up_is_const(c, n) || i < up_arg_len(c, up_arg_of(c, n))) return up_vconst_at(c, n, i);
  up_ctx_set_status(c, UP_RAISE_TYPE);
  return up_val_int(up_int_of(0));
}

bool up_is_const_int(const up_ctx *c, up_node n, up_int *v) {
  if (!up_is_const(c, n)) return false;
  up_val x = up_const_val(c, n);
  if (!x.is_float) *v = x.i;
  return !x.is_float;
}

static void set_name(char *name, const char *s) {
  size_t n = strnlen(s, 63);
  memcpy(name, s, n);
  name[n] = 0;
}

static bool list_domain(up_ctx *c, up_node n, char *name, up_int *lo, up_int *hi) {
  up_arg a = up_arg_of(c, n);
  bool special = up_op_of(c, n) == UP_SPECIAL;
  if (up_arg_kind_of(c, a) != UP_A_LIST || up_arg_len(c, a) != (special ? 2u : 3u)) return false;
  if (name) set_name(name, up_arg_text(c, up_arg_at(c, a, 0)));
  up_val last = up_arg_val(c, up_arg_at(c, a, special ? 1 : 2));
  up_val first = special ? up_val_int(up_int_of(0)) : up_arg_val(c, up_arg_at(c, a, 1));
  if (first.is_float || last.is_float) return false;
  *lo = first.i;
  *hi = special ? up_int_sub(c, last.i, up_int_of(1)) : last.i;
  return true;
}

bool up_var_domain(up_ctx *c, up_node n, char *name, up_int *lo, up_int *hi) {
  up_int end;
  switch (up_op_of(c, n)) {
  case UP_DEFINE_VAR:
  case UP_SPECIAL: return list_domain(c, n, name, lo, hi);
  case UP_RANGE: {
    if (name) snprintf(name, 64, "ridx%lld", (long long)up_arg_val(c, up_arg_of(c, n)).i.lo);
    if (up_nsrc(c, n) != 1 || !up_is_const_int(c, up_src(c, n, 0), &end)) return false;
    *lo = up_int_of(0);
    *hi = up_int_sub(c, end, up_int_of(1));
    return true;
  }
  default: return false;
  }
}
