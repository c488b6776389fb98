/* Size: long chains, deep nesting, wide nodes and shared parts go through every form, and the text
 * grows with the graph. The C stack is not what limits them. */
#include "graphs.h"
#include <sys/resource.h>

#define MILLION 1000000u

/* x + 1 + 2 + 1 + 2 ... or, right = true, 1 + (2 + (1 + ... x)). */
static up_node chain(up_ctx *c, uint32_t n, bool right) {
  up_node k[2] = {iconst(c, 1), iconst(c, 2)}, t = ivar(c, "x", 0, 9);
  for (uint32_t i = 0; i < n; i++)
    t = right ? up_binary(c, UP_ADD, k[i & 1], t) : up_binary(c, UP_ADD, t, k[i & 1]);
  return t;
}

static void assert_uop_round_trip(up_ctx *c, up_node n, size_t bytes_a_node) {
  up_buf b = {0};
  up_node again;
  up_error err = {0};
  up_print_uop(c, n, NULL, &b);
  assert_true(b.len < (size_t)up_count(c, n) * bytes_a_node);
  if (!up_parse_uop(c, b.p, b.len, &again, NULL, &err)) fail_msg("%u: %s", err.line, err.msg);
  assert_true(up_same(n, again));
  up_buf_free(&b);
}

static void assert_infix_round_trip(up_ctx *c, up_node n, size_t bytes_a_node) {
  up_buf b = {0};
  up_node again;
  up_error err = {0};
  up_print_infix(c, n, &b);
  assert_true(b.len < (size_t)up_count(c, n) * bytes_a_node + 100);
  if (!up_parse_infix(c, b.p, b.len, &again, &err)) fail_msg("%u: %s", err.line, err.msg);
  assert_true(up_same(n, again));
  up_buf_free(&b);
}

static void test_chains(void **state) {
  (void)state;
  for (int right = 0; right < 2; right++) {
    up_ctx *c = new_ctx();
    up_node n = chain(c, right ? MILLION / 5 : MILLION, right);
    assert_uop_round_trip(c, n, 64);
    assert_infix_round_trip(c, n, 16);
    up_ctx_free(c);
  }
}

static void test_chain_json(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_node n = chain(c, MILLION / 5, false), again;
  up_error err = {0};
  json_t *j = fm_nodes_to_json(c, n);
  assert_true(fm_nodes_from_json(c, j, &again, &err));
  assert_true(up_same(n, again));
  json_decref(j);
  up_ctx_free(c);
}

static void test_chain_tinygrad(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_buf b = {0};
  up_print_tinygrad(c, chain(c, MILLION / 5, false), &b);
  assert_true(b.len < (size_t)MILLION / 5 * 80);
  up_buf_free(&b);
  up_ctx_free(c);
}

/* 2^k leaves as a tree, k nodes as a graph. */
static void test_sharing(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_node t = ivar(c, "x", 0, 9);
  for (uint32_t i = 0; i < 5000; i++)
    t = up_binary(c, UP_MAX, up_binary(c, UP_ADD, t, iconst(c, i)), up_binary(c, UP_MUL, t, t));
  assert_infix_round_trip(c, t, 40);
  assert_uop_round_trip(c, t, 64);
  up_ctx_free(c);
}

static void test_wide(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  static up_node src[UP_MAX_SRC];
  for (uint32_t i = 0; i < UP_MAX_SRC; i++) src[i] = iconst(c, i);
  up_node n = up_new(c, UP_SINK, up_dt(UP_VOID), src, UP_MAX_SRC, up_arg_none());
  assert_uop_round_trip(c, n, 64);
  assert_infix_round_trip(c, n, 16);
  up_ctx_free(c);
}

/* `open` a million times, x, `close` a million times. */
static up_buf nested(const char *open, const char *close, uint32_t n) {
  up_buf b = {0};
  up_buf_puts(&b, "x in [0,1]\n");
  for (uint32_t i = 0; i < n; i++) up_buf_puts(&b, open);
  up_buf_puts(&b, "x");
  for (uint32_t i = 0; i < n; i++) up_buf_puts(&b, close);
  return b;
}

