/* Right sides: what the nodes that a rule makes look like.
 *
 * A tree in flat arrays, like patterns. Operators build the shapes of mathtraits: x - y is x +
 * y*-1, -x is x*-1 (x != True for bool), x / y is x * RECIP(y), comparisons give bool.
 */
#ifndef UPROOF_RULEBUILD_H
#define UPROOF_RULEBUILD_H

#include "rules.h"
#include "ruleexpr.h"

typedef enum build_kind {
  BUILD_SLOT,  /* the node bound to slot */
  BUILD_CONST, /* the value of expr; dtype by `dtype_from` */
  BUILD_ALU,   /* op over the kids; dtype of the last one, bool for comparisons */
  BUILD_LIKE,  /* the same with the op of the node in slot */
  BUILD_NEW,   /* op over the kids; dtype by dtype_from */
  BUILD_WITH,  /* the node in slot with other sources: op, dtype and arg stay */
  BUILD_NEG,
  BUILD_FLIP,
  BUILD_NATIVE /* a C function over the kids, which may say that the rule does not apply */
} build_kind;

typedef enum dtype_from {
  DTYPE_SIBLING, /* of the operand beside it; of the root when it is the whole right side */
  DTYPE_SLOT,
  DTYPE_FIXED
} dtype_from;

typedef struct build {
  uint8_t kind, op;
  uint8_t dtype_from;
  int8_t slot, dtype_slot;
  up_dtype dtype;
  uint8_t like; /* kid that gives its dtype to the constants among the kids */
  uint8_t nkid;
  uint32_t kid;
  expr_id expr;
  uint32_t values; /* slots whose values expr takes */
  const up_native *native;
} build;
typedef uint32_t build_id;
#define BUILD_NIL UINT32_MAX

typedef struct buildbook {
  build *build;
  uint32_t nbuild, build_cap;
  build_id *kid;
  uint32_t nkid, kid_cap;
} buildbook;
void buildbook_free(buildbook *b);
static inline const build *build_at(const buildbook *b, build_id i) { return &b->build[i]; }

bool build_compile(buildbook *b, exprbook *x, const ruletree *t, term_id rhs, const patnames *names,
                   build_id *out, up_error *err);
/* First native function of the tree, or NULL. */
const up_native *build_native(const buildbook *b, build_id id);
bool build_reads_bounds(const buildbook *b, const exprbook *x, build_id id);

/* Makes the nodes. UP_NONE: a native declined, or the context's status is set. */
up_node build_run(up_ctx *c, const buildbook *b, const exprbook *x, build_id id,
                  const up_node *slot, up_node root);
/* An op over its sources: dtype of the last one, bool for comparisons. */
up_node build_alu(up_ctx *c, up_op op, const up_node *kid, uint32_t n);

#endif
