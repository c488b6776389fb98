/* Rows of the ledger, and their answers. */
#include "ledger.h"

#include "lemma.h"
#include "prover.h"
#include "scope.h"
#include "trusted.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of every key: an encoding that answers differently gets another number. */
static const char *const encoding[OR_FRAME_COUNT] = {"ideal 2", "wrap 2", "refine 2"};

/* A row with what it is about; the instance is NULL where there is none. */
typedef struct entry {
  pf_row row;
  pf_instance *instance;
  const up_profile *profile; /* whose rule the instance is of: the ledger's, or one of lemmas */
  bool scope;                /* a native rule, run on the small scope */
  uint32_t number;           /* ... this one */
} entry;

struct pf_ledger {
  const up_profile *profile;
  pf_lemmas *lemmas;
  entry *entry;
  uint32_t n, cap;
  pf_ledger
      *ideal; /* all rules in ideal, answered by the committed verdicts; NULL: not asked for */
  /* while rows are made */
  const pf_what *what;
  pf_row model; /* rule, lemma, kind, file, line, frame of the next rows */
  const up_profile *of;
  bool no_memory;
};

/* ---- keys ---------------------------------------------------------------------------------------- */

static uint64_t hash(uint64_t h, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return h;
}

/* Two FNV-1a hashes from different starts. */
static void make_key(or_frame f, const up_buf *text, char out[PF_KEY]) {
  uint64_t h[2] = {UINT64_C(0xcbf29ce484222325), UINT64_C(0x9ae16a3b2f90404f)};
  for (int k = 0; k < 2; k++) {
    h[k] = hash(h[k], encoding[f], strlen(encoding[f]) + 1);
    h[k] = hash(h[k], text->p, text->len);
    h[k] ^= h[k] >> 29;
  }
  snprintf(out, PF_KEY, "%016llx%016llx", (unsigned long long)h[0], (unsigned long long)h[1]);
}

/* ---- rows ------------------------------------------------------------------------------------------ */

static char *copy_text(const char *s) {
  size_t n = strlen(s) + 1;
  char *p = malloc(n);
  if (p) memcpy(p, s, n);
  return p;
}

static void replace(char **text, const char *s, bool *ok) {
  free(*text);
  *text = copy_text(s);
  *ok = *ok && *text;
}

static void set_while(pf_row *r, pf_while what, const char *by, bool left_stays) {
  r->holds_while = what;
  r->left_stays = left_stays;
  snprintf(r->while_by, sizeof r->while_by, "%s", by);
}

/* Also forgets what has to stay in range. */
static bool set_texts(pf_row *r, const char *reason, const char *counterexample,
                      const char *witness) {
  bool ok = true;
  replace(&r->reason, reason, &ok);
  replace(&r->counterexample, counterexample, &ok);
  replace(&r->witness, witness, &ok);
  set_while(r, PF_NEVER, "", false);
  return ok;
}

static pf_instance *copy_instance(const pf_instance *i) {
  pf_instance *p = malloc(sizeof *p);
  pf_term *t = malloc(i->nterm * sizeof *t);
  if (!p || !t) {
    free(p);
    free(t);
    return NULL;
  }
  *p = *i;
  memcpy(t, i->term, i->nterm * sizeof *t);
  p->term = t;
  p->cap = i->nterm;
  return p;
}

static void free_instance(pf_instance *i) {
  if (i) free(i->term);
  free(i);
}

/* NULL: no memory. */
static entry *add_row(pf_ledger *l) {
  if (!rule_grow(&l->entry, &l->cap, l->n + 1, sizeof *l->entry)) {
    l->no_memory = true;
    return NULL;
  }
  entry *e = &l->entry[l->n];
  *e = (entry){.row = l->model, .profile = l->of};
  if (!set_texts(&e->row, "", "", "")) {
    l->no_memory = true;
    return NULL;
  }
  l->n++;
  return e;
}

static bool add_instance(pf_instance *i, void *arg) {
  pf_ledger *l = arg;
  up_buf text = {0};
  entry *e = add_row(l);
  if (!e) return false;
  e->instance = copy_instance(i);
  memcpy(e->row.label, i->label, sizeof e->row.label);
  pf_instance_put(i, &text);
  if (!e->instance || text.no_memory) l->no_memory = true;
  if (!text.no_memory) make_key(l->model.frame, &text, e->row.key);
  up_buf_free(&text);
  return !l->no_memory;
}

