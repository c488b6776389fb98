/* uproof fuzz: runs a campaign and prints what it finds. */
#include "cli/campaign.h"
#include "cli/engine.h"
#include "cli/jobs.h"
#include "cli/viewers.h"
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(cl_fuzz_args, field)
static const cl_option options[] = {
    {"--frame", CL_FRAMES, CL_CHOICE, AT(frame), "ideal", "what the operations mean"},
    {"--runs", "N", CL_COUNT, AT(runs), "0", "graphs to try; 0: until --seconds are over"},
    {"--seconds", "N", CL_COUNT, AT(seconds), "0",
     "stop after so long, reductions too: --resume goes on with them; without --runs: 10"},
    {"--out", "DIR", CL_TEXT, AT(out), NULL,
     "the campaign's folder: its state, findings.jsonl, causes/; one that is there goes on"},
    {"--resume", NULL, CL_FLAG, AT(resume), NULL,
     "go on with the campaign of --out, with the options that it has"},
    {"--engine", CL_ENGINES, CL_CHOICE, AT(engine), NULL,
     "who makes graphs: this program (default), or a fuzzer guided by coverage (`make fuzzers`)"},
    {"--target", "NAME", CL_TEXT, AT(target), NULL, "fuzz target of it; default fuzz_simplify"},
    {"--target-dir", "DIR", CL_TEXT, AT(target_dir), NULL,
     "where the target is; else beside this program, or in build-fuzz or build-afl next to that"},
    {"--seeds", "DIR", CL_TEXTS, AT(seeds), NULL, "its first inputs; default corpus/seed/NAME"},
    {"--junit", "FILE", CL_TEXT, AT(junit), NULL, "new causes as JUnit XML"},
    {"--sarif", "FILE", CL_TEXT, AT(sarif), NULL,
     "new causes as SARIF, at the blamed rules' lines"},
    {"--known", "FILE", CL_TEXTS, AT(known), NULL,
     "known causes, a line `KIND FRAME RULE` or CAUSE each; `rules`: those marked in the rule "
     "texts; `refuted`: values and bounds in ideal by rules that the committed verdicts refute"},
    {"--shape", "default|symbolic", CL_CHOICE, AT(shape), "default",
     "distribution of the graphs; symbolic: that of tinygrad's fuzz_symbolic.py"},
    {"--max-nodes", "N", CL_COUNT, AT(max_nodes), "64", "largest graph (shape default)"},
    {"--no-casts", NULL, CL_FLAG, AT(no_casts), NULL, "int and bool only"},
    {"--no-bits", NULL, CL_FLAG, AT(no_bits), NULL, "no and, or, xor, shifts on integers"},
    {"--floor", NULL, CL_FLAG, AT(floor), NULL,
     "floor division in place of the truncating one, as tinygrad has it since 0.13.0"},
    {"--no-overflow", NULL, CL_FLAG, AT(no_overflow), NULL,
     "graphs cut down to a part in which nothing leaves its dtype, or can be undefined"},
    {"--idempotence", NULL, CL_FLAG, AT(common.idempotence), NULL,
     "a result that is simplified once more is a finding (always so for sound)"},
    {"--no-alone", NULL, CL_FLAG, AT(no_alone), NULL,
     "no case is rewritten by one rule alone, to see what others hide"},
    {"--no-certificates", NULL, CL_FLAG, AT(no_certificates), NULL,
     "evaluate and solve even what consists of proved rules"},
    {"--no-reduce", NULL, CL_FLAG, AT(no_reduce), NULL, "keep findings as they are, not reduced"},
    {"--verdicts", NULL, CL_FLAG, AT(verdicts), NULL,
     "on standard error, a line for each graph that is undecided, unsupported or an error"},
    {"--show", "CASE", CL_TEXTS, AT(show), NULL,
     "print this case of the seed, or these (FIRST-LAST), as .uop instead of running; with --json "
     "as "
     "JSON lines"},
    {"--limit-tries", "N", CL_COUNT, AT(tries), "20000", "candidates of a reduction"},
    {"--limit-points", "N", CL_COUNT, AT(common.points), "1024",
     "largest box of which every point is evaluated; larger ones are sampled"},
    {"--limit-rlimit", "N", CL_COUNT, AT(common.rlimit), "0",
     "solver resource units a query; 0: no solver, larger boxes count as sampled"},
    CL_ADAPTER_OPTIONS,
};
#undef AT

static bool tick(void *campaign) { return cl_campaign_goes_on(campaign); }

static int run_builtin(cl_campaign *g) {
  cl_fuzz_work work = {.a = g->a, .first = g->next};
  cl_work w = {.arg = &work,
               .jobs = cl_jobs(&g->a->common),
               .hang_seconds = g->a->common.hang,
               .heed_signals = true,
               .open = cl_fuzzer_open,
               .unit = cl_fuzzer_block,
               .close = cl_fuzzer_close,
               .merge = cl_campaign_merge,
               .tick = tick,
               .merge_arg = g};
  if (!cl_campaign_begin(g)) return CL_HARNESS;
  cl_end end = cl_work_run(&w);
  cl_campaign_finish(g, end == CL_END_STOPPED && cl_signal_pending());
  return end == CL_END_FAILED ? CL_HARNESS : cl_campaign_status(g);
}

