/* What the rule tests share: a profile, a context of it, graphs out of infix text. */
#ifndef UPROOF_TESTS_RULES_COMMON_H
#define UPROOF_TESTS_RULES_COMMON_H

#include "engine/uop.h"
#include "tests/support/cm.h"
#include <stdlib.h>
#include <string.h>

/* Variables that the graphs of these tests are made of. */
#define PRELUDE                                                                                    \
  "x in [0,9]\ny in [0,9]\nz in [-5,5]\nn in [-9,-1]\np in [False,True] : bool\n"                  \
  "q in [False,True] : bool\nu in [0,9] : uint\nw in [0,9] : long\n"                               \
  "f in [0,9] : float\ng in [0,9] : float\nh in [0,9] : float\n"

typedef struct rig {
  up_profile *p;
  up_ctx *c;
} rig;

static inline rig rig_of(up_profile *p, const up_error *e) {
  rig r = {p, NULL};
  if (!p) fail_msg("%u:%u: %s", e->line, e->col, e->msg);
  r.c = up_ctx_new(p);
  assert_non_null(r.c);
  return r;
}

static inline rig rig_load(const char *profile) {
  up_error e = {0};
  return rig_of(up_profile_load(profile, &e), &e);
}

static inline rig rig_rules(const char *text) {
  up_error e = {0};
  return rig_of(up_profile_parse("v0.10.0", text, strlen(text), &e), &e);
}

static inline void rig_free(rig *r) {
  up_ctx_free(r->c);
  up_profile_free(r->p);
}

/* The expression over the variables of PRELUDE. */
static inline up_node graph(rig *r, const char *expr) {
  up_buf b = {0};
  up_error e = {0};
  up_node n = UP_NONE;
  up_buf_puts(&b, PRELUDE);
  up_buf_puts(&b, expr);
  if (!up_parse_infix(r->c, b.p, b.len, &n, &e))
    fail_msg("%s: %u:%u: %s", expr, e.line, e.col, e.msg);
  up_buf_free(&b);
  return n;
}

/* As `.uop` text; the caller's to free. */
static inline char *shown(rig *r, up_node n) {
  up_buf b = {0};
  if (up_is_none(n))
    up_buf_puts(&b, "nothing");
  else
    up_print_uop(r->c, n, NULL, &b);
  return b.p;
}

static inline void expect_node(rig *r, const char *what, up_node got, up_node want) {
  if (up_same(got, want)) return;
  char *g = shown(r, got), *w = shown(r, want);
  print_error("%s\n--- got\n%s\n--- want\n%s\n", what, g, w);
  free(g);
  free(w);
  fail();
}

static inline const up_ruleset *set_of(rig *r, const char *name) {
  const up_ruleset *s = up_profile_ruleset(r->p, name);
  assert_non_null(s);
  return s;
}

#endif
