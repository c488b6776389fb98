/* The minimizer: how small and how fast known bugs become, alone and hidden in large graphs.
 *
 *   bench/reduce [--seeds N] [--nodes N] [--rows 1] FILE.jsonl...
 *
 * A row is one bug: `engine`, `frame` ("both" is ideal and wrap), `kind`, `nodes` (corpus/regress). In each
 * of its frames it is reduced as it is, and out of --seeds random graphs of at least --nodes nodes
 * in which it is hidden and still found with the same cause (what does not show it is thrown away).
 * Timed is or_minimize. A case comes back when it has no more nodes than the row's own graph.
 */
#include "bench/bench.h"
#include "formats/formats.h"
#include "fuzz/haystack.h"
#include "oracle/oracle.h"
#include <jansson.h>
#include <string.h>

/* Graphs that are made for each that is wanted, before the row is given up. */
#define ATTEMPTS 10u

typedef struct samples {
  double *p;
  size_t n, cap;
} samples;

static void add(samples *s, double v) {
  if (s->n == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 256;
    s->p = realloc(s->p, s->cap * sizeof *s->p);
    if (!s->p) bench_die("samples", "no memory");
  }
  s->p[s->n++] = v;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The share q of the samples is not above it. */
static double quantile(samples *s, double q) {
  if (s->n == 0) return 0;
  qsort(s->p, s->n, sizeof *s->p, by_value);
  size_t i = (size_t)(q * (double)s->n);
  return s->p[i < s->n ? i : s->n - 1];
}

/* What is known of the cases of one kind: rows as they are, or hidden ones. */
typedef struct tally {
  uint64_t cases, back;
  samples ms, before, after, tries;
} tally;

static void tally_free(tally *t) {
  free(t->ms.p);
  free(t->before.p);
  free(t->after.p);
  free(t->tries.p);
}

typedef struct bench {
  uint64_t seeds, nodes;
  bool each;
  tally rows, hidden;
  uint64_t short_of; /* hidden cases that could not be made */
  uint64_t valids;   /* rows about a valid */
  uint64_t wrong;    /* not found, or not reduced: the minimizer failed */
} bench;

/* One bug in one frame. */
typedef struct bug {
  up_ctx *c, *hay;
  or_checker *k;
  or_frame frame;
  or_kind kind;
  up_node graph;
  uint32_t nodes;
  char cause[OR_CAUSE_ROOM];
} bug;

static const or_finding *finding_of(const or_report *r, or_kind kind) {
  for (uint32_t i = 0; i < r->nfindings; i++)
    if (r->finding[i].kind == kind) return &r->finding[i];
  return NULL;
}

/* Reduces the finding; false when that fails. */
static bool measure(bench *b, const bug *g, up_ctx *c, const or_finding *f, tally *t, tally *row) {
  or_reduced r;
  double start = bench_now();
  bool ok = or_minimize(g->k, c, f, NULL, 0, &r);
  double ms = 1e3 * (bench_now() - start);
  if (!ok) {
    b->wrong++;
    return false;
  }
  tally *both[2] = {t, row};
  for (unsigned i = 0; i < 2; i++) {
    both[i]->cases++;
    both[i]->back += r.nodes_after <= g->nodes;
    add(&both[i]->ms, ms);
    add(&both[i]->before, r.nodes_before);
    add(&both[i]->after, r.nodes_after);
    add(&both[i]->tries, r.tries);
  }
  or_reduced_clear(&r);
  return true;
}

/* Hides the bug with this seed and reduces what comes out, if it shows the bug. */
static bool hide(bench *b, const bug *g, const or_checker *quick, uint64_t seed, tally *row) {
  up_ctx_reset(g->hay);
  up_node hidden = fz_bury(g->hay, up_copy(g->hay, g->c, g->graph), seed, (uint32_t)b->nodes);
  if (up_is_none(hidden)) return false;
  or_report r;
  or_check((or_checker *)quick, g->hay, hidden, g->frame, &r);
  const or_finding *f = finding_of(&r, g->kind);
  char cause[OR_CAUSE_ROOM] = "";
  if (f) or_finding_cause(g->hay, f, cause);
  bool shows = strcmp(cause, g->cause) == 0;
  if (shows) measure(b, g, g->hay, f, &b->hidden, row);
  or_report_clear(&r);
  return shows;
}

static void hide_all(bench *b, const bug *g, tally *row) {
  or_limits l = or_limits_default();
  l.samples = 256;
  l.max_points = 4096;
  l.solver_rlimit = 0;
  or_checker *quick = or_checker_new(&l);
  if (!quick) bench_die("start", "no memory");
  uint64_t made = 0;
  for (uint64_t seed = 1; made < b->seeds && seed <= ATTEMPTS * b->seeds; seed++)
    made += hide(b, g, quick, seed, row);
  b->short_of += b->seeds - made;
  or_checker_free(quick);
}

static void print_row(const char *id, const bug *g, tally *own, tally *hidden) {
  printf("  %-38s %-44s %2u nodes -> %2.0f %8.1f ms %6.0f tries; hidden %3llu, back %3llu, worst "
         "%2.0f nodes, median %6.1f ms, worst %7.1f ms %6.0f tries\n",
         id, g->cause, g->nodes, quantile(&own->after, 1), quantile(&own->ms, 1),
         quantile(&own->tries, 1), (unsigned long long)hidden->cases,
         (unsigned long long)hidden->back, quantile(&hidden->after, 1), quantile(&hidden->ms, 0.5),
         quantile(&hidden->ms, 1), quantile(&hidden->tries, 1));
}

static void run_bug(bench *b, bug *g, const char *id) {
  tally own = {0}, hidden = {0};
  or_report r;
  or_check(g->k, g->c, g->graph, g->frame, &r);
  const or_finding *f = finding_of(&r, g->kind);
  if (f) {
    or_finding_cause(g->c, f, g->cause);
    if (measure(b, g, g->c, f, &b->rows, &own)) hide_all(b, g, &hidden);
  } else {
    b->wrong++;
    printf("  %s: not found in %s\n", id, or_frame_name(g->frame));
  }
  or_report_clear(&r);
  if (b->each && f) print_row(id, g, &own, &hidden);
  fflush(stdout);
  tally_free(&own);
  tally_free(&hidden);
}

static const char *text_of(const json_t *row, const char *key) {
  const char *s = json_string_value(json_object_get(row, key));
  if (!s) bench_die(key, "a row has no such text");
  return s;
}

/* A row of the file, whose graph is in `from`, in each of its frames. */
static void run_row(bench *b, up_ctx *from, const fm_item *it) {
  if (json_object_get(it->row, "mode")) {
    b->valids++;
    return;
  }
  up_error err = {0};
  up_profile *p = up_profile_load(text_of(it->row, "engine"), &err);
  if (!p) bench_die("engine", err.msg);
  const char *frame = text_of(it->row, "frame");
  for (unsigned f = 0; f < OR_FRAME_COUNT; f++) {
    bool both = strcmp(frame, "both") == 0 && f != OR_REFINE;
    if (!both && strcmp(frame, or_frame_name((or_frame)f)) != 0) continue;
    or_limits l = or_limits_default();
    bug g = {.c = up_ctx_new(p),
             .hay = up_ctx_new(p),
             .k = or_checker_new(&l),
             .frame = (or_frame)f,
             .nodes = up_count(from, it->root)};
    if (!g.c || !g.hay || !g.k) bench_die("start", "no memory");
    if (!or_kind_parse(text_of(it->row, "kind"), &g.kind)) bench_die("kind", "not known");
    g.graph = up_copy(g.c, from, it->root);
    run_bug(b, &g, text_of(it->row, "id"));
    or_checker_free(g.k);
    up_ctx_free(g.hay);
    up_ctx_free(g.c);
  }
  up_profile_free(p);
}

static void run_file(bench *b, const char *path) {
  up_error err = {0};
  up_profile *p = up_profile_load("v0.11.0", &err);
  up_ctx *c = p ? up_ctx_new(p) : NULL;
  fm_reader *in = c ? fm_open(path, &err) : NULL;
  if (!in) bench_die(path, err.msg);
  fm_item it = {0};
  for (int got; up_ctx_reset(c), (got = fm_next(in, c, &it, &err)) != 0;) {
    if (got < 0) bench_die(path, err.msg);
    run_row(b, c, &it);
    fm_item_clear(&it);
  }
  fm_close(in);
  up_ctx_free(c);
  up_profile_free(p);
}

static void print_tally(const char *name, tally *t) {
  printf("%-7s %5llu cases, %5.1f %% back to the row's size or less; nodes %.0f -> median %.0f, "
         "95th %.0f; median %.1f ms, 95th %.1f ms, worst %.1f ms; median %.0f tries, 95th %.0f\n",
         name, (unsigned long long)t->cases,
         t->cases ? 100.0 * (double)t->back / (double)t->cases : 0.0, quantile(&t->before, 0.5),
         quantile(&t->after, 0.5), quantile(&t->after, 0.95), quantile(&t->ms, 0.5),
         quantile(&t->ms, 0.95), quantile(&t->ms, 1), quantile(&t->tries, 0.5),
         quantile(&t->tries, 0.95));
}

int main(int argc, char **argv) {
  bench b = {.seeds = 20, .nodes = 100};
  int i = 1;
  for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
    uint64_t n = strtoull(argv[i + 1], NULL, 10);
    if (strcmp(argv[i], "--seeds") == 0)
      b.seeds = n;
    else if (strcmp(argv[i], "--nodes") == 0)
      b.nodes = n;
    else if (strcmp(argv[i], "--rows") == 0)
      b.each = n != 0;
    else
      bench_die(argv[i], "usage: reduce [--seeds N] [--nodes N] [--rows 1] FILE.jsonl...");
  }
  if (i == argc) bench_die("reduce", "no file of bugs is given");
  for (; i < argc; i++) run_file(&b, argv[i]);
  print_tally("alone", &b.rows);
  print_tally("hidden", &b.hidden);
  printf("        %llu failed, %llu could not be hidden, %llu rows about a valid left out\n",
         (unsigned long long)b.wrong, (unsigned long long)b.short_of, (unsigned long long)b.valids);
  tally_free(&b.rows);
  tally_free(&b.hidden);
  return b.wrong ? 1 : 0;
}
