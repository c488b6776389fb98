/* What compiled rules are made of: the operations of the rule language on the values of a match,
 * with 64-bit integers inline; everything else is left to ruleeval.c. */
#ifndef UPROOF_RULERUN_H
#define UPROOF_RULERUN_H

#include "compiled.h"
#include "match.h"
#include "rulebuild.h"
#include <math.h>

/* The native right sides; they are described in fold/native.h. */
#define NATIVE(name, nargs, reads_bounds, fn, why)                                                 \
  up_node fn(up_ctx *c, const up_node *arg, unsigned n);
#include "natives.def"
#undef NATIVE

/* ---- matching --------------------------------------------------------------------------- */

static inline uint32_t rx_nsrc(const up_ctx *c, up_node n) { return node_at(c, n)->nsrc; }
static inline up_dtype rx_dtype(const up_ctx *c, up_node n) { return node_at(c, n)->dtype; }

static inline bool rx_op_in(const up_ctx *c, up_node n, uint64_t low, uint64_t high) {
  up_op op = node_op(c, n);
  return (((op & 64 ? high : low) >> (op & 63)) & 1) != 0;
}

/* A dtype whose scalar is in the set, no pointer. */
static inline bool rx_dtype_in(const up_ctx *c, up_node n, uint16_t mask) {
  return dtset_has((dtset){mask, false}, rx_dtype(c, n));
}
static inline bool rx_dtype_not_in(const up_ctx *c, up_node n, uint16_t mask) {
  return dtset_has((dtset){mask, true}, rx_dtype(c, n));
}

/* The arg of a CONST equals v as Python compares numbers. */
static inline bool rx_is_int(const up_ctx *c, up_node n, int64_t v) {
  const arg_entry *a = &c->arg[node_at(c, n)->arg];
  if (a->kind == UP_A_INT || a->kind == UP_A_BOOL) return up_int_is(a->val.i, v);
  return a->kind == UP_A_FLOAT &&
         match_value_fits(c, (up_arg){node_at(c, n)->arg}, up_val_int(up_int_of(v)));
}
static inline bool rx_is_float(const up_ctx *c, up_node n, double v) {
  return match_value_fits(c, (up_arg){node_at(c, n)->arg}, up_val_float(v));
}

/* What a table of gen_reject.c has a kind for: the op, and of a CONST which number it is. What lies
 * behind the last source is the none node, a NOOP. */
static inline unsigned rx_kind_at(const node *d) { return d->op + (d->flags & (unsigned)NODE_IS); }
_Static_assert(UP_CONST + NODE_IS_MINUS_ONE >= UP_OP_COUNT, "no op has the place of a constant");

/* The entry of the table for the kinds of n's first two sources. */
static inline uint64_t rx_told(const up_ctx *c, up_node n, const uint8_t *kind, const uint64_t *may,
                               unsigned kinds) {
  const node *d = node_at(c, n);
  const uint32_t *src = node_srcs(c, d);
  unsigned x = kind[rx_kind_at(&c->node[src[0]])], y = kind[rx_kind_at(&c->node[src[1]])];
  return may[x * kinds + y];
}
static inline uint64_t rx_dtype_tells(const up_ctx *c, up_node n, const uint64_t *of_dtype) {
  return of_dtype[rx_dtype(c, n) % RX_DTYPES];
}
/* The bits, if the first two sources are not the same. */
static inline uint64_t rx_same_tells(const up_ctx *c, up_node n, uint64_t bits) {
  const uint32_t *src = node_srcs(c, node_at(c, n));
  return src[0] == src[1] ? 0 : bits;
}

/* A rule that gave r is content with its match, or has raised. One question, not two that a fuzzer
 * would count apart at every call. */
static inline bool rx_applied(const up_ctx *c, up_node r) {
  return !up_is_none(r) | (int)!ctx_ok(c);
}
/* The same for the rules of a set, of which a result equal to skip is passed over. */
static inline bool rx_taken(const up_ctx *c, up_node r, up_node skip) {
  return __builtin_expect((int)!ctx_ok(c) | ((int)!up_is_none(r) & !up_same(r, skip)), 0) != 0;
}
static inline up_node rx_found(const up_ctx *c, up_node r, int *rule, int number) {
  *rule = number;
  return ctx_ok(c) ? r : UP_NONE;
}

