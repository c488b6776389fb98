/* Compiled code has the values of the lanes of block.c: every op in every frame, at boundary values of
 * every dtype, whichever level of the loop an operand is on; and whole boxes have the same answers,
 * witnesses included, on random graphs too. What it can't do is counted and interpreted. */
#include "rig.h"

#include "fuzz/gen.h"
#include "oracle/jit.h"

/* ---- operations ------------------------------------------------------------------------------ */

enum { MOST_OPS = 56, LANES = JIT_LANES };

/* First those that can be done on doubles: the others make lanes of their operands. */
static const up_op binary[] = {UP_CMPLT, UP_CMPNE, UP_CMPEQ,    UP_MAX,     UP_ADD, UP_SUB,
                               UP_MUL,   UP_IDIV,  UP_MOD,      UP_SHL,     UP_SHR, UP_AND,
                               UP_OR,    UP_XOR,   UP_FLOORDIV, UP_FLOORMOD};

/* Ops of x and y as one program. For op number i there are two roots: it is z<i>, which tells its
 * value; and z<i> is "it, where g<i>, else z<i>", which tells whether it is defined. */
typedef struct program {
  rig *r;
  or_frame frame;
  up_node x, y, op[MOST_OPS], z[MOST_OPS], g[MOST_OPS];
  unsigned n, width; /* of the lanes, in bytes */
  pr_program p;
  uint32_t xv, yv, zv[MOST_OPS], gv[MOST_OPS]; /* variables of p */
} program;

static up_node wide_var(rig *r, const char *name, pr_range d, up_dtype dt) {
  mpz_t lo, hi;
  mpz_inits(lo, hi, NULL);
  or_i128_to_mpz(d.lo, lo);
  or_i128_to_mpz(d.hi, hi);
  up_node v = up_var(r->c, name, up_int_from_mpz(r->c, lo), up_int_from_mpz(r->c, hi), dt);
  mpz_clears(lo, hi, NULL);
  return v;
}

/* Every op on x and y, some with a constant operand. */
static unsigned all_ops(rig *r, up_node x, up_node y, up_node out[MOST_OPS]) {
  up_dtype dt = up_dtype_of(r->c, x);
  unsigned n = 0;
  int64_t k = up_dt_is_bool(dt) ? 1 : up_dt_is_unsigned(dt) ? 10 : -3;
  up_node c = up_const_int(r->c, dt, k), acc[3] = {x, y, x};
  for (unsigned i = 0; i < sizeof binary / sizeof *binary; i++)
    out[n++] = up_binary(r->c, binary[i], x, y);
  up_node q = up_binary(r->c, UP_IDIV, x, y), s = up_binary(r->c, UP_SUB, x, y);
  /* of a quotient, which in lanes of 64 bits is a double */
  up_node part = up_binary(r->c, UP_IDIV, x, c);
  out[n++] = up_unary(r->c, UP_NEG, part);
  for (unsigned i = 0; dt == up_dt(UP_LONG) && i < sizeof binary / sizeof *binary; i++)
    out[n++] = up_binary(r->c, binary[i], part, y);
  out[n++] = part;
  out[n++] = up_binary(r->c, UP_MOD, x, c);
  out[n++] = up_binary(r->c, UP_IDIV, c, y);
  out[n++] = up_binary(r->c, UP_FLOORDIV, x, c);
  out[n++] = up_binary(r->c, UP_FLOORMOD, x, c);
  out[n++] = up_binary(r->c, UP_SHL, x, up_const_int(r->c, dt, 1));
  out[n++] = up_binary(r->c, UP_SHR, c, y);
  out[n++] = up_unary(r->c, UP_NEG, x);
  out[n++] = up_new(r->c, UP_MULACC, dt, acc, 3, up_arg_none());
  out[n++] = up_where(r->c, up_binary(r->c, UP_CMPLT, x, y), q, s);
  out[n++] = up_where(r->c, up_cast(r->c, y, up_dt(UP_BOOL)), x, q);
  out[n++] = up_binary(r->c, UP_IDIV, q, s);
  for (enum up_scalar t = UP_BOOL; t <= UP_ULONG; t += 2) out[n++] = up_cast(r->c, x, up_dt(t));
  assert_true(n <= MOST_OPS);
  return n;
}

