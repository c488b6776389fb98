/* Grouping findings: what has kind, frame and blamed rule in common is one cause. */
#include "cli/campaign.h"
#include <stdlib.h>

static void add_counts(cl_cause *k, const cl_cause *one) {
  k->count += one->count;
  if (one->first < k->first) k->first = one->first;
  if (one->last > k->last) k->last = one->last;
}

bool cl_causes_add(cl_causes *all, const cl_cause *one, uint32_t *at, bool *is_new) {
  if (is_new) *is_new = false;
  for (uint32_t i = 0; i < all->n; i++) {
    cl_cause *k = &all->p[i];
    if (k->kind == one->kind && k->frame == one->frame && k->rule == one->rule) {
      add_counts(k, one);
      if (at) *at = i;
      return true;
    }
  }
  if (all->n == all->cap) {
    uint32_t cap = all->cap ? all->cap * 2 : 16;
    cl_cause *p = realloc(all->p, cap * sizeof *p);
    if (!p) return false;
    all->p = p;
    all->cap = cap;
  }
  if (at) *at = all->n;
  all->p[all->n++] = *one;
  if (is_new) *is_new = true;
  return true;
}

void cl_cause_name(const up_profile *p, const cl_cause *k, char out[128]) {
  const char *rule = cl_rule_name(p, k->rule);
  snprintf(out, 128, "%s-%s-%s", or_kind_name(k->kind), or_frame_name(k->frame),
           rule ? rule : "unknown");
  for (char *s = out; *s; s++) {
    bool plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9');
    if (!plain && *s != '-' && *s != '_' && *s != '.') *s = '_';
  }
}
