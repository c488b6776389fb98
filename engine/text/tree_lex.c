/* Words of tinygrad's printed tree: ops, dtypes and the values of args, which are Python
 * expressions. What has a counterpart (None, bools, numbers, strings, tuples, ops) becomes an arg
 * of that kind; any other expression is kept as the string of its text, if its brackets balance. */
#include "tree.h"
#include <stdlib.h>
#include <string.h>

/* ---- small things --------------------------------------------------------------- */

static bool is_blank(char ch) { return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n'; }

void tree_skip(const text_in *in, size_t *at) {
  while (is_blank(text_char(in, *at))) (*at)++;
}

size_t tree_word(const text_in *in, size_t at) {
  size_t n = 0;
  if (!text_is_letter(text_char(in, at))) return 0;
  while (text_is_word(text_char(in, at + n))) n++;
  return n;
}

static bool literal_at(const text_in *in, size_t at, const char *s) {
  size_t n = strlen(s);
  return at <= in->n && in->n - at >= n && memcmp(in->text + at, s, n) == 0;
}

static bool word_at(const text_in *in, size_t at, const char *word) {
  return literal_at(in, at, word) && !text_is_word(text_char(in, at + strlen(word)));
}

/* ---- expressions that are skipped ------------------------------------------------ */

/* At a quote: past the string. */
static bool skip_string(const text_in *in, size_t *at) {
  size_t open = *at;
  char quote = in->text[open];
  for ((*at)++; *at < in->n && in->text[*at] != quote; (*at)++) {
    if (in->text[*at] == '\\') (*at)++;
    if (text_char(in, *at) == '\n') return text_fail(in, open, "string without end");
    if (*at < in->n && in->text[*at] == 0) return text_fail(in, *at, "NUL byte");
  }
  if (*at >= in->n) return text_fail(in, open, "string without end");
  (*at)++;
  return true;
}

static char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

/* The brackets that are open inside of an expression. */
typedef struct brackets {
  size_t *at;
  size_t n, cap;
  unsigned angles; /* of a repr such as <Ops.ADD: 62>, counted outside of all brackets */
} brackets;

typedef enum skip { SKIP_MORE, SKIP_END, SKIP_FAIL } skip;

static skip skip_bracket(const text_in *in, size_t at, brackets *b) {
  char ch = in->text[at];
  if (strchr("([{", ch)) {
    if (!text_grow(&b->at, &b->cap, b->n + 1, sizeof *b->at))
      return text_fail(in, at, "no memory"), SKIP_FAIL;
    b->at[b->n++] = at;
    return SKIP_MORE;
  }
  if (b->n == 0) return SKIP_END;
  if (ch == closing(in->text[b->at[b->n - 1]])) {
    b->n--;
    return SKIP_MORE;
  }
  text_fail(in, at, "'%c' does not close the '%c' before it", ch, in->text[b->at[b->n - 1]]);
  return SKIP_FAIL;
}

/* One character or string; END: the expression ends before it. */
static skip skip_one(const text_in *in, size_t *at, brackets *b) {
  char ch = in->text[*at];
  if (ch == 0) return text_fail(in, *at, "NUL byte"), SKIP_FAIL;
  if (ch == '\'' || ch == '"') return skip_string(in, at) ? SKIP_MORE : SKIP_FAIL;
  if (strchr("()[]{}", ch)) {
    skip s = skip_bracket(in, *at, b);
    if (s == SKIP_MORE) (*at)++;
    return s;
  }
  if (b->n == 0 && b->angles == 0 && ch == ',') return SKIP_END;
  if (b->n == 0 && ch == '<') b->angles++;
  if (b->n == 0 && ch == '>' && b->angles > 0) b->angles--;
  (*at)++;
  return SKIP_MORE;
}

bool tree_skip_value(const text_in *in, size_t *at) {
  brackets b = {0};
  size_t start = *at;
  skip s = SKIP_MORE;
  while (s == SKIP_MORE && *at < in->n) s = skip_one(in, at, &b);
  if (s == SKIP_MORE && b.n > 0)
    text_fail(in, b.at[b.n - 1], "'%c' is not closed", in->text[b.at[b.n - 1]]);
  else if (s == SKIP_MORE)
    text_fail(in, start, "the text ends inside of an arg");
  free(b.at);
  if (s != SKIP_END) return false;
  return *at > start || text_fail(in, start, "an arg was expected");
}

/* Keeps the text of the expression. */
static bool get_opaque(const text_in *in, size_t *at, up_arg *out) {
  size_t start = *at;
  if (!tree_skip_value(in, at)) return false;
  size_t end = *at;
  while (end > start && is_blank(in->text[end - 1])) end--;
  if (end - start >= UINT32_MAX) return text_fail(in, start, "arg too long");
  *out = up_arg_str(in->c, in->text + start, end - start);
  return text_ctx_ok(in, start);
}

/* ---- strings -------------------------------------------------------------------- */

static void put_utf8(uint32_t v, up_buf *out) {
  char s[4];
  size_t n = v < 0x80 ? 1 : v < 0x800 ? 2 : v < 0x10000 ? 3 : 4;
  static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = n - 1; i > 0; i--, v >>= 6) s[i] = (char)(0x80u | (v & 0x3fu));
  s[0] = (char)(lead[n] | v);
  up_buf_put(out, s, n);
}

