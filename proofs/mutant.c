#include "mutant.h"

#include "engine/ruleast.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum part { PART_HEAD, PART_PATTERN, PART_RIGHT, PART_WHEN, PART_ATTRIBUTE };

#define MAX_TOKENS 512u
#define MAX_NAMES 16u

/* A statement as tokens. */
typedef struct work {
  const char *text;
  token t[MAX_TOKENS];
  uint8_t part[MAX_TOKENS];
  uint32_t n;
  char name[64], what[96], with[512];
  pf_mutant m;
  bool (*each)(const pf_mutant *m, void *arg);
  void *arg;
} work;

static size_t at(const work *w, const token *t) { return (size_t)(t->p - w->text); }
static size_t end_of(const work *w, const token *t) {
  return at(w, t) + t->n + (t->kind == TK_STRING ? 1 : 0);
}

/* ---- one change ------------------------------------------------------------------------------- */

/* Tokens first..last become `with`. */
static bool change(work *w, uint32_t first, uint32_t last, const char *what, const char *with) {
  if (strlen(with) >= sizeof w->with) return true;
  snprintf(w->what, sizeof w->what, "%s", what);
  snprintf(w->with, sizeof w->with, "%s", with);
  w->m.rule = w->name;
  w->m.what = w->what;
  w->m.with = w->with;
  w->m.line = w->t[first].line;
  w->m.col = w->t[first].col;
  w->m.from = at(w, &w->t[first]);
  w->m.to = end_of(w, &w->t[last]);
  bool go_on = w->each(&w->m, w->arg);
  w->m.number++;
  return go_on;
}

static bool change_token(work *w, uint32_t i, const char *with) {
  char what[96];
  snprintf(what, sizeof what, "'%s' for '%.*s'", with, (int)w->t[i].n, w->t[i].p);
  return change(w, i, i, what, with);
}

/* ---- operands --------------------------------------------------------------------------------- */

static bool opens(rtok k) { return k == TK_LPAREN || k == TK_LBRACKET || k == TK_LBRACE; }
static bool closes(rtok k) { return k == TK_RPAREN || k == TK_RBRACKET || k == TK_RBRACE; }
static bool is_operator(rtok k) { return k >= TK_OR && k <= TK_MOD; }

/* The bracket that belongs to the one at i, going by `step`; n when there is none. */
static uint32_t partner(const work *w, uint32_t i, int step) {
  int depth = 0;
  for (uint32_t k = i; k < w->n; k = (uint32_t)((int)k + step)) {
    if (opens(w->t[k].kind)) depth++;
    if (closes(w->t[k].kind)) depth--;
    if (depth == 0) return k;
  }
  return w->n;
}

/* First token of the operand that ends at i. */
static uint32_t operand_begin(const work *w, uint32_t i) {
  if (!closes(w->t[i].kind)) return i;
  uint32_t b = partner(w, i, -1);
  return b < w->n && b > 0 && w->t[b].kind == TK_LPAREN && w->t[b - 1].kind == TK_IDENT ? b - 1 : b;
}

/* Last token of the operand that begins at i; n when it is none. */
static uint32_t operand_end(const work *w, uint32_t i) {
  if (i < w->n && w->t[i].kind == TK_MINUS) i++;
  if (i >= w->n) return w->n;
  if (w->t[i].kind == TK_IDENT && i + 1 < w->n && w->t[i + 1].kind == TK_LPAREN) i++;
  return opens(w->t[i].kind) ? partner(w, i, 1) : i;
}

static bool is_binary(const work *w, uint32_t i) {
  if (!is_operator(w->t[i].kind) || i == 0) return false;
  rtok before = w->t[i - 1].kind;
  return before == TK_IDENT || before == TK_INT || before == TK_FLOAT || closes(before);
}

typedef struct pair {
  uint32_t b0, e0, b1, e1; /* tokens of the left and the right operand */
} pair;

static bool operands(const work *w, uint32_t i, pair *p) {
  if (!is_binary(w, i)) return false;
  p->e0 = i - 1;
  p->b0 = operand_begin(w, p->e0);
  p->b1 = i + 1;
  p->e1 = operand_end(w, p->b1);
  return p->b0 < w->n && p->e1 < w->n && w->part[p->b0] == w->part[i] &&
         w->part[p->e1] == w->part[i];
}

static void put_tokens(const work *w, uint32_t b, uint32_t e, up_buf *out) {
  up_buf_put(out, w->text + at(w, &w->t[b]), end_of(w, &w->t[e]) - at(w, &w->t[b]));
}

