/* Nodes, dtypes, walks, order: the parts that need no rules. */
#include "engine/uop.h"
#include "tests/support/cm.h"
#include <stdlib.h>
#include <string.h>

static up_node var(up_ctx *c, const char *name, int64_t lo, int64_t hi) {
  return up_var(c, name, up_int_of(lo), up_int_of(hi), up_dt(UP_INT));
}
static up_node k(up_ctx *c, int64_t v) { return up_const_int(c, up_dt(UP_INT), v); }
static up_node add(up_ctx *c, up_node a, up_node b) { return up_binary(c, UP_ADD, a, b); }
static up_node mul(up_ctx *c, up_node a, up_node b) { return up_binary(c, UP_MUL, a, b); }

static void equal_nodes_are_one_node(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_node x = var(c, "x", 0, 7);
  assert_true(up_same(add(c, x, k(c, 1)), add(c, var(c, "x", 0, 7), k(c, 1))));
  assert_false(up_same(add(c, x, k(c, 1)), add(c, k(c, 1), x)));
  assert_false(up_same(x, var(c, "x", 0, 8)));
  assert_false(up_same(k(c, 1), up_const_int(c, up_dt(UP_LONG), 1)));
  up_node wide[40];
  for (int i = 0; i < 40; i++) wide[i] = k(c, i);
  up_node s = up_new(c, UP_SINK, up_dt(UP_VOID), wide, 40, up_arg_none());
  assert_true(up_same(s, up_new(c, UP_SINK, up_dt(UP_VOID), wide, 40, up_arg_none())));
  assert_int_equal(up_nsrc(c, s), 40);
  assert_true(up_same(up_src(c, s, 39), wide[39]));
  up_ctx_free(c);
}

/* All of them belong to one place of their table: constants that are equal in their low bits, and users
 * of one node that was made after their other source. Quadratic time would be minutes. */
static void what_crowds_one_place_is_found_again(void **state) {
  (void)state;
  enum { MANY = 100000 };
  up_ctx *c = up_ctx_new(NULL);
  up_node *number = malloc(MANY * sizeof *number), *user = malloc(MANY * sizeof *user);
  assert_non_null(number);
  assert_non_null(user);
  for (int64_t i = 0; i < MANY; i++) number[i] = k(c, i << 32);
  up_node hub = var(c, "hub", 0, 1);
  for (int i = 0; i < MANY; i++) user[i] = mul(c, number[i], hub);
  uint32_t made = up_ctx_node_count(c);
  assert_int_equal(made, 2 * MANY + 1);
  for (int64_t i = 0; i < MANY; i++) {
    assert_int_equal(k(c, i << 32).id, number[i].id);
    assert_int_equal(mul(c, number[i], hub).id, user[i].id);
  }
  assert_int_equal(up_ctx_node_count(c), made);
  free(number);
  free(user);
  up_ctx_free(c);
}

static void a_reset_context_gives_the_same_ids(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  uint32_t first = 0;
  for (int round = 0; round < 4; round++) {
    up_node n = var(c, "x", 0, 7);
    for (int i = 0; i < 5000 >> round; i++) n = add(c, n, k(c, i));
    up_node probe = mul(c, var(c, "y", 0, 1), var(c, "z", 0, 1));
    if (round == 0) first = up_src(c, add(c, k(c, 1), probe), 0).id;
    assert_int_equal(k(c, 1).id, first);
    up_ctx_reset(c);
    assert_int_equal(up_ctx_node_count(c), 0);
  }
  up_ctx_free(c);
}

static void constants_take_the_kind_of_their_dtype(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_node b = up_const_int(c, up_dt(UP_BOOL), 5);
  assert_int_equal(up_arg_kind_of(c, up_arg_of(c, b)), UP_A_BOOL);
  assert_true(up_int_is(up_const_val(c, b).i, 1));
  up_node f = up_const_int(c, up_dt(UP_FLOAT), 5);
  assert_true(up_const_val(c, f).is_float);
  up_node i = up_const(c, up_dt(UP_INT), up_val_float(-2.9));
  assert_true(up_int_is(up_const_val(c, i).i, -2));
  up_node u = up_const_int(c, up_dt(UP_UCHAR), -1); /* no reduction to the width */
  assert_true(up_int_is(up_const_val(c, u).i, -1));
  up_val same[2] = {up_val_int(up_int_of(3)), up_val_int(up_int_of(3))};
  assert_int_equal(up_op_of(c, up_vconst(c, up_dt_vec(up_dt(UP_INT), 2), same, 2)), UP_CONST);
  up_ctx_free(c);
}

