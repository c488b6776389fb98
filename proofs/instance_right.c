/* Right sides: what a rule builds, as terms; and what dtypes and ops decide of its condition. */
#include "make.h"

/* ---- the right side ------------------------------------------------------------------------------ */

static bool has_float(const exprbook *b, expr_id id) {
  const expr *e = expr_at(b, id);
  if (e->op == EX_FLOAT) return true;
  for (unsigned k = 0; k < expr_kids(e); k++)
    if (has_float(b, e->kid[k])) return true;
  return false;
}

static enum up_scalar dtype_of(maker *m, const build *v, enum up_scalar like) {
  if (v->dtype_from == DTYPE_SIBLING) return like;
  if (v->dtype_from == DTYPE_SLOT) return m->i->term[m->i->slot[v->dtype_slot]].type;
  if (up_dt_count(v->dtype) != 1 || up_dt_is_ptr(v->dtype) ||
      !(up_dt_is_int(v->dtype) || up_dt_is_bool(v->dtype)))
    mk_stop(m, MK_LEFT_OUT, "neither an integer nor a bool");
  return up_dt_scalar(v->dtype);
}

static pf_id constant(maker *m, const build *v, enum up_scalar like) {
  if (has_float(&m->book->exprs, v->expr)) return mk_stop(m, MK_LEFT_OUT, "a float constant");
  return mk_add(
      m, (pf_term){.kind = PF_CONST, .type = dtype_of(m, v, like), .slot = -1, .exact = v->expr});
}

static pf_id alu(maker *m, up_op op, const pf_id *kid, uint32_t n) {
  pf_term t = {.kind = PF_OP, .op = op, .slot = -1, .exact = EXPR_NIL, .nkid = (uint8_t)n};
  if (!mk_has_value(op) || n == 0 || n > 3)
    return mk_stop(m, MK_LEFT_OUT, "%s has no integer value", up_op_name(op));
  for (uint32_t k = 0; k < n; k++) t.kid[k] = kid[k];
  t.type = up_op_in(op, UP_G_COMPARE) ? UP_BOOL : m->i->term[kid[n - 1]].type;
  return mk_add(m, t);
}

/* x * -1, or x != True of a bool; x != 1 when flipped. The engine's up_neg and up_not. */
static pf_id sign(maker *m, pf_id a, bool flip) {
  bool is_bool = m->i->term[a].type == UP_BOOL;
  flip = flip || is_bool;
  pf_id kid[2] = {a, mk_add(m, (pf_term){.kind = PF_CONST,
                                         .type = m->i->term[a].type,
                                         .slot = -1,
                                         .exact = EXPR_NIL,
                                         .literal = true,
                                         .number = flip ? 1 : -1})};
  return kid[1] == PF_NIL ? PF_NIL : alu(m, flip ? UP_CMPNE : UP_MUL, kid, 2);
}

/* The op of the node bound to a name; NOOP after a stop. */
static up_op op_of_slot(maker *m, int slot) {
  const pf_term *t = &m->i->term[m->i->slot[slot]];
  if (t->kind == PF_OP) return t->op;
  mk_stop(m, MK_LEFT_OUT, "the op of a node that may be any");
  return UP_NOOP;
}

static pf_id with_dtype(maker *m, pf_id id, enum up_scalar type) {
  if (id != PF_NIL) m->i->term[id].type = type;
  return id;
}

static pf_id combine(maker *m, const build *v, const pf_id *kid, enum up_scalar like) {
  switch ((build_kind)v->kind) {
  case BUILD_ALU: return alu(m, (up_op)v->op, kid, v->nkid);
  case BUILD_LIKE: return alu(m, op_of_slot(m, v->slot), kid, v->nkid);
  case BUILD_NEW: return with_dtype(m, alu(m, (up_op)v->op, kid, v->nkid), dtype_of(m, v, like));
  case BUILD_WITH: {
    enum up_scalar type = m->i->term[m->i->slot[v->slot]].type;
    return with_dtype(m, alu(m, op_of_slot(m, v->slot), kid, v->nkid), type);
  }
  case BUILD_NEG: return sign(m, kid[0], false);
  case BUILD_FLIP: return sign(m, kid[0], true);
  default: return mk_stop(m, MK_LEFT_OUT, "native right side");
  }
}