/* "A op B" becomes `form` of A and B: "%2 op %1", "floordiv(%1, %2)". */
static bool change_operands(work *w, uint32_t i, const char *what, const char *open,
                            const char *between, const char *close, bool swap) {
  pair p;
  if (!operands(w, i, &p)) return true;
  up_buf b = {0};
  up_buf_puts(&b, open);
  put_tokens(w, swap ? p.b1 : p.b0, swap ? p.e1 : p.e0, &b);
  up_buf_puts(&b, between);
  put_tokens(w, swap ? p.b0 : p.b1, swap ? p.e0 : p.e1, &b);
  up_buf_puts(&b, close);
  bool ok = b.no_memory ? false : change(w, p.b0, p.e1, what, b.p);
  up_buf_free(&b);
  return ok;
}

static bool swap_operands(work *w, uint32_t i) {
  char between[8];
  snprintf(between, sizeof between, " %.*s ", (int)w->t[i].n, w->t[i].p);
  return change_operands(w, i, "operands swapped", "", between, "", true);
}

/* ---- slips on one token ------------------------------------------------------------------------- */

typedef struct slip {
  const char *is, *becomes;
} slip;

static const slip operators[] = {{"<", "<="},  {"<", ">"},   {"<=", "<"},   {"<=", ">="},
                                 {">", ">="},  {">", "<"},   {">=", ">"},   {">=", "<="},
                                 {"==", "!="}, {"!=", "=="}, {"and", "or"}, {"or", "and"},
                                 {"+", "-"},   {"-", "+"},   {"*", "+"}};
static const slip functions[] = {{"vmin", "vmax"},
                                 {"vmax", "vmin"},
                                 {"min", "max"},
                                 {"max", "min"},
                                 {"floordiv", "ceildiv"},
                                 {"ceildiv", "floordiv"},
                                 {"lane_min", "lane_max"},
                                 {"lane_max", "lane_min"},
                                 {"src_vmin", "src_vmax"},
                                 {"src_vmax", "src_vmin"},
                                 {"var_min", "var_max"},
                                 {"var_max", "var_min"},
                                 {"dtype_min", "dtype_max"},
                                 {"dtype_max", "dtype_min"}};

static bool slips(work *w, uint32_t i, const slip *s, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (w->t[i].n == strlen(s[k].is) && memcmp(w->t[i].p, s[k].is, w->t[i].n) == 0 &&
        !change_token(w, i, s[k].becomes))
      return false;
  return true;
}

static bool off_by_one(work *w, uint32_t i) {
  char with[32];
  if (w->t[i].ival == INT64_MAX || w->t[i].ival == INT64_MIN) return true;
  snprintf(with, sizeof with, "%lld", (long long)w->t[i].ival + 1);
  if (!change_token(w, i, with)) return false;
  /* a minus in front belongs to the number: 0 less one would need brackets */
  if (w->t[i].ival == 0) return true;
  snprintf(with, sizeof with, "%lld", (long long)w->t[i].ival - 1);
  return change_token(w, i, with);
}

/* A sign that is no subtraction. */
static bool is_sign(const work *w, uint32_t i) {
  return w->t[i].kind == TK_MINUS && !is_binary(w, i);
}

/* ---- names -------------------------------------------------------------------------------------- */

static bool is_name(const token *t) {
  return t->kind == TK_IDENT && t->n < 8 && t->p[0] >= 'a' && t->p[0] <= 'z';
}

static bool same_word(const token *a, const token *b) {
  return a->n == b->n && memcmp(a->p, b->p, a->n) == 0;
}

static bool begins_dtype(const token *t) { return t->kind == TK_AT || t->kind == TK_BANG; }

/* Behind an @, or inside of @{...}. */
static bool in_dtypes(const work *w, uint32_t i) {
  if (i > 0 && begins_dtype(&w->t[i - 1])) return true;
  while (i > 0 && (w->t[i].kind == TK_IDENT || w->t[i].kind == TK_COMMA)) i--;
  return i > 0 && w->t[i].kind == TK_LBRACE && begins_dtype(&w->t[i - 1]);
}

/* Names that the pattern binds: not behind @, no function, no constant True. */
static uint32_t bound_names(const work *w, uint32_t out[MAX_NAMES]) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->n; i++) {
    bool call = i + 1 < w->n && w->t[i + 1].kind == TK_LPAREN;
    if (w->part[i] != PART_PATTERN || !is_name(&w->t[i]) || call || in_dtypes(w, i)) continue;
    uint32_t k = 0;
    while (k < n && !same_word(&w->t[out[k]], &w->t[i])) k++;
    if (k == n && n < MAX_NAMES) out[n++] = i;
  }
  return n;
}

