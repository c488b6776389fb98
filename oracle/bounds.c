/* Are the engine's vmin and vmax true of every node, wherever it is defined? */
#include "checker.h"
#include "findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The end of a claim as an integer. False: it claims nothing. */
static bool exact_end(up_ctx *c, up_val v, bool upper, mpz_t out) {
  if (!v.is_float) {
    up_int_to_mpz(c, v.i, out);
    return true;
  }
  double f = upper ? floor(v.f) : ceil(v.f);
  if (!isfinite(f)) return false;
  mpz_set_d(out, f);
  return true;
}

/* The same in 128 bits; what does not fit is none, and ends beyond 126 bits are looked at apart. */
static or_i128 claim_end(up_ctx *c, up_val v, bool upper) {
  if (!v.is_float && up_int_fits(v.i)) return v.i.lo;
  or_i128 none = upper ? OR_I128_MAX : OR_I128_MIN, r;
  mpz_t m;
  mpz_init(m);
  bool claims = exact_end(c, v, upper, m);
  if (!claims)
    r = none;
  else if (!or_i128_from_mpz(m, &r))
    r = mpz_sgn(m) < 0 ? OR_I128_MIN : OR_I128_MAX;
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
      a->verdict = up_ctx_status(c) == UP_NO_MEMORY     ? OR_ERROR
                   : up_ctx_status(c) == UP_NOT_COVERED ? OR_UNSUPPORTED
                                                        : OR_UNDECIDED;
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

/* ---- ends beyond 126 bits -------------------------------------------------------------------- */

/* A claim that the question of all roots does not ask: its end and that of the root's interval are
 * both beyond 126 bits. */
typedef struct far_claim {
  uint32_t root;
  up_node node, beyond; /* beyond: "is the node's value beyond that end?" */
} far_claim;
typedef struct far_claims {
  far_claim *p;
  uint32_t n;
} far_claims;

static bool push_far(far_claims *all, far_claim one) {
  far_claim *q = realloc(all->p, (all->n + 1) * sizeof *q);
  if (!q) return false;
  all->p = q;
  q[all->n++] = one;
  return true;
}

/* One end of root i. False: no memory. */
static bool look_far(up_ctx *c, const pr_program *p, uint32_t i, bool upper, far_claims *all) {
  up_node n = p->root[i].node;
  up_bounds b = up_minmax(c, n);
  mpz_t lo, hi, end;
  mpz_inits(lo, hi, end, NULL);
  bool ok = true;
  if (exact_end(c, upper ? b.hi : b.lo, upper, end)) {
    bool known = pr_wide_ends(p, p->root[i].a, lo, hi);
    if (!known || (upper ? mpz_cmp(hi, end) > 0 : mpz_cmp(lo, end) < 0)) {
      up_node limit = up_const_like(c, n, up_int_from_mpz(c, end));
      up_node out = upper ? up_binary(c, UP_CMPLT, limit, n) : up_binary(c, UP_CMPLT, n, limit);
      ok = !up_is_none(out) && push_far(all, (far_claim){i, n, out});
    }
  }
  mpz_clears(lo, hi, end, NULL);
  return ok;
}

static bool far_out(or_i128 end, pr_range v) {
  return end == OR_I128_MIN ? v.lo == end : end == OR_I128_MAX && v.hi == end;
}

static bool find_far(or_checker *k, up_ctx *c, far_claims *all) {
  const pr_program *p = &k->program;
  bool ok = true;
  for (uint32_t i = 0; ok && i < p->nroot; i++) {
    pr_range v = p->ins[p->root[i].a].value, claim = k->claim[i];
    if (far_out(claim.lo, v)) ok = look_far(c, p, i, false, all);
    if (ok && far_out(claim.hi, v)) ok = look_far(c, p, i, true, all);
  }
  return ok;
}

/* The value that is beyond, instead of that it is. */
static void tell_far(up_ctx *c, or_frame f, up_node n, or_answer *a) {
  or_point at;
  a->node = n;
  or_claim_print(c, n, a->actual);
  if (!or_point_eval(c, n, f, &a->witness, &at)) return;
  or_point_print(&at, n, a->expected);
  or_point_clear(&at);
}

/* As questions of their own: "beyond" must be as false as that a value differs from itself. */
static void ask_far(or_checker *k, up_ctx *c, or_frame f, const far_claims *all, or_inquiry *q) {
  for (uint32_t i = 0; i < all->n && all->p[i].root < q->found; i++) {
    const far_claim *far = &all->p[i];
    up_node never = up_binary(c, UP_CMPNE, far->node, far->node);
    or_answer a = or_equiv_whole(k, c, far->beyond, never, f, OR_FULL);
    if (a.verdict == OR_DIFFERS) tell_far(c, f, far->node, &a);
    bool good = a.verdict == OR_PROVED || a.verdict == OR_EXHAUSTED;
    bool better = q->answer.verdict == OR_PROVED || q->answer.verdict == OR_EXHAUSTED;
    bool take = a.verdict == OR_DIFFERS || (!good && better);
    if (take) {
      or_answer_clear(&q->answer);
      q->answer = a;
    } else {
      or_answer_clear(&a);
    }
    if (q->answer.verdict == OR_DIFFERS) return;
  }
}

/* ---- claims apart ---------------------------------------------------------------------------- */

typedef struct nodes {
  up_node *p;
  uint32_t n;
} nodes;

/* Nodes of which interval analysis does not show the claim. False: no memory. */
static bool open_claims(const or_checker *k, nodes *out) {
  const pr_program *p = &k->program;
  *out = (nodes){calloc(p->nroot + 1, sizeof(up_node)), 0};
  for (uint32_t i = 0; out->p && i < p->nroot; i++) {
    bool seen = out->n > 0 && up_same(out->p[out->n - 1], p->root[i].node);
    if (!seen && !pr_settled(p, k->claim, i)) out->p[out->n++] = p->root[i].node;
  }
  return out->p != NULL;
}

/* Only the claim of the root, over the variables that it depends on. */
static or_answer ask_one(or_checker *k, up_ctx *c, up_node root, or_frame f) {
  or_inquiry q = {.answer = {.verdict = OR_PROVED, .stage = "interval"}, .found = BL_NONE};
  pr_program *p = &k->program;
  pr_status s = pr_build_all(p, c, root, f);
  if (s != PR_OK) or_refuse(&q.answer, p, s);
  if (s != PR_OK || p->vacuous || !collect(k, c, p, &q.answer)) return q.answer;
  for (uint32_t i = 0; i < p->nroot; i++) {
    if (!up_same(p->root[i].node, root)) k->claim[i] = (pr_range){OR_I128_MIN, OR_I128_MAX};
  }
  q.task = (or_task){
      .k = k, .c = c, .a = root, .frame = f, .p = p, .claim = k->claim, .root_limit = p->nroot};
  if (!all_settled(p, k->claim)) or_cascade(&q, OR_LIGHT | OR_HEAVY);
  return q.answer;
}

/* Does the claim of the node follow by intervals from claims that were shown? False, too, where the
 * program can't be built. */
static bool follows(or_checker *k, up_ctx *c, const or_task *whole, const nodes *shown, up_node n) {
  pr_program *p = &k->program;
  or_answer ignored = {0};
  if (pr_build_all(p, c, whole->a, whole->frame) != PR_OK || !collect(k, c, p, &ignored))
    return false;
  uint32_t at = 0;
  bool settled = true;
  for (uint32_t i = 0; i < p->nroot; i++) {
    bool known = at < shown->n && up_same(p->root[i].node, shown->p[at]);
    if (known) pr_narrow(p, p->root[i].a, k->claim[i]);
    if (known && (i + 1 == p->nroot || !up_same(p->root[i + 1].node, shown->p[at]))) at++;
    if (up_same(p->root[i].node, n)) settled &= pr_settled(p, k->claim, i);
  }
  return settled;
}

/* What the whole left open, claim by claim: each is about fewer variables, and of a small box every
 * point can be evaluated; others follow from those before them. The whole's answer stays unless all
 * hold, or one fails. */
static void ask_apart(or_checker *k, up_ctx *c, const or_task *t, const nodes *open,
                      or_answer *whole) {
  or_answer a = {.verdict = OR_UNDECIDED};
  for (uint32_t i = 0; i < open->n; i++) {
    nodes shown = {open->p, i};
    if (i > 0 && follows(k, c, t, &shown, open->p[i])) continue;
    or_answer_clear(&a);
    a = ask_one(k, c, open->p[i], t->frame);
    if (a.verdict != OR_PROVED && a.verdict != OR_EXHAUSTED) break;
  }
  if (a.verdict == OR_PROVED || a.verdict == OR_EXHAUSTED || a.verdict == OR_DIFFERS) {
    or_answer_clear(whole);
    *whole = a;
  } else {
    or_answer_clear(&a);
  }
}

/* cvc5 on the whole, whose program and claims are made again. */
static void ask_last(or_checker *k, up_ctx *c, or_inquiry *q) {
  or_answer before = q->answer;
  pr_program *p = &k->program;
  if (pr_build_all(p, c, q->task.a, q->task.frame) != PR_OK || !collect(k, c, p, &q->answer)) {
    q->answer = before;
    return;
  }
  q->task.claim = k->claim;
  q->task.root_limit = p->nroot;
  or_cascade(q, OR_LAST);
  if (q->answer.verdict == OR_UNDECIDED) q->answer = before;
}

/* All claims that are not settled. */
static void ask_all(or_checker *k, up_ctx *c, or_inquiry *q) {
  nodes open = {0};
  if (!open_claims(k, &open)) {
    or_refuse(&q->answer, q->task.p, PR_NO_MEMORY);
    return;
  }
  or_cascade(q, OR_LIGHT | OR_HEAVY);
  if (q->answer.verdict == OR_UNDECIDED) {
    if (open.n > 0) ask_apart(k, c, &q->task, &open, &q->answer);
    if (q->answer.verdict == OR_UNDECIDED) ask_last(k, c, q);
  }
  free(open.p);
}

or_answer or_bounds(or_checker *k, up_ctx *c, up_node root, or_frame f) {
  or_inquiry q = {.answer = {.verdict = OR_PROVED, .stage = "interval"}, .found = BL_NONE};
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
  far_claims far = {0};
  if (!find_far(k, c, &far)) {
    or_refuse(&q.answer, p, PR_NO_MEMORY);
  } else {
    q.task = (or_task){
        .k = k, .c = c, .a = root, .frame = f, .p = p, .claim = k->claim, .root_limit = p->nroot};
    if (!all_settled(p, k->claim)) ask_all(k, c, &q);
    ask_far(k, c, f, &far, &q);
  }
  free(far.p);
  return q.answer;
}
