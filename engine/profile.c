/* Profiles: which rule texts, which model. */
#include "rulebook.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TEXTS 4u
typedef struct profile_info {
  const char *name;
  up_model model;
  const char *text[MAX_TEXTS]; /* rule texts: of rewrite rules, and last of bounds rules */
} profile_info;

static const profile_info profiles[] = {
    {"v0.10.0", {.release = UP_REL_0_10}, {"symbolic-v0.10.0.rules", "bounds-v0.10.0.rules"}},
    {"v0.11.0", {.release = UP_REL_0_11}, {"symbolic-v0.11.0.rules", "bounds-v0.11.0.rules"}},
    {"v0.11.0:correct-divmod",
     {.release = UP_REL_0_11, .correct_divmod = true},
     {"symbolic-v0.11.0.rules", "bounds-v0.11.0.rules"}},
    {"v0.11.0:decompositions",
     {.release = UP_REL_0_11},
     {"decompositions-v0.11.0.rules", "bounds-v0.11.0.rules"}},
    {"sound",
     {.release = UP_REL_0_11, .total = true},
     {"symbolic-sound.rules", "bounds-sound.rules"}},
};

/* ---- loading ---------------------------------------------------------------------------- */

/* Behind a slash stands the rule set that is rewritten with. */
static const profile_info *find_info(const char *name, up_error *err) {
  char known[160] = "";
  size_t n = strcspn(name, "/");
  for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
    if (strncmp(profiles[i].name, name, n) == 0 && profiles[i].name[n] == 0) return &profiles[i];
    size_t at = strlen(known);
    snprintf(known + at, sizeof known - at, "%s%s", i ? ", " : "", profiles[i].name);
  }
  up_fail(err, 0, 0, "unknown profile '%.40s' (there are: %s)", name, known);
  return NULL;
}

static const char *text_at(const profile_info *info, unsigned i) {
  return i < MAX_TEXTS ? info->text[i] : NULL;
}

static const char *bounds_of(const profile_info *info) {
  unsigned last = 0;
  while (text_at(info, last + 1)) last++;
  return info->text[last];
}

static const up_embedded *find_embedded(const char *file) {
  for (unsigned i = 0; i < up_embedded_rules_count; i++)
    if (strcmp(up_embedded_rules[i].name, file) == 0) return &up_embedded_rules[i];
  return NULL;
}

static bool add_embedded(rulebook *b, const char *file, up_error *err) {
  up_error e = {0};
  const up_embedded *r = find_embedded(file);
  if (!r) return up_fail(err, 0, 0, "rule text %s is not part of this build", file);
  if (rulebook_add(b, file, (const char *)r->text, r->n, &e)) return true;
  return up_fail(err, e.line, e.col, "%s: %s", file, e.msg);
}

static up_profile *new_profile(const profile_info *info, const char *name, up_error *err) {
  up_profile *p = calloc(1, sizeof *p);
  size_t n = strlen(name) + 1;
  if (p) p->name = malloc(n);
  if (!p || !p->name) {
    free(p);
    up_fail(err, 0, 0, "out of memory");
    return NULL;
  }
  memcpy(p->name, name, n);
  p->base = info->name;
  p->model = info->model;
  return p;
}

/* Every profile has a set `symbolic`, be it an empty one. */
static up_profile *finish(up_profile *p, bool ok, up_error *err) {
  up_ruleset *symbolic = ok ? rulebook_need_set(&p->book, "symbolic", 8) : NULL;
  if (ok && !symbolic) ok = up_fail(err, 0, 0, "out of memory");
  p->symbolic = p->chosen = symbolic;
  const char *set = strchr(p->name, '/');
  if (ok && set) {
    p->chosen = set[1] == '=' ? rulebook_only(&p->book, set + 1, err)
                              : rulebook_set(&p->book, set + 1, strlen(set + 1));
    if (!p->chosen && set[1] != '=')
      up_fail(err, 0, 0, "profile %s has no rule set '%.40s'", p->base, set + 1);
    ok = p->chosen != NULL;
  }
  if (ok && rulebook_finish(&p->book, p, err)) return p;
  up_profile_free(p);
  return NULL;
}

up_profile *up_profile_load_interpreted(const char *name, up_error *err) {
  const profile_info *info = find_info(name, err);
  up_profile *p = info ? new_profile(info, name, err) : NULL;
  if (!p) return NULL;
  bool ok = true;
  for (unsigned i = 0; ok && text_at(info, i); i++)
    ok = add_embedded(&p->book, text_at(info, i), err);
  return finish(p, ok, err);
}

/* ---- the functions that rulec has made of the texts ---------------------------------------- */

static const compiled_file *find_compiled(const char *file, up_error *err) {
  const up_embedded *text = find_embedded(file);
  for (size_t i = 0; up_compiled_files[i]; i++) {
    const compiled_file *f = up_compiled_files[i];
    if (strcmp(f->name, file) != 0) continue;
    if (text && compiled_digest(text->text, text->n) == f->digest) return f;
    up_fail(err, 0, 0, "%s was compiled from another text", file);
    return NULL;
  }
  up_fail(err, 0, 0, "%s is not compiled in this build", file);
  return NULL;
}

/* The sets of the file, whose rules are those from number base on. */
static bool attach_sets(up_profile *p, const compiled_file *f, uint32_t base, up_error *err) {
  for (uint32_t i = 0; i < f->nset; i++) {
    up_ruleset *s = rulebook_set(&p->book, f->set[i].name, strlen(f->set[i].name));
    for (uint32_t k = 0; s && k < s->n; k++)
      if (s->rule[k] < base || s->rule[k] >= base + f->nrule) s = NULL;
    if (!s) return up_fail(err, 0, 0, "%s: set %s is not its own", f->name, f->set[i].name);
    s->compiled = f->set[i].by_op;
    s->rewrite = f->rewrite;
    s->base = base;
  }
  return true;
}