/* Bytes of the lanes that the op needs, and the interval of its value; 0: none are wide enough. */
static unsigned width_of(rig *r, up_node op, or_frame f, pr_range *value) {
  pr_program *p = &r->k->program;
  assert_int_equal(pr_build_pair(p, r->c, op, op, f), PR_OK);
  *value = p->ins[p->root[0].a].value;
  or_i128 most = (or_i128)1 << 124; /* of a variable */
  if (p->bits > 128 || value->lo < -most || value->hi > most) return 0;
  return p->bits <= 32 ? 4 : p->bits <= 64 ? 8 : 16;
}

/* BL_NONE: no op reads it. */
static uint32_t number_of(const program *t, up_node v) {
  for (uint32_t i = 0; i < t->p.nvar; i++)
    if (up_same(t->p.var[i].node, v)) return i;
  return BL_NONE;
}

/* The ops that need lanes of just this width. False: there are none. */
static bool build(program *t) {
  up_node ops[MOST_OPS], left[2 * MOST_OPS], right[2 * MOST_OPS];
  unsigned count = all_ops(t->r, t->x, t->y, ops);
  up_ctx *c = t->r->c;
  t->n = 0;
  for (unsigned i = 0; i < count; i++) {
    char name[16];
    pr_range value;
    if (width_of(t->r, ops[i], t->frame, &value) != t->width) continue;
    unsigned k = t->n++;
    t->op[k] = ops[i];
    snprintf(name, sizeof name, "z%u", i);
    t->z[k] = wide_var(t->r, name, value, up_dtype_of(c, ops[i]));
    snprintf(name, sizeof name, "g%u", i);
    t->g[k] = var(t->r, name, 0, 1, UP_BOOL);
    left[2 * k] = t->op[k], right[2 * k] = t->z[k];
    left[2 * k + 1] = t->z[k], right[2 * k + 1] = up_where(c, t->g[k], t->op[k], t->z[k]);
  }
  if (t->n == 0) return false;
  up_node a = up_new(c, UP_SINK, up_dt(UP_VOID), left, 2 * t->n, up_arg_none());
  up_node b = up_new(c, UP_SINK, up_dt(UP_VOID), right, 2 * t->n, up_arg_none());
  assert_int_equal(pr_build_pair(&t->p, c, a, b, t->frame), PR_OK);
  t->xv = number_of(t, t->x), t->yv = number_of(t, t->y);
  for (unsigned k = 0; k < t->n; k++)
    t->zv[k] = number_of(t, t->z[k]), t->gv[k] = number_of(t, t->g[k]);
  return (t->p.bits <= 32 ? 4 : t->p.bits <= 64 ? 8 : 16) == t->width;
}

/* Where x and y are: in rows, as a start of blocks, or once for all. z and g are in rows, of
 * which one lane, `odd`, has the point that is asked about. */
typedef enum place { ROW, BASE, ONCE } place;
typedef struct kernel {
  program *t;
  place x, y;
  uint32_t odd, row[2 + 2 * MOST_OPS];
  jit_code code;
  unsigned char *rows, *value;
} kernel;

static void put(const kernel *k, unsigned char *at, or_i128 v) {
  if (k->t->width == 4)
    *(int32_t *)(void *)at = (int32_t)v;
  else if (k->t->width == 8)
    *(int64_t *)(void *)at = (int64_t)v;
  else
    *(or_i128 *)(void *)at = v;
}

/* In the odd lane only, or in all. */
static void set(const kernel *k, uint32_t v, or_i128 to, bool all) {
  if (v == BL_NONE) return;
  for (uint32_t i = 0; i < LANES && k->row[v] != BL_NONE; i++)
    if (all || i == k->odd) put(k, k->rows + (size_t)(k->row[v] * LANES + i) * k->t->width, to);
  if (k->row[v] == BL_NONE) put(k, k->value + (size_t)v * k->t->width, to);
}

