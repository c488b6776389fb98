/* uproof engine: hash-consed integer UOp graphs, exact bounds, rules and rewriting.
 *
 * This is the only public header of engine/. It models the engine inside tinygrad; the sources of
 * each behaviour are the releases 0.10.0 (`ops.py`) and 0.11.0 (`uop/ops.py`, `uop/symbolic.py`),
 * cited below as "0.10.0" and "0.11.0".
 *
 * Ownership: a context owns its nodes, args and big integers; all die with up_ctx_reset/free.
 * A profile (rules and bounds, immutable once loaded) may be shared by contexts and threads.
 * One thread uses one context. There is no other state.
 *
 * Errors, three kinds:
 *  - misuse of this API (a node of another context, a source index out of range) aborts and names
 *    the call, in release builds too;
 *  - bad input text is returned as an up_error with line and column;
 *  - what a run can meet (a raise of the modelled engine, a limit, no memory) is an up_status. The
 *    context keeps the first one (up_ctx_status); from then on node-making calls return UP_NONE,
 *    which every accessor accepts (op NOOP, no sources), so checks can wait to the end of a task.
 */
#ifndef UPROOF_UOP_H
#define UPROOF_UOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <gmp.h> /* after stdio.h: gmp_fprintf is declared only then */

typedef struct up_ctx up_ctx;
typedef struct up_profile up_profile;
typedef struct up_ruleset up_ruleset;

/* ---- node ids ------------------------------------------------------------------------------- */

/* A node of one context. Ids are dense, sources have smaller ids than the nodes that use them. */
typedef struct up_node {
  uint32_t id;
} up_node;
#define UP_NONE ((up_node){0})
#define UP_MAX_NODES ((uint32_t)0x7fffffff)
static inline bool up_same(up_node a, up_node b) { return a.id == b.id; }
static inline bool up_is_none(up_node n) { return n.id == 0; }

/* ---- status --------------------------------------------------------------------------------- */

typedef enum up_status {
  UP_OK = 0,
  UP_RAISE_ZERO_DIVISION, /* the modelled engine raises ZeroDivisionError */
  UP_RAISE_OVERFLOW,      /* ... OverflowError (0.10.0: an infinite quotient made an int) */
  UP_RAISE_VALUE,         /* ... ValueError (negative shift, nan made an int) */
  UP_RAISE_TYPE,          /* ... TypeError, AttributeError, AssertionError, IndexError */
  UP_RAISE_OTHER,         /* an external engine raised something else, or died */
  UP_LOOP,                /* the rewrite never ends: a node came up again inside its own rewrite */
  UP_LIMIT_STEPS, /* step budget used up without a repeat: raise it, or suspect divergence */
  UP_LIMIT_BITS,  /* an integer above UP_MAX_BITS bits would have been made */
  UP_LIMIT_NODES, /* the context's node limit */
  UP_LIMIT_TEXT,  /* a rendering above its character limit */
  UP_NOT_COVERED, /* an external engine has no such op or dtype */
  UP_NO_ANSWER,   /* an external engine said nothing, or nothing that can be read */
  UP_NO_MEMORY
} up_status;
#define UP_MAX_BITS 65536u
/* Short stable word ("zero-division", "loop", ...); never NULL. */
const char *up_status_name(up_status s);
/* The class of the exception that the modelled engine raises ("ZeroDivisionError"), or NULL. */
const char *up_status_raise(up_status s);

