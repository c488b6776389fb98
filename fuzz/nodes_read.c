/* The list of nodes: the decoder, which takes every byte string. */
#include "fuzz/nodes_form.h"
#include <assert.h>
#include <string.h>

typedef struct reader {
  up_ctx *c;
  const uint8_t *p, *end;
  up_node *node; /* those made; room for FZ_MAX_NODES */
  uint32_t n;
} reader;

/* What one node is said to be. */
typedef struct draft {
  up_op op;
  up_dtype dt;
  up_node src[FZ_MAX_SOURCES];
  uint32_t nsrc;
  up_arg arg;
} draft;

static uint8_t take(reader *r) { return r->p < r->end ? *r->p++ : 0; }
static size_t left(const reader *r) { return (size_t)(r->end - r->p); }

static uint64_t take_number(reader *r) {
  uint64_t v = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint8_t b = take(r);
    v |= (uint64_t)(b & 127) << shift;
    if (!(b & 128)) break;
  }
  return v;
}

static up_int take_int(reader *r) {
  uint64_t v = take_number(r);
  if (v != FZ_LONG_INT) {
    int64_t size = (int64_t)(v >> 1);
    return up_int_of(v & 1 ? -size : size);
  }
  uint64_t head = take_number(r);
  size_t n = (size_t)(head >> 1) % (FZ_MAX_INT_BYTES + 1);
  if (n > left(r)) n = left(r);
  mpz_t z;
  mpz_init(z);
  mpz_import(z, n, -1, 1, 0, 0, r->p);
  if (head & 1) mpz_neg(z, z);
  r->p += n;
  up_int out = up_int_from_mpz(r->c, z);
  mpz_clear(z);
  return out;
}

static double take_double(reader *r) {
  uint8_t b[sizeof(double)];
  double f;
  for (size_t i = 0; i < sizeof b; i++) b[i] = take(r);
  memcpy(&f, b, sizeof f);
  return f;
}

static up_arg take_str(reader *r) {
  size_t n = (size_t)take_number(r);
  if (n > left(r)) n = left(r);
  const char *text = (const char *)r->p;
  r->p += n;
  const char *zero = memchr(text, 0, n);
  return up_arg_str(r->c, text, zero ? (size_t)(zero - text) : n);
}

static up_arg take_arg(reader *r, unsigned depth);

/* Every item is a byte at least, so there are no more of them than bytes. */
static up_arg take_list(reader *r, unsigned depth) {
  size_t n = (size_t)take_number(r);
  up_arg few[8] = {0};
  if (n > left(r)) n = left(r);
  if (n > 4096) n = 4096;
  up_arg *item = n <= sizeof few / sizeof few[0] ? few : malloc(n * sizeof *item);
  if (!item) {
    up_ctx_set_status(r->c, UP_NO_MEMORY);
    return up_arg_none();
  }
  for (size_t i = 0; i < n; i++) item[i] = take_arg(r, depth + 1);
  up_arg out = up_arg_list(r->c, item, (uint32_t)n);
  if (item != few) free(item);
  return out;
}

static up_arg take_arg(reader *r, unsigned depth) {
  switch ((up_arg_kind)(take(r) % 6)) {
  case UP_A_INT: return up_arg_int(r->c, take_int(r));
  case UP_A_BOOL: return up_arg_bool(r->c, take(r) & 1);
  case UP_A_FLOAT: return up_arg_float(r->c, take_double(r));
  case UP_A_STR: return take_str(r);
  case UP_A_LIST: return depth < UP_MAX_ARG_DEPTH ? take_list(r, depth) : up_arg_none();
  default: return up_arg_none();
  }
}

static up_dtype take_dtype(reader *r) {
  uint8_t b = take(r);
  up_dtype d = up_dt((enum up_scalar)((b & 15u) % UP_SCALAR_COUNT));
  if (b & FZ_DTYPE_VEC) {
    uint64_t more = take_number(r);
    d = up_dt_vec(d, (unsigned)(more < 2048 ? more + 1 : 2 + more % 7));
  }
  return b & FZ_DTYPE_PTR ? up_dt_ptr(d) : d;
}

/* ---- bending what does not fit --------------------------------------------------------------- */

static bool is_number(up_dtype d) {
  return up_dt_is_int(d) || up_dt_is_bool(d) || up_dt_is_float(d);
}

static up_node small_const(const reader *r, up_dtype d, int64_t v) {
  if (up_dt_is_bool(d)) v &= 1;
  return up_const(r->c, d, up_dt_is_float(d) ? up_val_float((double)v) : up_val_int(up_int_of(v)));
}

/* The nearest node before n in the list that has the dtype, n itself first; else a constant. */
static up_node of_dtype(const reader *r, up_node n, up_dtype d) {
  uint32_t i = r->n;
  while (i > 0 && !up_same(r->node[i - 1], n)) i--;
  for (; i > 0; i--)
    if (up_dtype_of(r->c, r->node[i - 1]) == d) return r->node[i - 1];
  return small_const(r, d, (int64_t)(n.id % 5) + 1);
}

