/* fuzz/nodes.h: every graph of nodes that pass up_node_check has an encoding that decodes to itself,
 * every byte string decodes to a well-formed graph, and version 1 stays what it is. */
#include "tests/support/cm.h"
#include "formats/formats.h"
#include "fuzz/gen.h"
#include "fuzz/nodes.h"
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
  up_profile *profile;
  up_ctx *c;
} fixture;

static int setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  up_error e = {0};
  f->profile = up_profile_load("v0.11.0", &e);
  if (!f->profile) return -1;
  f->c = up_ctx_new(f->profile);
  *state = f;
  return f->c ? 0 : -1;
}

static int teardown(void **state) {
  fixture *f = *state;
  up_ctx_free(f->c);
  up_profile_free(f->profile);
  free(f);
  return 0;
}

static bool well_formed(up_ctx *c, up_node root, uint32_t *nodes) {
  up_list topo = {0};
  assert_true(up_toposort(c, root, &topo));
  bool ok = true;
  for (uint32_t i = 0; i < topo.n && ok; i++) {
    up_node n = topo.p[i], src[64];
    uint32_t nsrc = up_nsrc(c, n);
    if (nsrc > 64) ok = false;
    for (uint32_t j = 0; ok && j < nsrc; j++) src[j] = up_src(c, n, j);
    ok =
        ok && up_node_check(c, up_op_of(c, n), up_dtype_of(c, n), src, nsrc, up_arg_of(c, n), NULL);
  }
  *nodes = topo.n;
  up_list_free(&topo);
  return ok;
}

static up_node decode(up_ctx *c, const uint8_t *p, size_t n) {
  fz_opts o = fz_opts_default();
  up_node root = fz_decode(c, &o, p, n);
  assert_int_equal(up_ctx_status(c), UP_OK);
  assert_false(up_is_none(root));
  return root;
}

static uint8_t bytes[1 << 16];

static void test_generated_graphs(void **state) {
  fixture *f = *state;
  uint8_t b[256];
  for (uint64_t i = 0; i < 5000; i++) {
    up_ctx_reset(f->c);
    up_node root = decode(f->c, b, fz_case_bytes(3, i, b, sizeof b));
    size_t n = fz_encode(f->c, root, bytes, sizeof bytes);
    assert_true(n > 0 && fz_is_nodes(bytes, n));
    assert_true(up_same(decode(f->c, bytes, n), root));
  }
}

/* The graphs of a file: those that are well formed and no larger than the form allows come back;
 * returns how many. */
static unsigned file_graphs(fixture *f, const char *name, unsigned *all) {
  char path[1024];
  up_error err = {0};
  fm_item it = {0};
  unsigned back = 0;
  int got;
  snprintf(path, sizeof path, "%s/corpus/%s", getenv("SRC"), name);
  fm_reader *r = fm_open(path, &err);
  assert_non_null(r);
  while (up_ctx_reset(f->c), (got = fm_next(r, f->c, &it, &err)) == 1) {
    uint32_t nodes;
    ++*all;
    if (well_formed(f->c, it.root, &nodes) && nodes <= FZ_MAX_NODES) {
      size_t n = fz_encode(f->c, it.root, bytes, sizeof bytes);
      assert_true(n > 0);
      assert_true(up_same(decode(f->c, bytes, n), it.root));
      back++;
    }
    fm_item_clear(&it);
  }
  assert_int_equal(got, 0);
  fm_close(r);
  return back;
}

/* Vectors, floats, loads, big integers: what the recorded graphs hold. */
static void test_recorded_graphs(void **state) {
  fixture *f = *state;
  static const char *const files[] = {
      "golden/v0.10.0-suite.jsonl.gz", "golden/v0.10.0-fuzz.jsonl.gz",
      "golden/v0.11.0-suite.jsonl.gz", "golden/v0.11.0-fuzz-cdf0.jsonl.gz",
      "real/v0.11.0-real.jsonl.gz",    "regress/v0.11.0.jsonl"};
  unsigned all = 0, back = 0;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    back += file_graphs(f, files[i], &all);
  print_message("%u of %u graphs have an encoding\n", back, all);
  /* the others: WHEREs with arms of two dtypes, which the modelled engine makes against its spec */
  assert_true(back > 3000 && back * 100 > all * 95);
}

