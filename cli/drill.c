/* uproof drill: how long does `fuzz` take to find each wrong rule?
 *
 * The targets are the rules that a profile's texts mark as wrong, in each frame of the mark, or the
 * causes that the graphs of given files show. A frame's targets are looked for in one campaign: what
 * a campaign of a seed does until it meets one of them does not depend on the others. Rules that
 * are not in the profile's rule set have a campaign of their own, by a set that holds them.
 *
 * With --mutants the targets are wrong mutants of the rules, each alone in a profile of its own. */
#include "cli/campaign.h"
#include "cli/mutants.h"
#include "proofs/prove.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct drill_args {
  cl_fuzz_args fuzz; /* of the campaigns; common options in front */
  uint64_t seconds, mutants;
} drill_args;

#define AT(field) offsetof(drill_args, field)
static const cl_option options[] = {
    {"--frame", CL_FRAMES, CL_CHOICE, AT(fuzz.frame), "all", "targets of this frame only"},
    {"--limit-seconds", "N", CL_COUNT, AT(seconds), "60",
     "a campaign (of a frame and a rule set) ends after so much processor time"},
    {"--mutants", "N", CL_COUNT, AT(mutants), "0",
     "instead: so many refuted mutants of the rules, in ideal, each for --limit-seconds at most"},
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
  const char *set;    /* that is rewritten with */
  const char *change; /* of a mutant */
  unsigned line;      /* ... its place in the text */
  bool found;
  uint64_t index; /* case that showed it, */
  double seconds; /* and when: processor time, in steps of a block */
} target;

typedef struct drill {
  drill_args *a;
  up_profile *profile;
  target *target;
  uint32_t n, cap;
  uint32_t silent; /* graphs of files that show nothing */
  or_frame frame;  /* of the campaign that runs, */
  const char *set; /* and its rule set */
  uint64_t graphs;
} drill;

/* ---- targets --------------------------------------------------------------------------------- */

static bool same_target(const target *a, const target *b) {
  return a->rule == b->rule && a->frame == b->frame && a->any_kind == b->any_kind &&
         (a->any_kind || a->kind == b->kind);
}

