/* Bounds rules: vmin, vmax and the deciding rule against values computed by hand from _min_max of
 * the two releases, and by what is true. Each rule of both texts has a row that it decides; its near miss is a row that
 * looks the same and that another rule decides. */
#include "common.h"

typedef struct row {
  const char *input;
  const char *rule;
  const char *lo, *hi;
} row;

static const row v0_10_0[] = {
    {"x + z", "bound_add", "-5", "14"},
    {"p + p", "bound_add", "0", "2"}, /* bools are numbers */
    {"f + g", "bound_dtype_range", "-inf", "inf"},
    {"x * z", "bound_mul", "-45", "45"},
    {"n * z", "bound_mul", "-45", "45"},
    {"n * n", "bound_mul", "1", "81"},
    {"x % 4", "bound_mod_pos", "0", "3"},
    {"z % 4", "bound_mod_pos", "0", "3"}, /* wrong, and kept so */
    {"x % n", "bound_dtype_range", "-2147483648", "2147483647"},
    {"x % z", "bound_dtype_range", "-2147483648", "2147483647"},
    {"z // 4", "bound_div_const_pos", "-2", "1"}, /* floor: wrong, and kept so */
    {"x // 4", "bound_div_const_pos", "0", "2"},
    {"x // -4", "bound_div_const_neg", "-2", "0"},
    {"z // -4", "bound_dtype_range", "-2147483648", "2147483647"},
    {"x // 0", "bound_dtype_range", "-2147483648", "2147483647"},
    {"x // y", "bound_dtype_range", "-2147483648", "2147483647"},
    {"max(z, 3)", "bound_max", "3", "5"},
    {"max(z, n)", "bound_max", "-5", "5"},
    {"x < z", "bound_lt", "0", "1"},
    {"n < x", "bound_lt", "1", "1"},
    {"x < n", "bound_lt", "0", "0"},
    {"f < g", "bound_lt", "0", "1"}, /* a comparison of floats is a bool */
    {"x != z", "bound_ne", "0", "1"},
    {"n != x", "bound_ne", "1", "1"},
    {"3 != 3", "bound_ne", "0", "0"},
    {"3 != 4", "bound_ne", "1", "1"},
    {"p | q", "bound_or_bool", "0", "1"},
    {"p | True", "bound_or_bool", "1", "1"},
    {"(p + True) | q", "bound_or_bool", "1", "2"}, /* Python's or gives an operand */
    {"x | y", "bound_dtype_range", "-2147483648", "2147483647"},
    {"VECTORIZE:bool.vec2(p, q) | VECTORIZE:bool.vec2(q, p)", "bound_dtype_range", "0", "1"},
    {"p & q", "bound_and_bool", "0", "1"},
    {"p & False", "bound_and_bool", "0", "0"},
    {"x & y", "bound_dtype_range", "-2147483648", "2147483647"},
    {"x - y", "bound_add", "-9", "9"},
    {"SUB:int(x, y)", "bound_dtype_range", "-2147483648", "2147483647"},
    {"x ^ y", "bound_dtype_range", "-2147483648", "2147483647"},
    {"u ^ u", "bound_dtype_range", "0", "4294967295"},
    {"w ^ w", "bound_dtype_range", "-9223372036854775808", "9223372036854775807"},
    {"cast(x, uchar) ^ cast(y, uchar)", "bound_dtype_range", "0", "255"},
    {"p ^ q", "bound_dtype_range", "0", "1"},
    {"where(p, x, n)", "bound_where_int", "-9", "9"},
    {"where(p, p, q)", "bound_dtype_range", "0", "1"},
    {"where(p, f, g)", "bound_dtype_range", "-inf", "inf"},
    {"z", "bound_variable", "-5", "5"},
    {"cast(x, uchar)", "bound_dtype_range", "0", "255"},
    {"5", "bound_const", "5", "5"},
    {"0.5", "bound_const", "0.5", "0.5"},
    {"True", "bound_const", "1", "1"},
    {"VCONST:int.vec2()[[7, -2]]", "bound_vconst", "-2", "7"},
    {"VECTORIZE:int.vec2(x, n)", "bound_lanes", "-9", "9"},
    /* the dtype's range of a vector: one integer of all its bits */
    {"VECTORIZE:int.vec2(x, y) ^ VECTORIZE:int.vec2(x, y)", "bound_dtype_range",
     "-9223372036854775808", "9223372036854775807"},
    {"x * 99999999999999999999", "bound_mul", "0", "899999999999999999991"},
};

