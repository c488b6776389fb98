/* Statements -> rules and rule sets. */
#include "rulebook.h"

#include <stdlib.h>
#include <string.h>

typedef struct loading {
  rulebook *b;
  const char *file;
  up_error *err;
  up_ruleset *open; /* the set that rules are added to */
  uint32_t *tail;   /* sets to be appended when the open one ends */
  uint32_t ntail, tail_cap;
} loading;

static bool no_memory(up_error *err) { return up_fail(err, 0, 0, "out of memory"); }

/* ---- strings ---------------------------------------------------------------------------- */

static char *own(rulebook *b, const char *s, size_t n) {
  if (!rule_grow(&b->text, &b->text_cap, b->ntext + 1, sizeof *b->text)) return NULL;
  char *copy = malloc(n + 1);
  if (!copy) return NULL;
  memcpy(copy, s, n);
  copy[n] = 0;
  b->text[b->ntext++] = copy;
  return copy;
}

/* The statement on one line, without comments, each stretch of white space as one blank. */
static char *own_line(rulebook *b, const char *s, size_t n) {
  char *line = own(b, s, n);
  if (!line) return NULL;
  size_t at = 0;
  bool quoted = false;
  for (size_t i = 0; i < n; i++) {
    if (s[i] == '"') quoted = !quoted;
    if (s[i] == '#' && !quoted) {
      while (i < n && s[i] != '\n') i++;
      if (i == n) break;
    }
    bool blank = s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r';
    if (!blank)
      line[at++] = s[i];
    else if (at && line[at - 1] != ' ')
      line[at++] = ' ';
  }
  while (at && line[at - 1] == ' ') at--;
  line[at] = 0;
  return line;
}

/* ---- rule sets -------------------------------------------------------------------------- */

bool ruleset_push(up_ruleset *s, uint32_t number) {
  if (!rule_grow(&s->rule, &s->cap, s->n + 1, sizeof *s->rule)) return false;
  s->rule[s->n++] = number;
  return true;
}

static bool set_append(up_ruleset *s, const up_ruleset *more) {
  uint32_t n = more->n; /* a set may be appended to itself */
  for (uint32_t i = 0; i < n; i++)
    if (!ruleset_push(s, more->rule[i])) return false;
  return true;
}

up_ruleset *rulebook_set(const rulebook *b, const char *name, size_t n) {
  for (uint32_t i = 0; i < b->nset; i++)
    if (strlen(b->set[i]->name) == n && memcmp(b->set[i]->name, name, n) == 0) return b->set[i];
  return NULL;
}

up_ruleset *rulebook_need_set(rulebook *b, const char *name, size_t n) {
  up_ruleset *s = rulebook_set(b, name, n);
  if (s) return s;
  if (!rule_grow(&b->set, &b->set_cap, b->nset + 1, sizeof *b->set)) return NULL;
  char *copy = own(b, name, n);
  s = copy ? calloc(1, sizeof *s) : NULL;
  if (!s) return NULL;
  s->name = copy;
  b->set[b->nset++] = s;
  return s;
}

/* The sets behind `here` follow the open set's own rules. */
static bool close_set(loading *l) {
  for (uint32_t i = 0; l->open && i < l->ntail; i++)
    if (!set_append(l->open, l->b->set[l->tail[i]])) return no_memory(l->err);
  l->ntail = 0;
  l->open = NULL;
  return true;
}

static bool add_part(loading *l, const token *t, bool behind) {
  up_ruleset *part = rulebook_set(l->b, t->p, t->n);
  if (!part || part == l->open)
    return up_fail(l->err, t->line, t->col, "unknown rule set '%.*s'", (int)t->n, t->p);
  if (!behind) return set_append(l->open, part) || no_memory(l->err);
  if (!rule_grow(&l->tail, &l->tail_cap, l->ntail + 1, sizeof *l->tail)) return no_memory(l->err);
  uint32_t i = 0;
  while (l->b->set[i] != part) i++;
  l->tail[l->ntail++] = i;
  return true;
}