/* `count` hexadecimal digits. */
static bool get_hex(const text_in *in, size_t *at, unsigned count, uint32_t *out) {
  *out = 0;
  for (unsigned i = 0; i < count; i++, (*at)++) {
    char ch = text_char(in, *at);
    unsigned d = text_is_digit(ch)        ? (unsigned)(ch - '0')
                 : ch >= 'a' && ch <= 'f' ? (unsigned)(ch - 'a') + 10
                 : ch >= 'A' && ch <= 'F' ? (unsigned)(ch - 'A') + 10
                                          : 16;
    if (d == 16) return false;
    *out = *out * 16 + d;
  }
  return true;
}

/* What the escape behind a backslash at *at stands for. Python writes a byte of no known encoding
 * as a lone surrogate of U+DC80 to U+DCFF: it is that byte again. */
static bool get_escape(const text_in *in, size_t *at, up_buf *out) {
  static const char plain[] = "nrtabfv\\'\"", value[] = "\n\r\t\a\b\f\v\\'\"";
  char ch = text_char(in, (*at)++);
  const char *p = ch ? strchr(plain, ch) : NULL;
  if (p) {
    up_buf_put(out, &value[p - plain], 1);
    return true;
  }
  uint32_t v;
  unsigned digits = ch == 'x' ? 2 : ch == 'u' ? 4 : ch == 'U' ? 8 : 0;
  if (digits == 0 || !get_hex(in, at, digits, &v) || v == 0 || v > 0x10ffff) return false;
  if (v >= 0xdc80 && v <= 0xdcff) {
    char byte = (char)(v & 0xffu);
    up_buf_put(out, &byte, 1);
    return true;
  }
  if (v >= 0xd800 && v <= 0xdfff) return false;
  put_utf8(v, out);
  return true;
}

static bool get_string(const text_in *in, size_t *at, up_arg *out) {
  size_t open = *at, end = open;
  if (!skip_string(in, &end)) return false;
  up_buf b = {0};
  bool ok = true;
  for ((*at)++; ok && *at < end - 1;) {
    size_t here = (*at)++;
    if (in->text[here] != '\\')
      up_buf_put(&b, in->text + here, 1);
    else if (!get_escape(in, at, &b) || *at > end - 1)
      ok = text_fail(in, here, "unknown escape in a string");
  }
  if (ok && (b.no_memory || b.len >= UINT32_MAX)) ok = text_fail(in, open, "no memory");
  if (ok) *out = up_arg_str(in->c, b.p ? b.p : "", b.len);
  up_buf_free(&b);
  *at = end;
  return ok && text_ctx_ok(in, open);
}

/* ---- values --------------------------------------------------------------------- */

/* Does the value that ended here end the item, too? */
static bool at_item_end(const text_in *in, size_t at) {
  tree_skip(in, &at);
  char ch = text_char(in, at);
  return ch == ',' || ch == ')' || ch == ']';
}

static bool starts_number(const text_in *in, size_t at) {
  if (text_char(in, at) == '-') at++;
  return text_is_digit(text_char(in, at)) || word_at(in, at, "inf") || word_at(in, at, "nan");
}

/* `Ops.ADD`, `<Ops.ADD: 62>`. False: neither; *at is where it was. */
static bool get_op_value(const text_in *in, size_t *at, up_op *op) {
  bool angle = text_char(in, *at) == '<';
  size_t p = *at + angle;
  if (!literal_at(in, p, "Ops.")) return false;
  p += 4;
  size_t n = tree_word(in, p);
  if (!up_op_parse(in->text + p, n, op)) return false;
  p += n;
  if (angle) {
    if (text_char(in, p) == ':') p++;
    while (text_char(in, p) == ' ' || text_is_digit(text_char(in, p))) p++;
    if (text_char(in, p) != '>') return false;
    p++;
  }
  *at = p;
  return true;
}

