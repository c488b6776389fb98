/* Rules that an earlier rule of their set leaves nothing to: certain cases only. */
#include "rulebook.h"

/* Does every node that q matches match p too? The names of p stand for nodes of q: for one with a
 * name, or for one place in q. */
typedef struct embedding {
  const patbook *b;
  uint32_t node[PAT_MAX_SLOTS]; /* what a name of p stands for; 0: nothing yet */
  bool linear;                  /* no name of p is asked for twice: they may stand for anything */
} embedding;

static bool covers(embedding *e, pat_id p, pat_id q);

/* The node that q matches: its name, else the place itself. */
static uint32_t node_of(const patbook *b, pat_id q) {
  int8_t slot = pat_at(b, q)->slot;
  return slot >= 0 ? (uint32_t)slot + 1 : PAT_MAX_SLOTS + 1 + q;
}

static bool covers_dtypes(dtset p, dtset q) {
  if (q.negated && !p.negated) return false; /* pointers */
  for (unsigned s = 0; s < UP_SCALAR_COUNT; s++) {
    up_dtype d = up_dt((enum up_scalar)s);
    if (dtset_has(q, d) && !dtset_has(p, d)) return false;
  }
  return true;
}

static bool covers_value(const pat *p, const pat *q) {
  if (!p->has_value) return true;
  if (!q->has_value || p->value.is_float != q->value.is_float) return false;
  return p->value.is_float ? p->value.f == q->value.f : up_int_eq(p->value.i, q->value.i);
}

/* Kid order[i] of p covers kid i of q, for each kid of p. */
static bool covers_kids(embedding *e, const pat *p, const pat *q, const uint8_t *order) {
  embedding before = *e;
  for (uint32_t i = 0; i < p->nkid; i++) {
    pat_id pk = e->b->kid[p->kid + order[i]], qk = e->b->kid[q->kid + i];
    if (covers(e, pk, qk)) continue;
    *e = before;
    return false;
  }
  return true;
}

static bool covers_in_some_order(embedding *e, const pat *p, const pat *q) {
  uint8_t order[PAT_MAX_KIDS];
  for (uint8_t i = 0; i < PAT_MAX_KIDS; i++) order[i] = i;
  do
    if (covers_kids(e, p, q, order)) return true;
  while (p->src == SRC_PERMUTED && p->nkid > 1 && pat_next_order(order, p->nkid));
  return false;
}

static bool is_counted(const pat *p) { return p->src == SRC_ORDERED || p->src == SRC_PERMUTED; }

static bool has_names(const patbook *b, const pat *p) {
  bool named = p->slot >= 0;
  for (uint32_t i = 0; i < p->nkid && !named; i++) named = has_names(b, pat_kid(b, p, i));
  return named;
}

/* Is every name asked for once? One in a loop is asked for by each source. */
static bool is_linear(const patbook *b, const pat *p, bool loop, uint32_t *seen) {
  if (p->slot >= 0) {
    if (loop || ((*seen >> p->slot) & 1)) return false;
    *seen |= UINT32_C(1) << p->slot;
  }
  for (uint32_t i = 0; i < p->nkid; i++)
    if (!is_linear(b, pat_kid(b, p, i), loop || p->src == SRC_REPEAT, seen)) return false;
  return true;
}

/* The kids of p cover the first kids of q in whatever order q has them. */
static bool covers_every_order(embedding *e, const pat *p, const pat *q) {
  for (uint32_t i = 0; i < p->nkid; i++)
    for (uint32_t k = 0; k < q->nkid; k++)
      if (!covers(e, e->b->kid[p->kid + i], e->b->kid[q->kid + k])) return false;
  return true;
}

/* Both ask for their sources one by one. */
static bool covers_counted(embedding *e, const pat *p, const pat *q) {
  if (p->any_len ? p->nkid > q->nkid : q->any_len || p->nkid != q->nkid) return false;
  if (q->src == SRC_PERMUTED && p->src != SRC_PERMUTED)
    return e->linear && covers_every_order(e, p, q);
  return covers_in_some_order(e, p, q);
}

static bool covers_sources(embedding *e, const pat *p, const pat *q) {
  if (p->src == SRC_FREE || (is_counted(p) && p->any_len && p->nkid == 0)) return true;
  if (is_counted(p)) return is_counted(q) && covers_counted(e, p, q);
  /* repeated: the names of a loop stand for many nodes, which is left alone */
  assert(p->src == SRC_REPEAT);
  pat_id each = e->b->kid[p->kid];
  if (has_names(e->b, pat_at(e->b, each))) return false;
  if (q->src == SRC_REPEAT) return covers(e, each, e->b->kid[q->kid]);
  if (!is_counted(q) || q->any_len) return false;
  for (uint32_t i = 0; i < q->nkid; i++)
    if (!covers(e, each, e->b->kid[q->kid + i])) return false;
  return true;
}

