/* fuzz/gen.h: every byte string is a valid graph, always the same, with sharing and every op. */
#include "tests/support/cm.h"
#include "fuzz/gen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
  up_profile *profile;
  up_ctx *c;
} fixture;

static int setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  up_error e = {0};
  f->profile = up_profile_load("v0.10.0", &e);
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

/* Decodes in an emptied context and holds every node to up_node_check. */
static up_node decode(up_ctx *c, const fz_opts *o, const uint8_t *data, size_t n, up_list *topo) {
  up_ctx_reset(c);
  up_node root = fz_decode(c, o, data, n);
  assert_int_equal(up_ctx_status(c), UP_OK);
  assert_false(up_is_none(root));
  topo->n = 0;
  assert_true(up_toposort(c, root, topo));
  for (uint32_t i = 0; i < topo->n; i++) {
    up_node d = topo->p[i], src[8];
    up_error e = {0};
    uint32_t nsrc = up_nsrc(c, d);
    assert_true(nsrc <= 8);
    for (uint32_t j = 0; j < nsrc; j++) src[j] = up_src(c, d, j);
    bool ok = up_node_check(c, up_op_of(c, d), up_dtype_of(c, d), src, nsrc, up_arg_of(c, d), &e);
    if (!ok) print_error("%s\n", e.msg);
    assert_true(ok);
  }
  return root;
}

static void test_short_inputs(void **state) {
  fixture *f = *state;
  fz_opts o = fz_opts_default();
  up_list topo = {0};
  decode(f->c, &o, NULL, 0, &topo);
  assert_int_equal(topo.n, 1);
  uint8_t b[2];
  for (unsigned i = 0; i < 65536; i++) {
    b[0] = (uint8_t)i;
    b[1] = (uint8_t)(i >> 8);
    decode(f->c, &o, b, i < 256 ? 1 : 2, &topo);
  }
  up_list_free(&topo);
}

/* Each instruction with each pair of operand bytes of a coarse grid, behind each style of variable.
 */
static void test_every_instruction(void **state) {
  fixture *f = *state;
  fz_opts o = fz_opts_default();
  up_list topo = {0};
  for (unsigned code = 0; code < 256; code++) {
    for (unsigned s = 0; s < 256; s += 15) {
      for (unsigned t = 0; t < 256; t += 5) {
        uint8_t b[] = {1,          (uint8_t)(s + t), (uint8_t)(code * 7),
                       (uint8_t)t, (uint8_t)s,       (uint8_t)code,
                       (uint8_t)s, (uint8_t)t,       (uint8_t)(code + 128),
                       (uint8_t)t, (uint8_t)s};
        decode(f->c, &o, b, sizeof b, &topo);
      }
    }
  }
  up_list_free(&topo);
}

static void test_long_inputs(void **state) {
  fixture *f = *state;
  static uint8_t b[1 << 16];
  up_list topo = {0};
  fz_rng r = {7};
  for (unsigned round = 0; round < 40; round++) {
    fz_opts o = fz_opts_default();
    o.max_nodes = round < 20 ? 64 : 1 + round * 300;
    for (size_t i = 0; i < sizeof b; i++)
      b[i] = round % 4 == 3 ? (uint8_t)round : (uint8_t)fz_next(&r);
    decode(f->c, &o, b, sizeof b, &topo);
    assert_true(topo.n <= o.max_nodes + 4); /* the variables are always made */
  }
  up_list_free(&topo);
}

/* Text of case i, decoded into a context that already holds `clutter` other graphs. */
static void text_of_case(up_ctx *c, uint64_t i, unsigned clutter, up_buf *out) {
  fz_opts o = fz_opts_default();
  uint8_t b[256];
  up_ctx_reset(c);
  for (unsigned j = 0; j < clutter; j++) fz_decode(c, &o, b, fz_case_bytes(99, j, b, sizeof b));
  up_node root = fz_decode(c, &o, b, fz_case_bytes(1, i, b, sizeof b));
  out->len = 0;
  up_print_uop(c, root, NULL, out);
}

static void test_deterministic(void **state) {
  fixture *f = *state;
  up_buf a = {0}, b = {0};
  for (uint64_t i = 0; i < 300; i++) {
    text_of_case(f->c, i, 0, &a);
    text_of_case(f->c, i, 20, &b);
    assert_string_equal(a.p, b.p);
  }
  up_buf_free(&a);
  up_buf_free(&b);
}

