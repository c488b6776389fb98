/* uproof check: every graph of the files through the whole oracle. */
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/stream.h"
#include "cli/viewers.h"
#include "proofs/trusted.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct check_args {
  cl_common common;
  const char *frame, *junit, *sarif;
  bool no_reduce, no_overflow, verdicts, no_certificates;
  uint64_t tries;
} check_args;

#define AT(field) offsetof(check_args, field)
static const cl_option options[] = {
    {"--frame", CL_FRAMES, CL_CHOICE, AT(frame), "ideal", "what the operations mean"},
    {"--no-reduce", NULL, CL_FLAG, AT(no_reduce), NULL, "print findings as they are, not reduced"},
    {"--no-overflow", NULL, CL_FLAG, AT(no_overflow), NULL,
     "graphs in which a node may leave its dtype, or one that a step makes, are unsupported"},
    {"--verdicts", NULL, CL_FLAG, AT(verdicts), NULL,
     "on standard error, one line a graph that has no finding"},
    {"--idempotence", NULL, CL_FLAG, AT(common.idempotence), NULL,
     "a result that is simplified once more is a finding (always so for sound)"},
    {"--no-certificates", NULL, CL_FLAG, AT(no_certificates), NULL,
     "evaluate and solve even what consists of proved rules"},
    {"--junit", "FILE", CL_TEXT, AT(junit), NULL, "findings as JUnit XML"},
    {"--sarif", "FILE", CL_TEXT, AT(sarif), NULL, "findings as SARIF, at the blamed rules' lines"},
    {"--limit-tries", "N", CL_COUNT, AT(tries), "20000", "candidates of a reduction"},
    CL_ADAPTER_OPTIONS,
};
#undef AT

/* A worker's own. */
typedef struct checker {
  const check_args *a;
  up_profile *profile;
  up_ctx *c;
  pf_certifier *certifier; /* NULL: none was wanted */
  cl_stream stream;
  or_frame frame[OR_FRAME_COUNT];
  unsigned nframes;
} checker;

/* What a unit replies, followed by its texts. */
typedef struct reply_head {
  cl_tally tally;
  size_t out, err;
} reply_head;

typedef struct merger {
  const check_args *a;
  cl_tally total;
  const char *spooled;
  cl_viewers views;
} merger;

static void close_checker(void *state) {
  checker *k = state;
  cl_stream_close(&k->stream);
  up_ctx_free(k->c);
  pf_certifier_free(k->certifier);
  up_profile_free(k->profile);
  free(k);
}

/* False after a message. */
static bool open_certifier(checker *k) {
  up_error e = {0};
  if (k->a->no_certificates || k->a->common.adapter) return true;
  k->certifier = pf_certifier_committed(k->profile, &e);
  if (!k->certifier) cl_error("certificates: %s", e.msg);
  return k->certifier != NULL;
}

static void *open_checker(void *arg) {
  const merger *m = arg;
  checker *k = calloc(1, sizeof *k);
  if (!k) return NULL;
  k->a = m->a;
  k->stream = (cl_stream){
      .files = &m->a->common.operands, .spooled = m->spooled, .quiet = m->a->common.quiet};
  k->nframes = cl_frames(m->a->frame, k->frame);
  k->profile = cl_load_profile(&m->a->common);
  k->c = k->profile ? up_ctx_new(k->profile) : NULL;
  if (k->c && open_certifier(k)) return k;
  close_checker(k);
  return NULL;
}

static void put_finding(checker *k, or_checker *oracle, const or_finding *f, const cl_source *from,
                        const volatile bool *stop, up_buf *out) {
  or_reduced r = {0};
  if (!k->a->no_reduce && or_minimize(oracle, k->c, f, stop, k->a->tries, &r)) {
    cl_put_json(out, cl_finding_json(r.ctx, &r.finding, from));
    or_reduced_clear(&r);
  } else {
    cl_put_json(out, cl_finding_json(k->c, f, from));
  }
}

