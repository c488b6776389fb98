/* Inside of a context. Only engine/ files include this. */
#ifndef UPROOF_INTERNAL_H
#define UPROOF_INTERNAL_H

#include "uop.h"
#include <assert.h>

/* ---- nodes: 24 bytes each, fields only, no pointers ------------------------------------------ */

#define UP_INLINE_SRC 3u
enum node_flag {
  NODE_BOUND_SMALL = 1, /* its bounds are ctx.bound[id] */
  NODE_BOUND_WIDE = 2,  /* ... ctx.wide[ctx.bound[id].lo] */
  NODE_BOUND_KNOWN = NODE_BOUND_SMALL | NODE_BOUND_WIDE,
  NODE_BOUND_RAISES = 8, /* to compute them ends in the status ctx.bound[id].lo */
  NODE_FIXED = 4,        /* the profile's `symbolic` leaves it and all below it as they are */
  /* Of a CONST with an integer or bool of 64 bits: which one it is. Rules ask for three of them. */
  NODE_IS_MINUS_ONE = 16,
  NODE_IS_ZERO = 32,
  NODE_IS_ONE = 48,
  NODE_IS_OTHER = 64,
  NODE_IS = 112
};
typedef struct node {
  uint8_t op;
  uint8_t flags; /* enum node_flag */
  up_dtype dtype;
  uint16_t nsrc;
  int16_t bound_rule; /* valid where the bounds are known */
  uint32_t arg;
  /* nsrc <= UP_INLINE_SRC: the sources, 0 behind them; else src[0] is their start in ctx.srcpool */
  uint32_t src[UP_INLINE_SRC];
} node;
_Static_assert(sizeof(node) == 24, "a node is 24 bytes");

/* ---- args ------------------------------------------------------------------------------------ */

typedef struct arg_entry {
  uint8_t kind;
  uint32_t hash;
  uint32_t n; /* LIST: length; STR: bytes without the zero */
  union {
    up_val val;       /* INT, BOOL, FLOAT */
    size_t at;        /* LIST: start in argpool */
    const char *text; /* STR: in a text block, which does not move */
  };
} arg_entry;

/* Strings live in blocks that never move; a reset keeps the blocks. */
typedef struct textblock {
  struct textblock *next;
  size_t cap, used;
  char data[];
} textblock;

/* ---- memo of bounds: 16 bytes a node --------------------------------------------------------- */

typedef struct bound_small {
  int64_t lo, hi; /* NODE_BOUND_SMALL; else lo is what the flag says */
} bound_small;

/* ---- interning ------------------------------------------------------------------------------- */

/* Interning table: open addressing over ids. It holds the ids 1 to used, no others. An entry goes near
 * the place that its key names, a few slots away at most, and where there is no room on in strides of
 * its hash: what is made in a row lies in a row, so that a table larger than the caches is read in
 * order. A slot keeps the upper 24 bits of its entry's hash, so that a probe reads no other entry, and
 * the number of the epoch that filled it: clearing the table is to begin another epoch. */
typedef struct idkey {
  uint32_t near, hash;
} idkey;
typedef struct idslot {
  uint32_t tag, id;
} idslot;
typedef struct idtable {
  idslot *slot;
  uint32_t cap, used; /* cap is a power of two */
  uint32_t epoch;     /* 1 to 255 */
} idtable;
static inline uint32_t idtable_tag(const idtable *t, idkey k) {
  return (k.hash & ~UINT32_C(255)) | t->epoch;
}
static inline bool idtable_is_free(const idtable *t, uint32_t at) {
  return (t->slot[at].tag & 255) != t->epoch;
}
/* The slots where an entry may be, in their order: the next `left` are neighbours. */
#define IDTABLE_NEAR 16u
typedef struct idprobe {
  uint32_t at, left;
} idprobe;
static inline idprobe idtable_first(const idtable *t, idkey k) {
  return (idprobe){k.near & (t->cap - 1), IDTABLE_NEAR};
}
static inline void idtable_next(const idtable *t, idkey k, idprobe *p) {
  p->at = (p->at + (p->left ? 1 : k.hash | 1)) & (t->cap - 1);
  p->left -= p->left != 0;
}
/* The place of the i-th thing made, counted from the front; half of a table is used at most. */
static inline uint32_t idtable_near(uint32_t i) { return 2 * i; }
/* The new entry at a free slot. */
static inline void idtable_fill(idtable *t, uint32_t at, idkey k, uint32_t id) {
  t->slot[at] = (idslot){idtable_tag(t, k), id};
  t->used++;
}