static void add_unsupported(pf_ledger *l, const char *reason) {
  entry *e = add_row(l);
  if (!e) return;
  e->row.verdict = PF_UNSUPPORTED;
  e->row.answered = true;
  if (!set_texts(&e->row, reason, "", "")) l->no_memory = true;
}

static void add_instances(pf_ledger *l, const rulebook *b, uint32_t number) {
  pf_left_out left;
  bool ideal = l->model.frame == OR_IDEAL;
  bool all = pf_instances(b, number, l->what->types, ideal, add_instance, l, &left);
  if (!all || left.no_memory) l->no_memory = true;
  if (left.choices > 0) add_unsupported(l, left.reason);
}

/* The C code of a native right side on the small scope. Keyed by the rule's text and by the digest of
 * engine/fold/, so that a changed function is run again. */
static void add_scope(pf_ledger *l, uint32_t number) {
  up_buf text = {0};
  entry *e = add_row(l);
  if (!e) return;
  e->scope = true;
  e->number = number;
  snprintf(e->row.label, sizeof e->row.label, "small scope");
  up_buf_printf(&text, "scope 2 %s %s\n%s", UPROOF_FOLD_DIGEST, up_profile_base(l->profile),
                l->profile->book.rule[number].text);
  if (text.no_memory)
    l->no_memory = true;
  else
    make_key(l->model.frame, &text, e->row.key);
  up_buf_free(&text);
}

/* A native right side: all its lemmas, each with its own mark. */
static void add_lemmas(pf_ledger *l, const char *rule_name) {
  pf_lemma m;
  uint32_t i = 0;
  const unsigned wrong_in = l->model.wrong_in;
  for (; l->lemmas && pf_lemma_at(l->lemmas, rule_name, i, &m) && !l->no_memory; i++) {
    const rule *r = &m.book->rule[m.rule];
    l->model.lemma = r->name;
    l->model.wrong_in = r->known_wrong ? r->wrong_in : 0;
    l->of = m.profile;
    add_instances(l, m.book, m.rule);
  }
  l->of = l->profile;
  l->model.lemma = NULL;
  l->model.wrong_in = wrong_in;
  if (i == 0) add_unsupported(l, "native right side without a lemma");
}

static void add_rule(pf_ledger *l, uint32_t number) {
  const rule *r = &l->profile->book.rule[number];
  if (l->what->rule && strcmp(r->name, l->what->rule) != 0) return;
  if (l->what->file && strcmp(r->file, l->what->file) != 0) return;
  for (unsigned f = 0; f < l->what->nframe && !l->no_memory; f++) {
    l->model = (pf_row){.rule = r->name, .kind = r->kind, .file = r->file, .line = r->line};
    l->model.wrong_in = r->known_wrong ? r->wrong_in : 0;
    l->model.frame = l->what->frame[f];
    l->of = l->profile;
    if (r->native) {
      add_lemmas(l, r->name);
      add_scope(l, number);
    } else {
      add_instances(l, &l->profile->book, number);
    }
  }
}

pf_ledger *pf_ledger_new(const up_profile *p, const pf_what *what, up_error *err) {
  pf_ledger *l = calloc(1, sizeof *l);
  if (!l) {
    up_fail(err, 0, 0, "out of memory");
    return NULL;
  }
  l->profile = p;
  l->what = what;
  l->lemmas = pf_lemmas_load(up_profile_base(p), err);
  for (uint32_t i = 0; l->lemmas && i < p->book.nrule && !l->no_memory; i++) add_rule(l, i);
  if (l->no_memory) up_fail(err, 0, 0, "out of memory");
  if (l->lemmas && !l->no_memory) return l;
  pf_ledger_free(l);
  return NULL;
}

void pf_ledger_free(pf_ledger *l) {
  if (!l) return;
  for (uint32_t i = 0; i < l->n; i++) {
    free_instance(l->entry[i].instance);
    free(l->entry[i].row.reason);
    free(l->entry[i].row.counterexample);
    free(l->entry[i].row.witness);
  }
  free(l->entry);
  pf_ledger_free(l->ideal);
  pf_lemmas_free(l->lemmas);
  free(l);
}

uint32_t pf_ledger_count(const pf_ledger *l) { return l->n; }
const pf_row *pf_ledger_row(const pf_ledger *l, uint32_t i) { return &l->entry[i].row; }

/* ---- answers ------------------------------------------------------------------------------------------ */

