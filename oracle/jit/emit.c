/* One instruction after the other, as block_kernel.h does them: arithmetic is modulo the lane's width,
 * and a lane whose value is undefined holds any number. No value is ever poison: that would spread to
 * lanes, and to the verdict, from where it does not count. */
#include "emit.h"

#include "oracle/block.h"

#include <assert.h>

/* ---- values ---------------------------------------------------------------------------------- */

LLVMTypeRef jt_type(const jt_emitter *e, unsigned level, LLVMTypeRef scalar) {
  return level == JT_LANES && e->lanes > 1 ? e->l->LLVMVectorType(scalar, e->lanes) : scalar;
}

/* The same number in all lanes of a constant. */
static LLVMValueRef all_lanes(const jt_emitter *e, LLVMValueRef v) {
  LLVMValueRef lane[JIT_LANES];
  for (unsigned i = 0; i < e->lanes; i++) lane[i] = v;
  return e->l->LLVMConstVector(lane, e->lanes);
}

LLVMValueRef jt_number(const jt_emitter *e, unsigned level, or_i128 v) {
  const uint64_t word[2] = {(uint64_t)v, (uint64_t)((or_u128)v >> 64)};
  LLVMValueRef n = e->bits == 128 ? e->l->LLVMConstIntOfArbitraryPrecision(e->lane, 2, word)
                                  : e->l->LLVMConstInt(e->lane, word[0], false);
  return level == JT_LANES && e->lanes > 1 ? all_lanes(e, n) : n;
}

LLVMValueRef jt_spread(const jt_emitter *e, unsigned from, unsigned to, LLVMValueRef v) {
  if (to != JT_LANES || from == JT_LANES || e->lanes == 1) return v;
  if (e->l->LLVMIsConstant(v)) return all_lanes(e, v);
  LLVMTypeRef i32 = e->l->LLVMIntTypeInContext(e->context, 32);
  LLVMTypeRef wide = e->l->LLVMVectorType(e->l->LLVMTypeOf(v), e->lanes);
  LLVMValueRef none = e->l->LLVMGetUndef(wide), zero = e->l->LLVMConstInt(i32, 0, false);
  LLVMValueRef first = e->l->LLVMBuildInsertElement(e->at[from], none, v, zero, "");
  return e->l->LLVMBuildShuffleVector(e->at[from], first, none, all_lanes(e, zero), "");
}

LLVMValueRef jt_binary(const jt_emitter *e, unsigned level, LLVMOpcode op, LLVMValueRef a,
                       LLVMValueRef b) {
  return e->l->LLVMBuildBinOp(e->at[level], op, a, b, "");
}

LLVMValueRef jt_compare(const jt_emitter *e, unsigned level, LLVMIntPredicate is, LLVMValueRef a,
                        LLVMValueRef b) {
  return e->l->LLVMBuildICmp(e->at[level], is, a, b, "");
}

LLVMValueRef jt_select(const jt_emitter *e, unsigned level, LLVMValueRef c, LLVMValueRef a,
                       LLVMValueRef b) {
  return e->l->LLVMBuildSelect(e->at[level], c, a, b, "");
}

LLVMValueRef jt_cast(const jt_emitter *e, unsigned level, LLVMOpcode op, LLVMValueRef a,
                     LLVMTypeRef scalar) {
  return e->l->LLVMBuildCast(e->at[level], op, a, jt_type(e, level, scalar), "");
}

static LLVMValueRef lane(const jt_emitter *e, jt_slot *s) {
  if (!s->value) s->value = jt_whole(e, s->level, s->real);
  return s->value;
}

LLVMValueRef jt_value(const jt_emitter *e, unsigned level, uint32_t slot) {
  return jt_spread(e, e->slot[slot].level, level, lane(e, &e->slot[slot]));
}

static LLVMValueRef is_true(const jt_emitter *e, unsigned level, LLVMValueRef v) {
  return jt_compare(e, level, LLVMIntNE, v, jt_number(e, level, 0));
}

LLVMValueRef jt_truth(const jt_emitter *e, unsigned level, uint32_t slot) {
  const jt_slot *s = &e->slot[slot];
  if (s->truth) return jt_spread(e, s->level, level, s->truth);
  return is_true(e, level, jt_value(e, level, slot));
}

/* ---- definedness: NULL stands for true ------------------------------------------------------- */

static LLVMValueRef defined_at(const jt_emitter *e, unsigned level, uint32_t slot) {
  const jt_slot *s = &e->slot[slot];
  return s->defined ? jt_spread(e, s->level, level, s->defined) : NULL;
}

