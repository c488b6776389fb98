/* Args of nodes: interned None, numbers, strings and lists. */
#include "internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Integers lie in their order. */
static idkey key_of_entry(const arg_entry *a) {
  bool small = a->kind == UP_A_INT && a->val.i.big == 0;
  return (idkey){small ? idtable_near((uint32_t)a->val.i.lo) : a->hash, a->hash};
}
static idkey arg_key_of(const up_ctx *c, uint32_t i) { return key_of_entry(&c->arg[i]); }

static uint32_t hash_u64(uint32_t h, uint64_t v) {
  return hash_mix(hash_mix(h, (uint32_t)v), (uint32_t)(v >> 32));
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool same_number(const arg_entry *a, const arg_entry *b) {
  if (a->kind != UP_A_FLOAT) return up_int_eq(a->val.i, b->val.i);
  return memcmp(&a->val.f, &b->val.f, sizeof a->val.f) == 0; /* by bits: nan, -0.0 */
}

/* `data`: the bytes of a STR or the ids of a LIST. */
static bool same_arg(const up_ctx *c, const arg_entry *a, const arg_entry *b, const void *data) {
  if (a->kind != b->kind || a->hash != b->hash) return false;
  switch (a->kind) {
  case UP_A_STR: return a->n == b->n && memcmp(a->text, data, a->n) == 0;
  case UP_A_LIST:
    return a->n == b->n &&
           (a->n == 0 || memcmp(&c->argpool[a->at], data, a->n * sizeof(uint32_t)) == 0);
  default: return same_number(a, b);
  }
}

/* Copies the string into a block that stays where it is. */
static const char *keep_text(up_ctx *c, const char *s, size_t n) {
  textblock *b = c->text;
  while (b && b->cap - b->used < n + 1) b = b->next;
  if (!b) {
    size_t cap = n + 1 > 4000 ? n + 1 : 4000;
    b = malloc(sizeof *b + cap);
    if (!b) {
      up_ctx_set_status(c, UP_NO_MEMORY);
      return NULL;
    }
    *b = (textblock){c->text, cap, 0};
    c->text = b;
  }
  char *p = b->data + b->used;
  memcpy(p, s, n);
  p[n] = 0;
  b->used += n + 1;
  return p;
}

static bool keep_data(up_ctx *c, arg_entry *a, const void *data) {
  if (a->kind == UP_A_STR) {
    a->text = keep_text(c, data, a->n);
    return a->text != NULL;
  }
  if (a->kind != UP_A_LIST) return true;
  if (!ctx_grow_size(c, &c->argpool, &c->argpool_cap, c->nargpool + a->n, sizeof *c->argpool))
    return false;
  a->at = c->nargpool;
  if (a->n) memcpy(&c->argpool[a->at], data, a->n * sizeof(uint32_t));
  c->nargpool += a->n;
  return true;
}

static up_arg intern(up_ctx *c, arg_entry a, const void *data) {
  if (!ctx_ok(c) || !idtable_reserve(c, &c->args, arg_key_of)) return up_arg_none();
  idtable *t = &c->args;
  idkey key = key_of_entry(&a);
  idprobe p = idtable_first(t, key);
  uint32_t tag = idtable_tag(t, key);
  for (; !idtable_is_free(t, p.at); idtable_next(t, key, &p)) {
    const idslot *s = &t->slot[p.at];
    if (s->tag == tag && same_arg(c, &c->arg[s->id], &a, data)) return (up_arg){s->id};
  }
  if (!keep_data(c, &a, data)) return up_arg_none();
  if (!ctx_grow(c, &c->arg, &c->arg_cap, (uint64_t)c->narg + 1, sizeof *c->arg))
    return up_arg_none();
  uint32_t id = c->narg++;
  c->arg[id] = a;
  idtable_fill(t, p.at, key, id);
  return (up_arg){id};
}

/* ---- making ---------------------------------------------------------------------------------- */

up_arg up_arg_none(void) { return (up_arg){0}; }

static arg_entry number(up_arg_kind kind, up_val v, uint64_t bits) {
  return (arg_entry){.kind = (uint8_t)kind, .hash = hash_u64((uint32_t)kind, bits), .val = v};
}

up_arg up_arg_int(up_ctx *c, up_int v) {
  return intern(c, number(UP_A_INT, up_val_int(v), (uint64_t)v.lo ^ (v.big << 20)), NULL);
}
up_arg up_arg_bool(up_ctx *c, bool v) {
  return intern(c, number(UP_A_BOOL, up_val_int(up_int_of(v)), v), NULL);
}
up_arg up_arg_float(up_ctx *c, double v) {
  uint64_t bits;
  if (isnan(v)) v = (double)NAN; /* one nan, whatever sign and payload arithmetic gave it */
  memcpy(&bits, &v, sizeof bits);
  return intern(c, number(UP_A_FLOAT, up_val_float(v), bits), NULL);
}

up_arg up_arg_str(up_ctx *c, const char *s, size_t n) {
  UP_REQUIRE(n < UINT32_MAX && !memchr(s, 0, n), "up_arg_str");
  uint32_t h = UP_A_STR;
  for (size_t i = 0; i < n; i++) h = hash_mix(h, (unsigned char)s[i]);
  return intern(c, (arg_entry){.kind = UP_A_STR, .hash = h, .n = (uint32_t)n}, s);
}

up_arg up_arg_list(up_ctx *c, const up_arg *items, uint32_t n) {
  _Static_assert(sizeof(up_arg) == sizeof(uint32_t), "lists are stored as ids");
  uint32_t h = hash_mix(UP_A_LIST, n);
  for (uint32_t i = 0; i < n; i++) h = hash_mix(h, items[i].id);
  return intern(c, (arg_entry){.kind = UP_A_LIST, .hash = h, .n = n}, items);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const arg_entry *get(const up_ctx *c, up_arg a) {
  UP_REQUIRE(a.id < c->narg, "up_arg");
  return &c->arg[a.id];
}

up_arg_kind up_arg_kind_of(const up_ctx *c, up_arg a) { return (up_arg_kind)get(c, a)->kind; }

up_val up_arg_val(const up_ctx *c, up_arg a) {
  const arg_entry *x = get(c, a);
  UP_REQUIRE(x->kind == UP_A_INT || x->kind == UP_A_BOOL || x->kind == UP_A_FLOAT, "up_arg_val");
  return x->val;
}

const char *up_arg_text(const up_ctx *c, up_arg a) {
  const arg_entry *x = get(c, a);
  UP_REQUIRE(x->kind == UP_A_STR, "up_arg_text");
  return x->text;
}

uint32_t up_arg_len(const up_ctx *c, up_arg a) {
  const arg_entry *x = get(c, a);
  UP_REQUIRE(x->kind == UP_A_LIST, "up_arg_len");
  return x->n;
}

up_arg up_arg_at(const up_ctx *c, up_arg a, uint32_t i) {
  const arg_entry *x = get(c, a);
  UP_REQUIRE(x->kind == UP_A_LIST && i < x->n, "up_arg_at");
  return (up_arg){c->argpool[x->at + i]};
}
