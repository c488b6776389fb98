/* Args as text: null, true, false, integers, floats as Python's repr has them, "strings" and
 * [lists]. The same words stand in `.uop` files and in the functional form of infix. */
#include "text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const text_style text_uop_style = {"null", "true", "false", "[", "]", false, false};

/* ---- printing ------------------------------------------------------------------- */

size_t text_utf8_length(const char *s) {
  const unsigned char *p = (const unsigned char *)s;
  size_t n = p[0] >= 0xf0 && p[0] < 0xf5   ? 4
             : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
             : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                                           : 0;
  for (size_t i = 1; i < n; i++)
    if ((p[i] & 0xc0u) != 0x80u) return 0;
  /* overlong forms, surrogates, beyond U+10FFFF */
  if (n == 3 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f))) return 0;
  if (n == 4 && ((p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))) return 0;
  return n;
}

void text_put_string(const char *s, up_buf *out) {
  up_buf_puts(out, "\"");
  while (*s) {
    unsigned char ch = (unsigned char)*s;
    size_t n = ch < 0x80 ? 1 : text_utf8_length(s);
    if (ch == '"' || ch == '\\')
      up_buf_printf(out, "\\%c", ch);
    else if (ch == '\n')
      up_buf_puts(out, "\\n");
    else if (n == 0 || ch < 32 || ch == 127)
      up_buf_printf(out, "\\x%02x", ch);
    else
      up_buf_put(out, s, n);
    s += n == 0 ? 1 : n;
  }
  up_buf_puts(out, "\"");
}

static void put_float(const up_ctx *c, double f, const text_style *style, up_buf *out) {
  if (style->python && !style->repr && !isfinite(f))
    up_buf_printf(out, "float(\"%s\")", isnan(f) ? "nan" : f < 0 ? "-inf" : "inf");
  else
    up_val_put(c, up_val_float(f), out);
}

static void put_atom(const up_ctx *c, up_arg a, const text_style *style, up_buf *out) {
  switch (up_arg_kind_of(c, a)) {
  case UP_A_NONE: up_buf_puts(out, style->none); break;
  case UP_A_BOOL:
    up_buf_puts(out, up_int_is(up_arg_val(c, a).i, 0) ? style->no : style->yes);
    break;
  case UP_A_FLOAT: put_float(c, up_arg_val(c, a).f, style, out); break;
  case UP_A_INT: up_int_put(c, up_arg_val(c, a).i, out); break;
  default: (style->repr ? text_put_repr : text_put_string)(up_arg_text(c, a), out);
  }
}

/* A list whose items are being written. */
typedef struct frame {
  up_arg list;
  uint32_t next;
} frame;

static void put_close(const up_ctx *c, up_arg list, const text_style *style, up_buf *out) {
  /* a tuple of one item needs its comma */
  if (style->python && up_arg_len(c, list) == 1) up_buf_puts(out, ",");
  up_buf_puts(out, style->close);
}

void text_put_arg(const up_ctx *c, up_arg a, const text_style *style, up_buf *out) {
  frame *stack = NULL;
  size_t n = 0, cap = 0;
  for (bool fresh = true;;) {
    if (fresh && up_arg_kind_of(c, a) == UP_A_LIST) {
      if (!text_grow(&stack, &cap, n + 1, sizeof *stack)) break;
      stack[n++] = (frame){a, 0};
      up_buf_puts(out, style->open);
    } else if (fresh) {
      put_atom(c, a, style, out);
    }
    if (n == 0) {
      free(stack);
      return;
    }
    frame *top = &stack[n - 1];
    fresh = top->next < up_arg_len(c, top->list);
    if (fresh) {
      if (top->next > 0) up_buf_puts(out, ", ");
      a = up_arg_at(c, top->list, top->next++);
    } else {
      put_close(c, top->list, style, out);
      n--;
    }
  }
  out->no_memory = true;
  free(stack);
}

/* ---- strings -------------------------------------------------------------------- */

static int hex_digit(char ch) {
  if (text_is_digit(ch)) return ch - '0';
  if (ch >= 'a' && ch <= 'f') return ch - 'a' + 10;
  return ch >= 'A' && ch <= 'F' ? ch - 'A' + 10 : -1;
}

