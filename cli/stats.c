/* uproof stats: what each rule costs and how often it applies. */
#include "cli/cli.h"
#include <limits.h>
#include <stdlib.h>
#include <time.h>

typedef struct stats_args {
  cl_common common;
  bool all;
  const char *set;
} stats_args;

static const cl_option options[] = {
    {"--all", NULL, CL_FLAG, offsetof(stats_args, all), NULL,
     "the rules of the set that never matched, too"},
    {"--set", "NAME", CL_TEXT, offsetof(stats_args, set), "symbolic",
     "rule set to rewrite with; simplify uses symbolic"},
};

typedef struct totals {
  uint64_t graphs, raised, loops, limits, nodes_before, nodes_after, steps, ns;
} totals;

typedef struct session {
  const stats_args *a;
  const up_ruleset *rules;
  up_rule_stat *slot; /* by rule number */
  totals sum;
} session;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* ---- counting ------------------------------------------------------------------------------- */

static void count_result(session *s, up_ctx *c, const up_result *r) {
  s->sum.steps += r->steps;
  if (r->status == UP_OK)
    s->sum.nodes_after += up_count(c, r->node);
  else if (up_status_raise(r->status))
    s->sum.raised++;
  else if (r->status == UP_LOOP)
    s->sum.loops++;
  else
    s->sum.limits++;
}

static int each(up_ctx *c, const cl_graph *g, void *arg) {
  session *s = arg;
  s->sum.graphs++;
  s->sum.nodes_before += up_count(c, g->item->root);
  up_ctx_stats(c, s->slot);
  uint64_t from = now_ns();
  up_result r = up_rewrite(c, g->item->root, s->rules, s->a->common.steps, NULL, NULL);
  s->sum.ns += now_ns() - from;
  up_ctx_stats(c, NULL);
  count_result(s, c, &r);
  return r.status == UP_NO_MEMORY ? CL_HARNESS : CL_SOUND;
}

/* ---- the table ------------------------------------------------------------------------------ */

typedef struct line {
  uint32_t rule;
  up_rule_stat stat;
} line;

/* Most time first; the number of the rule settles ties. */
static int by_time(const void *x, const void *y) {
  const line *a = x, *b = y;
  if (a->stat.ns != b->stat.ns) return a->stat.ns > b->stat.ns ? -1 : 1;
  return a->rule < b->rule ? -1 : a->rule > b->rule;
}

/* Rules that matched, and with --all those of the set that did not. Caller frees. NULL: no memory.
 */
static line *collect(const session *s, const up_profile *p, uint32_t *n) {
  uint32_t count = up_rule_count(p);
  line *lines = malloc((count + 1u) * sizeof *lines);
  if (!lines) return NULL;
  *n = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool matched = s->slot[i].matched > 0;
    if (matched || (s->a->all && up_ruleset_has(s->rules, i)))
      lines[(*n)++] = (line){i, s->slot[i]};
  }
  qsort(lines, *n, sizeof *lines, by_time);
  return lines;
}

static up_rule_stat total_of(const session *s, const up_profile *p) {
  up_rule_stat t = {0};
  for (uint32_t i = 0; i < up_rule_count(p); i++) {
    t.tried += s->slot[i].tried;
    t.matched += s->slot[i].matched;
    t.ns += s->slot[i].ns;
  }
  return t;
}

static double ms(uint64_t ns) { return (double)ns * 1e-6; }

static void put_row(const char *rule, const up_rule_stat *t, up_buf *out) {
  up_buf_printf(out, "%12llu %12llu %10.3f  %s\n", (unsigned long long)t->tried,
                (unsigned long long)t->matched, ms(t->ns), rule);
}

