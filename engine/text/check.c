/* Is a node well formed? Number and dtypes of its sources and the arg of each op that the engine
 * gives a meaning to; ops of the modelled engine that this engine only carries are taken as they
 * are. Source: the `spec` pattern matchers of 0.10.0 and 0.11.0, and the interchange format. */
#include "text.h"
#include <math.h>
#include <string.h>

/* The node under judgement. */
typedef struct subject {
  const up_ctx *c;
  up_op op;
  up_dtype dt;
  const up_node *src;
  uint32_t nsrc;
  up_arg arg;
  up_error *err;
} subject;

static bool bad(const subject *s, const char *what) {
  return up_fail(s->err, 0, 0, "%s: %s", up_op_name(s->op), what);
}

typedef struct dtype_text {
  char p[32];
} dtype_text;
static dtype_text show(up_dtype d) {
  dtype_text t;
  up_dt_print(d, t.p);
  return t;
}

/* ---- parts ---------------------------------------------------------------------- */

static up_dtype src_dtype(const subject *s, uint32_t i) {
  assert(i < s->nsrc);
  return up_dtype_of(s->c, s->src[i]);
}

static bool has_sources(const subject *s, uint32_t want) {
  if (s->nsrc == want) return true;
  return up_fail(s->err, 0, 0, "%s takes %u source%s, not %u", up_op_name(s->op), want,
                 want == 1 ? "" : "s", s->nsrc);
}

static bool no_arg(const subject *s) {
  return up_arg_kind_of(s->c, s->arg) == UP_A_NONE || bad(s, "takes no arg");
}

static bool source_is(const subject *s, uint32_t i, up_dtype want) {
  up_dtype got = src_dtype(s, i);
  if (got == want) return true;
  return up_fail(s->err, 0, 0, "%s of %s: source %u is %s", up_op_name(s->op), show(want).p, i,
                 show(got).p);
}

static bool is_number(up_dtype d) {
  return up_dt_is_int(d) || up_dt_is_bool(d) || up_dt_is_float(d);
}

static bool dtype_is_number(const subject *s) {
  if (is_number(s->dt)) return true;
  return up_fail(s->err, 0, 0, "%s cannot have dtype %s", up_op_name(s->op), show(s->dt).p);
}

static bool dtype_is_int(const subject *s) {
  if (up_dt_is_int(s->dt)) return true;
  return up_fail(s->err, 0, 0, "%s needs an integer dtype, not %s", up_op_name(s->op),
                 show(s->dt).p);
}

/* Is `a` a number that a constant of dtype d holds? An integer may be outside d: folding does not
 * reduce to the width. */
static bool fits_const(const up_ctx *c, up_arg a, up_dtype d) {
  up_arg_kind k = up_arg_kind_of(c, a);
  if (up_dt_is_bool(d)) return k == UP_A_BOOL;
  if (up_dt_is_float(d)) return k == UP_A_FLOAT;
  return k == UP_A_INT;
}

/* ---- arithmetic ----------------------------------------------------------------- */

static bool check_same_dtype(const subject *s) {
  if (!dtype_is_number(s)) return false;
  if (up_op_divides(s->op) && !dtype_is_int(s)) return false;
  for (uint32_t i = 0; i < s->nsrc; i++)
    if (!source_is(s, i, s->dt)) return false;
  return true;
}

static bool check_shift(const subject *s) {
  if (!dtype_is_int(s) || !source_is(s, 0, s->dt)) return false;
  /* the amount may be uint whatever is shifted */
  up_dtype uint_amount = up_dt_vec(up_dt(UP_UINT), up_dt_count(s->dt));
  return src_dtype(s, 1) == uint_amount || source_is(s, 1, s->dt);
}

static bool check_compare(const subject *s) {
  up_dtype d = src_dtype(s, 0);
  if (!is_number(d)) return bad(s, "compares numbers only");
  if (s->dt != up_dt_vec(up_dt(UP_BOOL), up_dt_count(d)))
    return up_fail(s->err, 0, 0, "%s of %s cannot have dtype %s", up_op_name(s->op), show(d).p,
                   show(s->dt).p);
  return source_is(s, 1, d);
}

static bool check_where(const subject *s) {
  up_dtype cond = src_dtype(s, 0);
  if (!up_dt_is_bool(cond))
    return up_fail(s->err, 0, 0, "WHERE needs a bool condition, not %s", show(cond).p);
  if (up_dt_count(cond) != 1 && up_dt_count(cond) != up_dt_count(s->dt))
    return bad(s, "condition and arms have different counts");
  return dtype_is_number(s) && source_is(s, 1, s->dt) && source_is(s, 2, s->dt);
}

static bool check_alu(const subject *s) {
  if (!has_sources(s, (uint32_t)up_op_arity(s->op)) || !no_arg(s)) return false;
  if (up_op_in(s->op, UP_G_COMPARE)) return check_compare(s);
  if (s->op == UP_SHL || s->op == UP_SHR) return check_shift(s);
  if (s->op == UP_WHERE) return check_where(s);
  return check_same_dtype(s);
}

