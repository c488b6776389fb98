/* Which rules of a list may apply to a node: a table in front of the rules, of one bit a rule, by what
 * the node's first two sources are. Then bits go by the node's dtype, and where the sources would have
 * to be the same. Kinds of sources that no pattern tells apart share a row and a column. */
#include "gen.h"
#include "engine/compiled.h"

#include <string.h>

#define MAX_TOLD 64u /* rules that have a bit */

/* A kind is an op, or an op and what the flags of a node say of its number: a CONST without them may be
 * any. See rx_kind_at. */
enum { KINDS = UP_CONST + NODE_IS_OTHER + 1 };
static bool is_number(int k) {
  int flags = k - UP_CONST;
  return flags == NODE_IS_MINUS_ONE || flags == NODE_IS_ZERO || flags == NODE_IS_ONE ||
         flags == NODE_IS_OTHER;
}
static bool is_kind(int k) { return k < UP_OP_COUNT || is_number(k); }

/* Can a source of this kind have the number that the pattern asks for? */
static bool number_fits(const pat *p, int k) {
  if (!p->has_value || !is_number(k)) return true;
  int flags = k - UP_CONST, known = (flags - NODE_IS_ZERO) / (NODE_IS_ONE - NODE_IS_ZERO);
  double v = p->value.is_float ? p->value.f : (double)p->value.i.lo;
  return flags == NODE_IS_OTHER ? v != -1 && v != 0 && v != 1 : v == known;
}

static bool fits(const patbook *b, const pat *p, int k) {
  up_op op = is_number(k) ? UP_CONST : (up_op)k;
  if (!opset_has(&p->ops, op) || !number_fits(p, k)) return false;
  if (p->src != SRC_ANY_OF) return true;
  for (uint32_t i = 0; i < p->nkid; i++)
    if (fits(b, pat_kid(b, p, i), k)) return true;
  return false;
}

/* Does the kid fit? There may be no such kid; and a source that is not there has op NOOP. */
static bool kid_fits(const patbook *b, const pat *p, uint32_t kid, int k) {
  return kid >= p->nkid || fits(b, pat_kid(b, p, kid), k);
}

static bool may_match(const patbook *b, const pat *p, int x, int y) {
  switch ((pat_src)p->src) {
  case SRC_FREE:
  case SRC_ANY_OF: return true;
  case SRC_REPEAT:
    return (x == UP_NOOP || kid_fits(b, p, 0, x)) && (y == UP_NOOP || kid_fits(b, p, 0, y));
  case SRC_ORDERED: return kid_fits(b, p, 0, x) && kid_fits(b, p, 1, y);
  case SRC_PERMUTED:
    for (uint32_t i = 0; i < p->nkid; i++)
      for (uint32_t k = 0; k < p->nkid; k++)
        if ((k != i || p->nkid == 1) && kid_fits(b, p, i, x) &&
            (p->nkid == 1 || kid_fits(b, p, k, y)))
          return true;
    return p->nkid == 0;
  }
  return true;
}

static const pat *root_of(const gen *g, uint32_t number) {
  return pat_at(&g->b->pats, g->b->rule[number].pat);
}

static uint64_t row_entry(const gen *g, const uint32_t *list, uint32_t n, int x, int y) {
  uint64_t bits = 0;
  if (!is_kind(x) || !is_kind(y)) return 0;
  for (uint32_t i = 0; i < n; i++)
    if (may_match(&g->b->pats, root_of(g, list[i]), x, y)) bits |= UINT64_C(1) << i;
  return bits;
}

static bool told_apart(uint64_t (*may)[KINDS], int x, int y) {
  for (int k = 0; k < KINDS; k++)
    if (may[x][k] != may[y][k] || may[k][x] != may[k][y]) return true;
  return false;
}

static void put_kind(gen *g, int k, int kind) {
  if (is_number(k))
    gen_line(g, "  [UP_CONST + %d] = %d,", k - UP_CONST, kind);
  else
    gen_line(g, "  [UP_%s] = %d,", up_op_name((up_op)k), kind);
}