/* A value with a counterpart. False: there is none, and *failed tells that it is an error. */
static bool get_known(const text_in *in, size_t *at, up_arg *out, bool *failed) {
  char ch = text_char(in, *at);
  up_op op;
  if (ch == '\'' || ch == '"') {
    *failed = !get_string(in, at, out);
  } else if (word_at(in, *at, "None")) {
    *at += 4, *out = up_arg_none();
  } else if (word_at(in, *at, "True") || word_at(in, *at, "False")) {
    *out = up_arg_bool(in->c, ch == 'T');
    *at += ch == 'T' ? 4 : 5;
  } else if (starts_number(in, *at)) {
    *failed = !text_get_number(in, at, out);
  } else if (get_op_value(in, at, &op)) {
    *out = up_arg_str(in->c, up_op_name(op), strlen(up_op_name(op)));
  } else {
    return false;
  }
  return !*failed;
}

static bool get_atom(const text_in *in, size_t *at, up_arg *out) {
  size_t start = *at;
  bool failed = false;
  if (start >= in->n) return text_fail(in, start, "the text ends where an arg was expected");
  if (get_known(in, at, out, &failed) && at_item_end(in, *at)) return text_ctx_ok(in, start);
  if (failed) return false;
  *at = start;
  return get_opaque(in, at, out);
}

/* Items of all open tuples, one after the other; where each one's begin, and its bracket. */
typedef struct items {
  up_arg *p;
  size_t n, cap;
  size_t start[UP_MAX_ARG_DEPTH], open[UP_MAX_ARG_DEPTH];
  unsigned depth;
  bool comma; /* the last thing read was a comma */
} items;

static bool add_item(const text_in *in, size_t at, items *k, up_arg a) {
  if (!text_grow(&k->p, &k->cap, k->n + 1, sizeof *k->p)) return text_fail(in, at, "no memory");
  k->p[k->n++] = a;
  return true;
}

static bool open_tuple(const text_in *in, size_t *at, items *k) {
  if (k->depth == UP_MAX_ARG_DEPTH)
    return text_fail(in, *at, "tuples are nested more than %u deep", UP_MAX_ARG_DEPTH);
  k->open[k->depth] = (*at)++;
  k->start[k->depth++] = k->n;
  k->comma = false;
  return true;
}

/* The innermost tuple becomes an item of the one around it. (x) is x itself. */
static bool close_tuple(const text_in *in, size_t *at, items *k) {
  size_t here = (*at)++, open = k->open[--k->depth], first = k->start[k->depth], n = k->n - first;
  if (in->text[here] != closing(in->text[open]))
    return text_fail(in, here, "'%c' does not close the '%c' before it", in->text[here],
                     in->text[open]);
  bool plain = n == 1 && in->text[open] == '(' && !k->comma;
  k->comma = false;
  if (plain) return true;
  if (n > UINT32_MAX) return text_fail(in, here, "tuple too long");
  up_arg a = up_arg_list(in->c, n ? k->p + first : NULL, (uint32_t)n);
  k->n = first;
  return text_ctx_ok(in, here) && add_item(in, here, k, a);
}

/* Closing brackets behind an item, then a comma or, outside of all tuples, the end. */
static bool end_item(const text_in *in, size_t *at, items *k) {
  tree_skip(in, at);
  for (;;) {
    char ch = text_char(in, *at);
    if (k->depth == 0) return true;
    if (ch == ',') {
      (*at)++;
      k->comma = true;
      tree_skip(in, at);
      ch = text_char(in, *at);
      if (ch != ')' && ch != ']') return true;
    }
    if (*at >= in->n)
      return text_fail(in, k->open[k->depth - 1], "'%c' is not closed",
                       in->text[k->open[k->depth - 1]]);
    if (ch != ')' && ch != ']') return text_fail(in, *at, "',' or ')' was expected");
    if (!close_tuple(in, at, k)) return false;
    tree_skip(in, at);
  }
}

static bool get_items(const text_in *in, size_t *at, items *k) {
  do {
    tree_skip(in, at);
    char ch = text_char(in, *at);
    if (ch == '(' || ch == '[') {
      if (!open_tuple(in, at, k)) return false;
      tree_skip(in, at);
      ch = text_char(in, *at);
      if (ch != ')' && ch != ']') continue;
      if (!close_tuple(in, at, k)) return false;
    } else {
      up_arg a = up_arg_none();
      if (!get_atom(in, at, &a) || !add_item(in, *at, k, a)) return false;
      k->comma = false;
    }
    if (!end_item(in, at, k)) return false;
  } while (k->depth > 0);
  return true;
}

bool tree_get_value(const text_in *in, size_t *at, up_arg *out) {
  items k = {0};
  size_t start = *at;
  bool ok = get_items(in, at, &k);
  if (ok && at_item_end(in, *at)) {
    assert(k.n == 1);
    *out = k.p[0];
  } else if (ok) { /* an expression that only begins with a tuple */
    *at = start;
    ok = get_opaque(in, at, out);
  }
  free(k.p);
  return ok;
}

/* ---- ops and dtypes ------------------------------------------------------------- */