static void test_nesting(void **state) {
  (void)state;
  static const char *const pairs[][2] = {{"(", ")"},
                                         {"-", ""},
                                         {"(uchar)", ""},
                                         {"max(1,", ")"},
                                         {"(1 + ", ")"},
                                         {"1*", ""},
                                         {"NEG(", ")"},
                                         {"cast(", ",int)"},
                                         {"", "+1"},
                                         {"", " if True else 1"},
                                         {"1 if True else ", ""}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    up_ctx *c = new_ctx();
    up_buf b = nested(pairs[i][0], pairs[i][1], i == 0 ? MILLION : MILLION / 5);
    up_node n;
    up_error err = {0};
    if (!up_parse_infix(c, b.p, b.len, &n, &err))
      fail_msg("%s x %s: %u:%u: %s", pairs[i][0], pairs[i][1], err.line, err.col, err.msg);
    up_buf_free(&b);
    up_ctx_free(c);
  }
}

static void test_open_ends(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_node n;
  up_error err = {0};
  up_buf b = nested("(", "", MILLION);
  assert_false(up_parse_infix(c, b.p, b.len, &n, &err));
  assert_int_equal(err.line, 2);
  assert_int_equal(err.col, MILLION);
  up_buf_free(&b);
  b = nested("", ")", MILLION);
  assert_false(up_parse_infix(c, b.p, b.len, &n, &err));
  assert_int_equal(err.col, 2);
  up_buf_free(&b);
  up_ctx_free(c);
}

/* One long token or line each; refused or read, and at once. */
static void test_long_tokens(void **state) {
  (void)state;
  static const char *const heads[] = {"",
                                      "uop 1\n%0 = CONST int ",
                                      "uop 1\n%",
                                      "uop 1\n%0 = CUSTOM void [",
                                      "uop 1\nmeta k ",
                                      "uop 1\n%0 = CUSTOM void \"",
                                      "uop 1\n%0 = ",
                                      "#"};
  static const char fill[] = {'1', 'a', '[', ' ', '-', '(', '\n', '"', '%', '.'};
  up_ctx *c = new_ctx();
  for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
    for (size_t f = 0; f < sizeof fill; f++) {
      up_buf b = {0};
      up_node n;
      up_error err = {0};
      up_buf_puts(&b, heads[h]);
      for (uint32_t i = 0; i < MILLION / 10; i++) up_buf_put(&b, &fill[f], 1);
      if (!up_parse_uop(c, b.p, b.len, &n, NULL, &err)) assert_true(err.line > 0 && err.col > 0);
      if (!up_parse_infix(c, b.p, b.len, &n, &err)) assert_true(err.line > 0 && err.col > 0);
      up_buf_free(&b);
      up_ctx_reset(c);
    }
  }
  up_ctx_free(c);
}

/* A node limit ends in an error with a place, not in a graph that lacks nodes. */
static void test_limits(void **state) {
  (void)state;
  up_ctx *c = new_ctx(), *small = new_ctx();
  up_buf u = {0}, i = {0};
  up_node n = chain(c, 1000, false);
  up_print_uop(c, n, NULL, &u);
  up_print_infix(c, n, &i);
  up_error err = {0};
  up_ctx_set_node_limit(small, 500);
  assert_false(up_parse_uop(small, u.p, u.len, &n, NULL, &err));
  assert_non_null(strstr(err.msg, "limit-nodes"));
  assert_true(err.line > 490 && err.line < 510);
  up_ctx_reset(small);
  up_ctx_set_node_limit(small, 500);
  assert_false(up_parse_infix(small, i.p, i.len, &n, &err));
  assert_non_null(strstr(err.msg, "limit-nodes"));
  up_buf_free(&u);
  up_buf_free(&i);
  up_ctx_free(c);
  up_ctx_free(small);
}

int main(void) {
  /* recursion on depth would need far more */
  struct rlimit stack = {1 << 20, 1 << 20};
  setrlimit(RLIMIT_STACK, &stack);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chains),         cmocka_unit_test(test_chain_json),
      cmocka_unit_test(test_chain_tinygrad), cmocka_unit_test(test_sharing),
      cmocka_unit_test(test_wide),           cmocka_unit_test(test_nesting),
      cmocka_unit_test(test_open_ends),      cmocka_unit_test(test_long_tokens),
      cmocka_unit_test(test_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
