/* Bytes -> graph -> the block evaluator at many points at once against the reference evaluator at
 * each: does the root differ from one of its own values there? The wide lanes of one graph are
 * compared, the narrow ones of another: the graph's intervals choose. For some inputs compiled code
 * is asked too, where there is LLVM. */
#include "fuzz/harness.h"
#include "oracle/block.h"
#include "oracle/jit.h"
#include "oracle/program.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define POINTS 16u
#define VARIABLES 16u
/* Compiling takes milliseconds. */
#define COMPILED_ONE_OF 32u

typedef struct question {
  up_ctx *c;
  up_node a, b;
  or_frame frame;
  pr_program program;
  bl_machine machine;
  bool compile;
  or_i128 at[POINTS][VARIABLES]; /* values of the variables */
} question;

static or_i128 pick(pr_range r, fz_rng *rng) {
  or_i128 size = r.hi - r.lo; /* domains are those of dtypes: no overflow */
  uint64_t w = fz_next(rng);
  if (w % 4 == 0) return r.lo;
  if (w % 4 == 1) return r.hi;
  return r.lo + (or_i128)(w >> 2) % (size + 1);
}

/* The reference evaluator's word: at point i, a has a value and b not the same. */
static bool differs(const question *q, uint32_t i) {
  or_witness w = {0};
  or_values v = {0};
  mpz_t a;
  fz_require(pr_witness_init(&q->program, &w), "memory");
  for (uint32_t k = 0; k < q->program.nvar; k++) or_i128_to_mpz(q->at[i][k], w.value[k]);
  mpz_init(a);
  fz_require(or_eval(q->c, q->a, q->frame, &w, &v) && v.n > 0, "memory");
  bool defined = v.def[v.n - 1] == OR_VALUE_OK;
  if (defined) mpz_set(a, v.value[v.n - 1]);
  or_values_clear(&v);
  fz_require(or_eval(q->c, q->b, q->frame, &w, &v) && v.n > 0, "memory");
  bool same = v.def[v.n - 1] == OR_VALUE_OK && mpz_cmp(a, v.value[v.n - 1]) == 0;
  or_values_clear(&v);
  or_witness_clear(&w);
  mpz_clear(a);
  return defined && !same;
}

static void store(unsigned char *at, unsigned width, or_i128 v) {
  int32_t narrow = (int32_t)v;
  int64_t middle = (int64_t)v;
  memcpy(at, width == 4 ? (void *)&narrow : width == 8 ? (void *)&middle : (void *)&v, width);
}

/* The answers of compiled code, a point a call, for a choice of what is a row of lanes. */
static void ask_compiled(const question *q, fz_rng *rng, bool failed[POINTS]) {
  const pr_program *p = &q->program;
  _Alignas(64) unsigned char rows[VARIABLES][JIT_LANES * sizeof(or_i128)], value[VARIABLES * 16];
  unsigned width = q->machine.width;
  uint64_t choice = fz_next(rng);
  uint32_t row[VARIABLES];
  char why[JIT_WHY];
  jit_code code;
  for (uint32_t v = 0; v < p->nvar; v++) row[v] = choice >> v & 1 ? v : BL_NONE;
  jit_plan plan = {.p = p, .root_limit = 1, .row = row, .step = 1, .length = JIT_LANES};
  fz_require(jit_compile(&plan, &code, why), "what has lanes is compiled");
  for (uint32_t i = 0; i < POINTS; i++) {
    for (uint32_t v = 0; v < p->nvar; v++) {
      for (uint32_t k = 0; k < JIT_LANES; k++)
        store((unsigned char *)rows + (v * JIT_LANES + k) * width, width, q->at[i][v]);
      store(value + v * width, width, v == plan.base && row[v] != BL_NONE ? 0 : q->at[i][v]);
    }
    failed[i] = code.run(rows, value, 1) == 0;
  }
  jit_free(&code);
}

static void ask(question *q, fz_rng *rng) {
  pr_program *p = &q->program;
  if (pr_build_pair(p, q->c, q->a, q->b, q->frame) != PR_OK) return;
  if (p->vacuous || p->nassume || p->nroot != 1 || p->nvar > VARIABLES) return;
  if (bl_prepare(&q->machine, p, NULL, POINTS) != BL_OK) return;
  for (uint32_t k = 0; k < p->nvar; k++) {
    pr_range domain = p->var[k].domain;
    for (uint32_t i = 0; i < POINTS; i++) {
      q->at[i][k] = pick(domain, rng);
      bl_fill(&q->machine, k, i, 1, q->at[i][k], 1);
    }
  }
  q->machine.root_limit = p->nroot;
  bl_run(&q->machine, POINTS);
  bool failed[POINTS], compile = q->compile && p->nvar > 0 && or_jit_version() != NULL;
  if (compile) ask_compiled(q, rng, failed);
  for (uint32_t i = 0; i < POINTS; i++) {
    bool want = differs(q, i);
    fz_require((q->machine.fail[i] != BL_NONE) == want,
               "block evaluator and reference evaluator agree at a point");
    fz_require(!compile || failed[i] == want,
               "compiled code and reference evaluator agree at a point");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_case k = fz_case_begin(&all, data, n);
  fz_rng rng = {k.seed};
  up_dtype dt = up_dtype_of(k.c, k.root);
  if (up_dt_count(dt) != 1 || !(up_dt_is_int(dt) || up_dt_is_bool(dt))) return 0;
  question q = {.c = k.c, .a = k.root, .frame = k.frame};
  q.compile = k.seed % COMPILED_ONE_OF == 0;
  /* against a constant, which some points have as value, and against what it simplifies to */
  int64_t v = up_dt_is_bool(dt) ? (int64_t)(k.seed % 2) : (int64_t)(k.seed % 9) - 2;
  if (up_dt_is_unsigned(dt) && v < 0) v = 0;
  q.b = up_const_int(k.c, dt, v);
  ask(&q, &rng);
  up_result r = up_simplify(k.c, k.root, NULL);
  if (r.status == UP_OK && up_dtype_of(k.c, r.node) == dt) {
    q.b = r.node;
    ask(&q, &rng);
  }
  bl_free(&q.machine);
  pr_free(&q.program);
  return 0;
}
