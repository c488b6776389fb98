#include "statement.h"

size_t st_at(const st_statement *s, uint32_t i) { return (size_t)(s->t[i].p - s->text); }
size_t st_end(const st_statement *s, uint32_t i) {
  return st_at(s, i) + s->t[i].n + (s->t[i].kind == TK_STRING ? 1 : 0);
}

void st_put(const st_statement *s, uint32_t first, uint32_t last, up_buf *out) {
  up_buf_put(out, s->text + st_at(s, first), st_end(s, last) - st_at(s, first));
}

/* ---- operands --------------------------------------------------------------------------------- */

bool st_opens(rtok k) { return k == TK_LPAREN || k == TK_LBRACKET || k == TK_LBRACE; }
bool st_closes(rtok k) { return k == TK_RPAREN || k == TK_RBRACKET || k == TK_RBRACE; }
static bool is_operator(rtok k) { return k >= TK_OR && k <= TK_MOD; }

uint32_t st_partner(const st_statement *s, uint32_t i, int step) {
  int depth = 0;
  for (uint32_t k = i; k < s->n; k = (uint32_t)((int)k + step)) {
    if (st_opens(s->t[k].kind)) depth++;
    if (st_closes(s->t[k].kind)) depth--;
    if (depth == 0) return k;
  }
  return s->n;
}

/* First token of the operand that ends at i. */
static uint32_t operand_begin(const st_statement *s, uint32_t i) {
  if (!st_closes(s->t[i].kind)) return i;
  uint32_t b = st_partner(s, i, -1);
  return b < s->n && b > 0 && s->t[b].kind == TK_LPAREN && s->t[b - 1].kind == TK_IDENT ? b - 1 : b;
}

/* Last token of the operand that begins at i; n when it is none. */
static uint32_t operand_end(const st_statement *s, uint32_t i) {
  if (i < s->n && s->t[i].kind == TK_MINUS) i++;
  if (i >= s->n) return s->n;
  if (s->t[i].kind == TK_IDENT && i + 1 < s->n && s->t[i + 1].kind == TK_LPAREN) i++;
  return st_opens(s->t[i].kind) ? st_partner(s, i, 1) : i;
}

bool st_is_binary(const st_statement *s, uint32_t i) {
  if (!is_operator(s->t[i].kind) || i == 0) return false;
  rtok before = s->t[i - 1].kind;
  return before == TK_IDENT || before == TK_INT || before == TK_FLOAT || st_closes(before);
}

bool st_operands(const st_statement *s, uint32_t i, st_pair *p) {
  if (!st_is_binary(s, i)) return false;
  p->e0 = i - 1;
  p->b0 = operand_begin(s, p->e0);
  p->b1 = i + 1;
  p->e1 = operand_end(s, p->b1);
  return p->b0 < s->n && p->e1 < s->n && s->part[p->b0] == s->part[i] &&
         s->part[p->e1] == s->part[i];
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* Where a part begins: at ':', '->' or 'in', 'when', an attribute. */
static st_part part_after(st_part p, const token *t, bool bound) {
  if (p == ST_HEAD) return t->kind == TK_COLON ? ST_PATTERN : p;
  if (token_is(t, "known") || token_is(t, "known-wrong") || token_is(t, "from"))
    return ST_ATTRIBUTE;
  if (p == ST_PATTERN && (t->kind == TK_ARROW || (bound && token_is(t, "in")))) return ST_RIGHT;
  if (p == ST_RIGHT && token_is(t, "when")) return ST_WHEN;
  return p;
}

bool st_read(st_statement *s, lexer *l) {
  st_part p = ST_HEAD;
  bool bound = token_is(&l->tok, "bound");
  s->n = 0;
  s->begin = (size_t)(l->tok.p - s->text);
  do {
    st_part next = part_after(p, &l->tok, bound);
    s->part[s->n] = next == p || next == ST_WHEN ? (uint8_t)next : (uint8_t)ST_HEAD;
    if (next == ST_ATTRIBUTE) s->part[s->n] = ST_ATTRIBUTE;
    s->t[s->n++] = l->tok;
    p = next;
    if (!rulelex_next(l)) return false;
  } while (l->tok.kind != TK_END && l->tok.kind != TK_EOF && s->n < ST_TOKENS);
  s->end = st_end(s, s->n - 1);
  return s->n < ST_TOKENS;
}

bool st_is_rule(const st_statement *s) {
  return s->n > 3 && (token_is(&s->t[0], "rule") || token_is(&s->t[0], "bound"));
}
