/* What rulec makes of a rule file: one function a rule, one a rule set and op.
 *
 * The functions answer as the interpreter (match.c, ruleeval.c, buildrun.c) does, rule numbers
 * included; tests/rules/test_compiled.c and fuzz_matcher hold the two together.
 */
#ifndef UPROOF_COMPILED_H
#define UPROOF_COMPILED_H

#include "internal.h"

/* One rule at n. UP_NONE: it does not apply, or the context's status says what was raised. */
typedef up_node (*compiled_rewrite)(up_ctx *c, up_node n);
/* The first rule of a set that applies to n, whose op is that of the function; its number in the
 * file goes into *rule, which is left alone when there is none. A result equal to `skip` counts as
 * not applied (UP_NONE: no such node). */
typedef up_node (*compiled_first)(up_ctx *c, up_node n, up_node skip, int *rule);
/* The same of the bounds rules: the number in the file, -1 when none applies. */
typedef int (*compiled_bounds)(up_ctx *c, up_node n, up_bounds *out);

/* The same (quick_bounds is declared in internal.h) where all the numbers have 64 bits: QUICK_UNKNOWN
 * when they don't, when bounds of sources are not known yet, or when the long way must be asked. */

/* Dtypes by their scalar and whether they are pointers: the lower bits. */
#define RX_DTYPES 32u

typedef struct compiled_set {
  const char *name;
  const compiled_first *by_op; /* UP_OP_COUNT of them; NULL: no rule for the op */
} compiled_set;

typedef struct compiled_file {
  const char *name; /* of the rule file */
  uint64_t digest;  /* compiled_digest of the text */
  uint32_t nrule, nset;
  const compiled_rewrite *rewrite; /* nrule of them; NULL for a bounds rule */
  const compiled_set *set;
  const compiled_bounds *bounds; /* by op */
  const quick_bounds *quick;     /* by op */
} compiled_file;

extern const compiled_file *const up_compiled_files[]; /* NULL behind the last */

/* FNV-1a, 64 bits. */
static inline uint64_t compiled_digest(const void *text, size_t n) {
  const unsigned char *p = text;
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * UINT64_C(0x100000001b3);
  return h;
}

#endif
