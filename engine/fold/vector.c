/* Vectors: GEP, VECTORIZE, CAT over any number of lanes. Source: 0.11.0 `UOp.gep`, `gep_pushing`
 * and the VECTORIZE, SINK and BARRIER rules of `sym` (uop/symbolic.py). */
#include "native.h"
#include <stdlib.h>

/* Lanes of a GEP's arg; of another node none, and the status says so. */
static uint32_t lanes_of(up_ctx *c, up_node gep) {
  up_arg a = up_arg_of(c, gep);
  bool is_gep = up_op_of(c, gep) == UP_GEP && up_nsrc(c, gep) == 1;
  if (!native_expects(c, is_gep && up_arg_kind_of(c, a) == UP_A_LIST)) return 0;
  return up_arg_len(c, a);
}
static uint32_t lane_at(const up_ctx *c, up_node gep, uint32_t i) {
  return (uint32_t)up_arg_val(c, up_arg_at(c, up_arg_of(c, gep), i)).i.lo;
}

static up_dtype scalar_of(const up_ctx *c, up_node n) {
  return up_dt(up_dt_scalar(up_dtype_of(c, n)));
}

/* x.gep(i): the lane itself where it is at hand. */
static up_node lane(up_ctx *c, up_node x, uint32_t i) {
  if (!ctx_ok(c)) return UP_NONE;
  up_op op = up_op_of(c, x);
  if (op == UP_VECTORIZE && i < up_nsrc(c, x)) return up_src(c, x, i);
  if (op == UP_CONST || op == UP_VCONST) return up_const(c, scalar_of(c, x), vconst_lane(c, x, i));
  up_arg a = up_arg_int(c, up_int_of(i));
  return up_new(c, UP_GEP, scalar_of(c, x), &x, 1, up_arg_list(c, &a, 1));
}

typedef struct lanes {
  uint32_t *p, n;
} lanes;

static bool lanes_new(up_ctx *c, lanes *l, uint32_t n) {
  *l = (lanes){malloc((n ? n : 1) * sizeof *l->p), n};
  if (!l->p) up_ctx_set_status(c, UP_NO_MEMORY);
  return l->p != NULL;
}

/* x.gep(tuple) */
static up_node gep(up_ctx *c, up_node x, const lanes *l) {
  if (!ctx_ok(c) || l->n == 0) return UP_NONE;
  if (l->n == 1) return lane(c, x, l->p[0]);
  up_arg *a = malloc(l->n * sizeof *a);
  if (!a) up_ctx_set_status(c, UP_NO_MEMORY);
  for (uint32_t i = 0; a && i < l->n; i++) a[i] = up_arg_int(c, up_int_of(l->p[i]));
  up_node r = UP_NONE;
  if (a && ctx_ok(c))
    r = up_new(c, UP_GEP, up_dt_vec(scalar_of(c, x), l->n), &x, 1, up_arg_list(c, a, l->n));
  free(a);
  return r;
}

static bool gep_lanes(up_ctx *c, up_node g, lanes *l) {
  if (!lanes_new(c, l, lanes_of(c, g))) return false;
  for (uint32_t i = 0; i < l->n; i++) l->p[i] = lane_at(c, g, i);
  return true;
}

/* ---- gep_pushing ----------------------------------------------------------------------------- */

/* (g1, g2): g1 = GEP(g2 = GEP(x)) */
up_node native_gep_of_gep(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  lanes l;
  if (!gep_lanes(c, arg[0], &l)) return UP_NONE;
  bool ok = true;
  for (uint32_t i = 0; i < l.n; i++) {
    ok = ok && l.p[i] < lanes_of(c, arg[1]);
    if (ok) l.p[i] = lane_at(c, arg[1], l.p[i]);
  }
  if (!ok) up_ctx_set_status(c, UP_RAISE_TYPE);
  up_node r = ok && ctx_ok(c) ? gep(c, up_src(c, arg[1], 0), &l) : UP_NONE;
  free(l.p);
  return r;
}

