/* Files: the form is found by content, gzip is unpacked, damage is an error with a place. */
#include "graphs.h"
#include <unistd.h>
#include <zlib.h>

static const char file[] = "reader-test.tmp";

static void write_plain(const void *data, size_t n) {
  FILE *f = fopen(file, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(data, 1, n, f), n);
  fclose(f);
}

static void write_gzip(const void *data, size_t n) {
  gzFile f = gzopen(file, "wb");
  assert_non_null(f);
  if (n) assert_int_equal(gzwrite(f, data, (unsigned)n), n);
  gzclose(f);
}

/* Reads the file: its form, and how many graphs it has; fails on an error. */
static unsigned count(const char *form) {
  up_error err = {0};
  up_ctx *c = new_ctx();
  fm_reader *r = fm_open(file, &err);
  if (!r) fail_msg("%u:%u: %s", err.line, err.col, err.msg);
  assert_string_equal(fm_form(r), form);
  unsigned n = 0;
  fm_item it;
  int got;
  while ((got = fm_next(r, c, &it, &err)) > 0) {
    assert_false(up_is_none(it.root));
    fm_item_clear(&it);
    n++;
  }
  if (got < 0) fail_msg("%u:%u: %s", err.line, err.col, err.msg);
  assert_int_equal(fm_next(r, c, &it, &err), 0); /* the end stays the end */
  fm_close(r);
  up_ctx_free(c);
  return n;
}

static unsigned count_text(const char *text, const char *form) {
  write_gzip(text, strlen(text));
  unsigned packed = count(form);
  write_plain(text, strlen(text));
  assert_int_equal(count(form), packed);
  return packed;
}

#define ROW "{\"nodes\":[[\"CONST\",\"int\",[],7]]}"

static void test_forms(void **state) {
  (void)state;
  assert_int_equal(count_text("uop 1\n%0 = CONST int 5\n", "uop"), 1);
  assert_int_equal(count_text("uop\t1\n%0 = CONST int 5\n", "uop"), 1);
  assert_int_equal(count_text("x in [0,9]\nx*2", "infix"), 1);
  assert_int_equal(count_text("\n\n  5", "infix"), 1);
  assert_int_equal(count_text("uop in [0,9]; uop+1", "infix"), 1);
  assert_int_equal(count_text(ROW "\n" ROW "\n", "jsonl"), 2);
  assert_int_equal(count_text("\n \r\n" ROW "\r\n\n" ROW, "jsonl"), 2);
}

static void test_many_rows(void **state) {
  (void)state;
  /* rows across the borders of the reader's blocks */
  up_buf b = {0};
  for (int i = 0; i < 20000; i++)
    up_buf_printf(&b, "{\"id\":%d,\"pad\":\"%*s\",%s\n", i, i % 97, "", &ROW[1]);
  write_gzip(b.p, b.len);
  assert_int_equal(count("jsonl"), 20000);
  up_buf_free(&b);
}

/* fm_open or the first fm_next fails: where, and with what. */
static void fails(unsigned line, unsigned col, const char *message) {
  up_error err = {0};
  up_ctx *c = new_ctx();
  fm_item it;
  fm_reader *r = fm_open(file, &err);
  if (r) assert_int_equal(fm_next(r, c, &it, &err), -1);
  if (err.line != line || err.col != col || !strstr(err.msg, message))
    fail_msg("%u:%u: %s, not %u:%u: %s", err.line, err.col, err.msg, line, col, message);
  fm_close(r);
  up_ctx_free(c);
}

static void test_failures(void **state) {
  (void)state;
  write_plain("", 0);
  fails(1, 1, "empty");
  write_gzip("", 0);
  fails(1, 1, "empty");
  write_plain(" \n\t\r\n", 5);
  fails(1, 1, "empty");
  write_plain("UOp(Ops.ADD, dtypes.int)", 24);
  fails(1, 1, "ADD takes 2 sources");
  write_plain("\0\0\0\0", 4);
  fails(1, 1, "NUL");
  write_plain("uop 1\n\0", 7);
  fails(2, 1, "NUL");
  write_plain("{\0}\n", 4);
  fails(1, 2, "JSON");
  unlink(file);
  fails(0, 0, "cannot open");
}

/* A gzip file cut anywhere gives an error and never a graph that is not in it. */
static void test_cut_gzip(void **state) {
  (void)state;
  up_buf rows = {0};
  for (int i = 0; i < 400; i++) up_buf_printf(&rows, "{\"id\":%d,%s\n", i * i * 7919, &ROW[1]);
  write_gzip(rows.p, rows.len);
  up_buf_free(&rows);
  static char data[65536];
  FILE *f = fopen(file, "rb");
  size_t n = fread(data, 1, sizeof data, f);
  fclose(f);
  assert_true(n > 100 && n < sizeof data);
  for (size_t cut = 20; cut < n; cut += n / 40 + 1) {
    write_plain(data, cut);
    up_error err = {0};
    up_ctx *c = new_ctx();
    fm_item it;
    int got = -1;
    fm_reader *r = fm_open(file, &err);
    while (r && (got = fm_next(r, c, &it, &err)) > 0) fm_item_clear(&it);
    assert_int_equal(got, -1);
    assert_non_null(strstr(err.msg, "cut short"));
    if (r) assert_int_equal(fm_next(r, c, &it, &err), 0);
    fm_close(r);
    up_ctx_free(c);
  }
  data[n - 6] ^= 1; /* the checksum */
  write_plain(data, n);
  up_error err = {0};
  up_ctx *c = new_ctx();
  fm_item it;
  int got = 1;
  fm_reader *r = fm_open(file, &err);
  while (r && (got = fm_next(r, c, &it, &err)) > 0) fm_item_clear(&it);
  assert_true(!r || got == -1);
  assert_non_null(strstr(err.msg, "cannot read"));
  fm_close(r);
  up_ctx_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_forms),
      cmocka_unit_test(test_many_rows),
      cmocka_unit_test(test_failures),
      cmocka_unit_test(test_cut_gzip),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(file);
  return failed;
}
