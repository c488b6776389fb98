/* The profile sound: a row for each rule that is not as in 0.11.0, and what the profile promises of
 * whole graphs: sound on random graphs in ideal, and in wrap where nothing overflows; an answer for
 * each graph, never an exception of the modelled engine; none of the known bugs in ideal. */
#include "rows_v0_11_0.h"
#include "formats/formats.h"
#include "fuzz/gen.h"
#include <glob.h>

/* Rules of 0.11.0 that are not here are tested by their row for 0.11.0. */
static const row sound[] = {
    {S0, "div_of_zero", "0 // x", "0", "1 // x"},
    {S0, "mul_zero", "0 * x", "0", "0.0 * f"}, /* nan * 0 is nan */
    {S0, "fold_add", "200:uchar + 100:uchar", "300:uchar", "x + 3"},
    {S0, "fold_sub", "SUB:int(2, 5)", "-3", "SUB:int(x, 5)"},
    {S0, "fold_mul", "-7 * 2", "-14", "x * 2"},
    {S0, "fold_neg", "NEG:int(3)", "-3", "NEG:int(x)"},
    {S0, "fold_idiv", "-7 // 2", "-3", "7 // 0"},
    {S0, "fold_mod", "-7 % 2", "-1", "7 % 0"},
    {S0, "fold_floordiv", "floordiv(-7, 2)", "-4", "floordiv(7, 0)"},
    {S0, "fold_floormod", "floormod(-7, 2)", "1", "floormod(7, 0)"},
    {S0, "fold_max", "max(-7, 2)", "2", "max(x, 2)"},
    {S0, "fold_and", "-7 & 12", "8", "x & 2"},
    {S0, "fold_or", "8 | 3", "11", "x | 2"},
    {S0, "fold_xor", "8 ^ 11", "3", "x ^ 2"},
    {S0, "fold_shl", "3 << 2", "12", "3 << -1"},
    {S0, "fold_shr", "-3 >> 1", "-2", "3 >> -1"},
    {S0, "fold_lt", "2 < 3", "True", "x < 3"},
    {S0, "fold_ne", "2 != 3", "True", "x != 3"},
    {S0, "fold_eq", "CMPEQ:bool(2, 3)", "False", "CMPEQ:bool(x, 3)"},
    {S0, "fold_mulacc", "MULACC:int(2, 3, 4)", "10", "MULACC:int(2, 3, x)"},
    {S0, "fold_where", "where(True, 3, 4)", "3", "where(True, x, 4)"},
    {S0, "fold_float", "0.5 + 0.25", "0.75", "f + 0.25"},
    {S0, "fold_float_compare", "0.5 < 0.25", "False", "f < 0.25"},
    {S0, "fold_pow", "POW:int(2, 3)", "8", "POW:int(x, 3)"},
    {S0, "cast_const", "cast(300, uchar)", "44:uchar", "cast(x, long)"},
    {S0, "cast_const_bool", "cast(300, bool)", "True", "cast(x, bool)"},
    {S0, "cast_const_float", "cast(3, float)", "3.0:float", "cast(x, float)"},
    {S0, "cast_float_const", "cast(-3.5, int)", "-3", "cast(3000000000.0, int)"},
    {S0, "cast_noop", "cast(x, int)", "x", "cast(x * 1000000000, int)"},
    {S0, "bitcast_const_int", "BITCAST:uint(-1)", "4294967295:uint", "BITCAST:uint(x)"},
    {S0, "bitcast_const", "BITCAST:uint(1.0:float)", "1065353216:uint", "BITCAST:uint(f)"},
    {S0, "cast_cast", "cast(cast(p, long), bool)", "p", "cast(cast(x, char), int)"},
    {S0, "cast_cast_fits", "cast(cast(x, long), short)", "cast(x, short)",
     "cast(cast(x * 100, char), short)"},
    {S0, "low_half_mul", "cast((" W64 " * 4294967296) | cast(u, ulong), uint)",
     "cast(cast(u, ulong), uint)", "cast((" W64 " * 4294967295) | cast(u, ulong), uint)"},
    {S0, "high_half_div", "((" W64 " * 4294967296) | cast(u, ulong)) // 4294967296", W64,
     "((" W64 " * 4294967296) | cast(u * 1000000000, ulong)) // 4294967296"},
    {S0, "low_half_shl", "cast((" W64 " << 32) | cast(u, ulong), uint)",
     "cast(cast(u, ulong), uint)", "cast((" W64 " << 31) | cast(u, ulong), uint)"},
    {S0, "high_half_shr", "((" W64 " << 32) | cast(u, ulong)) >> 32", W64,
     "((" W64 " << 32) | cast(u * 1000000000, ulong)) >> 32"},
    {S0, "narrow_if", "cast(where(p, cast(u, ulong), 0), uint)", "where(p, cast(u, uint), 0)",
     "cast(where(p, cast(u, ulong), 1), uint)"},
    {S0, "where_true_false", "where(p, True, False)", "p",
     "where(p, True:bool.vec2, False:bool.vec2)"},
    {GEPS, "flatten_lanes", "CAT:int.vec4(" V2 ", " V2 ")", "VECTORIZE:int.vec4(x, y, x, y)",
     "CAT:int(0)"},
    {S0, "pow_const", "POW:int(x, 2)", "(POW:int(x, 1) * POW:int(x, 1)) * 1",
     "POW:int(x, 4503599627370498)"},
    {S1, "where_const_true", "where(True, x, y)", "x", "where(True, 1:int, u)"},
    {S1, "where_not", "where(p != True, x, y)", "where(p, y, x)", "where(p != True, 1:int, u)"},
    {S1, "alu_of_where", "where(p, 3, 4) * 5", "where(p, 3 * 5, 4 * 5)", "where(p, 3, x) * 5"},
    {S1, "mul_pos_lt_nonpos", "z * 3 < -7", "z < -2", "z * 3 < 7"},
    {S1, "mul_neg_lt", "z * -3 < -7", "z * -1 < -2", "z * -1 < -7"},
    {S1, "cancel_mod", "(x + 40) % 20", "(x + 40) + (2 * 20) * -1", "x % 4"},
    {S1, "fold_binary_numerator", "(cast(p, int) * 5 + 3) // 4", "2 * (cast(p, int) * 1 + 0) + 0",
     "(cast(p, int) * 5 + 3) // 0"},
    {S1, "fold_divmod_congruence", "(x * 17 + 35) % 16", "1 * (x * 1) + 3", "(z * 17) % 16"},
    {S1, "divide_by_gcd", "(x * 4 + y * 6) // 10", "((0 + 2 * (x * 1)) + 3 * (y * 1)) // 5",
     "(x * 4 + y * 6) // 0"},
    {S1, "remove_nested_mod", "(x % 8 + y) % 4", "(x + y) % 4", "(z % 8 + y) % 4"},
    {S1, "floordiv_one", "floordiv(z, 1)", "z", "floordiv(z, 2)"},
    {S1, "floordiv_minus_one", "floordiv(z, -1)", "z * -1", "floordiv(z, -2)"},
    {S1, "floordiv_nonneg", "floordiv(x, y + 1)", "x // (y + 1)", "floordiv(z, 3)"},
    {S1, "floormod_nonneg", "floormod(x, y + 1)", "x % (y + 1)", "floormod(x, z)"},
    {S1, "floordiv_floordiv", "floordiv(floordiv(z, 2), 3)", "floordiv(z, 6)",
     "floordiv(floordiv(z, -2), 3)"},
    {S1, "floormod_plus_floordiv", "floordiv(z, 3) * 3 + floormod(z, 3)", "z",
     "floordiv(z, 3) * 4 + floormod(z, 3)"},
    {S1, "div_of_negative", "n // 4", "((n * -1) // 4) * -1", "0 // y"},
    {S1, "mod_of_negative", "n % 4", "((n * -1) % 4) * -1", "0 % y"},
    {S1, "factor", "x * 3 + y * 3", "(x + y) * 3", "x * 3 + y * 4"},
    {S1, "factor_rest", "(z + x * 3) + y * 3", "z + (x + y) * 3", "(z + x * 3) + y * 4"},
};

