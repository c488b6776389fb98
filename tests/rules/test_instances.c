/* Each rule by itself, compiled and interpreted, on nodes that are made out of its pattern: whole
 * instances, and near misses with a changed op, dtype, constant or number of sources. */
#include "engine/rulebook.h"
#include "tests/support/cm.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct maker {
  up_ctx *c;
  const rulebook *b;
  up_node slot[PAT_MAX_SLOTS];
  unsigned misses; /* one decision of so many goes wrong; 0: none */
  uint64_t seed;
} maker;

static uint32_t pick(maker *m, uint32_t n) {
  m->seed = m->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(m->seed >> 33) % n;
}

static bool miss(maker *m) { return m->misses && pick(m, m->misses) == 0; }

/* ---- leaves ----------------------------------------------------------------------------- */

static up_dtype some_dtype(maker *m, dtset set) {
  static const enum up_scalar common[] = {UP_INT, UP_INT, UP_LONG, UP_UINT, UP_BOOL, UP_FLOAT};
  for (unsigned i = 0; i < 40 && !miss(m); i++) {
    up_dtype d = up_dt(i < 20 ? common[pick(m, 6)] : (enum up_scalar)pick(m, UP_SCALAR_COUNT));
    if (dtset_has(set, d)) return pick(m, 8) ? d : up_dt_vec(d, 2);
  }
  return up_dt(common[pick(m, 6)]);
}

static up_val some_value(maker *m, up_dtype dt) {
  static const int64_t values[] = {0, 1, -1, 2, 3, 4, -4, 6, 7, 255, 1 << 20, INT64_MAX, INT64_MIN};
  static const double floats[] = {0, 1, -1, 0.5, 2, 3, (double)INFINITY, (double)NAN};
  if (up_dt_is_float(dt)) return up_val_float(floats[pick(m, 8)]);
  if (up_dt_is_bool(dt)) return up_val_int(up_int_of(pick(m, 2)));
  return up_val_int(up_int_of(values[pick(m, pick(m, 4) ? 9 : 13)]));
}

static up_node some_const(maker *m, up_op op, up_dtype dt) {
  up_val v[2] = {some_value(m, dt), some_value(m, dt)};
  if (op == UP_VCONST) return up_vconst(m->c, up_dt_vec(up_dt(up_dt_scalar(dt)), 2), v, 2);
  return up_const(m->c, dt, v[0]);
}

static up_node some_variable(maker *m, up_dtype dt) {
  static const char *const name[] = {"a", "b", "d"};
  static const int64_t range[][2] = {{0, 9}, {-5, 5}, {-9, -1}, {3, 3}, {0, 1}};
  const int64_t *r = range[up_dt_is_bool(dt) ? 4 : pick(m, 4)];
  return up_var(m->c, name[pick(m, 3)], up_int_of(r[0]), up_int_of(r[1]), dt);
}

static up_node some_leaf(maker *m, dtset set) {
  up_dtype dt = some_dtype(m, set);
  if (pick(m, 4) == 0) return some_const(m, UP_CONST, dt);
  if (pick(m, 6) == 0 && up_dt_is_int(dt))
    return up_binary(m->c, UP_MUL, some_variable(m, dt), some_const(m, UP_CONST, dt));
  return some_variable(m, dt);
}

/* ---- nodes of a pattern ----------------------------------------------------------------- */

static up_op some_op(maker *m, const pat *p) {
  static const up_op often[] = {UP_ADD, UP_MUL, UP_CONST, UP_CAST, UP_IDIV, UP_CMPLT};
  if (miss(m)) return often[pick(m, 6)];
  uint32_t k = pick(m, opset_count(&p->ops));
  for (int i = 0; i < UP_OP_COUNT; i++)
    if (opset_has(&p->ops, (up_op)i) && k-- == 0) return (up_op)i;
  return UP_ADD;
}

static up_arg some_arg(maker *m, up_op op) {
  up_arg one = up_arg_int(m->c, up_int_of(pick(m, 2)));
  if (op == UP_GEP) return up_arg_list(m->c, &one, 1);
  if (op == UP_RANGE) return one;
  if (op == UP_REDUCE) return up_arg_str(m->c, pick(m, 2) ? "ADD" : "MAX", 3);
  if (op != UP_SPECIAL) return up_arg_none();
  up_arg part[2] = {up_arg_str(m->c, "gidx0", 5), up_arg_int(m->c, up_int_of(8))};
  return up_arg_list(m->c, part, 2);
}

static up_node make(maker *m, pat_id id);

