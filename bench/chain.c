/* Chains of up to 1,000,000 nodes: time of each operation, bytes a node, and how time grows.
 *
 *   bench/chain [--profile P] [--check] [--max N]
 *
 * Two chains: `folds`, x + 1 + 1 + ..., which simplify makes one addition of, and `stays`,
 * ((x ^ y) + x ^ y) + x ..., on which no rule of a modelled release applies at any depth. With
 * --check the exit status is 1 when an operation grows faster than linearly or a node costs too
 * much memory.
 */
#include "bench/bench.h"
#include "engine/uop.h"
#include "oracle/oracle.h"
#include <string.h>

enum { SIZES = 4, OPERATIONS = 6 };
/* 1 is linear. What fits no cache any more costs more a node; n * n would be 2. */
static const double max_exponent = 1.35;
static const double max_bytes_a_node = 100;
static const char *const operation_name[OPERATIONS] = {"build", "bounds",     "simplify",
                                                       "print", "parse .uop", "evaluate"};

typedef up_node (*chain_fn)(up_ctx *c, uint32_t n);

static up_node var(up_ctx *c, const char *name) {
  return up_var(c, name, up_int_of(0), up_int_of(255), up_dt(UP_INT));
}

/* x + 1 + 1 + ...: n additions. */
static up_node chain_folds(up_ctx *c, uint32_t n) {
  up_node one = up_const_int(c, up_dt(UP_INT), 1), at = var(c, "x");
  for (uint32_t i = 0; i < n; i++) at = up_binary(c, UP_ADD, at, one);
  return at;
}

static up_node chain_stays(up_ctx *c, uint32_t n) {
  up_node x = var(c, "x"), y = var(c, "y"), at = x;
  for (uint32_t i = 0; i < n; i++)
    at = i % 2 ? up_binary(c, UP_ADD, at, x) : up_binary(c, UP_XOR, at, y);
  return at;
}

static void require_ok(const up_ctx *c, const char *what) {
  if (up_ctx_status(c) != UP_OK) bench_die(what, up_status_name(up_ctx_status(c)));
}

static double time_parse(const up_profile *p, const up_buf *text) {
  up_ctx *c = up_ctx_new(p);
  if (c == NULL) bench_die("parse", "no memory");
  up_node root;
  up_metas meta = {0};
  up_error err = {0};
  double start = bench_now();
  if (!up_parse_uop(c, text->p, text->len, &root, &meta, &err)) bench_die("parse", err.msg);
  double took = bench_now() - start;
  up_metas_free(&meta);
  up_ctx_free(c);
  return took;
}

static double time_evaluate(up_ctx *c, up_node root) {
  up_list vars = {0};
  if (!up_vars(c, root, &vars)) bench_die("evaluate", "no memory");
  or_witness at = {.n = vars.n, .var = vars.p, .value = calloc(vars.n, sizeof(mpz_t))};
  if (at.value == NULL) bench_die("evaluate", "no memory");
  for (uint32_t i = 0; i < vars.n; i++) mpz_init_set_si(at.value[i], 7);
  or_values values = {0};
  double start = bench_now();
  if (!or_eval(c, root, OR_WRAP, &at, &values)) bench_die("evaluate", "no memory");
  double took = bench_now() - start;
  if (values.def[values.n - 1] != OR_VALUE_OK) bench_die("evaluate", "the root has no value");
  or_values_clear(&values);
  or_witness_clear(&at);
  return took;
}

/* One run over all operations; each took[i] becomes the least seen. Returns bytes a node. */
static double run(const up_profile *p, chain_fn make, uint32_t n, double took[OPERATIONS]) {
  double now[OPERATIONS], start = bench_now();
  up_ctx *c = up_ctx_new(p);
  if (c == NULL) bench_die("build", "no memory");
  up_node root = make(c, n);
  now[0] = bench_now() - start;
  require_ok(c, "build");

  start = bench_now();
  up_minmax(c, root);
  now[1] = bench_now() - start;
  require_ok(c, "bounds");
  double bytes = (double)up_ctx_bytes(c) / up_ctx_node_count(c);

  up_buf text = {0};
  start = bench_now();
  up_print_uop(c, root, NULL, &text);
  now[3] = bench_now() - start;
  if (text.no_memory) bench_die("print", "no memory");
  now[4] = time_parse(p, &text);
  up_buf_free(&text);
  now[5] = time_evaluate(c, root);

  start = bench_now();
  up_result r = up_simplify(c, root, NULL);
  now[2] = bench_now() - start;
  if (r.status != UP_OK) bench_die("simplify", up_status_name(r.status));
  up_ctx_free(c);

  for (unsigned i = 0; i < OPERATIONS; i++)
    if (took[i] == 0 || now[i] < took[i]) took[i] = now[i];
  return bytes;
}

/* Measures one chain at every size and prints its table. True when it grew as it should. */
static bool measure(const up_profile *p, const char *name, chain_fn make, uint32_t max) {
  double size[SIZES], took[OPERATIONS][SIZES], bytes = 0;
  for (unsigned s = 0; s < SIZES; s++) {
    uint32_t n = max;
    for (unsigned k = s + 1; k < SIZES; k++) n /= 10;
    double best[OPERATIONS] = {0};
    /* Small chains are over in microseconds: the least of several runs is what they cost. */
    for (unsigned repeat = 0; repeat < (n < 100000 ? 7u : 2u); repeat++)
      bytes = run(p, make, n, best);
    size[s] = n;
    for (unsigned i = 0; i < OPERATIONS; i++) took[i][s] = best[i];
  }
  printf("chain `%s`, %.0f bytes a node with bounds\n", name, bytes);
  printf("  %-12s", "seconds at n");
  for (unsigned s = 0; s < SIZES; s++) printf(" %10.0f", size[s]);
  printf("   exponent\n");
  bool good = bytes < max_bytes_a_node;
  for (unsigned i = 0; i < OPERATIONS; i++) {
    double e = bench_exponent(size, took[i], SIZES);
    good = good && e <= max_exponent;
    printf("  %-12s", operation_name[i]);
    for (unsigned s = 0; s < SIZES; s++) printf(" %10.6f", took[i][s]);
    printf("   %.2f%s\n", e, e <= max_exponent ? "" : "  over");
  }
  return good;
}

int main(int argc, char **argv) {
  const char *profile = "v0.10.0";
  bool check = false;
  uint32_t max = 1000000;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--check") == 0)
      check = true;
    else if (strcmp(argv[i], "--profile") == 0 && i + 1 < argc)
      profile = argv[++i];
    else if (strcmp(argv[i], "--max") == 0 && i + 1 < argc)
      max = (uint32_t)strtoul(argv[++i], NULL, 10);
    else
      bench_die(argv[i], "usage: chain [--profile P] [--check] [--max N]");
  }
  if (max < 10000 || max > 100000000) bench_die("--max", "10,000 to 100,000,000");
  up_error err = {0};
  up_profile *p = up_profile_load(profile, &err);
  if (p == NULL) bench_die(profile, err.msg);
  bool folds = measure(p, "folds", chain_folds, max);
  bool stays = measure(p, "stays", chain_stays, max);
  up_profile_free(p);
  return check && !(folds && stays) ? 1 : 0;
}
