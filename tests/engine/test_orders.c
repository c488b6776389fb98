/* A graph's simplification does not depend on how the graph came to be: a random DAG of 100,000 nodes,
 * made in two orders, in one of them with parts of it simplified on the way. */
#include "engine/uop.h"
#include "fuzz/gen.h"
#include "tests/support/cm.h"
#include <stdlib.h>

#define NODES 100000u
#define VARS 8u
#define MAX_SUM 24u /* terms of a sum: a sum of shared sums has exponentially many */

/* How node i is made of earlier ones. */
typedef struct recipe {
  up_op op;
  uint32_t a, b, c;
  int64_t k;
  uint32_t terms; /* of the sum that it is */
  bool used;
} recipe;

static uint32_t below(fz_rng *r, uint32_t n) { return (uint32_t)(fz_next(r) % n); }

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* An earlier integer node; mostly a recent one, so that the graph gets deep. */
static uint32_t pick(const recipe *g, fz_rng *r, uint32_t i) {
  uint32_t span = below(r, 4) == 0 || i < 64 ? i : 64;
  for (;;) {
    uint32_t j = i - 1 - below(r, span);
    if (g[j].op != UP_CMPLT) return j;
  }
}

static recipe make_recipe(recipe *g, fz_rng *r, uint32_t i) {
  static const up_op ops[] = {UP_ADD, UP_ADD, UP_MUL, UP_IDIV, UP_MOD, UP_MAX, UP_WHERE};
  recipe n = {.op = ops[below(r, 7)], .a = pick(g, r, i), .b = pick(g, r, i), .terms = 1};
  n.c = pick(g, r, i);
  n.k = (int64_t)below(r, 9) + 1;
  if (n.op == UP_ADD)
    n.terms = g[n.a].terms + g[n.b].terms;
  else /* any of the others can turn out to be one of its operands */
    n.terms = larger(g[n.a].terms, larger(g[n.b].terms, g[n.c].terms));
  if (n.terms > MAX_SUM || (n.op == UP_MUL && i % 3)) {
    n.op = UP_XOR; /* no rule looks through it, and its bounds are those of the dtype */
    n.terms = 1;
  }
  g[n.a].used = true;
  if (n.op == UP_ADD || n.op == UP_MAX || n.op == UP_WHERE) g[n.b].used = true;
  if (n.op == UP_WHERE) g[n.c].used = true;
  return n;
}

static up_node build_one(up_ctx *c, const recipe *g, const up_node *made, uint32_t i) {
  const recipe *n = &g[i];
  up_dtype d = up_dt(UP_INT);
  if (i < VARS) {
    char name[2] = {(char)('a' + (int)i), 0};
    return up_var(c, name, up_int_of(i % 3 ? 0 : -7), up_int_of(5 + 7 * (int64_t)i), d);
  }
  up_node a = made[n->a], k = up_const_int(c, d, n->k);
  switch (n->op) {
  case UP_ADD:
  case UP_MAX: return up_binary(c, n->op, a, made[n->b]);
  case UP_WHERE: return up_where(c, up_binary(c, UP_CMPLT, a, k), made[n->b], made[n->c]);
  default: return up_binary(c, n->op, a, k);
  }
}

static up_node sink_of_unused(up_ctx *c, const recipe *g, const up_node *made) {
  up_list roots = {0};
  for (uint32_t i = VARS; i < NODES && roots.n < UP_MAX_SRC; i++)
    if (!g[i].used) assert_true(up_list_push(&roots, made[i]));
  up_node s = up_new(c, UP_SINK, up_dt(UP_VOID), roots.p, roots.n, up_arg_none());
  up_list_free(&roots);
  return s;
}

static up_node build(up_ctx *c, const recipe *g, up_node *made) {
  for (uint32_t i = 0; i < NODES; i++) made[i] = build_one(c, g, made, i);
  return sink_of_unused(c, g, made);
}

/* From the roots down, depth first with the last source first: another creation order. A part that
 * is simplified on the way must not change what the whole becomes. */
static up_node build_otherwise(up_ctx *c, const recipe *g, up_node *made) {
  uint32_t *stack = test_malloc(4 * NODES * sizeof *stack), n = 0;
  for (uint32_t i = 0; i < NODES; i++) made[i] = UP_NONE;
  for (uint32_t root = NODES; root-- > 0;) {
    stack[n++] = root;
    while (n) {
      uint32_t i = stack[n - 1];
      const uint32_t src[3] = {g[i].c, g[i].b, g[i].a};
      bool wait = false;
      for (int j = 0; i >= VARS && j < 3; j++)
        if (up_is_none(made[src[j]])) {
          stack[n++] = src[j];
          wait = true;
          break;
        }
      if (wait) continue;
      n--;
      if (up_is_none(made[i])) made[i] = build_one(c, g, made, i);
      if (i % 997 == 0) assert_int_equal(up_simplify(c, made[i], NULL).status, UP_OK);
    }
  }
  test_free(stack);
  return sink_of_unused(c, g, made);
}

static void simplification_does_not_depend_on_creation_order(void **state) {
  (void)state;
  up_profile *p = up_profile_load("v0.11.0", NULL);
  up_ctx *a = up_ctx_new(p), *b = up_ctx_new(p);
  recipe *g = test_calloc(NODES, sizeof *g);
  up_node *made = test_calloc(NODES, sizeof *made);
  fz_rng r = {20};
  for (uint32_t i = 0; i < VARS; i++) g[i].terms = 1;
  for (uint32_t i = VARS; i < NODES; i++) g[i] = make_recipe(g, &r, i);
  up_node one = build(a, g, made), two = build_otherwise(b, g, made);
  assert_true(up_count(a, one) > NODES / 2);
  assert_true(up_same(up_copy(a, b, two), one));
  up_result x = up_simplify(a, one, NULL), y = up_simplify(b, two, NULL);
  assert_int_equal(x.status, UP_OK);
  assert_int_equal(y.status, UP_OK);
  assert_false(up_same(x.node, one));
  assert_true(up_same(up_copy(a, b, y.node), x.node));
  test_free(made);
  test_free(g);
  up_ctx_free(a);
  up_ctx_free(b);
  up_profile_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplification_does_not_depend_on_creation_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
