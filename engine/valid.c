/* Simplification under a valid: what a node is where a conjunction of comparisons holds.
 * Source: `parse_valid`, `uop_given_valid`, `_valid_priority`, `simplify_valid` of 0.10.0 (ops.py)
 * and 0.11.0 (uop/symbolic.py); where they differ, the profile's release decides. */
#include "rewrite.h"
#include <stdlib.h>

/* What a conjunct says of an expression: expr >= c or expr <= c. */
typedef struct claim {
  up_node expr;
  bool upper;
  up_int c;
} claim;

/* What all conjuncts say of it together. */
typedef struct box {
  up_node expr;
  bool has[2]; /* lower, upper */
  up_int end[2];
} box;

typedef struct boxes {
  box *p;
  uint32_t n, cap;
} boxes;

/* ---- reading the valid ----------------------------------------------------------------------- */

/* X < k of integers; *k its constant. */
static bool is_lt_const(const up_ctx *c, up_node n, up_int *k) {
  return up_op_of(c, n) == UP_CMPLT && up_is_const_int(c, node_src(c, n, 1), k);
}

/* (X < k) != True says X >= k; X < k says X <= k-1. False: not of these forms. */
static bool parse_valid(up_ctx *c, up_node v, claim *out) {
  up_int k, one;
  if (up_op_of(c, v) == UP_CMPNE && up_is_const_int(c, node_src(c, v, 1), &one) &&
      up_int_is(one, 1) && is_lt_const(c, node_src(c, v, 0), &k)) {
    *out = (claim){node_src(c, node_src(c, v, 0), 0), false, k};
    return true;
  }
  if (!is_lt_const(c, v, &k) || !up_dt_is_int(up_dtype_of(c, node_src(c, v, 0)))) return false;
  *out = (claim){node_src(c, v, 0), true, up_int_sub(c, k, up_int_of(1))};
  return true;
}

/* Adds a claim; a later one on the same side replaces an earlier one, as there. */
static bool add_claim(up_ctx *c, boxes *b, claim k) {
  uint32_t i = 0;
  while (i < b->n && !up_same(b->p[i].expr, k.expr)) i++;
  if (i == b->n) {
    if (!ctx_grow(c, &b->p, &b->cap, (uint64_t)b->n + 1, sizeof *b->p)) return false;
    b->p[b->n++] = (box){.expr = k.expr};
  }
  b->p[i].has[k.upper] = true;
  b->p[i].end[k.upper] = k.c;
  return true;
}

/* False: a conjunct can't be read, or the status is set. */
static bool read_valid(up_ctx *c, up_node valid, boxes *b) {
  up_list conjunct = list_take(c);
  claim k;
  bool ok = up_split(c, valid, UP_AND, &conjunct);
  for (uint32_t i = 0; ok && i < conjunct.n; i++)
    ok = parse_valid(c, conjunct.p[i], &k) && add_claim(c, b, k);
  list_give(c, &conjunct);
  return ok && ctx_ok(c);
}

/* ---- substitution and simplification --------------------------------------------------------- */

/* UOp.substitute: top-down in 0.10.0, bottom-up in 0.11.0. */
static up_node substituted(up_ctx *c, up_node n, up_node from, up_node to) {
  if (!ctx_ok(c) || up_same(from, to)) return n;
  idmap map = {0};
  rewrite_spec spec = {0};
  if (old_release(c)) {
    spec.pm = rewrite_by_map;
    spec.pm_user = &map;
  } else {
    spec.bpm = rewrite_by_map;
    spec.bpm_user = &map;
  }
  up_result r = {0};
  if (idmap_set(c, &map, from.id, to.id)) r = rewrite_all(c, &n, NULL, 1, &spec);
  up_ctx_set_status(c, r.status);
  idmap_free(&map);
  return r.node;
}

static up_node simplified(up_ctx *c, up_node n) {
  if (!ctx_ok(c)) return UP_NONE;
  up_result r = up_simplify(c, n, NULL);
  up_ctx_set_status(c, r.status);
  return r.node;
}

/* n simplified with `from` known to lie in a fake variable's range. */
static up_node under(up_ctx *c, up_node n, up_node from, up_int lo, up_int hi) {
  up_node fake = up_var(c, "fake", lo, hi, up_dtype_of(c, from));
  up_node t = simplified(c, substituted(c, n, from, fake));
  return simplified(c, substituted(c, t, fake, from));
}

