/* Each rewrite rule of the shipped profiles: a graph on which it is the rule that applies, with
 * what it makes, and a near miss that it leaves alone. A rule without a row fails the test. */
#include "common.h"
#include "oracle/oracle.h"

typedef struct row {
  const char *set, *rule;
  const char *input, *want; /* the rule is the first of its set to apply here, and makes this */
  const char *miss;         /* here it does not apply, were it the only rule */
} row;

#define S0 "symbolic_simple"
#define S1 "symbolic"
#define S2 "symbolic_flat"

#define GEPS "gep_pushing"
#define SYM "sym"
#define V2 "VECTORIZE:int.vec2(x, y)"
#define V4 "VECTORIZE:int.vec4(x, y, z, n)"
#define AT "INDEX:ptr.int(DEFINE_GLOBAL:ptr.int()[0], x)"
#define AT_IF(gate) "INDEX:ptr.int(DEFINE_GLOBAL:ptr.int()[0], x, " gate ")"
#define W64 "cast(w, ulong)"

/* a published vector: counter 243f6a88 85a308d3, key 13198a2e 03707344, c4923a9c 483df7a0 */
#define COUNTER "9629550131187509896:ulong"
#define KEY "247824715720788526:ulong"
#define BLOCK "value 5205589014174907036"

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

