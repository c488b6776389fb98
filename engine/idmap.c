#include "idmap.h"
#include <stdlib.h>
#include <string.h>

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

static void put(idmap *m, uint32_t key, uint32_t val) {
  uint32_t at = place(m, key);
  m->key[at] = key;
  m->val[at] = val;
}

static bool grow(up_ctx *c, idmap *m) {
  if (m->cap == 0) {
    m->key = m->own;
    m->val = m->own + IDMAP_OWN;
    m->cap = IDMAP_OWN;
    return true;
  }
  uint32_t cap = m->cap * 2, *key = m->key, *val = m->val, old = m->cap;
  uint32_t *both = cap ? calloc((size_t)cap * 2, sizeof *both) : NULL;
  if (!both) {
    up_ctx_set_status(c, UP_NO_MEMORY);
    return false;
  }
  m->key = both;
  m->val = both + cap;
  m->cap = cap;
  for (uint32_t i = 0; i < old; i++)
    if (key[i]) put(m, key[i], val[i]);
  if (key != m->own) free(key);
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
  if (m->key == m->own)
    memset(m->own, 0, sizeof m->own); /* so that it can be filled again */
  else
    free(m->key);
  m->key = m->val = NULL;
  m->cap = m->used = 0;
}
