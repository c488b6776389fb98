/* Random graphs of every op and dtype, casts included: at random points the lanes, the reference
 * evaluator, exec_alu and the Z3 encodings have the same value for every node, and every value lies
 * in its interval. What has no lanes or no terms is counted, and most graphs must have them.
 */
#include "rig.h"

#include "oracle/findings.h"
#include "oracle/z3enc.h"

typedef struct random_graph {
  up_node pool[64];
  unsigned n;
} random_graph;

static uint64_t next(uint64_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s;
}

static const up_op binary[] = {UP_ADD,   UP_SUB,   UP_MUL,      UP_IDIV,    UP_MOD, UP_MAX,
                               UP_SHL,   UP_SHR,   UP_AND,      UP_OR,      UP_XOR, UP_CMPLT,
                               UP_CMPNE, UP_CMPEQ, UP_FLOORDIV, UP_FLOORMOD};

/* A node of the pool with this dtype, made by a CAST when need be. */
static up_node pick(rig *r, random_graph *g, uint64_t *s, up_dtype d) {
  up_node n = g->pool[next(s) % g->n];
  return up_dtype_of(r->c, n) == d ? n : up_cast(r->c, n, d);
}

static up_node grow(rig *r, random_graph *g, uint64_t *s) {
  up_dtype d = up_dtype_of(r->c, g->pool[next(s) % g->n]);
  up_node a = pick(r, g, s, d), b = pick(r, g, s, d);
  switch (next(s) % 12) {
  case 0: return up_where(r->c, pick(r, g, s, up_dt(UP_BOOL)), a, b);
  case 1: return up_unary(r->c, UP_NEG, a);
  case 2: {
    up_node src[3] = {a, b, pick(r, g, s, d)};
    return up_new(r->c, UP_MULACC, d, src, 3, up_arg_none());
  }
  case 3: return up_cast(r->c, a, up_dt((enum up_scalar)(UP_BOOL + next(s) % 9)));
  case 4: return up_unary(r->c, UP_TRUNC, a);
  case 5: {
    up_dtype to = d; /* the other sign of the same width */
    if (up_dt_is_int(d)) to = up_dt_is_signed(d) ? (up_dtype)(d + 1) : (up_dtype)(d - 1);
    return up_new(r->c, UP_BITCAST, to, &a, 1, up_arg_none());
  }
  default: return up_binary(r->c, binary[next(s) % (sizeof binary / sizeof *binary)], a, b);
  }
}

static up_node leaf(rig *r, uint64_t *s, unsigned i) {
  static const int64_t ends[] = {0, 1, -1, 2, 3, 5, 7, -8, 9, 16, 31, 100, 127, -128, 255, 300};
  enum up_scalar t = (enum up_scalar)(UP_BOOL + next(s) % 9);
  int64_t a = ends[next(s) % 16], b = ends[next(s) % 16];
  if (t == UP_BOOL) a &= 1, b &= 1;
  if (t == UP_UCHAR || t == UP_USHORT || t == UP_UINT || t == UP_ULONG) a = llabs(a), b = llabs(b);
  if (next(s) % 3 == 0) return up_const_int(r->c, up_dt(t), a);
  char name[8];
  snprintf(name, sizeof name, "v%u", i);
  return var(r, name, a < b ? a : b, a < b ? b : a, t);
}

static up_node make(rig *r, uint64_t *s) {
  random_graph g = {.n = 0};
  unsigned leaves = 2 + (unsigned)(next(s) % 4), ops = 3 + (unsigned)(next(s) % 12);
  while (g.n < leaves) {
    g.pool[g.n] = leaf(r, s, g.n);
    g.n++;
  }
  while (g.n < leaves + ops) {
    g.pool[g.n] = grow(r, &g, s);
    g.n++;
  }
  return g.pool[g.n - 1];
}

typedef struct tally {
  unsigned graphs, lanes, ints, bits, values;
} tally;

static void fail_in(rig *r, const or_task *t, uint32_t slot, const or_witness *w, const char *who) {
  up_buf b = {0};
  or_witness_put(r->c, w, &b);
  up_buf_puts(&b, "\n");
  up_print_uop(r->c, t->a, NULL, &b);
  fail_msg("%s: slot %u (%s) in %s at %s", who, slot, up_op_name((up_op)t->p->ins[slot].op),
           or_frame_name(t->frame), b.p);
}

/* The point as an or_witness, and in lane 0. */
static or_witness choose(const or_task *t, uint64_t *s, bool lanes) {
  or_witness w;
  assert_true(pr_witness_init(t->p, &w));
  for (uint32_t v = 0; v < t->p->nvar; v++) {
    pr_range d = t->p->var[v].domain;
    or_i128 x = d.lo + (or_i128)(next(s) % (uint64_t)(d.hi - d.lo + 1));
    or_i128_to_mpz(x, w.value[v]);
    if (lanes) bl_fill(&t->k->machine, v, 0, 1, x, 1);
  }
  return w;
}

/* Reference values and intervals; and the last slot of the program in lanes. */
static void check_point(rig *r, const or_task *t, const or_witness *w, bool lanes, tally *n) {
  or_point p;
  char why[80];
  assert_true(or_point_eval(r->c, t->a, t->frame, w, &p));
  for (uint32_t i = 0; i < t->p->n; i++) {
    const pr_ins *d = &t->p->ins[i];
    uint32_t at = or_point_find(&p, d->node);
    if (p.values.def[at] == OR_VALUE_UNSUPPORTED) continue; /* a huge SHL in ideal */
    bool defined = p.values.def[at] == OR_VALUE_OK;
    or_i128 v = 0;
    bool small = or_i128_from_mpz(p.values.value[at], &v);
    if (!defined && !(d->flags & PR_UNDEF)) fail_in(r, t, i, w, "undefined, not said so");
    if (defined && small && (v < d->value.lo || v > d->value.hi)) fail_in(r, t, i, w, "interval");
    if (defined && !small && pr_range_finite(d->value)) fail_in(r, t, i, w, "interval");
    n->values++;
    or_i128 got;
    bool root = i == t->p->root[t->p->nroot - 1].a;
    if (!lanes || !root) continue;
    if (bl_value(&t->k->machine, i, 0, &got) != defined || (defined && got != v))
      fail_in(r, t, i, w, "lanes");
  }
  if (!or_exec_agrees(t, w, why)) fail_msg("%s", why);
  or_point_clear(&p);
}

