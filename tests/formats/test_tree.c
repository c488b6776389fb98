/* tinygrad's printed tree. The texts of test_printed were printed by tinygrad 0.11.0 and 0.10.0
 * themselves. */
#include "graphs.h"
#include <sys/resource.h>

static up_node parse_at(up_ctx *c, const char *text, size_t *at) {
  up_node root = UP_NONE;
  up_error err = {0};
  if (!up_parse_tree(c, text, strlen(text), at, &root, &err))
    fail_msg("%u:%u: %s in\n%s", err.line, err.col, err.msg, text);
  return root;
}

static up_node parse(up_ctx *c, const char *text) {
  size_t at = 0;
  up_node n = parse_at(c, text, &at);
  assert_int_equal(at, strlen(text));
  return n;
}

static void assert_prints(up_ctx *c, up_node n, const char *text) {
  up_buf b = {0};
  up_print_tree(c, n, &b);
  assert_string_equal(b.p, text);
  up_buf_free(&b);
}

/* Does the tree stand for this `.uop` graph? */
static void assert_reads(const char *tree, const char *uop) {
  up_ctx *c = new_ctx();
  up_node want;
  up_error err = {0};
  if (!up_parse_uop(c, uop, strlen(uop), &want, NULL, &err)) fail_msg("%s", err.msg);
  assert_true(up_same(parse(c, tree), want));
  up_ctx_free(c);
}

/* ---- as printed ------------------------------------------------------------------ */

static const char shared_tree[] =
    "UOp(Ops.MOD, dtypes.int, arg=None, src=(\n"
    "  UOp(Ops.IDIV, dtypes.int, arg=None, src=(\n"
    "    UOp(Ops.ADD, dtypes.int, arg=None, src=(\n"
    "      UOp(Ops.MUL, dtypes.int, arg=None, src=(\n"
    "        x3:=UOp(Ops.ADD, dtypes.int, arg=None, src=(\n"
    "          x4:=UOp(Ops.DEFINE_VAR, dtypes.int, arg=('x', 0, 7), src=()),\n"
    "          UOp(Ops.DEFINE_VAR, dtypes.int, arg=(\"it's\", -3, 9), src=()),)),\n"
    "         x3,)),\n"
    "       x4,)),\n"
    "    UOp(Ops.CONST, dtypes.int, arg=4, src=()),)),\n"
    "  UOp(Ops.CONST, dtypes.int, arg=3, src=()),))\n";

static up_node shared_graph(up_ctx *c) {
  up_node x = ivar(c, "x", 0, 7), a = up_binary(c, UP_ADD, x, ivar(c, "it's", -3, 9));
  up_node e = up_binary(c, UP_ADD, up_binary(c, UP_MUL, a, a), x);
  return up_binary(c, UP_MOD, up_binary(c, UP_IDIV, e, iconst(c, 4)), iconst(c, 3));
}

static void test_shared(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_node n = shared_graph(c);
  assert_prints(c, n, shared_tree);
  assert_true(up_same(parse(c, shared_tree), n));
  up_ctx_free(c);
}

