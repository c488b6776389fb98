/* Do proofs with bounds near the dtype's range speak for all bounds? */
#include "bits.h"

/* What the encoding assumes of vmin and vmax is that they lie in a range a little wider than the
 * dtype's, and the engine's may lie anywhere. Nothing is lost when the condition can only become
 * true, never false, as the bounds draw together: then bounds beyond the dtype's range, of a term
 * that has a value, may be drawn in to it. That holds of `and`, `or` and comparisons where each
 * vmin stands alone on the greater side and each vmax on the lesser side; and of vmin(x) == vmax(x),
 * which leaves them no choice at all. */
typedef enum side { SIDE_NONE, SIDE_LESSER, SIDE_GREATER } side;

static bool is_bound(const expr *x) { return x->op >= EX_VMIN && x->op <= EX_SRC_VMAX; }

static bool grows_tighter(const pf_instance *i, expr_id id, side s) {
  const expr *x = expr_at(&i->book->exprs, id);
  if (x->op == EX_VMIN) return s == SIDE_GREATER;
  if (x->op == EX_VMAX) return s == SIDE_LESSER;
  return !expr_reads_bounds(&i->book->exprs, id);
}

static bool one_value(const exprbook *b, const expr *x) {
  if (x->op != EX_EQ) return false;
  const expr *l = expr_at(b, x->kid[0]), *r = expr_at(b, x->kid[1]);
  return l->op == EX_VMIN && r->op == EX_VMAX && l->a == r->a;
}

static bool monotone(const pf_instance *i, expr_id id) {
  const exprbook *b = &i->book->exprs;
  const expr *x = expr_at(b, id);
  switch ((ex_op)x->op) {
  case EX_AND:
  case EX_OR: return monotone(i, x->kid[0]) && monotone(i, x->kid[1]);
  case EX_LT:
  case EX_LE:
    return grows_tighter(i, x->kid[0], SIDE_LESSER) && grows_tighter(i, x->kid[1], SIDE_GREATER);
  case EX_GT:
  case EX_GE:
    return grows_tighter(i, x->kid[0], SIDE_GREATER) && grows_tighter(i, x->kid[1], SIDE_LESSER);
  default: return one_value(b, x) || !expr_reads_bounds(b, id);
  }
}

/* Is the condition about the order of bounds and of numbers of their dtypes alone? Then bounds beyond
 * the range can be drawn in to its edges, in their order: two bits more have room for that. */
static bool is_ordered(const pf_instance *i, expr_id id, enum up_scalar type) {
  const exprbook *b = &i->book->exprs;
  const expr *x = expr_at(b, id);
  pf_id t = expr_kids(x) == 0 && x->op != EX_INT && x->a >= 0 ? i->slot[x->a] : PF_NIL;
  switch ((ex_op)x->op) {
  case EX_AND:
  case EX_OR:
  case EX_LT:
  case EX_LE:
  case EX_GT:
  case EX_GE:
  case EX_EQ:
  case EX_NE: return is_ordered(i, x->kid[0], type) && is_ordered(i, x->kid[1], type);
  case EX_NOT: return is_ordered(i, x->kid[0], type);
  case EX_INT: return -2 <= x->ival && x->ival <= 2;
  case EX_VALUE:
  case EX_VMIN:
  case EX_VMAX:
  case EX_DTYPE_MIN:
  case EX_DTYPE_MAX: return t != PF_NIL && i->term[t].type == type;
  default: return false;
  }
}

/* Of the dtype of the bounds that it has. */
static bool about_order(const pf_instance *i, const bv_enc *e) {
  for (unsigned k = 0; k < e->nfact; k++)
    if (i->term[e->fact[k].term].kind != PF_CONST)
      return e->nfact <= 4 && is_ordered(i, i->when, i->term[e->fact[k].term].type);
  return true;
}

/* Does the condition, as a conjunction, say vmin(x) == vmax(x) of this slot? */
static bool settles(const exprbook *b, expr_id id, int slot) {
  const expr *x = expr_at(b, id);
  if (x->op == EX_AND) return settles(b, x->kid[0], slot) || settles(b, x->kid[1], slot);
  return one_value(b, x) && expr_at(b, x->kid[0])->a == slot;
}

/* All bounds in a computed constant are of nodes of one value, which the condition says. */
static bool settled(const pf_instance *i, expr_id id) {
  const exprbook *b = &i->book->exprs;
  const expr *x = expr_at(b, id);
  if (is_bound(x)) return i->when != EXPR_NIL && settles(b, i->when, x->a);
  for (unsigned k = 0; k < expr_kids(x); k++)
    if (!settled(i, x->kid[k])) return false;
  return true;
}

/* Is a node of a fact always used where the left side has a value? The arms of a WHERE are not. */
static bool has_where(const pf_instance *i) {
  for (uint32_t k = 0; k < i->nterm; k++)
    if (i->term[k].kind == PF_OP && i->term[k].op == UP_WHERE) return true;
  return false;
}

/* Do proofs with bounds inside of the dtype's range hold for all bounds? */
bool bv_bounds_are_covered(const pf_instance *i, const bv_enc *e) {
  unsigned n = 0;
  for (unsigned k = 0; k < e->nfact; k++) {
    n += i->term[e->fact[k].term].kind != PF_CONST;
    if (e->fact[k].about != BV_NODE) return false;
  }
  if (n == 0) return true;
  if (i->right == PF_NIL || (e->frame == OR_REFINE && has_where(i))) return false;
  if (i->when != EXPR_NIL && !monotone(i, i->when) && !about_order(i, e)) return false;
  for (uint32_t k = 0; k < i->nterm; k++)
    if (i->term[k].kind == PF_CONST && i->term[k].exact != EXPR_NIL &&
        !settled(i, i->term[k].exact))
      return false;
  return true;
}
