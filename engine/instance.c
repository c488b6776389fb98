/* Nodes of the shape of a rule's pattern: what a random graph hardly ever holds, and a mutator needs.
 *
 * The pattern is walked from the root down with the dtype that is wanted there, so that most of what
 * is made is well formed. Constants like to be 0, 1, multiples and neighbours of each other, since
 * that is what conditions ask for.
 */
#include "rulebook.h"
#include "rulelex.h"
#include <math.h>
#include <string.h>

typedef struct maker {
  up_ctx *c;
  const patbook *b;
  const up_node *leaf;
  uint32_t nleaf;
  up_node slot[PAT_MAX_SLOTS];
  int64_t latest; /* constant: the next ones are related to it */
  unsigned lanes; /* of a node whose dtype nobody wants */
  uint64_t seed;
} maker;

#define NO_DTYPE ((up_dtype)UP_VOID)

static uint32_t pick(maker *m, uint32_t n) {
  m->seed = m->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(m->seed >> 33) % n;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* A dtype of the set: the wanted one if it is in it. */
static up_dtype some_dtype(maker *m, dtset set, up_dtype want) {
  static const enum up_scalar common[] = {UP_INT, UP_INT, UP_INT, UP_LONG, UP_UINT, UP_BOOL};
  if (want != NO_DTYPE && dtset_has(set, want)) return want;
  unsigned lanes = want == NO_DTYPE ? m->lanes : up_dt_count(want);
  for (unsigned i = 0; i < 60; i++) {
    bool rare = i >= 20 || pick(m, 8) == 0;
    up_dtype d = up_dt(rare ? (enum up_scalar)pick(m, UP_SCALAR_COUNT) : common[pick(m, 6)]);
    if (d != NO_DTYPE && dtset_has(set, d)) return up_dt_vec(d, lanes);
  }
  return dtset_has(set, NO_DTYPE) ? NO_DTYPE : up_dt_vec(up_dt(UP_INT), lanes);
}

static int64_t some_number(maker *m) {
  static const int64_t small[] = {0, 1, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 25, 32, 64, 256};
  int64_t k = m->latest, s = small[pick(m, 18)];
  switch (pick(m, 12)) {
  case 0: return k;
  case 1: return k * s;
  case 2: return -k;
  case 3: return k + 1;
  case 4: return k - 1;
  case 5: return -s;
  case 6: return INT64_C(1) << pick(m, 33);
  default: return s;
  }
}

static up_val some_value(maker *m, up_dtype dt) {
  static const double floats[] = {0, 1, -1, 0.5, 2, 3, (double)INFINITY, (double)NAN};
  if (up_dt_is_float(dt)) return up_val_float(floats[pick(m, 8)]);
  if (up_dt_is_bool(dt)) return up_val_int(up_int_of(pick(m, 2)));
  int64_t v = some_number(m);
  if (v > -(INT64_C(1) << 20) && v < INT64_C(1) << 20) m->latest = v;
  if (up_dt_is_unsigned(dt) && v < 0) v = -v;
  return up_val_int(up_int_of(v));
}

static up_node some_const(maker *m, up_op op, up_dtype dt) {
  up_val v[2];
  v[0] = some_value(m, dt); /* members of a list are made in no certain order */
  v[1] = some_value(m, dt);
  if (op == UP_VCONST && !up_dt_is_ptr(dt))
    return up_vconst(m->c, up_dt_vec(up_dt(up_dt_scalar(dt)), 2), v, 2);
  return up_const(m->c, dt, v[0]);
}

static up_node some_scalar(maker *m, up_dtype dt) {
  static const char *const name[] = {"a", "b", "c", "d"};
  static const int64_t range[][2] = {{0, 1},  {0, 9},   {-5, 5}, {0, 255},
                                     {1, 12}, {-9, -1}, {3, 3},  {3, 4}};
  const int64_t *r = range[up_dt_is_bool(dt) ? 0 : pick(m, 8)];
  int64_t lo = up_dt_is_unsigned(dt) && r[0] < 0 ? 0 : r[0];
  return up_var(m->c, name[pick(m, 4)], up_int_of(lo), up_int_of(r[1]), dt);
}

static up_node some_variable(maker *m, up_dtype dt) {
  up_node lane[PAT_MAX_KIDS];
  uint32_t lanes = up_dt_is_ptr(dt) ? 1 : up_dt_count(dt);
  if (lanes == 1 || lanes > PAT_MAX_KIDS) return some_scalar(m, dt);
  for (uint32_t i = 0; i < lanes; i++) lane[i] = some_scalar(m, up_dt(up_dt_scalar(dt)));
  return up_new(m->c, UP_VECTORIZE, dt, lane, lanes, up_arg_none());
}

/* One of the caller's nodes, if any has a dtype of the set. */
static up_node given_leaf(maker *m, dtset set, up_dtype want) {
  uint32_t from = m->nleaf ? pick(m, m->nleaf) : 0;
  for (uint32_t i = 0; i < m->nleaf; i++) {
    up_node n = m->leaf[(from + i) % m->nleaf];
    up_dtype d = up_dtype_of(m->c, n);
    bool fits = want == NO_DTYPE ? m->lanes == 1 || up_dt_count(d) == m->lanes : d == want;
    if (dtset_has(set, d) && fits) return n;
  }
  return UP_NONE;
}

static up_node some_leaf(maker *m, dtset set, up_dtype want) {
  up_node n = pick(m, 8) ? given_leaf(m, set, want) : UP_NONE;
  if (!up_is_none(n)) return n;
  up_dtype dt = some_dtype(m, set, want);
  return pick(m, 3) == 0 ? some_const(m, UP_CONST, dt) : some_variable(m, dt);
}

/* ---- nodes of a pattern ---------------------------------------------------------------------- */

static up_op some_op(maker *m, const pat *p) {
  uint32_t n = opset_count(&p->ops), k = n ? pick(m, n) : 0;
  for (int i = 0; i < UP_OP_COUNT; i++)
    if (opset_has(&p->ops, (up_op)i) && k-- == 0) return (up_op)i;
  return UP_ADD;
}

static up_arg some_arg(maker *m, up_op op, up_dtype dt) {
  uint32_t k = pick(m, 8);
  up_arg one = up_arg_int(m->c, up_int_of(k & 1));
  up_arg both[2] = {one, up_arg_int(m->c, up_int_of(k >> 1 & 1))};
  if (k < 4) both[0] = up_arg_int(m->c, up_int_of(0)), both[1] = up_arg_int(m->c, up_int_of(1));
  if (op == UP_GEP)
    return up_dt_count(dt) == 2 ? up_arg_list(m->c, both, 2) : up_arg_list(m->c, &one, 1);
  if (op == UP_RANGE) return one;
  if (op == UP_REDUCE) return up_arg_str(m->c, pick(m, 2) ? "ADD" : "MAX", 3);
  if (op != UP_SPECIAL) return up_arg_none();
  up_arg part[2] = {up_arg_str(m->c, "gidx0", 5), up_arg_int(m->c, up_int_of(8))};
  return up_arg_list(m->c, part, 2);
}

/* What source i of an op should be, when the op itself has dtype dt; NO_DTYPE: whatever comes. The
 * operands of a comparison follow `first`, the dtype of the one that is there. */
static up_dtype source_dtype(up_op op, up_dtype dt, uint32_t i, up_dtype first) {
  if (up_op_in(op, UP_G_COMPARE)) return first;
  if (op == UP_WHERE && i == 0)
    return up_dt_vec(up_dt(UP_BOOL), dt == NO_DTYPE ? 1 : up_dt_count(dt));
  if (op == UP_VECTORIZE) return dt == NO_DTYPE ? dt : up_dt(up_dt_scalar(dt));
  if (op == UP_GEP) return dt == NO_DTYPE ? dt : up_dt_vec(up_dt(up_dt_scalar(dt)), 2);
  return up_op_in(op, UP_G_ALU) || op == UP_RANGE || op == UP_BIND ? dt : NO_DTYPE;
}

static up_node make(maker *m, pat_id id, up_dtype want);

static void shuffle(maker *m, up_node *s, uint32_t n) {
  for (uint32_t i = n; i > 1; i--) {
    uint32_t k = pick(m, i);
    up_node t = s[i - 1];
    s[i - 1] = s[k];
    s[k] = t;
  }
}

/* How many sources a pattern without a fixed number of them gets. */
static uint32_t source_count(maker *m, const pat *p, up_op op, up_dtype dt) {
  int arity = up_op_arity(op);
  if (p->src != SRC_FREE && p->src != SRC_REPEAT) return p->nkid;
  if (arity >= 0) return (uint32_t)arity;
  if (op == UP_SPECIAL) return 0;
  if (op == UP_GEP || op == UP_RANGE) return 1;
  if (op == UP_VECTORIZE && dt != NO_DTYPE && up_dt_count(dt) > 1) return up_dt_count(dt);
  return 1 + pick(m, 3);
}

static uint32_t make_sources(maker *m, const pat *p, up_op op, up_dtype dt, up_node *src) {
  uint32_t n = 0, want = source_count(m, p, op, dt);
  up_dtype first = NO_DTYPE;
  unsigned outer = m->lanes;
  if (op == UP_VECTORIZE) m->lanes = 1;
  if (op == UP_GEP) m->lanes = 2;
  if (want > PAT_MAX_KIDS) want = PAT_MAX_KIDS;
  for (; n < want; n++) {
    up_dtype d = source_dtype(op, dt, n, first);
    if (p->src == SRC_FREE)
      src[n] = some_leaf(m, DTSET_ANY, d);
    else
      src[n] = make(m, m->b->kid[p->kid + (p->src == SRC_REPEAT ? 0 : n)], d);
    first = up_dtype_of(m->c, src[n]);
  }
  m->lanes = outer;
  if (p->src == SRC_PERMUTED) shuffle(m, src, n);
  if (p->src == SRC_ORDERED && p->any_len && pick(m, 2))
    src[n++] = some_leaf(m, DTSET_ANY, NO_DTYPE);
  return n;
}

/* The dtype that an op has in a real graph, where the pattern lets it. */
static up_dtype result_dtype(maker *m, const pat *p, up_op op, up_dtype dt, const up_node *src,
                             uint32_t n) {
  up_dtype real = dt;
  if (up_op_in(op, UP_G_ALU) && n) real = up_dtype_of(m->c, src[n - 1]);
  if (up_op_in(op, UP_G_COMPARE) && n) real = up_dt_vec(up_dt(UP_BOOL), up_dt_count(real));
  if (op == UP_VECTORIZE && n) real = up_dt_vec(up_dt(up_dt_scalar(up_dtype_of(m->c, src[0]))), n);
  if (op == UP_GEP && n) {
    real = up_dt(up_dt_scalar(up_dtype_of(m->c, src[0])));
    if (pick(m, 3) == 0 || up_dt_count(dt) == 2) real = up_dt_vec(real, 2);
  }
  if (op == UP_CAST && n)
    real = up_dt_vec(up_dt(up_dt_scalar(dt)), up_dt_count(up_dtype_of(m->c, src[0])));
  return dtset_has(p->dt, real) ? real : dt;
}

static up_node make_op(maker *m, const pat *p, up_dtype want) {
  up_node src[PAT_MAX_KIDS + 1];
  opset all = opset_all();
  if (p->src == SRC_FREE && opset_subset(&all, &p->ops)) return some_leaf(m, p->dt, want);
  up_op op = some_op(m, p);
  up_dtype dt = some_dtype(m, p->dt, want);
  if (op == UP_CONST && p->has_value && !up_dt_is_ptr(dt)) return up_const(m->c, dt, p->value);
  if (op == UP_CONST || op == UP_VCONST) return some_const(m, op, dt);
  if (op == UP_DEFINE_VAR) return some_variable(m, dt);
  uint32_t n = make_sources(m, p, op, dt, src);
  dt = result_dtype(m, p, op, dt, src, n);
  return up_new(m->c, op, dt, src, n, some_arg(m, op, dt));
}

/* As deep as the pattern, which is bounded by PAT_MAX_NODES. */
static up_node make(maker *m, pat_id id, up_dtype want) {
  const pat *p = pat_at(m->b, id);
  if (p->slot >= 0 && !up_is_none(m->slot[p->slot])) return m->slot[p->slot];
  up_node n = p->src == SRC_ANY_OF ? make(m, m->b->kid[p->kid + pick(m, p->nkid)], want)
                                   : make_op(m, p, want);
  if (p->slot >= 0) m->slot[p->slot] = n;
  return n;
}

up_node up_rule_instance(up_ctx *c, uint32_t number, const up_node *leaf, uint32_t nleaf,
                         up_dtype want, uint64_t seed) {
  UP_REQUIRE(c->profile && number < c->profile->book.nrule && (leaf || nleaf == 0),
             "up_rule_instance");
  const rulebook *b = &c->profile->book;
  maker m = {.c = c, .b = &b->pats, .leaf = leaf, .nleaf = nleaf, .latest = 4, .seed = seed};
  m.lanes = want == NO_DTYPE ? 1 : up_dt_count(want);
  (void)pick(&m, 2);
  up_node n = ctx_ok(c) ? make(&m, b->rule[number].pat, want) : UP_NONE;
  return ctx_ok(c) ? n : UP_NONE;
}

uint32_t up_rule_numbers(const up_profile *p, uint32_t number, int64_t *out, uint32_t cap) {
  UP_REQUIRE(number < p->book.nrule, "up_rule_numbers");
  const char *text = p->book.rule[number].text;
  up_error err = {0};
  lexer l;
  uint32_t n = 0;
  rulelex_init(&l, text, strlen(text), &err);
  while (n < cap && rulelex_next(&l) && l.tok.kind != TK_EOF)
    if (l.tok.kind == TK_INT) out[n++] = l.tok.ival;
  return n;
}
