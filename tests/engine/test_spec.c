/* The type specs of both releases, op by op; the graphs of the corpus keep to them. */
#include "tests/support/cm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/formats.h"

typedef struct side {
  up_profile *profile;
  up_ctx *c;
} side;

static side side_new(const char *profile) {
  up_error err = {0};
  side s = {.profile = up_profile_load(profile, &err)};
  if (!s.profile) fail_msg("%s: %s", profile, err.msg);
  s.c = up_ctx_new(s.profile);
  assert_non_null(s.c);
  return s;
}

static void side_free(side *s) {
  up_ctx_free(s->c);
  up_profile_free(s->profile);
}

/* What the last line of a text defines, and which releases accept it. */
typedef struct line {
  bool old, new;
  const char *text;
} line;

#define BUF                                                                                        \
  "%b = DEFINE_GLOBAL ptr.int 0\n%i = CONST int 1\n%l = CONST long 1\n%t = CONST bool true\n"
#define AT BUF "%x = INDEX ptr.int %b %i\n"
#define ROOM "%r4 = CONST int 4\n%r = RANGE int %r4 0\n"

static const line lines[] = {
    {true, true, "%a = CONST int 3\n"},
    {false, true, "%a = CONST int.vec2 3\n"},
    {true, true, "%a = VCONST int.vec2 [1, 2]\n"},
    {true, true, "%a = DEFINE_VAR int [\"x\", 0, 3]\n"},
    {false, false, "%a = DEFINE_VAR float [\"x\", 0.5, 3.5]\n"},
    {true, true, ROOM},
    {true, true, "%s = SPECIAL int [\"gidx0\", 3]\n"},
    {true, true, "%a = CONST int 3\n%b = CAST long %a\n"},
    {true, true, "%a = CONST int 3\n%v = VECTORIZE int.vec2 %a %a\n%g = GEP int %v [1]\n"},
    {true, true, "%a = CONST int 3\n%v = VECTORIZE int.vec2 %a %a\n%g = GEP int.vec2 %v [1, 0]\n"},
    {false, false, "%a = CONST int 3\n%v = VECTORIZE int %a\n"},
    /* the amount of a shift may be uint, but of one lane */
    {true, true, "%a = CONST int 3\n%u = CONST uint 1\n%s = SHL int %a %u\n"},
    {false, false,
     "%a = VCONST int.vec2 [1, 2]\n%u = VCONST uint.vec2 [1, 2]\n%s = SHL int.vec2 %a %u\n"},
    {false, true, "%a = CONST int 3\n%b = CMPEQ bool %a %a\n"},
    {false, true, "%a = CONST float 3.0\n%b = TRUNC float %a\n"},
    {true, true, BUF "%x = INDEX ptr.int %b %i\n"},
    {false, true, BUF "%x = INDEX ptr.int %b %i %t\n"},
    {false, false, BUF "%x = INDEX ptr.int %i %i\n"},
    {false, false, "%b = DEFINE_GLOBAL int 0\n"},
    {false, true, "%b = DEFINE_REG ptr.int 0\n"},
    {true, false, ROOM "%z = CONST int 0\n%a = DEFINE_ACC int %z %r 0\n"},
    {false, false, ROOM "%z = CONST long 0\n%a = DEFINE_ACC int %z %r 0\n"},
    {true, true, AT "%y = LOAD int %x\n"},
    {true, true, AT "%p = CAST ptr.int %x\n%y = LOAD int %p\n"},
    {true, false, BUF "%p = CAST ptr.int %l\n%y = LOAD int %p\n"},
    {false, true, AT "%y = LOAD int %x %i\n"},
    {true, true, AT "%y = LOAD int %x %i %t\n"},
    {false, true, AT "%y = LOAD int %x %l %t\n"}, /* only 0.10.0 looks at the dtype of "else" */
    {true, true, BUF "%y = LOAD int %l\n"},       /* an address, for PTX */
    {false, false, BUF "%y = LOAD int %i\n"},
    {true, true, AT "%y = STORE void %x %i\n"},
    {false, false, AT "%y = STORE int %x %i\n"},
    {true, true, AT "%y = STORE void %x %i %t\n"},
    {false, true, AT "%y = STORE void %x %i %i\n"},
    {false, true, AT "%s = STORE void %x %i\n%y = LOAD int %s\n"},
    {true, false, BUF "%v = VIEW void\n%y = LOAD int %b %v\n"},
    {false, true, BUF "%v = VIEW ptr.int %b\n%y = LOAD int %v\n"},
    {true, true, "%v = VIEW void\n%y = VALID bool %v\n"},
    {false, false, "%v = VIEW void\n%y = VALID int %v\n"},
    {true, false, BUF "%y = ASSIGN ptr.int %b %i\n"},
    {true, true, BUF "%y = IF void %t\n"},
    {false, false, BUF "%y = IF void %t %t\n"},
    {true, true, BUF "%if = IF void %t\n%y = ENDIF void %if\n"},
    {true, true, ROOM "%y = ENDRANGE void %r\n"},
    {false, false, ROOM "%y = ENDRANGE void %r4\n"},
    {false, true, ROOM "%y = BARRIER void %r4\n"},
    {true, true, AT "%s = STORE void %x %i\n%y = BARRIER void %s\n"},
    {true, true, "%a = CONST int 3\n%v = CONTRACT int.vec6 %a [[0, 2], [1, 3]]\n"},
    {false, false, "%a = CONST int 3\n%v = CONTRACT int.vec4 %a [[0, 2], [1, 3]]\n"},
    {false, true, "%a = VCONST int.vec4 [0, 1, 2, 3]\n%v = UNROLL int %a [[0, 4]]\n"},
    {true, false, "%a = VCONST int.vec4 [0, 1, 2, 3]\n%v = EXPAND int %a [[0, 4]]\n"},
    {false, false, "%a = VCONST int.vec4 [0, 1, 2, 3]\n%v = UNROLL int %a [[0, 3]]\n"},
    {true, true, "%a = CONST int 3\n%w = REDUCE_AXIS int %a [\"ADD\", [0]]\n"},
    {false, true, "%a = CONST int 3\n%w = REDUCE_AXIS int %a [\"MAX\", [0], 1]\n"},
    {false, false, "%a = CONST int 3\n%w = REDUCE_AXIS int %a [\"XOR\", [0]]\n"},
    {true, false, "%a = CONST int 3\n%w = WMMA int %a %a %a\n"},
    {true, true, "%a = CONST int 3\n%s = SINK void %a\n"},
    {false, true, "%a = CONST int 3\n%s = CUSTOM int %a \"f\"\n"},
};

