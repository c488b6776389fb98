/* Nodes: hash-consing and access. */
#include "internal.h"
#include <string.h>

#define HASH_A UINT64_C(0x9E3779B97F4A7C15)
#define HASH_B UINT64_C(0xC2B2AE3D27D4EB4F)

/* A node goes near the one made before it, which mostly is its last source; those without sources
 * follow their args, from the end of the table to its front. The hash takes two sources at a time; the
 * products of the first three words do not wait for one another. */
static inline idkey key_of_fields(up_op op, up_dtype dt, uint32_t arg, const uint32_t *src,
                                  uint32_t n) {
  uint64_t head = (uint64_t)op | (uint64_t)dt << 8 | (uint64_t)n << 24;
  uint64_t h = (head ^ (uint64_t)arg << 32) * HASH_A;
  uint32_t last = n == 0 ? 0 : src[0];
  if (n > 0) h ^= ((n > 1 ? (uint64_t)src[1] << 32 : 0) | src[0]) * HASH_B;
  for (uint32_t i = 2; i < n; i++) h = (h ^ h >> 32 ^ src[i]) * HASH_B;
  for (uint32_t i = 1; i < n; i++) last = src[i] > last ? src[i] : last;
  h = (h ^ h >> 32) * HASH_A;
  return (idkey){n == 0 ? ~idtable_near(arg) : idtable_near(last), (uint32_t)(h >> 32)};
}

static idkey node_key_of(const up_ctx *c, uint32_t id) {
  const node *d = &c->node[id];
  return key_of_fields((up_op)d->op, d->dtype, d->arg, node_srcs(c, d), d->nsrc);
}

static inline bool same_node(const up_ctx *c, const node *d, up_op op, up_dtype dt, uint32_t arg,
                             const uint32_t *src, uint32_t n) {
  if (d->op != (uint8_t)op || d->dtype != dt || d->arg != arg || d->nsrc != n) return false;
  const uint32_t *own = node_srcs(c, d);
  for (uint32_t i = 0; i < n; i++)
    if (own[i] != src[i]) return false;
  return true;
}

static inline bool keep_sources(up_ctx *c, node *d, const uint32_t *src, uint32_t n) {
  if (n <= UP_INLINE_SRC) {
    for (uint32_t i = 0; i < n; i++) d->src[i] = src[i];
    return true;
  }
  size_t need = c->nsrcpool + n;
  if (need > UINT32_MAX) {
    up_ctx_set_status(c, UP_LIMIT_NODES);
    return false;
  }
  if (!ctx_grow_size(c, &c->srcpool, &c->srcpool_cap, need, sizeof *c->srcpool)) return false;
  memcpy(&c->srcpool[c->nsrcpool], src, n * sizeof *src);
  d->src[0] = (uint32_t)c->nsrcpool;
  c->nsrcpool = need;
  return true;
}

static uint8_t flags_of_const(const arg_entry *a) {
  if ((a->kind != UP_A_INT && a->kind != UP_A_BOOL) || a->val.i.big) return 0;
  uint64_t place = (uint64_t)a->val.i.lo + 1;
  return place > 2 ? NODE_IS_OTHER : (uint8_t)(NODE_IS_MINUS_ONE + 16 * place);
}

/* A node without sources for whose op `symbolic` has no rule is a fixed point from the beginning. */
static inline up_node append(up_ctx *c, const node *fields, const uint32_t *src, uint32_t n) {
  if (c->nnode > c->node_limit) {
    up_ctx_set_status(c, UP_LIMIT_NODES);
    return UP_NONE;
  }
  if (!ctx_grow(c, &c->node, &c->node_cap, (uint64_t)c->nnode + 1, sizeof *c->node)) return UP_NONE;
  node *d = &c->node[c->nnode];
  *d = *fields;
  if (n == 0) d->flags = c->leaf_flags[d->op];
  if (n == 0 && d->op == UP_CONST) d->flags |= flags_of_const(&c->arg[d->arg]);
  if (!keep_sources(c, d, src, n)) return UP_NONE;
  return (up_node){c->nnode++};
}

