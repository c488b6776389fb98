/* Dtypes of the left side: classes of terms that have one dtype, and a choice for each. */
#include "make.h"

#include <string.h>

#define INTS                                                                                       \
  (1u << UP_CHAR | 1u << UP_UCHAR | 1u << UP_SHORT | 1u << UP_USHORT | 1u << UP_INT |              \
   1u << UP_UINT | 1u << UP_LONG | 1u << UP_ULONG)
#define MEANT (INTS | 1u << UP_BOOL)

static pf_id root(const maker *m, pf_id a) {
  while (m->same[a] != a) a = m->same[a];
  return a;
}

void mk_join(maker *m, pf_id a, pf_id b) {
  a = root(m, a);
  b = root(m, b);
  if (a == b) return;
  pf_id first = a < b ? a : b, other = a < b ? b : a;
  m->same[other] = first;
  m->mask[first] &= m->mask[other];
  m->forced[first] |= m->forced[other];
}

void mk_narrow(maker *m, pf_id a, unsigned mask) {
  a = root(m, a);
  m->mask[a] = (uint16_t)(m->mask[a] & mask);
}

void mk_force_bool(maker *m, pf_id a) {
  mk_narrow(m, a, 1u << UP_BOOL);
  m->forced[root(m, a)] = true;
}

/* The amount of a shift has the dtype of what is shifted, or is uint. */
static void shift_amount(maker *m, pf_id a, pf_id amount) {
  if (m->one_integer || mk_choose(m, 2) == 0) {
    mk_join(m, a, amount);
    return;
  }
  mk_label(m, "by uint");
  mk_narrow(m, amount, 1u << UP_UINT);
  mk_narrow(m, a, ~(1u << UP_UINT));
}

void mk_rules_of_op(maker *m, pf_id a) {
  const pf_term *t = &m->i->term[a];
  up_op op = t->op;
  if (op == UP_CAST || op == UP_BITCAST) return;
  if (up_op_in(op, UP_G_COMPARE)) {
    mk_force_bool(m, a);
    mk_join(m, t->kid[0], t->kid[1]);
    return;
  }
  if (up_op_divides(op) || op == UP_SHL || op == UP_SHR || op == UP_RANGE) mk_narrow(m, a, INTS);
  if (op == UP_WHERE) mk_force_bool(m, t->kid[0]);
  if (op == UP_SHL || op == UP_SHR) {
    mk_join(m, a, t->kid[0]);
    shift_amount(m, a, t->kid[1]);
    return;
  }
  for (uint32_t k = op == UP_WHERE; k < t->nkid; k++) mk_join(m, a, t->kid[k]);
}

/* ---- which classes the rule looks at -------------------------------------------------------------- */

static void look(maker *m, int slot) {
  if (slot >= 0 && m->i->slot[slot] != PF_NIL) m->wide[root(m, m->i->slot[slot])] = true;
}

static void look_in_expr(maker *m, expr_id id) {
  if (id == EXPR_NIL) return;
  const expr *e = expr_at(&m->book->exprs, id);
  bool range = e->op >= EX_DTYPE_MIN && e->op <= EX_SCALAR_MAX;
  if (range || e->op == EX_SAME_DTYPE || e->op == EX_HAS_DTYPE) {
    look(m, e->a);
    look(m, e->b);
  }
  for (unsigned k = 0; k < expr_kids(e); k++) look_in_expr(m, e->kid[k]);
}

static void look_in_right(maker *m, build_id id) {
  const build *v = build_at(&m->book->builds, id);
  if (v->kind == BUILD_CONST) look_in_expr(m, v->expr);
  if (v->kind == BUILD_NEW && v->dtype_from == DTYPE_SLOT) look(m, v->dtype_slot);
  if (v->kind == BUILD_NEW && v->dtype_from == DTYPE_SIBLING) m->wide[root(m, m->i->left)] = true;
  for (uint32_t k = 0; k < v->nkid; k++) look_in_right(m, m->book->builds.kid[v->kid + k]);
}

static void look_everywhere(maker *m) {
  const pf_instance *i = m->i;
  for (pf_id a = 0; a < i->nterm; a++)
    if (i->term[a].kind == PF_OP && (i->term[a].op == UP_CAST || i->term[a].op == UP_BITCAST))
      m->wide[root(m, a)] = true;
  look_in_expr(m, i->when);
  look_in_expr(m, i->lo);
  look_in_expr(m, i->hi);
  if (m->rule->kind == UP_RULE_REWRITE) look_in_right(m, m->rule->rhs);
}

/* ---- the choice -------------------------------------------------------------------------------- */

/* Where one integer dtype stands for all: int if it may be, else the next like it. */
static unsigned one_of(unsigned mask) {
  static const enum up_scalar order[] = {UP_INT,   UP_UINT,   UP_LONG,  UP_ULONG,
                                         UP_SHORT, UP_USHORT, UP_UCHAR, UP_CHAR};
  for (unsigned k = 0; k < sizeof order / sizeof *order; k++)
    if (mask & (1u << order[k])) return (mask & ~INTS) | 1u << order[k];
  return mask;
}

static enum up_scalar choose_type(maker *m, pf_id a) {
  unsigned mask = m->mask[a] & MEANT, n = 0;
  if (!m->forced[a]) mask &= m->types;
  if (m->one_integer && !m->wide[a]) mask = one_of(mask);
  for (unsigned t = 0; t < UP_SCALAR_COUNT; t++) n += (mask >> t) & 1;
  if (n == 0) {
    if ((m->mask[a] & MEANT) == 0 && m->mask[a] != 0)
      mk_stop(m, MK_LEFT_OUT, "neither an integer nor a bool");
    else
      mk_stop(m, MK_NEVER, NULL);
    return UP_VOID;
  }
  uint32_t k = mk_choose(m, n);
  for (unsigned t = 0; t < UP_SCALAR_COUNT; t++)
    if (((mask >> t) & 1) && k-- == 0) return (enum up_scalar)t;
  return UP_VOID;
}

/* What a dtype makes impossible, once all are chosen. */
static void check_types(maker *m) {
  const pf_instance *i = m->i;
  for (pf_id a = 0; a < i->nterm; a++) {
    const pf_term *t = &i->term[a];
    if (t->literal && t->type == UP_BOOL && t->number != 0 && t->number != 1)
      mk_stop(m, MK_NEVER, NULL);
    if (t->kind == PF_OP && t->op == UP_BITCAST &&
        up_dt_bits(up_dt(t->type)) != up_dt_bits(up_dt(i->term[t->kid[0]].type)))
      mk_stop(m, MK_NEVER, NULL);
  }
}

void mk_choose_types(maker *m) {
  pf_instance *i = m->i;
  look_everywhere(m);
  for (pf_id a = 0; a < i->nterm && m->end == MK_FINE; a++) {
    pf_id r = root(m, a);
    if (r == a) {
      i->term[a].type = choose_type(m, a);
      char name[32];
      up_dt_print(up_dt(i->term[a].type), name);
      if (!m->forced[a]) mk_label(m, "%s", name);
    }
    i->term[a].type = i->term[r].type;
  }
  if (m->end == MK_FINE) check_types(m);
}
