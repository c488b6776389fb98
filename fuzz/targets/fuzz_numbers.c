/* Bytes -> graph -> what users of the engine ask of a symbolic number, in ideal, against its values at
 * all points of a small box: factors, quotients, parts of a sum, whether it grows; by the profile that
 * is sound also what is decided, extremes, values by inference. And users, variables, bindings. */
#include "fuzz/harness.h"
#include "fuzz/plain.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define POINTS 48u
#define MOST_NODES 40u

/* ---- values ---------------------------------------------------------------------------------- */

/* False: the scalar n has no value there. */
static bool value_at(up_ctx *c, up_node n, const or_witness *at, mpz_t out) {
  or_values v = {0};
  fz_require(or_eval(c, n, OR_IDEAL, at, &v) && v.n > 0, "memory");
  bool ok = v.def[v.n - 1] == OR_VALUE_OK;
  if (ok) mpz_set(out, v.value[v.n - 1]);
  or_values_clear(&v);
  return ok;
}

/* At every point: where a has a value, b has it. */
static void require_equal(up_ctx *c, up_node a, up_node b, const char *demand) {
  fz_require(fz_plain_equiv(c, a, b, OR_IDEAL, POINTS) != FZ_FALSE, demand);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void require_factor(up_ctx *c, up_node n) {
  up_node k = up_const_like(c, n, up_const_factor(c, n));
  if (up_ctx_status(c) == UP_OK)
    require_equal(c, up_binary(c, UP_MUL, up_binary(c, UP_IDIV, n, k), k), n,
                  "a factor divides every value");
  up_ctx_clear_status(c);
}

static void require_quotient(up_ctx *c, up_node n, int64_t by) {
  up_node q = up_divides(c, n, up_int_of(by));
  if (up_ctx_status(c) == UP_OK && !up_is_none(q))
    require_equal(c, n, up_binary(c, UP_MUL, q, up_const_like(c, n, up_int_of(by))),
                  "a quotient times its divisor is the number");
  up_ctx_clear_status(c);
}

static void require_sum(up_ctx *c, up_node n) {
  up_int rest;
  up_list leaf = {0};
  up_node x = up_pop_const(c, n, &rest);
  require_equal(c, n, up_binary(c, UP_ADD, x, up_const_like(c, n, rest)),
                "a number is what is left and its constant");
  fz_require(up_split(c, n, UP_ADD, &leaf), "memory");
  up_node sum = leaf.p[0];
  for (uint32_t i = 1; i < leaf.n && i < 64; i++) sum = up_binary(c, UP_ADD, sum, leaf.p[i]);
  if (leaf.n <= 64) require_equal(c, n, sum, "the leaves add up");
  up_list_free(&leaf);
}

/* No point is below the one with the least values. */
static void require_grows(up_ctx *c, up_node n, fz_points *p) {
  mpz_t least, v;
  if (!up_is_increasing(c, n) || !fz_points_of(p, c, n, POINTS) || p->n == 0) return;
  mpz_inits(least, v, NULL);
  if (value_at(c, n, &p->at, least)) {
    while (fz_points_next(p))
      fz_require(!value_at(c, n, &p->at, v) || mpz_cmp(v, least) >= 0,
                 "what is increasing is least where its variables are");
  }
  mpz_clears(least, v, NULL);
}

/* ---- decided by simplification --------------------------------------------------------------- */

static void require_decided(up_ctx *c, up_node n) {
  up_val v;
  if (up_eval_const(c, n, &v) && !v.is_float)
    require_equal(c, n, up_const_like(c, n, v.i), "a number that is decided is always that");
  up_ctx_clear_status(c);
  if (!up_dt_is_bool(up_dtype_of(c, n))) return;
  bool yes = up_resolve(c, n, false), no = !up_resolve(c, n, true);
  up_ctx_clear_status(c);
  fz_require(!(yes && no), "nothing is decided both ways");
  if (yes || no)
    require_equal(c, n, up_const_int(c, up_dt(UP_BOOL), yes), "what is decided is always so");
}

static up_node negative(up_ctx *c, up_node n) {
  return up_binary(c, UP_MUL, n, up_const_like(c, n, up_int_of(-1)));
}

static void require_extremes(up_ctx *c, up_node n, int64_t k) {
  up_node pair[2] = {n, up_const_like(c, n, up_int_of(k))};
  if (up_dt_is_unsigned(up_dtype_of(c, n))) return; /* the least one is by negatives */
  up_node most = up_smax(c, pair, 2), least = up_smin(c, pair, 2);
  if (up_ctx_status(c) == UP_OK) {
    require_equal(c, up_binary(c, UP_MAX, pair[1], n), most, "the largest is the largest");
    up_node m = up_binary(c, UP_MAX, negative(c, pair[1]), negative(c, n));
    require_equal(c, negative(c, m), least, "the least is the least");
  }
  up_ctx_clear_status(c);
}

/* Inference goes by exec_alu, which takes a CAST for its operand and adds two True to 2. */
static bool can_infer(up_ctx *c, const up_list *topo) {
  for (uint32_t i = 0; i < topo->n; i++) {
    up_op op = up_op_of(c, topo->p[i]);
    bool arithmetic = op == UP_ADD || op == UP_MUL || op == UP_MULACC || op == UP_SUB ||
                      op == UP_NEG || op == UP_IDIV || op == UP_MOD || op == UP_SHL;
    if (op == UP_CAST || op == UP_BITCAST || up_dt_count(up_dtype_of(c, topo->p[i])) > 1)
      return false;
    if (arithmetic && !up_dt_is_int(up_dtype_of(c, topo->p[i]))) return false;
  }
  return true;
}

static void require_inferred(up_ctx *c, up_node n, fz_points *p) {
  up_val val[16], got;
  mpz_t want, is;
  if (!fz_points_of(p, c, n, POINTS) || p->at.n > 16) return;
  mpz_inits(want, is, NULL);
  for (bool more = p->n > 0; more; more = fz_points_next(p)) {
    for (uint32_t i = 0; i < p->at.n; i++) val[i] = up_val_int(up_int_from_mpz(c, p->at.value[i]));
    bool has = value_at(c, n, &p->at, want);
    bool inferred = up_sym_infer(c, n, p->at.var, val, p->at.n, &got) && !got.is_float;
    up_ctx_clear_status(c);
    if (!has || !inferred) continue;
    up_int_to_mpz(c, got.i, is);
    fz_require(mpz_cmp(is, want) == 0, "a value by inference is the value");
  }
  mpz_clears(want, is, NULL);
}

/* ---- the graph ------------------------------------------------------------------------------- */

static bool uses(up_ctx *c, up_node user, up_node n) {
  for (uint32_t i = 0; i < up_nsrc(c, user); i++)
    if (up_same(up_src(c, user, i), n)) return true;
  return false;
}

static void require_users(up_ctx *c, const up_list *topo) {
  uint32_t *start, pairs = 0;
  up_node *user;
  fz_require(up_children(c, topo, &start, &user), "memory");
  for (uint32_t i = 0; i < topo->n; i++) {
    for (uint32_t k = start[i]; k < start[i + 1]; k++)
      fz_require(uses(c, user[k], topo->p[i]), "a user has the node as a source");
    for (uint32_t k = 0; k < topo->n; k++) pairs += uses(c, topo->p[k], topo->p[i]);
  }
  fz_require(pairs == start[topo->n], "every user is there once");
  free(start);
  free(user);
}

static bool holds(const up_list *l, up_node n) {
  for (uint32_t i = 0; i < l->n; i++)
    if (up_same(l->p[i], n)) return true;
  return false;
}

static void require_bound(up_ctx *c, up_node var, up_int v, bool inside) {
  up_node b = up_bind(c, var, v), of;
  up_int is;
  fz_require(up_is_none(b) != inside, "a variable takes values of its range and no other");
  if (inside)
    fz_require(up_unbind(c, b, &of, &is) && up_same(of, var) && up_int_eq(is, v),
               "a binding gives back what it was made of");
}

/* Is there an op that ends ranges? */
static bool has_end(const up_ctx *c, const up_list *topo) {
  for (uint32_t i = 0; i < topo->n; i++) {
    up_op op = up_op_of(c, topo->p[i]);
    if (op == UP_REDUCE || op == UP_BUFFERIZE || op == UP_STORE) return true;
  }
  return false;
}

static void require_variables(up_ctx *c, up_node root, const up_list *topo) {
  up_list vars = {0}, ranges = {0};
  char name[64];
  up_int lo, hi;
  fz_require(up_vars(c, root, &vars) && up_ranges(c, root, &ranges), "memory");
  bool ended = has_end(c, topo);
  for (uint32_t i = 0; i < topo->n; i++) {
    up_node n = topo->p[i];
    bool variable = up_op_of(c, n) == UP_DEFINE_VAR;
    fz_require(!holds(&vars, n) || variable || up_op_of(c, n) == UP_BIND, "a variable is one");
    bool range = up_op_of(c, n) == UP_RANGE;
    fz_require(holds(&ranges, n) ? range : !range || ended,
               "a range is open, or something ends it");
    if (!variable || up_dt_count(up_dtype_of(c, n)) > 1 || !up_var_domain(c, n, name, &lo, &hi))
      continue;
    if (!up_dt_is_int(up_dtype_of(c, n)) || up_int_cmp(c, lo, hi) > 0) continue;
    require_bound(c, n, lo, true);
    require_bound(c, n, hi, true);
    require_bound(c, n, up_int_add(c, hi, up_int_of(1)), false);
  }
  up_list_free(&vars);
  up_list_free(&ranges);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_case q = fz_case_begin(&all, data, n);
  up_dtype dt = up_dtype_of(q.c, q.root);
  up_list topo = {0};
  fz_points p = {0};
  fz_require(up_toposort(q.c, q.root, &topo), "memory");
  require_users(q.c, &topo);
  require_variables(q.c, q.root, &topo);
  if (topo.n <= MOST_NODES && up_dt_count(dt) == 1 && (up_dt_is_int(dt) || up_dt_is_bool(dt))) {
    if (up_dt_is_int(dt)) {
      require_factor(q.c, q.root);
      require_quotient(q.c, q.root, (int64_t)(q.seed % 7) + 2);
      require_sum(q.c, q.root);
      require_grows(q.c, q.root, &p);
    }
    if (strcmp(up_profile_base(up_ctx_profile(q.c)), "sound") == 0) {
      require_decided(q.c, q.root);
      if (up_dt_is_int(dt)) require_extremes(q.c, q.root, (int64_t)(q.seed / 8 % 20) - 9);
      if (can_infer(q.c, &topo)) require_inferred(q.c, q.root, &p);
    }
  }
  fz_points_free(&p);
  up_list_free(&topo);
  return 0;
}
