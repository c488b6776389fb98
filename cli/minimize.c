/* uproof minimize: the smallest graph with the same finding. */
#include "cli/cli.h"
#include "cli/jobs.h"
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

/* ---- in the worker --------------------------------------------------------------------------- */

/* The worker's own; what it prints is sent to the parent. */
typedef struct minimizer {
  const minimize_args *a;
  up_profile *profile;
  up_ctx *c;
  or_checker *oracle;
  const volatile bool *stop;
  up_buf out, err;
} minimizer;

/* What comes before the two texts of the reply. */
typedef struct minimized {
  int status;
  size_t out, err;
} minimized;

static void close_minimizer(void *state) {
  minimizer *z = state;
  or_checker_free(z->oracle);
  up_ctx_free(z->c);
  up_profile_free(z->profile);
  up_buf_free(&z->out);
  up_buf_free(&z->err);
  free(z);
}

static void *open_minimizer(void *arg) {
  minimizer *z = calloc(1, sizeof *z);
  if (!z) return NULL;
  z->a = arg;
  or_limits l = cl_limits(&z->a->common);
  z->profile = cl_load_profile(&z->a->common);
  z->c = z->profile ? up_ctx_new(z->profile) : NULL;
  z->oracle = or_checker_new(&l);
  if (z->c && z->oracle) return z;
  close_minimizer(z);
  return NULL;
}

static const char *form_of(const minimizer *z) { return z->a->common.json ? "json" : z->a->out; }

static void put_result(minimizer *z, up_ctx *c, const or_finding *f) {
  const char *form = form_of(z);
  up_buf *out = &z->out;
  cl_source from = {.file = z->a->common.operands.p[0]};
  if (strcmp(form, "json") == 0)
    cl_put_json(out, cl_finding_json(c, f, &from));
  else if (strcmp(form, "infix") == 0)
    up_print_infix(c, f->graph, out);
  else if (strcmp(form, "tinygrad") == 0)
    up_print_tinygrad(c, f->graph, out);
  else
    cl_put_finding_uop(c, f, &from, out);
  if (out->len > 0 && out->p[out->len - 1] != '\n') up_buf_puts(out, "\n");
}

static void put_notes(minimizer *z, const or_reduced *r) {
  const or_finding *f = &r->finding;
  up_buf *b = &z->err;
  if (z->a->common.quiet) return;
  if (strcmp(form_of(z), "infix") != 0) up_print_infix(r->ctx, f->graph, b);
  if (b->len > 0 && b->p[b->len - 1] != '\n') up_buf_puts(b, "\n");
  const char *rule = cl_rule_name(z->profile, f->rule);
  up_buf_printf(b, "minimize: %u nodes from %u, %u tries, %u accepted: %s in %s, %s%s\n",
                r->nodes_after, r->nodes_before, r->tries, r->accepted, or_kind_name(f->kind),
                or_frame_name(f->frame), rule ? rule : "cause unknown",
                *z->stop ? ", stopped early" : "");
}

static int reduce(minimizer *z, const or_finding *f) {
  or_reduced r = {0};
  if (!or_minimize(z->oracle, z->c, f, z->stop, z->a->tries, &r)) {
    up_buf_puts(&z->err, "uproof: minimize: the finding is not seen again, or no memory\n");
    return CL_HARNESS;
  }
  put_result(z, r.ctx, &r.finding);
  put_notes(z, &r);
  or_reduced_clear(&r);
  return CL_FINDINGS;
}

/* Tries one frame. CL_SOUND: no such finding in it. */
static int minimize_in(minimizer *z, up_node root, or_frame f, const wanted *w) {
  or_report r = {0};
  or_check(z->oracle, z->c, root, f, &r);
  int status = CL_SOUND;
  for (uint32_t i = 0; i < r.nfindings && status == CL_SOUND; i++) {
    if (matches(z->profile, &r.finding[i], w)) status = reduce(z, &r.finding[i]);
  }
  bool weak = r.verdict == OR_UNDECIDED || r.verdict == OR_UNSUPPORTED || r.verdict == OR_ERROR;
  if (status == CL_SOUND && weak) {
    up_buf_printf(&z->err, "uproof: minimize: %s: %s: %s\n", or_frame_name(f),
                  or_verdict_name(r.verdict), r.reason);
    status = r.verdict == OR_ERROR ? CL_HARNESS : CL_UNDECIDED;
  }
  or_report_clear(&r);
  return status;
}

static int minimize(minimizer *z, const fm_item *it) {
  wanted w = what_is_wanted(z->a, &it->meta);
  or_frame frame[OR_FRAME_COUNT];
  unsigned n = cl_frames(w.frame, frame);
  int status = CL_SOUND;
  for (unsigned i = 0; i < n && status == CL_SOUND; i++) {
    status = minimize_in(z, it->root, frame[i], &w);
  }
  if (status == CL_SOUND) {
    up_buf_printf(&z->err, "uproof: minimize: %s: no such finding in it (frame %s%s%s%s%s)\n",
                  z->a->common.operands.p[0], w.frame, w.kind ? ", kind " : "",
                  w.kind ? w.kind : "", w.rule ? ", rule " : "", w.rule ? w.rule : "");
  }
  return status;
}

static bool minimize_unit(void *state, uint64_t unit, cl_cursor *at, up_buf *reply) {
  minimizer *z = state;
  if (unit > 0) return false;
  minimized m = {.status = CL_HARNESS};
  const char *failed = cl_cursor_item(at, 0);
  fm_item it = {0};
  z->stop = cl_cursor_stop(at);
  if (failed)
    up_buf_printf(&z->err, "uproof: minimize: %s\n", failed);
  else
    m.status = cl_read_one(z->c, z->a->common.operands.p[0], &it) ? minimize(z, &it) : CL_USAGE;
  fm_item_clear(&it);
  m.out = z->out.len;
  m.err = z->err.len;
  up_buf_put(reply, (const char *)&m, sizeof m);
  up_buf_put(reply, z->out.p ? z->out.p : "", m.out);
  up_buf_put(reply, z->err.p ? z->err.p : "", m.err);
  if (z->out.no_memory || z->err.no_memory) reply->no_memory = true;
  return true;
}

/* ---- in the parent --------------------------------------------------------------------------- */

static bool take_result(void *arg, uint64_t unit, const char *reply, size_t n) {
  minimized m;
  (void)unit;
  (void)n;
  memcpy(&m, reply, sizeof m);
  fwrite(reply + sizeof m, 1, m.out, stdout);
  fwrite(reply + sizeof m + m.out, 1, m.err, stderr);
  *(int *)arg = m.status;
  return true;
}

/* One unit in one worker: a signal ends the reduction with the best so far, and a crash is told. It
 * may take as long as it takes. */
static int run(void *args) {
  const minimize_args *a = args;
  int status = CL_HARNESS;
  up_profile *p = cl_load_profile(&a->common);
  if (!p) return CL_USAGE;
  up_profile_free(p);
  cl_block_signals();
  cl_work w = {.arg = args,
               .merge_arg = &status,
               .jobs = 1,
               .heed_signals = true,
               .open = open_minimizer,
               .unit = minimize_unit,
               .close = close_minimizer,
               .merge = take_result};
  return cl_work_run(&w) == CL_END_FAILED ? CL_HARNESS : status;
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
