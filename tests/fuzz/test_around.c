/* fz_instance: deterministic, within the options, well formed, and reaching most rules. */
#include "fuzz/instance.h"
#include "tests/support/cm.h"
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 6000 };

typedef struct world {
  up_profile *p;
  up_ctx *c;
} world;

static world open_world(const char *name) {
  world w = {.p = up_profile_load(name, NULL)};
  assert_non_null(w.p);
  w.c = up_ctx_new(w.p);
  assert_non_null(w.c);
  return w;
}

static void close_world(world *w) {
  up_ctx_free(w->c);
  up_profile_free(w->p);
}

static void put(world *w, const fz_opts *o, uint64_t seed, up_buf *out) {
  up_ctx_reset(w->c);
  up_node n = fz_instance(w->c, o, FZ_ANY_RULE, seed);
  assert_int_equal(up_ctx_status(w->c), UP_OK);
  if (!up_is_none(n)) up_print_uop(w->c, n, NULL, out);
}

static void the_same_seed_gives_the_same_graph(void **state) {
  (void)state;
  world w = open_world("v0.11.0");
  fz_opts o = fz_opts_default();
  up_buf a = {0}, b = {0};
  for (uint64_t s = 0; s < 300; s++) put(&w, &o, s, &a);
  for (uint64_t s = 0; s < 300; s++) put(&w, &o, s, &b);
  assert_int_equal(a.len, b.len);
  assert_memory_equal(a.p, b.p, a.len);
  up_buf_free(&a);
  up_buf_free(&b);
  close_world(&w);
}

/* The same in every build: what one compiler and the other make of these seeds. A change of the
 * generator, or of a rule's pattern in v0.10.0, is a new number. */
static void every_compiler_makes_the_same_graphs(void **state) {
  (void)state;
  world w = open_world("v0.10.0");
  fz_opts o = fz_opts_default();
  up_buf a = {0};
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (uint64_t s = 0; s < 500; s++) put(&w, &o, s, &a);
  for (size_t i = 0; i < a.len; i++) h = (h ^ (unsigned char)a.p[i]) * UINT64_C(0x100000001b3);
  if (h != UINT64_C(0xc1d7d9cb71e39e2e))
    fail_msg("%zu bytes with hash %#llx", a.len, (unsigned long long)h);
  up_buf_free(&a);
  close_world(&w);
}

/* Nodes are as the options want them; returns how many there are. */
static uint32_t judge(up_ctx *c, const fz_opts *o, up_node root) {
  up_list topo = {0};
  assert_true(up_toposort(c, root, &topo));
  for (uint32_t i = 0; i < topo.n; i++) {
    up_node n = topo.p[i], src[3];
    up_op op = up_op_of(c, n);
    up_dtype dt = up_dtype_of(c, n);
    up_error err;
    assert_true(up_nsrc(c, n) <= 3);
    for (uint32_t k = 0; k < up_nsrc(c, n); k++) src[k] = up_src(c, n, k);
    if (!up_node_check(c, op, dt, src, up_nsrc(c, n), up_arg_of(c, n), &err))
      fail_msg("%s", err.msg);
    assert_true(up_dt_is_int(dt) || up_dt_is_bool(dt));
    if (!o->casts) assert_true(up_dt_is_bool(dt) || dt == up_dt(UP_INT));
    if (!o->bits) assert_true(op != UP_SHL && op != UP_SHR);
  }
  uint32_t nodes = topo.n;
  up_list_free(&topo);
  assert_true(nodes <= o->max_nodes);
  return nodes;
}

static void options_hold(void **state) {
  (void)state;
  world w = open_world("v0.11.0");
  for (unsigned k = 0; k < 4; k++) {
    fz_opts o = {.max_nodes = k == 3 ? 9 : 64, .casts = k & 1, .bits = k & 2};
    uint32_t made = 0;
    for (uint64_t s = 0; s < 1500; s++) {
      up_ctx_reset(w.c);
      up_node n = fz_instance(w.c, &o, FZ_ANY_RULE, s);
      if (!up_is_none(n)) made += judge(w.c, &o, n) > 0;
    }
    assert_true(made > 300);
  }
  close_world(&w);
}

/* A RANGE is told apart by its number: two of one number become one as soon as their ends do. */
static void ranges_have_numbers_of_their_own(void **state) {
  (void)state;
  world w = open_world("v0.11.0");
  fz_opts o = fz_opts_default();
  o.rare = true;
  uint32_t pairs = 0;
  for (uint64_t s = 0; s < 20000; s++) {
    up_ctx_reset(w.c);
    up_node n = fz_instance(w.c, &o, FZ_ANY_RULE, s), first = UP_NONE;
    up_list topo = {0};
    if (up_is_none(n)) continue;
    assert_true(up_toposort(w.c, n, &topo));
    for (uint32_t i = 0; i < topo.n; i++) {
      if (up_op_of(w.c, topo.p[i]) != UP_RANGE) continue;
      if (up_is_none(first)) {
        first = topo.p[i];
        continue;
      }
      pairs++;
      assert_int_not_equal(0, up_val_cmp(w.c, up_arg_val(w.c, up_arg_of(w.c, first)),
                                         up_arg_val(w.c, up_arg_of(w.c, topo.p[i]))));
    }
    up_list_free(&topo);
  }
  assert_true(pairs > 20);
  close_world(&w);
}

/* Rules of `symbolic` that apply somewhere in one of the graphs. */
static void most_rules_apply(void **state) {
  (void)state;
  world w = open_world("v0.11.0");
  fz_opts o = fz_opts_default();
  uint32_t rules = up_rule_count(w.p), of_set = 0, seen = 0;
  uint8_t *hits = calloc(rules, 1);
  assert_non_null(hits);
  const up_ruleset *set = up_profile_ruleset(w.p, "symbolic");
  up_ctx_hits(w.c, hits);
  for (uint64_t s = 0; s < SEEDS; s++) {
    up_ctx_reset(w.c);
    up_node n = fz_instance(w.c, &o, FZ_ANY_RULE, s);
    if (!up_is_none(n)) up_simplify(w.c, n, NULL);
  }
  for (uint32_t i = 0; i < rules; i++) {
    if (up_rule_at(w.p, i).kind != UP_RULE_REWRITE || !up_ruleset_has(set, i)) continue;
    of_set++;
    seen += hits[i] > 0;
  }
  print_message("%u of %u rules applied\n", seen, of_set);
  assert_true(seen * 10 > of_set * 8);
  free(hits);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_seed_gives_the_same_graph),
      cmocka_unit_test(every_compiler_makes_the_same_graphs),
      cmocka_unit_test(options_hold),
      cmocka_unit_test(ranges_have_numbers_of_their_own),
      cmocka_unit_test(most_rules_apply),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