static void open_kernel(kernel *k) {
  program *t = k->t;
  uint32_t rows = 0;
  char why[JIT_WHY] = "";
  for (uint32_t v = 0; v < t->p.nvar; v++) k->row[v] = rows++;
  if (k->x != ROW && t->xv != BL_NONE) k->row[t->xv] = BL_NONE;
  if (k->y != ROW && t->yv != BL_NONE) k->row[t->yv] = BL_NONE;
  jit_plan plan = {.p = &t->p, .root_limit = t->p.nroot, .row = k->row, .step = 1, .length = LANES};
  plan.base = k->y == ONCE ? t->xv : t->yv; /* one in a row starts at 0 */
  if (plan.base == BL_NONE) plan.base = t->zv[0];
  if (!jit_compile(&plan, &k->code, why)) fail_msg("not compiled: %s", why);
  k->rows = aligned_alloc(64, ((size_t)rows * LANES * t->width + 63) / 64 * 64);
  k->value = aligned_alloc(64, ((size_t)t->p.nvar * t->width + 63) / 64 * 64);
  assert_non_null(k->rows);
  assert_non_null(k->value);
  memset(k->value, 0, (size_t)t->p.nvar * t->width);
}

static void close_kernel(kernel *k) {
  jit_free(&k->code);
  free(k->rows);
  free(k->value);
}

static bool fails(const kernel *k) { return k->code.run(k->rows, k->value, 1) == 0; }

static void wrong(const kernel *k, unsigned i, or_i128 x, or_i128 y, const char *what) {
  char sx[41], sy[41], dt[32];
  or_i128_print(x, sx);
  or_i128_print(y, sy);
  up_dt_print(up_dtype_of(k->t->r->c, k->t->x), dt);
  fail_msg("%s, %s, %s number %u at (%s, %s), x at %d, y at %d, lanes of %u bytes: %s",
           or_frame_name(k->t->frame), dt, up_op_name(up_op_of(k->t->r->c, k->t->op[i])), i, sx, sy,
           (int)k->x, (int)k->y, k->t->width, what);
}

/* What the reference evaluator says of the ops at a point. */
typedef struct truth {
  or_i128 x, y, value[MOST_OPS];
  bool defined[MOST_OPS];
} truth;

static truth truth_at(const program *t, or_i128 x, or_i128 y) {
  truth o = {.x = x, .y = y};
  up_node var[2] = {t->x, t->y};
  or_i128 at[2] = {x, y};
  or_witness w = point_of(var, at, 2);
  or_values v;
  up_node sink = up_new(t->r->c, UP_SINK, up_dt(UP_VOID), t->op, t->n, up_arg_none());
  assert_true(or_eval(t->r->c, sink, t->frame, &w, &v));
  for (unsigned i = 0; i < t->n; i++) {
    uint32_t k = 0;
    while (!up_same(v.node[k], t->op[i])) k++;
    assert_int_not_equal(v.def[k], OR_VALUE_UNSUPPORTED);
    o.defined[i] = v.def[k] == OR_VALUE_OK;
    o.value[i] = t->p.var[t->zv[i]].domain.lo;
    if (o.defined[i]) assert_true(or_i128_from_mpz(v.value[k], &o.value[i]));
  }
  or_values_clear(&v);
  or_witness_clear(&w);
  return o;
}

static void fill_lanes(const kernel *k, const truth *o) {
  const program *t = k->t;
  set(k, t->xv, o->x, true);
  set(k, t->yv, o->y, true);
  for (unsigned i = 0; i < t->n; i++) {
    set(k, t->zv[i], o->value[i], true);
    set(k, t->gv[i], 0, true);
  }
}

/* The answer is "clean" with the true values, and "fails" with a wrong one for an op that is defined,
 * or where it is asked that an undefined one be defined. */
