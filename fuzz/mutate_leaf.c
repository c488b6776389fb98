/* Mutators of constants, ranges and dtypes: where off-by-one and overflow live. */
#include "fuzz/mutation.h"
#include <stdlib.h>

up_node mutation_const(mutation *m, up_node not ) {
  up_node found = UP_NONE;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < m->topo.n; i++) {
    up_node n = m->topo.p[i];
    up_int v;
    if (up_same(n, not ) || !up_is_const_int(m->c, n, &v) || !up_dt_is_int(up_dtype_of(m->c, n)))
      continue;
    if (fz_below(m, ++seen) == 0) found = n;
  }
  return found;
}

/* Related to d, without overflow. */
static int64_t related(mutation *m, int64_t d) {
  if (d > INT32_MAX || d < INT32_MIN) return d / 2;
  switch (fz_below(m, 9)) {
  case 0: return d;
  case 1: return d - 1;
  case 2: return d + 1;
  case 3: return -d;
  case 4: return 2 * d;
  case 5: return 2 * d - 1;
  case 6: return d * d;
  case 7: return d / 2;
  default: return d * (int64_t)(1 + fz_below(m, 9));
  }
}

int64_t mutation_number(mutation *m) {
  static const int64_t small[] = {0, 1, -1, 2, 3, 4, 5, 6, 7, 8, -2, -3, 9, 10, 12, 25};
  unsigned k = fz_below(m, 8);
  up_node c = k < 3 ? mutation_const(m, UP_NONE) : UP_NONE;
  up_int v;
  if (!up_is_none(c) && up_is_const_int(m->c, c, &v) && up_int_fits(v)) return related(m, v.lo);
  if (k == 3) {
    int64_t power = INT64_C(1) << fz_below(m, 34);
    return power - 1 + (int64_t)fz_below(m, 3);
  }
  return small[fz_below(m, 16)];
}

up_node mutation_number_of(mutation *m, up_dtype dt, int64_t v) {
  if (up_dt_is_bool(dt)) return up_const_int(m->c, dt, v & 1);
  if (up_dt_is_float(dt)) return up_const(m->c, dt, up_val_float((double)v));
  if (!up_dt_is_int(dt)) return UP_NONE;
  return up_const(m->c, dt, up_val_int(up_int_wrap(m->c, up_int_of(v), dt)));
}

/* The ends of the dtype, of its half, of the narrower dtypes, and zero; one off now and then. */
up_node mutate_const_boundary(mutation *m) {
  up_node n = mutation_const(m, UP_NONE);
  if (up_is_none(n)) return UP_NONE;
  up_dtype dt = up_dtype_of(m->c, n);
  up_int off = up_int_of((int64_t)fz_below(m, 3) - 1), v;
  switch (fz_below(m, 5)) {
  case 0: v = up_dt_min(m->c, dt); break;
  case 1: v = up_dt_max(m->c, dt); break;
  case 2: v = up_int_tdiv(m->c, up_dt_max(m->c, dt), up_int_of(2)); break;
  case 3: v = up_dt_max(m->c, up_dt(fz_below(m, 2) ? UP_UCHAR : UP_SHORT)); break;
  default: v = up_int_of(0); break;
  }
  v = up_int_wrap(m->c, up_int_add(m->c, v, off), dt);
  return mutation_replace(m, n, up_const(m->c, dt, up_val_int(v)));
}

/* A constant made a multiple, a neighbour, ... of another one. */
up_node mutate_const_related(mutation *m) {
  up_node n = mutation_const(m, UP_NONE);
  if (up_is_none(n)) return UP_NONE;
  up_node other = mutation_const(m, n);
  up_int v = up_int_of(0);
  if (!up_is_const_int(m->c, up_is_none(other) ? n : other, &v) || !up_int_fits(v)) return UP_NONE;
  int64_t k = fz_below(m, 4) ? related(m, v.lo) : mutation_number(m);
  return mutation_replace(m, n, mutation_number_of(m, up_dtype_of(m->c, n), k));
}

/* ---- ranges ---------------------------------------------------------------------------------- */

typedef struct range {
  up_int lo, hi;
} range;

static range telling_range(mutation *m, up_dtype dt, range old) {
  int64_t k = mutation_number(m);
  up_int end = up_int_of(k < 0 ? (k == INT64_MIN ? 0 : -k) : k), one = up_int_of(1);
  range r = {up_int_of(0), end};
  switch (fz_below(m, 9)) {
  case 0: r = (range){up_int_neg(m->c, end), end}; break;
  case 1: r = (range){end, end}; break;
  case 2: r = (range){up_int_neg(m->c, end), up_int_of(0)}; break;
  case 3: r = (range){up_int_neg(m->c, old.hi), up_int_neg(m->c, old.lo)}; break;
  case 4: r = (range){old.lo, up_int_add(m->c, old.hi, one)}; break;
  case 5: r = (range){up_int_sub(m->c, old.lo, one), old.hi}; break;
  case 6: r = (range){up_dt_min(m->c, dt), up_dt_max(m->c, dt)}; break;
  case 7: r = (range){up_int_sub(m->c, end, one), end}; break;
  default: break;
  }
  up_int least = up_dt_min(m->c, dt), most = up_dt_max(m->c, dt);
  if (up_int_cmp(m->c, r.lo, least) < 0) r.lo = least;
  if (up_int_cmp(m->c, r.hi, most) > 0) r.hi = most;
  if (up_int_cmp(m->c, r.lo, r.hi) > 0) r.lo = r.hi = least;
  return r;
}