static void test_any_bytes(void **state) {
  fixture *f = *state;
  fz_rng r = {5};
  uint32_t nodes, least = UINT32_MAX;
  uint64_t sum = 0;
  for (unsigned round = 0; round < 3000; round++) {
    size_t n = 4 + fz_next(&r) % (round % 10 ? 120 : 4000);
    memcpy(bytes, "UPG1", 4);
    /* small bytes are ops, dtypes and sources of sense; any byte must do */
    unsigned top = round % 3 == 0 ? 256 : round % 3 == 1 ? 64 : 8;
    for (size_t i = 4; i < n; i++) bytes[i] = (uint8_t)(fz_next(&r) % top);
    up_ctx_reset(f->c);
    up_node root = decode(f->c, bytes, n);
    assert_true(well_formed(f->c, root, &nodes));
    sum += nodes;
    if (nodes < least) least = nodes;
    size_t m = fz_encode(f->c, root, bytes, sizeof bytes);
    assert_true(m > 0 && up_same(decode(f->c, bytes, m), root));
  }
  print_message("nodes a graph: %.1f\n", (double)sum / 3000);
  assert_true(least >= 1 && sum > 3000 * 2);
}

/* Each prefix of an encoding, and each with one byte changed. */
static void test_damaged(void **state) {
  fixture *f = *state;
  uint8_t b[256], copy[1024];
  uint32_t nodes;
  for (uint64_t i = 0; i < 25; i++) {
    up_ctx_reset(f->c);
    up_node root = decode(f->c, b, fz_case_bytes(4, i, b, sizeof b));
    size_t n = fz_encode(f->c, root, copy, sizeof copy);
    for (size_t k = 0; k < n; k++) {
      up_ctx_reset(f->c);
      assert_true(well_formed(f->c, decode(f->c, copy, k), &nodes));
      for (unsigned bit = 0; bit < 8; bit++) {
        copy[k] ^= (uint8_t)(1u << bit);
        up_ctx_reset(f->c);
        assert_true(well_formed(f->c, decode(f->c, copy, n), &nodes));
        copy[k] ^= (uint8_t)(1u << bit);
      }
    }
  }
}

/* (x//4) + 2**80 of x in [-3, 255], written out: what version 1 means. */
static void test_version_1(void **state) {
  fixture *f = *state;
  static const uint8_t want[] = {
      'U', 'P', 'G', '1',                              /* */
      1,   6,   5,   3,   4,  1, 'x', 1, 7, 1, 254, 3, /* DEFINE_VAR int ["x", -3, 255] */
      0,   6,   1,   8,                                /* CONST int 4 */
      4,   6,   1,   0,                                /* IDIV int: two back, one back */
      0,   6,   1,   1,   22, 0, 0,   0, 0, 0, 0,   0, 0, 0, 0, 1, /* CONST int 2**80: 11 bytes */
      2,   6,   1,   0};                                           /* ADD int */
  up_ctx *c = f->c;
  up_ctx_reset(c);
  up_dtype dt = up_dt(UP_INT);
  up_node x = up_var(c, "x", up_int_of(-3), up_int_of(255), dt);
  up_int big = up_int_shl(c, up_int_of(1), up_int_of(80));
  up_node sum = up_binary(c, UP_ADD, up_binary(c, UP_IDIV, x, up_const_int(c, dt, 4)),
                          up_const(c, dt, up_val_int(big)));
  assert_int_equal(fz_encode(c, sum, bytes, sizeof bytes), sizeof want);
  assert_memory_equal(bytes, want, sizeof want);
  assert_true(up_same(decode(c, want, sizeof want), sum));
}

static void test_refusals(void **state) {
  fixture *f = *state;
  up_ctx *c = f->c;
  up_ctx_reset(c);
  up_dtype dt = up_dt(UP_INT);
  up_node one = up_const_int(c, dt, 1), half[] = {one};
  up_node bad = up_new(c, UP_ADD, dt, half, 1, up_arg_none());
  assert_int_equal(fz_encode(c, bad, bytes, sizeof bytes), 0);
  up_int big = up_int_shl(c, up_int_of(1), up_int_of(8 * FZ_MAX_INT_BYTES));
  assert_int_equal(fz_encode(c, up_const(c, dt, up_val_int(big)), bytes, sizeof bytes), 0);
  size_t n = fz_encode(c, one, bytes, sizeof bytes);
  assert_true(n > 0 && fz_encode(c, one, bytes, n) == n);
  assert_int_equal(fz_encode(c, one, bytes, n - 1), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_generated_graphs, setup, teardown),
      cmocka_unit_test_setup_teardown(test_recorded_graphs, setup, teardown),
      cmocka_unit_test_setup_teardown(test_any_bytes, setup, teardown),
      cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
      cmocka_unit_test_setup_teardown(test_version_1, setup, teardown),
      cmocka_unit_test_setup_teardown(test_refusals, setup, teardown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
