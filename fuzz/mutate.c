/* The table of mutators, and those that change the shape of a graph. */
#include "fuzz/mutation.h"
#include <assert.h>

up_node mutation_replace(const mutation *m, up_node key, up_node val) {
  if (up_is_none(val) || up_same(key, val)) return UP_NONE;
  if (up_same(key, m->root)) return val;
  up_node out = up_substitute(m->c, m->root, &key, &val, 1);
  return up_same(out, m->root) ? UP_NONE : out;
}

up_node mutation_of_dtype(mutation *m, up_dtype dt, up_node not ) {
  up_node found = UP_NONE;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < m->topo.n; i++) {
    up_node n = m->topo.p[i];
    if (up_same(n, not ) || up_dtype_of(m->c, n) != dt) continue;
    if (fz_below(m, ++seen) == 0) found = n;
  }
  return found;
}

static bool is_int(const mutation *m, up_node n) { return up_dt_is_int(up_dtype_of(m->c, n)); }
static bool is_bool(const mutation *m, up_node n) { return up_dt_is_bool(up_dtype_of(m->c, n)); }

/* Most operands are nodes that are there already. */
static up_node operand(mutation *m, up_dtype dt) {
  up_node n = fz_below(m, 3) ? mutation_of_dtype(m, dt, UP_NONE) : UP_NONE;
  if (!up_is_none(n)) return n;
  return mutation_number_of(m, dt, mutation_number(m));
}

static up_node condition(mutation *m, unsigned lanes) {
  up_node n = mutation_of_dtype(m, up_dt_vec(up_dt(UP_BOOL), lanes), UP_NONE);
  if (!up_is_none(n) && fz_below(m, 3)) return n;
  up_node x = mutation_of_dtype(m, up_dt_vec(up_dt(UP_INT), lanes), UP_NONE);
  if (up_is_none(x)) return UP_NONE;
  return up_binary(m->c, UP_CMPLT, x, operand(m, up_dtype_of(m->c, x)));
}

/* ---- shape ----------------------------------------------------------------------------------- */

static up_node wrap_bool(mutation *m, up_node n) {
  static const up_op op[] = {UP_AND, UP_OR, UP_XOR, UP_CMPNE};
  unsigned k = fz_below(m, 5);
  return k == 4 ? up_not(m->c, n) : up_binary(m->c, op[k], n, operand(m, up_dtype_of(m->c, n)));
}

static up_node wrap_int(mutation *m, up_node n) {
  static const up_op op[] = {UP_ADD,  UP_ADD, UP_MUL, UP_IDIV, UP_MOD,
                             UP_IDIV, UP_MOD, UP_MAX, UP_AND,  UP_SHR};
  up_dtype dt = up_dtype_of(m->c, n);
  unsigned k = fz_below(m, 13);
  if (k == 10) {
    up_node cond = condition(m, up_dt_count(dt));
    return up_is_none(cond) ? cond : up_where(m->c, cond, n, operand(m, dt));
  }
  if (k == 11) return up_neg(m->c, n);
  if (k == 12) {
    up_dtype wide = up_dt_vec(up_dt(fz_below(m, 2) ? UP_LONG : UP_CHAR), up_dt_count(dt));
    return up_cast(m->c, up_cast(m->c, n, wide), dt);
  }
  if (op[k] == UP_SHR) return up_binary(m->c, UP_SHR, n, up_const_int(m->c, dt, fz_below(m, 7)));
  return up_binary(m->c, op[k], n, operand(m, dt));
}

static up_node insert_op(mutation *m) {
  up_node n = fz_some(m);
  if (is_bool(m, n)) return mutation_replace(m, n, wrap_bool(m, n));
  return is_int(m, n) ? mutation_replace(m, n, wrap_int(m, n)) : UP_NONE;
}

/* n + v*k: what folds over sums of any number of terms wait for. */
static up_node add_term(mutation *m) {
  up_node n = fz_some(m);
  if (!is_int(m, n)) return UP_NONE;
  up_dtype dt = up_dtype_of(m->c, n);
  up_node v = fz_below(m, 4) ? mutation_of_dtype(m, dt, n) : mutation_variable(m, dt);
  if (up_is_none(v)) v = mutation_variable(m, dt);
  up_node k = mutation_number_of(m, dt, mutation_number(m));
  return mutation_replace(m, n, up_binary(m->c, UP_ADD, n, up_binary(m->c, UP_MUL, v, k)));
}