static bool constant_name(const token *t) { return t->p[0] == 'c' || t->p[0] == 'k'; }

/* The name at i becomes the next name of its kind. */
static bool other_name(work *w, uint32_t i) {
  uint32_t name[MAX_NAMES], n = bound_names(w, name), k = 0;
  while (k < n && !same_word(&w->t[name[k]], &w->t[i])) k++;
  for (uint32_t step = 1; k < n && step < n; step++) {
    const token *o = &w->t[name[(k + step) % n]];
    if (constant_name(o) != constant_name(&w->t[i])) continue;
    char with[16];
    snprintf(with, sizeof with, "%.*s", (int)o->n, o->p);
    return change_token(w, i, with);
  }
  return true;
}

/* ---- conditions and constraints ------------------------------------------------------------------- */

/* The conjuncts of the condition, at its top level; each in turn is left out. */
static bool leave_out_conjuncts(work *w) {
  uint32_t first = 0;
  while (first < w->n && w->part[first] != PART_WHEN) first++;
  if (first == w->n) return true;
  uint32_t begin = first + 1, last = begin, mark[64], n = 0;
  int depth = 0;
  for (uint32_t i = begin; i < w->n && w->part[i] == PART_WHEN; i++) {
    if (opens(w->t[i].kind)) depth++;
    if (closes(w->t[i].kind)) depth--;
    if (depth == 0 && w->t[i].kind == TK_OR) n = 64; /* no conjunction at the top */
    if (depth == 0 && w->t[i].kind == TK_AND && n < 63) mark[n++] = i;
    last = i;
  }
  if (n >= 63) return true;
  if (n == 0) return change(w, first, last, "condition left out", "");
  if (!change(w, begin, mark[0], "conjunct left out", "")) return false;
  for (uint32_t k = 0; k < n; k++)
    if (!change(w, mark[k], k + 1 < n ? mark[k + 1] - 1 : last, "conjunct left out", ""))
      return false;
  return true;
}

/* `@ints` and `@{int, bool}` of the pattern are left out. */
static bool leave_out_dtype(work *w, uint32_t i) {
  uint32_t e = i + 1;
  if (e < w->n && w->t[e].kind == TK_BANG) e++;
  if (e < w->n && w->t[e].kind == TK_LBRACE) e = partner(w, e, 1);
  return e >= w->n || change(w, i, e, "dtype left out", "");
}

static bool widen_set(work *w, uint32_t i) {
  if (i + 1 >= w->n || w->t[i + 1].kind != TK_IDENT || w->t[i + 1].p[0] < 'A' ||
      w->t[i + 1].p[0] > 'Z' || (i > 0 && w->t[i - 1].kind == TK_AT))
    return true;
  return change(w, i, i, "op set made wider", "{ADD, MUL, IDIV, MOD, ");
}

/* ---- a statement ---------------------------------------------------------------------------------- */

static bool in_pattern(work *w, uint32_t i) {
  const token *t = &w->t[i];
  if (t->kind == TK_INT) return off_by_one(w, i);
  if (t->kind == TK_AT) return leave_out_dtype(w, i);
  return t->kind != TK_LBRACE || widen_set(w, i);
}

/* Where numbers are computed, and no nodes are made. */
static bool is_exact(const work *w, uint32_t i) {
  if (w->part[i] == PART_WHEN || token_is(&w->t[0], "bound")) return true;
  int depth = 0;
  for (uint32_t k = 0; k < i; k++) {
    if (w->t[k].kind == TK_LBRACKET) depth++;
    if (w->t[k].kind == TK_RBRACKET) depth--;
  }
  return depth > 0;
}

static bool in_division(work *w, uint32_t i) {
  const char *floor = w->t[i].kind == TK_IDIV ? "floordiv(" : "floormod(";
  if (is_exact(w, i) && !change_operands(w, i, "floor for truncation", floor, ", ", ")", false))
    return false;
  return swap_operands(w, i);
}

