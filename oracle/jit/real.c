/* Values as doubles. All are whole, and none is so great that a sum, a difference or a product of which
 * the analysis says that it has JT_REAL_BITS is rounded. The sign of a zero tells nothing. */
#include "emit.h"

#include <string.h>

#define SHIFTER 0x1.8p52

LLVMValueRef jt_double(const jt_emitter *e, unsigned level, double v) {
  LLVMTypeRef t = e->l->LLVMDoubleTypeInContext(e->context);
  return jt_spread(e, JT_ONCE, level, e->l->LLVMConstReal(t, v));
}

LLVMValueRef jt_whole(const jt_emitter *e, unsigned level, LLVMValueRef real) {
  LLVMValueRef shifter = jt_double(e, level, SHIFTER);
  LLVMValueRef sum = jt_binary(e, level, LLVMFAdd, real, shifter);
  LLVMValueRef bits = jt_cast(e, level, LLVMBitCast, shifter, e->lane);
  return jt_binary(e, level, LLVMSub, jt_cast(e, level, LLVMBitCast, sum, e->lane), bits);
}

LLVMValueRef jt_real(const jt_emitter *e, unsigned level, uint32_t slot) {
  jt_slot *s = &e->slot[slot];
  if (!s->real) {
    LLVMValueRef shifter = jt_double(e, s->level, SHIFTER);
    LLVMValueRef bits = jt_cast(e, s->level, LLVMBitCast, shifter, e->lane);
    LLVMValueRef sum = jt_binary(e, s->level, LLVMAdd, s->value, bits);
    sum = jt_cast(e, s->level, LLVMBitCast, sum, e->l->LLVMDoubleTypeInContext(e->context));
    s->real = jt_binary(e, s->level, LLVMFSub, sum, shifter);
  }
  return jt_spread(e, s->level, level, s->real);
}

LLVMValueRef jt_call(const jt_emitter *e, unsigned level, const char *name, LLVMValueRef *arg,
                     unsigned n) {
  const jl_api *l = e->l;
  LLVMTypeRef t = l->LLVMTypeOf(arg[0]), types[2] = {t, t};
  unsigned id = l->LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef f = l->LLVMGetIntrinsicDeclaration(e->module, id, &t, 1);
  return l->LLVMBuildCall2(e->at[level], l->LLVMFunctionType(t, types, n, false), f, arg, n, "");
}

static bool small(const jt_emitter *e, uint32_t slot) {
  return e->p->ins[slot].bits <= JT_REAL_BITS;
}

/* Vectors whose operands are small, where one is a double anyway, or it is a product. */
static bool better(const jt_emitter *e, unsigned level, const pr_ins *o) {
  bool any = o->op == UP_MUL;
  if (e->bits != 64 || level != JT_LANES) return false;
  for (unsigned s = o->op == UP_WHERE; s < o->nsrc; s++) {
    if (!small(e, o->src[s])) return false;
    any = any || !e->slot[o->src[s]].value;
  }
  return any;
}

static LLVMValueRef compare(const jt_emitter *e, unsigned level, LLVMRealPredicate is,
                            LLVMValueRef a, LLVMValueRef b) {
  return e->l->LLVMBuildFCmp(e->at[level], is, a, b, "");
}

/* NULL: not one of these. */
static LLVMValueRef exact(const jt_emitter *e, unsigned level, const pr_ins *o) {
  LLVMValueRef v[3] = {NULL, NULL, NULL};
  for (unsigned s = o->op == UP_WHERE; s < o->nsrc; s++) v[s] = jt_real(e, level, o->src[s]);
  switch ((up_op)o->op) {
  case UP_ADD: return jt_binary(e, level, LLVMFAdd, v[0], v[1]);
  case UP_SUB: return jt_binary(e, level, LLVMFSub, v[0], v[1]);
  case UP_MUL: return jt_binary(e, level, LLVMFMul, v[0], v[1]);
  case UP_NEG: return jt_binary(e, level, LLVMFSub, jt_double(e, level, 0.0), v[0]);
  case UP_MAX: return jt_select(e, level, compare(e, level, LLVMRealOGT, v[0], v[1]), v[0], v[1]);
  case UP_WHERE: return jt_select(e, level, jt_truth(e, level, o->src[0]), v[1], v[2]);
  case UP_CMPLT: return compare(e, level, LLVMRealOLT, v[0], v[1]);
  case UP_CMPNE: return compare(e, level, LLVMRealUNE, v[0], v[1]);
  case UP_CMPEQ: return compare(e, level, LLVMRealOEQ, v[0], v[1]);
  default: return NULL;
  }
}

bool jt_in_reals(const jt_emitter *e, unsigned level, const pr_ins *o, jt_slot *s) {
  bool compares = o->op == UP_CMPLT || o->op == UP_CMPNE || o->op == UP_CMPEQ;
  if (!better(e, level, o)) return false;
  if (!compares && (o->type.is_bool || (o->flags & PR_REDUCE) || o->bits > JT_REAL_BITS))
    return false;
  LLVMValueRef v = exact(e, level, o);
  *(compares ? &s->truth : &s->real) = v;
  return v != NULL;
}

LLVMValueRef jt_reals_differ(const jt_emitter *e, unsigned level, uint32_t a, uint32_t b) {
  bool any = !e->slot[a].value || !e->slot[b].value;
  if (!any || !small(e, a) || !small(e, b)) return NULL;
  return compare(e, level, LLVMRealUNE, jt_real(e, level, a), jt_real(e, level, b));
}
