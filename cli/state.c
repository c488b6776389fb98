/* state.json: a campaign as of its last whole block. */
#include "cli/campaign.h"
#include <stdlib.h>
#include <string.h>

/* ---- options: a campaign that goes on has the ones it began with ----------------------------- */

typedef struct state_option {
  const char *key;
  cl_type type; /* TEXT, COUNT or FLAG */
  size_t at;    /* in cl_fuzz_args */
} state_option;

#define AT(field) offsetof(cl_fuzz_args, field)
static const state_option state_options[] = {
    {"profile", CL_TEXT, AT(common.profile)},
    {"rules", CL_TEXT, AT(common.rules)},
    {"adapter", CL_TEXT, AT(common.adapter)},
    {"frame", CL_TEXT, AT(frame)},
    {"seed", CL_COUNT, AT(common.seed)},
    {"shape", CL_TEXT, AT(shape)},
    {"max-nodes", CL_COUNT, AT(max_nodes)},
    {"no-casts", CL_FLAG, AT(no_casts)},
    {"no-alone", CL_FLAG, AT(no_alone)},
    {"no-bits", CL_FLAG, AT(no_bits)},
    {"no-overflow", CL_FLAG, AT(no_overflow)},
    {"floor", CL_FLAG, AT(floor)},
    {"idempotence", CL_FLAG, AT(common.idempotence)},
    {"no-reduce", CL_FLAG, AT(no_reduce)},
    {"limit-tries", CL_COUNT, AT(tries)},
    {"limit-points", CL_COUNT, AT(common.points)},
    {"limit-rlimit", CL_COUNT, AT(common.rlimit)},
    {"limit-samples", CL_COUNT, AT(common.samples)},
    {"limit-steps", CL_COUNT, AT(common.steps)},
    {"engine", CL_TEXT, AT(engine)},
    {"target", CL_TEXT, AT(target)},
};
#undef AT
#define NOPTIONS (sizeof state_options / sizeof state_options[0])
#define NFREE 2u /* the last ones: each run may have others */

static json_t *option_json(const state_option *o, const cl_fuzz_args *a) {
  const char *at = (const char *)a + o->at;
  if (o->type == CL_FLAG) return json_boolean(*(const bool *)at);
  if (o->type == CL_COUNT) {
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", *(const unsigned long long *)(const void *)at);
    return json_string(digits);
  }
  const char *s = *(const char *const *)(const void *)at;
  return s ? cl_json_text(s) : json_null();
}

/* One that was not given is as it was. */
static bool take_free(const state_option *o, const json_t *j, cl_fuzz_args *a) {
  const char **at = (const char **)(void *)((char *)a + o->at);
  if (a->resume && !*at) *at = json_string_value(j);
  return true;
}

static bool take_option(const state_option *o, const json_t *j, cl_fuzz_args *a) {
  char *at = (char *)a + o->at;
  const char *s = json_string_value(j);
  if (o->type == CL_FLAG) *(bool *)at = json_is_true(j);
  if (o->type == CL_TEXT) *(const char **)(void *)at = s;
  if (o->type == CL_COUNT) return s && cl_parse_count(s, (uint64_t *)(void *)at);
  return o->type != CL_FLAG || json_is_boolean(j);
}

/* An option that the campaign's version did not have yet was not given. */
static bool was_given(const json_t *was, const json_t *now) {
  if (was) return json_equal(was, now);
  return json_is_null(now) || json_is_false(now);
}