/* ---- candidates ------------------------------------------------------------------------------ */

static bool same_source(const up_ctx *c, const up_list *l, uint32_t s) {
  for (uint32_t i = 1; i < l->n; i++)
    if (!up_same(node_src(c, l->p[i], s), node_src(c, l->p[0], s))) return false;
  return true;
}

static bool all_same(const up_list *l) {
  for (uint32_t i = 1; i < l->n; i++)
    if (!up_same(l->p[i], l->p[0])) return false;
  return true;
}

/* What n becomes when every case gave one of `form`: the form they agree on, else n. Of a pair
 * (an image index) each half is decided by itself. */
static up_node agreed(up_ctx *c, up_node n, const up_list *form) {
  if (!ctx_ok(c)) return UP_NONE;
  if (up_op_of(c, n) != UP_VECTORIZE || up_nsrc(c, n) != 2) return all_same(form) ? form->p[0] : n;
  up_node s[2] = {node_src(c, n, 0), node_src(c, n, 1)};
  for (uint32_t i = 0; i < form->n; i++)
    if (up_nsrc(c, form->p[i]) != 2) up_ctx_set_status(c, UP_RAISE_TYPE);
  for (uint32_t i = 0; i < 2 && ctx_ok(c); i++)
    if (same_source(c, form, i)) s[i] = node_src(c, form->p[0], i);
  return up_replace_src(c, n, s, 2);
}

/* x0 + x1 + ... >= 1 over leaves: some xi >= 1. If n simplifies to one form in each case, take it.
 */
static up_node by_simplex(up_ctx *c, up_node n, up_node expr) {
  up_list leaf = list_take(c), form = list_take(c);
  bool ok = up_split(c, expr, UP_ADD, &leaf), leaves = true;
  for (uint32_t i = 0; ok && i < leaf.n; i++)
    leaves = leaves && up_op_in(up_op_of(c, leaf.p[i]), UP_G_IRREDUCIBLE);
  for (uint32_t i = 0; ok && leaves && i < leaf.n && ctx_ok(c); i++) {
    up_bounds b = up_minmax(c, leaf.p[i]);
    leaves = !b.hi.is_float;
    if (!leaves) break;
    up_node t = under(c, n, leaf.p[i], up_int_of(1), b.hi.i);
    if (!up_list_push(&form, t)) up_ctx_set_status(c, UP_NO_MEMORY);
  }
  if (ok && leaves && ctx_ok(c)) n = agreed(c, n, &form);
  list_give(c, &leaf);
  list_give(c, &form);
  return n;
}

static up_node by_whole(up_ctx *c, up_node n, up_node expr, up_int lo, up_int hi) {
  up_node t = under(c, n, expr, lo, hi);
  return agreed(c, n, &(up_list){&t, 1, 1});
}

/* Is `part` a node of n? A part of n that is not n itself, in 0.10.0's priority. */
static bool contains(up_ctx *c, up_node n, up_node part, bool itself) {
  up_list topo = list_take(c);
  bool found = false;
  up_toposort(c, n, &topo);
  for (uint32_t i = 0; i < topo.n; i++)
    found = found || (up_same(topo.p[i], part) && (itself || !up_same(part, n)));
  list_give(c, &topo);
  return found;
}

/* ---- one expression of the valid ------------------------------------------------------------- */

/* False: the box is empty, so the valid never holds. */
static bool apply_box(up_ctx *c, const box *b, up_node *n) {
  up_bounds own = up_minmax(c, b->expr);
  if (own.lo.is_float || own.hi.is_float) return true; /* a box is one of integers */
  up_int end[2] = {b->has[0] ? b->end[0] : own.lo.i, b->has[1] ? b->end[1] : own.hi.i};
  bool decided = !old_release(c) || (b->has[0] && b->has[1]);
  if (decided && up_int_cmp(c, end[0], end[1]) > 0) return false;
  if (!old_release(c) && up_int_eq(end[0], end[1])) {
    *n = simplified(c, substituted(c, *n, b->expr, up_const_like(c, b->expr, end[0])));
    return true;
  }
  bool from_one = (b->has[0] || !old_release(c)) && up_int_is(end[0], 1);
  /* both candidates are made before either is tried */
  bool whole = contains(c, *n, b->expr, true);
  if (from_one && up_op_of(c, b->expr) == UP_ADD) *n = by_simplex(c, *n, b->expr);
  if (whole && ctx_ok(c)) *n = by_whole(c, *n, b->expr, end[0], end[1]);
  return true;
}

