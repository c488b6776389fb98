#include "linear.h"
#include <stdlib.h>
#include <string.h>

static bool linear_grow(up_ctx *c, linear *l) {
  uint32_t cap = l->cap * 2;
  term *t = realloc(l->t == l->own ? NULL : l->t, cap * sizeof *t);
  if (!t) {
    up_ctx_set_status(c, UP_NO_MEMORY);
    return false;
  }
  if (l->t == l->own) memcpy(t, l->own, sizeof l->own);
  l->t = t;
  l->cap = cap;
  return true;
}

bool linear_split(up_ctx *c, up_node x, linear *out) {
  out->t = out->own;
  out->n = 0;
  out->cap = LINEAR_INLINE;
  up_list leaf = list_take(c);
  bool ok = up_split(c, x, UP_ADD, &leaf);
  for (uint32_t i = 0; ok && i < leaf.n; i++) {
    ok = out->n < out->cap || linear_grow(c, out);
    if (ok) out->t[out->n++] = (term){leaf.p[i], up_const_factor(c, leaf.p[i])};
    ok = ok && ctx_ok(c);
  }
  list_give(c, &leaf);
  return ok;
}

void linear_free(linear *l) {
  if (l->t != l->own) free(l->t);
  l->t = l->own;
}

up_node sum_of(up_ctx *c, const up_list *terms) {
  if (terms->n == 0) return UP_NONE;
  up_node s = terms->p[0];
  for (uint32_t i = 1; i < terms->n; i++) s = up_binary(c, UP_ADD, s, terms->p[i]);
  return s;
}

void term_push(up_ctx *c, up_list *terms, up_node n) { list_push(c, terms, n); }

up_node with_const(up_ctx *c, up_op op, up_node x, up_int k) {
  if (!ctx_ok(c)) return UP_NONE;
  return up_binary(c, op, x, up_const_like(c, x, k));
}

up_node times(up_ctx *c, up_node v, up_int factor) { return with_const(c, UP_MUL, v, factor); }
