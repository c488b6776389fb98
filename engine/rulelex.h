/* Tokens of the rule language (grammar: rules/README.md). */
#ifndef UPROOF_RULELEX_H
#define UPROOF_RULELEX_H

#include "uop.h"

typedef enum rtok {
  TK_END, /* end of a statement: the next token starts in column 1 */
  TK_EOF,
  TK_BAD, /* not a token: the error has been filled in */
  TK_IDENT,
  TK_INT,
  TK_FLOAT,
  TK_STRING,
  TK_ARROW,
  TK_COLON,
  TK_COMMA,
  TK_LPAREN,
  TK_RPAREN,
  TK_LBRACKET,
  TK_RBRACKET,
  TK_LBRACE,
  TK_RBRACE,
  TK_AT,
  TK_BANG,
  TK_ASSIGN,
  TK_DOTS2,
  TK_DOTS3,
  /* operators; the order is the order of operator_info in rulefile.c */
  TK_OR,
  TK_AND,
  TK_LT,
  TK_LE,
  TK_GT,
  TK_GE,
  TK_EQ,
  TK_NE,
  TK_PIPE,
  TK_CARET,
  TK_AMP,
  TK_SHL,
  TK_SHR,
  TK_PLUS,
  TK_MINUS,
  TK_STAR,
  TK_SLASH,
  TK_IDIV,
  TK_MOD,
  TK_COUNT
} rtok;

typedef struct token {
  rtok kind;
  unsigned line, col;
  const char *p; /* in the text; a STRING without its quotes */
  uint32_t n;
  int64_t ival;
  double fval;
} token;

typedef struct lexer {
  const char *text, *at, *end;
  const char *line_start;
  unsigned line;
  token tok;      /* the current token */
  bool end_given; /* the END in front of the token at column 1 has been delivered */
  up_error *err;
} lexer;

/* The text must outlive the lexer. The first call of rulelex_next reads the first token. */
void rulelex_init(lexer *l, const char *text, size_t n, up_error *err);
/* Moves to the next token; false with the error filled in when there is none. */
bool rulelex_next(lexer *l);
bool token_is(const token *t, const char *word); /* the IDENT `word` */
const char *rtok_name(rtok kind);                /* "'->'", "a name": for messages */

#endif
