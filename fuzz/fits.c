/* Node by node: ops and dtypes of the options, values within their dtype, well-formed. */
#include "fuzz/fits.h"

#define SOURCES 8u /* of a node */

static bool op_fits(const fz_opts *o, up_op op, up_dtype dt) {
  bool rare = op == UP_VECTORIZE || op == UP_GEP || op == UP_VCONST || op == UP_BIND ||
              op == UP_TRUNC || op == UP_SPECIAL;
  if (rare) return o->rare;
  bool bitwise = op == UP_SHL || op == UP_SHR || op == UP_AND || op == UP_OR || op == UP_XOR;
  if (bitwise) return o->bits || up_dt_is_bool(dt);
  switch (op) {
  case UP_ADD:
  case UP_MUL:
  case UP_IDIV:
  case UP_MOD:
  case UP_MAX:
  case UP_SUB:
  case UP_NEG:
  case UP_MULACC:
  case UP_CMPLT:
  case UP_CMPNE:
  case UP_CMPEQ:
  case UP_WHERE:
  case UP_CONST:
  case UP_RANGE:
  case UP_DEFINE_VAR: return true;
  case UP_FLOORDIV:
  case UP_FLOORMOD: return o->floors != FZ_NO_FLOORS;
  case UP_BITCAST: return o->casts && up_dt_is_int(dt);
  case UP_CAST: return o->casts || dt == up_dt(UP_INT);
  default: return false;
  }
}

static bool dtype_fits(const fz_opts *o, up_dtype dt) {
  if ((up_dt_count(dt) != 1 && !o->rare) || up_dt_is_ptr(dt)) return false;
  return up_dt_is_bool(dt) || up_dt_scalar(dt) == UP_INT || (o->casts && up_dt_is_int(dt));
}

static bool within(up_ctx *c, up_int v, up_int lo, up_int hi) {
  return up_int_cmp(c, v, lo) >= 0 && up_int_cmp(c, v, hi) <= 0;
}

/* tinygrad makes a constant -1 of an unsigned dtype: -x is x * -1, whatever x is. */
static bool const_fits(up_ctx *c, const fz_opts *o, up_node n, up_dtype dt) {
  up_int v, least = up_dt_min(c, dt), most = up_dt_max(c, dt);
  if (o->rare && up_dt_is_unsigned(dt)) least = up_int_neg(c, most);
  return up_is_const_int(c, n, &v) && within(c, v, least, most);
}

static bool variable_fits(up_ctx *c, up_node n, up_dtype dt) {
  char name[64];
  up_int lo, hi, least = up_dt_min(c, dt), most = up_dt_max(c, dt);
  return up_dt_count(dt) == 1 && up_var_domain(c, n, name, &lo, &hi) &&
         within(c, lo, least, most) && within(c, hi, lo, most);
}

/* A loop runs to a node's value: one of its dtype, or nothing tells where it ends. */
static bool end_fits(up_ctx *c, up_node end, up_dtype dt) {
  up_bounds claim = up_minmax(c, end);
  bool told = up_ctx_status(c) == UP_OK && !claim.lo.is_float && !claim.hi.is_float;
  if (up_ctx_status(c) != UP_OK) up_ctx_clear_status(c);
  return told && within(c, claim.lo.i, up_dt_min(c, dt), up_dt_max(c, dt)) &&
         within(c, claim.hi.i, claim.lo.i, up_dt_max(c, dt));
}

/* Shifts by an amount that Python raises on, or that no machine defines, are no news. */
static bool shift_fits(up_ctx *c, up_node by, up_dtype dt) {
  up_int lo, hi, least = up_int_of(0), most = up_int_of((int64_t)up_dt_bits(dt) - 1);
  char name[64];
  if (up_is_const_int(c, by, &lo)) return within(c, lo, least, most);
  return up_var_domain(c, by, name, &lo, &hi) && within(c, lo, least, most) &&
         within(c, hi, least, most);
}

/* Other bitcasts have no meaning to the evaluators. */
static bool bits_stay(up_ctx *c, up_node x, up_dtype dt) {
  up_dtype from = up_dtype_of(c, x);
  return up_dt_is_int(from) && up_dt_bits(from) == up_dt_bits(dt);
}

static bool node_fits(up_ctx *c, const fz_opts *o, up_node n) {
  up_op op = up_op_of(c, n);
  up_dtype dt = up_dtype_of(c, n);
  up_node src[SOURCES];
  up_error err;
  uint32_t nsrc = up_nsrc(c, n);
  if (nsrc > SOURCES || !dtype_fits(o, dt) || !op_fits(o, op, dt)) return false;
  for (uint32_t i = 0; i < nsrc; i++) src[i] = up_src(c, n, i);
  if (op == UP_CONST && !const_fits(c, o, n, dt)) return false;
  bool open = op == UP_RANGE && o->rare && nsrc == 1 && up_op_of(c, src[0]) != UP_CONST;
  bool variable = !open && (op == UP_DEFINE_VAR || op == UP_RANGE || op == UP_SPECIAL);
  if (open && (up_dt_count(dt) != 1 || !end_fits(c, src[0], dt))) return false;
  if (variable && !variable_fits(c, n, dt)) return false;
  if (op == UP_BITCAST && !bits_stay(c, src[0], dt)) return false;
  if ((op == UP_SHL || op == UP_SHR) && !shift_fits(c, src[1], dt)) return false;
  return up_node_check(c, op, dt, src, nsrc, up_arg_of(c, n), &err);
}

/* Two variables of one name would be one in text, and two in the oracle. Names of variables differ
 * in their first letter. */
static bool names_differ(up_ctx *c, const up_list *topo) {
  char name[4][64];
  up_int lo, hi;
  uint32_t n = 0;
  for (uint32_t i = 0; i < topo->n; i++) {
    up_op op = up_op_of(c, topo->p[i]);
    if (op != UP_DEFINE_VAR && op != UP_SPECIAL) continue;
    if (n == 4 || !up_var_domain(c, topo->p[i], name[n], &lo, &hi)) return false;
    for (uint32_t j = 0; j < n; j++) {
      if (name[j][0] == name[n][0]) return false;
    }
    n++;
  }
  return true;
}

/* A RANGE is told apart by its number: two of one number become one as soon as their ends do. */
static bool ranges_differ(up_ctx *c, const up_list *topo) {
  up_val number[8];
  uint32_t n = 0;
  for (uint32_t i = 0; i < topo->n; i++) {
    if (up_op_of(c, topo->p[i]) != UP_RANGE) continue;
    up_arg a = up_arg_of(c, topo->p[i]);
    if (n == sizeof number / sizeof *number || up_arg_kind_of(c, a) != UP_A_INT) return false;
    number[n] = up_arg_val(c, a);
    for (uint32_t j = 0; j < n; j++) {
      if (up_val_cmp(c, number[j], number[n]) == 0) return false;
    }
    n++;
  }
  return true;
}

bool fz_fits(up_ctx *c, const fz_opts *o, up_node root) {
  up_list topo = {0};
  bool ok = up_toposort(c, root, &topo) && topo.n <= o->max_nodes && names_differ(c, &topo);
  if (ok && o->rare) ok = ranges_differ(c, &topo);
  for (uint32_t i = 0; i < topo.n && ok; i++) ok = node_fits(c, o, topo.p[i]);
  up_list_free(&topo);
  return ok;
}