static bool attach(up_profile *p, const profile_info *info, up_error *err) {
  uint32_t base = 0;
  for (unsigned i = 0; text_at(info, i); i++) {
    const compiled_file *f = find_compiled(text_at(info, i), err);
    if (!f || !attach_sets(p, f, base, err)) return false;
    p->bounds = f->bounds;
    p->quick = f->quick;
    p->bounds_base = base;
    base += f->nrule;
  }
  assert(base == p->book.nrule);
  if (p->book.bounds.n == 0 || p->book.bounds.rule[0] >= p->bounds_base) return true;
  return up_fail(err, 0, 0, "%s: bounds rules in more than one text", info->name);
}

up_profile *up_profile_load(const char *name, up_error *err) {
  up_profile *p = up_profile_load_interpreted(name, err);
  if (!p || attach(p, find_info(name, err), err)) return p;
  up_profile_free(p);
  return NULL;
}

/* The texts' rules of one name, if any: an error of the user's text. Else *err stays. */
static void blame_own_rule(const rulebook *b, uint32_t own, const char *file, up_error *err) {
  rulebook base = {0};
  up_error ignored = {0};
  bool ok = add_embedded(&base, file, &ignored);
  for (uint32_t i = 0; ok && i < own; i++) {
    const rule *r = &b->rule[i];
    int old = rulebook_find(&base, r->name, strlen(r->name));
    if (old < 0) continue;
    up_fail(err, r->line, r->col, "rule '%s' is there already (%s line %u)", r->name, file,
            base.rule[old].line);
    break;
  }
  rulebook_free(&base);
}

/* Bound rules of the text come in front of those of the base. */
up_profile *up_profile_parse(const char *base, const char *rules_text, size_t n, up_error *err) {
  const profile_info *info = find_info(base, err);
  up_profile *p = info ? new_profile(info, base, err) : NULL;
  if (!p) return NULL;
  rulebook *b = &p->book;
  bool ok = rulebook_add(b, "rules", rules_text, n, err);
  if (ok && b->nset && !rulebook_set(b, "symbolic", 8))
    ok = up_fail(err, 0, 0, "the rules make no rule set 'symbolic'");
  uint32_t own = b->nrule;
  if (ok && !add_embedded(b, bounds_of(info), err)) {
    blame_own_rule(b, own, bounds_of(info), err);
    ok = false;
  }
  return finish(p, ok, err);
}

void up_profile_free(up_profile *p) {
  if (!p) return;
  external_free(p);
  rulebook_free(&p->book);
  free(p->name);
  free(p);
}

/* ---- looking in ------------------------------------------------------------------------- */

const char *up_profile_name(const up_profile *p) { return p->name; }
const char *up_profile_base(const up_profile *p) { return p->base; }
const up_ruleset *up_profile_chosen(const up_profile *p) { return p->chosen; }
const up_model *up_profile_model(const up_profile *p) { return &p->model; }
bool up_profile_rewrites(const up_profile *p, up_op op) {
  return p->symbolic->start[op] < p->symbolic->start[op + 1];
}
const quick_bounds *up_profile_quick_bounds(const up_profile *p, uint32_t *base) {
  *base = p->bounds_base;
  return p->quick;
}
const up_ruleset *up_profile_symbolic(const up_profile *p) { return p->symbolic; }

const up_ruleset *up_profile_ruleset(const up_profile *p, const char *name) {
  return rulebook_set(&p->book, name, strlen(name));
}

const up_ruleset *up_ruleset_at(const up_profile *p, uint32_t i) {
  return i < p->book.nset ? p->book.set[i] : NULL;
}

const char *up_ruleset_name(const up_ruleset *s) { return s->name; }

bool up_ruleset_has(const up_ruleset *s, uint32_t number) {
  for (uint32_t i = 0; i < s->n; i++)
    if (s->rule[i] == number) return true;
  return false;
}

const up_ruleset *up_profile_set_of(const up_profile *p, uint32_t number) {
  if (up_ruleset_has(p->symbolic, number)) return p->symbolic;
  for (uint32_t i = 0; i < p->book.nset; i++)
    if (up_ruleset_has(p->book.set[i], number)) return p->book.set[i];
  return NULL;
}

const char *up_profile_known(unsigned i) {
  return i < sizeof profiles / sizeof *profiles ? profiles[i].name : NULL;
}

uint32_t up_rule_count(const up_profile *p) { return p->external ? 0 : p->book.nrule; }

up_rule_info up_rule_at(const up_profile *p, uint32_t i) {
  if (p->external) return external_rule(p, i);
  UP_REQUIRE(i < p->book.nrule, "up_rule_at");
  const rule *r = &p->book.rule[i];
  return (up_rule_info){.name = r->name,
                        .kind = r->kind,
                        .native = r->native,
                        .reads_bounds = r->reads_bounds,
                        .known_wrong = r->known_wrong != NULL,
                        .counterexample = r->known_wrong,
                        .wrong_in = r->known_wrong ? r->wrong_in : 0,
                        .file = r->file,
                        .line = r->line,
                        .text = r->text};
}

int up_rule_find(const up_profile *p, const char *name) {
  if (p->external) return up_rule_named(p, name);
  return rulebook_find(&p->book, name, strlen(name));
}

const char *up_rule_text(const char *file, size_t *n) {
  const up_embedded *e = find_embedded(file);
  *n = e ? e->n : 0;
  return e ? (const char *)e->text : NULL;
}
