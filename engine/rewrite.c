/* The rewrite driver. Source: RewriteContext of 0.10.0 (`rewrite`), 0.10.2 (`top_down_rewrite`,
 * `bottom_up_rewrite`) and 0.11.0 (`unified_rewrite`), which are one function with two matchers:
 *
 *   rewrite(n): m = n rewritten by the bottom-up matcher until it matches no more (n without one);
 *   m's sources rewritten and put back; if that changed m, or else the top-down matcher changes m,
 *   the new node rewritten in turn; else m. Results are kept by node.
 *
 * 0.10.0 has the top-down matcher alone. There rewrite() is recursive, in 0.11.0 it is a stack with
 * three stages; here the calls are frames on a stack as well.
 *
 * rewrite(n) asked for while rewrite(n) is still open can't end: it depends on nothing but n and
 * the kept results, which only hold what the same calls would give again. That is UP_LOOP. (0.10.0
 * dies of recursion then, 0.11.0 at 200,000 stack entries. That limit also refuses graphs that are
 * merely deep, which is not modelled.)
 */
#include "rewriterun.h"
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64u

/* ---- memo ------------------------------------------------------------------------------------ */

void rewrite_memos_free(up_ctx *c) {
  for (uint32_t i = 0; i < c->nmemo; i++) free(c->memo[i].at);
  free(c->memo);
}

size_t rewrite_memos_bytes(const up_ctx *c) {
  size_t n = c->memo_cap * sizeof *c->memo;
  for (uint32_t i = 0; i < c->nmemo; i++) n += (size_t)c->memo[i].cap * sizeof(memo_entry);
  return n;
}

bool memo_reserve(up_ctx *c, rewrite_memo *m) {
  uint32_t cap = m->cap;
  if (!ctx_grow(c, &m->at, &cap, c->nnode, sizeof *m->at)) return false;
  memset(m->at + m->cap, 0, (cap - m->cap) * sizeof *m->at);
  m->cap = cap;
  return true;
}

/* The memo of the level that starts now, empty. NULL: no memory, or nested too deep. */
static rewrite_memo *memo_begin(up_ctx *c) {
  if (c->depth >= MAX_DEPTH) {
    up_ctx_set_status(c, UP_LIMIT_STEPS);
    return NULL;
  }
  if (c->depth >= c->nmemo) {
    if (!ctx_grow(c, &c->memo, &c->memo_cap, (uint64_t)c->depth + 1, sizeof *c->memo)) return NULL;
    c->memo[c->nmemo++] = (rewrite_memo){0};
  }
  rewrite_memo *m = &c->memo[c->depth];
  if (++m->now == 0) {
    if (m->cap) memset(m->at, 0, m->cap * sizeof *m->at);
    m->now = 1;
  }
  return memo_reserve(c, m) ? m : NULL;
}

/* ---- one run --------------------------------------------------------------------------------- */

uint32_t follow(run *r, uint32_t id) {
  const node *all = r->c->node;
  memo_entry *at = r->memo.at;
  uint32_t end = id, next = at[id].val;
  while (next != MEMO_OPEN && next != end) {
    end = next;
    if (!(all[end].flags & r->fixed)) next = at[end].val;
  }
  if (next == MEMO_OPEN) return MEMO_OPEN;
  for (; id != end; id = next) {
    next = at[id].val;
    at[id].val = end;
  }
  return end;
}

size_t rewrite_frames_bytes(const up_ctx *c) { return (size_t)c->frame_cap * sizeof *c->frame; }

void record_step(run *r, int number, up_node before, up_node after) {
  up_trace *t = r->c->trace;
  up_trace_add(t, (up_step){number, before, after, r->level});
  if (t->no_memory) up_ctx_set_status(r->c, UP_NO_MEMORY);
}

void found_loop(run *r, up_node n) {
  r->at = n;
  for (uint32_t i = r->c->trace ? r->c->nframe : r->bottom; i-- > r->bottom;) {
    const frame *f = &r->c->frame[i];
    if (!up_same(f->n, n)) continue;
    r->loop_from = f->step;
    break;
  }
  up_ctx_set_status(r->c, UP_LOOP);
}

/* One application of a matcher; UP_NONE when it has nothing for n. */
static up_node apply(run *r, rewrite_fn fn, const void *user, up_node n) {
  int number = -1;
  up_node t = fn(r->c, user, n, &number);
  if (!ctx_ok(r->c)) {
    r->rule = number;
    r->at = n;
    return UP_NONE;
  }
  if (!up_is_none(t)) count_step(r, number, n, t);
  return t;
}