static void shuffle(maker *m, up_node *s, uint32_t n) {
  for (uint32_t i = n; i > 1; i--) {
    uint32_t k = pick(m, i);
    up_node t = s[i - 1];
    s[i - 1] = s[k];
    s[k] = t;
  }
}

static uint32_t make_sources(maker *m, const pat *p, up_op op, up_node *src) {
  uint32_t n = 0;
  if (p->src == SRC_FREE) {
    int arity = up_op_arity(op);
    uint32_t want = arity >= 0 ? (uint32_t)arity : 1 + pick(m, 2);
    while (n < want) src[n++] = some_leaf(m, DTSET_ANY);
  } else if (p->src == SRC_REPEAT) {
    for (uint32_t want = pick(m, 4); n < want;) src[n++] = make(m, m->b->pats.kid[p->kid]);
  } else {
    for (uint32_t i = 0; i < p->nkid; i++) src[n++] = make(m, m->b->pats.kid[p->kid + i]);
    if (p->src == SRC_PERMUTED || miss(m)) shuffle(m, src, n);
    if (p->any_len && pick(m, 2)) src[n++] = some_leaf(m, DTSET_ANY);
  }
  if (miss(m) && n) n--;
  if (miss(m)) src[n++] = some_leaf(m, DTSET_ANY);
  return n;
}

static up_node make_op(maker *m, const pat *p) {
  up_node src[PAT_MAX_KIDS + 2];
  opset all = opset_all();
  if (p->src == SRC_FREE && opset_subset(&all, &p->ops)) return some_leaf(m, p->dt);
  up_op op = some_op(m, p);
  up_dtype dt = some_dtype(m, p->dt);
  if (op == UP_CONST && p->has_value && !miss(m)) return up_const(m->c, dt, p->value);
  if (op == UP_CONST || op == UP_VCONST) return some_const(m, op, dt);
  if (op == UP_DEFINE_VAR) return some_variable(m, dt);
  uint32_t n = make_sources(m, p, op, src);
  /* mostly the dtype that the op has in a real graph */
  if (up_op_in(op, UP_G_ALU) && n && !miss(m)) {
    up_dtype real = up_dtype_of(m->c, src[n - 1]);
    if (up_op_in(op, UP_G_COMPARE)) real = up_dt_vec(up_dt(UP_BOOL), up_dt_count(real));
    if (dtset_has(p->dt, real)) dt = real;
  }
  return up_new(m->c, op, dt, src, n, some_arg(m, op));
}

static up_node make(maker *m, pat_id id) {
  const pat *p = pat_at(&m->b->pats, id);
  if (p->slot >= 0 && !up_is_none(m->slot[p->slot]) && !miss(m)) return m->slot[p->slot];
  up_node n =
      p->src == SRC_ANY_OF ? make(m, m->b->pats.kid[p->kid + pick(m, p->nkid)]) : make_op(m, p);
  if (p->slot >= 0) m->slot[p->slot] = n;
  return n;
}

/* x // 0 and x % 0: in their sets an earlier rule answers for the natives on such nodes. */
static bool divides_by_zero(const up_ctx *c, up_node n) {
  up_op op = up_op_of(c, n);
  up_int v;
  if ((op != UP_IDIV && op != UP_MOD) || up_nsrc(c, n) != 2) return false;
  return up_is_const_int(c, up_src(c, n, 1), &v) && up_int_is(v, 0);
}

/* ---- both ways -------------------------------------------------------------------------- */

typedef struct tally {
  uint64_t tried, applied, raised, bounds, skipped;
} tally;

static bool all_well_formed(up_ctx *c, up_node root) {
  up_list topo = {0};
  up_node src[PAT_MAX_KIDS + 2];
  up_error err;
  assert_true(up_toposort(c, root, &topo));
  bool ok = true;
  for (uint32_t i = 0; i < topo.n && ok; i++) {
    up_node n = topo.p[i];
    uint32_t nsrc = up_nsrc(c, n);
    for (uint32_t k = 0; k < nsrc; k++) src[k] = up_src(c, n, k);
    ok = up_node_check(c, up_op_of(c, n), up_dtype_of(c, n), src, nsrc, up_arg_of(c, n), &err);
  }
  up_list_free(&topo);
  return ok;
}

static up_status take_status(up_ctx *c) {
  up_status s = up_ctx_status(c);
  up_ctx_clear_status(c);
  return s;
}

