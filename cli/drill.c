/* uproof drill: how long does `fuzz` take to find each wrong rule?
 *
 * The targets are the rules that a profile's texts mark as wrong, in each frame of the mark, or the
 * causes that the graphs of given files show. A frame's targets are looked for in one campaign: what
 * a campaign of a seed does until it meets one of them does not depend on the others. */
#include "cli/campaign.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct drill_args {
  cl_fuzz_args fuzz; /* of the campaigns; common options in front */
  uint64_t seconds;
} drill_args;

#define AT(field) offsetof(drill_args, field)
static const cl_option options[] = {
    {"--frame", CL_FRAMES, CL_CHOICE, AT(fuzz.frame), "all", "targets of this frame only"},
    {"--limit-seconds", "N", CL_COUNT, AT(seconds), "60", "a frame's campaign ends after so long"},
    {"--shape", "default|symbolic", CL_CHOICE, AT(fuzz.shape), "default",
     "of the graphs, as in fuzz"},
    {"--max-nodes", "N", CL_COUNT, AT(fuzz.max_nodes), "64", "largest graph"},
    {"--limit-points", "N", CL_COUNT, AT(fuzz.common.points), "1024",
     "largest box of which every point is evaluated; larger ones are sampled"},
    {"--limit-rlimit", "N", CL_COUNT, AT(fuzz.common.rlimit), "0",
     "solver resource units a query; 0: no solver"},
};
#undef AT

typedef struct target {
  int rule;
  or_frame frame;
  bool any_kind; /* else this one */
  or_kind kind;
  bool found;
  uint64_t index; /* case that showed it, */
  double seconds; /* and when: processor time, in steps of a block */
} target;

typedef struct drill {
  drill_args *a;
  up_profile *profile;
  target *target;
  uint32_t n, cap;
  uint32_t silent,
      unasked;    /* graphs of files that show nothing; rules that are not in `symbolic` */
  or_frame frame; /* of the campaign that runs */
  uint64_t graphs;
} drill;

/* ---- targets --------------------------------------------------------------------------------- */

static bool same_target(const target *a, const target *b) {
  return a->rule == b->rule && a->frame == b->frame && a->any_kind == b->any_kind &&
         (a->any_kind || a->kind == b->kind);
}

static bool add_target(drill *d, const target *t) {
  for (uint32_t i = 0; i < d->n; i++) {
    if (same_target(&d->target[i], t)) return true;
  }
  if (d->n == d->cap) {
    uint32_t cap = d->cap ? d->cap * 2 : 64;
    target *p = realloc(d->target, cap * sizeof *p);
    if (!p) return cl_usage("out of memory");
    d->target = p;
    d->cap = cap;
  }
  d->target[d->n++] = *t;
  return true;
}

/* `symbolic` is what campaigns simplify with: rules of other sets are not at work there. */
static bool add_marked(drill *d) {
  const up_ruleset *set = up_profile_ruleset(d->profile, "symbolic");
  static const unsigned bit[] = {
      [OR_IDEAL] = UP_RULE_IDEAL, [OR_WRAP] = UP_RULE_WRAP, [OR_REFINE] = UP_RULE_REFINE};
  for (uint32_t i = 0; i < up_rule_count(d->profile); i++) {
    up_rule_info r = up_rule_at(d->profile, i);
    if (r.wrong_in && r.kind == UP_RULE_REWRITE && !up_ruleset_has(set, i)) {
      d->unasked++;
      continue;
    }
    for (unsigned f = 0; f < OR_FRAME_COUNT; f++) {
      target t = {.rule = (int)i, .frame = (or_frame)f, .any_kind = true};
      if ((r.wrong_in & bit[f]) && !add_target(d, &t)) return false;
    }
  }
  return true;
}

/* A graph's own findings are targets. */
static int add_graph(up_ctx *c, const cl_graph *g, void *arg) {
  drill *d = arg;
  or_limits l = or_limits_default();
  or_checker *oracle = or_checker_new(&l);
  uint32_t before = 0;
  bool ok = oracle != NULL;
  for (unsigned f = 0; f < OR_FRAME_COUNT && ok; f++) {
    or_report r = {0};
    or_check(oracle, c, g->item->root, (or_frame)f, &r);
    for (uint32_t i = 0; i < r.nfindings && ok; i++) {
      const or_finding *x = &r.finding[i];
      target t = {.rule = x->rule, .frame = x->frame, .kind = x->kind};
      ok = add_target(d, &t);
      before++;
    }
    or_report_clear(&r);
  }
  if (before == 0) d->silent++;
  or_checker_free(oracle);
  return ok ? CL_SOUND : CL_HARNESS;
}

/* ---- one frame's campaign -------------------------------------------------------------------- */

static bool frame_done(const drill *d) {
  for (uint32_t i = 0; i < d->n; i++) {
    if (d->target[i].frame == d->frame && !d->target[i].found) return false;
  }
  return true;
}

static void note_found(drill *d, const cl_cause *k, double seconds) {
  for (uint32_t i = 0; i < d->n; i++) {
    target *t = &d->target[i];
    if (t->found || t->rule != k->rule || t->frame != k->frame) continue;
    if (!t->any_kind && t->kind != k->kind) continue;
    t->found = true;
    t->index = k->first;
    t->seconds = seconds;
  }
}

static bool merge(void *arg, uint64_t unit, const char *reply, size_t n) {
  drill *d = arg;
  cl_block b;
  (void)unit;
  (void)n;
  memcpy(&b, reply, sizeof b);
  d->graphs += b.tally.graphs;
  for (uint32_t i = 0; i < b.ncauses; i++) {
    cl_cause k;
    memcpy(&k, reply + sizeof b + i * sizeof k, sizeof k);
    note_found(d, &k, b.seconds);
  }
  return !frame_done(d);
}