/* The character after a backslash at *at, moved past it; -1: no such escape. */
static int unescape(const text_in *in, size_t *at) {
  char ch = text_char(in, *at);
  (*at)++;
  switch (ch) {
  case 'n': return '\n';
  case 't': return '\t';
  case 'r': return '\r';
  case '"':
  case '\\': return ch;
  case 'x': {
    int hi = hex_digit(text_char(in, *at)), lo = hex_digit(text_char(in, *at + 1));
    *at += 2;
    return hi < 0 || lo < 0 || hi + lo == 0 ? -1 : hi * 16 + lo;
  }
  default: return -1;
  }
}

bool text_get_string(const text_in *in, size_t *at, char **out, size_t *n) {
  assert(text_char(in, *at) == '"');
  size_t open = (*at)++, end = *at;
  while (end < in->n && in->text[end] != '"' && in->text[end] != '\n')
    end += in->text[end] == '\\' ? 2 : 1;
  if (end >= in->n || in->text[end] == '\n') return text_fail(in, open, "string without end");
  char *s = malloc(end - *at + 1);
  if (!s) return text_fail(in, open, "no memory");
  size_t len = 0;
  while (*at < end) {
    size_t here = (*at)++;
    int ch = (unsigned char)in->text[here];
    if (ch == '\\') ch = unescape(in, at);
    if (ch <= 0) {
      free(s);
      return text_fail(in, here, ch == 0 ? "NUL byte" : "unknown escape in a string");
    }
    s[len++] = (char)ch;
  }
  *at = end + 1;
  s[len] = 0;
  *out = s;
  *n = len;
  return true;
}

/* ---- numbers -------------------------------------------------------------------- */

#define MAX_FLOAT_TEXT 400u

/* Past digits, at most one dot and an exponent; *is_float tells that one of them was there. */
static size_t number_end(const text_in *in, size_t at, bool *is_float) {
  *is_float = false;
  while (text_is_digit(text_char(in, at))) at++;
  if (text_char(in, at) == '.') {
    *is_float = true;
    at++;
    while (text_is_digit(text_char(in, at))) at++;
  }
  if (text_char(in, at) == 'e' || text_char(in, at) == 'E') {
    size_t digits = at + 1;
    if (text_char(in, digits) == '+' || text_char(in, digits) == '-') digits++;
    if (!text_is_digit(text_char(in, digits))) return at;
    *is_float = true;
    at = digits;
    while (text_is_digit(text_char(in, at))) at++;
  }
  return at;
}

static bool get_float(const text_in *in, size_t start, size_t end, up_arg *out) {
  char copy[MAX_FLOAT_TEXT + 1];
  if (end - start > MAX_FLOAT_TEXT) return text_fail(in, start, "float of too many digits");
  memcpy(copy, in->text + start, end - start);
  copy[end - start] = 0;
  char *stop;
  double f = strtod(copy, &stop);
  if (*stop) return text_fail(in, start, "bad number");
  if (isinf(f)) return text_fail(in, start, "float out of range (write inf for infinity)");
  *out = up_arg_float(in->c, f);
  return text_ctx_ok(in, start);
}

static bool get_int(const text_in *in, size_t start, size_t end, up_arg *out) {
  up_int v;
  if (!up_int_parse(in->c, in->text + start, end - start, &v))
    return text_fail(in, start, "integer of more than %u bits", UP_MAX_BITS);
  *out = up_arg_int(in->c, v);
  return text_ctx_ok(in, start);
}

static bool word_at(const text_in *in, size_t at, const char *word) {
  size_t n = strlen(word);
  return in->n - at >= n && memcmp(in->text + at, word, n) == 0 &&
         !text_is_word(text_char(in, at + n));
}

