/* Speed of simplify over files of graphs, one core.
 *
 *   bench/simplify [--profile P] [--repeat N] FILE.jsonl[.gz]...
 *
 * A file is read once. For each run its graphs are built anew, each in an empty context, so that
 * nothing is remembered from the one before, and simplified; only up_simplify is timed. One run warms
 * up, then the median of N is printed (bench/peers/tinygrad.py does the same). To read the clock costs as much as a
 * small graph does: it is read around BATCH graphs. A graph on which the modelled engine raises counts
 * like any other and is reported.
 */
#include "bench/bench.h"
#include "engine/uop.h"
#include "formats/formats.h"
#include <string.h>

enum { BATCH = 16 };

typedef struct totals {
  uint64_t graphs, nodes, nodes_after, steps, raised, limits, unread;
  double seconds; /* of one run */
} totals;

/* The graphs of a file, all in one context. */
typedef struct store {
  up_ctx *c;
  up_list root;
} store;

/* Contexts of graphs that were built and not simplified yet. */
typedef struct batch {
  up_ctx *c[BATCH];
  up_node root[BATCH];
  unsigned n;
} batch;

static void count_result(up_ctx *c, const up_result *r, totals *t) {
  t->graphs++;
  t->steps += r->steps;
  if (r->status == UP_OK)
    t->nodes_after += up_count(c, r->node);
  else if (up_status_raise(r->status) != NULL)
    t->raised++;
  else
    t->limits++;
}

static void simplify_batch(batch *b, totals *t) {
  up_result r[BATCH];
  double start = bench_now();
  for (unsigned i = 0; i < b->n; i++) r[i] = up_simplify(b->c[i], b->root[i], NULL);
  t->seconds += bench_now() - start;
  for (unsigned i = 0; i < b->n; i++) count_result(b->c[i], &r[i], t);
  b->n = 0;
}

static totals run_once(batch *b, const store *s) {
  totals t = {0};
  for (uint32_t i = 0; i < s->root.n; i++) {
    up_ctx *c = b->c[b->n];
    up_ctx_reset(c);
    b->root[b->n++] = up_copy(c, s->c, s->root.p[i]);
    if (b->n == BATCH || i + 1 == s->root.n) simplify_batch(b, &t);
  }
  return t;
}

/* Returns the number of rows that were not read. */
static uint64_t read_file(const char *path, store *s) {
  up_error err = {0};
  uint64_t unread = 0;
  fm_reader *r = fm_open(path, &err);
  if (r == NULL) bench_die(path, err.msg);
  fm_item item;
  for (int got; (got = fm_next(r, s->c, &item, &err)) != 0;) {
    if (got < 0) unread++;
    if (got < 0) continue;
    if (!up_list_push(&s->root, item.root)) bench_die(path, "no memory");
    fm_item_clear(&item);
  }
  fm_close(r);
  if (s->root.n == 0) bench_die(path, "no graph could be read");
  return unread;
}

static int by_seconds(const void *a, const void *b) {
  double x = ((const totals *)a)->seconds, y = ((const totals *)b)->seconds;
  return (x > y) - (x < y);
}

static totals measure(batch *b, const up_profile *p, const char *path, unsigned long repeat) {
  store s = {.c = up_ctx_new(p)};
  totals *t = calloc(repeat, sizeof *t), median;
  if (s.c == NULL || t == NULL) bench_die(path, "no memory");
  uint64_t unread = read_file(path, &s), nodes = 0;
  for (uint32_t i = 0; i < s.root.n; i++) nodes += up_count(s.c, s.root.p[i]);
  run_once(b, &s);
  for (unsigned long k = 0; k < repeat; k++) t[k] = run_once(b, &s);
  qsort(t, repeat, sizeof *t, by_seconds);
  median = t[repeat / 2];
  median.unread = unread;
  median.nodes = nodes;
  free(t);
  up_list_free(&s.root);
  up_ctx_free(s.c);
  return median;
}

static void print_totals(const char *path, const totals *t) {
  const char *base = strrchr(path, '/');
  printf("%s: %llu graphs, %.0f graphs/s, %.0f nodes/s, %.2f us a graph\n",
         base == NULL ? path : base + 1, (unsigned long long)t->graphs,
         (double)t->graphs / t->seconds, (double)t->nodes / t->seconds,
         1e6 * t->seconds / (double)t->graphs);
  printf("  %llu nodes before, %llu after, %llu rules applied; %llu raised, %llu at a limit, "
         "%llu rows not read\n",
         (unsigned long long)t->nodes, (unsigned long long)t->nodes_after,
         (unsigned long long)t->steps, (unsigned long long)t->raised, (unsigned long long)t->limits,
         (unsigned long long)t->unread);
}

int main(int argc, char **argv) {
  const char *profile = "v0.10.0";
  unsigned long repeat = 5;
  int first = 1;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
    if (strcmp(argv[first], "--profile") == 0)
      profile = argv[first + 1];
    else if (strcmp(argv[first], "--repeat") == 0)
      repeat = strtoul(argv[first + 1], NULL, 10);
    else
      bench_die(argv[first], "no such option");
  }
  if (first >= argc || repeat == 0 || repeat > 1000000)
    bench_die("usage", "simplify [--profile P] [--repeat N] FILE.jsonl[.gz]...");
  up_error err = {0};
  up_profile *p = up_profile_load(profile, &err);
  if (p == NULL) bench_die(profile, err.msg);
  batch b = {0};
  for (unsigned i = 0; i < BATCH; i++)
    if ((b.c[i] = up_ctx_new(p)) == NULL) bench_die("context", "no memory");
  for (int i = first; i < argc; i++) {
    totals t = measure(&b, p, argv[i], repeat);
    print_totals(argv[i], &t);
  }
  for (unsigned i = 0; i < BATCH; i++) up_ctx_free(b.c[i]);
  up_profile_free(p);
  return 0;
}
