/* What the text readers and printers share. Only engine/text/ files include this. */
#ifndef UPROOF_TEXT_H
#define UPROOF_TEXT_H

#include "../internal.h"

/* A text being read. Positions are byte offsets; line and column are counted only for an error. */
typedef struct text_in {
  up_ctx *c;
  const char *text;
  size_t n;
  up_error *err;
} text_in;

/* Always false. Column counts UTF-8 characters, from 1. */
bool text_fail(const text_in *in, size_t at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Fails with the context's status when that is not UP_OK. */
bool text_ctx_ok(const text_in *in, size_t at);

/* The character at a position; 0 past the end. A NUL byte of the text is
 * 0 too, which no reader takes for the end: each compares `at` with n. */
static inline char text_char(const text_in *in, size_t at) {
  return at < in->n ? in->text[at] : (char)0;
}
static inline bool text_is_digit(char ch) { return ch >= '0' && ch <= '9'; }
static inline bool text_is_letter(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
}
static inline bool text_is_word(char ch) { return text_is_letter(ch) || text_is_digit(ch); }
/* Inline and without strlen: most comparisons end at the first character. */
static inline bool text_word_is(const char *s, size_t n, const char *word) {
  for (size_t i = 0; i < n; i++)
    if (word[i] == 0 || word[i] != s[i]) return false;
  return word[n] == 0;
}

/* How many bytes of a piece of input an error message quotes. */
int text_quoted(size_t n);

/* Makes *p hold at least `need` items of `size` bytes. False: no memory. */
bool text_grow(void *p, size_t *cap, size_t need, size_t size);

/* ---- names -> nodes. Keys are not copied: they point into the text. ------------- */

typedef struct text_name {
  const char *s;
  uint32_t n, hash;
  up_node node;
} text_name;
typedef struct text_names {
  text_name *slot; /* open addressing; s == NULL is free */
  size_t cap, used;
} text_names;
/* The entry, or NULL. */
const text_name *text_names_get(const text_names *t, const char *s, size_t n);
/* The name must be new. False: no memory. */
bool text_names_put(text_names *t, const char *s, size_t n, up_node node);
void text_names_free(text_names *t);

/* ---- args ----------------------------------------------------------------------- */

/* The words in which an arg is written. */
typedef struct text_style {
  const char *none, *yes, *no, *open, *close;
  bool python; /* one-element tuples and floats as Python source */
  bool repr;   /* strings and floats as Python's repr has them */
} text_style;
extern const text_style text_uop_style;
void text_put_arg(const up_ctx *c, up_arg a, const text_style *style, up_buf *out);
void text_put_string(const char *s, up_buf *out); /* quoted */
void text_put_repr(const char *s, up_buf *out);   /* quoted as by Python's repr */
/* Length of the UTF-8 sequence that begins at s (zero-terminated), 0 when it is not one. */
size_t text_utf8_length(const char *s);

/* Reads one arg at *at and moves *at past it. */
bool text_get_arg(const text_in *in, size_t *at, up_arg *out);
/* A quoted string; the copy is the caller's to free. */
bool text_get_string(const text_in *in, size_t *at, char **out, size_t *n);
/* An integer or a float without sign, or after `-`. */
bool text_get_number(const text_in *in, size_t *at, up_arg *out);

/* ---- nodes ---------------------------------------------------------------------- */

/* The node, when up_node_readable lets it in; else UP_NONE and an error at `at`. */
up_node text_node(const text_in *in, size_t at, up_op op, up_dtype dt, const up_node *src,
                  uint32_t nsrc, up_arg arg);

#endif
