/* What the tests of check, blame and minimizer share: a profile with a context and a checker. */
#ifndef UPROOF_TESTS_CHECK_COMMON_H
#define UPROOF_TESTS_CHECK_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "oracle/oracle.h"

typedef struct rig {
  up_profile *profile;
  up_ctx *c;
  or_checker *k;
} rig;

/* A profile, or its bounds and driver with these rules. */
static inline rig rig_of(const char *profile, const char *rules) {
  up_error err = {0};
  rig r = {0};
  r.profile = rules ? up_profile_parse(profile, rules, strlen(rules), &err)
                    : up_profile_load(profile, &err);
  if (!r.profile) fail_msg("profile: %u:%u: %s", err.line, err.col, err.msg);
  r.c = up_ctx_new(r.profile);
  or_limits l = or_limits_default();
  r.k = or_checker_new(&l);
  assert_non_null(r.c);
  assert_non_null(r.k);
  return r;
}

static inline rig rig_new(const char *rules) { return rig_of("v0.10.0", rules); }

static inline void rig_free(rig *r) {
  or_checker_free(r->k);
  up_ctx_free(r->c);
  up_profile_free(r->profile);
  *r = (rig){0};
}

/* A graph from the lines of a .uop text, without its first line. */
static inline up_node rig_graph(rig *r, const char *lines) {
  char text[4096];
  up_node root = UP_NONE;
  up_metas meta = {0};
  up_error err = {0};
  int n = snprintf(text, sizeof text, "uop 1\n%s", lines);
  assert_in_range(n, 1, sizeof text - 1);
  if (!up_parse_uop(r->c, text, (size_t)n, &root, &meta, &err))
    fail_msg("graph: %u:%u: %s", err.line, err.col, err.msg);
  up_metas_free(&meta);
  return root;
}

static inline const char *rule_name(const rig *r, int rule) {
  return rule < 0 ? "(none)" : up_rule_at(r->profile, (uint32_t)rule).name;
}

static inline const or_finding *find_kind(const or_report *r, or_kind kind) {
  for (uint32_t i = 0; i < r->nfindings; i++)
    if (r->finding[i].kind == kind) return &r->finding[i];
  return NULL;
}

#endif
