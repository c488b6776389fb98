/* uproof fuzz: runs a campaign and prints what it finds.
 *
 * The parent merges the workers' blocks in order, so that the first case of each cause, and with it
 * all output of a run with --runs, is the same whatever --jobs is. A finding is on disk before it
 * is printed. */
#include "cli/campaign.h"
#include "cli/jobs.h"
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(cl_fuzz_args, field)
static const cl_option options[] = {
    {"--frame", CL_FRAMES, CL_CHOICE, AT(frame), "ideal", "what the operations mean"},
    {"--runs", "N", CL_COUNT, AT(runs), "0", "graphs to try; 0: until --seconds are over"},
    {"--seconds", "N", CL_COUNT, AT(seconds), "0", "stop after so long; without --runs: 10"},
    {"--out", "DIR", CL_TEXT, AT(out), NULL, "keep findings: a .uop file a cause, findings.jsonl"},
    {"--max-nodes", "N", CL_COUNT, AT(max_nodes), "64", "largest graph"},
    {"--no-casts", NULL, CL_FLAG, AT(no_casts), NULL, "int and bool only"},
    {"--no-bits", NULL, CL_FLAG, AT(no_bits), NULL, "no and, or, xor, shifts on integers"},
    {"--no-reduce", NULL, CL_FLAG, AT(no_reduce), NULL, "keep findings as they are, not reduced"},
    {"--verdicts", NULL, CL_FLAG, AT(verdicts), NULL,
     "on standard error, a line for each graph that is undecided, unsupported or an error"},
    {"--show", "CASE", CL_TEXTS, AT(show), NULL,
     "print this case of the seed as .uop instead of running"},
    {"--limit-tries", "N", CL_COUNT, AT(tries), "20000", "candidates of a reduction"},
    {"--limit-points", "N", CL_COUNT, AT(common.points), "1024",
     "largest box of which every point is evaluated; larger ones are sampled"},
    {"--limit-rlimit", "N", CL_COUNT, AT(common.rlimit), "0",
     "solver resource units a query; 0: no solver, larger boxes count as sampled"},
};
#undef AT

typedef struct campaign {
  cl_fuzz_args *a;
  up_profile *profile; /* for the names of rules */
  cl_tally total;
  cl_causes causes;
  bool keep_failed, no_memory;
} campaign;

/* Keeps and prints the first finding of a cause. */
static void report_cause(campaign *g, const cl_cause *k) {
  char name[128 + 4], path[1024];
  cl_cause_name(g->profile, k, name);
  strcat(name, ".uop");
  snprintf(path, sizeof path, "%s/%s", g->a->out ? g->a->out : "", name);
  cl_write_up w;
  if (!cl_fuzzer_write_up(g->a, g->profile, k, g->a->out ? path : NULL, &w)) {
    cl_error("fuzz: case %llu of seed %llu shows %s, but could not be written up",
             (unsigned long long)k->first, (unsigned long long)g->a->common.seed, name);
    g->keep_failed = true;
  }
  if (g->a->out && w.json.len > 0) {
    bool kept = w.uop.len == 0 || cl_keep_file(g->a->out, name, &w.uop);
    kept = cl_keep_line(g->a->out, "findings.jsonl", &w.json) && kept;
    if (!kept) g->keep_failed = true;
  }
  if (w.json.len > 0) fwrite(w.json.p, 1, w.json.len, stdout);
  fflush(stdout);
  up_buf_free(&w.json);
  up_buf_free(&w.uop);
}

static void put_progress(const campaign *g) {
  fprintf(stderr, "\rfuzz: %llu graphs, %llu findings in %u causes",
          (unsigned long long)g->total.graphs, (unsigned long long)g->total.findings, g->causes.n);
}

static bool merge_block(void *arg, uint64_t unit, const char *reply, size_t n) {
  campaign *g = arg;
  cl_block b;
  memcpy(&b, reply, sizeof b);
  cl_tally_add(&g->total, &b.tally);
  for (uint32_t i = 0; i < b.ncauses && sizeof b + (i + 1) * sizeof(cl_cause) <= n; i++) {
    cl_cause one;
    bool is_new;
    memcpy(&one, reply + sizeof b + i * sizeof one, sizeof one);
    if (!cl_causes_add(&g->causes, &one, &is_new)) {
      g->no_memory = true;
      return false;
    }
    if (is_new) report_cause(g, &one);
  }
  size_t notes = sizeof b + b.ncauses * sizeof(cl_cause);
  if (n > notes) fwrite(reply + notes, 1, n - notes, stderr);
  if (g->a->common.progress && unit % 16 == 0) put_progress(g);
  return !ferror(stdout);
}

