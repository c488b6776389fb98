/* Rule text -> statements and terms. The parser knows the grammar only: what a name means, and
 * whether a term may stand where it stands, is decided by the compilers of the three sides. */
#include "ruleast.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 100u

bool rule_grow(void *p, uint32_t *cap, uint32_t need, size_t size) {
  if (need <= *cap) return true;
  uint32_t n = *cap ? *cap * 2 : 16;
  if (n < need) n = need;
  void *old, *fresh;
  memcpy(&old, p, sizeof old);
  fresh = realloc(old, n * size);
  if (!fresh) return false;
  memcpy(p, &fresh, sizeof fresh);
  *cap = n;
  return true;
}

void ruletree_free(ruletree *t) {
  free(t->term);
  free(t->kid);
  free(t->item);
  *t = (ruletree){0};
}

bool ruleparser_init(ruleparser *p, const char *text, size_t n, up_error *err) {
  *p = (ruleparser){0};
  rulelex_init(&p->lex, text, n, err);
  return rulelex_next(&p->lex);
}

void ruleparser_free(ruleparser *p) { ruletree_free(&p->tree); }

/* ---- helpers ---------------------------------------------------------------------------- */

static rtok peek(const ruleparser *p) { return p->lex.tok.kind; }
static bool advance(ruleparser *p) { return rulelex_next(&p->lex); }

static bool fail_tok(ruleparser *p, const char *what) {
  const token *t = &p->lex.tok;
  return up_fail(p->lex.err, t->line, t->col, "%s, not %s", what, rtok_name(t->kind));
}

static bool no_memory(ruleparser *p) { return up_fail(p->lex.err, 0, 0, "out of memory"); }

static bool expect(ruleparser *p, rtok kind) {
  const token *t = &p->lex.tok;
  if (t->kind != kind)
    return up_fail(p->lex.err, t->line, t->col, "expected %s, not %s", rtok_name(kind),
                   rtok_name(t->kind));
  return advance(p);
}

static bool expect_name(ruleparser *p, token *out, const char *what) {
  if (peek(p) != TK_IDENT) return fail_tok(p, what);
  *out = p->lex.tok;
  return advance(p);
}

static bool new_term(ruleparser *p, term_kind kind, const token *where, term_id *out) {
  ruletree *t = &p->tree;
  if (!rule_grow(&t->term, &t->term_cap, t->nterm + 1, sizeof *t->term)) return no_memory(p);
  t->term[t->nterm] = (term){.kind = (uint8_t)kind, .line = where->line, .col = where->col};
  *out = t->nterm++;
  return true;
}

/* The kids are appended in one go, once all are known: terms between them own other stretches. */
static bool set_kids(ruleparser *p, term_id id, const term_id *kid, uint32_t n) {
  ruletree *t = &p->tree;
  if (!rule_grow(&t->kid, &t->kid_cap, t->nkid + n, sizeof *t->kid)) return no_memory(p);
  t->term[id].kid = t->nkid;
  t->term[id].nkid = n;
  for (uint32_t i = 0; i < n; i++) t->kid[t->nkid++] = kid[i];
  return true;
}

static bool push_item(ruleparser *p) {
  ruletree *t = &p->tree;
  if (!rule_grow(&t->item, &t->item_cap, t->nitem + 1, sizeof *t->item)) return no_memory(p);
  t->item[t->nitem++] = p->lex.tok;
  return advance(p);
}

/* ---- terms ------------------------------------------------------------------------------ */

static bool parse_level(ruleparser *p, int level, term_id *out);
static bool parse_term(ruleparser *p, term_id *out) { return parse_level(p, 0, out); }

static bool is_operator(rtok k) { return k >= TK_LT && k < TK_COUNT; }