static const row *row_in(const row *rows, size_t n, const char *rule) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(rows[i].rule, rule) == 0) return &rows[i];
  return NULL;
}

static void test_each_rule(void **state) {
  (void)state;
  rig r = rig_load("sound");
  unsigned own = 0;
  for (uint32_t i = 0; i < up_rule_count(r.p); i++) {
    up_rule_info info = up_rule_at(r.p, i);
    if (info.kind != UP_RULE_REWRITE) continue;
    const row *t = row_in(sound, COUNT(sound), info.name);
    own += t != NULL;
    if (!t) t = row_in(v0_11_0, COUNT(v0_11_0), info.name);
    if (!t) fail_msg("%s:%u: rule %s has no row", info.file, info.line, info.name);
    check_row(&r, t);
  }
  assert_int_equal(own, COUNT(sound)); /* each row is of a rule */
  rig_free(&r);
}

/* What is made of a vector has its lanes. */
static void test_lanes_stay(void **state) {
  (void)state;
#define W64X2 "VECTORIZE:ulong.vec2(" W64 ", " W64 ")"
#define U2 "VECTORIZE:uint.vec2(u, u)"
#define IF2(bits) "where(p, " bits ":ulong.vec2, 0:ulong.vec2)"
  static const struct {
    const char *rule, *from;
  } of[] = {
      {"low_half_masked", "cast(" W64X2 " & 4294967295:ulong.vec2, uint.vec2)"},
      {"low_half_mul", "cast(" W64X2 " * 4294967296:ulong.vec2 | " W64X2 ", uint.vec2)"},
      {"low_half_shl", "cast((" W64X2 " << 32:ulong.vec2) | " W64X2 ", uint.vec2)"},
      {"widen_if", "cast(" U2 ", ulong.vec2) * " IF2("4294967296")},
      {"mask_if", "cast(" W64X2 " & " IF2("4294967295") ", uint.vec2)"},
      {"narrow_if", "cast(where(p, cast(" U2 ", ulong.vec2), 0:ulong.vec2), uint.vec2)"},
  };
  rig r = rig_load("sound");
  for (size_t i = 0; i < COUNT(of); i++) {
    rig one = rig_only(&r, of[i].rule);
    up_node n = graph(&one, of[i].from), bad;
    int number;
    up_node got = up_apply_first(one.c, set_of(&one, "symbolic"), n, &number);
    if (up_is_none(got)) fail_msg("%s does not apply", of[i].rule);
    assert_true(up_type_verify(one.c, n, &bad));
    if (up_dtype_of(one.c, got) != up_dtype_of(one.c, n) || !up_type_verify(one.c, got, &bad))
      fail_msg("%s: %s", of[i].rule, shown(&one, got));
    rig_free(&one);
  }
  rig_free(&r);
}