/* Gates of other indexes stay as they are: 0.11.0 puts a NOOP in the place of each INDEX. */
static up_node hide_indexes(up_ctx *c, up_node n, up_list *index, up_list *stand_in) {
  up_list topo = list_take(c);
  up_toposort(c, n, &topo);
  for (uint32_t i = 0; i < topo.n && ctx_ok(c); i++) {
    if (up_op_of(c, topo.p[i]) != UP_INDEX) continue;
    up_arg id = up_arg_int(c, up_int_of(topo.p[i].id));
    up_node s = up_new(c, UP_NOOP, up_dt(UP_VOID), NULL, 0, id);
    if (!up_list_push(index, topo.p[i]) || !up_list_push(stand_in, s))
      up_ctx_set_status(c, UP_NO_MEMORY);
  }
  list_give(c, &topo);
  return index->n ? up_substitute(c, n, index->p, stand_in->p, index->n) : n;
}

bool up_given_valid(up_ctx *c, up_node valid, up_node n, up_node *out) {
  boxes b = {0};
  up_list index = list_take(c), stand_in = list_take(c);
  bool possible = true;
  *out = n;
  if (read_valid(c, valid, &b)) {
    up_node t = old_release(c) ? n : hide_indexes(c, n, &index, &stand_in);
    for (uint32_t i = 0; possible && ctx_ok(c) && i < b.n; i++)
      possible = apply_box(c, &b.p[i], &t);
    if (ctx_ok(c) && index.n) t = up_substitute(c, t, stand_in.p, index.p, index.n);
    if (possible && ctx_ok(c)) *out = t;
  }
  free(b.p);
  list_give(c, &index);
  list_give(c, &stand_in);
  return possible;
}

/* ---- a valid under itself -------------------------------------------------------------------- */

typedef struct ranked {
  up_node v;
  int rank;
  uint32_t place;
} ranked;

/* Conjuncts whose expression others contain come first: the others may then get simpler. */
static int rank_of(up_ctx *c, up_node v, const up_list *all) {
  claim k;
  if (!parse_valid(c, v, &k)) return 0;
  int rank = 0;
  for (uint32_t i = 0; i < all->n; i++) rank -= contains(c, all->p[i], k.expr, !old_release(c));
  return rank;
}

static int by_rank(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

static ranked *rank_all(up_ctx *c, const up_list *all) {
  ranked *r = malloc(all->n * sizeof *r);
  if (!r) {
    up_ctx_set_status(c, UP_NO_MEMORY);
    return NULL;
  }
  for (uint32_t i = 0; i < all->n; i++) r[i] = (ranked){all->p[i], rank_of(c, all->p[i], all), i};
  qsort(r, all->n, sizeof *r, by_rank);
  return r;
}

/* Each conjunct under those before it. UP_NONE: nothing changed. */
static up_node conjoin(up_ctx *c, const ranked *r, uint32_t n) {
  up_node so_far = UP_NONE;
  bool changed = false;
  for (uint32_t i = 0; i < n && ctx_ok(c); i++) {
    up_node v = r[i].v, t = v;
    if (!old_release(c) && up_op_of(c, v) == UP_CAST) return UP_NONE;
    if (i > 0 && !up_given_valid(c, so_far, v, &t)) t = v;
    changed = changed || !up_same(t, v);
    so_far = i > 0 ? up_binary(c, UP_AND, so_far, t) : t;
  }
  return changed && ctx_ok(c) ? so_far : UP_NONE;
}

up_node up_simplify_valid(up_ctx *c, up_node valid) {
  up_list all = list_take(c);
  up_node out = UP_NONE;
  ranked *r = up_split(c, valid, UP_AND, &all) ? rank_all(c, &all) : NULL;
  if (r && ctx_ok(c)) out = conjoin(c, r, all.n);
  free(r);
  list_give(c, &all);
  return out;
}
