/* Metadata of a graph: key/value pairs in the order in which they came. */
#include "text.h"
#include <stdlib.h>
#include <string.h>

static up_meta *find(const up_metas *m, const char *key) {
  for (uint32_t i = 0; i < m->n; i++)
    if (strcmp(m->p[i].key, key) == 0) return &m->p[i];
  return NULL;
}

static char *copy_text(const char *s) {
  size_t n = strlen(s) + 1;
  char *p = malloc(n);
  if (p) memcpy(p, s, n);
  return p;
}

/* A key is one word, so that it needs no quotes. */
static bool is_key(const char *s) {
  if (!*s) return false;
  for (; *s; s++)
    if (!text_is_word(*s) && *s != '-' && *s != '.') return false;
  return true;
}

static bool reserve(up_metas *m) {
  size_t cap = m->cap;
  if (!text_grow(&m->p, &cap, (size_t)m->n + 1, sizeof *m->p)) return false;
  m->cap = (uint32_t)cap;
  return true;
}

bool up_metas_set(up_metas *m, const char *key, const char *value) {
  UP_REQUIRE(is_key(key), "up_metas_set");
  up_meta *old = find(m, key);
  char *v = copy_text(value);
  if (old && v) {
    free(old->value);
    old->value = v;
    return true;
  }
  char *k = v ? copy_text(key) : NULL;
  if (!k || !reserve(m)) {
    free(v);
    free(k);
    return false;
  }
  m->p[m->n++] = (up_meta){k, v};
  return true;
}

const char *up_metas_get(const up_metas *m, const char *key) {
  const up_meta *e = find(m, key);
  return e ? e->value : NULL;
}

void up_metas_free(up_metas *m) {
  for (uint32_t i = 0; i < m->n; i++) {
    free(m->p[i].key);
    free(m->p[i].value);
  }
  free(m->p);
  *m = (up_metas){0};
}
