/* uproof coverage: which rules, and which conjuncts of their conditions, a set of graphs reaches. */
#include "cli/coverage.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct coverage_args {
  cl_common common;
  bool all, inputs;
  const char *set, *seeds;
} coverage_args;

static const cl_option options[] = {
    {"--all", NULL, CL_FLAG, offsetof(coverage_args, all), NULL,
     "print the rules that applied, too"},
    {"--set", "NAME", CL_TEXT, offsetof(coverage_args, set), "symbolic",
     "rule set to rewrite with; 'all' for each of the profile in turn"},
    {"--inputs", NULL, CL_FLAG, offsetof(coverage_args, inputs), NULL,
     "the files are inputs of fuzz targets (folders of them, too)"},
    {"--seeds", "DIR", CL_TEXT, offsetof(coverage_args, seeds), NULL,
     "write few small inputs for fuzz targets that reach the same rules"},
};

/* ---- one graph ------------------------------------------------------------------------------- */

static bool in_question(const cv_session *s, const up_profile *p, uint32_t i) {
  if (up_rule_at(p, i).kind == UP_RULE_BOUND || !s->set) return true;
  return up_ruleset_has(s->set, i);
}

/* What no graph has applied yet, at every node that there is by now. */
static void explain(cv_session *s, up_ctx *c) {
  const up_profile *p = up_ctx_profile(c);
  uint32_t nodes = up_ctx_node_count(c);
  for (uint32_t i = 0; i < up_rule_count(p); i++) {
    if (s->rule[i].graphs || !in_question(s, p, i)) continue;
    for (uint32_t id = 1; id <= nodes; id++)
      up_rule_explain(c, i, (up_node){id}, &s->rule[i].probe);
  }
}

static void rewrite(cv_session *s, up_ctx *c, up_node root) {
  const up_profile *p = up_ctx_profile(c);
  const up_ruleset *set = s->set;
  for (uint32_t i = 0; set || (set = up_ruleset_at(p, i)) != NULL; i++) {
    up_result r = up_rewrite(c, root, set, s->steps, NULL, NULL);
    if (r.status == UP_OK) up_minmax(c, r.node);
    up_ctx_clear_status(c);
    if (s->set) return;
    set = NULL;
  }
}

bool cv_add(cv_session *s, up_ctx *c, up_node root) {
  uint32_t rules = up_rule_count(up_ctx_profile(c));
  up_list topo = {0};
  if (!up_toposort(c, root, &topo)) return false;
  s->graphs++;
  memset(s->hits, 0, rules);
  up_ctx_hits(c, s->hits);
  for (uint32_t i = 0; i < topo.n; i++) up_minmax(c, topo.p[i]);
  up_ctx_clear_status(c);
  rewrite(s, c, root);
  up_ctx_hits(c, NULL);
  up_list_free(&topo);
  for (uint32_t i = 0; i < rules; i++) s->rule[i].graphs += s->hits[i] > 0;
  explain(s, c);
  return !s->seeds || cv_keep_seed(s, c, root);
}

