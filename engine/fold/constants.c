/* Constant folding through exec_alu. Source: symbolic_simple's rule "constant folding" and
 * `exec_alu`: a scalar is not reduced to its dtype, the lanes of a vector are. */
#include "native.h"
#include <stdlib.h>

#define MAX_OPERANDS 3u

static up_node fold_scalar(up_ctx *c, up_node a) {
  up_val x[MAX_OPERANDS];
  uint32_t n = up_nsrc(c, a);
  for (uint32_t i = 0; i < n; i++) x[i] = up_vconst_at(c, up_src(c, a, i), 0);
  up_val v = up_exec_alu(c, up_op_of(c, a), up_dtype_of(c, a), x, n, false);
  return ctx_ok(c) ? up_const(c, up_dtype_of(c, a), v) : UP_NONE;
}

static up_val fold_lane(up_ctx *c, up_node a, uint32_t lane) {
  up_val x[MAX_OPERANDS];
  uint32_t n = up_nsrc(c, a);
  for (uint32_t i = 0; i < n; i++) x[i] = up_vconst_at(c, up_src(c, a, i), lane);
  up_dtype scalar = up_dt(up_dt_scalar(up_dtype_of(c, a)));
  return up_exec_alu(c, up_op_of(c, a), scalar, x, n, true);
}

static up_node fold_vector(up_ctx *c, up_node a) {
  uint32_t count = up_dt_count(up_dtype_of(c, a));
  up_val *v = malloc(count * sizeof *v);
  if (!v) up_ctx_set_status(c, UP_NO_MEMORY);
  for (uint32_t i = 0; v && i < count && ctx_ok(c); i++) v[i] = fold_lane(c, a, i);
  up_node r = v && ctx_ok(c) ? up_vconst(c, up_dtype_of(c, a), v, count) : UP_NONE;
  free(v);
  return r;
}

up_node native_fold_constants(up_ctx *c, const up_node *arg, unsigned n) {
  (void)n;
  up_node a = arg[0];
  UP_REQUIRE((int)up_nsrc(c, a) == up_op_arity(up_op_of(c, a)), "fold_constants");
  return up_dt_count(up_dtype_of(c, a)) > 1 ? fold_vector(c, a) : fold_scalar(c, a);
}
