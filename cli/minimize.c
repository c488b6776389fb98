/* glibc declares MAP_ANONYMOUS only with this. */
#define _DEFAULT_SOURCE
/* uproof minimize: the smallest graph with the same finding. */
#include "cli/cli.h"
#include "cli/jobs.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* The best so far, printed, in memory that the parent sees too: it is not lost with the worker. Two
 * texts, so that one is whole while the other is written. */
#define BEST_ROOM ((size_t)1 << 20)
typedef struct best_text {
  size_t n;
  char text[BEST_ROOM];
} best_text;
typedef struct best_so_far {
  _Atomic unsigned whole; /* number of the text + 1; 0: none yet */
  best_text at[2];
} best_so_far;

typedef struct minimize_args {
  cl_common common;
  const char *frame, *kind, *rule, *out;
  uint64_t tries, seconds;
  best_so_far *best;
  char *rules_text; /* of --rules */
  char kept[64];    /* the profile that the file names; "": none */
} minimize_args;

#define AT(field) offsetof(minimize_args, field)
static const cl_option options[] = {
    {"--frame", CL_FRAMES, CL_CHOICE, AT(frame), NULL,
     "where to look; without it the frame in the file's metadata, else ideal"},
    {"--kind", "value|bounds|nontermination|crash|dtype|idempotence", CL_CHOICE, AT(kind), NULL,
     "the finding to reduce; without it the file's, else the first"},
    {"--rule", "NAME", CL_TEXT, AT(rule), NULL, "the blamed rule of the finding to reduce"},
    {"--out", "uop|infix|tinygrad|json|c|py", CL_CHOICE, AT(out), "uop",
     "form of the result; tinygrad: Python that builds the graph, c and py: a test"},
    {"--seconds", "N", CL_COUNT, AT(seconds), "0",
     "end after so long with the best so far; 0: never"},
    {"--limit-tries", "N", CL_COUNT, AT(tries), "100000", "candidates of the reduction"},
    CL_ADAPTER_OPTIONS,
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
  int64_t published; /* when, in ms */
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
  l.idempotence = true;
  z->profile = cl_load_profile(&z->a->common);
  z->c = z->profile ? up_ctx_new(z->profile) : NULL;
  z->oracle = or_checker_new(&l);
  if (z->c && z->oracle) return z;
  close_minimizer(z);
  return NULL;
}

/* Only JSON and a test in C tell a graph and its valid. */
static const char *form_of(const minimizer *z, const or_finding *f) {
  bool both = f->mode != OR_NO_VALID && strcmp(z->a->out, "c") != 0 && strcmp(z->a->out, "py") != 0;
  return z->a->common.json || both ? "json" : z->a->out;
}

/* False: the finding has no such form. */
static bool put_finding(const minimizer *z, up_ctx *c, const or_finding *f, json_t *reduction,
                        up_buf *out) {
  const char *form = form_of(z, f);
  const minimize_args *a = z->a;
  const cl_source from = {.file = a->common.operands.p[0]};
  if (strcmp(form, "json") == 0) {
    json_t *j = cl_finding_json(c, f, &from);
    if (reduction) json_object_set(j, "reduction", reduction);
    cl_put_json(out, j);
  } else if (strcmp(form, "infix") == 0) {
    up_print_infix(c, f->graph, out);
  } else if (strcmp(form, "tinygrad") == 0) {
    up_print_tinygrad(c, f->graph, out);
  } else if (strcmp(form, "c") == 0) {
    cl_put_finding_c(c, f, a->common.profile, a->rules_text, out);
  } else if (strcmp(form, "py") == 0) {
    cl_put_finding_py(c, f, out);
  } else {
    cl_put_finding_uop(c, f, &from, out);
  }
  if (out->len > 0 && out->p[out->len - 1] != '\n') up_buf_puts(out, "\n");
  return out->len > 0;
}

static json_t *reduction_json(const or_reduced *r) {
  json_t *passes = json_object();
  for (unsigned i = 0; i < OR_PASS_COUNT; i++) {
    const or_pass_won *w = &r->won[i];
    json_object_set_new(passes, or_pass_name((or_pass)i),
                        json_pack("{s:i,s:i,s:i}", "tries", (int)w->tries, "accepted",
                                  (int)w->accepted, "nodes", (int)w->nodes));
  }
  return json_pack("{s:i,s:i,s:i,s:i,s:o}", "nodes_before", (int)r->nodes_before, "nodes_after",
                   (int)r->nodes_after, "tries", (int)r->tries, "accepted", (int)r->accepted,
                   "passes", passes);
}

