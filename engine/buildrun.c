/* Right sides, interpreted: builders -> nodes. */
#include "rulebuild.h"

typedef struct builder {
  up_ctx *c;
  const buildbook *b;
  const exprbook *x;
  const up_node *slot;
} builder;

static up_node run(builder *k, build_id id, up_node like);

/* Lanes of the VCONSTs whose values are taken: 0 without any. All must have the same number. */
static uint32_t lane_count(builder *k, uint32_t values) {
  uint32_t lanes = 0;
  for (unsigned s = 0; s < PAT_MAX_SLOTS; s++) {
    if (!((values >> s) & 1) || up_op_of(k->c, k->slot[s]) != UP_VCONST) continue;
    uint32_t n = up_arg_len(k->c, up_arg_of(k->c, k->slot[s]));
    if (lanes && n != lanes) up_ctx_set_status(k->c, UP_RAISE_TYPE);
    lanes = n;
  }
  return lanes;
}

#define MAX_LANES 2048u

static up_node run_vector(builder *k, const build *v, up_dtype dt, uint32_t lanes) {
  up_val val[MAX_LANES];
  evaluation e = {.c = k->c, .b = k->x, .slot = k->slot};
  if (lanes != up_dt_count(dt) || lanes > MAX_LANES) {
    up_ctx_set_status(k->c, UP_RAISE_TYPE);
    return UP_NONE;
  }
  for (uint32_t i = 0; i < lanes; i++) {
    e.lane = (int)i;
    val[i] = expr_eval(&e, v->expr);
  }
  return e.failed || !ctx_ok(k->c) ? UP_NONE : up_vconst(k->c, dt, val, lanes);
}

static up_dtype dtype_of(builder *k, const build *v, up_node like) {
  if (v->dtype_from == DTYPE_FIXED) return v->dtype;
  return up_dtype_of(k->c, v->dtype_from == DTYPE_SLOT ? k->slot[v->dtype_slot] : like);
}

static up_node run_const(builder *k, const build *v, up_node like) {
  up_dtype dt = dtype_of(k, v, like);
  uint32_t lanes = lane_count(k, v->values);
  if (lanes) return run_vector(k, v, dt, lanes);
  evaluation e = {.c = k->c, .b = k->x, .slot = k->slot, .lane = -1};
  up_val val = expr_eval(&e, v->expr);
  return e.failed || !ctx_ok(k->c) ? UP_NONE : up_const(k->c, dt, val);
}

up_node build_alu(up_ctx *c, up_op op, const up_node *kid, uint32_t n) {
  if (!ctx_ok(c)) return UP_NONE;
  up_dtype dt = up_dtype_of(c, kid[n - 1]);
  if (up_op_in(op, UP_G_COMPARE)) dt = up_dt_vec(up_dt(UP_BOOL), up_dt_count(dt));
  return up_new(c, op, dt, kid, n, up_arg_none());
}

static up_node make(builder *k, const build *v, const up_node *kid, up_node like) {
  up_ctx *c = k->c;
  switch ((build_kind)v->kind) {
  case BUILD_ALU: return build_alu(c, (up_op)v->op, kid, v->nkid);
  case BUILD_LIKE: return build_alu(c, up_op_of(c, k->slot[v->slot]), kid, v->nkid);
  case BUILD_NEW: return up_new(c, (up_op)v->op, dtype_of(k, v, like), kid, v->nkid, up_arg_none());
  case BUILD_WITH: return up_replace_src(c, k->slot[v->slot], kid, v->nkid);
  case BUILD_NEG: return up_neg(c, kid[0]);
  case BUILD_FLIP: return up_not(c, kid[0]);
  default: assert(v->kind == BUILD_NATIVE); return v->native->fn(c, kid, v->nkid);
  }
}

/* The kid that gives its dtype to constants comes first, the others follow. */
static up_node run(builder *k, build_id id, up_node like) {
  const build *v = build_at(k->b, id);
  up_node kid[PAT_MAX_KIDS];
  if (v->kind == BUILD_SLOT) return k->slot[v->slot];
  if (v->kind == BUILD_CONST) return run_const(k, v, like);
  const build_id *ids = v->nkid ? &k->b->kid[v->kid] : NULL;
  if (v->nkid) kid[v->like] = run(k, ids[v->like], like);
  if (v->nkid && up_is_none(kid[v->like])) return UP_NONE;
  for (uint32_t i = 0; i < v->nkid; i++) {
    if (i == v->like) continue;
    kid[i] = run(k, ids[i], kid[v->like]);
    if (up_is_none(kid[i])) return UP_NONE;
  }
  return make(k, v, kid, like);
}

up_node build_run(up_ctx *c, const buildbook *b, const exprbook *x, build_id id,
                  const up_node *slot, up_node root) {
  builder k = {.c = c, .b = b, .x = x, .slot = slot};
  return run(&k, id, root);
}
