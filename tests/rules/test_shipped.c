/* Each rewrite rule of the shipped profiles: a graph on which it is the rule that applies, with
 * what it makes, and a near miss that it leaves alone. A rule without a row fails the test. */
#include "rows_v0_11_0.h"

static const row v0_10_0[] = {
    {S0, "add_zero", "0 + x", "x", "x + 1"},
    {S0, "mul_one", "x * 1", "x", "x * -1"},
    {S0, "div_self", "x // x", "1", "x // y"},
    {S0, "div_one", "x // 1", "x", "x // 2"},
    {S0, "div_minus_one", "x // -1", "x * -1", "x // 1"},
    {S0, "fdiv_self", "f * RECIP:float(f)", "1.0:float", "f * RECIP:float(g)"},
    {S0, "fdiv_cancel", "(f * g) * RECIP:float(g)", "f", "(f * g) * RECIP:float(h)"},
    {S0, "mod_mod", "(x % y) % y", "x % y", "(x % y) % z"},
    {S0, "mod_plus_div", "(x // 3) * 3 + x % 3", "x", "(x // 3) * 4 + x % 3"},
    {S0, "and_true", "p & True", "p", "p & False"},
    {S0, "and_false", "False & p", "False", "p & True"},
    {S0, "or_true", "p | True", "True", "p | False"},
    {S0, "or_false", "p | False", "p", "p | True"},
    {S0, "max_self", "max(x, x)", "x", "max(x, y)"},
    {S0, "and_self", "x & x", "x", "x & y"},
    {S0, "or_self", "x | x", "x", "x | y"},
    {S0, "not_not", "(p != True) != True", "p", "(p != True) != False"},
    {S0, "where_true_false", "where(p, True, False)", "p", "where(p, False, True)"},
    {S0, "lt_self", "x < x", "False", "x < y"},
    {S0, "ne_self", "x != x", "False", "f != f"},
    {S0, "mul_zero_nan", "inf * 0.0", "nan", "0.5 * 0.0"},
    {S0, "mul_zero", "0 * x", "0", "x * 1"},
    {S0, "fold_constants", "-7 // 2", "-3", "x // 2"},
    {S0, "bool_mul", "p * q", "p & q", "x * y"},
    {S0, "bool_add", "p + q", "p | q", "x + y"},
    {S0, "bool_max", "max(p, q)", "p | q", "max(x, y)"},
    {S0, "cast_const", "cast(3, long)", "3:long", "cast(x, long)"},
    {S0, "cast_noop", "cast(x, int)", "x", "cast(x, long)"},
    {S1, "commute", "y + x", "x + y", "x + y"},
    {S1, "group_like", "(x + y) + x * 2", "(x + x * 2) + y", "(x + y) + z * 2"},
    {S1, "or_absorb", "x | (x & y)", "x", "x | (y & z)"},
    {S1, "add_mul_mul", "x * 2 + x * 3", "x * (2 + 3)", "x * 2 + y * 3"},
    {S1, "add_self_mul", "x + x * 2", "x * (2 + 1)", "x + y * 2"},
    {S1, "add_self", "x + x", "x * 2", "x + y"},
    {S1, "fdiv_fdiv", "RECIP:float(h) * (f * RECIP:float(g))", "f * RECIP:float(g * h)",
     "(f * g) * RECIP:float(h)"},
    {S1, "neg_add_const", "(x + 3) * -1", "x * -1 + 3 * -1", "(x + y) * -1"},
    {S1, "where_same", "where(p, x, x)", "x", "where(p, x, y)"},
    {S1, "where_const_true", "where(True, x, y)", "x", "where(False, x, y)"},
    {S1, "where_const_false", "where(False, x, y)", "y", "where(True, x, y)"},
    {S1, "alu_is_const", "x < n", "False", "x < y"},
    {S1, "max_left", "max(x, n * 2)", "x", "max(n, x)"},
    {S1, "max_right", "max(n, x)", "x", "max(x, n)"},
    {S1, "max_mul_nonneg", "max(x * 2, x * 3)", "x * 3", "max(z * 2, z * 3)"},
    {S1, "max_mul_nonpos", "max(n * 2, n * 3)", "n * 2", "max(z * 2, z * 3)"},
    {S1, "add_add", "x + 2 + 3", "x + (2 + 3)", "x + 2 + y"},
    {S1, "mul_mul", "x * 2 * 3", "x * (2 * 3)", "x * 2 * y"},
    {S1, "and_and", "(x & 2) & 3", "x & (2 & 3)", "(x & 2) & y"},
    {S1, "or_or", "(x | 2) | 3", "x | (2 | 3)", "(x | 2) | y"},
    {S1, "add_lt", "x + 2 < 5", "x < 5 + 2 * -1", "x + y < 5"},
    {S1, "div_div", "(x // 2) // 3", "x // (2 * 3)", "(x // 2) // y"},
    {S1, "mul_pos_lt", "x * 3 < 7", "x < 3", "x * 3 < -7"},
    {S1, "mul_neg_lt", "z * -3 < -7", "z * -1 < -2", "z * -1 < -7"},
    {S1, "div_lt", "z // 3 < 1", "z < 3", "z // -3 < 1"},
    {S1, "mul_add_lt", "z * 16 + x < 32", "z < 32 // 16", "z * 9 + x < 27"},
    {S1, "add_const_out", "y + (x + 2)", "(x + y) + 2", "(2 + x) + y"},
    {S1, "mul_const_out", "y * (x * 2)", "(x * y) * 2", "(2 * x) * y"},
    {S1, "fold_unrolled_divs", "x // 2 + (x + 1) // 2", "x", "(x + 2) // 2 + x // 2"},
    {S1, "lt_folding", "z * 4 + y * 8 + x % 4 < 8", "z * 1 + y * 2 < 2", "z * 4 + x < 8"},
    {S1, "canonicalize_simplex", "(x * 2 + y < 1) != True", "(x + y < 1) != True",
     "(x + y < 1) != True"},
    {S1, "div_folding", "(x * 6 + y) // 3", "y // 3 + x * 2", "(x * 6 + y) // -3"},
    {S1, "mod_folding", "(x * 6 + y) % 4", "(x * 1 * 2 + y) % 4", "(x * 2 + y) % 4"},
    {S2, "neg_add", "(x + y) * -1", "x * -1 + y * -1", "(x + y) * 2"},
    {S2, "mul_add", "(x + y) * 2", "x * 2 + y * 2", "(f + g) * 2.0"},
    {SYM, "gep_void", "GEP of SINK:void(x)", "SINK:void(x)", "GEP:int(" V2 ")[[1]]"},
    {SYM, "gep_in_order", "GEP:int.vec2(cast(" V2 ", int.vec2))[[0, 1]]", "cast(" V2 ", int.vec2)",
     "GEP:int.vec2(cast(" V2 ", int.vec2))[[1, 0]]"},
    {SYM, "vectorize_consts", "VECTORIZE:int.vec2(7, 8)", "VCONST:int.vec2()[[7, 8]]", V2},
    {SYM, "vectorize_geps", "VECTORIZE:int.vec2(GEP:int(" V4 ")[[2]], GEP:int(" V4 ")[[1]])",
     "GEP:int.vec2(" V4 ")[[2, 1]]",
     "VECTORIZE:int.vec2(GEP:int(" V4 ")[[2]], GEP:int(" V2 ")[[1]])"},
    {SYM, "alu_broadcasts", "VECTORIZE:int.vec2(x, x) // VECTORIZE:int.vec2(y, y)",
     "VECTORIZE:int.vec2(x // y, x // y)", V2 " // " V2},
    {SYM, "vectorize_one", "VECTORIZE:int(x)", "x", V2},
    {SYM, "vectorize_barrier", "VECTORIZE of SINK:void(BARRIER:void(x), BARRIER:void(x))",
     "BARRIER:void(x)", "VECTORIZE of SINK:void(BARRIER:void(x), BARRIER:void(y))"},
    {SYM, "vectorize_void", "VECTORIZE of SINK:void(BARRIER:void(x), BARRIER:void(y))",
     "SINK:void(BARRIER:void(x), BARRIER:void(y))", V2},
    {SYM, "gep_gep", "GEP:int(GEP:int.vec2(" V4 ")[[2, 1]])[[0]]", "z", "GEP:int(" V4 ")[[2]]"},
    {SYM, "gep_vectorize", "GEP:int(" V2 ")[[1]]", "y", "GEP:int(5:int.vec2)[[1]]"},
    {SYM, "gep_const", "GEP:int(5:int.vec2)[[0]]", "5", "GEP:int(VCONST:int.vec2()[[7, 8]])[[0]]"},
    {SYM, "gep_vconst", "GEP:int(VCONST:int.vec2()[[7, 8]])[[1]]", "8", "GEP:int(5:int.vec2)[[1]]"},
    {SYM, "gep_through_alu", "GEP:int(" V2 " * " V2 ")[[1]]", "y * y", "GEP:int(" V2 ")[[1]]"},
    {SYM, "wmma_zero_left", "WMMA:int(0, x, y)", "y", "WMMA:int(1, x, y)"},
    {SYM, "wmma_zero_right", "WMMA:float(f, 0.0, g)", "g", "WMMA:float(f, 0.5, g)"},
    {SYM, "add_wmma", "z + WMMA:int(x, y, z)", "WMMA:int(x, y, z + z)", "z + x"},
    {SYM, "threefry_expand", "THREEFRY:ulong(cast(" COUNTER ", ulong), cast(" KEY ", ulong))",
     BLOCK, W64},
    {SYM, "cast_there_and_back", "cast(cast(u, ulong), uint)", "u", "cast(cast(u, long), uint)"},
    {SYM, "low_half_unmasked", "cast(" W64 " & 4294967295, uint)", "cast(" W64 ", uint)",
     "cast(" W64 " & 4294967294, uint)"},
    {SYM, "low_half_mul", "cast((" W64 " * 4294967296) | cast(u, ulong), uint)", "u",
     "cast((" W64 " * 4294967295) | cast(u, ulong), uint)"},
    {SYM, "high_half_div", "((" W64 " * 4294967296) | cast(u, ulong)) // 4294967296", W64,
     "((" W64 " * 4294967296) | cast(u, ulong)) // 4294967295"},
    {SYM, "widen_if", "cast(u, ulong) * where(p, 4294967296:ulong, 0:ulong)",
     "cast(where(p, u, 0), ulong) * 4294967296",
     "cast(u, ulong) * where(p, 0:ulong, 4294967296:ulong)"},
    {SYM, "mask_if", "cast(" W64 " & where(p, 4294967295:ulong, 0:ulong), uint)",
     "where(p, cast(" W64 ", uint), 0)",
     "cast(" W64 " & where(p, 0:ulong, 4294967295:ulong), uint)"},
    {SYM, "ne_zero", "z != 0", "cast(z, bool)", "z != 1"},
    {SYM, "store_load", "STORE:void(" AT ", LOAD:int(" AT "))", "NOOP:void()",
     "STORE:void(" AT ", x)"},
    {SYM, "store_where_load", "STORE:void(" AT ", where(p, y, LOAD:int(" AT ")))",
     "STORE:void(" AT_IF("p") ", y)", "STORE:void(" AT ", where(p, y, z))"},
    {SYM, "index_true", AT_IF("True"), AT, AT_IF("False")},
    {SYM, "load_false", "LOAD:int(" AT_IF("False") ")", "0", "LOAD:int(" AT_IF("p") ")"},
    {SYM, "store_false", "STORE:void(" AT_IF("False") ", y)", "NOOP:void()",
     "STORE:void(" AT_IF("p") ", y)"},
    {SYM, "flatten_barrier", "BARRIER:void(SINK:void(x, y))", "BARRIER:void(x, y)",
     "BARRIER:void(SINK:void(x, y), z)"},
    {SYM, "flatten_sink", "SINK:void(SINK:void(x, y), z)", "SINK:void(x, y, z)", "SINK:void(x, z)"},
};

