/* The decoder: a byte string is a short program that grows a pool of nodes.
 *
 * Header: how many variables, then two bytes each (dtype and style; magnitude). After it, three
 * bytes an instruction: what to build, the first operand, the second operand or constant. The root
 * is the last node built. Fixed-size instructions keep a mutation local, and the newest node is the
 * likeliest operand, so most of what is built hangs together. Past its end the input reads as 0.
 * Bytes that begin with "UPG1" are a list of nodes instead (nodes.h).
 *
 * Small constants, divisors and their neighbours dominate: that is where division rules go wrong.
 */
#include "fuzz/gen.h"
#include "fuzz/nodes.h"
#include <assert.h>
#include <string.h>

/* Nodes to pick operands from; beyond it the oldest are forgotten. A power of two. */
#define POOL 256u

typedef struct input {
  const uint8_t *p, *end;
} input;

typedef struct builder {
  up_ctx *c;
  const fz_opts *o;
  input in;
  up_node pool[POOL];
  uint32_t n;      /* nodes ever pooled; the newest is pool[(n - 1) % POOL] */
  int64_t divisor; /* latest constant divisor: comparisons and moduli like to be near it */
  int64_t budget;  /* nodes that may still be made */
} builder;

fz_opts fz_opts_default(void) { return (fz_opts){.max_nodes = 64, .casts = true, .bits = true}; }

fz_floors fz_floors_of(const up_profile *p) {
  for (uint32_t i = 0; i < up_rule_count(p); i++) {
    if (strstr(up_rule_at(p, i).text, "FLOOR")) return FZ_SOME_FLOORS;
  }
  return FZ_NO_FLOORS;
}

static uint8_t take(input *in) { return in->p < in->end ? *in->p++ : 0; }

/* ---- operands -------------------------------------------------------------------------------- */

static up_node newest(const builder *b) {
  assert(b->n > 0);
  return b->pool[(b->n - 1) % POOL];
}

static void keep(builder *b, up_node n) { b->pool[b->n++ % POOL] = n; }

static uint32_t pooled(const builder *b) { return b->n < POOL ? b->n : POOL; }

/* Most selectors mean the newest node, the others an older one. */
static up_node operand(const builder *b, uint8_t sel) {
  if (sel < 144) return newest(b);
  return b->pool[(b->n - 1 - (sel - 144u) % pooled(b)) % POOL];
}

static int64_t constant(const builder *b, uint8_t sel) {
  static const int64_t common[] = {0, 1, -1, 2, 3, 4, -2, 5, 6, 7, 8, -3, 9, 10, -4, 12};
  static const int64_t rare[] = {16,  24,  25,   32,  49, 60,  64,   100,
                                 127, 128, -128, 256, -8, -10, 1000, 65536};
  int64_t d = b->divisor;
  const int64_t near[] = {d, d - 1, d + 1, -d, 2 * d, 2 * d - 1, d * d, 1 - d};
  if (sel < 128) return common[sel % 16];
  if (sel < 176) return rare[sel % 16];
  if (sel < 240) return near[sel % 8];
  if (sel < 248) return INT64_C(1) << ((sel - 240) * 4 + 2);
  return -(INT64_C(1) << ((sel - 248) * 4 + 2)) - 1;
}

/* The constant brought into the dtype's range. */
static up_node typed_const(const builder *b, up_dtype dt, int64_t v) {
  if (up_dt_is_bool(dt)) return up_const_int(b->c, dt, v & 1);
  if (up_dt_is_unsigned(dt) && v < 0) v = -v;
  unsigned bits = up_dt_bits(dt) - (up_dt_is_signed(dt) ? 1u : 0u);
  if (bits < 62 && (v > (INT64_C(1) << bits) - 1 || v < -(INT64_C(1) << bits))) v %= 100;
  return up_const_int(b->c, dt, v);
}

/* A second operand of the dtype: a pooled node if the search from the selected one finds any, else
 * a constant. */
