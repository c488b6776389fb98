/* Known bugs hidden in random graphs of 100 nodes and more: the minimizer comes back to the size of
 * the bug's own graph or less, with the same cause, and what it gives can't be reduced further. */
#include <stdlib.h>
#include <jansson.h>
#include "common.h"
#include "formats/formats.h"
#include "fuzz/haystack.h"

#define HAY_NODES 100u
/* Seeds that are tried for one graph that shows the bug: what lies around may hide it. */
#define ATTEMPTS 12u

typedef struct counts {
  unsigned hidden, back, not_hidden;
} counts;

static or_checker *checker_of(uint32_t samples, uint64_t points, uint32_t rlimit) {
  or_limits l = or_limits_default();
  l.samples = samples;
  l.max_points = points;
  l.solver_rlimit = rlimit;
  or_checker *k = or_checker_new(&l);
  assert_non_null(k);
  return k;
}

static void text_of_graph(up_ctx *c, up_node n, up_buf *out) {
  up_print_uop(c, n, NULL, out);
  assert_non_null(out->p);
}

/* Reduced again it is the same graph. */
static void expect_fixed(rig *r, const or_reduced *m) {
  or_report rep;
  or_check(r->k, m->ctx, m->finding.graph, m->finding.frame, &rep);
  const or_finding *f = find_kind(&rep, m->finding.kind);
  assert_non_null(f);
  or_reduced again;
  assert_true(or_minimize(r->k, m->ctx, f, NULL, 0, &again));
  up_buf one = {0}, two = {0};
  text_of_graph(m->ctx, m->finding.graph, &one);
  text_of_graph(again.ctx, again.finding.graph, &two);
  assert_string_equal(one.p, two.p);
  up_buf_free(&one);
  up_buf_free(&two);
  or_reduced_clear(&again);
  or_report_clear(&rep);
}

static void reduce_hidden(rig *r, up_ctx *hay, const or_finding *f, const char *cause,
                          uint32_t nodes, counts *n) {
  or_reduced m;
  char reduced[OR_CAUSE_ROOM];
  assert_true(or_minimize(r->k, hay, f, NULL, 0, &m));
  assert_true(m.nodes_before >= HAY_NODES);
  or_finding_cause(m.ctx, &m.finding, reduced);
  assert_string_equal(reduced, cause);
  n->hidden++;
  n->back += m.nodes_after <= nodes;
  if (m.nodes_after > nodes)
    print_message("  %s: %u nodes, the bug has %u\n", cause, m.nodes_after, nodes);
  expect_fixed(r, &m);
  or_reduced_clear(&m);
}

/* Hides the bug once with seeds of this parity; false: no graph showed it. */
static bool hide(rig *r, up_node bug, or_frame frame, or_kind kind, unsigned parity, counts *n) {
  char cause[OR_CAUSE_ROOM], hidden_cause[OR_CAUSE_ROOM];
  or_report rep;
  or_check(r->k, r->c, bug, frame, &rep);
  const or_finding *f = find_kind(&rep, kind);
  if (!f) fail_msg("not found in %s", or_frame_name(frame));
  or_finding_cause(r->c, f, cause);
  or_report_clear(&rep);
  or_checker *look = checker_of(256, 4096, 0);
  up_ctx *hay = up_ctx_new(r->profile);
  bool shown = false;
  for (uint64_t seed = parity; seed < 2 * ATTEMPTS && !shown; seed += 2) {
    up_ctx_reset(hay);
    up_node g = fz_bury(hay, up_copy(hay, r->c, bug), seed, HAY_NODES);
    assert_false(up_is_none(g));
    or_check(look, hay, g, frame, &rep);
    f = find_kind(&rep, kind);
    if (f) or_finding_cause(hay, f, hidden_cause);
    shown = f && strcmp(cause, hidden_cause) == 0;
    if (shown) reduce_hidden(r, hay, f, cause, up_count(r->c, bug), n);
    or_report_clear(&rep);
  }
  up_ctx_free(hay);
  or_checker_free(look);
  return shown;
}

static const char *text_of(const json_t *row, const char *key) {
  const char *s = json_string_value(json_object_get(row, key));
  if (!s) fail_msg("a row has no text %s", key);
  return s;
}