static const row v0_11_0[] = {
    {"x + z", "bound_add", "-5", "14"},
    {"SUB:int(x, z)", "bound_sub", "-5", "14"},
    {"x & 5", "bound_and_const", "0", "5"},
    {"x & 100", "bound_and_const", "0", "9"},
    {"z & 5", "bound_dtype_range", "-2147483648", "2147483647"},
    {"x & y", "bound_dtype_range", "-2147483648", "2147483647"},
    {"p & True", "bound_and_const", "0", "1"},
    {"p & q", "bound_and_bool", "0", "1"},
    {"p | q", "bound_or_bool", "0", "1"},
    {"n * z", "bound_mul", "-45", "45"},
    {"z << 2", "bound_shl_const", "-20", "20"},
    {"z >> 1", "bound_shr_const", "-3", "2"},
    {"x << y", "bound_dtype_range", "-2147483648", "2147483647"},
    {"x >> y", "bound_dtype_range", "-2147483648", "2147483647"},
    {"x % 4", "bound_mod_pos_nonneg", "0", "3"},
    {"n % 4", "bound_mod_pos_nonpos", "-3", "0"},
    {"z % 4", "bound_mod_pos", "-3", "3"},
    {"x % n", "bound_mod_neg_nonneg", "0", "8"},
    {"n % n", "bound_mod_neg_nonpos", "-8", "0"},
    {"z % n", "bound_mod_neg", "-8", "8"},
    {"x % z", "bound_dtype_range", "-2147483648", "2147483647"},
    {"z // 4", "bound_div_const_pos", "-1", "1"},
    {"z // -4", "bound_div_const_neg", "-1", "1"},
    {"n // n", "bound_div_neg_neg", "0", "9"},
    {"x // (y + 1)", "bound_div_pos_pos", "0", "9"},
    {"n // (y + 1)", "bound_div_neg_pos", "-9", "0"},
    {"x // n", "bound_div_pos_neg", "-9", "0"},
    {"z // n", "bound_dtype_range", "-2147483648", "2147483647"},
    {"max(z, 3)", "bound_max", "3", "5"},
    {"x < n", "bound_lt", "0", "0"},
    {"n != x", "bound_ne", "1", "1"},
    {"where(p, x, n)", "bound_where_int", "-9", "9"},
    {"z", "bound_variable", "-5", "5"},
    {"VECTORIZE:int.vec2(x, n)", "bound_lanes", "-9", "9"},
    {"5", "bound_const", "5", "5"},
    {"VCONST:int.vec2()[[7, -2]]", "bound_vconst", "-2", "7"},
    {"cast(x, char)", "bound_cast", "0", "9"},
    {"cast(x * 100, char)", "bound_cast", "0", "127"},
    {"cast(z, float)", "bound_cast", "-5", "5"},
    {"cast(x, uchar)", "bound_dtype_range", "0", "255"},
    {"u ^ u", "bound_dtype_range", "0", "4294967295"},
};