bool cl_state_options(cl_campaign *g) {
  const json_t *options = json_object_get(g->state, "options");
  for (size_t i = 0; i < NOPTIONS; i++) {
    const state_option *o = &state_options[i];
    const json_t *was = json_object_get(options, o->key);
    json_t *now = option_json(o, g->a);
    bool same = i >= NOPTIONS - NFREE ? take_free(o, was, g->a) : was_given(was, now);
    if (!same && g->a->resume && was) same = take_option(o, was, g->a);
    json_decref(now);
    if (same) continue;
    cl_error("%s: holds a campaign with another --%s; --resume goes on with it", g->a->out, o->key);
    return false;
  }
  return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

json_t *cl_case_json(uint64_t number) {
  return number == CL_NO_CASE ? json_null() : json_integer((json_int_t)number);
}

static json_t *cause_json(const cl_campaign *g, uint32_t i) {
  const cl_cause *k = &g->causes.p[i];
  const cl_record *r = &g->record[i];
  return json_pack("{s:s,s:s,s:s,s:s?,s:I,s:o,s:o,s:I,s:I,s:b}", "cause", k->key, "kind",
                   or_kind_name(k->kind), "frame", or_frame_name(k->frame), "rule",
                   cl_cause_rule(g->profile, k), "count", (json_int_t)k->count, "first_case",
                   cl_case_json(k->first), "last_case", cl_case_json(k->last), "first_seen",
                   (json_int_t)r->first_seen, "last_seen", (json_int_t)r->last_seen, "known",
                   r->known);
}

static json_t *covered_json(const cl_campaign *g) {
  json_t *j = json_array();
  for (uint32_t i = 0; i < up_rule_count(g->profile); i++) {
    if (g->covered[i]) json_array_append_new(j, json_string(up_rule_at(g->profile, i).name));
  }
  return j;
}

void cl_state_put(const cl_campaign *g, up_buf *out) {
  json_t *options = json_object(), *causes = json_array();
  for (size_t i = 0; i < NOPTIONS; i++)
    json_object_set_new(options, state_options[i].key, option_json(&state_options[i], g->a));
  for (uint32_t i = 0; i < g->causes.n; i++) json_array_append_new(causes, cause_json(g, i));
  json_t *j = json_pack("{s:i,s:s,s:o,s:I,s:I,s:I,s:o,s:o,s:o,s:o}", "version", 1, "uproof",
                        UPROOF_VERSION, "options", options, "next", (json_int_t)g->next, "graphs",
                        (json_int_t)g->total.graphs, "findings", (json_int_t)g->total.findings,
                        "verdicts", cl_tally_verdicts(&g->total), "stages",
                        cl_tally_stages(&g->total), "covered", covered_json(g), "causes", causes);
  if (!j) out->no_memory = true;
  cl_put_json(out, j);
}

/* ---- reading --------------------------------------------------------------------------------- */

static uint64_t number(const json_t *j, const char *key) {
  json_int_t v = json_integer_value(json_object_get(j, key));
  return v < 0 ? 0 : (uint64_t)v;
}

static uint64_t case_number(const json_t *j, const char *key) {
  return json_is_integer(json_object_get(j, key)) ? number(j, key) : CL_NO_CASE;
}

static bool spoilt(const cl_campaign *g, const char *what) {
  cl_error("%s/state.json: %s", g->a->out, what);
  return false;
}

bool cl_state_read(cl_campaign *g) {
  char path[CL_PATH + 16];
  json_error_t e;
  snprintf(path, sizeof path, "%s/state.json", g->a->out);
  g->state = json_load_file(path, 0, &e);
  if (!g->state) {
    cl_error("%s:%d:%d: %s", path, e.line, e.column, e.text);
    return false;
  }
  return number(g->state, "version") == 1 || spoilt(g, "not a state of this version of uproof");
}

static bool take_cause(cl_campaign *g, const json_t *j) {
  const char *key = json_string_value(json_object_get(j, "cause"));
  const char *kind = json_string_value(json_object_get(j, "kind"));
  const char *frame = json_string_value(json_object_get(j, "frame"));
  const char *rule = json_string_value(json_object_get(j, "rule"));
  bool outside = up_profile_is_external(g->profile);
  cl_cause k = {.rule = rule && !outside ? up_rule_find(g->profile, rule) : -1,
                .count = number(j, "count"),
                .first = case_number(j, "first_case"),
                .last = case_number(j, "last_case")};
  if (!key || strlen(key) >= sizeof k.key) return spoilt(g, "a cause without its name");
  strcpy(k.key, key);
  if (!kind || !or_kind_parse(kind, &k.kind) || !frame || !or_frame_parse(frame, &k.frame))
    return spoilt(g, "a cause of no kind or frame");
  if (rule && outside) snprintf(k.rule_name, sizeof k.rule_name, "%s", rule);
  if (rule && !outside && k.rule < 0)
    return spoilt(g, "a cause by a rule that the profile no longer has");
  uint32_t at;
  if (!cl_campaign_note(g, &k, &at, NULL)) return spoilt(g, "out of memory");
  g->record[at].first_seen = (int64_t)number(j, "first_seen");
  g->record[at].last_seen = (int64_t)number(j, "last_seen");
  g->record[at].kept = true;
  return true;
}

bool cl_state_take(cl_campaign *g) {
  const json_t *verdicts = json_object_get(g->state, "verdicts"), *j;
  size_t i;
  g->next = number(g->state, "next");
  g->total.graphs = g->graphs_before = number(g->state, "graphs");
  g->total.findings = number(g->state, "findings");
  for (unsigned v = 0; v < OR_VERDICT_COUNT; v++)
    g->total.verdict[v] = number(verdicts, or_verdict_name((or_verdict)v));
  for (unsigned v = 0; v < OR_STAGES; v++)
    g->total.stage[v] = number(json_object_get(g->state, "stages"), or_stage_name(v));
  json_array_foreach(json_object_get(g->state, "covered"), i, j) {
    int rule = json_is_string(j) ? up_rule_find(g->profile, json_string_value(j)) : -1;
    if (rule >= 0) g->covered[rule] = true;
  }
  json_array_foreach(json_object_get(g->state, "causes"), i, j) {
    if (!take_cause(g, j)) return false;
  }
  return true;
}
