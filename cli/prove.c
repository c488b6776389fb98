/* uproof prove: every rule of a profile, or of a file, as proof obligations. */
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/ledger_out.h"
#include "proofs/loop.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct prove_args {
  cl_common common;
  const char *rule, *frame, *dtype, *cache, *smt2;
  bool cache_only, update_cache, second, each, optimal;
} prove_args;

#define AT(field) offsetof(prove_args, field)
static const cl_option options[] = {
    {"--rule", "NAME", CL_TEXT, AT(rule), NULL, "this rule alone"},
    {"--frame", CL_FRAMES, CL_CHOICE, AT(frame), "ideal", "what the operations mean"},
    {"--dtype", "D", CL_TEXT, AT(dtype), NULL,
     "instances of this dtype alone; in ideal int stands for all integers that no cast looks at"},
    {"--each", NULL, CL_FLAG, AT(each), NULL, "a line for each obligation, proved ones too"},
    {"--optimal", NULL, CL_FLAG, AT(optimal), NULL,
     "a line for each bounds rule that is proved in ideal: are both ends reached, and if not a "
     "case"},
    {"--cache", "FILE", CL_TEXT, AT(cache), NULL, "verdicts that are known, by hash of the query"},
    {"--cache-only", NULL, CL_FLAG, AT(cache_only), NULL,
     "ask no solver: a query that the cache does not hold is unknown"},
    {"--update-cache", NULL, CL_FLAG, AT(update_cache), NULL, "add new verdicts to the cache"},
    {"--second-opinion", NULL, CL_FLAG, AT(second), NULL,
     "ask cvc5 about each proof, too (where installed); a disagreement is an error"},
    {"--smt2", "DIR", CL_TEXT, AT(smt2), NULL,
     "write the obligations as SMT-LIB2 files: unsat means proved"},
};
#undef AT

/* What workers share with the parent by being forked. */
typedef struct work {
  const prove_args *a;
  pf_ledger *ledger;
  uint32_t *todo; /* unanswered rows */
  uint32_t n;
} work;

/* ---- a worker ------------------------------------------------------------------------------------ */

typedef struct worker {
  work *w;
  pf_prover *prover;
} worker;

static void close_worker(void *state) {
  worker *k = state;
  pf_prover_free(k->prover);
  free(k);
}

static void *open_worker(void *arg) {
  worker *k = calloc(1, sizeof *k);
  work *w = arg;
  uint64_t rlimit = w->a->common.rlimit;
  pf_limits l = {.rlimit = rlimit > UINT32_MAX ? UINT32_MAX : (uint32_t)rlimit,
                 .second_opinion = w->a->second};
  if (!k) return NULL;
  k->w = w;
  k->prover = pf_prover_new(&l);
  if (k->prover) return k;
  close_worker(k);
  return NULL;
}

static bool prove_unit(void *state, uint64_t unit, cl_cursor *at, up_buf *reply) {
  worker *k = state;
  if (unit >= k->w->n) return false;
  uint32_t row = k->w->todo[unit];
  const char *why = cl_cursor_item(at, 0);
  if (why)
    pf_ledger_give_up(k->w->ledger, row, PF_ERROR, why);
  else
    pf_ledger_prove(k->w->ledger, row, k->prover);
  pf_ledger_put(k->w->ledger, row, reply);
  return true;
}

static bool merge_unit(void *arg, uint64_t unit, const char *reply, size_t n) {
  work *w = arg;
  if (w->a->common.progress && (unit % 8 == 0 || unit + 1 == w->n))
    fprintf(stderr, "\rprove: %llu of %u queries%s", (unsigned long long)unit + 1, w->n,
            unit + 1 == w->n ? "\n" : "");
  return pf_ledger_take(w->ledger, w->todo[unit], reply, n);
}

/* ---- the parent ------------------------------------------------------------------------------------ */

/* False: no memory. */
static bool list_todo(work *w) {
  uint32_t rows = pf_ledger_count(w->ledger);
  w->todo = malloc((rows + 1) * sizeof *w->todo);
  for (uint32_t i = 0; w->todo && i < rows; i++)
    if (!pf_ledger_row(w->ledger, i)->answered) w->todo[w->n++] = i;
  return w->todo != NULL;
}

static cl_end prove_todo(work *w) {
  unsigned jobs = cl_jobs(&w->a->common);
  if (w->n == 0) return CL_END_DONE;
  if (w->a->cache_only) {
    for (uint32_t i = 0; i < w->n; i++)
      pf_ledger_give_up(w->ledger, w->todo[i], PF_UNKNOWN, "not in the cache");
    return CL_END_DONE;
  }
  cl_block_signals();
  return cl_work_run(&(cl_work){.arg = w,
                                .merge_arg = w,
                                .jobs = jobs < w->n ? jobs : w->n,
                                .hang_seconds = w->a->common.hang,
                                .heed_signals = true,
                                .open = open_worker,
                                .unit = prove_unit,
                                .close = close_worker,
                                .merge = merge_unit});
}