/* What is wrong with an input: position is 1-based, 0 when not known. */
typedef struct up_error {
  unsigned line, col;
  char msg[240];
} up_error;
/* Fills e (which may be NULL) and returns false, so that parsers can `return up_fail(...)`. */
bool up_fail(up_error *e, unsigned line, unsigned col, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Growable text buffer, zero-terminated after each append; zero-initialise, up_buf_free at the end.
 * limit: 0 for none, else appends beyond it set overflow and are dropped. */
typedef struct up_buf {
  char *p;
  size_t len, cap, limit;
  bool overflow, no_memory;
} up_buf;
void up_buf_put(up_buf *b, const char *s, size_t n);
void up_buf_puts(up_buf *b, const char *s);
void up_buf_printf(up_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void up_buf_free(up_buf *b);

/* ---- ops ------------------------------------------------------------------------------------ */

enum up_group {
  UP_G_UNARY = 1,
  UP_G_BINARY = 2,
  UP_G_TERNARY = 4,
  UP_G_ALU = 7,
  UP_G_IRREDUCIBLE = 8,
  UP_G_COMMUTATIVE = 16,
  UP_G_ASSOCIATIVE = 32,
  UP_G_IDEMPOTENT = 64,
  UP_G_COMPARE = 128
};

typedef enum up_op {
#define OP(name, ord10, groups) UP_##name,
#include "ops.def"
#undef OP
  UP_OP_COUNT
} up_op;

const char *up_op_name(up_op op);                      /* "ADD" */
bool up_op_parse(const char *s, size_t n, up_op *out); /* exact name */
unsigned up_op_groups(up_op op);                       /* or of enum up_group */
static inline bool up_op_in(up_op op, unsigned groups) { return (up_op_groups(op) & groups) != 0; }
/* Number of sources of an ALU op, CAST and BITCAST (1..3); -1 for ops without a fixed number. */
int up_op_arity(up_op op);
/* Quotients and remainders of integers, truncating or floor: source 1 is the divisor. */
bool up_op_divides(up_op op);

/* ---- dtypes --------------------------------------------------------------------------------- */

/* Scalar kind in the low 4 bits, pointer flag in bit 4, vector count - 1 in the rest (1..2048). */
typedef uint16_t up_dtype;
enum up_scalar {
  UP_VOID,
  UP_BOOL,
  UP_CHAR,
  UP_UCHAR,
  UP_SHORT,
  UP_USHORT,
  UP_INT,
  UP_UINT,
  UP_LONG,
  UP_ULONG,
  UP_HALF,
  UP_BFLOAT16,
  UP_FLOAT,
  UP_DOUBLE,
  UP_SCALAR_COUNT
};
up_dtype up_dt(enum up_scalar s);
up_dtype up_dt_vec(up_dtype d, unsigned count); /* count 1 or void: the scalar itself */
up_dtype up_dt_ptr(up_dtype d);
static inline enum up_scalar up_dt_scalar(up_dtype d) { return (enum up_scalar)(d & 15u); }
static inline unsigned up_dt_count(up_dtype d) { return (d >> 5) + 1u; }
static inline bool up_dt_is_ptr(up_dtype d) { return (d & 16u) != 0; }
/* The eight integer types, vectors of them too; not bool. */
static inline bool up_dt_is_int(up_dtype d) {
  return !up_dt_is_ptr(d) && up_dt_scalar(d) >= UP_CHAR && up_dt_scalar(d) <= UP_ULONG;
}
bool up_dt_is_unsigned(up_dtype d); /* the four unsigned ones */
bool up_dt_is_signed(up_dtype d);
bool up_dt_is_float(up_dtype d);
bool up_dt_is_bool(up_dtype d);
unsigned up_dt_bits(up_dtype d); /* of the scalar: bool 1, char 8, ... 64; 0 for void */
/* "int", "int.vec4", "ptr.float": writes at most 32 characters with the zero. */
void up_dt_print(up_dtype d, char out[32]);
/* Accepts what up_dt_print writes and the aliases int8..int64, uint8..uint64, float16..float64. */
bool up_dt_parse(const char *s, size_t n, up_dtype *out);
/* Order of dtypes in 0.10.0 and 0.11.0 (priority, size, name, count): <0, 0, >0. */
int up_dt_cmp(up_dtype a, up_dtype b);

/* ---- exact integers ------------------------------------------------------------------------- */

/* An unbounded integer. big == 0: the value is lo. Else it is outside int64 and big is its number
 * in the context (interned: equal values have equal fields). Valid until the context's reset. */
typedef struct up_int {
  int64_t lo;
  uint64_t big;
} up_int;
static inline up_int up_int_of(int64_t v) { return (up_int){v, 0}; }
static inline bool up_int_eq(up_int a, up_int b) { return a.lo == b.lo && a.big == b.big; }
static inline bool up_int_is(up_int a, int64_t v) { return a.big == 0 && a.lo == v; }
static inline bool up_int_fits(up_int a) { return a.big == 0; }
up_int up_int_from_mpz(up_ctx *c, const mpz_t v);
void up_int_to_mpz(const up_ctx *c, up_int a, mpz_t out); /* out is initialised by the caller */
up_int up_int_from_u64(up_ctx *c, uint64_t v);
/* Decimal, optional sign, nothing else; false when it is not that or has too many digits. */
bool up_int_parse(up_ctx *c, const char *s, size_t n, up_int *out);
void up_int_put(const up_ctx *c, up_int a, up_buf *out); /* decimal */
int up_int_sign(const up_ctx *c, up_int a);
int up_int_cmp(const up_ctx *c, up_int a, up_int b);
double up_int_to_double(const up_ctx *c, up_int a); /* nearest, ties to even; +-inf beyond */
up_int up_int_neg(up_ctx *c, up_int a);
up_int up_int_abs(up_ctx *c, up_int a);
up_int up_int_add(up_ctx *c, up_int a, up_int b);
up_int up_int_sub(up_ctx *c, up_int a, up_int b);
up_int up_int_mul(up_ctx *c, up_int a, up_int b);
/* Division: b must not be 0 (that aborts; callers decide what their release does). */
up_int up_int_tdiv(up_ctx *c, up_int a, up_int b); /* toward zero */
up_int up_int_tmod(up_ctx *c, up_int a, up_int b); /* sign of a */
up_int up_int_fdiv(up_ctx *c, up_int a, up_int b); /* toward -inf */
up_int up_int_fmod(up_ctx *c, up_int a, up_int b); /* sign of b */
up_int up_int_cdiv(up_ctx *c, up_int a, up_int b); /* toward +inf */
up_int up_int_gcd(up_ctx *c, up_int a, up_int b);  /* >= 0 */
/* Two's complement with infinite sign extension, as Python has it. */
up_int up_int_and(up_ctx *c, up_int a, up_int b);
up_int up_int_or(up_ctx *c, up_int a, up_int b);
up_int up_int_xor(up_ctx *c, up_int a, up_int b);
/* Negative shift: status UP_RAISE_VALUE; a result too wide: UP_LIMIT_BITS. */
up_int up_int_shl(up_ctx *c, up_int a, up_int b);
up_int up_int_shr(up_ctx *c, up_int a, up_int b);
/* Reduced to the dtype's width (two's complement; bool: a != 0). Source: dtype.py `truncate`. */
up_int up_int_wrap(up_ctx *c, up_int a, up_dtype d);
up_int up_dt_min(up_ctx *c, up_dtype d); /* of an integer or bool dtype */
up_int up_dt_max(up_ctx *c, up_dtype d);

/* A number: exact integer (bool is 0/1) or a Python float. */
typedef struct up_val {
  bool is_float;
  union {
    up_int i;
    double f;
  };
} up_val;
static inline up_val up_val_int(up_int i) { return (up_val){.is_float = false, .i = i}; }
static inline up_val up_val_float(double f) { return (up_val){.is_float = true, .f = f}; }
int up_val_cmp(const up_ctx *c, up_val a, up_val b); /* nan compares as equal to everything */
/* Decimal integer, or repr of the float ("inf", "nan", "0.5"). */
void up_val_put(const up_ctx *c, up_val v, up_buf *out);

/* ---- args ----------------------------------------------------------------------------------- */

/* The arg of a node, interned: equal args have equal ids. 0 is None. */
typedef struct up_arg {
  uint32_t id;
} up_arg;
typedef enum up_arg_kind {
  UP_A_NONE,
  UP_A_INT,
  UP_A_BOOL,
  UP_A_FLOAT,
  UP_A_STR,
  UP_A_LIST
} up_arg_kind;
up_arg up_arg_none(void);
up_arg up_arg_int(up_ctx *c, up_int v);
up_arg up_arg_bool(up_ctx *c, bool v);
up_arg up_arg_float(up_ctx *c, double v);
up_arg up_arg_str(up_ctx *c, const char *s, size_t n); /* copied; may hold any byte but 0 */
/* Lists nest at most UP_MAX_ARG_DEPTH deep: readers refuse more, up_copy and up_cmp abort on it. */
#define UP_MAX_ARG_DEPTH 64u
up_arg up_arg_list(up_ctx *c, const up_arg *items, uint32_t n);
up_arg_kind up_arg_kind_of(const up_ctx *c, up_arg a);
up_val up_arg_val(const up_ctx *c, up_arg a);       /* INT, BOOL, FLOAT */
const char *up_arg_text(const up_ctx *c, up_arg a); /* STR, zero-terminated, context's */
uint32_t up_arg_len(const up_ctx *c, up_arg a);     /* LIST */
up_arg up_arg_at(const up_ctx *c, up_arg a, uint32_t i);

/* ---- contexts and nodes --------------------------------------------------------------------- */

/* New context that answers as the profile does; NULL when out of memory. The profile must outlive
 * it. Bounds, order of sources and meaning of ops all come from the profile. */
up_ctx *up_ctx_new(const up_profile *p);
void up_ctx_free(up_ctx *c);
/* Drops every node, arg and big integer and the status, keeps the memory: O(1) amortised. */
void up_ctx_reset(up_ctx *c);
const up_profile *up_ctx_profile(const up_ctx *c);
/* What whole graphs are rewritten with by those who judge the context's profile: up_profile_chosen, or
 * the set that was given to _choose, which must outlive its use (NULL: the profile's again). A reset
 * keeps it. Natives and up_simplify take `symbolic` all the same. */
const up_ruleset *up_ctx_rules(const up_ctx *c);
void up_ctx_choose(up_ctx *c, const up_ruleset *rules);
bool up_ctx_has_own_rules(const up_ctx *c); /* others than the profile's */
/* A new context with the profile and the rules of c; NULL: no memory. */
up_ctx *up_ctx_like(const up_ctx *c);
up_status up_ctx_status(const up_ctx *c);
void up_ctx_set_status(up_ctx *c, up_status s); /* keeps the first that is not UP_OK */
void up_ctx_clear_status(up_ctx *c);
void up_ctx_set_node_limit(up_ctx *c, uint32_t nodes);
uint32_t up_ctx_node_count(const up_ctx *c); /* ids 1..count are in use */
size_t up_ctx_bytes(const up_ctx *c);        /* memory held, memo tables included */

/* The node with these fields: made, or found. No field is judged here; more
 * sources than UP_MAX_SRC end in UP_LIMIT_NODES. */
#define UP_MAX_SRC 65535u
up_node up_new(up_ctx *c, up_op op, up_dtype dt, const up_node *src, uint32_t nsrc, up_arg arg);
/* All fields of a node at once, for who needs most of them; src is valid until a node is made. */
typedef struct up_view {
  const up_node *src;
  uint32_t nsrc;
  up_op op;
  up_dtype dtype;
  up_arg arg;
} up_view;
up_view up_view_of(const up_ctx *c, up_node n);
up_op up_op_of(const up_ctx *c, up_node n);
up_dtype up_dtype_of(const up_ctx *c, up_node n);
uint32_t up_nsrc(const up_ctx *c, up_node n);
up_node up_src(const up_ctx *c, up_node n, uint32_t i);
up_arg up_arg_of(const up_ctx *c, up_node n);

/* Constructors with the shapes that the modelled engine uses (mathtraits.py, UOp.const). */
up_node up_const(up_ctx *c, up_dtype dt, up_val v); /* as_const: int, float or bool by dtype */
up_node up_const_int(up_ctx *c, up_dtype dt, int64_t v);
up_node up_const_like(up_ctx *c, up_node like, up_int v);
/* CONST when all are equal, else VCONST; n is the count of dt. */
up_node up_vconst(up_ctx *c, up_dtype dt, const up_val *v, uint32_t n);
up_node up_var(up_ctx *c, const char *name, up_int lo, up_int hi, up_dtype dt);
up_node up_unary(up_ctx *c, up_op op, up_node a);
/* dtype of the last source; bool (of the same count) for comparisons. */
up_node up_binary(up_ctx *c, up_op op, up_node a, up_node b);
up_node up_where(up_ctx *c, up_node cond, up_node t, up_node f);
up_node up_cast(up_ctx *c, up_node a, up_dtype dt);
up_node up_neg(up_ctx *c, up_node a);                        /* a*-1; for bool a != True */
up_node up_not(up_ctx *c, up_node a);                        /* a != True */
bool up_is_const(const up_ctx *c, up_node n);                /* op is CONST */
up_val up_const_val(const up_ctx *c, up_node n);             /* of a CONST */
up_val up_vconst_at(const up_ctx *c, up_node n, uint32_t i); /* of a CONST or VCONST */
bool up_is_const_int(const up_ctx *c, up_node n, up_int *v); /* CONST with an integer or bool */

/* DEFINE_VAR, RANGE (with constant end) and SPECIAL: name ("ridx3" for a RANGE) and domain.
 * False for other ops, and for a RANGE whose end is not a constant. name: 64 bytes, cut; or NULL. */
bool up_var_domain(up_ctx *c, up_node n, char *name, up_int *lo, up_int *hi);

/* ---- walking (0.10.0 and 0.11.0: toposort, replace, substitute, get_children_map, vars) ------ */

/* A list of nodes; zero-initialise, up_list_free at the end. */
typedef struct up_list {
  up_node *p;
  uint32_t n, cap;
} up_list;
void up_list_free(up_list *l);
/* The same, where a walk in the context filled it: the memory is of the next walk there. */
void up_list_give(up_ctx *c, up_list *l);
bool up_list_push(up_list *l, up_node n); /* false: no memory */

/* Sources before users, each once; the order of 0.11.0's toposort (first source first). */
bool up_toposort(up_ctx *c, up_node root, up_list *out);
/* Distinct nodes under root, root included. */
uint32_t up_count(up_ctx *c, up_node root);
up_node up_replace_src(up_ctx *c, up_node n, const up_node *src, uint32_t nsrc);
/* Every node under root that is a key becomes its value, bottom up; values are not entered. */
up_node up_substitute(up_ctx *c, up_node root, const up_node *key, const up_node *val, uint32_t n);
/* For the i-th node of topo, its users inside topo: start[i]..start[i+1] in users. Caller frees. */
bool up_children(up_ctx *c, const up_list *topo, uint32_t **start, up_node **users);
/* DEFINE_VARs and BINDs of a DEFINE_VAR (whose variable then is not listed alone), in topological
 * order. Source: UOp.vars. */
bool up_vars(up_ctx *c, up_node root, up_list *out);
/* The same graph in another context (which may have another profile). */
up_node up_copy(up_ctx *dst, const up_ctx *src, up_node root);

/* ---- parts (0.10.0 and 0.11.0: UOp methods) -------------------------------------------------- */

int up_cmp(up_ctx *c, up_node a, up_node b); /* the `tuplize` order of the profile's release */
up_int up_const_factor(up_ctx *c, up_node n);
up_node up_divides(up_ctx *c, up_node n, up_int v);       /* UP_NONE: not known to divide */
up_node up_pop_const(up_ctx *c, up_node n, up_int *rest); /* x + c -> x, c; else n, 0 */
bool up_is_increasing(up_ctx *c, up_node n);
/* Leaves of a chain of `sep`, left to right. */
bool up_split(up_ctx *c, up_node n, up_op sep, up_list *out);

/* ---- meaning of ops -------------------------------------------------------------------------- */

/* exec_alu on scalars, by the profile's release; truncate: reduce to dt as the engine would at run
 * time. Integer and bool ops; a float operand or op folds as Python does. What raises there sets
 * the context's status and gives 0. */
up_val up_exec_alu(up_ctx *c, up_op op, up_dtype dt, const up_val *operand, uint32_t n,
                   bool truncate);
/* Which release's division by zero: see up_alu. */
typedef enum up_alu_release { UP_ALU_0_10, UP_ALU_0_11 } up_alu_release;
up_val up_alu(up_ctx *c, up_alu_release r, up_op op, up_dtype dt, const up_val *operand, uint32_t n,
              bool truncate);

typedef struct up_bounds {
  up_val lo, hi;
} up_bounds;
/* vmin/vmax by the profile's transfer rules; memoised, not recursive. Source: UOp._min_max. */
up_bounds up_minmax(up_ctx *c, up_node n);
/* Number of the transfer rule that gave up_minmax(n), in the profile's rule table; negative: none.
 */
int up_minmax_rule(up_ctx *c, up_node n);
/* From now on up_minmax(n) is b, and the bounds of nodes that use n are those that follow. For
 * questions of the kind "would this rule apply if that claim were right?". */
void up_minmax_assume(up_ctx *c, up_node n, up_bounds b);

/* ---- rules and profiles ---------------------------------------------------------------------- */

/* "sound" (docs/sound.md), "v0.10.0", "v0.11.0", "v0.11.0:correct-divmod", and
 * "v0.11.0:decompositions", whose `symbolic` is the late decompositions alone; with "/SET" behind it,
 * "v0.11.0/sym": by another rule set (up_profile_chosen); with "/=RULE,RULE": by these rewrite rules
 * alone, interpreted. NULL and err on an unknown name. Its rules are compiled. */
up_profile *up_profile_load(const char *name, up_error *err);
/* The same with its rules interpreted, as those of a user are: slower, same answers. */
up_profile *up_profile_load_interpreted(const char *name, up_error *err);
/* A profile whose rule set `symbolic` is the text of a .rules file (a user's own rules), with the
 * bounds of `base`. */
up_profile *up_profile_parse(const char *base, const char *rules_text, size_t n, up_error *err);
/* Can each rule of the text apply, as far as its form tells? False: *why names the first that can't,
 * since its condition excludes itself or an earlier rule takes every match; or why the text is none. */
bool up_rules_can_apply(const char *rules_text, size_t n, up_error *why);
void up_profile_free(up_profile *p);
const char *up_profile_name(const up_profile *p);
const char *up_profile_base(const up_profile *p); /* ... without a rule set */
/* The rule set of the name: what whole graphs are rewritten with by those who judge the profile. Never
 * NULL. Natives and up_simplify take `symbolic`, as the modelled release does. */
const up_ruleset *up_profile_chosen(const up_profile *p);
/* A set that has the rule: `symbolic`, else the first of the texts; NULL: none, it is of bounds. */
const up_ruleset *up_profile_set_of(const up_profile *p, uint32_t rule);
/* The name of the i-th profile that up_profile_load knows; NULL past the last. */
const char *up_profile_known(unsigned i);
/* A named rule set of the profile ("symbolic_simple", "symbolic", "symbolic_flat"), or NULL. */
const up_ruleset *up_profile_ruleset(const up_profile *p, const char *name);
/* The i-th rule set in the order of the rule texts; NULL past the last. */
const up_ruleset *up_ruleset_at(const up_profile *p, uint32_t i);
const char *up_ruleset_name(const up_ruleset *s);
bool up_ruleset_has(const up_ruleset *s, uint32_t rule); /* a number of the profile's rule table */
/* A set of one rewrite rule of the profile, "=RULE", interpreted: what the rule does where no other
 * comes first. The caller's, to be freed before the profile. NULL: no memory. */
up_ruleset *up_ruleset_alone(const up_profile *p, uint32_t rule);
void up_ruleset_free(up_ruleset *s); /* one made by up_ruleset_alone, or NULL */

typedef enum up_rule_kind { UP_RULE_REWRITE, UP_RULE_BOUND } up_rule_kind;
/* Meanings of the operations (the frames of oracle/) in which a rule is marked as wrong. */
enum up_rule_frame { UP_RULE_IDEAL = 1, UP_RULE_WRAP = 2, UP_RULE_REFINE = 4 };
typedef struct up_rule_info {
  const char *name; /* stable, unique in the profile */
  up_rule_kind kind;
  bool native;                /* right side is a C function */
  bool reads_bounds;          /* its condition or native function looks at vmin/vmax */
  bool known_wrong;           /* marked so in the rule text */
  unsigned wrong_in;          /* ... in these frames: or of enum up_rule_frame; 0 when not marked */
  const char *counterexample; /* ... with this counterexample, in words; NULL when not marked */
  const char *file;           /* "symbolic-v0.10.0.rules" */
  unsigned line;
  const char *text; /* the rule as written, one line */
} up_rule_info;
uint32_t up_rule_count(const up_profile *p);
/* i < up_rule_count; strings are the profile's. */
up_rule_info up_rule_at(const up_profile *p, uint32_t i);
int up_rule_find(const up_profile *p, const char *name); /* -1: no such rule */
/* The whole text of a rule file of this build (up_rule_info.file), static; NULL: there is none. */
const char *up_rule_text(const char *file, size_t *n);
/* The integers that the rule's text names, in pattern, result, condition and bounds, as they come; at
 * most cap of them. Returns how many. */
uint32_t up_rule_numbers(const up_profile *p, uint32_t rule, int64_t *out, uint32_t cap);
/* A node of the shape of the rule's pattern, root of dtype `want` where the pattern lets it
 * (up_dt(UP_VOID): any). Where the pattern takes any node, one of the given ones stands, if its
 * dtype fits, else a variable or a constant. The rule's condition may fail on it, and where the
 * pattern is loose about dtypes the node may be ill formed: up_node_check tells. Depends on nothing
 * but its arguments. UP_NONE only with the context's status set. */
up_node up_rule_instance(up_ctx *c, uint32_t rule, const up_node *leaf, uint32_t nleaf,
                         up_dtype want, uint64_t seed);

/* ---- rewriting ------------------------------------------------------------------------------- */

typedef struct up_step {
  int rule;              /* in the profile's rule table */
  up_node before, after; /* of the rewritten node, not of the whole graph */
  uint32_t depth;        /* nesting of rewrites that natives start themselves */
} up_step;
/* Zero-initialise; up_trace_free at the end. A NULL trace costs nothing. */
typedef struct up_trace {
  up_step *step;
  uint32_t n, cap;
  bool no_memory;
} up_trace;
void up_trace_free(up_trace *t);
void up_trace_add(up_trace *t, up_step s); /* sets no_memory, and drops it, when there is none */
/* Rewrites that are given no trace of their own record here, until NULL is set: those inside of
 * up_given_valid and up_simplify_valid, with their substitutions as steps of rule -1. */
void up_ctx_trace(up_ctx *c, up_trace *trace);

typedef struct up_result {
  up_status status; /* UP_OK, or why there is no result */
  up_node node;     /* the rewritten graph; UP_NONE without one */
  uint64_t steps;   /* rules applied */
  int rule; /* status not UP_OK: rule that was being applied (raise) or that closes the loop; -1 */
  up_node at; /* status not UP_OK: the node that was being rewritten; UP_NONE */
} up_result;

/* Rewrites to a fixed point, sources first. max_steps 0: the default of 1,000,000 plus
 * 64 a node. The context's status is left clean: it is in the result. On UP_LOOP the trace ends
 * with the steps of one turn of the loop, `loop_from` (may be NULL) is where the turn begins. */
up_result up_rewrite(up_ctx *c, up_node root, const up_ruleset *rules, uint64_t max_steps,
                     up_trace *trace, uint32_t *loop_from);
/* With a matcher that is applied on the way down too (before a node's sources, to a fixed point, as
 * substitute and bottom_up=True do). Either may be NULL. Source: 0.10.2's bottom_up_rewrite and
 * 0.11.0's unified_rewrite with bpm. */
up_result up_rewrite_both(up_ctx *c, up_node root, const up_ruleset *top_down,
                          const up_ruleset *bottom_up, uint64_t max_steps, up_trace *trace,
                          uint32_t *loop_from);
/* What every node under root becomes, results shared: image->p[i] is that of from->p[i], from in
 * topological order, root last. The result is root's. Source: graph_rewrite_map. */
up_result up_rewrite_map(up_ctx *c, up_node root, const up_ruleset *top_down,
                         const up_ruleset *bottom_up, up_list *from, up_list *image);
/* With the profile's `symbolic`. Source: UOp.simplify. */
up_result up_simplify(up_ctx *c, up_node root, up_trace *trace);
/* One node, no driver: the first rule that matches; *rule is its number, -1 when none did. */
up_node up_apply_first(up_ctx *c, const up_ruleset *rules, up_node n, int *rule);

/* n simplified for where `valid` (a conjunction of comparisons with constants) holds: *out, which
 * is n when nothing is known. False: the valid never holds. Status as up_ctx_status tells; the
 * profile's release decides. Source: uop_given_valid. */
bool up_given_valid(up_ctx *c, up_node valid, up_node n, up_node *out);
/* The conjunction, each part simplified under the parts before it; UP_NONE: no change. Source:
 * simplify_valid. */
up_node up_simplify_valid(up_ctx *c, up_node valid);

/* ---- engines that are not this one ----------------------------------------------------------- */

/* Another program's engine, or any other: contexts of its profile hold graphs as all do, and leave
 * up_rewrite and up_minmax to it. One thread at a time. */
typedef struct up_external {
  void *arg;
  /* As up_rewrite. Rules in the result and the trace are numbers of up_rule_named. */
  up_result (*rewrite)(void *arg, up_ctx *c, up_node root, uint64_t max_steps, up_trace *trace);
  /* Claims about root and nodes below, told by up_minmax_tell; not UP_OK: there are none. */
  up_status (*bounds)(void *arg, up_ctx *c, up_node root);
  void (*close)(void *arg); /* by up_profile_free */
} up_external;
/* A profile of it. It has no rules of its own: up_rule_count is 0, and up_rule_find and up_rule_at know
 * those that it has named so far. NULL: no memory (nothing is closed). */
up_profile *up_profile_external(const char *name, const up_external *e);
bool up_profile_is_external(const up_profile *p);
/* The number of an external engine's rule, the next one where the name is new; -1: no memory. */
int up_rule_named(const up_profile *p, const char *name);
/* What the external engine claims of n, and by which rule (-1: not known); an end that claims nothing
 * is an infinite float. The first that is told counts. Nodes that `bounds` tells nothing about have
 * claims of that kind. */
void up_minmax_tell(up_ctx *c, up_node n, up_bounds b, int rule);

/* ---- symbolic numbers (resolve, smax, smin, sym_infer, bind, ranges) ------------------------- */

/* The truth of a bool node, if simplification and bounds decide it; else dflt. Source: resolve. */
bool up_resolve(up_ctx *c, up_node n, bool dflt);
/* The number that a node always is, if simplification and bounds decide it. Source: UOp._eval. */
bool up_eval_const(up_ctx *c, up_node n, up_val *out);
/* Simplified maximum and minimum of count > 0 nodes; constants are taken together first. */
up_node up_smax(up_ctx *c, const up_node *n, uint32_t count);
up_node up_smin(up_ctx *c, const up_node *n, uint32_t count);
/* Value of the simplified node where var[i] is val[i], by exec_alu without truncation. False: a
 * variable has no value, an op none, or the status is set. Source: sym_infer. */
bool up_sym_infer(up_ctx *c, up_node n, const up_node *var, const up_val *val, uint32_t nvar,
                  up_val *out);
/* A variable with its value; UP_NONE when that is outside its range. */
up_node up_bind(up_ctx *c, up_node var, up_int v);
bool up_unbind(const up_ctx *c, up_node n, up_node *var, up_int *v);
/* RANGEs that root is inside of, in topological order. Source: 0.11.0 UOp.ranges. */
bool up_ranges(up_ctx *c, up_node root, up_list *out);

/* ---- type spec ------------------------------------------------------------------------------- */

/* The release's type spec: does it accept the node, every node under root? False and the first that it
 * does not accept, in topological order. Source: `spec`, type_verify; see spec.c for what differs. */
bool up_type_fits(const up_ctx *c, up_node n);
/* What the spec wants of a node with this op, in words: "a bool and two operands of its dtype". */
const char *up_type_wants(const up_ctx *c, up_node n);
bool up_type_verify(up_ctx *c, up_node root, up_node *bad);
/* Is every node under `to` accepted, but of an op of which one under `from` is not either? What was ill
 * typed already is so told apart from what a rewrite made of it. False and the first that is not. */
bool up_type_kept(up_ctx *c, up_node from, up_node to, up_node *bad);

/* Match statistics, one slot a rule of the profile (up_rule_count); NULL turns them off. The array
 * is the caller's and is added to. */
typedef struct up_rule_stat {
  uint64_t tried, matched, ns;
} up_rule_stat;
void up_ctx_stats(up_ctx *c, up_rule_stat *slots);
/* A cheaper count, for fuzzers: hits[rule] goes up by one, to 255 at most, whenever the rule gives a
 * new node, or the bounds of a node. up_rule_count bytes, the caller's; NULL turns it off. */
void up_ctx_hits(up_ctx *c, uint8_t *hits);
/* How far a rule gets at a node: matches of its pattern; at how many of them its condition holds; and
 * for each conjunct of the condition, left to right, how often it was asked and held (the first that
 * does not hold ends the asking). */
#define UP_MAX_CONJUNCTS 16u
typedef struct up_rule_probe {
  uint64_t matches, conditions;
  uint64_t asked[UP_MAX_CONJUNCTS], held[UP_MAX_CONJUNCTS];
} up_rule_probe;
/* Adds to *out what the rule, interpreted, has to say about the node. Nothing is rewritten; what a
 * condition raises counts as not held, and the status stays clean. */
void up_rule_explain(up_ctx *c, uint32_t rule, up_node n, up_rule_probe *out);
/* How far the rule, interpreted, is from applying to the node, by the match that is nearest: 0 when its
 * condition holds, INFINITY when its pattern has no match. Between them the first conjunct that does not
 * hold counts up to 1, by how far its sides are apart, and each later one 1. The status stays clean. */
double up_rule_distance(up_ctx *c, uint32_t rule, up_node n);
/* The text of the rule's i-th conjunct, which is not ended by a zero: its length, 0 when there is no
 * such conjunct. */
size_t up_rule_conjunct(const up_profile *p, uint32_t rule, uint32_t i, const char **text);

/* ---- text ------------------------------------------------------------------------------------ */

/* tinygrad's infix form (UOp.render with simplify=False). False where that renderer fails on a
 * node (an op it does not know); out->overflow tells a text above its limit. */
bool up_render(up_ctx *c, up_node n, up_buf *out);

/* `.uop` text, version 1 (docs in engine/text/uop_text.c). Metadata is kept as key/value pairs. */
typedef struct up_meta {
  char *key, *value;
} up_meta;
typedef struct up_metas {
  up_meta *p;
  uint32_t n, cap;
} up_metas;
void up_metas_free(up_metas *m);
bool up_metas_set(up_metas *m, const char *key, const char *value); /* copies; false: no memory */
const char *up_metas_get(const up_metas *m, const char *key);       /* NULL: not there */
void up_print_uop(up_ctx *c, up_node root, const up_metas *meta, up_buf *out);
bool up_parse_uop(up_ctx *c, const char *text, size_t n, up_node *root, up_metas *meta,
                  up_error *err);
/* Infix: `x in [0,255]` lines, then one expression; what up_render writes is accepted. */
void up_print_infix(up_ctx *c, up_node root, up_buf *out); /* with the `in` lines; any op */
bool up_parse_infix(up_ctx *c, const char *text, size_t n, up_node *root, up_error *err);
/* tinygrad Python that builds the graph. */
void up_print_tinygrad(up_ctx *c, up_node root, up_buf *out);
/* The tree that tinygrad 0.11.0 prints for a UOp (`UOp(Ops.ADD, dtypes.int, arg=None, src=(...`,
 * shared nodes as `x0:=` once, then `x0`). Its text grows with depth times nodes: set out->limit.
 * The size of a pointer is not kept and printed as unlimited. Source: pretty_print, UOp.__repr__.
 */
void up_print_tree(up_ctx *c, up_node root, up_buf *out);
/* One line a node in topological order: number, op, dtype, sources, arg. Source: print_uops. */
void up_print_uops(up_ctx *c, up_node root, up_buf *out);
/* The printed tree that begins at *at, after blanks, lines of ``` and `>>>` prompts; *at moves past
 * it and past what of that follows, so that it is n after the last one. The forms of 0.10.0 and
 * 0.11.0 are read (docs in engine/text/tree_parse.c); an arg that is no number, string, tuple or op
 * is kept as the string of its text, tags are dropped. Positions of errors are those in text. */
bool up_parse_tree(up_ctx *c, const char *text, size_t n, size_t *at, up_node *root, up_error *err);
/* Where the tree begins that up_parse_tree would read from `at` on; n when there is none. */
size_t up_tree_start(const char *text, size_t n, size_t at);
/* Does a text begin like one? The first few hundred characters are enough to tell. */
bool up_begins_tree(const char *text, size_t n);
/* Is this node well formed (number and dtypes of sources, arg of the op)? False and err->msg. */
bool up_node_check(const up_ctx *c, up_op op, up_dtype dt, const up_node *src, uint32_t nsrc,
                   up_arg arg, up_error *err);
/* As up_node_check, but lets in what the modelled engine makes against its own spec: a WHERE whose
 * first arm has another integer dtype than its last, which gives the WHERE its dtype. For readers.
 */
bool up_node_readable(const up_ctx *c, up_op op, up_dtype dt, const up_node *src, uint32_t nsrc,
                      up_arg arg, up_error *err);

#endif
