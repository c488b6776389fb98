/* The reference evaluator: a graph at one assignment, by the words of frame.h, over GMP integers.
 *
 * Slow, exact, and separate from the engine's arithmetic and from the other evaluators of the
 * oracle: it is the one that the others are compared with.
 */
#include "frame.h"

#include <assert.h>
#include <stdlib.h>

/* SHL by more than this has no value here (ideal): the number would not fit in memory. */
#define MAX_SHIFT 65536u

typedef struct evaluator {
  up_ctx *c;
  or_frame frame;
  const or_witness *at;
  or_values *out;
} evaluator;

void or_values_clear(or_values *v) {
  for (uint32_t i = 0; i < v->n; i++) mpz_clear(v->value[i]);
  free(v->value); /* the block that the others are parts of */
  *v = (or_values){0};
}

uint32_t or_values_find(const or_values *v, up_node n) {
  uint32_t i = n.id - v->first_id;
  return i < v->nids ? v->base[i] - 1 : UINT32_MAX; /* 0 - 1: not there */
}

/* ---- exact results --------------------------------------------------------------------------- */

static or_defined exact_division(or_frame f, up_op op, const mpz_t a, const mpz_t b, mpz_t r) {
  if (mpz_sgn(b) == 0) {
    if (f != OR_WRAP) return OR_VALUE_UNDEFINED;
    if (op == UP_IDIV || op == UP_FLOORDIV)
      mpz_set_ui(r, 0);
    else
      mpz_set(r, a);
  } else if (op == UP_IDIV) {
    mpz_tdiv_q(r, a, b);
  } else if (op == UP_MOD) {
    mpz_tdiv_r(r, a, b);
  } else if (op == UP_FLOORDIV) {
    mpz_fdiv_q(r, a, b);
  } else {
    mpz_fdiv_r(r, a, b);
  }
  return OR_VALUE_OK;
}

static or_defined exact_shl(or_frame f, fr_type t, const mpz_t a, const mpz_t b, mpz_t r) {
  if (t.is_bool || mpz_sgn(a) == 0) {
    mpz_set(r, a);
    return OR_VALUE_OK;
  }
  if (mpz_cmp_ui(b, MAX_SHIFT) > 0) {
    if (f == OR_IDEAL) return OR_VALUE_UNSUPPORTED;
    mpz_set_ui(r, 0); /* all bits of the dtype are shifted out */
    return OR_VALUE_OK;
  }
  mpz_mul_2exp(r, a, mpz_get_ui(b));
  return OR_VALUE_OK;
}

static or_defined exact_shift(or_frame f, up_op op, fr_type t, const mpz_t a, const mpz_t b,
                              mpz_t r) {
  if (mpz_sgn(b) < 0) {
    if (f != OR_WRAP) return OR_VALUE_UNDEFINED;
    mpz_set_ui(r, 0);
    return OR_VALUE_OK;
  }
  if (f == OR_REFINE && mpz_cmp_ui(b, t.bits) >= 0) return OR_VALUE_UNDEFINED;
  if (op == UP_SHL) return exact_shl(f, t, a, b, r);
  if (mpz_fits_ulong_p(b))
    mpz_fdiv_q_2exp(r, a, mpz_get_ui(b));
  else
    mpz_set_si(r, mpz_sgn(a) < 0 ? -1 : 0);
  return OR_VALUE_OK;
}

/* Numbers beyond this have no value here, as in the engine: squares of squares of ... take all time
 * and memory. */
static bool is_too_long(const mpz_t a, const mpz_t b) {
  return mpz_sizeinbase(a, 2) + mpz_sizeinbase(b, 2) > UP_MAX_BITS;
}