/* Texts of 0.11.0 that come back byte for byte. */
static const char *const printed[] = {
    "UOp(Ops.ADD, dtypes.int, arg=None, src=(\n"
    "  UOp(Ops.RANGE, dtypes.int, arg=0, src=(\n"
    "    UOp(Ops.CONST, dtypes.int, arg=10, src=()),)),\n"
    "  UOp(Ops.SPECIAL, dtypes.int, arg=('gidx0', 16), src=()),))\n",
    "UOp(Ops.REDUCE, dtypes.int, arg=<Ops.ADD: 62>, src=(\n"
    "  UOp(Ops.DEFINE_VAR, dtypes.int, arg=('x', 0, 7), src=()),\n"
    "  UOp(Ops.RANGE, dtypes.int, arg=0, src=(\n"
    "    UOp(Ops.CONST, dtypes.int, arg=10, src=()),)),))\n",
    "UOp(Ops.REDUCE_AXIS, dtypes.int, arg=(Ops.ADD, (1,)), src=(\n"
    "  UOp(Ops.DEFINE_VAR, dtypes.int, arg=('x', 0, 7), src=()),))\n",
    "UOp(Ops.CONST, dtypes.float, arg=inf, src=())\n",
    "UOp(Ops.CONST, dtypes.float, arg=0.5, src=())\n",
    "UOp(Ops.CONST, dtypes.bool, arg=True, src=())\n",
    "UOp(Ops.CONST, dtypes.ulong, arg=18446744073709551616, src=())\n",
    "UOp(Ops.VCONST, dtypes.int.vec(4), arg=(1, 2, 3, 4), src=())\n",
    "UOp(Ops.CUSTOM, dtypes.void, arg='a\\'b\"\\n\\\\\303\251\\x01', src=())\n",
    "UOp(Ops.DEFINE_GLOBAL, dtypes.float.vec(4).ptr(-1), arg=0, src=())\n",
    "UOp(Ops.UNROLL, dtypes.int, arg=((3, 4),), src=(\n"
    "  UOp(Ops.VCONST, dtypes.int.vec(4), arg=(0, 1, 2, 3), src=()),))\n",
    "UOp(Ops.BIND, dtypes.int, arg=None, src=(\n"
    "  UOp(Ops.DEFINE_VAR, dtypes.int, arg=('x', 0, 7), src=()),\n"
    "  UOp(Ops.CONST, dtypes.int, arg=3, src=()),))\n",
};

static void test_printed(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  for (size_t i = 0; i < sizeof printed / sizeof *printed; i++)
    assert_prints(c, parse(c, printed[i]), printed[i]);
  up_ctx_free(c);
}

static void test_print_uops(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_buf b = {0};
  up_print_uops(c, shared_graph(c), &b);
  assert_string_equal(
      b.p, "   0 Ops.DEFINE_VAR      : dtypes.int                     []                         "
           "      ('x', 0, 7)\n"
           "   1 Ops.DEFINE_VAR      : dtypes.int                     []                         "
           "      (\"it's\", -3, 9)\n"
           "   2 Ops.ADD             : dtypes.int                     [0, 1]                     "
           "      None\n"
           "   3 Ops.MUL             : dtypes.int                     [2, 2]                     "
           "      None\n"
           "   4 Ops.ADD             : dtypes.int                     [3, 0]                     "
           "      None\n"
           "   5 Ops.CONST           : dtypes.int                     []                         "
           "      4\n"
           "   6 Ops.IDIV            : dtypes.int                     [4, '4']                   "
           "      None\n"
           "   7 Ops.CONST           : dtypes.int                     []                         "
           "      3\n"
           "   8 Ops.MOD             : dtypes.int                     [6, '3']                   "
           "      None\n");
  up_buf_free(&b);
  up_ctx_free(c);
}

/* ---- other spellings ------------------------------------------------------------- */

#define X "UOp(Ops.DEFINE_VAR, dtypes.int, arg=('x', 0, 7), src=())"
#define X_UOP "uop 1\n%0 = DEFINE_VAR int [\"x\", 0, 7]\n"

static void test_spellings(void **state) {
  (void)state;
  assert_reads("UOp(Ops.NEG,dtypes.int,arg=None,src=(" X "))", X_UOP "%1 = NEG int %0\n");
  assert_reads("UOp(Ops.NEG, dtypes.int, (" X ",))", X_UOP "%1 = NEG int %0\n");
  assert_reads("UOp(arg=('x', 0, 7), dtype=dtypes.int32, op=Ops.DEFINE_VAR)", X_UOP);
  assert_reads("UOp(Ops.DEFINE_VAR, dtypes.int, (), [\"x\", (0), 7,])", X_UOP);
  assert_reads("UOp(Ops.DEFINE_VAR, dtypes.int, arg=('x', 0, 7), tag=(1, 'a)'), src=())", X_UOP);
  assert_reads("UOp(Ops.SINK)", "uop 1\n%0 = SINK void\n");
  assert_reads("UOp(Ops.CUSTOM, dtypes.void, arg='\\u00e9\\x41\\udcff')",
               "uop 1\n%0 = CUSTOM void \"\303\251A\\xff\"\n");
  assert_reads("UOp(Ops.DEFINE_GLOBAL, dtypes.imageh((1, 2, 4)), arg=0)",
               "uop 1\n%0 = DEFINE_GLOBAL ptr.float 0\n");
  assert_reads("UOp(Ops.DEFINE_LOCAL, dtypes.float.vec(4).ptr(16, AddrSpace.LOCAL).vec(2), arg=0)",
               "uop 1\n%0 = DEFINE_LOCAL ptr.float.vec8 0\n");
  assert_reads("UOp(Ops.DEFINE_LOCAL, dtypes.float.ptr(local=True), arg=0)",
               "uop 1\n%0 = DEFINE_LOCAL ptr.float 0\n");
}

