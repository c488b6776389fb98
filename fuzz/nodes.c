/* The list of nodes: ops and dtypes, the encoder. The decoder is in nodes_read.c. */
#include "fuzz/nodes_form.h"
#include <assert.h>
#include <string.h>

/* The numbers of ops in the form: new ones go behind the last, or version 1 means something else.
 */
static const up_op codes[] = {
    UP_CONST,      UP_DEFINE_VAR, UP_ADD,   UP_MUL,        UP_IDIV,          UP_MOD,
    UP_CMPLT,      UP_CMPNE,      UP_MAX,   UP_WHERE,      UP_CAST,          UP_AND,
    UP_OR,         UP_XOR,        UP_SHL,   UP_SHR,        UP_SUB,           UP_NEG,
    UP_MULACC,     UP_CMPEQ,      UP_GEP,   UP_VECTORIZE,  UP_VCONST,        UP_RANGE,
    UP_SPECIAL,    UP_BIND,       UP_SINK,  UP_BITCAST,    UP_RECIP,         UP_POW,
    UP_EXP2,       UP_LOG2,       UP_SQRT,  UP_SIN,        UP_TRUNC,         UP_FDIV,
    UP_THREEFRY,   UP_LOAD,       UP_STORE, UP_INDEX,      UP_DEFINE_GLOBAL, UP_DEFINE_LOCAL,
    UP_DEFINE_REG, UP_REDUCE,     UP_WMMA,  UP_CAT,        UP_PTRCAT,        UP_UNROLL,
    UP_CONTRACT,   UP_BARRIER,    UP_IF,    UP_ENDRANGE,   UP_ENDIF,         UP_NOOP,
    UP_ASSIGN,     UP_VALID,      UP_VIEW,  UP_DEFINE_ACC, UP_CUSTOM,        UP_CUSTOMI,
    UP_FLOORDIV,   UP_FLOORMOD};
#define CODES (sizeof codes / sizeof codes[0])

up_op fz_code_op(uint8_t code) { return codes[code % CODES]; }

bool fz_op_code(up_op op, uint8_t *code) {
  for (size_t i = 0; i < CODES; i++) {
    if (codes[i] != op) continue;
    *code = (uint8_t)i;
    return true;
  }
  return false;
}

int fz_fixed_sources(up_op op) {
  switch (op) {
  case UP_CONST:
  case UP_DEFINE_VAR:
  case UP_VCONST:
  case UP_SPECIAL: return 0;
  case UP_RANGE:
  case UP_GEP: return 1;
  case UP_BIND: return 2;
  default: return up_op_arity(op);
  }
}

bool fz_has_arg(up_op op) {
  return !up_op_in(op, UP_G_ALU) && op != UP_CAST && op != UP_BITCAST && op != UP_VECTORIZE &&
         op != UP_BIND;
}

