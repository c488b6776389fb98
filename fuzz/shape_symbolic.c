/* Graphs distributed like those of tinygrad's own fuzzer, test/external/fuzz_symbolic.py: for
 * measurements side by side, and to fuzz what it fuzzes at another speed.
 *
 * Three variables [0, ub]; depth 6; at each level a unary step on an expression of the level below
 * (weight 6), a binary one (4), or a where (1). Recursion is as deep as that constant.
 */
#include "fuzz/gen.h"
#include <assert.h>

#define DEPTH 6

typedef struct shape {
  up_ctx *c;
  fz_rng r;
  bool floors;
  up_node var[3];
} shape;

static int64_t between(shape *s, int64_t lo, int64_t hi) {
  return lo + (int64_t)(fz_next(&s->r) % (uint64_t)(hi - lo + 1));
}

/* Position in a list of weights that add up to `sum`. */
static unsigned weighted(shape *s, const uint8_t *weight, unsigned sum) {
  unsigned pick = (unsigned)(fz_next(&s->r) % sum), i = 0;
  while (pick >= weight[i]) pick -= weight[i++];
  return i;
}

static bool even(shape *s) { return fz_next(&s->r) % 2 == 0; }

static up_node number(const shape *s, int64_t v) { return up_const_int(s->c, up_dt(UP_INT), v); }

/* min(a, b) is -max(-a, -b) */
static up_node minimum(const shape *s, up_node a, up_node minus_b) {
  return up_neg(s->c, up_binary(s->c, UP_MAX, up_neg(s->c, a), minus_b));
}

static up_node divided(shape *s, up_op op, up_op floor, up_node a) {
  return up_binary(s->c, s->floors ? floor : op, a, number(s, between(s, 1, 9)));
}

static up_node unary_step(shape *s, up_node a) {
  static const uint8_t weight[] = {4, 4, 4, 4, 1, 1};
  switch (weighted(s, weight, 18)) {
  case 0: return up_binary(s->c, UP_ADD, a, number(s, between(s, -4, 4)));
  case 1: return up_binary(s->c, UP_MUL, a, number(s, between(s, -4, 4)));
  case 2: return divided(s, UP_IDIV, UP_FLOORDIV, a);
  case 3: return divided(s, UP_MOD, UP_FLOORMOD, a);
  case 4: return up_binary(s->c, UP_MAX, a, number(s, between(s, -10, 10)));
  default: return minimum(s, a, number(s, -between(s, -10, 10)));
  }
}

static up_node binary_step(shape *s, up_node a, up_node b) {
  static const uint8_t weight[] = {8, 1, 1, 1};
  switch (weighted(s, weight, 11)) {
  case 0: return up_binary(s->c, UP_ADD, a, b);
  case 1: return up_binary(s->c, UP_MUL, a, b);
  case 2: return up_binary(s->c, UP_MAX, a, b);
  default: return minimum(s, a, up_neg(s->c, b));
  }
}

/* A node under n, n included, that is no bool; each equally likely. UP_NONE: no memory. */
static up_node part_of(shape *s, up_node n) {
  up_list topo = {0};
  up_node found = UP_NONE;
  if (up_toposort(s->c, n, &topo)) {
    do {
      found = topo.p[fz_next(&s->r) % topo.n];
    } while (up_dt_is_bool(up_dtype_of(s->c, found)));
  }
  up_list_free(&topo);
  return found;
}

static up_node expression(shape *s, int depth);

static up_node new_or_part(shape *s, int depth, up_node of) {
  return even(s) ? expression(s, depth) : part_of(s, of);
}

static up_node comparison(shape *s, int depth, up_node a) {
  up_node b = even(s) ? new_or_part(s, depth - 1, a) : number(s, between(s, -10, 10));
  switch (fz_next(&s->r) % 4) {
  case 0: return up_binary(s->c, UP_CMPLT, a, b);
  case 1: return up_not(s->c, up_binary(s->c, UP_CMPLT, b, a));
  case 2: return up_binary(s->c, UP_CMPLT, b, a);
  default: return up_not(s->c, up_binary(s->c, UP_CMPLT, a, b));
  }
}

/* The comparison is of depth 3, and what it is about of a level below this one's operand. */
static up_node where_step(shape *s, int depth, up_node a) {
  up_node cond = comparison(s, 2, new_or_part(s, depth - 2, a));
  return up_where(s->c, cond, a, new_or_part(s, depth - 2, a));
}

static up_node expression(shape *s, int depth) {
  static const uint8_t weight[] = {6, 4, 1};
  assert(depth <= DEPTH);
  if (depth <= 0) return s->var[fz_next(&s->r) % 3];
  up_node a = expression(s, depth - 1);
  if (up_ctx_status(s->c) != UP_OK) return a;
  switch (weighted(s, weight, 11)) {
  case 0: return unary_step(s, a);
  case 1: return binary_step(s, a, new_or_part(s, depth - 2, a));
  default: return where_step(s, depth, a);
  }
}

up_node fz_symbolic(up_ctx *c, const fz_opts *o, uint64_t seed, uint64_t index) {
  static const char *const name[3] = {"v1", "v2", "v3"};
  static const int64_t bound[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 64, 128, 256};
  fz_rng mix = {seed};
  shape s = {.c = c, .r = {fz_next(&mix) ^ (index * UINT64_C(0xD1342543DE82EF95))}};
  s.floors = o->floors == FZ_ALL_FLOORS;
  for (unsigned i = 0; i < 3; i++) {
    int64_t ub = bound[fz_next(&s.r) % (sizeof bound / sizeof *bound)];
    s.var[i] = up_var(c, name[i], up_int_of(0), up_int_of(ub), up_dt(UP_INT));
  }
  up_node root = expression(&s, DEPTH);
  return up_ctx_status(c) == UP_OK ? root : UP_NONE;
}
