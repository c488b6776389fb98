/* The type spec: is every node of a graph one that the modelled release accepts? Source: `spec` and
 * `type_verify` of 0.10.0 (ops.py) and 0.11.0 (uop/spec.py), the part about values. Nodes of code
 * generation (loads, stores, control flow, tensor cores) have specs that speak of buffers and
 * shapes; they are not judged here.
 */
#include "internal.h"

static up_dtype source_dtype(const up_ctx *c, up_node n, uint32_t i) {
  return up_dtype_of(c, node_src(c, n, i));
}

static bool is_number(const up_ctx *c, up_arg a, up_arg_kind k) {
  return up_arg_kind_of(c, a) == k;
}

/* The constant is of the kind that its dtype has: as_const changes nothing. */
static bool const_fits(const up_ctx *c, up_node n) {
  up_dtype d = up_dtype_of(c, n);
  up_arg a = up_arg_of(c, n);
  if (old_release(c) && up_dt_count(d) != 1) return false;
  if (up_dt_is_int(d)) return is_number(c, a, UP_A_INT);
  if (up_dt_is_float(d)) return is_number(c, a, UP_A_FLOAT);
  return is_number(c, a, UP_A_BOOL);
}

static bool is_integer_arg(const up_ctx *c, up_arg a) {
  return is_number(c, a, UP_A_INT) || is_number(c, a, UP_A_BOOL);
}

static bool variable_fits(const up_ctx *c, up_node n) {
  up_arg a = up_arg_of(c, n);
  if (up_arg_kind_of(c, a) != UP_A_LIST || up_arg_len(c, a) != 3) return false;
  return is_integer_arg(c, up_arg_at(c, a, 1)) && is_integer_arg(c, up_arg_at(c, a, 2)) &&
         (!old_release(c) || up_nsrc(c, n) == 0);
}

static bool sources_have_dtype(const up_ctx *c, up_node n, up_dtype d) {
  for (uint32_t i = 0; i < up_nsrc(c, n); i++)
    if (source_dtype(c, n, i) != d) return false;
  return true;
}

static bool alu_fits(const up_ctx *c, up_node n) {
  up_op op = node_op(c, n);
  up_dtype d = up_dtype_of(c, n);
  if ((int)up_nsrc(c, n) != up_op_arity(op)) return false;
  if (op == UP_WHERE)
    return up_dt_is_bool(source_dtype(c, n, 0)) && source_dtype(c, n, 1) == d &&
           source_dtype(c, n, 2) == d;
  if (up_op_in(op, UP_G_COMPARE))
    return up_dt_is_bool(d) && source_dtype(c, n, 0) == source_dtype(c, n, 1);
  if (op == UP_SHL || op == UP_SHR) {
    up_dtype by = source_dtype(c, n, 1);
    return source_dtype(c, n, 0) == d && (by == d || by == up_dt(UP_UINT));
  }
  if ((op == UP_IDIV || (op == UP_MOD && !old_release(c))) && !up_dt_is_int(d)) return false;
  return sources_have_dtype(c, n, d);
}

static bool vectorize_fits(const up_ctx *c, up_node n) {
  up_dtype d = up_dtype_of(c, n);
  uint32_t count = up_nsrc(c, n);
  if (count < 2 || count != up_dt_count(d)) return false;
  return sources_have_dtype(c, n, up_dt_vec(d & 31u, 1));
}

bool up_type_fits(const up_ctx *c, up_node n) {
  up_op op = node_op(c, n);
  up_dtype d = up_dtype_of(c, n);
  if (up_op_in(op, UP_G_ALU)) return alu_fits(c, n);
  switch (op) {
  case UP_CONST: return const_fits(c, n);
  case UP_DEFINE_VAR: return variable_fits(c, n);
  case UP_RANGE:
    return up_nsrc(c, n) == 1 && source_dtype(c, n, 0) == d && is_integer_arg(c, up_arg_of(c, n));
  case UP_SPECIAL: return up_nsrc(c, n) == 0;
  case UP_CAST:
  case UP_BITCAST: return up_nsrc(c, n) == 1 && up_arg_kind_of(c, up_arg_of(c, n)) == UP_A_NONE;
  case UP_VECTORIZE: return vectorize_fits(c, n);
  case UP_GEP: /* several lanes are split up before the spec is asked */
    return up_nsrc(c, n) == 1 && up_dt_scalar(d) == up_dt_scalar(source_dtype(c, n, 0));
  case UP_SINK: return d == up_dt(UP_VOID);
  default: return true;
  }
}

bool up_type_verify(up_ctx *c, up_node root, up_node *bad) {
  up_list topo = list_take(c);
  bool fits = true;
  *bad = UP_NONE;
  up_toposort(c, root, &topo);
  for (uint32_t i = 0; fits && i < topo.n; i++) {
    fits = up_type_fits(c, topo.p[i]);
    if (!fits) *bad = topo.p[i];
  }
  list_give(c, &topo);
  return fits && ctx_ok(c);
}