static bool push_target(drill *d, const target *t) {
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

static bool add_target(drill *d, const target *t) {
  for (uint32_t i = 0; i < d->n; i++) {
    if (same_target(&d->target[i], t)) return true;
  }
  return push_target(d, t);
}

static const char *chosen(const drill *d) { return up_ruleset_name(up_profile_chosen(d->profile)); }

/* A set in which the rule is at work: the profile's own, if it can be. */
static const char *set_of(const drill *d, uint32_t number) {
  const up_ruleset *set = up_profile_set_of(d->profile, number);
  if (!set || up_ruleset_has(up_profile_chosen(d->profile), number)) return chosen(d);
  return up_ruleset_name(set);
}

static bool add_marked(drill *d) {
  static const unsigned bit[] = {
      [OR_IDEAL] = UP_RULE_IDEAL, [OR_WRAP] = UP_RULE_WRAP, [OR_REFINE] = UP_RULE_REFINE};
  for (uint32_t i = 0; i < up_rule_count(d->profile); i++) {
    up_rule_info r = up_rule_at(d->profile, i);
    for (unsigned f = 0; f < OR_FRAME_COUNT; f++) {
      target t = {.rule = (int)i, .frame = (or_frame)f, .any_kind = true, .set = set_of(d, i)};
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
      target t = {.rule = x->rule, .frame = x->frame, .kind = x->kind, .set = chosen(d)};
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

/* Is nothing left to find by the campaign's frame and set? */
static bool campaign_done(const drill *d) {
  for (uint32_t i = 0; i < d->n; i++) {
    const target *t = &d->target[i];
    if (t->frame == d->frame && strcmp(t->set, d->set) == 0 && !t->found) return false;
  }
  return true;
}

static void note_found(drill *d, const cl_cause *k, double seconds) {
  for (uint32_t i = 0; i < d->n; i++) {
    target *t = &d->target[i];
    if (t->found || t->rule != k->rule || t->frame != k->frame || strcmp(t->set, d->set) != 0)
      continue;
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
  return !campaign_done(d) && b.seconds < (double)d->a->seconds;
}

static bool run_campaign(drill *d) {
  char name[128];
  if (campaign_done(d)) return true;
  snprintf(name, sizeof name, "%s/%s", up_profile_base(d->profile), d->set);
  d->a->fuzz.common.profile = name;
  d->a->fuzz.frame = or_frame_name(d->frame);
  cl_fuzz_work work = {.a = &d->a->fuzz};
  cl_work w = {.arg = &work,
               .merge_arg = d,
               .jobs = 1,
               .hang_seconds = d->a->fuzz.common.hang,
               .heed_signals = true,
               .open = cl_fuzzer_open,
               .unit = cl_fuzzer_block,
               .close = cl_fuzzer_close,
               .merge = merge};
  return cl_work_run(&w) != CL_END_FAILED && !cl_signal_pending();
}

static bool is_first_of_set(const drill *d, uint32_t at) {
  for (uint32_t i = 0; i < at; i++)
    if (strcmp(d->target[i].set, d->target[at].set) == 0) return false;
  return true;
}

/* One for each set that is needed. */
static bool run_frame(drill *d, or_frame f) {
  d->frame = f;
  for (uint32_t i = 0; i < d->n; i++) {
    d->set = d->target[i].set;
    if (is_first_of_set(d, i) && !run_campaign(d)) return false;
  }
  return true;
}

/* ---- mutants --------------------------------------------------------------------------------- */

typedef struct mutant_drill {
  drill *d;
  cl_mutants all;
} mutant_drill;

/* One after the other, spread over all rules: the golden section of their number apart. */
static uint32_t mutant_at(const cl_mutants *all, uint64_t unit) {
  uint64_t step = (uint64_t)all->n * 618 / 1000 + 1;
  for (;; step++) {
    uint64_t a = step, b = all->n;
    while (b) {
      uint64_t r = a % b;
      a = b;
      b = r;
    }
    if (a == 1) return (uint32_t)(unit % all->n * step % all->n);
  }
}

typedef struct mutant_worker {
  const mutant_drill *z;
  pf_prover *prover;
} mutant_worker;

static void close_mutants(void *state) {
  mutant_worker *k = state;
  pf_prover_free(k->prover);
  free(k);
}

static void *open_mutants(void *arg) {
  const pf_limits l = {.rlimit = 1, .effort = PF_PREMISES};
  mutant_worker *k = calloc(1, sizeof *k);
  if (!k) return NULL;
  k->z = arg;
  k->prover = pf_prover_new(&l);
  if (k->prover) return k;
  close_mutants(k);
  return NULL;
}

typedef struct mutant_reply {
  bool wrong; /* else it is no target */
  cl_hit hit;
} mutant_reply;

static bool drill_mutant(void *state, uint64_t unit, cl_cursor *at, up_buf *reply) {
  const mutant_drill *z = ((mutant_worker *)state)->z;
  const cl_mutant *m = &z->all.m[mutant_at(&z->all, unit)];
  char why[160];
  up_error err = {0};
  uint32_t n;
  if (unit >= z->all.n) return false;
  mutant_reply r = {0};
  pf_prover *prover = ((mutant_worker *)state)->prover;
  if (!cl_cursor_item(at, 0)) r.wrong = cl_mutant_fate(&z->all, m, prover, why) == PF_FATE_REFUTED;
  up_profile *p = r.wrong ? cl_mutant_profile(&z->all, m, false, &n, &err) : NULL;
  const cl_fuzzing how = {.number = FZ_ANY_RULE,
                          .seed = z->d->a->fuzz.common.seed,
                          .runs = UINT64_MAX,
                          .seconds = (double)z->d->a->seconds,
                          .stop = cl_cursor_stop(at)};
  if (p) r.hit = cl_mutant_fuzz(p, &how);
  r.wrong = p != NULL;
  up_profile_free(p);
  up_buf_put(reply, (const char *)&r, sizeof r);
  return true;
}

static bool merge_mutant(void *arg, uint64_t unit, const char *reply, size_t n) {
  mutant_drill *z = arg;
  drill *d = z->d;
  const cl_mutant *m = &z->all.m[mutant_at(&z->all, unit)];
  mutant_reply r;
  (void)n;
  memcpy(&r, reply, sizeof r);
  if (d->n >= d->a->mutants) return false; /* one more was under way */
  if (!r.wrong) return true;
  int number = up_rule_find(d->profile, m->rule);
  target t = {.rule = number,
              .frame = OR_IDEAL,
              .kind = r.hit.kind,
              .any_kind = !r.hit.found,
              .set = number < 0 ? chosen(d) : set_of(d, (uint32_t)number),
              .change = m->what,
              .line = m->line,
              .found = r.hit.found,
              .index = r.hit.graph,
              .seconds = r.hit.seconds};
  return push_target(d, &t) && d->n < d->a->mutants;
}

static bool run_mutants(mutant_drill *z) {
  cl_work w = {.arg = z,
               .merge_arg = z,
               .jobs = cl_jobs(&z->d->a->fuzz.common),
               .hang_seconds = z->d->a->fuzz.common.hang,
               .heed_signals = true,
               .open = open_mutants,
               .unit = drill_mutant,
               .close = close_mutants,
               .merge = merge_mutant};
  return cl_work_run(&w) != CL_END_FAILED && !cl_signal_pending();
}

/* ---- results --------------------------------------------------------------------------------- */

static const char *rule_of(const drill *d, const target *t) {
  const char *name = cl_rule_name(d->profile, t->rule);
  return name ? name : "unknown";
}

static void put_target(const drill *d, const target *t) {
  const char *kind = t->any_kind ? "any" : or_kind_name(t->kind);
  if (d->a->fuzz.common.json) {
    json_t *j = json_pack("{s:s,s:s,s:s,s:b}", "rule", rule_of(d, t), "frame",
                          or_frame_name(t->frame), "kind", kind, "found", t->found);
    if (t->change) json_object_set_new(j, "change", json_string(t->change));
    if (t->change) json_object_set_new(j, "line", json_integer((json_int_t)t->line));
    if (t->found) json_object_set_new(j, "case", json_integer((json_int_t)t->index));
    if (t->found) json_object_set_new(j, "seconds", json_real(t->seconds));
    cl_print_json(j);
  } else if (t->found) {
    printf("%-28s %-6s %-14s %10llu %9.2f", rule_of(d, t), or_frame_name(t->frame), kind,
           (unsigned long long)t->index, t->seconds);
  } else {
    printf("%-28s %-6s %-14s %10s %9s", rule_of(d, t), or_frame_name(t->frame), kind, "-",
           "not found");
  }
  if (d->a->fuzz.common.json) return;
  if (t->change) printf("  %u: %s", t->line, t->change);
  printf("\n");
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
    if (d->graphs) fprintf(stderr, ", %llu graphs tried", (unsigned long long)d->graphs);
    fprintf(stderr, ", seed %llu%s\n", (unsigned long long)d->a->fuzz.common.seed,
            cl_signal_pending() ? ", interrupted" : "");
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
    if (!run_frame(d, frame[f])) status = CL_HARNESS;
  }
  return status == CL_SOUND || cl_signal_pending() ? put_results(d) : status;
}

static int drill_mutants(drill *d) {
  mutant_drill z = {.d = d};
  int status = CL_USAGE;
  if (d->a->fuzz.common.operands.n || d->a->fuzz.common.rules) {
    cl_usage("drill --mutants takes a profile's own rules; no files, no --rules");
  } else if (cl_mutants_make(&z.all, d->profile, NULL, 1)) {
    cl_block_signals();
    status = run_mutants(&z) || cl_signal_pending() ? put_results(d) : CL_HARNESS;
  }
  cl_mutants_free(&z.all);
  return status;
}

static int run(void *args) {
  drill d = {.a = args};
  d.profile = cl_load_profile(&d.a->fuzz.common);
  if (!d.profile) return CL_USAGE;
  int status = d.a->mutants ? drill_mutants(&d) : run_drill(&d, d.a->fuzz.frame);
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
        "of the mark, by a rule set that has the rule; with files, the causes that their graphs\n"
        "show; with --mutants, wrong mutants of the rules, each in a profile of its own, with\n"
        "--jobs several at a time (interpreted rules: slower). The last line on standard error "
        "has\n"
        " the median and the worst time. Exit status 1: a target was not found within\n"
        "the limit. No rule of `sound` is marked as wrong in ideal; those of the releases are.",
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(drill_args),
    .run = run,
};
