/* uproof minimize: the smallest graph with the same finding. */
#include "cli/cli.h"
#include <stdlib.h>
#include <string.h>

typedef struct minimize_args {
  cl_common common;
  const char *frame, *kind, *rule, *out;
  uint64_t tries;
} minimize_args;

#define AT(field) offsetof(minimize_args, field)
static const cl_option options[] = {
    {"--frame", CL_FRAMES, CL_CHOICE, AT(frame), NULL,
     "where to look; without it the frame in the file's metadata, else ideal"},
    {"--kind", "value|bounds|nontermination|crash|dtype", CL_CHOICE, AT(kind), NULL,
     "the finding to reduce; without it the file's, else the first"},
    {"--rule", "NAME", CL_TEXT, AT(rule), NULL, "the blamed rule of the finding to reduce"},
    {"--out", "uop|infix|tinygrad|json", CL_CHOICE, AT(out), "uop", "form of the result"},
    {"--limit-tries", "N", CL_COUNT, AT(tries), "100000", "candidates of the reduction"},
};
#undef AT

/* Which finding: NULL parts are free. */
typedef struct wanted {
  const char *frame, *kind, *rule;
} wanted;

static wanted what_is_wanted(const minimize_args *a, const up_metas *m) {
  wanted w = {a->frame, a->kind, a->rule};
  if (!w.frame) w.frame = up_metas_get(m, "frame");
  if (!w.frame) w.frame = "ideal";
  if (!w.kind && !w.rule) {
    w.kind = up_metas_get(m, "kind");
    w.rule = up_metas_get(m, "rule");
  }
  return w;
}

static bool matches(const up_profile *p, const or_finding *f, const wanted *w) {
  const char *rule = cl_rule_name(p, f->rule);
  if (w->kind && strcmp(w->kind, or_kind_name(f->kind)) != 0) return false;
  return !w->rule || (rule && strcmp(w->rule, rule) == 0);
}

static void put_result(up_ctx *c, const or_finding *f, const char *form, const char *file,
                       up_buf *out) {
  cl_source from = {.file = file};
  if (strcmp(form, "json") == 0)
    cl_put_json(out, cl_finding_json(c, f, &from));
  else if (strcmp(form, "infix") == 0)
    up_print_infix(c, f->graph, out);
  else if (strcmp(form, "tinygrad") == 0)
    up_print_tinygrad(c, f->graph, out);
  else
    cl_put_finding_uop(c, f, out);
  if (out->len > 0 && out->p[out->len - 1] != '\n') up_buf_puts(out, "\n");
}

static void put_notes(up_ctx *c, const or_reduced *r, const char *form) {
  const or_finding *f = &r->finding;
  up_buf b = {0};
  if (strcmp(form, "infix") != 0) up_print_infix(c, f->graph, &b);
  if (b.len > 0 && b.p[b.len - 1] != '\n') up_buf_puts(&b, "\n");
  const char *rule = cl_rule_name(up_ctx_profile(c), f->rule);
  up_buf_printf(&b, "minimize: %u nodes from %u, %u tries, %u accepted: %s in %s, %s\n",
                r->nodes_after, r->nodes_before, r->tries, r->accepted, or_kind_name(f->kind),
                or_frame_name(f->frame), rule ? rule : "cause unknown");
  if (b.p) fputs(b.p, stderr);
  up_buf_free(&b);
}

static int reduce(or_checker *k, up_ctx *c, const or_finding *f, const minimize_args *a) {
  or_reduced r = {0};
  if (!or_minimize(k, c, f, NULL, a->tries, &r)) {
    cl_error("minimize: the finding could not be reduced: it is not seen again, or no memory");
    return CL_HARNESS;
  }
  const char *form = a->common.json ? "json" : a->out;
  up_buf out = {0};
  put_result(r.ctx, &r.finding, form, a->common.operands.p[0], &out);
  if (!a->common.quiet) put_notes(r.ctx, &r, form);
  or_reduced_clear(&r);
  return cl_flush(&out) ? CL_FINDINGS : CL_HARNESS;
}

/* Tries one frame. CL_SOUND: no such finding in it. */
static int minimize_in(or_checker *k, up_ctx *c, const fm_item *it, or_frame f, const wanted *w,
                       const minimize_args *a) {
  or_report r = {0};
  or_check(k, c, it->root, f, &r);
  int status = CL_SOUND;
  for (uint32_t i = 0; i < r.nfindings && status == CL_SOUND; i++) {
    if (matches(up_ctx_profile(c), &r.finding[i], w)) status = reduce(k, c, &r.finding[i], a);
  }
  if (status == CL_SOUND && r.verdict >= OR_UNDECIDED) {
    cl_error("minimize: %s: %s: %s", or_frame_name(f), or_verdict_name(r.verdict), r.reason);
    status = CL_UNDECIDED;
  }
  or_report_clear(&r);
  return status;
}

static int minimize(up_ctx *c, const fm_item *it, const minimize_args *a) {
  wanted w = what_is_wanted(a, &it->meta);
  or_frame frame[OR_FRAME_COUNT];
  unsigned n = cl_frames(w.frame, frame);
  or_limits l = cl_limits(&a->common);
  or_checker *k = or_checker_new(&l);
  int status = k ? CL_SOUND : CL_HARNESS;
  for (unsigned i = 0; i < n && status == CL_SOUND; i++) {
    status = minimize_in(k, c, it, frame[i], &w, a);
  }
  or_checker_free(k);
  if (status == CL_SOUND) {
    cl_error("minimize: %s: no such finding in it (frame %s%s%s%s%s)", a->common.operands.p[0],
             w.frame, w.kind ? ", kind " : "", w.kind ? w.kind : "", w.rule ? ", rule " : "",
             w.rule ? w.rule : "");
  }
  return status;
}

static int run(void *args) {
  const minimize_args *a = args;
  up_profile *p = cl_load_profile(&a->common);
  if (!p) return CL_USAGE;
  up_ctx *c = up_ctx_new(p);
  fm_item it = {0};
  int status = c ? CL_USAGE : CL_HARNESS;
  if (c && cl_read_one(c, a->common.operands.p[0], &it)) status = minimize(c, &it, a);
  fm_item_clear(&it);
  up_ctx_free(c);
  up_profile_free(p);
  return status;
}

const cl_command cl_minimize = {
    .name = "minimize",
    .operands = "FILE",
    .summary = "reduce a finding; keeps the blamed rule",
    .about =
        "Checks the graph of the file and shrinks it while the finding keeps its kind, frame\n"
        "and blamed rule. Prints the reduced graph as .uop with the finding as metadata, and in\n"
        "infix on standard error. Exit status 1 when there was a finding to reduce, 0 when\n"
        "there was none.",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(minimize_args),
    .run = run,
};