/* (gep, vec) */
up_node native_gep_of_vectorize(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_list src = list_take(c);
  for (uint32_t i = 0; i < lanes_of(c, arg[0]) && ctx_ok(c); i++) {
    uint32_t j = lane_at(c, arg[0], i);
    if (j >= up_nsrc(c, arg[1]))
      up_ctx_set_status(c, UP_RAISE_TYPE);
    else
      term_push(c, &src, up_src(c, arg[1], j));
  }
  up_node r = src.n == 1 ? src.p[0] : UP_NONE;
  if (ctx_ok(c) && src.n > 1)
    r = up_new(c, UP_VECTORIZE, up_dtype_of(c, arg[0]), src.p, src.n, up_arg_none());
  list_give(c, &src);
  return ctx_ok(c) ? r : UP_NONE;
}

/* (gep, c): of a CONST or VCONST */
up_node native_gep_of_const(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  uint32_t count = lanes_of(c, arg[0]);
  bool constant = up_is_const(c, arg[1]) || up_op_of(c, arg[1]) == UP_VCONST;
  if (!native_expects(c, constant) || !ctx_ok(c)) return UP_NONE;
  if (up_is_const(c, arg[1])) return up_const(c, up_dtype_of(c, arg[0]), up_const_val(c, arg[1]));
  up_val *v = malloc((count ? count : 1) * sizeof *v);
  if (!v) up_ctx_set_status(c, UP_NO_MEMORY);
  for (uint32_t i = 0; v && i < count; i++) v[i] = vconst_lane(c, arg[1], lane_at(c, arg[0], i));
  bool ok = v && count && ctx_ok(c);
  up_node r = ok ? up_vconst(c, up_dtype_of(c, arg[0]), v, count) : UP_NONE;
  free(v);
  return r;
}

/* (gep): all lanes in order */
up_node native_gep_in_order(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  if (lanes_of(c, arg[0]) == 0) return UP_NONE;
  up_node x = up_src(c, arg[0], 0);
  if (up_dt_is_ptr(up_dtype_of(c, arg[0]))) return UP_NONE;
  if (lanes_of(c, arg[0]) != up_dt_count(up_dtype_of(c, x))) return UP_NONE;
  for (uint32_t i = 0; i < lanes_of(c, arg[0]); i++)
    if (lane_at(c, arg[0], i) != i) return UP_NONE;
  return x;
}

/* (gep, alu): the lanes of the sources instead */
up_node native_gep_through_alu(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_dtype dt = up_dtype_of(c, arg[0]);
  lanes l;
  if (up_dt_is_ptr(dt) || !gep_lanes(c, arg[0], &l)) return UP_NONE;
  up_list src = list_take(c);
  for (uint32_t i = 0; i < up_nsrc(c, arg[1]) && ctx_ok(c); i++)
    term_push(c, &src, gep(c, up_src(c, arg[1], i), &l));
  up_dtype to = up_dt_vec(scalar_of(c, arg[1]), up_dt_count(dt));
  up_node r = UP_NONE;
  if (ctx_ok(c)) r = up_new(c, up_op_of(c, arg[1]), to, src.p, src.n, up_arg_of(c, arg[1]));
  list_give(c, &src);
  free(l.p);
  return r;
}

/* (cat): one VECTORIZE of every lane */
up_node native_cat_to_vectorize(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  if (up_dt_is_ptr(up_dtype_of(c, arg[0]))) return UP_NONE;
  up_list src = list_take(c);
  for (uint32_t i = 0; i < up_nsrc(c, arg[0]); i++) {
    up_node s = up_src(c, arg[0], i);
    uint32_t count = up_dt_count(up_dtype_of(c, s));
    for (uint32_t j = 0; j < count && ctx_ok(c); j++) term_push(c, &src, lane(c, s, j));
  }
  up_node r = UP_NONE;
  if (ctx_ok(c)) r = up_new(c, UP_VECTORIZE, up_dtype_of(c, arg[0]), src.p, src.n, up_arg_none());
  list_give(c, &src);
  return r;
}

/* (vec, x): VECTORIZE of one-lane GEPs of x */
up_node native_vectorize_of_geps(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  lanes l;
  if (!lanes_new(c, &l, up_nsrc(c, arg[0]))) return UP_NONE;
  for (uint32_t i = 0; i < l.n; i++) {
    up_node g = up_src(c, arg[0], i);
    if (lanes_of(c, g) != 1) up_ctx_set_status(c, UP_RAISE_TYPE);
    if (ctx_ok(c)) l.p[i] = lane_at(c, g, 0);
  }
  up_node r = gep(c, arg[1], &l);
  free(l.p);
  return r;
}

/* ---- sym ------------------------------------------------------------------------------------- */

