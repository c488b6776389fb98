/* Inside of the minimizer: the graph that is being reduced, and single changes of it. */
#ifndef UPROOF_SHRINK_H
#define UPROOF_SHRINK_H

#include "oracle/findings.h"

/* ---- edits (edit.c) -------------------------------------------------------------------------- */

typedef enum edit_kind {
  EDIT_NODE,  /* `at` becomes the node `by`: a leaf, or below `at` */
  EDIT_CONST, /* `at` becomes the constant lo of its dtype */
  EDIT_VAR,   /* `at` becomes the variable `name` in [lo, hi] of its dtype */
  EDIT_MERGE, /* the variables `at` and `by` become that */
  EDIT_USE,   /* source number `use` of `at` becomes `by`, or the constant lo; other uses stay */
  EDIT_TYPE, /* scalar dtype `from` becomes `to` everywhere, in vectors, too; casts that then do nothing go */
  EDIT_NUMBERS, /* integer constants and ends of variables become those of `number` */
} edit_kind;
typedef struct edit {
  edit_kind kind;
  up_node at, by;
  uint32_t use;
  const char *name;
  mpz_srcptr lo, hi;
  up_dtype from, to;
  const mpz_t *number; /* two a node of topo: of a constant the first, of a variable lo and hi */
  unsigned long widen; /* DEFINE_VARs get that much more room at both ends, inside their dtype */
} edit;
/* The graph of topo's last node with the edit done, in another context. UP_NONE: no memory, or the
 * edit makes no sense there (dst's status tells). e NULL: a plain copy. */
up_node edit_copy(up_ctx *dst, up_ctx *src, const up_list *topo, const edit *e);

/* ---- sizes (size.c) -------------------------------------------------------------------------- */

/* What is smaller, in falling order of weight. Every accepted change makes it less, so a reduction
 * ends. */
typedef struct size {
  uint32_t nodes, vars;
  uint32_t odd_types; /* nodes of another dtype than int and bool */
  uint64_t tree;      /* nodes when what is shared is written out, at most TREE_MOST */
  mpz_t consts;       /* sum of magnitudes of constants */
  uint32_t negative;  /* negative constants */
  mpz_t widths;       /* sum of hi - lo over the variables */
  mpz_t ends;         /* sum of |lo| + |hi| */
} size;
#define TREE_MOST ((uint64_t)1 << 40)
void size_init(size *s);
void size_clear(size *s);
bool size_measure(up_ctx *c, const up_list *topo, size *out);
int size_cmp(const size *a, const size *b);

/* ---- state (minimize.c) ---------------------------------------------------------------------- */

typedef struct shrink {
  or_checker *checker;
  bool hints; /* try the last witness first; without, every trial is judged as the result will be */
  bool trusting; /* the last witness will do, if the judge of the result finds none */
  or_frame frame;
  or_kind kind;
  or_valid_mode mode; /* a valid and its graph are reduced together, as sources of a SINK */
  int rule;
  char wanted[OR_CAUSE_ROOM]; /* the cause that every trial must keep */
  up_ctx *best, *trial;       /* change places when a trial is accepted */
  up_list topo;               /* of the best graph; its last node is the root */
  up_node cause;              /* node of the blamed step in best, or UP_NONE */
  or_witness witness;         /* in best */
  or_finding found;           /* of the best graph, as the trial saw it; does not own its witness */
  const or_watch *watch;
  size size, trial_size;
  uint64_t tries, max_tries;
  uint32_t accepted;
  or_pass pass; /* the one at work */
  or_pass_won won[OR_PASS_COUNT];
  const volatile bool *stop;
  unsigned long widen; /* for the edits of shrink_try */
} shrink;

/* Tries the best graph with a change, or one of its nodes as the whole graph. True: accepted, and
 * every node of the old best is gone. */
bool shrink_try(shrink *s, const edit *e);
bool shrink_try_root(shrink *s, up_node root);
/* Stopped, or out of tries. */
bool shrink_over(const shrink *s);
/* Value of a node at the witness; false when it has none. */
bool shrink_value(const shrink *s, const or_point *p, up_node n, mpz_t out);

/* ---- edits that several passes try (minimize_passes.c) --------------------------------------- */

bool try_const(shrink *s, up_node at, mpz_srcptr v);
bool try_const_si(shrink *s, up_node at, long v);
bool is_plain(const shrink *s, up_node n); /* integer or bool */
/* Another leaf of the graph for n. */
bool cut_to_leaf(shrink *s, up_node n);
/* Name and range of a variable; false for other nodes. */
bool domain_of(const shrink *s, up_node n, char name[64], mpz_t lo, mpz_t hi);
void witness_value(const shrink *s, up_node var, mpz_t out);
/* One node after the other, from the leaves up. */
bool each_node(shrink *s, bool (*simplify)(shrink *, up_node));
/* 0, 1, -1, another leaf, a small number, the opposite for the constant n, whose value is v. */
bool jump_constant(shrink *s, up_node n, mpz_t v);
bool constant_at(const shrink *s, uint32_t at, mpz_t out);

/* ---- passes: true when one trial or more was accepted ---------------------------------------- */

typedef bool (*shrink_pass)(shrink *s);
/* minimize_passes.c */
bool pass_descend(shrink *s);   /* a node for the whole graph */
bool pass_cut(shrink *s);       /* an operand, a constant or a variable for a node */
bool pass_uses(shrink *s);      /* the same for one use of a node that is shared */
bool pass_variables(shrink *s); /* a constant or another variable for a variable */
bool pass_types(shrink *s);     /* int, or a dtype that is there already, for a dtype */
bool pass_widened(shrink *s); /* cuts that need other values of the variables; small graphs only */
/* minimize_numbers.c */
bool pass_constants(shrink *s); /* constants nearer to 0 */
bool pass_ranges(shrink *s);    /* ranges smaller, and nearer to 0 */
bool pass_together(shrink *s);  /* all numbers at once: half as large, or nearer to 0 by the same */

/* All numbers of a graph, as `number` of an edit. Zero-initialise. */
typedef struct numbers {
  mpz_t *v;
  uint32_t n; /* nodes */
} numbers;
bool numbers_take(const shrink *s, numbers *out); /* of best; false: no memory */
void numbers_clear(numbers *z);
/* Steps from one round of passes to the next that would go on in the same direction for long: taken
 * at once, as long as that works. before: the numbers as the round began. */
bool pass_leap(shrink *s, const numbers *before);

#endif
