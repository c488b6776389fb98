/* Conditions that nothing satisfies: intervals of single quantities that are empty. */
#include "rulebook.h"

#include <math.h>

/* A quantity is the value of a constant, or a function of one node such as vmin(x). What is known
 * of it is an interval of the reals and the numbers that it is not. Comparisons with nan are false,
 * but for !=, so nan fails what an interval fails. */
typedef struct quantity {
  uint8_t op; /* ex_op */
  int8_t slot;
  double lo, hi;
  bool lo_open, hi_open;
  double without[8];
  unsigned nwithout;
} quantity;

#define MAX_QUANTITIES 32u
typedef struct knowledge {
  quantity q[MAX_QUANTITIES];
  unsigned n;
} knowledge;

typedef struct search {
  const exprbook *x;
  unsigned branches; /* left to be looked at: a condition of very many `or`s is let through */
} search;

static bool is_quantity(const expr *e) {
  if (e->op == EX_VALUE) return true;
  return e->op >= EX_VMIN && e->op <= EX_CONST_FACTOR && e->a >= 0 && e->b < 0;
}

/* A literal that a double holds, with its sign. */
static bool literal(const exprbook *x, expr_id id, double *out) {
  const expr *e = expr_at(x, id);
  if (e->op == EX_NEG && literal(x, e->kid[0], out)) {
    *out = -*out;
    return true;
  }
  if (e->op == EX_FLOAT && !isnan(e->fval)) {
    *out = e->fval;
    return true;
  }
  if (e->op != EX_INT || e->ival > (INT64_C(1) << 53) || e->ival < -(INT64_C(1) << 53))
    return false;
  *out = (double)e->ival;
  return true;
}

static quantity *find(knowledge *k, const expr *e) {
  for (unsigned i = 0; i < k->n; i++)
    if (k->q[i].op == e->op && k->q[i].slot == e->a) return &k->q[i];
  if (k->n == MAX_QUANTITIES) return NULL;
  k->q[k->n] =
      (quantity){.op = e->op, .slot = e->a, .lo = -(double)INFINITY, .hi = (double)INFINITY};
  return &k->q[k->n++];
}

static void at_least(quantity *q, double v, bool open) {
  if (v < q->lo || (v == q->lo && (q->lo_open || !open))) return;
  q->lo = v;
  q->lo_open = open;
}

static void at_most(quantity *q, double v, bool open) {
  if (v > q->hi || (v == q->hi && (q->hi_open || !open))) return;
  q->hi = v;
  q->hi_open = open;
}

static void is_not(quantity *q, double v) {
  if (q->nwithout < sizeof q->without / sizeof *q->without) q->without[q->nwithout++] = v;
}

static bool is_empty(const quantity *q) {
  if (q->lo > q->hi) return true;
  if (q->lo < q->hi) return false;
  bool empty = q->lo_open || q->hi_open;
  for (unsigned i = 0; i < q->nwithout; i++) empty = empty || q->without[i] == q->lo;
  return empty;
}

/* The comparison seen from its other side. */
static ex_op mirrored(ex_op op) {
  switch (op) {
  case EX_LT: return EX_GT;
  case EX_LE: return EX_GE;
  case EX_GT: return EX_LT;
  case EX_GE: return EX_LE;
  default: return op;
  }
}

static void assume(quantity *q, ex_op op, double v) {
  switch (op) {
  case EX_LT: at_most(q, v, true); break;
  case EX_LE: at_most(q, v, false); break;
  case EX_GT: at_least(q, v, true); break;
  case EX_GE: at_least(q, v, false); break;
  case EX_NE: is_not(q, v); break;
  default:
    assert(op == EX_EQ);
    at_least(q, v, false);
    at_most(q, v, false);
  }
}

/* Takes in what a comparison says; false when nothing is left. */
static bool take_comparison(const search *s, knowledge *k, const expr *e) {
  double v;
  for (unsigned side = 0; side < 2; side++) {
    const expr *x = expr_at(s->x, e->kid[side]);
    if (!is_quantity(x) || !literal(s->x, e->kid[1 - side], &v)) continue;
    quantity *q = find(k, x);
    if (!q) return true;
    assume(q, side == 0 ? (ex_op)e->op : mirrored((ex_op)e->op), v);
    return !is_empty(q);
  }
  return true;
}

/* The conditions still to be met, one behind the other. */
typedef struct pending {
  expr_id id;
  const struct pending *next;
} pending;

static bool satisfiable(search *s, knowledge k, const pending *p) {
  for (; p; p = p->next) {
    const expr *e = expr_at(s->x, p->id);
    double v;
    if (e->op == EX_AND) {
      pending right = {e->kid[1], p->next}, left = {e->kid[0], &right};
      return satisfiable(s, k, &left);
    }
    if (e->op == EX_OR) {
      if (s->branches == 0) return true;
      s->branches--;
      pending left = {e->kid[0], p->next}, right = {e->kid[1], p->next};
      return satisfiable(s, k, &left) || satisfiable(s, k, &right);
    }
    if (literal(s->x, p->id, &v) && v == 0) return false;
    if (e->op >= EX_LT && e->op <= EX_NE && !take_comparison(s, &k, e)) return false;
  }
  return true;
}

bool rulebook_check_conditions(const rulebook *b, up_error *err) {
  for (uint32_t i = 0; i < b->nrule; i++) {
    const rule *r = &b->rule[i];
    search s = {.x = &b->exprs, .branches = 256};
    pending all = {r->when, NULL};
    if (r->when == EXPR_NIL || satisfiable(&s, (knowledge){.n = 0}, &all)) continue;
    return up_fail(err, r->line, r->col, "the condition of rule '%s' never holds", r->name);
  }
  return true;
}
