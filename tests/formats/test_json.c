/* The interchange format: values, graphs and the column of each error of a row. */
#include "graphs.h"
#include <math.h>
#include <unistd.h>

/* ---- values --------------------------------------------------------------------- */

static void val_round_trip(up_ctx *c, const char *json, bool is_bool) {
  json_t *j = json_loads(json, JSON_DECODE_ANY, NULL);
  up_val v;
  assert_non_null(j);
  assert_true(fm_val_from_json(c, j, &v));
  json_t *back = fm_val_to_json(c, v, is_bool);
  char *text = json_dumps(back, JSON_ENCODE_ANY);
  assert_string_equal(text, json);
  free(text);
  json_decref(back);
  json_decref(j);
}

static void test_values(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  val_round_trip(c, "0", false);
  val_round_trip(c, "-9223372036854775808", false);
  val_round_trip(c, "\"9223372036854775808\"", false);
  val_round_trip(c, "\"-170141183460469231731687303715884105728\"", false);
  val_round_trip(c, "true", true);
  val_round_trip(c, "false", true);
  val_round_trip(c, "0.5", false);
  val_round_trip(c, "\"inf\"", false);
  val_round_trip(c, "\"-inf\"", false);
  val_round_trip(c, "\"nan\"", false);
  up_val v;
  static const char *const refused[] = {"null", "[1]", "{}", "\"\"", "\"x\"", "\"1.5\"", "\"1 \""};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    json_t *j = json_loads(refused[i], JSON_DECODE_ANY, NULL);
    assert_false(fm_val_from_json(c, j, &v));
    json_decref(j);
  }
  assert_false(fm_val_from_json(c, NULL, &v));
  up_ctx_free(c);
}

/* ---- graphs --------------------------------------------------------------------- */

static void round_trip(up_ctx *c, const fm_item *it, void *arg) {
  (void)arg;
  json_t *j = fm_nodes_to_json(c, it->root);
  assert_non_null(j);
  up_node again, *all;
  uint32_t n;
  up_error err = {0};
  if (!fm_nodes_from_json(c, j, &again, &err)) fail_msg("row %s: %s", it->id, err.msg);
  assert_true(up_same(again, it->root));
  assert_true(fm_all_nodes_from_json(c, j, &all, &n, &err));
  assert_int_equal(n, up_count(c, it->root));
  assert_true(up_same(all[n - 1], it->root));
  free(all);
  json_decref(j);
}

static void test_corpus(void **state) {
  (void)state;
  assert_true(each_corpus_row(round_trip, NULL) > 800);
}

static up_node nodes(up_ctx *c, const char *json) {
  json_t *j = json_loads(json, 0, NULL);
  up_node root;
  up_error err = {0};
  if (!fm_nodes_from_json(c, j, &root, &err)) fail_msg("%s: %s", json, err.msg);
  json_decref(j);
  return root;
}