static const row sound[] = {
    {"p + q", "bound_or_bool", "0", "1"},
    {"True + True", "bound_or_bool", "1", "1"}, /* a bool, where the releases say 2 */
    {"p & False", "bound_and_bool", "0", "0"},
    {"x < n", "bound_lt", "0", "0"},
    {"n != x", "bound_ne", "1", "1"},
    {"CMPEQ:bool(n, x)", "bound_eq", "0", "0"},
    {"CMPEQ:bool(3, 3)", "bound_eq", "1", "1"},
    {"CMPEQ:bool(x, y)", "bound_eq", "0", "1"},
    {"x + z", "bound_add", "-5", "14"},
    {"SUB:int(x, z)", "bound_sub", "-5", "14"},
    {"NEG:int(n)", "bound_neg", "1", "9"},
    {"n * z", "bound_mul", "-45", "45"},
    {"MULACC:int(x, y, z)", "bound_mulacc_nonneg", "-5", "86"},
    {"MULACC:int(n, z, x)", "bound_mulacc", "-45", "54"},
    {"max(z, 3)", "bound_max", "3", "5"},
    {"TRUNC:int(z)", "bound_trunc", "-5", "5"},
    {"x & 5", "bound_and_nonneg", "0", "5"},
    {"x & y", "bound_and_nonneg", "0", "9"},
    {"x & z", "bound_and_left_nonneg", "0", "9"},
    {"z & 3", "bound_and_right_nonneg", "0", "3"},
    {"n & -4", "bound_and_negative", "-12", "-4"},
    {"z & n", "bound_and", "-13", "5"},
    {"x | 4", "bound_or_nonneg", "4", "13"},
    {"n | -4", "bound_or_negative", "-4", "-1"},
    {"n | x", "bound_or_left_negative", "-9", "-1"},
    {"z | n", "bound_or_right_negative", "-9", "-1"},
    {"z | x", "bound_or", "-5", "14"},
    {"x ^ y", "bound_xor_nonneg", "0", "18"},
    {"z ^ n", "bound_xor", "-14", "12"},
    {"z << 2", "bound_shl_const", "-20", "20"},
    {"z << y", "bound_shl", "-2560", "2560"},
    {"x << z", "bound_shl", "0", "288"},
    {"z >> 1", "bound_shr_const", "-3", "2"},
    {"z >> y", "bound_shr", "-5", "5"},
    {"x >> z", "bound_shr", "0", "9"},
    {"(x % 2 + 5) % 4", "bound_mod", "0", "3"}, /* 1 or 2: not optimal */
    {"x % 4", "bound_mod", "0", "3"},
    {"x % 100", "bound_mod", "0", "9"},
    {"z % 4", "bound_mod", "-3", "3"},
    {"z % n", "bound_mod", "-5", "5"}, /* no further from 0 than z */
    {"floormod(x, 100)", "bound_floormod_same", "0", "9"},
    {"floormod(z, 4)", "bound_floormod", "0", "3"},
    {"floormod(x, n)", "bound_floormod", "-8", "0"},
    {"floormod(x, z)", "bound_floormod_any", "-5", "9"},
    {"floordiv(x, y + 1)", "bound_floordiv_pos_pos", "0", "9"},
    {"floordiv(n, y + 1)", "bound_floordiv_neg_pos", "-9", "-1"},
    {"floordiv(z, 4)", "bound_floordiv_any_pos", "-2", "1"},
    {"floordiv(z, n)", "bound_floordiv", "-5", "5"},
    {"z % x", "bound_mod_any", "-5", "5"},
    {"z % 0", "bound_mod_any", "-5", "5"},
    {"x // (y + 1)", "bound_div_pos_pos", "0", "9"},
    {"n // (y + 1)", "bound_div_neg_pos", "-9", "0"},
    {"z // 4", "bound_div_any_pos", "-1", "1"},
    {"z // (x + 2)", "bound_div_any_pos", "-2", "2"},
    {"x // n", "bound_div_pos_neg", "-9", "0"},
    {"n // n", "bound_div_neg_neg", "0", "9"},
    {"z // n", "bound_div_any_neg", "-5", "5"},
    {"n // x", "bound_div_by_nonneg", "-9", "0"},
    {"n // (x * -1)", "bound_div_by_nonpos", "0", "9"},
    {"x // z", "bound_div", "-9", "9"},
    {"where(p, x, n)", "bound_where", "-9", "9"},
    {"where(p, x < n, n < n)", "bound_where", "0", "1"},
    {"z", "bound_variable", "-5", "5"},
    {"VECTORIZE:int.vec2(x, n)", "bound_lanes", "-9", "9"},
    {"GEP:int(VECTORIZE:int.vec2(x, n) * 2)[[1]]", "bound_gep", "-18", "18"},
    {"5", "bound_const", "5", "5"},
    {"VCONST:int.vec2()[[7, -2]]", "bound_vconst", "-2", "7"},
    {"cast(x, char)", "bound_cast", "0", "9"},
    {"cast(x, uchar)", "bound_cast", "0", "9"},
    {"cast(z, uchar)", "bound_cast_wraps", "0", "255"}, /* -1 becomes 255 */
    {"cast(x * 100, char)", "bound_cast_wraps", "-128", "127"},
    {"cast(VECTORIZE:int.vec2(z, z), uchar.vec2)", "bound_cast_wraps", "0", "255"},
    {"cast(0.5, int)", "bound_cast_wraps", "-2147483648", "2147483647"},
    {"BITCAST:uint(x)", "bound_bitcast", "0", "4294967295"},
    {"cast(n, bool)", "bound_cast_bool", "1", "1"},
    {"cast(z, bool)", "bound_cast_bool", "0", "1"},
    {"cast(z, float)", "bound_cast_float", "-5", "5"},
    {"cast(x * 100, float)", "bound_float", "-inf", "inf"},
    {"p ^ q", "bound_bool", "0", "1"},
    {"f + g", "bound_float", "-inf", "inf"},
    {"THREEFRY:ulong(cast(x, ulong), cast(x, ulong))", "bound_opaque", "0", "18446744073709551615"},
    {"LOAD:int.vec4(INDEX:ptr.int(DEFINE_GLOBAL:ptr.int()[0], x))", "bound_opaque", "-2147483648",
     "2147483647"},
};

