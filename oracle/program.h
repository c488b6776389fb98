/* uproof oracle: one or two graphs as a flat program of scalar instructions. Private to oracle/.
 *
 * Vectors are taken apart into lanes, common subgraphs appear once, and what no root needs is left
 * out (so an unused variable does not make the box bigger). Each instruction carries an interval
 * that holds every value it can have where it is defined: the oracle's own analysis, which shares
 * nothing with the engine's bounds.
 *
 * Variables are nodes (a lane of one, where it is a vector), whatever their names, with one exception: a RANGE of the second graph of a
 * pair is the RANGE of the first one that has its id (a rewrite may change the end of a RANGE,
 * which makes another node of it); that the two ends are equal is then asked too.
 *
 * A program refers to nodes of the context it was built from and must not outlive them.
 */
#ifndef UPROOF_ORACLE_PROGRAM_H
#define UPROOF_ORACLE_PROGRAM_H

#include "frame.h"

enum pr_flag {
  PR_UNDEF = 1,  /* may be undefined */
  PR_REDUCE = 2, /* the exact result may leave the dtype: it must be reduced (or checked) */
  PR_CHECK = 4,  /* undefined where the exact result leaves the dtype (refine) */
  PR_ZERO = 8,   /* IDIV, MOD: the divisor may be 0 */
  PR_SHIFT = 16, /* SHL, SHR: the amount may be negative, or (refine) the width or more */
  PR_HUGE = 32,  /* CONST: outside 126 bits; its number is a text only */
  PR_OPEN = 64   /* RANGE: its end is not a constant but the value of src[0] (nsrc stays 0) */
};

/* An interval; the ends stand for "unbounded" when they are OR_I128_MIN and OR_I128_MAX. */
typedef struct pr_range {
  or_i128 lo, hi;
} pr_range;
static inline bool pr_range_finite(pr_range r) {
  return r.lo != OR_I128_MIN && r.hi != OR_I128_MAX;
}

/* Width that no number of bits is enough for, and the greatest that is told. */
#define PR_NO_BITS 5000u
#define PR_MAX_BITS 4096u

typedef struct pr_ins {
  pr_range value; /* where defined, after the frame's finish */
  up_node node;   /* where it comes from */
  uint32_t lane;  /* of that node */
  uint32_t src[3];
  uint32_t var;   /* variables: number of the variable; PR_HUGE: of the text in pr_program.huge */
  or_i128 number; /* CONST: its number; in wrap already reduced */
  uint16_t bits;  /* two's complement width in which the value, and what must be computed exactly
                     to decide it, fit; PR_NO_BITS: none up to PR_MAX_BITS */
  uint8_t op;     /* up_op; BIND, VECTORIZE and GEP do not appear, VCONST appears as CONST */
  uint8_t nsrc;
  uint8_t flags; /* enum pr_flag */
  fr_type type;
} pr_ins;

/* The interval of a slot that has one, but not of 126 bits. */
typedef struct pr_wide {
  mpz_t lo, hi;
  bool known; /* else the ends are not initialised */
} pr_wide;

typedef struct pr_var {
  up_node node;    /* its lane is that of the slot's instruction */
  pr_range domain; /* declared; finite */
  uint32_t slot;
} pr_var;

/* Two slots to compare: b stands in for a. In a program for bounds a == b, and node is the one
 * whose claim is looked at. */
typedef struct pr_pair {
  uint32_t a, b;
  up_node node;
} pr_pair;

typedef enum pr_status { PR_OK, PR_UNSUPPORTED, PR_NO_MEMORY } pr_status;

typedef struct pr_program {
  up_ctx *ctx;
  or_frame frame;
  pr_ins *ins;
  uint32_t n, cap;
  pr_var *var;
  uint32_t nvar, var_cap;
  pr_pair *root;
  uint32_t nroot, root_cap;
  uint32_t *assume; /* bool slots: assignments at which one is not 1 do not count */
  uint32_t nassume, assume_cap;
  char **huge; /* texts of constants, in base 16 */
  uint32_t nhuge, huge_cap;
  pr_wide *wide; /* by slot; nwide is 0 where all intervals fit, or in a program that crossed */
  uint32_t nwide;
  bool vacuous;     /* a variable has an empty range */
  unsigned bits;    /* greatest of ins[].bits */
  bool exact;       /* no instruction reduces, checks or divides by 0: wrap and refine mean ideal */
  char reason[160]; /* of PR_UNSUPPORTED */
  /* of the builder: where the lanes of a node are, by node id, the slots of the lanes, and where
   * slots go that are kept */
  uint32_t *base;
  uint32_t base_cap;
  uint32_t *lane;
  uint32_t nlane, lane_cap;
  uint32_t *to;
  uint32_t to_cap;
  up_list seen, topo;
  bool starved;   /* no memory for a text */
  uint32_t first; /* instructions of the first graph of a pair, while the second one is emitted */
} pr_program;

/* Zero-initialise a program; building into one that was used before keeps its memory. */
pr_status pr_build_pair(pr_program *p, up_ctx *c, up_node a, up_node b, or_frame f);
/* Every integer or bool node under root is a root of its own, in topological order. */
/* Each pair the other way round, too. False: no memory. */
bool pr_both_ways(pr_program *p);
pr_status pr_build_all(pr_program *p, up_ctx *c, up_node root, or_frame f);
/* Where the slot is defined its value is in `known`, too: its interval and those above it become
 * narrower. The program is then good for pr_settled alone. */
void pr_narrow(pr_program *p, uint32_t slot, pr_range known);
void pr_free(pr_program *p);

/* Number of assignments; UINT64_MAX when there are that many or more. */
uint64_t pr_points(const pr_program *p);
/* Witness with one entry a variable of the program, values 0. False: no memory. */
bool pr_witness_init(const pr_program *p, or_witness *w);

/* Needs root i no more looking at? A slot compared with itself; or a claim (lo <= value <= hi
 * wherever defined, one a root) that the interval of the slot proves. claim is NULL for pairs. */
bool pr_settled(const pr_program *p, const pr_range *claim, uint32_t i);

/* v reduced to the type: two's complement, or 0 and 1 for bool. */
or_i128 pr_reduce(fr_type t, or_i128 v);

/* Fills value, bits and flags of slot i from its sources; see interval.c. */
void pr_analyse(pr_program *p, uint32_t i);
/* The second half of it: from the interval of the exact result, and the width of that. */
void pr_finish(pr_program *p, uint32_t i, pr_range exact, unsigned width);
/* Analyses once more where ends were lost; see wide.c. False: no memory. */
bool pr_widen(pr_program *p);
void pr_wide_clear(pr_program *p);
/* The ends of the slot's interval; lo and hi are initialised. False: not known. */
bool pr_wide_ends(const pr_program *p, uint32_t slot, mpz_t lo, mpz_t hi);

#endif