static void toposort_has_first_source_first(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_node x = var(c, "x", 0, 7), y = var(c, "y", 0, 7);
  up_node xy = mul(c, y, x), root = add(c, add(c, x, xy), xy);
  up_list t = {0};
  assert_true(up_toposort(c, root, &t));
  const up_node want[] = {x, y, xy, add(c, x, xy), root};
  assert_int_equal(t.n, 5);
  for (uint32_t i = 0; i < t.n; i++) assert_true(up_same(t.p[i], want[i]));
  up_list_free(&t);
  up_ctx_free(c);
}

static void substitution_is_simultaneous_and_does_not_enter_values(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_node x = var(c, "x", 0, 7), y = var(c, "y", 0, 7), one = k(c, 1);
  const up_node key[] = {x, y}, val[] = {add(c, y, one), x};
  up_node got = up_substitute(c, mul(c, x, y), key, val, 2);
  assert_true(up_same(got, mul(c, add(c, y, one), x)));
  assert_true(up_same(up_substitute(c, one, key, val, 2), one));
  up_ctx_free(c);
}

static void users_are_listed_once_each(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_node x = var(c, "x", 0, 7), d = add(c, x, x), e = mul(c, x, d);
  up_list t = {0};
  uint32_t *start;
  up_node *users;
  assert_true(up_toposort(c, e, &t));
  assert_true(up_children(c, &t, &start, &users));
  assert_int_equal(start[1] - start[0], 2); /* x: d once, e once */
  assert_true(up_same(users[0], d) && up_same(users[1], e));
  assert_int_equal(start[2] - start[1], 1);
  assert_int_equal(start[3] - start[2], 0);
  free(start);
  free(users);
  up_list_free(&t);
  up_ctx_free(c);
}

static void a_bound_variable_is_not_listed_alone(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_node x = var(c, "x", 0, 7), y = var(c, "y", 0, 7);
  up_node b = up_new(c, UP_BIND, up_dt(UP_INT), (up_node[]){x, k(c, 3)}, 2, up_arg_none());
  up_list v = {0};
  assert_true(up_vars(c, add(c, b, y), &v));
  assert_int_equal(v.n, 2);
  assert_true(up_same(v.p[0], b) && up_same(v.p[1], y));
  up_list_free(&v);
  up_ctx_free(c);
}

static void a_copy_is_the_same_graph_elsewhere(void **state) {
  (void)state;
  up_ctx *a = up_ctx_new(NULL), *b = up_ctx_new(NULL);
  up_int big;
  assert_true(up_int_parse(a, "123456789012345678901234567890", 30, &big));
  up_node x = var(a, "x", -3, 7), n = mul(a, add(a, x, up_const_like(a, x, big)), x);
  k(b, 9); /* so that the ids differ */
  up_node m = up_copy(b, a, n);
  assert_true(up_same(up_copy(a, b, m), n));
  assert_int_equal(up_count(b, m), 4);
  up_ctx_free(a);
  up_ctx_free(b);
}

static void order_is_op_then_arg_then_dtype_then_sources(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_node x = var(c, "x", 0, 7), y = var(c, "y", 0, 7);
  assert_true(up_cmp(c, x, y) < 0);
  assert_true(up_cmp(c, x, k(c, 0)) < 0); /* constants last */
  assert_true(up_cmp(c, k(c, -5), k(c, 3)) < 0);
  assert_true(up_cmp(c, var(c, "x", 0, 6), x) < 0);       /* by the largest value */
  assert_true(up_cmp(c, add(c, y, y), mul(c, x, x)) < 0); /* by op first */
  assert_true(up_cmp(c, add(c, x, y), add(c, y, x)) < 0);
  assert_int_equal(up_cmp(c, x, x), 0);
  up_ctx_free(c);
}

static void parts_of_sums(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_node x = var(c, "x", 0, 7), six = mul(c, x, k(c, 6));
  up_node s = add(c, six, k(c, -9));
  assert_true(up_int_is(up_const_factor(c, six), 6));
  assert_true(up_int_is(up_const_factor(c, k(c, -9)), -9));
  assert_true(up_int_is(up_const_factor(c, s), 3));
  up_node third = up_divides(c, s, up_int_of(3));
  assert_true(up_same(third, add(c, mul(c, x, k(c, 2)), k(c, -3))));
  assert_true(up_is_none(up_divides(c, s, up_int_of(2))));
  up_int rest;
  assert_true(up_same(up_pop_const(c, s, &rest), six));
  assert_true(up_int_is(rest, -9));
  assert_true(up_is_increasing(c, s));
  assert_false(up_is_increasing(c, mul(c, x, k(c, -1))));
  up_ctx_free(c);
}

