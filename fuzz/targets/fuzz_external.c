/* Bytes -> graph -> an engine that answers anything: some node of the graph as the result, with steps
 * that lead there or not, bounds that hold or not, raises. Whatever it says is judged: a finding about
 * a value is a difference at its witness, and a reduced finding is one of the same kind. */
#include "fuzz/harness.h"
#include "fuzz/plain.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define MOST_NODES 24u
#define TRIES 60u

/* Answers depend on the question and this alone. */
typedef struct liar {
  uint64_t seed;
  up_profile *profile;
  up_ctx *c;
  or_checker *k;
} liar;

static fz_rng rng_of(const liar *l, up_ctx *c, up_node root) {
  up_buf text = {0};
  up_print_uop(c, root, NULL, &text);
  fz_require(!text.no_memory, "memory");
  fz_rng r = {l->seed ^ fz_digest((const uint8_t *)text.p, text.len)};
  up_buf_free(&text);
  return r;
}

static up_status pick_status(fz_rng *r) {
  static const up_status some[] = {UP_RAISE_ZERO_DIVISION, UP_RAISE_OTHER, UP_LOOP,
                                   UP_LIMIT_STEPS,         UP_NOT_COVERED, UP_NO_ANSWER};
  uint64_t w = fz_next(r);
  return w % 8 ? UP_OK : some[w / 8 % (sizeof some / sizeof *some)];
}

static void add_step(const liar *l, fz_rng *r, up_trace *t, up_node before, up_node after) {
  static const char *const name[] = {"first", "second", "third"};
  const int rule = up_rule_named(l->profile, name[fz_next(r) % 3]);
  if (t) up_trace_add(t, (up_step){.rule = rule, .before = before, .after = after});
}

static up_result rewrite(void *arg, up_ctx *c, up_node root, uint64_t max_steps, up_trace *trace) {
  const liar *l = arg;
  fz_rng r = rng_of(l, c, root);
  up_list topo = {0};
  (void)max_steps;
  fz_require(up_toposort(c, root, &topo), "memory");
  up_result out = {pick_status(&r), root, 0, -1, UP_NONE};
  for (unsigned i = fz_next(&r) % 4; i > 0; i--) {
    up_node to = topo.p[fz_next(&r) % topo.n];
    bool fits = up_dtype_of(c, to) == up_dtype_of(c, out.node) || fz_next(&r) % 16 == 0;
    if (!fits) continue;
    add_step(l, &r, trace, fz_next(&r) % 8 ? out.node : topo.p[0], to);
    out.node = to;
    out.steps++;
  }
  if (out.status != UP_OK) {
    out.at = out.node;
    out.node = UP_NONE;
    out.rule = fz_next(&r) % 2 ? up_rule_named(l->profile, "raises") : -1;
  }
  up_list_free(&topo);
  return out;
}

static up_status bounds(void *arg, up_ctx *c, up_node root) {
  const liar *l = arg;
  fz_rng r = rng_of(l, c, root);
  up_list topo = {0};
  up_status s = pick_status(&r);
  fz_require(up_toposort(c, root, &topo), "memory");
  for (uint32_t i = 0; i < topo.n && s == UP_OK; i++) {
    static const int64_t end[] = {0, 1, 255, INT32_MAX, INT64_MAX};
    uint64_t w = fz_next(&r);
    int64_t hi = end[w % 5];
    up_bounds b = {up_val_int(up_int_of(w & 64 ? -hi : 0)), up_val_int(up_int_of(hi))};
    if (w / 128 % 4 == 0) b.hi = up_val_float(w & 32 ? (double)INFINITY : 7.5);
    if (w / 512 % 4)
      up_minmax_tell(c, topo.p[i], b, w & 32 ? up_rule_named(l->profile, "claim") : -1);
  }
  up_list_free(&topo);
  return s;
}

static void close_nothing(void *arg) { (void)arg; }

static void begin(liar *l, fz_harness *h) {
  if (!l->profile) {
    const up_external e = {.arg = l, .rewrite = rewrite, .bounds = bounds, .close = close_nothing};
    l->profile = up_profile_external("anything", &e);
    l->c = l->profile ? up_ctx_new(l->profile) : NULL;
    l->k = fz_harness_checker(h);
    fz_require(l->c && up_profile_is_external(l->profile), "memory");
  }
  up_ctx_reset(l->c);
}

static void require_finding(const liar *l, const or_finding *f) {
  if (f->kind == OR_VALUE)
    fz_require(fz_plain_equiv_at(l->c, f->graph, f->simplified, f->frame, &f->witness) != FZ_TRUE,
               "a wrong value is wrong at its witness");
  fz_require(f->rule < 0 || (f->rule < 16 && up_rule_at(l->profile, (uint32_t)f->rule).name[0]),
             "a rule that is blamed was named");
}

static void require_reduced(const liar *l, const or_finding *f) {
  or_reduced small = {0};
  if (or_minimize(l->k, l->c, f, NULL, TRIES, &small)) {
    fz_require(small.finding.kind == f->kind, "a reduced finding is of the same kind");
    fz_require(small.nodes_after <= small.nodes_before, "and no larger");
  }
  or_reduced_clear(&small);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  static liar l;
  fz_case q = fz_case_begin(&all, data, n);
  begin(&l, q.h);
  l.seed = q.seed;
  up_node root = up_copy(l.c, q.c, q.root);
  or_report r = {0};
  if (up_count(l.c, root) > MOST_NODES) return 0;
  or_check(l.k, l.c, root, q.frame, &r);
  if (r.verdict == OR_ERROR) fz_require(false, r.reason);
  fz_require((r.nfindings > 0) == (r.verdict == OR_DIFFERS),
             "findings and verdict belong together");
  for (uint32_t i = 0; i < r.nfindings; i++) require_finding(&l, &r.finding[i]);
  if (r.nfindings > 0 && q.seed % 4 == 0) require_reduced(&l, &r.finding[0]);
  or_report_clear(&r);
  return 0;
}
