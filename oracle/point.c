/* One assignment: values of every node of a graph, and what its bounds claim there. */
#include "oracle/findings.h"
#include "oracle/witness.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool or_point_eval(up_ctx *c, up_node root, or_frame f, const or_witness *w, or_point *out) {
  *out = (or_point){0};
  return or_eval(c, root, f, w, &out->values);
}

void or_point_clear(or_point *p) { or_values_clear(&p->values); }

uint32_t or_point_find(const or_point *p, up_node n) { return or_values_find(&p->values, n); }

static bool is_defined(const or_point *p, uint32_t i) {
  return i != UINT32_MAX && p->values.def[i] == OR_VALUE_OK;
}

/* The same for one lane; a and b are positions. */
static bool lane_differs(const or_point *p, uint32_t a, uint32_t b) {
  if (!is_defined(p, a) || p->values.def[b] == OR_VALUE_UNSUPPORTED) return false;
  if (p->values.def[b] == OR_VALUE_UNDEFINED) return true;
  return mpz_cmp(p->values.value[a], p->values.value[b]) != 0;
}

/* Is position i a lane of node n? */
static bool is_lane(const or_point *p, uint32_t i, up_node n) {
  return i < p->values.n && up_same(p->values.node[i], n);
}

bool or_point_differs(const or_point *p, up_node from, up_node to) {
  uint32_t a = or_point_find(p, from), b = or_point_find(p, to);
  if (a == UINT32_MAX || b == UINT32_MAX) return false;
  for (; is_lane(p, a, from) && is_lane(p, b, to); a++, b++) {
    if (lane_differs(p, a, b)) return true;
  }
  return false;
}

/* Copies a text into a field of 80, cut with dots. */
static void put_cut(const char *text, char out[80]) {
  size_t n = strlen(text);
  if (n < 80) {
    memcpy(out, text, n + 1);
    return;
  }
  memcpy(out, text, 76);
  memcpy(out + 76, "...", 4);
}

void or_point_print(const or_point *p, up_node n, char out[80]) {
  uint32_t i = or_point_find(p, n);
  if (!is_defined(p, i)) {
    bool unknown = i == UINT32_MAX || p->values.def[i] == OR_VALUE_UNSUPPORTED;
    put_cut(unknown ? "unsupported" : "undefined", out);
    return;
  }
  char *text = mpz_get_str(NULL, 10, p->values.value[i]);
  put_cut(text, out);
  void (*release)(void *, size_t);
  mp_get_memory_functions(NULL, NULL, &release);
  release(text, strlen(text) + 1);
}

void or_claim_print(up_ctx *c, up_node n, char out[80]) {
  up_bounds b = up_minmax(c, n);
  up_buf text = {0};
  up_buf_puts(&text, "[");
  up_val_put(c, b.lo, &text);
  up_buf_puts(&text, ", ");
  up_val_put(c, b.hi, &text);
  up_buf_puts(&text, "]");
  put_cut(text.p ? text.p : "", out);
  up_buf_free(&text);
}

void or_types_print(up_ctx *c, up_node n, char out[80]) {
  char name[32];
  up_buf text = {0};
  up_dt_print(up_dtype_of(c, n), name);
  up_buf_printf(&text, "%s %s", up_op_name(up_op_of(c, n)), name);
  for (uint32_t i = 0, count = up_nsrc(c, n); i < count; i++) {
    up_dt_print(up_dtype_of(c, up_src(c, n, i)), name);
    up_buf_printf(&text, "%s%s%s", i ? ", " : " (", name, i + 1 == count ? ")" : "");
  }
  put_cut(text.p ? text.p : "", out);
  up_buf_free(&text);
}

/* Sign of value - bound; a nan bound compares as equal, as in the engine. */
static int cmp_bound(const up_ctx *c, const mpz_t value, up_val bound, mpz_t scratch) {
  if (bound.is_float) return bound.f != bound.f ? 0 : mpz_cmp_d(value, bound.f);
  up_int_to_mpz(c, bound.i, scratch);
  return mpz_cmp(value, scratch);
}

bool or_point_claim_fails(up_ctx *c, const or_point *p, up_node n) {
  uint32_t i = or_point_find(p, n);
  up_dtype d = up_dtype_of(c, n);
  if (i == UINT32_MAX || (!up_dt_is_int(d) && !up_dt_is_bool(d))) return false;
  up_bounds b = up_minmax(c, n);
  if (up_ctx_status(c) != UP_OK) return false;
  bool bad = false;
  mpz_t scratch;
  mpz_init(scratch);
  for (; !bad && is_lane(p, i, n); i++) {
    bad = is_defined(p, i) && (cmp_bound(c, p->values.value[i], b.lo, scratch) < 0 ||
                               cmp_bound(c, p->values.value[i], b.hi, scratch) > 0);
  }
  mpz_clear(scratch);
  return bad;
}