static const row v0_11_0_decompositions[] = {
    {DEC, "threefry_expand", "THREEFRY:ulong(" COUNTER ", " KEY ")", BLOCK, W64},
    {DEC, "max_to_where", "max(x, y)", "where(x < y, y, x)", "x + y"},
    {DEC, "mod_to_and", "x % 4", "x & 3", "x % 3"},
    {DEC, "mul_to_shl", "x * 4", "x << 2", "x * 3"},
    {DEC, "udiv_to_shr", "u // 4", "u >> 2", "x // 4"},
    {DEC, "div_to_shr", "z // 4", "(z + where(z < 0, 4 + -1, 0)) >> 2", "z // 3"},
    {DEC, "div_to_mul", "x // 3", "(x * 11) >> 5", "x // y"},
    {DEC, "mod_to_mul", "x % 3", "x + (3 * (x // 3)) * -1", "x // 3"},
    {DEC, "mul_to_neg", "x * -1", "NEG:int(x)", "x * 1"},
    {DEC, "add_to_sub", "x + NEG:int(y)", "SUB:int(x, y)", "x + y"},
    {DEC, "not_lt_const", "(z < 3) != True", "3 + -1 < z", "(u < 3) != True"},
    {DEC, "not_const_lt", "(3 < z) != True", "z < 3 + 1", "(3 < u) != True"},
    {DEC, "neg_lt_mul", "z * -1 < y * 3", "y * (3 * -1) < z", "z < y * 3"},
    {DEC, "neg_lt_const", "z * -1 < 3", "3 * -1 < z", "z < 3"},
    {DEC, "between_to_eq", "(2 < z) & (z < 4)", "(z != 2 + 1) != True", "(2 < z) & (z < 5)"},
    {DEC, "not_ne", "(x != y) != True", "CMPEQ:bool(x, y)", "x != y"},
    {DEC, "mul_add_to_mulacc", "x * y + z", "MULACC:int(x, y, z)", "x + z"},
};

