/* exec_alu, the reference evaluator, the lanes and both Z3 encodings say the same: on every pair of
 * 8-bit operands of every binary op, and on boundary values of the other dtypes, in every frame.
 *
 * exec_alu has no frames of its own: `wrap` is its truncated result, `ideal` the exact one; what is
 * undefined there is written here once more, from the words of oracle/frame.h.
 */
#include "rig.h"

#include "oracle/z3enc.h"

static const up_op ops[] = {UP_ADD,   UP_SUB,   UP_MUL,      UP_IDIV,    UP_MOD, UP_MAX,
                            UP_SHL,   UP_SHR,   UP_AND,      UP_OR,      UP_XOR, UP_CMPLT,
                            UP_CMPNE, UP_CMPEQ, UP_FLOORDIV, UP_FLOORMOD};
enum { OPS = sizeof ops / sizeof *ops };

typedef struct result {
  bool defined;
  mpz_t v;
} result;

/* ---- exec_alu -------------------------------------------------------------------------------- */

static bool fits(up_ctx *c, up_int v, up_dtype d) {
  return up_int_cmp(c, v, up_dt_min(c, d)) >= 0 && up_int_cmp(c, v, up_dt_max(c, d)) <= 0;
}

static void exec(rig *r, or_frame f, up_op op, up_dtype dt, up_int x, up_int y, result *out) {
  up_val v[2] = {up_val_int(x), up_val_int(y)};
  bool compare = up_op_in(op, UP_G_COMPARE);
  up_dtype to = compare ? up_dt(UP_BOOL) : dt;
  int ys = up_int_sign(r->c, y);
  bool divide = up_op_divides(op), shift = op == UP_SHL || op == UP_SHR;
  bool wide = up_int_cmp(r->c, y, up_int_of((int64_t)up_dt_bits(dt))) >= 0;
  out->defined = f == OR_WRAP ||
                 !((divide && ys == 0) || (shift && ys < 0) || (shift && wide && f == OR_REFINE));
  mpz_set_ui(out->v, 0);
  if (!out->defined || (shift && ys < 0)) return;
  /* beyond its limit the engine's SHL raises; the bits that are left do not change from 64 on */
  if (op == UP_SHL && up_int_cmp(r->c, y, up_int_of(64)) > 0) v[1] = up_val_int(up_int_of(64));
  bool truncate = f != OR_IDEAL || up_dt_is_bool(to);
  up_val exact = up_alu(r->c, UP_ALU_0_11, op, to, v, 2, up_dt_is_bool(to));
  bool overflow = op == UP_ADD || op == UP_SUB || op == UP_MUL || op == UP_IDIV ||
                  op == UP_FLOORDIV || op == UP_SHL;
  if (f == OR_REFINE && overflow && up_dt_is_signed(dt)) out->defined = fits(r->c, exact.i, to);
  up_val cut = truncate ? up_alu(r->c, UP_ALU_0_11, op, to, v, 2, true) : exact;
  assert_int_equal(up_ctx_status(r->c), UP_OK);
  assert_false(cut.is_float);
  up_int_to_mpz(r->c, cut.i, out->v);
}

/* ---- one dtype, one frame -------------------------------------------------------------------- */

typedef struct bench {
  rig *r;
  or_frame frame;
  enum up_scalar s;
  up_node x, y;
  up_node node[OPS];
  uint64_t evaluated, lanes, z3, encoded;
} bench;

/* Operands to try. */
typedef struct grid {
  or_i128 v[256];
  unsigned n;
} grid;

static fr_type type_of(enum up_scalar s) {
  fr_type t;
  assert_true(fr_type_of(up_dt(s), &t));
  return t;
}

static up_int to_int(rig *r, or_i128 v) {
  mpz_t m;
  mpz_init(m);
  or_i128_to_mpz(v, m);
  up_int i = up_int_from_mpz(r->c, m);
  mpz_clear(m);
  return i;
}

static bench bench_open(rig *r, or_frame f, enum up_scalar s) {
  bench b = {.r = r, .frame = f, .s = s};
  up_int lo = to_int(r, fr_min(type_of(s))), hi = to_int(r, fr_max(type_of(s)));
  b.x = up_var(r->c, "x", lo, hi, up_dt(s));
  b.y = up_var(r->c, "y", lo, hi, up_dt(s));
  for (unsigned i = 0; i < OPS; i++) b.node[i] = up_binary(r->c, ops[i], b.x, b.y);
  return b;
}

