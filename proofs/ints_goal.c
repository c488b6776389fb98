/* The question: can the premises hold and the conclusion fail? */
#include "ints.h"

/* Both values as one sort. */
static Z3_ast equal(in_enc *e, Z3_ast a, Z3_ast b) {
  if (in_is_bool(e, a) != in_is_bool(e, b)) return in_eq(e, in_number(e, a), in_number(e, b));
  return in_eq(e, a, b);
}

static bool is_literal(const in_enc *e, pf_id t, int64_t v) {
  const pf_term *p = &e->i->term[t];
  return p->kind == PF_CONST && p->literal && p->number == v;
}

static bool holds_division(const in_enc *e, pf_id t) {
  const pf_term *p = &e->i->term[t];
  if (p->kind == PF_OP && up_op_divides(p->op)) return true;
  for (uint32_t k = 0; k < p->nkid; k++)
    if (holds_division(e, p->kid[k])) return true;
  return false;
}

/* One step into the right side: target == t becomes target' == t'. False: no step. */
static bool peel(in_enc *e, pf_id *t, Z3_ast *target) {
  const pf_term *p = &e->i->term[*t];
  if (p->kind != PF_OP || p->type == UP_BOOL) return false;
  if (p->op == UP_NEG || (p->op == UP_MUL && is_literal(e, p->kid[1], -1))) {
    *t = p->kid[0];
    *target = in_neg(e, *target);
    return true;
  }
  if (p->op != UP_ADD) return false;
  bool left = holds_division(e, p->kid[0]), right = holds_division(e, p->kid[1]);
  if (left == right) return false;
  *target = in_sub(e, *target, in_term_number(e, p->kid[left ? 1 : 0]));
  *t = p->kid[left ? 0 : 1];
  return true;
}

/* Left side equal to the right side, whose division is checked and not made. */
static Z3_ast checked(in_enc *e) {
  pf_id t = e->i->right;
  Z3_ast target = in_term_number(e, e->i->left), defined = NULL;
  pf_id before;
  do {
    before = t;
  } while (peel(e, &t, &target));
  const pf_term *p = &e->i->term[t];
  if (p->kind != PF_OP || (p->op != UP_IDIV && p->op != UP_MOD) || t == PF_NIL || before != t)
    return NULL;
  Z3_ast a = in_term_number(e, p->kid[0]), b = in_term_number(e, p->kid[1]);
  defined = in_and(e, in_term(e, p->kid[0]).defined, in_term(e, p->kid[1]).defined);
  return in_and(e, defined,
                p->op == UP_IDIV ? in_is_quotient(e, target, a, b)
                                 : in_is_remainder(e, target, a, b));
}

/* Definedness of what is beside a checked division. */
static Z3_ast defined_beside(in_enc *e, pf_id t) {
  const pf_term *p = &e->i->term[t];
  Z3_ast all = NULL;
  while (p->kind == PF_OP && p->op != UP_IDIV && p->op != UP_MOD) {
    bool first = holds_division(e, p->kid[0]);
    if (p->nkid > 1) all = in_and(e, all, in_term(e, p->kid[first ? 1 : 0]).defined);
    p = &e->i->term[p->kid[first ? 0 : 1]];
  }
  return all;
}

static Z3_ast rewrite_holds(in_enc *e) {
  if (e->style == IN_CHECKED) {
    Z3_ast c = checked(e);
    if (c) return in_and(e, c, defined_beside(e, e->i->right));
  }
  in_value l = in_term(e, e->i->left), r = in_term(e, e->i->right);
  return in_and(e, r.defined, equal(e, l.value, r.value));
}

/* lo <= value <= hi; of a bool also 0 <= lo, which in_bounds takes for granted of every bool. */
static Z3_ast bounds_hold(in_enc *e) {
  Z3_ast v = in_term_number(e, e->i->left);
  Z3_ast lo = in_number(e, in_expr(e, e->i->lo, NULL));
  Z3_ast hi = in_number(e, in_expr(e, e->i->hi, NULL));
  Z3_ast both = in_and(e, in_le(e, lo, v), in_le(e, v, hi));
  if (e->i->term[e->i->left].type != UP_BOOL) return both;
  return in_and(e, both, in_le(e, in_int(e, 0), lo));
}

static Z3_ast conclusion(in_enc *e) {
  if (e->i->right == PF_NIL) return bounds_hold(e);
  Z3_ast c = rewrite_holds(e);
  return e->i->to_scalar ? z3_keep(e->z, Z3_mk_false(e->z->ctx)) : c;
}

void in_ask(in_enc *e, bool negated) {
  in_value l = in_term(e, e->i->left);
  if (l.defined) z3_assert(e->z, l.defined);
  e->left_divisions = e->ndivision;
  if (e->i->when != EXPR_NIL) z3_assert(e->z, in_truth(e, in_expr(e, e->i->when, NULL)));
  /* made in any case: where a computed constant or bound raises, the rule does not apply */
  Z3_ast c = conclusion(e);
  if (negated) z3_assert(e->z, in_not(e, c));
  in_division_lemmas(e);
  in_bit_laws(e);
}
