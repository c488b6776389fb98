/* uproof oracle: LLVM's C interface, out of a library that is opened when it is first wanted.
 * Private to oracle/jit/.
 *
 * The program is not linked with LLVM: loading it takes 20 ms, which few runs need. The headers of the
 * version that was found when uproof was configured give the types, UPROOF_LLVM_LIBRARY its file.
 */
#ifndef UPROOF_JIT_LLVM_H
#define UPROOF_JIT_LLVM_H

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/* What is taken from the library, by the name that it has there. */
#define JL_FUNCTIONS(F)                                                                            \
  F(LLVM_NATIVE_TARGETINFO)                                                                        \
  F(LLVM_NATIVE_TARGET)                                                                            \
  F(LLVM_NATIVE_TARGETMC)                                                                          \
  F(LLVM_NATIVE_ASMPRINTER)                                                                        \
  F(LLVMLinkInMCJIT)                                                                               \
  F(LLVMGetHostCPUName)                                                                            \
  F(LLVMGetHostCPUFeatures)                                                                        \
  F(LLVMDisposeMessage)                                                                            \
  F(LLVMContextCreate)                                                                             \
  F(LLVMContextDispose)                                                                            \
  F(LLVMModuleCreateWithNameInContext)                                                             \
  F(LLVMDisposeModule)                                                                             \
  F(LLVMVerifyModule)                                                                              \
  F(LLVMCreateMCJITCompilerForModule)                                                              \
  F(LLVMAddGlobalMapping)                                                                          \
  F(LLVMGetFunctionAddress)                                                                        \
  F(LLVMDisposeExecutionEngine)                                                                    \
  F(LLVMCreateStringAttribute)                                                                     \
  F(LLVMAddAttributeAtIndex)                                                                       \
  F(LLVMIntTypeInContext)                                                                          \
  F(LLVMFloatTypeInContext)                                                                        \
  F(LLVMDoubleTypeInContext)                                                                       \
  F(LLVMVectorType)                                                                                \
  F(LLVMPointerType)                                                                               \
  F(LLVMFunctionType)                                                                              \
  F(LLVMTypeOf)                                                                                    \
  F(LLVMAddFunction)                                                                               \
  F(LLVMGetParam)                                                                                  \
  F(LLVMLookupIntrinsicID)                                                                         \
  F(LLVMGetIntrinsicDeclaration)                                                                   \
  F(LLVMAppendBasicBlockInContext)                                                                 \
  F(LLVMCreateBuilderInContext)                                                                    \
  F(LLVMDisposeBuilder)                                                                            \
  F(LLVMPositionBuilderAtEnd)                                                                      \
  F(LLVMConstInt)                                                                                  \
  F(LLVMConstIntOfArbitraryPrecision)                                                              \
  F(LLVMConstReal)                                                                                 \
  F(LLVMConstVector)                                                                               \
  F(LLVMConstNull)                                                                                 \
  F(LLVMGetUndef)                                                                                  \
  F(LLVMIsConstant)                                                                                \
  F(LLVMBuildBinOp)                                                                                \
  F(LLVMBuildCast)                                                                                 \
  F(LLVMBuildFCmp)                                                                                 \
  F(LLVMBuildICmp)                                                                                 \
  F(LLVMBuildSelect)                                                                               \
  F(LLVMBuildCall2)                                                                                \
  F(LLVMBuildInsertElement)                                                                        \
  F(LLVMBuildShuffleVector)                                                                        \
  F(LLVMBuildGEP2)                                                                                 \
  F(LLVMBuildLoad2)                                                                                \
  F(LLVMBuildPhi)                                                                                  \
  F(LLVMAddIncoming)                                                                               \
  F(LLVMBuildBr)                                                                                   \
  F(LLVMBuildCondBr)                                                                               \
  F(LLVMBuildRet)

typedef struct jl_api {
#define F(name) __typeof__(name) *name;
  JL_FUNCTIONS(F)
#undef F
} jl_api;

/* Members have the names of the functions, so that l->LLVMBuildRet(...) reads as the manual does.
 * False: `why` (size bytes) says what is missing. */
bool jl_load(jl_api *l, char *why, size_t size);

#endif
