/* Bytes -> graph -> its simplification, step by step, before the checker of certificates, in ideal.
 * What it certifies is right at all points of a small box by the reference evaluator: each step, each
 * step with another node put in its place or another rule named, and all bounds. A trace that is
 * certified is proved. */
#include "fuzz/harness.h"
#include "fuzz/plain.h"
#include "proofs/certify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define POINTS 48u
#define MOST_STEPS 12u
#define PROFILES 8u

static pf_certifier *certifier_of(const up_profile *p, unsigned i) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static pf_certifier *of[PROFILES];
  up_error err = {0};
  if (!of[i]) of[i] = pf_certifier_committed(p, &err);
  if (!of[i]) fz_require(false, err.msg);
  pf_certifier_forget(of[i]);
  return of[i];
}

static bool right(up_ctx *c, const up_step *s) {
  return fz_plain_equiv(c, s->before, s->after, OR_IDEAL, POINTS) != FZ_FALSE;
}

static void require_step(pf_certifier *k, up_ctx *c, const up_step *s) {
  bool certified = pf_certify_step(k, c, s);
  up_ctx_clear_status(c);
  fz_require(!certified || right(c, s), "a step that is certified is right");
}

/* A step that nobody took. */
static void require_changed(pf_certifier *k, const fz_case *q, const up_list *topo, up_step s,
                            fz_rng *r) {
  up_node other = topo->p[fz_next(r) % topo->n];
  if (fz_next(r) % 4 == 0) {
    s.rule = (int)(fz_next(r) % up_rule_count(up_ctx_profile(q->c)));
  } else if (fz_next(r) % 4 == 0) {
    s.after = up_const_like(q->c, s.before, up_int_of((int64_t)(fz_next(r) % 9) - 4));
  } else if (up_dtype_of(q->c, other) == up_dtype_of(q->c, s.before)) {
    s.after = other;
  }
  if (up_ctx_status(q->c) == UP_OK) require_step(k, q->c, &s);
  up_ctx_clear_status(q->c);
}

static void require_claims(pf_certifier *k, const fz_case *q) {
  bool certified = pf_certify_bounds(k, q->c, q->root);
  up_ctx_clear_status(q->c);
  if (!certified) return;
  or_answer a = or_bounds(fz_harness_checker(q->h), q->c, q->root, OR_IDEAL);
  fz_require(a.verdict != OR_DIFFERS, "bounds that are certified hold");
  or_answer_clear(&a);
}

static void require_trace(pf_certifier *k, const fz_case *q, const up_result *r,
                          const up_trace *t) {
  or_certifier hooks = pf_certifier_hooks(k);
  or_checker *checker = fz_harness_checker(q->h);
  or_checker_certify(checker, &hooks);
  or_answer a = or_equiv(checker, q->c, q->root, r->node, OR_IDEAL, t);
  or_checker_certify(checker, NULL);
  if (a.verdict == OR_CERTIFIED || a.verdict == OR_PROVED)
    fz_require(fz_plain_equiv(q->c, q->root, r->node, OR_IDEAL, POINTS) != FZ_FALSE,
               "a trace that is certified is right");
  or_answer_clear(&a);
  up_ctx_clear_status(q->c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_case q = fz_case_begin(&all, data, n);
  pf_certifier *k = certifier_of(up_ctx_profile(q.c), q.profile);
  up_trace t = {0};
  up_list topo = {0};
  fz_rng r = {q.seed};
  up_result end = up_rewrite(q.c, q.root, up_ctx_rules(q.c), 2000, &t, NULL);
  fz_require(!t.no_memory && up_toposort(q.c, q.root, &topo), "memory");
  for (uint32_t i = 0; i < t.n && i < MOST_STEPS; i++) {
    require_step(k, q.c, &t.step[i]);
    require_changed(k, &q, &topo, t.step[i], &r);
  }
  require_claims(k, &q);
  if (end.status == UP_OK) require_trace(k, &q, &end, &t);
  up_list_free(&topo);
  up_trace_free(&t);
  return 0;
}
