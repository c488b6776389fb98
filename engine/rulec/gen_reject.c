/* Which rules of a list may apply, by the ops of a node's first two sources: a table in front of the
 * rules, of one bit a rule. Ops that no pattern tells apart share a row and a column. */
#include "gen.h"

#include <string.h>

#define MAX_TOLD 64u /* rules that have a bit */

static bool fits(const patbook *b, const pat *p, up_op op) {
  if (!opset_has(&p->ops, op)) return false;
  if (p->src != SRC_ANY_OF) return true;
  for (uint32_t i = 0; i < p->nkid; i++)
    if (fits(b, pat_kid(b, p, i), op)) return true;
  return false;
}

/* Does the kid fit op? There may be no such kid; and a source that is not there has op NOOP. */
static bool kid_fits(const patbook *b, const pat *p, uint32_t kid, up_op op) {
  return kid >= p->nkid || fits(b, pat_kid(b, p, kid), op);
}

static bool may_match(const patbook *b, const pat *p, up_op x, up_op y) {
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

static uint64_t row_entry(const gen *g, const uint32_t *list, uint32_t n, up_op x, up_op y) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < n; i++)
    if (may_match(&g->b->pats, pat_at(&g->b->pats, g->b->rule[list[i]].pat), x, y))
      bits |= UINT64_C(1) << i;
  return bits;
}

static bool told_apart(uint64_t (*may)[UP_OP_COUNT], int x, int y) {
  for (int k = 0; k < UP_OP_COUNT; k++)
    if (may[x][k] != may[y][k] || may[k][x] != may[k][y]) return true;
  return false;
}

uint32_t gen_reject(gen *g, const uint32_t *list, uint32_t n) {
  static const up_op none = UP_NOOP;
  uint64_t may[UP_OP_COUNT][UP_OP_COUNT];
  int kind[UP_OP_COUNT], first[UP_OP_COUNT], kinds = 0;
  if (n > MAX_TOLD) n = MAX_TOLD;
  for (int x = 0; x < UP_OP_COUNT; x++)
    for (int y = 0; y < UP_OP_COUNT; y++) may[x][y] = row_entry(g, list, n, (up_op)x, (up_op)y);
  for (int x = 0; x < UP_OP_COUNT; x++) {
    kind[x] = 0;
    while (kind[x] < kinds && told_apart(may, first[kind[x]], x)) kind[x]++;
    if (kind[x] == kinds) first[kinds++] = x;
  }
  if (kinds == 1) return 0;
  gen_line(g, "static const uint8_t kind[UP_OP_COUNT] = {");
  for (int x = 0; x < UP_OP_COUNT; x++)
    if (kind[x] != kind[none]) gen_line(g, "  [UP_%s] = %d,", up_op_name((up_op)x), kind[x]);
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
  gen_line(g, "const uint64_t told = rx_told(c, n, kind, may, %d);", kinds);
  return n;
}
