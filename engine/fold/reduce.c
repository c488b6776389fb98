/* Factors moved out of a REDUCE. Source: 0.11.0 `reduce_mul_chain` and the rule before it in `sym`.
 * The arg of a REDUCE is the name of its op. */
#include "native.h"
#include <string.h>

static bool reduces_by(const up_ctx *c, up_node r, const char *op) {
  up_arg a = up_arg_of(c, r);
  return up_arg_kind_of(c, a) == UP_A_STR && strcmp(up_arg_text(c, a), op) == 0;
}

static up_node reduce_of(up_ctx *c, up_node r, up_node body) {
  up_list src = list_take(c);
  term_push(c, &src, body);
  for (uint32_t i = 1; i < up_nsrc(c, r); i++) term_push(c, &src, up_src(c, r, i));
  up_node out = ctx_ok(c) ? up_replace_src(c, r, src.p, src.n) : UP_NONE;
  list_give(c, &src);
  return out;
}

/* (x, c, r): r = REDUCE of x*c by ADD */
up_node native_reduce_const_factor(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  if (!native_expects(c, up_is_const(c, arg[1]) && up_nsrc(c, arg[2]) > 0)) return UP_NONE;
  if (!reduces_by(c, arg[2], "ADD")) return UP_NONE;
  up_node out = reduce_of(c, arg[2], arg[0]);
  if (!ctx_ok(c)) return UP_NONE;
  return up_binary(c, UP_MUL, out, up_const(c, up_dtype_of(c, out), up_const_val(c, arg[1])));
}

/* Does m depend on a range that r reduces over? */
static bool depends_on_range(up_ctx *c, up_node m, up_node r) {
  up_list topo = list_take(c);
  bool found = false;
  up_toposort(c, m, &topo);
  for (uint32_t i = 0; i < topo.n; i++)
    for (uint32_t j = 1; j < up_nsrc(c, r); j++)
      found = found || up_same(topo.p[i], up_src(c, r, j));
  list_give(c, &topo);
  return found;
}

/* A factor may leave a maximum only when it is not negative. */
static bool may_leave(up_ctx *c, up_node m, up_node r, bool max) {
  if (depends_on_range(c, m, r)) return false;
  return !max || up_val_cmp(c, up_minmax(c, m).lo, up_val_int(up_int_of(0))) >= 0;
}

/* Multiplied from the left, as prod() does, which begins with 1*first. */
static up_node product_of(up_ctx *c, const up_list *f) {
  up_node p = UP_NONE;
  for (uint32_t i = 0; i < f->n && ctx_ok(c); i++) {
    if (i == 0) p = up_const_like(c, f->p[0], up_int_of(1));
    p = up_binary(c, UP_MUL, p, f->p[i]);
  }
  return p;
}

/* (r): REDUCE of a product */
up_node native_reduce_mul_chain(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_node r = arg[0], out = UP_NONE;
  if (!native_expects(c, up_nsrc(c, r) > 0)) return out;
  up_node body = up_src(c, r, 0);
  bool max = reduces_by(c, r, "MAX");
  if (!max && !reduces_by(c, r, "ADD")) return out;
  if (up_dtype_of(c, r) != up_dtype_of(c, body)) return out;
  up_list factor = list_take(c), in = list_take(c), outside = list_take(c);
  if (!up_split(c, body, UP_MUL, &factor)) factor.n = 0;
  for (uint32_t i = 0; i < factor.n && ctx_ok(c); i++)
    term_push(c, may_leave(c, factor.p[i], r, max) ? &outside : &in, factor.p[i]);
  if (outside.n && ctx_ok(c)) {
    up_node inner = in.n ? product_of(c, &in) : up_const_like(c, body, up_int_of(1));
    out = up_binary(c, UP_MUL, reduce_of(c, r, inner), product_of(c, &outside));
  }
  list_give(c, &factor);
  list_give(c, &in);
  list_give(c, &outside);
  return out;
}