/* The top-down matcher at n, as `apply` has it. */
static up_node apply_top_down(run *r, up_node n) {
  if (!r->first) return r->spec->pm ? apply(r, r->spec->pm, r->spec->pm_user, n) : UP_NONE;
  compiled_first fn = r->first[node_op(r->c, n)];
  if (!fn) return UP_NONE;
  int number = -1;
  up_node t = fn(r->c, n, r->skip_same ? n : UP_NONE, &number);
  if (number < 0 && ctx_ok(r->c)) return UP_NONE;
  if (number >= 0) number += (int)r->first_base;
  if (!ctx_ok(r->c)) {
    r->rule = number;
    r->at = n;
    return UP_NONE;
  }
  count_step(r, number, n, t);
  return t;
}

/* n under the bottom-up matcher until it has nothing more; a node seen before is a loop. */
static up_node bottom_up(run *r, up_node n) {
  if (!r->spec->bpm) return n;
  idmap seen = {0};
  bool again = false;
  for (up_node t = n; !up_is_none(t) && ctx_ok(r->c);) {
    idmap_get(&seen, t.id, &again);
    if (again) {
      r->loop_from = 0;
      r->at = n;
      up_ctx_set_status(r->c, UP_LOOP);
      break;
    }
    idmap_set(r->c, &seen, t.id, 1);
    n = t;
    t = apply(r, r->spec->bpm, r->spec->bpm_user, t);
  }
  idmap_free(&seen);
  return n;
}

/* The node becomes itself. */
static inline void set_unchanged(run *r, uint32_t id) {
  if (r->fixed)
    r->c->node[id].flags |= NODE_FIXED;
  else
    set_image(r, id, id);
}

/* What is entered next: the source s, whose image is not known. */
static inline up_node wait_for(run *r, uint32_t s, uint32_t image) {
  if (image != MEMO_OPEN) return (up_node){s};
  found_loop(r, (up_node){s});
  return UP_NONE;
}

up_node rebuild_long(run *r, frame *f, up_node target, up_node *wait) {
  up_ctx *c = r->c;
  const node *d = node_at(c, target);
  const uint32_t *src = node_srcs(c, d);
  uint32_t same = 0;
  for (; f->next < d->nsrc; f->next++) {
    uint32_t s = src[f->next], image = image_within(r, c->node, s, r->fixed);
    if (image_known(image)) continue;
    *wait = wait_for(r, s, image);
    return UP_NONE;
  }
  while (same < d->nsrc && image_within(r, c->node, src[same], r->fixed) == src[same]) same++;
  if (same == d->nsrc) return target;
  r->src.n = 0;
  for (uint32_t i = 0; i < d->nsrc; i++) {
    uint32_t image = i < same ? src[i] : image_within(r, c->node, src[i], r->fixed);
    if (!list_push(c, &r->src, (up_node){image})) return UP_NONE;
  }
  return node_with_sources(c, target, &r->src.p->id);
}

/* The node t with its rewritten sources; t itself when they are all unchanged. UP_NONE: *next is
 * entered first, or the run is over. */
static inline up_node rebuild(run *r, up_node t, up_node *next) {
  const node *all = r->c->node, *d = &all[t.id];
  uint32_t image[UP_INLINE_SRC], changed = 0;
  if (d->nsrc > UP_INLINE_SRC) return rebuild_long(r, top(r), t, next);
  for (uint32_t i = 0; i < d->nsrc; i++) {
    uint32_t s = d->src[i], e = image_within(r, all, s, r->fixed);
    if (!image_known(e)) {
      *next = wait_for(r, s, e);
      return UP_NONE;
    }
    image[i] = e;
    changed |= e ^ s;
  }
  return changed ? node_with_sources(r->c, t, image) : t;
}

/* The topmost frame's node has become t, which is entered next. */
static inline up_node give_way(run *r, up_node t) {
  if (r->c->trace)
    top(r)->next = LINK;
  else
    r->c->nframe--;
  return t;
}

/* The topmost frame goes on: what is entered next, a source or what the node becomes. UP_NONE: it has
 * its image, or the run is over. */