static bool check_cast(const subject *s) {
  if (!has_sources(s, 1) || !no_arg(s)) return false;
  up_dtype from = src_dtype(s, 0);
  if (up_dt_scalar(from) == UP_VOID || up_dt_scalar(s->dt) == UP_VOID)
    return bad(s, "void has no value");
  if (up_dt_is_ptr(from) || up_dt_is_ptr(s->dt)) return true;
  if (s->op == UP_CAST)
    return up_dt_count(from) == up_dt_count(s->dt) || bad(s, "vector counts differ");
  unsigned a = up_dt_bits(from) * up_dt_count(from), b = up_dt_bits(s->dt) * up_dt_count(s->dt);
  return a == b || bad(s, "sizes differ");
}

/* ---- leaves --------------------------------------------------------------------- */

static bool check_const(const subject *s) {
  if (!has_sources(s, 0) || !dtype_is_number(s)) return false;
  if (fits_const(s->c, s->arg, s->dt)) return true;
  return up_fail(s->err, 0, 0, "CONST of %s: its arg must be %s", show(s->dt).p,
                 up_dt_is_bool(s->dt)    ? "true or false"
                 : up_dt_is_float(s->dt) ? "a float"
                                         : "an integer");
}

static bool check_vconst(const subject *s) {
  if (!has_sources(s, 0) || !dtype_is_number(s)) return false;
  if (up_arg_kind_of(s->c, s->arg) != UP_A_LIST) return bad(s, "its arg must be a list of numbers");
  uint32_t n = up_arg_len(s->c, s->arg);
  if (n != up_dt_count(s->dt))
    return up_fail(s->err, 0, 0, "VCONST of %s has %u numbers", show(s->dt).p, n);
  for (uint32_t i = 0; i < n; i++)
    if (!fits_const(s->c, up_arg_at(s->c, s->arg, i), s->dt))
      return up_fail(s->err, 0, 0, "VCONST of %s: number %u is of another kind", show(s->dt).p, i);
  return true;
}

static bool is_name(const subject *s, up_arg a) {
  if (up_arg_kind_of(s->c, a) != UP_A_STR) return bad(s, "its name must be a string");
  return up_arg_text(s->c, a)[0] != 0 || bad(s, "its name is empty");
}

/* A bound of a DEFINE_VAR: an integer (also for bool and float), or what the dtype's consts are. */
static bool is_bound(const subject *s, up_arg a) {
  bool ok = up_arg_kind_of(s->c, a) == UP_A_INT || fits_const(s->c, a, s->dt);
  if (!ok) return bad(s, "its range must be two numbers of its dtype");
  up_val v = up_arg_val(s->c, a);
  return !(v.is_float && isnan(v.f)) || bad(s, "its range cannot hold nan");
}

static bool check_define_var(const subject *s) {
  if (!has_sources(s, 0) || !dtype_is_number(s)) return false;
  if (up_arg_kind_of(s->c, s->arg) != UP_A_LIST || up_arg_len(s->c, s->arg) != 3)
    return bad(s, "its arg must be [name, min, max]");
  up_arg name = up_arg_at(s->c, s->arg, 0);
  up_arg lo = up_arg_at(s->c, s->arg, 1), hi = up_arg_at(s->c, s->arg, 2);
  if (!is_name(s, name) || !is_bound(s, lo) || !is_bound(s, hi)) return false;
  return up_val_cmp(s->c, up_arg_val(s->c, lo), up_arg_val(s->c, hi)) <= 0 ||
         bad(s, "its range is empty (min > max)");
}

static bool check_range(const subject *s) {
  if (!has_sources(s, 1) || !dtype_is_int(s) || !source_is(s, 0, s->dt)) return false;
  if (up_arg_kind_of(s->c, s->arg) != UP_A_INT) return bad(s, "its arg must be an integer");
  up_int end;
  return !up_is_const_int(s->c, s->src[0], &end) || up_int_sign(s->c, end) > 0 ||
         bad(s, "its range is empty (end < 1)");
}

static bool check_special(const subject *s) {
  if (!has_sources(s, 0) || !dtype_is_int(s)) return false;
  if (up_arg_kind_of(s->c, s->arg) != UP_A_LIST || up_arg_len(s->c, s->arg) != 2)
    return bad(s, "its arg must be [name, size]");
  up_arg size = up_arg_at(s->c, s->arg, 1);
  if (!is_name(s, up_arg_at(s->c, s->arg, 0))) return false;
  if (up_arg_kind_of(s->c, size) != UP_A_INT) return bad(s, "its size must be an integer");
  return up_int_sign(s->c, up_arg_val(s->c, size).i) > 0 || bad(s, "its range is empty (size < 1)");
}