bool text_get_number(const text_in *in, size_t *at, up_arg *out) {
  size_t start = *at, first = start;
  bool minus = text_char(in, first) == '-', is_float;
  if (minus) first++;
  if (first < in->n && word_at(in, first, "inf")) {
    *at = first + 3;
    *out = up_arg_float(in->c, minus ? -(double)INFINITY : (double)INFINITY);
    return text_ctx_ok(in, start);
  }
  if (!minus && first < in->n && word_at(in, first, "nan")) {
    *at = first + 3;
    *out = up_arg_float(in->c, (double)NAN);
    return text_ctx_ok(in, start);
  }
  if (!text_is_digit(text_char(in, first))) return text_fail(in, start, "a number was expected");
  size_t end = number_end(in, first, &is_float);
  if (text_is_word(text_char(in, end))) return text_fail(in, end, "a letter follows a number");
  *at = end;
  return is_float ? get_float(in, start, end, out) : get_int(in, start, end, out);
}

/* ---- reading args --------------------------------------------------------------- */

static bool get_atom(const text_in *in, size_t *at, up_arg *out) {
  const size_t start = *at;
  if (start >= in->n) return text_fail(in, start, "the text ends where an arg was expected");
  if (in->text[start] == '"') {
    char *s;
    size_t n;
    if (!text_get_string(in, at, &s, &n)) return false;
    *out = up_arg_str(in->c, s, n);
    free(s);
    return text_ctx_ok(in, start);
  }
  if (word_at(in, start, "null")) {
    *at += 4;
    *out = up_arg_none();
    return true;
  }
  bool yes = word_at(in, start, "true");
  if (yes || word_at(in, start, "false")) {
    *at += yes ? 4 : 5;
    *out = up_arg_bool(in->c, yes);
    return text_ctx_ok(in, start);
  }
  if (in->text[start] == '-' || text_is_word(in->text[start])) return text_get_number(in, at, out);
  return text_fail(in, start, "an arg was expected");
}

/* Items of all open lists, one after the other; where each open list's begin. */
typedef struct items {
  up_arg *p;
  size_t n, cap;
  size_t start[UP_MAX_ARG_DEPTH];
  unsigned depth;
} items;

static void skip_blanks(const text_in *in, size_t *at) {
  while (text_char(in, *at) == ' ' || text_char(in, *at) == '\t') (*at)++;
}

static bool add_item(const text_in *in, size_t at, items *k, up_arg a) {
  if (!text_grow(&k->p, &k->cap, k->n + 1, sizeof *k->p)) return text_fail(in, at, "no memory");
  k->p[k->n++] = a;
  return true;
}

static bool open_list(const text_in *in, size_t *at, items *k) {
  if (k->depth == UP_MAX_ARG_DEPTH)
    return text_fail(in, *at, "lists are nested more than %u deep", UP_MAX_ARG_DEPTH);
  k->start[k->depth++] = k->n;
  (*at)++;
  skip_blanks(in, at);
  return true;
}

/* Makes the innermost list an item of the one around it, or the item 0 of none. */
static bool close_list(const text_in *in, size_t *at, items *k) {
  size_t first = k->start[--k->depth], n = k->n - first;
  if (n > UINT32_MAX) return text_fail(in, *at, "list too long");
  up_arg a = up_arg_list(in->c, n ? k->p + first : NULL, (uint32_t)n);
  k->n = first;
  (*at)++;
  return text_ctx_ok(in, *at - 1) && add_item(in, *at, k, a);
}

static bool get_items(const text_in *in, size_t *at, items *k) {
  do {
    char ch = text_char(in, *at);
    if (ch == '[') {
      if (!open_list(in, at, k)) return false;
      if (text_char(in, *at) != ']') continue;
      if (!close_list(in, at, k)) return false;
    } else {
      up_arg a;
      if (!get_atom(in, at, &a) || !add_item(in, *at, k, a)) return false;
    }
    skip_blanks(in, at);
    while (k->depth > 0 && text_char(in, *at) == ']') {
      if (!close_list(in, at, k)) return false;
      skip_blanks(in, at);
    }
    if (k->depth == 0) return true;
    if (text_char(in, *at) != ',') return text_fail(in, *at, "',' or ']' was expected");
    (*at)++;
    skip_blanks(in, at);
  } while (true);
}

bool text_get_arg(const text_in *in, size_t *at, up_arg *out) {
  items k = {0};
  bool ok = get_items(in, at, &k);
  if (ok) {
    assert(k.n == 1);
    *out = k.p[0];
  }
  free(k.p);
  return ok;
}