static up_node partner(const builder *b, uint8_t sel, up_dtype dt) {
  uint32_t have = pooled(b), from = sel % have;
  for (uint32_t i = 0; i < have; i++) {
    up_node n = b->pool[(b->n - 1 - (from + i) % have) % POOL];
    if (up_dtype_of(b->c, n) == dt) return n;
  }
  return typed_const(b, dt, constant(b, sel));
}

/* The nearest integer node; a bool one is cast when there is no other. */
static up_node int_operand(const builder *b, uint8_t sel) {
  up_node n = operand(b, sel);
  for (uint32_t i = 0; i < pooled(b) && !up_dt_is_int(up_dtype_of(b->c, n)); i++) {
    n = b->pool[(b->n - 1 - i) % POOL];
  }
  return up_dt_is_int(up_dtype_of(b->c, n)) ? n : up_cast(b->c, n, up_dt(UP_INT));
}

/* The nearest bool node, else a comparison. */
static up_node bool_operand(const builder *b, uint8_t sel) {
  uint32_t have = pooled(b), from = sel % have;
  for (uint32_t i = 0; i < have; i++) {
    up_node n = b->pool[(b->n - 1 - (from + i) % have) % POOL];
    if (up_dt_is_bool(up_dtype_of(b->c, n))) return n;
  }
  up_node x = int_operand(b, sel);
  return up_binary(b->c, UP_CMPLT, x, typed_const(b, up_dtype_of(b->c, x), constant(b, sel)));
}