/* The exact result of a strict op (all but WHERE). v: the operands. */
static or_defined exact(or_frame f, up_op op, fr_type t, mpz_srcptr v[3], mpz_t r) {
  if ((op == UP_MUL || op == UP_MULACC) && is_too_long(v[0], v[1])) return OR_VALUE_UNSUPPORTED;
  switch (op) {
  case UP_ADD: mpz_add(r, v[0], v[1]); break;
  case UP_SUB: mpz_sub(r, v[0], v[1]); break;
  case UP_MUL: mpz_mul(r, v[0], v[1]); break;
  case UP_NEG: mpz_neg(r, v[0]); break;
  case UP_MAX: mpz_set(r, mpz_cmp(v[0], v[1]) < 0 ? v[1] : v[0]); break;
  case UP_MULACC:
    mpz_mul(r, v[0], v[1]);
    mpz_add(r, r, v[2]);
    break;
  case UP_AND: mpz_and(r, v[0], v[1]); break;
  case UP_OR: mpz_ior(r, v[0], v[1]); break;
  case UP_XOR: mpz_xor(r, v[0], v[1]); break;
  case UP_CMPLT: mpz_set_ui(r, mpz_cmp(v[0], v[1]) < 0); break;
  case UP_CMPNE: mpz_set_ui(r, mpz_cmp(v[0], v[1]) != 0); break;
  case UP_CMPEQ: mpz_set_ui(r, mpz_cmp(v[0], v[1]) == 0); break;
  case UP_TRUNC:
  case UP_CAST:
  case UP_BITCAST: mpz_set(r, v[0]); break;
  case UP_IDIV:
  case UP_MOD:
  case UP_FLOORDIV:
  case UP_FLOORMOD: return exact_division(f, op, v[0], v[1], r);
  case UP_SHL:
  case UP_SHR: return exact_shift(f, op, t, v[0], v[1], r);
  default: return OR_VALUE_UNSUPPORTED;
  }
  return OR_VALUE_OK;
}

/* ---- finish ---------------------------------------------------------------------------------- */

static bool fits(fr_type t, const mpz_t v) {
  if ((mpz_sgn(v) >= 0 || t.is_signed) && mpz_sizeinbase(v, 2) < t.bits) return true;
  mpz_t m;
  mpz_init_set_ui(m, 1);
  mpz_mul_2exp(m, m, t.is_signed ? t.bits - 1 : t.bits); /* one past the greatest */
  bool inside = mpz_cmp(v, m) < 0;
  if (!t.is_signed) mpz_set_ui(m, 0);
  mpz_neg(m, m);
  inside = inside && mpz_cmp(v, m) >= 0;
  mpz_clear(m);
  return inside;
}

static void reduce(fr_type t, mpz_t v) {
  if (t.is_bool) {
    mpz_set_ui(v, mpz_sgn(v) != 0);
    return;
  }
  if (fits(t, v)) return;
  mpz_fdiv_r_2exp(v, v, t.bits);
  if (!t.is_signed || !mpz_tstbit(v, t.bits - 1)) return;
  mpz_t m;
  mpz_init_set_ui(m, 1);
  mpz_mul_2exp(m, m, t.bits);
  mpz_sub(v, v, m);
  mpz_clear(m);
}