/* Members between { and }: names or operators, each maybe behind a '-' that takes it out again. */
static bool parse_items(ruleparser *p) {
  do {
    if (!advance(p)) return false;
    token t = p->lex.tok;
    if (t.kind == TK_MINUS) {
      if (!push_item(p)) return false;
      if (peek(p) == TK_COMMA || peek(p) == TK_RBRACE) continue; /* the operator - itself */
    }
    if (peek(p) != TK_IDENT && !is_operator(peek(p)))
      return fail_tok(p, "expected the name of an op or an operator");
    if (!push_item(p)) return false;
  } while (peek(p) == TK_COMMA);
  return expect(p, TK_RBRACE);
}

#define MAX_ARGS 16u

/* Arguments behind an opening bracket, which is the current token. */
static bool parse_args(ruleparser *p, term_id id) {
  bool square = peek(p) == TK_LBRACKET;
  rtok close = square ? TK_RBRACKET : TK_RPAREN;
  term_id kid[MAX_ARGS];
  uint32_t n = 0;
  uint8_t flags = (uint8_t)(TERM_ARGS | (square ? TERM_PERMUTED : 0));
  if (!advance(p)) return false;
  while (peek(p) != close) {
    if (peek(p) == TK_DOTS2) {
      flags |= TERM_ANY_LEN;
      if (!advance(p)) return false;
      break;
    }
    if (n == MAX_ARGS) return fail_tok(p, "expected at most 16 arguments");
    if (!parse_term(p, &kid[n++])) return false;
    if (peek(p) == TK_DOTS3) {
      flags |= TERM_REPEAT;
      if (n != 1) return fail_tok(p, "expected one argument in front of '...'");
      if (!advance(p)) return false;
      break;
    }
    if (peek(p) != TK_COMMA) break;
    if (!advance(p)) return false;
    if (peek(p) == close) return fail_tok(p, "expected an argument");
  }
  if (!expect(p, close) || !set_kids(p, id, kid, n)) return false;
  p->tree.term[id].flags |= flags;
  return true;
}

/* `@name`, `@!name`, `@{a, b}`, `@!{a, b}` behind a primary. */
static bool parse_at(ruleparser *p, term_id id) {
  if (peek(p) != TK_AT) return true;
  if (p->tree.term[id].flags & TERM_AT) return fail_tok(p, "expected one dtype constraint only");
  if (!advance(p)) return false;
  uint8_t flags = TERM_AT;
  if (peek(p) == TK_BANG) {
    flags |= TERM_AT_NOT;
    if (!advance(p)) return false;
  }
  uint32_t first = p->tree.nitem;
  if (peek(p) == TK_LBRACE) {
    if (!parse_items(p)) return false;
  } else {
    if (peek(p) != TK_IDENT)
      return fail_tok(p, "expected a dtype, a set of dtypes or a bound name");
    if (!push_item(p)) return false;
  }
  term *t = &p->tree.term[id];
  t->flags |= flags;
  t->at = first;
  t->nat = p->tree.nitem - first;
  return true;
}

static bool parse_set(ruleparser *p, term_id *out) {
  if (!new_term(p, TERM_SET, &p->lex.tok, out)) return false;
  uint32_t first = p->tree.nitem;
  if (!parse_items(p)) return false;
  p->tree.term[*out].item = first;
  p->tree.term[*out].nitem = p->tree.nitem - first;
  return peek(p) != TK_LPAREN && peek(p) != TK_LBRACKET ? true : parse_args(p, *out);
}

/* An argument list must touch its head, so that `bound b : x in [..]` needs no other marks. */
static bool touches(const ruleparser *p, const token *head) {
  rtok k = peek(p);
  return (k == TK_LPAREN || k == TK_LBRACKET) && p->lex.tok.p == head->p + head->n;
}

