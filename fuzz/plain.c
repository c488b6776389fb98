#include "fuzz/plain.h"
#include "fuzz/harness.h"
#include <stdlib.h>

/* ---- points ---------------------------------------------------------------------------------- */

void fz_points_free(fz_points *p) {
  for (uint32_t i = 0; i < p->at.n; i++) mpz_clears(p->lo[i], p->hi[i], NULL);
  free(p->lo);
  free(p->hi);
  or_witness_clear(&p->at);
  *p = (fz_points){0};
}

static bool is_variable(up_op op) {
  return op == UP_DEFINE_VAR || op == UP_RANGE || op == UP_SPECIAL;
}

static void make_room(fz_points *p, up_ctx *c, const up_list *topo) {
  uint32_t n = 1;
  for (uint32_t i = 0; i < topo->n; i++)
    if (is_variable(up_op_of(c, topo->p[i]))) n += up_dt_count(up_dtype_of(c, topo->p[i]));
  p->at.var = calloc(n, sizeof *p->at.var);
  p->at.value = calloc(n, sizeof *p->at.value);
  p->at.lane = calloc(n, sizeof *p->at.lane);
  p->lo = calloc(n, sizeof *p->lo);
  p->hi = calloc(n, sizeof *p->hi);
  fz_require(p->at.var && p->at.value && p->at.lane && p->lo && p->hi, "memory");
}

/* An entry for each lane. False: its ends are no numbers. */
static bool add_variable(fz_points *p, up_ctx *c, up_node n) {
  char name[64];
  up_int lo, hi;
  if (!up_var_domain(c, n, name, &lo, &hi)) return false;
  /* of any declared range a bool takes 0 and 1 */
  bool two = up_dt_is_bool(up_dtype_of(c, n));
  if (two && up_int_sign(c, lo) < 0) lo = up_int_of(0);
  if (two && up_int_cmp(c, hi, up_int_of(1)) > 0) hi = up_int_of(1);
  for (uint32_t k = 0; k < up_dt_count(up_dtype_of(c, n)); k++) {
    uint32_t i = p->at.n++;
    p->at.var[i] = n;
    p->at.lane[i] = k;
    mpz_inits(p->lo[i], p->hi[i], p->at.value[i], NULL);
    up_int_to_mpz(c, lo, p->lo[i]);
    up_int_to_mpz(c, hi, p->hi[i]);
    mpz_set(p->at.value[i], p->lo[i]);
  }
  return true;
}

/* False: more than `most`. */
static bool count(fz_points *p, uint64_t most) {
  mpz_t n, size;
  mpz_inits(n, size, NULL);
  mpz_set_ui(n, 1);
  for (uint32_t i = 0; i < p->at.n; i++) {
    mpz_sub(size, p->hi[i], p->lo[i]);
    mpz_add_ui(size, size, 1);
    if (mpz_sgn(size) < 0) mpz_set_ui(size, 0);
    mpz_mul(n, n, size);
  }
  bool few = mpz_cmp_ui(n, most) <= 0;
  p->n = few ? mpz_get_ui(n) : 0;
  mpz_clears(n, size, NULL);
  return few;
}

bool fz_points_of(fz_points *p, up_ctx *c, up_node root, uint64_t most) {
  up_list topo = {0};
  bool ok = true;
  fz_points_free(p);
  fz_require(up_toposort(c, root, &topo), "memory");
  make_room(p, c, &topo);
  for (uint32_t i = 0; i < topo.n && ok; i++)
    if (is_variable(up_op_of(c, topo.p[i]))) ok = add_variable(p, c, topo.p[i]);
  up_list_free(&topo);
  return ok && count(p, most);
}

bool fz_points_next(fz_points *p) {
  for (uint32_t i = 0; p->n > 0 && i < p->at.n; i++) {
    if (mpz_cmp(p->at.value[i], p->hi[i]) < 0) {
      mpz_add_ui(p->at.value[i], p->at.value[i], 1);
      return true;
    }
    mpz_set(p->at.value[i], p->lo[i]);
  }
  return false;
}

/* ---- replacements ---------------------------------------------------------------------------- */

/* Where the lanes of the node begin in v, which has as many as its dtype. */
static uint32_t first_lane(const or_values *v, up_node n) {
  uint32_t i = 0;
  while (i < v->n && !up_same(v->node[i], n)) i++;
  fz_require(i < v->n, "a node has an entry in its values");
  return i;
}

fz_truth fz_plain_equiv_at(up_ctx *c, up_node a, up_node b, or_frame f, const or_witness *at) {
  or_values v = {0}, w = {0};
  fz_require(or_eval(c, a, f, at, &v) && or_eval(c, b, f, at, &w), "memory");
  uint32_t i = first_lane(&v, a), j = first_lane(&w, b), lanes = up_dt_count(up_dtype_of(c, a));
  fz_truth r = FZ_TRUE;
  if (lanes != up_dt_count(up_dtype_of(c, b))) r = FZ_UNKNOWN;
  for (uint32_t k = 0; r != FZ_UNKNOWN && k < lanes; k++) {
    if (v.def[i + k] == OR_VALUE_UNSUPPORTED || w.def[j + k] == OR_VALUE_UNSUPPORTED)
      r = FZ_UNKNOWN;
    else if (v.def[i + k] == OR_VALUE_OK &&
             (w.def[j + k] != OR_VALUE_OK || mpz_cmp(v.value[i + k], w.value[j + k]) != 0))
      r = FZ_FALSE;
  }
  or_values_clear(&v);
  or_values_clear(&w);
  return r;
}

fz_truth fz_plain_equiv(up_ctx *c, up_node a, up_node b, or_frame f, uint64_t most) {
  const up_node pair[2] = {a, b};
  fz_points p = {0};
  fz_truth r = FZ_UNKNOWN;
  up_node both = up_new(c, UP_SINK, up_dt(UP_VOID), pair, 2, up_arg_none());
  if (fz_points_of(&p, c, both, most)) {
    r = FZ_TRUE;
    bool more = p.n > 0;
    for (; more && r == FZ_TRUE; more = fz_points_next(&p))
      r = fz_plain_equiv_at(c, a, b, f, &p.at);
  }
  fz_points_free(&p);
  return r;
}
