/* Bytes -> graph -> is it equal to its simplification, and to a constant: by enumeration of all
 * points, and by Z3 alone. They may not contradict each other. Slow: a few hundred a second. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

typedef struct checkers {
  or_checker *points, *solver;
} checkers;

static or_checker *checker(uint32_t samples, uint64_t points, uint32_t rlimit) {
  or_limits l = or_limits_default();
  l.samples = samples;
  l.max_points = points;
  l.solver_rlimit = rlimit;
  l.z3_alone = true;
  l.solver_seconds = 0; /* in this process: what it does is what is fuzzed */
  or_checker *k = or_checker_new(&l);
  fz_require(k != NULL, "memory");
  return k;
}

static void require_one_answer(const checkers *k, up_ctx *c, up_node a, up_node b, or_frame f) {
  or_answer all = or_equiv(k->points, c, a, b, f, NULL);
  or_answer z3 = or_equiv(k->solver, c, a, b, f, NULL);
  if (all.verdict == OR_ERROR) fz_require(false, all.reason);
  bool equal = all.verdict == OR_EXHAUSTED || all.verdict == OR_PROVED;
  bool differ = all.verdict == OR_DIFFERS;
  fz_require(!(equal && z3.verdict == OR_DIFFERS), "Z3 finds no difference where there is none");
  fz_require(!(differ && z3.verdict == OR_PROVED), "Z3 proves nothing that is false");
  or_answer_clear(&all);
  or_answer_clear(&z3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  static checkers k;
  if (!k.points) k = (checkers){checker(4, 4096, 0), checker(0, 0, 60000)};
  fz_case x = fz_case_begin(&all, data, n);
  up_dtype dt = up_dtype_of(x.c, x.root);
  if (!(up_dt_is_int(dt) || up_dt_is_bool(dt)) || up_count(x.c, x.root) > 48) return 0;
  up_result r = up_simplify(x.c, x.root, NULL);
  if (r.status == UP_OK) require_one_answer(&k, x.c, x.root, r.node, x.frame);
  up_node other = up_const_int(x.c, dt, up_dt_is_bool(dt) ? 1 : (int64_t)(x.seed % 5));
  require_one_answer(&k, x.c, x.root, other, x.frame);
  return 0;
}