static bool parse_word(ruleparser *p, term_id *out) {
  token t = p->lex.tok;
  bool native = token_is(&t, "native");
  if (native && (!advance(p) || !expect_name(p, &t, "expected the name of a native function")))
    return false;
  if (!new_term(p, native ? TERM_NATIVE : TERM_NAME, &t, out)) return false;
  p->tree.term[*out].text = t;
  if (!native && !advance(p)) return false;
  if (native && !touches(p, &t))
    return fail_tok(p, "expected the arguments of the native function");
  if (touches(p, &t)) {
    if (!native) p->tree.term[*out].kind = TERM_CALL;
    return parse_args(p, *out);
  }
  term *n = &p->tree.term[*out];
  if (token_is(&t, "True") || token_is(&t, "False")) {
    n->kind = TERM_BOOL;
    n->ival = token_is(&t, "True");
  } else if (token_is(&t, "nan") || token_is(&t, "inf")) {
    n->kind = TERM_FLOAT;
    n->fval = token_is(&t, "nan") ? (double)NAN : (double)INFINITY;
  }
  return true;
}

static bool parse_number(ruleparser *p, term_id *out) {
  token t = p->lex.tok;
  if (!new_term(p, t.kind == TK_INT ? TERM_INT : TERM_FLOAT, &t, out)) return false;
  p->tree.term[*out].ival = t.ival;
  p->tree.term[*out].fval = t.fval;
  return advance(p);
}

static bool parse_exact(ruleparser *p, term_id *out) {
  term_id inner;
  if (!new_term(p, TERM_EXACT, &p->lex.tok, out)) return false;
  return advance(p) && parse_term(p, &inner) && expect(p, TK_RBRACKET) &&
         set_kids(p, *out, &inner, 1);
}

static bool parse_unlabelled(ruleparser *p, term_id *out) {
  switch (peek(p)) {
  case TK_IDENT: return parse_word(p, out);
  case TK_INT:
  case TK_FLOAT: return parse_number(p, out);
  case TK_LBRACE: return parse_set(p, out);
  case TK_LBRACKET: return parse_exact(p, out);
  case TK_LPAREN: return advance(p) && parse_term(p, out) && expect(p, TK_RPAREN);
  default: return fail_tok(p, "expected a term");
  }
}

/* `name:` touches what it names on both sides. */
static bool label_ahead(const ruleparser *p) {
  const token *t = &p->lex.tok;
  const char *colon = t->p + t->n;
  return t->kind == TK_IDENT && p->lex.end - colon > 1 && colon[0] == ':' && colon[1] != ' ' &&
         colon[1] != '\n' && colon[1] != '\t';
}

static bool parse_primary(ruleparser *p, term_id *out) {
  token label = {0};
  if (label_ahead(p)) {
    label = p->lex.tok;
    if (!advance(p) || !expect(p, TK_COLON)) return false;
  }
  if (!parse_unlabelled(p, out)) return false;
  if (label.n) {
    term *t = &p->tree.term[*out];
    if (t->label.n)
      return up_fail(p->lex.err, label.line, label.col, "a second name for one sub-pattern");
    t->label = label;
  }
  return parse_at(p, *out);
}

/* A minus in front of a literal is part of the literal. */
static bool fold_sign(ruleparser *p, term_id id, bool *done) {
  term *t = &p->tree.term[id];
  *done = (t->kind == TERM_INT || t->kind == TERM_FLOAT) && !(t->flags & TERM_AT);
  if (!*done) return true;
  t->ival = -t->ival;
  t->fval = -t->fval;
  return true;
}

static bool parse_unary(ruleparser *p, term_id *out) {
  token t = p->lex.tok;
  bool lnot = token_is(&t, "not");
  if (t.kind != TK_MINUS && t.kind != TK_BANG && !lnot) return parse_primary(p, out);
  if (++p->depth > MAX_DEPTH) return fail_tok(p, "expected a term nested less deeply");
  term_id inner;
  bool done = false;
  if (!advance(p)) return false;
  bool literal = t.kind == TK_MINUS && (peek(p) == TK_INT || peek(p) == TK_FLOAT);
  /* `not` takes a whole comparison, - and ! bind tighter than any operator */
  if (!(lnot ? parse_level(p, 2, &inner) : parse_unary(p, &inner))) return false;
  p->depth--;
  if (literal && !fold_sign(p, inner, &done)) return false;
  if (done) {
    *out = inner;
    return true;
  }
  term_kind kind = lnot ? TERM_NOT : t.kind == TK_BANG ? TERM_FLIP : TERM_NEG;
  return new_term(p, kind, &t, out) && set_kids(p, *out, &inner, 1);
}

