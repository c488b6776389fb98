/* uproof proofs: obligations, provers, verdicts.
 *
 * An obligation is an instance in a frame: wherever the left side is defined, all facts and the
 * condition hold, the right side must be defined and equal (a bounds rule: lo <= value <= hi).
 * It is asked in two queries. First, vacuity: can the premises hold at all? Then the negation. Frames
 * and the meaning of ops are those of oracle/frame.h, and nothing else.
 */
#ifndef UPROOF_PROVE_H
#define UPROOF_PROVE_H

#include "instance.h"
#include "oracle/oracle.h"

typedef enum pf_verdict {
  PF_PROVED,
  PF_REFUTED,     /* with a counterexample that was run through engine and evaluators */
  PF_UNKNOWN,     /* every prover gave up; or a model could not be confirmed. reason */
  PF_VACUOUS,     /* the premises can't hold: the rule never applies */
  PF_UNSUPPORTED, /* an op or dtype without meaning in the frame. reason */
  PF_ERROR,       /* solver or memory failed; never a verdict about the rule. reason */
  PF_VERDICT_COUNT
} pf_verdict;
const char *pf_verdict_name(pf_verdict v);

/* A point at which an obligation fails: values of the free symbols of the instance. Numbers are
 * exact. lo/hi: what vmin and vmax of the term were assumed to be (has_bounds). */
typedef struct pf_value {
  pf_id term;
  bool defined, has_bounds;
  mpz_t value, lo, hi;
} pf_value;
typedef struct pf_point {
  pf_value *p;
  uint32_t n;
  bool
      loose; /* ops that have no bounds here get those that follow from their sources'; else tight */
} pf_point;
void pf_point_clear(pf_point *p);
/* "x = -3 in [-4, 0], k0 = 4, y undefined": names of the rule, `_` for none. */
void pf_point_put(const pf_instance *i, const pf_point *at, up_buf *out);

/* How far an obligation of ideal is pursued. */
typedef enum pf_effort {
  PF_WHOLE,
  PF_PREMISES /* some points, and whether the premises can hold: PF_REFUTED, PF_VACUOUS, else unknown */
} pf_effort;

typedef struct pf_limits {
  uint32_t rlimit; /* solver resource units a query */
  pf_effort effort;
  bool second_opinion;       /* ask cvc5 too, where it is installed */
  const up_profile *profile; /* to confirm refutations with; NULL: they are not confirmed */
  bool holds_in_ideal;       /* the rule of the obligation is known to, for all its instances */
} pf_limits;

/* A second solver's opinion of a proof. */
typedef enum pf_second {
  PF_NOT_ASKED,
  PF_AGREES,
  PF_UNDECIDED, /* it gave up */
  PF_DISAGREES, /* it has a model: one of the two is wrong, and nothing is proved (PF_ERROR) */
  PF_SECOND_COUNT
} pf_second;

/* In wrap and refine, of what is not proved: what has to stay in range for it to hold. In range: no
 * result leaves its dtype, no divisor is 0 and no shift amount is out of the width, arms of a WHERE
 * that are not taken included. */
typedef enum pf_while {
  PF_NEVER,      /* nothing is known to be enough, or it would leave no point */
  PF_WHILE_LEFT, /* the left side is enough */
  PF_WHILE_BOTH, /* both sides, and constants that the rule computes */
  PF_WHILE_COUNT
} pf_while;
const char *pf_while_name(pf_while w); /* "", "left in range", "both in range" */

typedef struct pf_answer {
  pf_verdict verdict;
  const char *by; /* "z3 ints", "z3 ints, witness", "z3 bits", "cvc5", "lemma", ...: static text */
  uint64_t resource; /* solver units of the deciding query */
  char reason[160];
  pf_point point;        /* PF_REFUTED; pf_answer_clear frees it */
  up_buf counterexample; /* PF_REFUTED: one line for a person */
  up_buf witness;   /* PF_PROVED, PF_REFUTED: a point at which the premises hold, if one is known */
  pf_second second; /* what the other solver says of the same query */
  pf_while holds_while; /* PF_REFUTED and PF_UNKNOWN in wrap and refine */
  const char *while_by; /* as by; static text */
  bool left_stays;      /* the counterexample is one at which the left side is in range */
} pf_answer;
void pf_answer_clear(pf_answer *a);

/* One solver session; used by one thread. NULL: no memory. */
typedef struct pf_prover pf_prover;
pf_prover *pf_prover_new(const pf_limits *l);
void pf_prover_free(pf_prover *p);

/* The verdict on one obligation: by the frame's encoding, then cvc5 where that gives up and cvc5 is
 * installed; refutations are confirmed. */
pf_answer pf_prove(pf_prover *p, const pf_instance *i, or_frame f);
/* The obligation as SMT-LIB2 text, satisfiable when it is violated: the query that decided it, or the
 * plain one. False: there is none (no term, no memory); what the frame's encoding lacks. */
bool pf_query(pf_prover *p, const pf_instance *i, or_frame f, up_buf *out);

/* ---- encodings -------------------------------------------------------------------------------- */

/* ints.c: unbounded integers, frame ideal. PF_UNKNOWN when nothing was decided. */
pf_answer pf_prove_ints(pf_prover *p, const pf_instance *i);
/* The negated obligation as the witness encoding has it, as SMT-LIB2 text. */
bool pf_query_ints(pf_prover *p, const pf_instance *i, up_buf *out);
/* bits.c: bit-vectors, frames wrap and refine, at the dtypes of the instance. */
pf_answer pf_prove_bits(pf_prover *p, const pf_instance *i, or_frame f);
/* The negated obligation as bit-vectors; false too where bounds far out, or shifts by wide amounts,
 * would have to be looked at besides. */
bool pf_query_bits(pf_prover *p, const pf_instance *i, or_frame f, up_buf *out);

/* ---- confirmation ----------------------------------------------------------------------------- */

/* confirm.c: makes graphs out of the instance and the point (a PF_ANY becomes a variable whose range
 * is [lo, hi], or a small graph with those bounds), applies this one rule with the engine, and
 * evaluates both sides with the reference evaluator and exec_alu at the point. True: the failure is
 * real; the line for a person goes to *line (graph in infix, ranges, values of both sides). False:
 * why (120 bytes), and the model was an artefact of what the encoding leaves open. */
bool pf_confirm(const up_profile *profile, const pf_instance *i, const pf_point *at, or_frame f,
                up_buf *line, char *why);

#endif