/* Integer constants that were asked for last, by value and dtype. */
#define CONST_CACHE 256u
typedef struct const_entry {
  int64_t value;
  uint32_t id, epoch; /* valid in this epoch of the context only */
  up_dtype dtype;
} const_entry;

typedef struct bigint {
  mpz_t v;
  uint32_t hash;
} bigint;

/* Bounds from those of the sources, all of 64 bits: the number of the rule in its file, or
 * QUICK_UNKNOWN. See compiled.h. */
enum { QUICK_UNKNOWN = -1 };
typedef int (*quick_bounds)(const up_ctx *c, up_node n, bound_small *out);

#define UP_LIST_POOL 16u

struct up_ctx {
  const up_profile *profile;
  const up_ruleset *rules; /* up_ctx_choose; NULL: the profile's */
  up_status status;
  uint32_t node_limit;
  bool old_release; /* the profile's is 0.10.0 */

  node *node; /* node[0] is the none node */
  uint32_t nnode, node_cap;
  uint32_t *srcpool;
  size_t nsrcpool, srcpool_cap;
  idtable nodes;

  arg_entry *arg; /* arg[0] is None */
  uint32_t narg, arg_cap;
  uint32_t *argpool;
  size_t nargpool, argpool_cap;
  textblock *text;
  idtable args;

  bigint *big;                      /* big[0] unused; values 1..nbig */
  uint32_t nbig, big_cap, big_init; /* big_init: entries whose mpz is initialised */
  idtable bigs;
  mpz_t t0, t1, t2; /* scratch of integer.c */

  uint8_t leaf_flags[UP_OP_COUNT]; /* that a new node of this op without sources has */
  uint32_t epoch;                  /* counts resets; 0 is none */
  const_entry constant[CONST_CACHE];

  /* memo tables by node id, grown with the nodes on demand */
  bound_small *bound;
  uint32_t bound_cap;
  /* Bounds of sums and products are those of interval arithmetic: the built-in transfer rules, and
   * no bounds are assumed. */
  bool interval_bounds;
  const quick_bounds *quick_bounds; /* by op, of the profile; NULL: none are compiled */
  uint32_t quick_base;              /* number of the first rule of their file */
  up_bounds *wide;
  uint32_t nwide, wide_cap;
  uint32_t *mark; /* generation marks for walks */
  uint32_t mark_cap, mark_gen;

  struct sum_memo *sums;      /* of fold/divmod_0_11.c; or NULL */
  struct quick_memo *quick;   /* of fold/quick.c; or NULL */
  up_list pool[UP_LIST_POOL]; /* buffers of finished walks, to be used again */
  uint32_t npool;

  up_rule_stat *stats; /* or NULL */
  uint8_t *hits;       /* or NULL: one byte a rule, up_ctx_hits */
  /* rewriting: one memo for each level of nesting, kept between calls; see rewrite.c */
  struct rewrite_memo *memo;
  uint32_t nmemo, memo_cap;
  struct rewrite_frame *frame; /* the stacks of the rewrites in progress, one upon the other */
  uint32_t nframe, frame_cap;
  uint32_t depth;  /* rewrites in progress, one inside the other */
  up_trace *trace; /* of the outermost; or NULL */
};

/* ---- allocation: on failure sets UP_NO_MEMORY and returns false ------------------------------ */