/* x+x, doubled 60 times, has 2^60 leaves; what looks at sums must see each node once. */
static void shared_sums_are_walked_once(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_node n = mul(c, var(c, "x", 0, 7), k(c, 4));
  for (int i = 0; i < 60; i++) n = add(c, n, n);
  assert_true(up_int_is(up_const_factor(c, n), 4));
  assert_false(up_is_none(up_divides(c, n, up_int_of(2))));
  assert_true(up_is_increasing(c, n));
  assert_int_equal(up_count(c, n), 63);
  up_ctx_free(c);
}

static void a_million_deep_is_an_ordinary_graph(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_node n = var(c, "x", 0, 7);
  for (int i = 0; i < 1000000; i++) n = add(c, n, k(c, i % 7));
  assert_int_equal(up_count(c, n), 1000008);
  assert_true(up_is_increasing(c, n));
  assert_true(up_int_is(up_const_factor(c, n), 1));
  up_buf b = {.limit = 1000};
  assert_true(up_render(c, n, &b) && b.overflow);
  up_buf_free(&b);
  up_ctx_free(c);
}

static void dtypes_print_parse_and_compare(void **state) {
  (void)state;
  char s[32];
  for (unsigned i = 0; i < UP_SCALAR_COUNT; i++) {
    for (unsigned n = 1; n <= (i == UP_VOID ? 1u : 2048u); n = n * 3 + 1) {
      up_dtype d = up_dt_vec(up_dt((enum up_scalar)i), n), back;
      up_dt_print(d, s);
      assert_true(up_dt_parse(s, strlen(s), &back) && back == d);
      assert_int_equal(up_dt_count(d), n);
    }
  }
  up_dtype d;
  assert_true(up_dt_parse("uint8", 5, &d) && d == up_dt(UP_UCHAR));
  assert_true(up_dt_parse("ptr.float", 9, &d) && up_dt_is_ptr(d));
  const char *const bad[] = {"",     "integer",  "int.vec0", "int.vec1", "int.vec4096",
                             "int.", "void.vec2"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(up_dt_parse(bad[i], strlen(bad[i]), &d));
  assert_true(up_dt_cmp(up_dt(UP_CHAR), up_dt(UP_UCHAR)) < 0);
  assert_true(up_dt_is_signed(up_dt(UP_LONG)) && up_dt_is_unsigned(up_dt(UP_ULONG)));
  assert_false(up_dt_is_int(up_dt(UP_BOOL)) || up_dt_is_int(up_dt(UP_FLOAT)));
}

static void a_node_limit_is_a_status(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  up_ctx_set_node_limit(c, 10);
  up_node n = var(c, "x", 0, 7);
  for (int i = 0; i < 50 && up_ctx_status(c) == UP_OK; i++) n = add(c, n, k(c, i));
  assert_int_equal(up_ctx_status(c), UP_LIMIT_NODES);
  assert_true(up_is_none(add(c, n, n)));
  assert_int_equal(up_nsrc(c, UP_NONE), 0);
  up_ctx_free(c);
}

/* A reset empties the tables without touching them, 255 times in a row. */
static void test_many_resets(void **state) {
  (void)state;
  up_ctx *c = up_ctx_new(NULL);
  assert_non_null(c);
  for (int64_t i = 0; i < 600; i++) {
    up_node k = up_const_int(c, up_dt(UP_INT), i % 3);
    up_node x = up_var(c, i % 2 ? "x" : "y", up_int_of(0), up_int_of(9), up_dt(UP_INT));
    up_node sum = up_binary(c, UP_ADD, x, k);
    assert_int_equal(up_ctx_node_count(c), 3);
    assert_true(up_int_is(up_const_val(c, k).i, i % 3));
    assert_true(up_same(up_binary(c, UP_ADD, x, up_const_int(c, up_dt(UP_INT), i % 3)), sum));
    assert_int_equal(up_ctx_node_count(c), 3);
    up_ctx_reset(c);
  }
  up_ctx_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_many_resets),
      cmocka_unit_test(equal_nodes_are_one_node),
      cmocka_unit_test(what_crowds_one_place_is_found_again),
      cmocka_unit_test(a_reset_context_gives_the_same_ids),
      cmocka_unit_test(constants_take_the_kind_of_their_dtype),
      cmocka_unit_test(toposort_has_first_source_first),
      cmocka_unit_test(substitution_is_simultaneous_and_does_not_enter_values),
      cmocka_unit_test(users_are_listed_once_each),
      cmocka_unit_test(a_bound_variable_is_not_listed_alone),
      cmocka_unit_test(a_copy_is_the_same_graph_elsewhere),
      cmocka_unit_test(order_is_op_then_arg_then_dtype_then_sources),
      cmocka_unit_test(parts_of_sums),
      cmocka_unit_test(shared_sums_are_walked_once),
      cmocka_unit_test(a_million_deep_is_an_ordinary_graph),
      cmocka_unit_test(dtypes_print_parse_and_compare),
      cmocka_unit_test(a_node_limit_is_a_status),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
