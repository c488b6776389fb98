/* Each known bug in corpus/regress: found in its frames, with its kind and the guilty rule, wrong
 * at the recorded witness with the recorded values, and reduced to no more nodes than recorded. The
 * rows of the JSON lines say the same as the .uop files; rows about a valid have no such file. */
#include <dirent.h>
#include <stdlib.h>
#include <jansson.h>
#include "common.h"
#include "formats/formats.h"

#define MAX_CASES 256

typedef struct bug {
  char path[512];
  up_node root;
  up_metas meta;
} bug;

static char *paths[MAX_CASES];
static unsigned npaths;

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_cases(void) {
  const char *src = getenv("SRC");
  assert_non_null(src);
  char dir[512];
  snprintf(dir, sizeof dir, "%.400s/corpus/regress", src);
  DIR *d = opendir(dir);
  if (!d) fail_msg("%s can't be read", dir);
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    size_t n = strlen(e->d_name);
    if (n < 4 || strcmp(e->d_name + n - 4, ".uop") != 0) continue;
    assert_true(npaths < MAX_CASES);
    size_t size = strlen(dir) + n + 2;
    paths[npaths] = malloc(size);
    snprintf(paths[npaths++], size, "%s/%s", dir, e->d_name);
  }
  closedir(d);
  qsort(paths, npaths, sizeof *paths, by_name);
}

static bug load(rig *r, const char *path) {
  bug b = {0};
  snprintf(b.path, sizeof b.path, "%.500s", path);
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  char text[8192];
  size_t n = fread(text, 1, sizeof text, in);
  assert_true(n > 0 && n < sizeof text);
  fclose(in);
  up_error err;
  if (!up_parse_uop(r->c, text, n, &b.root, &b.meta, &err))
    fail_msg("%s:%u:%u: %s", path, err.line, err.col, err.msg);
  return b;
}

static const char *meta(const bug *b, const char *key) {
  const char *v = up_metas_get(&b->meta, key);
  if (!v) fail_msg("%s: no meta %s", b->path, key);
  return v;
}

/* The rule to blame: one for all frames, or one a frame. */
static const char *expected_rule(const bug *b, or_frame f) {
  char key[32];
  snprintf(key, sizeof key, "rule_%s", or_frame_name(f));
  const char *v = up_metas_get(&b->meta, key);
  return v ? v : meta(b, "rule");
}

/* ---- the recorded witness -------------------------------------------------------------------- */

/* The recorded values for the variables under root; json: {"x": -3}. */
static or_witness recorded(rig *r, up_node root, const json_t *json) {
  or_witness w = {0};
  up_list vars = {0};
  assert_true(up_vars(r->c, root, &vars));
  w.var = calloc(vars.n + 1, sizeof *w.var);
  w.value = calloc(vars.n + 1, sizeof *w.value);
  for (uint32_t i = 0; i < vars.n; i++) {
    char name[64];
    up_int lo, hi;
    assert_true(up_var_domain(r->c, vars.p[i], name, &lo, &hi));
    json_t *v = json_object_get(json, name);
    assert_true(json_is_integer(v));
    w.var[w.n] = vars.p[i];
    mpz_init_set_si(w.value[w.n++], (long)json_integer_value(v));
  }
  up_list_free(&vars);
  return w;
}

static long value_at(rig *r, up_node n, or_frame f, const or_witness *w) {
  or_values v;
  assert_true(or_eval(r->c, n, f, w, &v));
  assert_int_equal(v.def[v.n - 1], OR_VALUE_OK);
  long x = mpz_get_si(v.value[v.n - 1]);
  or_values_clear(&v);
  return x;
}

/* The recorded numbers are what the graph and its simplified form have at the recorded point. */
static void check_witness(rig *r, const bug *b, const or_finding *f) {
  if (f->kind != OR_VALUE && f->kind != OR_BOUNDS) return;
  json_t *json = json_loads(meta(b, "witness"), 0, NULL);
  assert_true(json_is_object(json));
  or_witness w = recorded(r, b->root, json);
  json_decref(json);
  assert_int_equal(value_at(r, b->root, f->frame, &w), atol(meta(b, "expected")));
  if (f->kind == OR_VALUE) {
    assert_int_equal(value_at(r, f->simplified, f->frame, &w), atol(meta(b, "actual")));
  } else {
    up_bounds m = up_minmax(r->c, b->root);
    char claim[64];
    snprintf(claim, sizeof claim, "[%ld, %ld]", (long)m.lo.i.lo, (long)m.hi.i.lo);
    assert_string_equal(claim, meta(b, "actual"));
  }
  or_witness_clear(&w);
}

