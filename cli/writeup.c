/* Writing up a new cause, in a process of its own: its graph, a case of the seed or what a fuzz target
 * saved, is checked again, and its finding reduced. */
#include "cli/alone.h"
#include "cli/campaign.h"
#include <stdlib.h>
#include <string.h>

typedef struct write_up_job {
  const cl_fuzz_args *a;
  const cl_cause *cause;
  const char *file;
  cl_write_up *out;
} write_up_job;

/* The worker's: the job beside the fuzzer that it needs. */
typedef struct writer {
  write_up_job job;
  void *z;
} writer;

static bool is_saved(const cl_cause *k) { return k->first == CL_NO_CASE; }

static void *open_writer(void *arg) {
  writer *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->job = *(const write_up_job *)arg;
  cl_fuzz_work work = {.a = w->job.a};
  w->z = cl_fuzzer_open(&work);
  if (w->z) return w;
  free(w);
  return NULL;
}

static void close_writer(void *state) {
  writer *w = state;
  cl_fuzzer_close(w->z);
  free(w);
}

/* out->interrupted is told in the line, too. */
static void put_line(json_t *j, cl_write_up *out) {
  if (out->interrupted) json_object_set_new(j, "interrupted", json_true());
  cl_put_json(&out->json, j);
}

static void put_all(const writer *w, up_ctx *c, const or_finding *f, cl_write_up *out) {
  cl_source from = {.file = w->job.file,
                    .generated = !is_saved(w->job.cause),
                    .seed = w->job.a->common.seed,
                    .index = w->job.cause->first};
  put_line(cl_finding_json(c, f, &from), out);
  cl_put_finding_uop(c, f, &from, &out->uop);
  cl_put_finding_py(c, f, &out->py);
}

static void put_finding(writer *w, or_checker *oracle, const or_finding *f, bool reduce,
                        const volatile bool *stop, cl_write_up *out) {
  or_reduced r = {0};
  up_ctx *c = cl_fuzzer_ctx(w->z);
  bool reduced = reduce && or_minimize(oracle, c, f, stop, w->job.a->tries, &r);
  if (reduce && *stop) out->interrupted = true;
  if (reduced)
    put_all(w, r.ctx, &r.finding, out);
  else
    put_all(w, c, f, out);
  if (reduced) or_reduced_clear(&r);
}

static up_node graph_of(writer *w) {
  const cl_cause *k = w->job.cause;
  up_node root = UP_NONE;
  up_metas m = {0};
  if (!is_saved(k)) return cl_fuzzer_case(w->z, k->first);
  up_ctx_reset(cl_fuzzer_ctx(w->z));
  up_ctx_choose(cl_fuzzer_ctx(w->z), NULL);
  if (!cl_found_read(cl_fuzzer_ctx(w->z), w->job.a->out, k->key, &root, &m)) root = UP_NONE;
  up_metas_free(&m);
  return root;
}

/* A target looks at other points than a campaign does. What it saw is looked for harder. */
static or_checker *strong_checker(const cl_fuzz_args *a) {
  or_limits l = cl_limits(&a->common);
  l.no_overflow = a->no_overflow;
  l.samples = 1u << 14;
  l.max_points = 1u << 20;
  l.solver_rlimit = or_limits_default().solver_rlimit;
  return or_checker_new(&l);
}

/* Checks the graph again and puts the finding of the cause. */
static bool find_with(writer *w, or_checker *oracle, bool reduce, const volatile bool *stop,
                      cl_write_up *out) {
  const cl_cause *k = w->job.cause;
  up_ctx *c = cl_fuzzer_ctx(w->z);
  up_node root = graph_of(w);
  or_report r = {0};
  bool found = false;
  if (oracle && !up_is_none(root)) cl_alone_check(oracle, c, root, k->frame, &r);
  for (uint32_t i = 0; i < r.nfindings && !found; i++) {
    char key[OR_CAUSE_ROOM];
    or_finding_cause(c, &r.finding[i], key);
    found = strcmp(key, k->key) == 0;
    if (found) put_finding(w, oracle, &r.finding[i], reduce, stop, out);
  }
  or_report_clear(&r);
  or_checker_free(oracle);
  return found;
}

static bool find_again(writer *w, bool reduce, const volatile bool *stop, cl_write_up *out) {
  if (is_saved(w->job.cause) && up_is_none(graph_of(w))) return false;
  if (find_with(w, cl_fuzzer_checker(w->z), reduce, stop, out)) return true;
  if (!is_saved(w->job.cause)) return false;
  if (*stop) out->interrupted = true;
  return !*stop && find_with(w, strong_checker(w->job.a), reduce, stop, out);
}