static bool covers_any(embedding *e, pat_id p, pat_id q) {
  const pat *a = pat_at(e->b, p), *b = pat_at(e->b, q);
  if (b->src == SRC_ANY_OF) {
    /* names of p would stand for other nodes in each alternative */
    bool all = e->linear || !has_names(e->b, a);
    for (uint32_t i = 0; i < b->nkid && all; i++) all = covers(e, p, e->b->kid[b->kid + i]);
    return all;
  }
  embedding before = *e;
  for (uint32_t i = 0; i < a->nkid; i++) {
    if (covers(e, e->b->kid[a->kid + i], q)) return true;
    *e = before;
  }
  return false;
}

static bool binds(embedding *e, const pat *p, pat_id q) {
  if (p->slot < 0 || e->linear) return true;
  uint32_t place = node_of(e->b, q), *bound = &e->node[p->slot];
  if (*bound == 0) *bound = place;
  return *bound == place;
}

static bool covers(embedding *e, pat_id p, pat_id q) {
  const pat *a = pat_at(e->b, p), *b = pat_at(e->b, q);
  if (!opset_subset(&b->ops, &a->ops) || !covers_dtypes(a->dt, b->dt) || !covers_value(a, b))
    return false;
  if (!binds(e, a, q)) return false;
  if (a->src == SRC_ANY_OF || (b->src == SRC_ANY_OF && a->src != SRC_FREE))
    return covers_any(e, p, q);
  return covers_sources(e, a, b);
}

/* ---- rules that always apply ---------------------------------------------------------------- */

/* Can a function find that the rule does not apply? */
static bool may_fail(const exprbook *x, expr_id id) {
  const expr *e = expr_at(x, id);
  bool fails = e->op == EX_VAR_MIN || e->op == EX_VAR_MAX || e->op == EX_SPECIAL_SIZE ||
               e->op == EX_SRC_VMIN || e->op == EX_SRC_VMAX;
  for (unsigned i = 0; i < expr_kids(e) && !fails; i++) fails = may_fail(x, e->kid[i]);
  return fails;
}

static bool may_decline(const rulebook *b, build_id id) {
  const build *v = build_at(&b->builds, id);
  bool may = v->kind == BUILD_NATIVE || (v->kind == BUILD_CONST && may_fail(&b->exprs, v->expr));
  for (uint32_t i = 0; i < v->nkid && !may; i++) may = may_decline(b, b->builds.kid[v->kid + i]);
  return may;
}

/* Is what the rule makes another node than the one it was given? A release may pass over a rule
 * that gives its node back. */
static bool makes_another(const rulebook *b, const rule *r) {
  const build *v = build_at(&b->builds, r->rhs);
  const pat *p = pat_at(&b->pats, r->pat);
  const opset *root = &p->ops;
  switch ((build_kind)v->kind) {
  case BUILD_SLOT: return v->slot != p->slot;
  case BUILD_CONST: return !opset_has(root, UP_CONST) && !opset_has(root, UP_VCONST);
  case BUILD_ALU:
  case BUILD_NEW: return !opset_has(root, (up_op)v->op);
  case BUILD_FLIP: return !opset_has(root, UP_CMPNE);
  case BUILD_NEG: return !opset_has(root, UP_CMPNE) && !opset_has(root, UP_MUL);
  default: return false;
  }
}

static bool always_applies(const rulebook *b, const rule *r) {
  if (r->when != EXPR_NIL) return false;
  if (r->kind == UP_RULE_BOUND) return !may_fail(&b->exprs, r->lo) && !may_fail(&b->exprs, r->hi);
  return !may_decline(b, r->rhs) && makes_another(b, r);
}

static bool check_set(const rulebook *b, const up_ruleset *s, up_error *err) {
  for (uint32_t i = 0; i < s->n; i++) {
    const rule *first = &b->rule[s->rule[i]];
    if (!always_applies(b, first)) continue;
    uint32_t seen = 0;
    bool linear = is_linear(&b->pats, pat_at(&b->pats, first->pat), false, &seen);
    for (uint32_t k = i + 1; k < s->n; k++) {
      const rule *r = &b->rule[s->rule[k]];
      embedding e = {.b = &b->pats, .linear = linear};
      if (r == first || !covers(&e, first->pat, r->pat)) continue;
      return up_fail(err, r->line, r->col,
                     "rule '%s' never applies in %s: '%s' (line %u) takes "
                     "every node that it matches",
                     r->name, s->name, first->name, first->line);
    }
  }
  return true;
}

bool rulebook_check_shadowed(const rulebook *b, up_error *err) {
  for (uint32_t i = 0; i < b->nset; i++)
    if (!check_set(b, b->set[i], err)) return false;
  return check_set(b, &b->bounds, err);
}
