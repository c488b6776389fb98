/* Leaves first: variables of one dtype, often at the ends of its range, and small expressions over
 * them. Then the instance of a rule over these, and around it the kind of node that makes a wrong
 * value or a wrong bound of it matter. */
#include "fuzz/instance.h"

#include "fuzz/fits.h"
#include "fuzz/settle.h"

#define LEAVES 12u
#define NUMBERS 24u

typedef struct builder {
  up_ctx *c;
  const fz_opts *o;
  fz_rng rng;
  uint32_t rule;
  up_dtype dt;    /* of most leaves */
  int64_t latest; /* constant: the next ones are related to it */
  int64_t
      number[NUMBERS]; /* of the rule's text, and ends of ranges so far: conditions compare them */
  uint32_t nnumber;
  up_node leaf[LEAVES];
  uint32_t n;
} builder;

static uint32_t pick(builder *b, uint32_t n) { return (uint32_t)(fz_next(&b->rng) >> 33) % n; }

static bool one_in(builder *b, uint32_t n) { return pick(b, n) == 0; }

/* ---- leaves ---------------------------------------------------------------------------------- */

static up_dtype pick_dtype(builder *b) {
  static const enum up_scalar any[] = {UP_CHAR,  UP_UCHAR, UP_LONG, UP_UINT, UP_LONG,
                                       UP_ULONG, UP_CHAR,  UP_INT,  UP_INT,  UP_SHORT};
  return up_dt(!b->o->casts || one_in(b, 3) ? UP_INT : any[pick(b, 10)]);
}

/* A dtype that a node without sources has in some instance of the rule: what the pattern asks for. */
static up_dtype dtype_for(builder *b) {
  up_dtype dt = pick_dtype(b);
  if (!b->o->casts || one_in(b, 3)) return dt;
  up_node n = up_rule_instance(b->c, b->rule, NULL, 0, dt, fz_next(&b->rng));
  for (unsigned i = 0; i < 8 && !up_is_none(n) && up_nsrc(b->c, n) > 0; i++)
    n = up_src(b->c, n, pick(b, up_nsrc(b->c, n)));
  up_dtype found = up_dtype_of(b->c, n);
  return up_dt_is_int(found) && up_dt_count(found) == 1 && !up_dt_is_ptr(found) ? found : dt;
}

static int64_t small(builder *b) {
  static const int64_t k[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 25, 32, 64, 255};
  return k[pick(b, 16)];
}

static void note_number(builder *b, int64_t v) {
  if (v > -(INT64_C(1) << 40) && v < INT64_C(1) << 40) b->number[b->nnumber++ % NUMBERS] = v;
}

/* One of the noted numbers, or close to it. */
static int64_t noted(builder *b) {
  uint32_t n = b->nnumber < NUMBERS ? b->nnumber : NUMBERS;
  int64_t k = n ? b->number[pick(b, n)] : small(b);
  switch (pick(b, 8)) {
  case 0: return -k;
  case 1: return k * (2 + (int64_t)pick(b, 3));
  case 2: return k - 1;
  case 3: return k + 1;
  default: return k;
  }
}

/* Small, a multiple of the latest one, or a noted number. */
static int64_t related(builder *b) {
  int64_t k = small(b);
  if (one_in(b, 3)) k = b->latest * (1 + pick(b, 4));
  if (one_in(b, 10)) k = noted(b);
  if (k < 0) k = -k;
  if (k == 0) k = 1;
  if (k < 1024) b->latest = k;
  return k;
}

static up_int plus(builder *b, up_int x, int64_t y) { return up_int_add(b->c, x, up_int_of(y)); }

