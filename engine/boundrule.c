/* Transfer rules: vmin/vmax of a node from those of its sources. Source: UOp._min_max. */
#include "rulebook.h"

typedef struct bound_attempt {
  const rulebook *b;
  const rule *r;
  up_bounds *out;
} bound_attempt;

static bool try_bound(match *m, void *arg) {
  bound_attempt *a = arg;
  evaluation e = {.c = m->c, .b = &a->b->exprs, .slot = m->slot, .lane = -1};
  if (a->r->when != EXPR_NIL && !expr_true(expr_eval(&e, a->r->when))) return !ctx_ok(m->c);
  up_val lo = expr_eval(&e, a->r->lo), hi = expr_eval(&e, a->r->hi);
  if (e.failed) return !ctx_ok(m->c);
  *a->out = (up_bounds){lo, hi};
  return true;
}

static int interpret(up_ctx *c, const rulebook *b, up_node n, up_bounds *out) {
  up_op op = node_op(c, n);
  opset sources = match_source_ops(c, n);
  match m = {.c = c, .b = &b->pats, .found = try_bound};
  bound_attempt a = {.b = b, .out = out};
  m.arg = &a;
  for (uint32_t i = b->bounds.start[op]; i < b->bounds.start[op + 1]; i++) {
    a.r = &b->rule[b->bounds.by_op[i]];
    if (!opset_subset(&a.r->need, &sources)) continue;
    if (match_run(&m, a.r->pat, n)) return (int)b->bounds.by_op[i];
  }
  return -1;
}

int up_bounds_apply(up_ctx *c, const up_profile *p, up_node n, up_bounds *out) {
  *out = (up_bounds){up_val_int(up_int_of(0)), up_val_int(up_int_of(0))};
  if (!p->bounds) return interpret(c, &p->book, n, out);
  compiled_bounds fn = p->bounds[node_op(c, n)];
  int number = fn ? fn(c, n, out) : -1;
  return number < 0 ? -1 : number + (int)p->bounds_base;
}
