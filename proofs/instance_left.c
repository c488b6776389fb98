/* Left sides: a pattern and a choice -> terms. */
#include "make.h"

#include <math.h>

/* Orders of n <= 4 kids by number, the first is the pattern's own. */
static void order_of(uint32_t number, uint32_t n, uint8_t out[PAT_MAX_KIDS]) {
  uint8_t left[4] = {0, 1, 2, 3};
  uint32_t size = 1;
  for (uint32_t k = 2; k < n; k++) size *= k; /* (n - 1)! */
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = number / size;
    out[k] = left[at];
    for (uint32_t j = at; j + 1 < n - k; j++) left[j] = left[j + 1];
    number %= size;
    if (k + 2 < n) size /= n - 1 - k;
  }
}

static bool is_const_set(const opset *s) {
  opset k = {{0, 0}};
  opset_add(&k, UP_CONST);
  opset_add(&k, UP_VCONST);
  return opset_subset(s, &k);
}

static bool is_any_set(const opset *s) {
  opset all = opset_all();
  return opset_subset(&all, s);
}

static bool holds_value_ops(const opset *s) {
  for (int op = 0; op < UP_OP_COUNT; op++)
    if (opset_has(s, (up_op)op) && mk_has_value((up_op)op)) return true;
  return false;
}

/* One op of the set, by choice. */
static up_op choose_op(maker *m, const opset *s) {
  uint32_t n = 0, k;
  for (int op = 0; op < UP_OP_COUNT; op++) n += opset_has(s, (up_op)op);
  k = mk_choose(m, n);
  for (int op = 0; op < UP_OP_COUNT; op++) {
    if (!opset_has(s, (up_op)op) || k-- > 0) continue;
    if (n > 1) mk_label(m, "%s", up_op_name((up_op)op));
    return (up_op)op;
  }
  return UP_NOOP;
}

static pf_id literal(maker *m, const pat *p) {
  pf_term t = {.kind = PF_CONST, .slot = -1, .exact = EXPR_NIL, .literal = true};
  if (p->value.is_float) {
    if (floor(p->value.f) != p->value.f || fabs(p->value.f) > 0x1p62)
      return mk_stop(m, MK_LEFT_OUT, "a float constant");
    t.number = (int64_t)p->value.f;
  } else if (up_int_fits(p->value.i)) {
    t.number = p->value.i.lo;
  } else {
    return mk_stop(m, MK_LEFT_OUT, "a constant beyond 64 bits");
  }
  return mk_add(m, t);
}

/* A constant of these ops. */
static pf_id constant(maker *m, bool scalar, bool list) {
  if (!scalar) m->lists_only = true;
  pf_term t = {.kind = PF_CONST, .slot = -1, .exact = EXPR_NIL, .list = list};
  if (!scalar) t.op = UP_VCONST;
  return mk_add(m, t);
}

/* Sources of an op without a pattern for them. */
static pf_id any_node(maker *m, up_op op) {
  return mk_add(m, (pf_term){.kind = PF_ANY, .op = op, .slot = -1, .exact = EXPR_NIL});
}

/* The pattern kids of the sources, in the chosen order; false when no node is so. */
static bool kids_of(maker *m, const pat *p, up_op op, const pat *kid[3], uint32_t *nkid) {
  int arity = up_op_arity(op);
  uint8_t order[PAT_MAX_KIDS];
  *nkid = arity >= 0 ? (uint32_t)arity : p->nkid;
  for (uint32_t k = 0; k < p->nkid; k++) order[k] = (uint8_t)k;
  if (p->src == SRC_REPEAT && arity < 0)
    return mk_stop(m, MK_LEFT_OUT, "any number of sources"), false;
  if (*nkid > 3) return mk_stop(m, MK_LEFT_OUT, "%s of %u sources", up_op_name(op), *nkid), false;
  if (p->src == SRC_ORDERED && (p->any_len ? p->nkid > *nkid : p->nkid != *nkid))
    return mk_stop(m, MK_NEVER, NULL), false;
  if (p->src == SRC_PERMUTED) {
    if (p->nkid != *nkid) return mk_stop(m, MK_NEVER, NULL), false;
    bool mirrored = up_op_in(op, UP_G_COMMUTATIVE) && *nkid == 2;
    uint32_t orders = *nkid == 2 ? 2 : *nkid == 3 ? 6 : 1;
    uint32_t number = mirrored ? 0 : mk_choose(m, orders);
    if (!mirrored && orders > 1) mk_label(m, "order %u", number + 1);
    order_of(number, *nkid, order);
  }
  for (uint32_t k = 0; k < *nkid; k++) {
    bool given = p->src != SRC_FREE && (p->src == SRC_REPEAT || k < p->nkid);
    kid[k] = given ? pat_kid(&m->book->pats, p, p->src == SRC_REPEAT ? 0 : order[k]) : NULL;
  }
  return true;
}

