/* Grouping findings: one cause, one key. */
#include "cli/campaign.h"
#include <stdlib.h>
#include <string.h>

static void add_counts(cl_cause *k, const cl_cause *one) {
  k->count += one->count;
  if (one->first == CL_NO_CASE) return;
  if (one->first < k->first) k->first = one->first;
  if (one->last > k->last || k->last == CL_NO_CASE) k->last = one->last;
}

bool cl_causes_add(cl_causes *all, const cl_cause *one, uint32_t *at, bool *is_new) {
  if (is_new) *is_new = false;
  for (uint32_t i = 0; i < all->n; i++) {
    cl_cause *k = &all->p[i];
    if (strcmp(k->key, one->key) == 0) {
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

const char *cl_cause_rule(const up_profile *p, const cl_cause *k) {
  if (k->rule_name[0]) return k->rule_name;
  return up_profile_is_external(p) ? NULL : cl_rule_name(p, k->rule);
}
