/* Is a step an instance of a rule? Pattern, condition and right side, read off the rule book. */
#include "certify.h"

#define MAX_SOURCES 16u

/* What is left to match. */
typedef struct todo {
  const pat *p;
  up_node n;
  const struct todo *next;
} todo;

typedef struct search {
  cf_match *m;
  bool (*each)(cf_match *m, void *arg);
  void *arg;
} search;

static bool solve(const search *s, const todo *t);

bool cf_constant(const up_ctx *c, up_node n, cf_int *out) {
  if (up_op_of(c, n) != UP_CONST) return false;
  up_val v = up_const_val(c, n);
  if (v.is_float || !up_int_fits(v.i)) return false;
  *out = v.i.lo;
  return true;
}

/* Proofs speak of integers and bools; of a vector, lane by lane. */
static bool in_scope(const up_ctx *c, up_node n) {
  up_dtype d = up_dtype_of(c, n);
  return !up_dt_is_ptr(d) && (up_dt_is_int(d) || up_dt_is_bool(d));
}

static bool fits(const search *s, const pat *p, up_node n) {
  up_ctx *c = s->m->c;
  if (!opset_has(&p->ops, up_op_of(c, n)) || !dtset_has(p->dt, up_dtype_of(c, n))) return false;
  if (!in_scope(c, n)) return false;
  if (!p->has_value) return true;
  cf_int v;
  return cf_constant(c, n, &v) && !p->value.is_float && up_int_fits(p->value.i) &&
         v == p->value.i.lo;
}

/* ---- sources ---------------------------------------------------------------------------------- */

/* Kid number order[i] is to match source i; the rest follows. */
static bool solve_order(const search *s, const pat *p, up_node n, const uint8_t *order,
                        const todo *rest) {
  todo cell[MAX_SOURCES];
  const todo *head = rest;
  for (uint32_t i = p->nkid; i-- > 0;) {
    cell[i] = (todo){pat_kid(&s->m->book->pats, p, order[i]), up_src(s->m->c, n, i), head};
    head = &cell[i];
  }
  return solve(s, head);
}

/* All orders of the kids, by swapping: each kid in turn to place `at`. */
static bool solve_orders(const search *s, const pat *p, up_node n, uint8_t *order, uint32_t at,
                         const todo *rest) {
  if (at == p->nkid) return solve_order(s, p, n, order, rest);
  for (uint32_t i = at; i < p->nkid; i++) {
    uint8_t x = order[at], y = order[i];
    order[at] = y, order[i] = x;
    bool ok = solve_orders(s, p, n, order, at + 1, rest);
    order[at] = x, order[i] = y;
    if (ok) return true;
  }
  return false;
}

static bool solve_sources(const search *s, const pat *p, up_node n, const todo *rest) {
  static const uint8_t in_order[MAX_SOURCES] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                8, 9, 10, 11, 12, 13, 14, 15};
  uint8_t order[MAX_SOURCES];
  switch ((pat_src)p->src) {
  case SRC_FREE: return solve(s, rest);
  case SRC_REPEAT: return false; /* declined */
  case SRC_ANY_OF:
    for (uint32_t i = 0; i < p->nkid; i++) {
      todo one = {pat_kid(&s->m->book->pats, p, i), n, rest};
      if (solve(s, &one)) return true;
    }
    return false;
  case SRC_ORDERED:
  case SRC_PERMUTED: break;
  }
  uint32_t nsrc = up_nsrc(s->m->c, n);
  if (p->nkid > MAX_SOURCES || (p->any_len ? nsrc < p->nkid : nsrc != p->nkid)) return false;
  if (p->src == SRC_ORDERED) return solve_order(s, p, n, in_order, rest);
  for (uint32_t i = 0; i < p->nkid; i++) order[i] = (uint8_t)i;
  return solve_orders(s, p, n, order, 0, rest);
}

/* ---- the search --------------------------------------------------------------------------------- */

static bool condition_holds(cf_match *m) {
  cf_int v;
  return m->rule->when == EXPR_NIL || (cf_eval(m, m->rule->when, &v) && v != 0);
}

/* As deep as the pattern has nodes. */
static bool solve(const search *s, const todo *t) {
  if (!t) return condition_holds(s->m) && s->each(s->m, s->arg);
  if (!fits(s, t->p, t->n)) return false;
  if (t->p->slot < 0) return solve_sources(s, t->p, t->n, t->next);
  up_node *slot = &s->m->slot[t->p->slot];
  up_node old = *slot;
  if (!up_is_none(old) && !up_same(old, t->n)) return false;
  *slot = t->n;
  bool ok = solve_sources(s, t->p, t->n, t->next);
  if (!ok) *slot = old;
  return ok;
}

