/* uproof trace: the steps of a simplification. */
#include "cli/cli.h"
#include <limits.h>
#include <stdlib.h>

static json_t *expr(up_ctx *c, up_node n) {
  up_buf b = {0};
  cl_put_expr(c, n, &b);
  json_t *j = cl_json_text(b.p ? b.p : "");
  up_buf_free(&b);
  return j;
}

static void put_step(up_ctx *c, const up_step *s, uint32_t number, bool in_loop, bool json,
                     up_buf *out) {
  const char *rule = cl_rule_name(up_ctx_profile(c), s->rule);
  if (json) {
    json_t *j = json_pack("{s:i,s:s,s:i,s:b}", "step", (int)number, "rule", rule ? rule : "?",
                          "depth", (int)s->depth, "loop", in_loop);
    json_object_set_new(j, "before", expr(c, s->before));
    json_object_set_new(j, "after", expr(c, s->after));
    cl_put_json(out, j);
    return;
  }
  up_buf_printf(out, "%4u %s %*s%-24s ", number, in_loop ? "|" : " ", (int)(s->depth * 2), "",
                rule ? rule : "?");
  cl_put_expr(c, s->before, out);
  up_buf_puts(out, "  ->  ");
  cl_put_expr(c, s->after, out);
  up_buf_puts(out, "\n");
}

static void put_end(up_ctx *c, const up_result *r, const up_trace *t, uint32_t loop_from, bool json,
                    up_buf *out) {
  up_buf why = {0};
  if (r->status != UP_OK) cl_put_failure(up_ctx_profile(c), r, &why);
  if (json) {
    json_t *j = json_pack("{s:I}", "steps", (json_int_t)r->steps);
    if (why.p)
      json_object_set_new(j, "error", cl_json_text(why.p));
    else
      json_object_set_new(j, "result", expr(c, r->node));
    cl_put_json(out, j);
  } else if (r->status == UP_LOOP) {
    up_buf_printf(out, "never ends: steps %u to %u (marked |) come again: %s\n", loop_from + 1,
                  t->n, why.p);
  } else if (why.p) {
    up_buf_printf(out, "no result: %s\n", why.p);
  } else {
    up_buf_puts(out, "result: ");
    cl_put_expr(c, r->node, out);
    up_buf_puts(out, "\n");
  }
  up_buf_free(&why);
}

static int each(up_ctx *c, const cl_graph *g, void *arg) {
  const cl_common *a = arg;
  up_trace t = {0};
  uint32_t loop_from = 0;
  up_buf out = {0};
  if (!a->json) {
    up_buf_puts(&out, g->index > 0 ? "\ngraph:  " : "graph:  ");
    cl_put_expr(c, g->item->root, &out);
    up_buf_puts(&out, "\n");
  }
  up_result r = cl_rewrite(c, g->item->root, a->steps, &t, &loop_from);
  for (uint32_t i = 0; i < t.n; i++) {
    put_step(c, &t.step[i], i + 1, r.status == UP_LOOP && i >= loop_from, a->json, &out);
  }
  put_end(c, &r, &t, loop_from, a->json, &out);
  if (t.no_memory) out.no_memory = true;
  up_trace_free(&t);
  if (!cl_flush(&out)) return CL_HARNESS;
  if (r.status == UP_OK) return CL_SOUND;
  return up_status_raise(r.status) || r.status == UP_LOOP ? CL_FINDINGS : CL_UNDECIDED;
}

static int run(void *args) { return cl_for_each(args, each, args); }

const cl_command cl_trace = {
    .name = "trace",
    .operands = "FILE...",
    .summary = "the steps of a simplification, rule by rule",
    .about = "Prints each rewrite of a simplification: its number, the rule, the rewritten node\n"
             "before and after; then the result. Steps of a rewrite that a rule itself starts are\n"
             "indented. A simplification that never ends shows one turn of its loop.",
    .min_operands = 1,
    .max_operands = UINT_MAX,
    .args_size = sizeof(cl_common),
    .run = run,
};
