#include "linear.h"
#include <stdlib.h>

static bool linear_push(up_ctx *c, linear *l, term t) {
  if (!ctx_grow(c, &l->t, &l->cap, (uint64_t)l->n + 1, sizeof *l->t)) return false;
  l->t[l->n++] = t;
  return true;
}

bool linear_split(up_ctx *c, up_node x, linear *out) {
  up_list leaf = {0};
  bool ok = up_split(c, x, UP_ADD, &leaf);
  for (uint32_t i = 0; ok && i < leaf.n; i++) {
    term t = {leaf.p[i], up_const_factor(c, leaf.p[i])};
    ok = ctx_ok(c) && linear_push(c, out, t);
  }
  up_list_free(&leaf);
  return ok;
}

void linear_free(linear *l) {
  free(l->t);
  *l = (linear){0};
}

up_node sum_of(up_ctx *c, const up_list *terms) {
  if (terms->n == 0) return UP_NONE;
  up_node s = terms->p[0];
  for (uint32_t i = 1; i < terms->n; i++) s = up_binary(c, UP_ADD, s, terms->p[i]);
  return s;
}

void term_push(up_ctx *c, up_list *terms, up_node n) {
  if (!up_list_push(terms, n)) up_ctx_set_status(c, UP_NO_MEMORY);
}

up_node with_const(up_ctx *c, up_op op, up_node x, up_int k) {
  if (!ctx_ok(c)) return UP_NONE;
  return up_binary(c, op, x, up_const_like(c, x, k));
}

up_node times(up_ctx *c, up_node v, up_int factor) { return with_const(c, UP_MUL, v, factor); }