/* leaf: a constant or a variable. */
static or_defined finish(or_frame f, up_op op, fr_type t, bool leaf, mpz_t v) {
  if (t.is_bool || op == UP_CAST || op == UP_BITCAST) {
    reduce(t, v);
    return OR_VALUE_OK;
  }
  if (f == OR_IDEAL) return OR_VALUE_OK;
  bool strict = f == OR_REFINE && (leaf || (t.is_signed && fr_overflow_undefined(op)));
  if (strict && !fits(t, v)) return OR_VALUE_UNDEFINED;
  reduce(t, v);
  return OR_VALUE_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Entry of lane `lane` of n; a scalar stands for every lane. */
static uint32_t entry(const evaluator *e, up_node n, uint32_t lane) {
  uint32_t first = or_values_find(e->out, n);
  assert(first != UINT32_MAX);
  if (lane == 0) return first;
  uint32_t count = up_dt_count(up_dtype_of(e->c, n));
  return first + (lane < count ? lane : count - 1);
}

/* Is every source as wide as the node, or a scalar? */
static bool lanes_match(const evaluator *e, const up_view *n) {
  uint32_t count = up_dt_count(n->dtype);
  for (uint32_t i = 0; i < n->nsrc; i++) {
    uint32_t k = up_dt_count(up_dtype_of(e->c, n->src[i]));
    if (k != 1 && k != count) return false;
  }
  return true;
}

static or_defined take(evaluator *e, uint32_t from, uint32_t to) {
  mpz_set(e->out->value[to], e->out->value[from]);
  return e->out->def[from];
}

/* The witness of two graphs names a RANGE by the node of the first one; in the second its end, and
 * so its node, may be another one. */
static bool is_same_range(const evaluator *e, up_node w, const up_view *n) {
  return up_op_of(e->c, w) == UP_RANGE && n->op == UP_RANGE && up_arg_of(e->c, w).id == n->arg.id &&
         up_dtype_of(e->c, w) == n->dtype;
}

static or_defined eval_variable(evaluator *e, const up_view *n, fr_type t, uint32_t to) {
  bool vector = up_dt_count(n->dtype) != 1;
  up_node self = e->out->node[to];
  uint32_t lane = e->out->lane[to];
  if (vector && n->op != UP_DEFINE_VAR) return OR_VALUE_UNSUPPORTED;
  /* itself, if the witness has it: one graph may have two RANGEs of one id */
  uint32_t i = 0, k = e->at->n;
  while (i < k && (or_witness_lane(e->at, i) != lane || !up_same(e->at->var[i], self))) i++;
  if (i == k)
    for (i = 0; i < k && !is_same_range(e, e->at->var[i], n);) i++;
  if (i == k) return OR_VALUE_UNDEFINED;
  mpz_set(e->out->value[to], e->at->value[i]);
  return finish(e->frame, n->op, t, true, e->out->value[to]);
}

static or_defined eval_const(evaluator *e, const up_view *n, fr_type t, uint32_t to) {
  up_node self = e->out->node[to];
  up_val k =
      n->op == UP_CONST ? up_const_val(e->c, self) : up_vconst_at(e->c, self, e->out->lane[to]);
  if (k.is_float) return OR_VALUE_UNSUPPORTED;
  up_int_to_mpz(e->c, k.i, e->out->value[to]);
  return finish(e->frame, n->op, t, true, e->out->value[to]);
}

static or_defined eval_where(evaluator *e, const up_view *n, uint32_t lane, fr_type t,
                             uint32_t to) {
  uint32_t cond = entry(e, n->src[0], lane);
  if (e->out->def[cond] != OR_VALUE_OK) return e->out->def[cond];
  uint32_t taken = mpz_sgn(e->out->value[cond]) != 0 ? 1 : 2;
  or_defined d = take(e, entry(e, n->src[taken], lane), to);
  return d == OR_VALUE_OK ? finish(e->frame, UP_WHERE, t, false, e->out->value[to]) : d;
}

static or_defined eval_strict(evaluator *e, const up_view *n, uint32_t lane, fr_type t,
                              uint32_t to) {
  bool able = fr_is_alu(n->op) && n->nsrc > 0 && n->nsrc <= 3;
  if (!able || (int)n->nsrc != up_op_arity(n->op) || !lanes_match(e, n))
    return OR_VALUE_UNSUPPORTED;
  mpz_srcptr v[3] = {NULL, NULL, NULL};
  or_defined worst = OR_VALUE_OK;
  for (uint32_t i = 0; i < n->nsrc; i++) {
    uint32_t s = entry(e, n->src[i], lane);
    v[i] = e->out->value[s];
    if (e->out->def[s] > worst) worst = e->out->def[s];
  }
  if (worst != OR_VALUE_OK) return worst;
  if (n->op == UP_BITCAST) {
    fr_type from;
    bool known = fr_type_of(up_dtype_of(e->c, n->src[0]), &from);
    if (!known || from.bits != t.bits) return OR_VALUE_UNSUPPORTED;
  }
  or_defined d = exact(e->frame, n->op, t, v, e->out->value[to]);
  return d == OR_VALUE_OK ? finish(e->frame, n->op, t, false, e->out->value[to]) : d;
}

static or_defined eval_gep(evaluator *e, const up_view *n, uint32_t lane, uint32_t to) {
  up_arg a = n->arg;
  if (up_arg_kind_of(e->c, a) == UP_A_LIST) {
    if (lane >= up_arg_len(e->c, a)) return OR_VALUE_UNSUPPORTED;
    a = up_arg_at(e->c, a, lane);
  }
  if (up_arg_kind_of(e->c, a) != UP_A_INT || n->nsrc != 1) return OR_VALUE_UNSUPPORTED;
  int64_t pick = up_arg_val(e->c, a).i.lo;
  up_node src = n->src[0];
  if (pick < 0 || pick >= (int64_t)up_dt_count(up_dtype_of(e->c, src))) return OR_VALUE_UNSUPPORTED;
  return take(e, entry(e, src, (uint32_t)pick), to);
}

/* Entry `to`, whose sources' entries have their values. */
static or_defined eval_entry(evaluator *e, uint32_t to) {
  up_view n = up_view_of(e->c, e->out->node[to]);
  uint32_t lane = e->out->lane[to];
  fr_type t;
  if (!fr_type_of(n.dtype, &t)) return OR_VALUE_UNSUPPORTED;
  if (fr_is_variable(n.op)) return eval_variable(e, &n, t, to);
  switch (n.op) {
  case UP_CONST:
  case UP_VCONST: return eval_const(e, &n, t, to);
  case UP_BIND:
    if (n.nsrc == 0 || !lanes_match(e, &n)) return OR_VALUE_UNSUPPORTED;
    return take(e, entry(e, n.src[0], lane), to);
  case UP_GEP: return eval_gep(e, &n, lane, to);
  case UP_VECTORIZE:
    if (lane >= n.nsrc || up_dt_count(up_dtype_of(e->c, n.src[lane])) != 1)
      return OR_VALUE_UNSUPPORTED;
    return take(e, entry(e, n.src[lane], 0), to);
  case UP_WHERE:
    if (n.nsrc != 3 || !lanes_match(e, &n)) return OR_VALUE_UNSUPPORTED;
    return eval_where(e, &n, lane, t, to);
  default: return eval_strict(e, &n, lane, t, to);
  }
}

/* ---- whole graphs ---------------------------------------------------------------------------- */

/* One block: a point is evaluated in about the time that four allocations take. */
static bool allocate(or_values *v, uint64_t n) {
  size_t one = sizeof *v->value + sizeof *v->node + sizeof *v->lane + sizeof *v->def;
  if (n == 0 || n > UINT32_MAX) return false;
  v->value = calloc(1, n * one + v->nids * sizeof *v->base);
  if (!v->value) return false;
  v->node = (up_node *)(v->value + n);
  v->lane = (uint32_t *)(v->node + n);
  v->def = (or_defined *)(v->lane + n);
  v->base = (uint32_t *)(v->def + n);
  for (uint32_t i = 0; i < n; i++) mpz_init(v->value[i]);
  v->n = (uint32_t)n;
  return true;
}

/* Memory for the nodes, and where each has its entries. */
static bool prepare(up_ctx *c, const up_list *topo, or_values *v) {
  uint32_t low = UINT32_MAX, high = 0, to = 0;
  uint64_t entries = 0;
  for (uint32_t i = 0; i < topo->n; i++) {
    if (topo->p[i].id < low) low = topo->p[i].id;
    if (topo->p[i].id > high) high = topo->p[i].id;
    entries += up_dt_count(up_dtype_of(c, topo->p[i]));
  }
  v->first_id = low;
  v->nids = high - low + 1;
  if (!allocate(v, entries)) return false;
  for (uint32_t i = 0; i < topo->n; i++) {
    up_node n = topo->p[i];
    uint32_t lanes = up_dt_count(up_dtype_of(c, n));
    v->base[n.id - low] = to + 1;
    for (uint32_t lane = 0; lane < lanes; lane++, to++) {
      v->node[to] = n;
      v->lane[to] = lane;
    }
  }
  return true;
}

void or_eval_again(up_ctx *c, or_frame f, const or_witness *at, or_values *v) {
  evaluator e = {.c = c, .frame = f, .at = at, .out = v};
  for (uint32_t i = 0; i < v->n; i++) {
    mpz_set_ui(v->value[i], 0); /* what was computed before is not to be seen */
    v->def[i] = eval_entry(&e, i);
  }
}

bool or_eval(up_ctx *c, up_node root, or_frame f, const or_witness *at, or_values *out) {
  *out = (or_values){0};
  up_list topo = {0};
  bool ok = up_toposort(c, root, &topo) && topo.n > 0 && prepare(c, &topo, out);
  up_list_give(c, &topo);
  if (ok)
    or_eval_again(c, f, at, out);
  else
    *out = (or_values){0};
  return ok;
}
