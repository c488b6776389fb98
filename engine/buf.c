/* Growable text buffers. No context is involved: a failing allocation is remembered in the buffer.
 */
#include "uop.h"
#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Room for n more characters and the terminating zero. */
static bool reserve(up_buf *b, size_t n) {
  if (b->no_memory || n > SIZE_MAX / 4 - b->len) {
    b->no_memory = true;
    return false;
  }
  size_t need = b->len + n + 1;
  if (need <= b->cap) return true;
  size_t cap = b->cap < 64 ? 64 : b->cap;
  while (cap < need) cap *= 2;
  char *p = realloc(b->p, cap);
  if (!p) {
    b->no_memory = true;
    return false;
  }
  b->p = p;
  b->cap = cap;
  return true;
}

/* Is there room for n more characters under the limit? After one refusal nothing more is taken, so
 * that a text is never missing a piece in its middle. */
static bool within_limit(up_buf *b, size_t n) {
  if (b->overflow) return false;
  assert(b->limit == 0 || b->len <= b->limit);
  if (b->limit != 0 && n > b->limit - b->len) b->overflow = true;
  return !b->overflow;
}

void up_buf_put(up_buf *b, const char *s, size_t n) {
  assert(b && (s || n == 0));
  if (!within_limit(b, n) || !reserve(b, n)) return;
  if (n != 0) memcpy(b->p + b->len, s, n);
  b->len += n;
  b->p[b->len] = 0;
}

void up_buf_puts(up_buf *b, const char *s) { up_buf_put(b, s, strlen(s)); }

void up_buf_printf(up_buf *b, const char *fmt, ...) {
  char small[128];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(small, sizeof small, fmt, ap);
  va_end(ap);
  assert(n >= 0);
  if (n < 0) return;
  size_t len = (size_t)n;
  if (len < sizeof small) {
    up_buf_put(b, small, len);
    return;
  }
  if (!within_limit(b, len) || !reserve(b, len)) return;
  va_start(ap, fmt);
  vsnprintf(b->p + b->len, len + 1, fmt, ap);
  va_end(ap);
  b->len += len;
}

void up_buf_free(up_buf *b) {
  free(b->p);
  *b = (up_buf){0};
}
