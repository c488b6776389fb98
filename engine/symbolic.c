/* What users of the engine ask of a symbolic number: is it decided, its largest, its value.
 * Source: resolve, smax, smin, ssimplify, sym_infer, UOp.bind, unbind, ranges (0.11.0's ops.py;
 * 0.10.0 agrees where it has them). */
#include "idmap.h"
#include <stdlib.h>
#include <string.h>

/* ---- deciding -------------------------------------------------------------------------------- */

/* Simplified; a failure becomes the context's status. */
static up_node simplified(up_ctx *c, up_node n) {
  if (!ctx_ok(c)) return UP_NONE;
  up_result r = up_simplify(c, n, NULL);
  up_ctx_set_status(c, r.status);
  return r.node;
}

static bool one_value(up_ctx *c, up_node n, up_val *out) {
  up_bounds b = up_minmax(c, n);
  *out = b.lo;
  return ctx_ok(c) && up_val_cmp(c, b.lo, b.hi) == 0;
}

bool up_resolve(up_ctx *c, up_node n, bool dflt) {
  UP_REQUIRE(up_dt_is_bool(up_dtype_of(c, n)), "up_resolve");
  up_val v;
  up_node s = simplified(c, n);
  if (!ctx_ok(c) || !one_value(c, s, &v)) return dflt;
  return v.is_float ? v.f != 0 : !up_int_is(v.i, 0);
}

bool up_eval_const(up_ctx *c, up_node n, up_val *out) {
  up_node s = simplified(c, n);
  return ctx_ok(c) && one_value(c, s, out);
}

/* ---- extremes -------------------------------------------------------------------------------- */

/* min(a, b) is -max(-a, -b), as mathtraits has it. */
static up_node extreme(up_ctx *c, up_node a, up_node b, bool max) {
  if (max) return up_binary(c, UP_MAX, a, b);
  return up_neg(c, up_binary(c, UP_MAX, up_neg(c, a), up_neg(c, b)));
}

/* Symbols in order, then the extreme of the constants as one more; a lone constant is itself. */
static up_node suop(up_ctx *c, const up_node *n, uint32_t count, bool max) {
  UP_REQUIRE(count > 0, "up_smax");
  up_node acc = UP_NONE, best = UP_NONE;
  for (uint32_t i = 0; i < count && ctx_ok(c); i++) {
    if (!up_is_const(c, n[i])) {
      acc = up_is_none(acc) ? n[i] : extreme(c, acc, n[i], max);
      continue;
    }
    int r = up_is_none(best) ? 0 : up_val_cmp(c, up_const_val(c, n[i]), up_const_val(c, best));
    if (up_is_none(best) || (max ? r > 0 : r < 0)) best = n[i];
  }
  if (up_is_none(acc)) return best;
  if (!up_is_none(best)) acc = extreme(c, acc, best, max);
  return simplified(c, acc);
}

up_node up_smax(up_ctx *c, const up_node *n, uint32_t count) { return suop(c, n, count, true); }
up_node up_smin(up_ctx *c, const up_node *n, uint32_t count) { return suop(c, n, count, false); }

/* ---- values ---------------------------------------------------------------------------------- */

static bool given(const up_node *var, const up_val *val, uint32_t nvar, up_node n, up_val *out) {
  for (uint32_t i = 0; i < nvar; i++) {
    if (!up_same(var[i], n)) continue;
    *out = val[i];
    return true;
  }
  return false;
}

typedef struct inference {
  const up_node *var;
  const up_val *val;
  uint32_t nvar;
  idmap at;      /* node -> index in value */
  up_val *value; /* by place in the toposort */
} inference;

static up_val value_of(const inference *f, up_node n) {
  bool found;
  uint32_t i = idmap_get(&f->at, n.id, &found);
  assert(found);
  return f->value[i];
}

/* The rendering that is evaluated there shows a BIND as its variable and a CAST as its operand. */
static bool infer_node(up_ctx *c, const inference *f, up_node n, up_val *out) {
  up_op op = up_op_of(c, n);
  if (up_is_const(c, n)) {
    *out = up_const_val(c, n);
    return true;
  }
  if (op == UP_BIND) {
    *out = value_of(f, node_src(c, n, 0));
    return true;
  }
  if (!up_op_in(op, UP_G_ALU) || (int)up_nsrc(c, n) != up_op_arity(op))
    return given(f->var, f->val, f->nvar, n, out);
  up_val x[3];
  for (uint32_t i = 0; i < up_nsrc(c, n); i++) x[i] = value_of(f, node_src(c, n, i));
  *out = up_exec_alu(c, op, up_dtype_of(c, n), x, up_nsrc(c, n), false);
  return ctx_ok(c);
}