static void test_args(void **state) {
  (void)state;
  up_ctx *c = new_ctx();
  /* a whole number is a float where the dtype says so, and digits are a number where one is due */
  up_node f = nodes(c, "[[\"CONST\",\"float\",[],1]]");
  assert_int_equal(up_arg_kind_of(c, up_arg_of(c, f)), UP_A_FLOAT);
  assert_true(up_same(f, nodes(c, "[[\"CONST\",\"float\",[],1.0]]")));
  up_node big = nodes(c, "[[\"CONST\",\"ulong\",[],\"18446744073709551615\"]]");
  assert_true(up_int_eq(up_const_val(c, big).i, up_int_from_u64(c, UINT64_MAX)));
  up_node inf = nodes(c, "[[\"CONST\",\"double\",[],\"-inf\"]]");
  assert_true(isinf(up_const_val(c, inf).f));
  /* elsewhere digits in quotes are a string */
  up_node s = nodes(c, "[[\"CUSTOM\",\"void\",[],\"12\"]]");
  assert_int_equal(up_arg_kind_of(c, up_arg_of(c, s)), UP_A_STR);
  up_node var = nodes(c, "[[\"DEFINE_VAR\",\"ulong\",[],[\"7\",\"0\",\"18446744073709551615\"]]]");
  up_arg a = up_arg_of(c, var);
  assert_string_equal(up_arg_text(c, up_arg_at(c, a, 0)), "7");
  assert_int_equal(up_arg_kind_of(c, up_arg_at(c, a, 1)), UP_A_INT);
  /* where a number that is a string in JSON says so, there and back */
  static const char *const numbers[] = {
      "[[\"CUSTOM\",\"void\",[],{\"number\":\"nan\"}]]",
      "[[\"CUSTOM\",\"void\",[],[\"nan\",{\"number\":\"9223372036854775808\"}]]]"};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    json_t *back = fm_nodes_to_json(c, nodes(c, numbers[i]));
    char *text = json_dumps(back, JSON_COMPACT);
    assert_string_equal(text, numbers[i]);
    free(text);
    json_decref(back);
  }
  /* ops that this engine only carries */
  up_node e = nodes(c, "[[\"CONST\",\"int\",[],1],[\"EXPAND\",\"int\",[0],[[0,4],[1,\"x\"]]]]");
  assert_int_equal(up_op_of(c, e), UP_EXPAND);
  up_ctx_free(c);
}

/* ---- errors of rows ------------------------------------------------------------- */

#define VAR "[\"DEFINE_VAR\",\"int\",[],[\"x\",0,9]]"
static const struct {
  const char *row;
  unsigned col; /* 0: any, the JSON library decides */
  const char *message;
} bad[] = {
    {"{", 0, "JSON"},
    {"{\"nodes\":[}", 0, "JSON"},
    {"{\"nodes\":[" VAR "]", 0, "JSON"},
    {"{\"nodes\":[" VAR "]} x", 0, "JSON"},
    {"{\"nodes\":[[\"CONST\",\"float\",[],1e999]]}", 0, "JSON"},
    {"{\"nodes\":[[\"CONST\",\"int\",[],1]],\"nodes\":[]}", 0, "JSON"},
    {"{\"a\":\"\xff\"}", 0, "JSON"},
    {"{\"a\":\"\\u0000\"}", 0, "JSON"},
    {"{}", 1, "no \"nodes\""},
    {"{\"id\":1,\"nodes\":5}", 17, "array of nodes"},
    {"{\"nodes\":null}", 10, "array of nodes"},
    {"{\"nodes\":[]}", 10, "at least one"},
    {"{\"nodes\":[5]}", 11, "node 0: a node is"},
    {"{\"nodes\":[" VAR ",[\"ADD\",\"int\",[0,0]]]}", 45, "node 1: a node is"},
    {"{ \"id\" : \"a, [{\\\"\", \"nodes\" : [ " VAR ", [\"NOSUCH\",\"int\",[0,0],null]]}", 69,
     "node 1: unknown op 'NOSUCH'"},
    {"{\"nodes\":[" VAR ",[5,\"int\",[0,0],null]]}", 46, "op must be a string"},
    {"{\"nodes\":[" VAR ",[\"ADD\",\"intt\",[0,0],null]]}", 52, "unknown dtype 'intt'"},
    {"{\"nodes\":[" VAR ",[\"ADD\",\"int\",0,null]]}", 58, "sources must be an array"},
    {"{\"nodes\":[" VAR ",[\"ADD\",\"int\",[0,1],null]]}", 61, "before the node"},
    {"{\"nodes\":[" VAR ",[\"ADD\",\"int\",[0,-1],null]]}", 61, "an index"},
    {"{\"nodes\":[" VAR ",[\"ADD\",\"int\",[0,0.5],null]]}", 61, "an index"},
    {"{\"nodes\":[" VAR ",[\"ADD\",\"int\",[0,99],null]]}", 61, "before the node"},
    {"{\"nodes\":[" VAR ",[\"ADD\",\"int\",[0],null]]}", 45, "2 sources, not 1"},
    {"{\"nodes\":[" VAR ",[\"ADD\",\"uint\",[0,0],null]]}", 45, "source 0 is int"},
    {"{\"nodes\":[[\"CONST\",\"int\",[],{\"a\":1}]]}", 29, "cannot be an object"},
    {"{\"nodes\":[[\"CONST\",\"int\",[],\"1x\"]]}", 29, "a number"},
    {"{\"nodes\":[[\"CONST\",\"int\",[],true]]}", 11, "an integer"},
    {"{\"nodes\":[[\"DEFINE_VAR\",\"int\",[],[\"x\",0,\"y\"]]]}", 41, "a number"},
    {"{\"nodes\":[[\"DEFINE_VAR\",\"int\",[],[\"x\",3,0]]]}", 11, "empty"},
    {"{\"n\xc3\xb6\":\"\xc3\xb6\",\"nodes\":[[\"X\",\"int\",[],null]]}", 21, "unknown op"},
    {"{\"valid\":[[\"X\",\"int\",[],null]]}", 12, "unknown op"},
};

