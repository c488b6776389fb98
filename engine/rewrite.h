/* The rewrite driver with any two matchers: rules, or a map of nodes. */
#ifndef UPROOF_REWRITE_H
#define UPROOF_REWRITE_H

#include "idmap.h"
#include "rules.h"

/* What n becomes, UP_NONE for no change; *rule is the rule's number, -1 for none. */
typedef up_node (*rewrite_fn)(up_ctx *c, const void *user, up_node n, int *rule);

typedef struct rewrite_spec {
  rewrite_fn pm, bpm; /* top-down and bottom-up matcher; NULL for none */
  const void *pm_user, *bpm_user;
  uint64_t max_steps;  /* 0: see up_rewrite */
  up_trace *trace;     /* of an outermost rewrite; a nested one records where that does */
  uint32_t *loop_from; /* or NULL; see up_rewrite */
} rewrite_spec;

/* Rewrites each root, results shared, image[i] (image may be NULL) the i-th's. The result is of the
 * last; on a status the images from the failing one on are none. */
up_result rewrite_all(up_ctx *c, const up_node *root, up_node *image, uint32_t n,
                      const rewrite_spec *spec);
up_node rewrite_by_rules(up_ctx *c, const void *rules, up_node n, int *rule); /* up_ruleset */
up_node rewrite_by_map(up_ctx *c, const void *map, up_node n, int *rule);     /* idmap */

#endif
