/* Stable words for frames, verdicts and kinds: what the command line reads and prints. */
#include "oracle/oracle.h"

#include <assert.h>
#include <string.h>

static const char *const frame_names[] = {"ideal", "wrap", "refine"};
static const char *const verdict_names[] = {"proved",  "exhausted", "certified",   "sampled",
                                            "differs", "undecided", "unsupported", "error"};
static const char *const stage_names[] = {
    "certificate", "identity", "vacuous", "interval", "sample", "exhaust", "z3-int",
    "z3-bv",       "steps",    "cvc5",    "rewrite",  "dtype",  "spec"};
static const char *const pass_names[] = {"descend",   "cut",    "uses",    "variables", "types",
                                         "constants", "ranges", "numbers", "widened"};
static const char *const kind_names[] = {"value", "bounds", "nontermination", "crash",
                                         "dtype", "spec",   "idempotence"};

_Static_assert(sizeof frame_names / sizeof *frame_names == OR_FRAME_COUNT, "a word each");
_Static_assert(sizeof verdict_names / sizeof *verdict_names == OR_VERDICT_COUNT, "a word each");
_Static_assert(sizeof stage_names / sizeof *stage_names == OR_STAGES, "a word each");
_Static_assert(sizeof pass_names / sizeof *pass_names == OR_PASS_COUNT, "a word each");
_Static_assert(sizeof kind_names / sizeof *kind_names == OR_IDEMPOTENCE + 1, "a word each");

/* Position of s in the list, or n. */
static unsigned position(const char *s, const char *const *list, unsigned n) {
  assert(s != NULL);
  for (unsigned i = 0; i < n; i++) {
    if (strcmp(s, list[i]) == 0) return i;
  }
  return n;
}

const char *or_frame_name(or_frame f) {
  assert(f < OR_FRAME_COUNT);
  return frame_names[f];
}

bool or_frame_parse(const char *s, or_frame *out) {
  unsigned i = position(s, frame_names, OR_FRAME_COUNT);
  if (i == OR_FRAME_COUNT) return false;
  *out = (or_frame)i;
  return true;
}

const char *or_verdict_name(or_verdict v) {
  assert(v < OR_VERDICT_COUNT);
  return verdict_names[v];
}

const char *or_kind_name(or_kind k) {
  assert(k <= OR_IDEMPOTENCE);
  return kind_names[k];
}

bool or_kind_parse(const char *s, or_kind *out) {
  unsigned i = position(s, kind_names, OR_IDEMPOTENCE + 1);
  if (i == OR_IDEMPOTENCE + 1) return false;
  *out = (or_kind)i;
  return true;
}

const char *or_pass_name(or_pass p) {
  assert(p < OR_PASS_COUNT);
  return pass_names[p];
}

const char *or_stage_name(unsigned i) { return i < OR_STAGES ? stage_names[i] : NULL; }
