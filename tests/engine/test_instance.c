/* up_rule_instance: every rule of every release's profile is reached by instances of its pattern, most of them
 * well formed; up_ctx_hits counts what applies. */
#include "engine/rulebook.h"
#include "tests/support/cm.h"
#include <stdlib.h>
#include <string.h>

static bool well_formed(up_ctx *c, up_node root) {
  up_list topo = {0};
  up_node src[PAT_MAX_KIDS + 2];
  bool ok = true;
  assert_true(up_toposort(c, root, &topo));
  for (uint32_t i = 0; i < topo.n && ok; i++) {
    up_node n = topo.p[i];
    uint32_t nsrc = up_nsrc(c, n);
    for (uint32_t k = 0; k < nsrc; k++) src[k] = up_src(c, n, k);
    ok = up_node_check(c, up_op_of(c, n), up_dtype_of(c, n), src, nsrc, up_arg_of(c, n), NULL);
  }
  up_list_free(&topo);
  return ok;
}

static bool applies(up_ctx *c, const up_profile *p, uint32_t number, up_node n) {
  const rulebook *b = &p->book;
  bool hit;
  if (b->rule[number].kind == UP_RULE_BOUND) {
    hit = up_minmax_rule(c, n) == (int)number;
  } else {
    opset sources = match_source_ops(c, n);
    hit = opset_subset(&b->rule[number].need, &sources) &&
          !up_is_none(rule_interpret(c, b, number, n));
  }
  up_ctx_clear_status(c);
  return hit;
}

enum { SEEDS = 200000, LEAVES = 7 };

static void make_leaves(up_ctx *c, unsigned seed, up_node *leaf) {
  up_dtype i = up_dt(UP_INT);
  up_node two = up_const_int(c, i, 2), eight = up_const_int(c, i, 8);
  up_node x = up_var(c, "x", up_int_of(seed % 3 == 0 ? -5 : 0), up_int_of(9), i);
  up_node y = up_var(c, "y", up_int_of(3), up_int_of(4), i);
  leaf[0] = x;
  leaf[1] = y;
  leaf[2] = up_binary(c, UP_ADD, x, up_const_int(c, i, 1));
  leaf[3] = up_binary(c, UP_IDIV, x, two);
  leaf[4] = up_binary(c, UP_ADD, up_binary(c, UP_MUL, x, two), up_binary(c, UP_MUL, y, eight));
  leaf[6] = up_binary(c, UP_MUL, leaf[3], two);
  leaf[5] = up_binary(c, UP_ADD, up_binary(c, UP_MOD, x, eight), y);
}

/* What their patterns need is not made by themselves: a void vector, a SINK in a SINK; or no pattern
 * says which node it is. */