/* An arg without a counterpart is kept as its text. */
static void test_opaque_args(void **state) {
  (void)state;
  assert_reads(
      "UOp(Ops.VIEW, dtypes.int, arg=ShapeTracker(views=(View(shape=(4,), s=']'),)), src=())",
      "uop 1\n%0 = VIEW int \"ShapeTracker(views=(View(shape=(4,), s=']'),))\"\n");
  assert_reads("UOp(Ops.CUSTOM, dtypes.void, arg=(1, dtypes.half, (None, 2.5)))",
               "uop 1\n%0 = CUSTOM void [1, \"dtypes.half\", [null, 2.5]]\n");
  assert_reads("UOp(Ops.CUSTOM, dtypes.void, arg=(1, 2) + x)",
               "uop 1\n%0 = CUSTOM void \"(1, 2) + x\"\n");
  assert_reads("UOp(Ops.CUSTOM, dtypes.void, arg=<function f at 0x7f, (>)>, src=())",
               "uop 1\n%0 = CUSTOM void \"<function f at 0x7f, (>)>\"\n");
  assert_reads("UOp(Ops.CUSTOM, dtypes.void, arg=Ops.FROB)",
               "uop 1\n%0 = CUSTOM void \"Ops.FROB\"\n");
  /* 0.10.0 prints a string without quotes */
  assert_reads("UOp(Ops.CUSTOM, dtypes.void, arg=abc, src=())",
               "uop 1\n%0 = CUSTOM void \"abc\"\n");
  assert_reads("UOp(Ops.CUSTOM, dtypes.void, arg=Nonesuch)",
               "uop 1\n%0 = CUSTOM void \"Nonesuch\"\n");
}

/* Texts of 0.10.0: a RANGE has its start as first source. */
static void test_old_range(void **state) {
  (void)state;
  assert_reads("UOp(Ops.RANGE, dtypes.int, arg=(2, False), src=(\n"
               "  UOp(Ops.CONST, dtypes.int, arg=0, src=()),\n"
               "  UOp(Ops.CONST, dtypes.int, arg=10, src=()),))\n",
               "uop 1\n%0 = CONST int 10\n%1 = RANGE int %0 2\n");
  assert_reads("UOp(Ops.RANGE, dtypes.int, arg=2, src=(\n"
               "  UOp(Ops.CONST, dtypes.int, arg=0, src=()),\n"
               "  UOp(Ops.CONST, dtypes.int, arg=10, src=()),))\n",
               "uop 1\n%0 = CONST int 10\n%1 = RANGE int %0 2\n");
}

static void test_around(void **state) {
  (void)state;
  const char text[] =
      "\n```python\n>>> x = f()\n>>> x\n    " X "\n```\n\n>>> " X "\n\nx1:=" X "\n```\n";
  up_ctx *c = new_ctx();
  size_t at = 0;
  up_node x = ivar(c, "x", 0, 7);
  for (int i = 0; i < 3; i++) {
    assert_true(at < sizeof text - 1);
    assert_true(up_same(parse_at(c, text, &at), x));
  }
  assert_int_equal(at, sizeof text - 1);
  assert_true(up_begins_tree(text, 40));
  assert_true(up_begins_tree("x0 := UOp(", 10));
  assert_true(up_begins_tree("UOp(", 4));
  assert_false(up_begins_tree("UOp + 1", 7));
  assert_false(up_begins_tree("x in [0,7]", 10));
  assert_false(up_begins_tree("", 0));
  up_ctx_free(c);
}

/* ---- errors ---------------------------------------------------------------------- */