static LLVMValueRef both(const jt_emitter *e, unsigned level, LLVMValueRef a, LLVMValueRef b) {
  return a && b ? jt_binary(e, level, LLVMAnd, a, b) : a ? a : b;
}

static LLVMValueRef always(const jt_emitter *e, unsigned level) {
  return jt_spread(e, JT_ONCE, level, e->l->LLVMConstInt(e->truth, 1, false));
}

static LLVMValueRef inherit(const jt_emitter *e, unsigned level, const pr_ins *o) {
  LLVMValueRef d[3] = {NULL, NULL, NULL};
  for (unsigned s = 0; s < o->nsrc; s++) d[s] = defined_at(e, level, o->src[s]);
  if (o->op != UP_WHERE) return both(e, level, both(e, level, d[0], d[1]), d[2]);
  if (!d[1] && !d[2]) return d[0];
  LLVMValueRef taken = jt_select(e, level, jt_truth(e, level, o->src[0]),
                                 d[1] ? d[1] : always(e, level), d[2] ? d[2] : always(e, level));
  return both(e, level, d[0], taken);
}

/* lo <= v <= hi; a bound that no lane can pass is left out. */
static LLVMValueRef within(const jt_emitter *e, unsigned level, LLVMValueRef v, or_i128 lo,
                           or_i128 hi) {
  or_i128 most = (or_i128)(((or_u128)1 << (e->bits - 1)) - 1);
  LLVMValueRef above = NULL, below = NULL;
  if (lo > -most - 1)
    above = jt_compare(e, level, LLVMIntSGE, v, jt_number(e, level, lo < most ? lo : most));
  if (hi < most)
    below =
        jt_compare(e, level, LLVMIntSLE, v, jt_number(e, level, hi > -most - 1 ? hi : -most - 1));
  return both(e, level, above, below);
}

/* Of the instruction itself, while the slot has the exact result. */
static LLVMValueRef define(const jt_emitter *e, const pr_ins *o, jt_slot *s) {
  unsigned level = s->level;
  LLVMValueRef d = NULL;
  if (o->flags & PR_ZERO) d = is_true(e, level, jt_value(e, level, o->src[1]));
  if (o->flags & PR_SHIFT) {
    or_i128 most = e->p->frame == OR_REFINE ? (or_i128)o->type.bits - 1 : OR_I128_MAX;
    d = both(e, level, d, within(e, level, jt_value(e, level, o->src[1]), 0, most));
  }
  if (o->flags & PR_CHECK)
    d = both(e, level, d, within(e, level, lane(e, s), fr_min(o->type), fr_max(o->type)));
  return d;
}

/* ---- operations ------------------------------------------------------------------------------ */

static LLVMValueRef extend(const jt_emitter *e, unsigned level, LLVMValueRef truth) {
  return jt_cast(e, level, LLVMZExt, truth, e->lane);
}

static LLVMValueRef shift(const jt_emitter *e, unsigned level, const pr_ins *o) {
  const pr_ins *amount = &e->p->ins[o->src[1]];
  LLVMValueRef a = jt_value(e, level, o->src[0]), b = jt_value(e, level, o->src[1]);
  bool left = o->op == UP_SHL;
  if (amount->value.lo >= 0 && amount->value.hi < (or_i128)e->bits && !(amount->flags & PR_UNDEF))
    return left && o->type.is_bool ? a : jt_binary(e, level, left ? LLVMShl : LLVMAShr, a, b);
  LLVMValueRef zero = jt_number(e, level, 0), last = jt_number(e, level, (or_i128)e->bits - 1);
  LLVMValueRef negative = jt_compare(e, level, LLVMIntSLT, b, zero);
  LLVMValueRef far = jt_compare(e, level, LLVMIntUGT, b, last); /* or negative */
  LLVMValueRef s = jt_select(e, level, far, last, b), r = a;
  if (!left)
    r = jt_binary(e, level, LLVMAShr, a, s);
  else if (!o->type.is_bool)
    r = jt_select(e, level, far, zero, jt_binary(e, level, LLVMShl, a, s));
  return jt_select(e, level, negative, zero, r);
}

static LLVMIntPredicate predicate(up_op op) {
  return op == UP_CMPLT ? LLVMIntSLT : op == UP_CMPNE ? LLVMIntNE : LLVMIntEQ;
}