static void check_point(const kernel *k, const truth *o) {
  const program *t = k->t;
  set(k, t->xv, o->x, false);
  set(k, t->yv, o->y, false);
  for (unsigned i = 0; i < t->n; i++) set(k, t->zv[i], o->value[i], false);
  if (fails(k)) wrong(k, 0, o->x, o->y, "true values fail");
  for (unsigned i = 0; i < t->n; i++) {
    pr_range d = t->p.var[t->zv[i]].domain;
    if (d.lo < d.hi) {
      set(k, t->zv[i], o->value[i] < d.hi ? o->value[i] + 1 : o->value[i] - 1, false);
      if (fails(k) != o->defined[i]) wrong(k, i, o->x, o->y, "a wrong value");
      set(k, t->zv[i], o->value[i], false);
    }
    set(k, t->gv[i], 1, false);
    if (fails(k) == o->defined[i]) wrong(k, i, o->x, o->y, "definedness");
    set(k, t->gv[i], 0, false);
  }
}

/* Numbers in [lo, hi]: its ends and middle, small ones, and those around its width. */
static unsigned numbers(pr_range r, or_i128 out[32]) {
  const or_i128 list[] = {r.lo, r.lo + 1, r.lo / 2, r.lo / 3, -10,      -3,  -2,
                          -1,   0,        1,        2,        3,        7,   31,
                          32,   63,       r.hi / 3, r.hi / 2, r.hi - 1, r.hi};
  unsigned n = 0;
  for (unsigned i = 0; i < sizeof list / sizeof *list; i++) {
    bool seen = list[i] < r.lo || list[i] > r.hi;
    for (unsigned k = 0; k < n; k++) seen = seen || out[k] == list[i];
    if (!seen) out[n++] = list[i];
  }
  return n;
}

/* scalars: also where no operand is a vector. */
static unsigned check_program(program *t, pr_range range, bool scalars) {
  static const place places[][2] = {{ROW, ROW}, {ROW, ONCE}, {BASE, ONCE}, {ONCE, ROW}};
  or_i128 v[32];
  unsigned n = numbers(range, v), points = 0;
  truth *o = malloc((size_t)n * n * sizeof *o);
  assert_non_null(o);
  for (unsigned i = 0; i < n * n; i++) o[i] = truth_at(t, v[i % n], v[i / n]);
  for (unsigned p = 0; p < (scalars ? 4 : 2); p++) {
    kernel k = {.t = t, .x = places[p][0], .y = places[p][1]};
    open_kernel(&k);
    for (unsigned i = 0; i < n * n; i++) {
      bool rows = k.x == ROW && k.y == ROW; /* else the other lanes have no point of their own */
      fill_lanes(&k, &o[rows ? 0 : i]);
      k.odd = i % LANES;
      check_point(&k, &o[i]);
      points++;
    }
    close_kernel(&k);
  }
  free(o);
  return points;
}

static void sweep(enum up_scalar s, or_frame f, pr_range range, bool scalars) {
  rig r = rig_new();
  unsigned points = 0;
  for (unsigned width = 4; width <= 16; width *= 2) {
    program t = {.r = &r, .frame = f, .width = width};
    t.x = wide_var(&r, "x", range, up_dt(s));
    t.y = wide_var(&r, "y", range, up_dt(s));
    if (build(&t)) points += check_program(&t, range, scalars);
    pr_free(&t.p);
  }
  assert_true(points > 0);
  rig_free(&r);
}

static void every_op_at_the_ends_of_dtypes(void **state) {
  (void)state;
  static const enum up_scalar types[] = {UP_BOOL, UP_CHAR, UP_INT, UP_UINT, UP_LONG, UP_ULONG};
  for (or_frame f = OR_IDEAL; f < OR_FRAME_COUNT; f++) {
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
      fr_type t;
      assert_true(fr_type_of(up_dt(types[i]), &t));
      bool scalars = types[i] == UP_INT || types[i] == UP_LONG;
      sweep(types[i], f, (pr_range){fr_min(t), fr_max(t)}, scalars);
    }
  }
}

/* Up to which quotients are made in one way, and beyond: see oracle/jit/divide.c. */
static void every_op_at_the_ends_of_widths(void **state) {
  (void)state;
  static const unsigned bits[] = {22, 23, 24, 26, 40, 51, 52, 53};
  for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++) {
    or_i128 half = (or_i128)1 << (bits[i] - 1);
    sweep(UP_LONG, OR_IDEAL, (pr_range){-half, half - 1}, false);
    if (bits[i] % 26 == 0)
      sweep(UP_LONG, OR_IDEAL, (pr_range){1, half - 1}, false); /* no 0, no -1 */
  }
}