static void fail_at(const bench *b, unsigned op, or_i128 x, or_i128 y, const char *who) {
  char sx[41], sy[41], dt[32];
  or_i128_print(x, sx);
  or_i128_print(y, sy);
  up_dt_print(up_dt(b->s), dt);
  fail_msg("%s, %s, %s(%s, %s): %s differs from exec_alu", or_frame_name(b->frame), dt,
           up_op_name(ops[op]), sx, sy, who);
}

static bool same(const result *want, bool defined, const mpz_t v) {
  return defined == want->defined && (!defined || mpz_cmp(v, want->v) == 0);
}

/* exec_alu's SHL has no result to compare with in ideal when the amount is above its limit. */
static bool comparable(const bench *b, unsigned op, or_i128 y) {
  return !(ops[op] == UP_SHL && b->frame == OR_IDEAL && y > 64);
}

static void expect(const bench *b, or_i128 x, or_i128 y, result want[OPS]) {
  up_int xi = to_int(b->r, x), yi = to_int(b->r, y);
  for (unsigned i = 0; i < OPS; i++) exec(b->r, b->frame, ops[i], up_dt(b->s), xi, yi, &want[i]);
}

/* The roots of a program over some ops: slots by op, BL_NONE for those left out. */
static void build(const bench *b, const bool use[OPS], pr_program *p, uint32_t slot[OPS]) {
  up_node src[OPS];
  uint32_t n = 0;
  for (unsigned i = 0; i < OPS; i++) {
    if (use[i]) src[n++] = b->node[i];
  }
  up_node sink = up_new(b->r->c, UP_SINK, up_dt(UP_VOID), src, n, up_arg_none());
  *p = (pr_program){0};
  assert_int_equal(pr_build_all(p, b->r->c, sink, b->frame), PR_OK);
  for (unsigned i = 0; i < OPS; i++) {
    slot[i] = BL_NONE;
    for (uint32_t k = 0; k < p->nroot; k++) {
      if (up_same(p->root[k].node, b->node[i])) slot[i] = p->root[k].a;
    }
    assert_int_equal(slot[i] != BL_NONE, use[i]);
  }
}

/* ---- the reference evaluator ----------------------------------------------------------------- */