/* The table, if it tells anything. */
static void put_kinds(gen *g, const uint32_t *list, uint32_t n) {
  uint64_t may[KINDS][KINDS];
  int kind[KINDS], first[KINDS], kinds = 0;
  for (int x = 0; x < KINDS; x++)
    for (int y = 0; y < KINDS; y++) may[x][y] = row_entry(g, list, n, x, y);
  for (int x = 0; x < KINDS; x++) {
    kind[x] = 0;
    if (!is_kind(x)) continue;
    while (kind[x] < kinds && told_apart(may, first[kind[x]], x)) kind[x]++;
    if (kind[x] == kinds) first[kinds++] = x;
  }
  if (kinds == 1) {
    gen_line(g, "uint64_t told = UINT64_C(0x%llx);", (unsigned long long)may[0][0]);
    return;
  }
  gen_line(g, "static const uint8_t kind[UP_CONST + NODE_IS_OTHER + 1] = {");
  for (int x = 0; x < KINDS; x++)
    if (is_kind(x) && kind[x] != kind[UP_NOOP]) put_kind(g, x, kind[x]);
  gen_line(g, "};");
  gen_line(g, "static const uint64_t may[] = {");
  for (int x = 0; x < kinds; x++) {
    up_buf row = {0};
    for (int y = 0; y < kinds; y++)
      up_buf_printf(&row, " 0x%llx,", (unsigned long long)may[first[x]][first[y]]);
    gen_line(g, " %s", row.p ? row.p : "");
    up_buf_free(&row);
  }
  gen_line(g, "};");
  gen_line(g, "uint64_t told = rx_told(c, n, kind, may, %d);", kinds);
}

/* Bits of the rules whose node can have the dtype; only its scalar and whether it is a pointer count. */
static uint64_t dtype_entry(const gen *g, const uint32_t *list, uint32_t n, up_dtype d) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < n; i++)
    if (dtset_has(root_of(g, list[i])->dt, d)) bits |= UINT64_C(1) << i;
  return bits;
}

static void put_dtypes(gen *g, const uint32_t *list, uint32_t n) {
  uint64_t of[RX_DTYPES];
  bool tells = false;
  for (unsigned d = 0; d < RX_DTYPES; d++) {
    of[d] = dtype_entry(g, list, n, (up_dtype)d);
    tells = tells || of[d] != of[0];
  }
  if (!tells) return;
  gen_line(g, "static const uint64_t of_dtype[RX_DTYPES] = {");
  for (unsigned d = 0; d < RX_DTYPES; d += 4)
    gen_line(g, "  0x%llx, 0x%llx, 0x%llx, 0x%llx,", (unsigned long long)of[d],
             (unsigned long long)of[d + 1], (unsigned long long)of[d + 2],
             (unsigned long long)of[d + 3]);
  gen_line(g, "};");
  gen_line(g, "told &= rx_dtype_tells(c, n, of_dtype);");
}

static bool takes_same_twice(const gen *g, const pat *p) {
  if ((p->src != SRC_ORDERED && p->src != SRC_PERMUTED) || p->nkid != 2) return false;
  int x = pat_kid(&g->b->pats, p, 0)->slot, y = pat_kid(&g->b->pats, p, 1)->slot;
  return x >= 0 && x == y;
}

uint32_t gen_reject(gen *g, const uint32_t *list, uint32_t n) {
  uint64_t same = 0;
  if (n > MAX_TOLD) n = MAX_TOLD;
  put_kinds(g, list, n);
  put_dtypes(g, list, n);
  for (uint32_t i = 0; i < n; i++)
    if (takes_same_twice(g, root_of(g, list[i]))) same |= UINT64_C(1) << i;
  if (same)
    gen_line(g, "told &= ~rx_same_tells(c, n, UINT64_C(0x%llx));", (unsigned long long)same);
  return n;
}