/* The node, found or made; n is a constant at each call. */
static inline __attribute__((always_inline)) up_node
intern(up_ctx *c, up_op op, up_dtype dt, uint32_t arg, const uint32_t *src, uint32_t n) {
  if (!idtable_reserve(c, &c->nodes, node_key_of)) return UP_NONE;
  idtable *t = &c->nodes;
  idkey key = key_of_fields(op, dt, arg, src, n);
  idprobe p = idtable_first(t, key);
  uint32_t tag = idtable_tag(t, key);
  for (; !idtable_is_free(t, p.at); idtable_next(t, key, &p)) {
    const idslot *s = &t->slot[p.at];
    if (s->tag == tag && same_node(c, &c->node[s->id], op, dt, arg, src, n))
      return (up_node){s->id};
  }
  node fields = {.op = (uint8_t)op, .dtype = dt, .nsrc = (uint16_t)n, .arg = arg};
  up_node made = append(c, &fields, src, n);
  if (!up_is_none(made)) idtable_fill(t, p.at, key, made.id);
  return made;
}

/* Sources must be nodes of this context; after a failure (status set) they may be none. */
static inline bool source_fits(const up_ctx *c, up_node s) { return s.id - 1 < c->nnode - 1; }

static bool sources_fit(const up_ctx *c, const up_node *src, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!source_fits(c, src[i])) return false;
  return true;
}

up_node up_new(up_ctx *c, up_op op, up_dtype dt, const up_node *src, uint32_t nsrc, up_arg arg) {
  _Static_assert(sizeof(up_node) == sizeof(uint32_t), "sources are stored as ids");
  if (!ctx_ok(c)) return UP_NONE;
  UP_REQUIRE((unsigned)op < UP_OP_COUNT && arg.id < c->narg, "up_new");
  if (nsrc > UP_MAX_SRC) {
    up_ctx_set_status(c, UP_LIMIT_NODES);
    return UP_NONE;
  }
  UP_REQUIRE(sources_fit(c, src, nsrc), "up_new");
  const uint32_t *ids = (const uint32_t *)(const void *)src;
  switch (nsrc) {
  case 0: return intern(c, op, dt, arg.id, ids, 0);
  case 1: return intern(c, op, dt, arg.id, ids, 1);
  case 2: return intern(c, op, dt, arg.id, ids, 2);
  case 3: return intern(c, op, dt, arg.id, ids, 3);
  default: return intern(c, op, dt, arg.id, ids, nsrc);
  }
}

up_node node_with_sources(up_ctx *c, up_node n, const uint32_t *src) {
  const node *d = node_at(c, n);
  switch (d->nsrc) {
  case 1: return intern(c, (up_op)d->op, d->dtype, d->arg, src, 1);
  case 2: return intern(c, (up_op)d->op, d->dtype, d->arg, src, 2);
  case 3: return intern(c, (up_op)d->op, d->dtype, d->arg, src, 3);
  default: return intern(c, (up_op)d->op, d->dtype, d->arg, src, d->nsrc);
  }
}

up_node up_binary(up_ctx *c, up_op op, up_node a, up_node b) {
  if (!ctx_ok(c)) return UP_NONE;
  UP_REQUIRE((unsigned)op < UP_OP_COUNT && source_fits(c, a) && source_fits(c, b), "up_binary");
  up_dtype dt = node_dtype(c, b);
  if (op_in(op, UP_G_COMPARE)) dt = up_dt_vec(up_dt(UP_BOOL), up_dt_count(dt));
  return intern(c, op, dt, 0, (const uint32_t[]){a.id, b.id}, 2);
}

static const node *get(const up_ctx *c, up_node n) {
  UP_REQUIRE(n.id < c->nnode, "a node accessor");
  return &c->node[n.id];
}

up_view up_view_of(const up_ctx *c, up_node n) {
  const node *d = get(c, n);
  const up_node *src = (const up_node *)(const void *)node_srcs(c, d);
  return (up_view){src, d->nsrc, (up_op)d->op, d->dtype, {d->arg}};
}

up_op up_op_of(const up_ctx *c, up_node n) { return (up_op)get(c, n)->op; }
up_dtype up_dtype_of(const up_ctx *c, up_node n) { return get(c, n)->dtype; }
uint32_t up_nsrc(const up_ctx *c, up_node n) { return get(c, n)->nsrc; }
up_arg up_arg_of(const up_ctx *c, up_node n) { return (up_arg){get(c, n)->arg}; }
up_node up_src(const up_ctx *c, up_node n, uint32_t i) {
  const node *d = get(c, n);
  UP_REQUIRE(i < d->nsrc, "up_src");
  return (up_node){node_srcs(c, d)[i]};
}