static void put_verdict(const or_report *r, or_frame f, const cl_source *from, up_buf *err) {
  up_buf_printf(err, "%s", from->file);
  if (from->id) up_buf_printf(err, " %s", from->id);
  up_buf_printf(err, ": %s: %s", or_frame_name(f), or_verdict_name(r->verdict));
  if (r->stage) up_buf_printf(err, " (%s)", r->stage);
  if (r->reason[0]) up_buf_printf(err, ": %s", r->reason);
  up_buf_puts(err, "\n");
}

/* Verdicts that keep the run from saying "sound" are always explained. */
static bool worth_a_line(const checker *k, const or_report *r) {
  bool weak = r->verdict == OR_UNDECIDED || r->verdict == OR_UNSUPPORTED || r->verdict == OR_ERROR;
  return weak || (k->a->verdicts && r->nfindings == 0);
}

static void check_frame(checker *k, const fm_item *it, or_frame f, const cl_source *from,
                        const volatile bool *stop, cl_tally *t, up_buf *out, up_buf *err) {
  or_limits l = cl_limits(&k->a->common);
  l.no_overflow = k->a->no_overflow;
  or_checker *oracle = or_checker_new(&l);
  or_report r = {.verdict = OR_ERROR};
  if (oracle && k->certifier) {
    or_certifier hooks = pf_certifier_hooks(k->certifier);
    or_checker_certify(oracle, &hooks);
  }
  if (oracle) cl_check_item(oracle, k->c, it, f, &r);
  if (!oracle) strcpy(r.reason, "out of memory");
  cl_tally_note(t, r.verdict, r.stage);
  t->findings += r.nfindings;
  for (uint32_t i = 0; i < r.nfindings; i++) put_finding(k, oracle, &r.finding[i], from, stop, out);
  if (worth_a_line(k, &r)) put_verdict(&r, f, from, err);
  or_report_clear(&r);
  if (oracle) t->interpreted += or_checker_jit(oracle)->failed;
  or_checker_free(oracle);
}

static void check_item(checker *k, const fm_item *it, const cl_source *from, cl_cursor *at,
                       cl_tally *t, up_buf *out, up_buf *err) {
  t->graphs++;
  if (json_object_get(it->row, "mode") && cl_item_mode(it) == OR_NO_VALID) {
    t->out_of_scope++;
    up_buf_printf(err, "%s %s: out of scope: this mode\n", from->file, from->id ? from->id : "");
    return;
  }
  for (unsigned i = 0; i < k->nframes; i++) {
    const char *failed = cl_cursor_item(at, i);
    if (failed) {
      or_report r = {.verdict = OR_ERROR};
      snprintf(r.reason, sizeof r.reason, "%s", failed);
      t->verdict[OR_ERROR]++;
      put_verdict(&r, k->frame[i], from, err);
    } else {
      check_frame(k, it, k->frame[i], from, cl_cursor_stop(at), t, out, err);
    }
  }
}

static bool check_unit(void *state, uint64_t unit, cl_cursor *at, up_buf *reply) {
  checker *k = state;
  cl_source from = {0};
  fm_item item;
  up_error e;
  cl_got got = cl_stream_get(&k->stream, unit, k->c, &item, &from.file, &e);
  if (got == CL_GOT_END) return false;
  reply_head head = {0};
  up_buf out = {0}, err = {0};
  if (got == CL_GOT_ERROR) {
    head.tally.bad_input++;
    cl_put_input_error(&err, from.file, &e);
  } else {
    from.id = item.id;
    check_item(k, &item, &from, at, &head.tally, &out, &err);
    fm_item_clear(&item);
  }
  head.out = out.len;
  head.err = err.len;
  up_buf_put(reply, (const char *)&head, sizeof head);
  up_buf_put(reply, out.p ? out.p : "", out.len);
  up_buf_put(reply, err.p ? err.p : "", err.len);
  if (out.no_memory || err.no_memory) reply->no_memory = true;
  up_buf_free(&out);
  up_buf_free(&err);
  return true;
}

static void put_progress(const cl_tally *t) {
  up_buf b = {0};
  cl_tally_put(t, &b);
  fprintf(stderr, "\rcheck: %s", b.p ? b.p : "");
  up_buf_free(&b);
}

