/* The function around the instructions, and LLVM's way from there to machine code. */
#include "emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "uproof_blocks"
#define VECTOR_BITS 256u

typedef struct compiled {
  jl_api api;
  LLVMContextRef context;
  LLVMExecutionEngineRef engine; /* owns the module; NULL: none yet */
} compiled;

/* Of lanes of 128 bits; the runtime's functions for it need not be found by LLVM. */
static or_i128 divide(or_i128 a, or_i128 b) { return a / b; }
static or_i128 modulo(or_i128 a, or_i128 b) { return a % b; }

/* ---- the function ---------------------------------------------------------------------------- */

static LLVMValueRef phi(const jt_emitter *e, unsigned level, LLVMTypeRef t, LLVMValueRef first,
                        LLVMBasicBlockRef from) {
  LLVMValueRef v = e->l->LLVMBuildPhi(e->at[level], t, "");
  e->l->LLVMAddIncoming(v, &first, &from, 1);
  return v;
}

static LLVMValueRef none_set(const jt_emitter *e, LLVMValueRef seen) {
  LLVMTypeRef whole = e->l->LLVMIntTypeInContext(e->context, e->bits * e->lanes);
  LLVMValueRef bits = e->l->LLVMBuildCast(e->at[JT_LANES], LLVMBitCast, seen, whole, "");
  LLVMValueRef zero = e->l->LLVMConstInt(whole, 0, false);
  return e->l->LLVMBuildICmp(e->at[JT_LANES], LLVMIntEQ, bits, zero, "");
}

/* The start of the first block, and where blocks and lanes are counted. */
typedef struct counters {
  LLVMTypeRef i64;
  LLVMBasicBlockRef block[4]; /* once, head of a block, loop over lanes, end of a block */
  LLVMValueRef k, seen;
} counters;

static counters put_heads(jt_emitter *e, LLVMValueRef f) {
  const jl_api *l = e->l;
  counters c = {.i64 = l->LLVMIntTypeInContext(e->context, 64)};
  for (unsigned i = 0; i < 4; i++) c.block[i] = l->LLVMAppendBasicBlockInContext(e->context, f, "");
  for (unsigned i = 0; i < JT_LEVELS; i++) l->LLVMPositionBuilderAtEnd(e->at[i], c.block[i]);
  LLVMValueRef base = l->LLVMConstInt(c.i64, e->plan->base, false);
  LLVMValueRef zero = l->LLVMConstInt(c.i64, 0, false), none = jt_number(e, JT_LANES, 0);
  LLVMValueRef p = l->LLVMBuildGEP2(e->at[JT_ONCE], e->lane, e->values, &base, 1, "");
  LLVMValueRef start = l->LLVMBuildLoad2(e->at[JT_ONCE], e->lane, p, "");
  c.k = phi(e, JT_BLOCK, c.i64, zero, c.block[JT_ONCE]);
  e->start = phi(e, JT_BLOCK, e->lane, start, c.block[JT_ONCE]);
  e->index = phi(e, JT_LANES, c.i64, zero, c.block[JT_BLOCK]);
  c.seen = phi(e, JT_LANES, jt_type(e, JT_LANES, e->lane), none, c.block[JT_BLOCK]);
  return c;
}

/* Ends of the three levels, and of the function. */
static void put_ends(jt_emitter *e, LLVMValueRef f, counters *c, LLVMValueRef bad) {
  const jl_api *l = e->l;
  LLVMBasicBlockRef done = l->LLVMAppendBasicBlockInContext(e->context, f, "");
  LLVMBuilderRef b = e->at[JT_LANES];
  l->LLVMBuildBr(e->at[JT_ONCE], c->block[1]);
  l->LLVMBuildBr(e->at[JT_BLOCK], c->block[2]);
  LLVMValueRef wide = jt_cast(e, JT_LANES, LLVMSExt, bad, e->lane);
  LLVMValueRef seen = jt_binary(e, JT_LANES, LLVMOr, c->seen, wide);
  LLVMValueRef i =
      l->LLVMBuildBinOp(b, LLVMAdd, e->index, l->LLVMConstInt(c->i64, e->lanes, 0), "");
  LLVMValueRef length = l->LLVMConstInt(c->i64, e->plan->length, false);
  LLVMValueRef more = l->LLVMBuildICmp(b, LLVMIntULT, i, length, "");
  l->LLVMAddIncoming(e->index, &i, &c->block[2], 1);
  l->LLVMAddIncoming(c->seen, &seen, &c->block[2], 1);
  l->LLVMBuildCondBr(b, more, c->block[2], c->block[3]);

  l->LLVMPositionBuilderAtEnd(b, c->block[3]);
  LLVMValueRef clean = none_set(e, seen);
  LLVMValueRef k =
      l->LLVMBuildBinOp(b, LLVMAdd, c->k, l->LLVMBuildCast(b, LLVMZExt, clean, c->i64, ""), "");
  LLVMValueRef step = jt_number(e, JT_BLOCK, (or_i128)e->plan->step);
  LLVMValueRef start = l->LLVMBuildBinOp(b, LLVMAdd, e->start, step, "");
  LLVMValueRef left = l->LLVMBuildICmp(b, LLVMIntULT, k, l->LLVMGetParam(f, 2), "");
  LLVMValueRef go = l->LLVMBuildBinOp(b, LLVMAnd, clean, left, "");
  l->LLVMAddIncoming(c->k, &k, &c->block[3], 1);
  l->LLVMAddIncoming(e->start, &start, &c->block[3], 1);
  l->LLVMBuildCondBr(b, go, c->block[1], done);
  l->LLVMPositionBuilderAtEnd(b, done);
  l->LLVMBuildRet(b, k);
}