static void stop_rest(work *w) {
  for (uint32_t i = 0; i < w->n; i++)
    if (!pf_ledger_row(w->ledger, w->todo[i])->answered)
      pf_ledger_give_up(w->ledger, w->todo[i], PF_UNKNOWN, "not asked: stopped");
}

/* ---- obligations as files ----------------------------------------------------------------------------- */

/* "RULE.LEMMA.FRAME.LABEL.smt2", with nothing that a shell or file system would mind. */
static void put_file_name(const char *dir, const pf_row *r, up_buf *out) {
  up_buf_printf(out, "%s/", dir);
  size_t at = out->len;
  up_buf_printf(out, "%s%s%s.%s.%s", r->rule, r->lemma ? "." : "", r->lemma ? r->lemma : "",
                or_frame_name(r->frame), r->label);
  for (char *s = out->p ? out->p + at : NULL; s && *s; s++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.", *s)) *s = '-';
  up_buf_puts(out, ".smt2");
}

static bool write_query(const char *file, const pf_row *r, const up_buf *query) {
  FILE *f = fopen(file, "w");
  bool ok = f != NULL;
  if (f) {
    fprintf(f, "; rule %s%s%s, frame %s, %s\n; unsat: the rule holds; sat: a counterexample\n",
            r->rule, r->lemma ? ", lemma " : "", r->lemma ? r->lemma : "", or_frame_name(r->frame),
            r->label);
    ok = fwrite(query->p, 1, query->len, f) == query->len;
    ok = fclose(f) == 0 && ok;
  }
  if (!ok) cl_error("%s: %s", file, strerror(errno));
  return ok;
}

static bool write_queries(const prove_args *a, pf_ledger *l) {
  pf_limits limits = {.rlimit = 1};
  pf_prover *p = pf_prover_new(&limits);
  up_buf name = {0}, query = {0};
  uint32_t written = 0;
  bool ok = p != NULL;
  for (uint32_t i = 0; ok && i < pf_ledger_count(l); i++) {
    name.len = query.len = 0;
    if (!pf_ledger_query(l, i, p, &query)) continue;
    put_file_name(a->smt2, pf_ledger_row(l, i), &name);
    ok = !name.no_memory && write_query(name.p, pf_ledger_row(l, i), &query);
    written++;
  }
  if (ok && !a->common.quiet) fprintf(stderr, "prove: %u files in %s\n", written, a->smt2);
  up_buf_free(&name);
  up_buf_free(&query);
  pf_prover_free(p);
  return ok;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static bool read_what(const prove_args *a, const up_profile *p, or_frame frames[OR_FRAME_COUNT],
                      pf_what *what) {
  up_dtype d;
  *what = (pf_what){.rule = a->rule, .frame = frames, .types = ~0u};
  what->nframe = cl_frames(a->frame, frames);
  if (a->common.rules) what->file = "rules";
  if (a->common.rlimit == 0 && !a->cache_only)
    return cl_usage("prove: --limit-rlimit 0 leaves no solver (--cache-only asks none)");
  if ((a->cache_only || a->update_cache) && !a->cache)
    return cl_usage("prove: which cache? (--cache FILE)");
  if (a->rule && up_rule_find(p, a->rule) < 0) return cl_no_rule(p, a->rule);
  if (!a->dtype) return true;
  if (!up_dt_parse(a->dtype, strlen(a->dtype), &d) || !(up_dt_is_int(d) || up_dt_is_bool(d)) ||
      up_dt_count(d) != 1)
    return cl_usage("--dtype is bool or an integer type, not '%s'", a->dtype);
  what->types = 1u << up_dt_scalar(d);
  return true;
}

/* Answers all rows; a status other than CL_SOUND: why not. */
static int answer(const prove_args *a, pf_ledger *l, pf_cache *cache) {
  work w = {.a = a, .ledger = l};
  uint64_t rlimit = a->common.rlimit;
  if (cache) pf_cache_answer(cache, l, rlimit > UINT32_MAX ? UINT32_MAX : (uint32_t)rlimit);
  cl_end end = list_todo(&w) ? prove_todo(&w) : CL_END_FAILED;
  stop_rest(&w);
  free(w.todo);
  return end == CL_END_FAILED ? CL_HARNESS : CL_SOUND;
}

static int save_cache(const prove_args *a, pf_ledger *l, pf_cache *cache) {
  up_error err = {0};
  if (!a->update_cache) return CL_SOUND;
  if (pf_cache_add(cache, l) && pf_cache_save(cache, a->cache, &err)) return CL_SOUND;
  cl_error("%s: %s", a->cache, err.msg[0] ? err.msg : "out of memory");
  return CL_HARNESS;
}

/* Which of a user's rules go on for ever by themselves? True or not: of no use. */
static int put_loops(const prove_args *a, const up_profile *p, const cl_ledger_out *o) {
  int status = CL_SOUND;
  for (uint32_t i = 0; i < up_rule_count(p) && status != CL_HARNESS; i++) {
    up_rule_info r = up_rule_at(p, i);
    up_buf why = {0};
    if (strcmp(r.file, "rules") != 0 || (a->rule && strcmp(a->rule, r.name) != 0)) continue;
    int loops = pf_loops_of(p, i, &why);
    if (loops < 0 || why.no_memory) {
      cl_error("%s: could not be applied alone", r.name);
      status = CL_HARNESS;
    } else if (loops) {
      status = cl_put_loop(r.name, why.p ? why.p : "", o) ? CL_FINDINGS : CL_HARNESS;
    }
    up_buf_free(&why);
  }
  return status;
}

/* Which proved bounds rules are optimal. False: no memory. */
static bool put_optimality(const prove_args *a, pf_ledger *l) {
  pf_limits limits = {.rlimit = 4000000};
  pf_prover *p = pf_prover_new(&limits);
  up_buf out = {0}, about = {0};
  for (uint32_t i = 0; p && i < pf_ledger_count(l); i++) {
    const pf_row *r = pf_ledger_row(l, i);
    about.len = 0;
    pf_optimality o = pf_ledger_optimality(l, i, p, &about);
    if (o == PF_NO_BOUNDS) continue;
    const char *why = about.len ? about.p : "";
    if (a->common.json)
      cl_put_json(&out,
                  json_pack("{s:s, s:s, s:s, s:s, s:s}", "kind", "optimality", "rule", r->rule,
                            "dtype", r->label, "verdict", pf_optimality_name(o), "about", why));
    else
      up_buf_printf(&out, "%-11s %-30s %s  (%s)\n", pf_optimality_name(o), r->rule, r->label, why);
  }
  if (!p || about.no_memory) out.no_memory = true;
  pf_prover_free(p);
  up_buf_free(&about);
  return cl_flush(&out);
}

static int run_with(const prove_args *a, const up_profile *p, const pf_what *what) {
  up_error err = {0};
  pf_cache *cache = a->cache ? pf_cache_load(a->cache, a->update_cache, &err) : NULL;
  if (a->cache && !cache) {
    cl_input_error(a->cache, &err);
    return CL_USAGE;
  }
  int status = CL_HARNESS;
  pf_ledger *l = pf_ledger_new(p, what, &err);
  if (!l) {
    cl_error("%s", err.msg);
  } else {
    status = answer(a, l, cache);
    if (status == CL_SOUND) status = save_cache(a, l, cache);
    cl_ledger_out out = {.profile = a->common.rules ? a->common.rules : up_profile_name(p),
                         .json = a->common.json,
                         .each = a->each,
                         .quiet = a->common.quiet};
    int verdict = cl_put_ledger(l, &out);
    int loops = a->common.rules ? put_loops(a, p, &out) : CL_SOUND;
    if (loops == CL_HARNESS || (loops == CL_FINDINGS && verdict != CL_HARNESS)) verdict = loops;
    if (status == CL_SOUND) status = verdict;
    if (a->optimal && !put_optimality(a, l)) status = CL_HARNESS;
    if (a->smt2 && !write_queries(a, l)) status = CL_HARNESS;
  }
  pf_ledger_free(l);
  pf_cache_free(cache);
  return status;
}

static int run(void *args) {
  const prove_args *a = args;
  or_frame frames[OR_FRAME_COUNT];
  pf_what what;
  up_profile *p = cl_load_profile(&a->common);
  if (!p) return CL_USAGE;
  if (a->smt2 && !cl_keep_dir(a->smt2)) {
    up_profile_free(p);
    return CL_USAGE;
  }
  int status = read_what(a, p, frames, &what) ? run_with(a, p, &what) : CL_USAGE;
  up_profile_free(p);
  return status;
}

const cl_command cl_prove = {
    .name = "prove",
    .operands = "",
    .summary = "prove or refute each rule, one by one",
    .about =
        "Makes proof obligations out of the text of each rewrite and bounds rule of the profile,\n"
        "or of --rules FILE: wherever the left side is defined and the condition holds, the right\n"
        "side must be defined and equal. One obligation for each choice of ops, dtypes and orders\n"
        "that the pattern allows. Native right sides are proved as the lemmas that they rest on.\n"
        "Prints one line for a rule whose obligations are all proved, else one for each of them;\n"
        "a refuted one with its counterexample, which the engine and both evaluators confirm.\n"
        "With --json one object an obligation. The last line on standard error counts the\n"
        "verdicts: proved, refuted, unknown (every prover gave up), vacuous (the premises can't\n"
        "hold), unsupported (an op or dtype without meaning in the frame). Rules of --rules are\n"
        "applied alone, too: `loops` tells of one that never ends. docs/proving.md has the whole\n"
        "story.",
    .min_operands = 0,
    .max_operands = 0,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(prove_args),
    .run = run,
};
