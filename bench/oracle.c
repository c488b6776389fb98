/* Speed of checking: how many graphs a second get a verdict, and which stage gives it, one core.
 *
 *   bench/oracle [--profile P] [--frame F] [--runs N] [FILE.jsonl[.gz]...]
 *
 * The graphs are those of the files and --runs random ones. Timed is or_check, which simplifies the
 * graph, compares, and judges all bounds; not reading, decoding or reducing.
 */
#include "bench/bench.h"
#include "formats/formats.h"
#include "fuzz/gen.h"
#include "oracle/oracle.h"
#include <string.h>

enum { MAX_STAGES = 16 };

typedef struct stage {
  const char *name; /* static text of the oracle */
  uint64_t graphs;
  double seconds;
} stage;

typedef struct totals {
  uint64_t graphs, findings, verdict[OR_VERDICT_COUNT];
  double seconds, slowest;
  stage stage[MAX_STAGES];
  unsigned nstages;
} totals;

static stage *stage_of(totals *t, const char *name) {
  for (unsigned i = 0; i < t->nstages; i++)
    if (strcmp(t->stage[i].name, name) == 0) return &t->stage[i];
  if (t->nstages == MAX_STAGES) bench_die(name, "more stages than this table holds");
  t->stage[t->nstages].name = name;
  return &t->stage[t->nstages++];
}

static void check_one(or_checker *k, up_ctx *c, up_node root, or_frame f, totals *t) {
  or_report r = {0};
  double start = bench_now();
  or_check(k, c, root, f, &r);
  double took = bench_now() - start;
  t->graphs++;
  t->seconds += took;
  t->findings += r.nfindings;
  t->verdict[r.verdict]++;
  if (took > t->slowest) t->slowest = took;
  stage *s = stage_of(t, r.stage != NULL ? r.stage : "none");
  s->graphs++;
  s->seconds += took;
  or_report_clear(&r);
}

static void run_file(or_checker *k, up_ctx *c, const char *path, or_frame f, totals *t) {
  up_error err = {0};
  fm_reader *r = fm_open(path, &err);
  if (r == NULL) bench_die(path, err.msg);
  fm_item item;
  for (int got; up_ctx_reset(c), (got = fm_next(r, c, &item, &err)) != 0;) {
    if (got < 0) bench_die(path, err.msg);
    check_one(k, c, item.root, f, t);
    fm_item_clear(&item);
  }
  fm_close(r);
}

static void run_random(or_checker *k, up_ctx *c, uint64_t runs, or_frame f, totals *t) {
  fz_opts opts = fz_opts_default();
  uint8_t bytes[512];
  for (uint64_t i = 0; i < runs; i++) {
    up_ctx_reset(c);
    up_node root = fz_decode(c, &opts, bytes, fz_case_bytes(1, i, bytes, sizeof bytes));
    check_one(k, c, root, f, t);
  }
}

static void print_totals(const char *name, const totals *t) {
  if (t->graphs == 0) bench_die(name, "no graph was checked");
  printf("%s: %llu graphs, %.0f graphs/s, %.1f us a graph, slowest %.1f ms, %llu findings\n", name,
         (unsigned long long)t->graphs, (double)t->graphs / t->seconds,
         1e6 * t->seconds / (double)t->graphs, 1e3 * t->slowest, (unsigned long long)t->findings);
  printf("  verdicts:");
  for (unsigned v = 0; v < OR_VERDICT_COUNT; v++)
    printf(" %llu %s%s", (unsigned long long)t->verdict[v], or_verdict_name((or_verdict)v),
           v + 1 < OR_VERDICT_COUNT ? "," : "\n");
  for (unsigned i = 0; i < t->nstages; i++)
    printf("  stage %-10s %8llu graphs %8.1f us each %5.1f %% of the time\n", t->stage[i].name,
           (unsigned long long)t->stage[i].graphs,
           1e6 * t->stage[i].seconds / (double)t->stage[i].graphs,
           100 * t->stage[i].seconds / t->seconds);
  fflush(stdout);
}

/* The options in front of the files; returns the number of the first file. */
static int options(int argc, char **argv, const char **profile, or_frame *frame, uint64_t *runs) {
  int i = 1;
  for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
    if (strcmp(argv[i], "--profile") == 0)
      *profile = argv[i + 1];
    else if (strcmp(argv[i], "--runs") == 0)
      *runs = strtoull(argv[i + 1], NULL, 10);
    else if (strcmp(argv[i], "--frame") != 0 || !or_frame_parse(argv[i + 1], frame))
      bench_die(argv[i], "usage: oracle [--profile P] [--frame F] [--runs N] [FILE...]");
  }
  return i;
}

int main(int argc, char **argv) {
  const char *profile = "v0.10.0";
  or_frame frame = OR_IDEAL;
  uint64_t runs = 20000;
  int first = options(argc, argv, &profile, &frame, &runs);
  up_error err = {0};
  up_profile *p = up_profile_load(profile, &err);
  if (p == NULL) bench_die(profile, err.msg);
  or_limits limits = or_limits_default();
  or_checker *k = or_checker_new(&limits);
  up_ctx *c = up_ctx_new(p);
  if (k == NULL || c == NULL) bench_die("start", "no memory");
  for (int i = first; i < argc; i++) {
    totals t = {0};
    const char *base = strrchr(argv[i], '/');
    run_file(k, c, argv[i], frame, &t);
    print_totals(base == NULL ? argv[i] : base + 1, &t);
  }
  if (runs != 0) {
    totals t = {0};
    run_random(k, c, runs, frame, &t);
    print_totals("random", &t);
  }
  up_ctx_free(c);
  or_checker_free(k);
  up_profile_free(p);
  return 0;
}
