#include "delta.h"

#include "statement.h"
#include <stdlib.h>
#include <string.h>

/* Bytes of the text; empty: absent. */
typedef struct span {
  size_t from, to;
} span;

typedef struct parts {
  st_statement s;
  uint32_t right, when, end; /* first tokens of right side and condition, and past the condition */
  uint32_t comma, close;     /* of a bound: behind its ends */
} parts;

static bool read_parts(const pf_mutant *m, const char *text, parts *p) {
  up_error err = {0};
  lexer l;
  p->s.text = text;
  rulelex_init(&l, text + m->begin, m->end - m->begin, &err);
  if (!rulelex_next(&l) || !st_read(&p->s, &l)) return false;
  uint32_t n = p->s.n;
  for (p->right = 0; p->right < n && p->s.part[p->right] != ST_RIGHT;) p->right++;
  for (p->when = p->right; p->when < n && p->s.part[p->when] == ST_RIGHT;) p->when++;
  for (p->end = p->when; p->end < n && p->s.part[p->end] == ST_WHEN;) p->end++;
  if (p->right == n || !token_is(&p->s.t[0], "bound")) return p->right < n;
  p->close = st_partner(&p->s, p->right, 1);
  int depth = 0;
  for (p->comma = p->right; p->comma < p->close; p->comma++) {
    if (st_opens(p->s.t[p->comma].kind)) depth++;
    if (st_closes(p->s.t[p->comma].kind)) depth--;
    if (depth == 1 && p->s.t[p->comma].kind == TK_COMMA) break;
  }
  return p->comma < p->close && p->close < n;
}

static span tokens(const parts *p, uint32_t first, uint32_t past) {
  return first < past ? (span){st_at(&p->s, first), st_end(&p->s, past - 1)} : (span){0, 0};
}

static bool is_inside(const pf_mutant *m, span s) { return s.from <= m->from && m->to <= s.to; }

static void put_span(const char *text, span s, up_buf *out) {
  up_buf_put(out, text + s.from, s.to - s.from);
}

/* With the change, if it is in there. */
static void put_changed(const pf_mutant *m, const char *text, span s, up_buf *out) {
  if (!is_inside(m, s)) {
    put_span(text, s, out);
    return;
  }
  put_span(text, (span){s.from, m->from}, out);
  up_buf_puts(out, m->with);
  put_span(text, (span){m->to, s.to}, out);
}

/* ---- where the rule's own expressions raise ------------------------------------------------------- */

static bool is_division_call(const st_statement *s, uint32_t i) {
  static const char *const name[] = {"floordiv", "floormod", "ceildiv", "float_ceildiv",
                                     "float_floordiv"};
  for (size_t k = 0; k < sizeof name / sizeof *name; k++)
    if (token_is(&s->t[i], name[k])) return true;
  return false;
}

/* "(D) != 0 and " for what the operator or call at i divides by, "(D) >= 0 and " for what it shifts
 * by. False: no telling what that is. */
static bool put_guard(const st_statement *s, uint32_t i, up_buf *out) {
  rtok k = s->t[i].kind;
  bool shift = k == TK_SHL || k == TK_SHR;
  uint32_t first = 0, last = 0;
  if (shift || k == TK_IDIV || k == TK_MOD) {
    st_pair p;
    if (!st_operands(s, i, &p)) return false;
    first = p.b1;
    last = p.e1;
  } else if (is_division_call(s, i)) {
    uint32_t close = st_partner(s, i + 1, 1);
    int depth = 0;
    for (uint32_t n = i + 1; n < close; n++) {
      if (st_opens(s->t[n].kind)) depth++;
      if (st_closes(s->t[n].kind)) depth--;
      if (depth == 1 && s->t[n].kind == TK_COMMA) first = n + 1;
    }
    if (first == 0 || close >= s->n) return false;
    last = close - 1;
  } else {
    return true;
  }
  up_buf_puts(out, "(");
  st_put(s, first, last, out);
  up_buf_puts(out, shift ? ") >= 0 and " : ") != 0 and ");
  return true;
}

/* The last ones first: what a divisor itself divides by stands behind it. */
static bool put_guards(const st_statement *s, uint32_t first, uint32_t past, up_buf *out) {
  for (uint32_t i = past; i-- > first;)
    if (!put_guard(s, i, out)) return false;
  return true;
}

/* ---- the statement ---------------------------------------------------------------------------------- */

/* "not (the rule applies here)". */
static bool put_not_applies(const parts *p, up_buf *out) {
  if (p->when == p->end) return false;
  up_buf_puts(out, "not (");
  if (!put_guards(&p->s, p->when + 1, p->end, out)) return false;
  up_buf_puts(out, "(");
  st_put(&p->s, p->when + 1, p->end - 1, out);
  up_buf_puts(out, "))");
  return true;
}

/* Is the node that is bounded an integer for certain? Of a bool 0 <= lo is claimed, too. */
static bool is_of_integers(const parts *p) {
  uint32_t n = p->right;
  while (n > 0 && p->s.part[n - 1] != ST_PATTERN) n--;
  if (n < 2 || p->s.t[n - 2].kind != TK_AT) return false;
  return token_is(&p->s.t[n - 1], "ints") || token_is(&p->s.t[n - 1], "sints");
}

/* "not (the rule's bounds lie within those of the mutant)". */
static bool put_not_within(const pf_mutant *m, const char *text, const parts *p, up_buf *out) {
  span lo = tokens(p, p->right + 1, p->comma), hi = tokens(p, p->comma + 1, p->close);
  if (!is_inside(m, lo) && !is_inside(m, hi)) return false;
  up_buf_puts(out, "not (");
  if (!put_guards(&p->s, p->right, p->close, out)) return false;
  up_buf_puts(out, "(");
  put_changed(m, text, lo, out);
  up_buf_puts(out, is_of_integers(p) ? ") <= (" : ") == (");
  put_span(text, lo, out);
  up_buf_puts(out, ") and (");
  put_span(text, hi, out);
  up_buf_puts(out, ") <= (");
  put_changed(m, text, hi, out);
  up_buf_puts(out, "))");
  return true;
}

static bool put_delta(const pf_mutant *m, const char *text, const parts *p, up_buf *out) {
  span left = {m->name + strlen(m->rule), st_at(&p->s, p->right)};
  span right = tokens(p, p->right, p->when), when = tokens(p, p->when, p->end);
  bool condition = is_inside(m, when), bounds = is_inside(m, right) && p->close > 0;
  if (!condition && !bounds) return false;
  put_span(text, left, out);
  put_changed(m, text, right, out);
  up_buf_puts(out, " when ");
  bool gone = condition && m->from == when.from; /* the condition was left out */
  if (p->when < p->end && !gone) {
    up_buf_puts(out, "(");
    put_changed(m, text, tokens(p, p->when + 1, p->end), out);
    up_buf_puts(out, ") and ");
  }
  bool known = condition ? put_not_applies(p, out) : put_not_within(m, text, p, out);
  up_buf_puts(out, "\n");
  return known;
}

bool pf_delta(const pf_mutant *m, const char *text, const char *name, up_buf *out) {
  parts *p = calloc(1, sizeof *p);
  if (!p) {
    out->no_memory = true;
    return false;
  }
  bool ok = read_parts(m, text, p);
  if (ok) {
    put_span(text, (span){m->begin, m->name}, out);
    up_buf_puts(out, name ? name : m->rule);
    ok = put_delta(m, text, p, out);
  }
  free(p);
  return ok && !out->no_memory;
}