/* What the runs say. Nothing applied: nothing is known. */
static pf_verdict verdict_of_scope(const pf_scope_row *s, char reason[160]) {
  snprintf(reason, 160, "applied to %llu of %llu graphs%s", (unsigned long long)s->applied,
           (unsigned long long)s->tried,
           s->inherited ? "; differences that a wrong bounds claim explains are left out" : "");
  if (s->wrong || s->raised) return PF_REFUTED;
  if (s->applied > s->unsupported) return PF_PROVED;
  snprintf(reason, 160, "applies to no graph of the small scope");
  return PF_UNSUPPORTED;
}

static void one_line(up_buf *b) {
  for (size_t i = 0; i < b->len; i++)
    if (b->p[i] == '\n') b->p[i] = ' ';
}

static void prove_scope(pf_ledger *l, entry *e) {
  pf_scope_row s = {0};
  pf_row *r = &e->row;
  char reason[160] = "the small scope could not be run";
  bool ok = pf_scope_rule(l->profile, e->number, r->frame, PF_WHOLE_SCOPE, &s);
  r->verdict = ok ? verdict_of_scope(&s, reason) : PF_ERROR;
  snprintf(r->by, sizeof r->by, "small scope");
  one_line(&s.first);
  if (!set_texts(r, reason, r->verdict == PF_REFUTED && s.first.p ? s.first.p : "", ""))
    r->verdict = PF_ERROR;
  r->answered = true;
  up_buf_free(&s.first);
}

/* NULL: not known, no memory. */
static pf_ledger *ledger_of_ideal(const pf_ledger *l) {
  static const or_frame ideal = OR_IDEAL;
  const pf_what all = {.frame = &ideal, .nframe = 1, .types = ~0u};
  up_error err;
  pf_cache *c = pf_cache_committed(&err);
  pf_ledger *i = c ? pf_ledger_new(l->profile, &all, &err) : NULL;
  if (i) pf_cache_answer(c, i, 0);
  pf_cache_free(c);
  return i;
}

/* Are all instances of the row's rule, or of its lemma, proved in ideal by the committed verdicts? */
static bool holds_in_ideal(pf_ledger *l, const pf_row *r) {
  uint32_t proved = 0;
  if (r->frame == OR_IDEAL) return false;
  if (!l->ideal) l->ideal = ledger_of_ideal(l);
  for (uint32_t i = 0; l->ideal && i < l->ideal->n; i++) {
    const entry *e = &l->ideal->entry[i];
    bool of_row = e->instance && strcmp(e->row.rule, r->rule) == 0 &&
                  strcmp(e->row.lemma ? e->row.lemma : "", r->lemma ? r->lemma : "") == 0;
    if (!of_row) continue;
    if (!e->row.answered || e->row.verdict != PF_PROVED) return false;
    proved++;
  }
  return proved > 0;
}

void pf_ledger_prove(pf_ledger *l, uint32_t i, pf_prover *p) {
  entry *e = &l->entry[i];
  pf_row *r = &e->row;
  if (!r->answered && e->scope) prove_scope(l, e);
  if (r->answered || !e->instance) return;
  p->limits.profile = e->profile;
  p->limits.holds_in_ideal = holds_in_ideal(l, r);
  pf_answer a = pf_prove(p, e->instance, r->frame);
  r->verdict = a.verdict;
  r->second = a.second;
  r->resource = a.resource;
  r->rlimit = p->limits.rlimit;
  snprintf(r->by, sizeof r->by, "%s", a.by);
  if (!set_texts(r, a.reason, a.counterexample.p ? a.counterexample.p : "",
                 a.witness.p ? a.witness.p : ""))
    r->verdict = PF_ERROR;
  set_while(r, a.holds_while, a.while_by ? a.while_by : "", a.left_stays);
  r->answered = true;
  pf_answer_clear(&a);
}

bool pf_ledger_query(pf_ledger *l, uint32_t i, pf_prover *p, up_buf *out) {
  const entry *e = &l->entry[i];
  return e->instance && pf_query(p, e->instance, e->row.frame, out);
}

pf_optimality pf_ledger_optimality(pf_ledger *l, uint32_t i, pf_prover *p, up_buf *out) {
  const entry *e = &l->entry[i];
  bool claim = e->instance && e->row.kind == UP_RULE_BOUND && e->row.frame == OR_IDEAL &&
               e->row.answered && e->row.verdict == PF_PROVED;
  return claim ? pf_find_optimality(p, e->instance, out) : PF_NO_BOUNDS;
}

