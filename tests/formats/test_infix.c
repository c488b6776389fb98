/* Infix text: lowering of the sugar, what the renderer writes, exact round trips, errors. */
#include "graphs.h"
#include <math.h>

static up_node parse(up_ctx *c, const char *text) {
  up_node root;
  up_error err = {0};
  if (!up_parse_infix(c, text, strlen(text), &root, &err))
    fail_msg("%u:%u: %s\n%s", err.line, err.col, err.msg, text);
  return root;
}

static up_node bin(up_ctx *c, up_op op, up_node a, up_node b) { return up_binary(c, op, a, b); }

/* ---- meaning -------------------------------------------------------------------- */

#define XY "x in [0,255], y in [-3,3]; "
#define SAME(text, node)                                                                           \
  do {                                                                                             \
    if (!up_same(parse(c, XY text), node)) fail_msg("%s", text);                                   \
  } while (0)

static void test_lowering(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_node x = ivar(c, "x", 0, 255), y = ivar(c, "y", -3, 3);
  up_node minus_y = bin(c, UP_MUL, y, iconst(c, -1)), minus_x = bin(c, UP_MUL, x, iconst(c, -1));
  up_node lt = bin(c, UP_CMPLT, x, y), gt = bin(c, UP_CMPLT, y, x);
  up_node yes = up_const_int(c, up_dt(UP_BOOL), 1);
  SAME("x", x);
  SAME("x+y", bin(c, UP_ADD, x, y));
  SAME("x-y", bin(c, UP_ADD, x, minus_y));
  SAME("x-5", bin(c, UP_ADD, x, iconst(c, -5)));
  SAME("5-x", bin(c, UP_ADD, iconst(c, 5), minus_x));
  SAME("-x", minus_x);
  SAME("--x", bin(c, UP_MUL, minus_x, iconst(c, -1)));
  SAME("-5", iconst(c, -5));
  SAME("x<y", lt);
  SAME("x>y", gt);
  SAME("x<=y", bin(c, UP_CMPNE, gt, yes));
  SAME("x>=y", bin(c, UP_CMPNE, lt, yes));
  SAME("x!=y", bin(c, UP_CMPNE, x, y));
  SAME("x==y", bin(c, UP_CMPNE, bin(c, UP_CMPNE, x, y), yes));
  SAME("not x<y", bin(c, UP_CMPNE, lt, yes));
  SAME("-(x<y)", bin(c, UP_CMPNE, lt, yes));
  SAME("max(x, y)", bin(c, UP_MAX, x, y));
  SAME("floordiv(x, 5)", bin(c, UP_FLOORDIV, x, iconst(c, 5)));
  SAME("floormod(5, y)", bin(c, UP_FLOORMOD, iconst(c, 5), y));
  SAME("min(x, y)", bin(c, UP_MUL, bin(c, UP_MAX, minus_x, minus_y), iconst(c, -1)));
  SAME("min(x, 5)", bin(c, UP_MUL, bin(c, UP_MAX, minus_x, iconst(c, -5)), iconst(c, -1)));
  SAME("(uchar)(x)", up_cast(c, x, up_dt(UP_UCHAR)));
  SAME("(uchar)x", up_cast(c, x, up_dt(UP_UCHAR)));
  SAME("cast(x, uint8)", up_cast(c, x, up_dt(UP_UCHAR)));
  SAME("5:uchar", up_const_int(c, up_dt(UP_UCHAR), 5));
  SAME("(x)", x);
  SAME("NEG(x)", up_unary(c, UP_NEG, x));
  SAME("SUB(x, 5)", bin(c, UP_SUB, x, iconst(c, 5)));
  SAME("-nan", parse(c, "nan"));
  SAME("inf", up_const(c, up_dt(UP_FLOAT), up_val_float(INFINITY)));
  SAME("-0.0:double", up_const(c, up_dt(UP_DOUBLE), up_val_float(-0.0)));
  up_ctx_free(c);
}