static void put_summary(campaign *g, bool stopped) {
  up_buf b = {0};
  for (uint32_t i = 0; i < g->causes.n; i++) {
    const cl_cause *k = &g->causes.p[i];
    const char *rule = cl_rule_name(g->profile, k->rule);
    up_buf_printf(&b, "fuzz: %8llu x %s in %s, %s (first: case %llu)\n",
                  (unsigned long long)k->count, or_kind_name(k->kind), or_frame_name(k->frame),
                  rule ? rule : "cause unknown", (unsigned long long)k->first);
  }
  up_buf t = {0};
  cl_tally_put(&g->total, &t);
  const char *rest = t.p ? strstr(t.p, " findings") : NULL;
  up_buf_printf(&b, "fuzz: %llu graphs, %llu findings in %u causes%s, seed %llu%s\n",
                (unsigned long long)g->total.graphs, (unsigned long long)g->total.findings,
                g->causes.n, rest ? rest + strlen(" findings") : "",
                (unsigned long long)g->a->common.seed, stopped ? ", stopped early" : "");
  if (g->a->common.progress) fputc('\n', stderr);
  if (b.p) fwrite(b.p, 1, b.len, stderr);
  up_buf_free(&b);
  up_buf_free(&t);
}

static int run_campaign(campaign *g) {
  cl_work w = {.arg = g->a,
               .jobs = cl_jobs(&g->a->common),
               .hang_seconds = g->a->common.hang,
               .seconds = g->a->seconds,
               .heed_signals = true,
               .open = cl_fuzzer_open,
               .unit = cl_fuzzer_block,
               .close = cl_fuzzer_close,
               .merge = merge_block,
               .merge_arg = g};
  cl_end end = cl_work_run(&w);
  if (!g->a->common.quiet) put_summary(g, end == CL_END_STOPPED && cl_signal_pending());
  if (end == CL_END_FAILED || g->keep_failed || g->no_memory) return CL_HARNESS;
  return cl_tally_status(&g->total);
}

static int show_cases(cl_fuzz_args *a) {
  void *z = cl_fuzzer_open(a);
  if (!z) return CL_USAGE;
  int status = CL_SOUND;
  for (unsigned i = 0; i < a->show.n && status == CL_SOUND; i++) {
    uint64_t index;
    up_buf out = {0};
    if (!cl_parse_count(a->show.p[i], &index)) {
      cl_usage("--show takes the number of a case, not '%s'", a->show.p[i]);
      status = CL_USAGE;
    } else if (!cl_fuzzer_show(z, index, &out)) {
      out.no_memory = true;
    }
    if (!cl_flush(&out)) status = CL_HARNESS;
  }
  cl_fuzzer_close(z);
  return status;
}

static int run(void *args) {
  campaign g = {.a = args};
  if (g.a->show.n > 0) return show_cases(g.a);
  if (g.a->runs == 0 && g.a->seconds == 0) g.a->seconds = 10;
  g.profile = cl_load_profile(&g.a->common);
  if (!g.profile) return CL_USAGE;
  int status = CL_USAGE;
  if (!g.a->out || cl_keep_dir(g.a->out)) {
    cl_block_signals();
    status = run_campaign(&g);
  }
  free(g.causes.p);
  up_profile_free(g.profile);
  return status;
}

const cl_command cl_fuzz = {
    .name = "fuzz",
    .operands = "",
    .summary = "check random graphs until time or number is up",
    .about =
        "Checks random graphs as `check` does. Findings are grouped by cause (kind, frame,\n"
        "blamed rule); the first of each cause is reduced, kept in --out, and printed as a JSON\n"
        "line. With --runs the output depends on the seed alone, not on --jobs or time. SIGINT\n"
        "and SIGTERM end the campaign in good order. The last line on standard error counts\n"
        "graphs, findings, causes and verdicts.",
    .max_operands = 0,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(cl_fuzz_args),
    .run = run,
};
