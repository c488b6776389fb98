/* Each known bug in corpus/regress: found in its frames, with its kind and the guilty rule, wrong
 * at the recorded witness with the recorded values, and reduced to no more nodes than recorded. */
#include <dirent.h>
#include <stdlib.h>
#include <jansson.h>
#include "common.h"

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
  if (strcmp(rule_name(r, f->rule), meta(b, "rule")) != 0)
    fail_msg("%s: %s blames %s, not %s", b->path, or_frame_name(frame), rule_name(r, f->rule),
             meta(b, "rule"));
  check_witness(r, b, f);
  check_reduced(r, b, f);
  or_report_clear(&rep);
}

static void test_case(void **state) {
  rig r = rig_new(NULL);
  bug b = load(&r, *state);
  const char *frame = meta(&b, "frame");
  print_message("%s\n", meta(&b, "id"));
  bool both = strcmp(frame, "both") == 0;
  assert_string_equal(meta(&b, "profile"), "v0.10.0");
  if (both || strcmp(frame, "ideal") == 0) check_frame(&r, &b, OR_IDEAL);
  if (both || strcmp(frame, "wrap") == 0) check_frame(&r, &b, OR_WRAP);
  up_metas_free(&b.meta);
  rig_free(&r);
}

int main(void) {
  list_cases();
  if (npaths < 10) {
    fprintf(stderr, "corpus/regress holds %u cases, 10 at least are expected\n", npaths);
    return 1;
  }
  struct CMUnitTest tests[MAX_CASES];
  for (unsigned i = 0; i < npaths; i++) {
    const char *slash = strrchr(paths[i], '/');
    tests[i] =
        (struct CMUnitTest){.name = slash + 1, .test_func = test_case, .initial_state = paths[i]};
  }
  int failed = _cmocka_run_group_tests("regress", tests, npaths, NULL, NULL);
  for (unsigned i = 0; i < npaths; i++) free(paths[i]);
  return failed;
}