static int each(up_ctx *c, const cl_graph *g, void *arg) {
  if (cv_add(arg, c, g->item->root)) return CL_SOUND;
  cl_error("out of memory");
  return CL_HARNESS;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void put_conjunct(const up_profile *p, uint32_t rule, uint32_t i, up_buf *out) {
  const char *text = NULL;
  size_t n = up_rule_conjunct(p, rule, i, &text);
  if (n)
    up_buf_put(out, text, n);
  else
    up_buf_printf(out, "its %u. part", i + 1);
}

/* Why it never applied, as far as is known. */
static void put_reason(const up_profile *p, uint32_t i, const up_rule_probe *k, up_buf *out) {
  if (k->matches == 0) {
    up_buf_puts(out, "no node has its shape");
    return;
  }
  up_buf_printf(out, "%llu nodes have its shape", (unsigned long long)k->matches);
  for (uint32_t j = 0; j < UP_MAX_CONJUNCTS && k->asked[j]; j++) {
    if (k->held[j]) continue;
    up_buf_puts(out, ", never with ");
    put_conjunct(p, i, j, out);
    return;
  }
  if (up_rule_at(p, i).native)
    up_buf_puts(out, ", its native right side declined, or an earlier rule applied");
  else
    up_buf_puts(out, ", but an earlier rule applied to each");
}

static json_t *rule_json(const up_profile *p, uint32_t i, const cv_rule *r) {
  up_rule_info info = up_rule_at(p, i);
  json_t *parts = json_array();
  for (uint32_t j = 0; j < UP_MAX_CONJUNCTS && r->probe.asked[j] && !r->graphs; j++) {
    up_buf text = {0};
    put_conjunct(p, i, j, &text);
    json_array_append_new(parts, json_pack("{s:o,s:I,s:I}", "text", cl_json_text(text.p), "asked",
                                           (json_int_t)r->probe.asked[j], "held",
                                           (json_int_t)r->probe.held[j]));
    up_buf_free(&text);
  }
  json_t *j =
      json_pack("{s:o,s:s,s:I}", "rule", cl_json_text(info.name), "kind",
                info.kind == UP_RULE_BOUND ? "bound" : "rewrite", "graphs", (json_int_t)r->graphs);
  if (!r->graphs) json_object_set_new(j, "matches", json_integer((json_int_t)r->probe.matches));
  if (!r->graphs) json_object_set(j, "conjuncts", parts);
  json_decref(parts);
  return j;
}

typedef struct counts {
  uint32_t rules, applied, shaped, conjuncts, held;
} counts;

/* Conjuncts of a rule that applied have all held. */
static void count_rule(const up_profile *p, uint32_t i, const cv_rule *r, counts *k) {
  const char *text;
  k->rules++;
  k->applied += r->graphs > 0;
  k->shaped += r->graphs > 0 || r->probe.matches > 0;
  for (uint32_t j = 0; j < UP_MAX_CONJUNCTS && up_rule_conjunct(p, i, j, &text); j++) {
    k->conjuncts++;
    k->held += r->graphs > 0 || r->probe.held[j] > 0;
  }
}

static void put_rule(const cv_session *s, const up_profile *p, uint32_t i, up_buf *out) {
  const cv_rule *r = &s->rule[i];
  if (s->json) {
    cl_put_json(out, rule_json(p, i, r));
  } else if (r->graphs) {
    up_buf_printf(out, "%10llu  %s\n", (unsigned long long)r->graphs, up_rule_at(p, i).name);
  } else {
    up_buf_printf(out, "%10s  %-26s ", "never", up_rule_at(p, i).name);
    put_reason(p, i, &r->probe, out);
    up_buf_puts(out, "\n");
  }
}

static int report(const cv_session *s, const up_profile *p, bool all) {
  up_buf out = {0};
  counts k = {0};
  if (!s->json) up_buf_printf(&out, "%10s  rule\n", "graphs");
  for (uint32_t i = 0; i < up_rule_count(p); i++) {
    if (!in_question(s, p, i)) continue;
    count_rule(p, i, &s->rule[i], &k);
    if (all || !s->rule[i].graphs) put_rule(s, p, i, &out);
  }
  bool ok = cl_flush(&out);
  fprintf(stderr,
          "coverage: %llu graphs, %u of %u rules applied, %u found their shape, %u of %u "
          "conjuncts held\n",
          (unsigned long long)s->graphs, k.applied, k.rules, k.shaped, k.held, k.conjuncts);
  return ok ? CL_SOUND : CL_HARNESS;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run_session(cv_session *s, const coverage_args *a, const up_profile *p) {
  int status =
      a->inputs ? cv_for_each_input(s, &a->common, p) : cl_for_each_of(&a->common, p, each, s);
  if (status == CL_HARNESS) return status;
  int told = report(s, p, a->all);
  if (told == CL_SOUND && a->seeds) told = cv_write_seeds(s, p, a->seeds);
  return told == CL_SOUND ? status : told;
}

static int run_with(const coverage_args *a, const up_profile *p) {
  uint32_t rules = up_rule_count(p);
  cv_session s = {.steps = a->common.steps, .seeds = a->seeds != NULL, .json = a->common.json};
  if (strcmp(a->set, "all") != 0 && !(s.set = up_profile_ruleset(p, a->set))) {
    cl_error("profile %s has no rule set '%s'", up_profile_name(p), a->set);
    return CL_USAGE;
  }
  if (a->seeds && !cl_keep_dir(a->seeds)) return CL_USAGE;
  s.rule = calloc(rules + 1u, sizeof *s.rule);
  s.hits = calloc(rules + 1u, 1);
  int status = CL_HARNESS;
  if (s.rule && s.hits)
    status = run_session(&s, a, p);
  else
    cl_error("out of memory");
  for (uint32_t i = 0; s.rule && i < rules; i++) free(s.rule[i].seed);
  free(s.rule);
  free(s.hits);
  return status;
}

static int run(void *args) {
  const coverage_args *a = args;
  up_profile *p = cl_load_profile(&a->common);
  int status = p ? run_with(a, p) : CL_USAGE;
  up_profile_free(p);
  return status;
}

const cl_command cl_coverage = {
    .name = "coverage",
    .operands = "FILE...",
    .summary = "which rules and conditions a set of graphs reaches",
    .about =
        "Rewrites every graph of the files, asks for the bounds of every node, and prints the\n"
        "rules that never applied: was there no node of their shape, or which conjunct of their\n"
        "condition never held? The number is that of graphs in which a rule applied. With\n"
        "--seeds, a folder gets the smallest inputs of fuzz targets that together reach all rules\n"
        "that were reached; corpus/seed/ was made so.",
    .min_operands = 1,
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(coverage_args),
    .run = run,
};