static void test_precedence(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_node x = ivar(c, "x", 0, 255), y = ivar(c, "y", -3, 3);
  SAME("x+y*2", parse(c, XY "(x+(y*2))"));
  SAME("x*y//2%3", parse(c, XY "(((x*y)//2)%3)"));
  SAME("x-y-1", parse(c, XY "((x-y)-1)"));
  SAME("x|y^x&y<<1+2", parse(c, XY "(x|(y^(x&(y<<(1+2)))))"));
  SAME("x<<1<y|3", parse(c, XY "((x<<1)<(y|3))"));
  SAME("-x*y", parse(c, XY "((-x)*y)"));
  SAME("(char)x+1:char", parse(c, XY "(((char)(x))+(1:char))"));
  SAME("x+1 if x<y else y*2", parse(c, XY "((x+1) if (x<y) else (y*2))"));
  SAME("x if x<y else y if y<2 else 7", parse(c, XY "(x if (x<y) else (y if (y<2) else 7))"));
  SAME("where(x<y, x, 0)", up_where(c, bin(c, UP_CMPLT, x, y), x, iconst(c, 0)));
  SAME("not x<y if y<1 else True", parse(c, XY "((not (x<y)) if (y<1) else True)"));
  SAME("(x +\ny if x < y else\n0)", parse(c, XY "(x) + (\ny) if x < y else 0"));
  up_ctx_free(c);
}

static void test_dtypes(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_dtype u8 = up_dt(UP_UCHAR), v4 = up_dt_vec(up_dt(UP_INT), 4);
  up_node u = up_var(c, "u", up_int_of(0), up_int_of(9), u8);
  up_node v = up_var(c, "v", up_int_of(0), up_int_of(9), v4);
  assert_true(
      up_same(parse(c, "u in [0,9] : uchar\n3+u"), bin(c, UP_ADD, up_const_int(c, u8, 3), u)));
  assert_true(
      up_same(parse(c, "v in [0,9] : int.vec4\nv*2"), bin(c, UP_MUL, v, up_const_int(c, v4, 2))));
  up_node cmp = parse(c, "v in [0,9] : int.vec4\n(v<2)!=True");
  assert_int_equal(up_dtype_of(c, cmp), up_dt_vec(up_dt(UP_BOOL), 4));
  up_val one_two[2] = {up_val_int(up_int_of(1)), up_val_int(up_int_of(2))};
  up_dtype v2 = up_dt_vec(up_dt(UP_INT), 2), u2 = up_dt_vec(up_dt(UP_UINT), 2);
  up_node t = up_vconst(c, v2, one_two, 2);
  assert_true(up_same(parse(c, "(1, 2)"), t));
  assert_true(up_same(parse(c, "(1, 2):uint.vec2"), up_vconst(c, u2, one_two, 2)));
  up_node v_2 = up_var(c, "v", up_int_of(0), up_int_of(9), u2);
  assert_true(up_same(parse(c, "v in [0,9] : uint.vec2\n((v)+(1, 2))"),
                      bin(c, UP_ADD, v_2, up_vconst(c, u2, one_two, 2))));
  up_node b = parse(c, "b in [False,True] : bool\nb");
  assert_int_equal(up_arg_kind_of(c, up_arg_at(c, up_arg_of(c, b), 1)), UP_A_BOOL);
  b = parse(c, "b in [0,31] : bool; b");
  assert_int_equal(up_arg_kind_of(c, up_arg_at(c, up_arg_of(c, b), 1)), UP_A_INT);
  up_node cast = parse(c, "v in [0,9] : int.vec4\n(float.vec(4))(v)");
  assert_int_equal(up_dtype_of(c, cast), up_dt_vec(up_dt(UP_FLOAT), 4));
  up_ctx_free(c);
}

static void test_declarations(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_dtype i = up_dt(UP_INT);
  up_node end = iconst(c, 16), r3 = up_new(c, UP_RANGE, i, &end, 1, up_arg_int(c, up_int_of(3)));
  assert_true(up_same(parse(c, "range ridx3 in [0,15]\nridx3"), r3));
  assert_true(up_same(parse(c, "range r 3 in [0,15]\nr"), r3));
  end = bin(c, UP_MUL, ivar(c, "n", 1, 4), iconst(c, 2));
  up_node r0 = up_new(c, UP_RANGE, i, &end, 1, up_arg_int(c, up_int_of(0)));
  assert_true(up_same(parse(c, "n in [1,4]; range ridx0 < n*2; ridx0"), r0));
  up_arg part[2] = {text_arg(c, "gidx0"), up_arg_int(c, up_int_of(32))};
  up_node g = up_new(c, UP_SPECIAL, i, NULL, 0, up_arg_list(c, part, 2));
  assert_true(up_same(parse(c, "special gidx0 in [0,31], gidx0"), g));
  up_node odd = ivar(c, "if x", 0, 1);
  assert_true(up_same(parse(c, "v \"if x\" in [0,1]\nv # end\n# more\n\n"), odd));
  up_node t = parse(c, "x in [0,7]\nlet t0 = x*x\nlet t1 = t0+t0 ; t1*t1\n");
  up_node x = ivar(c, "x", 0, 7), xx = bin(c, UP_MUL, x, x), s = bin(c, UP_ADD, xx, xx);
  assert_true(up_same(t, bin(c, UP_MUL, s, s)));
  up_ctx_free(c);
}