static void each_release_accepts_its_own(void **state) {
  (void)state;
  side s[2] = {side_new("v0.10.0"), side_new("v0.11.0")};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    for (unsigned k = 0; k < 2; k++) {
      up_node root = UP_NONE;
      up_metas meta = {0};
      up_error err = {0};
      char text[400];
      snprintf(text, sizeof text, "uop 1\n%s", lines[i].text);
      if (!up_parse_uop(s[k].c, text, strlen(text), &root, &meta, &err))
        fail_msg("%s: %s", lines[i].text, err.msg);
      up_metas_free(&meta);
      if (up_type_fits(s[k].c, root) != (k ? lines[i].new : lines[i].old))
        fail_msg("%s of\n%s", k ? "0.11.0" : "0.10.0", lines[i].text);
    }
  }
  side_free(&s[0]);
  side_free(&s[1]);
}

/* What no text can say. */
static void dtypes_of_operands_must_be_right(void **state) {
  (void)state;
  for (unsigned k = 0; k < 2; k++) {
    side s = side_new(k ? "v0.11.0" : "v0.10.0");
    up_dtype t_int = up_dt(UP_INT), t_bool = up_dt(UP_BOOL), t_float = up_dt(UP_FLOAT);
    up_node one = up_const_int(s.c, t_int, 1), l = up_const_int(s.c, up_dt(UP_LONG), 1);
    up_node yes = up_const_int(s.c, t_bool, 1);
    up_node f = up_new(s.c, UP_CONST, t_float, NULL, 0, up_arg_float(s.c, 1.5));
    const struct {
      bool fits;
      up_op op;
      up_dtype d;
      uint32_t n;
      up_node src[3];
      const char *wants;
    } row[] = {
        {true, UP_WHERE, t_int, 3, {yes, one, one}, "a bool and two operands of its dtype"},
        {false, UP_WHERE, t_int, 3, {yes, one, l}, "a bool and two operands of its dtype"},
        {false, UP_WHERE, t_int, 3, {one, one, one}, "a bool and two operands of its dtype"},
        {true, UP_CMPLT, t_bool, 2, {one, one}, "a bool of two operands of one dtype"},
        {false, UP_CMPLT, t_bool, 2, {one, l}, "a bool of two operands of one dtype"},
        {false, UP_CMPLT, t_int, 2, {one, one}, "a bool of two operands of one dtype"},
        {false, UP_ADD, t_int, 2, {one, l}, "operands of its dtype"},
        {false, UP_ADD, t_int, 1, {one}, "operands of its dtype"},
        {false, UP_IDIV, t_float, 2, {f, f}, "integer operands of its dtype"},
        {k == 0, UP_MOD, t_float, 2, {f, f}, "integer operands of its dtype"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
      up_node n = up_new(s.c, row[i].op, row[i].d, row[i].src, row[i].n, up_arg_none());
      if (up_type_fits(s.c, n) != row[i].fits) fail_msg("row %zu", i);
      assert_string_equal(up_type_wants(s.c, n), row[i].wants);
    }
    side_free(&s);
  }
}

/* A graph that had an ill typed WHERE may keep one; that an ADD is ill typed too is new. */
static void what_was_ill_typed_is_told_apart(void **state) {
  (void)state;
  side s = side_new("v0.11.0");
  up_node one = up_const_int(s.c, up_dt(UP_INT), 1), l = up_const_int(s.c, up_dt(UP_LONG), 1);
  up_node yes = up_const_int(s.c, up_dt(UP_BOOL), 1), no = up_const_int(s.c, up_dt(UP_BOOL), 0),
          bad;
  up_node a = up_new(s.c, UP_WHERE, up_dt(UP_INT), (up_node[]){yes, l, one}, 3, up_arg_none());
  up_node b = up_new(s.c, UP_WHERE, up_dt(UP_INT), (up_node[]){no, l, one}, 3, up_arg_none());
  up_node sum = up_binary(s.c, UP_ADD, b, l);
  assert_true(up_type_kept(s.c, a, b, &bad) && up_is_none(bad));
  assert_false(up_type_kept(s.c, one, b, &bad));
  assert_true(up_same(bad, b));
  assert_false(up_type_kept(s.c, a, sum, &bad));
  assert_true(up_same(bad, sum));
  side_free(&s);
}

/* ---- the corpus ------------------------------------------------------------------------------- */

typedef struct tally {
  unsigned graphs, ill; /* ill: recorded graphs that the release's spec does not accept */
} tally;

static tally tally_of(const char *profile, const char *name) {
  side s = side_new(profile);
  char path[600];
  up_error err = {0};
  fm_item item;
  tally t = {0};
  snprintf(path, sizeof path, "%s/corpus/%s", getenv("SRC"), name);
  fm_reader *in = fm_open(path, &err);
  if (!in) fail_msg("%s: %s", path, err.msg);
  for (int got; up_ctx_reset(s.c), (got = fm_next(in, s.c, &item, &err)) != 0;) {
    if (got < 0) continue; /* rows of ops that are not modelled */
    up_node bad;
    t.graphs++;
    t.ill += !up_type_verify(s.c, item.root, &bad);
    up_result r = up_simplify(s.c, item.root, NULL);
    if (r.status == UP_OK && !up_type_kept(s.c, item.root, r.node, &bad))
      fail_msg("%s, graph %u: %s", name, t.graphs, up_op_name(up_op_of(s.c, bad)));
    fm_item_clear(&item);
  }
  fm_close(in);
  side_free(&s);
  return t;
}

/* Ill already: WHEREs of an int and a long or char, and (0.10.0) CONSTs of vectors. */
static void recorded_graphs_stay_well_typed(void **state) {
  (void)state;
  static const struct {
    const char *profile, *file;
    unsigned graphs, ill;
  } row[] = {
      {"v0.10.0", "golden/v0.10.0-fuzz.jsonl.gz", 404, 2},
      {"v0.10.0", "golden/v0.10.0-suite.jsonl.gz", 966, 2},
      {"v0.11.0", "golden/v0.11.0-fuzz-cdf0.jsonl.gz", 302, 0},
      {"v0.11.0", "golden/v0.11.0-suite.jsonl.gz", 2021, 0},
      {"v0.11.0", "real/v0.11.0-real.jsonl.gz", 420, 0},
      {"v0.11.0/sym", "real/v0.11.0-real-sinks.jsonl.gz", 114, 0},
      {"sound", "real/v0.11.0-real-sinks.jsonl.gz", 114, 0},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    tally t = tally_of(row[i].profile, row[i].file);
    print_message("%s %s: %u graphs, %u ill\n", row[i].profile, row[i].file, t.graphs, t.ill);
    assert_int_equal(t.graphs, row[i].graphs);
    assert_int_equal(t.ill, row[i].ill);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_release_accepts_its_own),
      cmocka_unit_test(dtypes_of_operands_must_be_right),
      cmocka_unit_test(what_was_ill_typed_is_told_apart),
      cmocka_unit_test(recorded_graphs_stay_well_typed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