/* a comes before b in the order of nodes: between different ops of 0.11.0 their numbers decide. */
static inline bool rx_before(up_ctx *c, up_node a, up_node b) {
  up_op x = node_op(c, a), y = node_op(c, b);
  return x != y && !old_release(c) ? x < y : up_cmp(c, a, b) < 0;
}

/* What is seldom asked, kept out of the code that is run often. */
#define RX_SELDOM __attribute__((cold, noinline))
#define RX_APART __attribute__((noinline))

/* ---- values ----------------------------------------------------------------------------- */

static inline evaluation rx_begin(up_ctx *c) { return (evaluation){.c = c, .lane = -1}; }
static inline bool rx_fine(const evaluation *e) { return !e->failed && ctx_ok(e->c); }

static inline up_val rx_int(int64_t v) { return up_val_int(up_int_of(v)); }
static inline up_val rx_truth(bool b) { return rx_int(b); }
static inline bool rx_small(up_val x) { return !x.is_float && up_int_fits(x.i); }
static inline bool rx_small2(up_val x, up_val y) { return rx_small(x) && rx_small(y); }
static inline bool rx_true(up_val v) { return rx_small(v) ? v.i.lo != 0 : expr_true(v); }

static inline bool rx_exact(up_val v) { return !v.is_float; }
static inline bool rx_finite(up_val v) { return !v.is_float || isfinite(v.f); }

static inline up_val rx_value(evaluation *e, up_node n) {
  const node *d = node_at(e->c, n);
  const arg_entry *a = &e->c->arg[d->arg];
  bool number = a->kind == UP_A_INT || a->kind == UP_A_BOOL || a->kind == UP_A_FLOAT;
  return d->op == UP_CONST && number ? a->val : eval_value(e, n);
}

static inline up_val rx_vmin(const evaluation *e, up_node n) {
  const bound_small *b = node_bound_ask(e->c, n);
  return b ? rx_int(b->lo) : eval_bound(e, EX_VMIN, n);
}
static inline up_val rx_vmax(const evaluation *e, up_node n) {
  const bound_small *b = node_bound_ask(e->c, n);
  return b ? rx_int(b->hi) : eval_bound(e, EX_VMAX, n);
}

/* Least or greatest element of a constant. */
static inline up_val rx_lanes_of(evaluation *e, ex_op op, up_node n) {
  return node_op(e->c, n) == UP_CONST ? rx_value(e, n) : eval_lanes(e, op, n);
}

/* ---- arithmetic ------------------------------------------------------------------------- */

static inline up_val rx_add(evaluation *e, up_val x, up_val y) {
  int64_t r;
  if (rx_small2(x, y) && !__builtin_add_overflow(x.i.lo, y.i.lo, &r)) return rx_int(r);
  return eval_arithmetic(e, EX_ADD, x, y);
}
static inline up_val rx_sub(evaluation *e, up_val x, up_val y) {
  int64_t r;
  if (rx_small2(x, y) && !__builtin_sub_overflow(x.i.lo, y.i.lo, &r)) return rx_int(r);
  return eval_arithmetic(e, EX_SUB, x, y);
}
static inline up_val rx_mul(evaluation *e, up_val x, up_val y) {
  int64_t r;
  if (rx_small2(x, y) && !__builtin_mul_overflow(x.i.lo, y.i.lo, &r)) return rx_int(r);
  return eval_arithmetic(e, EX_MUL, x, y);
}
static inline up_val rx_neg(evaluation *e, up_val x) {
  return rx_small(x) && x.i.lo != INT64_MIN ? rx_int(-x.i.lo) : eval_sign(e, EX_NEG, x);
}