/* A divisor: positive mostly, now and then negative or zero. */
static int64_t divisor(builder *b, uint8_t sel) {
  static const int64_t common[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 25, 32, 49, 64};
  int64_t d;
  if (sel < 176) {
    d = common[sel % 16];
  } else if (sel < 208 && b->divisor != 0) {
    d = sel % 4 == 3 ? b->divisor * 2 : b->divisor;
  } else if (sel < 252) {
    d = -common[sel % 16];
  } else {
    d = sel == 255 ? 0 : sel == 254 ? 256 : sel == 253 ? -1 : 1;
  }
  if (d > 1 && d < 1 << 20) b->divisor = d;
  return d;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static up_node bin(const builder *b, up_op op, up_node x, up_node y) {
  bool floors = b->o->floors == FZ_ALL_FLOORS || (b->o->floors == FZ_SOME_FLOORS && b->n % 4 == 3);
  if (floors && op == UP_IDIV) op = UP_FLOORDIV;
  if (floors && op == UP_MOD) op = UP_FLOORMOD;
  return up_binary(b->c, op, x, y);
}

static up_node times(const builder *b, up_node x, int64_t k) {
  return bin(b, UP_MUL, x, typed_const(b, up_dtype_of(b->c, x), k));
}

static up_node with_const(builder *b, up_op op, uint8_t s, uint8_t t) {
  up_node x = int_operand(b, s);
  return bin(b, op, x, typed_const(b, up_dtype_of(b->c, x), constant(b, t)));
}

static up_node with_node(builder *b, up_op op, uint8_t s, uint8_t t) {
  up_node x = int_operand(b, s);
  return bin(b, op, x, partner(b, t, up_dtype_of(b->c, x)));
}

static up_node make_add(builder *b, uint8_t s, uint8_t t) { return with_const(b, UP_ADD, s, t); }
static up_node make_add2(builder *b, uint8_t s, uint8_t t) { return with_node(b, UP_ADD, s, t); }
static up_node make_mul(builder *b, uint8_t s, uint8_t t) { return with_const(b, UP_MUL, s, t); }
static up_node make_mul2(builder *b, uint8_t s, uint8_t t) { return with_node(b, UP_MUL, s, t); }
static up_node make_max(builder *b, uint8_t s, uint8_t t) { return with_const(b, UP_MAX, s, t); }
static up_node make_max2(builder *b, uint8_t s, uint8_t t) { return with_node(b, UP_MAX, s, t); }
static up_node make_lt(builder *b, uint8_t s, uint8_t t) { return with_const(b, UP_CMPLT, s, t); }
static up_node make_ne(builder *b, uint8_t s, uint8_t t) { return with_const(b, UP_CMPNE, s, t); }
static up_node make_div2(builder *b, uint8_t s, uint8_t t) { return with_node(b, UP_IDIV, s, t); }
static up_node make_mod2(builder *b, uint8_t s, uint8_t t) { return with_node(b, UP_MOD, s, t); }

static up_node make_div(builder *b, uint8_t s, uint8_t t) {
  up_node x = int_operand(b, s);
  return bin(b, UP_IDIV, x, typed_const(b, up_dtype_of(b->c, x), divisor(b, t)));
}

static up_node make_mod(builder *b, uint8_t s, uint8_t t) {
  up_node x = int_operand(b, s);
  return bin(b, UP_MOD, x, typed_const(b, up_dtype_of(b->c, x), divisor(b, t)));
}

/* x//c*c + x%c, and halves of it. */
static up_node make_divmod(builder *b, uint8_t s, uint8_t t) {
  up_node x = int_operand(b, s), c = typed_const(b, up_dtype_of(b->c, x), divisor(b, t & 0xbf));
  up_node q = bin(b, UP_MUL, bin(b, UP_IDIV, x, c), c);
  return t & 0x40 ? q : bin(b, UP_ADD, q, bin(b, UP_MOD, x, c));
}

/* Quotient of a sum with the same divisor next to it: (x+k)//c + x//c. */
static up_node make_unrolled(builder *b, uint8_t s, uint8_t t) {
  up_node x = int_operand(b, s);
  up_dtype dt = up_dtype_of(b->c, x);
  up_node c = typed_const(b, dt, divisor(b, t & 0x0f));
  up_node y = bin(b, UP_ADD, x, typed_const(b, dt, (t >> 4) + 1));
  return bin(b, UP_ADD, bin(b, UP_IDIV, x, c), bin(b, UP_IDIV, y, c));
}

/* A compare of any two nodes of one dtype, bool ones too; the odd selectors negate it. */
static up_node make_cmp2(builder *b, uint8_t s, uint8_t t) {
  up_node x = operand(b, s);
  up_node r = bin(b, t & 2 ? UP_CMPNE : UP_CMPLT, x, partner(b, t >> 2, up_dtype_of(b->c, x)));
  return t & 1 ? up_not(b->c, r) : r;
}

static up_node make_min(builder *b, uint8_t s, uint8_t t) {
  up_node x = int_operand(b, s);
  up_dtype dt = up_dtype_of(b->c, x);
  if (up_dt_is_unsigned(dt)) return with_const(b, UP_MAX, s, t);
  up_node y = t & 1 ? partner(b, t >> 1, dt) : typed_const(b, dt, constant(b, t));
  return times(b, bin(b, UP_MAX, times(b, x, -1), times(b, y, -1)), -1);
}

static up_node make_sub(builder *b, uint8_t s, uint8_t t) {
  up_node x = int_operand(b, s);
  up_dtype dt = up_dtype_of(b->c, x);
  up_node y = partner(b, t, dt);
  return up_dt_is_unsigned(dt) ? bin(b, UP_ADD, x, y) : bin(b, UP_ADD, x, times(b, y, -1));
}

static up_node make_where(builder *b, uint8_t s, uint8_t t) {
  up_node cond = bool_operand(b, (uint8_t)(t >> 3)), x = operand(b, s);
  up_dtype dt = up_dtype_of(b->c, x);
  up_node y = t & 4 ? partner(b, t, dt) : typed_const(b, dt, constant(b, (uint8_t)(t * 5u)));
  return t & 1 ? up_where(b->c, cond, y, x) : up_where(b->c, cond, x, y);
}

static up_node make_logic(builder *b, uint8_t s, uint8_t t) {
  static const up_op op[] = {UP_AND, UP_OR, UP_AND, UP_XOR};
  up_node x = bool_operand(b, s);
  if (t >= 240) return up_not(b->c, x);
  return bin(b, op[t & 3], x, bool_operand(b, (uint8_t)(t >> 2)));
}

/* A fresh small expression to be combined with what is there: v, v+k, v*k. */
static up_node make_leaf(builder *b, uint8_t s, uint8_t t) {
  uint32_t oldest = pooled(b) - 1;
  up_node v = b->pool[(b->n - 1 - (oldest - s % 4u % (oldest + 1))) % POOL];
  up_dtype dt = up_dtype_of(b->c, v);
  if (!up_dt_is_int(dt) || s < 64) return v;
  return bin(b, s < 160 ? UP_MUL : UP_ADD, v, typed_const(b, dt, constant(b, t)));
}

static up_node make_bits(builder *b, uint8_t s, uint8_t t) {
  static const up_op op[] = {UP_AND, UP_OR, UP_XOR, UP_SHL, UP_SHR, UP_AND, UP_SHR, UP_SHL};
  if (!b->o->bits) return make_add(b, s, t);
  up_op o = op[t & 7];
  up_node x = int_operand(b, s);
  up_dtype dt = up_dtype_of(b->c, x);
  if (o == UP_SHL || o == UP_SHR) return bin(b, o, x, up_const_int(b->c, dt, (t >> 3) % 7));
  return bin(b, o, x, t & 0x80 ? partner(b, t >> 3, dt) : typed_const(b, dt, constant(b, t >> 3)));
}

static const enum up_scalar cast_to[] = {UP_INT,  UP_CHAR, UP_UCHAR, UP_LONG, UP_SHORT, UP_USHORT,
                                         UP_UINT, UP_INT,  UP_ULONG, UP_INT,  UP_LONG,  UP_BOOL,
                                         UP_CHAR, UP_INT,  UP_UINT,  UP_UCHAR};

static up_node make_cast(builder *b, uint8_t s, uint8_t t) {
  up_node x = operand(b, s);
  up_dtype dt = b->o->casts ? up_dt(cast_to[t % 16]) : up_dt(UP_INT);
  return up_dtype_of(b->c, x) == dt ? make_add(b, s, t) : up_cast(b->c, x, dt);
}

/* What an instruction byte means: tried in order, `weight` of the 256 bytes each. */
typedef struct instruction {
  up_node (*make)(builder *b, uint8_t s, uint8_t t);
  uint8_t weight, cost; /* cost: most nodes it makes, casts and comparisons of its operands too */
} instruction;

static const instruction instructions[] = {
    {make_add, 28, 3}, {make_add2, 22, 3},    {make_mul, 24, 3},  {make_mul2, 6, 3},
    {make_div, 32, 3}, {make_mod, 30, 3},     {make_lt, 16, 3},   {make_max, 6, 3},
    {make_max2, 6, 3}, {make_divmod, 8, 6},   {make_leaf, 14, 2}, {make_div2, 4, 3},
    {make_mod2, 4, 3}, {make_unrolled, 5, 7}, {make_cmp2, 9, 4},  {make_ne, 5, 3},
    {make_min, 6, 7},  {make_sub, 7, 5},      {make_where, 8, 5}, {make_logic, 5, 8},
    {make_bits, 6, 3}, {make_cast, 5, 3},
};
#define INSTRUCTIONS (sizeof instructions / sizeof instructions[0])

static const instruction *decode(uint8_t code) {
  unsigned at = 0;
  for (size_t i = 0; i < INSTRUCTIONS; i++) {
    at += instructions[i].weight;
    if (code < at) return &instructions[i];
  }
  assert(at == 256); /* the weights cover every code */
  return &instructions[INSTRUCTIONS - 1];
}

/* ---- variables ------------------------------------------------------------------------------- */

typedef struct range {
  int64_t lo, hi;
} range;

static range pick_range(uint8_t style, uint8_t size) {
  static const int64_t end[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 64, 128, 256, 10, 12};
  int64_t e = end[size & 15], f = end[size >> 4];
  switch (style & 7) {
  case 0:
  case 1: return (range){0, e};
  case 2: return (range){-e, f};
  case 3: return (range){-e - f, -e};
  case 4: return size & 1 ? (range){-e, -e} : (range){e, e};
  case 5: return (range){e, e + f};
  case 6: return (range){-e, e};
  default: return size & 1 ? (range){-e, 0} : (range){0, (INT64_C(1) << (size >> 4)) + 255};
  }
}

static range fit_range(range r, up_dtype dt) {
  if (up_dt_is_bool(dt)) return (range){0, 1};
  if (up_dt_is_unsigned(dt) && r.lo < 0) r = (range){0, r.hi < 0 ? -r.hi : r.hi};
  if (up_dt_bits(dt) == 8) {
    int64_t lo = up_dt_is_unsigned(dt) ? 0 : -128, hi = lo + 255;
    if (r.lo < lo) r.lo = lo;
    if (r.hi > hi) r.hi = hi;
    if (r.lo > r.hi) r.lo = r.hi;
  }
  if (up_dt_bits(dt) == 16 && r.hi > 32767) r.hi = 32767;
  return r;
}

static void add_variables(builder *b) {
  static const char *const name[] = {"a", "b", "c", "d"};
  static const uint8_t count[] = {1, 2, 2, 3, 1, 2, 3, 4};
  unsigned n = count[take(&b->in) & 7];
  /* first to last, so that the first one is the newest and the likeliest leaf */
  for (unsigned i = n; i-- > 0;) {
    uint8_t style = take(&b->in), size = take(&b->in);
    up_dtype dt = up_dt(UP_INT);
    if (style >= 232) dt = b->o->casts ? up_dt(cast_to[(style >> 1) % 16]) : up_dt(UP_INT);
    range r = fit_range(pick_range(style, size), dt);
    assert(r.lo <= r.hi);
    keep(b, up_var(b->c, name[i], up_int_of(r.lo), up_int_of(r.hi), dt));
  }
}

up_node fz_decode(up_ctx *c, const fz_opts *o, const uint8_t *data, size_t n) {
  if (fz_is_nodes(data, n)) return fz_decode_nodes(c, data, n);
  builder b = {.c = c, .o = o, .in = {data, data + n}, .divisor = 4, .budget = o->max_nodes};
  if (n == 0) b.in.end = b.in.p = NULL;
  add_variables(&b);
  b.budget -= (int64_t)b.n;
  while (b.in.p < b.in.end) {
    const instruction *i = decode(take(&b.in));
    uint8_t s = take(&b.in), t = take(&b.in);
    b.budget -= i->cost;
    if (b.budget < 0) break;
    up_node made = i->make(&b, s, t);
    if (up_ctx_status(c) != UP_OK) return UP_NONE;
    keep(&b, made);
  }
  return up_ctx_status(c) == UP_OK ? newest(&b) : UP_NONE;
}

/* ---- cases of a campaign --------------------------------------------------------------------- */

uint64_t fz_next(fz_rng *r) {
  uint64_t z = r->s += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

size_t fz_case_bytes(uint64_t seed, uint64_t index, uint8_t *buf, size_t cap) {
  /* half of the cases have at most 4 instructions: small graphs are checked faster, and show most
   * bugs already */
  static const uint8_t most[] = {3, 4, 4, 5, 8, 8, 12, 24};
  fz_rng mix = {seed};
  fz_rng r = {fz_next(&mix) ^ (index * UINT64_C(0xD1342543DE82EF95))};
  uint64_t head = fz_next(&r);
  size_t instructions_wanted = 1 + (head >> 8) % most[head & 7];
  size_t n = 9 + 3 * instructions_wanted;
  if (n > cap) n = cap;
  for (size_t i = 0; i < n; i += 8) {
    uint64_t v = fz_next(&r);
    for (size_t j = i; j < n && j < i + 8; j++) {
      buf[j] = (uint8_t)v;
      v >>= 8;
    }
  }
  return n;
}