static void test_cases_differ(void **state) {
  (void)state;
  uint8_t a[256], b[256];
  size_t na = fz_case_bytes(1, 5, a, sizeof a), nb = fz_case_bytes(2, 5, b, sizeof b);
  assert_false(na == nb && memcmp(a, b, na) == 0);
  nb = fz_case_bytes(1, 5, b, sizeof b);
  assert_true(na == nb && memcmp(a, b, na) == 0);
  assert_int_equal(fz_case_bytes(1, 5, a, 3), 3);
}

/* What 20,000 cases of a seed hold. */
typedef struct census {
  unsigned op[UP_OP_COUNT], shared, small, casts, bools, neg_ranges, divmod_pairs;
} census;

static bool is_shared(up_ctx *c, const up_list *topo) {
  uint32_t *start;
  up_node *users;
  bool shared = false;
  assert_true(up_children(c, topo, &start, &users));
  for (uint32_t i = 0; i < topo->n; i++) {
    bool leaf = up_nsrc(c, topo->p[i]) == 0;
    if (!leaf && start[i + 1] - start[i] > 1) shared = true;
  }
  free(start);
  free(users);
  return shared;
}

static void count_graph(up_ctx *c, const up_list *topo, census *k) {
  char name[64];
  up_int lo, hi;
  unsigned seen[UP_OP_COUNT] = {0};
  for (uint32_t i = 0; i < topo->n; i++) {
    up_node n = topo->p[i];
    seen[up_op_of(c, n)] = 1;
    if (up_var_domain(c, n, name, &lo, &hi) && up_int_sign(c, lo) < 0) k->neg_ranges++;
    if (up_dtype_of(c, n) != up_dt(UP_INT) && up_dt_is_int(up_dtype_of(c, n))) k->casts++;
  }
  for (unsigned i = 0; i < UP_OP_COUNT; i++) k->op[i] += seen[i];
  k->shared += is_shared(c, topo);
  k->small += topo->n <= 10;
  k->bools += up_dt_is_bool(up_dtype_of(c, topo->p[topo->n - 1]));
  k->divmod_pairs += seen[UP_IDIV] && seen[UP_MOD];
}

static void test_census(void **state) {
  fixture *f = *state;
  static const up_op wanted[] = {UP_ADD,   UP_MUL,   UP_IDIV,  UP_MOD,       UP_MAX, UP_CMPLT,
                                 UP_CMPNE, UP_WHERE, UP_AND,   UP_OR,        UP_XOR, UP_SHL,
                                 UP_SHR,   UP_CAST,  UP_CONST, UP_DEFINE_VAR};
  census k = {0};
  fz_opts o = fz_opts_default();
  up_list topo = {0};
  uint8_t b[256];
  for (uint64_t i = 0; i < 20000; i++) {
    decode(f->c, &o, b, fz_case_bytes(1, i, b, sizeof b), &topo);
    count_graph(f->c, &topo, &k);
  }
  up_list_free(&topo);
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    print_message("%-10s in %5u of 20000\n", up_op_name(wanted[i]), k.op[wanted[i]]);
    assert_true(k.op[wanted[i]] >= 200);
  }
  print_message(
      "shared %u, at most 10 nodes %u, other dtypes %u, bool roots %u, negative ranges %u, "
      "both // and %% %u\n",
      k.shared, k.small, k.casts, k.bools, k.neg_ranges, k.divmod_pairs);
  assert_true(k.shared > 4000);
  assert_true(k.small > 6000 && k.small < 18000);
  assert_true(k.bools > 1000 && k.bools < 12000);
  assert_true(k.casts > 500);
  assert_true(k.neg_ranges > 4000);
  assert_true(k.divmod_pairs > 3000);
}

/* The options leave out what they say. */
static void test_options(void **state) {
  fixture *f = *state;
  fz_opts o = {.max_nodes = 64};
  up_list topo = {0};
  uint8_t b[256];
  for (uint64_t i = 0; i < 5000; i++) {
    decode(f->c, &o, b, fz_case_bytes(3, i, b, sizeof b), &topo);
    for (uint32_t j = 0; j < topo.n; j++) {
      up_op op = up_op_of(f->c, topo.p[j]);
      up_dtype d = up_dtype_of(f->c, topo.p[j]);
      assert_true(d == up_dt(UP_INT) || d == up_dt(UP_BOOL));
      bool bitwise = op == UP_AND || op == UP_OR || op == UP_XOR || op == UP_SHL || op == UP_SHR;
      assert_false(bitwise && d == up_dt(UP_INT));
    }
  }
  up_list_free(&topo);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_short_inputs), cmocka_unit_test(test_every_instruction),
      cmocka_unit_test(test_long_inputs),  cmocka_unit_test(test_deterministic),
      cmocka_unit_test(test_cases_differ), cmocka_unit_test(test_census),
      cmocka_unit_test(test_options),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