/* A quotient of these is neither undefined nor 2**63. */
static inline bool rx_divisible(up_val x, up_val y) {
  return rx_small2(x, y) && y.i.lo != 0 && x.i.lo != INT64_MIN;
}
static inline up_val rx_tdiv(evaluation *e, up_val x, up_val y) {
  return rx_divisible(x, y) ? rx_int(x.i.lo / y.i.lo) : eval_arithmetic(e, EX_TDIV, x, y);
}
static inline up_val rx_tmod(evaluation *e, up_val x, up_val y) {
  return rx_divisible(x, y) ? rx_int(x.i.lo % y.i.lo) : eval_arithmetic(e, EX_TMOD, x, y);
}
static inline up_val rx_floordiv(evaluation *e, up_val x, up_val y) {
  if (!rx_divisible(x, y)) return eval_arithmetic(e, EX_FLOORDIV, x, y);
  int64_t q = x.i.lo / y.i.lo, m = x.i.lo % y.i.lo;
  return rx_int(m != 0 && (m < 0) != (y.i.lo < 0) ? q - 1 : q);
}
static inline up_val rx_floormod(evaluation *e, up_val x, up_val y) {
  if (!rx_divisible(x, y)) return eval_arithmetic(e, EX_FLOORMOD, x, y);
  int64_t m = x.i.lo % y.i.lo;
  return rx_int(m != 0 && (m < 0) != (y.i.lo < 0) ? m + y.i.lo : m);
}

/* min and max keep the first of equals. */
static inline up_val rx_min(evaluation *e, up_val x, up_val y) {
  if (rx_small2(x, y)) return y.i.lo < x.i.lo ? y : x;
  return eval_arithmetic(e, EX_MIN, x, y);
}
static inline up_val rx_max(evaluation *e, up_val x, up_val y) {
  if (rx_small2(x, y)) return y.i.lo > x.i.lo ? y : x;
  return eval_arithmetic(e, EX_MAX, x, y);
}

#define RX_COMPARISON(name, op, ex, list_ex)                                                       \
  static inline bool rx_##name(evaluation *e, up_val x, up_val y) {                                \
    if (rx_small2(x, y)) return x.i.lo op y.i.lo;                                                  \
    return expr_true(eval_arithmetic(e, ex, x, y));                                                \
  }                                                                                                \
  /* of two constants, which may be lists */                                                       \
  static inline bool rx_list_##name(evaluation *e, up_node a, up_node b) {                         \
    if (node_op(e->c, a) == UP_CONST && node_op(e->c, b) == UP_CONST)                              \
      return rx_##name(e, rx_value(e, a), rx_value(e, b));                                         \
    return expr_true(eval_list_compare(e, list_ex, a, b));                                         \
  }
RX_COMPARISON(lt, <, EX_LT, EX_LIST_LT)
RX_COMPARISON(le, <=, EX_LE, EX_LIST_LE)
RX_COMPARISON(gt, >, EX_GT, EX_LIST_GT)
RX_COMPARISON(ge, >=, EX_GE, EX_LIST_GE)
RX_COMPARISON(eq, ==, EX_EQ, EX_LIST_EQ)
RX_COMPARISON(ne, !=, EX_NE, EX_LIST_NE)
#undef RX_COMPARISON

/* ---- quick code: 64-bit values, *bad tells that one does not fit --------------------------- */

