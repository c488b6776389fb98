/* Walks over a graph: toposort, substitute, users, variables, split, copy. None is recursive.
 * Source: UOp.toposort, substitute, get_children_map, vars; split_uop. */
#include "idmap.h"
#include <stdlib.h>
#include <string.h>

/* ---- lists ----------------------------------------------------------------------------------- */

void up_list_free(up_list *l) {
  free(l->p);
  *l = (up_list){0};
}

void up_list_give(up_ctx *c, up_list *l) { list_give(c, l); }

bool up_list_push(up_list *l, up_node n) {
  if (l->n == l->cap) {
    uint32_t cap = l->cap ? l->cap * 2 : 64;
    up_node *p = cap > l->cap ? realloc(l->p, cap * sizeof *p) : NULL;
    if (!p) return false;
    l->p = p;
    l->cap = cap;
  }
  l->p[l->n++] = n;
  return true;
}

/* ---- depth first, sources before users ------------------------------------------------------- */

/* Visits root's nodes in toposort order: the stack holds nodes still to enter, and nodes (marked
 * twice on the stack by DONE) whose sources have been entered. */
#define DONE 0x80000000u

/* n, to be visited after its sources from `from` on. */
static bool enter(up_ctx *c, up_list *stack, up_node n, uint32_t from, uint32_t gen) {
  const node *d = node_at(c, n);
  const uint32_t *src = node_srcs(c, d);
  if (!list_push(c, stack, (up_node){n.id | DONE})) return false;
  for (uint32_t i = d->nsrc; i-- > from;)
    if (c->mark[src[i]] != gen && !list_push(c, stack, (up_node){src[i]})) return false;
  return true;
}

/* Visits the first sources of n as long as they have none themselves; half of all nodes are leaves. How
 * many there are that need no visit any more. */
static uint32_t visit_leaves(up_ctx *c, up_node n, uint32_t gen, up_list *out) {
  const node *d = node_at(c, n);
  const uint32_t *src = node_srcs(c, d);
  for (uint32_t i = 0; i < d->nsrc; i++) {
    if (c->mark[src[i]] == gen) continue;
    if (c->node[src[i]].nsrc != 0 || !list_push(c, out, (up_node){src[i]})) return i;
    c->mark[src[i]] = gen;
  }
  return d->nsrc;
}

bool up_toposort(up_ctx *c, up_node root, up_list *out) {
  out->n = 0;
  if (up_is_none(root)) return true;
  if (out->cap == 0) *out = list_take(c);
  uint32_t gen = ctx_mark_begin(c);
  up_list stack = list_take(c);
  bool ok = gen && list_push(c, &stack, root);
  while (ok && stack.n) {
    up_node n = stack.p[--stack.n];
    bool done = (n.id & DONE) != 0;
    n.id &= ~DONE;
    if (c->mark[n.id] == gen) continue;
    uint32_t visited = done ? node_nsrc(c, n) : visit_leaves(c, n, gen, out);
    if (visited == node_nsrc(c, n)) {
      c->mark[n.id] = gen;
      ok = list_push(c, out, n);
    } else {
      ok = enter(c, &stack, n, visited, gen);
    }
  }
  list_give(c, &stack);
  return ok;
}

uint32_t up_count(up_ctx *c, up_node root) {
  up_list topo = list_take(c);
  up_toposort(c, root, &topo);
  uint32_t n = topo.n;
  list_give(c, &topo);
  return n;
}

/* ---- rebuilding ------------------------------------------------------------------------------ */

up_node up_replace_src(up_ctx *c, up_node n, const up_node *src, uint32_t nsrc) {
  if (!ctx_ok(c)) return UP_NONE;
  UP_REQUIRE(n.id < c->nnode, "up_replace_src");
  const node *d = node_at(c, n);
  return up_new(c, (up_op)d->op, d->dtype, src, nsrc, (up_arg){d->arg});
}

/* n with each source replaced by its image; n itself when nothing changes. */
static up_node rebuilt(up_ctx *c, const idmap *image, up_node n, up_list *scratch) {
  bool changed = false, found;
  scratch->n = 0;
  for (uint32_t i = 0; i < up_nsrc(c, n); i++) {
    up_node s = node_src(c, n, i);
    up_node t = {idmap_get(image, s.id, &found)};
    if (!found) t = s;
    changed = changed || !up_same(s, t);
    if (!list_push(c, scratch, t)) return UP_NONE;
  }
  return changed ? up_replace_src(c, n, scratch->p, scratch->n) : n;
}

