/* Patterns: what the left side of a rule matches.
 *
 * A pattern is a tree of `pat`s in flat arrays, readable by the matcher (match.c) and by anything
 * else that wants to know what a rule matches. Its meaning is that of the modelled engine's UPat:
 * op set, dtype set, value of a constant, name (one name: one node), and sources in one of five
 * forms.
 */
#ifndef UPROOF_PATTERN_H
#define UPROOF_PATTERN_H

#include "ruleast.h"

typedef struct opset {
  uint64_t w[2];
} opset;
_Static_assert(UP_OP_COUNT <= 128, "an op set has 128 bits");
static inline bool opset_has(const opset *s, up_op op) { return (s->w[op >> 6] >> (op & 63)) & 1; }
static inline void opset_add(opset *s, up_op op) { s->w[op >> 6] |= UINT64_C(1) << (op & 63); }
static inline bool opset_subset(const opset *a, const opset *b) {
  return (a->w[0] & ~b->w[0]) == 0 && (a->w[1] & ~b->w[1]) == 0;
}
opset opset_all(void);
unsigned opset_count(const opset *s);

/* A set of scalar types; a vector is in it when its scalar is, a pointer never. */
typedef struct dtset {
  uint16_t mask;
  bool negated; /* everything outside of the mask, pointers too */
} dtset;
#define DTSET_ANY ((dtset){0, true})
static inline bool dtset_has(dtset s, up_dtype d) {
  unsigned value = !up_dt_is_ptr(d), in = value & (unsigned)(s.mask >> up_dt_scalar(d));
  return in != s.negated;
}

typedef enum pat_src {
  SRC_FREE,     /* anything */
  SRC_ORDERED,  /* kid i matches source i */
  SRC_PERMUTED, /* the kids match the sources in some order; tried as itertools.permutations has it
                 */
  SRC_REPEAT,   /* the one kid matches each source, of which there may be any number */
  SRC_ANY_OF    /* not about sources: one of the kids matches the node itself */
} pat_src;

#define PAT_MAX_KIDS 16u
#define PAT_MAX_SLOTS 16u
#define PAT_MAX_NODES 64u

typedef struct pat {
  opset ops;
  dtset dt;
  uint8_t src;    /* pat_src */
  bool any_len;   /* ORDERED: more sources than kids are welcome */
  bool has_value; /* the node's arg equals `value`, as numbers */
  int8_t slot;    /* of the name; -1: anonymous */
  uint16_t nkid;
  uint32_t kid; /* patbook.kid[kid..] */
  up_val value; /* 64 bits, or a float */
} pat;
typedef uint32_t pat_id;

typedef struct patbook {
  pat *pat;
  uint32_t npat, pat_cap;
  pat_id *kid;
  uint32_t nkid, kid_cap;
} patbook;
void patbook_free(patbook *b);
static inline const pat *pat_at(const patbook *b, pat_id i) { return &b->pat[i]; }
static inline const pat *pat_kid(const patbook *b, const pat *p, uint32_t i) {
  return &b->pat[b->kid[p->kid + i]];
}

/* The names of one rule, by slot. */
typedef struct patnames {
  token name[PAT_MAX_SLOTS];
  opset ops[PAT_MAX_SLOTS]; /* what the named node can be */
  uint32_t n;
} patnames;
int patnames_find(const patnames *s, const token *name); /* -1: no such name */
bool patnames_is_const(const patnames *s, int slot);     /* always CONST or VCONST */
bool patnames_may_be_vconst(const patnames *s, int slot);

/* Compiles a left side. False with the error filled in. */
bool pat_compile(patbook *b, const ruletree *t, term_id lhs, patnames *names, pat_id *out,
                 up_error *err);
/* Ops that some source must have for p to match: the early reject. */
opset pat_needed(const patbook *b, pat_id p);

/* Shared by the compilers of the three sides. */
bool ruleset_of_ops(const ruletree *t, const term *n, opset *out, up_error *err); /* NAME or SET */
bool ruleset_of_dtypes(const token *item, uint32_t n, bool negated, dtset *out, up_error *err);
bool rule_op_of_token(rtok k, up_op *out); /* '+' -> ADD; false: no op is written so */
bool rule_is_op_name(const token *t);      /* in capitals: an op or a group */

/* The next order of n things as itertools.permutations gives them; false after the last. */
bool pat_next_order(uint8_t *a, unsigned n);

#endif
