/* Trees of releases after 0.11.0. Their texts were printed by tinygrad 0.13.0 itself. */
#include "graphs.h"

#define VAR_A                                                                                      \
  "UOp(Ops.BUFFER, dtypes.weakint, arg=ParamArg(-1, dtypes.weakint, vmin_vmax=(-5, 9), "           \
  "multiple_of=1, name='a', addrspace=AddrSpace.ALU), src=(\n"                                     \
  "  UOp(Ops.STACK, dtypes.void, arg=None, src=()),))"

/* Does the tree read as this infix graph does? */
static void assert_reads(const char *tree, const char *infix) {
  up_ctx *c = new_ctx();
  up_node got, want;
  up_error err = {0};
  size_t at = 0;
  if (!up_parse_tree(c, tree, strlen(tree), &at, &got, &err))
    fail_msg("%u:%u: %s in\n%s", err.line, err.col, err.msg, tree);
  if (!up_parse_infix(c, infix, strlen(infix), &want, &err)) fail_msg("%s", err.msg);
  up_buf b = {0};
  up_print_infix(c, got, &b);
  if (!up_same(got, want)) fail_msg("%s", b.p);
  up_buf_free(&b);
  up_ctx_free(c);
}

static void assert_rejected(const char *tree, const char *message) {
  up_ctx *c = new_ctx();
  up_node got;
  up_error err = {0};
  size_t at = 0;
  assert_false(up_parse_tree(c, tree, strlen(tree), &at, &got, &err));
  if (!strstr(err.msg, message)) fail_msg("%s", err.msg);
  up_ctx_free(c);
}

static void divisions_of_both_kinds(void **state) {
  (void)state;
  assert_reads("UOp(Ops.ADD, dtypes.weakint, arg=None, src=(\n"
               "  UOp(Ops.FLOORDIV, dtypes.weakint, arg=None, src=(\n"
               "    x1:=" VAR_A ",\n"
               "    x3:=UOp(Ops.CONST, dtypes.weakint, arg=3, src=()),)),\n"
               "  UOp(Ops.CDIV, dtypes.weakint, arg=None, src=(\n"
               "    x1,\n"
               "    UOp(Ops.CMOD, dtypes.weakint, arg=None, src=(\n"
               "      x3,\n"
               "      x1,)),)),))",
               "a in [-5,9]\nfloordiv(a, 3) + a // (3 % a)");
}

static void variables_ranges_and_specials(void **state) {
  (void)state;
  assert_reads("UOp(Ops.ADD, dtypes.int, arg=None, src=(\n"
               "  UOp(Ops.CAST, dtypes.int, arg=dtypes.int, src=(\n"
               "    UOp(Ops.SPECIAL, dtypes.weakint, arg='gidx0', src=(\n"
               "      x3:=UOp(Ops.CONST, dtypes.weakint, arg=16, src=()),)),)),\n"
               "  UOp(Ops.RANGE, dtypes.weakint, arg=(1, 2, AxisType.LOOP), src=(\n"
               "    x3,)),))",
               "special gidx0 in [0,15]\nrange ridx3001 in [0,15]\n(int)(gidx0) + ridx3001");
  assert_reads("UOp(Ops.PARAM, dtypes.bool, arg=ParamArg(-1, dtypes.bool, vmin_vmax=(False, True), "
               "name=\"p\"), src=())",
               "p in [False,True] : bool\np");
}

/* A number takes the dtype of what it stands beside, any other node without a width is cast. */
static void operands_without_a_width(void **state) {
  (void)state;
  static const char b[] = "x1:=UOp(Ops.BUFFER, dtypes.long, arg=ParamArg(-1, dtypes.long, "
                          "vmin_vmax=(0, 9), name='b'), src=())";
  char text[1024];
  snprintf(
      text, sizeof text,
      "UOp(Ops.WHERE, dtypes.long, arg=None, src=(UOp(Ops.CMPLT, dtypes.bool, arg=None, src=(%s, "
      "UOp(Ops.CONST, dtypes.weakint, arg=3, src=()),)), x1, UOp(Ops.MUL, dtypes.long, arg=None, "
      "src=(x1, " VAR_A ")),))",
      b);
  assert_reads(text, "a in [-5,9]\nb in [0,9] : long\nwhere(b < 3:long, b, b * cast(a, long))");
}

/* Without a dtype that has no width nothing is cast: an ill-typed tree is told. */
static void other_trees_are_held_to_their_dtypes(void **state) {
  (void)state;
  assert_rejected("UOp(Ops.ADD, dtypes.long, arg=None, src=(\n"
                  "  UOp(Ops.CONST, dtypes.long, arg=3, src=()),\n"
                  "  UOp(Ops.CONST, dtypes.int, arg=3, src=()),))",
                  "source 1 is int");
}

static void floats_and_what_is_invalid(void **state) {
  (void)state;
  assert_reads("UOp(Ops.MAX, dtypes.half, arg=None, src=(\n"
               "  UOp(Ops.CONST, dtypes.half, arg=ConstFloat(0.5), src=()),\n"
               "  UOp(Ops.CONST, dtypes.weakint, arg=2, src=()),))",
               "max(0.5:half, 2.0:half)");
  assert_reads("UOp(Ops.WHERE, dtypes.weakint, arg=None, src=(\n"
               "  UOp(Ops.CMPLT, dtypes.bool, arg=None, src=(\n"
               "    x1:=" VAR_A ",\n"
               "    UOp(Ops.CONST, dtypes.weakint, arg=3, src=()),)),\n"
               "  x1,\n"
               "  UOp(Ops.CONST, dtypes.bool, arg=Invalid, src=()),))",
               "a in [-5,9]\na if a < 3 else CUSTOM:int()[\"Invalid\"]");
}

/* What cannot be read as a variable stays opaque; it is not guessed at. */
static void buffers_stay_opaque(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  static const char *const args[] = {"ParamArg(0, dtypes.int, device='CPU')",
                                     "ParamArg(0, dtypes.int, vmin_vmax=(0, x), name='a')",
                                     "ParamArg(0, dtypes.int, vmin_vmax=(0, 9), name='')",
                                     "Other(0, vmin_vmax=(0, 9), name='a')",
                                     "ParamArg(0, dtypes.int, vmin_vmax=(0 9), name='a')"};
  for (size_t i = 0; i < sizeof args / sizeof *args; i++) {
    char text[256];
    size_t at = 0;
    up_node got;
    int n = snprintf(text, sizeof text, "UOp(Ops.PARAM, dtypes.int, arg=%s, src=())", args[i]);
    assert_true(up_parse_tree(c, text, (size_t)n, &at, &got, NULL));
    assert_int_equal(up_op_of(c, got), UP_CUSTOM);
  }
  up_ctx_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(divisions_of_both_kinds),
      cmocka_unit_test(variables_ranges_and_specials),
      cmocka_unit_test(operands_without_a_width),
      cmocka_unit_test(other_trees_are_held_to_their_dtypes),
      cmocka_unit_test(floats_and_what_is_invalid),
      cmocka_unit_test(buffers_stay_opaque),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