static const row v0_11_0[] = {
    {S0, "add_zero", "0 + x", "x", "x + 1"},
    {S0, "mul_one", "x * 1", "x", "x * -1"},
    {S0, "xor_zero", "x ^ 0", "x", "x ^ 1"},
    {S0, "div_self", "x // x", "1", "x // y"},
    {S0, "div_one", "x // 1", "x", "x // 2"},
    {S0, "div_minus_one", "x // -1", "x * -1", "x // 1"},
    {S0, "fdiv_self", "f * RECIP:float(f)", "1.0:float", "f * RECIP:float(g)"},
    {S0, "fdiv_cancel", "(f * g) * RECIP:float(g)", "f", "(f * g) * RECIP:float(h)"},
    {S0, "mod_mod", "(x % y) % y", "x % y", "(x % y) % z"},
    {S0, "mod_plus_div", "(x // 3) * 3 + x % 3", "x", "(x // 3) * 4 + x % 3"},
    {S0, "div_mod_scaled", "(x // 3) * 6 + x % 3 * 2", "x * 2", "(x // 3) * 7 + x % 3 * 2"},
    {S0, "and_true", "p & True", "p", "p & False"},
    {S0, "and_false", "False & p", "False", "p & True"},
    {S0, "or_true", "p | True", "True", "p | False"},
    {S0, "or_false", "p | False", "p", "p | True"},
    {S0, "idempotent", "x & x", "x", "x ^ x"},
    {S0, "not_not", "(p != True) != True", "p", "(p != True) != False"},
    {S0, "where_true_false", "where(p, True, False)", "p", "where(p, False, True)"},
    {S0, "trunc_int", "TRUNC:int(x)", "x", "TRUNC:float(f)"},
    {S0, "lt_self_bool", "p < p", "False", "p < q"},
    {S0, "lt_self", "x < x", "cast(0, bool)", "x < y"},
    {S0, "mod_self", "x % x", "0", "x % y"},
    {S0, "ne_self", "x != x", "cast(0, bool)", "f != f"},
    {S0, "mul_zero_nan", "inf * 0.0", "nan", "0.5 * 0.0"},
    {S0, "mul_zero", "0 * x", "0", "x * 1"},
    {S0, "fold_unary", "NEG:int(3)", "-3", "NEG:int(x)"},
    {S0, "fold_binary", "-7 // 2", "-3", "x // 2"},
    {S0, "fold_ternary", "where(True, 3, 4)", "3", "where(True, x, 4)"},
    {S0, "bool_mul", "p * q", "p & q", "x * y"},
    {S0, "bool_add", "p + q", "p | q", "x + y"},
    {S0, "bool_max", "max(p, q)", "p | q", "max(x, y)"},
    {S0, "cast_const", "cast(3, long)", "3:long", "cast(x, long)"},
    {S0, "cast_noop", "cast(x, int)", "x", "cast(x, long)"},
    {S0, "bitcast_const", "BITCAST:uint(-1)", "4294967295:uint", "BITCAST:uint(x)"},
    {S0, "cast_cast", "cast(cast(x, long), int)", "x", "cast(cast(x, char), int)"},
    {S0, "pow_const", "POW:float(f, 0.0)", "1.0:float", "POW:float(f, g)"},
    {S0, "const_pow_one", "POW:float(1.0, f)", "1.0:float", "POW:float(2.0, f)"},
    {S0, "const_pow", "POW:float(2.0, f)", "EXP2:float(f * 1.0)", "POW:float(-2.0, f)"},
    {S0, "low_half_masked", "cast(" W64 " & 4294967295, uint)", "cast(" W64 ", uint) & 4294967295",
     "cast(" W64 " & 4294967294, uint)"},
    {S0, "low_half_mul", "cast((" W64 " * 4294967296) | cast(u, ulong), uint)", "u",
     "cast((" W64 " * 4294967295) | cast(u, ulong), uint)"},
    {S0, "high_half_div", "((" W64 " * 4294967296) | cast(u, ulong)) // 4294967296", W64,
     "((" W64 " * 4294967296) | cast(u, ulong)) // 4294967295"},
    {S0, "widen_if", "cast(u, ulong) * where(p, 4294967296:ulong, 0:ulong)",
     "cast(where(p, u, 0), ulong) * 4294967296",
     "cast(u, ulong) * where(p, 0:ulong, 4294967296:ulong)"},
    {S0, "mask_if", "cast(" W64 " & where(p, 4294967295:ulong, 0:ulong), uint)",
     "where(p, cast(" W64 ", uint), 0)",
     "cast(" W64 " & where(p, 0:ulong, 4294967295:ulong), uint)"},
    {S0, "low_half_shl", "cast((" W64 " << 32) | cast(u, ulong), uint)", "u",
     "cast((" W64 " << 31) | cast(u, ulong), uint)"},
    {S0, "high_half_shr", "((" W64 " << 32) | cast(u, ulong)) >> 32", W64,
     "((" W64 " << 32) | cast(u, ulong)) >> 31"},
    {S0, "narrow_if", "cast(where(p, cast(u, ulong), 0), uint)", "where(p, u, 0)",
     "cast(where(p, cast(u, ulong), 1), uint)"},
    {"commutative", "commute", "y + x", "x + y", "g + f"},
    {GEPS, "gep_gep", "GEP:int(GEP:int.vec2(" V4 ")[[2, 1]])[[0]]", "z", "GEP:int(" V4 ")[[2]]"},
    {GEPS, "gep_vectorize", "GEP:int(" V2 ")[[1]]", "y", "GEP:int(5:int.vec2)[[1]]"},
    {GEPS, "gep_const", "GEP:int(5:int.vec2)[[0]]", "5", "GEP:int(VCONST:int.vec2()[[7, 8]])[[0]]"},
    {GEPS, "gep_vconst", "GEP:int(VCONST:int.vec2()[[7, 8]])[[1]]", "8",
     "GEP:int(5:int.vec2)[[1]]"},
    {GEPS, "gep_void", "GEP of SINK:void(x)", "SINK:void(x)", "GEP:int(" V2 ")[[1]]"},
    {GEPS, "gep_in_order", "GEP:int.vec2(cast(" V2 ", int.vec2))[[0, 1]]", "cast(" V2 ", int.vec2)",
     "GEP:int.vec2(cast(" V2 ", int.vec2))[[1, 0]]"},
    {GEPS, "gep_through_alu", "GEP:int(" V2 " * " V2 ")[[1]]", "y * y", "GEP:int(" V2 ")[[1]]"},
    {GEPS, "flatten_lanes", "CAT:int.vec4(" V2 ", " V2 ")", "VECTORIZE:int.vec4(x, y, x, y)", V4},
    {GEPS, "vectorize_geps", "VECTORIZE:int.vec2(GEP:int(" V4 ")[[2]], GEP:int(" V4 ")[[1]])",
     "GEP:int.vec2(" V4 ")[[2, 1]]",
     "VECTORIZE:int.vec2(GEP:int(" V4 ")[[2]], GEP:int(" V2 ")[[1]])"},
    {S1, "or_absorb", "x | (x & y)", "x", "x | (y & z)"},
    {S1, "add_mul_mul", "x * 2 + x * 3", "x * (2 + 3)", "x * 2 + y * 3"},
    {S1, "add_mul_mul_rest", "(y + x * 2) + x * 3", "y + x * (2 + 3)", "(y + x * 2) + z * 3"},
    {S1, "add_self_mul", "x + x * 2", "x * (2 + 1)", "x + y * 2"},
    {S1, "add_self_mul_rest", "(y + x) + x * 2", "y + x * (2 + 1)", "(y + x) + z * 2"},
    {S1, "add_self", "x + x", "x * 2", "x + y"},
    {S1, "add_self_rest", "x + (y + x)", "y + x * 2", "z + (y + x)"},
    {S1, "fdiv_fdiv", "(f * RECIP:float(g)) * RECIP:float(h)", "f * RECIP:float(g * h)",
     "(f * RECIP:float(g)) * RECIP:float(g)"},
    {S1, "neg_add_const", "(x + 3) * -1", "x * -1 + 3 * -1", "(x + y) * -1"},
    {S1, "where_same", "where(p, x, x)", "x", "where(p, x, y)"},
    {S1, "where_const_true", "where(True, x, y)", "x", "where(False, x, y)"},
    {S1, "where_const_false", "where(False, x, y)", "y", "where(True, x, y)"},
    {S1, "where_not", "where(p != True, x, y)", "where(p, y, x)", "where(p, x, y)"},
    {S1, "alu_of_wheres", "where(p, 3, x) + where(p, 4, y)", "where(p, 3 + 4, x + y)",
     "where(p, 3, x) + where(q, 4, y)"},
    {S1, "one_value", "x < n", "False", "x < y"},
    {S1, "max_left", "max(x, n * 2)", "x", "max(n, x)"},
    {S1, "max_right", "max(n, x)", "x", "max(x, n)"},
    {S1, "add_add", "x + 2 + 3", "x + (2 + 3)", "x + 2 + y"},
    {S1, "mul_mul", "x * 2 * 3", "x * (2 * 3)", "x * 2 * y"},
    {S1, "and_and", "(x & 2) & 3", "x & (2 & 3)", "(x & 2) & y"},
    {S1, "or_or", "(x | 2) | 3", "x | (2 | 3)", "(x | 2) | y"},
    {S1, "max_max", "max(max(x, 2), 3)", "max(x, max(2, 3))", "max(max(x, 2), y)"},
    {S1, "add_lt", "x + 2 < 5", "x < 5 + 2 * -1", "x + y < 5"},
    {S1, "div_div", "(x // 2) // 3", "x // (2 * 3)", "(x // 2) // y"},
    {S1, "mul_pos_lt", "x * 3 < 7", "x < 3", "x * 3 < -7"},
    {S1, "mul_neg_lt", "z * -3 < -7", "z * -1 < -2", "z * -1 < -7"},
    {S1, "div_lt_pos", "z // 3 < 1", "z < 3", "z // 3 < 0"},
    {S1, "div_lt_nonpos", "z // 3 < 0", "z < -2", "z // 3 < 1"},
    {S1, "add_const_out", "y + (x + 2)", "(x + y) + 2", "y + (x + z)"},
    {S1, "mul_const_out", "y * (x * 2)", "(x * y) * 2", "y * (x * z)"},
    {S1, "fold_unrolled_divs", "x // 2 + (x + 1) // 2", "1 * x", "z // 2 + (z + 1) // 2"},
    {S1, "fold_unrolled_divs_scaled", "(x // 2) * 4 + ((x + 1) // 2) * 4", "4 * x",
     "(x // 2) * 4 + ((x + 1) // 2) * 5"},
    {S1, "lt_folding", "z * 4 + y * 8 + x % 4 < 8", "z * 1 + y * 2 < 2", "z * 4 + x < 8"},
    {S1, "neg_lt_neg", "z * -1 < y * -1", "y < z", "z * -1 < y"},
    {S1, "canonicalize_simplex", "(x * 2 + y < 1) != True", "(x + y < 1) != True",
     "(x + y < 1) != True"},
    {S1, "div_add_div", "(x // 3 + 2) // 4", "(x + 2 * 3) // (3 * 4)", "(z // 3 + 2) // 4"},
    {S1, "cancel_divmod", "(x + 10) % 20", "(x + 10) + (0 * 20) * -1", "x % 4"},
    {S1, "fold_binary_numerator", "(cast(p, int) * 5 + 3) // 4", "2 * (cast(p, int) * 1 + 0) + 0",
     "(x * 5 + 3) // 4"},
    {S1, "fold_divmod_congruence", "(x * 17) % 16", "((0 + 1 * (x * 1)) + 0) + 0", "(x * 17) % 8"},
    {S1, "divide_by_gcd", "(x * 4 + y * 6) // 10", "((0 + 2 * (x * 1)) + 3 * (y * 1)) // 5",
     "(x * 3 + y * 2) // 10"},
    {S1, "remove_nested_mod", "(x % 8 + y) % 4", "(x + y) % 4", "(x % 7 + y) % 4"},
    {S1, "nest_div_by_smallest_factor", "(x * 2 + y % 2) // 6", "x // 3", "(x * 5 + y) // 6"},
    {S1, "simplify_remainder", "(x * 6 + y) // 6",
     "((0 + 0 * (x * 1)) + 1 * y) // 6 + (0 + 1 * (x * 1))", "(x + y) // 6"},
    {S1, "div_by_negative", "z // -3", "(z // (-3 * -1)) * -1", "z // 3"},
    {S1, "div_of_negative", "n // 4", "((n * -1) // 4) * -1", "z // 4"},
    {S1, "div_shift_sign", "(n + 11) // 4", "((((3 + n) + -3) * -1) // 4) * -1 + 2",
     "(n + 8) // 4"},
    {S1, "mod_of_negative", "n % 4", "((n * -1) % 4) * -1", "z % 4"},
    {S1, "mod_by_negative", "z % -3", "z % (-3 * -1)", "z % 3"},
    {S2, "neg_add", "(x + y) * -1", "x * -1 + y * -1", "(x + y) * 2"},
    {S2, "mul_add", "(x + y) * 2", "x * 2 + y * 2", "(f + g) * 2.0"},
    {SYM, "load_const", "LOAD:int(5)", "5", "LOAD:int(" AT ")"},
    {SYM, "vectorize_consts", "VECTORIZE:int.vec2(7, 8)", "VCONST:int.vec2()[[7, 8]]", V2},
    {SYM, "alu_broadcasts", "VECTORIZE:int.vec2(x, x) // VECTORIZE:int.vec2(y, y)",
     "VECTORIZE:int.vec2(x // y, x // y)", V2 " // " V2},
    {SYM, "vectorize_one", "VECTORIZE:int(x)", "x", V2},
    {SYM, "vectorize_barrier", "VECTORIZE of SINK:void(BARRIER:void(x), BARRIER:void(x))",
     "BARRIER:void(x)", "VECTORIZE of SINK:void(BARRIER:void(x), BARRIER:void(y))"},
    {SYM, "vectorize_void", "VECTORIZE of SINK:void(BARRIER:void(x), BARRIER:void(y))",
     "SINK:void(BARRIER:void(x), BARRIER:void(y))", V2},
    {SYM, "ne_zero_bool", "p != False", "p", "p != True"},
    {SYM, "ne_zero", "z != 0", "cast(z, bool)", "z != 1"},
    {SYM, "cast_into_where", "cast(where(p, x, y), long)", "where(p, cast(x, long), cast(y, long))",
     "cast(x, long)"},
    {SYM, "where_where", "where(p, where(q, x, y), y)", "where(p & q, x, y)",
     "where(p, where(q, x, y), z)"},
    {SYM, "pow_expand", "POW:float(f, g)",
     "1.0 if ((f != 0.0) != True) & ((g != 0.0) != True) else "
     "EXP2:float(LOG2:float(f * -1.0 if f < 0.0 else f) * g) * "
     "((nan if g != cast(cast(g, int), float) else (-1.0 if cast(cast(g * -1.0 if g < 0.0 else g, "
     "int) % 2, bool) else 1.0)) if f < 0.0 else 1.0)",
     "f * g"},
    {SYM, "index_true", AT_IF("True"), AT, AT_IF("False")},
    {SYM, "store_load", "STORE:void(" AT ", LOAD:int(" AT "))", "NOOP:void()",
     "STORE:void(" AT ", x)"},
    {SYM, "store_where_load", "STORE:void(" AT ", where(p, y, LOAD:int(" AT ")))",
     "STORE:void(" AT_IF("p") ", y)", "STORE:void(" AT ", where(p, y, z))"},
    {SYM, "load_false", "LOAD:int(" AT_IF("False") ")", "0", "LOAD:int(" AT_IF("p") ")"},
    {SYM, "store_false", "STORE:void(" AT_IF("False") ", y)", "NOOP:void()",
     "STORE:void(" AT_IF("p") ", y)"},
    {SYM, "flatten_barrier", "BARRIER:void(SINK:void(x, y), z)", "BARRIER:void(x, y, z)",
     "BARRIER:void(x, z)"},
    {SYM, "flatten_sink", "SINK:void(SINK:void(x, y), z)", "SINK:void(x, y, z)", "SINK:void(x, z)"},
    {SYM, "recip_square", "RECIP:float(f * f)", "RECIP:float(f) * RECIP:float(f)",
     "RECIP:float(f * g)"},
    {SYM, "recip_cube", "RECIP:float(f * f * f)",
     "RECIP:float(f) * RECIP:float(f) * RECIP:float(f)", "RECIP:float(f * f * g)"},
    {SYM, "recip_scaled", "RECIP:float(f * 2.0)", "RECIP:float(f) * RECIP:float(2.0)",
     "RECIP:float(f * g)"},
    {SYM, "recip_sigmoid", "f * RECIP:float(1.0 + f)", "1.0 + RECIP:float(1.0 + f) * -1.0",
     "f * RECIP:float(1.0 + g)"},
    {SYM, "recip_sigmoid_mul", "f * (RECIP:float(1.0 + f) * g)",
     "g * (1.0 + RECIP:float(1.0 + f) * -1.0)", "f * (RECIP:float(1.0 + h) * g)"},
    {SYM, "recip_sigmoid_add", "f * (RECIP:float(1.0 + f) + g)",
     "(1.0 + RECIP:float(1.0 + f) * -1.0) + f * g", "f * (RECIP:float(1.0 + h) + g)"},
    {SYM, "reduce_const_factor", "REDUCE:int(x * 3, y)[\"ADD\"]", "REDUCE:int(x, y)[\"ADD\"] * 3",
     "REDUCE:int(x * z, y)[\"ADD\"]"},
    {SYM, "reduce_mul_chain", "REDUCE:int(x * z, y)[\"ADD\"]",
     "REDUCE:int(1, y)[\"ADD\"] * ((1 * x) * z)", "REDUCE:int(x + z, y)[\"ADD\"]"},
};

