/* Blocks of lanes: choice of the lane's width, register allocation, and the run. */
#include "block.h"

/* gcc vectorises these loops at -O3 only; everything of the oracle's speed is in them. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

/* Wider vectors where the processor has them; the results are the same. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__) &&   \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LANES __attribute__((target_clones("avx2", "default")))
#else
#define LANES
#endif

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)256 << 20)
#define MIN_LANES 16u

/* ---- what the kernels share ------------------------------------------------------------------ */

static const uint8_t *defined_of(const bl_machine *m, uint32_t slot) {
  if (!(m->p->ins[slot].flags & PR_UNDEF)) return m->ones;
  return m->defined + (size_t)m->reg[slot] * m->lanes;
}

static uint8_t *defined_reg(const bl_machine *m, uint32_t slot) {
  assert(m->p->ins[slot].flags & PR_UNDEF);
  return m->defined + (size_t)m->reg[slot] * m->lanes;
}

/* A lane fails where the original is defined and (the values differ or the other is undefined). */
static bool combine_defined(const bl_machine *m, const pr_pair *r, uint8_t *restrict bad,
                            unsigned n) {
  const uint8_t *da = defined_of(m, r->a), *db = defined_of(m, r->b);
  uint8_t any = 0;
  for (unsigned i = 0; i < n; i++) {
    bad[i] = da[i] & (uint8_t)(bad[i] | (db[i] ^ 1));
    any |= bad[i];
  }
  return any != 0;
}

static void record(bl_machine *m, uint32_t root, const uint8_t *bad, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    if (bad[i] && root < m->fail[i]) m->fail[i] = root;
  }
}

/* ---- quotients ------------------------------------------------------------------------------- */

/* No width has a vector instruction for integer division; floating point has, and a product with
 * the reciprocal is quicker still.
 *
 * By lanes, in a format that holds both operands: a quotient that is not whole is further from the
 * next integer than half a unit of its last place, so that it truncates to the exact one.
 * By one number k: (|a| + 1/2) / |k| is at least 1 / (2|k|) from every integer, on the right side of
 * it, and the roundings of the reciprocal and of the product move it by less, as long as |a| has two
 * bits less than the format. */
LANES static void quotients_32(int32_t *restrict q, const int32_t *restrict a,
                               const int32_t *restrict b, unsigned bits, unsigned n) {
  if (bits <= 24) {
    for (unsigned i = 0; i < n; i++) q[i] = (int32_t)((float)a[i] / (float)b[i]);
  } else {
    for (unsigned i = 0; i < n; i++) q[i] = (int32_t)((double)a[i] / (double)b[i]);
  }
}

LANES static void quotients_by_32(int32_t *restrict q, const int32_t *restrict a, int32_t k,
                                  unsigned bits, unsigned n) {
  if (bits <= 22) {
    float inverse = 1.0f / (float)k;
    for (unsigned i = 0; i < n; i++)
      q[i] = (int32_t)(((float)a[i] + (a[i] < 0 ? -0.5f : 0.5f)) * inverse);
  } else {
    double inverse = 1.0 / (double)k;
    for (unsigned i = 0; i < n; i++)
      q[i] = (int32_t)(((double)a[i] + (a[i] < 0 ? -0.5 : 0.5)) * inverse);
  }
}

/* Between int64 and double, for numbers of 51 bits: the sum with 3 * 2^51 has the number in its lowest
 * bits. Few processors have a vector instruction for it. */
#define SHIFTER 0x1.8p52

typedef union word {
  int64_t i;
  double d;
} word;

static inline double to_double(int64_t v) {
  word w = {.d = SHIFTER};
  w.i += v;
  return w.d - SHIFTER;
}

/* The whole number next to q, toward zero. */
static inline int64_t truncated(double q) {
  const word zero = {.d = SHIFTER};
  word near = {.d = q + SHIFTER};
  double n = near.d - SHIFTER;
  int64_t beyond = fabs(n) > fabs(q), up = q < 0;
  return near.i - zero.i - beyond + 2 * (beyond & up);
}

LANES static void quotients_64(int64_t *restrict q, const int64_t *restrict a,
                               const int64_t *restrict b, unsigned bits, unsigned n) {
  if (bits <= 51) {
    for (unsigned i = 0; i < n; i++) q[i] = truncated(to_double(a[i]) / to_double(b[i]));
  } else if (bits <= 53) {
    for (unsigned i = 0; i < n; i++) q[i] = (int64_t)((double)a[i] / (double)b[i]);
  } else {
    for (unsigned i = 0; i < n; i++) q[i] = a[i] / b[i];
  }
}