/* [*lo, *hi] within the dtype. */
static void pick_range(builder *b, up_dtype dt, up_int *lo, up_int *hi) {
  up_int least = up_dt_min(b->c, dt), most = up_dt_max(b->c, dt);
  switch (pick(b, 15)) {
  case 0: *lo = least, *hi = most; return;
  case 8: *lo = least, *hi = up_int_of(up_dt_is_signed(dt) ? -(int64_t)pick(b, 2) : 1); return;
  case 1: *lo = least, *hi = plus(b, least, small(b) - 1); return;
  case 2: *lo = plus(b, most, -small(b)), *hi = most; return;
  case 3:
    *lo = up_int_tdiv(b->c, most, up_int_of(1 + small(b)));
    *hi = plus(b, *lo, small(b));
    break;
  case 4: *lo = up_int_of(0), *hi = most; return;
  case 5: *lo = up_int_of(-small(b)), *hi = up_int_of(-1); break;
  case 6: *lo = up_int_of(-small(b)), *hi = up_int_of(small(b)); break;
  case 7: *lo = *hi = up_int_of(small(b)); break;
  case 11: *lo = up_int_of(0), *hi = up_int_of(noted(b)); break;
  case 12: *lo = up_int_of(noted(b)), *hi = plus(b, *lo, small(b) - 1); break;
  case 13:
  case 14: *lo = up_int_of(noted(b)), *hi = up_int_of(noted(b)); break;
  default: *lo = up_int_of(0), *hi = up_int_of(small(b)); break;
  }
  if (up_int_cmp(b->c, *lo, least) < 0) *lo = least;
  if (up_int_cmp(b->c, *hi, most) > 0) *hi = most;
  if (up_int_cmp(b->c, *hi, least) < 0) *hi = least;
  if (up_int_cmp(b->c, *lo, *hi) > 0) *lo = *hi;
}

static up_node add_variable(builder *b, unsigned i) {
  static const char *const name[] = {"a", "b", "c"};
  up_dtype dt = b->o->casts && one_in(b, 6) ? pick_dtype(b) : b->dt;
  up_int lo, hi;
  pick_range(b, dt, &lo, &hi);
  if (up_int_fits(lo)) note_number(b, lo.lo);
  if (up_int_fits(hi)) note_number(b, hi.lo);
  return b->leaf[b->n++] = up_var(b->c, name[i], lo, hi, dt);
}

static up_node constant(builder *b, up_dtype dt, int64_t k) {
  if (up_dt_is_bool(dt)) k &= 1;
  if (up_dt_bits(dt) == 8 && k > 127) k = 127;
  return up_const_int(b->c, dt, k);
}

static up_node bin(builder *b, up_op op, up_node x, up_node y) { return up_binary(b->c, op, x, y); }

/* A leaf of the dtype, or the given node. */
static up_node other(builder *b, up_dtype dt, up_node n) {
  up_node w = b->leaf[pick(b, b->n)];
  return up_dtype_of(b->c, w) == dt ? w : n;
}

/* v + k, v * k, v // k, v % k of a leaf. */
static up_node term(builder *b, up_node v) {
  static const up_op op[] = {UP_ADD, UP_MUL, UP_IDIV, UP_MOD, UP_MUL, UP_MOD};
  up_dtype dt = up_dtype_of(b->c, v);
  up_op o = op[pick(b, 6)];
  int64_t k = related(b);
  if (o != UP_IDIV && o != UP_MOD && up_dt_is_signed(dt) && one_in(b, 3)) k = -k;
  return bin(b, o, v, constant(b, dt, k));
}

/* Products with positive factors. */
static up_node simplex(builder *b, up_node v) {
  up_dtype dt = up_dtype_of(b->c, v);
  up_node n = bin(b, UP_MUL, v, constant(b, dt, 1 + related(b)));
  up_node k = constant(b, dt, related(b)), w = other(b, dt, v);
  return bin(b, UP_ADD, n, bin(b, UP_MUL, w, k));
}

/* A sum of two or three terms, scaled sometimes. */
static up_node sum(builder *b, up_node v) {
  up_dtype dt = up_dtype_of(b->c, v);
  up_node n = term(b, v);
  for (unsigned i = 1 + pick(b, 2); i > 0; i--) {
    up_node t = other(b, dt, v);
    n = bin(b, UP_ADD, n, one_in(b, 3) ? t : term(b, t));
  }
  if (one_in(b, 3)) n = bin(b, UP_ADD, n, constant(b, dt, related(b)));
  return one_in(b, 4) ? bin(b, UP_MUL, n, constant(b, dt, related(b))) : n;
}

/* (v//k + (v+1)//k + ... + (v+k-1)//k) * c, as unrolled loops have it. */
static up_node unrolled(builder *b, up_node v) {
  up_dtype dt = up_dtype_of(b->c, v);
  int64_t k = 2 + pick(b, 3), scale = one_in(b, 2) ? 1 : related(b);
  up_node n = UP_NONE;
  for (int64_t i = 0; i < k; i++) {
    up_node x = i ? bin(b, UP_ADD, v, constant(b, dt, i)) : v;
    x = bin(b, UP_IDIV, x, constant(b, dt, k));
    if (scale != 1) x = bin(b, UP_MUL, x, constant(b, dt, scale));
    n = i ? bin(b, UP_ADD, n, x) : x;
  }
  return n;
}

