/* Profiles: which rule texts, which model; the first rule that applies to a node. */
#include "rulebook.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct profile_info {
  const char *name;
  up_model model;
  const char *rewrites; /* rule text, or NULL: the set `symbolic` is empty */
  const char *bounds;
} profile_info;

static const profile_info profiles[] = {
    {"v0.10.0",
     {.release = UP_REL_0_10, .driver = UP_DRIVER_0_10},
     "symbolic-v0.10.0.rules",
     "bounds-v0.10.0.rules"},
    {"v0.11.0",
     {.release = UP_REL_0_11, .driver = UP_DRIVER_0_10},
     "symbolic-v0.11.0.rules",
     "bounds-v0.11.0.rules"},
    {"v0.11.0:correct-divmod",
     {.release = UP_REL_0_11, .driver = UP_DRIVER_0_10, .correct_divmod = true},
     "symbolic-v0.11.0.rules",
     "bounds-v0.11.0.rules"},
};

/* ---- loading ---------------------------------------------------------------------------- */

static const profile_info *find_info(const char *name, up_error *err) {
  char known[160] = "";
  for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
    if (strcmp(profiles[i].name, name) == 0) return &profiles[i];
    size_t at = strlen(known);
    snprintf(known + at, sizeof known - at, "%s%s", i ? ", " : "", profiles[i].name);
  }
  up_fail(err, 0, 0, "unknown profile '%.40s' (there are: %s)", name, known);
  return NULL;
}

static bool add_embedded(rulebook *b, const char *file, up_error *err) {
  up_error e = {0};
  for (unsigned i = 0; i < up_embedded_rules_count; i++) {
    const up_embedded *r = &up_embedded_rules[i];
    if (strcmp(r->name, file) != 0) continue;
    if (rulebook_add(b, file, (const char *)r->text, r->n, &e)) return true;
    return up_fail(err, e.line, e.col, "%s: %s", file, e.msg);
  }
  return up_fail(err, 0, 0, "rule text %s is not part of this build", file);
}

static up_profile *new_profile(const profile_info *info, up_error *err) {
  up_profile *p = calloc(1, sizeof *p);
  if (!p) {
    up_fail(err, 0, 0, "out of memory");
    return NULL;
  }
  p->name = info->name;
  p->model = info->model;
  return p;
}

/* Every profile has a set `symbolic`, be it an empty one. */
static up_profile *finish(up_profile *p, bool ok, up_error *err) {
  up_ruleset *symbolic = ok ? rulebook_need_set(&p->book, "symbolic", 8) : NULL;
  if (ok && !symbolic) ok = up_fail(err, 0, 0, "out of memory");
  p->symbolic = symbolic;
  if (ok && rulebook_finish(&p->book, p, err)) return p;
  up_profile_free(p);
  return NULL;
}

up_profile *up_profile_load(const char *name, up_error *err) {
  const profile_info *info = find_info(name, err);
  up_profile *p = info ? new_profile(info, err) : NULL;
  if (!p) return NULL;
  bool ok = (!info->rewrites || add_embedded(&p->book, info->rewrites, err)) &&
            add_embedded(&p->book, info->bounds, err);
  return finish(p, ok, err);
}

/* Bound rules of the text come in front of those of the base. */
up_profile *up_profile_parse(const char *base, const char *rules_text, size_t n, up_error *err) {
  const profile_info *info = find_info(base, err);
  up_profile *p = info ? new_profile(info, err) : NULL;
  if (!p) return NULL;
  rulebook *b = &p->book;
  bool ok = rulebook_add(b, "rules", rules_text, n, err);
  if (ok && b->nset && !rulebook_set(b, "symbolic", 8))
    ok = up_fail(err, 0, 0, "the rules make no rule set 'symbolic'");
  return finish(p, ok && add_embedded(b, info->bounds, err), err);
}

void up_profile_free(up_profile *p) {
  if (!p) return;
  rulebook_free(&p->book);
  free(p);
}

/* ---- looking in ------------------------------------------------------------------------- */

const char *up_profile_name(const up_profile *p) { return p->name; }
const up_model *up_profile_model(const up_profile *p) { return &p->model; }
const up_ruleset *up_profile_symbolic(const up_profile *p) { return p->symbolic; }

const up_ruleset *up_profile_ruleset(const up_profile *p, const char *name) {
  return rulebook_set(&p->book, name, strlen(name));
}

uint32_t up_rule_count(const up_profile *p) { return p->book.nrule; }

up_rule_info up_rule_at(const up_profile *p, uint32_t i) {
  UP_REQUIRE(i < p->book.nrule, "up_rule_at");
  const rule *r = &p->book.rule[i];
  return (up_rule_info){.name = r->name,
                        .kind = r->kind,
                        .native = r->native,
                        .reads_bounds = r->reads_bounds,
                        .known_wrong = r->known_wrong != NULL,
                        .file = r->file,
                        .line = r->line,
                        .text = r->text};
}

int up_rule_find(const up_profile *p, const char *name) {
  return rulebook_find(&p->book, name, strlen(name));
}

/* ---- applying --------------------------------------------------------------------------- */

typedef struct attempt {
  const rulebook *b;
  const rule *r;
  up_node root, result;
} attempt;

/* One match: does the condition hold, and what does the right side make? A raise ends the search.
 */
static bool try_match(match *m, void *arg) {
  attempt *a = arg;
  evaluation e = {.c = m->c, .b = &a->b->exprs, .slot = m->slot, .lane = -1};
  if (a->r->when != EXPR_NIL) {
    up_val v = expr_eval(&e, a->r->when);
    if (!ctx_ok(m->c)) return true;
    if (e.failed || !expr_true(v)) return false;
  }
  a->result = build_run(m->c, &a->b->builds, &a->b->exprs, a->r->rhs, m->slot, a->root);
  return !ctx_ok(m->c) || !up_is_none(a->result);
}

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static bool apply(up_ctx *c, match *m, attempt *a, uint32_t number) {
  m->arg = a;
  a->r = &a->b->rule[number];
  if (!c->stats) return match_run(m, a->r->pat, a->root);
  uint64_t from = now_ns();
  bool hit = match_run(m, a->r->pat, a->root);
  up_rule_stat *s = &c->stats[number];
  s->tried++;
  s->matched += hit && ctx_ok(c);
  s->ns += now_ns() - from;
  return hit;
}

up_node up_apply_first(up_ctx *c, const up_ruleset *rules, up_node n, int *number) {
  UP_REQUIRE(rules && !up_is_none(n) && n.id < c->nnode, "up_apply_first");
  const rulebook *b = &rules->profile->book;
  up_op op = node_op(c, n);
  uint32_t i = rules->start[op], end = rules->start[op + 1];
  *number = -1;
  if (i == end || !ctx_ok(c)) return UP_NONE;
  opset sources = match_source_ops(c, n);
  match m = {.c = c, .b = &b->pats, .found = try_match};
  attempt a = {.b = b, .root = n};
  /* 0.11.0 goes on to the next rule when one gives the node back; 0.10.0 takes it, and loops */
  bool skip_same = rules->profile->model.release != UP_REL_0_10;
  for (; i < end; i++) {
    uint32_t k = rules->by_op[i];
    if (!opset_subset(&b->rule[k].need, &sources)) continue;
    if (!apply(c, &m, &a, k)) continue;
    if (skip_same && ctx_ok(c) && up_same(a.result, n)) continue;
    *number = (int)k;
    return ctx_ok(c) ? a.result : UP_NONE;
  }
  return UP_NONE;
}
