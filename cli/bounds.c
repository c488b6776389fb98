/* uproof bounds: what the modelled engine claims of a graph's values, and what is true. */
#include "cli/cli.h"
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct bounds_args {
  cl_common common;
  const char *frame;
  bool all, exact;
} bounds_args;

#define AT(field) offsetof(bounds_args, field)
static const cl_option options[] = {
    {"--all", NULL, CL_FLAG, AT(all), NULL, "every node, with its transfer rule"},
    {"--exact", NULL, CL_FLAG, AT(exact), NULL, "the exact range too, by evaluating every point"},
    {"--frame", "ideal|wrap|refine", CL_CHOICE, AT(frame), "ideal", "frame of the exact range"},
    {"--limit-points", "N", CL_COUNT, AT(common.points), "262144",
     "largest box that --exact evaluates"},
};
#undef AT

/* The exact range of each node, by id; of a vector, over its lanes. */
typedef struct exact {
  uint32_t n;
  mpz_t *lo, *hi; /* initialised where seen */
  bool *seen;     /* the node has a value somewhere */
} exact;

static void exact_free(exact *x) {
  for (uint32_t i = 0; i < x->n; i++) {
    if (x->seen[i]) mpz_clears(x->lo[i], x->hi[i], NULL);
  }
  free(x->lo);
  free(x->hi);
  free(x->seen);
}

static bool exact_init(exact *x, up_node root) {
  uint32_t n = root.id + 1;
  x->lo = calloc(n, sizeof *x->lo);
  x->hi = calloc(n, sizeof *x->hi);
  x->seen = calloc(n, sizeof *x->seen);
  x->n = x->lo && x->hi && x->seen ? n : 0;
  return x->n > 0;
}

static void exact_add_one(exact *x, uint32_t id, const mpz_t value) {
  assert(id < x->n);
  if (!x->seen[id]) {
    mpz_init_set(x->lo[id], value);
    mpz_init_set(x->hi[id], value);
    x->seen[id] = true;
  }
  if (mpz_cmp(value, x->lo[id]) < 0) mpz_set(x->lo[id], value);
  if (mpz_cmp(value, x->hi[id]) > 0) mpz_set(x->hi[id], value);
}

/* False: a node has no meaning in the frame. */
static bool exact_add(exact *x, const or_values *v) {
  for (uint32_t i = 0; i < v->n; i++) {
    if (v->def[i] == OR_VALUE_UNSUPPORTED) return false;
    if (v->def[i] == OR_VALUE_OK) exact_add_one(x, v->node[i].id, v->value[i]);
  }
  return true;
}

/* NULL: done; else why there is no exact range. */
static const char *enumerate(up_ctx *c, up_node root, or_frame f, or_witness *at, exact *x) {
  do {
    or_values v = {0};
    bool ok = or_eval(c, root, f, at, &v) && exact_add(x, &v);
    or_values_clear(&v);
    if (!ok) return "an operation has no meaning in the frame";
  } while (cl_next_point(c, at));
  return NULL;
}

static const char *find_exact(up_ctx *c, up_node root, const bounds_args *a, exact *x) {
  or_witness at = {0};
  or_frame f = OR_IDEAL;
  uint64_t points;
  or_frame_parse(a->frame, &f);
  const char *why = NULL;
  if (!exact_init(x, root) || !cl_variables(c, root, &at))
    why = "out of memory";
  else if (!cl_box_size(c, &at, a->common.points, &points))
    why = "the box is above --limit-points";
  else
    why = enumerate(c, root, f, &at, x);
  or_witness_clear(&at);
  return why;
}

static void put_exact(const exact *x, uint32_t id, const char *why, up_buf *out) {
  if (why) {
    up_buf_printf(out, "  exact: not computed (%s)", why);
  } else if (!x->seen[id]) {
    up_buf_puts(out, "  exact: undefined everywhere");
  } else {
    char *lo = mpz_get_str(NULL, 10, x->lo[id]), *hi = mpz_get_str(NULL, 10, x->hi[id]);
    up_buf_printf(out, "  exact: [%s, %s]", lo ? lo : "?", hi ? hi : "?");
    free(lo);
    free(hi);
  }
}