/* Cut anywhere, a tree is an error with a position inside of it (or at its end), never a graph. */
static void test_cut(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  for (size_t n = 0; n < sizeof shared_tree - 2; n++) {
    char *text = malloc(n + 1); /* of its own, so that reading beyond it is seen */
    assert_non_null(text);
    memcpy(text, shared_tree, n);
    up_node root;
    up_error err = {0};
    size_t at = 0;
    assert_false(up_parse_tree(c, text, n, &at, &root, &err));
    assert_in_range(err.line, 1, 12);
    assert_true(err.col >= 1 && err.msg[0] != 0);
    free(text);
  }
  up_ctx_free(c);
}

/* Any one character changed: an error or a graph, whose tree is read as that graph. */
static void test_changed(void **state) {
  (void)state;
  static const char other[] = "(),'<x=:.0\\\n";
  up_ctx *c = new_ctx();
  char text[sizeof shared_tree];
  unsigned graphs = 0;
  for (size_t i = 0; i < sizeof shared_tree - 1; i++)
    for (const char *o = other; *o; o++) {
      memcpy(text, shared_tree, sizeof text);
      text[i] = *o;
      up_ctx_reset(c);
      up_node root;
      size_t at = 0;
      if (!up_parse_tree(c, text, sizeof text - 1, &at, &root, NULL)) continue;
      up_buf b = {0};
      up_print_tree(c, root, &b);
      assert_true(up_same(parse(c, b.p), root));
      up_buf_free(&b);
      graphs++;
    }
  assert_true(graphs > 100);
  up_ctx_free(c);
}

/* ---- graphs ---------------------------------------------------------------------- */

static void round_trip(up_ctx *c, const fm_item *it, void *arg) {
  unsigned *n = arg;
  up_buf b = {0};
  up_print_tree(c, it->root, &b);
  assert_true(up_same(parse(c, b.p), it->root));
  up_buf_free(&b);
  ++*n;
}

static void test_corpus(void **state) {
  (void)state;
  unsigned n = 0;
  each_corpus_row(round_trip, &n);
  assert_true(n > 1000);
}

#define MILLION 1000000u

/* A chain of a million nodes without indentation is read; its printed form, which is indented,
 * meets the limit. */
static void test_deep(void **state) {
  (void)state;
  struct rlimit small = {.rlim_cur = 1u << 20, .rlim_max = RLIM_INFINITY}, old;
  assert_int_equal(getrlimit(RLIMIT_STACK, &old), 0);
  small.rlim_max = old.rlim_max;
  assert_int_equal(setrlimit(RLIMIT_STACK, &small), 0);
  up_ctx *c = new_ctx();
  up_buf text = {0}, out = {.limit = 1u << 20};
  for (uint32_t i = 0; i < MILLION; i++) up_buf_puts(&text, "UOp(Ops.NEG,dtypes.int,src=(");
  up_buf_puts(&text, X);
  for (uint32_t i = 0; i < MILLION; i++) up_buf_puts(&text, ",))");
  up_node n = parse(c, text.p);
  assert_int_equal(up_count(c, n), MILLION + 1);
  up_print_tree(c, n, &out);
  assert_true(out.overflow);
  up_buf_free(&text);
  up_buf_free(&out);
  up_ctx_free(c);
  assert_int_equal(setrlimit(RLIMIT_STACK, &old), 0);
}

/* 2^100 paths, 101 nodes. */
static void test_doubling(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_node n = ivar(c, "x", 0, 7);
  for (int i = 0; i < 100; i++) n = up_binary(c, UP_ADD, n, n);
  up_buf b = {0};
  up_print_tree(c, n, &b);
  assert_true(b.len < 50000);
  assert_true(up_same(parse(c, b.p), n));
  up_buf_free(&b);
  up_ctx_free(c);
}

/* ---- opaque sources, by way of the reader ------------------------------------------ */

static char path[] = "tree.txt";

static fm_reader *open_text(const char *text) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
  assert_int_equal(fclose(f), 0);
  up_error err = {0};
  fm_reader *r = fm_open(path, &err);
  if (!r) fail_msg("%s", err.msg);
  assert_string_equal(fm_form(r), "tinygrad");
  return r;
}

