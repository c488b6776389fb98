/* The `tuplize` order of nodes: op, arg, dtype, then sources. Source: UOp.tuplize of 0.10.0 and
 * 0.11.0, which differ only in the numbers of the ops. */
#include "internal.h"
#include <string.h>

static const uint8_t order_0_10[UP_OP_COUNT] = {
#define OP(name, ord10, groups) ord10,
#include "ops.def"
#undef OP
};

static int op_rank(const up_ctx *c, up_op op) {
  bool old = old_release(c);
  return old && order_0_10[op] ? order_0_10[op] : (int)op + (old ? UP_OP_COUNT : 0);
}

static int cmp_int(int a, int b) { return (a > b) - (a < b); }

/* Numbers before strings before lists is our choice where Python would raise: one op has one kind.
 */
static int kind_rank(up_arg_kind k) {
  return k == UP_A_NONE ? 0 : k == UP_A_STR ? 2 : k == UP_A_LIST ? 3 : 1;
}

static int cmp_scalar(const up_ctx *c, up_arg a, up_arg b) {
  up_arg_kind x = up_arg_kind_of(c, a), y = up_arg_kind_of(c, b);
  if (kind_rank(x) != kind_rank(y)) return cmp_int(kind_rank(x), kind_rank(y));
  if (x == UP_A_NONE) return 0;
  if (x == UP_A_STR) return cmp_int(strcmp(up_arg_text(c, a), up_arg_text(c, b)), 0);
  return up_val_cmp(c, up_arg_val(c, a), up_arg_val(c, b));
}

static int cmp_arg(const up_ctx *c, up_arg a, up_arg b, unsigned depth) {
  if (a.id == b.id) return 0;
  if (up_arg_kind_of(c, a) != UP_A_LIST || up_arg_kind_of(c, b) != UP_A_LIST)
    return cmp_scalar(c, a, b);
  UP_REQUIRE(depth < UP_MAX_ARG_DEPTH, "up_cmp");
  uint32_t m = up_arg_len(c, a), n = up_arg_len(c, b);
  for (uint32_t i = 0; i < m && i < n; i++) {
    int r = cmp_arg(c, up_arg_at(c, a, i), up_arg_at(c, b, i), depth + 1);
    if (r) return r;
  }
  return (m > n) - (m < n);
}

static int cmp_fields(const up_ctx *c, up_node a, up_node b) {
  up_op x = node_op(c, a), y = node_op(c, b);
  if (x != y) return cmp_int(op_rank(c, x), op_rank(c, y));
  up_arg p = {node_at(c, a)->arg}, q = {node_at(c, b)->arg};
  int r = p.id == q.id ? 0 : cmp_arg(c, p, q, 0);
  if (r || node_dtype(c, a) == node_dtype(c, b)) return r;
  return up_dt_cmp(node_dtype(c, a), node_dtype(c, b));
}

/* Equal graphs are one node, so of two different nodes with equal fields the first differing pair
 * of sources decides: a single path down, however much is shared. */
static __attribute__((noinline)) int cmp_down(const up_ctx *c, up_node a, up_node b) {
  while (!up_same(a, b)) {
    int r = cmp_fields(c, a, b);
    if (r) return r;
    uint32_t m = node_nsrc(c, a), n = node_nsrc(c, b), i = 0;
    while (i < m && i < n && up_same(node_src(c, a, i), node_src(c, b, i))) i++;
    if (i == m || i == n) return (m > n) - (m < n);
    up_node x = node_src(c, a, i), y = node_src(c, b, i);
    a = x;
    b = y;
  }
  return 0;
}

int up_cmp(up_ctx *c, up_node a, up_node b) {
  up_op x = node_op(c, a), y = node_op(c, b);
  return x != y ? cmp_int(op_rank(c, x), op_rank(c, y)) : cmp_down(c, a, b);
}