/* Makes *p hold at least `need` items of `size` bytes; new items are not initialised. */
bool ctx_enlarge(up_ctx *c, void *p, uint32_t *cap, uint64_t need, size_t size);
bool ctx_enlarge_size(up_ctx *c, void *p, size_t *cap, size_t need, size_t size);
static inline bool ctx_grow(up_ctx *c, void *p, uint32_t *cap, uint64_t need, size_t size) {
  return need <= *cap || ctx_enlarge(c, p, cap, need, size);
}
static inline bool ctx_grow_size(up_ctx *c, void *p, size_t *cap, size_t need, size_t size) {
  return need <= *cap || ctx_enlarge_size(c, p, cap, need, size);
}

/* ---- memo of one rewrite: node id -> its rewritten form -------------------------------------- */

typedef struct memo_entry {
  uint32_t gen, val; /* valid where gen is the current one; MEMO_OPEN: being rewritten */
} memo_entry;
typedef struct rewrite_memo {
  memo_entry *at;
  uint32_t cap, now;
} rewrite_memo;
void rewrite_memos_free(up_ctx *c);
void sum_memo_forget(struct sum_memo *m); /* node ids start anew */
void sum_memo_free(struct sum_memo *m);
void quick_memo_forget(struct quick_memo *m);
size_t rewrite_memos_bytes(const up_ctx *c);
size_t rewrite_frames_bytes(const up_ctx *c);

/* ---- quick access ---------------------------------------------------------------------------- */

/* up_op_in, of an op that is one. */
static inline bool op_in(up_op op, unsigned groups) {
  static const uint8_t table[UP_OP_COUNT] = {
#define OP(name, ord10, group) group,
#include "ops.def"
#undef OP
  };
  return (table[op] & groups) != 0;
}

static inline const node *node_at(const up_ctx *c, up_node n) {
  assert(n.id < c->nnode);
  return &c->node[n.id];
}
static inline up_op node_op(const up_ctx *c, up_node n) { return (up_op)node_at(c, n)->op; }
static inline up_dtype node_dtype(const up_ctx *c, up_node n) { return node_at(c, n)->dtype; }
static inline uint32_t node_nsrc(const up_ctx *c, up_node n) { return node_at(c, n)->nsrc; }
static inline const uint32_t *node_srcs(const up_ctx *c, const node *d) {
  return d->nsrc <= UP_INLINE_SRC ? d->src : &c->srcpool[d->src[0]];
}
static inline up_node node_src(const up_ctx *c, up_node n, uint32_t i) {
  const node *d = node_at(c, n);
  assert(i < d->nsrc);
  return (up_node){node_srcs(c, d)[i]};
}
static inline bool ctx_ok(const up_ctx *c) { return c->status == UP_OK; }

/* A CONST with an integer or bool of 64 bits. */
static inline bool node_const_small(const up_ctx *c, up_node n, int64_t *v) {
  const node *d = node_at(c, n);
  if (d->op != UP_CONST) return false;
  const arg_entry *a = &c->arg[d->arg];
  if ((a->kind != UP_A_INT && a->kind != UP_A_BOOL) || a->val.i.big) return false;
  *v = a->val.i.lo;
  return true;
}
/* The bounds, if they are known and have 64 bits; else NULL. */
static inline const bound_small *node_bound_small(const up_ctx *c, up_node n) {
  return node_at(c, n)->flags & NODE_BOUND_SMALL ? &c->bound[n.id] : NULL;
}

/* The same, computed if that is quickly done. */
const bound_small *bound_compute_quick(up_ctx *c, up_node n);
static inline const bound_small *node_bound_ask(up_ctx *c, up_node n) {
  unsigned known = node_at(c, n)->flags & NODE_BOUND_KNOWN;
  if (known) return known == NODE_BOUND_SMALL ? &c->bound[n.id] : NULL;
  return bound_compute_quick(c, n);
}

/* n with other sources, as many: ids of nodes. */
up_node node_with_sources(up_ctx *c, up_node n, const uint32_t *src);
/* up_vconst_at for a lane that another node's dtype asks for; behind the last one the release has an
 * IndexError, which becomes the context's status. */
up_val vconst_lane(up_ctx *c, up_node n, uint32_t i);

