/* Are the engine's vmin and vmax true of every node, wherever it is defined? */
#include "checker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The end of a claim as a 128-bit integer that says the same of integers of at most 126 bits. */
static or_i128 claim_end(up_ctx *c, up_val v, bool upper) {
  or_i128 none = upper ? OR_I128_MAX : OR_I128_MIN;
  if (v.is_float) {
    double f = upper ? floor(v.f) : ceil(v.f);
    /* nan claims nothing; beyond 2^126 so much that a value can't tell */
    if (isnan(f)) return none;
    if (fabs(f) > 0x1p126) return f > 0 ? OR_I128_MAX : OR_I128_MIN;
    return (or_i128)f;
  }
  if (up_int_fits(v.i)) return v.i.lo;
  mpz_t m;
  mpz_init(m);
  up_int_to_mpz(c, v.i, m);
  or_i128 r;
  if (!or_i128_from_mpz(m, &r)) r = mpz_sgn(m) < 0 ? OR_I128_MIN : OR_I128_MAX;
  mpz_clear(m);
  return r;
}

static bool reserve(or_checker *k, uint32_t n) {
  if (n <= k->claim_cap) return true;
  pr_range *q = realloc(k->claim, n * sizeof *q);
  if (!q) return false;
  k->claim = q;
  k->claim_cap = n;
  return true;
}

/* False: the engine has no bounds for a node, *a says why. */
static bool collect(or_checker *k, up_ctx *c, const pr_program *p, or_answer *a) {
  if (!reserve(k, p->nroot)) {
    or_refuse(a, p, PR_NO_MEMORY);
    return false;
  }
  for (uint32_t i = 0; i < p->nroot; i++) {
    up_bounds b = up_minmax(c, p->root[i].node);
    if (up_ctx_status(c) != UP_OK) {
      a->verdict = OR_UNDECIDED;
      a->stage = "claim";
      snprintf(a->reason, sizeof a->reason, "vmin/vmax of node %u: %s", p->root[i].node.id,
               up_status_name(up_ctx_status(c)));
      up_ctx_clear_status(c);
      return false;
    }
    k->claim[i] = (pr_range){claim_end(c, b.lo, false), claim_end(c, b.hi, true)};
  }
  return true;
}

static bool all_settled(const pr_program *p, const pr_range *claim) {
  for (uint32_t i = 0; i < p->nroot; i++) {
    if (!pr_settled(p, claim, i)) return false;
  }
  return true;
}

static bool certified(or_checker *k, up_ctx *c, up_node root) {
  if (!k->certifier.bounds) return false;
  k->certifier.begin(k->certifier.arg);
  return k->certifier.bounds(k->certifier.arg, c, root);
}

or_answer or_bounds(or_checker *k, up_ctx *c, up_node root, or_frame f) {
  or_inquiry q = {.answer = {.verdict = OR_PROVED, .stage = "interval"}};
  if (f == OR_IDEAL && certified(k, c, root))
    return (or_answer){.verdict = OR_CERTIFIED, .stage = "certificate"};
  pr_program *p = &k->program;
  pr_status s = pr_build_all(p, c, root, f);
  if (s != PR_OK) {
    or_refuse(&q.answer, p, s);
    return q.answer;
  }
  if (p->vacuous) q.answer.stage = "vacuous";
  if (p->vacuous || !collect(k, c, p, &q.answer)) return q.answer;
  if (all_settled(p, k->claim)) return q.answer;
  q.task = (or_task){
      .k = k, .c = c, .a = root, .frame = f, .p = p, .claim = k->claim, .root_limit = p->nroot};
  or_cascade(&q, OR_FULL);
  return q.answer;
}
