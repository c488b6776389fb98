/* A copy of a graph into another context with one change made on the way. */
#include "oracle/shrink.h"

#include <assert.h>
#include <stdlib.h>

typedef struct copier {
  up_ctx *dst, *src;
  const edit *e;
  up_node *map; /* by id in src; UP_NONE: not copied yet */
  up_node *buf; /* sources of the node at hand */
} copier;

/* The arg in the other context, by way of a node without sources that holds it. */
static up_arg copy_arg(copier *k, up_node n) {
  up_arg a = up_arg_of(k->src, n);
  if (up_arg_kind_of(k->src, a) == UP_A_NONE) return up_arg_none();
  up_node holder = up_new(k->src, up_op_of(k->src, n), up_dtype_of(k->src, n), NULL, 0, a);
  return up_arg_of(k->dst, up_copy(k->dst, k->src, holder));
}

static up_int int_of(up_ctx *c, mpz_srcptr v) { return up_int_from_mpz(c, v); }

/* A leaf of the dtype that changes. */
static up_node retyped_leaf(copier *k, up_node n) {
  up_int v, lo, hi;
  char name[64];
  mpz_t t;
  up_node out = UP_NONE;
  mpz_init(t);
  if (up_is_const_int(k->src, n, &v)) {
    up_int_to_mpz(k->src, v, t);
    out = up_const(k->dst, k->e->to, up_val_int(int_of(k->dst, t)));
  } else if (up_var_domain(k->src, n, name, &lo, &hi)) {
    up_int_to_mpz(k->src, lo, t);
    up_int low = int_of(k->dst, t);
    up_int_to_mpz(k->src, hi, t);
    out = up_var(k->dst, name, low, int_of(k->dst, t), k->e->to);
  }
  mpz_clear(t);
  return out;
}

static up_node copied(copier *k, up_node n) {
  bool retype = k->e && k->e->kind == EDIT_TYPE && up_dtype_of(k->src, n) == k->e->from;
  uint32_t nsrc = up_nsrc(k->src, n);
  if (nsrc == 0) return retype ? retyped_leaf(k, n) : up_copy(k->dst, k->src, n);
  for (uint32_t i = 0; i < nsrc; i++) {
    k->buf[i] = k->map[up_src(k->src, n, i).id];
    if (up_is_none(k->buf[i])) return UP_NONE;
  }
  up_dtype d = retype ? k->e->to : up_dtype_of(k->src, n);
  up_op op = up_op_of(k->src, n);
  bool retyping = k->e && k->e->kind == EDIT_TYPE;
  if (retyping && op == UP_CAST && up_dtype_of(k->dst, k->buf[0]) == d) return k->buf[0];
  return up_new(k->dst, op, d, k->buf, nsrc, copy_arg(k, n));
}

/* The node that stands in for `at`. A leaf may come after it in topo, and is copied now. */
static up_node replacement(copier *k, up_node n) {
  const edit *e = k->e;
  up_dtype d = up_dtype_of(k->src, n);
  switch (e->kind) {
  case EDIT_NODE:
    if (up_is_none(k->map[e->by.id])) k->map[e->by.id] = copied(k, e->by);
    return k->map[e->by.id];
  case EDIT_CONST: return up_const(k->dst, d, up_val_int(int_of(k->dst, e->lo)));
  case EDIT_VAR: return up_var(k->dst, e->name, int_of(k->dst, e->lo), int_of(k->dst, e->hi), d);
  case EDIT_TYPE: break;
  }
  assert(false);
  return UP_NONE;
}

static void visit(copier *k, up_node n) {
  bool replaced = k->e && k->e->kind != EDIT_TYPE && up_same(n, k->e->at);
  k->map[n.id] = replaced ? replacement(k, n) : copied(k, n);
}

up_node edit_copy(up_ctx *dst, up_ctx *src, const up_list *topo, const edit *e) {
  assert(topo->n > 0 && dst != src);
  copier k = {.dst = dst, .src = src, .e = e};
  uint32_t widest = 1;
  for (uint32_t i = 0; i < topo->n; i++) {
    if (up_nsrc(src, topo->p[i]) > widest) widest = up_nsrc(src, topo->p[i]);
  }
  k.map = calloc((size_t)up_ctx_node_count(src) + 1, sizeof *k.map);
  k.buf = malloc(widest * sizeof *k.buf);
  up_node out = UP_NONE;
  if (k.map && k.buf) {
    for (uint32_t i = 0; i < topo->n; i++) visit(&k, topo->p[i]);
    out = k.map[topo->p[topo->n - 1].id];
  }
  free(k.map);
  free(k.buf);
  return up_ctx_status(dst) == UP_OK ? out : UP_NONE;
}
