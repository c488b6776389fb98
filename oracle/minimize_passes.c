/* The passes of the minimizer. Each goes once over the best graph and tries simpler forms; after an
 * accepted trial it goes on at the same place of the new graph. */
#include "oracle/shrink.h"
#include "oracle/witness.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a node for the whole graph -------------------------------------------------------------- */

/* Up to here every node is tried, smallest graphs first; above, a few that are spread evenly, then
 * the sources of the root. */
#define SMALL_GRAPH 512u
#define SPREAD 16u

static bool descend_far(shrink *s) {
  for (uint64_t i = 1; i < SPREAD; i++) {
    if (shrink_try_root(s, s->topo.p[s->topo.n * i / SPREAD])) return true;
  }
  return false;
}

static bool descend_one(shrink *s) {
  up_node root = s->topo.p[s->topo.n - 1];
  for (uint32_t i = 0; i < up_nsrc(s->best, root); i++) {
    if (shrink_try_root(s, up_src(s->best, root, i))) return true;
  }
  return false;
}

bool pass_descend(shrink *s) {
  bool any = false;
  /* the node that the blamed rule rewrote is the most likely one */
  if (!up_is_none(s->cause)) any = shrink_try_root(s, s->cause);
  while (s->topo.n > SMALL_GRAPH && (descend_far(s) || descend_one(s))) any = true;
  if (s->topo.n > SMALL_GRAPH) return any;
  for (uint32_t i = 0; i + 1 < s->topo.n; i++) {
    if (up_nsrc(s->best, s->topo.p[i]) > 0 && shrink_try_root(s, s->topo.p[i])) return true;
  }
  return any;
}

/* ---- an operand, a constant or a variable for a node ----------------------------------------- */

bool try_const(shrink *s, up_node at, mpz_srcptr v) {
  return shrink_try(s, &(edit){.kind = EDIT_CONST, .at = at, .lo = v});
}

bool try_const_si(shrink *s, up_node at, long v) {
  mpz_t t;
  mpz_init_set_si(t, v);
  bool ok = try_const(s, at, t);
  mpz_clear(t);
  return ok;
}

static bool try_node(shrink *s, up_node at, up_node by) {
  if (up_same(at, by) || up_dtype_of(s->best, at) != up_dtype_of(s->best, by)) return false;
  return shrink_try(s, &(edit){.kind = EDIT_NODE, .at = at, .by = by});
}

bool is_plain(const shrink *s, up_node n) {
  up_dtype d = up_dtype_of(s->best, n);
  return up_dt_is_int(d) || up_dt_is_bool(d);
}

/* Sources of n, and their sources. */
static bool cut_to_operand(shrink *s, up_node n) {
  for (uint32_t i = 0; i < up_nsrc(s->best, n); i++) {
    if (try_node(s, n, up_src(s->best, n, i))) return true;
  }
  for (uint32_t i = 0; i < up_nsrc(s->best, n); i++) {
    up_node m = up_src(s->best, n, i);
    for (uint32_t k = 0; k < up_nsrc(s->best, m); k++) {
      if (try_node(s, n, up_src(s->best, m, k))) return true;
    }
  }
  return false;
}

/* 0, 1, -1 and the value at the witness. */
static bool cut_to_constant(shrink *s, up_node n) {
  if (!is_plain(s, n)) return false;
  if (try_const_si(s, n, 0) || try_const_si(s, n, 1)) return true;
  if (!up_dt_is_bool(up_dtype_of(s->best, n)) && try_const_si(s, n, -1)) return true;
  or_point p;
  mpz_t v;
  if (!or_point_eval(s->best, s->topo.p[s->topo.n - 1], s->frame, &s->witness, &p)) return false;
  mpz_init(v);
  bool ok = shrink_value(s, &p, n, v) && mpz_cmpabs_ui(v, 1) > 0 && try_const(s, n, v);
  mpz_clear(v);
  or_point_clear(&p);
  return ok;
}

bool cut_to_leaf(shrink *s, up_node n) {
  for (uint32_t i = 0; i < s->topo.n; i++) {
    up_node leaf = s->topo.p[i];
    if (up_nsrc(s->best, leaf) == 0 && try_node(s, n, leaf)) return true;
  }
  return false;
}

static bool name_is_used(shrink *s, const char *name) {
  for (uint32_t i = 0; i < s->topo.n; i++) {
    up_op op = up_op_of(s->best, s->topo.p[i]);
    if (op != UP_DEFINE_VAR && op != UP_RANGE && op != UP_SPECIAL) continue;
    char other[64];
    or_var_name(s->best, s->topo.p[i], other);
    if (strcmp(name, other) == 0) return true;
  }
  return false;
}