/* In the memory of another point's values: as anew, and nothing of them is left. */
static void check_again(const or_task *t, const or_witness *w, or_values *again) {
  or_values v;
  assert_true(or_eval(t->c, t->a, t->frame, w, &v));
  if (again->n == 0)
    assert_true(or_eval(t->c, t->a, t->frame, w, again));
  else
    or_eval_again(t->c, t->frame, w, again);
  assert_int_equal(again->n, v.n);
  for (uint32_t i = 0; i < v.n; i++) {
    assert_true(up_same(again->node[i], v.node[i]));
    assert_int_equal(again->def[i], v.def[i]);
    assert_int_equal(mpz_cmp(again->value[i], v.value[i]), 0);
    assert_int_equal(or_values_find(again, v.node[i]), i);
  }
  or_values_clear(&v);
}

/* The encoding at the point: "defined as the reference says, and equal to it" must have a model,
 * and its negation none. */
static bool check_terms(rig *r, const or_task *t, const z3_arith *arith, const or_witness *w) {
  z3_enc e;
  z3_session *z = &r->k->z3;
  assert_true(z3_begin(z, 5000000));
  bool able = z3_encode(&e, z, t->p, arith);
  if (!able && !e.cannot) fail_msg("%s: %s", arith->stage, z->error);
  able = able && !e.abstract; /* else an op is any function */
  uint32_t root = t->p->root[t->p->nroot - 1].a;
  or_values v;
  assert_true(or_eval(r->c, t->a, t->frame, w, &v));
  or_defined def = v.def[v.n - 1];
  or_i128 value;
  if (able && def != OR_VALUE_UNSUPPORTED && or_i128_from_mpz(v.value[v.n - 1], &value)) {
    for (uint32_t i = 0; i < t->p->nvar; i++) {
      Z3_sort sort = Z3_get_sort(z->ctx, e.constant[i]);
      or_i128 x;
      assert_true(or_i128_from_mpz(w->value[i], &x));
      z3_assert(z, z3_2(z, Z3_mk_eq, e.constant[i], z3_number(z, sort, e.constant_width[i], x)));
    }
    Z3_ast d = e.defined[root] ? e.defined[root] : Z3_mk_true(z->ctx);
    Z3_ast right = z3_1(z, Z3_mk_not, d);
    if (def == OR_VALUE_OK)
      right =
          z3_n2(z, Z3_mk_and, d, z3_2(z, Z3_mk_eq, z3_slot_number(&e, root), z3_num(&e, value)));
    z3_assert(z, z3_1(z, Z3_mk_not, right));
    char why[80];
    if (z3_check(z, why) != Z3_NO_MODEL) fail_in(r, t, root, w, arith->stage);
  }
  or_values_clear(&v);
  z3_enc_free(&e);
  return able;
}

static void check_graph(rig *r, up_node root, or_frame f, uint64_t *s, bool solve, tally *n) {
  pr_program *p = &r->k->program;
  pr_status st = pr_build_all(p, r->c, root, f);
  if (st != PR_OK) fail_msg("program: %s", p->reason);
  or_task t = {.k = r->k, .c = r->c, .a = root, .frame = f, .p = p, .root_limit = p->nroot};
  bool lanes = bl_prepare(&r->k->machine, p, NULL, BL_LANES) == BL_OK;
  n->graphs++;
  n->lanes += lanes;
  or_values again = {0};
  for (int i = 0; i < 8; i++) {
    or_witness w = choose(&t, s, lanes);
    if (lanes) bl_run(&r->k->machine, 1);
    check_point(r, &t, &w, lanes, n);
    check_again(&t, &w, &again);
    if (solve && i == 0) {
      n->ints += check_terms(r, &t, &z3_ints, &w);
      n->bits += check_terms(r, &t, &z3_bits, &w);
    }
    or_witness_clear(&w);
  }
  or_values_clear(&again);
}

static void random_graphs(void **state) {
  (void)state;
  rig r = rig_new();
  uint64_t s = 88172645463325252u;
  tally n[OR_FRAME_COUNT] = {{0}};
  unsigned solved = 0;
  for (int i = 0; i < 6000; i++) {
    up_ctx_reset(r.c);
    up_node root = make(&r, &s);
    assert_int_equal(up_ctx_status(r.c), UP_OK);
    bool solve = i % 10 == 0;
    solved += solve;
    for (or_frame f = OR_IDEAL; f < OR_FRAME_COUNT; f++) check_graph(&r, root, f, &s, solve, &n[f]);
  }
  for (or_frame f = OR_IDEAL; f < OR_FRAME_COUNT; f++) {
    print_message("%-6s %u graphs, %u with lanes, %u values; %u solved: %u as ints, %u as bits\n",
                  or_frame_name(f), n[f].graphs, n[f].lanes, n[f].values, solved, n[f].ints,
                  n[f].bits);
    assert_true(n[f].lanes > n[f].graphs * 3 / 4);
    assert_true(n[f].bits > solved * 3 / 4);
    assert_true(n[f].ints > solved / 4);
  }
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