/* Aborts with the name of the call: misuse of the API. */
_Noreturn void up_misuse(const char *call, const char *what);
#define UP_REQUIRE(cond, call)                                                                     \
  do {                                                                                             \
    if (!(cond)) up_misuse(call, #cond);                                                           \
  } while (0)

/* An empty list for a walk, and its return: a walk in the steady state allocates nothing. */
up_list list_take(up_ctx *c);
void list_give(up_ctx *c, up_list *l);
/* Appends; on failure sets UP_NO_MEMORY and returns false. */
bool list_push_slow(up_ctx *c, up_list *l, up_node n);
static inline bool list_push(up_ctx *c, up_list *l, up_node n) {
  if (l->n == l->cap) return list_push_slow(c, l, n);
  l->p[l->n++] = n;
  return true;
}

/* A fresh generation for c->mark, which then covers every node of the context. 0: no memory. */
uint32_t ctx_mark_begin(up_ctx *c);

/* hash of 32-bit words */
static inline uint32_t hash_mix(uint32_t h, uint32_t v) {
  uint64_t x = ((uint64_t)h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
  return (uint32_t)(x >> 32) ^ (uint32_t)x;
}
bool idtable_enlarge(up_ctx *c, idtable *t, idkey (*key_of)(const up_ctx *, uint32_t));
/* Room for one more entry, at half full at most. */
static inline bool idtable_reserve(up_ctx *c, idtable *t,
                                   idkey (*key_of)(const up_ctx *, uint32_t)) {
  return t->used < t->cap / 2 || idtable_enlarge(c, t, key_of);
}
void idtable_clear(idtable *t);

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* The ops on which both releases agree, where operands and result have 64 bits; see alu.c. False:
 * ask up_alu. */
static inline bool alu_small(up_op op, int64_t x, int64_t y, int64_t *r) {
  switch (op) {
  case UP_ADD: return !__builtin_add_overflow(x, y, r);
  case UP_SUB: return !__builtin_sub_overflow(x, y, r);
  case UP_MUL: return !__builtin_mul_overflow(x, y, r);
  case UP_MAX: *r = x >= y ? x : y; return true;
  case UP_CMPLT: *r = x < y; return true;
  case UP_CMPNE: *r = x != y; return true;
  case UP_AND: *r = x & y; return true;
  case UP_OR: *r = x | y; return true;
  case UP_XOR: *r = x ^ y; return true;
  case UP_IDIV:
  case UP_MOD:
    if (y == 0 || x == INT64_MIN) return false;
    *r = op == UP_IDIV ? x / y : x % y;
    return true;
  default: return false;
  }
}

/* ---- profile --------------------------------------------------------------------------------- */

typedef enum up_release { UP_REL_0_10, UP_REL_0_11 } up_release;

/* The release-dependent choices that are not rules. */
typedef struct up_model {
  up_release release;  /* order of ops, division by zero, renderer */
  bool correct_divmod; /* 0.11.0's flag CORRECT_DIVMOD_FOLDING, off by default there */
  bool total;          /* native folders decline where the release raises */
} up_model;
const up_model *up_profile_model(const up_profile *p);
const up_ruleset *up_profile_symbolic(const up_profile *p); /* what UOp.simplify applies */
/* Has `symbolic` a rule for nodes of this op? */
bool up_profile_rewrites(const up_profile *p, up_op op);
/* By op, where the bounds rules are those of a release, compiled; else NULL. *base: the number of
 * the first rule of their file. */
const quick_bounds *up_profile_quick_bounds(const up_profile *p, uint32_t *base);
/* Does the context answer as 0.10.0? Without a profile it answers as 0.11.0. */
static inline bool old_release(const up_ctx *c) { return c->old_release; }

/* Transfer rules: decides n's bounds from its sources' (all memoised already). Returns the rule
 * number (in the profile's rule table) or -1 when no rule applies and the dtype's range is taken.
 */
int up_bounds_apply(up_ctx *c, const up_profile *p, up_node n, up_bounds *out);

static inline void ctx_hit(up_ctx *c, int rule) {
  if (c->hits && rule >= 0 && c->hits[rule] < UINT8_MAX) c->hits[rule]++;
}

/* external.c: the claims about root and below, of a profile that is external. */
void external_bounds(up_ctx *c, up_node root);

#endif
