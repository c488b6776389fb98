/* x//d + (x+1)//d + ... + (x+d-1)//d = x, from unrolled ranges. Source: `fold_unrolled_divs` of
 * 0.10.0 and of 0.11.0. True for floor division; truncating, only when no term is negative, which
 * 0.10.0 does not ask and 0.11.0 does. */
#include "native.h"
#include <stdlib.h>

/* The sum so far: every term is (base + offset) // d, times the factor. */
typedef struct unrolled {
  up_node base;
  up_int d, factor;
  bool d_known, nonnegative; /* d is given; numerators must be known not to be negative */
  up_int *offset;
  uint32_t n, cap;
} unrolled;

static bool add_offset(up_ctx *c, unrolled *u, up_int v) {
  if (!ctx_grow(c, &u->offset, &u->cap, (uint64_t)u->n + 1, sizeof *u->offset)) return false;
  u->offset[u->n++] = v;
  return true;
}

/* False when the term does not have the common factor. */
static bool take_factor(up_ctx *c, const unrolled *u, up_node *t) {
  up_int f;
  if (up_int_is(u->factor, 1)) return true;
  if (up_op_of(c, *t) != UP_MUL || !up_is_const_int(c, up_src(c, *t, 1), &f)) return false;
  *t = up_src(c, *t, 0);
  return up_int_eq(f, u->factor);
}

static bool not_negative(up_ctx *c, up_node n) {
  up_val lo = up_minmax(c, n).lo;
  return ctx_ok(c) && up_val_cmp(c, lo, up_val_int(up_int_of(0))) >= 0;
}

/* False when the term is not a division of the common base by the common constant. */
static bool take_term(up_ctx *c, unrolled *u, up_node t) {
  up_int d, offset = up_int_of(0);
  if (!take_factor(c, u, &t)) return false;
  if (up_op_of(c, t) != UP_IDIV || !up_is_const_int(c, up_src(c, t, 1), &d)) return false;
  up_node base = up_src(c, t, 0);
  if (u->nonnegative && !not_negative(c, base)) return false;
  if (up_op_of(c, base) == UP_ADD && up_is_const_int(c, up_src(c, base, 1), &offset))
    base = up_src(c, base, 0);
  if (u->n == 0) u->base = base;
  if (!u->d_known) u->d = d;
  u->d_known = true;
  return up_int_eq(u->d, d) && up_same(u->base, base) && add_offset(c, u, offset);
}

/* Insertion sort: unrolls are small, and mostly in order already. */
static void sort_offsets(const up_ctx *c, unrolled *u) {
  for (uint32_t i = 1; i < u->n; i++) {
    up_int v = u->offset[i];
    uint32_t j = i;
    for (; j > 0 && up_int_cmp(c, u->offset[j - 1], v) > 0; j--) u->offset[j] = u->offset[j - 1];
    u->offset[j] = v;
  }
}

/* The first `missing` terms may have been folded to 0 before: they are 0 if base + missing - 1 < d,
 * for a base that is not negative. */
static bool may_lack(up_ctx *c, const unrolled *u, up_int missing) {
  if (up_int_sign(c, missing) == 0) return true;
  up_bounds b = up_minmax(c, u->base);
  if (!ctx_ok(c) || b.lo.is_float || b.hi.is_float || up_int_sign(c, b.lo.i) < 0) return false;
  up_int last = up_int_add(c, b.hi.i, up_int_sub(c, missing, up_int_of(1)));
  return up_int_cmp(c, last, u->d) < 0;
}

/* Are the offsets d-n .. d-1, the others being terms that were 0? */
static bool complete(up_ctx *c, unrolled *u) {
  up_int missing = up_int_sub(c, u->d, up_int_of(u->n));
  if (u->n == 0 || up_int_sign(c, missing) < 0 || !may_lack(c, u, missing)) return false;
  sort_offsets(c, u);
  for (uint32_t i = 0; i < u->n; i++)
    if (!up_int_eq(u->offset[i], up_int_add(c, missing, up_int_of(i)))) return false;
  return ctx_ok(c);
}

/* Can the sum consist of such divisions, by its two last terms? Most sums can't. */
static bool may_be_unrolled(const up_ctx *c, up_node sum, up_op op) {
  for (int i = 0; i < 2; i++) {
    if (node_op(c, sum) != UP_ADD) return node_op(c, sum) == op;
    if (node_op(c, node_src(c, sum, 1)) != UP_ADD && node_op(c, node_src(c, sum, 1)) != op)
      return false;
    sum = node_src(c, sum, 0);
  }
  return node_op(c, sum) == UP_ADD || node_op(c, sum) == op;
}

/* The base when the whole sum is there. */
static up_node fold(up_ctx *c, up_node divs, unrolled *u) {
  if (!may_be_unrolled(c, divs, up_int_is(u->factor, 1) ? UP_IDIV : UP_MUL)) return UP_NONE;
  up_list leaf = list_take(c);
  bool ok = up_split(c, divs, UP_ADD, &leaf);
  for (uint32_t i = 0; ok && i < leaf.n; i++) ok = take_term(c, u, leaf.p[i]);
  up_node r = ok && complete(c, u) ? u->base : UP_NONE;
  free(u->offset);
  list_give(c, &leaf);
  return r;
}

up_node native_fold_unrolled_divs(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  unrolled u = {.factor = up_int_of(1)};
  return fold(c, arg[0], &u);
}

up_node native_fold_unrolled_divs_by(up_ctx *c, const up_node *arg, unsigned n) {
  unrolled u = {.factor = up_int_of(1), .d_known = true, .nonnegative = true};
  if (!up_is_const_int(c, arg[1], &u.d)) return UP_NONE;
  if (n > 2 && !up_is_const_int(c, arg[2], &u.factor)) return UP_NONE;
  up_node base = fold(c, arg[0], &u);
  if (up_is_none(base) || !ctx_ok(c)) return UP_NONE;
  return up_binary(c, UP_MUL, up_const_like(c, base, u.factor), base);
}