/* The rows stand in the order of the rules. */
static void check_complete(const char *profile, const row *rows, size_t n) {
  rig r = rig_load(profile);
  size_t at = 0;
  for (uint32_t i = 0; i < up_rule_count(r.p); i++) {
    up_rule_info info = up_rule_at(r.p, i);
    if (info.kind != UP_RULE_REWRITE) continue;
    if (at == n || strcmp(info.name, rows[at].rule) != 0)
      fail_msg("%s:%u: rule %s has no row, or not in its place", info.file, info.line, info.name);
    at++;
  }
  assert_int_equal(at, n);
  rig_free(&r);
}

static void test_each_rule(void **state) {
  (void)state;
  check_rows("v0.10.0", v0_10_0, COUNT(v0_10_0));
  check_rows("v0.11.0", v0_11_0, COUNT(v0_11_0));
  check_rows("v0.11.0:decompositions", v0_11_0_decompositions, COUNT(v0_11_0_decompositions));
}

static void test_no_rule_without_a_row(void **state) {
  (void)state;
  check_complete("v0.10.0", v0_10_0, COUNT(v0_10_0));
  check_complete("v0.11.0", v0_11_0, COUNT(v0_11_0));
  check_complete("v0.11.0:decompositions", v0_11_0_decompositions, COUNT(v0_11_0_decompositions));
}