static pf_id node_of(maker *m, const pat *p);

static pf_id op_node(maker *m, const pat *p) {
  const pat *kid[3];
  uint32_t nkid;
  up_op op = choose_op(m, &p->ops);
  pf_term t = {.kind = PF_OP, .op = op, .slot = -1, .exact = EXPR_NIL};
  if (op == UP_CONST || op == UP_VCONST) return constant(m, op == UP_CONST, op == UP_VCONST);
  bool leaf = op == UP_DEFINE_VAR || op == UP_SPECIAL;
  if (leaf || (op == UP_VECTORIZE && p->src == SRC_FREE)) return any_node(m, op);
  if (!mk_has_value(op) || (op == UP_VECTORIZE && p->nkid != 1))
    return mk_stop(m, MK_LEFT_OUT, "%s has no integer value", up_op_name(op));
  if ((op == UP_BIND || op == UP_RANGE) && p->nkid != 1)
    return mk_stop(m, MK_LEFT_OUT, "%s without its one source", up_op_name(op));
  if (!kids_of(m, p, op, kid, &nkid)) return PF_NIL;
  t.nkid = (uint8_t)nkid;
  for (uint32_t k = 0; k < nkid; k++) {
    t.kid[k] = kid[k] ? node_of(m, kid[k]) : any_node(m, UP_NOOP);
    if (t.kid[k] == PF_NIL) return PF_NIL;
  }
  pf_id id = mk_add(m, t);
  if (id != PF_NIL) mk_rules_of_op(m, id);
  return id;
}

/* UNROLL, and EXPAND as 0.10.0 calls it, beside other ops: op by op, since it has no value. */
static bool holds_unroll(const opset *s) {
  return opset_has(s, UP_UNROLL) || opset_has(s, UP_EXPAND);
}

static pf_id fresh_node(maker *m, const pat *p) {
  const patbook *b = &m->book->pats;
  if (p->src == SRC_ANY_OF) {
    uint32_t k = mk_choose(m, p->nkid);
    mk_label(m, "case %u", k + 1);
    return node_of(m, pat_kid(b, p, k));
  }
  if (p->has_value) return literal(m, p);
  if (is_const_set(&p->ops))
    return constant(m, opset_has(&p->ops, UP_CONST), opset_has(&p->ops, UP_VCONST));
  bool one = opset_count(&p->ops) == 1;
  if (p->src == SRC_FREE && (is_any_set(&p->ops) || (!one && holds_value_ops(&p->ops))) &&
      !holds_unroll(&p->ops))
    return any_node(m, UP_NOOP);
  return p->src == SRC_FREE && is_any_set(&p->ops) ? any_node(m, UP_NOOP) : op_node(m, p);
}

static unsigned mask_of(dtset s) {
  unsigned mask = 0;
  for (unsigned t = 0; t < UP_SCALAR_COUNT; t++)
    if (dtset_has(s, up_dt((enum up_scalar)t))) mask |= 1u << t;
  return mask;
}

static pf_id node_of(maker *m, const pat *p) {
  pf_id id = p->slot >= 0 ? m->i->slot[p->slot] : PF_NIL;
  if (m->end != MK_FINE) return PF_NIL;
  if (id == PF_NIL) {
    id = fresh_node(m, p);
  } else if (p->src != SRC_FREE || (!is_any_set(&p->ops) &&
                                    !(is_const_set(&p->ops) && m->i->term[id].kind == PF_CONST))) {
    return mk_stop(m, MK_LEFT_OUT, "a name with two patterns");
  }
  if (id == PF_NIL) return PF_NIL;
  mk_narrow(m, id, mask_of(p->dt));
  if (p->slot >= 0) m->i->slot[p->slot] = id;
  return id;
}

pf_id mk_left(maker *m, pat_id p) { return node_of(m, pat_at(&m->book->pats, p)); }