static void assert_item(const char *tree, const char *uop, const char *note) {
  up_ctx *c = new_ctx();
  fm_reader *r = open_text(tree);
  fm_item it;
  up_error err = {0};
  up_node want;
  if (fm_next(r, c, &it, &err) != 1) fail_msg("%u:%u: %s", err.line, err.col, err.msg);
  if (!up_parse_uop(c, uop, strlen(uop), &want, NULL, &err)) fail_msg("%s", err.msg);
  if (note)
    assert_string_equal(it.note, note);
  else
    assert_null(it.note);
  if (!up_same(it.root, want)) {
    up_buf b = {0};
    up_print_uop(c, it.root, NULL, &b);
    fail_msg("got\n%s", b.p);
  }
  fm_item_clear(&it);
  assert_int_equal(fm_next(r, c, &it, &err), 0);
  fm_close(r);
  up_ctx_free(c);
}

#define GLOBAL "UOp(Ops.DEFINE_GLOBAL, dtypes.int.ptr(16), arg=0, src=())"
#define LOAD(dt) "UOp(Ops.LOAD, dtypes." dt ", arg=None, src=(" GLOBAL ", " X "))"

/* The number of an opaque variable is above those that are there. */
#define OPAQUE7 "UOp(Ops.DEFINE_VAR, dtypes.int, arg=('opaque7', 0, 1), src=())"

static void test_opaque(void **state) {
  (void)state;
  assert_item(X, X_UOP, NULL);
  assert_item("UOp(Ops.ADD, dtypes.int, src=(" X ", " LOAD("int") "))",
              X_UOP "%1 = DEFINE_VAR int [\"opaque0\", -2147483648, 2147483647]\n"
                    "%2 = ADD int %0 %1\n",
              "1 opaque source became variable opaque0");
  assert_item("UOp(Ops.ADD, dtypes.int, src=(" OPAQUE7 ", " LOAD("int") "))",
              "uop 1\n%0 = DEFINE_VAR int [\"opaque7\", 0, 1]\n"
              "%1 = DEFINE_VAR int [\"opaque8\", -2147483648, 2147483647]\n%2 = ADD int %0 %1\n",
              "1 opaque source became variable opaque8");
  assert_item(
      "UOp(Ops.AND, dtypes.bool, src=(" LOAD("bool") ", UOp(Ops.CMPLT, dtypes.bool, src=(" LOAD(
          "float") ", UOp(Ops.CONST, dtypes.float, arg=1.0)))))",
      "uop 1\n%0 = DEFINE_VAR bool [\"opaque0\", false, true]\n"
      "%1 = DEFINE_VAR bool [\"opaque1\", false, true]\n%2 = AND bool %0 %1\n",
      "2 opaque sources became variables opaque0, opaque1");
  assert_item("UOp(Ops.GEP, dtypes.uchar, arg=(1,), src=(" LOAD("uchar.vec(2)") "))",
              "uop 1\n%0 = DEFINE_VAR uchar [\"opaque0\", 0, 255]\n"
              "%1 = DEFINE_VAR uchar [\"opaque1\", 0, 255]\n"
              "%2 = VECTORIZE uchar.vec2 %0 %1\n%3 = GEP uchar %2 [1]\n",
              "2 opaque sources became variables opaque0, opaque1");
  assert_item(LOAD("char"), "uop 1\n%0 = DEFINE_VAR char [\"opaque0\", -128, 127]\n",
              "1 opaque source became variable opaque0");
}

/* A constant of a kernel that is not lowered: 0 where its view is masked, so it is opaque. */
#define VIEWED                                                                                     \
  "UOp(Ops.CONST, dtypes.char, arg=3, src=(\n"                                                     \
  "  UOp(Ops.VIEW, dtypes.void, arg='ShapeTracker(views=())', src=()),))\n"

static void test_viewed(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_node n = parse(c, VIEWED);
  assert_int_equal(up_nsrc(c, n), 1);
  assert_prints(c, n, VIEWED);
  up_ctx_free(c);
  assert_item(VIEWED, "uop 1\n%0 = DEFINE_VAR char [\"opaque0\", -128, 127]\n",
              "1 opaque source became variable opaque0");
}