static up_node with_sources(mutation *m, up_node n, const up_node *src, uint32_t nsrc) {
  return mutation_replace(m, n, up_replace_src(m->c, n, src, nsrc));
}

#define MOST_SOURCES 8u
static uint32_t sources(const mutation *m, up_node n, up_node *src) {
  uint32_t nsrc = up_nsrc(m->c, n);
  for (uint32_t i = 0; i < nsrc && i < MOST_SOURCES; i++) src[i] = up_src(m->c, n, i);
  return nsrc <= MOST_SOURCES ? nsrc : 0;
}

/* The last two sources, if they have one dtype: operands of a binary op, arms of a WHERE. */
static up_node swap_operands(mutation *m) {
  for (unsigned tries = 0; tries < 4; tries++) {
    up_node n = fz_some(m), src[MOST_SOURCES];
    uint32_t k = sources(m, n, src);
    if (k < 2 || up_dtype_of(m->c, src[k - 1]) != up_dtype_of(m->c, src[k - 2])) continue;
    up_node t = src[k - 1];
    src[k - 1] = src[k - 2];
    src[k - 2] = t;
    return with_sources(m, n, src, k);
  }
  return UP_NONE;
}

static up_node replace_operand(mutation *m) {
  for (unsigned tries = 0; tries < 4; tries++) {
    up_node n = fz_some(m), src[MOST_SOURCES];
    uint32_t k = sources(m, n, src);
    if (k == 0) continue;
    uint32_t i = fz_below(m, k);
    up_node other = mutation_of_dtype(m, up_dtype_of(m->c, src[i]), src[i]);
    if (up_is_none(other)) continue;
    src[i] = other;
    return with_sources(m, n, src, k);
  }
  return UP_NONE;
}

/* Two places become one node. */
static up_node share(mutation *m) {
  up_node n = fz_some(m);
  return mutation_replace(m, n, mutation_of_dtype(m, up_dtype_of(m->c, n), n));
}

/* A node gives way to one of its sources. */
static up_node drop_op(mutation *m) {
  for (unsigned tries = 0; tries < 4; tries++) {
    up_node n = fz_some(m), src[MOST_SOURCES];
    uint32_t k = sources(m, n, src);
    if (k == 0) continue;
    up_node s = src[fz_below(m, k)];
    if (up_dtype_of(m->c, s) == up_dtype_of(m->c, n)) return mutation_replace(m, n, s);
  }
  return UP_NONE;
}

static up_node keep_part(mutation *m) {
  up_node n = fz_some(m);
  bool whole = up_nsrc(m->c, n) > 0 && !up_same(n, m->root) && (is_int(m, n) || is_bool(m, n));
  return whole ? n : UP_NONE;
}

static up_op near_op(mutation *m, up_op op) {
  static const up_op near[][2] = {
      {UP_ADD, UP_MUL}, {UP_IDIV, UP_MOD},         {UP_CMPLT, UP_CMPNE}, {UP_AND, UP_OR},
      {UP_SHL, UP_SHR}, {UP_ADD, UP_MAX},          {UP_CMPEQ, UP_CMPNE}, {UP_XOR, UP_AND},
      {UP_MUL, UP_MAX}, {UP_FLOORDIV, UP_FLOORMOD}};
  enum { PAIRS = sizeof near / sizeof near[0] };
  uint32_t from = fz_below(m, PAIRS);
  for (uint32_t i = 0; i < PAIRS; i++) {
    const up_op *p = near[(from + i) % PAIRS];
    if (op == p[0]) return p[1];
    if (op == p[1]) return p[0];
  }
  return op;
}

static up_node change_op(mutation *m) {
  for (unsigned tries = 0; tries < 4; tries++) {
    up_node n = fz_some(m), src[MOST_SOURCES];
    up_op op = near_op(m, up_op_of(m->c, n));
    uint32_t k = sources(m, n, src);
    if (op == up_op_of(m->c, n) ||
        !up_node_check(m->c, op, up_dtype_of(m->c, n), src, k, up_arg_none(), NULL))
      continue;
    return mutation_replace(m, n, up_new(m->c, op, up_dtype_of(m->c, n), src, k, up_arg_none()));
  }
  return UP_NONE;
}

/* ---- from elsewhere -------------------------------------------------------------------------- */

