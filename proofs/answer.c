/* Verdicts, answers, points, sessions. */
#include "prover.h"

#include <stdio.h>
#include <stdlib.h>

const char *pf_verdict_name(pf_verdict v) {
  static const char *const name[PF_VERDICT_COUNT] = {"proved",  "refuted",     "unknown",
                                                     "vacuous", "unsupported", "error"};
  return name[v];
}

void pf_point_clear(pf_point *p) {
  for (uint32_t k = 0; k < p->n; k++) mpz_clears(p->p[k].value, p->p[k].lo, p->p[k].hi, (mpz_ptr)0);
  free(p->p);
  *p = (pf_point){0};
}

static void put_number(const char *before, const mpz_t v, up_buf *out) {
  char *text = mpz_get_str(NULL, 10, v);
  up_buf_printf(out, "%s%s", before, text ? text : "?");
  free(text);
}

void pf_point_put(const pf_instance *i, const pf_point *at, up_buf *out) {
  const patnames *names = &i->book->rule[i->rule].names;
  for (uint32_t k = 0; k < at->n; k++) {
    const pf_value *v = &at->p[k];
    int slot = i->term[v->term].slot;
    up_buf_puts(out, k ? ", " : "");
    if (slot >= 0)
      up_buf_put(out, names->name[slot].p, names->name[slot].n);
    else
      up_buf_puts(out, "_");
    if (i->term[v->term].kind == PF_OP && !v->has_bounds) {
      up_buf_puts(out, " as it follows");
      continue;
    }
    if (!v->defined)
      up_buf_puts(out, " undefined");
    else if (i->term[v->term].kind != PF_OP)
      put_number(" = ", v->value, out);
    if (!v->has_bounds) continue;
    put_number(" in [", v->lo, out);
    put_number(", ", v->hi, out);
    up_buf_puts(out, "]");
  }
}

pf_answer pf_answer_of(pf_verdict v, const char *by, const char *why) {
  pf_answer a = {.verdict = v, .by = by ? by : ""};
  snprintf(a.reason, sizeof a.reason, "%s", why ? why : "");
  return a;
}

const char *pf_while_name(pf_while w) {
  static const char *const name[PF_WHILE_COUNT] = {"", "left in range", "both in range"};
  return name[w];
}

void pf_answer_clear(pf_answer *a) {
  pf_point_clear(&a->point);
  up_buf_free(&a->counterexample);
  up_buf_free(&a->witness);
  *a = (pf_answer){0};
}

pf_prover *pf_prover_new(const pf_limits *l) {
  pf_prover *p = calloc(1, sizeof *p);
  if (p) p->limits = *l;
  return p;
}

void pf_prover_free(pf_prover *p) {
  if (!p) return;
  z3_free(&p->z);
  free(p);
}
