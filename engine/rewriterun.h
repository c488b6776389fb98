/* One run of the rewrite driver: its state, and what a node becomes. rewrite.c has the driver for any
 * two matchers, rewritefast.c the same for the compiled rules of `symbolic` that nothing watches. */
#ifndef UPROOF_REWRITERUN_H
#define UPROOF_REWRITERUN_H

#include "rewrite.h"
#include "rulebook.h"

#define MEMO_OPEN 0x80000000u
bool memo_reserve(up_ctx *c, rewrite_memo *m);

/* A node that was entered and has no result yet. It waits for one of its sources, but for the topmost,
 * which is worked at. */
typedef struct rewrite_frame {
  up_node n;
  uint32_t next;  /* of more than UP_INLINE_SRC sources the one to look at; LINK */
  up_node target; /* n after the bottom-up matcher */
  uint32_t step;  /* steps taken when n was entered */
} frame;
/* n became another node, which is entered: kept only while steps are recorded, for found_loop. */
#define LINK UINT32_MAX

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
  const up_node *root; /* what is to be rewritten */
  uint32_t nroot;
  uint64_t steps, max_steps;
  int rule;
  up_node at; /* where it ended, if it did not end well */
  uint32_t loop_from;
} run;

static inline void set_image(run *r, uint32_t id, uint32_t image) {
  r->memo.at[id] = (memo_entry){r->memo.now, image};
}

/* A node that has become another one is kept with that one, whose own image is its image; a final image
 * is its own. The chain is cut short behind the one that is asked for. */
uint32_t follow(run *r, uint32_t id);

/* What the node of this number becomes: 0 if that is not known; MEMO_OPEN. Only what was entered, and
 * its sources, are surely within the memo. fixed is r->fixed, which a caller may know. */
static inline uint32_t image_within(run *r, const node *all, uint32_t id, unsigned fixed) {
  if (all[id].flags & fixed) return id;
  memo_entry e = r->memo.at[id];
  if (e.gen != r->memo.now) return 0;
  if (e.val == MEMO_OPEN || e.val == id || all[e.val].flags & fixed) return e.val;
  return follow(r, id);
}
static inline uint32_t image_of(run *r, uint32_t id, unsigned fixed) {
  const node *all = r->c->node;
  if (id < r->memo.cap) return image_within(r, all, id, fixed);
  return all[id].flags & fixed ? id : 0;
}
static inline bool image_known(uint32_t image) { return image != 0 && image != MEMO_OPEN; }

/* n is open on the stack: the loop's turn is what was recorded since it was entered. */
void found_loop(run *r, up_node n);

/* n has become t, whose image is returned: 0 if t must be entered, MEMO_OPEN if the run is over. */
static inline uint32_t become(run *r, up_node n, up_node t, unsigned fixed) {
  uint32_t image = image_of(r, t.id, fixed);
  if (image == MEMO_OPEN)
    found_loop(r, t);
  else
    set_image(r, n.id, image ? image : t.id);
  return image;
}

void record_step(run *r, int number, up_node before, up_node after);
/* The default limit goes by the size of the graph, which is counted when a run gets that far. */
bool more_steps(run *r);

static inline void count_step(run *r, int number, up_node before, up_node after) {
  r->rule = number;
  ctx_hit(r->c, number);
  if (++r->steps > r->max_steps && !more_steps(r)) {
    r->at = before;
    up_ctx_set_status(r->c, UP_LIMIT_STEPS);
  }
  if (r->c->trace) record_step(r, number, before, after);
}

static inline frame *top(const run *r) { return &r->c->frame[r->c->nframe - 1]; }

/* The topmost frame's target with its rewritten sources, of which there are more than UP_INLINE_SRC.
 * UP_NONE: *wait is entered first, or the run is over. */
up_node rebuild_long(run *r, frame *f, up_node target, up_node *wait);

/* rewritefast.c: rewrites root as far as it is not known yet. */
void run_fast(run *r, up_node root);

#endif
