/* up_node_check: for each op what is let in and what is not. */
#include "graphs.h"

/* A node in `.uop` text after the declarations below; `why` NULL: it is well formed. */
static const char *const declarations = "uop 1\n"
                                        "%i = DEFINE_VAR int [\"i\", 0, 9]\n"
                                        "%u = DEFINE_VAR uint [\"u\", 0, 9]\n"
                                        "%c = DEFINE_VAR uchar [\"c\", 0, 9]\n"
                                        "%b = DEFINE_VAR bool [\"b\", false, true]\n"
                                        "%f = DEFINE_VAR float [\"f\", 0.0, 1.0]\n"
                                        "%v = DEFINE_VAR int.vec4 [\"v\", 0, 9]\n"
                                        "%w = DEFINE_VAR uint.vec4 [\"w\", 0, 9]\n"
                                        "%m = DEFINE_VAR bool.vec4 [\"m\", false, true]\n"
                                        "%p = DEFINE_GLOBAL ptr.int 0\n"
                                        "%z = SINK void %i\n"
                                        "%five = CONST int 5\n%zero = CONST int 0\n";

static const struct {
  const char *node;
  const char *why; /* a part of the message */
} cases[] = {
    /* arithmetic */
    {"ADD int %i %i", NULL},
    {"ADD int.vec4 %v %v", NULL},
    {"ADD float %f %f", NULL},
    {"ADD bool %b %b", NULL},
    {"ADD int %i", "2 sources, not 1"},
    {"ADD int %i %i %i", "2 sources, not 3"},
    {"ADD int %i %u", "source 1 is uint"},
    {"ADD uint %i %i", "source 0 is int"},
    {"ADD int.vec4 %v %i", "source 1 is int"},
    {"ADD int %i %i 5", "takes no arg"},
    {"ADD void %z %z", "cannot have dtype void"},
    {"ADD ptr.int %p %p", "cannot have dtype ptr.int"},
    {"MAX uchar %c %c", NULL},
    {"SUB uint %u %u", NULL},
    {"XOR bool %b %b", NULL},
    {"NEG int %i", NULL},
    {"NEG int %u", "source 0 is uint"},
    {"TRUNC int %i", NULL},
    {"MULACC int %i %i %i", NULL},
    {"MULACC int %i %i", "3 sources"},
    {"IDIV int %i %i", NULL},
    {"IDIV float %f %f", "needs an integer dtype"},
    {"IDIV bool %b %b", "needs an integer dtype"},
    {"MOD int.vec4 %v %v", NULL},
    {"MOD bool %b %b", "needs an integer dtype"},
    /* shifts */
    {"SHL int %i %i", NULL},
    {"SHL int %i %u", NULL},
    {"SHR int.vec4 %v %w", NULL},
    {"SHL int %i %c", "source 1 is uchar"},
    {"SHL int %i %w", "source 1 is uint.vec4"},
    {"SHR uint %i %u", "source 0 is int"},
    {"SHL float %f %f", "needs an integer dtype"},
    /* comparisons */
    {"CMPLT bool %i %i", NULL},
    {"CMPNE bool.vec4 %v %v", NULL},
    {"CMPEQ bool %f %f", NULL},
    {"CMPLT int %i %i", "cannot have dtype int"},
    {"CMPLT bool %v %v", "cannot have dtype bool"},
    {"CMPLT bool %i %u", "source 1 is uint"},
    {"CMPNE bool %z %z", "numbers only"},
    /* WHERE */
    {"WHERE int %b %i %i", NULL},
    {"WHERE int.vec4 %m %v %v", NULL},
    {"WHERE int.vec4 %b %v %v", NULL},
    {"WHERE int %i %i %i", "bool condition"},
    {"WHERE int %m %i %i", "different counts"},
    {"WHERE int %b %i %f", "source 2 is float"},
    {"WHERE int %b %v %i", "source 1 is int.vec4"},
    {"WHERE float %b %i %f", "source 1 is int"},
    {"WHERE int %b %i", "3 sources"},
    /* casts */
    {"CAST uchar %i", NULL},
    {"CAST ptr.int %p", NULL},
    {"CAST uchar.vec4 %v", NULL},
    {"CAST uchar.vec4 %i", "counts differ"},
    {"CAST void %i", "void"},
    {"CAST uchar %i %i", "1 source,"},
    {"CAST uchar %i 5", "takes no arg"},
    {"BITCAST uint %i", NULL},
    {"BITCAST float %i", NULL},
    {"BITCAST uchar %i", "sizes differ"},
    {"BITCAST uchar.vec4 %i", NULL},
    /* constants */
    {"CONST int 5", NULL},
    {"CONST uchar 300", NULL}, /* folding does not reduce */
    {"CONST int.vec4 5", NULL},
    {"CONST bool true", NULL},
    {"CONST float nan", NULL},
    {"CONST int", "an integer"},
    {"CONST int true", "an integer"},
    {"CONST int 5.0", "an integer"},
    {"CONST bool 1", "true or false"},
    {"CONST float 1", "a float"},
    {"CONST int \"5\"", "an integer"},
    {"CONST int [5]", "an integer"},
    {"CONST void 5", "cannot have dtype"},
    {"CONST int %i 5", "0 sources"},
    {"VCONST int.vec2 [1, 2]", NULL},
    {"VCONST bool.vec2 [true, false]", NULL},
    {"VCONST int.vec2 [1, 2, 3]", "has 3 numbers"},
    {"VCONST int.vec2 [1, true]", "number 1 is of another kind"},
    {"VCONST int.vec2 1", "a list"},
    /* variables */
    {"DEFINE_VAR int [\"x\", 5, 5]", NULL},
    {"DEFINE_VAR uchar [\"x\", -5, 500]", NULL}, /* the modelled engine has such ones */
    {"DEFINE_VAR bool [\"x\", 0, 31]", NULL},
    {"DEFINE_VAR float [\"x\", -inf, inf]", NULL},
    {"DEFINE_VAR int [\"x\", 5, 4]", "empty"},
    {"DEFINE_VAR int [\"\", 0, 4]", "name is empty"},
    {"DEFINE_VAR int [7, 0, 4]", "must be a string"},
    {"DEFINE_VAR int [\"x\", 0]", "[name, min, max]"},
    {"DEFINE_VAR int \"x\"", "[name, min, max]"},
    {"DEFINE_VAR int", "[name, min, max]"},
    {"DEFINE_VAR int [\"x\", 0, 0.5]", "two numbers"},
    {"DEFINE_VAR int [\"x\", 0, null]", "two numbers"},
    {"DEFINE_VAR float [\"x\", 0.0, nan]", "nan"},
    {"DEFINE_VAR ptr.int [\"x\", 0, 1]", "cannot have dtype"},
    {"DEFINE_VAR int %i [\"x\", 0, 1]", "0 sources"},
    {"RANGE int %five 0", NULL},
    {"RANGE int %i 0", NULL},
    {"RANGE int %zero 0", "empty"},
    {"RANGE int %five", "an integer"},
    {"RANGE int %five [0]", "an integer"},
    {"RANGE int 0", "1 source,"},
    {"RANGE int %zero %five 0", "1 source,"},
    {"RANGE uint %five 0", "source 0 is int"},
    {"RANGE bool %b 0", "integer dtype"},
    {"SPECIAL int [\"gidx0\", 4]", NULL},
    {"SPECIAL int [\"gidx0\", 0]", "empty"},
    {"SPECIAL int [\"gidx0\", 1.0]", "an integer"},
    {"SPECIAL int [\"\", 4]", "name is empty"},
    {"SPECIAL int [\"gidx0\"]", "[name, size]"},
    {"SPECIAL float [\"gidx0\", 4]", "integer dtype"},
    /* others */
    {"BIND int %i %five", NULL},
    {"BIND int %i", "2 sources"},
    {"BIND int %i %u", "source 1 is uint"},
    {"VECTORIZE int.vec4 %i %i %i %i", NULL},
    {"VECTORIZE int.vec4 %i %i %i", "4 sources"},
    {"VECTORIZE int.vec2 %i %u", "source 1 is uint"},
    {"GEP int %v [3]", NULL},
    {"GEP int.vec2 %v [0, 3]", NULL},
    {"GEP int %v [4]", "out of range"},
    {"GEP int %v [-1]", "out of range"},
    {"GEP int %v [0, 1]", "cannot have dtype"},
    {"GEP int %v []", "cannot have dtype"},
    {"GEP int %v 0", "a list"},
    {"GEP int %v [true]", "a list"},
    {"SINK void %i %b %v", NULL},
    {"SINK int %i", "must be void"},
    {"EXPAND int %i [[0, 4]]", NULL},
    {"LOAD int %p %i", NULL},
    {"DEFINE_LOCAL ptr.float [\"temp\", 4]", NULL},
};

