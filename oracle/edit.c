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

/* Constants and ranges stay inside the dtype: in the finite frames others are bugs of their own. */
static bool fits(up_ctx *c, up_int v, up_dtype d) {
  if (!up_dt_is_int(d) && !up_dt_is_bool(d)) return true;
  return up_int_cmp(c, v, up_dt_min(c, d)) >= 0 && up_int_cmp(c, v, up_dt_max(c, d)) <= 0;
}

static up_node make_const(up_ctx *c, up_dtype d, mpz_srcptr v) {
  up_int i = up_int_from_mpz(c, v);
  return fits(c, i, d) ? up_const(c, d, up_val_int(i)) : UP_NONE;
}

static up_node make_var(up_ctx *c, const char *name, up_dtype d, mpz_srcptr lo, mpz_srcptr hi) {
  up_int a = up_int_from_mpz(c, lo), b = up_int_from_mpz(c, hi);
  bool good = fits(c, a, d) && fits(c, b, d) && up_int_cmp(c, a, b) <= 0;
  return good ? up_var(c, name, a, b, d) : UP_NONE;
}

/* Does the node's dtype change? Vectors of it do with it, or they would have lanes of two dtypes. */
static bool is_retyped(const copier *k, up_node n) {
  up_dtype d = up_dtype_of(k->src, n);
  return k->e && k->e->kind == EDIT_TYPE && !up_dt_is_ptr(d) &&
         up_dt_scalar(d) == up_dt_scalar(k->e->from);
}

static up_dtype retyped(const copier *k, up_node n) {
  return up_dt_vec(k->e->to, up_dt_count(up_dtype_of(k->src, n)));
}

/* A leaf of the dtype that changes. A list of constants has no other form: UP_NONE. */
static up_node retyped_leaf(copier *k, up_node n) {
  up_int v, lo, hi;
  char name[64];
  up_node out = UP_NONE;
  mpz_t low, high;
  mpz_inits(low, high, NULL);
  if (up_is_const_int(k->src, n, &v)) {
    up_int_to_mpz(k->src, v, low);
    out = make_const(k->dst, retyped(k, n), low);
  } else if (up_var_domain(k->src, n, name, &lo, &hi)) {
    up_int_to_mpz(k->src, lo, low);
    up_int_to_mpz(k->src, hi, high);
    out = make_var(k->dst, name, retyped(k, n), low, high);
  }
  mpz_clears(low, high, NULL);
  return out;
}

/* A variable with more room, cut at the ends of its dtype. */
static up_node widened(copier *k, up_node n) {
  char name[64];
  up_int lo, hi;
  up_dtype d = up_dtype_of(k->src, n); /* a variable of floats can have a range of integers */
  if (up_op_of(k->src, n) != UP_DEFINE_VAR || !(up_dt_is_int(d) || up_dt_is_bool(d)) ||
      !up_var_domain(k->src, n, name, &lo, &hi))
    return up_copy(k->dst, k->src, n);
  up_int room = up_int_of((int64_t)k->e->widen);
  up_int min = up_dt_min(k->src, d), max = up_dt_max(k->src, d);
  lo = up_int_sub(k->src, lo, room);
  hi = up_int_add(k->src, hi, room);
  if (up_int_cmp(k->src, lo, min) < 0) lo = min;
  if (up_int_cmp(k->src, hi, max) > 0) hi = max;
  return up_copy(k->dst, k->src, up_var(k->src, name, lo, hi, d));
}

static up_node copied_leaf(copier *k, up_node n, bool retype) {
  if (retype) return retyped_leaf(k, n);
  return k->e && k->e->widen > 0 ? widened(k, n) : up_copy(k->dst, k->src, n);
}

/* Of a node that is a leaf or below what is being copied: a leaf may come later in topo. */
static up_node copied(copier *k, up_node n);
static up_node image(copier *k, up_node n) {
  if (up_is_none(k->map[n.id])) k->map[n.id] = copied(k, n);
  return k->map[n.id];
}

/* The i-th source of n in the copy. */
static up_node copied_source(copier *k, up_node n, uint32_t i) {
  const edit *e = k->e;
  up_node src = up_src(k->src, n, i);
  if (!e || e->kind != EDIT_USE || !up_same(n, e->at) || i != e->use) return k->map[src.id];
  return up_is_none(e->by) ? make_const(k->dst, up_dtype_of(k->src, src), e->lo) : image(k, e->by);
}

static up_node copied(copier *k, up_node n) {
  bool retype = is_retyped(k, n);
  uint32_t nsrc = up_nsrc(k->src, n);
  if (nsrc == 0) return copied_leaf(k, n, retype);
  for (uint32_t i = 0; i < nsrc; i++) {
    k->buf[i] = copied_source(k, n, i);
    if (up_is_none(k->buf[i])) return UP_NONE;
  }
  up_dtype d = retype ? retyped(k, n) : up_dtype_of(k->src, n);
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
  case EDIT_NODE: return image(k, e->by);
  case EDIT_CONST: return make_const(k->dst, d, e->lo);
  case EDIT_VAR:
  case EDIT_MERGE: return make_var(k->dst, e->name, d, e->lo, e->hi);
  case EDIT_USE:
  case EDIT_TYPE:
  case EDIT_NUMBERS: break;
  }
  assert(false);
  return UP_NONE;
}

static bool is_replaced(const edit *e, up_node n) {
  if (!e) return false;
  switch (e->kind) {
  case EDIT_NODE:
  case EDIT_CONST:
  case EDIT_VAR: return up_same(n, e->at);
  case EDIT_MERGE: return up_same(n, e->at) || up_same(n, e->by);
  case EDIT_USE:
  case EDIT_TYPE:
  case EDIT_NUMBERS: break;
  }
  return false;
}

/* The i-th node of topo with its new numbers, or a copy of one that has none. */
static up_node renumbered(copier *k, up_node n, uint32_t i) {
  const mpz_t *to = &k->e->number[2 * (size_t)i];
  char name[64];
  up_int a, b;
  if (up_is_const_int(k->src, n, &a)) return make_const(k->dst, up_dtype_of(k->src, n), to[0]);
  if (up_op_of(k->src, n) == UP_DEFINE_VAR && up_var_domain(k->src, n, name, &a, &b))
    return make_var(k->dst, name, up_dtype_of(k->src, n), to[0], to[1]);
  return copied(k, n);
}

static void visit(copier *k, up_node n, uint32_t i) {
  if (k->e && k->e->kind == EDIT_NUMBERS)
    k->map[n.id] = renumbered(k, n, i);
  else
    k->map[n.id] = is_replaced(k->e, n) ? replacement(k, n) : copied(k, n);
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
    for (uint32_t i = 0; i < topo->n; i++) visit(&k, topo->p[i], i);
    out = k.map[topo->p[topo->n - 1].id];
  }
  free(k.map);
  free(k.buf);
  return up_ctx_status(dst) == UP_OK ? out : UP_NONE;
}
