/* Syntax tree of rule files. Patterns, right sides and conditions share one grammar of terms; what
 * each may contain is decided when a term is compiled (pattern.c, rulebuild.c, ruleexpr.c).
 * Grammar: rules/README.md. */
#ifndef UPROOF_RULEAST_H
#define UPROOF_RULEAST_H

#include "rulelex.h"

typedef enum term_kind {
  TERM_NAME,   /* x, ADD, _ */
  TERM_INT,    /* 3 */
  TERM_FLOAT,  /* 0.5, inf, nan */
  TERM_BOOL,   /* True, False: ival 1, 0 */
  TERM_CALL,   /* head(...) or head[...]: head in `text` */
  TERM_SET,    /* {a, -b}, with or without (...) */
  TERM_EXACT,  /* [e] */
  TERM_NATIVE, /* native head(...) */
  TERM_NEG,    /* -a */
  TERM_FLIP,   /* !a */
  TERM_NOT,    /* not a */
  TERM_IN,     /* a in {set} or a in NAME */
  TERM_BIN     /* a op b: `bin` */
} term_kind;

enum term_flag {
  TERM_ARGS = 1,     /* has an argument list */
  TERM_PERMUTED = 2, /* written with [ ] */
  TERM_ANY_LEN = 4,  /* ends in `, ..` */
  TERM_REPEAT = 8,   /* one argument, followed by `...` */
  TERM_AT_NOT = 16,  /* @!set */
  TERM_AT = 32       /* has @ */
};

typedef uint32_t term_id;
#define TERM_NIL UINT32_MAX

typedef struct term {
  uint8_t kind, flags;
  uint8_t bin; /* rtok of a TERM_BIN */
  unsigned line, col;
  token text;  /* name or head; n == 0: none */
  token label; /* name: in front; n == 0: none */
  int64_t ival;
  double fval;
  uint32_t kid, nkid;   /* arguments: ruletree.kid[kid..] */
  uint32_t item, nitem; /* members of a SET: ruletree.item */
  uint32_t at, nat;     /* names behind @: ruletree.item */
} term;

/* Meanings of the operations in which a rule is marked as wrong. */
enum rule_frame {
  RULE_IDEAL = UP_RULE_IDEAL,
  RULE_WRAP = UP_RULE_WRAP,
  RULE_REFINE = UP_RULE_REFINE,
  RULE_ALL_FRAMES = RULE_IDEAL | RULE_WRAP | RULE_REFINE
};

typedef enum stmt_kind { STMT_EOF, STMT_RULESET, STMT_RULE, STMT_BOUND } stmt_kind;

typedef struct stmt {
  stmt_kind kind;
  token name;
  unsigned line;
  const char *text; /* the statement in the source, without what follows its last token */
  size_t ntext;
  uint32_t item, nitem;           /* RULESET: the names joined by + */
  term_id lhs, rhs, lo, hi, when; /* TERM_NIL: absent */
  token known_wrong;              /* STRING; p == NULL: not marked */
  uint8_t wrong_in;               /* enum rule_frame */
  token from;
} stmt;

/* All terms of one statement; reset for each. Zero-initialise; ruletree_free at the end. */
typedef struct ruletree {
  term *term;
  uint32_t nterm, term_cap;
  term_id *kid;
  uint32_t nkid, kid_cap;
  token
      *item; /* op names, operators, dtype names; a '-' or '!' stands in front of what it negates */
  uint32_t nitem, item_cap;
} ruletree;
void ruletree_free(ruletree *t);
static inline const term *term_at(const ruletree *t, term_id i) { return &t->term[i]; }
static inline term_id term_kid(const ruletree *t, const term *n, uint32_t i) {
  return t->kid[n->kid + i];
}

typedef struct ruleparser {
  lexer lex;
  ruletree tree;
  unsigned depth;
} ruleparser;
bool ruleparser_init(ruleparser *p, const char *text, size_t n, up_error *err);
void ruleparser_free(ruleparser *p);
/* Reads one statement into out and p->tree; kind STMT_EOF at the end of the text. */
bool ruleparser_next(ruleparser *p, stmt *out);

/* Makes *p hold `need` items of `size` bytes, for arrays filled while rules are loaded. */
bool rule_grow(void *p, uint32_t *cap, uint32_t need, size_t size);

#endif