/* As 0.11.0 answers in Python: a list times a list raises, a list times a number does not. */
static void test_lists_times_lists(void **state) {
  (void)state;
#define XY "VECTORIZE:int.vec2(x, y)"
#define LIST(a, b) "VCONST:int.vec2()[[" a ", " b "]]"
  static const struct {
    const char *graph;
    up_status status;
  } of[] = {
      {XY " // " LIST("3", "5") " * " LIST("6", "10") " + " XY " % " LIST("3", "5") " * 2", UP_OK},
      {XY " // 3 * " LIST("6", "10") " + " XY " % 3 * " LIST("2", "3"), UP_OK},
      {XY " // " LIST("3", "5") " * 2 + " XY " % " LIST("3", "5") " * " LIST("6", "10"),
       UP_RAISE_TYPE},
  };
  rig r = rig_load("v0.11.0");
  for (size_t i = 0; i < COUNT(of); i++) {
    up_result s = up_simplify(r.c, graph(&r, of[i].graph), NULL);
    if (s.status != of[i].status) fail_msg("%s: %s", of[i].graph, up_status_name(s.status));
    up_ctx_clear_status(r.c);
  }
  rig_free(&r);
}

static void test_rule_table(void **state) {
  (void)state;
  rig r = rig_load("v0.10.0");
  unsigned native = 0, reads = 0, wrong = 0, bounds = 0;
  for (uint32_t i = 0; i < up_rule_count(r.p); i++) {
    up_rule_info info = up_rule_at(r.p, i);
    assert_int_equal(up_rule_find(r.p, info.name), i);
    assert_true(info.line > 0);
    assert_non_null(strstr(info.text, info.name));
    assert_null(strchr(info.text, '\n'));
    assert_null(strchr(info.text, '#'));
    native += info.native;
    reads += info.reads_bounds;
    wrong += info.known_wrong;
    bounds += info.kind == UP_RULE_BOUND;
  }
  assert_int_equal(up_rule_count(r.p) - bounds, 94);
  assert_int_equal(bounds, 19);
  assert_int_equal(native, 20);
  assert_true(reads > native && wrong > 10 && wrong < 50);
  assert_int_equal(up_rule_find(r.p, "nothing"), -1);
  up_rule_info info = up_rule_at(r.p, (uint32_t)up_rule_find(r.p, "div_lt"));
  assert_string_equal(info.file, "symbolic-v0.10.0.rules");
  assert_true(info.known_wrong && !info.native && !info.reads_bounds);
  assert_string_equal(up_profile_name(r.p), "v0.10.0");
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_rule),
      cmocka_unit_test(test_no_rule_without_a_row),
      cmocka_unit_test(test_lists_times_lists),
      cmocka_unit_test(test_rule_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
