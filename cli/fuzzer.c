/* Workers of a campaign. Case number i of a seed is always the same graph; a unit is a block of
 * cases, judged by a checker of its own, so that nothing depends on which worker does it. */
#include "cli/alone.h"
#include "cli/campaign.h"
#include "fuzz/gen.h"
#include "fuzz/instance.h"
#include "proofs/trusted.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CASE_BYTES 256u
/* One case of so many is made around an instance of a rule. */
#define INSTANCE_EVERY 2u
/* One case of so many is simplified once more, to see which rules are at work in it. */
#define COVER_EVERY 16u

typedef struct fuzzer {
  const cl_fuzz_args *a;
  uint64_t first; /* case to begin with */
  up_profile *profile;
  up_ctx *c;
  up_profile
      *model;   /* an adapter's engine shows no rules: instances are made of these; else NULL */
  up_ctx *made; /* in this context; else NULL */
  pf_certifier *certifier; /* NULL: none was wanted */
  or_checker *cutter;      /* --no-overflow: tells what stays in its dtype; else NULL */
  cl_alone alone;          /* without rules where none is to be tried alone */
  fz_opts opts;
  or_frame frame[OR_FRAME_COUNT];
  unsigned nframes;
} fuzzer;

up_ctx *cl_fuzzer_ctx(const void *state) { return ((const fuzzer *)state)->c; }

void cl_fuzzer_close(void *state) {
  fuzzer *z = state;
  up_ctx_free(z->c);
  cl_alone_close(&z->alone);
  pf_certifier_free(z->certifier);
  or_checker_free(z->cutter);
  up_ctx_free(z->made);
  up_profile_free(z->model);
  up_profile_free(z->profile);
  free(z);
}

/* False after a message. */
static bool open_certifier(fuzzer *z) {
  up_error e = {0};
  if (z->a->no_certificates || z->a->common.adapter) return true;
  z->certifier = pf_certifier_committed(z->profile, &e);
  if (!z->certifier) cl_error("certificates: %s", e.msg);
  return z->certifier != NULL;
}

/* False after a message. */
static bool open_model(fuzzer *z) {
  up_error e = {0};
  if (!z->profile || !z->a->common.adapter) return z->profile != NULL;
  z->model = up_profile_load("v0.11.0", &e);
  z->made = z->model ? up_ctx_new(z->model) : NULL;
  if (!z->made) cl_error("%s", z->model ? "out of memory" : e.msg);
  return z->made != NULL;
}

void *cl_fuzzer_open(void *arg) {
  const cl_fuzz_work *work = arg;
  fuzzer *z = calloc(1, sizeof *z);
  if (!z) return NULL;
  const cl_fuzz_args *a = z->a = work->a;
  z->first = work->first;
  z->opts = fz_opts_default();
  z->opts.max_nodes = a->max_nodes > 65536 ? 65536 : (uint32_t)a->max_nodes;
  z->opts.casts = !a->no_casts;
  z->opts.bits = !a->no_bits;
  z->nframes = cl_frames(a->frame, z->frame);
  z->profile = cl_load_profile(&a->common);
  if (z->profile) z->opts.floors = a->floor ? FZ_ALL_FLOORS : fz_floors_of(z->profile);
  z->c = open_model(z) ? up_ctx_new(z->profile) : NULL;
  or_limits l = or_limits_default();
  z->cutter = a->no_overflow ? or_checker_new(&l) : NULL;
  bool together = a->no_alone || strcmp(a->shape, "symbolic") == 0;
  bool ok = z->c && (z->cutter || !a->no_overflow) && open_certifier(z);
  if (ok && (together || cl_alone_open(&z->alone, z->profile))) return z;
  cl_fuzzer_close(z);
  return NULL;
}

or_checker *cl_fuzzer_checker(const void *state) {
  const fuzzer *z = state;
  or_limits l = cl_limits(&z->a->common);
  l.no_overflow = z->a->no_overflow;
  or_checker *k = or_checker_new(&l);
  if (!k || !z->certifier) return k;
  or_certifier hooks = pf_certifier_hooks(z->certifier);
  or_checker_certify(k, &hooks);
  return k;
}

static uint64_t mixed(uint64_t seed, uint64_t index) {
  fz_rng r = {seed ^ UINT64_C(0xA0761D6478BD642F)};
  fz_rng at = {fz_next(&r) ^ index * UINT64_C(0xE7037ED1A0B428DB)};
  return fz_next(&at);
}

