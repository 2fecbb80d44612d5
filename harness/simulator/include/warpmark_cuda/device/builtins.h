// threadIdx, blockIdx, blockDim and gridDim: objects without storage, whose members read special registers.
#pragma once

#include "warpmark_cuda/types/vector_types.h"

#define WARPMARK_MEMBER(member, special_register)               \
  __declspec(property(get = get_##member)) unsigned int member; \
  WARPMARK_DEVICE unsigned int get_##member() {                 \
    return __nvvm_read_ptx_sreg_##special_register();           \
  }

// Defines a built-in variable that converts to uint3 and dim3. A copy made by `auto` has the same type and
// still reads the special registers.
#define WARPMARK_BUILTIN(variable, sreg)                                                                     \
  struct __warpmark_##variable {                                                                             \
    WARPMARK_MEMBER(x, sreg##_x)                                                                             \
    WARPMARK_MEMBER(y, sreg##_y)                                                                             \
    WARPMARK_MEMBER(z, sreg##_z)                                                                             \
    __device__ __attribute__((always_inline, nodebug)) operator uint3() const { return uint3{x, y, z}; }     \
    __device__ __attribute__((always_inline, nodebug)) operator dim3() const { return dim3(x, y, z); }       \
    __device__ __attribute__((always_inline, nodebug)) __warpmark_##variable(const __warpmark_##variable&) { \
    }                                                                                                        \
                                                                                                             \
   private:                                                                                                  \
    __device__ __warpmark_##variable();                                                                      \
    __device__ void operator=(const __warpmark_##variable&) const;                                           \
    __device__ __warpmark_##variable* operator&() const;                                                     \
  };                                                                                                         \
  extern const __device__ __attribute__((weak)) __warpmark_##variable variable;

WARPMARK_BUILTIN(threadIdx, tid)
WARPMARK_BUILTIN(blockIdx, ctaid)
WARPMARK_BUILTIN(blockDim, ntid)
WARPMARK_BUILTIN(gridDim, nctaid)

#undef WARPMARK_MEMBER
#undef WARPMARK_BUILTIN

__device__ const int warpSize = 32;
