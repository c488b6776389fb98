/* One lane of scalars, or of vectors: where a rule can tell the difference.
 *
 * What a rule computes it computes lane by lane, and a proof about one lane speaks for all of them. Not so
 * where it looks at a node as a whole: at the least element of a list, at the number of lanes, at bounds
 * that speak for all lanes while the constant has another value in each. And where it builds a node of a
 * fixed dtype, which is a scalar whatever it was given. */
#include "make.h"

static bool is_list(const pf_instance *i, int slot) {
  return slot >= 0 && i->slot[slot] != PF_NIL && i->term[i->slot[slot]].list;
}

static bool asks_for_lists(const pf_instance *i, const expr *e) {
  if (is_list(i, e->a)) return true;
  return opset_has(&e->ops, UP_VCONST) && i->slot[e->a] != PF_NIL &&
         i->term[i->slot[e->a]].kind == PF_ANY;
}

/* As deep as the rule's text. */
static bool sees_lanes(const pf_instance *i, expr_id id) {
  if (id == EXPR_NIL) return false;
  const expr *e = expr_at(&i->book->exprs, id);
  for (unsigned k = 0; k < expr_kids(e); k++)
    if (sees_lanes(i, e->kid[k])) return true;
  switch ((ex_op)e->op) {
  case EX_COUNT:
  case EX_DTYPE_MIN:
  case EX_DTYPE_MAX: return true;
  case EX_HAS_OP: return asks_for_lists(i, e);
  case EX_LANE_MIN:
  case EX_LANE_MAX:
  case EX_VMIN:
  case EX_VMAX:
  case EX_LIST_LT:
  case EX_LIST_LE:
  case EX_LIST_GT:
  case EX_LIST_GE:
  case EX_LIST_EQ:
  case EX_LIST_NE:
  case EX_SAME_OP: return is_list(i, e->a) || is_list(i, e->b);
  default: return false;
  }
}

static bool right_sees_lanes(const maker *m, build_id id) {
  const build *v = build_at(&m->book->builds, id);
  if (v->kind == BUILD_CONST && sees_lanes(m->i, v->expr)) return true;
  for (uint32_t k = 0; k < v->nkid; k++)
    if (right_sees_lanes(m, m->book->builds.kid[v->kid + k])) return true;
  return false;
}

/* Does it build a scalar, whatever the dtypes of the left side? */
static bool builds_scalar(const maker *m, build_id id) {
  const build *v = build_at(&m->book->builds, id);
  if ((v->kind == BUILD_NEW || v->kind == BUILD_CONST) && v->dtype_from == DTYPE_FIXED) return true;
  for (uint32_t k = 0; k < v->nkid; k++)
    if (builds_scalar(m, m->book->builds.kid[v->kid + k])) return true;
  return false;
}

static bool rule_sees_lanes(const maker *m) {
  const pf_instance *i = m->i;
  return sees_lanes(i, i->when) || sees_lanes(i, i->lo) || sees_lanes(i, i->hi) ||
         (m->rule->kind == UP_RULE_REWRITE && right_sees_lanes(m, m->rule->rhs));
}

void mk_choose_lanes(maker *m) {
  pf_instance *i = m->i;
  bool scalar = m->rule->kind == UP_RULE_REWRITE && builds_scalar(m, m->rule->rhs);
  i->lanes = m->lists_only || ((scalar || rule_sees_lanes(m)) && mk_choose(m, 2) == 1);
  i->to_scalar = i->lanes && scalar;
  if (i->lanes) mk_label(m, "lanes");
  for (pf_id t = 0; t < i->nterm && !i->lanes; t++) i->term[t].list = false;
}