/* A new variable with the node's claimed range. */
static bool cut_to_new_variable(shrink *s, up_node n) {
  if (!is_plain(s, n) || up_dt_count(up_dtype_of(s->best, n)) != 1) return false;
  up_bounds b = up_minmax(s->best, n);
  if (b.lo.is_float || b.hi.is_float || up_int_cmp(s->best, b.lo.i, b.hi.i) > 0) return false;
  char name[16];
  unsigned k = 0;
  do snprintf(name, sizeof name, "v%u", k++);
  while (name_is_used(s, name));
  mpz_t lo, hi;
  mpz_inits(lo, hi, NULL);
  up_int_to_mpz(s->best, b.lo.i, lo);
  up_int_to_mpz(s->best, b.hi.i, hi);
  bool ok = shrink_try(s, &(edit){.kind = EDIT_VAR, .at = n, .name = name, .lo = lo, .hi = hi});
  mpz_clears(lo, hi, NULL);
  return ok;
}

bool pass_cut(shrink *s) {
  bool any = false;
  /* from the root down: the largest cuts first */
  for (uint32_t left = s->topo.n; left > 0 && !shrink_over(s);) {
    up_node n = s->topo.p[left - 1];
    bool cut = up_nsrc(s->best, n) > 0 && (cut_to_operand(s, n) || cut_to_constant(s, n) ||
                                           cut_to_leaf(s, n) || cut_to_new_variable(s, n));
    any = any || cut;
    if (!cut) left--;
    if (left > s->topo.n) left = s->topo.n;
  }
  return any;
}

/* ---- one use of a shared node ---------------------------------------------------------------- */

/* What may stand at source `use` of n: casts take any dtype. */
static bool try_use(shrink *s, up_node n, uint32_t use, up_node by) {
  up_node old = up_src(s->best, n, use);
  bool any_type = up_op_of(s->best, n) == UP_CAST && is_plain(s, by);
  if (up_same(old, by)) return false;
  if (!any_type && up_dtype_of(s->best, old) != up_dtype_of(s->best, by)) return false;
  return shrink_try(s, &(edit){.kind = EDIT_USE, .at = n, .use = use, .by = by});
}

static bool try_use_const(shrink *s, up_node n, uint32_t use, long v) {
  if (!is_plain(s, up_src(s->best, n, use))) return false;
  mpz_t t;
  mpz_init_set_si(t, v);
  bool ok = shrink_try(s, &(edit){.kind = EDIT_USE, .at = n, .use = use, .lo = t});
  mpz_clear(t);
  return ok;
}

/* The source's own sources, a leaf of the graph, 0 or 1. */
static bool simplify_use(shrink *s, up_node n, uint32_t use) {
  up_node src = up_src(s->best, n, use);
  for (uint32_t i = 0; i < up_nsrc(s->best, src); i++) {
    if (try_use(s, n, use, up_src(s->best, src, i))) return true;
  }
  for (uint32_t i = 0; i < s->topo.n; i++) {
    up_node leaf = s->topo.p[i];
    if (up_nsrc(s->best, leaf) == 0 && try_use(s, n, use, leaf)) return true;
  }
  return try_use_const(s, n, use, 0) || try_use_const(s, n, use, 1);
}

/* Uses of n that are worth a try alone: of nodes with sources that have another user, and of what
 * is cast. */
static bool simplify_uses(shrink *s, const uint32_t *users, up_node n) {
  for (uint32_t i = 0; i < up_nsrc(s->best, n); i++) {
    up_node src = up_src(s->best, n, i);
    bool inner = up_nsrc(s->best, src) > 0;
    bool alone = users[src.id] < 2 && up_op_of(s->best, n) != UP_CAST;
    if (inner && !alone && simplify_use(s, n, i)) return true;
  }
  return false;
}

/* Uses of every node, by its id in best; NULL: no memory. */
static uint32_t *count_users(const shrink *s) {
  uint32_t *users = calloc((size_t)up_ctx_node_count(s->best) + 1, sizeof *users);
  for (uint32_t i = 0; users && i < s->topo.n; i++) {
    for (uint32_t k = 0; k < up_nsrc(s->best, s->topo.p[i]); k++)
      users[up_src(s->best, s->topo.p[i], k).id]++;
  }
  return users;
}

bool pass_uses(shrink *s) {
  bool any = false;
  uint32_t *users = count_users(s);
  for (uint32_t left = s->topo.n; users && left > 0 && !shrink_over(s);) {
    if (simplify_uses(s, users, s->topo.p[left - 1])) {
      any = true;
      free(users);
      users = count_users(s);
    } else {
      left--;
    }
    if (left > s->topo.n) left = s->topo.n;
  }
  free(users);
  return any;
}

/* ---- fewer variables ------------------------------------------------------------------------- */

