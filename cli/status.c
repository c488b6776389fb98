/* How a campaign is doing: a line for a terminal, an object for programs. */
#include "cli/campaign.h"

static uint32_t rules_covered(const cl_campaign *g) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < up_rule_count(g->profile); i++) n += g->covered[i];
  return n;
}

static double graphs_per_second(const cl_campaign *g, double seconds) {
  return seconds > 0 ? (double)(g->total.graphs - g->graphs_before) / seconds : 0;
}

void cl_status_line(const cl_campaign *g, up_buf *out) {
  double seconds = cl_clock() - g->started;
  up_buf_printf(out, "fuzz: %llu graphs (%.0f/s), %llu findings in %u causes",
                (unsigned long long)g->total.graphs, graphs_per_second(g, seconds),
                (unsigned long long)g->total.findings, g->causes.n);
  if (g->a->known.n) up_buf_printf(out, " (%u new)", cl_campaign_new_causes(g));
  up_buf_printf(out, ", %llu undecided, %u of %u rules at work",
                (unsigned long long)g->total.verdict[OR_UNDECIDED], rules_covered(g),
                up_rule_count(g->profile));
  json_int_t edges = json_integer_value(json_object_get(g->engine, "edges"));
  json_int_t inputs = json_integer_value(json_object_get(g->engine, "inputs"));
  if (g->engine)
    up_buf_printf(out, ", %lld edges, %lld inputs", (long long)edges, (long long)inputs);
  if (g->faults) up_buf_printf(out, ", %u faults of the harness", g->faults);
  uint32_t left = cl_writers_left(g);
  if (left) up_buf_printf(out, ", reducing %u", left);
}

void cl_status_json(const cl_campaign *g, up_buf *out) {
  double seconds = cl_clock() - g->started;
  json_t *j = json_pack(
      "{s:b,s:s,s:s,s:I,s:f,s:I,s:f,s:I,s:i,s:i,s:i,s:I,s:i,s:i}", "running", !g->ended, "profile",
      up_profile_name(g->profile), "frame", g->a->frame, "seed", (json_int_t)g->a->common.seed,
      "seconds", seconds, "graphs", (json_int_t)g->total.graphs, "graphs_per_second",
      graphs_per_second(g, seconds), "findings", (json_int_t)g->total.findings, "causes",
      (int)g->causes.n, "new_causes", (int)cl_campaign_new_causes(g), "reducing",
      (int)cl_writers_left(g), "undecided", (json_int_t)g->total.verdict[OR_UNDECIDED],
      "rules_covered", (int)rules_covered(g), "rules", (int)up_rule_count(g->profile));
  if (g->engine) json_object_update(j, g->engine);
  if (!j) out->no_memory = true;
  cl_put_json(out, j);
}