/* ---- printing ------------------------------------------------------------------- */

static void assert_prints(const char *in, const char *out) {
  up_ctx *c = new_ctx();
  up_buf b = {0};
  up_print_infix(c, parse(c, in), &b);
  assert_string_equal(b.p, out);
  up_buf_free(&b);
  up_ctx_free(c);
}

static void test_printing(void **state) {
  (void)state;
  assert_prints("x in [0,255]; x//4*4 + x%4", "x in [0,255]\n(((x//4)*4)+(x%4))\n");
  assert_prints("u in [0,9]:uchar; (int)(u+3) - 300", "u in [0,9] : uchar\n((int)((u+3))+-300)\n");
  assert_prints("5:uchar", "5:uchar\n");
  assert_prints("5:uchar+6:uchar", "(5:uchar+6:uchar)\n");
  assert_prints("True", "True\n");
  assert_prints("--nan", "(nan*-1.0)\n");
  assert_prints("-nan", "nan\n");
  assert_prints("x in [0,3]; NEG(SUB(x, 5))", "x in [0,3]\nNEG:int(SUB:int(x, 5))\n");
  assert_prints("VCONST:int.vec2()[[1, 2]]", "VCONST:int.vec2()[[1, 2]]\n");
  assert_prints("t0 in [0,9]; v \"a b\" in [0,1]; range q 2 in [0,3]; special g in [0,1]; t0+v+q+g",
                "t0 in [0,9]\nv0 \"a b\" in [0,1]\nrange ridx2 in [0,3]\nspecial g in [0,1]\n"
                "(((t0+v0)+ridx2)+g)\n");
  /* one name for two variables */
  assert_prints("x in [0,9]; y \"x\" in [0,5]; x*y", "x in [0,9]\nv0 \"x\" in [0,5]\n(x*v0)\n");
  /* a shared part that is not small is named once */
  assert_prints("x in [0,9]; let s = (x*3+1)//2%(x+5); s*s+s",
                "x in [0,9]\nlet t0 = ((((x*3)+1)//2)%(x+5))\n((t0*t0)+t0)\n");
}

static void round_trip(up_ctx *c, const fm_item *it, void *arg) {
  (void)arg;
  up_buf b = {0};
  up_node again;
  up_error err = {0};
  up_print_infix(c, it->root, &b);
  if (!up_parse_infix(c, b.p, b.len, &again, &err))
    fail_msg("row %s: %u:%u: %s\n%s", it->id, err.line, err.col, err.msg, b.p);
  if (!up_same(again, it->root)) fail_msg("row %s: another node\n%s", it->id, b.p);
  up_buf_free(&b);
}

static void test_corpus(void **state) {
  (void)state;
  assert_true(each_corpus_row(round_trip, NULL) > 800);
}

/* ---- what tinygrad itself rendered ---------------------------------------------- */

typedef struct tally {
  unsigned same, other;
} tally;

/* Does tinygrad's rendering name every node unambiguously? SUB, NEG, MULACC and CMPEQ look like
 * sugar, BIND like its variable, vectors like tuples; constants lose their dtype. */
static bool says_all(up_ctx *c, up_node root) {
  up_list topo = {0};
  assert_true(up_toposort(c, root, &topo));
  bool ok = true;
  for (uint32_t i = 0; i < topo.n; i++) {
    up_op op = up_op_of(c, topo.p[i]);
    ok = ok && op != UP_SUB && op != UP_NEG && op != UP_MULACC && op != UP_CMPEQ && op != UP_BIND &&
         op != UP_VCONST && up_dt_count(up_dtype_of(c, topo.p[i])) == 1;
    up_dtype d = up_dtype_of(c, topo.p[i]);
    ok = ok && (op != UP_CONST || d == up_dt(UP_INT) || d == up_dt(UP_BOOL));
  }
  up_list_free(&topo);
  return ok;
}