bool up_sym_infer(up_ctx *c, up_node n, const up_node *var, const up_val *val, uint32_t nvar,
                  up_val *out) {
  inference f = {.var = var, .val = val, .nvar = nvar};
  up_node s = simplified(c, n);
  up_list topo = list_take(c);
  bool ok = ctx_ok(c) && up_toposort(c, s, &topo);
  if (ok) f.value = malloc(topo.n * sizeof *f.value);
  if (ok && !f.value) up_ctx_set_status(c, UP_NO_MEMORY);
  for (uint32_t i = 0; ok && f.value && ctx_ok(c) && i < topo.n; i++)
    ok = idmap_set(c, &f.at, topo.p[i].id, i) && infer_node(c, &f, topo.p[i], &f.value[i]);
  ok = ok && ctx_ok(c);
  if (ok) *out = f.value[topo.n - 1];
  free(f.value);
  idmap_free(&f.at);
  list_give(c, &topo);
  return ok;
}

/* ---- bound variables, ranges ----------------------------------------------------------------- */

up_node up_bind(up_ctx *c, up_node var, up_int v) {
  UP_REQUIRE(up_op_of(c, var) == UP_DEFINE_VAR, "up_bind");
  char name[64];
  up_int lo, hi;
  if (!up_var_domain(c, var, name, &lo, &hi)) return UP_NONE;
  if (up_int_cmp(c, v, lo) < 0 || up_int_cmp(c, v, hi) > 0) return UP_NONE;
  const up_node src[] = {var, up_const_like(c, var, v)};
  if (!ctx_ok(c)) return UP_NONE;
  return up_new(c, UP_BIND, up_dtype_of(c, var), src, 2, up_arg_none());
}

bool up_unbind(const up_ctx *c, up_node n, up_node *var, up_int *v) {
  if (up_op_of(c, n) != UP_BIND || up_nsrc(c, n) != 2) return false;
  *var = node_src(c, n, 0);
  return up_op_of(c, *var) == UP_DEFINE_VAR && up_is_const_int(c, node_src(c, n, 1), v);
}

/* A REDUCE ends the ranges that are its further sources, a STORE those after its first two. */
static uint32_t first_ended(const up_ctx *c, up_node n) {
  switch (up_op_of(c, n)) {
  case UP_REDUCE:
  case UP_BUFFERIZE: return 1;
  case UP_STORE: return 2;
  default: return UINT32_MAX;
  }
}

static bool ends(const up_ctx *c, up_node n, up_node range) {
  for (uint32_t i = first_ended(c, n); i < up_nsrc(c, n); i++)
    if (up_same(node_src(c, n, i), range)) return true;
  return false;
}

/* Marks the nodes that depend on the range outside of what ends it. */
static bool reaches(up_ctx *c, const up_list *topo, up_node range) {
  uint32_t gen = ctx_mark_begin(c);
  if (!gen) return false;
  c->mark[range.id] = gen;
  for (uint32_t i = 0; i < topo->n; i++) {
    up_node n = topo->p[i];
    uint32_t end = up_nsrc(c, n), ended = first_ended(c, n);
    for (uint32_t j = 0; j < end && j < ended; j++)
      if (c->mark[node_src(c, n, j).id] == gen && !ends(c, n, range)) c->mark[n.id] = gen;
  }
  return c->mark[topo->p[topo->n - 1].id] == gen;
}

bool up_ranges(up_ctx *c, up_node root, up_list *out) {
  up_list topo = list_take(c);
  bool ok = up_toposort(c, root, &topo);
  out->n = 0;
  for (uint32_t i = 0; ok && i < topo.n; i++) {
    if (up_op_of(c, topo.p[i]) != UP_RANGE || !reaches(c, &topo, topo.p[i])) continue;
    ok = up_list_push(out, topo.p[i]);
    if (!ok) up_ctx_set_status(c, UP_NO_MEMORY);
  }
  list_give(c, &topo);
  return ok && ctx_ok(c);
}