static bool well_formed(mutation *m, up_node root) {
  up_list topo = {0};
  up_node src[64];
  bool ok = up_toposort(m->c, root, &topo);
  for (uint32_t i = 0; i < topo.n && ok; i++) {
    up_node n = topo.p[i];
    uint32_t nsrc = up_nsrc(m->c, n);
    if (nsrc > 64) ok = false;
    for (uint32_t k = 0; ok && k < nsrc; k++) src[k] = up_src(m->c, n, k);
    ok = ok && up_node_check(m->c, up_op_of(m->c, n), up_dtype_of(m->c, n), src, nsrc,
                             up_arg_of(m->c, n), NULL);
  }
  up_list_give(m->c, &topo);
  return ok;
}

/* The left side of a rule, its names standing for nodes of the graph. */
static up_node rule_shape(mutation *m) {
  uint32_t rules = up_rule_count(up_ctx_profile(m->c));
  up_node place = fz_some(m);
  for (unsigned tries = 0; tries < 8; tries++) {
    uint64_t seed = fz_next(m->rng);
    up_node n = up_rule_instance(m->c, fz_below(m, rules), m->topo.p, m->topo.n,
                                 up_dtype_of(m->c, place), seed);
    if (up_is_none(n) || !well_formed(m, n)) continue;
    if (up_dtype_of(m->c, n) == up_dtype_of(m->c, place)) return mutation_replace(m, place, n);
    if (is_int(m, n) || is_bool(m, n)) return up_same(n, m->root) ? UP_NONE : n;
  }
  return UP_NONE;
}

/* A node of `part` where one of its dtype was. */
static up_node graft(mutation *m, up_node part) {
  up_list from = {0};
  up_node out = UP_NONE;
  if (up_toposort(m->c, part, &from)) {
    for (unsigned tries = 0; tries < 8 && up_is_none(out); tries++) {
      up_node n = from.p[fz_below(m, from.n)], place = fz_some(m);
      if (up_dtype_of(m->c, n) == up_dtype_of(m->c, place)) out = mutation_replace(m, place, n);
    }
  }
  up_list_free(&from);
  return out;
}

static up_node splice(mutation *m) { return graft(m, m->other); }

/* A piece of a graph made of random bytes. */
static up_node fresh(mutation *m) {
  uint8_t bytes[48];
  fz_opts o = fz_opts_default();
  o.max_nodes = 16;
  size_t n = fz_case_bytes(fz_next(m->rng), 0, bytes, sizeof bytes);
  return graft(m, fz_decode(m->c, &o, bytes, n));
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct mutator {
  const char *name;
  mutator_fn fn;
  uint32_t weight;
  bool joins;
} mutator;

static const mutator mutators[] = {
    {"insert_op", insert_op, 12, false},
    {"add_term", add_term, 6, false},
    {"swap_operands", swap_operands, 4, false},
    {"replace_operand", replace_operand, 8, false},
    {"share", share, 6, false},
    {"drop_op", drop_op, 10, false},
    {"keep_part", keep_part, 3, false},
    {"change_op", change_op, 6, false},
    {"const_boundary", mutate_const_boundary, 6, false},
    {"const_related", mutate_const_related, 12, false},
    {"range", mutate_range, 8, false},
    {"retype", mutate_retype, 2, false},
    {"variable", mutate_variable, 3, false},
    {"rule_shape", rule_shape, 14, false},
    {"fresh", fresh, 4, false},
    {"splice", splice, 8, true},
};
#define MUTATORS (sizeof mutators / sizeof mutators[0])

unsigned fz_mutator_count(void) { return MUTATORS; }

const char *fz_mutator_name(unsigned i) {
  assert(i < MUTATORS);
  return mutators[i].name;
}

bool fz_mutator_joins(unsigned i) { return mutators[i].joins; }

unsigned fz_mutator_pick(fz_rng *r, bool two_graphs) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < MUTATORS; i++)
    if (two_graphs || !mutators[i].joins) sum += mutators[i].weight;
  uint32_t at = (uint32_t)(fz_next(r) % sum);
  for (unsigned i = 0; i < MUTATORS; i++) {
    if (!two_graphs && mutators[i].joins) continue;
    if (at < mutators[i].weight) return i;
    at -= mutators[i].weight;
  }
  return 0;
}

up_node fz_mutate(up_ctx *c, up_node root, up_node other, unsigned i, fz_rng *r) {
  mutation m = {.c = c, .root = root, .other = other, .rng = r};
  assert(i < MUTATORS && (!mutators[i].joins || !up_is_none(other)));
  up_node out = UP_NONE;
  if (up_toposort(c, root, &m.topo)) out = mutators[i].fn(&m);
  up_list_give(c, &m.topo);
  return up_ctx_status(c) == UP_OK && !up_same(out, root) ? out : UP_NONE;
}
