/* The first rule of a set that applies to a node. */
#include "rulebook.h"

#include <time.h>

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

up_node rule_interpret(up_ctx *c, const rulebook *b, uint32_t number, up_node n) {
  match m = {.c = c, .b = &b->pats, .found = try_match};
  attempt a = {.b = b, .r = &b->rule[number], .root = n};
  m.arg = &a;
  bool hit = match_run(&m, a.r->pat, n);
  return hit && ctx_ok(c) ? a.result : UP_NONE;
}

/* The rule at a->root, compiled or interpreted: is there an answer, be it a raise? */
static bool try_rule(up_ctx *c, const up_ruleset *s, match *m, attempt *a, uint32_t number) {
  if (s->compiled) {
    a->result = s->rewrite[number - s->base](c, a->root);
    return !up_is_none(a->result) || !ctx_ok(c);
  }
  m->arg = a;
  a->r = &a->b->rule[number];
  return match_run(m, a->r->pat, a->root);
}

static bool try_counted(up_ctx *c, const up_ruleset *s, match *m, attempt *a, uint32_t number) {
  if (!c->stats) return try_rule(c, s, m, a, number);
  uint64_t from = now_ns();
  bool hit = try_rule(c, s, m, a, number);
  up_rule_stat *stat = &c->stats[number];
  stat->tried++;
  stat->matched += hit && ctx_ok(c);
  stat->ns += now_ns() - from;
  return hit;
}

/* One rule after the other: what is interpreted, and what is counted. */
static up_node apply_in_turn(up_ctx *c, const up_ruleset *rules, up_node n, up_node skip,
                             int *number) {
  const rulebook *b = &rules->profile->book;
  up_op op = node_op(c, n);
  opset sources = match_source_ops(c, n);
  match m = {.c = c, .b = &b->pats, .found = try_match};
  attempt a = {.b = b, .root = n};
  for (uint32_t i = rules->start[op]; i < rules->start[op + 1]; i++) {
    uint32_t k = rules->by_op[i];
    if (!opset_subset(&b->rule[k].need, &sources)) continue;
    if (!try_counted(c, rules, &m, &a, k)) continue;
    if (ctx_ok(c) && up_same(a.result, skip)) continue;
    *number = (int)k;
    return ctx_ok(c) ? a.result : UP_NONE;
  }
  return UP_NONE;
}

up_node up_apply_first(up_ctx *c, const up_ruleset *rules, up_node n, int *number) {
  UP_REQUIRE(rules && !up_is_none(n) && n.id < c->nnode, "up_apply_first");
  *number = -1;
  if (!ctx_ok(c)) return UP_NONE;
  /* 0.11.0 goes on to the next rule when one gives the node back; 0.10.0 takes it, and loops */
  up_node skip = rules->profile->model.release != UP_REL_0_10 ? n : UP_NONE;
  if (!rules->compiled || c->stats) return apply_in_turn(c, rules, n, skip, number);
  compiled_first first = rules->compiled[node_op(c, n)];
  if (!first) return UP_NONE;
  up_node r = first(c, n, skip, number);
  if (*number >= 0) *number += (int)rules->base;
  return r;
}
