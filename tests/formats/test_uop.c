/* `.uop` text: exact round trips, and a position in every error. */
#include "graphs.h"
#include <math.h>

static up_node parse_ok(up_ctx *c, const char *text, up_metas *meta) {
  up_node root;
  up_error err = {0};
  if (!up_parse_uop(c, text, strlen(text), &root, meta, &err))
    fail_msg("%u:%u: %s\n%s", err.line, err.col, err.msg, text);
  return root;
}

/* print(parse(text)) is the text. */
static void assert_canonical(const char *text) {
  up_ctx *c = new_ctx();
  up_metas meta = {0};
  up_buf b = {0};
  up_print_uop(c, parse_ok(c, text, &meta), &meta, &b);
  assert_string_equal(b.p, text);
  up_buf_free(&b);
  up_metas_free(&meta);
  up_ctx_free(c);
}

static void test_canonical(void **state) {
  (void)state;
  assert_canonical("uop 1\n"
                   "%0 = DEFINE_VAR int [\"x\", -6, 6]\n"
                   "%1 = CONST int 4\n"
                   "%2 = IDIV int %0 %1\n"
                   "%3 = MUL int %2 %1\n");
  assert_canonical("uop 1\nmeta expect sound\nmeta note two  words # kept\n"
                   "meta odd \" x\\n\\x01\"\nmeta empty \"\"\n%0 = CONST bool true\n");
  assert_canonical("uop 1\n%0 = CONST int 123456789012345678901234567890\n");
  assert_canonical("uop 1\n%0 = CONST double -0.0\n");
  assert_canonical("uop 1\n%0 = CONST float inf\n");
  assert_canonical("uop 1\n%0 = CONST half -inf\n");
  assert_canonical("uop 1\n%0 = CONST double nan\n");
  assert_canonical("uop 1\n%0 = CONST double 1e+300\n");
  assert_canonical("uop 1\n%0 = CONST double 0.1\n");
  assert_canonical("uop 1\n%0 = VCONST int.vec4 [0, 1, 2, 3]\n");
  assert_canonical("uop 1\n%0 = DEFINE_GLOBAL ptr.float 0\n");
  assert_canonical(
      "uop 1\n%0 = CUSTOM void [[], [[1], null, true], \"a\\\"\\\\b\\n\\xff\", 0.5]\n");
  assert_canonical("uop 1\n%0 = CUSTOM void \"gr\xc3\xbc\xc3\x9f\"\n");
}

static void test_loose_text(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  up_metas meta = {0};
  up_node root = parse_ok(c,
                          "uop 1\r\n"
                          "# comment\r\n\r\n"
                          "  meta   who\tme and you  \r\n"
                          "%a=CONST int 4 # four\r\n"
                          "\t%x = DEFINE_VAR int [ \"x\" ,0,9 ]\r\n"
                          "%unused = CONST int 5\r\n"
                          "%sum = ADD int32 %x   %a null\r\n"
                          "%more = MUL int %sum %a\r\n"
                          "root %sum # the end",
                          &meta);
  assert_true(up_same(root, up_binary(c, UP_ADD, ivar(c, "x", 0, 9), iconst(c, 4))));
  assert_string_equal(up_metas_get(&meta, "who"), "me and you");
  assert_null(up_metas_get(&meta, "nobody"));
  up_metas_free(&meta);
  up_ctx_free(c);
}

static void test_metas(void **state) {
  (void)state;
  up_metas m = {0};
  char key[16];
  for (int i = 0; i < 100; i++) {
    snprintf(key, sizeof key, "k%d", i % 50);
    assert_true(up_metas_set(&m, key, i < 50 ? "old" : "new"));
  }
  assert_int_equal(m.n, 50);
  assert_string_equal(up_metas_get(&m, "k49"), "new");
  up_metas_free(&m);
  assert_int_equal(m.n, 0);
}

/* ---- errors --------------------------------------------------------------------- */