static inline int64_t qx_vmin(const up_ctx *c, bool *bad, up_node n) {
  const bound_small *b = node_bound_small(c, n);
  if (b) return b->lo;
  *bad = true;
  return 0;
}
static inline int64_t qx_vmax(const up_ctx *c, bool *bad, up_node n) {
  const bound_small *b = node_bound_small(c, n);
  if (b) return b->hi;
  *bad = true;
  return 0;
}
static inline int64_t qx_ask_vmin(up_ctx *c, bool *bad, up_node n) {
  const bound_small *b = node_bound_ask(c, n);
  if (b) return b->lo;
  *bad = true;
  return 0;
}
static inline int64_t qx_ask_vmax(up_ctx *c, bool *bad, up_node n) {
  const bound_small *b = node_bound_ask(c, n);
  if (b) return b->hi;
  *bad = true;
  return 0;
}
/* Has n one value? */
static inline bool qx_ask_single(up_ctx *c, bool *bad, up_node n) {
  const bound_small *b = node_bound_ask(c, n);
  if (!b) *bad = true;
  return b && b->lo == b->hi;
}
static inline int64_t qx_value(const up_ctx *c, bool *bad, up_node n) {
  int64_t v = 0;
  if (!node_const_small(c, n, &v)) *bad = true;
  return v;
}
/* Least and greatest element of a VCONST; the other way round: not all of them have 64 bits. */
__attribute__((pure, noinline)) static bound_small qx_lane_range(const up_ctx *c, const node *d) {
  const arg_entry *list = &c->arg[d->arg];
  bound_small range = {INT64_MAX, INT64_MIN};
  if (list->kind != UP_A_LIST) return range;
  const uint32_t *item = &c->argpool[list->at];
  for (uint32_t i = 0; i < list->n; i++) {
    const arg_entry *a = &c->arg[item[i]];
    if ((a->kind != UP_A_INT && a->kind != UP_A_BOOL) || a->val.i.big)
      return (bound_small){INT64_MAX, INT64_MIN};
    if (a->val.i.lo < range.lo) range.lo = a->val.i.lo;
    if (a->val.i.lo > range.hi) range.hi = a->val.i.lo;
  }
  return range;
}
/* Least or greatest element of a constant, as op says. */
static inline int64_t qx_lanes(const up_ctx *c, bool *bad, ex_op op, up_node n) {
  const node *d = node_at(c, n);
  if (d->op != UP_VCONST) return qx_value(c, bad, n);
  bound_small range = qx_lane_range(c, d);
  if (range.lo > range.hi) *bad = true;
  return op == EX_LANE_MIN ? range.lo : range.hi;
}
/* Least vmin or greatest vmax of n's sources. */
static inline int64_t qx_src_bound(const up_ctx *c, bool *bad, ex_op op, up_node n) {
  const node *d = node_at(c, n);
  const uint32_t *src = node_srcs(c, d);
  int64_t best = op == EX_SRC_VMIN ? INT64_MAX : INT64_MIN;
  bool fine = d->nsrc > 0;
  for (uint32_t i = 0; fine && i < d->nsrc; i++) {
    const bound_small *b = node_bound_small(c, (up_node){src[i]});
    fine = b != NULL;
    if (fine && op == EX_SRC_VMIN && b->lo < best) best = b->lo;
    if (fine && op == EX_SRC_VMAX && b->hi > best) best = b->hi;
  }
  if (!fine) *bad = true;
  return fine ? best : 0;
}
/* Number i of a list arg of this length. */
static inline int64_t qx_arg(const up_ctx *c, bool *bad, up_node n, uint32_t len, uint32_t i) {
  const arg_entry *list = &c->arg[node_at(c, n)->arg];
  if (list->kind == UP_A_LIST && list->n == len) {
    const arg_entry *a = &c->arg[c->argpool[list->at + i]];
    if ((a->kind == UP_A_INT || a->kind == UP_A_BOOL) && a->val.i.big == 0) return a->val.i.lo;
  }
  *bad = true;
  return 0;
}
static inline int64_t qx_add(bool *bad, int64_t x, int64_t y) {
  int64_t r;
  if (__builtin_add_overflow(x, y, &r)) *bad = true;
  return r;
}
static inline int64_t qx_sub(bool *bad, int64_t x, int64_t y) {
  int64_t r;
  if (__builtin_sub_overflow(x, y, &r)) *bad = true;
  return r;
}
static inline int64_t qx_mul(bool *bad, int64_t x, int64_t y) {
  int64_t r;
  if (__builtin_mul_overflow(x, y, &r)) *bad = true;
  return r;
}
static inline int64_t qx_neg(bool *bad, int64_t x) { return qx_sub(bad, 0, x); }
static inline int64_t qx_tdiv(bool *bad, int64_t x, int64_t y) {
  if (y != 0 && x != INT64_MIN) return x / y;
  *bad = true;
  return 0;
}
static inline int64_t qx_tmod(bool *bad, int64_t x, int64_t y) {
  if (y != 0 && x != INT64_MIN) return x % y;
  *bad = true;
  return 0;
}
static inline int64_t qx_shl(bool *bad, int64_t x, int64_t y) {
  if (y >= 0 && y < 63) return qx_mul(bad, x, INT64_C(1) << y);
  *bad = true;
  return 0;
}
static inline int64_t qx_shr(bool *bad, int64_t x, int64_t y) {
  if (y >= 0 && y < 64) return x >> y;
  *bad = true;
  return 0;
}
/* Of bool, and of the integers whose range has 64 bits; no pointers. A vector has the range of as many
 * bits. */