static LLVMValueRef declare(const jt_emitter *e, const char *name) {
  LLVMTypeRef types[2] = {e->lane, e->lane};
  return e->l->LLVMAddFunction(e->module, name, e->l->LLVMFunctionType(e->lane, types, 2, false));
}

/* What the processor has that runs this. */
static void set_target(const jt_emitter *e, LLVMValueRef f) {
  const jl_api *l = e->l;
  char *value[2] = {l->LLVMGetHostCPUName(), l->LLVMGetHostCPUFeatures()};
  static const char *const name[2] = {"target-cpu", "target-features"};
  for (unsigned i = 0; i < 2; i++) {
    LLVMAttributeRef a = l->LLVMCreateStringAttribute(
        e->context, name[i], (unsigned)strlen(name[i]), value[i], (unsigned)strlen(value[i]));
    l->LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
    l->LLVMDisposeMessage(value[i]);
  }
}

static void put_function(jt_emitter *e) {
  const jl_api *l = e->l;
  LLVMTypeRef i64 = l->LLVMIntTypeInContext(e->context, 64), p = l->LLVMPointerType(e->lane, 0);
  LLVMTypeRef types[3] = {p, p, i64};
  LLVMValueRef f = l->LLVMAddFunction(e->module, NAME, l->LLVMFunctionType(i64, types, 3, false));
  set_target(e, f);
  e->rows = l->LLVMGetParam(f, 0);
  e->values = l->LLVMGetParam(f, 1);
  e->divide = e->bits == 128 ? declare(e, "uproof_divide") : NULL;
  e->modulo = e->bits == 128 ? declare(e, "uproof_modulo") : NULL;
  counters c = put_heads(e, f);
  put_ends(e, f, &c, jt_program(e));
}

static bool emit(const jit_plan *plan, compiled *c, LLVMModuleRef module, jt_emitter *e) {
  const jl_api *l = &c->api;
  *e = (jt_emitter){.l = l, .plan = plan, .p = plan->p, .context = c->context, .module = module};
  e->slot = calloc(plan->p->n, sizeof *e->slot);
  if (!e->slot) return false;
  e->bits = plan->p->bits <= 32 ? 32 : plan->p->bits <= 64 ? 64 : 128;
  e->lanes = e->bits == 128 ? 1 : VECTOR_BITS / e->bits;
  e->lane = l->LLVMIntTypeInContext(c->context, e->bits);
  e->truth = l->LLVMIntTypeInContext(c->context, 1);
  for (unsigned i = 0; i < JT_LEVELS; i++) e->at[i] = l->LLVMCreateBuilderInContext(c->context);
  put_function(e);
  for (unsigned i = 0; i < JT_LEVELS; i++) l->LLVMDisposeBuilder(e->at[i]);
  free(e->slot);
  return true;
}

/* ---- machine code ---------------------------------------------------------------------------- */

static bool fail(const jl_api *l, char *why, const char *what, char *message) {
  snprintf(why, JIT_WHY, "%s%.80s", what, message ? message : "");
  if (message) l->LLVMDisposeMessage(message);
  return false;
}

static bool translate(const jit_plan *plan, compiled *c, jit_code *out, char *why) {
  const jl_api *l = &c->api;
  jt_emitter e;
  char *message = NULL;
  LLVMModuleRef module = l->LLVMModuleCreateWithNameInContext(NAME, c->context);
  bool ok = emit(plan, c, module, &e);
  if (!ok) snprintf(why, JIT_WHY, "no memory");
  if (ok && l->LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
    ok = fail(l, why, "not well formed: ", message);
  else if (message)
    l->LLVMDisposeMessage(message);
  message = NULL;
  struct LLVMMCJITCompilerOptions o = {.OptLevel = 2, .CodeModel = LLVMCodeModelJITDefault};
  if (!ok) {
    l->LLVMDisposeModule(module);
    return false;
  }
  if (l->LLVMCreateMCJITCompilerForModule(&c->engine, module, &o, sizeof o, &message)) {
    c->engine = NULL;
    return fail(l, why, "no engine: ", message);
  }
  if (e.divide) l->LLVMAddGlobalMapping(c->engine, e.divide, (void *)(uintptr_t)divide);
  if (e.modulo) l->LLVMAddGlobalMapping(c->engine, e.modulo, (void *)(uintptr_t)modulo);
  uint64_t at = l->LLVMGetFunctionAddress(c->engine, NAME);
  out->run = (jit_function *)(uintptr_t)at;
  out->own = c;
  return at ? true : fail(l, why, "no code", NULL);
}

bool jit_compile(const jit_plan *plan, jit_code *out, char *why) {
  compiled *c = calloc(1, sizeof *c);
  if (!c) return fail(NULL, why, "no memory", NULL);
  if (!jl_load(&c->api, why, JIT_WHY)) {
    free(c);
    return false;
  }
  const jl_api *l = &c->api;
  l->LLVM_NATIVE_TARGETINFO();
  l->LLVM_NATIVE_TARGET();
  l->LLVM_NATIVE_TARGETMC();
  l->LLVM_NATIVE_ASMPRINTER();
  l->LLVMLinkInMCJIT();
  c->context = l->LLVMContextCreate();
  if (translate(plan, c, out, why)) return true;
  jit_free(&(jit_code){.own = c});
  return false;
}

void jit_free(jit_code *code) {
  compiled *c = code->own;
  if (c->engine) c->api.LLVMDisposeExecutionEngine(c->engine);
  c->api.LLVMContextDispose(c->context);
  free(c);
  *code = (jit_code){0};
}
