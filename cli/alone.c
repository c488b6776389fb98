#include "cli/alone.h"

#include <stdlib.h>

bool cl_alone_open(cl_alone *a, const up_profile *p) {
  *a = (cl_alone){.profile = p};
  if (up_profile_is_external(p)) return true;
  uint32_t all = up_rule_count(p);
  a->set = calloc(all + 1, sizeof(up_ruleset *));
  a->rule = calloc(all + 1, sizeof *a->rule);
  if (!a->set || !a->rule) return false;
  for (uint32_t i = 0; i < all; i++)
    if (up_ruleset_has(up_profile_chosen(p), i)) a->rule[a->n++] = i;
  return true;
}

void cl_alone_close(cl_alone *a) {
  for (uint32_t i = 0; a->set && i < up_rule_count(a->profile); i++) up_ruleset_free(a->set[i]);
  free(a->set);
  free(a->rule);
  *a = (cl_alone){0};
}

bool cl_alone_is(const cl_alone *a, uint64_t index) {
  return a->n > 1 && index % CL_ALONE_EVERY == CL_ALONE_EVERY - 1;
}

up_node cl_alone_graph(cl_alone *a, up_ctx *c, const fz_opts *o, uint64_t index, uint64_t seed) {
  uint32_t rule = a->rule[index / CL_ALONE_EVERY % a->n];
  up_ctx_choose(c, NULL);
  if (!a->set[rule]) a->set[rule] = up_ruleset_alone(a->profile, rule);
  up_node n = a->set[rule] ? fz_instance(c, o, rule, seed) : UP_NONE;
  if (!up_is_none(n)) up_ctx_choose(c, a->set[rule]);
  return n;
}

void cl_alone_check(or_checker *k, up_ctx *c, up_node root, or_frame f, or_report *out) {
  or_check(k, c, root, f, out);
  if (!up_ctx_has_own_rules(c)) return;
  bool judged = out->verdict != OR_UNSUPPORTED;
  if (out->nfindings == 0 && judged) return;
  const up_ruleset *own = up_ctx_rules(c);
  or_report whole = {0};
  up_ctx_choose(c, NULL);
  or_check(k, c, root, f, &whole);
  if (whole.nfindings > 0 || !judged) {
    or_report_clear(out);
    *out = whole;
    return;
  }
  or_report_clear(&whole);
  up_ctx_choose(c, own);
}