/* The exact result; of a comparison, its truth. */
static LLVMValueRef exact(const jt_emitter *e, unsigned level, const pr_ins *o) {
  LLVMValueRef v[3] = {NULL, NULL, NULL};
  for (unsigned s = 0; s < o->nsrc; s++) v[s] = jt_value(e, level, o->src[s]);
  switch ((up_op)o->op) {
  case UP_ADD: return jt_binary(e, level, LLVMAdd, v[0], v[1]);
  case UP_SUB: return jt_binary(e, level, LLVMSub, v[0], v[1]);
  case UP_MUL: return jt_binary(e, level, LLVMMul, v[0], v[1]);
  case UP_MULACC:
    return jt_binary(e, level, LLVMAdd, jt_binary(e, level, LLVMMul, v[0], v[1]), v[2]);
  case UP_NEG: return jt_binary(e, level, LLVMSub, jt_number(e, level, 0), v[0]);
  case UP_MAX: return jt_select(e, level, jt_compare(e, level, LLVMIntSGT, v[0], v[1]), v[0], v[1]);
  case UP_SHL:
  case UP_SHR: return shift(e, level, o);
  case UP_AND: return jt_binary(e, level, LLVMAnd, v[0], v[1]);
  case UP_OR: return jt_binary(e, level, LLVMOr, v[0], v[1]);
  case UP_XOR: return jt_binary(e, level, LLVMXor, v[0], v[1]);
  case UP_CMPLT:
  case UP_CMPNE:
  case UP_CMPEQ: return jt_compare(e, level, predicate((up_op)o->op), v[0], v[1]);
  case UP_WHERE: return jt_select(e, level, jt_truth(e, level, o->src[0]), v[1], v[2]);
  default: return v[0]; /* CAST, BITCAST, TRUNC: the finish does the rest */
  }
}

static LLVMValueRef reduce(const jt_emitter *e, unsigned level, fr_type t, LLVMValueRef v) {
  if (t.bits >= e->bits) return v;
  if (!t.is_signed) return jt_binary(e, level, LLVMAnd, v, jt_number(e, level, fr_max(t)));
  LLVMValueRef s = jt_number(e, level, (or_i128)(e->bits - t.bits));
  return jt_binary(e, level, LLVMAShr, jt_binary(e, level, LLVMShl, v, s), s);
}

/* ---- slots ----------------------------------------------------------------------------------- */

static LLVMValueRef load(const jt_emitter *e, unsigned level, LLVMValueRef from, LLVMValueRef at) {
  LLVMValueRef p = e->l->LLVMBuildGEP2(e->at[level], e->lane, from, &at, 1, "");
  LLVMTypeRef t = jt_type(e, level, e->lane);
  p = e->l->LLVMBuildCast(e->at[level], LLVMBitCast, p, e->l->LLVMPointerType(t, 0), "");
  return e->l->LLVMBuildLoad2(e->at[level], t, p, "");
}

static LLVMValueRef variable(const jt_emitter *e, uint32_t var, unsigned *level) {
  const jit_plan *plan = e->plan;
  LLVMTypeRef i64 = e->l->LLVMIntTypeInContext(e->context, 64);
  *level = JT_BLOCK;
  LLVMValueRef base = var == plan->base ? e->start : NULL;
  if (plan->row[var] == BL_NONE) {
    if (base) return base;
    *level = JT_ONCE;
    return load(e, JT_ONCE, e->values, e->l->LLVMConstInt(i64, var, false));
  }
  *level = JT_LANES;
  uint64_t first = (uint64_t)plan->row[var] * plan->length;
  LLVMValueRef at =
      jt_binary(e, JT_LANES, LLVMAdd, e->index, e->l->LLVMConstInt(i64, first, false));
  LLVMValueRef row = load(e, JT_LANES, e->rows, at);
  return base ? jt_binary(e, JT_LANES, LLVMAdd, jt_spread(e, JT_BLOCK, JT_LANES, base), row) : row;
}

static void leaf(const jt_emitter *e, const pr_ins *o, jt_slot *s) {
  bool constant = o->op == UP_CONST;
  pr_range number = {o->number, o->number};
  pr_range declared = constant ? number : e->p->var[o->var].domain;
  s->level = JT_ONCE;
  s->value = constant ? jt_number(e, JT_ONCE, o->number) : variable(e, o->var, &s->level);
  s->defined = define(e, o, s);
  if (o->type.is_bool && (declared.lo < 0 || declared.hi > 1))
    s->value = extend(e, s->level, is_true(e, s->level, s->value));
  else if ((o->flags & PR_REDUCE) && !(o->flags & PR_CHECK))
    s->value = reduce(e, s->level, o->type, s->value);
}

