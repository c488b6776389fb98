/* Positions, growth, the name table and node making: what every reader of text needs. */
#include "text.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors --------------------------------------------------------------------- */

static unsigned saturate(size_t v) { return v > UINT32_MAX ? UINT32_MAX : (unsigned)v; }

/* Line and column of an offset, both from 1; a continuation byte of UTF-8 is no column. */
static void position(const text_in *in, size_t at, unsigned *line, unsigned *col) {
  size_t l = 1, k = 1;
  for (size_t i = 0; i < at && i < in->n; i++) {
    unsigned char ch = (unsigned char)in->text[i];
    if (ch == '\n')
      l++, k = 1;
    else if ((ch & 0xc0u) != 0x80u)
      k++;
  }
  *line = saturate(l);
  *col = saturate(k);
}

bool text_fail(const text_in *in, size_t at, const char *fmt, ...) {
  if (!in->err) return false;
  char msg[sizeof in->err->msg];
  va_list ap;
  va_start(ap, fmt);
  if (vsnprintf(msg, sizeof msg, fmt, ap) < 0) msg[0] = 0;
  va_end(ap);
  unsigned line, col;
  position(in, at, &line, &col);
  /* a text is not at fault for what could not be made of it */
  bool starved = up_ctx_status(in->c) == UP_NO_MEMORY;
  return up_fail(in->err, line, col, "%s", starved ? "no memory" : msg);
}

bool text_ctx_ok(const text_in *in, size_t at) {
  up_status s = up_ctx_status(in->c);
  return s == UP_OK || text_fail(in, at, "cannot go on: %s", up_status_name(s));
}

int text_quoted(size_t n) { return n > 40 ? 40 : (int)n; }

/* ---- memory --------------------------------------------------------------------- */

bool text_grow(void *p, size_t *cap, size_t need, size_t size) {
  void **slot = p;
  if (need <= *cap) return true;
  size_t more = *cap < 16 ? 16 : *cap;
  while (more < need) {
    if (more > SIZE_MAX / 2 / size) return false;
    more *= 2;
  }
  void *q = realloc(*slot, more * size);
  if (!q) return false;
  *slot = q;
  *cap = more;
  return true;
}

/* ---- names ---------------------------------------------------------------------- */

static uint32_t hash_text(const char *s, size_t n) {
  uint32_t h = (uint32_t)n;
  for (size_t i = 0; i < n; i++) h = hash_mix(h, (unsigned char)s[i]);
  return h;
}

/* The slot of the name, or the free slot where it belongs. */
static text_name *find_slot(const text_names *t, const char *s, size_t n, uint32_t hash) {
  assert(t->used < t->cap);
  size_t at = hash & (t->cap - 1);
  for (; t->slot[at].s; at = (at + 1) & (t->cap - 1)) {
    text_name *e = &t->slot[at];
    if (e->hash == hash && e->n == n && memcmp(e->s, s, n) == 0) break;
  }
  return &t->slot[at];
}

const text_name *text_names_get(const text_names *t, const char *s, size_t n) {
  if (t->cap == 0) return NULL;
  const text_name *e = find_slot(t, s, n, hash_text(s, n));
  return e->s ? e : NULL;
}

static bool names_grow(text_names *t) {
  text_names more = {.cap = t->cap ? t->cap * 2 : 64, .used = t->used};
  more.slot = calloc(more.cap, sizeof *more.slot);
  if (!more.slot) return false;
  for (size_t i = 0; i < t->cap; i++) {
    const text_name *e = &t->slot[i];
    if (e->s) *find_slot(&more, e->s, e->n, e->hash) = *e;
  }
  free(t->slot);
  *t = more;
  return true;
}

bool text_names_put(text_names *t, const char *s, size_t n, up_node value) {
  if (n > UINT32_MAX || ((t->used + 1) * 4 > t->cap * 3 && !names_grow(t))) return false;
  uint32_t hash = hash_text(s, n);
  text_name *e = find_slot(t, s, n, hash);
  assert(!e->s);
  *e = (text_name){s, (uint32_t)n, hash, value};
  t->used++;
  return true;
}

void text_names_free(text_names *t) {
  free(t->slot);
  *t = (text_names){0};
}

/* ---- nodes ---------------------------------------------------------------------- */

up_node text_node(const text_in *in, size_t at, up_op op, up_dtype dt, const up_node *src,
                  uint32_t nsrc, up_arg arg) {
  up_error why = {0};
  if (!up_node_readable(in->c, op, dt, src, nsrc, arg, &why)) {
    text_fail(in, at, "%s", why.msg);
    return UP_NONE;
  }
  up_node n = up_new(in->c, op, dt, src, nsrc, arg);
  return text_ctx_ok(in, at) ? n : UP_NONE;
}