static bool open_set(loading *l, const ruletree *t, const stmt *s) {
  bool behind = false;
  if (!close_set(l)) return false;
  if (token_is(&s->name, "here") || rulebook_set(l->b, s->name.p, s->name.n))
    return up_fail(l->err, s->name.line, s->name.col, "rule set '%.*s' is there already",
                   (int)s->name.n, s->name.p);
  l->open = rulebook_need_set(l->b, s->name.p, s->name.n);
  if (!l->open) return no_memory(l->err);
  for (uint32_t i = 0; i < s->nitem; i++) {
    const token *part = &t->item[s->item + i];
    bool here = token_is(part, "here");
    if (here && behind) return up_fail(l->err, part->line, part->col, "'here' given twice");
    behind = behind || here;
    if (!here && !add_part(l, part, behind)) return false;
  }
  return true;
}

/* ---- rules ------------------------------------------------------------------------------ */

int rulebook_find(const rulebook *b, const char *name, size_t n) {
  for (uint32_t i = 0; i < b->nrule; i++)
    if (strlen(b->rule[i].name) == n && memcmp(b->rule[i].name, name, n) == 0) return (int)i;
  return -1;
}

static bool optional_string(loading *l, const token *t, const char **out) {
  *out = t->p ? own(l->b, t->p, t->n) : NULL;
  return !t->p || *out || no_memory(l->err);
}

static bool compile_sides(loading *l, const ruletree *t, const stmt *s, rule *r) {
  rulebook *b = l->b;
  if (!pat_compile(&b->pats, t, s->lhs, &r->names, &r->pat, l->err)) return false;
  if (s->when != TERM_NIL && !expr_compile(&b->exprs, t, s->when, &r->names, &r->when, l->err))
    return false;
  if (s->kind == STMT_BOUND)
    return expr_compile(&b->exprs, t, s->lo, &r->names, &r->lo, l->err) &&
           expr_compile(&b->exprs, t, s->hi, &r->names, &r->hi, l->err);
  return build_compile(&b->builds, &b->exprs, t, s->rhs, &r->names, &r->rhs, l->err);
}

static void describe(const rulebook *b, rule *r) {
  r->need = pat_needed(&b->pats, r->pat);
  r->reads_bounds = r->when != EXPR_NIL && expr_reads_bounds(&b->exprs, r->when);
  if (r->kind == UP_RULE_BOUND) {
    r->reads_bounds = r->reads_bounds || expr_reads_bounds(&b->exprs, r->lo) ||
                      expr_reads_bounds(&b->exprs, r->hi);
    return;
  }
  r->native = build_native(&b->builds, r->rhs) != NULL;
  r->reads_bounds = r->reads_bounds || build_reads_bounds(&b->builds, &b->exprs, r->rhs);
}

/* Of the root, whose bounds it is about: that question has no end. */
static bool asks_for_its_own(const rulebook *b, const rule *r) {
  int root = pat_at(&b->pats, r->pat)->slot;
  return expr_asks_bounds_of(&b->exprs, r->lo, root) ||
         expr_asks_bounds_of(&b->exprs, r->hi, root) ||
         expr_asks_bounds_of(&b->exprs, r->when, root);
}

static bool add_rule(loading *l, const ruletree *t, const stmt *s) {
  rulebook *b = l->b;
  const token *name = &s->name;
  rule r = {.file = l->file,
            .line = s->line,
            .col = s->name.col,
            .wrong_in = s->wrong_in,
            .when = EXPR_NIL,
            .rhs = BUILD_NIL,
            .lo = EXPR_NIL,
            .hi = EXPR_NIL};
  int old = rulebook_find(b, name->p, name->n);
  if (old >= 0)
    return up_fail(l->err, name->line, name->col, "rule '%.*s' is there already (%s line %u)",
                   (int)name->n, name->p, b->rule[old].file, b->rule[old].line);
  if (b->nrule == RULEBOOK_MAX_RULES)
    return up_fail(l->err, name->line, name->col, "more than %u rules", RULEBOOK_MAX_RULES);
  r.kind = s->kind == STMT_BOUND ? UP_RULE_BOUND : UP_RULE_REWRITE;
  if (!compile_sides(l, t, s, &r)) return false;
  if (r.kind == UP_RULE_BOUND && asks_for_its_own(b, &r))
    return up_fail(l->err, name->line, name->col, "'%.*s' asks for the bounds that it gives",
                   (int)name->n, name->p);
  describe(b, &r);
  r.name = own(b, name->p, name->n);
  r.text = own_line(b, s->text, s->ntext);
  if (!r.name || !r.text) return no_memory(l->err);
  if (!optional_string(l, &s->known_wrong, &r.known_wrong) ||
      !optional_string(l, &s->from, &r.from))
    return false;
  if (r.kind == UP_RULE_REWRITE && !l->open) l->open = rulebook_need_set(b, "symbolic", 8);
  up_ruleset *set = r.kind == UP_RULE_BOUND ? &b->bounds : l->open;
  if (!set || !rule_grow(&b->rule, &b->rule_cap, b->nrule + 1, sizeof *b->rule) ||
      !ruleset_push(set, b->nrule))
    return no_memory(l->err);
  b->rule[b->nrule++] = r;
  return true;
}

