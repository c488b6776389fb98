/* Contexts: memory, interning tables, status, reset. */
#include "internal.h"
#include <stdlib.h>
#include <string.h>

/* ---- misuse and memory ----------------------------------------------------------------------- */

_Noreturn void up_misuse(const char *call, const char *what) {
  fprintf(stderr, "uproof: wrong call of %s: requires %s\n", call, what);
  abort();
}

/* Next capacity that holds `need`: doubled, so that growth is amortised; 0 on overflow. */
static size_t next_cap(size_t cap, size_t need) {
  size_t n = cap < 64 ? 64 : cap;
  while (n < need) {
    if (n > SIZE_MAX / 2) return 0;
    n *= 2;
  }
  return n;
}

bool ctx_enlarge_size(up_ctx *c, void *p, size_t *cap, size_t need, size_t size) {
  size_t n = next_cap(*cap, need);
  void *old;
  memcpy(&old, p, sizeof old);
  void *q = n && n <= SIZE_MAX / size ? realloc(old, n * size) : NULL;
  if (!q) {
    up_ctx_set_status(c, UP_NO_MEMORY);
    return false;
  }
  memcpy(p, &q, sizeof q);
  *cap = n;
  return true;
}

bool ctx_enlarge(up_ctx *c, void *p, uint32_t *cap, uint64_t need, size_t size) {
  size_t n = *cap;
  if (need > UINT32_MAX / 2 || !ctx_enlarge_size(c, p, &n, (size_t)need, size)) {
    up_ctx_set_status(c, UP_NO_MEMORY);
    return false;
  }
  *cap = (uint32_t)n;
  return true;
}

/* ---- interning tables ------------------------------------------------------------------------ */

bool idtable_enlarge(up_ctx *c, idtable *t, idkey (*key_of)(const up_ctx *, uint32_t)) {
  uint32_t cap = t->cap == 0 ? 1024 : t->cap * 2;
  idslot *slot = cap ? calloc(cap, sizeof *slot) : NULL;
  if (!slot) {
    up_ctx_set_status(c, UP_NO_MEMORY);
    return false;
  }
  idtable bigger = {slot, cap, 0, 1};
  for (uint32_t id = 1; id <= t->used; id++) {
    idkey k = key_of(c, id);
    idprobe p = idtable_first(&bigger, k);
    while (!idtable_is_free(&bigger, p.at)) idtable_next(&bigger, k, &p);
    idtable_fill(&bigger, p.at, k, id);
  }
  free(t->slot);
  *t = bigger;
  return true;
}

/* A table that grew large for one graph lies in no cache any more: it is given back. */
void idtable_clear(idtable *t) {
  if (t->cap > 4096 && t->used < t->cap / 16) {
    free(t->slot);
    *t = (idtable){0};
    return;
  }
  t->used = 0;
  if (t->epoch++ < 255 || t->cap == 0) return;
  memset(t->slot, 0, t->cap * sizeof *t->slot);
  t->epoch = 1;
}

/* ---- status ---------------------------------------------------------------------------------- */

up_status up_ctx_status(const up_ctx *c) { return c->status; }
void up_ctx_set_status(up_ctx *c, up_status s) {
  if (c->status == UP_OK) c->status = s;
}
void up_ctx_clear_status(up_ctx *c) { c->status = UP_OK; }
const up_profile *up_ctx_profile(const up_ctx *c) { return c->profile; }
const up_ruleset *up_ctx_rules(const up_ctx *c) {
  return c->rules || !c->profile ? c->rules : up_profile_chosen(c->profile);
}
void up_ctx_choose(up_ctx *c, const up_ruleset *rules) { c->rules = rules; }
bool up_ctx_has_own_rules(const up_ctx *c) {
  return c->rules && c->rules != up_profile_chosen(c->profile);
}
up_ctx *up_ctx_like(const up_ctx *c) {
  up_ctx *like = up_ctx_new(c->profile);
  if (like) like->rules = c->rules;
  return like;
}
void up_ctx_set_node_limit(up_ctx *c, uint32_t nodes) {
  c->node_limit = nodes < UP_MAX_NODES ? nodes : UP_MAX_NODES;
}
uint32_t up_ctx_node_count(const up_ctx *c) { return c->nnode - 1; }
void up_ctx_stats(up_ctx *c, up_rule_stat *slots) { c->stats = slots; }

void up_ctx_hits(up_ctx *c, uint8_t *hits) { c->hits = hits; }

/* ---- life ------------------------------------------------------------------------------------ */

/* Node 0 is "none": op NOOP without sources; arg 0 is None. */
static bool ctx_first_entries(up_ctx *c) {
  if (!ctx_grow(c, &c->node, &c->node_cap, 1, sizeof *c->node)) return false;
  if (!ctx_grow(c, &c->arg, &c->arg_cap, 1, sizeof *c->arg)) return false;
  /* it lies behind the sources of every node, and is never rewritten */
  c->node[0] = (node){.op = UP_NOOP, .flags = NODE_FIXED};
  c->arg[0] = (arg_entry){.kind = UP_A_NONE};
  c->nnode = c->narg = 1;
  return true;
}