static bool is_out_of_reach(const char *name) {
  static const char *const names[] = {"gep_void",     "vectorize_barrier", "vectorize_void",
                                      "flatten_sink", "flatten_barrier",   "bound_dtype_range"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

/* Does one apply? */
static bool try_rule(up_ctx *c, const up_profile *p, uint32_t number, uint64_t *made,
                     uint64_t *good) {
  up_rule_info info = up_rule_at(p, number);
  unsigned applied = 0;
  if (is_out_of_reach(info.name)) return true;
  for (unsigned seed = 0; seed < SEEDS && (applied < 3 || seed < 50); seed++) {
    up_ctx_reset(c);
    up_node leaf[LEAVES];
    make_leaves(c, seed, leaf);
    up_node n =
        up_rule_instance(c, number, leaf, LEAVES, up_dt(UP_VOID), (uint64_t)number << 32 | seed);
    assert_int_equal(up_ctx_status(c), UP_OK);
    bool fine = well_formed(c, n);
    if (seed < 50) ++*made, *good += fine;
    if (!fine) continue;
    applied += applies(c, p, number, n);
  }
  if (!applied) print_error("%s: no well-formed instance applies: %s\n", info.name, info.text);
  return applied > 0;
}

static void test_every_rule_is_reached(void **state) {
  (void)state;
  for (unsigned i = 0; up_profile_known(i); i++) {
    if (up_profile_known(i)[0] != 'v') continue; /* no release: its rules change */
    up_profile *p = up_profile_load(up_profile_known(i), NULL);
    up_ctx *c = up_ctx_new(p);
    uint64_t made = 0, good = 0;
    uint32_t reached = 0;
    for (uint32_t k = 0; k < up_rule_count(p); k++) reached += try_rule(c, p, k, &made, &good);
    print_message("%s: %u rules, %llu instances, %llu well formed\n", up_profile_known(i),
                  up_rule_count(p), (unsigned long long)made, (unsigned long long)good);
    assert_int_equal(reached, up_rule_count(p));
    assert_true(good * 3 > made);
    up_ctx_free(c);
    up_profile_free(p);
  }
}

/* The same arguments give the same node, another seed another one. */
static void test_deterministic(void **state) {
  (void)state;
  up_profile *p = up_profile_load("v0.11.0", NULL);
  up_ctx *c = up_ctx_new(p);
  int number = up_rule_find(p, "add_self_mul");
  assert_true(number >= 0);
  up_node x = up_var(c, "x", up_int_of(0), up_int_of(9), up_dt(UP_INT));
  bool differs = false;
  up_node first = UP_NONE;
  for (uint64_t seed = 0; seed < 20; seed++) {
    up_node a = up_rule_instance(c, (uint32_t)number, &x, 1, up_dt(UP_INT), seed);
    up_node b = up_rule_instance(c, (uint32_t)number, &x, 1, up_dt(UP_INT), seed);
    assert_true(up_same(a, b));
    assert_int_equal(up_op_of(c, a), UP_ADD);
    if (seed == 0) first = a;
    differs |= !up_same(first, a);
  }
  assert_true(differs);
  up_ctx_free(c);
  up_profile_free(p);
}

/* x + 0 takes add_zero once and nothing else; the bounds of x are counted once. */
static void test_hits(void **state) {
  (void)state;
  up_profile *p = up_profile_load("v0.11.0", NULL);
  up_ctx *c = up_ctx_new(p);
  uint8_t *hits = calloc(up_rule_count(p), 1);
  up_node x = up_var(c, "x", up_int_of(0), up_int_of(9), up_dt(UP_INT));
  up_node n = up_binary(c, UP_ADD, x, up_const_int(c, up_dt(UP_INT), 0));
  up_ctx_hits(c, hits);
  up_result r = up_simplify(c, n, NULL);
  assert_true(up_same(r.node, x));
  assert_int_equal(hits[up_rule_find(p, "add_zero")], 1);
  for (uint32_t i = 0, rewrites = 0; i < up_rule_count(p); i++) {
    rewrites += up_rule_at(p, i).kind == UP_RULE_REWRITE ? hits[i] : 0u;
    assert_true(rewrites <= 1);
  }
  for (unsigned i = 0; i < 300; i++) up_simplify(c, n, NULL);
  assert_int_equal(hits[up_rule_find(p, "add_zero")], 255);
  up_ctx_hits(c, NULL);
  up_simplify(c, n, NULL);
  up_minmax(c, x);
  int bound = up_minmax_rule(c, x);
  assert_true(bound >= 0 && hits[bound] <= 1);
  free(hits);
  up_ctx_free(c);
  up_profile_free(p);
}

/* A cast's source may be of any dtype, and has the cast's lanes; so has a comparison's. */
static void lanes_reach_the_leaves(void **state) {
  (void)state;
  static const char text[] = "rule half : CAST(x@ulong & 255)@uint -> CAST(x)@uint\n"
                             "rule less : x@int + 1 < 8 -> x < 7\n";
  static const enum up_scalar root[] = {UP_UINT, UP_BOOL};
  up_error err;
  up_profile *p = up_profile_parse("sound", text, sizeof text - 1, &err);
  assert_non_null(p);
  up_ctx *c = up_ctx_new(p);
  for (uint32_t k = 0; k < 2; k++) {
    up_dtype want = up_dt_vec(up_dt(root[k]), 2);
    for (uint64_t seed = 0; seed < 20; seed++) {
      up_node n = up_rule_instance(c, k, NULL, 0, want, seed);
      assert_true(up_dtype_of(c, n) == want);
      assert_int_equal(up_rule_distance(c, k, n), 0);
      for (uint32_t depth = 0; depth < 2; depth++) n = up_src(c, n, 0);
      assert_int_equal(up_dt_count(up_dtype_of(c, n)), 2);
    }
  }
  up_ctx_free(c);
  up_profile_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_rule_is_reached), cmocka_unit_test(test_deterministic),
      cmocka_unit_test(test_hits), cmocka_unit_test(lanes_reach_the_leaves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