/* 0 and 1 stay so. */
static bool keeps_bool(const jt_emitter *e, const pr_ins *o) {
  bool logic = o->op == UP_AND || o->op == UP_OR || o->op == UP_XOR || o->op == UP_MAX;
  for (unsigned s = o->op == UP_WHERE; s < o->nsrc; s++) {
    if (!e->p->ins[o->src[s]].type.is_bool) return false;
  }
  return logic || o->op == UP_WHERE;
}

static void inner(const jt_emitter *e, const pr_ins *o, jt_slot *s) {
  for (unsigned i = 0; i < o->nsrc; i++) {
    unsigned level = e->slot[o->src[i]].level;
    if (level > s->level) s->level = level;
  }
  bool compares = o->op == UP_CMPLT || o->op == UP_CMPNE || o->op == UP_CMPEQ;
  if (up_op_divides((up_op)o->op))
    jt_divide(e, s->level, o, s);
  else if (!jt_in_reals(e, s->level, o, s))
    *(compares ? &s->truth : &s->value) = exact(e, s->level, o);
  if (o->flags & PR_UNDEF) s->defined = both(e, s->level, inherit(e, s->level, o), define(e, o, s));
  if (o->type.is_bool && !compares && !keeps_bool(e, o))
    s->truth = is_true(e, s->level, lane(e, s));
  if (s->truth)
    s->value = extend(e, s->level, s->truth);
  else if (o->flags & PR_REDUCE)
    s->value = reduce(e, s->level, o->type, lane(e, s));
  if (s->truth || (o->flags & PR_REDUCE)) s->real = NULL;
}

/* ---- roots ----------------------------------------------------------------------------------- */

static LLVMValueRef never(const jt_emitter *e) {
  return jt_spread(e, JT_ONCE, JT_LANES, e->l->LLVMConstInt(e->truth, 0, false));
}

/* NULL stands for true here too. */
static LLVMValueRef invert(const jt_emitter *e, LLVMValueRef truth) {
  return truth ? jt_binary(e, JT_LANES, LLVMXor, truth, always(e, JT_LANES)) : never(e);
}

static LLVMValueRef claim_fails(const jt_emitter *e, pr_range c, LLVMValueRef v) {
  or_i128 most = (or_i128)(((or_u128)1 << (e->bits - 1)) - 1);
  if (c.lo > most || c.hi < -most - 1) return always(e, JT_LANES); /* no lane has such a value */
  return invert(e, within(e, JT_LANES, v, c.lo, c.hi));
}

/* Fails where the original is defined and (the values differ or the other is undefined). */
static LLVMValueRef fails(const jt_emitter *e, uint32_t root) {
  const pr_pair *r = &e->p->root[root];
  LLVMValueRef bad;
  if (e->plan->claim)
    bad = claim_fails(e, e->plan->claim[root], jt_value(e, JT_LANES, r->a));
  else if (!(bad = jt_reals_differ(e, JT_LANES, r->a, r->b)))
    bad = jt_compare(e, JT_LANES, LLVMIntNE, jt_value(e, JT_LANES, r->a),
                     jt_value(e, JT_LANES, r->b));
  LLVMValueRef db = r->b != r->a ? defined_at(e, JT_LANES, r->b) : NULL;
  if (db) bad = jt_binary(e, JT_LANES, LLVMOr, bad, invert(e, db));
  return both(e, JT_LANES, bad, defined_at(e, JT_LANES, r->a));
}

LLVMValueRef jt_program(jt_emitter *e) {
  const pr_program *p = e->p;
  LLVMValueRef any = never(e);
  for (uint32_t i = 0; i < p->n; i++) {
    e->slot[i] = (jt_slot){.level = JT_ONCE};
    if (p->ins[i].nsrc == 0)
      leaf(e, &p->ins[i], &e->slot[i]);
    else
      inner(e, &p->ins[i], &e->slot[i]);
  }
  for (uint32_t i = 0; i < e->plan->root_limit; i++) {
    if (pr_settled(p, e->plan->claim, i)) continue;
    any = jt_binary(e, JT_LANES, LLVMOr, fails(e, i), any);
  }
  for (uint32_t i = 0; i < p->nassume; i++) {
    LLVMValueRef holds = jt_truth(e, JT_LANES, p->assume[i]);
    any = both(e, JT_LANES, any, both(e, JT_LANES, holds, defined_at(e, JT_LANES, p->assume[i])));
  }
  return any;
}
