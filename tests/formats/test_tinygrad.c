/* The Python that rebuilds a graph with tinygrad's constructors. */
#include "graphs.h"

static void assert_python(const char *uop, const char *python) {
  up_ctx *c = new_ctx();
  up_node root;
  up_error err = {0};
  up_buf b = {0};
  if (!up_parse_uop(c, uop, strlen(uop), &root, NULL, &err)) fail_msg("%s", err.msg);
  up_print_tinygrad(c, root, &b);
  assert_string_equal(b.p, python);
  up_buf_free(&b);
  up_ctx_free(c);
}

#define HEAD "from tinygrad.uop.ops import Ops, UOp\nfrom tinygrad.dtype import dtypes\n\n"

static void test_python(void **state) {
  (void)state;
  assert_python("uop 1\n%0 = DEFINE_VAR int [\"x\", -6, 6]\n%1 = CONST int 4\n"
                "%2 = IDIV int %0 %1\n%3 = CAST uchar %2\n",
                HEAD "n0 = UOp(Ops.DEFINE_VAR, dtypes.int, (), (\"x\", -6, 6))\n"
                     "n1 = UOp(Ops.CONST, dtypes.int, (), 4)\n"
                     "n2 = UOp(Ops.IDIV, dtypes.int, (n0, n1))\n"
                     "n3 = UOp(Ops.CAST, dtypes.uchar, (n2,))\n"
                     "root = n3\n");
  assert_python("uop 1\n%0 = VCONST bool.vec2 [true, false]\n%1 = GEP bool %0 [1]\n",
                HEAD "n0 = UOp(Ops.VCONST, dtypes.bool.vec(2), (), (True, False))\n"
                     "n1 = UOp(Ops.GEP, dtypes.bool, (n0,), (1,))\n"
                     "root = n1\n");
  assert_python("uop 1\n%0 = CONST float -inf\n",
                HEAD "n0 = UOp(Ops.CONST, dtypes.float, (), float(\"-inf\"))\nroot = n0\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_python)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