static bool add_all(loading *l, ruleparser *p) {
  stmt s;
  for (;;) {
    if (!ruleparser_next(p, &s)) return false;
    if (s.kind == STMT_EOF) return close_set(l);
    if (s.kind == STMT_RULESET ? !open_set(l, &p->tree, &s) : !add_rule(l, &p->tree, &s))
      return false;
  }
}

bool rulebook_add(rulebook *b, const char *file, const char *text, size_t n, up_error *err) {
  loading l = {.b = b, .err = err};
  ruleparser p = {0};
  /* names of rules point into the copy, which lives as long as the book */
  const char *copy = own(b, text, n);
  l.file = own(b, file, strlen(file));
  bool ok = copy && l.file ? ruleparser_init(&p, copy, n, err) && add_all(&l, &p) : no_memory(err);
  ruleparser_free(&p);
  free(l.tail);
  return ok;
}

/* ---- tables ----------------------------------------------------------------------------- */

bool ruleset_index(const rulebook *b, up_ruleset *s) {
  uint32_t total = 0;
  for (uint32_t i = 0; i < s->n; i++) {
    const pat *p = pat_at(&b->pats, b->rule[s->rule[i]].pat);
    for (int k = 0; k < UP_OP_COUNT; k++) total += opset_has(&p->ops, (up_op)k);
  }
  s->by_op = malloc((total ? total : 1) * sizeof *s->by_op);
  if (!s->by_op) return false;
  uint32_t at = 0;
  for (int k = 0; k < UP_OP_COUNT; k++) {
    s->start[k] = at;
    for (uint32_t i = 0; i < s->n; i++)
      if (opset_has(&pat_at(&b->pats, b->rule[s->rule[i]].pat)->ops, (up_op)k))
        s->by_op[at++] = s->rule[i];
  }
  s->start[UP_OP_COUNT] = at;
  assert(at == total);
  return true;
}

bool rulebook_finish(rulebook *b, const up_profile *owner, up_error *err) {
  b->bounds.profile = owner;
  b->bounds.name = "bounds";
  if (!ruleset_index(b, &b->bounds)) return no_memory(err);
  for (uint32_t i = 0; i < b->nset; i++) {
    b->set[i]->profile = owner;
    if (!ruleset_index(b, b->set[i])) return no_memory(err);
  }
  return true;
}

void rulebook_free(rulebook *b) {
  patbook_free(&b->pats);
  exprbook_free(&b->exprs);
  buildbook_free(&b->builds);
  for (uint32_t i = 0; i < b->nset; i++) {
    free(b->set[i]->rule);
    free(b->set[i]->by_op);
    free(b->set[i]);
  }
  for (uint32_t i = 0; i < b->ntext; i++) free(b->text[i]);
  free(b->bounds.rule);
  free(b->bounds.by_op);
  free(b->set);
  free(b->rule);
  free(b->text);
  *b = (rulebook){0};
}

bool up_rules_can_apply(const char *rules_text, size_t n, up_error *why) {
  rulebook b = {0};
  bool ok = rulebook_add(&b, "rules", rules_text, n, why) && rulebook_finish(&b, NULL, why) &&
            rulebook_check_conditions(&b, why) && rulebook_check_shadowed(&b, why);
  rulebook_free(&b);
  return ok;
}