/* ---- boxes ----------------------------------------------------------------------------------- */

/* Without samples and solver, so that enumeration decides. work: or_limits.jit_work. */
static rig box_rig(uint64_t work, uint32_t jobs) {
  or_limits l = or_limits_default();
  l.samples = 0;
  l.solver_rlimit = 0;
  l.max_points = 1u << 19;
  l.jobs = jobs;
  l.jit_work = work;
  return rig_new_with(l);
}

static void assert_same(rig *r, const or_answer *a, const or_answer *b) {
  up_buf wa = {0}, wb = {0};
  assert_int_equal(a->verdict, b->verdict);
  assert_string_equal(a->stage, b->stage);
  assert_int_equal(a->node.id, b->node.id);
  assert_string_equal(a->expected, b->expected);
  assert_string_equal(a->actual, b->actual);
  or_witness_put(r->c, &a->witness, &wa);
  or_witness_put(r->c, &b->witness, &wb);
  assert_string_equal(wa.p, wb.p);
  up_buf_free(&wa);
  up_buf_free(&wb);
}

/* Is a number equal to itself, but at point number `hit` of a box whose axes have these sizes? */
static or_found ask_box(rig *r, const int64_t size[3], int64_t hit, or_witness *w) {
  up_node x = var(r, "x", -5, size[0] - 6, UP_INT), y = var(r, "y", 3, size[1] + 2, UP_INT);
  up_node z = var(r, "z", 0, size[2] - 1, UP_INT);
  up_node a = op2(r, UP_ADD, op2(r, UP_MUL, z, num(r, size[1], UP_INT)), y);
  up_node n = op2(r, UP_ADD, op2(r, UP_MUL, a, num(r, size[0], UP_INT)), x);
  up_node at = num(r, 3 * size[0] - 5 + hit, UP_INT), next = op2(r, UP_ADD, n, num(r, 1, UP_INT));
  up_node b = up_where(r->c, op2(r, UP_CMPEQ, n, at), next, n);
  pr_program *p = &r->k->program;
  assert_int_equal(pr_build_pair(p, r->c, n, b, OR_IDEAL), PR_OK);
  or_task t = {.k = r->k, .c = r->c, .a = n, .b = b, .p = p, .root_limit = p->nroot};
  uint32_t root = BL_NONE;
  or_found f = or_exhaust(&t, UINT64_MAX, w, &root);
  assert_int_equal(root, f == OR_FOUND ? 0 : BL_NONE);
  return f;
}

static void compare_box(rig *one, rig *r, const int64_t size[3], int64_t hit) {
  uint64_t before = one->k->points, after = r->k->points;
  or_witness want = {0}, got = {0};
  or_found f = hit < 0 ? OR_CLEAN : OR_FOUND;
  assert_int_equal(ask_box(one, size, hit, &want), f);
  assert_int_equal(ask_box(r, size, hit, &got), f);
  assert_int_equal(want.n, got.n);
  for (uint32_t v = 0; v < want.n; v++) assert_int_equal(mpz_cmp(want.value[v], got.value[v]), 0);
  assert_int_equal(one->k->points - before, r->k->points - after);
  or_witness_clear(&want);
  or_witness_clear(&got);
}

/* One axis in a block or several, the last block whole or not; failures in the first block, in the
 * last, somewhere, nowhere. */
static void boxes_have_the_points_of_lanes(void **state) {
  (void)state;
  static const int64_t sizes[][3] = {{1, 1, 5000},  {40, 3, 700},   {2, 2, 30001}, {128, 64, 64},
                                     {100, 90, 50}, {1, 1500, 300}, {13, 1024, 7}};
  rig one = box_rig(0, 1), r = box_rig(1, 1);
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int64_t n = sizes[i][0] * sizes[i][1] * sizes[i][2];
    const int64_t hits[] = {-1, 0, n - 1, n - 2, n / 2, n / 3, 1023, 1024};
    for (unsigned k = 0; k < sizeof hits / sizeof *hits; k++)
      compare_box(&one, &r, sizes[i], hits[k]);
  }
  assert_int_equal(or_checker_jit(one.k)->compiled, 0);
  assert_int_equal(or_checker_jit(r.k)->compiled, 7 * 8);
  assert_int_equal(or_checker_jit(r.k)->failed, 0);
  rig_free(&one);
  rig_free(&r);
}

