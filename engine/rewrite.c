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
#include "rewrite.h"
#include "rulebook.h"
#include <stdlib.h>
#include <string.h>

#define MEMO_OPEN 0x80000000u
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

static bool memo_reserve(up_ctx *c, rewrite_memo *m) {
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

/* A node that was entered and has no result yet. It waits for one of its sources, or (next is LINK)
 * for what it became. */
#define LINK UINT32_MAX
typedef struct rewrite_frame {
  up_node n;
  up_node target; /* n after the bottom-up matcher; LINK: what n became */
  uint32_t next;  /* source that is looked at next */
  uint32_t step;  /* steps taken when n was entered */
} frame;

typedef struct run {
  up_ctx *c;
  const rewrite_spec *spec;
  /* The top-down matcher where it is compiled rules that nothing watches; or NULL. */
  const compiled_first *first;
  uint32_t first_base;
  bool skip_same;    /* ... a result that is the node itself is passed over */
  unsigned fixed;    /* NODE_FIXED if that is about this matcher, else 0 */
  rewrite_memo memo; /* the context's, of this level, while the run goes on */
  uint32_t level;
  uint32_t bottom; /* of its part of the context's stack */
  up_list src;
  uint64_t steps, max_steps;
  int rule;
  up_node at; /* where it ended, if it did not end well */
  uint32_t loop_from;
} run;

/* What the node of this number becomes: 0 if that is not known; MEMO_OPEN. */
static inline uint32_t image_of(const run *r, uint32_t id) {
  if (r->c->node[id].flags & r->fixed) return id;
  return id < r->memo.cap && r->memo.at[id].gen == r->memo.now ? r->memo.at[id].val : 0;
}

static inline bool set_image(run *r, uint32_t id, uint32_t image) {
  if (id >= r->memo.cap && !memo_reserve(r->c, &r->memo)) return false;
  r->memo.at[id] = (memo_entry){r->memo.now, image};
  return true;
}

/* The node becomes itself. */
static inline bool set_unchanged(run *r, uint32_t id) {
  r->c->node[id].flags |= (uint8_t)r->fixed;
  return r->fixed || set_image(r, id, id);
}

size_t rewrite_frames_bytes(const up_ctx *c) { return (size_t)c->frame_cap * sizeof *c->frame; }

static inline bool push(run *r, frame f) {
  up_ctx *c = r->c;
  if (!ctx_grow(c, &c->frame, &c->frame_cap, (uint64_t)c->nframe + 1, sizeof *c->frame))
    return false;
  c->frame[c->nframe++] = f;
  return true;
}

static bool record(run *r, int number, up_node before, up_node after) {
  up_trace *t = r->c->trace;
  if (!t) return true;
  if (t->n == t->cap) {
    uint32_t cap = t->cap ? t->cap * 2 : 32;
    up_step *p = cap > t->cap ? realloc(t->step, cap * sizeof *p) : NULL;
    if (!p) {
      t->no_memory = true;
      up_ctx_set_status(r->c, UP_NO_MEMORY);
      return false;
    }
    t->step = p;
    t->cap = cap;
  }
  t->step[t->n++] = (up_step){number, before, after, r->level};
  return true;
}

/* n is open on the stack: the loop's turn is what was recorded since it was entered. */
static void found_loop(run *r, up_node n) {
  r->at = n;
  for (uint32_t i = r->c->nframe; i-- > r->bottom;) {
    const frame *f = &r->c->frame[i];
    if (!up_same(f->n, n)) continue;
    r->loop_from = f->step;
    break;
  }
  up_ctx_set_status(r->c, UP_LOOP);
}

static void count_step(run *r, int number, up_node before, up_node after) {
  r->rule = number;
  ctx_hit(r->c, number);
  if (++r->steps > r->max_steps) {
    r->at = before;
    up_ctx_set_status(r->c, UP_LIMIT_STEPS);
  }
  record(r, number, before, after);
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

/* Is it known that rewriting s, of which nothing is known, gives s? */
static inline bool has_no_rule(const run *r, uint32_t s) {
  const node *d = &r->c->node[s];
  return d->nsrc == 0 && r->first && !r->first[d->op];
}

/* Do they all stay as they are, for sure? Without a branch for each: what lies behind the last source
 * is the none node, which is fixed. */
static inline bool sources_fixed(const run *r, up_node n) {
  const up_ctx *c = r->c;
  const node *d = node_at(c, n);
  _Static_assert(UP_INLINE_SRC == 3, "three sources are looked at");
  if (d->nsrc > UP_INLINE_SRC) return false;
  unsigned all = c->node[d->src[0]].flags & c->node[d->src[1]].flags & c->node[d->src[2]].flags;
  return (all & r->fixed) != 0;
}

/* The next source of f->target that is not rewritten yet, f on the stack to wait for it; UP_NONE:
 * there is none. */
static up_node waiting_source(run *r, frame *f) {
  if (sources_fixed(r, f->target)) return UP_NONE;
  const node *d = node_at(r->c, f->target);
  const uint32_t *src = node_srcs(r->c, d);
  while (f->next < d->nsrc) {
    uint32_t s = src[f->next++], image = image_of(r, s);
    if (image == 0 && has_no_rule(r, s))
      set_unchanged(r, s);
    else if (image == 0 || image == MEMO_OPEN)
      return push(r, *f) ? (up_node){s} : UP_NONE;
  }
  return UP_NONE;
}

/* False: n has a result already, or the run is over. */
static inline bool enter(run *r, up_node n, frame *f) {
  uint32_t image = image_of(r, n.id);
  if (image == MEMO_OPEN) found_loop(r, n);
  if (image != 0 || !set_image(r, n.id, MEMO_OPEN)) return false;
  *f = (frame){n, n, 0, r->c->trace ? r->c->trace->n : 0};
  if (r->spec->bpm) f->target = bottom_up(r, n);
  return ctx_ok(r->c);
}

/* n with its rewritten sources; n itself when they are all unchanged. */
static inline up_node with_new_sources(run *r, up_node n) {
  up_ctx *c = r->c;
  if (sources_fixed(r, n)) return n;
  const node *d = node_at(c, n);
  const uint32_t *src = node_srcs(c, d);
  bool changed = false;
  for (uint32_t i = 0; i < d->nsrc && !changed; i++) changed = image_of(r, src[i]) != src[i];
  if (!changed) return n;
  r->src.n = 0;
  for (uint32_t i = 0; i < d->nsrc; i++) {
    up_node t = {image_of(r, src[i])};
    assert(t.id != 0 && t.id != MEMO_OPEN);
    if (!list_push(c, &r->src, t)) return UP_NONE;
  }
  return up_new(c, (up_op)d->op, d->dtype, r->src.p, r->src.n, (up_arg){d->arg});
}

/* What f.target, its sources rewritten, becomes next; UP_NONE: it stays, or the run is over. */
static up_node sources_done(run *r, const frame *f) {
  up_node t = with_new_sources(r, f->target);
  if (!ctx_ok(r->c)) return UP_NONE;
  if (up_same(t, f->target)) t = apply_top_down(r, t);
  if (!ctx_ok(r->c)) return UP_NONE;
  if (up_is_none(t)) {
    if (up_same(f->n, f->target))
      set_unchanged(r, f->n.id);
    else
      set_image(r, f->n.id, f->target.id);
    return UP_NONE;
  }
  push(r, (frame){f->n, t, LINK, f->step});
  return t;
}

/* As the releases have it: the sources of a node in their order, then the node, then what it becomes.
 */
static void run_all(run *r, up_node root) {
  up_ctx *c = r->c;
  up_node next = root; /* to be entered; UP_NONE: the frame on top goes on */
  while (ctx_ok(c)) {
    frame f;
    if (!up_is_none(next)) {
      bool entered = enter(r, next, &f);
      next = UP_NONE;
      if (!entered) continue;
    } else {
      if (c->nframe == r->bottom) return;
      f = c->frame[--c->nframe];
      if (f.next == LINK) {
        set_image(r, f.n.id, image_of(r, f.target.id));
        continue;
      }
    }
    next = waiting_source(r, &f);
    if (up_is_none(next) && ctx_ok(c)) next = sources_done(r, &f);
  }
}

/* ---- the entries ----------------------------------------------------------------------------- */

#define DEFAULT_STEPS 1000000u
#define STEPS_A_NODE 64u

static up_result result_of(run *r, up_node root) {
  up_result out = {r->c->status, UP_NONE, r->steps, r->rule, r->at};
  if (ctx_ok(r->c)) {
    out.node = (up_node){image_of(r, root.id)};
    out.rule = -1;
    out.at = UP_NONE;
  }
  return out;
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
           .rule = -1};
  r.max_steps =
      spec->max_steps ? spec->max_steps : DEFAULT_STEPS + (uint64_t)STEPS_A_NODE * c->nnode;
  up_result out = {c->status, UP_NONE, 0, -1, UP_NONE};
  up_trace *outer = c->trace;
  if (c->depth == 0 && spec->trace) c->trace = spec->trace;
  watch_rules(&r);
  rewrite_memo *memo = memo_begin(c);
  if (memo) {
    r.memo = *memo;
    c->depth++;
    for (uint32_t i = 0; i < n && ctx_ok(c); i++) {
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

void up_trace_free(up_trace *t) {
  free(t->step);
  *t = (up_trace){0};
}

void up_ctx_trace(up_ctx *c, up_trace *trace) {
  UP_REQUIRE(c->depth == 0, "up_ctx_trace");
  c->trace = trace;
}