/* Fields are separated by tabs: in a text they become blanks. */
static void put_field(const char *s, up_buf *out) {
  up_buf_puts(out, "\t");
  for (; *s; s++) up_buf_put(out, *s == '\t' || *s == '\n' || *s == '\r' ? " " : s, 1);
}

void pf_ledger_put(const pf_ledger *l, uint32_t i, up_buf *out) {
  const pf_row *r = &l->entry[i].row;
  up_buf_printf(out, "%s\t%s\t%s\t%llu\t%u\t%u", r->key, pf_verdict_name(r->verdict), r->by,
                (unsigned long long)r->resource, r->rlimit, (unsigned)r->second);
  put_field(r->witness, out);
  put_field(r->counterexample, out);
  put_field(r->reason, out);
  if (r->holds_while == PF_NEVER && !r->left_stays) return;
  put_field(pf_while_name(r->holds_while), out);
  put_field(r->while_by, out);
  up_buf_printf(out, "\t%d", r->left_stays);
}

static bool read_number(const char *s, uint64_t max, uint64_t *out) {
  char *end;
  if (*s < '0' || *s > '9') return false;
  *out = strtoull(s, &end, 10);
  return *end == 0 && *out <= max;
}

static bool read_verdict(const char *s, pf_verdict *out) {
  for (int v = 0; v < PF_VERDICT_COUNT; v++) {
    *out = (pf_verdict)v;
    if (strcmp(pf_verdict_name(*out), s) == 0) return true;
  }
  return false;
}

static bool read_while(const char *s, pf_while *out) {
  for (int w = 0; w < PF_WHILE_COUNT; w++) {
    *out = (pf_while)w;
    if (strcmp(pf_while_name(*out), s) == 0) return true;
  }
  return false;
}

static bool take_while(pf_row *r, char *field[3]) {
  pf_while w;
  uint64_t stays;
  if (!read_while(field[0], &w) || strlen(field[1]) >= sizeof r->while_by ||
      !read_number(field[2], 1, &stays))
    return false;
  set_while(r, w, field[1], stays != 0);
  return true;
}

static bool take_fields(pf_row *r, char *field[PF_MOST_FIELDS]) {
  uint64_t resource, rlimit, second;
  if (strcmp(field[0], r->key) != 0 || !read_verdict(field[1], &r->verdict) ||
      !read_number(field[3], UINT64_MAX, &resource) ||
      !read_number(field[4], UINT32_MAX, &rlimit) ||
      !read_number(field[5], PF_SECOND_COUNT - 1, &second) || strlen(field[2]) >= sizeof r->by)
    return false;
  memcpy(r->by, field[2], strlen(field[2]) + 1);
  r->resource = resource;
  r->rlimit = (uint32_t)rlimit;
  r->second = (pf_second)second;
  r->answered = set_texts(r, field[8], field[7], field[6]);
  return r->answered;
}

bool pf_ledger_take(pf_ledger *l, uint32_t i, const char *line, size_t n) {
  char *text = malloc(n + 1), *field[PF_MOST_FIELDS];
  if (!text) return false;
  memcpy(text, line, n);
  text[n] = 0;
  unsigned k = 0;
  field[k++] = text;
  for (char *s = text; *s && k < PF_MOST_FIELDS; s++) {
    if (*s != '\t') continue;
    *s = 0;
    field[k++] = s + 1;
  }
  pf_row *r = &l->entry[i].row;
  bool ok = (k == PF_FIELDS || k == PF_MOST_FIELDS) && take_fields(r, field) &&
            (k == PF_FIELDS || take_while(r, field + PF_FIELDS));
  r->answered = r->answered && ok;
  free(text);
  return ok;
}

void pf_ledger_give_up(pf_ledger *l, uint32_t i, pf_verdict v, const char *reason) {
  pf_row *r = &l->entry[i].row;
  r->verdict = v;
  r->by[0] = 0;
  r->answered = true;
  r->second = PF_NOT_ASKED;
  if (!set_texts(r, reason, "", "")) r->verdict = PF_ERROR;
}

void pf_ledger_forget(pf_ledger *l, uint32_t i) {
  l->entry[i].row.answered = l->entry[i].row.cached = false;
}

void pf_ledger_mark_cached(pf_ledger *l, uint32_t i) { l->entry[i].row.cached = true; }