static up_arg fitting_value(const reader *r, up_dtype d, up_arg a) {
  up_arg_kind k = up_arg_kind_of(r->c, a);
  up_val v = {.is_float = false, .i = up_int_of(1)};
  if (k == UP_A_INT || k == UP_A_BOOL || k == UP_A_FLOAT) v = up_arg_val(r->c, a);
  double f = v.is_float ? v.f : up_int_to_double(r->c, v.i);
  up_int i = v.is_float ? up_int_of(f > -1e6 && f < 1e6 ? (int64_t)f : 1) : v.i;
  if (up_dt_is_float(d)) return up_arg_float(r->c, f);
  if (up_dt_is_bool(d)) return up_arg_bool(r->c, !up_int_is(i, 0));
  return up_arg_int(r->c, i);
}

/* A range out of whatever numbers the arg has, in order. */
static void bend_variable(const reader *r, draft *d) {
  up_arg part[3] = {up_arg_str(r->c, "v", 1), up_arg_int(r->c, up_int_of(0)),
                    up_arg_int(r->c, up_int_of(up_dt_is_bool(d->dt) ? 1 : 9))};
  bool list = up_arg_kind_of(r->c, d->arg) == UP_A_LIST;
  for (uint32_t i = 0, n = list ? up_arg_len(r->c, d->arg) : 0; i < n && i < 3; i++) {
    up_arg a = up_arg_at(r->c, d->arg, i);
    up_arg_kind k = up_arg_kind_of(r->c, a);
    if (i == 0 && k == UP_A_STR && up_arg_text(r->c, a)[0]) part[0] = a;
    if (i > 0 && k == UP_A_INT) part[i] = a;
  }
  if (up_int_cmp(r->c, up_arg_val(r->c, part[1]).i, up_arg_val(r->c, part[2]).i) > 0) {
    up_arg t = part[1];
    part[1] = part[2];
    part[2] = t;
  }
  d->arg = up_arg_list(r->c, part, 3);
}

/* Sources of one dtype, which is that of the first. */
static void bend_alu(const reader *r, draft *d) {
  uint32_t first = d->op == UP_WHERE;
  up_dtype dt = up_dtype_of(r->c, d->src[first]);
  bool wants_int = up_op_divides(d->op) || d->op == UP_SHL || d->op == UP_SHR;
  if (!is_number(dt) || (wants_int && !up_dt_is_int(dt))) {
    dt = up_dt(UP_INT);
    d->src[first] = of_dtype(r, d->src[first], dt);
  }
  for (uint32_t i = first + 1; i < d->nsrc; i++) d->src[i] = of_dtype(r, d->src[i], dt);
  if (d->op == UP_WHERE) d->src[0] = of_dtype(r, d->src[0], up_dt(UP_BOOL));
  d->dt = up_op_in(d->op, UP_G_COMPARE) ? up_dt_vec(up_dt(UP_BOOL), up_dt_count(dt)) : dt;
}

static void bend(const reader *r, draft *d) {
  if (!is_number(d->dt) && d->op != UP_SINK) d->dt = up_dt(UP_INT);
  if (up_op_in(d->op, UP_G_ALU)) bend_alu(r, d);
  if (d->op == UP_CAST) {
    d->dt = up_dt_vec(up_dt(up_dt_scalar(d->dt)), up_dt_count(up_dtype_of(r->c, d->src[0])));
    if (!is_number(up_dtype_of(r->c, d->src[0]))) d->src[0] = of_dtype(r, d->src[0], up_dt(UP_INT));
  }
  if (d->op == UP_CONST) d->arg = fitting_value(r, d->dt, d->arg);
  if (d->op == UP_DEFINE_VAR) bend_variable(r, d);
  if (d->op == UP_SINK) d->dt = up_dt(UP_VOID);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool fits(const reader *r, const draft *d) {
  return up_node_check(r->c, d->op, d->dt, d->src, d->nsrc, d->arg, NULL);
}

static void keep(reader *r, up_node n) { r->node[r->n++] = n; }

static void read_node(reader *r) {
  draft d = {.op = fz_code_op(take(r)), .dt = take_dtype(r)};
  int fixed = fz_fixed_sources(d.op);
  d.nsrc = fixed < 0 ? (uint32_t)(take_number(r) % (FZ_MAX_SOURCES + 1)) : (uint32_t)fixed;
  if (d.nsrc && r->n == 0) keep(r, small_const(r, up_dt(UP_INT), 1));
  for (uint32_t i = 0; i < d.nsrc; i++)
    d.src[i] = r->node[r->n - 1 - (uint32_t)(take_number(r) % r->n)];
  d.arg = fz_has_arg(d.op) ? take_arg(r, 0) : up_arg_none();
  if (!fits(r, &d)) {
    bend(r, &d);
    if (!fits(r, &d)) return;
  }
  keep(r, up_new(r->c, d.op, d.dt, d.src, d.nsrc, d.arg));
}

up_node fz_decode_nodes(up_ctx *c, const uint8_t *data, size_t n) {
  assert(fz_is_nodes(data, n));
  up_node node[FZ_MAX_NODES + 1]; /* one more: the constant that the first node may need */
  reader r = {.c = c, .p = data + FZ_MAGIC_BYTES, .end = data + n, .node = node};
  while (r.p < r.end && r.n < FZ_MAX_NODES && up_ctx_status(c) == UP_OK) read_node(&r);
  if (r.n == 0) keep(&r, small_const(&r, up_dt(UP_INT), 0));
  return up_ctx_status(c) == UP_OK ? r.node[r.n - 1] : UP_NONE;
}