static void expect_bounds(rig *r, up_node n, const row *t) {
  up_buf lo = {0}, hi = {0};
  up_bounds b = up_minmax(r->c, n);
  int rule = up_minmax_rule(r->c, n);
  assert_int_equal(up_ctx_status(r->c), UP_OK);
  up_val_put(r->c, b.lo, &lo);
  up_val_put(r->c, b.hi, &hi);
  const char *name = rule < 0 ? "none" : up_rule_at(r->p, (uint32_t)rule).name;
  if (strcmp(lo.p, t->lo) || strcmp(hi.p, t->hi) || strcmp(name, t->rule))
    fail_msg("%s: [%s, %s] by %s, want [%s, %s] by %s", t->input, lo.p, hi.p, name, t->lo, t->hi,
             t->rule);
  up_buf_free(&lo);
  up_buf_free(&hi);
}

/* Nodes that infix text has no short form for. */
static up_node special(rig *r, const char *kind) {
  up_ctx *c = r->c;
  up_dtype i32 = up_dt(UP_INT);
  up_node x = graph(r, "x"), five = graph(r, "5");
  up_arg name = up_arg_str(c, "g", 1), size = up_arg_int(c, up_int_of(16));
  if (strcmp(kind, "range") == 0) return up_new(c, UP_RANGE, i32, &x, 1, size);
  up_node n = graph(r, "n"), never = up_new(c, UP_RANGE, i32, &n, 1, size);
  if (strcmp(kind, "range of nothing") == 0) return never;
  if (strcmp(kind, "quotient of nothing") == 0) return up_binary(c, UP_IDIV, never, never);
  if (strcmp(kind, "special") == 0)
    return up_new(c, UP_SPECIAL, i32, NULL, 0, up_arg_list(c, (up_arg[]){name, size}, 2));
  if (strcmp(kind, "special of no size") == 0)
    return up_new(c, UP_SPECIAL, i32, NULL, 0, up_arg_list(c, (up_arg[]){name, name}, 2));
  if (strcmp(kind, "variable of no range") == 0)
    return up_new(c, UP_DEFINE_VAR, i32, NULL, 0, up_arg_none());
  if (strcmp(kind, "expand") == 0) return up_new(c, UP_EXPAND, i32, &x, 1, up_arg_none());
  if (strcmp(kind, "unroll") == 0) return up_new(c, UP_UNROLL, i32, &x, 1, up_arg_none());
  if (strcmp(kind, "vectorize of nothing") == 0)
    return up_new(c, UP_VECTORIZE, i32, NULL, 0, up_arg_none());
  if (strcmp(kind, "pointer") == 0)
    return up_new(c, UP_DEFINE_GLOBAL, up_dt_ptr(i32), NULL, 0, up_arg_none());
  assert_string_equal(kind, "bind");
  return up_new(c, UP_BIND, i32, (up_node[]){x, five}, 2, up_arg_none());
}

static const row specials_0_10[] = {
    {"range", "bound_range", "0", "8"},
    {"special", "bound_special", "0", "15"},
    {"special of no size", "bound_dtype_range", "-2147483648", "2147483647"},
    {"variable of no range", "bound_dtype_range", "-2147483648", "2147483647"},
    {"expand", "bound_lanes", "0", "9"},
    {"unroll", "bound_dtype_range", "-2147483648", "2147483647"},
    {"vectorize of nothing", "bound_dtype_range", "-2147483648", "2147483647"},
    {"pointer", "bound_dtype_range", "0", "1"},
    {"bind", "bound_bind", "0", "9"},
};
static const row specials_0_11[] = {
    {"range", "bound_range", "0", "8"},
    {"special", "bound_special", "0", "15"},
    {"expand", "bound_dtype_range", "-2147483648", "2147483647"},
    {"unroll", "bound_lanes", "0", "9"},
    {"bind", "bound_bind", "0", "9"},
};

