/* Speed of simplify over files of graphs, one core.
 *
 *   bench/simplify [--profile P] [--repeat N] FILE.jsonl[.gz]...
 *
 * Only up_simplify is timed: not reading, not building. Each graph has an empty context, so that
 * nothing is remembered from the one before. A graph on which the modelled engine raises counts
 * like any other and is reported.
 */
#include "bench/bench.h"
#include "engine/uop.h"
#include "formats/formats.h"
#include <string.h>

typedef struct totals {
  uint64_t graphs, nodes, nodes_after, steps, raised, limits, unread;
  double seconds, slowest;
} totals;

static void simplify_one(up_ctx *c, up_node root, totals *t) {
  t->nodes += up_count(c, root);
  double start = bench_now();
  up_result r = up_simplify(c, root, NULL);
  double took = bench_now() - start;
  t->graphs++;
  t->seconds += took;
  t->steps += r.steps;
  if (took > t->slowest) t->slowest = took;
  if (r.status == UP_OK)
    t->nodes_after += up_count(c, r.node);
  else if (up_status_raise(r.status) != NULL)
    t->raised++;
  else
    t->limits++;
}

static void run_file(up_ctx *c, const char *path, totals *t) {
  up_error err = {0};
  fm_reader *r = fm_open(path, &err);
  if (r == NULL) bench_die(path, err.msg);
  fm_item item;
  for (int got; up_ctx_reset(c), (got = fm_next(r, c, &item, &err)) != 0;) {
    if (got < 0) {
      t->unread++;
      continue;
    }
    simplify_one(c, item.root, t);
    fm_item_clear(&item);
  }
  fm_close(r);
}

static void print_totals(const char *path, const totals *t) {
  const char *base = strrchr(path, '/');
  printf("%s: %llu graphs, %.0f graphs/s, %.0f nodes/s, %.1f us a graph, slowest %.1f ms\n",
         base == NULL ? path : base + 1, (unsigned long long)t->graphs,
         (double)t->graphs / t->seconds, (double)t->nodes / t->seconds,
         1e6 * t->seconds / (double)t->graphs, 1e3 * t->slowest);
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
  up_ctx *c = up_ctx_new(p);
  if (c == NULL) bench_die("context", "no memory");
  for (int i = first; i < argc; i++) {
    totals t = {0};
    for (unsigned long k = 0; k < repeat; k++) run_file(c, argv[i], &t);
    if (t.graphs == 0) bench_die(argv[i], "no graph could be read");
    print_totals(argv[i], &t);
  }
  up_ctx_free(c);
  up_profile_free(p);
  return 0;
}