/* Operators from the loosest to the tightest; comparisons do not chain. */
static const struct {
  rtok first, last;
  bool chains;
} level_info[] = {
    {TK_OR, TK_OR, true},     {TK_AND, TK_AND, true},     {TK_LT, TK_NE, false},
    {TK_PIPE, TK_PIPE, true}, {TK_CARET, TK_CARET, true}, {TK_AMP, TK_AMP, true},
    {TK_SHL, TK_SHR, true},   {TK_PLUS, TK_MINUS, true},  {TK_STAR, TK_MOD, true},
};
#define NLEVEL ((int)(sizeof level_info / sizeof *level_info))
_Static_assert(TK_MOD + 1 == TK_COUNT, "the operators are the last tokens");

static bool level_has(int level, rtok k) {
  return k >= level_info[level].first && k <= level_info[level].last;
}

/* `x in set`, on the level of comparisons; `in [` belongs to a bound rule and is left alone. */
static bool parse_in(ruleparser *p, term_id *lhs) {
  const char *q = p->lex.at;
  while (q < p->lex.end && (*q == ' ' || *q == '\t' || *q == '\n' || *q == '\r')) q++;
  if (!token_is(&p->lex.tok, "in") || (q < p->lex.end && *q == '[')) return true;
  term_id id, inner = *lhs, set;
  if (!new_term(p, TERM_IN, &p->lex.tok, &id) || !advance(p) || !parse_primary(p, &set))
    return false;
  *lhs = id;
  return set_kids(p, id, (term_id[]){inner, set}, 2);
}

static bool parse_level(ruleparser *p, int level, term_id *out) {
  if (level == NLEVEL) return parse_unary(p, out);
  if (level == 0 && ++p->depth > MAX_DEPTH)
    return fail_tok(p, "expected a term nested less deeply");
  if (!parse_level(p, level + 1, out)) return false;
  for (bool more = false; level_has(level, peek(p)); more = true) {
    token op = p->lex.tok;
    if (more && !level_info[level].chains)
      return fail_tok(p, "expected parentheses: comparisons do not chain");
    term_id kid[2] = {*out, 0};
    if (!advance(p) || !parse_level(p, level + 1, &kid[1])) return false;
    if (!new_term(p, TERM_BIN, &op, out) || !set_kids(p, *out, kid, 2)) return false;
    p->tree.term[*out].bin = (uint8_t)op.kind;
  }
  if (level_info[level].first == TK_LT && !parse_in(p, out)) return false;
  if (level == 0) p->depth--;
  return true;
}

/* ---- statements ------------------------------------------------------------------------- */

/* ruleset NAME [= A + B + here + C] */
static bool parse_ruleset(ruleparser *p, stmt *s) {
  s->item = p->tree.nitem;
  if (peek(p) == TK_ASSIGN) {
    do {
      if (!advance(p)) return false;
      if (peek(p) != TK_IDENT) return fail_tok(p, "expected the name of a rule set");
      if (!push_item(p)) return false;
    } while (peek(p) == TK_PLUS);
  }
  s->nitem = p->tree.nitem - s->item;
  return true;
}

