/* uproof bounds: what the modelled engine claims of a graph's values, and what is true. */
#include "cli/cli.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct bounds_args {
  cl_common common;
  const char *frame;
  bool all, exact, tightness;
} bounds_args;

#define AT(field) offsetof(bounds_args, field)
static const cl_option options[] = {
    {"--all", NULL, CL_FLAG, AT(all), NULL, "every node, with its transfer rule"},
    {"--exact", NULL, CL_FLAG, AT(exact), NULL,
     "the exact range too, and what shows each end: all points, intervals, or the solver"},
    {"--tightness", NULL, CL_FLAG, AT(tightness), NULL,
     "over all nodes of all files: claimed width / exact width, by op and transfer rule"},
    {"--frame", "ideal|wrap|refine", CL_CHOICE, AT(frame), "ideal", "frame of the exact range"},
    {"--limit-points", "N", CL_COUNT, AT(common.points), "262144",
     "largest box of which every point is evaluated; beyond, the solver is asked"},
    {"--limit-rlimit", "N", CL_COUNT, AT(common.rlimit), "400000",
     "solver resource units a query, of which an end takes several; 0: no solver"},
    CL_ADAPTER_OPTIONS,
};
#undef AT

/* The range of a node among those that were found, or NULL. */
static const or_range *range_of(const or_ranges *x, up_node n) {
  for (uint32_t i = 0; i < x->n; i++) {
    if (up_same(x->range[i].node, n)) return &x->range[i];
  }
  return NULL;
}

static bool established(const or_range *r) { return r && r->lo_by && r->hi_by; }

static void put_exact(const or_ranges *x, const or_range *r, up_buf *out) {
  if (!established(r)) {
    up_buf_printf(out, "  exact: not computed (%s)", x->reason);
    if (!r || !r->seen) return;
    up_buf_puts(out, "; values in ");
  } else if (!r->seen) {
    up_buf_puts(out, "  exact: undefined everywhere");
    return;
  } else {
    up_buf_puts(out, "  exact: ");
  }
  char *lo = mpz_get_str(NULL, 10, r->lo), *hi = mpz_get_str(NULL, 10, r->hi);
  up_buf_printf(out, "[%s, %s]", lo ? lo : "?", hi ? hi : "?");
  free(lo);
  free(hi);
  if (!established(r))
    up_buf_printf(out, " at least%s%s", r->lo_by ? ", the lower end is exact" : "",
                  r->hi_by ? ", the upper end is exact" : "");
  else if (strcmp(r->lo_by, r->hi_by) == 0)
    up_buf_printf(out, " by %s", r->lo_by);
  else
    up_buf_printf(out, " by %s, %s", r->lo_by, r->hi_by);
}

static json_t *exact_json(const or_range *r) {
  char *lo = mpz_get_str(NULL, 10, r->lo), *hi = mpz_get_str(NULL, 10, r->hi);
  json_t *j = json_pack("[oo]", cl_json_value(lo ? lo : "?"), cl_json_value(hi ? hi : "?"));
  free(lo);
  free(hi);
  return j;
}

static void put_exact_json(const or_ranges *x, const or_range *r, json_t *j) {
  if (!established(r)) json_object_set_new(j, "not_computed", json_string(x->reason));
  if (established(r)) json_object_set_new(j, "exact", r->seen ? exact_json(r) : json_null());
  if (!r) return;
  json_object_set_new(j, "exact_by", json_pack("[s?s?]", r->lo_by, r->hi_by));
  if (!established(r) && r->seen) json_object_set_new(j, "values_in", exact_json(r));
}

typedef struct report {
  const bounds_args *a;
  const or_ranges *x;
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
  if (r->a->exact) put_exact_json(r->x, range_of(r->x, n), j);
  up_buf_free(&expr);
  cl_put_json(out, j);
}

static void put_line(up_ctx *c, const report *r, up_node n, up_bounds b, up_buf *out) {
  const char *rule = cl_rule_name(up_ctx_profile(c), up_minmax_rule(c, n));
  cl_put_bounds(c, b, out);
  if (r->a->exact) put_exact(r->x, range_of(r->x, n), out);
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
    bool starved = up_ctx_status(c) == UP_NO_MEMORY;
    up_ctx_clear_status(c);
    return raise ? CL_FINDINGS : starved ? CL_HARNESS : CL_UNDECIDED;
  }
  if (r->a->common.json)
    put_json(c, r, n, b, out);
  else
    put_line(c, r, n, b, out);
  return CL_SOUND;
}

/* False: some end is not established. */
static bool find_exact(up_ctx *c, up_node root, const bounds_args *a, or_ranges *x) {
  or_limits l = cl_limits(&a->common);
  l.jobs = cl_jobs(&a->common);
  or_checker *k = or_checker_new(&l);
  or_frame f = OR_IDEAL;
  or_frame_parse(a->frame, &f);
  if (!k) snprintf(x->reason, sizeof x->reason, "out of memory");
  bool ok = k && or_exact(k, c, root, f, a->all, x);
  for (uint32_t i = 0; i < x->n; i++) ok = ok && established(&x->range[i]);
  if (k) cl_note_jit(k);
  or_checker_free(k);
  return ok;
}

static int each(up_ctx *c, const cl_graph *g, void *arg) {
  or_ranges x = {0};
  report r = {.a = arg, .x = &x};
  up_list topo = {0};
  up_buf out = {0};
  int status = CL_SOUND;
  if (!up_toposort(c, g->item->root, &topo)) return CL_HARNESS;
  bool exact = !r.a->exact || find_exact(c, g->item->root, r.a, &x);
  for (uint32_t i = r.a->all ? 0 : topo.n - 1; i < topo.n && status == CL_SOUND; i++) {
    status = put_node(c, &r, topo.p[i], &out);
  }
  or_ranges_clear(&x);
  up_list_free(&topo);
  if (!cl_flush(&out)) return CL_HARNESS;
  return status == CL_SOUND && !exact ? CL_UNDECIDED : status;
}

static int run(void *args) {
  const bounds_args *a = args;
  return a->tightness ? cl_tightness(&a->common, a->frame) : cl_for_each(&a->common, each, args);
}

const cl_command cl_bounds = {
    .name = "bounds",
    .operands = "FILE...",
    .summary = "vmin and vmax, and the exact range with --exact",
    .about =
        "Prints the interval that the profile claims for each graph. With --exact the true one\n"
        "beside it (over the points at which the graph is defined), and how each end was\n"
        "established; where one is not, that is said, and the exit status is 3. With --tightness\n"
        "a table instead: how much wider the claims are than the values.",
    .min_operands = 1,
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(bounds_args),
    .run = run,
};
