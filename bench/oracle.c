/* Speed of checking: how many graphs a second get a verdict, and which stage gives it, one core.
 *
 *   bench/oracle [--profile P] [--frame F] [--runs N] [--shape default|symbolic]
 *                [--boxes N] [FILE.jsonl[.gz]...]
 *
 * The graphs are those of the files and --runs random ones, of the shape that uproof fuzz has by
 * default, or of tinygrad's fuzz_symbolic.py. Timed is or_check, which simplifies the graph,
 * compares, and judges all bounds; not reading, decoding or reducing. --boxes: how many points a
 * second are enumerated, for some graphs of a few instructions in boxes of about N points, in lanes
 * and by compiled code (with the time that compiling takes).
 */
#include "bench/bench.h"
#include "formats/formats.h"
#include "fuzz/gen.h"
#include "oracle/oracle.h"
#include <string.h>

enum { MAX_STAGES = 16 };

typedef struct args {
  const char *profile;
  or_frame frame;
  uint64_t runs, boxes;
  bool symbolic;
} args;

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

static void run_random(or_checker *k, up_ctx *c, const args *a, totals *t) {
  fz_opts opts = fz_opts_default();
  uint8_t bytes[512];
  for (uint64_t i = 0; i < a->runs; i++) {
    up_ctx_reset(c);
    up_node root = a->symbolic
                       ? fz_symbolic(c, &opts, 1, i)
                       : fz_decode(c, &opts, bytes, fz_case_bytes(1, i, bytes, sizeof bytes));
    check_one(k, c, root, a->frame, t);
  }
}

/* ---- points a second ------------------------------------------------------------------------- */

typedef struct box_case {
  const char *name;
  up_op op;        /* on x and the divisor */
  int64_t scale;   /* of x: how many bits the values have */
  int64_t divisor; /* 0: the variable y */
} box_case;

/* s is x * scale + y. The pair: (s op d) * d + z and z - (-s op d) * d; of ADD: s * 37 + z and
 * s * 36 + (s + z). No compiler makes one of the other. */
static void box_pair(up_ctx *c, const box_case *b, int64_t side, up_node pair[2]) {
  up_dtype t = up_dt(UP_LONG);
  up_node x = up_var(c, "x", up_int_of(-side / 2), up_int_of(side - side / 2 - 1), t);
  up_node y = up_var(c, "y", up_int_of(1), up_int_of(side), t);
  up_node z = up_var(c, "z", up_int_of(0), up_int_of(side - 1), t);
  up_node s = up_binary(c, UP_ADD, up_binary(c, UP_MUL, x, up_const_int(c, t, b->scale)), y);
  if (b->op == UP_ADD) {
    up_node more = up_binary(c, UP_MUL, s, up_const_int(c, t, 36));
    pair[0] = up_binary(c, UP_ADD, up_binary(c, UP_MUL, s, up_const_int(c, t, 37)), z);
    pair[1] = up_binary(c, UP_ADD, more, up_binary(c, UP_ADD, s, z));
  } else {
    up_node d = b->divisor == 0 ? y : up_const_int(c, t, b->divisor);
    up_node there = up_binary(c, b->op, s, d),
            back = up_binary(c, b->op, up_unary(c, UP_NEG, s), d);
    pair[0] = up_binary(c, UP_ADD, up_binary(c, UP_MUL, there, d), z);
    pair[1] = up_binary(c, UP_SUB, z, up_binary(c, UP_MUL, back, d));
  }
}

static double box_seconds(or_checker *k, up_ctx *c, const box_case *b, int64_t side) {
  up_node pair[2];
  up_ctx_reset(c);
  box_pair(c, b, side, pair);
  double start = bench_now();
  or_answer r = or_equiv(k, c, pair[0], pair[1], OR_IDEAL, NULL);
  double took = bench_now() - start;
  if (r.verdict != OR_EXHAUSTED) bench_die(b->name, or_verdict_name(r.verdict));
  or_answer_clear(&r);
  return took;
}

/* jit_work 0: without compiled code. */
static or_checker *box_checker(uint64_t jit_work) {
  or_limits l = or_limits_default();
  l.solver_rlimit = 0;
  l.jit_work = jit_work;
  or_checker *k = or_checker_new(&l);
  if (k == NULL) bench_die("boxes", "no memory");
  return k;
}