static void put_table(const session *s, const up_profile *p, const line *lines, uint32_t n,
                      up_buf *out) {
  up_rule_stat all = total_of(s, p);
  up_buf_printf(out, "%12s %12s %10s  %s\n", "tried", "matched", "ms", "rule");
  for (uint32_t i = 0; i < n; i++) put_row(up_rule_at(p, lines[i].rule).name, &lines[i].stat, out);
  put_row("(all rules)", &all, out);
  const totals *t = &s->sum;
  up_buf_printf(out,
                "%llu graphs, %llu nodes before, %llu after, %llu steps, %.3f ms in all; %llu "
                "raised, %llu never end, %llu at a limit\n",
                (unsigned long long)t->graphs, (unsigned long long)t->nodes_before,
                (unsigned long long)t->nodes_after, (unsigned long long)t->steps, ms(t->ns),
                (unsigned long long)t->raised, (unsigned long long)t->loops,
                (unsigned long long)t->limits);
}

static json_t *stat_json(const up_rule_stat *t) {
  return json_pack("{s:I,s:I,s:f}", "tried", (json_int_t)t->tried, "matched",
                   (json_int_t)t->matched, "ms", ms(t->ns));
}

/* One line a rule, then one of the totals. */
static void put_json(const session *s, const up_profile *p, const line *lines, uint32_t n,
                     up_buf *out) {
  for (uint32_t i = 0; i < n; i++) {
    up_rule_info info = up_rule_at(p, lines[i].rule);
    json_t *j = stat_json(&lines[i].stat);
    json_object_set_new(j, "rule", cl_json_text(info.name));
    json_object_set_new(j, "file", cl_json_text(info.file));
    json_object_set_new(j, "line", json_integer(info.line));
    cl_put_json(out, j);
  }
  up_rule_stat all = total_of(s, p);
  const totals *t = &s->sum;
  json_t *j = stat_json(&all);
  json_object_set_new(j, "total_ms", json_real(ms(t->ns)));
  const struct {
    const char *key;
    uint64_t v;
  } counts[] = {{"graphs", t->graphs},
                {"nodes_before", t->nodes_before},
                {"nodes_after", t->nodes_after},
                {"steps", t->steps},
                {"raised", t->raised},
                {"loops", t->loops},
                {"limits", t->limits}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    json_object_set_new(j, counts[i].key, json_integer((json_int_t)counts[i].v));
  cl_put_json(out, j);
}

static int report(const session *s, const up_profile *p) {
  uint32_t n;
  up_buf out = {0};
  line *lines = collect(s, p, &n);
  if (!lines) {
    cl_error("out of memory");
    return CL_HARNESS;
  }
  if (s->a->common.json)
    put_json(s, p, lines, n, &out);
  else
    put_table(s, p, lines, n, &out);
  free(lines);
  return cl_flush(&out) ? CL_SOUND : CL_HARNESS;
}

static int run_with(session *s, const up_profile *p) {
  s->rules = up_profile_ruleset(p, s->a->set);
  if (!s->rules) {
    cl_error("profile %s has no rule set '%s'", up_profile_name(p), s->a->set);
    return CL_USAGE;
  }
  s->slot = calloc(up_rule_count(p) + 1u, sizeof *s->slot);
  if (!s->slot) {
    cl_error("out of memory");
    return CL_HARNESS;
  }
  int status = cl_for_each_of(&s->a->common, p, each, s);
  int told = status == CL_HARNESS ? CL_HARNESS : report(s, p);
  free(s->slot);
  return told == CL_SOUND ? status : told;
}

static int run(void *args) {
  session s = {.a = args};
  up_profile *p = cl_load_profile(&s.a->common);
  int status = p ? run_with(&s, p) : CL_USAGE;
  up_profile_free(p);
  return status;
}

const cl_command cl_stats = {
    .name = "stats",
    .operands = "FILE...",
    .summary = "what each rule costs and how often it applies",
    .about =
        "Simplifies every graph of the files and prints for each rule that applied, the most\n"
        "costly first: how often it was tried (its ops were there), how often it applied, and the\n"
        "time that this took. The time of a rule that starts a rewrite itself includes that\n"
        "rewrite, whose rules count for themselves as well. Counting takes time: each rule is\n"
        "clocked by itself.",
    .min_operands = 1,
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(stats_args),
    .run = run,
};
