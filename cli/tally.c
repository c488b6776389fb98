/* Counts of verdicts: the summary line and the exit status come from them alone. */
#include "cli/cli.h"
#include <string.h>

void cl_tally_add(cl_tally *into, const cl_tally *t) {
  into->graphs += t->graphs;
  into->findings += t->findings;
  into->bad_input += t->bad_input;
  into->out_of_scope += t->out_of_scope;
  into->interpreted += t->interpreted;
  for (unsigned i = 0; i < OR_VERDICT_COUNT; i++) into->verdict[i] += t->verdict[i];
  for (unsigned i = 0; i < OR_STAGES; i++) into->stage[i] += t->stage[i];
}

void cl_tally_note(cl_tally *t, or_verdict v, const char *stage) {
  t->verdict[v]++;
  bool decided = v == OR_PROVED || v == OR_EXHAUSTED || v == OR_CERTIFIED || v == OR_DIFFERS;
  for (unsigned i = 0; decided && stage && i < OR_STAGES; i++)
    t->stage[i] += strcmp(stage, or_stage_name(i)) == 0;
}

void cl_tally_put(const cl_tally *t, up_buf *out) {
  static const or_verdict order[] = {OR_UNDECIDED, OR_PROVED,  OR_EXHAUSTED,   OR_CERTIFIED,
                                     OR_SAMPLED,   OR_DIFFERS, OR_UNSUPPORTED, OR_ERROR};
  _Static_assert(sizeof order / sizeof order[0] == OR_VERDICT_COUNT, "every verdict is printed");
  up_buf_printf(out, "%llu graphs, %llu findings", (unsigned long long)t->graphs,
                (unsigned long long)t->findings);
  for (unsigned i = 0; i < OR_VERDICT_COUNT; i++) {
    up_buf_printf(out, ", %llu %s", (unsigned long long)t->verdict[order[i]],
                  or_verdict_name(order[i]));
  }
  if (t->out_of_scope)
    up_buf_printf(out, ", %llu out of scope", (unsigned long long)t->out_of_scope);
  if (t->interpreted)
    up_buf_printf(out, ", %llu boxes not compiled", (unsigned long long)t->interpreted);
  if (t->bad_input) up_buf_printf(out, ", %llu unreadable", (unsigned long long)t->bad_input);
  for (unsigned i = 0; i < OR_STAGES; i++) {
    if (t->stage[i])
      up_buf_printf(out, ", %llu by %s", (unsigned long long)t->stage[i], or_stage_name(i));
  }
}

json_t *cl_tally_verdicts(const cl_tally *t) {
  json_t *j = json_object();
  for (unsigned i = 0; i < OR_VERDICT_COUNT; i++)
    json_object_set_new(j, or_verdict_name((or_verdict)i), json_integer((json_int_t)t->verdict[i]));
  return j;
}

json_t *cl_tally_stages(const cl_tally *t) {
  json_t *j = json_object();
  for (unsigned i = 0; i < OR_STAGES; i++)
    json_object_set_new(j, or_stage_name(i), json_integer((json_int_t)t->stage[i]));
  return j;
}

json_t *cl_tally_json(const cl_tally *t) {
  return json_pack("{s:I,s:I,s:I,s:I,s:o,s:o}", "graphs", (json_int_t)t->graphs, "findings",
                   (json_int_t)t->findings, "out_of_scope", (json_int_t)t->out_of_scope,
                   "unreadable", (json_int_t)t->bad_input, "verdicts", cl_tally_verdicts(t),
                   "stages", cl_tally_stages(t));
}

void cl_note_jit(const or_checker *k) {
  const or_jit_stats *s = or_checker_jit(k);
  if (s->failed)
    cl_error("%llu boxes not compiled, but interpreted: %s", (unsigned long long)s->failed, s->why);
}

/* The rule of cl_for_each, for verdicts. */
int cl_tally_status(const cl_tally *t) {
  if (t->bad_input) return CL_USAGE;
  if (t->findings) return CL_FINDINGS;
  if (t->verdict[OR_ERROR]) return CL_HARNESS;
  if (t->verdict[OR_UNDECIDED] || t->verdict[OR_UNSUPPORTED] || t->out_of_scope)
    return CL_UNDECIDED;
  return CL_SOUND;
}
