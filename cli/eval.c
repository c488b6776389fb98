/* uproof eval: what a graph is worth at one assignment, by the reference evaluator. */
#include "cli/cli.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct eval_args {
  cl_common common;
  const char *frame;
  cl_texts set;
  bool all;
  bool *used; /* of each word of set: a graph has its variable */
} eval_args;

#define AT(field) offsetof(eval_args, field)
static const cl_option options[] = {
    {"--set", "NAME=N", CL_TEXTS, AT(set), NULL, "value of a variable; once for each of them"},
    {"--frame", CL_FRAMES, CL_CHOICE, AT(frame), "all", "what the operations mean"},
    {"--all", NULL, CL_FLAG, AT(all), NULL, "every node, not the root alone"},
};
#undef AT

static const char *const def_name[] = {[OR_VALUE_OK] = "value",
                                       [OR_VALUE_UNDEFINED] = "undefined",
                                       [OR_VALUE_UNSUPPORTED] = "unsupported"};

/* Entry of a source of entry i that lacks a value in the same way, so that i's was lost with it;
 * else i itself. Sources tend to stand just before their users. */
static uint32_t culprit(up_ctx *c, const or_values *v, uint32_t i) {
  for (uint32_t s = 0; s < up_nsrc(c, v->node[i]); s++) {
    up_node src = up_src(c, v->node[i], s);
    uint32_t j = i;
    while (j > 0 && !up_same(v->node[j - 1], src)) j--;
    if (j > 0 && v->def[j - 1] == v->def[i]) return j - 1;
  }
  return i;
}

/* Follows the missing value down to the operation that has none although its operands do. */
static up_node origin(up_ctx *c, const or_values *v, uint32_t i) {
  for (uint32_t next = culprit(c, v, i); next != i; next = culprit(c, v, i)) i = next;
  return v->node[i];
}

static void put_reason(up_ctx *c, const or_values *v, uint32_t i, up_buf *out) {
  up_node at = origin(c, v, i);
  up_buf_puts(out, def_name[v->def[i]]);
  up_buf_printf(out, " (%s in ", up_op_name(up_op_of(c, at)));
  cl_put_expr(c, at, out);
  up_buf_puts(out, ")");
}

static void put_value(up_ctx *c, const or_values *v, uint32_t i, up_buf *out) {
  if (v->def[i] != OR_VALUE_OK) {
    put_reason(c, v, i, out);
    return;
  }
  char *s = mpz_get_str(NULL, 10, v->value[i]);
  up_buf_puts(out, s ? s : "?");
  free(s);
}

static json_t *value_json(up_ctx *c, const or_values *v, uint32_t i) {
  up_buf b = {0};
  put_value(c, v, i, &b);
  json_t *j = cl_json_value(b.p ? b.p : "");
  up_buf_free(&b);
  return j;
}

static void put_node_json(up_ctx *c, const or_values *v, uint32_t i, or_frame f, up_buf *out) {
  json_t *j = json_pack("{s:s,s:s}", "frame", or_frame_name(f), "is", def_name[v->def[i]]);
  up_buf b = {0};
  cl_put_expr(c, v->node[i], &b);
  json_object_set_new(j, "node", cl_json_text(b.p ? b.p : ""));
  json_object_set_new(j, "value", value_json(c, v, i));
  up_buf_free(&b);
  cl_put_json(out, j);
}

/* A vector has an entry a lane. */
static uint32_t first_of_root(const or_values *v) {
  uint32_t i = v->n - 1;
  while (i > 0 && up_same(v->node[i - 1], v->node[i])) i--;
  return i;
}

static void put_frame(up_ctx *c, const eval_args *a, const or_values *v, or_frame f, up_buf *out) {
  for (uint32_t i = a->all ? 0 : first_of_root(v); i < v->n; i++) {
    if (a->common.json) {
      put_node_json(c, v, i, f, out);
      continue;
    }
    up_buf_printf(out, "%-7s", or_frame_name(f));
    put_value(c, v, i, out);
    if (a->all) {
      up_buf_puts(out, "   = ");
      cl_put_expr(c, v->node[i], out);
    }
    up_buf_puts(out, "\n");
  }
}

static int eval_at(up_ctx *c, const cl_graph *g, const eval_args *a, const or_witness *at) {
  or_frame frame[OR_FRAME_COUNT];
  unsigned n = cl_frames(a->frame, frame);
  up_buf out = {0};
  int status = CL_SOUND;
  if (g->index > 0 && !a->common.json) up_buf_puts(&out, "\n");
  for (unsigned i = 0; i < n; i++) {
    or_values v = {0};
    if (!or_eval(c, g->item->root, frame[i], at, &v) || v.n == 0) {
      cl_error("eval: out of memory");
      status = CL_HARNESS;
    } else if (!cl_below_ends(c, at, &v)) {
      up_buf_free(&out);
      or_values_clear(&v);
      return CL_USAGE;
    } else {
      put_frame(c, a, &v, frame[i], &out);
      if (v.def[v.n - 1] == OR_VALUE_UNSUPPORTED && status == CL_SOUND) status = CL_UNDECIDED;
    }
    or_values_clear(&v);
  }
  return cl_flush(&out) ? status : CL_HARNESS;
}

static int each(up_ctx *c, const cl_graph *g, void *arg) {
  const eval_args *a = arg;
  or_witness at = {0};
  int status = CL_USAGE;
  if (!cl_variables(c, g->item->root, &at))
    status = CL_HARNESS;
  else if (cl_assign(c, &a->set, &at, a->used))
    status = eval_at(c, g, a, &at);
  or_witness_clear(&at);
  return status;
}

static bool well_formed(const cl_texts *set) {
  for (unsigned i = 0; i < set->n; i++) {
    const char *eq = strchr(set->p[i], '=');
    if (!eq || eq == set->p[i]) return cl_usage("eval: --set takes NAME=N, not '%s'", set->p[i]);
  }
  return true;
}

/* Words for variables that no graph has: a slip, most likely. */
static bool all_used(const eval_args *a) {
  bool all = true;
  for (unsigned i = 0; i < a->set.n; i++)
    if (!a->used[i]) all = cl_usage("eval: --set %s: no graph has that variable", a->set.p[i]);
  return all;
}

static int run(void *args) {
  eval_args *a = args;
  if (!well_formed(&a->set)) return CL_USAGE;
  a->used = calloc(a->set.n + 1, sizeof *a->used);
  if (!a->used) {
    cl_error("eval: out of memory");
    return CL_HARNESS;
  }
  int status = cl_for_each(args, each, args);
  /* a graph that was refused may have the others */
  if (status != CL_USAGE && !all_used(a)) status = CL_USAGE;
  free(a->used);
  return status;
}

const cl_command cl_eval = {
    .name = "eval",
    .operands = "FILE...",
    .summary = "value in each frame",
    .about =
        "Evaluates the graph at the given values of its variables, in each frame, or says why\n"
        "it has no value there. A missing variable, one that no graph has, or a value outside a\n"
        "variable's range is bad usage.",
    .min_operands = 1,
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(eval_args),
    .run = run,
};
