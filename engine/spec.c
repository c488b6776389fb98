/* The type spec: does the modelled release accept a node? One row an op. Source: `spec` and
 * `type_verify` of 0.10.0 (ops.py) and 0.11.0 (uop/spec.py).
 *
 * Where ours says another thing:
 *  - An ALU op has the sources that it takes, a WHERE a bool condition and a comparison a bool dtype. The
 *    releases' last row for ALU ops takes those of one dtype throughout, whatever it is.
 *  - GEP of several lanes and VCONST, which the releases take apart before they ask.
 *  - Whether an INDEX is inside of its buffer is no question of types, and an address space none that
 *    nodes here can answer.
 * An op that neither spec has a row for (BIND, CAT, those of tensors) is accepted. */
#include "internal.h"

#include <string.h>

enum { R10 = 1, R11 = 2, BOTH = 3 };
#define MANY UP_MAX_SRC

typedef struct type_spec {
  unsigned releases;                        /* that have the op; 0: no row */
  uint32_t least, most;                     /* sources */
  bool (*fits)(const up_ctx *c, up_node n); /* NULL: nothing else is asked */
  const char *wants;                        /* in words */
} type_spec;

/* ---- sources and args ------------------------------------------------------------------------ */

static up_dtype dtype_of_source(const up_ctx *c, up_node n, uint32_t i) {
  return up_dtype_of(c, node_src(c, n, i));
}

static bool source_is(const up_ctx *c, up_node n, uint32_t i, up_op op) {
  return i < up_nsrc(c, n) && node_op(c, node_src(c, n, i)) == op;
}

static bool sources_are(const up_ctx *c, up_node n, uint32_t from, up_op op) {
  for (uint32_t i = from; i < up_nsrc(c, n); i++)
    if (!source_is(c, n, i, op)) return false;
  return true;
}

static bool is_void(const up_ctx *c, up_node n) { return up_dtype_of(c, n) == up_dt(UP_VOID); }

static bool is_integer(const up_ctx *c, up_arg a) {
  up_arg_kind k = up_arg_kind_of(c, a);
  return k == UP_A_INT || k == UP_A_BOOL; /* a bool is one in Python */
}

