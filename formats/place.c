/* The column of a value in the text of a JSON row. The JSON library keeps no positions, and the
 * column is needed for an error only: so the text, valid by then, is walked again. */
#include "internal.h"
#include <assert.h>
#include <string.h>

typedef struct walk {
  const char *s;
  size_t n, at;
} walk;

static char peek(const walk *w) { return w->at < w->n ? w->s[w->at] : (char)0; }

static void skip_blanks(walk *w) {
  while (peek(w) == ' ' || peek(w) == '\t' || peek(w) == '\r' || peek(w) == '\n') w->at++;
}

static void skip_string(walk *w) {
  assert(peek(w) == '"');
  for (w->at++; w->at < w->n && w->s[w->at] != '"'; w->at++)
    if (w->s[w->at] == '\\') w->at++;
  w->at++;
}

static bool ends_scalar(char ch) {
  return ch == 0 || ch == ',' || ch == ']' || ch == '}' || ch == ':' || ch == ' ' || ch == '\t' ||
         ch == '\r' || ch == '\n';
}

/* Past one value, however deep. */
static void skip_value(walk *w) {
  size_t depth = 0;
  do {
    skip_blanks(w);
    char ch = peek(w);
    if (ch == '"') {
      skip_string(w);
    } else if (ch == '[' || ch == '{') {
      depth++;
      w->at++;
    } else if (ch == ']' || ch == '}') {
      depth--;
      w->at++;
    } else if (ch == ',' || ch == ':') {
      w->at++;
    } else {
      while (!ends_scalar(peek(w))) w->at++;
    }
  } while (depth > 0 && w->at < w->n);
}

/* From the row's `{` to the value of a key. */
static bool enter_field(walk *w, const char *field) {
  size_t len = strlen(field);
  skip_blanks(w);
  if (peek(w) != '{') return false;
  w->at++;
  while (w->at < w->n) {
    skip_blanks(w);
    if (peek(w) != '"') return false;
    size_t key = w->at + 1;
    skip_string(w);
    bool found = w->at - 1 - key == len && memcmp(w->s + key, field, len) == 0;
    skip_blanks(w);
    w->at++; /* the colon */
    skip_blanks(w);
    if (found) return true;
    skip_value(w);
    skip_blanks(w);
    w->at++; /* the comma */
  }
  return false;
}

/* From an array's `[` to its i-th value. */
static bool enter_index(walk *w, uint32_t i) {
  if (peek(w) != '[') return false;
  w->at++;
  skip_blanks(w);
  for (uint32_t k = 0; k < i; k++) {
    skip_value(w);
    skip_blanks(w);
    if (peek(w) != ',') return false;
    w->at++;
    skip_blanks(w);
  }
  return peek(w) != ']';
}

unsigned fm_place_column(const char *row, size_t n, const fm_place *place) {
  walk w = {row, n, 0};
  if (!place->field || !enter_field(&w, place->field)) return 1;
  for (unsigned d = 0; d < place->depth; d++) {
    size_t before = w.at;
    if (enter_index(&w, place->index[d])) continue;
    w.at = before; /* the value that has no such element */
    break;
  }
  unsigned col = 1;
  for (size_t i = 0; i < w.at && i < n; i++)
    if (((unsigned char)row[i] & 0xc0u) != 0x80u) col++;
  return col;
}