static inline up_node go_on(run *r) {
  up_node n = top(r)->n, target = top(r)->target;
  up_node next = UP_NONE, t = rebuild(r, target, &next);
  if (up_is_none(t)) return next;
  if (!up_same(t, target)) {
    return become(r, n, t, r->fixed) ? UP_NONE : give_way(r, t);
  }
  t = apply_top_down(r, target);
  if (!ctx_ok(r->c)) return UP_NONE;
  if (!up_is_none(t)) return become(r, n, t, r->fixed) ? UP_NONE : give_way(r, t);
  if (!up_same(n, target)) set_image(r, n.id, target.id);
  set_unchanged(r, target.id);
  return UP_NONE;
}

/* The topmost frame has its image: is there one below that waits for it, and does the run go on? */
static inline bool leave(run *r) {
  up_ctx *c = r->c;
  do c->nframe--;
  while (c->nframe != r->bottom && top(r)->next == LINK);
  return c->nframe != r->bottom && ctx_ok(c);
}

static inline bool enter(run *r, up_node n) {
  up_ctx *c = r->c;
  if (n.id >= r->memo.cap && !memo_reserve(c, &r->memo)) return false;
  if (!ctx_grow(c, &c->frame, &c->frame_cap, (uint64_t)c->nframe + 1, sizeof *c->frame))
    return false;
  c->frame[c->nframe++] = (frame){n, 0, n, c->trace ? c->trace->n : 0};
  set_image(r, n.id, MEMO_OPEN);
  if (!r->spec->bpm) return true;
  up_node target = bottom_up(r, n);
  top(r)->target = target;
  return ctx_ok(c) && (target.id < r->memo.cap || memo_reserve(c, &r->memo));
}

/* As the releases have it: the sources of a node in their order, then the node, then what it becomes.
 */
static void run_all(run *r, up_node root) {
  up_node next = root;
  if (image_of(r, root.id, r->fixed)) return;
  while (!up_is_none(next) && enter(r, next)) {
    do next = go_on(r);
    while (up_is_none(next) && leave(r));
  }
}

/* ---- the entries ----------------------------------------------------------------------------- */

#define DEFAULT_STEPS 1000000u
#define STEPS_A_NODE 64u

static up_result result_of(run *r, up_node root) {
  up_result out = {r->c->status, UP_NONE, r->steps, r->rule, r->at};
  if (ctx_ok(r->c)) {
    out.node = (up_node){image_of(r, root.id, r->fixed)};
    out.rule = -1;
    out.at = UP_NONE;
  }
  return out;
}

/* Not by the size of the context: what lies in it from before has no part in this. */
bool more_steps(run *r) {
  if (r->spec->max_steps || r->max_steps != DEFAULT_STEPS) return false;
  for (uint32_t i = 0; i < r->nroot; i++)
    r->max_steps += (uint64_t)STEPS_A_NODE * up_count(r->c, r->root[i]);
  return true;
}

/* Rules without statistics are called directly; what `symbolic` alone leaves as it is, is kept. */
static void watch_rules(run *r) {
  const rewrite_spec *s = r->spec;
  if (s->pm != rewrite_by_rules || r->c->stats) return;
  const up_ruleset *rules = s->pm_user;
  bool symbolic = r->c->profile && rules == up_profile_symbolic(r->c->profile);
  r->fixed = symbolic && !s->bpm ? NODE_FIXED : 0;
  r->first = rules->compiled;
  r->first_base = rules->base;
  r->skip_same = rules->profile->model.release != UP_REL_0_10;
}

up_result rewrite_all(up_ctx *c, const up_node *root, up_node *image, uint32_t n,
                      const rewrite_spec *spec) {
  run r = {.c = c,
           .spec = spec,
           .src = list_take(c),
           .level = c->depth,
           .bottom = c->nframe,
           .root = root,
           .nroot = n,
           .rule = -1};
  r.max_steps = spec->max_steps ? spec->max_steps : DEFAULT_STEPS;
  up_result out = {c->status, UP_NONE, 0, -1, UP_NONE};
  up_trace *outer = c->trace;
  if (c->depth == 0 && spec->trace) c->trace = spec->trace;
  watch_rules(&r);
  rewrite_memo *memo = memo_begin(c);
  if (memo) {
    r.memo = *memo;
    c->depth++;
    bool fast = r.first && r.fixed && !c->trace;
    for (uint32_t i = 0; i < n && ctx_ok(c); i++) {
      if (fast)
        run_fast(&r, root[i]);
      else
        run_all(&r, root[i]);
      out = result_of(&r, root[i]);
      if (image) image[i] = out.node;
    }
    c->depth--;
    c->memo[r.level] = r.memo;
  }
  c->trace = outer;
  out.status = c->status;
  if (spec->loop_from) *spec->loop_from = r.loop_from;
  if (c->depth == 0) up_ctx_clear_status(c);
  c->nframe = r.bottom;
  list_give(c, &r.src);
  return out;
}

