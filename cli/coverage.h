/* The parts of `uproof coverage`. */
#ifndef UPROOF_CLI_COVERAGE_H
#define UPROOF_CLI_COVERAGE_H

#include "cli/cli.h"

typedef struct cv_rule {
  uint64_t graphs;     /* in which it applied */
  up_rule_probe probe; /* as long as it has not */
  uint8_t *seed;       /* the smallest input in which it applied; NULL: none, or not asked for */
  size_t nseed;
} cv_rule;

typedef struct cv_session {
  const up_ruleset *set; /* NULL: all of the profile */
  uint64_t steps, graphs;
  bool seeds, json;
  cv_rule *rule; /* by number */
  uint8_t *hits; /* of the graph at hand */
} cv_session;

/* Counts a graph. False: no memory. */
bool cv_add(cv_session *s, up_ctx *c, up_node root);
/* The operands as inputs of fuzz targets, folders of them too. An exit status. */
int cv_for_each_input(cv_session *s, const cl_common *a, const up_profile *p);

/* Remembers the graph as input, for the rules of s->hits that have no smaller one. False: no memory.
 */
bool cv_keep_seed(cv_session *s, up_ctx *c, up_node root);
/* Writes inputs into the folder, each for a rule that none before it reaches. An exit status. */
int cv_write_seeds(cv_session *s, const up_profile *p, const char *dir);

#endif
