/* Why a rule does not apply to a node: how far its pattern and each conjunct of its condition get.
 * Interpreted, whatever the profile: the answers are those of the compiled rules. */
#include "rulebook.h"

#include <string.h>

typedef struct prober {
  const rulebook *b;
  expr_id part[UP_MAX_CONJUNCTS];
  uint32_t n;
  up_rule_probe *out;
} prober;

/* The conjuncts of `and`s at the top, left to right; the last one takes what is too many. */
static void split(prober *p, expr_id id) {
  const expr *x = expr_at(&p->b->exprs, id);
  if (x->op == EX_AND && p->n + 2 <= UP_MAX_CONJUNCTS) {
    split(p, x->kid[0]);
    split(p, x->kid[1]);
    return;
  }
  p->part[p->n++] = id;
}

/* Each match: conjuncts up to the first that does not hold, as evaluation does. */
static bool count_match(match *m, void *arg) {
  prober *p = arg;
  evaluation e = {.c = m->c, .b = &p->b->exprs, .slot = m->slot, .lane = -1};
  p->out->matches++;
  for (uint32_t i = 0; i < p->n; i++) {
    p->out->asked[i]++;
    up_val v = expr_eval(&e, p->part[i]);
    if (!ctx_ok(m->c) || e.failed || !expr_true(v)) break;
    p->out->held[i]++;
    if (i + 1 == p->n) p->out->conditions++;
  }
  if (p->n == 0) p->out->conditions++;
  up_ctx_clear_status(m->c);
  return false;
}

void up_rule_explain(up_ctx *c, uint32_t number, up_node n, up_rule_probe *out) {
  UP_REQUIRE(c->profile && number < c->profile->book.nrule && !up_is_none(n), "up_rule_explain");
  const rulebook *b = &c->profile->book;
  const rule *r = &b->rule[number];
  prober p = {.b = b, .out = out};
  if (!ctx_ok(c) || !opset_has(&pat_at(&b->pats, r->pat)->ops, node_op(c, n))) return;
  if (r->when != EXPR_NIL) split(&p, r->when);
  match m = {.c = c, .b = &b->pats, .found = count_match, .arg = &p};
  match_run(&m, r->pat, n);
}

/* ---- the conjuncts as text ------------------------------------------------------------------- */

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Does the word stand at text[i], by itself? */
static bool word_at(const char *text, size_t i, const char *word) {
  size_t n = strlen(word);
  return strncmp(text + i, word, n) == 0 && !is_word(text[i + n]) &&
         (i == 0 || !is_word(text[i - 1]));
}

static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && *p == ' ') p++;
  return p;
}

/* The text behind `when`, up to an attribute or the end. */
static bool condition_text(const char *text, const char **from, const char **to) {
  *from = NULL;
  bool quoted = false;
  size_t i = 0;
  for (; text[i]; i++) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (!*from && word_at(text, i, "when")) *from = text + i + 4;
    if (*from && (word_at(text, i, "known") || word_at(text, i, "from"))) break;
  }
  *to = text + i;
  return *from != NULL;
}

size_t up_rule_conjunct(const up_profile *p, uint32_t number, uint32_t i, const char **text) {
  UP_REQUIRE(number < p->book.nrule, "up_rule_conjunct");
  const char *at, *end;
  if (!condition_text(p->book.rule[number].text, &at, &end)) return 0;
  uint32_t k = 0;
  int depth = 0;
  bool whole = false;
  /* an `or` at the top, which binds less, makes one conjunct of it all */
  for (const char *q = at; q < end; q++) {
    depth += (*q == '(' || *q == '{') - (*q == ')' || *q == '}');
    if (depth == 0 &&
        word_at(p->book.rule[number].text, (size_t)(q - p->book.rule[number].text), "or"))
      whole = true;
  }
  const char *from = at = skip_blanks(at, end);
  depth = 0;
  for (; at < end; at++) {
    depth += (*at == '(' || *at == '{') - (*at == ')' || *at == '}');
    bool cut = depth == 0 && !whole && k + 1 < UP_MAX_CONJUNCTS &&
               word_at(p->book.rule[number].text, (size_t)(at - p->book.rule[number].text), "and");
    if (!cut) continue;
    if (k++ == i) break;
    from = skip_blanks(at + 3, end);
  }
  if (k < i || (at == end && k != i)) return 0;
  while (at > from && at[-1] == ' ') at--;
  *text = from;
  return (size_t)(at - from);
}