static int run_campaign(cl_campaign *g) {
  return strcmp(g->a->engine, "builtin") == 0 ? run_builtin(g) : cl_engine_run(g);
}

/* "7", or "1-1000". */
static bool parse_cases(const char *word, uint64_t *from, uint64_t *to) {
  char first[24] = "";
  const char *dash = strchr(word, '-');
  if (!dash) return cl_parse_count(word, from) && cl_parse_count(word, to);
  if ((size_t)(dash - word) >= sizeof first) return false;
  memcpy(first, word, (size_t)(dash - word));
  return cl_parse_count(first, from) && cl_parse_count(dash + 1, to) && *from <= *to;
}

/* Without end only where standard output is. */
static int show_range(const cl_fuzz_args *a, void *z, uint64_t from, uint64_t to) {
  for (uint64_t i = from;; i++) {
    up_buf out = {0};
    if (!cl_fuzzer_show(z, i, a->common.json, &out)) out.no_memory = true;
    if (!cl_flush(&out) || ferror(stdout)) return CL_HARNESS;
    if (i == to) return CL_SOUND;
  }
}

static int show_cases(cl_fuzz_args *a) {
  cl_fuzz_work work = {.a = a};
  void *z = cl_fuzzer_open(&work);
  if (!z) return CL_USAGE;
  int status = CL_SOUND;
  for (unsigned i = 0; i < a->show.n && status == CL_SOUND; i++) {
    uint64_t from, to;
    if (parse_cases(a->show.p[i], &from, &to)) {
      status = show_range(a, z, from, to);
    } else {
      cl_usage("--show takes the number of a case, or FIRST-LAST, not '%s'", a->show.p[i]);
      status = CL_USAGE;
    }
  }
  cl_fuzzer_close(z);
  return status;
}

/* False after a message. */
static bool open_campaign(cl_campaign *g) {
  cl_fuzz_args *a = g->a;
  bool goes_on = false;
  if (!cl_viewers_usable(a->junit, a->sarif)) return false;
  if (a->resume && !a->out) return cl_usage("--resume goes on with a campaign: --out DIR");
  if (!cl_known_load(&a->known, &g->known)) return false;
  if (a->out) {
    if (!cl_store_open(&g->store, a->out)) return false;
    goes_on = cl_store_has_state(&g->store);
    if (!goes_on && (a->resume || g->store.nlines > 0))
      return cl_usage("%s: has %s but no state.json: not a campaign's folder", a->out,
                      g->store.nlines ? "findings" : "a name");
    if (goes_on && !(cl_state_read(g) && cl_state_options(g))) return false;
  }
  if (!a->engine) a->engine = "builtin";
  if (!a->target) a->target = "fuzz_simplify";
  if (!cl_engine_options(a)) return false;
  g->profile = cl_load_profile(&a->common);
  if (!g->profile || !cl_known_verdicts(&g->known, g->profile)) return false;
  g->covered = calloc(up_rule_count(g->profile) + 1, sizeof *g->covered);
  if (!g->covered) return cl_usage("out of memory");
  return !goes_on || cl_state_take(g);
}

static int run(void *args) {
  cl_campaign g = {.a = args, .store.lock = -1};
  if (g.a->show.n > 0) return show_cases(g.a);
  if (g.a->runs == 0 && g.a->seconds == 0) g.a->seconds = 10;
  int status = CL_USAGE;
  if (open_campaign(&g)) {
    cl_block_signals();
    status = run_campaign(&g);
  }
  cl_campaign_free(&g);
  return status;
}

const cl_command cl_fuzz = {
    .name = "fuzz",
    .operands = "",
    .summary = "check random graphs until time or number is up",
    .about =
        "Checks random graphs as `check` does. Findings are grouped by cause (kind, frame,\n"
        "blamed rule, op of the blamed node and sign of its divisor); the first of each cause is\n"
        "reduced (by --jobs processes more), kept in --out, and printed as a JSON line. With "
        "--runs the output depends on\n"
        "the seed alone, not on --jobs or time. SIGINT and SIGTERM end the campaign in good "
        "order;\n"
        "killed in any other way, it loses nothing that was found: the same command goes on from\n"
        "--out and ends with the same causes. --engine runs --jobs processes of another fuzzer, "
        "whose\n"
        "findings become part of the campaign; inputs on which its target itself fails are kept "
        "in\n"
        "--out, too, and make the exit status 4. With\n"
        "--known, causes that are known are kept and counted, but not printed, and the exit\n"
        "status is 1 only when there is a new one. The last line on standard error counts graphs,\n"
        "findings, causes, verdicts and stages, with --json as an object; --progress tells so "
        "every second, with --json as JSON.",
    .max_operands = 0,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(cl_fuzz_args),
    .run = run,
};