up_node up_substitute(up_ctx *c, up_node root, const up_node *key, const up_node *val, uint32_t n) {
  if (!ctx_ok(c)) return UP_NONE;
  idmap image = {0};
  up_list topo = list_take(c), scratch = list_take(c);
  bool ok = up_toposort(c, root, &topo), found;
  for (uint32_t i = 0; ok && i < n; i++) ok = idmap_set(c, &image, key[i].id, val[i].id);
  for (uint32_t i = 0; ok && i < topo.n; i++) {
    idmap_get(&image, topo.p[i].id, &found);
    if (found) continue;
    up_node r = rebuilt(c, &image, topo.p[i], &scratch);
    ok = ctx_ok(c) && idmap_set(c, &image, topo.p[i].id, r.id);
  }
  up_node r = {ok ? idmap_get(&image, root.id, &found) : 0};
  idmap_free(&image);
  list_give(c, &topo);
  list_give(c, &scratch);
  return r;
}

/* ---- users ----------------------------------------------------------------------------------- */

static uint32_t position(const idmap *at, up_node n) {
  bool found;
  uint32_t i = idmap_get(at, n.id, &found);
  assert(found);
  return i;
}

/* Is s a source of n before its i-th? A node with the same source twice is one user. */
static bool seen_before(const up_ctx *c, up_node n, uint32_t i) {
  for (uint32_t j = 0; j < i; j++)
    if (up_same(node_src(c, n, j), node_src(c, n, i))) return true;
  return false;
}

/* Counting sort by source: first the numbers of users, then their places. */
static void fill_users(const up_ctx *c, const up_list *topo, const idmap *at, uint32_t *start,
                       up_node *users) {
  for (uint32_t u = 0; u < topo->n; u++)
    for (uint32_t i = 0; i < up_nsrc(c, topo->p[u]); i++)
      if (!seen_before(c, topo->p[u], i))
        users[start[position(at, node_src(c, topo->p[u], i))]++] = topo->p[u];
  for (uint32_t i = topo->n; i > 0; i--) start[i] = start[i - 1];
  start[0] = 0;
}

bool up_children(up_ctx *c, const up_list *topo, uint32_t **start, up_node **users) {
  idmap at = {0};
  uint64_t total = 0;
  *start = calloc((size_t)topo->n + 1, sizeof **start);
  *users = NULL;
  bool ok = *start != NULL;
  for (uint32_t i = 0; ok && i < topo->n; i++) ok = idmap_set(c, &at, topo->p[i].id, i);
  for (uint32_t u = 0; ok && u < topo->n; u++)
    for (uint32_t i = 0; i < up_nsrc(c, topo->p[u]); i++)
      if (!seen_before(c, topo->p[u], i)) {
        (*start)[position(&at, node_src(c, topo->p[u], i)) + 1]++;
        total++;
      }
  if (ok) *users = malloc((total ? total : 1) * sizeof **users);
  ok = ok && *users;
  for (uint32_t i = 0; ok && i < topo->n; i++) (*start)[i + 1] += (*start)[i];
  if (ok) fill_users(c, topo, &at, *start, *users);
  idmap_free(&at);
  if (ok) return true;
  free(*start);
  free(*users);
  *start = NULL;
  *users = NULL;
  up_ctx_set_status(c, UP_NO_MEMORY);
  return false;
}

/* ---- variables, chains ----------------------------------------------------------------------- */

static bool is_bound_var(const up_ctx *c, up_node n) {
  return up_op_of(c, n) == UP_BIND && up_nsrc(c, n) > 0 &&
         up_op_of(c, node_src(c, n, 0)) == UP_DEFINE_VAR;
}

bool up_vars(up_ctx *c, up_node root, up_list *out) {
  up_list topo = list_take(c);
  bool ok = up_toposort(c, root, &topo);
  uint32_t gen = ctx_mark_begin(c); /* marks the variables under a BIND */
  ok = ok && gen;
  out->n = 0;
  for (uint32_t i = 0; ok && i < topo.n; i++)
    if (is_bound_var(c, topo.p[i])) c->mark[node_src(c, topo.p[i], 0).id] = gen;
  for (uint32_t i = 0; ok && i < topo.n; i++) {
    up_node n = topo.p[i];
    bool free_var = up_op_of(c, n) == UP_DEFINE_VAR && c->mark[n.id] != gen;
    if (free_var || is_bound_var(c, n)) ok = list_push(c, out, n);
  }
  list_give(c, &topo);
  return ok;
}

/* A chain with sharing has exponentially many leaves (x+x, doubled 40 times); no caller can use
 * more than this many, and the modelled engine would not come back from it either. */
#define MAX_LEAVES (UINT32_C(1) << 24)