static const row specials_sound[] = {
    {"range", "bound_range", "0", "8"},
    {"range of nothing", "bound_range", "0", "0"},
    {"quotient of nothing", "bound_div_by_nonneg", "0", "0"},
    {"special", "bound_special", "0", "15"},
    {"expand", "bound_opaque", "-2147483648", "2147483647"},
    {"pointer", "bound_opaque", "0", "1"},
    {"bind", "bound_bind", "0", "9"},
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void check_profile(const char *profile, const row *rows, size_t nrows, const row *specials,
                          size_t nspecials) {
  rig r = rig_load(profile);
  size_t n = up_rule_count(r.p);
  unsigned *seen = calloc(n, sizeof *seen);
  assert_non_null(seen);
  for (size_t i = 0; i < nrows + nspecials; i++) {
    bool infix = i < nrows;
    const row *t = infix ? &rows[i] : &specials[i - nrows];
    up_node node = infix ? graph(&r, t->input) : special(&r, t->input);
    expect_bounds(&r, node, t);
    seen[up_minmax_rule(r.c, node)]++;
  }
  for (uint32_t i = 0; i < n; i++) {
    up_rule_info info = up_rule_at(r.p, i);
    if (info.kind == UP_RULE_BOUND && !seen[i]) fail_msg("%s decides no row", info.name);
  }
  free(seen);
  rig_free(&r);
}

static void test_v0_10_0(void **state) {
  (void)state;
  check_profile("v0.10.0", v0_10_0, COUNT(v0_10_0), specials_0_10, COUNT(specials_0_10));
}

static void test_sound(void **state) {
  (void)state;
  check_profile("sound", sound, COUNT(sound), specials_sound, COUNT(specials_sound));
}

static void test_v0_11_0(void **state) {
  (void)state;
  check_profile("v0.11.0", v0_11_0, COUNT(v0_11_0), specials_0_11, COUNT(specials_0_11));
}

/* A user's bounds are asked before those of the base. */
static void test_own_bounds(void **state) {
  (void)state;
  rig r = rig_rules("bound mine : x % k in [-(k - 1), k - 1] when k > 0\n");
  static const row mine = {"z % 4", "mine", "-3", "3"};
  static const row theirs = {"x % y", "bound_dtype_range", "-2147483648", "2147483647"};
  static const row after = {"z % 4 + 1", "bound_add", "-2", "4"};
  expect_bounds(&r, graph(&r, mine.input), &mine);
  expect_bounds(&r, graph(&r, theirs.input), &theirs);
  expect_bounds(&r, graph(&r, after.input), &after);
  rig_free(&r);
}

/* What raises while a bound is computed is the context's status. */
static void test_raise(void **state) {
  (void)state;
  rig r = rig_load("v0.11.0");
  up_minmax(r.c, graph(&r, "x << -1"));
  assert_int_equal(up_ctx_status(r.c), UP_RAISE_VALUE);
  rig_free(&r);
}

/* Above it, it matters where the release asks: both sources of a binary op, not the gate of a where.
 * Asked for again it raises again; what was computed meanwhile stays. */
static void test_raise_below(void **state) {
  (void)state;
  static const struct {
    const char *graph;
    up_status status;
  } rows[] = {
      {"(x << -1) ^ y", UP_RAISE_VALUE},         {"y & (x << -1)", UP_RAISE_VALUE},
      {"where((x << -1) < y, x, 3)", UP_OK},     {"where(p, x << -1, 3)", UP_RAISE_VALUE},
      {"where((x << -1) < y, x, 3) + 1", UP_OK}, {"((x << -1) + 1) * y", UP_RAISE_VALUE},
  };
  rig r = rig_load("v0.11.0");
  for (size_t i = 0; i < COUNT(rows); i++)
    for (int again = 0; again < 2; again++) {
      up_minmax(r.c, graph(&r, rows[i].graph));
      if (up_ctx_status(r.c) != rows[i].status)
        fail_msg("%s: %s", rows[i].graph, up_status_name(up_ctx_status(r.c)));
      up_ctx_clear_status(r.c);
    }
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_v0_10_0), cmocka_unit_test(test_v0_11_0),
      cmocka_unit_test(test_sound),   cmocka_unit_test(test_own_bounds),
      cmocka_unit_test(test_raise),   cmocka_unit_test(test_raise_below),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
