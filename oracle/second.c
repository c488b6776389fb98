/* Questions of the cascade to cvc5: the terms that Z3 was given, as text. */
#include "cvc5.h"
#include "z3enc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading values -------------------------------------------------------------------------- */

/* `(- 12)`, `12`, `#b101` or `#x5`: the last two of a bit-vector, read as two's complement. */
static bool read_value(const char *p, mpz_t out) {
  bool minus = strncmp(p, "(- ", 3) == 0;
  if (minus) p += 3;
  int base = p[0] != '#' ? 10 : p[1] == 'b' ? 2 : p[1] == 'x' ? 16 : 0;
  if (base == 0) return false;
  if (base != 10) p += 2;
  size_t n = strcspn(p, " )\n");
  char *digits = n > 0 ? strndup(p, n) : NULL;
  bool ok = digits && isxdigit((unsigned char)digits[0]) && mpz_set_str(out, digits, base) == 0;
  free(digits);
  if (ok && minus) mpz_neg(out, out);
  if (ok) z3_read_signed(out, base == 10 ? 0 : base == 2 ? n : 4 * n);
  return ok;
}

/* One answer `((vN VALUE))` a variable, in order. */
static bool read_values(const up_buf *text, or_witness *w) {
  const char *p = text->p ? text->p : "";
  for (uint32_t i = 0; i < w->n; i++) {
    char head[24];
    snprintf(head, sizeof head, "((v%u ", i);
    p = strstr(p, head);
    if (!p || !read_value(p + strlen(head), w->value[i])) return false;
    p += strlen(head);
  }
  return true;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static or_found take_model(const or_task *t, const up_buf *rest, bool guess, or_witness *w,
                           char *why) {
  if (pr_witness_init(t->p, w) && read_values(rest, w)) {
    if (guess) return or_try_guess(t, w, why);
    /* no second opinion costs a verdict: a point that is none is not handed on */
    uint32_t root;
    if (or_refute(t, w, &root, NULL, NULL) == OR_FOUND) return OR_FOUND;
  }
  or_witness_clear(w);
  snprintf(why, 120, "its point can't be read, or is none");
  return OR_GAVE_UP;
}

static or_found ask(const or_task *t, const up_buf *query, uint32_t rlimit, bool guess,
                    or_witness *w, char *why) {
  uint32_t seconds = t->k->limits.solver_seconds;
  up_buf rest = {0};
  or_found f = OR_GAVE_UP;
  switch (cv_ask(query, rlimit / CV_PART, seconds ? seconds : CV_SECONDS, &rest, why)) {
  case CV_UNSAT: f = OR_CLEAN; break;
  case CV_SAT: f = take_model(t, &rest, guess, w, why); break;
  case CV_UNKNOWN: snprintf(why, 120, "gave up"); break;
  case CV_NOT_INSTALLED:
    t->k->no_second = true;
    why[0] = 0;
    f = OR_SKIPPED;
    break;
  default: break; /* why says it */
  }
  up_buf_free(&rest);
  return f;
}

or_found or_solve_second(const or_task *t, bool bits, uint32_t rlimit, or_witness *w, char *why) {
  sv_question q = {t->p, t->claim, t->root_limit, bits, rlimit};
  why[0] = 0;
  if (t->k->no_second) return OR_SKIPPED;
  up_buf query = {0};
  bool guess = false;
  up_buf_puts(&query, "(set-option :produce-models true)\n");
  or_found f = z3_write(&t->k->z3, &q, &query, &guess, why);
  for (uint32_t i = 0; i < t->p->nvar; i++) up_buf_printf(&query, "(get-value (v%u))\n", i);
  if (f == OR_FOUND)
    f = query.no_memory ? OR_GAVE_UP : ask(t, &query, rlimit, guess, w, why);
  else if (f == OR_BROKEN)
    f = OR_GAVE_UP;
  up_buf_free(&query);
  return f;
}
