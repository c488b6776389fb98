/* Bytes -> graph -> the solver in a process of its own and in this one: the same answers about values
 * and bounds, and none against all points where those are few. Where Z3 gives up cvc5 is asked, if it
 * is installed. What crosses between the processes crosses whole, or is refused; a child that ends
 * before it has answered is told, and is there no more. */
#include "fuzz/harness.h"
#include "fuzz/plain.h"
#include "oracle/solver.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define PLAIN_POINTS 128u
#define MOST_NODES 32u
#define SECONDS 60u

typedef struct checkers {
  or_checker *here, *there;
} checkers;

static or_checker *checker(uint32_t seconds) {
  or_limits l = or_limits_default();
  l.samples = 0;
  l.max_points = 0;
  l.solver_rlimit = 20000;
  l.solver_seconds = seconds;
  or_checker *k = or_checker_new(&l);
  fz_require(k != NULL, "memory");
  return k;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void require_same(up_ctx *c, const or_answer *x, const or_answer *y) {
  up_buf p = {0}, q = {0};
  if (x->verdict == OR_ERROR || y->verdict == OR_ERROR)
    fz_require(false, x->verdict == OR_ERROR ? x->reason : y->reason);
  fz_require(x->verdict == y->verdict, "the solver decides the same in its process");
  or_witness_put(c, &x->witness, &p);
  or_witness_put(c, &y->witness, &q);
  fz_require(p.len == q.len && memcmp(p.p, q.p, p.len) == 0, "with the same witness");
  up_buf_free(&p);
  up_buf_free(&q);
}

static void ask_values(const checkers *k, const fz_case *q, up_node b) {
  or_answer x = or_equiv(k->here, q->c, q->root, b, q->frame, NULL);
  or_answer y = or_equiv(k->there, q->c, q->root, b, q->frame, NULL);
  require_same(q->c, &x, &y);
  fz_truth is = fz_plain_equiv(q->c, q->root, b, q->frame, PLAIN_POINTS);
  fz_require(!(is == FZ_TRUE && x.verdict == OR_DIFFERS), "no difference where there is none");
  fz_require(!(is == FZ_FALSE && x.verdict == OR_PROVED), "nothing is proved that is false");
  or_answer_clear(&x);
  or_answer_clear(&y);
}

static void ask_bounds(const checkers *k, const fz_case *q) {
  or_answer x = or_bounds(k->here, q->c, q->root, q->frame);
  up_ctx_clear_status(q->c);
  or_answer y = or_bounds(k->there, q->c, q->root, q->frame);
  up_ctx_clear_status(q->c);
  require_same(q->c, &x, &y);
  or_answer_clear(&x);
  or_answer_clear(&y);
}

/* ---- what crosses ---------------------------------------------------------------------------- */

/* Reads what was damaged: nothing is said of it but that it is read within its bounds. */
static void read_damaged(const up_buf *bytes, uint64_t seed) {
  pr_program p = {0};
  pr_range *claim = NULL;
  sv_question q = {0};
  char *copy = malloc(bytes->len);
  fz_require(copy != NULL, "memory");
  memcpy(copy, bytes->p, bytes->len);
  /* mostly in the head, which says how much of what follows */
  size_t head = bytes->len < 48 ? bytes->len : 48, at = (size_t)(seed >> 8) % bytes->len;
  copy[seed % 4 ? at % head : at] ^= (char)(1u << (seed >> 2) % 8);
  sv_unpack(copy, bytes->len, &p, &claim, &q);
  free(claim);
  claim = NULL;
  fz_require(!sv_unpack(bytes->p, at, &p, &claim, &q), "half a question is refused");
  free(claim);
  pr_free(&p);
  free(copy);
}

static void require_crosses(up_ctx *c, up_node a, up_node b, or_frame f, uint64_t seed) {
  pr_program from = {0}, to = {0};
  pr_range *claim = NULL;
  up_buf bytes = {0}, again = {0};
  if (pr_build_pair(&from, c, a, b, f) == PR_OK) {
    sv_question q = {&from, NULL, from.nroot, seed % 2 == 0, 1000}, r;
    fz_require(sv_pack(&q, &bytes), "memory");
    fz_require(sv_unpack(bytes.p, bytes.len, &to, &claim, &r), "a question is read");
    fz_require(r.bits == q.bits && r.rlimit == q.rlimit, "as it was asked");
    fz_require(sv_pack(&r, &again), "memory");
    fz_require(bytes.len == again.len && memcmp(bytes.p, again.p, bytes.len) == 0,
               "a question crosses whole");
    read_damaged(&bytes, seed);
  }
  free(claim);
  up_buf_free(&bytes);
  up_buf_free(&again);
  pr_free(&from);
  pr_free(&to);
}

/* ---- the child ------------------------------------------------------------------------------- */

typedef enum manner { ECHO, KILLED, EXITS } manner;

static void serve(void *state, const char *data, size_t n, up_buf *reply) {
  const manner *m = state;
  if (*m == KILLED) raise(SIGKILL);
  if (*m == EXITS) _exit(3);
  up_buf_put(reply, data, n);
}

static void require_child(const uint8_t *data, size_t n, manner m) {
  sv_child child = {0};
  up_buf question = {0}, reply = {0};
  char why[120] = "";
  up_buf_put(&question, (const char *)data, n);
  sv_status s = sv_ask(&child, serve, &m, SECONDS, &question, &reply, why);
  if (m == ECHO) {
    fz_require(s == SV_OK && reply.len == n, "an answer crosses");
    fz_require(n == 0 || memcmp(reply.p, data, n) == 0, "byte for byte");
    fz_require(child.pid > 0, "its process waits for the next question");
  } else {
    fz_require(s == SV_DIED && child.pid == 0, "a process that ended is no more");
    fz_require(strstr(why, m == KILLED ? "signal 9" : "status 3") != NULL, "how it did is told");
  }
  sv_stop(&child);
  fz_require(child.pid == 0, "a process that is stopped is no more");
  up_buf_free(&question);
  up_buf_free(&reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  static checkers k;
  if (!k.here) k = (checkers){checker(0), checker(SECONDS)};
  fz_case q = fz_case_begin(&all, data, n);
  if (q.seed / 32 % 16 < 3) require_child(data, n, (manner)(q.seed / 32 % 16));
  up_dtype dt = up_dtype_of(q.c, q.root);
  if (!(up_dt_is_int(dt) || up_dt_is_bool(dt)) || up_count(q.c, q.root) > MOST_NODES) return 0;
  up_node b = up_const_int(q.c, dt, up_dt_is_bool(dt) ? 1 : (int64_t)(q.seed % 5));
  up_result r = up_simplify(q.c, q.root, NULL);
  if (r.status == UP_OK && q.seed / 8 % 2 == 0) b = r.node;
  require_crosses(q.c, q.root, b, q.frame, q.seed);
  if (q.seed / 16 % 2 == 0)
    ask_values(&k, &q, b);
  else
    ask_bounds(&k, &q);
  return 0;
}