/* ---- others --------------------------------------------------------------------- */

static bool check_bind(const subject *s) {
  return has_sources(s, 2) && no_arg(s) && dtype_is_number(s) && source_is(s, 0, s->dt) &&
         source_is(s, 1, s->dt);
}

static bool check_vectorize(const subject *s) {
  if (!no_arg(s) || !dtype_is_number(s) || !has_sources(s, up_dt_count(s->dt))) return false;
  for (uint32_t i = 0; i < s->nsrc; i++)
    if (!source_is(s, i, up_dt(up_dt_scalar(s->dt)))) return false;
  return true;
}

/* The lanes of all sources, one after the other; statements (void) have none to count. */
static bool check_cat(const subject *s) {
  uint32_t lanes = 0;
  if (s->dt == up_dt(UP_VOID)) return true;
  for (uint32_t i = 0; i < s->nsrc; i++) {
    up_dtype d = src_dtype(s, i);
    if (!source_is(s, i, up_dt_vec(up_dt(up_dt_scalar(s->dt)), up_dt_count(d)))) return false;
    lanes += up_dt_count(d);
  }
  return lanes == up_dt_count(s->dt) || bad(s, "its sources have another number of lanes");
}

static bool check_gep(const subject *s) {
  if (!has_sources(s, 1)) return false;
  up_dtype from = src_dtype(s, 0);
  if (!is_number(from)) return bad(s, "takes elements of a vector of numbers");
  if (up_arg_kind_of(s->c, s->arg) != UP_A_LIST) return bad(s, "its arg must be a list of indices");
  uint32_t n = up_arg_len(s->c, s->arg);
  for (uint32_t i = 0; i < n; i++) {
    up_arg a = up_arg_at(s->c, s->arg, i);
    if (up_arg_kind_of(s->c, a) != UP_A_INT) return bad(s, "its arg must be a list of indices");
    up_int v = up_arg_val(s->c, a).i;
    if (!up_int_fits(v) || v.lo < 0 || v.lo >= (int64_t)up_dt_count(from))
      return up_fail(s->err, 0, 0, "GEP of %s: index %u is out of range", show(from).p, i);
  }
  if (n >= 1 && n <= 2048 && s->dt == up_dt_vec(up_dt(up_dt_scalar(from)), n)) return true;
  return up_fail(s->err, 0, 0, "GEP of %u elements of %s cannot have dtype %s", n, show(from).p,
                 show(s->dt).p);
}

static bool check_sink(const subject *s) {
  return s->dt == up_dt(UP_VOID) || bad(s, "its dtype must be void");
}

bool up_node_check(const up_ctx *c, up_op op, up_dtype dt, const up_node *src, uint32_t nsrc,
                   up_arg arg, up_error *err) {
  UP_REQUIRE((unsigned)op < UP_OP_COUNT && (src || nsrc == 0), "up_node_check");
  const subject s = {c, op, dt, src, nsrc, arg, err};
  /* then the node lacks what could not be made, and is not to blame */
  if (up_ctx_status(c) == UP_NO_MEMORY) return up_fail(err, 0, 0, "no memory");
  if (nsrc > UP_MAX_SRC) return bad(&s, "has too many sources");
  if (up_op_in(op, UP_G_ALU)) return check_alu(&s);
  switch (op) {
  case UP_CAST:
  case UP_BITCAST: return check_cast(&s);
  case UP_CONST: return check_const(&s);
  case UP_VCONST: return check_vconst(&s);
  case UP_DEFINE_VAR: return check_define_var(&s);
  case UP_RANGE: return check_range(&s);
  case UP_SPECIAL: return check_special(&s);
  case UP_BIND: return check_bind(&s);
  case UP_VECTORIZE: return check_vectorize(&s);
  case UP_CAT: return check_cat(&s);
  case UP_GEP: return check_gep(&s);
  case UP_SINK: return check_sink(&s);
  default: return true;
  }
}

/* Would the node pass if its first arm were the last? Then only that arm's dtype is at fault. */
static bool is_mixed_where(const up_ctx *c, up_op op, up_dtype dt, const up_node *src,
                           uint32_t nsrc, up_arg arg) {
  if (op != UP_WHERE || nsrc != 3) return false;
  up_dtype arm = up_dtype_of(c, src[1]);
  return up_dt_is_int(arm) && up_dt_is_int(dt) && up_dt_count(arm) == up_dt_count(dt) &&
         up_node_check(c, op, dt, (up_node[]){src[0], src[2], src[2]}, 3, arg, NULL);
}

bool up_node_readable(const up_ctx *c, up_op op, up_dtype dt, const up_node *src, uint32_t nsrc,
                      up_arg arg, up_error *err) {
  return up_node_check(c, op, dt, src, nsrc, arg, err) || is_mixed_where(c, op, dt, src, nsrc, arg);
}