/* What is known without running anything: of a target's finding, what it saved. */
static void put_bare(const cl_fuzz_args *a, const up_profile *p, const cl_cause *k, const char *why,
                     cl_write_up *out) {
  json_t *j =
      json_pack("{s:n,s:n,s:s,s:s,s:s,s:s,s:s?,s:n,s:n,s:n,s:n,s:n,s:s}", "file", "id", "profile",
                up_profile_name(p), "cause", k->key, "kind", or_kind_name(k->kind), "frame",
                or_frame_name(k->frame), "rule", cl_cause_rule(p, k), "witness", "expected",
                "actual", "reduced", "nodes", "note", why);
  if (!is_saved(k)) {
    json_object_set_new(j, "seed", json_integer((json_int_t)a->common.seed));
    json_object_set_new(j, "case", json_integer((json_int_t)k->first));
  }
  put_line(j, out);
  if (is_saved(k)) cl_found_text(a->out, k->key, up_profile_name(p), &out->uop);
}

typedef struct write_up_head {
  size_t json, uop, py;
  bool interrupted, failed;
} write_up_head;

static void send_write_up(const cl_write_up *w, up_buf *reply) {
  write_up_head h = {w->json.len, w->uop.len, w->py.len, w->interrupted, w->failed};
  up_buf_put(reply, (const char *)&h, sizeof h);
  up_buf_put(reply, w->json.p ? w->json.p : "", w->json.len);
  up_buf_put(reply, w->uop.p ? w->uop.p : "", w->uop.len);
  up_buf_put(reply, w->py.p ? w->py.p : "", w->py.len);
  if (w->json.no_memory || w->uop.no_memory || w->py.no_memory) reply->no_memory = true;
}

/* Item 0 reduces, item 1 does not; both can fail with the process that tried. */
static bool write_up_unit(void *state, uint64_t unit, cl_cursor *at, up_buf *reply) {
  writer *w = state;
  if (unit > 0) return false;
  cl_write_up out = {0};
  const char *failed = cl_cursor_item(at, 0);
  bool found = !failed && find_again(w, !w->job.a->no_reduce, cl_cursor_stop(at), &out);
  if (failed) {
    out.failed = true;
    out.interrupted = strcmp(failed, CL_OUT_OF_MEMORY) == 0;
    failed = cl_cursor_item(at, 1);
    found = !failed && find_again(w, false, cl_cursor_stop(at), &out);
  }
  if (!found) {
    const char *why = failed            ? failed
                      : out.interrupted ? "not looked at again yet"
                                        : "not seen again";
    put_bare(w->job.a, up_ctx_profile(cl_fuzzer_ctx(w->z)), w->job.cause, why, &out);
  }
  send_write_up(&out, reply);
  cl_write_up_free(&out);
  return true;
}

static bool take_write_up(void *arg, uint64_t unit, const char *reply, size_t n) {
  (void)unit;
  (void)n;
  cl_write_up *out = ((write_up_job *)arg)->out;
  write_up_head h;
  memcpy(&h, reply, sizeof h);
  const char *at = reply + sizeof h;
  up_buf_put(&out->json, at, h.json);
  if (h.uop) up_buf_put(&out->uop, at + h.json, h.uop);
  if (h.py) up_buf_put(&out->py, at + h.json + h.uop, h.py);
  out->interrupted = h.interrupted;
  out->failed = h.failed;
  return true;
}

void cl_write_up_free(cl_write_up *w) {
  up_buf_free(&w->json);
  up_buf_free(&w->uop);
  up_buf_free(&w->py);
}

/* ---- the parent's side ----------------------------------------------------------------------- */

struct cl_writing {
  write_up_job job;
  cl_cause cause;
  char file[CL_PATH + OR_CAUSE_ROOM + 8];
  cl_write_up out;
  cl_pool *pool; /* NULL: could not be started */
  bool stopped;
};

cl_writing *cl_write_up_start(const cl_fuzz_args *a, const cl_cause *cause, const char *file) {
  cl_writing *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->cause = *cause;
  snprintf(w->file, sizeof w->file, "%s", file ? file : "");
  w->job =
      (write_up_job){.a = a, .cause = &w->cause, .file = file ? w->file : NULL, .out = &w->out};
  w->pool = cl_work_start(&(cl_work){.arg = &w->job,
                                     .merge_arg = &w->job,
                                     .jobs = 1,
                                     .hang_seconds = a->common.hang,
                                     .heed_signals = true,
                                     .open = open_writer,
                                     .unit = write_up_unit,
                                     .close = close_writer,
                                     .merge = take_write_up});
  return w;
}

bool cl_write_up_step(cl_writing *w, int milliseconds) {
  return !w->pool || cl_work_step(w->pool, milliseconds);
}

void cl_write_up_stop(cl_writing *w) {
  if (w->pool) cl_work_stop(w->pool);
  w->stopped = true;
}

cl_write_up cl_write_up_end(cl_writing *w, const up_profile *p, cl_cause *cause) {
  cl_write_up out;
  if (!w->pool || cl_work_end(w->pool) == CL_END_FAILED) w->out.failed = w->out.interrupted = true;
  if (w->out.json.len == 0) {
    /* killed, perhaps because it was to end */
    w->out.interrupted |= w->stopped || cl_signal_pending();
    put_bare(w->job.a, p, &w->cause, "the process that wrote it up failed", &w->out);
  }
  *cause = w->cause;
  out = w->out;
  free(w);
  return out;
}