#define DEC "decompositions"

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

/* Nodes that no text may hold: "GEP of g" is element 0 of g, "VECTORIZE of g" has the sources of g;
 * both are void. */
static up_node input_of(rig *r, const char *text) {
  bool gep = strncmp(text, "GEP of ", 7) == 0, vec = strncmp(text, "VECTORIZE of ", 13) == 0;
  if (!gep && !vec) return graph(r, text);
  up_node g = graph(r, text + (gep ? 7 : 13)), src[4];
  up_arg zero = up_arg_int(r->c, up_int_of(0));
  if (gep) return up_new(r->c, UP_GEP, up_dt(UP_VOID), &g, 1, up_arg_list(r->c, &zero, 1));
  for (uint32_t i = 0; i < up_nsrc(r->c, g); i++) src[i] = up_src(r->c, g, i);
  return up_new(r->c, UP_VECTORIZE, up_dt(UP_VOID), src, up_nsrc(r->c, g), up_arg_none());
}

/* The node, or of a want "value V" the value: a graph of constants too large to write down. */
static void expect_result(rig *r, const char *what, up_node got, const char *want) {
  if (strncmp(want, "value ", 6) != 0) {
    expect_node(r, what, got, graph(r, want));
    return;
  }
  or_values v = {0};
  assert_false(up_is_none(got));
  assert_true(or_eval(r->c, got, OR_WRAP, &(or_witness){0}, &v));
  assert_int_equal(v.def[v.n - 1], OR_VALUE_OK);
  char *text = mpz_get_str(NULL, 10, v.value[v.n - 1]);
  assert_string_equal(text, want + 6);
  free(text);
  or_values_clear(&v);
}