/* One load, used twice, is one variable. */
static void test_opaque_shared(void **state) {
  (void)state;
  assert_item("UOp(Ops.SUB, dtypes.int, src=(x0:=" LOAD("int") ", x0))",
              "uop 1\n%0 = DEFINE_VAR int [\"opaque0\", -2147483648, 2147483647]\n"
              "%1 = SUB int %0 %0\n",
              "1 opaque source became variable opaque0");
}

static void test_unroll(void **state) {
  (void)state;
  const char whole[] = "UOp(Ops.ADD, dtypes.int, src=(" X ", UOp(Ops.UNROLL, dtypes.int, arg=((3, "
                       "4),), src=(UOp(Ops.VCONST, dtypes.int.vec(4), arg=(0, 1, 2, 3)),))))";
  assert_item(whole, X_UOP "%1 = DEFINE_VAR int [\"unroll3\", 0, 3]\n%2 = ADD int %0 %1\n",
              "1 unrolled axis became variable unroll3");
  const char part[] = "UOp(Ops.ADD, dtypes.int, src=(" X ", UOp(Ops.UNROLL, dtypes.int, arg=((3, "
                      "4),), src=(UOp(Ops.VCONST, dtypes.int.vec(4), arg=(0, 2, 4, 6)),))))";
  assert_item(part,
              X_UOP "%1 = DEFINE_VAR int [\"opaque0\", -2147483648, 2147483647]\n"
                    "%2 = ADD int %0 %1\n",
              "1 opaque source became variable opaque0");
}

#define SUM "UOp(Ops.ADD, dtypes.int, src=(" X ", " X "))"

/* A root without an integer value: its integer parts, those inside of opaque ones too. */
static void test_parts(void **state) {
  (void)state;
  assert_item("UOp(Ops.STORE, dtypes.void, src=(UOp(Ops.INDEX, dtypes.int.ptr(16), src=(" GLOBAL
              ", " SUM ", UOp(Ops.CMPLT, dtypes.bool, src=(" LOAD("int") ", " SUM
                                                                         ")))), " LOAD("int") "))",
              X_UOP "%1 = ADD int %0 %0\n"
                    "%2 = DEFINE_VAR int [\"opaque0\", -2147483648, 2147483647]\n"
                    "%3 = CMPLT bool %2 %1\n%4 = SINK void %1 %3\n",
              "the root STORE has no integer value: its 2 integer parts make a SINK; "
              "1 opaque source became variable opaque0");
  assert_item("UOp(Ops.SINK, dtypes.void, src=(" SUM ", " LOAD("int") "))",
              X_UOP "%1 = ADD int %0 %0\n"
                    "%2 = DEFINE_VAR int [\"opaque0\", -2147483648, 2147483647]\n"
                    "%3 = SINK void %1 %2\n",
              "1 opaque source became variable opaque0");
  assert_item("UOp(Ops.CONST, dtypes.float, arg=0.5)", "uop 1\n%0 = CONST float 0.5\n",
              "the root CONST has no integer value, and no integer part to simplify");
}

static void test_items(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  fm_reader *r = open_text("```\n" X "\n\n" SUM "\n```\nUOp(Ops.NEG, dtypes.int, src=(x0,))\n" X);
  fm_item it;
  up_error err = {0};
  static const unsigned line[] = {2, 4};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(fm_next(r, c, &it, &err), 1);
    assert_int_equal(it.line, line[i]);
    fm_item_clear(&it);
  }
  assert_int_equal(fm_next(r, c, &it, &err), -1);
  assert_int_equal(err.line, 6);
  assert_int_equal(err.col, 31);
  assert_int_equal(fm_next(r, c, &it, &err), 0);
  fm_close(r);
  up_ctx_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shared),      cmocka_unit_test(test_printed),
      cmocka_unit_test(test_print_uops),  cmocka_unit_test(test_spellings),
      cmocka_unit_test(test_opaque_args), cmocka_unit_test(test_old_range),
      cmocka_unit_test(test_around),      cmocka_unit_test(test_cut),
      cmocka_unit_test(test_changed),     cmocka_unit_test(test_corpus),
      cmocka_unit_test(test_deep),        cmocka_unit_test(test_doubling),
      cmocka_unit_test(test_opaque),      cmocka_unit_test(test_opaque_shared),
      cmocka_unit_test(test_unroll),      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_viewed),      cmocka_unit_test(test_items),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
