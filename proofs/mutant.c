#include "mutant.h"

#include "statement.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAMES 16u

typedef struct work {
  st_statement s;
  char name[64], what[96], with[512];
  pf_mutant m;
  bool (*each)(const pf_mutant *m, void *arg);
  void *arg;
} work;

/* ---- one change ------------------------------------------------------------------------------- */

/* Tokens first..last become `with`. */
static bool change(work *w, uint32_t first, uint32_t last, const char *what, const char *with) {
  if (strlen(with) >= sizeof w->with) return true;
  snprintf(w->what, sizeof w->what, "%s", what);
  snprintf(w->with, sizeof w->with, "%s", with);
  w->m.rule = w->name;
  w->m.what = w->what;
  w->m.with = w->with;
  w->m.line = w->s.t[first].line;
  w->m.col = w->s.t[first].col;
  w->m.from = st_at(&w->s, first);
  w->m.to = st_end(&w->s, last);
  bool go_on = w->each(&w->m, w->arg);
  w->m.number++;
  return go_on;
}

static bool change_token(work *w, uint32_t i, const char *with) {
  char what[96];
  snprintf(what, sizeof what, "'%s' for '%.*s'", with, (int)w->s.t[i].n, w->s.t[i].p);
  return change(w, i, i, what, with);
}

/* ---- operands --------------------------------------------------------------------------------- */

/* "A op B" becomes `form` of A and B: "%2 op %1", "floordiv(%1, %2)". */
static bool change_operands(work *w, uint32_t i, const char *what, const char *open,
                            const char *between, const char *close, bool swap) {
  st_pair p;
  if (!st_operands(&w->s, i, &p)) return true;
  up_buf b = {0};
  up_buf_puts(&b, open);
  st_put(&w->s, swap ? p.b1 : p.b0, swap ? p.e1 : p.e0, &b);
  up_buf_puts(&b, between);
  st_put(&w->s, swap ? p.b0 : p.b1, swap ? p.e0 : p.e1, &b);
  up_buf_puts(&b, close);
  bool ok = b.no_memory ? false : change(w, p.b0, p.e1, what, b.p);
  up_buf_free(&b);
  return ok;
}

static bool swap_operands(work *w, uint32_t i) {
  char between[8];
  snprintf(between, sizeof between, " %.*s ", (int)w->s.t[i].n, w->s.t[i].p);
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
    if (w->s.t[i].n == strlen(s[k].is) && memcmp(w->s.t[i].p, s[k].is, w->s.t[i].n) == 0 &&
        !change_token(w, i, s[k].becomes))
      return false;
  return true;
}

static bool off_by_one(work *w, uint32_t i) {
  char with[32];
  if (w->s.t[i].ival == INT64_MAX || w->s.t[i].ival == INT64_MIN) return true;
  snprintf(with, sizeof with, "%lld", (long long)w->s.t[i].ival + 1);
  if (!change_token(w, i, with)) return false;
  /* a minus in front belongs to the number: 0 less one would need brackets */
  if (w->s.t[i].ival == 0) return true;
  snprintf(with, sizeof with, "%lld", (long long)w->s.t[i].ival - 1);
  return change_token(w, i, with);
}

/* A sign that is no subtraction. */
static bool is_sign(const work *w, uint32_t i) {
  return w->s.t[i].kind == TK_MINUS && !st_is_binary(&w->s, i);
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
  if (i > 0 && begins_dtype(&w->s.t[i - 1])) return true;
  while (i > 0 && (w->s.t[i].kind == TK_IDENT || w->s.t[i].kind == TK_COMMA)) i--;
  return i > 0 && w->s.t[i].kind == TK_LBRACE && begins_dtype(&w->s.t[i - 1]);
}

/* Names that the pattern binds: not behind @, no function, no constant True. */
static uint32_t bound_names(const work *w, uint32_t out[MAX_NAMES]) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->s.n; i++) {
    bool call = i + 1 < w->s.n && w->s.t[i + 1].kind == TK_LPAREN;
    if (w->s.part[i] != ST_PATTERN || !is_name(&w->s.t[i]) || call || in_dtypes(w, i)) continue;
    uint32_t k = 0;
    while (k < n && !same_word(&w->s.t[out[k]], &w->s.t[i])) k++;
    if (k == n && n < MAX_NAMES) out[n++] = i;
  }
  return n;
}

static bool constant_name(const token *t) { return t->p[0] == 'c' || t->p[0] == 'k'; }

