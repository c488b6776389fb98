/* Rule sets of named rules alone: what they do where no other comes first. */
#include "rulebook.h"

#include <stdlib.h>
#include <string.h>

/* The next of a list "a,b"; *at moves on. False: there is none. */
static bool next_word(const char **at, const char **word, size_t *n) {
  if (!*at) return false;
  *word = *at;
  *n = strcspn(*at, ",");
  *at = (*at)[*n] ? *at + *n + 1 : NULL;
  return true;
}

static bool is_named(const char *list, const char *name) {
  const char *at = list, *word;
  size_t n;
  while (next_word(&at, &word, &n)) {
    if (strlen(name) == n && memcmp(name, word, n) == 0) return true;
  }
  return false;
}

static bool all_are_rules(const rulebook *b, const char *list, up_error *err) {
  const char *at = list, *word;
  size_t n;
  while (next_word(&at, &word, &n)) {
    int number = rulebook_find(b, word, n);
    int shown = n > 60 ? 60 : (int)n;
    if (number < 0) return up_fail(err, 0, 0, "the profile has no rule '%.*s'", shown, word);
    if (b->rule[number].kind == UP_RULE_BOUND)
      return up_fail(err, 0, 0, "'%.*s' is a rule of bounds, which every rule set has", shown,
                     word);
  }
  return true;
}

up_ruleset *rulebook_only(rulebook *b, const char *name, up_error *err) {
  const char *list = name + 1;
  if (!all_are_rules(b, list, err)) return NULL;
  up_ruleset *s = rulebook_need_set(b, name, strlen(name));
  bool ok = s != NULL;
  for (uint32_t i = 0; i < b->nrule && ok; i++)
    ok = !is_named(list, b->rule[i].name) || ruleset_push(s, i);
  if (ok) return s;
  up_fail(err, 0, 0, "out of memory");
  return NULL;
}

static char *name_alone(const char *of) {
  size_t n = strlen(of) + 1;
  char *name = malloc(n + 1);
  if (!name) return NULL;
  name[0] = '=';
  memcpy(name + 1, of, n);
  return name;
}

up_ruleset *up_ruleset_alone(const up_profile *p, uint32_t number) {
  UP_REQUIRE(!p->external && number < p->book.nrule, "up_ruleset_alone");
  UP_REQUIRE(p->book.rule[number].kind == UP_RULE_REWRITE, "up_ruleset_alone: a rewrite rule");
  up_ruleset *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->profile = p;
  s->name = name_alone(p->book.rule[number].name);
  if (s->name && ruleset_push(s, number) && ruleset_index(&p->book, s)) return s;
  up_ruleset_free(s);
  return NULL;
}

void up_ruleset_free(up_ruleset *s) {
  if (!s) return;
  free((char *)s->name);
  free(s->rule);
  free(s->by_op);
  free(s);
}