static void add_expression(builder *b) {
  up_node v = b->leaf[pick(b, b->n)], n;
  if (!up_dt_is_int(up_dtype_of(b->c, v))) return;
  switch (pick(b, 8)) {
  case 0: n = unrolled(b, v); break;
  case 1: n = sum(b, v); break;
  case 2: n = simplex(b, v); break;
  case 3:
    n = other(b, up_dtype_of(b->c, v), v);
    n = bin(b, one_in(b, 4) ? UP_MUL : UP_ADD, v, n);
    break;
  case 4: n = bin(b, UP_SUB, v, other(b, up_dtype_of(b->c, v), v)); break;
  default: n = term(b, v); break;
  }
  b->leaf[b->n++] = n;
}

/* ---- rare leaves ----------------------------------------------------------------------------- */

static up_node special(builder *b) {
  const up_arg part[] = {up_arg_str(b->c, "gidx0", 5), up_arg_int(b->c, up_int_of(small(b)))};
  return up_new(b->c, UP_SPECIAL, up_dt(UP_INT), NULL, 0, up_arg_list(b->c, part, 2));
}

/* A loop whose end is no constant, with a number of its own. */
static up_node open_range(builder *b, up_node end) {
  up_arg number = up_arg_int(b->c, up_int_of(2 + b->n));
  return up_new(b->c, UP_RANGE, up_dtype_of(b->c, end), &end, 1, number);
}

static up_node vector(builder *b, up_node v) {
  up_node lane[2] = {v, other(b, up_dtype_of(b->c, v), v)};
  if (one_in(b, 4)) lane[1] = constant(b, up_dtype_of(b->c, v), related(b));
  return up_new(b->c, UP_VECTORIZE, up_dt_vec(up_dtype_of(b->c, v), 2), lane, 2, up_arg_none());
}

/* A multiple of 2^n or 2^2n, n the width of its dtype: in ideal a value of which a cast leaves
 * nothing. */
static up_node far_off(builder *b, up_node v) {
  up_dtype dt = up_dtype_of(b->c, v);
  up_node half = up_const_int(b->c, dt, INT64_C(1) << up_dt_bits(dt) / 2);
  for (unsigned i = one_in(b, 2) ? 2 : 4; i > 0; i--) v = bin(b, UP_MUL, v, half);
  return v;
}

/* Not defined where the divisor is 0. */
static up_node partial(builder *b, up_node v) {
  up_dtype dt = up_dtype_of(b->c, v);
  up_node n = other(b, dt, constant(b, dt, related(b)));
  n = bin(b, one_in(b, 2) ? UP_IDIV : UP_MOD, n, v);
  return bin(b, UP_CMPLT, n, constant(b, dt, small(b)));
}

static void add_rare(builder *b) {
  up_node v = b->leaf[pick(b, b->n)], n;
  if (!up_dt_is_int(up_dtype_of(b->c, v)) || up_dt_count(up_dtype_of(b->c, v)) != 1) return;
  switch (pick(b, 6)) {
  case 0: n = special(b); break;
  case 1: n = open_range(b, v); break;
  case 2: n = far_off(b, v); break;
  case 3: n = partial(b, v); break;
  default: n = vector(b, v); break;
  }
  b->leaf[b->n++] = n;
}

static void make_leaves(builder *b) {
  unsigned variables = 1 + pick(b, 3), expressions = pick(b, 4);
  for (unsigned i = 0; i < variables; i++) add_variable(b, i);
  for (unsigned i = 0; i < expressions; i++) add_expression(b);
  for (unsigned i = 0; b->o->rare && i < 2; i++) add_rare(b);
}

/* ---- the instance and what is around it ------------------------------------------------------ */

/* One of those that campaigns ask about: of the chosen set, and those of bounds. */
static uint32_t pick_rule(builder *b) {
  const up_profile *p = up_ctx_profile(b->c);
  const up_ruleset *set = up_ctx_rules(b->c);
  uint32_t n = up_rule_count(p), rule = pick(b, n);
  for (uint32_t i = 0; i < n; i++, rule = (rule + 1) % n) {
    if (up_rule_at(p, rule).kind == UP_RULE_BOUND || up_ruleset_has(set, rule)) break;
  }
  return rule;
}

