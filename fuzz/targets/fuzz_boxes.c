/* Bytes -> graph -> all points of a box, by lanes, by compiled code, and shared among processes: the
 * same answer with the same witness, about values (against its simplification and a constant) and about
 * bounds; and the answer of the reference evaluator where the points are few. */
#include "fuzz/harness.h"
#include "fuzz/plain.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define PLAIN_POINTS 128u
#define MOST_NODES 40u
#define SMALL (UINT64_C(1) << 14)
/* Only boxes of so many points are shared; they take a while. */
#define LARGE (UINT64_C(1) << 23)
#define SHARED_ONE_OF 32u
/* Compiling takes milliseconds. */
#define COMPILED_ONE_OF 8u

typedef enum way { LANES, COMPILED, MANY, MANY_SHARED, WAYS } way;

static or_checker *checker_of(way w) {
  or_limits l = or_limits_default();
  l.max_points = l.at_once = w < MANY ? SMALL : LARGE;
  l.solver_rlimit = 0;
  l.jit_work = w == COMPILED ? 1 : 0;
  l.jobs = w == MANY_SHARED ? 3 : 1;
  or_checker *k = or_checker_new(&l);
  fz_require(k != NULL, "memory");
  return k;
}

/* b UP_NONE: the bounds of the root are asked about. */
static or_answer ask(or_checker *k, const fz_case *q, up_node b) {
  if (!up_is_none(b)) return or_equiv(k, q->c, q->root, b, q->frame, NULL);
  or_answer a = or_bounds(k, q->c, q->root, q->frame);
  up_ctx_clear_status(q->c);
  return a;
}

static void require_same(up_ctx *c, const or_answer *x, const or_answer *y) {
  up_buf p = {0}, q = {0};
  fz_require(x->verdict == y->verdict, "every way through a box ends alike");
  fz_require(up_same(x->node, y->node), "at the same node");
  or_witness_put(c, &x->witness, &p);
  or_witness_put(c, &y->witness, &q);
  fz_require(p.len == q.len && memcmp(p.p, q.p, p.len) == 0, "at the same point");
  fz_require(strcmp(x->expected, y->expected) == 0 && strcmp(x->actual, y->actual) == 0,
             "with the same values");
  up_buf_free(&p);
  up_buf_free(&q);
}

static void require_plain(const or_answer *x, const fz_case *q, up_node b) {
  fz_truth is = fz_plain_equiv(q->c, q->root, b, q->frame, PLAIN_POINTS);
  fz_require(!(is == FZ_TRUE && x->verdict == OR_DIFFERS), "no difference where there is none");
  fz_require(!(is == FZ_FALSE && x->verdict == OR_EXHAUSTED), "each difference is found");
}

static void ask_all(or_checker *k[WAYS], const fz_case *q, up_node b, bool compile, bool share) {
  or_answer x = ask(k[share ? MANY : LANES], q, b);
  if (x.verdict == OR_ERROR) fz_require(false, x.reason);
  if (!up_is_none(b)) require_plain(&x, q, b);
  if (compile || share) {
    or_answer y = ask(k[share ? MANY_SHARED : COMPILED], q, b);
    require_same(q->c, &x, &y);
    or_answer_clear(&y);
  }
  or_answer_clear(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  static or_checker *k[WAYS];
  for (way w = LANES; w < WAYS; w++)
    if (!k[w]) k[w] = checker_of(w);
  fz_case q = fz_case_begin(&all, data, n);
  up_dtype dt = up_dtype_of(q.c, q.root);
  if (!(up_dt_is_int(dt) || up_dt_is_bool(dt)) || up_count(q.c, q.root) > MOST_NODES) return 0;
  bool compile = q.seed % COMPILED_ONE_OF == 0, share = q.seed / 8 % SHARED_ONE_OF == 0;
  up_node b = up_const_int(q.c, dt, up_dt_is_bool(dt) ? 1 : (int64_t)(q.seed / 256 % 5));
  ask_all(k, &q, b, compile, share);
  up_result r = up_simplify(q.c, q.root, NULL);
  if (r.status == UP_OK) ask_all(k, &q, r.node, compile, share);
  ask_all(k, &q, UP_NONE, compile, share);
  return 0;
}