bool up_split(up_ctx *c, up_node n, up_op sep, up_list *out) {
  up_list stack = list_take(c);
  bool ok = list_push(c, &stack, n);
  out->n = 0;
  while (ok && stack.n) {
    up_node x = stack.p[--stack.n];
    const node *d = node_at(c, x);
    const uint32_t *src = node_srcs(c, d);
    if (d->op != sep) {
      if (out->n == MAX_LEAVES) up_ctx_set_status(c, UP_LIMIT_NODES);
      ok = ctx_ok(c) && list_push(c, out, x);
      continue;
    }
    for (uint32_t i = d->nsrc; ok && i-- > 0;) ok = list_push(c, &stack, (up_node){src[i]});
  }
  list_give(c, &stack);
  return ok;
}

/* ---- copying --------------------------------------------------------------------------------- */

static up_arg copy_scalar(up_ctx *dst, const up_ctx *src, up_arg a) {
  switch (up_arg_kind_of(src, a)) {
  case UP_A_NONE: return up_arg_none();
  case UP_A_STR: return up_arg_str(dst, up_arg_text(src, a), strlen(up_arg_text(src, a)));
  case UP_A_FLOAT: return up_arg_float(dst, up_arg_val(src, a).f);
  case UP_A_BOOL: return up_arg_bool(dst, !up_int_is(up_arg_val(src, a).i, 0));
  default: {
    up_int v = up_arg_val(src, a).i;
    if (v.big) {
      up_int_to_mpz(src, v, dst->t1);
      v = up_int_from_mpz(dst, dst->t1);
    }
    return up_arg_int(dst, v);
  }
  }
}

static up_arg copy_arg(up_ctx *dst, const up_ctx *src, up_arg a, unsigned depth) {
  if (up_arg_kind_of(src, a) != UP_A_LIST) return copy_scalar(dst, src, a);
  UP_REQUIRE(depth < UP_MAX_ARG_DEPTH, "up_copy");
  uint32_t n = up_arg_len(src, a);
  up_arg *items = malloc((n ? n : 1) * sizeof *items);
  if (!items) {
    up_ctx_set_status(dst, UP_NO_MEMORY);
    return up_arg_none();
  }
  for (uint32_t i = 0; i < n; i++) items[i] = copy_arg(dst, src, up_arg_at(src, a, i), depth + 1);
  up_arg r = up_arg_list(dst, items, n);
  free(items);
  return r;
}

/* Toposort without marks of src, which is const here: ids grow from sources to users, so the nodes
 * that are reached, in order of id, are in topological order. */
static bool reach(up_ctx *dst, const up_ctx *src, up_node root, idmap *seen) {
  up_list stack = list_take(dst);
  bool ok = list_push(dst, &stack, root), found;
  while (ok && stack.n) {
    up_node n = stack.p[--stack.n];
    idmap_get(seen, n.id, &found);
    if (found) continue;
    ok = idmap_set(dst, seen, n.id, 0);
    for (uint32_t i = 0; ok && i < up_nsrc(src, n); i++)
      ok = list_push(dst, &stack, node_src(src, n, i));
  }
  list_give(dst, &stack);
  return ok;
}

static int by_id(const void *a, const void *b) {
  uint32_t x = ((const up_node *)a)->id, y = ((const up_node *)b)->id;
  return (x > y) - (x < y);
}

static bool sorted_keys(up_ctx *c, const idmap *m, up_list *out) {
  for (uint32_t i = 0; i < m->cap; i++)
    if (m->key[i] && !list_push(c, out, (up_node){m->key[i]})) return false;
  if (out->n) qsort(out->p, out->n, sizeof *out->p, by_id);
  return true;
}

up_node up_copy(up_ctx *dst, const up_ctx *src, up_node root) {
  if (!ctx_ok(dst) || up_is_none(root)) return UP_NONE;
  idmap image = {0};
  up_list order = list_take(dst), srcs = list_take(dst);
  bool ok = reach(dst, src, root, &image) && sorted_keys(dst, &image, &order), found;
  up_node last = UP_NONE;
  for (uint32_t i = 0; ok && i < order.n; i++) {
    up_node n = order.p[i];
    srcs.n = 0;
    for (uint32_t j = 0; ok && j < up_nsrc(src, n); j++)
      ok = list_push(dst, &srcs, (up_node){idmap_get(&image, node_src(src, n, j).id, &found)});
    up_arg a = copy_arg(dst, src, up_arg_of(src, n), 0);
    if (ok) last = up_new(dst, up_op_of(src, n), up_dtype_of(src, n), srcs.p, srcs.n, a);
    ok = ok && ctx_ok(dst) && idmap_set(dst, &image, n.id, last.id);
  }
  idmap_free(&image);
  list_give(dst, &order);
  list_give(dst, &srcs);
  return ok ? last : UP_NONE;
}
