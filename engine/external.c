/* Engines that are not this one: a profile that leaves rewriting and bounds to functions, and the names
 * of the rules that they tell of. */
#include "internal.h"
#include "rulebook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct external {
  up_external engine;
  char **name; /* of the rules, as they were named */
  uint32_t n, cap;
} external;

up_profile *up_profile_external(const char *name, const up_external *e) {
  UP_REQUIRE(name && e && e->rewrite && e->bounds, "up_profile_external");
  up_error ignored;
  up_profile *p = up_profile_parse("sound", "", 0, &ignored); /* an empty set `symbolic` */
  char *own = strdup(name);
  external *x = calloc(1, sizeof *x);
  if (!p || !own || !x) {
    up_profile_free(p);
    free(own);
    free(x);
    return NULL;
  }
  free(p->name);
  p->name = own;
  p->base = own;
  p->external = x;
  x->engine = *e;
  return p;
}

bool up_profile_is_external(const up_profile *p) { return p->external != NULL; }

void external_free(up_profile *p) {
  external *x = p->external;
  if (!x) return;
  if (x->engine.close) x->engine.close(x->engine.arg);
  for (uint32_t i = 0; i < x->n; i++) free(x->name[i]);
  free(x->name);
  free(x);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static bool add_name(external *x, const char *name) {
  if (x->n == x->cap) {
    uint32_t cap = x->cap ? x->cap * 2 : 64;
    char **p = realloc(x->name, cap * sizeof *p);
    if (!p) return false;
    x->name = p;
    x->cap = cap;
  }
  x->name[x->n] = strdup(name);
  return x->name[x->n] != NULL;
}

int up_rule_named(const up_profile *p, const char *name) {
  UP_REQUIRE(p->external, "up_rule_named");
  external *x = p->external;
  for (uint32_t i = 0; i < x->n; i++)
    if (strcmp(x->name[i], name) == 0) return (int)i;
  if (x->n == RULEBOOK_MAX_RULES || !add_name(x, name))
    return -1; /* a node keeps its rule in 16 bits */
  return (int)x->n++;
}

up_rule_info external_rule(const up_profile *p, uint32_t i) {
  UP_REQUIRE(i < p->external->n, "up_rule_at");
  return (up_rule_info){.name = p->external->name[i], .file = "", .text = ""};
}

/* ---- what is left to it ---------------------------------------------------------------------- */

up_result external_rewrite(up_ctx *c, up_node root, uint64_t max_steps, up_trace *trace) {
  UP_REQUIRE(ctx_ok(c) && !up_is_none(root), "up_rewrite");
  const up_external *e = &c->profile->external->engine;
  up_result r = e->rewrite(e->arg, c, root, max_steps, trace);
  if (ctx_ok(c)) return r;
  r.status = c->status; /* its nodes could not be made */
  r.node = UP_NONE;
  up_ctx_clear_status(c);
  return r;
}

static void claim_nothing(up_ctx *c, up_node n) {
  const up_bounds all = {up_val_float(-(double)INFINITY), up_val_float((double)INFINITY)};
  up_minmax_tell(c, n, all, -1);
}

void external_bounds(up_ctx *c, up_node root) {
  const up_external *e = &c->profile->external->engine;
  up_status s = e->bounds(e->arg, c, root);
  if (s != UP_OK) {
    up_ctx_set_status(c, s);
    return;
  }
  up_list topo = {0};
  if (!up_toposort(c, root, &topo)) up_ctx_set_status(c, UP_NO_MEMORY);
  for (uint32_t i = 0; i < topo.n && ctx_ok(c); i++) claim_nothing(c, topo.p[i]);
  up_list_free(&topo);
}