#define X "%x = DEFINE_VAR int [\"x\", 0, 9]\n" /* as line 2 */
static const struct {
  const char *text;
  unsigned line, col;
  const char *message; /* a part of it */
} bad[] = {
    {"", 1, 1, "first line"},
    {"uop", 1, 4, "version"},
    {"uop 2\n", 1, 5, "version '2'"},
    {"uop 1 1\n", 1, 7, "end of the line"},
    {"uop 1\n", 2, 1, "no node"},
    {"uop 1\n# only\nmeta a b\n", 4, 1, "no node"},
    {"uop 1\nnode\n", 2, 1, "a line begins"},
    {"uop 1\n" X "%y = NOSUCH int %x\n", 3, 6, "unknown op 'NOSUCH'"},
    {"uop 1\n" X "%y = ADD int33 %x %x\n", 3, 10, "unknown dtype 'int33'"},
    {"uop 1\n" X "%y = ADD int %x %z\n", 3, 17, "%z is not defined"},
    {"uop 1\n" X "%y = ADD int %y %x\n", 3, 14, "%y is not defined"},
    {"uop 1\n" X "%x = CONST int 1\n", 3, 1, "defined twice"},
    {"uop 1\n" X "%y = ADD int %x\n", 3, 6, "2 sources, not 1"},
    {"uop 1\n" X "%y = ADD int %x %x %x\n", 3, 6, "2 sources, not 3"},
    {"uop 1\n" X "%y = ADD uint %x %x\n", 3, 6, "source 0 is int"},
    {"uop 1\n" X "%y = CMPLT int %x %x\n", 3, 6, "cannot have dtype int"},
    {"uop 1\n" X "%y ADD int %x %x\n", 3, 4, "'='"},
    {"uop 1\n" X "% = CONST int 1\n", 3, 1, "a label is"},
    {"uop 1\n%c = CONST int\n", 2, 6, "its arg must be an integer"},
    {"uop 1\n%c = CONST int true\n", 2, 6, "its arg must be an integer"},
    {"uop 1\n%c = CONST bool 1\n", 2, 6, "true or false"},
    {"uop 1\n%c = CONST int 1x\n", 2, 17, "letter follows"},
    {"uop 1\n%c = CONST int -\n", 2, 16, "a number"},
    {"uop 1\n%c = CONST int @\n", 2, 16, "an arg"},
    {"uop 1\n%c = CONST int 1 2\n", 2, 18, "end of the line"},
    {"uop 1\n%c = CONST double 1e999\n", 2, 19, "out of range"},
    {"uop 1\n%x = DEFINE_VAR int [\"x\", 5, 4]\n", 2, 6, "empty"},
    {"uop 1\n%x = DEFINE_VAR int [\"\", 0, 4]\n", 2, 6, "name is empty"},
    {"uop 1\n%x = DEFINE_VAR int [\"x\", 0\n", 2, 28, "',' or ']'"},
    {"uop 1\n%x = DEFINE_VAR int [\"x, 0, 4]\n", 2, 22, "string without end"},
    {"uop 1\n%x = DEFINE_VAR int [\"\\q\", 0, 4]\n", 2, 23, "unknown escape"},
    {"uop 1\n%x = DEFINE_VAR int [\"\\x00\", 0, 4]\n", 2, 23, "unknown escape"},
    {"uop 1\n%x = DEFINE_VAR int [\"x\", 0, ]\n", 2, 30, "an arg"},
    {"uop 1\nmeta\n", 2, 5, "a key"},
    {"uop 1\nmeta a=b c\n", 2, 7, "a key is"},
    {"uop 1\nmeta a b\nmeta a c\n", 3, 6, "twice"},
    {"uop 1\nmeta a \"b\" c\n", 2, 12, "end of the line"},
    {"uop 1\n" X "root %y\n", 3, 6, "not defined"},
    {"uop 1\n" X "root %x\nroot %x\n", 4, 1, "second root"},
    {"uop 1\n" X "root %x\n%c = CONST int 1\n", 4, 1, "after the root"},
    {"uop 1\n# \xc3\xbc\n" X "\xc3\xbc", 4, 1, "a line begins"},
    {"uop 1\n%c = CUSTOM void \"\xc3\xbc\xc3\xbc\" x\n", 2, 23, "end of the line"},
};

static void test_errors(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    up_ctx *c = new_ctx();
    up_metas meta = {0};
    up_error err = {0};
    up_node root = {7};
    assert_false(up_parse_uop(c, bad[i].text, strlen(bad[i].text), &root, &meta, &err));
    assert_true(up_is_none(root));
    if (err.line != bad[i].line || err.col != bad[i].col || !strstr(err.msg, bad[i].message))
      fail_msg("%u:%u: %s\nfor\n%s", err.line, err.col, err.msg, bad[i].text);
    up_metas_free(&meta);
    up_ctx_free(c);
  }
}

/* Every prefix, and every text with one byte replaced, is read or refused with a position. */
static void test_damage(void **state) {
  (void)state;
  static const char text[] = "uop 1\nmeta a \"b\"\n%0 = DEFINE_VAR int [\"x\", -6, 6]\n"
                             "%1 = CONST double -1.5e3\n%2 = CAST int %1 null\n"
                             "%3 = ADD int %0 %2 # c\nroot %3\n";
  static const char bytes[] = {0, '"', '%', '[', ']', '\n', '9', 'e', '#', (char)0xff};
  up_ctx *c = new_ctx();
  unsigned refused = 0;
  for (size_t i = 0; i < sizeof text - 1; i++) {
    for (size_t b = 0; b <= sizeof bytes; b++) {
      up_error err = {0};
      up_metas meta = {0};
      up_node root;
      char *copy = malloc(sizeof text); /* exact size: reads past the end show under ASan */
      size_t n = b < sizeof bytes ? sizeof text - 1 : i;
      memcpy(copy, text, n);
      if (b < sizeof bytes) copy[i] = bytes[b];
      copy = realloc(copy, n ? n : 1);
      if (!up_parse_uop(c, copy, n, &root, &meta, &err)) {
        refused++;
        assert_true(err.line > 0 && err.col > 0 && err.msg[0] != 0);
      }
      free(copy);
      up_metas_free(&meta);
      up_ctx_reset(c);
    }
  }
  assert_true(refused > 500);
  up_ctx_free(c);
}

/* ---- the corpus ----------------------------------------------------------------- */

static void round_trip(up_ctx *c, const fm_item *it, void *arg) {
  (void)arg;
  up_buf once = {0}, twice = {0};
  up_node again;
  up_error err = {0};
  up_metas meta = {0};
  up_print_uop(c, it->root, NULL, &once);
  if (!up_parse_uop(c, once.p, once.len, &again, &meta, &err))
    fail_msg("row %s: %u:%u: %s", it->id, err.line, err.col, err.msg);
  assert_true(up_same(again, it->root));
  /* in another context the ids differ, the text does not */
  up_ctx *other = new_ctx();
  iconst(other, 77);
  assert_true(up_parse_uop(other, once.p, once.len, &again, NULL, &err));
  up_print_uop(other, again, NULL, &twice);
  assert_string_equal(once.p, twice.p);
  up_ctx_free(other);
  up_buf_free(&once);
  up_buf_free(&twice);
}

static void test_corpus(void **state) {
  (void)state;
  assert_true(each_corpus_row(round_trip, NULL) > 1800);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_canonical), cmocka_unit_test(test_loose_text),
      cmocka_unit_test(test_metas),     cmocka_unit_test(test_errors),
      cmocka_unit_test(test_damage),    cmocka_unit_test(test_corpus),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