/* Each process compiles for itself, and says so. */
static void slices_have_the_points_of_lanes(void **state) {
  (void)state;
  static const int64_t size[3] = {200, 170, 130}, hits[] = {-1, 3000000, 4419999};
  rig one = box_rig(0, 3), r = box_rig(1, 3);
  for (unsigned k = 0; k < 3; k++) compare_box(&one, &r, size, hits[k]);
  /* all three processes were heard, the first one alone, and all: x is 0 and 199 there */
  assert_int_equal(or_checker_jit(r.k)->compiled, 3 + 1 + 3);
  assert_true(or_checker_jit(r.k)->points >= 200 * 170 * 130);
  rig_free(&one);
  rig_free(&r);
}

/* The same case in both rigs: an answer about its simplification, and one about its bounds. */
static void ask_case(rig *r, uint64_t i, or_answer out[2]) {
  uint8_t bytes[512];
  fz_opts opts = fz_opts_default();
  size_t n = fz_case_bytes(7, i, bytes, sizeof bytes);
  or_frame f = (or_frame)(i % OR_FRAME_COUNT);
  up_ctx_reset(r->c);
  up_node root = i % 2 ? fz_symbolic(r->c, &opts, 7, i) : fz_decode(r->c, &opts, bytes, n);
  up_result s = up_simplify(r->c, root, NULL);
  out[0] = or_equiv(r->k, r->c, root, s.status == UP_OK ? s.node : root, f, NULL);
  out[1] = or_bounds(r->k, r->c, root, f);
}

/* By a profile that has wrong rules; the first graphs of whose boxes some are compiled. */
static void random_graphs_have_the_answers_of_lanes(void **state) {
  (void)state;
  rig one = box_rig(0, 1), r = box_rig(1, 1);
  unsigned differ = 0;
  for (uint64_t i = 0; or_checker_jit(r.k)->compiled < 40; i++) {
    or_answer want[2], got[2];
    assert_true(i < 5000);
    ask_case(&one, i, want);
    ask_case(&r, i, got);
    for (unsigned q = 0; q < 2; q++) {
      differ += want[q].verdict == OR_DIFFERS;
      assert_same(&r, &want[q], &got[q]);
      or_answer_clear(&want[q]);
      or_answer_clear(&got[q]);
    }
    assert_int_equal(one.k->points, r.k->points);
  }
  assert_true(differ > 10);
  assert_int_equal(or_checker_jit(r.k)->failed, 0);
  rig_free(&one);
  rig_free(&r);
}

/* No library: counted, said, and interpreted. */
static void what_is_not_compiled_is_interpreted(void **state) {
  (void)state;
  const int64_t size[3] = {100, 90, 50};
  rig one = box_rig(0, 1), r = box_rig(1, 1);
  setenv("UPROOF_TEST_LLVM", "no-such-library.so", 1);
  compare_box(&one, &r, size, 333);
  compare_box(&one, &r, size, -1);
  unsetenv("UPROOF_TEST_LLVM");
  const or_jit_stats *s = or_checker_jit(r.k);
  assert_int_equal(s->failed, 2);
  assert_int_equal(s->compiled, 0);
  assert_int_equal(s->points, 0);
  assert_non_null(strstr(s->why, "no-such-library.so"));
  rig_free(&one);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_op_at_the_ends_of_dtypes),
      cmocka_unit_test(every_op_at_the_ends_of_widths),
      cmocka_unit_test(boxes_have_the_points_of_lanes),
      cmocka_unit_test(slices_have_the_points_of_lanes),
      cmocka_unit_test(random_graphs_have_the_answers_of_lanes),
      cmocka_unit_test(what_is_not_compiled_is_interpreted),
  };
  if (!or_jit_version()) {
    printf("built without LLVM: there is no compiled code to test\n");
    return 77;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
