/* Compiled and interpreted rules give the same answers: one profile loaded both ways, asked about
 * the same nodes. */
#ifndef UPROOF_AGREE_H
#define UPROOF_AGREE_H

#include "engine/uop.h"

typedef struct fz_agree {
  up_profile *compiled, *interpreted;
  up_ctx *c, *other; /* contexts of these; graphs are made in c */
  /* what was compared: nodes, answers of a set at a node and among them rules that applied or
   * raised, bounds, simplifications */
  uint64_t nodes, asked, applied, raised, bounds, simplified;
  char why[400]; /* of the first disagreement */
} fz_agree;

/* False with the error filled in. */
bool fz_agree_init(fz_agree *a, const char *profile, up_error *err);
void fz_agree_free(fz_agree *a);
/* Both contexts emptied. */
void fz_agree_reset(fz_agree *a);

/* Every rule set and the bounds at every node under root (a node of a->c): same rule, same node or
 * status, same bounds by the same rule. False: they differ somewhere, `why` says where. */
bool fz_agree_nodes(fz_agree *a, up_node root);
/* The simplification: same status, same steps, same graph, same counts of tried and matched rules.
 * Asked after fz_agree_nodes of the same root. */
bool fz_agree_simplify(fz_agree *a, up_node root);

#endif