static bool merge_unit(void *arg, uint64_t unit, const char *reply, size_t n) {
  merger *m = arg;
  reply_head head;
  memcpy(&head, reply, sizeof head);
  reply += sizeof head;
  cl_tally_add(&m->total, &head.tally);
  fwrite(reply, 1, head.out, stdout);
  if (head.out) fflush(stdout);
  cl_viewers_add(&m->views, reply, head.out);
  /* bad input is reported whatever --quiet says */
  if (!m->a->common.quiet || head.tally.bad_input) fwrite(reply + head.out, 1, head.err, stderr);
  if (m->a->common.progress && unit % 64 == 0) put_progress(&m->total);
  return n >= sizeof head && !ferror(stdout);
}

static void put_summary(const merger *m, bool stopped) {
  up_buf b = {0};
  const char *line_end = m->a->common.progress ? "\n" : "";
  if (m->a->common.json) {
    json_t *j = cl_tally_json(&m->total);
    json_object_set_new(j, "seed", json_integer((json_int_t)m->a->common.seed));
    json_object_set_new(j, "stopped", json_boolean(stopped));
    cl_put_json(&b, j);
    fprintf(stderr, "%s%s", line_end, b.p ? b.p : "");
  } else {
    cl_tally_put(&m->total, &b);
    fprintf(stderr, "%scheck: %s, seed %llu%s\n", line_end, b.p ? b.p : "",
            (unsigned long long)m->a->common.seed, stopped ? ", stopped early" : "");
  }
  up_buf_free(&b);
}

static int run_check(const check_args *a, const up_profile *p, const char *spooled) {
  merger m = {
      .a = a,
      .spooled = spooled,
      .views = {
          .junit = a->junit, .sarif = a->sarif, .command = "check", .rules = a->common.rules}};
  cl_work w = {.arg = &m,
               .merge_arg = &m,
               .jobs = cl_jobs(&a->common),
               .hang_seconds = a->common.hang,
               .heed_signals = true,
               .open = open_checker,
               .unit = check_unit,
               .close = close_checker,
               .merge = merge_unit};
  cl_end end = cl_work_run(&w);
  bool viewed = cl_viewers_write(&m.views, p, &m.total);
  cl_viewers_free(&m.views);
  if (!a->common.quiet) put_summary(&m, end == CL_END_STOPPED);
  if (end == CL_END_FAILED || !viewed) return CL_HARNESS;
  int status = cl_tally_status(&m.total);
  /* what was not reached is not decided */
  return status == CL_SOUND && end == CL_END_STOPPED ? CL_UNDECIDED : status;
}

static int run(void *args) {
  const check_args *a = args;
  up_profile *p = cl_viewers_usable(a->junit, a->sarif) ? cl_load_profile(&a->common) : NULL;
  if (!p) return CL_USAGE;
  char spool[64];
  int status = CL_HARNESS;
  if (cl_spool_stdin(&a->common.operands, spool)) {
    cl_block_signals();
    status = run_check(a, p, spool[0] ? spool : NULL);
  }
  up_profile_free(p);
  return status;
}

const cl_command cl_check = {
    .name = "check",
    .operands = "FILE...",
    .summary = "check each graph; findings as JSON lines",
    .about =
        "Simplifies every graph with the profile and asks whether the result is equal to the\n"
        "graph, whether vmin and vmax hold at every node, whether the dtype stays and the\n"
        "rewrite ends. A row with a `valid` and a `mode` (or `call`) of uop_given_valid or\n"
        "simplify_valid is checked as that simplification. Each finding is reduced and printed\n"
        "as one JSON object on standard output: file, id, profile, kind, frame, rule, witness,\n"
        "expected, actual, reduced (infix), result, before and after of the blamed step,\n"
        "node_count, nodes (of the reduced graph, so that the line can be checked again), and\n"
        "mode, given (infix) and valid (nodes) where there is a valid. The last line on standard\n"
        "error counts the verdicts, and which stage decided how many (with --json as an object).",
    .min_operands = 1,
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(check_args),
    .run = run,
};