bool fz_is_nodes(const uint8_t *data, size_t n) {
  return n >= FZ_MAGIC_BYTES && memcmp(data, FZ_MAGIC, FZ_MAGIC_BYTES) == 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct output {
  uint8_t *p;
  size_t n, cap;
  bool ok;
} output;

static void put(output *o, uint8_t b) {
  if (o->n >= o->cap) o->ok = false;
  if (o->ok) o->p[o->n++] = b;
}

static void put_bytes(output *o, const void *p, size_t n) {
  if (n > o->cap - o->n) o->ok = false;
  if (o->ok && n) memcpy(o->p + o->n, p, n);
  if (o->ok) o->n += n;
}

static void put_number(output *o, uint64_t v) {
  for (; v >= 128; v >>= 7) put(o, (uint8_t)(v | 128));
  put(o, (uint8_t)v);
}

/* An integer: small ones as a LEB128 number, sign in its lowest bit; others as FZ_LONG_INT and the
 * number of bytes, sign in its lowest bit, and these. */
static void put_int(output *o, const up_ctx *c, up_int v) {
  if (up_int_fits(v) && v.lo > -FZ_SMALL_INT && v.lo < FZ_SMALL_INT) {
    put_number(o, v.lo < 0 ? ((uint64_t)-v.lo << 1) | 1 : (uint64_t)v.lo << 1);
    return;
  }
  mpz_t z;
  uint8_t bytes[FZ_MAX_INT_BYTES];
  mpz_init(z);
  up_int_to_mpz(c, v, z);
  size_t n = (mpz_sizeinbase(z, 2) + 7) / 8;
  if (n > FZ_MAX_INT_BYTES) {
    o->ok = false;
  } else {
    mpz_export(bytes, &n, -1, 1, 0, 0, z);
    put_number(o, FZ_LONG_INT);
    put_number(o, ((uint64_t)n << 1) | (mpz_sgn(z) < 0));
    put_bytes(o, bytes, n);
  }
  mpz_clear(z);
}

/* Lists nest at most UP_MAX_ARG_DEPTH deep: that is how deep this recurses. */
static void put_arg(output *o, const up_ctx *c, up_arg a) {
  up_arg_kind k = up_arg_kind_of(c, a);
  put(o, (uint8_t)k);
  if (k == UP_A_INT) put_int(o, c, up_arg_val(c, a).i);
  if (k == UP_A_BOOL) put(o, (uint8_t)up_int_is(up_arg_val(c, a).i, 1));
  if (k == UP_A_FLOAT) {
    double f = up_arg_val(c, a).f;
    put_bytes(o, &f, sizeof f);
  }
  if (k == UP_A_STR) {
    size_t n = strlen(up_arg_text(c, a));
    put_number(o, n);
    put_bytes(o, up_arg_text(c, a), n);
  }
  if (k == UP_A_LIST) {
    uint32_t n = up_arg_len(c, a);
    put_number(o, n);
    for (uint32_t i = 0; i < n && o->ok; i++) put_arg(o, c, up_arg_at(c, a, i));
  }
}

static void put_dtype(output *o, up_dtype d) {
  unsigned count = up_dt_count(d);
  put(o, (uint8_t)(up_dt_scalar(d) | (up_dt_is_ptr(d) ? FZ_DTYPE_PTR : 0) |
                   (count > 1 ? FZ_DTYPE_VEC : 0)));
  if (count > 1) put_number(o, count - 1);
}

/* place[id]: where a node stands in the list. */
static void put_node(output *o, up_ctx *c, up_node n, uint32_t at, const uint32_t *place) {
  uint8_t code;
  up_node src[FZ_MAX_SOURCES];
  uint32_t nsrc = up_nsrc(c, n);
  up_op op = up_op_of(c, n);
  if (nsrc > FZ_MAX_SOURCES || !fz_op_code(op, &code)) {
    o->ok = false;
    return;
  }
  for (uint32_t i = 0; i < nsrc; i++) src[i] = up_src(c, n, i);
  if (!up_node_check(c, op, up_dtype_of(c, n), src, nsrc, up_arg_of(c, n), NULL)) o->ok = false;
  put(o, code);
  put_dtype(o, up_dtype_of(c, n));
  if (fz_fixed_sources(op) < 0) put_number(o, nsrc);
  for (uint32_t i = 0; i < nsrc; i++) put_number(o, at - place[src[i].id] - 1);
  if (fz_has_arg(op)) put_arg(o, c, up_arg_of(c, n));
}

size_t fz_encode(up_ctx *c, up_node root, uint8_t *out, size_t cap) {
  output o = {out, 0, cap, true};
  up_list topo = {0};
  if (!up_toposort(c, root, &topo) || topo.n > FZ_MAX_NODES) o.ok = false;
  uint32_t *place = o.ok ? malloc(((size_t)root.id + 1) * sizeof *place) : NULL;
  o.ok = place != NULL;
  put_bytes(&o, FZ_MAGIC, FZ_MAGIC_BYTES);
  for (uint32_t i = 0; i < topo.n && o.ok; i++) {
    place[topo.p[i].id] = i;
    put_node(&o, c, topo.p[i], i, place);
  }
  free(place);
  up_list_give(c, &topo);
  return o.ok ? o.n : 0;
}
