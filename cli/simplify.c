/* uproof simplify: the simplified graphs. */
#include "cli/cli.h"
#include <limits.h>
#include <string.h>

typedef struct simplify_args {
  cl_common common;
  const char *out;
} simplify_args;

/* A printed tree is indented by depth: the text of a deep chain grows with the square of it. */
#define TREE_LIMIT ((size_t)1 << 30)

static const cl_option options[] = {
    {"--out", "infix|uop|json|tree|uops|tinygrad|dot|smt2", CL_CHOICE, offsetof(simplify_args, out),
     "infix",
     "form of the result; --json is --out json, tree what tinygrad prints for a UOp,\n"
     "                             uops its list of nodes, tinygrad Python that rebuilds it, smt2 "
     "a\n"
     "                             script of which `unsat` means that it is right in ideal"},
    CL_ADAPTER_OPTIONS,
};

static json_t *row(up_ctx *c, const cl_graph *g, const up_result *r, const char *failure) {
  json_t *j = json_object();
  json_t *id = g->item->id ? json_loads(g->item->id, JSON_DECODE_ANY, NULL) : NULL;
  if (id) json_object_set_new(j, "id", id);
  if (failure)
    json_object_set_new(j, "error", cl_json_text(failure));
  else
    json_object_set_new(j, "nodes", fm_nodes_to_json(c, r->node));
  json_object_set_new(j, "steps", json_integer((json_int_t)r->steps));
  return j;
}

static void put_result(up_ctx *c, const char *form, const cl_graph *g, const up_result *r,
                       up_buf *out) {
  if (strcmp(form, "json") == 0) {
    cl_put_json(out, row(c, g, r, NULL));
  } else if (strcmp(form, "uop") == 0) {
    up_print_uop(c, r->node, &g->item->meta, out);
  } else if (strcmp(form, "tree") == 0) {
    out->limit = TREE_LIMIT;
    up_print_tree(c, r->node, out);
  } else if (strcmp(form, "uops") == 0) {
    up_print_uops(c, r->node, out);
  } else if (strcmp(form, "tinygrad") == 0) {
    up_print_tinygrad(c, r->node, out);
  } else if (strcmp(form, "dot") == 0) {
    cl_put_dot(c, r->node, out);
  } else {
    up_print_infix(c, r->node, out);
  }
  if (out->len > 0 && out->p[out->len - 1] != '\n') up_buf_puts(out, "\n");
}

/* A graph that the modelled engine does not get through is a result too: a finding. */
static int report_failure(up_ctx *c, const cl_graph *g, const up_result *r, bool json,
                          up_buf *out) {
  up_buf why = {0};
  cl_put_failure(up_ctx_profile(c), r, &why);
  if (json) cl_put_json(out, row(c, g, r, why.p));
  cl_error("%s:%u: no simplified graph: %s", g->file, g->item->line, why.p ? why.p : "?");
  up_buf_free(&why);
  return up_status_raise(r->status) || r->status == UP_LOOP ? CL_FINDINGS : CL_UNDECIDED;
}

/* "Is the result right?" in ideal. (reset): so that scripts can follow each other. */
static int put_script(up_ctx *c, const simplify_args *a, const cl_graph *g, up_node result,
                      up_buf *out) {
  or_limits l = cl_limits(&a->common);
  or_checker *k = or_checker_new(&l);
  char why[120] = "no memory";
  if (g->index > 0) up_buf_puts(out, "(reset)\n");
  bool ok = k && or_smt2(k, c, g->item->root, result, OR_IDEAL, false, out, why);
  or_checker_free(k);
  if (!ok) cl_error("%s:%u: no script: %s", g->file, g->item->line, why);
  return ok ? CL_SOUND : CL_UNDECIDED;
}

static int each(up_ctx *c, const cl_graph *g, void *arg) {
  const simplify_args *a = arg;
  const char *form = a->common.json ? "json" : a->out;
  up_buf out = {0};
  if (g->index > 0 && strcmp(form, "json") != 0) up_buf_puts(&out, "\n");
  up_result r = cl_rewrite(c, g->item->root, a->common.steps, NULL, NULL);
  int status = CL_SOUND;
  if (r.status == UP_OK && strcmp(form, "smt2") == 0)
    status = put_script(c, a, g, r.node, &out);
  else if (r.status == UP_OK)
    put_result(c, form, g, &r, &out);
  else
    status = report_failure(c, g, &r, strcmp(form, "json") == 0, &out);
  if (out.overflow) {
    cl_error("%s:%u: the tree is longer than %zu characters (--out uop has no indentation)",
             g->file, g->item->line, TREE_LIMIT);
    up_buf_free(&out);
    return CL_UNDECIDED;
  }
  return cl_flush(&out) ? status : CL_HARNESS;
}

static int run(void *args) { return cl_for_each(args, each, args); }

const cl_command cl_simplify = {
    .name = "simplify",
    .operands = "FILE...",
    .summary = "print the simplified graph",
    .about =
        "Simplifies every graph of the files with the profile's rules and prints the results,\n"
        "one after the other.",
    .min_operands = 1,
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(simplify_args),
    .run = run,
};