LANES static void quotients_by_64(int64_t *restrict q, const int64_t *restrict a, int64_t k,
                                  unsigned bits, unsigned n) {
  if (bits <= 51) {
    double inverse = 1.0 / (double)k;
    for (unsigned i = 0; i < n; i++)
      q[i] = truncated((to_double(a[i]) + (a[i] < 0 ? -0.5 : 0.5)) * inverse);
  } else {
    for (unsigned i = 0; i < n; i++) q[i] = a[i] / k;
  }
}

static void quotients_128(or_i128 *restrict q, const or_i128 *restrict a, const or_i128 *restrict b,
                          unsigned bits, unsigned n) {
  if (bits <= 64) {
    for (unsigned i = 0; i < n; i++) q[i] = (int64_t)a[i] / (int64_t)b[i];
  } else {
    for (unsigned i = 0; i < n; i++) q[i] = a[i] / b[i];
  }
}

static void quotients_by_128(or_i128 *restrict q, const or_i128 *restrict a, or_i128 k,
                             unsigned bits, unsigned n) {
  if (bits <= 64) {
    for (unsigned i = 0; i < n; i++) q[i] = (int64_t)a[i] / (int64_t)k;
  } else {
    for (unsigned i = 0; i < n; i++) q[i] = a[i] / k;
  }
}

/* ---- kernels --------------------------------------------------------------------------------- */

#define LANE int32_t
#define ULANE uint32_t
#define LANE_BITS 32
#define K(name) name##_32
#include "block_kernel.h"

#define LANE int64_t
#define ULANE uint64_t
#define LANE_BITS 64
#define K(name) name##_64
#include "block_kernel.h"

#define LANE or_i128
#define ULANE or_u128
#define LANE_BITS 128
#define K(name) name##_128
#include "block_kernel.h"

/* ---- preparation ----------------------------------------------------------------------------- */

void bl_free(bl_machine *m) {
  free(m->reg);
  free(m->last);
  free(m->stack);
  free(m->event);
  free(m->event_at);
  free(m->file);
  free(m->defined);
  free(m->ones);
  *m = (bl_machine){0};
}

static bool resize(void *array, size_t n, size_t size) {
  void **p = array;
  void *q = realloc(*p, n * size);
  if (q) *p = q;
  return q != NULL;
}

static bool reserve(bl_machine *m) {
  uint32_t n = m->p->n + 1, r = m->p->nroot + 1;
  if (n > m->slot_cap) {
    if (!resize(&m->reg, n, sizeof *m->reg) || !resize(&m->last, n, sizeof *m->last) ||
        !resize(&m->stack, n, sizeof *m->stack) || !resize(&m->event_at, n, sizeof *m->event_at))
      return false;
    m->slot_cap = n;
  }
  if (r > m->root_cap) {
    if (!resize(&m->event, r, sizeof *m->event)) return false;
    m->root_cap = r;
  }
  if (!m->ones) {
    m->ones = malloc(BL_LANES);
    if (!m->ones) return false;
    memset(m->ones, 1, BL_LANES);
  }
  return true;
}

static uint32_t later(pr_pair r) { return r.a > r.b ? r.a : r.b; }

/* Is root i to be looked at? */
static bool wanted(const bl_machine *m, uint32_t i) {
  return m->seen || !pr_settled(m->p, m->claim, i);
}

/* Counting sort of the roots by the slot after which they can be looked at. */
static void place_events(bl_machine *m) {
  const pr_program *p = m->p;
  memset(m->event_at, 0, (p->n + 1) * sizeof *m->event_at);
  for (uint32_t i = 0; i < p->nroot; i++) {
    if (wanted(m, i)) m->event_at[later(p->root[i])]++;
  }
  uint32_t sum = 0;
  for (uint32_t s = 0; s <= p->n; s++) {
    sum += m->event_at[s];
    m->event_at[s] = sum; /* one past the slot's last event; filled from the end */
  }
  for (uint32_t i = p->nroot; i-- > 0;) {
    if (wanted(m, i)) m->event[--m->event_at[later(p->root[i])]] = i;
  }
}

/* Leaves keep their registers: they are filled from outside. So do assumptions. */
static void find_last_uses(bl_machine *m) {
  const pr_program *p = m->p;
  for (uint32_t i = 0; i < p->n; i++) {
    m->last[i] = p->ins[i].nsrc == 0 ? BL_NONE : i;
    for (unsigned s = 0; s < p->ins[i].nsrc; s++) {
      uint32_t *last = &m->last[p->ins[i].src[s]];
      if (*last != BL_NONE) *last = i;
    }
  }
  for (uint32_t i = 0; i < p->nroot; i++) {
    uint32_t pair[2] = {p->root[i].a, p->root[i].b};
    for (unsigned s = 0; s < 2; s++) {
      uint32_t *last = &m->last[pair[s]];
      if (*last != BL_NONE && *last < later(p->root[i])) *last = later(p->root[i]);
    }
  }
  for (uint32_t i = 0; i < p->nassume; i++) m->last[p->assume[i]] = BL_NONE;
}

