/* uproof trace: the steps of a simplification. */
#include "cli/cli.h"
#include <limits.h>
#include <stdlib.h>

typedef struct trace_args {
  cl_common common;
  bool where;
} trace_args;

static const cl_option options[] = {
    {"--where", NULL, CL_FLAG, offsetof(trace_args, where), NULL,
     "file and line of each rule's text"},
    CL_ADAPTER_OPTIONS,
};

static json_t *expr(up_ctx *c, up_node n) {
  up_buf b = {0};
  cl_put_expr(c, n, &b);
  json_t *j = cl_json_text(b.p ? b.p : "");
  up_buf_free(&b);
  return j;
}

/* A step as it is shown: with its number, and whether it is part of the loop. */
typedef struct shown_step {
  const up_step *step;
  uint32_t number;
  bool in_loop;
} shown_step;

static void put_step_json(up_ctx *c, const shown_step *s, up_buf *out) {
  const up_profile *p = up_ctx_profile(c);
  const char *rule = cl_rule_name(p, s->step->rule);
  json_t *j = json_pack("{s:i,s:s,s:i,s:b}", "step", (int)s->number, "rule", rule ? rule : "?",
                        "depth", (int)s->step->depth, "loop", s->in_loop);
  if (rule) {
    up_rule_info info = up_rule_at(p, (uint32_t)s->step->rule);
    json_object_set_new(j, "file", cl_json_text(info.file));
    json_object_set_new(j, "line", json_integer(info.line));
  }
  json_object_set_new(j, "before", expr(c, s->step->before));
  json_object_set_new(j, "after", expr(c, s->step->after));
  cl_put_json(out, j);
}

static void put_step(up_ctx *c, const shown_step *s, bool where, up_buf *out) {
  const up_profile *p = up_ctx_profile(c);
  const char *rule = cl_rule_name(p, s->step->rule);
  up_buf_printf(out, "%4u %s %*s%-24s ", s->number, s->in_loop ? "|" : " ",
                (int)(s->step->depth * 2), "", rule ? rule : "?");
  if (where && rule) {
    up_rule_info info = up_rule_at(p, (uint32_t)s->step->rule);
    up_buf_printf(out, "%s:%u  ", info.file, info.line);
  }
  cl_put_expr(c, s->step->before, out);
  up_buf_puts(out, "  ->  ");
  cl_put_expr(c, s->step->after, out);
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
  const trace_args *args = arg;
  const cl_common *a = &args->common;
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
    shown_step s = {&t.step[i], i + 1, r.status == UP_LOOP && i >= loop_from};
    if (a->json)
      put_step_json(c, &s, &out);
    else
      put_step(c, &s, args->where, &out);
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
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(trace_args),
    .run = run,
};