/* known-wrong [ideal] [wrap] [refine] "..." behind the word `known` */
static bool parse_wrong(ruleparser *p, stmt *s) {
  if (!expect(p, TK_MINUS)) return false;
  if (!token_is(&p->lex.tok, "wrong")) return fail_tok(p, "expected 'known-wrong'");
  if (!advance(p)) return false;
  while (peek(p) == TK_IDENT) {
    const token *t = &p->lex.tok;
    uint8_t frame = token_is(t, "ideal")    ? RULE_IDEAL
                    : token_is(t, "wrap")   ? RULE_WRAP
                    : token_is(t, "refine") ? RULE_REFINE
                                            : 0;
    if (!frame) return fail_tok(p, "expected ideal, wrap, refine or a string");
    s->wrong_in |= frame;
    if (!advance(p)) return false;
  }
  if (!s->wrong_in) s->wrong_in = RULE_ALL_FRAMES;
  return true;
}

static bool parse_attributes(ruleparser *p, stmt *s) {
  for (;;) {
    token t = p->lex.tok;
    token *slot = token_is(&t, "known") ? &s->known_wrong : token_is(&t, "from") ? &s->from : NULL;
    if (!slot) return true;
    if (slot->p) return up_fail(p->lex.err, t.line, t.col, "attribute given twice");
    if (!advance(p)) return false;
    if (slot == &s->known_wrong && !parse_wrong(p, s)) return false;
    if (peek(p) != TK_STRING) return fail_tok(p, "expected a string in quotes");
    *slot = p->lex.tok;
    if (!advance(p)) return false;
  }
}

static bool parse_interval(ruleparser *p, stmt *s) {
  if (!token_is(&p->lex.tok, "in")) return fail_tok(p, "expected 'in [lo, hi]'");
  return advance(p) && expect(p, TK_LBRACKET) && parse_term(p, &s->lo) && expect(p, TK_COMMA) &&
         parse_term(p, &s->hi) && expect(p, TK_RBRACKET);
}

/* rule NAME : pattern -> right [when condition] attributes
 * bound NAME : pattern in [lo, hi] [when condition] attributes */
static bool parse_rule(ruleparser *p, stmt *s) {
  if (!expect(p, TK_COLON) || !parse_term(p, &s->lhs)) return false;
  if (s->kind == STMT_BOUND) {
    if (!parse_interval(p, s)) return false;
  } else if (!expect(p, TK_ARROW) || !parse_term(p, &s->rhs)) {
    return false;
  }
  if (token_is(&p->lex.tok, "when") && (!advance(p) || !parse_term(p, &s->when))) return false;
  return parse_attributes(p, s);
}

static bool parse_stmt(ruleparser *p, stmt *s) {
  const token *t = &p->lex.tok;
  if (t->col != 1) return up_fail(p->lex.err, t->line, t->col, "a statement starts in column 1");
  if (token_is(t, "ruleset"))
    s->kind = STMT_RULESET;
  else if (token_is(t, "rule"))
    s->kind = STMT_RULE;
  else if (token_is(t, "bound"))
    s->kind = STMT_BOUND;
  else
    return fail_tok(p, "expected 'rule', 'bound' or 'ruleset'");
  if (!advance(p) || !expect_name(p, &s->name, "expected a name")) return false;
  if (!(s->kind == STMT_RULESET ? parse_ruleset(p, s) : parse_rule(p, s))) return false;
  s->ntext = (size_t)(p->lex.tok.p - s->text);
  if (peek(p) != TK_END) return fail_tok(p, "expected an operator or the end of the statement");
  return advance(p);
}

bool ruleparser_next(ruleparser *p, stmt *out) {
  p->tree.nterm = p->tree.nkid = p->tree.nitem = 0;
  p->depth = 0;
  const token *t = &p->lex.tok;
  *out = (stmt){.kind = STMT_EOF,
                .line = t->line,
                .text = t->p,
                .lhs = TERM_NIL,
                .rhs = TERM_NIL,
                .lo = TERM_NIL,
                .hi = TERM_NIL,
                .when = TERM_NIL};
  assert(t->kind != TK_BAD);
  return peek(p) == TK_EOF ? true : parse_stmt(p, out);
}