static void hide_row(rig *r, const fm_item *it, counts *n) {
  or_kind kind;
  const char *frame = text_of(it->row, "frame");
  assert_true(or_kind_parse(text_of(it->row, "kind"), &kind));
  for (unsigned f = 0; f < OR_FRAME_COUNT; f++) {
    bool both = strcmp(frame, "both") == 0 && f != OR_REFINE;
    if (!both && strcmp(frame, or_frame_name((or_frame)f)) != 0) continue;
    for (unsigned parity = 0; parity < 2; parity++)
      if (!hide(r, it->root, (or_frame)f, kind, parity, n)) n->not_hidden++;
  }
}

static counts hide_file(const char *profile) {
  char path[600];
  rig r = rig_of(profile, NULL);
  up_error e;
  fm_item it;
  counts n = {0};
  snprintf(path, sizeof path, "%.400s/corpus/regress/%s.jsonl", getenv("SRC"), profile);
  fm_reader *in = fm_open(path, &e);
  assert_non_null(in);
  for (int got; (got = fm_next(in, r.c, &it, &e)) != 0;) {
    if (got < 0) fail_msg("%s:%u: %s", path, e.line, e.msg);
    if (!json_object_get(it.row, "mode")) hide_row(&r, &it, &n);
    fm_item_clear(&it);
  }
  fm_close(in);
  rig_free(&r);
  print_message("  %s: %u hidden, %u back, %u not hidden\n", profile, n.hidden, n.back,
                n.not_hidden);
  return n;
}

static void expect_back(const char *profile, unsigned rows_and_frames) {
  counts n = hide_file(profile);
  assert_int_equal(n.hidden + n.not_hidden, 2 * rows_and_frames);
  assert_true(10 * n.not_hidden <= n.hidden);
  assert_true(100 * n.back >= 95 * n.hidden);
}

static void test_old(void **state) {
  (void)state;
  expect_back("v0.10.0", 19);
}

static void test_new(void **state) {
  (void)state;
  expect_back("v0.11.0", 46);
}

/* ---- the haystacks themselves ---------------------------------------------------------------- */

static bool holds(up_ctx *c, up_node root, up_node n) {
  up_list topo = {0};
  bool found = false;
  assert_true(up_toposort(c, root, &topo));
  for (uint32_t i = 0; i < topo.n; i++) found = found || up_same(topo.p[i], n);
  up_list_free(&topo);
  return found;
}

/* Same seed, same graph; another seed, another; as large as it was asked for, well formed, and with
 * the needle in it. Without a needle that is wrong nothing is wrong. */
static void test_bury(void **state) {
  (void)state;
  rig r = rig_of("v0.11.0", NULL);
  or_checker *look = checker_of(256, 4096, 0);
  up_node bad, seen = UP_NONE;
  up_node needle = rig_graph(&r, "%x = DEFINE_VAR int [\"x\", 0, 9]\n%3 = CONST int 3\n"
                                 "%r = MOD int %x %3\n");
  for (uint64_t seed = 0; seed < 20; seed++) {
    for (uint32_t nodes = 10; nodes <= 1000; nodes *= 10) {
      up_node g = fz_bury(r.c, needle, seed, nodes);
      assert_true(up_count(r.c, g) >= nodes && up_count(r.c, g) < 2 * nodes + 60);
      assert_true(up_type_verify(r.c, g, &bad));
      assert_true(up_same(g, fz_bury(r.c, needle, seed, nodes)));
      assert_false(up_same(g, seen));
      if (seed % 2 == 0) assert_true(holds(r.c, g, needle));
      seen = g;
    }
    or_report rep;
    or_check(look, r.c, fz_bury(r.c, needle, seed, 100), OR_WRAP, &rep);
    assert_int_equal(rep.nfindings, 0);
    or_report_clear(&rep);
  }
  assert_true(up_is_none(fz_bury(r.c, up_const(r.c, up_dt(UP_FLOAT), up_val_float(1)), 1, 100)));
  or_checker_free(look);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bury), cmocka_unit_test(test_old),
                                     cmocka_unit_test(test_new)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