/* A row that is refused does not end the file. */
static void check_bad_row(size_t i) {
  char path[] = "uproof-test-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  FILE *f = fdopen(fd, "w");
  const char *good = "{\"id\":\"g\",\"nodes\":[" VAR "]}\n";
  fprintf(f, "%s\n%s\n\n%s", good, bad[i].row, good);
  fclose(f);
  up_ctx *c = new_ctx();
  up_error err = {0};
  fm_item it;
  fm_reader *r = fm_open(path, &err);
  assert_non_null(r);
  assert_string_equal(fm_form(r), "jsonl");
  assert_int_equal(fm_next(r, c, &it, &err), 1);
  assert_string_equal(it.id, "\"g\"");
  assert_int_equal(it.line, 1);
  fm_item_clear(&it);
  assert_int_equal(fm_next(r, c, &it, &err), -1);
  if (err.line != 3 || err.col == 0 || (bad[i].col && err.col != bad[i].col) ||
      !strstr(err.msg, bad[i].message))
    fail_msg("%u:%u: %s\nfor\n%s", err.line, err.col, err.msg, bad[i].row);
  assert_int_equal(fm_next(r, c, &it, &err), 1);
  assert_int_equal(it.line, 5);
  fm_item_clear(&it);
  assert_int_equal(fm_next(r, c, &it, &err), 0);
  fm_close(r);
  up_ctx_free(c);
  unlink(path);
}

static void test_bad_rows(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) check_bad_row(i);
}

/* Wide integers as bare numbers, which the format does not write, are taken as well. */
static void test_wide_numbers(void **state) {
  (void)state;
  static const char row[] = "{\"id\":-99999999999999999999,\"nodes\":"
                            "[[\"DEFINE_VAR\",\"ulong\",[],[\"9999999999999999999\\\"\",0,"
                            "18446744073709551615]]]}\n";
  FILE *f = fopen("json-test.tmp", "w");
  assert_non_null(f);
  fputs(row, f);
  fclose(f);
  up_ctx *c = new_ctx();
  up_error err = {0};
  fm_item it;
  fm_reader *r = fm_open("json-test.tmp", &err);
  if (fm_next(r, c, &it, &err) != 1) fail_msg("%u:%u: %s", err.line, err.col, err.msg);
  up_arg a = up_arg_of(c, it.root);
  assert_string_equal(up_arg_text(c, up_arg_at(c, a, 0)), "9999999999999999999\"");
  assert_true(up_int_eq(up_arg_val(c, up_arg_at(c, a, 2)).i, up_int_from_u64(c, UINT64_MAX)));
  assert_string_equal(it.id, "\"-99999999999999999999\"");
  fm_item_clear(&it);
  fm_close(r);
  up_ctx_free(c);
  unlink("json-test.tmp");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),   cmocka_unit_test(test_corpus),
      cmocka_unit_test(test_args),     cmocka_unit_test(test_wide_numbers),
      cmocka_unit_test(test_bad_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
