/* Rule text -> tokens. A statement begins in column 1 and goes on over indented lines. */
#include "rulelex.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *text; /* how it is written; NULL: not fixed */
  const char *name;
} token_info[TK_COUNT] = {
    [TK_END] = {NULL, "the end of the statement"},
    [TK_EOF] = {NULL, "the end of the text"},
    [TK_BAD] = {NULL, "something else"},
    [TK_IDENT] = {NULL, "a name"},
    [TK_INT] = {NULL, "an integer"},
    [TK_FLOAT] = {NULL, "a float"},
    [TK_STRING] = {NULL, "a string"},
    [TK_ARROW] = {"->", "'->'"},
    [TK_COLON] = {":", "':'"},
    [TK_COMMA] = {",", "','"},
    [TK_LPAREN] = {"(", "'('"},
    [TK_RPAREN] = {")", "')'"},
    [TK_LBRACKET] = {"[", "'['"},
    [TK_RBRACKET] = {"]", "']'"},
    [TK_LBRACE] = {"{", "'{'"},
    [TK_RBRACE] = {"}", "'}'"},
    [TK_AT] = {"@", "'@'"},
    [TK_BANG] = {"!", "'!'"},
    [TK_ASSIGN] = {"=", "'='"},
    [TK_DOTS2] = {"..", "'..'"},
    [TK_DOTS3] = {"...", "'...'"},
    [TK_OR] = {NULL, "'or'"},
    [TK_AND] = {NULL, "'and'"},
    [TK_LT] = {"<", "'<'"},
    [TK_LE] = {"<=", "'<='"},
    [TK_GT] = {">", "'>'"},
    [TK_GE] = {">=", "'>='"},
    [TK_EQ] = {"==", "'=='"},
    [TK_NE] = {"!=", "'!='"},
    [TK_PIPE] = {"|", "'|'"},
    [TK_CARET] = {"^", "'^'"},
    [TK_AMP] = {"&", "'&'"},
    [TK_SHL] = {"<<", "'<<'"},
    [TK_SHR] = {">>", "'>>'"},
    [TK_PLUS] = {"+", "'+'"},
    [TK_MINUS] = {"-", "'-'"},
    [TK_STAR] = {"*", "'*'"},
    [TK_SLASH] = {"/", "'/'"},
    [TK_IDIV] = {"//", "'//'"},
    [TK_MOD] = {"%", "'%'"},
};

const char *rtok_name(rtok kind) {
  assert(kind < TK_COUNT);
  return token_info[kind].name;
}

bool token_is(const token *t, const char *word) {
  return t->kind == TK_IDENT && t->n == strlen(word) && memcmp(t->p, word, t->n) == 0;
}

void rulelex_init(lexer *l, const char *text, size_t n, up_error *err) {
  *l =
      (lexer){.text = text, .at = text, .end = text + n, .line_start = text, .line = 1, .err = err};
  l->end_given = true;
}

static bool is_word(char ch) { return isalnum((unsigned char)ch) != 0 || ch == '_'; }

/* To the first character that is neither blank nor comment. */
static void skip_blank(lexer *l) {
  while (l->at < l->end) {
    char ch = *l->at;
    if (ch == '#') {
      while (l->at < l->end && *l->at != '\n') l->at++;
    } else if (ch == '\n') {
      l->at++;
      l->line++;
      l->line_start = l->at;
    } else if (ch == ' ' || ch == '\t' || ch == '\r') {
      l->at++;
    } else {
      return;
    }
  }
}

static bool fail_here(lexer *l, const char *what) {
  l->tok.kind = TK_BAD;
  return up_fail(l->err, l->tok.line, l->tok.col, "%s", what);
}

static bool lex_string(lexer *l) {
  const char *from = ++l->at;
  while (l->at < l->end && *l->at != '"' && *l->at != '\n') l->at++;
  if (l->at == l->end || *l->at != '"') return fail_here(l, "string without its closing quote");
  l->tok.kind = TK_STRING;
  l->tok.p = from;
  l->tok.n = (uint32_t)(l->at - from);
  l->at++;
  return true;
}

/* Decimal or 0x integer of 64 bits, or digits '.' digits. */
static bool lex_number(lexer *l) {
  char buf[64];
  const char *from = l->at, *p = from;
  bool hex = l->end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'), is_float = false;
  if (hex) p += 2;
  while (p < l->end && is_word(*p)) p++;
  if (!hex && l->end - p > 1 && p[0] == '.' && isdigit((unsigned char)p[1])) {
    is_float = true;
    for (p++; p < l->end && is_word(*p); p++) continue;
  }
  size_t n = (size_t)(p - from);
  if (n >= sizeof buf) return fail_here(l, "number too long");
  memcpy(buf, from, n);
  buf[n] = 0;
  char *stop;
  errno = 0;
  l->tok.kind = is_float ? TK_FLOAT : TK_INT;
  if (is_float) {
    l->tok.fval = strtod(buf, &stop);
  } else {
    l->tok.ival = strtoll(buf, &stop, hex ? 16 : 10);
  }
  if (*stop != 0) return fail_here(l, "malformed number");
  if (errno == ERANGE) return fail_here(l, "number beyond 64 bits: compute it in [...]");
  l->at = p;
  l->tok.n = (uint32_t)n;
  return true;
}

static bool lex_word(lexer *l) {
  const char *from = l->at;
  while (l->at < l->end && is_word(*l->at)) l->at++;
  l->tok.kind = TK_IDENT;
  l->tok.n = (uint32_t)(l->at - from);
  if (token_is(&l->tok, "or")) l->tok.kind = TK_OR;
  if (token_is(&l->tok, "and")) l->tok.kind = TK_AND;
  return true;
}

/* The longest fixed token that stands here. */
static bool lex_fixed(lexer *l) {
  size_t best = 0;
  for (int k = 0; k < TK_COUNT; k++) {
    const char *s = token_info[k].text;
    size_t n = s ? strlen(s) : 0;
    if (n > best && (size_t)(l->end - l->at) >= n && memcmp(l->at, s, n) == 0) {
      best = n;
      l->tok.kind = (rtok)k;
    }
  }
  if (best == 0) return fail_here(l, "character that starts no token");
  l->at += best;
  l->tok.n = (uint32_t)best;
  return true;
}

bool rulelex_next(lexer *l) {
  skip_blank(l);
  l->tok = (token){.line = l->line, .col = (unsigned)(l->at - l->line_start) + 1, .p = l->at};
  if (l->at == l->end || l->tok.col == 1) {
    if (!l->end_given) {
      l->end_given = true;
      l->tok.kind = TK_END;
      return true;
    }
    if (l->at == l->end) {
      l->tok.kind = TK_EOF;
      return true;
    }
  }
  l->end_given = false;
  char ch = *l->at;
  if (ch == '"') return lex_string(l);
  if (isdigit((unsigned char)ch)) return lex_number(l);
  if (is_word(ch)) return lex_word(l);
  return lex_fixed(l);
}