/* Conditions compute with numbers, which a list of constants is not. */
static void test_lists_raise_nothing(void **state) {
  (void)state;
  rig r = rig_load("sound");
  up_result s = up_simplify(r.c,
                            graph(&r, "-1:int.vec2 // VCONST:int.vec2()[[-32, 32]] +"
                                      " -1:int.vec2 % VCONST:int.vec2()[[-32, 32]]"),
                            NULL);
  assert_int_equal(s.status, UP_OK);
  rig_free(&r);
}

/* No rule of the profile is marked as wrong in ideal. */
static void test_none_is_wrong_in_ideal(void **state) {
  (void)state;
  rig r = rig_load("sound");
  for (uint32_t i = 0; i < up_rule_count(r.p); i++) {
    up_rule_info info = up_rule_at(r.p, i);
    if (info.wrong_in & UP_RULE_IDEAL) fail_msg("%s is marked as wrong in ideal", info.name);
  }
  rig_free(&r);
}

/* ---- whole graphs ------------------------------------------------------------------------------ */

static or_checker *sampling_checker(bool no_overflow) {
  or_checker *k = or_checker_new(
      &(or_limits){.samples = 32, .max_points = 1024, .seed = 1, .no_overflow = no_overflow});
  assert_non_null(k);
  return k;
}

/* Was it judged? A graph that may overflow is not, by a checker that leaves those out. */
static bool expect_no_finding(or_checker *k, up_ctx *c, up_node root, or_frame f,
                              const char *what) {
  or_report rep = {0};
  or_check(k, c, root, f, &rep);
  if (rep.nfindings) {
    up_buf b = {0};
    up_print_uop(c, root, NULL, &b);
    int rule = rep.finding[0].rule;
    fail_msg("%s: a finding in %s, rule %s\n%s", what, or_frame_name(f),
             rule < 0 ? "none" : up_rule_at(up_ctx_profile(c), (uint32_t)rule).name, b.p);
  }
  bool judged = rep.verdict != OR_UNSUPPORTED;
  or_report_clear(&rep);
  return judged;
}

#define GRAPHS 4000u