up_node or_point_bad_claim(up_ctx *c, const or_point *p) {
  for (uint32_t i = 0; i < p->values.n; i++) {
    if (p->values.lane[i] == 0 && or_point_claim_fails(c, p, p->values.node[i]))
      return p->values.node[i];
  }
  return UP_NONE;
}

/* ---- witnesses across contexts --------------------------------------------------------------- */

/* Value for a lane of a variable with this name and domain; see or_witness_carry. */
static void carry_value(up_ctx *c, const char *name, uint32_t lane, up_int lo, up_int hi,
                        up_ctx *from_ctx, const or_witness *from, mpz_t out) {
  mpz_t low, high;
  mpz_inits(low, high, NULL);
  up_int_to_mpz(c, lo, low);
  up_int_to_mpz(c, hi, high);
  mpz_set_si(out, 0);
  for (uint32_t i = 0; i < from->n; i++) {
    char other[64];
    or_var_name(from_ctx, from->var[i], other);
    if (or_witness_lane(from, i) != lane || strcmp(name, other) != 0) continue;
    mpz_set(out, from->value[i]);
    break;
  }
  if (mpz_cmp(out, low) < 0) mpz_set(out, low);
  if (mpz_cmp(out, high) > 0) mpz_set(out, high);
  mpz_clears(low, high, NULL);
}

static bool is_variable(up_op op) {
  return op == UP_DEFINE_VAR || op == UP_RANGE || op == UP_SPECIAL;
}

/* What a variable can be at most: of a RANGE to a node, by what that is claimed to be. False: nothing,
 * or not known. */
static bool widest_domain(up_ctx *c, up_node n, up_int *lo, up_int *hi) {
  char name[64];
  if (up_var_domain(c, n, name, lo, hi)) {
    bool two = up_dt_is_bool(up_dtype_of(c, n)); /* of any declared range it takes 0 and 1 */
    if (two && up_int_sign(c, *lo) < 0) *lo = up_int_of(0);
    if (two && up_int_cmp(c, *hi, up_int_of(1)) > 0) *hi = up_int_of(1);
    return up_int_cmp(c, *lo, *hi) <= 0;
  }
  if (up_op_of(c, n) != UP_RANGE || up_nsrc(c, n) != 1) return false;
  up_bounds end = up_minmax(c, up_src(c, n, 0));
  if (up_ctx_status(c) != UP_OK || end.hi.is_float) return false;
  *lo = up_int_of(0);
  *hi = up_int_sub(c, end.hi.i, up_int_of(1));
  return up_int_sign(c, *hi) >= 0;
}

/* Variables of a graph in order of node id. */
static bool variables(up_ctx *c, up_node root, up_list *out) {
  up_list topo = {0};
  bool ok = up_toposort(c, root, &topo);
  for (uint32_t i = 0; ok && i < topo.n; i++) {
    if (is_variable(up_op_of(c, topo.p[i]))) ok = up_list_push(out, topo.p[i]);
  }
  up_list_free(&topo);
  for (uint32_t i = 1; ok && i < out->n; i++) {
    up_node v = out->p[i];
    uint32_t k = i;
    for (; k > 0 && v.id < out->p[k - 1].id; k--) out->p[k] = out->p[k - 1];
    out->p[k] = v;
  }
  return ok;
}

static uint64_t count_lanes(up_ctx *c, const up_list *vars) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < vars->n; i++) n += up_dt_count(up_dtype_of(c, vars->p[i]));
  return n;
}

bool or_witness_carry(up_ctx *c, up_node root, up_ctx *from_ctx, const or_witness *from,
                      or_witness *out) {
  *out = (or_witness){0};
  up_list vars = {0};
  bool ok = variables(c, root, &vars);
  uint64_t lanes = count_lanes(c, &vars);
  ok = ok && lanes <= UINT32_MAX && or_witness_init(out, (uint32_t)lanes);
  uint32_t to = 0;
  for (uint32_t i = 0; ok && i < vars.n; i++) {
    char name[64];
    up_int lo, hi;
    or_var_name(c, vars.p[i], name);
    ok = widest_domain(c, vars.p[i], &lo, &hi);
    for (uint32_t l = 0; ok && l < up_dt_count(up_dtype_of(c, vars.p[i])); l++, to++) {
      out->var[to] = vars.p[i];
      out->lane[to] = l;
      carry_value(c, name, l, lo, hi, from_ctx, from, out->value[to]);
    }
  }
  up_list_free(&vars);
  if (!ok) or_witness_clear(out);
  return ok;
}

bool or_witness_add(or_witness *w, up_node var, const mpz_t value) {
  or_witness more;
  if (!or_witness_init(&more, w->n + 1)) return false;
  for (uint32_t i = 0; i < w->n; i++) {
    more.var[i] = w->var[i];
    more.lane[i] = or_witness_lane(w, i);
    mpz_swap(more.value[i], w->value[i]);
  }
  more.var[w->n] = var;
  mpz_set(more.value[w->n], value);
  or_witness_clear(w);
  *w = more;
  return true;
}
