/* Rewriting with one rule until it ends or is seen not to. */
#include "loop.h"

#include "bits.h"
#include "confirm.h"

#include <string.h>

/* Steps after which a rewrite of one small graph is taken for endless: each instance has fewer nodes
 * than a hundred. */
#define MAX_STEPS 2000u
#define TRIES 64u /* points an instance */

typedef struct chase {
  const up_profile *profile; /* of the one rule */
  up_buf *line;
  int answer;
} chase;

static void put_step(up_ctx *c, const up_step *s, up_buf *out) {
  up_buf text = {0};
  if (up_render(c, s->before, &text)) {
    up_buf_put(out, text.p, text.len);
    text.len = 0;
    up_buf_puts(out, " -> ");
    if (up_render(c, s->after, &text)) up_buf_put(out, text.p, text.len);
  }
  up_buf_free(&text);
}

static bool visit(up_ctx *c, const pf_instance *i, const pf_point *at, uint32_t way, void *arg) {
  chase *h = arg;
  cf_graph g;
  up_trace t = {0};
  up_ctx_reset(c);
  if (!cf_build(c, i, at, OR_WRAP, way, &g)) {
    up_ctx_clear_status(c);
    return true;
  }
  const up_ruleset *rules = up_profile_ruleset(h->profile, "symbolic");
  up_result r = up_rewrite(c, g.root, rules, MAX_STEPS, &t, NULL);
  bool endless = r.status == UP_LOOP || r.status == UP_LIMIT_STEPS;
  if (endless && t.n > 0) {
    up_buf_puts(h->line, r.status == UP_LOOP ? "comes up again: " : "goes on and on: ");
    put_step(c, &t.step[0], h->line);
    h->answer = 1;
  }
  up_trace_free(&t);
  cf_graph_clear(&g);
  up_ctx_clear_status(c);
  return !endless;
}

static bool each(pf_instance *i, void *arg) {
  chase *h = arg;
  if (!bv_each_point(h->profile, i, OR_WRAP, TRIES, visit, h)) h->answer = -1;
  return h->answer == 0;
}

int pf_loops(const char *base, const rulebook *b, uint32_t number, up_buf *line) {
  const rule *r = &b->rule[number];
  up_error err;
  pf_left_out out = {0};
  if (r->kind != UP_RULE_REWRITE) return 0;
  up_profile *p = up_profile_parse(base, r->text, strlen(r->text), &err);
  if (!p) return -1;
  chase h = {.profile = p, .line = line};
  int k = rulebook_find(&p->book, r->name, strlen(r->name));
  unsigned types = 1u << UP_BOOL | 1u << UP_INT | 1u << UP_UINT | 1u << UP_ULONG;
  if (k < 0)
    h.answer = -1;
  else if (!pf_instances(&p->book, (uint32_t)k, types, false, each, &h, &out) && out.no_memory)
    h.answer = -1;
  up_profile_free(p);
  return h.answer;
}

int pf_loops_of(const up_profile *p, uint32_t number, up_buf *line) {
  return pf_loops(up_profile_name(p), &p->book, number, line);
}
