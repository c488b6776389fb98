/* What a word that is not known may have been meant to be. */
#include "cli/cli.h"
#include <string.h>

#define LONGEST 64u

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Letters to add, leave out or exchange, to make one word of the other. */
static size_t distance(const char *a, const char *b) {
  size_t row[LONGEST + 1], na = strlen(a), nb = strlen(b);
  if (na > LONGEST || nb > LONGEST) return LONGEST;
  for (size_t k = 0; k <= nb; k++) row[k] = k;
  for (size_t i = 1; i <= na; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t k = 1; k <= nb; k++) {
      size_t exchanged = corner + (a[i - 1] != b[k - 1]);
      corner = row[k];
      row[k] = least(exchanged, least(corner, row[k - 1]) + 1);
    }
  }
  return row[nb];
}

const char *cl_nearest(const char *word, const char *(*at)(const void *arg, uint32_t i),
                       const void *arg) {
  const char *name, *best = NULL;
  size_t most = strlen(word) < 4 ? 0 : strlen(word) < 6 ? 1 : 2;
  for (uint32_t i = 0; (name = at(arg, i)) != NULL; i++) {
    size_t d = distance(word, name);
    if (d > most || (best && d == most)) continue;
    best = name;
    most = d;
  }
  return best;
}

static const char *rule_at(const void *arg, uint32_t i) {
  const up_profile *p = arg;
  return i < up_rule_count(p) ? up_rule_at(p, i).name : NULL;
}

bool cl_no_rule(const up_profile *p, const char *name) {
  const char *near = cl_nearest(name, rule_at, p);
  return cl_usage("no rule '%s' in %s (%s%s%suproof rules lists them)", name, up_profile_name(p),
                  near ? "did you mean " : "", near ? near : "", near ? "? " : "");
}