static void test_random_graphs(void **state) {
  (void)state;
  rig r = rig_load("sound");
  or_checker *k = sampling_checker(false), *within = sampling_checker(true);
  fz_opts opts = fz_opts_default();
  unsigned boxes = 0;
  for (uint64_t i = 0; i < GRAPHS; i++) {
    uint8_t bytes[512];
    size_t n = fz_case_bytes(20, i, bytes, sizeof bytes);
    up_ctx_reset(r.c);
    up_node root = fz_decode(r.c, &opts, bytes, n);
    expect_no_finding(k, r.c, root, OR_IDEAL, "random graph");
    for (or_frame f = OR_WRAP; f <= OR_REFINE; f++)
      boxes += expect_no_finding(within, r.c, root, f, "random graph that does not overflow");
  }
  print_message("%u of %u graphs do not overflow\n", boxes / 2, GRAPHS);
  assert_true(boxes > GRAPHS / 5);
  or_checker_free(k);
  or_checker_free(within);
  rig_free(&r);
}

static void test_known_bugs(void **state) {
  (void)state;
  rig r = rig_load("sound");
  or_checker *k = sampling_checker(false);
  char pattern[600];
  glob_t files;
  snprintf(pattern, sizeof pattern, "%s/corpus/regress/*.uop", getenv("SRC"));
  assert_int_equal(glob(pattern, 0, NULL, &files), 0);
  assert_true(files.gl_pathc > 40);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    up_error err = {0};
    fm_item item;
    up_ctx_reset(r.c);
    fm_reader *in = fm_open(files.gl_pathv[i], &err);
    if (!in || fm_next(in, r.c, &item, &err) != 1) fail_msg("%s: %s", files.gl_pathv[i], err.msg);
    expect_no_finding(k, r.c, item.root, OR_IDEAL, files.gl_pathv[i]);
    fm_item_clear(&item);
    fm_close(in);
  }
  globfree(&files);
  or_checker_free(k);
  rig_free(&r);
}

/* ---- the power of the profile ------------------------------------------------------------------ */

typedef struct power {
  uint64_t graphs, nodes, without;
} power;

/* Nodes of the simplified graphs of the file; graphs without an answer are counted apart. */
static power power_of(const char *profile, const char *name) {
  rig r = rig_load(profile);
  char path[600];
  up_error err = {0};
  fm_item item;
  power p = {0};
  snprintf(path, sizeof path, "%s/corpus/%s", getenv("SRC"), name);
  fm_reader *in = fm_open(path, &err);
  if (!in) fail_msg("%s: %s", path, err.msg);
  for (int got; up_ctx_reset(r.c), (got = fm_next(in, r.c, &item, &err)) != 0;) {
    if (got < 0) continue; /* rows of ops that are not modelled */
    up_result s = up_simplify(r.c, item.root, NULL);
    p.graphs++;
    p.without += s.status != UP_OK;
    if (s.status == UP_OK) p.nodes += up_count(r.c, s.node);
    fm_item_clear(&item);
  }
  fm_close(in);
  rig_free(&r);
  return p;
}

/* Every graph of the corpus has an answer, and on graphs of real models it is not larger in all than
 * that of 0.11.0. */
static void test_power(void **state) {
  (void)state;
  static const char *const file[] = {
      "real/v0.11.0-real.jsonl.gz", "real/v0.11.0-real-sinks.jsonl.gz",
      "golden/v0.11.0-suite.jsonl.gz", "golden/v0.11.0-fuzz-cdf0.jsonl.gz"};
  for (size_t i = 0; i < COUNT(file); i++) {
    power p = power_of("sound", file[i]);
    assert_true(p.graphs > 50);
    assert_int_equal(p.without, 0);
    power release = power_of("v0.11.0", file[i]);
    print_message("%s: %llu nodes, %llu by 0.11.0\n", file[i], (unsigned long long)p.nodes,
                  (unsigned long long)release.nodes);
    if (strncmp(file[i], "real/", 5) == 0) assert_true(p.nodes <= release.nodes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_rule),
      cmocka_unit_test(test_lanes_stay),
      cmocka_unit_test(test_lists_raise_nothing),
      cmocka_unit_test(test_none_is_wrong_in_ideal),
      cmocka_unit_test(test_random_graphs),
      cmocka_unit_test(test_known_bugs),
      cmocka_unit_test(test_power),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