static up_node instance(builder *b) {
  up_dtype want = one_in(b, 4) ? up_dt(UP_VOID) : b->dt;
  if (b->o->rare && one_in(b, 3)) want = up_dt_vec(b->dt, 2);
  /* with few to choose from, the latest expressions get their turn */
  uint32_t n = one_in(b, 3) ? b->n : 1 + pick(b, 2);
  if (n > b->n) n = b->n;
  return up_rule_instance(b->c, b->rule, b->leaf + b->n - n, n, want, fz_next(&b->rng));
}

static up_node wrapped(builder *b, up_node n) {
  static const up_op op[] = {UP_CMPLT, UP_MAX, UP_ADD, UP_IDIV, UP_MOD, UP_CMPNE};
  up_dtype dt = up_dtype_of(b->c, n);
  if (!up_dt_is_int(dt)) return n;
  uint32_t how = pick(b, 12);
  if (how >= 9) return n;
  if (how >= 6 && !b->o->casts) return n;
  if (how >= 6) {
    up_dtype to = how == 6 ? pick_dtype(b) : up_dt(UP_LONG);
    return up_cast(b->c, n, up_dt_vec(to, up_dt_count(dt)));
  }
  up_node y = constant(b, dt, one_in(b, 3) ? 0 : small(b));
  for (unsigned i = 0; i < 2; i++) {
    up_node leaf = b->leaf[pick(b, b->n)];
    if (one_in(b, 3) && up_dtype_of(b->c, leaf) == dt) y = leaf;
  }
  return how == 0 && one_in(b, 2) ? up_binary(b->c, UP_CMPLT, y, n)
                                  : up_binary(b->c, op[how], n, y);
}

/* ---- other constants ------------------------------------------------------------------------- */

/* At the ends of the dtype, or around a power of two. */
static up_int extreme(builder *b, up_dtype dt) {
  up_int least = up_dt_min(b->c, dt), most = up_dt_max(b->c, dt), k = up_int_of(small(b));
  unsigned bits = up_dt_bits(dt);
  switch (pick(b, 6)) {
  case 0: return least;
  case 1: return up_int_sub(b->c, most, up_int_sub(b->c, k, up_int_of(1)));
  case 2: return up_int_tdiv(b->c, most, k);
  case 3: return up_int_tdiv(b->c, least, k);
  default: break;
  }
  up_int p = up_int_shl(b->c, up_int_of(1), up_int_of(bits / 2 + pick(b, bits / 2)));
  /* one choice a statement: the order in which arguments are evaluated is the compiler's */
  int64_t times = 1 + pick(b, 3), beside = (int64_t)pick(b, 3) - 1;
  p = up_int_mul(b->c, up_int_add(b->c, p, up_int_of(beside)), up_int_of(times));
  return one_in(b, 2) ? p : up_int_neg(b->c, p);
}

/* An end of what a node is claimed to be, or beside it, or the negative of that. */
static up_int claimed_end(builder *b, up_node n) {
  up_bounds claim = up_minmax(b->c, n);
  if (up_ctx_status(b->c) != UP_OK || claim.lo.is_float || claim.hi.is_float) {
    up_ctx_clear_status(b->c);
    return up_int_of(0);
  }
  int64_t beside = (int64_t)pick(b, 5) - 2;
  up_int v = plus(b, one_in(b, 2) ? claim.lo.i : claim.hi.i, beside);
  return one_in(b, 3) ? up_int_neg(b->c, v) : v;
}

/* What a const may become: an extreme value, one near what some node is, the product of two others. */
static up_int other_value(builder *b, const up_list *topo, const up_list *consts, up_dtype dt) {
  up_int x, y;
  switch (pick(b, 4)) {
  case 0: return extreme(b, dt);
  case 3: return up_int_of(noted(b));
  case 1: return claimed_end(b, topo->p[pick(b, topo->n)]);
  default: break;
  }
  up_is_const_int(b->c, consts->p[pick(b, consts->n)], &x);
  up_is_const_int(b->c, consts->p[pick(b, consts->n)], &y);
  return plus(b, up_int_mul(b->c, x, y), one_in(b, 2) ? (int64_t)pick(b, 3) - 1 : 0);
}