static inline bound_small qx_dtype_range(bool *bad, up_dtype d) {
  static const uint8_t value_bits[16] = {
      [UP_CHAR] = 7, [UP_UCHAR] = 8, [UP_SHORT] = 15, [UP_USHORT] = 16,
      [UP_INT] = 31, [UP_UINT] = 32, [UP_LONG] = 63,  [UP_ULONG] = 64};
  static const uint8_t sign_bits[16] = {[UP_CHAR] = 1, [UP_SHORT] = 1, [UP_INT] = 1, [UP_LONG] = 1};
  unsigned scalar = up_dt_scalar(d);
  if (scalar == UP_BOOL && !up_dt_is_ptr(d)) return (bound_small){0, 1};
  unsigned sign = sign_bits[scalar], lanes = up_dt_count(d);
  unsigned bits = (value_bits[scalar] + sign) * lanes - sign;
  if (value_bits[scalar] == 0 || bits > 63 || up_dt_is_ptr(d)) {
    *bad = true;
    return (bound_small){0, 0};
  }
  uint64_t top = ((UINT64_C(1) << bits) - 1);
  return (bound_small){sign ? -(int64_t)top - 1 : 0, (int64_t)top};
}
static inline int64_t qx_dtype_min(bool *bad, up_dtype d) { return qx_dtype_range(bad, d).lo; }
static inline int64_t qx_dtype_max(bool *bad, up_dtype d) { return qx_dtype_range(bad, d).hi; }
static inline int64_t qx_min(const bool *bad, int64_t x, int64_t y) {
  (void)bad;
  return y < x ? y : x;
}
static inline int64_t qx_max(const bool *bad, int64_t x, int64_t y) {
  (void)bad;
  return y > x ? y : x;
}
#define QX_COMPARISON(name, op)                                                                    \
  static inline bool qx_##name(const bool *bad, int64_t x, int64_t y) {                            \
    (void)bad;                                                                                     \
    return x op y;                                                                                 \
  }
QX_COMPARISON(lt, <)
QX_COMPARISON(le, <=)
QX_COMPARISON(gt, >)
QX_COMPARISON(ge, >=)
QX_COMPARISON(eq, ==)
QX_COMPARISON(ne, !=)
#undef QX_COMPARISON
static inline bool qx_true(int64_t v) { return v != 0; }
static inline int64_t qx_truth(bool b) { return b; }

/* ---- right sides ------------------------------------------------------------------------ */

/* A constant; UP_NONE when its value has raised or failed. */
static inline up_node rx_number(evaluation *e, up_dtype dt, up_val v) {
  return rx_fine(e) ? up_const(e->c, dt, v) : UP_NONE;
}

/* The value of a computed constant: at e->lane where a slot is a VCONST. */
typedef up_val (*rx_lane_fn)(evaluation *e, const up_node *v);
/* The constant, made lane by lane if one of the first nvalue slots is a VCONST. */
up_node rx_lanes(evaluation *e, up_dtype dt, rx_lane_fn fn, const up_node *v, uint32_t lanes);
/* Lanes of the VCONSTs among the slots: 0 without any. All must have the same number. */
uint32_t rx_lane_count(up_ctx *c, const up_node *v, unsigned nvalue);
static inline up_node rx_const(evaluation *e, up_dtype dt, rx_lane_fn fn, const up_node *v,
                               unsigned nvalue) {
  uint32_t lanes = rx_lane_count(e->c, v, nvalue);
  return lanes ? rx_lanes(e, dt, fn, v, lanes) : rx_number(e, dt, fn(e, v));
}

#endif
