/* fuzz/mutate.h, shape.h and the AFL++ mutator: mutants are well formed, near, many and repeatable;
 * trimming ends with something smaller that still has what was asked for. */
#include "tests/support/cm.h"
#include "fuzz/afl/mutator.h"
#include "fuzz/harness.h"
#include "fuzz/mutate.h"
#include "fuzz/nodes.h"
#include "fuzz/shape.h"
#include <stdlib.h>
#include <string.h>

/* Each mutator changes something in most graphs, and what comes out is well formed. */
static void test_each_mutator(void **state) {
  (void)state;
  up_profile *p = up_profile_load("v0.11.0", NULL);
  up_ctx *c = up_ctx_new(p);
  fz_opts o = fz_opts_default();
  uint8_t b[256];
  for (unsigned m = 0; m < fz_mutator_count(); m++) {
    unsigned changed = 0;
    fz_rng r = {m};
    for (uint64_t i = 0; i < 400; i++) {
      up_ctx_reset(c);
      up_node root = fz_decode(c, &o, b, fz_case_bytes(21, i, b, sizeof b));
      up_node other = fz_decode(c, &o, b, fz_case_bytes(22, i, b, sizeof b));
      up_node made = fz_mutate(c, root, fz_mutator_joins(m) ? other : UP_NONE, m, &r);
      assert_int_equal(up_ctx_status(c), UP_OK);
      if (up_is_none(made)) continue;
      assert_false(up_same(made, root));
      assert_true(fz_is_well_formed(c, made));
      changed++;
    }
    print_message("%-16s changed %u of 400\n", fz_mutator_name(m), changed);
    assert_true(changed > 80);
  }
  up_ctx_free(c);
  up_profile_free(p);
}

/* A mutant of a mutant of ...: always a list of nodes, within the room given, the same for a seed. */
static void test_shape(void **state) {
  (void)state;
  fz_shaper *s = fz_shaper_new(), *t = fz_shaper_new();
  assert_non_null(s);
  assert_non_null(t);
  uint8_t data[300] = {0}, other[300], out[300], again[300];
  size_t n = 0, none = 0, nother = fz_case_bytes(7, 7, other, sizeof other);
  for (uint64_t i = 0; i < 4000; i++) {
    if (i % 100 == 0) n = 0;
    bool join = i % 3 == 0;
    size_t m = fz_shape(s, data, n, join ? other : NULL, join ? nother : 0, out, sizeof out, i);
    size_t k = fz_shape(t, data, n, join ? other : NULL, join ? nother : 0, again, sizeof again, i);
    assert_int_equal(m, k);
    assert_memory_equal(out, again, m);
    assert_true(m <= sizeof out);
    none += m == 0;
    if (m == 0) continue;
    assert_true(fz_is_nodes(out + 1, m - 1));
    assert_true(fz_shaper_latest(s)[0] != 0);
    memcpy(data, out, n = m);
  }
  print_message("%zu of 4000 attempts gave nothing\n", none);
  assert_true(none < 800);
  assert_int_equal(fz_shape(s, data, n, NULL, 0, out, 1, 1), 0);
  fz_shaper_free(s);
  fz_shaper_free(t);
}

/* A mutant that comes back to be mutated was kept. */
static void test_kept(void **state) {
  (void)state;
  fz_shaper *s = fz_shaper_new();
  uint8_t out[400];
  char *text = NULL;
  size_t size = 0, n = 0;
  for (uint64_t seed = 0; n == 0; seed++) n = fz_shape(s, NULL, 0, NULL, 0, out, sizeof out, seed);
  char latest[200];
  snprintf(latest, sizeof latest, "%s", fz_shaper_latest(s));
  fz_shaper_kept(s, out, n);
  fz_shaper_kept(s, out, n); /* once only */
  FILE *f = open_memstream(&text, &size);
  fz_shaper_report(s, f);
  fclose(f);
  unsigned kept = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    char name[40] = "";
    unsigned long long tried, changed, k;
    if (sscanf(line, "%39s %llu %llu %llu", name, &tried, &changed, &k) != 4) continue;
    assert_true(k == (strstr(latest, name) != NULL));
    assert_true(changed <= tried && k <= changed);
    kept += (unsigned)k;
  }
  assert_true(kept >= 1);
  free(text);
  fz_shaper_free(s);
}

/* ---- as AFL++ calls it ----------------------------------------------------------------------- */

static bool divides(up_ctx *c, const uint8_t *data, size_t n) {
  fz_opts o = fz_opts_default();
  fz_input in = fz_input_of(data, n);
  up_list topo = {0};
  up_ctx_reset(c);
  assert_true(up_toposort(c, fz_decode(c, &o, in.graph, in.n), &topo));
  bool found = false;
  for (uint32_t i = 0; i < topo.n; i++) found |= up_op_of(c, topo.p[i]) == UP_IDIV;
  up_list_free(&topo);
  return found;
}

static uint32_t nodes_of(up_ctx *c, const uint8_t *data, size_t n) {
  fz_opts o = fz_opts_default();
  fz_input in = fz_input_of(data, n);
  up_ctx_reset(c);
  return up_count(c, fz_decode(c, &o, in.graph, in.n));
}

/* Trimming for "has a division" ends near one division of two leaves. */
static void trim_one(void *a, up_ctx *c, uint8_t *input, size_t n) {
  uint8_t best[2000], *out = NULL;
  memcpy(best, input, n);
  int32_t max = afl_custom_init_trim(a, best, n), runs = 0;
  for (int32_t at = 0; at < max; runs++) {
    size_t m = afl_custom_trim(a, &out);
    assert_true(m <= n && m <= sizeof best);
    bool good = m < n && divides(c, out, m);
    if (good) memcpy(best, out, n = m);
    at = afl_custom_post_trim(a, good);
    assert_true(at >= 0 && runs < 4000);
  }
  assert_true(divides(c, best, n));
  assert_true(nodes_of(c, best, n) <= 7);
}

static void test_afl(void **state) {
  (void)state;
  up_profile *p = up_profile_load("v0.11.0", NULL);
  up_ctx *c = up_ctx_new(p);
  void *a = afl_custom_init(NULL, 42);
  assert_non_null(a);
  uint8_t data[2000] = {0}, *out = NULL;
  size_t n = 1;
  unsigned trimmed = 0;
  for (unsigned i = 0; i < 2000; i++) {
    if (i % 50 == 0) n = 1;
    size_t m = afl_custom_fuzz(a, data, n, &out, i % 2 ? data : NULL, i % 2 ? n : 0, 1500);
    assert_true(m > 0 && m <= 1500);
    memcpy(data, out, n = m);
    assert_int_equal(afl_custom_post_process(a, data, n, &out), n);
    assert_ptr_equal(out, data);
    if (i % 10 || nodes_of(c, data, n) > 60 || !divides(c, data, n)) continue;
    trim_one(a, c, data, n);
    trimmed++;
  }
  assert_true(strlen(afl_custom_describe(a, 20)) < 20);
  print_message("%u inputs trimmed\n", trimmed);
  assert_true(trimmed > 20);
  afl_custom_deinit(a);
  up_ctx_free(c);
  up_profile_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_mutator),
                                     cmocka_unit_test(test_shape), cmocka_unit_test(test_kept),
                                     cmocka_unit_test(test_afl)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