static void test_cases(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    up_ctx *c = new_ctx();
    up_error err = {0};
    up_node root;
    char text[2048];
    int n = snprintf(text, sizeof text, "%s%%node = %s\n", declarations, cases[i].node);
    bool ok = up_parse_uop(c, text, (size_t)n, &root, NULL, &err);
    if (ok != (cases[i].why == NULL)) fail_msg("%s: %s", cases[i].node, ok ? "let in" : err.msg);
    if (!ok && (!strstr(err.msg, cases[i].why) || err.line != 14 || err.col != 9))
      fail_msg("%s: %u:%u: %s", cases[i].node, err.line, err.col, err.msg);
    up_ctx_free(c);
  }
}

/* The one difference between what a check asks and what a reader takes. */
static void test_mixed_where(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_node b = up_var(c, "b", up_int_of(0), up_int_of(1), up_dt(UP_BOOL));
  up_node i = iconst(c, 5), s = up_const_int(c, up_dt(UP_SHORT), 5);
  up_node v = up_const_int(c, up_dt_vec(up_dt(UP_INT), 2), 5);
  up_node f = up_const(c, up_dt(UP_FLOAT), up_val_float(1));
  up_node mixed[3] = {b, i, s}, vector[3] = {b, v, s}, real[3] = {b, f, s}, cond[3] = {i, i, s};
  up_dtype d = up_dt(UP_SHORT);
  up_arg none = up_arg_none();
  up_error err = {0};
  assert_false(up_node_check(c, UP_WHERE, d, mixed, 3, none, &err));
  assert_non_null(strstr(err.msg, "source 1 is int"));
  assert_true(up_node_readable(c, UP_WHERE, d, mixed, 3, none, &err));
  assert_false(up_node_readable(c, UP_WHERE, up_dt(UP_INT), mixed, 3, none, &err));
  assert_false(up_node_readable(c, UP_WHERE, d, vector, 3, none, &err));
  assert_false(up_node_readable(c, UP_WHERE, d, real, 3, none, &err));
  assert_false(up_node_readable(c, UP_WHERE, d, cond, 3, none, &err));
  assert_false(up_node_readable(c, UP_WHERE, d, mixed, 3, up_arg_bool(c, true), &err));
  up_ctx_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cases),
      cmocka_unit_test(test_mixed_where),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