/* The declarations that up_print_infix writes for the graph, then tinygrad's rendering. */
static void declare_and_render(up_ctx *c, up_node n, const char *render, up_buf *out) {
  up_buf own = {0};
  up_print_infix(c, n, &own);
  own.p[own.len - 1] = 0;
  char *last = strrchr(own.p, '\n');
  if (last) up_buf_put(out, own.p, (size_t)(last - own.p) + 1);
  up_buf_puts(out, render);
  up_buf_free(&own);
}

static void check_render(up_ctx *c, const fm_item *it, void *arg) {
  tally *t = arg;
  const char *render = json_string_value(json_object_get(it->row, "render"));
  const json_t *nodes = json_object_get(it->row, "simplified");
  up_node want, got;
  up_error err = {0};
  if (!render || !nodes || !fm_nodes_from_json(c, nodes, &want, &err) || !says_all(c, want)) {
    t->other++;
    return;
  }
  up_buf b = {0};
  declare_and_render(c, want, render, &b);
  if (!up_parse_infix(c, b.p, b.len, &got, &err))
    fail_msg("row %s: %u:%u: %s\n%s", it->id, err.line, err.col, err.msg, b.p);
  if (!up_same(want, got)) fail_msg("row %s: another node\n%s", it->id, b.p);
  t->same++;
  up_buf_free(&b);
}

static void test_tinygrad_renderings(void **state) {
  (void)state;
  tally t = {0};
  each_row("corpus/real/v0.11.0-real.jsonl.gz", check_render, &t);
  each_row("corpus/golden/v0.10.0-fuzz.jsonl.gz", check_render, &t);
  print_message("%u renderings read back, %u not unambiguous\n", t.same, t.other);
  assert_true(t.same > 500);
}

/* ---- errors --------------------------------------------------------------------- */

static const struct {
  const char *text;
  unsigned line, col;
  const char *message;
} bad[] = {
    {"", 1, 1, "an expression was expected"},
    {"x in [0,9]", 1, 11, "an expression"},
    {"x", 1, 1, "'x' is not declared"},
    {"x in [0,9]\nx +", 2, 4, "an operand was expected, but the text ends"},
    {"x in [0,9]\nx y", 2, 3, "the end of the text"},
    {"x in [0,9]\nx\nx", 3, 1, "the end of the text"},
    {"x in [0,9]\n(x", 2, 1, "'(' is not closed"},
    {"x in [0,9]\nx)", 2, 2, "')' without '('"},
    {"x in [0,9]\n(x y)", 2, 4, "an operator or ')'"},
    {"x in [0,9]\n()", 2, 2, "an operand"},
    {"x in [0,9]\nx // ", 2, 6, "an operand"},
    {"x in [0,9]\nx / 2", 2, 3, "write //"},
    {"x in [0,9]\nx @ 2", 2, 3, "unexpected character '@'"},
    {"x in [0,9]\nx \xff 2", 2, 3, "unexpected byte 0xff"},
    {"x in [0,9]\nx < 1 < 2", 2, 7, "do not chain"},
    {"x in [0,9]\nx if 1", 2, 3, "'if' without 'else'"},
    {"x in [0,9]\nx else 1", 2, 3, "'else' without 'if'"},
    {"x in [0,9]\nx if x else 1", 2, 3, "WHERE needs a bool"},
    {"x in [0,9]\n(x, 1)", 2, 3, "',' outside of a call"},
    {"x in [0,9]\n(1, x)", 2, 5, "only numbers"},
    {"x in [0,9]\n(1, (2, 3))", 2, 5, "only numbers"},
    {"x in [0,9]\nx+(1, 2)", 2, 3, "does not fit dtype int"},
    {"x in [0,9]\n5-(1, True)", 2, 3, "this number"},
    {"x in [0,9]\nmax(x)", 2, 1, "1 arguments, but 2"},
    {"x in [0,9]\nmax(x, 1, 2)", 2, 1, "3 arguments, but 2"},
    {"x in [0,9]\nfloordiv(x)", 2, 1, "FLOORDIV"},
    {"x in [0.0,9.0] : float\nfloormod(x, x)", 2, 1, "FLOORMOD needs an integer dtype"},
    {"x in [0,9]\nfoo(x)", 2, 1, "unknown function 'foo'"},
    {"x in [0,9]\ncast(x, 5)", 2, 9, "a dtype"},
    {"x in [0,9]\ncast(x)", 2, 1, "cast takes"},
    {"x in [0,9]\nx + True", 2, 5, "does not fit dtype int"},
    {"x in [0,9]\nx + 0.5", 2, 5, "does not fit dtype int"},
    {"x in [0,9]\nx + 5:uchar", 2, 3, "source 0 is int"},
    {"x in [0,9]\n5:foo", 2, 3, "a dtype"},
    {"x in [0,9]\nnot x", 2, 1, "only a bool"},
    {"x in [0,9]\nx + not x", 2, 5, "'not' needs parentheses"},
    {"x in [0,9]\n12ab", 2, 3, "a letter follows"},
    {"x in [0,9]\nGEP(x)", 2, 1, "needs a dtype"},
    {"x in [0,9]\nGEP:int(x)[1", 2, 13, "']' was expected"},
    {"x in [0,9]\nADD(x)", 2, 1, "2 sources, not 1"},
    {"x in [0,9]\nADD:uint(x, x)", 2, 1, "source 0 is int"},
    {"x in [9,0]\nx", 1, 1, "empty"},
    {"x in [0,9\nx", 2, 1, "']' was expected"},
    {"x in [0 9]\nx", 1, 9, "',' was expected"},
    {"x in [a,9]\nx", 1, 7, "a number"},
    {"x in 0,9\nx", 1, 6, "'[' was expected"},
    {"x in [0,9] : foo\nx", 1, 14, "a dtype"},
    {"x in [0,9] x", 1, 12, "',' or ';'"},
    {"x in [0,9]\nx in [0,8]\nx", 2, 1, "declared twice"},
    {"int in [0,9]\nint", 1, 1, "an operand was expected"},
    {"let if = 5\n1", 1, 5, "reserved"},
    {"let a 5\n1", 1, 7, "'=' was expected"},
    {"range x in [0,9]\nx", 1, 7, "ridxN"},
    {"range ridx0 in [1,9]\nridx0", 1, 16, "[0, integer]"},
    {"range ridx0 in [0,-1]\nridx0", 1, 7, "empty"},
    {"special g in [0,-1]\ng", 1, 9, "empty"},
};

