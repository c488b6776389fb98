/* Inside of rule sets: what the rule language, the native folders and the drivers share. */
#ifndef UPROOF_RULES_H
#define UPROOF_RULES_H

#include "internal.h"

/* A right side in C: `native NAME(a, b)` calls fn with the nodes bound to a and b. Returns UP_NONE
 * when the rule does not apply after all. Must not look at anything but its arguments. */
typedef up_node (*up_native_fn)(up_ctx *c, const up_node *arg, unsigned n);
typedef struct up_native {
  const char *name;
  unsigned nargs;
  bool reads_bounds; /* its contract: does it look at vmin/vmax? */
  up_native_fn fn;
  const char *why;    /* why it is not rule text: "sum of any number of terms", ... */
  const char *symbol; /* name of the C function, for generated code */
} up_native;
/* NULL: no such function. The table is in fold/native.c. */
const up_native *up_native_find(const char *name, size_t n);
const up_native *up_native_at(unsigned i); /* NULL past the end */

/* Rule texts, embedded at build time from engine/rules/ (cmake/embed.cmake generates the array). */
typedef struct up_embedded {
  const char *name; /* "symbolic-v0.10.0.rules" */
  const unsigned char *text;
  size_t n;
} up_embedded;
extern const up_embedded up_embedded_rules[];
extern const unsigned up_embedded_rules_count;

#endif
