/* The rewrite driver where most of its time is spent: the compiled rules of `symbolic` alone, and
 * nobody looks at the steps. It does what rewrite.c does, in the same order; a node's target is the
 * node, a node that becomes another one needs no frame of its own, and one whose sources are all fixed
 * is looked at without being entered.
 */
#include "rewriterun.h"

/* The rules at n; UP_NONE: none applies, or the run is over. */
static inline up_node apply(run *r, const node *d, up_node n) {
  compiled_first fn = r->first[d->op];
  if (!fn) return UP_NONE;
  up_ctx *c = r->c;
  int number = -1;
  up_node t = fn(c, n, r->skip_same ? n : UP_NONE, &number);
  if (number < 0 && ctx_ok(c)) return UP_NONE;
  if (number >= 0) number += (int)r->first_base;
  if (ctx_ok(c)) {
    count_step(r, number, n, t);
    return ctx_ok(c) ? t : UP_NONE;
  }
  r->rule = number;
  r->at = n;
  return UP_NONE;
}

/* Do all sources stay as they are? Without a branch for each: what lies behind the last one is the none
 * node, which is fixed. */
static inline bool sources_fixed(const node *all, const node *d) {
  _Static_assert(UP_INLINE_SRC == 3, "three sources are looked at");
  return (all[d->src[0]].flags & all[d->src[1]].flags & all[d->src[2]].flags & NODE_FIXED) != 0;
}

/* The source s of the topmost frame has no image yet. False: *next is entered first, or the run is over.
 */
static inline bool settle(run *r, up_node s, up_node *next) {
  const node *all = r->c->node, *d = &all[s.id];
  *next = s;
  if (d->nsrc > UP_INLINE_SRC || !sources_fixed(all, d)) return false;
  up_node t = apply(r, d, s);
  *next = UP_NONE;
  if (!ctx_ok(r->c)) return false;
  if (up_is_none(t)) {
    r->c->node[s.id].flags |= NODE_FIXED;
    return true;
  }
  set_image(r, s.id, MEMO_OPEN);
  uint32_t image = become(r, s, t, NODE_FIXED);
  if (image == 0) *next = t;
  return image_known(image);
}

/* n with its rewritten sources. UP_NONE: *next is entered first, or the run is over. */
static inline up_node rebuild(run *r, up_node n, up_node *next) {
  const node *d = &r->c->node[n.id];
  uint32_t image[UP_INLINE_SRC], changed = 0;
  if (d->nsrc > UP_INLINE_SRC) return rebuild_long(r, top(r), n, next);
  if (sources_fixed(r->c->node, d)) return n;
  for (uint32_t i = 0, k = d->nsrc; i < k; i++) {
    uint32_t s = d->src[i], e = image_within(r, r->c->node, s, NODE_FIXED);
    if (e == 0) {
      if (!settle(r, (up_node){s}, next)) return UP_NONE;
      d = &r->c->node[n.id];
      e = image_within(r, r->c->node, s, NODE_FIXED);
    }
    if (e == MEMO_OPEN) {
      found_loop(r, (up_node){s});
      return UP_NONE;
    }
    image[i] = e;
    changed |= e ^ s;
  }
  return changed ? node_with_sources(r->c, n, image) : n;
}

/* The topmost frame is t's now, whose sources are their own images. */
static inline bool take_over(run *r, up_node t) {
  if (t.id >= r->memo.cap && !memo_reserve(r->c, &r->memo)) return false;
  set_image(r, t.id, MEMO_OPEN);
  top(r)->n = t;
  return true;
}

/* The topmost frame goes on: what is entered next, a source or what the node becomes. UP_NONE: it has
 * its image, or the run is over. */
static inline up_node go_on(run *r) {
  up_ctx *c = r->c;
  up_node n = top(r)->n, next = UP_NONE, t = rebuild(r, n, &next);
  if (up_is_none(t)) return next;
  if (!up_same(t, n)) {
    if (become(r, n, t, NODE_FIXED) || !take_over(r, t)) return UP_NONE;
    n = t;
  }
  t = apply(r, &c->node[n.id], n);
  if (up_is_none(t)) {
    if (ctx_ok(c)) c->node[n.id].flags |= NODE_FIXED;
    return UP_NONE;
  }
  if (become(r, n, t, NODE_FIXED)) return UP_NONE;
  c->nframe--;
  return t;
}

static inline bool enter(run *r, up_node n) {
  up_ctx *c = r->c;
  if (n.id >= r->memo.cap && !memo_reserve(c, &r->memo)) return false;
  if (!ctx_grow(c, &c->frame, &c->frame_cap, (uint64_t)c->nframe + 1, sizeof *c->frame))
    return false;
  frame *f = &c->frame[c->nframe++];
  f->n = n;
  f->next = 0;
  set_image(r, n.id, MEMO_OPEN);
  return true;
}

void run_fast(run *r, up_node root) {
  up_ctx *c = r->c;
  up_node next = root;
  if (image_of(r, root.id, NODE_FIXED)) return;
  while (!up_is_none(next) && enter(r, next)) {
    while (up_is_none(next = go_on(r)) && ctx_ok(c) && --c->nframe != r->bottom) {
    }
  }
}