bool domain_of(const shrink *s, up_node n, char name[64], mpz_t lo, mpz_t hi) {
  up_op op = up_op_of(s->best, n);
  up_int a, b;
  if (op != UP_DEFINE_VAR && op != UP_RANGE && op != UP_SPECIAL) return false;
  if (!up_var_domain(s->best, n, name, &a, &b)) return false;
  up_int_to_mpz(s->best, a, lo);
  up_int_to_mpz(s->best, b, hi);
  return true;
}

void witness_value(const shrink *s, up_node var, mpz_t out) {
  for (uint32_t i = 0; i < s->witness.n; i++) {
    if (up_same(s->witness.var[i], var)) mpz_set(out, s->witness.value[i]);
  }
}

/* One variable for n and another, over both ranges. */
static bool merge_variable(shrink *s, up_node n, const mpz_t lo, const mpz_t hi) {
  char name[64];
  mpz_t low, high;
  mpz_inits(low, high, NULL);
  bool ok = false;
  for (uint32_t i = 0; i < s->topo.n && !ok; i++) {
    up_node other = s->topo.p[i];
    if (up_same(n, other) || up_dtype_of(s->best, n) != up_dtype_of(s->best, other)) continue;
    if (!domain_of(s, other, name, low, high)) continue;
    if (mpz_cmp(lo, low) < 0) mpz_set(low, lo);
    if (mpz_cmp(hi, high) > 0) mpz_set(high, hi);
    ok = shrink_try(
        s, &(edit){.kind = EDIT_MERGE, .at = n, .by = other, .name = name, .lo = low, .hi = high});
  }
  mpz_clears(low, high, NULL);
  return ok;
}

static bool simplify_variable(shrink *s, up_node n) {
  char name[64];
  mpz_t lo, hi, v;
  mpz_inits(lo, hi, v, NULL);
  bool ok = false;
  if (domain_of(s, n, name, lo, hi)) {
    witness_value(s, n, v);
    ok = try_const_si(s, n, 0) || try_const_si(s, n, 1) || try_const(s, n, v) ||
         try_const(s, n, lo) || try_const(s, n, hi) || cut_to_leaf(s, n) ||
         merge_variable(s, n, lo, hi);
  }
  mpz_clears(lo, hi, v, NULL);
  return ok;
}

/* One node after the other, from the leaves up. */
bool each_node(shrink *s, bool (*simplify)(shrink *, up_node)) {
  bool any = false;
  for (uint32_t i = 0; i < s->topo.n && !shrink_over(s);) {
    bool done = simplify(s, s->topo.p[i]);
    any = any || done;
    if (!done) i++;
  }
  return any;
}

bool pass_variables(shrink *s) { return each_node(s, simplify_variable); }

/* ---- dtypes -------------------------------------------------------------------------------- */

static bool is_scalar_int(const shrink *s, up_node n) {
  up_dtype d = up_dtype_of(s->best, n);
  return up_dt_is_int(d) && up_dt_count(d) == 1 && !up_dt_is_ptr(d);
}

static bool try_type(shrink *s, up_node n, up_dtype to) {
  up_dtype from = up_dtype_of(s->best, n);
  return from != to && shrink_try(s, &(edit){.kind = EDIT_TYPE, .from = from, .to = to});
}

static bool simplify_type(shrink *s, up_node n) {
  if (!is_scalar_int(s, n)) return false;
  if (try_type(s, n, up_dt(UP_INT))) return true;
  for (uint32_t i = 0; i < s->topo.n; i++) {
    up_op op = up_op_of(s->best, s->topo.p[i]);
    bool wanted = op == UP_CAST && is_scalar_int(s, s->topo.p[i]);
    if (wanted && try_type(s, n, up_dtype_of(s->best, s->topo.p[i]))) return true;
  }
  return false;
}

bool pass_types(shrink *s) { return each_node(s, simplify_type); }

/* ---- cuts that need other values of the variables -------------------------------------------- */

/* The ranges have become as small as the graph allows, and can be too small for a smaller graph. */
#define WIDEN_UP_TO 24u
#define MOST_ROOM 4096u

bool pass_widened(shrink *s) {
  if (s->topo.n > WIDEN_UP_TO || s->size.vars == 0) return false;
  unsigned long room =
      mpz_cmp_ui(s->size.consts, MOST_ROOM) < 0 ? mpz_get_ui(s->size.consts) : MOST_ROOM;
  s->widen = room + 8;
  bool any = pass_cut(s);
  any = each_node(s, simplify_variable) || any;
  for (uint32_t i = 0; i < s->topo.n && !shrink_over(s); i++) {
    mpz_t v;
    mpz_init(v);
    if (constant_at(s, i, v)) any = jump_constant(s, s->topo.p[i], v) || any;
    mpz_clear(v);
  }
  s->widen = 0;
  return any;
}