/* ---- check and reduce ------------------------------------------------------------------------ */

static void check_reduced(rig *r, const bug *b, const or_finding *f) {
  or_reduced m;
  if (!or_minimize(r->k, r->c, f, NULL, 0, &m)) fail_msg("%s: not reduced", b->path);
  assert_int_equal(m.finding.kind, f->kind);
  assert_int_equal(m.finding.frame, f->frame);
  assert_int_equal(m.finding.rule, f->rule);
  assert_true(m.nodes_after <= m.nodes_before);
  assert_true(m.tries < 2000); /* numbers that fall together don't do so one by one */
  assert_int_equal(m.nodes_after, up_count(m.ctx, m.finding.graph));
  up_buf text = {0};
  up_print_infix(m.ctx, m.finding.graph, &text);
  print_message("  %s %s: %u -> %u nodes, %u tries: %s\n", or_frame_name(f->frame),
                rule_name(r, f->rule), m.nodes_before, m.nodes_after, m.tries,
                text.p ? text.p : "");
  up_buf_free(&text);
  or_reduced_clear(&m);
}

static void check_frame(rig *r, const bug *b, or_frame frame) {
  or_report rep;
  or_check(r->k, r->c, b->root, frame, &rep);
  or_kind kind;
  assert_true(or_kind_parse(meta(b, "kind"), &kind));
  const or_finding *f = find_kind(&rep, kind);
  if (!f)
    fail_msg("%s: no %s finding in %s (%s, %s)", b->path, or_kind_name(kind), or_frame_name(frame),
             or_verdict_name(rep.verdict), rep.reason);
  assert_int_equal(rep.verdict, OR_DIFFERS);
  const char *rule = expected_rule(b, frame);
  if (strcmp(rule_name(r, f->rule), rule) != 0)
    fail_msg("%s: %s blames %s, not %s", b->path, or_frame_name(frame), rule_name(r, f->rule),
             rule);
  check_witness(r, b, f);
  check_reduced(r, b, f);
  or_report_clear(&rep);
}

static bool in_frame(const char *frame, or_frame f) {
  if (strcmp(frame, "both") == 0) return f == OR_IDEAL || f == OR_WRAP;
  return strcmp(frame, or_frame_name(f)) == 0;
}

/* The file's own text names its profile, so it is read twice. */
static void profile_of(const char *path, char out[32]) {
  rig r = rig_new(NULL);
  bug b = load(&r, path);
  snprintf(out, 32, "%s", meta(&b, "profile"));
  up_metas_free(&b.meta);
  rig_free(&r);
}