up_ctx *up_ctx_new(const up_profile *p) {
  up_ctx *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->profile = p;
  c->node_limit = UP_MAX_NODES;
  c->epoch = 1;
  c->old_release = p && up_profile_model(p)->release == UP_REL_0_10;
  for (int k = 0; k < UP_OP_COUNT; k++)
    if (p && !up_profile_rewrites(p, (up_op)k)) c->leaf_flags[k] = NODE_FIXED;
  c->quick_bounds = p ? up_profile_quick_bounds(p, &c->quick_base) : NULL;
  c->interval_bounds = c->quick_bounds != NULL;
  mpz_init(c->t0);
  mpz_init(c->t1);
  mpz_init(c->t2);
  if (!ctx_first_entries(c)) {
    up_ctx_free(c);
    return NULL;
  }
  return c;
}

static void free_text(up_ctx *c) {
  while (c->text) {
    textblock *next = c->text->next;
    free(c->text);
    c->text = next;
  }
}

void up_ctx_free(up_ctx *c) {
  if (!c) return;
  for (uint32_t i = 1; i < c->big_init; i++) mpz_clear(c->big[i].v);
  mpz_clear(c->t0);
  mpz_clear(c->t1);
  mpz_clear(c->t2);
  free_text(c);
  rewrite_memos_free(c);
  sum_memo_free(c->sums);
  free(c->quick);
  while (c->npool) up_list_free(&c->pool[--c->npool]);
  void *owned[] = {c->node, c->srcpool,   c->nodes.slot, c->arg,  c->argpool, c->args.slot,
                   c->big,  c->bigs.slot, c->bound,      c->wide, c->mark,    c->frame};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
  free(c);
}

void up_ctx_reset(up_ctx *c) {
  sum_memo_forget(c->sums);
  quick_memo_forget(c->quick);
  idtable_clear(&c->nodes);
  idtable_clear(&c->args);
  idtable_clear(&c->bigs);
  for (textblock *b = c->text; b; b = b->next) b->used = 0;
  c->nnode = c->narg = 1;
  c->nsrcpool = c->nargpool = 0;
  c->nbig = c->nwide = 0;
  c->interval_bounds = c->quick_bounds != NULL;
  c->status = UP_OK;
  if (++c->epoch == 0) { /* wrapped around: old entries would look fresh */
    memset(c->constant, 0, sizeof c->constant);
    c->epoch = 1;
  }
}

size_t up_ctx_bytes(const up_ctx *c) {
  size_t n = sizeof *c;
  n += (size_t)c->node_cap * sizeof *c->node + c->srcpool_cap * sizeof *c->srcpool;
  n += (size_t)c->arg_cap * sizeof *c->arg + c->argpool_cap * sizeof *c->argpool;
  n += ((size_t)c->nodes.cap + c->args.cap + c->bigs.cap) * sizeof(idslot);
  n += (size_t)c->big_cap * sizeof *c->big + (size_t)c->wide_cap * sizeof *c->wide;
  n += (size_t)c->bound_cap * sizeof *c->bound + rewrite_frames_bytes(c);
  n += (size_t)c->mark_cap * sizeof *c->mark + rewrite_memos_bytes(c);
  for (const textblock *b = c->text; b; b = b->next) n += sizeof *b + b->cap;
  return n;
}

/* A buffer that one huge graph needed is not worth keeping. */
#define POOLED_CAP (1u << 16)

up_list list_take(up_ctx *c) {
  if (c->npool == 0) return (up_list){0};
  up_list l = c->pool[--c->npool];
  l.n = 0;
  return l;
}

void list_give(up_ctx *c, up_list *l) {
  if (l->cap && l->cap <= POOLED_CAP && c->npool < UP_LIST_POOL)
    c->pool[c->npool++] = *l;
  else
    up_list_free(l);
  *l = (up_list){0};
}

bool list_push_slow(up_ctx *c, up_list *l, up_node n) {
  if (up_list_push(l, n)) return true;
  up_ctx_set_status(c, UP_NO_MEMORY);
  return false;
}

uint32_t ctx_mark_begin(up_ctx *c) {
  uint32_t old = c->mark_cap;
  if (!ctx_grow(c, &c->mark, &c->mark_cap, c->nnode, sizeof *c->mark)) return 0;
  if (c->mark_cap > old) memset(c->mark + old, 0, (c->mark_cap - old) * sizeof *c->mark);
  if (++c->mark_gen == 0) { /* wrapped around: old marks would look fresh */
    memset(c->mark, 0, c->mark_cap * sizeof *c->mark);
    c->mark_gen = 1;
  }
  return c->mark_gen;
}