/* One that its rule is to rewrite alone, else one around an instance of any; UP_NONE: there was none. */
static up_node instance_case(fuzzer *z, uint64_t index) {
  uint64_t seed = mixed(z->a->common.seed, index);
  fz_opts o = z->opts;
  o.rare = index / INSTANCE_EVERY % FZ_RARE_EVERY == 0;
  if (cl_alone_is(&z->alone, index)) {
    o.rare = index / CL_ALONE_EVERY % FZ_RARE_EVERY == 0;
    up_node n = cl_alone_graph(&z->alone, z->c, &o, index, seed);
    if (!up_is_none(n)) return n;
    up_ctx_reset(z->c);
  }
  if (!z->made) return fz_instance(z->c, &o, FZ_ANY_RULE, seed);
  up_ctx_reset(z->made);
  up_node made = fz_instance(z->made, &o, FZ_ANY_RULE, seed);
  return up_is_none(made) ? UP_NONE : up_copy(z->c, z->made, made);
}

static up_node drawn_case(fuzzer *z, uint64_t index) {
  uint8_t bytes[CASE_BYTES];
  up_ctx_reset(z->c);
  up_ctx_choose(z->c, NULL);
  if (strcmp(z->a->shape, "symbolic") == 0)
    return fz_symbolic(z->c, &z->opts, z->a->common.seed, index);
  if (index % INSTANCE_EVERY == INSTANCE_EVERY - 1) {
    up_node made = instance_case(z, index);
    if (!up_is_none(made)) return made;
    up_ctx_reset(z->c);
  }
  size_t n = fz_case_bytes(z->a->common.seed, index, bytes, sizeof bytes);
  return fz_decode(z->c, &z->opts, bytes, n);
}

/* Does all that the simplification makes stay in its dtype? */
static bool steps_stay(fuzzer *z, up_node n) {
  up_trace t = {0};
  up_result r = cl_rewrite(z->c, n, 0, &t, NULL);
  bool stay = r.status != UP_OK || or_steps_in_range(z->cutter, z->c, &t, r.node);
  up_trace_free(&t);
  return stay;
}

/* With --no-overflow a part of the graph: as large as stays, its simplification too. */
up_node cl_fuzzer_case(void *state, uint64_t index) {
  fuzzer *z = state;
  up_node n = drawn_case(z, index);
  if (up_is_none(n) || !z->cutter) return n;
  up_node part = or_in_range(z->cutter, z->c, n);
  if (up_is_none(part)) return n; /* nothing does: the checker says so */
  while (up_nsrc(z->c, part) > 0 && !steps_stay(z, part)) part = up_src(z->c, part, 0);
  return part;
}

static void show_row(up_ctx *c, up_node root, uint64_t index, up_buf *out) {
  cl_put_json(out,
              json_pack("{s:I,s:o}", "id", (json_int_t)index, "nodes", fm_nodes_to_json(c, root)));
}

bool cl_fuzzer_show(void *state, uint64_t index, bool json, up_buf *out) {
  fuzzer *z = state;
  up_node root = cl_fuzzer_case(z, index);
  if (json && !up_is_none(root)) show_row(z->c, root, index, out);
  if (json) return !up_is_none(root);
  up_buf seed = {0}, number = {0};
  up_metas m = {0};
  up_buf_printf(&seed, "%llu", (unsigned long long)z->a->common.seed);
  up_buf_printf(&number, "%llu", (unsigned long long)index);
  bool ok = !up_is_none(root) && seed.p && number.p && up_metas_set(&m, "seed", seed.p) &&
            up_metas_set(&m, "case", number.p);
  if (ok && up_ctx_has_own_rules(z->c))
    ok = up_metas_set(&m, "rules", up_ruleset_name(up_ctx_rules(z->c)));
  if (ok) up_print_uop(z->c, root, &m, out);
  up_metas_free(&m);
  up_buf_free(&seed);
  up_buf_free(&number);
  return ok;
}

static void note_causes(up_ctx *c, const or_report *r, uint64_t index, cl_causes *causes,
                        up_buf *reply) {
  for (uint32_t i = 0; i < r->nfindings; i++) {
    const or_finding *f = &r->finding[i];
    cl_cause one = {.kind = f->kind,
                    .frame = f->frame,
                    .rule = f->rule,
                    .first = index,
                    .last = index,
                    .count = 1};
    or_finding_cause(c, f, one.key);
    if (f->rule >= 0 && up_profile_is_external(up_ctx_profile(c))) {
      snprintf(one.rule_name, sizeof one.rule_name, "%s", cl_rule_name(up_ctx_profile(c), f->rule));
      one.rule = -1;
    }
    if (!cl_causes_add(causes, &one, NULL, NULL)) reply->no_memory = true;
  }
}

/* What a block gathers. */
typedef struct gathered {
  cl_tally tally;
  cl_causes causes;
  bool *covered; /* one a rule */
  up_buf notes;
} gathered;