static void put_passes(const or_reduced *r, up_buf *b) {
  up_buf_printf(b, "  %-10s %8s %8s %8s\n", "pass", "tries", "accepted", "nodes");
  for (unsigned i = 0; i < OR_PASS_COUNT; i++) {
    const or_pass_won *w = &r->won[i];
    if (w->tries == 0) continue;
    up_buf_printf(b, "  %-10s %8u %8u %8u\n", or_pass_name((or_pass)i), w->tries, w->accepted,
                  w->nodes);
  }
}

static void put_notes(minimizer *z, const or_reduced *r) {
  const or_finding *f = &r->finding;
  up_buf *b = &z->err;
  if (z->a->common.quiet) return;
  if (strcmp(form_of(z, f), "infix") != 0) up_print_infix(r->ctx, f->graph, b);
  if (b->len > 0 && b->p[b->len - 1] != '\n') up_buf_puts(b, "\n");
  put_passes(r, b);
  const char *rule = cl_rule_name(z->profile, f->rule);
  up_buf_printf(b, "minimize: %u nodes from %u, %u tries, %u accepted: %s in %s, %s%s\n",
                r->nodes_after, r->nodes_before, r->tries, r->accepted, or_kind_name(f->kind),
                or_frame_name(f->frame), rule ? rule : "cause unknown",
                *z->stop ? ", stopped early" : "");
}

/* Printing each better graph would cost more than finding it. */
#define PUBLISH_EVERY_MS 100

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void publish(void *arg, up_ctx *c, const or_finding *f) {
  minimizer *z = arg;
  best_so_far *best = z->a->best;
  if (now_ms() - z->published < PUBLISH_EVERY_MS) return;
  unsigned next = atomic_load(&best->whole) == 1 ? 1 : 0;
  up_buf b = {0};
  if (put_finding(z, c, f, NULL, &b) && !b.no_memory && b.len <= BEST_ROOM) {
    memcpy(best->at[next].text, b.p, b.len);
    best->at[next].n = b.len;
    atomic_store(&best->whole, next + 1);
  }
  up_buf_free(&b);
  z->published = now_ms();
}

static int reduce(minimizer *z, const or_finding *f) {
  or_reduced r = {0};
  const or_watch watch = {.better = publish, .arg = z};
  publish(z, z->c, f);
  if (!or_minimize_watched(z->oracle, z->c, f, z->stop, z->a->tries, &watch, &r)) {
    up_buf_puts(&z->err, "uproof: minimize: the finding is not seen again, or no memory\n");
    return CL_HARNESS;
  }
  json_t *how = reduction_json(&r);
  if (!put_finding(z, r.ctx, &r.finding, how, &z->out))
    up_buf_printf(&z->err, "uproof: minimize: no test in %s for a %s finding in %s\n",
                  form_of(z, f), or_kind_name(f->kind), or_frame_name(f->frame));
  json_decref(how);
  put_notes(z, &r);
  or_reduced_clear(&r);
  return CL_FINDINGS;
}