static void run_boxes(up_ctx *c, uint64_t points) {
  static const box_case list[] = {{"add, mul; 32 bits", UP_ADD, 3, 0},
                                  {"// 7; 22 bits", UP_IDIV, 3, 7},
                                  {"% 7; 22 bits", UP_MOD, 3, 7},
                                  {"// 7; 31 bits", UP_IDIV, 300000, 7},
                                  {"// y; 22 bits", UP_IDIV, 3, 0},
                                  {"// y; 31 bits", UP_IDIV, 300000, 0},
                                  {"// 7; 50 bits", UP_IDIV, 1000000000000, 7},
                                  {"// y; 50 bits", UP_IDIV, 1000000000000, 0},
                                  {"add, mul; 76 bits", UP_ADD, 1000000000000000000, 0},
                                  {"// y; 70 bits", UP_IDIV, 1000000000000000000, 0}};
  or_checker *lanes = box_checker(0), *jit = box_checker(1);
  int64_t side = (int64_t)cbrt((double)points);
  double all = (double)side * (double)side * (double)side;
  for (unsigned i = 0; i < sizeof list / sizeof *list; i++) {
    double took = box_seconds(lanes, c, &list[i], side);
    printf("box %-20s %.0f points, lanes %.2f s, %.0f million points/s", list[i].name, all, took,
           1e-6 * all / took);
    if (or_jit_version() != NULL) {
      double compiled = box_seconds(jit, c, &list[i], side);
      printf("; compiled %.2f s, %.0f million points/s, %.1fx", compiled, 1e-6 * all / compiled,
             took / compiled);
    }
    printf("\n");
    fflush(stdout);
  }
  const or_jit_stats *s = or_checker_jit(jit);
  if (or_jit_version() != NULL && s->failed != 0) bench_die("compiled boxes", s->why);
  or_checker_free(lanes);
  or_checker_free(jit);
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
static int options(int argc, char **argv, args *a) {
  int i = 1;
  for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
    const char *value = argv[i + 1];
    if (strcmp(argv[i], "--profile") == 0)
      a->profile = value;
    else if (strcmp(argv[i], "--runs") == 0)
      a->runs = strtoull(value, NULL, 10);
    else if (strcmp(argv[i], "--boxes") == 0)
      a->boxes = strtoull(value, NULL, 10);
    else if (strcmp(argv[i], "--shape") == 0)
      a->symbolic = strcmp(value, "symbolic") == 0;
    else if (strcmp(argv[i], "--frame") != 0 || !or_frame_parse(value, &a->frame))
      bench_die(argv[i], "usage: oracle [--profile P] [--frame F] [--runs N] [--shape S] "
                         "[--boxes N] [FILE...]");
  }
  return i;
}

static void run_all(up_ctx *c, const args *a, int nfiles, char **file) {
  or_limits limits = or_limits_default();
  limits.solver_seconds = 0; /* the clock counts this process alone */
  or_checker *k = or_checker_new(&limits);
  if (k == NULL) bench_die("start", "no memory");
  for (int i = 0; i < nfiles; i++) {
    totals t = {0};
    const char *base = strrchr(file[i], '/');
    run_file(k, c, file[i], a->frame, &t);
    print_totals(base == NULL ? file[i] : base + 1, &t);
  }
  if (a->runs != 0) {
    totals t = {0};
    run_random(k, c, a, &t);
    print_totals(a->symbolic ? "symbolic" : "random", &t);
  }
  or_checker_free(k);
}

int main(int argc, char **argv) {
  args a = {.profile = "v0.10.0", .frame = OR_IDEAL, .runs = 20000};
  int first = options(argc, argv, &a);
  up_error err = {0};
  up_profile *p = up_profile_load(a.profile, &err);
  if (p == NULL) bench_die(a.profile, err.msg);
  up_ctx *c = up_ctx_new(p);
  if (c == NULL) bench_die("start", "no memory");
  run_all(c, &a, argc - first, argv + first);
  if (a.boxes != 0) run_boxes(c, a.boxes);
  up_ctx_free(c);
  up_profile_free(p);
  return 0;
}