/* Constants that nodes are compared with become values that those take, or nearly. */
static up_node with_close_comparisons(builder *b, up_node root) {
  up_list topo = {0};
  up_int v;
  bool ok = up_toposort(b->c, root, &topo);
  for (uint32_t i = 0; i < topo.n && ok; i++) {
    up_node n = topo.p[i];
    if (up_op_of(b->c, n) != UP_CMPLT || up_nsrc(b->c, n) != 2) continue;
    up_node x = up_src(b->c, n, 0), k = up_src(b->c, n, 1);
    if (!up_is_const_int(b->c, k, &v) || !up_dt_is_int(up_dtype_of(b->c, x))) continue;
    int64_t beside = one_in(b, 2) ? 0 : small(b);
    if (beside) beside *= (int64_t)pick(b, 3) - 1;
    v = plus(b, claimed_end(b, x), beside);
    up_node to[2] = {x, up_const_like(b->c, k, v)};
    up_node m = up_replace_src(b->c, n, to, 2);
    if (up_ctx_status(b->c) == UP_OK) root = up_substitute(b->c, root, &n, &m, 1);
    break;
  }
  up_list_free(&topo);
  return root;
}

static up_node with_other_constants(builder *b, up_node root) {
  up_list topo = {0}, consts = {0};
  up_int v;
  bool ok = up_toposort(b->c, root, &topo);
  for (uint32_t i = 0; i < topo.n && ok; i++) {
    bool is = up_is_const_int(b->c, topo.p[i], &v) && up_dt_is_int(up_dtype_of(b->c, topo.p[i]));
    if (is) ok = up_list_push(&consts, topo.p[i]);
  }
  for (unsigned k = 1 + pick(b, 2); k > 0 && ok && consts.n > 0; k--) {
    uint32_t i = pick(b, consts.n);
    up_node to = up_const_like(b->c, consts.p[i],
                               other_value(b, &topo, &consts, up_dtype_of(b->c, consts.p[i])));
    root = up_substitute(b->c, root, &consts.p[i], &to, 1);
    consts.p[i] = to;
  }
  up_list_free(&topo);
  up_list_free(&consts);
  return root;
}

/* Where the rule applies; the leaves are those of the graph that came out. */
static up_node settled(builder *b, up_node root) {
  up_list topo = {0};
  root = fz_settle(b->c, b->rule, root, &b->rng);
  if (up_ctx_status(b->c) != UP_OK) return root;
  b->n = 0;
  bool ok = up_toposort(b->c, root, &topo);
  for (uint32_t i = 0; i < topo.n && ok && b->n < LEAVES; i++)
    if (up_op_of(b->c, topo.p[i]) == UP_DEFINE_VAR) b->leaf[b->n++] = topo.p[i];
  if (b->n == 0) b->leaf[b->n++] = root;
  up_list_free(&topo);
  return root;
}

/* ---- the whole ------------------------------------------------------------------------------------ */

up_node fz_instance(up_ctx *c, const fz_opts *o, uint32_t rule, uint64_t seed) {
  builder b = {.c = c, .o = o, .rng = {seed}, .latest = 4};
  b.rule = rule == FZ_ANY_RULE ? pick_rule(&b) : rule;
  b.nnumber = up_rule_numbers(up_ctx_profile(c), b.rule, b.number, NUMBERS / 2);
  b.dt = dtype_for(&b);
  make_leaves(&b);
  if (one_in(&b, 4)) {
    up_node inner = instance(&b);
    if (up_ctx_status(c) == UP_OK && fz_fits(c, o, inner)) b.leaf[b.n++] = inner;
    if (rule == FZ_ANY_RULE) b.rule = pick_rule(&b);
  }
  up_node root = up_ctx_status(c) == UP_OK ? instance(&b) : UP_NONE;
  if (up_ctx_status(c) == UP_OK && one_in(&b, 3)) root = with_other_constants(&b, root);
  if (up_ctx_status(c) == UP_OK && one_in(&b, 2)) root = with_close_comparisons(&b, root);
  if (up_ctx_status(c) == UP_OK && rule != FZ_ANY_RULE && one_in(&b, 2)) root = settled(&b, root);
  if (up_ctx_status(c) == UP_OK) root = wrapped(&b, root);
  if (up_ctx_status(c) != UP_OK || !fz_fits(c, o, root)) return UP_NONE;
  return root;
}
