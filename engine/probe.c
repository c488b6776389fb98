/* Why a rule does not apply to a node: how far its pattern and each conjunct of its condition get, and how
 * far it is from doing so.
 * Interpreted, whatever the profile: the answers are those of the compiled rules. */
#include "rulebook.h"

#include <math.h>
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

/* ---- distance --------------------------------------------------------------------------------- */

typedef struct measurer {
  const rulebook *b;
  expr_id when;
  double least;
} measurer;

/* Of a number, or NAN: it raises, or is not finite. */
static double number(evaluation *e, expr_id id) {
  e->failed = false;
  up_val v = expr_eval(e, id);
  bool ok = ctx_ok(e->c) && !e->failed;
  up_ctx_clear_status(e->c);
  if (!ok) return (double)NAN;
  return v.is_float ? v.f : up_int_to_double(e->c, v.i);
}

/* By how much `a op b` is missed. */
static double gap(unsigned op, double a, double b) {
  switch (op) {
  case EX_LT: return a < b ? 0 : a - b + 1;
  case EX_LE: return a <= b ? 0 : a - b;
  case EX_GT: return a > b ? 0 : b - a + 1;
  case EX_GE: return a >= b ? 0 : b - a;
  case EX_EQ: return fabs(a - b);
  default: return a != b ? 0 : 1;
  }
}

static unsigned opposite(unsigned op) {
  static const unsigned char of[] = {[EX_LT - EX_LT] = EX_GE, [EX_LE - EX_LT] = EX_GT,
                                     [EX_GT - EX_LT] = EX_LE, [EX_GE - EX_LT] = EX_LT,
                                     [EX_EQ - EX_LT] = EX_NE, [EX_NE - EX_LT] = EX_EQ};
  return of[op - EX_LT];
}

/* The greatest distance. */
static double width(const exprbook *b, expr_id id, bool want) {
  const expr *x = expr_at(b, id);
  if (x->op == EX_NOT) return width(b, x->kid[0], !want);
  if (x->op != EX_AND && x->op != EX_OR) return 1;
  double a = width(b, x->kid[0], want), c = width(b, x->kid[1], want);
  return (x->op == EX_AND) == want ? a + c : fmin(a, c);
}

/* From where the expression is as true as `want`. Of several parts the first comes first: how far the
 * next ones are counts when it is there. As deep as the expression. */
static double distance(evaluation *e, expr_id id, bool want) {
  const expr *x = expr_at(e->b, id);
  if (x->op == EX_NOT) return distance(e, x->kid[0], !want);
  if (x->op == EX_AND || x->op == EX_OR) {
    double a = distance(e, x->kid[0], want);
    bool both = (x->op == EX_AND) == want;
    if (both && a > 0) return a + width(e->b, x->kid[1], want);
    double b = distance(e, x->kid[1], want);
    return both ? b : fmin(a, b);
  }
  if (x->op < EX_LT || x->op > EX_NE) {
    double v = number(e, id);
    return !isnan(v) && (v != 0) == want ? 0 : 1;
  }
  double a = number(e, x->kid[0]), b = number(e, x->kid[1]);
  double d = gap(want ? x->op : opposite(x->op), a, b);
  return isfinite(d) ? d / (d + 1) : 1;
}

/* A sum of no distances that is true all the same, or the other way round (a condition stops asking at
 * what raises): evaluation has the last word. */
static bool measure_match(match *m, void *arg) {
  measurer *s = arg;
  evaluation e = {.c = m->c, .b = &s->b->exprs, .slot = m->slot, .lane = -1};
  double d = 0;
  if (s->when != EXPR_NIL) {
    double truth = number(&e, s->when);
    bool holds = !isnan(truth) && truth != 0;
    d = holds ? 0 : fmax(distance(&e, s->when, true), 1e-9);
  }
  s->least = fmin(s->least, d);
  return s->least == 0;
}

double up_rule_distance(up_ctx *c, uint32_t number, up_node n) {
  UP_REQUIRE(c->profile && number < c->profile->book.nrule && !up_is_none(n), "up_rule_distance");
  const rulebook *b = &c->profile->book;
  const rule *r = &b->rule[number];
  measurer s = {.b = b, .when = r->when, .least = (double)INFINITY};
  if (!ctx_ok(c) || !opset_has(&pat_at(&b->pats, r->pat)->ops, node_op(c, n))) return s.least;
  match m = {.c = c, .b = &b->pats, .found = measure_match, .arg = &s};
  match_run(&m, r->pat, n);
  return s.least;
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