up_node rewrite_by_rules(up_ctx *c, const void *rules, up_node n, int *number) {
  up_node t = up_apply_first(c, rules, n, number);
  return *number < 0 ? UP_NONE : t;
}

up_node rewrite_by_map(up_ctx *c, const void *map, up_node n, int *number) {
  (void)c;
  *number = -1;
  bool found;
  up_node t = {idmap_get(map, n.id, &found)};
  return found ? t : UP_NONE;
}

static rewrite_spec spec_of(const up_ruleset *top_down, const up_ruleset *bottom_up) {
  return (rewrite_spec){.pm = top_down ? rewrite_by_rules : NULL,
                        .pm_user = top_down,
                        .bpm = bottom_up ? rewrite_by_rules : NULL,
                        .bpm_user = bottom_up};
}

up_result up_rewrite_both(up_ctx *c, up_node root, const up_ruleset *top_down,
                          const up_ruleset *bottom_up, uint64_t max_steps, up_trace *trace,
                          uint32_t *loop_from) {
  UP_REQUIRE(ctx_ok(c) && !up_is_none(root), "up_rewrite_both");
  rewrite_spec spec = spec_of(top_down, bottom_up);
  spec.max_steps = max_steps;
  spec.trace = trace;
  spec.loop_from = loop_from;
  return rewrite_all(c, &root, NULL, 1, &spec);
}

up_result up_rewrite(up_ctx *c, up_node root, const up_ruleset *rules, uint64_t max_steps,
                     up_trace *trace, uint32_t *loop_from) {
  if (loop_from) *loop_from = 0;
  if (c->profile && c->profile->external) return external_rewrite(c, root, max_steps, trace);
  return up_rewrite_both(c, root, rules, NULL, max_steps, trace, loop_from);
}

/* Users first where the bottom-up matcher works, as there: it may never look below a node. */
static void reverse(up_list *l) {
  for (uint32_t i = 0; i < l->n / 2; i++) {
    up_node t = l->p[i];
    l->p[i] = l->p[l->n - 1 - i];
    l->p[l->n - 1 - i] = t;
  }
}

up_result up_rewrite_map(up_ctx *c, up_node root, const up_ruleset *top_down,
                         const up_ruleset *bottom_up, up_list *from, up_list *image) {
  UP_REQUIRE(ctx_ok(c) && !up_is_none(root), "up_rewrite_map");
  up_result r = {UP_NO_MEMORY, UP_NONE, 0, -1, UP_NONE};
  image->n = 0;
  bool ok = up_toposort(c, root, from);
  for (uint32_t i = 0; ok && i < from->n; i++) ok = up_list_push(image, UP_NONE);
  if (ok) {
    rewrite_spec spec = spec_of(top_down, bottom_up);
    if (bottom_up) reverse(from);
    r = rewrite_all(c, from->p, image->p, from->n, &spec);
    if (bottom_up) {
      reverse(from);
      reverse(image);
    }
    if (r.status == UP_OK) r.node = image->p[image->n - 1];
  }
  up_ctx_clear_status(c);
  return r;
}

up_result up_simplify(up_ctx *c, up_node root, up_trace *trace) {
  UP_REQUIRE(c->profile, "up_simplify");
  return up_rewrite(c, root, up_profile_symbolic(c->profile), 0, trace, NULL);
}

void up_trace_add(up_trace *t, up_step s) {
  if (t->n == t->cap) {
    uint32_t cap = t->cap ? t->cap * 2 : 32;
    up_step *p = cap > t->cap ? realloc(t->step, cap * sizeof *p) : NULL;
    if (!p) {
      t->no_memory = true;
      return;
    }
    t->step = p;
    t->cap = cap;
  }
  t->step[t->n++] = s;
}

void up_trace_free(up_trace *t) {
  free(t->step);
  *t = (up_trace){0};
}

void up_ctx_trace(up_ctx *c, up_trace *trace) {
  UP_REQUIRE(c->depth == 0, "up_ctx_trace");
  c->trace = trace;
}