static void test_case(void **state) {
  char profile[32];
  profile_of(*state, profile);
  rig r = rig_of(profile, NULL);
  bug b = load(&r, *state);
  const char *frame = meta(&b, "frame");
  unsigned frames = 0;
  print_message("%s\n", meta(&b, "id"));
  for (unsigned f = 0; f < OR_FRAME_COUNT; f++) {
    if (!in_frame(frame, (or_frame)f)) continue;
    check_frame(&r, &b, (or_frame)f);
    frames++;
  }
  assert_true(frames > 0);
  up_metas_free(&b.meta);
  rig_free(&r);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const char *text_of(const json_t *row, const char *key) {
  const char *s = json_string_value(json_object_get(row, key));
  if (!s) fail_msg("a row has no text %s", key);
  return s;
}

static const char *row_rule(const json_t *row, or_frame f) {
  const json_t *rule = json_object_get(row, "expect_rule");
  return json_is_object(rule) ? text_of(rule, or_frame_name(f)) : text_of(row, "expect_rule");
}

/* The .uop file of the same id: the same graph, frame, kind and rules. */
static void check_file(rig *r, const fm_item *it) {
  char path[600];
  snprintf(path, sizeof path, "%.400s/corpus/regress/%.100s.uop", getenv("SRC"),
           text_of(it->row, "id"));
  bug b = load(r, path);
  assert_true(up_same(b.root, it->root));
  assert_string_equal(meta(&b, "frame"), text_of(it->row, "frame"));
  assert_string_equal(meta(&b, "kind"), text_of(it->row, "kind"));
  for (unsigned f = 0; f < OR_FRAME_COUNT; f++) {
    if (in_frame(meta(&b, "frame"), (or_frame)f))
      assert_string_equal(expected_rule(&b, (or_frame)f), row_rule(it->row, (or_frame)f));
  }
  up_metas_free(&b.meta);
}

static void check_valid_in(rig *r, const fm_item *it, up_node valid, or_valid_mode mode,
                           or_frame f) {
  or_report rep;
  or_check_valid(r->k, r->c, valid, it->root, mode, f, &rep);
  const or_finding *found = find_kind(&rep, OR_VALUE);
  if (!found) fail_msg("%s: not found in %s", it->id, or_frame_name(f));
  assert_int_equal(rep.verdict, OR_DIFFERS);
  assert_int_equal(found->mode, mode);
  assert_true(up_same(found->valid, valid) && up_same(found->graph, it->root));
  assert_string_equal(rule_name(r, found->rule), row_rule(it->row, f));
  or_witness w = recorded(r, it->root, json_object_get(it->row, "witness"));
  assert_int_equal(value_at(r, valid, f, &w), 1);
  assert_int_equal(value_at(r, it->root, f, &w),
                   json_integer_value(json_object_get(it->row, "expected")));
  assert_int_equal(value_at(r, found->simplified, f, &w),
                   json_integer_value(json_object_get(it->row, "actual")));
  or_witness_clear(&w);
  or_report_clear(&rep);
}

static void check_valid(rig *r, const fm_item *it) {
  up_node valid;
  or_valid_mode mode;
  up_error e;
  assert_string_equal(text_of(it->row, "kind"), "value");
  assert_true(or_valid_mode_parse(text_of(it->row, "mode"), &mode));
  assert_true(fm_nodes_from_json(r->c, json_object_get(it->row, "valid"), &valid, &e));
  for (unsigned f = 0; f < OR_FRAME_COUNT; f++) {
    if (in_frame(text_of(it->row, "frame"), (or_frame)f))
      check_valid_in(r, it, valid, mode, (or_frame)f);
  }
}

static void check_rows(const char *profile, unsigned rows, unsigned valids) {
  char path[600];
  rig r = rig_of(profile, NULL);
  up_error e;
  fm_item it;
  snprintf(path, sizeof path, "%.400s/corpus/regress/%s.jsonl", getenv("SRC"), profile);
  fm_reader *in = fm_open(path, &e);
  assert_non_null(in);
  for (int got; (got = fm_next(in, r.c, &it, &e)) != 0;) {
    if (got < 0) fail_msg("%s:%u: %s", path, e.line, e.msg);
    bool valid = json_object_get(it.row, "mode") != NULL;
    assert_string_equal(text_of(it.row, "engine"), profile);
    if (valid)
      check_valid(&r, &it);
    else
      check_file(&r, &it);
    rows--;
    valids -= valid;
    fm_item_clear(&it);
  }
  assert_int_equal(rows, 0);
  assert_int_equal(valids, 0);
  fm_close(in);
  rig_free(&r);
}

static void test_rows(void **state) {
  (void)state;
  check_rows("v0.10.0", 10, 0);
  check_rows("v0.11.0", 34, 1);
}

int main(void) {
  list_cases();
  if (npaths < 43) {
    fprintf(stderr, "corpus/regress holds %u cases, 43 at least are expected\n", npaths);
    return 1;
  }
  struct CMUnitTest tests[MAX_CASES + 1];
  for (unsigned i = 0; i < npaths; i++) {
    const char *slash = strrchr(paths[i], '/');
    tests[i] =
        (struct CMUnitTest){.name = slash + 1, .test_func = test_case, .initial_state = paths[i]};
  }
  tests[npaths] = (struct CMUnitTest)cmocka_unit_test(test_rows);
  int failed = _cmocka_run_group_tests("regress", tests, npaths + 1, NULL, NULL);
  for (unsigned i = 0; i < npaths; i++) free(paths[i]);
  return failed;
}