static void note_verdict(const fuzzer *z, const or_report *r, uint64_t index, or_frame f,
                         up_buf *notes) {
  bool weak = r->verdict == OR_UNDECIDED || r->verdict == OR_UNSUPPORTED || r->verdict == OR_ERROR;
  if (!weak || !z->a->verdicts) return;
  up_buf_printf(notes, "fuzz: case %llu: %s: %s: %s\n", (unsigned long long)index, or_frame_name(f),
                or_verdict_name(r->verdict), r->reason);
}

static void run_case(fuzzer *z, or_checker *oracle, uint64_t index, gathered *g, up_buf *reply) {
  cl_tally *t = &g->tally;
  t->graphs++;
  for (unsigned i = 0; i < z->nframes; i++) {
    up_node root = cl_fuzzer_case(z, index);
    if (up_is_none(root)) {
      t->verdict[OR_ERROR]++;
      continue;
    }
    or_report r = {0};
    cl_alone_check(oracle, z->c, root, z->frame[i], &r);
    cl_tally_note(t, r.verdict, r.stage);
    t->findings += r.nfindings;
    note_causes(z->c, &r, index, &g->causes, reply);
    note_verdict(z, &r, index, z->frame[i], &g->notes);
    or_report_clear(&r);
  }
}

/* Which rules are at work: those of the steps, and those that gave the bounds. */
static void note_coverage(fuzzer *z, uint64_t index, bool *covered) {
  if (z->made) return; /* no rule has a number that all processes know */
  up_trace t = {0};
  up_node root = cl_fuzzer_case(z, index);
  if (!up_is_none(root)) cl_rewrite(z->c, root, 0, &t, NULL);
  for (uint32_t i = 0; i < t.n; i++) {
    if (t.step[i].rule >= 0) covered[t.step[i].rule] = true;
  }
  up_trace_free(&t);
  for (uint32_t id = 1; id <= up_ctx_node_count(z->c); id++) {
    int rule = up_minmax_rule(z->c, (up_node){id});
    if (rule >= 0) covered[rule] = true;
  }
}

/* Returns the case after the last that was done. */
static uint64_t run_block(fuzzer *z, or_checker *oracle, uint64_t from, uint64_t to, cl_cursor *at,
                          gathered *g, up_buf *reply) {
  uint64_t i = from;
  for (; i < to && !*cl_cursor_stop(at); i++) {
    const char *failed = cl_cursor_item(at, i);
    if (!failed) {
      run_case(z, oracle, i, g, reply);
      if (i % COVER_EVERY == 0) note_coverage(z, i, g->covered);
      continue;
    }
    cl_error("fuzz: case %llu of seed %llu: %s", (unsigned long long)i,
             (unsigned long long)z->a->common.seed, failed);
    g->tally.graphs++;
    g->tally.verdict[OR_ERROR] += z->nframes;
  }
  return i;
}

static void put_block(const fuzzer *z, cl_block *b, const gathered *g, up_buf *reply) {
  uint32_t rules = up_rule_count(z->profile);
  b->tally = g->tally;
  b->ncauses = g->causes.n;
  b->nnotes = (uint32_t)g->notes.len;
  for (uint32_t i = 0; i < rules; i++) b->ncovered += g->covered[i];
  up_buf_put(reply, (const char *)b, sizeof *b);
  if (b->ncauses) up_buf_put(reply, (const char *)g->causes.p, b->ncauses * sizeof *g->causes.p);
  for (uint32_t i = 0; i < rules; i++) {
    if (g->covered[i]) up_buf_put(reply, (const char *)&i, sizeof i);
  }
  if (b->nnotes) up_buf_put(reply, g->notes.p, g->notes.len);
}

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool cl_fuzzer_block(void *state, uint64_t unit, cl_cursor *at, up_buf *reply) {
  fuzzer *z = state;
  uint64_t from = (z->first / CL_BLOCK + unit) * CL_BLOCK, to = from + CL_BLOCK;
  if (from < z->first) from = z->first;
  if (z->a->runs && to > z->a->runs) to = z->a->runs;
  if (from >= to) return false;
  cl_block b = {.from = from, .to = from};
  gathered g = {.covered = calloc(up_rule_count(z->profile) + 1, sizeof(bool))};
  or_checker *oracle = cl_fuzzer_checker(z);
  bool ok = oracle && g.covered;
  if (ok) b.to = run_block(z, oracle, from, to, at, &g, reply);
  if (ok) g.tally.interpreted += or_checker_jit(oracle)->failed;
  b.seconds = processor_seconds();
  if (ok) put_block(z, &b, &g, reply);
  if (!ok || g.notes.no_memory) reply->no_memory = true;
  or_checker_free(oracle);
  up_buf_free(&g.notes);
  free(g.causes.p);
  free(g.covered);
  return true;
}
