/* Speed of simplify over files of graphs, one core.
 *
 *   bench/simplify [--profile P] [--repeat N] FILE.jsonl[.gz]...
 *
 * Only up_simplify is timed: not reading, not building. Each graph has a context to itself, so that
 * nothing is remembered from the one before. To read the clock costs as much as a small graph does:
 * it is read around BATCH graphs. A graph on which the modelled engine raises counts like any other
 * and is reported.
 */
#include "bench/bench.h"
#include "engine/uop.h"
#include "formats/formats.h"
#include <string.h>

enum { BATCH = 16 };

typedef struct totals {
  uint64_t graphs, nodes, nodes_after, steps, raised, limits, unread;
  double seconds;
} totals;

/* Contexts of graphs that were read and not simplified yet. */
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
  for (unsigned i = 0; i < b->n; i++) t->nodes += up_count(b->c[i], b->root[i]);
  double start = bench_now();
  for (unsigned i = 0; i < b->n; i++) r[i] = up_simplify(b->c[i], b->root[i], NULL);
  t->seconds += bench_now() - start;
  for (unsigned i = 0; i < b->n; i++) count_result(b->c[i], &r[i], t);
  b->n = 0;
}

static void run_file(batch *b, const char *path, totals *t) {
  up_error err = {0};
  fm_reader *r = fm_open(path, &err);
  if (r == NULL) bench_die(path, err.msg);
  fm_item item;
  for (int got = 1; got != 0;) {
    up_ctx_reset(b->c[b->n]);
    got = fm_next(r, b->c[b->n], &item, &err);
    if (got < 0) t->unread++;
    if (got > 0) {
      b->root[b->n++] = item.root;
      fm_item_clear(&item);
    }
    if (b->n == BATCH || got == 0) simplify_batch(b, t);
  }
  fm_close(r);
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
  unsigned long repeat = 1;
  int first = 1;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
    if (strcmp(argv[first], "--profile") == 0)
      profile = argv[first + 1];
    else if (strcmp(argv[first], "--repeat") == 0)
      repeat = strtoul(argv[first + 1], NULL, 10);
    else
      bench_die(argv[first], "no such option");
  }
  if (first >= argc || repeat == 0)
    bench_die("usage", "simplify [--profile P] [--repeat N] FILE.jsonl[.gz]...");
  up_error err = {0};
  up_profile *p = up_profile_load(profile, &err);
  if (p == NULL) bench_die(profile, err.msg);
  batch b = {0};
  for (unsigned i = 0; i < BATCH; i++)
    if ((b.c[i] = up_ctx_new(p)) == NULL) bench_die("context", "no memory");
  for (int i = first; i < argc; i++) {
    totals t = {0};
    for (unsigned long k = 0; k < repeat; k++) run_file(&b, argv[i], &t);
    if (t.graphs == 0) bench_die(argv[i], "no graph could be read");
    print_totals(argv[i], &t);
  }
  for (unsigned i = 0; i < BATCH; i++) up_ctx_free(b.c[i]);
  up_profile_free(p);
  return 0;
}