/* Tries one frame. CL_SOUND: no such finding in it. */
static int minimize_in(minimizer *z, const fm_item *it, or_frame f, const wanted *w) {
  or_report r = {0};
  cl_check_item(z->oracle, z->c, it, f, &r);
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
    status = minimize_in(z, it, frame[i], &w);
  }
  if (status == CL_SOUND) {
    up_buf_printf(
        &z->err, "uproof: minimize: %s: no such finding in it (profile %s, frame %s%s%s%s%s)\n",
        z->a->common.operands.p[0], up_profile_name(z->profile), w.frame, w.kind ? ", kind " : "",
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

typedef struct outcome {
  const minimize_args *a;
  int status;
  bool taken;
} outcome;

/* What the worker published before it failed or was killed. False: nothing. */
static bool print_best(const minimize_args *a) {
  unsigned whole = atomic_load(&a->best->whole);
  if (whole == 0) return false;
  const best_text *t = &a->best->at[whole - 1];
  fwrite(t->text, 1, t->n, stdout);
  cl_error("minimize: the best so far: the reduction did not end");
  return true;
}

static bool take_result(void *arg, uint64_t unit, const char *reply, size_t n) {
  outcome *o = arg;
  minimized m;
  (void)unit;
  (void)n;
  memcpy(&m, reply, sizeof m);
  fwrite(reply + sizeof m, 1, m.out, stdout);
  fwrite(reply + sizeof m + m.out, 1, m.err, stderr);
  o->status = m.status;
  o->taken = true;
  if (m.status == CL_HARNESS && m.out == 0) print_best(o->a);
  return true;
}

/* One unit in one worker: a signal or --seconds ends the reduction with the best so far, and a crash
 * is told. */
static int work(minimize_args *a) {
  outcome o = {.a = a, .status = CL_HARNESS};
  cl_work w = {.arg = a,
               .merge_arg = &o,
               .jobs = 1,
               .seconds = a->seconds,
               .heed_signals = true,
               .open = open_minimizer,
               .unit = minimize_unit,
               .close = close_minimizer,
               .merge = take_result};
  cl_end end = cl_work_run(&w);
  if (end == CL_END_FAILED || o.taken) return end == CL_END_FAILED ? CL_HARNESS : o.status;
  if (print_best(a)) return CL_FINDINGS;
  cl_error("minimize: stopped before the finding was seen");
  return CL_UNDECIDED;
}

/* The profile that the file's first graph names, into a->kept; what is wrong with the file is told
 * when it is read for good. */
static void read_kept_profile(minimize_args *a, up_ctx *c) {
  fm_item it = {0};
  up_error err = {0};
  fm_reader *r = fm_open(a->common.operands.p[0], &err);
  if (r && fm_next(r, c, &it, &err) == 1) {
    const char *kept = up_metas_get(&it.meta, "profile");
    if (!kept) kept = json_string_value(json_object_get(it.row, "profile"));
    if (kept) snprintf(a->kept, sizeof a->kept, "%s", kept);
    fm_item_clear(&it);
  }
  if (r) fm_close(r);
}

/* A finding that was kept says whose it is: that profile, unless one is asked for. Standard input is
 * read once, by the worker. False after a message. */
static bool choose_profile(minimize_args *a) {
  bool asked = a->common.profile != cl_default_profile || a->common.rules || a->common.adapter;
  up_profile *p = cl_load_profile(&a->common);
  up_ctx *c = p ? up_ctx_new(p) : NULL;
  bool ok = c != NULL;
  if (ok && !asked && strcmp(a->common.operands.p[0], "-") != 0) read_kept_profile(a, c);
  up_ctx_free(c);
  up_profile_free(p);
  if (!ok || !a->kept[0]) return ok;
  a->common.profile = a->kept;
  p = cl_load_profile(&a->common); /* is there such a one? */
  up_profile_free(p);
  return p != NULL;
}

/* A rule that the profile does not have has no finding to reduce: a slip. */
static bool knows_rule(const minimize_args *a) {
  if (!a->rule || a->common.adapter) return true;
  up_profile *p = cl_load_profile(&a->common);
  bool ok = p && (up_rule_find(p, a->rule) >= 0 || cl_no_rule(p, a->rule));
  up_profile_free(p);
  return ok;
}

static int run(void *args) {
  minimize_args *a = args;
  size_t n = 0;
  if (a->common.adapter && strcmp(a->out, "c") == 0) {
    cl_usage("--out c is a test of uproof's own engine, not of an adapter's");
    return CL_USAGE;
  }
  if (!choose_profile(a) || !knows_rule(a)) return CL_USAGE;
  if (a->common.rules && !(a->rules_text = cl_read_text(a->common.rules, &n))) return CL_USAGE;
  int status = CL_HARNESS;
  a->best = mmap(NULL, sizeof *a->best, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (a->best == MAP_FAILED) {
    cl_error("out of memory");
  } else {
    cl_block_signals();
    status = work(a);
    munmap(a->best, sizeof *a->best);
  }
  free(a->rules_text);
  return status;
}

const cl_command cl_minimize = {
    .name = "minimize",
    .operands = "FILE",
    .summary = "reduce a finding; keeps the blamed rule",
    .about =
        "Checks the graph of the file and shrinks it while the finding keeps its cause: kind,\n"
        "frame, blamed rule, op of the blamed node and sign of its divisor. Prints the reduced\n"
        "graph as .uop with the finding as metadata; in infix on standard error, and what each\n"
        "pass won. A row with a `valid` is reduced with it, and printed as JSON. A signal ends it "
        "with the best so far. Exit status 1 when there was a finding\n"
        "to reduce, 0 when there was none.",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(minimize_args),
    .run = run,
};