static bool run_frame(drill *d) {
  if (frame_done(d)) return true;
  d->a->fuzz.frame = or_frame_name(d->frame);
  cl_fuzz_work work = {.a = &d->a->fuzz};
  cl_work w = {.arg = &work,
               .merge_arg = d,
               .jobs = 1,
               .hang_seconds = d->a->fuzz.common.hang,
               .seconds = d->a->seconds,
               .heed_signals = true,
               .open = cl_fuzzer_open,
               .unit = cl_fuzzer_block,
               .close = cl_fuzzer_close,
               .merge = merge};
  return cl_work_run(&w) != CL_END_FAILED && !cl_signal_pending();
}

/* ---- results --------------------------------------------------------------------------------- */

static const char *rule_of(const drill *d, const target *t) {
  const char *rule = cl_rule_name(d->profile, t->rule);
  return rule ? rule : "unknown";
}

static void put_target(const drill *d, const target *t) {
  const char *kind = t->any_kind ? "any" : or_kind_name(t->kind);
  if (d->a->fuzz.common.json) {
    json_t *j = json_pack("{s:s,s:s,s:s,s:b}", "rule", rule_of(d, t), "frame",
                          or_frame_name(t->frame), "kind", kind, "found", t->found);
    if (t->found) json_object_set_new(j, "case", json_integer((json_int_t)t->index));
    if (t->found) json_object_set_new(j, "seconds", json_real(t->seconds));
    cl_print_json(j);
  } else if (t->found) {
    printf("%-28s %-6s %-14s %10llu %9.2f\n", rule_of(d, t), or_frame_name(t->frame), kind,
           (unsigned long long)t->index, t->seconds);
  } else {
    printf("%-28s %-6s %-14s %10s %9s\n", rule_of(d, t), or_frame_name(t->frame), kind, "-",
           "not found");
  }
}

static int by_time(const void *a, const void *b) {
  const target *x = a, *y = b;
  if (x->found != y->found) return x->found ? -1 : 1;
  return x->seconds < y->seconds ? -1 : x->seconds > y->seconds;
}

static int put_results(drill *d) {
  uint32_t found = 0;
  if (d->n) qsort(d->target, d->n, sizeof *d->target, by_time);
  if (!d->a->fuzz.common.json)
    printf("%-28s %-6s %-14s %10s %9s\n", "rule", "frame", "kind", "case", "seconds");
  for (uint32_t i = 0; i < d->n; i++) {
    put_target(d, &d->target[i]);
    found += d->target[i].found;
  }
  if (!d->a->fuzz.common.quiet) {
    fflush(stdout);
    fprintf(stderr, "drill: %u targets, %u found, %u not", d->n, found, d->n - found);
    if (found)
      fprintf(stderr, ", median %.2f s, worst found %.2f s (%s in %s)",
              d->target[found / 2].seconds, d->target[found - 1].seconds,
              rule_of(d, &d->target[found - 1]), or_frame_name(d->target[found - 1].frame));
    if (d->silent) fprintf(stderr, ", %u graphs show nothing here", d->silent);
    if (d->unasked) fprintf(stderr, ", %u rules of other sets left out", d->unasked);
    fprintf(stderr, ", %llu graphs tried, seed %llu\n", (unsigned long long)d->graphs,
            (unsigned long long)d->a->fuzz.common.seed);
  }
  return found < d->n ? CL_FINDINGS : CL_SOUND;
}

static int run_drill(drill *d, const char *frames) {
  or_frame frame[OR_FRAME_COUNT];
  unsigned n = cl_frames(frames, frame);
  int status = CL_SOUND;
  if (d->a->fuzz.common.operands.n)
    status = cl_for_each_of(&d->a->fuzz.common, d->profile, add_graph, d);
  else if (!add_marked(d))
    status = CL_HARNESS;
  if (status != CL_SOUND) return status;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < d->n; i++) {
    bool wanted = false;
    for (unsigned f = 0; f < n; f++) wanted = wanted || d->target[i].frame == frame[f];
    if (wanted) d->target[kept++] = d->target[i];
  }
  d->n = kept;
  cl_block_signals();
  for (unsigned f = 0; f < n && status == CL_SOUND; f++) {
    d->frame = frame[f];
    if (!run_frame(d)) status = CL_HARNESS;
  }
  return status == CL_SOUND ? put_results(d) : status;
}

static int run(void *args) {
  drill d = {.a = args};
  d.profile = cl_load_profile(&d.a->fuzz.common);
  if (!d.profile) return CL_USAGE;
  int status = run_drill(&d, d.a->fuzz.frame);
  free(d.target);
  up_profile_free(d.profile);
  return status;
}

const cl_command cl_drill = {
    .name = "drill",
    .operands = "[FILE...]",
    .summary = "how long does fuzz take to find each wrong rule?",
    .about =
        "Fire drill: fuzzes the profile with one process until each of its wrong rules was found\n"
        "and blamed, and prints rule, frame, kind, case and processor seconds, fastest first.\n"
        "Without files the targets are the rules that the rule texts mark as wrong, in each frame\n"
        "of the mark; with files, the causes that their graphs show. The last line on standard\n"
        "error has the median and the worst time. Exit status 1: a target was not found within\n"
        "the limit. No rule of `sound` is marked as wrong in ideal; those of the releases are.",
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(drill_args),
    .run = run,
};
