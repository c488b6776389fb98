/* Bytes -> graph -> the exact range of every node, three ways: every point of the box, the solver, both
 * with a box for which it pays to guess first. Ends that are established are the same in all of them,
 * and the least and greatest value of the reference evaluator over all points where those are few. */
#include "fuzz/harness.h"
#include "fuzz/plain.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define PLAIN_POINTS 128u
#define MOST_NODES 24u
/* A box of millions of points takes a tenth of a second. */
#define LARGE_ONE_OF 16u
#define SOLVED_ONE_OF 4u
#define LARGE_POINTS (UINT64_C(1) << 21)

typedef struct checkers {
  or_checker *points, *solver, *large;
} checkers;

/* ---- by the reference evaluator -------------------------------------------------------------- */

static void see(or_ranges *r, up_ctx *c, up_node root, or_frame f, const or_witness *at) {
  or_values v = {0};
  fz_require(or_eval(c, root, f, at, &v), "memory");
  for (uint32_t i = 0; i < v.n; i++) {
    if (v.def[i] != OR_VALUE_OK) continue;
    for (uint32_t k = 0; k < r->n; k++) {
      or_range *x = &r->range[k];
      if (!up_same(x->node, v.node[i])) continue;
      if (!x->seen || mpz_cmp(v.value[i], x->lo) < 0) mpz_set(x->lo, v.value[i]);
      if (!x->seen || mpz_cmp(v.value[i], x->hi) > 0) mpz_set(x->hi, v.value[i]);
      x->seen = true;
    }
  }
  or_values_clear(&v);
}

/* ---- what must hold of two answers ----------------------------------------------------------- */

/* An end that is known holds for whatever was seen, and is the same where that is known, too. */
static void require_end(const or_range *known, const or_range *seen, bool upper) {
  const char *by = upper ? known->hi_by : known->lo_by, *other = upper ? seen->hi_by : seen->lo_by;
  if (!by || !seen->seen) return;
  fz_require(known->seen, "a node that is defined nowhere has no values");
  int beyond = upper ? mpz_cmp(seen->hi, known->hi) : mpz_cmp(known->lo, seen->lo);
  fz_require(beyond <= 0, "no value is beyond an exact end");
  fz_require(!other || beyond == 0, "an exact end is a value");
}

static void require_same(const or_ranges *x, const or_ranges *y) {
  fz_require(x->n == y->n, "every way has the same nodes");
  for (uint32_t i = 0; i < x->n; i++) {
    fz_require(up_same(x->range[i].node, y->range[i].node), "in the same order");
    for (int upper = 0; upper < 2; upper++) {
      require_end(&x->range[i], &y->range[i], upper);
      require_end(&y->range[i], &x->range[i], upper);
    }
    bool nowhere = x->range[i].lo_by && !x->range[i].seen, known = y->range[i].lo_by != NULL;
    fz_require(!nowhere || !known || !y->range[i].seen, "a node is defined somewhere or nowhere");
  }
}

static void require_plain(const or_ranges *x, up_ctx *c, up_node root, or_frame f) {
  fz_points p = {0};
  or_ranges plain = {.n = x->n, .range = calloc(x->n + 1u, sizeof *plain.range)};
  fz_require(plain.range != NULL, "memory");
  for (uint32_t i = 0; i < x->n; i++) {
    plain.range[i] = (or_range){.node = x->range[i].node, .lo_by = "plain", .hi_by = "plain"};
    mpz_inits(plain.range[i].lo, plain.range[i].hi, NULL);
  }
  if (fz_points_of(&p, c, root, PLAIN_POINTS)) {
    for (bool more = p.n > 0; more; more = fz_points_next(&p)) see(&plain, c, root, f, &p.at);
    require_same(x, &plain);
  }
  fz_points_free(&p);
  or_ranges_clear(&plain);
}

/* ---- the ways -------------------------------------------------------------------------------- */

static or_checker *checker(uint64_t points, uint32_t rlimit, uint64_t jit_work, uint32_t jobs) {
  or_limits l = or_limits_default();
  l.samples = 16;
  l.max_points = points;
  l.solver_rlimit = rlimit;
  l.solver_seconds = 0; /* in this process: what it does is what is fuzzed */
  l.jit_work = jit_work;
  l.jobs = jobs;
  or_checker *k = or_checker_new(&l);
  fz_require(k != NULL, "memory");
  return k;
}

static void require_like(const or_ranges *x, or_checker *k, const fz_case *q, bool all) {
  or_ranges y = {0};
  /* what one way has, another has */
  if (!or_exact(k, q->c, q->root, q->frame, all, &y)) fz_require(false, y.reason);
  require_same(x, &y);
  or_ranges_clear(&y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  static checkers k;
  if (!k.points)
    k = (checkers){checker(4096, 0, 0, 1), checker(0, 20000, 0, 1),
                   checker(2 * LARGE_POINTS, 2000, 1, 2)};
  fz_case q = fz_case_begin(&all, data, n);
  or_ranges x = {0};
  if (up_count(q.c, q.root) > MOST_NODES) return 0;
  bool every = q.seed % 2 == 0;
  if (or_exact(k.points, q.c, q.root, q.frame, every, &x)) {
    require_plain(&x, q.c, q.root, q.frame);
    if (q.seed / 2 % SOLVED_ONE_OF == 0) require_like(&x, k.solver, &q, every);
    if (q.seed / 16 % LARGE_ONE_OF == 0) require_like(&x, k.large, &q, every);
  }
  or_ranges_clear(&x);
  return 0;
}
