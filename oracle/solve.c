/* Questions of the cascade to the solver, in its process or in this one. */
#include "z3enc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- in the solver's process ----------------------------------------------------------------- */

typedef struct reply_head {
  uint32_t found, guess, nvalue;
  char why[120];
} reply_head;

static bool new_values(uint32_t n, mpz_t **out) {
  *out = calloc(n + 1, sizeof **out);
  for (uint32_t i = 0; *out && i < n; i++) mpz_init((*out)[i]);
  return *out != NULL;
}

static void free_values(uint32_t n, mpz_t *v) {
  for (uint32_t i = 0; v && i < n; i++) mpz_clear(v[i]);
  free(v);
}

/* Each as a decimal text with its end. */
static void put_values(uint32_t n, const mpz_t *v, up_buf *out) {
  for (uint32_t i = 0; i < n; i++) {
    char *text = malloc(mpz_sizeinbase(v[i], 10) + 2);
    if (text) mpz_get_str(text, 10, v[i]);
    if (text) up_buf_put(out, text, strlen(text) + 1);
    if (!text) out->no_memory = true;
    free(text);
  }
}

static void serve(void *state, const char *data, size_t n, up_buf *reply) {
  or_checker *k = state;
  reply_head h = {.found = OR_BROKEN, .why = "the question is garbled"};
  pr_range *claim = NULL;
  mpz_t *value = NULL;
  sv_question q = {0};
  if (sv_unpack(data, n, &k->program, &claim, &q) && new_values(q.p->nvar, &value)) {
    bool guess = false;
    h.why[0] = 0;
    h.found = z3_ask(&k->z3, &q, value, &guess, h.why);
    h.guess = guess;
  }
  if (h.found == OR_FOUND) h.nvalue = q.p->nvar;
  up_buf_put(reply, (const char *)&h, sizeof h);
  put_values(h.nvalue, value, reply);
  if (q.p) free_values(q.p->nvar, value);
  free(claim);
}

/* ---- in the checker's process ---------------------------------------------------------------- */

/* Reads the values behind the head. False: they are not there. */
static bool read_values(const char *p, size_t n, const pr_program *program, or_witness *w) {
  if (!pr_witness_init(program, w)) return false;
  for (uint32_t i = 0; i < w->n; i++) {
    const char *end = memchr(p, 0, n);
    if (!end || mpz_set_str(w->value[i], p, 10) != 0) return false;
    n -= (size_t)(end - p) + 1;
    p = end + 1;
  }
  return true;
}

static or_found read_reply(const up_buf *reply, const or_task *t, or_witness *w, bool *guess,
                           char *why) {
  reply_head h;
  snprintf(why, 120, "the solver's answer is garbled");
  if (reply->len < sizeof h) return OR_BROKEN;
  memcpy(&h, reply->p, sizeof h);
  if (h.found > OR_BROKEN || !memchr(h.why, 0, sizeof h.why)) return OR_BROKEN;
  if (h.found == OR_FOUND && (h.nvalue != t->p->nvar ||
                              !read_values(reply->p + sizeof h, reply->len - sizeof h, t->p, w))) {
    or_witness_clear(w);
    return OR_BROKEN;
  }
  *guess = h.guess != 0;
  memcpy(why, h.why, sizeof h.why);
  return (or_found)h.found;
}

static or_found ask_child(const or_task *t, const sv_question *q, or_witness *w, bool *guess,
                          char *why) {
  or_checker *k = t->k;
  up_buf question = {0}, reply = {0};
  or_found f = OR_BROKEN;
  snprintf(why, 120, "no memory");
  if (sv_pack(q, &question)) {
    switch (sv_ask(&k->solver, serve, k, k->limits.solver_seconds, &question, &reply, why)) {
    case SV_OK: f = read_reply(&reply, t, w, guess, why); break;
    case SV_SILENT:
      k->solver.deaf = true;
      f = OR_GAVE_UP;
      break;
    default: break;
    }
  }
  up_buf_free(&question);
  up_buf_free(&reply);
  return f;
}

static or_found ask_here(const or_task *t, const sv_question *q, or_witness *w, bool *guess,
                         char *why) {
  if (!pr_witness_init(t->p, w)) {
    snprintf(why, 120, "no memory");
    return OR_BROKEN;
  }
  or_found f = z3_ask(&t->k->z3, q, w->value, guess, why);
  if (f != OR_FOUND) or_witness_clear(w);
  return f;
}

/* A point of a question that says less than is known may be none. */
or_found or_try_guess(const or_task *t, or_witness *w, char *why) {
  uint32_t root;
  or_found f = or_refute(t, w, &root, NULL, NULL);
  if (f == OR_FOUND) return f;
  or_witness_clear(w);
  snprintf(why, 120, f == OR_CLEAN ? "bit operations are not integer terms" : "no memory");
  return f == OR_CLEAN ? OR_GAVE_UP : f;
}

or_found or_solve(const or_task *t, bool bits, uint32_t rlimit, or_witness *w, char *why) {
  sv_question q = {t->p, t->claim, t->root_limit, bits, rlimit};
  bool guess = false;
  if (t->k->solver.deaf) {
    snprintf(why, 120, "the solver did not answer in %u seconds", t->k->limits.solver_seconds);
    return OR_GAVE_UP;
  }
  or_found f = t->k->limits.solver_seconds > 0 ? ask_child(t, &q, w, &guess, why)
                                               : ask_here(t, &q, w, &guess, why);
  return f == OR_FOUND && guess ? or_try_guess(t, w, why) : f;
}