static json_t *exact_json(const exact *x, uint32_t id) {
  char *lo = mpz_get_str(NULL, 10, x->lo[id]), *hi = mpz_get_str(NULL, 10, x->hi[id]);
  json_t *j = json_pack("[oo]", cl_json_value(lo ? lo : "?"), cl_json_value(hi ? hi : "?"));
  free(lo);
  free(hi);
  return j;
}

typedef struct report {
  const bounds_args *a;
  const exact *x;
  const char *why; /* no exact range */
} report;

static void put_json(up_ctx *c, const report *r, up_node n, up_bounds b, up_buf *out) {
  bool is_bool = up_dt_is_bool(up_dtype_of(c, n));
  const char *rule = cl_rule_name(up_ctx_profile(c), up_minmax_rule(c, n));
  up_buf expr = {0};
  cl_put_expr(c, n, &expr);
  json_t *j = json_object();
  json_object_set_new(j, "node", cl_json_text(expr.p ? expr.p : ""));
  json_object_set_new(j, "vmin", fm_val_to_json(c, b.lo, is_bool));
  json_object_set_new(j, "vmax", fm_val_to_json(c, b.hi, is_bool));
  json_object_set_new(j, "rule", rule ? cl_json_text(rule) : json_null());
  if (r->a->exact && r->why) json_object_set_new(j, "not_computed", json_string(r->why));
  if (r->a->exact && !r->why) {
    json_object_set_new(j, "exact", r->x->seen[n.id] ? exact_json(r->x, n.id) : json_null());
  }
  up_buf_free(&expr);
  cl_put_json(out, j);
}

static void put_line(up_ctx *c, const report *r, up_node n, up_bounds b, up_buf *out) {
  const char *rule = cl_rule_name(up_ctx_profile(c), up_minmax_rule(c, n));
  cl_put_bounds(c, b, out);
  if (r->a->exact) put_exact(r->x, n.id, r->why, out);
  if (r->a->all) {
    up_buf_printf(out, "  by %s: ", rule ? rule : "dtype");
    cl_put_expr(c, n, out);
  }
  up_buf_puts(out, "\n");
}

static int put_node(up_ctx *c, const report *r, up_node n, up_buf *out) {
  up_bounds b = up_minmax(c, n);
  if (up_ctx_status(c) != UP_OK) {
    const char *raise = up_status_raise(up_ctx_status(c));
    cl_error("bounds: %s", raise ? raise : up_status_name(up_ctx_status(c)));
    up_ctx_clear_status(c);
    return raise ? CL_FINDINGS : CL_HARNESS;
  }
  if (r->a->common.json)
    put_json(c, r, n, b, out);
  else
    put_line(c, r, n, b, out);
  return CL_SOUND;
}

static int each(up_ctx *c, const cl_graph *g, void *arg) {
  report r = {.a = arg};
  up_list topo = {0};
  exact x = {0};
  up_buf out = {0};
  int status = CL_SOUND;
  if (!up_toposort(c, g->item->root, &topo)) return CL_HARNESS;
  if (r.a->exact) r.why = find_exact(c, g->item->root, r.a, &x);
  r.x = &x;
  for (uint32_t i = r.a->all ? 0 : topo.n - 1; i < topo.n && status == CL_SOUND; i++) {
    status = put_node(c, &r, topo.p[i], &out);
  }
  exact_free(&x);
  up_list_free(&topo);
  if (!cl_flush(&out)) return CL_HARNESS;
  return status == CL_SOUND && r.why ? CL_UNDECIDED : status;
}

static int run(void *args) { return cl_for_each(args, each, args); }

const cl_command cl_bounds = {
    .name = "bounds",
    .operands = "FILE...",
    .summary = "vmin and vmax, and the exact range with --exact",
    .about =
        "Prints the interval that the profile claims for each graph. With --exact the true one\n"
        "beside it (over the points at which the graph is defined); when it is not computed,\n"
        "that is said, and the exit status is 3.",
    .min_operands = 1,
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(bounds_args),
    .run = run,
};
