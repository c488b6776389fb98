/* Tokens of infix text. */
#include "infix.h"
#include <string.h>

static bool is_blank(char ch) { return ch == ' ' || ch == '\t' || ch == '\r'; }

static size_t skip_space(const text_in *in, size_t at, bool newlines) {
  while (at < in->n) {
    char ch = in->text[at];
    if (ch == '#')
      while (at < in->n && in->text[at] != '\n') at++;
    else if (is_blank(ch) || (newlines && ch == '\n'))
      at++;
    else
      break;
  }
  return at;
}

/* Length of the number that begins here. A sign is a token of its own. */
static size_t number_length(const text_in *in, size_t at) {
  size_t start = at;
  while (text_is_word(text_char(in, at)) || text_char(in, at) == '.') {
    char ch = text_char(in, at), sign = text_char(in, at + 1);
    bool exponent = (ch == 'e' || ch == 'E') && (sign == '+' || sign == '-');
    at += exponent ? 2 : 1;
  }
  return at - start;
}

static size_t name_length(const text_in *in, size_t at) {
  size_t start = at;
  while (text_is_word(text_char(in, at))) at++;
  return at - start;
}

static size_t symbol_length(const text_in *in, size_t at) {
  static const char two[][3] = {"//", "<<", ">>", "<=", ">=", "==", "!="};
  for (size_t i = 0; i < sizeof two / sizeof *two; i++)
    if (text_char(in, at) == two[i][0] && text_char(in, at + 1) == two[i][1]) return 2;
  return text_char(in, at) && strchr("+-*%&|^<>,;:=()[]", text_char(in, at)) ? 1 : 0;
}

token infix_peek(const infix *p, bool skip_newlines) {
  const text_in *in = &p->in;
  size_t at = skip_space(in, p->at, skip_newlines);
  if (at >= in->n) return (token){T_END, in->n, 0};
  char ch = in->text[at];
  if (ch == '\n') return (token){T_NEWLINE, at, 1};
  if (ch == '"') return (token){T_STRING, at, 0};
  if (text_is_digit(ch)) return (token){T_NUMBER, at, number_length(in, at)};
  if (text_is_letter(ch)) return (token){T_NAME, at, name_length(in, at)};
  size_t n = symbol_length(in, at);
  return (token){n ? T_SYMBOL : T_BAD, at, n};
}

token infix_next(infix *p, bool skip_newlines) {
  token t = infix_peek(p, skip_newlines);
  p->at = t.at + t.n;
  return t;
}

bool infix_is(const infix *p, token t, const char *text) {
  return (t.kind == T_NAME || t.kind == T_SYMBOL) && text_word_is(p->in.text + t.at, t.n, text);
}

bool infix_accept(infix *p, const char *text, bool skip_newlines) {
  token t = infix_peek(p, skip_newlines);
  if (!infix_is(p, t, text)) return false;
  p->at = t.at + t.n;
  return true;
}

bool infix_unexpected(const infix *p, token t, const char *what) {
  const char *s = p->in.text + t.at;
  switch (t.kind) {
  case T_END: return text_fail(&p->in, t.at, "%s was expected, but the text ends", what);
  case T_NEWLINE: return text_fail(&p->in, t.at, "%s was expected, but the line ends", what);
  case T_STRING: return text_fail(&p->in, t.at, "%s was expected, not a string", what);
  case T_BAD:
    if (*s == '/') return text_fail(&p->in, t.at, "'/' is no operator here: write // for integers");
    if (*s == 0) return text_fail(&p->in, t.at, "NUL byte");
    return (unsigned char)*s < 0x80
               ? text_fail(&p->in, t.at, "unexpected character '%c'", *s)
               : text_fail(&p->in, t.at, "unexpected byte 0x%02x", (unsigned char)*s);
  default: return text_fail(&p->in, t.at, "%s was expected, not '%.*s'", what, text_quoted(t.n), s);
  }
}

bool infix_expect(infix *p, const char *text, bool skip_newlines) {
  if (infix_accept(p, text, skip_newlines)) return true;
  char what[32];
  snprintf(what, sizeof what, "'%s'", text);
  return infix_unexpected(p, infix_peek(p, skip_newlines), what);
}

bool infix_dtype(infix *p, up_dtype *out) {
  const text_in *in = &p->in;
  size_t at = skip_space(in, p->at, false), end = at;
  while (text_is_word(text_char(in, end)) || text_char(in, end) == '.') end++;
  if (text_char(in, end) == '(' && end - at > 4 && memcmp(in->text + end - 4, ".vec", 4) == 0) {
    /* as Python prints it: int.vec(4) */
    char name[48];
    size_t close = end + 1, n = end - at;
    while (text_is_digit(text_char(in, close))) close++;
    size_t digits = close - end - 1;
    if (text_char(in, close) != ')' || n + digits > sizeof name) return false;
    memcpy(name, in->text + at, n);
    memcpy(name + n, in->text + end + 1, digits);
    if (!up_dt_parse(name, n + digits, out)) return false;
    p->at = close + 1;
    return true;
  }
  if (end == at || !up_dt_parse(in->text + at, end - at, out)) return false;
  p->at = end;
  return true;
}

bool infix_is_reserved(const char *s, size_t n) {
  static const char *const words[] = {"in",    "if",      "else", "not",   "and", "or", "let",
                                      "range", "special", "True", "False", "inf", "nan"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (text_word_is(s, n, words[i])) return true;
  up_dtype d;
  return up_dt_parse(s, n, &d);
}