/* The name at i becomes the next name of its kind. */
static bool other_name(work *w, uint32_t i) {
  uint32_t name[MAX_NAMES], n = bound_names(w, name), k = 0;
  while (k < n && !same_word(&w->s.t[name[k]], &w->s.t[i])) k++;
  for (uint32_t step = 1; k < n && step < n; step++) {
    const token *o = &w->s.t[name[(k + step) % n]];
    if (constant_name(o) != constant_name(&w->s.t[i])) continue;
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
  while (first < w->s.n && w->s.part[first] != ST_WHEN) first++;
  if (first == w->s.n) return true;
  uint32_t begin = first + 1, last = begin, mark[64], n = 0;
  int depth = 0;
  for (uint32_t i = begin; i < w->s.n && w->s.part[i] == ST_WHEN; i++) {
    if (st_opens(w->s.t[i].kind)) depth++;
    if (st_closes(w->s.t[i].kind)) depth--;
    if (depth == 0 && w->s.t[i].kind == TK_OR) n = 64; /* no conjunction at the top */
    if (depth == 0 && w->s.t[i].kind == TK_AND && n < 63) mark[n++] = i;
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
  if (e < w->s.n && w->s.t[e].kind == TK_BANG) e++;
  if (e < w->s.n && w->s.t[e].kind == TK_LBRACE) e = st_partner(&w->s, e, 1);
  return e >= w->s.n || change(w, i, e, "dtype left out", "");
}

static bool widen_set(work *w, uint32_t i) {
  if (i + 1 >= w->s.n || w->s.t[i + 1].kind != TK_IDENT || w->s.t[i + 1].p[0] < 'A' ||
      w->s.t[i + 1].p[0] > 'Z' || (i > 0 && w->s.t[i - 1].kind == TK_AT))
    return true;
  return change(w, i, i, "op set made wider", "{ADD, MUL, IDIV, MOD, ");
}

/* ---- a statement ---------------------------------------------------------------------------------- */

static bool in_pattern(work *w, uint32_t i) {
  const token *t = &w->s.t[i];
  if (t->kind == TK_INT) return off_by_one(w, i);
  if (t->kind == TK_AT) return leave_out_dtype(w, i);
  return t->kind != TK_LBRACE || widen_set(w, i);
}

/* Where numbers are computed, and no nodes are made. */
static bool is_exact(const work *w, uint32_t i) {
  if (w->s.part[i] == ST_WHEN || token_is(&w->s.t[0], "bound")) return true;
  int depth = 0;
  for (uint32_t k = 0; k < i; k++) {
    if (w->s.t[k].kind == TK_LBRACKET) depth++;
    if (w->s.t[k].kind == TK_RBRACKET) depth--;
  }
  return depth > 0;
}

static bool in_division(work *w, uint32_t i) {
  const char *floor = w->s.t[i].kind == TK_IDIV ? "floordiv(" : "floormod(";
  if (is_exact(w, i) && !change_operands(w, i, "floor for truncation", floor, ", ", ")", false))
    return false;
  return swap_operands(w, i);
}

static bool in_expression(work *w, uint32_t i) {
  const token *t = &w->s.t[i];
  if (in_dtypes(w, i)) return true;
  if (t->kind == TK_INT) return off_by_one(w, i);
  if (is_sign(w, i)) return change(w, i, i, "sign lost", "");
  if (t->kind == TK_IDENT && i + 1 < w->s.n && w->s.t[i + 1].kind == TK_LPAREN)
    return slips(w, i, functions, sizeof functions / sizeof *functions);
  if (is_name(t)) return other_name(w, i);
  if (!st_is_binary(&w->s, i)) return true;
  if (!slips(w, i, operators, sizeof operators / sizeof *operators)) return false;
  if (t->kind == TK_IDIV || t->kind == TK_MOD) return in_division(w, i);
  return t->kind != TK_MINUS || swap_operands(w, i);
}

static bool mutate(work *w) {
  if (!leave_out_conjuncts(w)) return false;
  for (uint32_t i = 0; i < w->s.n; i++) {
    bool go_on = true;
    if (w->s.part[i] == ST_PATTERN) go_on = in_pattern(w, i);
    if (w->s.part[i] == ST_RIGHT || w->s.part[i] == ST_WHEN) go_on = in_expression(w, i);
    if (!go_on) return false;
  }
  return true;
}

bool pf_mutants(const char *text, size_t n, bool (*each)(const pf_mutant *m, void *arg),
                void *arg) {
  up_error err = {0};
  lexer l;
  work *w = calloc(1, sizeof *w);
  if (!w) return false;
  w->s.text = text;
  w->each = each;
  w->arg = arg;
  rulelex_init(&l, text, n, &err);
  bool ok = rulelex_next(&l);
  while (ok && l.tok.kind != TK_EOF) {
    if (l.tok.kind == TK_END) {
      ok = rulelex_next(&l);
      continue;
    }
    ok = st_read(&w->s, &l);
    if (!ok || !st_is_rule(&w->s)) continue;
    w->m.begin = w->s.begin;
    w->m.end = w->s.end;
    w->m.name = st_at(&w->s, 1);
    snprintf(w->name, sizeof w->name, "%.*s", (int)w->s.t[1].n, w->s.t[1].p);
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