static void check_reference(bench *b, or_i128 x, or_i128 y, const result want[OPS]) {
  or_values v;
  up_node var[2] = {b->x, b->y};
  or_i128 at[2] = {x, y};
  or_witness w = point_of(var, at, 2);
  up_node sink = up_new(b->r->c, UP_SINK, up_dt(UP_VOID), b->node, OPS, up_arg_none());
  assert_true(or_eval(b->r->c, sink, b->frame, &w, &v));
  for (unsigned i = 0; i < OPS; i++) {
    uint32_t k = 0;
    while (!up_same(v.node[k], b->node[i])) k++;
    if (!comparable(b, i, y)) continue;
    assert_int_not_equal(v.def[k], OR_VALUE_UNSUPPORTED);
    if (!same(&want[i], v.def[k] == OR_VALUE_OK, v.value[k]))
      fail_at(b, i, x, y, "the reference evaluator");
    b->evaluated++;
  }
  or_values_clear(&v);
  or_witness_clear(&w);
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* All x of the grid at one y. */
static void check_lanes(bench *b, unsigned op, const grid *g, or_i128 y, const result *want) {
  bool use[OPS] = {false};
  use[op] = true;
  pr_program p;
  uint32_t slot[OPS];
  bl_machine m = {0};
  build(b, use, &p, slot);
  bl_status s = bl_prepare(&m, &p, NULL, BL_LANES);
  assert_int_not_equal(s, BL_NO_MEMORY);
  for (uint32_t v = 0; s == BL_OK && v < p.nvar; v++) {
    for (unsigned i = 0; i < g->n; i++)
      bl_fill(&m, v, i, 1, up_same(p.var[v].node, b->x) ? g->v[i] : y, 1);
  }
  if (s == BL_OK) bl_run(&m, g->n);
  mpz_t v;
  mpz_init(v);
  for (unsigned i = 0; s == BL_OK && i < g->n; i++) {
    or_i128 got;
    bool defined = bl_value(&m, slot[op], i, &got);
    or_i128_to_mpz(got, v);
    if (!same(&want[i * OPS + op], defined, v)) fail_at(b, op, g->v[i], y, "lanes");
    b->lanes++;
  }
  mpz_clear(v);
  bl_free(&m);
  pr_free(&p);
}

/* ---- Z3 -------------------------------------------------------------------------------------- */

/* An op's program and its terms. The variables' terms are replaced by numbers, the op's terms made
 * again by the encoder, and Z3 simplifies them to a number and a truth value. */
typedef struct encoded {
  pr_program p;
  uint32_t slot[OPS];
  z3_enc e;
  Z3_ast number[256]; /* of the grid */
} encoded;

/* False: the op has no term in this arithmetic. */
static bool encode(bench *b, const z3_arith *arith, unsigned op, const grid *g, encoded *o) {
  z3_session *z = &b->r->k->z3;
  bool use[OPS] = {false};
  use[op] = true;
  *o = (encoded){0};
  build(b, use, &o->p, o->slot);
  /* nothing is asked, so that a context can be shared; its terms live as long as it does */
  if (b->encoded++ % 200 == 0) assert_true(z3_begin(z, 1000));
  bool ok = z3_encode(&o->e, z, &o->p, arith);
  if (!ok && !o->e.cannot) fail_msg("%s: %s", arith->stage, z->error);
  ok = ok && !o->e.abstract; /* nothing to compare: the op is any function */
  for (unsigned i = 0; ok && i < g->n; i++) o->number[i] = z3_num(&o->e, g->v[i]);
  return ok;
}

static void encoded_close(encoded *o) {
  z3_enc_free(&o->e);
  pr_free(&o->p);
}

static void set_variable(bench *b, encoded *o, up_node var, Z3_ast number, or_i128 v) {
  for (uint32_t i = 0; i < o->p.nvar; i++) {
    if (!up_same(o->p.var[i].node, var)) continue;
    Z3_context c = b->r->k->z3.ctx;
    o->e.value[o->p.var[i].slot] = b->s != UP_BOOL ? number
                                   : v != 0        ? Z3_mk_true(c)
                                                   : Z3_mk_false(c);
  }
}

static void read_number(Z3_context c, Z3_ast term, unsigned width, mpz_t out) {
  Z3_ast r = Z3_simplify(c, term);
  assert_non_null(r);
  int64_t v;
  if (width <= 64 && width > 0) {
    uint64_t u;
    assert_true(Z3_get_numeral_uint64(c, r, &u));
    /* two's complement of `width` bits */
    v = width == 64 ? (int64_t)u : (int64_t)(u << (64 - width)) >> (64 - width);
    mpz_set_si(out, v);
  } else if (width == 0 && Z3_get_numeral_int64(c, r, &v)) {
    mpz_set_si(out, v);
  } else {
    assert_int_equal(mpz_set_str(out, Z3_get_numeral_string(c, r), 10), 0);
    if (width > 0 && mpz_tstbit(out, width - 1)) {
      mpz_t size;
      mpz_init_set_ui(size, 1);
      mpz_mul_2exp(size, size, width);
      mpz_sub(out, out, size);
      mpz_clear(size);
    }
  }
}

static void check_z3(bench *b, encoded *o, unsigned op, or_i128 x, or_i128 y, const result *want) {
  z3_enc *e = &o->e;
  Z3_context c = b->r->k->z3.ctx;
  uint32_t s = o->slot[op];
  mpz_t v;
  mpz_init(v);
  assert_true(z3_encode_slot(e, s));
  bool defined = !e->defined[s] || Z3_get_bool_value(c, Z3_simplify(c, e->defined[s])) == Z3_L_TRUE;
  if (!defined) assert_int_equal(Z3_get_bool_value(c, Z3_simplify(c, e->defined[s])), Z3_L_FALSE);
  if (defined && e->p->ins[s].type.is_bool) {
    Z3_lbool truth = Z3_get_bool_value(c, Z3_simplify(c, e->value[s]));
    assert_int_not_equal(truth, Z3_L_UNDEF);
    mpz_set_ui(v, truth == Z3_L_TRUE);
  } else if (defined) {
    read_number(c, e->value[s], e->width, v);
  }
  if (comparable(b, op, y) && !same(want, defined, v)) fail_at(b, op, x, y, e->arith->stage);
  b->z3++;
  mpz_clear(v);
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static void sweep_z3(bench *b, const z3_arith *arith, const grid *g, unsigned want_ops,
                     const result *want) {
  unsigned able = 0;
  for (unsigned op = 0; op < OPS; op++) {
    encoded o;
    bool ok = encode(b, arith, op, g, &o);
    able += ok;
    for (unsigned i = 0; ok && i < g->n * g->n; i++) {
      unsigned xi = i % g->n, yi = i / g->n;
      set_variable(b, &o, b->x, o.number[xi], g->v[xi]);
      set_variable(b, &o, b->y, o.number[yi], g->v[yi]);
      check_z3(b, &o, op, g->v[xi], g->v[yi], &want[(size_t)i * OPS + op]);
    }
    encoded_close(&o);
  }
  if (able != want_ops) fail_msg("%u ops have a %s term, not %u", able, arith->stage, want_ops);
}

/* How many ops have an Int term, and how many a bit-vector term. */
typedef struct terms {
  unsigned ints, bits;
} terms;

static const terms no_terms = {0, 0};

/* A count of no_terms leaves that arithmetic out. */
static void sweep(or_frame f, enum up_scalar s, const grid *g, terms t) {
  rig r = rig_new();
  bench b = bench_open(&r, f, s);
  size_t points = (size_t)g->n * g->n;
  result *want = calloc(points * OPS, sizeof *want);
  assert_non_null(want);
  for (size_t i = 0; i < points * OPS; i++) mpz_init(want[i].v);
  for (size_t i = 0; i < points; i++) {
    or_i128 x = g->v[i % g->n], y = g->v[i / g->n];
    expect(&b, x, y, want + i * OPS);
    check_reference(&b, x, y, want + i * OPS);
  }
  for (unsigned i = 0; i < g->n * OPS; i++)
    check_lanes(&b, i % OPS, g, g->v[i / OPS], want + (size_t)(i / OPS) * g->n * OPS);
  if (t.ints > 0) sweep_z3(&b, &z3_ints, g, t.ints, want);
  if (t.bits > 0) sweep_z3(&b, &z3_bits, g, t.bits, want);
  char dt[32];
  up_dt_print(up_dt(s), dt);
  print_message("%-6s %-6s %8llu by or_eval, %8llu by lanes, %8llu by Z3\n", or_frame_name(f), dt,
                (unsigned long long)b.evaluated, (unsigned long long)b.lanes,
                (unsigned long long)b.z3);
  for (size_t i = 0; i < points * OPS; i++) mpz_clear(want[i].v);
  free(want);
  rig_free(&r);
}

/* Int terms: not for AND, OR, XOR, SHL and SHR of two variables. Bits, in ideal: not for SHL of more
 * than 8 bits, whose results have more than 4,096. */
static terms terms_of(or_frame f, enum up_scalar s) {
  if (s == UP_BOOL) return (terms){OPS, OPS};
  return (terms){OPS - 5, f != OR_IDEAL || s == UP_CHAR || s == UP_UCHAR ? OPS : OPS - 1};
}

/* Instrumented code takes every third value of either operand, the ends among them: what an op does is
 * the same there, and boundary_values has the corners. All pairs are for builds without. */
#if defined(__SANITIZE_ADDRESS__)
enum { STEP = 3 };
#else
enum { STEP = 1 };
#endif

/* Z3 takes some microseconds a value, so each frame gets every pair in the arithmetic that is meant
 * for it; the other one is held to the boundary values. */
static void every_pair(or_frame f) {
  for (enum up_scalar s = UP_CHAR; s <= UP_UCHAR; s++) {
    grid g = {.n = 0};
    for (int i = 0; i < 256; i += STEP) g.v[g.n++] = fr_min(type_of(s)) + i;
    terms t = terms_of(f, s);
    if (f == OR_IDEAL) t.bits = 0;
    if (f == OR_WRAP) t.ints = 0;
    sweep(f, s, &g, f == OR_REFINE ? no_terms : t);
  }
}

static void every_pair_ideal(void **state) {
  (void)state;
  every_pair(OR_IDEAL);
}
static void every_pair_wrap(void **state) {
  (void)state;
  every_pair(OR_WRAP);
}
static void every_pair_refine(void **state) {
  (void)state;
  every_pair(OR_REFINE);
}

/* Ends of the range, around 0, around the width, the middle, half-width powers. */
static grid boundary(enum up_scalar s) {
  fr_type t = type_of(s);
  or_i128 lo = fr_min(t), hi = fr_max(t), bits = (or_i128)t.bits;
  or_i128 half = (or_i128)1 << (t.bits / 2);
  or_i128 v[] = {lo,   lo + 1,   lo / 2, -half,      -7,       -2,   -1,       0,
                 1,    2,        3,      7,          bits - 1, bits, bits + 1, half - 1,
                 half, half + 1, hi / 2, hi / 2 + 1, hi - 1,   hi};
  grid g = {.n = 0};
  for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
    bool seen = v[i] < lo || v[i] > hi;
    for (unsigned k = 0; k < g.n; k++) seen = seen || g.v[k] == v[i];
    if (!seen) g.v[g.n++] = v[i];
  }
  return g;
}

static void boundary_values(void **state) {
  (void)state;
  for (or_frame f = OR_IDEAL; f < OR_FRAME_COUNT; f++) {
    for (enum up_scalar s = UP_BOOL; s <= UP_ULONG; s++) {
      grid g = boundary(s);
      sweep(f, s, &g, terms_of(f, s));
    }
  }
}

/* ---- a constant operand ---------------------------------------------------------------------- */

/* The encodings and the lanes have forms of their own for constants: masks, shifts, divisors. Here
 * x op c and c op x are programs, and x runs over the grid. */
static void use_constant(bench *b, up_op op, or_i128 k, bool left) {
  rig *r = b->r;
  up_node c = up_const(r->c, up_dt(b->s), up_val_int(to_int(r, k)));
  up_node n = left ? up_binary(r->c, op, c, b->x) : up_binary(r->c, op, b->x, c);
  for (unsigned i = 0; i < OPS; i++) {
    if (ops[i] == op) b->node[i] = n;
  }
}

static void check_constant(bench *b, unsigned op, const grid *g, or_i128 k, bool left) {
  result want[256];
  use_constant(b, ops[op], k, left);
  for (unsigned i = 0; i < g->n; i++) {
    up_int x = to_int(b->r, g->v[i]), c = to_int(b->r, k);
    mpz_init(want[i].v);
    exec(b->r, b->frame, ops[op], up_dt(b->s), left ? c : x, left ? x : c, &want[i]);
  }
  for (int a = 0; a < 2; a++) {
    encoded o;
    bool ok = encode(b, a == 0 ? &z3_ints : &z3_bits, op, g, &o);
    for (unsigned i = 0; ok && i < g->n; i++) {
      set_variable(b, &o, b->x, o.number[i], g->v[i]);
      check_z3(b, &o, op, g->v[i], left ? g->v[i] : k, &want[i]);
    }
    encoded_close(&o);
  }
  result *spread = calloc((size_t)g->n * OPS, sizeof *spread);
  assert_non_null(spread);
  for (unsigned i = 0; i < g->n; i++) spread[i * OPS + op] = want[i];
  bool skipped = ops[op] == UP_SHL && b->frame == OR_IDEAL && (left || k > 64);
  if (!skipped) check_lanes(b, op, g, 0, spread);
  free(spread);
  for (unsigned i = 0; i < g->n; i++) mpz_clear(want[i].v);
}

static void constant_operands(void **state) {
  (void)state;
  const enum up_scalar types[] = {UP_CHAR, UP_UCHAR, UP_INT};
  for (or_frame f = OR_IDEAL; f < OR_FRAME_COUNT; f++) {
    for (unsigned t = 0; t < 3; t++) {
      rig r = rig_new();
      bench b = bench_open(&r, f, types[t]);
      grid g = boundary(types[t]);
      for (unsigned i = 0; i < OPS * g.n * 2; i++)
        check_constant(&b, i % OPS, &g, g.v[i / OPS / 2], i / OPS % 2 != 0);
      print_message("%-6s constants: %8llu by lanes, %8llu by Z3\n", or_frame_name(f),
                    (unsigned long long)b.lanes, (unsigned long long)b.z3);
      rig_free(&r);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boundary_values),   cmocka_unit_test(constant_operands),
      cmocka_unit_test(every_pair_ideal),  cmocka_unit_test(every_pair_wrap),
      cmocka_unit_test(every_pair_refine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
