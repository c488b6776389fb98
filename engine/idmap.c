#include "idmap.h"
#include <stdlib.h>

static uint32_t place(const idmap *m, uint32_t key) {
  uint32_t at = hash_mix(0, key) & (m->cap - 1);
  while (m->key[at] && m->key[at] != key) at = (at + 1) & (m->cap - 1);
  return at;
}

uint32_t idmap_get(const idmap *m, uint32_t key, bool *found) {
  *found = false;
  if (m->cap == 0) return 0;
  uint32_t at = place(m, key);
  *found = m->key[at] == key;
  return m->val[at];
}

static bool grow(up_ctx *c, idmap *m) {
  uint32_t cap = m->cap ? m->cap * 2 : 64;
  uint32_t *both = cap ? calloc((size_t)cap * 2, sizeof *both) : NULL;
  if (!both) {
    up_ctx_set_status(c, UP_NO_MEMORY);
    return false;
  }
  idmap bigger = {both, both + cap, cap, m->used};
  for (uint32_t i = 0; i < m->cap; i++) {
    if (!m->key[i]) continue;
    uint32_t at = place(&bigger, m->key[i]);
    bigger.key[at] = m->key[i];
    bigger.val[at] = m->val[i];
  }
  free(m->key);
  *m = bigger;
  return true;
}

bool idmap_set(up_ctx *c, idmap *m, uint32_t key, uint32_t val) {
  assert(key != 0);
  if ((m->used + 1) * 2 > m->cap && !grow(c, m)) return false;
  uint32_t at = place(m, key);
  if (!m->key[at]) m->used++;
  m->key[at] = key;
  m->val[at] = val;
  return true;
}

void idmap_free(idmap *m) {
  free(m->key);
  *m = (idmap){0};
}