bool cf_match_rule(cf_match *m, bool (*each)(cf_match *m, void *arg), void *arg) {
  for (unsigned i = 0; i < PAT_MAX_SLOTS; i++) m->slot[i] = UP_NONE;
  search s = {m, each, arg};
  todo whole = {pat_at(&m->book->pats, m->rule->pat), m->root, NULL};
  return solve(&s, &whole);
}

/* ---- right sides -------------------------------------------------------------------------------- */

static bool builds(cf_match *m, build_id id, up_node n, up_node like);

static up_dtype dtype_of(const cf_match *m, const build *v, up_node like) {
  if (v->dtype_from == DTYPE_FIXED) return v->dtype;
  return up_dtype_of(m->c, v->dtype_from == DTYPE_SLOT ? m->slot[v->dtype_slot] : like);
}

static bool builds_const(cf_match *m, const build *v, up_node n, up_node like) {
  cf_int want, is;
  up_dtype d = dtype_of(m, v, like);
  if (up_dtype_of(m->c, n) != d || !in_scope(m->c, n) || !cf_constant(m->c, n, &is)) return false;
  if (!cf_eval(m, v->expr, &want)) return false;
  return is == (up_dt_is_bool(d) ? want != 0 : want);
}

/* The same node, or -n: n * -1, and n != True of a bool. */
static bool is_negation(cf_match *m, const build *v, up_node n, up_node like) {
  up_ctx *c = m->c;
  cf_int k;
  if (up_nsrc(c, n) != 2 || !cf_constant(c, up_src(c, n, 1), &k)) return false;
  up_node x = up_src(c, n, 0);
  if (up_dtype_of(c, x) != up_dtype_of(c, up_src(c, n, 1))) return false;
  bool flip = v->kind == BUILD_FLIP || up_dt_is_bool(up_dtype_of(c, x));
  if (up_op_of(c, n) != (flip ? UP_CMPNE : UP_MUL) || k != (flip ? 1 : -1)) return false;
  return builds(m, m->book->builds.kid[v->kid], x, like);
}

/* An op over what the kids build. The kid that gives the others' constants their dtype is read off
 * the node, which is what is asked about. */
static bool builds_op(cf_match *m, const build *v, up_node n, up_op op, up_dtype d) {
  up_ctx *c = m->c;
  if (up_op_of(c, n) != op || up_nsrc(c, n) != v->nkid || up_dtype_of(c, n) != d) return false;
  if (up_arg_kind_of(c, up_arg_of(c, n)) != UP_A_NONE) return false;
  for (uint32_t i = 0; i < v->nkid; i++) {
    up_node like = v->nkid ? up_src(c, n, v->like) : n;
    if (i == v->like) like = m->root;
    if (!builds(m, m->book->builds.kid[v->kid + i], up_src(c, n, i), like)) return false;
  }
  return true;
}

static bool builds_alu(cf_match *m, const build *v, up_node n, up_op op) {
  up_ctx *c = m->c;
  if (v->nkid == 0 || up_nsrc(c, n) != v->nkid) return false;
  up_dtype d = up_dtype_of(c, up_src(c, n, v->nkid - 1u));
  if (up_op_in(op, UP_G_COMPARE)) d = up_dt_vec(up_dt(UP_BOOL), up_dt_count(d));
  return builds_op(m, v, n, op, d);
}

/* The named node with other sources. */
static bool builds_with(cf_match *m, const build *v, up_node n) {
  up_ctx *c = m->c;
  up_node was = m->slot[v->slot];
  if (up_op_of(c, n) != up_op_of(c, was) || up_dtype_of(c, n) != up_dtype_of(c, was)) return false;
  if (up_arg_of(c, n).id != up_arg_of(c, was).id || up_nsrc(c, n) != v->nkid) return false;
  for (uint32_t i = 0; i < v->nkid; i++)
    if (!builds(m, m->book->builds.kid[v->kid + i], up_src(c, n, i), m->root)) return false;
  return true;
}

/* As deep as the right side's text. */
static bool builds(cf_match *m, build_id id, up_node n, up_node like) {
  const build *v = build_at(&m->book->builds, id);
  if (up_is_none(n) || !in_scope(m->c, n)) return false;
  switch ((build_kind)v->kind) {
  case BUILD_SLOT: return up_same(n, m->slot[v->slot]);
  case BUILD_CONST: return builds_const(m, v, n, like);
  case BUILD_ALU: return builds_alu(m, v, n, (up_op)v->op);
  case BUILD_LIKE: return builds_alu(m, v, n, up_op_of(m->c, m->slot[v->slot]));
  case BUILD_NEW: return builds_op(m, v, n, (up_op)v->op, dtype_of(m, v, like));
  case BUILD_WITH: return builds_with(m, v, n);
  case BUILD_NEG:
  case BUILD_FLIP: return is_negation(m, v, n, like);
  default: return false; /* a native */
  }
}

bool cf_builds(cf_match *m, build_id id, up_node n) { return builds(m, id, n, m->root); }