/* The register of `slot` goes back when instruction `now` was the last to read it. */
static void release(bl_machine *m, uint32_t slot, uint32_t now, uint32_t *depth) {
  if (m->last[slot] != now) return;
  m->last[slot] = BL_NONE;
  m->stack[(*depth)++] = m->reg[slot];
}

static void allocate_registers(bl_machine *m) {
  const pr_program *p = m->p;
  uint32_t depth = 0;
  m->nreg = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    /* a leaf is filled before the first instruction runs: its register was nobody's before */
    bool fresh = depth == 0 || p->ins[i].nsrc == 0;
    m->reg[i] = fresh ? m->nreg++ : m->stack[--depth];
    for (unsigned s = 0; s < p->ins[i].nsrc; s++) release(m, p->ins[i].src[s], i, &depth);
    for (uint32_t e = m->event_at[i]; e < m->event_at[i + 1]; e++) {
      release(m, p->root[m->event[e]].a, i, &depth);
      release(m, p->root[m->event[e]].b, i, &depth);
    }
    release(m, i, i, &depth);
  }
}

static bool grow_file(void *file, size_t *cap, size_t need) {
  void **p = file;
  if (need <= *cap) return true;
  free(*p);
  *cap = 0;
  *p = calloc(need, 1); /* lanes of undefined values are read: they must hold something */
  if (*p) *cap = need;
  return *p != NULL;
}

static bl_status size_file(bl_machine *m, uint64_t points) {
  size_t a_lane = (size_t)m->nreg * m->width;
  m->lanes = points < MIN_LANES ? MIN_LANES : points < BL_LANES ? (uint32_t)points : BL_LANES;
  while (m->lanes > MIN_LANES && a_lane * m->lanes > MAX_BYTES) m->lanes /= 2;
  if (a_lane * m->lanes > MAX_BYTES) return BL_TOO_WIDE;
  size_t lanes = (size_t)m->nreg * m->lanes;
  return grow_file(&m->file, &m->file_cap, lanes * m->width + m->width) &&
                 grow_file(&m->defined, &m->defined_cap, lanes + 1)
             ? BL_OK
             : BL_NO_MEMORY;
}

static void fill_slot(bl_machine *m, uint32_t slot, uint32_t from, uint32_t count, or_i128 v,
                      uint32_t run) {
  assert(from + count <= m->lanes && run > 0);
  if (m->width == 4)
    fill_32(m, slot, from, count, v, run);
  else if (m->width == 8)
    fill_64(m, slot, from, count, v, run);
  else
    fill_128(m, slot, from, count, v, run);
}

bl_status bl_prepare(bl_machine *m, const pr_program *p, const pr_range *claim, uint64_t points) {
  m->p = p;
  m->claim = claim;
  if (p->bits > 128 || p->nwide > 0) return BL_TOO_WIDE;
  m->width = p->bits <= 32 ? 4 : p->bits <= 64 ? 8 : 16;
  if (!reserve(m)) return BL_NO_MEMORY;
  place_events(m);
  find_last_uses(m);
  allocate_registers(m);
  bl_status s = size_file(m, points);
  if (s != BL_OK) return s;
  m->root_limit = p->nroot;
  for (uint32_t i = 0; i < p->n; i++) {
    if (p->ins[i].op == UP_CONST) fill_slot(m, i, 0, m->lanes, p->ins[i].number, m->lanes);
  }
  return BL_OK;
}

/* ---- runs ------------------------------------------------------------------------------------ */

void bl_fill(bl_machine *m, uint32_t var, uint32_t from, uint32_t count, or_i128 v, uint32_t run) {
  assert(var < m->p->nvar);
  fill_slot(m, m->p->var[var].slot, from, count, v, run);
}

bl_failure bl_run(bl_machine *m, uint32_t n) {
  assert(n <= m->lanes);
  for (uint32_t i = 0; i < n; i++) m->fail[i] = BL_NONE;
  if (m->width == 4)
    run_32(m, n);
  else if (m->width == 8)
    run_64(m, n);
  else
    run_128(m, n);
  bl_failure f = {BL_NONE, BL_NONE};
  for (uint32_t i = 0; i < n; i++) {
    if (m->fail[i] < f.root) f = (bl_failure){m->fail[i], i};
  }
  return f;
}

bool bl_value(const bl_machine *m, uint32_t slot, uint32_t lane, or_i128 *out) {
  assert(slot < m->p->n && lane < m->lanes);
  size_t at = (size_t)m->reg[slot] * m->lanes + lane;
  if (m->width == 4)
    *out = ((const int32_t *)(const void *)m->file)[at];
  else if (m->width == 8)
    *out = ((const int64_t *)(const void *)m->file)[at];
  else
    *out = ((const or_i128 *)(const void *)m->file)[at];
  return defined_of(m, slot)[lane] != 0;
}