static void test_errors(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    up_ctx *c = new_ctx();
    up_error err = {0};
    up_node root = {7};
    if (up_parse_infix(c, bad[i].text, strlen(bad[i].text), &root, &err))
      fail_msg("accepted\n%s", bad[i].text);
    assert_true(up_is_none(root));
    if (err.line != bad[i].line || err.col != bad[i].col || !strstr(err.msg, bad[i].message))
      fail_msg("%u:%u: %s\nfor\n%s", err.line, err.col, err.msg, bad[i].text);
    up_ctx_free(c);
  }
}

static void test_damage(void **state) {
  (void)state;
  static const char text[] = "x in [0,9] : uchar\nrange ridx0 < 5\nlet t = max(x, 3)\n"
                             "(t if not x<5 else -x) + (uchar)(GEP:int(1)[[0]]) # c\n";
  static const char bytes[] = {0, '"', '(', ')', '[', '\n', '9', ',', ':', (char)0xff, '-'};
  up_ctx *c = new_ctx();
  unsigned refused = 0;
  for (size_t i = 0; i < sizeof text - 1; i++) {
    for (size_t b = 0; b <= sizeof bytes; b++) {
      up_error err = {0};
      up_node root;
      size_t n = b < sizeof bytes ? sizeof text - 1 : i;
      char *copy = malloc(n ? n : 1); /* exact size: reads past the end show under ASan */
      memcpy(copy, text, n);
      if (b < sizeof bytes) copy[i] = bytes[b];
      if (!up_parse_infix(c, copy, n, &root, &err)) {
        refused++;
        assert_true(err.line > 0 && err.col > 0 && err.msg[0] != 0);
      }
      free(copy);
      up_ctx_reset(c);
    }
  }
  assert_true(refused > 500);
  up_ctx_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lowering),
      cmocka_unit_test(test_precedence),
      cmocka_unit_test(test_dtypes),
      cmocka_unit_test(test_declarations),
      cmocka_unit_test(test_printing),
      cmocka_unit_test(test_corpus),
      cmocka_unit_test(test_tinygrad_renderings),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_damage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
