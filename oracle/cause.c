/* Which findings are the same bug: those whose cause has the same words. */
#include "oracle/oracle.h"

#include <assert.h>
#include <stdio.h>

/* Room for a rule's name; users can write longer ones, which are cut. */
#define NAME_ROOM 80

static const char *rule_word(const up_ctx *c, const or_finding *f) {
  if (f->rule >= 0) return up_rule_at(up_ctx_profile(c), (uint32_t)f->rule).name;
  return f->mode == OR_NO_VALID ? "unknown" : or_valid_mode_name(f->mode);
}

/* By the claimed range: a property of the graph, where the witness is one point of many. */
static const char *sign_class(up_ctx *c, up_node n) {
  up_bounds b = up_minmax(c, n);
  if (up_ctx_status(c) != UP_OK) {
    up_ctx_clear_status(c);
    return "mixed";
  }
  const up_val zero = up_val_int(up_int_of(0));
  int lo = up_val_cmp(c, b.lo, zero), hi = up_val_cmp(c, b.hi, zero);
  if (lo > 0) return "positive";
  if (hi < 0) return "negative";
  return lo == 0 && hi == 0 ? "zero" : "mixed";
}

/* Whether the node is a division and so has a divisor. */
static bool divides(const up_ctx *c, up_node n) {
  return up_op_divides(up_op_of(c, n)) && up_nsrc(c, n) == 2;
}

void or_finding_cause(up_ctx *c, const or_finding *f, char out[OR_CAUSE_ROOM]) {
  assert(c && f && out);
  int n = snprintf(out, OR_CAUSE_ROOM, "%s-%s-%.*s", or_kind_name(f->kind), or_frame_name(f->frame),
                   NAME_ROOM, rule_word(c, f));
  if (!up_is_none(f->before) && n > 0)
    n += snprintf(out + n, OR_CAUSE_ROOM - (size_t)n, "-%s", up_op_name(up_op_of(c, f->before)));
  if (!up_is_none(f->before) && divides(c, f->before))
    n +=
        snprintf(out + n, OR_CAUSE_ROOM - (size_t)n, "-%s", sign_class(c, up_src(c, f->before, 1)));
  if (up_ctx_has_own_rules(c)) snprintf(out + n, OR_CAUSE_ROOM - (size_t)n, "-alone");
  for (char *s = out; *s; s++) {
    bool plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9');
    if (!plain && *s != '-' && *s != '_' && *s != '.') *s = '_';
  }
}