static bool in_expression(work *w, uint32_t i) {
  const token *t = &w->t[i];
  if (in_dtypes(w, i)) return true;
  if (t->kind == TK_INT) return off_by_one(w, i);
  if (is_sign(w, i)) return change(w, i, i, "sign lost", "");
  if (t->kind == TK_IDENT && i + 1 < w->n && w->t[i + 1].kind == TK_LPAREN)
    return slips(w, i, functions, sizeof functions / sizeof *functions);
  if (is_name(t)) return other_name(w, i);
  if (!is_binary(w, i)) return true;
  if (!slips(w, i, operators, sizeof operators / sizeof *operators)) return false;
  if (t->kind == TK_IDIV || t->kind == TK_MOD) return in_division(w, i);
  return t->kind != TK_MINUS || swap_operands(w, i);
}

static bool mutate(work *w) {
  if (!leave_out_conjuncts(w)) return false;
  for (uint32_t i = 0; i < w->n; i++) {
    bool go_on = true;
    if (w->part[i] == PART_PATTERN) go_on = in_pattern(w, i);
    if (w->part[i] == PART_RIGHT || w->part[i] == PART_WHEN) go_on = in_expression(w, i);
    if (!go_on) return false;
  }
  return true;
}

/* Where a part begins: at ':', '->' or 'in', 'when', an attribute. */
static enum part part_after(const work *w, enum part p, const token *t, bool bound) {
  if (p == PART_HEAD) return t->kind == TK_COLON ? PART_PATTERN : p;
  if (token_is(t, "known") || token_is(t, "known-wrong") || token_is(t, "from"))
    return PART_ATTRIBUTE;
  if (p == PART_PATTERN && (t->kind == TK_ARROW || (bound && token_is(t, "in")))) return PART_RIGHT;
  if (p == PART_RIGHT && token_is(t, "when")) return PART_WHEN;
  (void)w;
  return p;
}

/* Reads the statement that the lexer is at. */
static bool read_statement(work *w, lexer *l) {
  enum part p = PART_HEAD;
  bool bound = token_is(&l->tok, "bound");
  w->n = 0;
  w->m.begin = at(w, &l->tok);
  do {
    enum part next = part_after(w, p, &l->tok, bound);
    /* the mark itself belongs to neither part, but for `when`, which a condition begins with */
    w->part[w->n] = next == p || next == PART_WHEN ? (uint8_t)next : (uint8_t)PART_HEAD;
    if (next == PART_ATTRIBUTE) w->part[w->n] = PART_ATTRIBUTE;
    w->t[w->n++] = l->tok;
    p = next;
    if (!rulelex_next(l)) return false;
  } while (l->tok.kind != TK_END && l->tok.kind != TK_EOF && w->n < MAX_TOKENS);
  w->m.end = end_of(w, &w->t[w->n - 1]);
  return w->n < MAX_TOKENS;
}

static bool is_rule(const work *w) {
  return w->n > 3 && (token_is(&w->t[0], "rule") || token_is(&w->t[0], "bound"));
}

bool pf_mutants(const char *text, size_t n, bool (*each)(const pf_mutant *m, void *arg),
                void *arg) {
  up_error err = {0};
  lexer l;
  work *w = calloc(1, sizeof *w);
  if (!w) return false;
  w->text = text;
  w->each = each;
  w->arg = arg;
  rulelex_init(&l, text, n, &err);
  bool ok = rulelex_next(&l);
  while (ok && l.tok.kind != TK_EOF) {
    if (l.tok.kind == TK_END) {
      ok = rulelex_next(&l);
      continue;
    }
    ok = read_statement(w, &l);
    if (!ok || !is_rule(w)) continue;
    w->m.name = at(w, &w->t[1]);
    snprintf(w->name, sizeof w->name, "%.*s", (int)w->t[1].n, w->t[1].p);
    w->m.number = 0;
    ok = mutate(w);
  }
  free(w);
  return ok;
}

/* ---- texts ---------------------------------------------------------------------------------------- */

static void put_from(const pf_mutant *m, const char *text, size_t begin, size_t end, up_buf *out) {
  up_buf_put(out, text + begin, m->from - begin);
  up_buf_puts(out, m->with);
  up_buf_put(out, text + m->to, end - m->to);
}

bool pf_mutant_statement(const pf_mutant *m, const char *text, const char *name, up_buf *out) {
  size_t after = m->name + strlen(m->rule);
  up_buf_put(out, text + m->begin, m->name - m->begin);
  up_buf_puts(out, name ? name : m->rule);
  put_from(m, text, after, m->end, out);
  up_buf_puts(out, "\n");
  return !out->no_memory;
}

bool pf_mutant_text(const pf_mutant *m, const char *text, size_t n, up_buf *out) {
  put_from(m, text, 0, n, out);
  return !out->no_memory;
}