static void compare_rewrite(up_ctx *c, const up_profile *p, uint32_t number, up_node n, tally *t) {
  const rulebook *b = &p->book;
  const up_ruleset *s = NULL;
  const rule *r = &b->rule[number];
  for (uint32_t i = 0; i < b->nset && !s; i++)
    if (up_ruleset_has(b->set[i], number)) s = b->set[i];
  assert_true(s && s->compiled);
  up_node x = s->rewrite[number - s->base](c, n);
  up_status xs = take_status(c);
  up_node y = rule_interpret(c, b, number, n);
  up_status ys = take_status(c);
  t->tried++;
  t->applied += !up_is_none(x);
  t->raised += xs != UP_OK;
  if (xs == ys && (xs != UP_OK || up_same(x, y))) return;
  up_buf text = {0};
  up_print_uop(c, n, NULL, &text);
  fail_msg("%s: compiled node %u (%s), interpreted node %u (%s), of\n%s", r->name, x.id,
           up_status_name(xs), y.id, up_status_name(ys), text.p);
}

static bool same_bound(up_val a, up_val b) {
  if (a.is_float != b.is_float) return false;
  return a.is_float ? memcmp(&a.f, &b.f, sizeof a.f) == 0 : up_int_eq(a.i, b.i);
}

static void compare_bounds(up_ctx *c, const up_profile *p, const up_profile *q, up_node n,
                           tally *t) {
  up_bounds x, y;
  for (uint32_t i = 0; i < up_nsrc(c, n); i++) up_minmax(c, up_src(c, n, i));
  if (take_status(c) != UP_OK) {
    t->skipped++;
    return;
  }
  int r = up_bounds_apply(c, p, n, &x);
  up_status xs = take_status(c);
  int s = up_bounds_apply(c, q, n, &y);
  up_status ys = take_status(c);
  t->bounds++;
  if (r != s || xs != ys ||
      (xs == UP_OK && r >= 0 && !(same_bound(x.lo, y.lo) && same_bound(x.hi, y.hi))))
    fail_msg("bounds: compiled by rule %d (%s), interpreted by %d (%s)", r, up_status_name(xs), s,
             up_status_name(ys));
}

enum { ROUNDS = 1500 };

static void compare_rule(up_ctx *c, const up_profile *p, const up_profile *q, uint32_t number,
                         tally *all) {
  const rule *r = &p->book.rule[number];
  tally t = {0};
  for (unsigned k = 0; k < ROUNDS; k++) {
    maker m = {.c = c, .b = &p->book, .misses = k % 3 == 0 ? 0 : k % 3 == 1 ? 12 : 4};
    m.seed = (uint64_t)number << 32 | k;
    up_ctx_reset(c);
    up_node n = make(&m, r->pat);
    if (take_status(c) != UP_OK) continue;
    if (r->kind == UP_RULE_BOUND)
      compare_bounds(c, p, q, n, &t);
    else if (!opset_has(&pat_at(&p->book.pats, r->pat)->ops, up_op_of(c, n)))
      t.skipped++; /* no set asks the rule about such a node */
    else if (r->native && (!all_well_formed(c, n) || divides_by_zero(c, n)))
      t.skipped++; /* native functions may ask for well-formed graphs */
    else
      compare_rewrite(c, p, number, n, &t);
  }
  if (!r->native && r->kind == UP_RULE_REWRITE && t.applied == 0)
    fail_msg("%s: no instance of it applied", r->name);
  all->tried += t.tried;
  all->applied += t.applied;
  all->raised += t.raised;
  all->bounds += t.bounds;
  all->skipped += t.skipped;
}

static void test_every_rule(void **state) {
  (void)state;
  for (unsigned i = 0; up_profile_known(i); i++) {
    up_profile *p = up_profile_load(up_profile_known(i), NULL);
    up_profile *q = up_profile_load_interpreted(up_profile_known(i), NULL);
    assert_true(p && q);
    up_ctx *c = up_ctx_new(p);
    assert_non_null(c);
    tally t = {0};
    for (uint32_t k = 0; k < up_rule_count(p); k++) compare_rule(c, p, q, k, &t);
    print_message("%s: %llu tried, %llu applied, %llu raised, %llu bounds, %llu skipped\n",
                  up_profile_known(i), (unsigned long long)t.tried, (unsigned long long)t.applied,
                  (unsigned long long)t.raised, (unsigned long long)t.bounds,
                  (unsigned long long)t.skipped);
    assert_true(t.applied > 5000 && t.raised > 10 && t.bounds > 5000);
    up_ctx_free(c);
    up_profile_free(p);
    up_profile_free(q);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_rule)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