static up_node variable(mutation *m, const char *name, up_dtype dt, range old) {
  range r = telling_range(m, dt, old);
  return up_var(m->c, name, r.lo, r.hi, dt);
}

up_node mutation_variable(mutation *m, up_dtype dt) {
  static const char *const names[] = {"a", "b", "c", "d", "e"};
  if (!up_dt_is_int(dt) && !up_dt_is_bool(dt)) return UP_NONE;
  range old = {up_int_of(0), up_int_of(up_dt_is_bool(dt) ? 1 : 9)};
  return variable(m, names[fz_below(m, 5)], dt, old);
}

static bool is_int_variable(const mutation *m, up_node n) {
  return up_op_of(m->c, n) == UP_DEFINE_VAR && up_dt_is_int(up_dtype_of(m->c, n));
}

up_node mutate_range(mutation *m) {
  up_node v = UP_NONE;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < m->topo.n; i++) {
    up_node n = m->topo.p[i];
    if (is_int_variable(m, n) && fz_below(m, ++seen) == 0) v = n;
  }
  char name[64];
  range old;
  if (up_is_none(v) || !up_var_domain(m->c, v, name, &old.lo, &old.hi)) return UP_NONE;
  return mutation_replace(m, v, variable(m, name, up_dtype_of(m->c, v), old));
}

/* A variable in the place of a node. */
up_node mutate_variable(mutation *m) {
  up_node n = fz_some(m);
  up_node v = mutation_variable(m, up_dtype_of(m->c, n));
  return up_is_none(v) ? v : mutation_replace(m, n, v);
}

/* ---- dtypes ---------------------------------------------------------------------------------- */

static up_node retyped_leaf(const mutation *m, up_node n, up_dtype to) {
  up_int v;
  char name[64];
  range r;
  if (up_is_const_int(m->c, n, &v)) return up_const(m->c, to, up_val_int(up_int_wrap(m->c, v, to)));
  if (up_op_of(m->c, n) != UP_DEFINE_VAR || !up_var_domain(m->c, n, name, &r.lo, &r.hi))
    return UP_NONE;
  up_int least = up_dt_min(m->c, to), most = up_dt_max(m->c, to);
  bool fits = up_int_cmp(m->c, r.lo, least) >= 0 && up_int_cmp(m->c, r.hi, most) <= 0;
  return fits ? up_var(m->c, name, r.lo, r.hi, to) : up_var(m->c, name, least, most, to);
}

/* Every scalar of one integer dtype becomes one of another: the same graph where it overflows
 * sooner, or not at all. Only in graphs of leaves and arithmetic. */
up_node mutate_retype(mutation *m) {
  static const enum up_scalar types[] = {UP_CHAR, UP_UCHAR, UP_SHORT, UP_UINT, UP_LONG, UP_INT};
  up_dtype from = up_dtype_of(m->c, fz_some(m)), to = up_dt(types[fz_below(m, 6)]);
  if (!up_dt_is_int(from) || up_dt_count(from) != 1 || from == to) return UP_NONE;
  uint32_t *image = calloc((size_t)m->root.id + 1, sizeof *image);
  if (!image) up_ctx_set_status(m->c, UP_NO_MEMORY);
  up_node made = UP_NONE;
  for (uint32_t i = 0; image && i < m->topo.n; i++) {
    up_node n = m->topo.p[i], src[3];
    uint32_t nsrc = up_nsrc(m->c, n);
    bool mine = up_dtype_of(m->c, n) == from;
    made = n;
    for (uint32_t k = 0; k < nsrc && k < 3; k++) src[k] = (up_node){image[up_src(m->c, n, k).id]};
    if (mine && nsrc == 0) made = retyped_leaf(m, n, to);
    if (nsrc > 3 || up_is_none(made)) made = UP_NONE;
    up_dtype dt = mine ? to : up_dtype_of(m->c, n);
    if (!up_is_none(made) && nsrc > 0) {
      bool ok = up_node_check(m->c, up_op_of(m->c, n), dt, src, nsrc, up_arg_of(m->c, n), NULL);
      made = ok ? up_new(m->c, up_op_of(m->c, n), dt, src, nsrc, up_arg_of(m->c, n)) : UP_NONE;
    }
    if (up_is_none(made)) break;
    image[n.id] = made.id;
  }
  free(image);
  return made;
}