bool tree_get_op(const text_in *in, size_t *at, up_op *out) {
  size_t start = *at, n = tree_word(in, start);
  if (!text_word_is(in->text + start, n, "Ops") || text_char(in, start + n) != '.')
    return text_fail(in, start, "an op (Ops.NAME) was expected");
  size_t name = start + n + 1, len = tree_word(in, name);
  if (!up_op_parse(in->text + name, len, out) && !tree_later_op(in->text + name, len, out))
    return text_fail(in, name, "unknown op '%.*s'", text_quoted(len), in->text + name);
  *at = name + len;
  return true;
}

/* .vec(N) behind a dtype. A vector of pointers to vectors has one count here, the product: pointers
 * are carried, not judged. */
static bool get_vec(const text_in *in, size_t *at, up_dtype *d) {
  size_t start = *at;
  unsigned n = 0;
  for (; text_is_digit(text_char(in, *at)) && n <= 2048; (*at)++)
    n = n * 10 + (unsigned)(in->text[*at] - '0');
  unsigned count = n <= 2048 ? n * up_dt_count(*d) : 0;
  bool nested = up_dt_count(*d) > 1 && !up_dt_is_ptr(*d);
  if (count < 1 || count > 2048 || nested || text_char(in, *at) != ')')
    return text_fail(in, start, "a vector has 1 to 2048 elements");
  *d = up_dt_vec(*d, count);
  (*at)++;
  return true;
}

/* What stands in the brackets of .ptr(...) and imagef(...): sizes and places, which are not kept.
 */
static bool skip_details(const text_in *in, size_t *at) {
  size_t open = *at - 1;
  for (;;) {
    tree_skip(in, at);
    if (text_char(in, *at) == ')') break;
    if (*at >= in->n) return text_fail(in, open, "'(' is not closed");
    if (!tree_skip_value(in, at)) return false;
    if (text_char(in, *at) == ',')
      (*at)++;
    else if (text_char(in, *at) != ')')
      return text_fail(in, *at, "',' or ')' was expected");
  }
  (*at)++;
  return true;
}

static bool get_suffixes(const text_in *in, size_t *at, up_dtype *d) {
  for (;;) {
    size_t start = *at;
    if (literal_at(in, start, ".vec(")) {
      *at += 5;
      if (!get_vec(in, at, d)) return false;
    } else if (literal_at(in, start, ".ptr(")) {
      if (up_dt_is_ptr(*d)) return text_fail(in, start, "a pointer to a pointer");
      *at += 5;
      *d = up_dt_ptr(*d);
      if (!skip_details(in, at)) return false;
    } else {
      return text_char(in, start) != '.' || text_fail(in, start, "unknown part of a dtype");
    }
  }
}

bool tree_get_dtype(const text_in *in, size_t *at, up_dtype *out, bool *weak) {
  size_t start = *at, n = tree_word(in, start);
  if (!text_word_is(in->text + start, n, "dtypes") || text_char(in, start + n) != '.')
    return text_fail(in, start, "a dtype (dtypes.NAME) was expected");
  size_t name = start + n + 1, len = tree_word(in, name);
  *at = name + len;
  if (text_word_is(in->text + name, len, "imagef") ||
      text_word_is(in->text + name, len, "imageh")) {
    if (text_char(in, *at) != '(') return text_fail(in, *at, "'(' was expected");
    (*at)++;
    *out = up_dt_ptr(up_dt(UP_FLOAT));
    if (!skip_details(in, at)) return false;
  } else if (text_word_is(in->text + name, len, "weakint") ||
             text_word_is(in->text + name, len, "weakfloat")) {
    *out = up_dt(in->text[name + 4] == 'i' ? UP_INT : UP_FLOAT);
    *weak = true;
  } else if (!up_dt_parse(in->text + name, len, out)) {
    return text_fail(in, name, "unknown dtype '%.*s'", text_quoted(len), in->text + name);
  }
  return get_suffixes(in, at, out);
}

/* ---- around trees --------------------------------------------------------------- */

static size_t line_end(const char *text, size_t n, size_t at) {
  const char *nl = memchr(text + at, '\n', n - at);
  return nl ? (size_t)(nl - text) : n;
}

static bool begins(const char *text, size_t n, size_t at, const char *s) {
  size_t k = strlen(s);
  return n - at >= k && memcmp(text + at, s, k) == 0;
}

size_t tree_skip_around(const char *text, size_t n, size_t at) {
  for (;;) {
    while (at < n && is_blank(text[at])) at++;
    if (at == n) return at;
    if (begins(text, n, at, ">>>")) {
      size_t rest = at + 3;
      while (rest < n && (text[rest] == ' ' || text[rest] == '\t')) rest++;
      if (begins(text, n, rest, "UOp(")) return rest;
      at = line_end(text, n, at);
    } else if (begins(text, n, at, "```")) {
      at = line_end(text, n, at);
    } else {
      return at;
    }
  }
}