/* As the engine builds: the kid that gives its dtype to constants first. Rule texts are shallow. */
static pf_id build_term(maker *m, build_id id, enum up_scalar like) {
  const build *v = build_at(&m->book->builds, id);
  pf_id kid[PAT_MAX_KIDS];
  if (m->end != MK_FINE) return PF_NIL;
  if (v->kind == BUILD_SLOT) return m->i->slot[v->slot];
  if (v->kind == BUILD_CONST) return constant(m, v, like);
  const build_id *ids = v->nkid ? &m->book->builds.kid[v->kid] : NULL;
  if (v->nkid) kid[v->like] = build_term(m, ids[v->like], like);
  for (uint32_t k = 0; k < v->nkid && m->end == MK_FINE; k++)
    if (k != v->like) kid[k] = build_term(m, ids[k], m->i->term[kid[v->like]].type);
  return m->end == MK_FINE ? combine(m, v, kid, like) : PF_NIL;
}

pf_id mk_right(maker *m, build_id b) { return build_term(m, b, m->i->term[m->i->left].type); }

/* ---- what is decided -------------------------------------------------------------------------------- */

static const pf_term *slot_term(const pf_instance *i, int slot) { return &i->term[i->slot[slot]]; }

static bool known_op(const pf_term *t, up_op *op) {
  if ((t->kind == PF_ANY || t->list) && t->op == UP_NOOP) return false;
  *op = t->kind == PF_CONST && !t->list ? UP_CONST : t->op;
  return true;
}

/* Of vectors only that there are two lanes or more. */
static bool number(const pf_instance *i, const expr *e, int64_t *out) {
  if (e->op == EX_COUNT && i->lanes) return false;
  if (e->op == EX_NSRC && slot_term(i, e->a)->kind != PF_OP) return false;
  if (e->op != EX_COUNT && e->op != EX_INT && e->op != EX_NSRC) return false;
  *out = e->op == EX_COUNT ? 1 : e->op == EX_INT ? e->ival : slot_term(i, e->a)->nkid;
  return true;
}

/* count(x) == 1 and the like, of vectors. */
static bool is_one_lane(const pf_instance *i, const expr *e) {
  const expr *l = expr_at(&i->book->exprs, e->kid[0]), *r = expr_at(&i->book->exprs, e->kid[1]);
  return i->lanes && l->op == EX_COUNT && r->op == EX_INT && r->ival == 1;
}

static int compare(const pf_instance *i, const expr *e) {
  int64_t a, b;
  if (is_one_lane(i, e)) return e->op == EX_NE || e->op == EX_GT || e->op == EX_GE;
  if (!number(i, expr_at(&i->book->exprs, e->kid[0]), &a) ||
      !number(i, expr_at(&i->book->exprs, e->kid[1]), &b))
    return -1;
  switch ((ex_op)e->op) {
  case EX_LT: return a < b;
  case EX_LE: return a <= b;
  case EX_GT: return a > b;
  case EX_GE: return a >= b;
  case EX_EQ: return a == b;
  default: return a != b;
  }
}

static int about_ops(const pf_instance *i, const expr *e) {
  up_op a, b;
  if (!known_op(slot_term(i, e->a), &a)) return -1;
  if (e->op == EX_HAS_OP) return opset_has(&e->ops, a);
  return known_op(slot_term(i, e->b), &b) ? a == b : -1;
}

static int logic(int l, int r, bool is_and) {
  int stop = is_and ? 0 : 1;
  if (l == stop || r == stop) return stop;
  return l < 0 || r < 0 ? -1 : !stop;
}

/* As deep as the rule's text. */
int pf_decide(const pf_instance *i, expr_id id) {
  const expr *e = expr_at(&i->book->exprs, id);
  int64_t v;
  switch ((ex_op)e->op) {
  case EX_AND:
  case EX_OR: return logic(pf_decide(i, e->kid[0]), pf_decide(i, e->kid[1]), e->op == EX_AND);
  case EX_NOT: {
    int k = pf_decide(i, e->kid[0]);
    return k < 0 ? k : !k;
  }
  case EX_LT:
  case EX_LE:
  case EX_GT:
  case EX_GE:
  case EX_EQ:
  case EX_NE: return compare(i, e);
  case EX_FINITE:
  case EX_EXACT: return 1;
  case EX_SAME_DTYPE: return slot_term(i, e->a)->type == slot_term(i, e->b)->type;
  case EX_HAS_DTYPE: return dtset_has(e->dt, up_dt(slot_term(i, e->a)->type));
  case EX_SAME_OP:
  case EX_HAS_OP: return about_ops(i, e);
  case EX_SAME: return i->slot[e->a] == i->slot[e->b] ? 1 : -1;
  default: return number(i, e, &v) ? v != 0 : -1;
  }
}