/* A rule set of this one rule. */
static rig rig_only(rig *r, const char *name) {
  up_buf b = {0};
  up_error e = {0};
  int number = up_rule_find(r->p, name);
  if (number < 0) fail_msg("no rule %s", name);
  up_buf_printf(&b, "%s\n", up_rule_at(r->p, (uint32_t)number).text);
  rig one = rig_of(up_profile_parse(up_profile_name(r->p), b.p, b.len, &e), &e);
  up_buf_free(&b);
  return one;
}

static void check_miss(rig *r, const row *t) {
  rig one = rig_only(r, t->rule);
  int number;
  /* the text of a rule is the whole rule: on its own it does what it does in its set */
  up_node in = input_of(&one, t->input);
  up_node got = up_apply_first(one.c, set_of(&one, "symbolic"), in, &number);
  if (strcmp(t->rule, "nest_div_by_smallest_factor") != 0) /* that one simplifies with its set */
    expect_result(&one, t->rule, got, t->want);
  got = up_apply_first(one.c, set_of(&one, "symbolic"), input_of(&one, t->miss), &number);
  assert_int_equal(up_ctx_status(one.c), UP_OK);
  expect_node(&one, t->miss, got, UP_NONE);
  rig_free(&one);
}

static void check_row(rig *r, const row *t) {
  int number;
  up_node got = up_apply_first(r->c, set_of(r, t->set), input_of(r, t->input), &number);
  const char *name = number < 0 ? "no rule" : up_rule_at(r->p, (uint32_t)number).name;
  if (strcmp(name, t->rule) != 0) fail_msg("%s: %s applies to %s", t->rule, name, t->input);
  if (strcmp(t->rule, "mul_zero_nan") == 0) { /* nan is not the same node twice to a reader */
    assert_true(up_is_const(r->c, got) && up_const_val(r->c, got).is_float);
    return;
  }
  expect_result(r, t->rule, got, t->want);
  check_miss(r, t);
}

static void check_rows(const char *profile, const row *rows, size_t n) {
  rig r = rig_load(profile);
  for (size_t i = 0; i < n; i++) check_row(&r, &rows[i]);
  rig_free(&r);
}

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

#define COUNT(a) (sizeof(a) / sizeof *(a))

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
  assert_int_equal(up_rule_count(r.p) - bounds, 91);
  assert_int_equal(bounds, 19);
  assert_int_equal(native, 20);
  assert_true(reads > native && wrong > 10 && wrong < 30);
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
      cmocka_unit_test(test_rule_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