static bool is_list(const up_ctx *c, up_arg a, uint32_t least, uint32_t most) {
  return up_arg_kind_of(c, a) == UP_A_LIST && up_arg_len(c, a) >= least && up_arg_len(c, a) <= most;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Of the kind that its dtype has: as_const changes nothing. */
static bool number_fits(const up_ctx *c, up_arg a, up_dtype d) {
  up_arg_kind k = up_arg_kind_of(c, a);
  return k == (up_dt_is_int(d) ? UP_A_INT : up_dt_is_float(d) ? UP_A_FLOAT : UP_A_BOOL);
}

static bool const_fits(const up_ctx *c, up_node n) {
  up_dtype d = up_dtype_of(c, n);
  return (!old_release(c) || up_dt_count(d) == 1) && number_fits(c, up_arg_of(c, n), d);
}

static bool vconst_fits(const up_ctx *c, up_node n) {
  up_dtype d = up_dtype_of(c, n);
  up_arg a = up_arg_of(c, n);
  bool fits = is_list(c, a, up_dt_count(d), up_dt_count(d));
  for (uint32_t i = 0; fits && i < up_arg_len(c, a); i++)
    fits = number_fits(c, up_arg_at(c, a, i), d);
  return fits;
}

static bool variable_fits(const up_ctx *c, up_node n) {
  up_arg a = up_arg_of(c, n);
  return is_list(c, a, 3, 3) && is_integer(c, up_arg_at(c, a, 1)) &&
         is_integer(c, up_arg_at(c, a, 2)) && (!old_release(c) || up_nsrc(c, n) == 0);
}

/* 0.10.0 has a start, too, and a pair as arg. */
static bool range_fits(const up_ctx *c, up_node n) {
  return dtype_of_source(c, n, 0) == up_dtype_of(c, n) &&
         (old_release(c) || is_integer(c, up_arg_of(c, n)));
}

static bool no_arg(const up_ctx *c, up_node n) {
  return up_arg_kind_of(c, up_arg_of(c, n)) == UP_A_NONE;
}

static bool vectorize_fits(const up_ctx *c, up_node n) {
  up_dtype d = up_dtype_of(c, n);
  uint32_t count = up_nsrc(c, n);
  bool fits = count == up_dt_count(d);
  for (uint32_t i = 0; fits && i < count; i++)
    fits = dtype_of_source(c, n, i) == up_dt_vec(d & 31u, 1);
  return fits;
}

static bool gep_fits(const up_ctx *c, up_node n) {
  up_arg a = up_arg_of(c, n);
  return is_list(c, a, 1, 2048) &&
         up_dtype_of(c, n) ==
             up_dt_vec(up_dt(up_dt_scalar(dtype_of_source(c, n, 0))), up_arg_len(c, a));
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static bool alu_fits(const up_ctx *c, up_node n) {
  if ((int)up_nsrc(c, n) != up_op_arity(node_op(c, n))) return false;
  for (uint32_t i = 0; i < up_nsrc(c, n); i++)
    if (dtype_of_source(c, n, i) != up_dtype_of(c, n)) return false;
  return true;
}

static bool int_alu_fits(const up_ctx *c, up_node n) {
  return up_dt_is_int(up_dtype_of(c, n)) && alu_fits(c, n);
}

static bool mod_fits(const up_ctx *c, up_node n) {
  return old_release(c) ? alu_fits(c, n) : int_alu_fits(c, n);
}

static bool where_fits(const up_ctx *c, up_node n) {
  up_dtype d = up_dtype_of(c, n);
  return up_dt_is_bool(dtype_of_source(c, n, 0)) && dtype_of_source(c, n, 1) == d &&
         dtype_of_source(c, n, 2) == d;
}

static bool compare_fits(const up_ctx *c, up_node n) {
  return up_dt_is_bool(up_dtype_of(c, n)) && dtype_of_source(c, n, 0) == dtype_of_source(c, n, 1);
}

static bool shift_fits(const up_ctx *c, up_node n) {
  up_dtype d = up_dtype_of(c, n), by = dtype_of_source(c, n, 1);
  return dtype_of_source(c, n, 0) == d && (by == d || by == up_dt(UP_UINT));
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool is_pointer(const up_ctx *c, up_node n) { return up_dt_is_ptr(up_dtype_of(c, n)); }

/* A DEFINE_ACC: what it begins with, then the ranges that it goes over. */
static bool acc_fits(const up_ctx *c, up_node n) {
  return dtype_of_source(c, n, 0) == up_dtype_of(c, n) && sources_are(c, n, 1, UP_RANGE);
}

static bool is_buffer(const up_ctx *c, up_node n) {
  up_op op = node_op(c, n);
  return op == UP_DEFINE_GLOBAL || op == UP_DEFINE_LOCAL ||
         (op == UP_DEFINE_REG && !old_release(c));
}

static bool view_fits(const up_ctx *c, up_node n) {
  if (up_nsrc(c, n) == 0) return is_void(c, n);
  return !source_is(c, n, 0, UP_STORE) && dtype_of_source(c, n, 0) == up_dtype_of(c, n);
}

static bool valid_fits(const up_ctx *c, up_node n) {
  return up_dt_is_bool(up_dtype_of(c, n)) && source_is(c, n, 0, UP_VIEW);
}

static bool index_fits(const up_ctx *c, up_node n) {
  if (!is_buffer(c, node_src(c, n, 0))) return false;
  return up_nsrc(c, n) == 2 || (!old_release(c) && up_dt_is_bool(dtype_of_source(c, n, 2)));
}

/* Is source 0 a place: an INDEX, or a CAST (0.11.0: of one)? */
static bool has_place(const up_ctx *c, up_node n) {
  if (source_is(c, n, 0, UP_INDEX)) return true;
  if (!source_is(c, n, 0, UP_CAST)) return false;
  return old_release(c) || source_is(c, node_src(c, n, 0), 0, UP_INDEX);
}

/* PTX: an address is a number. */
static bool has_address(const up_ctx *c, up_node n) {
  return dtype_of_source(c, n, 0) == up_dt(UP_LONG);
}

/* A buffer and its view before `rest` sources: two nodes in 0.10.0, one in 0.11.0. */
static bool has_view(const up_ctx *c, up_node n, uint32_t rest) {
  if (old_release(c))
    return up_nsrc(c, n) == 2 + rest && is_buffer(c, node_src(c, n, 0)) &&
           source_is(c, n, 1, UP_VIEW);
  up_node view = node_src(c, n, 0);
  return up_nsrc(c, n) == 1 + rest && node_op(c, view) == UP_VIEW && up_nsrc(c, view) == 1 &&
         is_buffer(c, node_src(c, view, 0));
}

static bool old_load_fits(const up_ctx *c, up_node n) {
  if (up_nsrc(c, n) == 1) return true;
  if (up_nsrc(c, n) == 2) return source_is(c, n, 1, UP_IF) || source_is(c, n, 1, UP_BARRIER);
  return up_nsrc(c, n) == 3 && dtype_of_source(c, n, 1) == up_dtype_of(c, n) &&
         up_dt_is_bool(dtype_of_source(c, n, 2));
}

static bool load_fits(const up_ctx *c, up_node n) {
  uint32_t last = up_nsrc(c, n) - 1;
  if (has_view(c, n, 0) || (has_view(c, n, 1) && source_is(c, n, last, UP_STORE))) return true;
  if (has_address(c, n)) return true;
  if (old_release(c)) return has_place(c, n) && old_load_fits(c, n);
  return has_place(c, n) || source_is(c, n, 0, UP_STORE);
}

static bool store_fits(const up_ctx *c, up_node n) {
  if (has_view(c, n, 1) || has_address(c, n)) return true;
  if (!is_void(c, n) || !has_place(c, n) || up_nsrc(c, n) < 2) return false;
  if (!old_release(c) || up_nsrc(c, n) == 2) return true;
  return up_nsrc(c, n) == 3 &&
         (up_dt_is_bool(dtype_of_source(c, n, 2)) || source_is(c, n, 2, UP_IF));
}

static bool assign_fits(const up_ctx *c, up_node n) {
  return source_is(c, n, 0, UP_DEFINE_ACC) || source_is(c, n, 0, UP_DEFINE_GLOBAL);
}

/* ---- control flow, and what is taken apart --------------------------------------------------- */

static bool if_fits(const up_ctx *c, up_node n) {
  return is_void(c, n) && sources_are(c, n, 1, UP_BARRIER);
}
static bool endif_fits(const up_ctx *c, up_node n) {
  return is_void(c, n) && source_is(c, n, 0, UP_IF);
}
static bool endrange_fits(const up_ctx *c, up_node n) {
  return is_void(c, n) && source_is(c, n, 0, UP_RANGE);
}
static bool barrier_fits(const up_ctx *c, up_node n) {
  return is_void(c, n) && (!old_release(c) || sources_are(c, n, 0, UP_STORE));
}

/* Product of the second numbers of the arg's pairs; 0: it is no list of pairs, or they are too many. */
static uint64_t lanes_of_pairs(const up_ctx *c, up_arg a) {
  uint64_t r = 1;
  if (up_arg_kind_of(c, a) != UP_A_LIST) return 0;
  for (uint32_t i = 0; i < up_arg_len(c, a); i++) {
    up_arg pair = up_arg_at(c, a, i);
    if (!is_list(c, pair, 2, 2) || !is_integer(c, up_arg_at(c, pair, 1))) return 0;
    up_int by = up_arg_val(c, up_arg_at(c, pair, 1)).i;
    if (!up_int_fits(by) || by.lo < 1 || by.lo > UINT16_MAX || r > UINT16_MAX) return 0;
    r *= (uint64_t)by.lo;
  }
  return r;
}

static bool contract_fits(const up_ctx *c, up_node n) {
  return up_dt_count(up_dtype_of(c, n)) == lanes_of_pairs(c, up_arg_of(c, n));
}
static bool unroll_fits(const up_ctx *c, up_node n) {
  return up_dt_count(dtype_of_source(c, n, 0)) == lanes_of_pairs(c, up_arg_of(c, n));
}

static bool wmma_fits(const up_ctx *c, up_node n) {
  return old_release(c) || is_list(c, up_arg_of(c, n), 8, 8);
}

static bool reduce_fits(const up_ctx *c, up_node n) {
  up_arg a = up_arg_of(c, n);
  if (!is_list(c, a, 2, old_release(c) ? 2 : UINT32_MAX)) return false;
  up_arg by = up_arg_at(c, a, 0);
  if (up_arg_kind_of(c, by) != UP_A_STR) return false;
  const char *op = up_arg_text(c, by);
  if (strncmp(op, "Ops.", 4) == 0) op += 4;
  return strcmp(op, "ADD") == 0 || strcmp(op, "MUL") == 0 || strcmp(op, "MAX") == 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const type_spec specs[UP_OP_COUNT] = {
    [UP_CONST] = {BOTH, 0, MANY, const_fits, "a number of its dtype's kind"},
    [UP_VCONST] = {BOTH, 0, 0, vconst_fits, "a number of its dtype's kind a lane"},
    [UP_DEFINE_VAR] = {BOTH, 0, MANY, variable_fits, "a name and two integers"},
    [UP_RANGE] = {BOTH, 1, 1, range_fits, "an end of its dtype and a number"},
    [UP_SPECIAL] = {BOTH, 0, 0, NULL, "no sources"},
    [UP_CAST] = {BOTH, 1, 1, no_arg, "one source and no arg"},
    [UP_BITCAST] = {BOTH, 1, 1, no_arg, "one source and no arg"},
    [UP_VECTORIZE] = {BOTH, 2, MANY, vectorize_fits, "a source of its scalar dtype a lane"},
    [UP_GEP] = {BOTH, 1, 1, gep_fits, "its source's dtype in as many lanes as it takes"},
    [UP_WHERE] = {BOTH, 3, 3, where_fits, "a bool and two operands of its dtype"},
    [UP_CMPLT] = {BOTH, 2, 2, compare_fits, "a bool of two operands of one dtype"},
    [UP_CMPNE] = {BOTH, 2, 2, compare_fits, "a bool of two operands of one dtype"},
    [UP_CMPEQ] = {R11, 2, 2, compare_fits, "a bool of two operands of one dtype"},
    [UP_SHL] = {BOTH, 2, 2, shift_fits, "an operand of its dtype, and one of that or uint"},
    [UP_SHR] = {BOTH, 2, 2, shift_fits, "an operand of its dtype, and one of that or uint"},
    [UP_IDIV] = {BOTH, 2, 2, int_alu_fits, "integer operands of its dtype"},
    [UP_MOD] = {BOTH, 2, 2, mod_fits, "integer operands of its dtype"},
    [UP_TRUNC] = {R11, 1, 1, alu_fits, "operands of its dtype"},
    [UP_POW] = {R11, 2, 2, alu_fits, "operands of its dtype"},
    [UP_DEFINE_GLOBAL] = {BOTH, 0, MANY, is_pointer, "a pointer"},
    [UP_DEFINE_LOCAL] = {BOTH, 0, MANY, is_pointer, "a pointer"},
    [UP_DEFINE_REG] = {R11, 0, 0, NULL, "no sources"},
    [UP_DEFINE_ACC] = {R10, 1, MANY, acc_fits, "a source of its dtype, then ranges"},
    [UP_VIEW] = {BOTH, 0, 1, view_fits, "void, or a source of its dtype that is no store"},
    [UP_VALID] = {BOTH, 1, 1, valid_fits, "a bool of a view"},
    [UP_INDEX] = {BOTH, 2, 3, index_fits, "a buffer, an index and perhaps (0.11.0) a bool"},
    [UP_LOAD] = {BOTH, 1, MANY, load_fits, "a place to load from"},
    [UP_STORE] = {BOTH, 1, MANY, store_fits, "void, a place to store to and a value"},
    [UP_ASSIGN] = {R10, 2, 2, assign_fits, "an accumulator or buffer, and a value"},
    [UP_IF] = {BOTH, 1, 2, if_fits, "void, a gate and perhaps a barrier"},
    [UP_ENDIF] = {BOTH, 1, 1, endif_fits, "void and an IF"},
    [UP_ENDRANGE] = {BOTH, 1, 1, endrange_fits, "void and a RANGE"},
    [UP_BARRIER] = {BOTH, 0, MANY, barrier_fits, "void and (0.10.0) stores"},
    [UP_WMMA] = {BOTH, 3, 3, wmma_fits, "three sources and (0.11.0) an arg of 8 parts"},
    [UP_CONTRACT] = {BOTH, 0, MANY, contract_fits, "a lane for each of its arg's"},
    [UP_UNROLL] = {R11, 1, MANY, unroll_fits, "a lane of its source for each of its arg's"},
    [UP_EXPAND] = {R10, 1, MANY, unroll_fits, "a lane of its source for each of its arg's"},
    [UP_REDUCE_AXIS] = {BOTH, 0, MANY, reduce_fits, "an arg of ADD, MUL or MAX, and axes"},
    [UP_SINK] = {BOTH, 0, MANY, is_void, "void"},
    [UP_NOOP] = {BOTH, 0, MANY, NULL, ""},
    [UP_CUSTOM] = {R11, 0, MANY, NULL, ""},
    [UP_CUSTOMI] = {R11, 0, MANY, NULL, ""},
    [UP_PRECAST] = {R11, 0, MANY, NULL, ""},
};
static const type_spec spec_of_alu = {BOTH, 0, MANY, alu_fits, "operands of its dtype"};
static const type_spec no_spec = {BOTH, 0, MANY, NULL, ""};

static const type_spec *spec_of(up_op op) {
  if (specs[op].releases) return &specs[op];
  return up_op_in(op, UP_G_ALU) ? &spec_of_alu : &no_spec;
}

bool up_type_fits(const up_ctx *c, up_node n) {
  const type_spec *s = spec_of(node_op(c, n));
  if (!(s->releases & (old_release(c) ? R10 : R11))) return false;
  if (up_nsrc(c, n) < s->least || up_nsrc(c, n) > s->most) return false;
  return !s->fits || s->fits(c, n);
}

const char *up_type_wants(const up_ctx *c, up_node n) {
  const type_spec *s = spec_of(node_op(c, n));
  return s->releases & (old_release(c) ? R10 : R11) ? s->wants : "no such op";
}

/* The first node under root that is not accepted, but of an op in `let`. ill: the ops of all such nodes
 * are noted, instead of stopping at the first. */
static up_node first_ill(up_ctx *c, up_node root, const bool *let, bool *ill) {
  up_list topo = list_take(c);
  up_node bad = UP_NONE;
  up_toposort(c, root, &topo);
  for (uint32_t i = 0; i < topo.n && (ill || up_is_none(bad)); i++) {
    up_op op = node_op(c, topo.p[i]);
    if ((let && let[op]) || up_type_fits(c, topo.p[i])) continue;
    if (ill) ill[op] = true;
    bad = topo.p[i];
  }
  list_give(c, &topo);
  return bad;
}

bool up_type_verify(up_ctx *c, up_node root, up_node *bad) {
  *bad = first_ill(c, root, NULL, NULL);
  return up_is_none(*bad) && ctx_ok(c);
}

bool up_type_kept(up_ctx *c, up_node from, up_node to, up_node *bad) {
  *bad = UP_NONE;
  if (up_type_verify(c, to, bad) || !ctx_ok(c)) return true;
  bool ill[UP_OP_COUNT] = {false};
  first_ill(c, from, NULL, ill);
  *bad = first_ill(c, to, ill, NULL);
  return up_is_none(*bad) || !ctx_ok(c);
}
