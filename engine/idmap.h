/* Map from node id to a 32-bit value, open addressing; lives for one walk. Zero-initialise it, and do
 * not copy it: a small one lies within itself. */
#ifndef UPROOF_IDMAP_H
#define UPROOF_IDMAP_H

#include "internal.h"

#define IDMAP_OWN 32u
typedef struct idmap {
  uint32_t *key, *val; /* key 0 is free: node 0 is none */
  uint32_t cap, used;
  uint32_t own[2 * IDMAP_OWN]; /* the first keys and values; heap beyond */
} idmap;

/* Value of the key; *found tells whether it is there. */
uint32_t idmap_get(const idmap *m, uint32_t key, bool *found);
/* False and status UP_NO_MEMORY when it can't grow. Overwrites. */
bool idmap_set(up_ctx *c, idmap *m, uint32_t key, uint32_t val);
void idmap_free(idmap *m);

#endif
