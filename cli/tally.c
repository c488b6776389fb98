/* Counts of verdicts: the summary line and the exit status come from them alone. */
#include "cli/cli.h"

void cl_tally_add(cl_tally *into, const cl_tally *t) {
  into->graphs += t->graphs;
  into->findings += t->findings;
  into->bad_input += t->bad_input;
  into->out_of_scope += t->out_of_scope;
  into->interpreted += t->interpreted;
  for (unsigned i = 0; i < OR_VERDICT_COUNT; i++) into->verdict[i] += t->verdict[i];
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
}

void cl_note_jit(const or_checker *k) {
  const or_jit_stats *s = or_checker_jit(k);
  if (s->failed)
    cl_error("%llu boxes not compiled, but interpreted: %s", (unsigned long long)s->failed, s->why);
}

/* Findings outrank a failed verdict: the error costs that one verdict, not the rest. */
int cl_tally_status(const cl_tally *t) {
  if (t->bad_input) return CL_USAGE;
  if (t->findings) return CL_FINDINGS;
  if (t->verdict[OR_ERROR]) return CL_HARNESS;
  if (t->verdict[OR_UNDECIDED] || t->verdict[OR_UNSUPPORTED] || t->out_of_scope)
    return CL_UNDECIDED;
  return CL_SOUND;
}