/* (vec): VECTORIZE of CONSTs */
up_node native_vectorize_of_consts(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  uint32_t count = up_nsrc(c, arg[0]);
  if (count != up_dt_count(up_dtype_of(c, arg[0]))) return UP_NONE;
  for (uint32_t i = 0; i < count; i++)
    if (!native_expects(c, up_is_const(c, up_src(c, arg[0], i)))) return UP_NONE;
  up_val *v = malloc((count ? count : 1) * sizeof *v);
  if (!v) up_ctx_set_status(c, UP_NO_MEMORY);
  for (uint32_t i = 0; v && i < count; i++) v[i] = up_const_val(c, up_src(c, arg[0], i));
  bool ok = v && count && ctx_ok(c);
  up_node r = ok ? up_vconst(c, up_dtype_of(c, arg[0]), v, count) : UP_NONE;
  free(v);
  return r;
}

/* (alu, x, y): ALU of two broadcasts is the broadcast of the ALU */
up_node native_alu_of_broadcasts(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  if (!native_expects(c, up_op_arity(up_op_of(c, arg[0])) == 2)) return UP_NONE;
  up_dtype dt = up_dtype_of(c, arg[0]);
  up_node one = up_new(c, up_op_of(c, arg[0]), up_dt(up_dt_scalar(dt)), arg + 1, 2, up_arg_none());
  up_list src = list_take(c);
  for (uint32_t i = 0; i < up_dt_count(dt) && ctx_ok(c); i++) term_push(c, &src, one);
  up_node r = ctx_ok(c) ? up_new(c, UP_VECTORIZE, dt, src.p, src.n, up_arg_none()) : UP_NONE;
  list_give(c, &src);
  return r;
}

/* (vec): VECTORIZE of void is a SINK of its sources */
up_node native_vectorize_void_to_sink(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_list src = list_take(c);
  for (uint32_t i = 0; i < up_nsrc(c, arg[0]); i++) term_push(c, &src, up_src(c, arg[0], i));
  up_node r = ctx_ok(c) ? up_new(c, UP_SINK, up_dt(UP_VOID), src.p, src.n, up_arg_none()) : UP_NONE;
  list_give(c, &src);
  return r;
}

static bool opened(up_op root, up_op op) {
  switch (op) {
  case UP_SINK:
  case UP_PTRCAT:
  case UP_CAT:
  case UP_NOOP: return true;
  case UP_UNROLL: return root == UP_SINK;
  case UP_VECTORIZE: return root == UP_BARRIER;
  default: return false;
  }
}

/* (root): a SINK or BARRIER with the sources of its groups in the groups' places */
up_node native_flatten_group(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_op root = up_op_of(c, arg[0]);
  bool changed = false;
  up_list src = list_take(c);
  for (uint32_t i = 0; i < up_nsrc(c, arg[0]) && src.n <= UP_MAX_SRC && ctx_ok(c); i++) {
    up_node s = up_src(c, arg[0], i);
    bool open = opened(root, up_op_of(c, s));
    changed = changed || open;
    if (!open) term_push(c, &src, s);
    for (uint32_t j = 0; open && j < up_nsrc(c, s); j++) term_push(c, &src, up_src(c, s, j));
  }
  up_node r = ctx_ok(c) && changed ? up_replace_src(c, arg[0], src.p, src.n) : UP_NONE;
  list_give(c, &src);
  return r;
}

/* ---- stores ---------------------------------------------------------------------------------- */

/* (store, index, gate, value): the store under the gate, with the value alone */
up_node native_store_gated(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  if (up_nsrc(c, arg[1]) < 2) return UP_NONE;
  up_node buf = up_src(c, arg[1], 0);
  const up_node gated[] = {buf, up_src(c, arg[1], 1), arg[2]};
  up_list src = list_take(c);
  term_push(c, &src, up_new(c, UP_INDEX, up_dtype_of(c, buf), gated, 3, up_arg_none()));
  term_push(c, &src, arg[3]);
  for (uint32_t i = 2; i < up_nsrc(c, arg[0]); i++) term_push(c, &src, up_src(c, arg[0], i));
  up_node r =
      ctx_ok(c) ? up_new(c, UP_STORE, up_dt(UP_VOID), src.p, src.n, up_arg_none()) : UP_NONE;
  list_give(c, &src);
  return r;
}
