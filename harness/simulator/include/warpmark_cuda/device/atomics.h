// CUDA's atomic functions as inline PTX, so that every version of clang emits the same instructions.
#pragma once

#include "warpmark_cuda/types/vector_types.h"

// Defines an atomic function in its three scopes: device (atomicAdd), block (atomicAdd_block), system
// (atomicAdd_system).
#define WARPMARK_ATOMIC_FORM(name, scope, type, instruction, constraint) \
  WARPMARK_DEVICE type name(type* address, type value) {                 \
    type old;                                                            \
    asm volatile("atom" scope "." instruction " %0, [%1], %2;"           \
                 : "=" constraint(old)                                   \
                 : "l"(address), constraint(value)                       \
                 : "memory");                                            \
    return old;                                                          \
  }
#define WARPMARK_ATOMIC(name, type, instruction, constraint)                \
  WARPMARK_ATOMIC_FORM(name, "", type, instruction, constraint)             \
  WARPMARK_ATOMIC_FORM(name##_block, ".cta", type, instruction, constraint) \
  WARPMARK_ATOMIC_FORM(name##_system, ".sys", type, instruction, constraint)
#define WARPMARK_ATOMIC_INTEGERS(name, operation)            \
  WARPMARK_ATOMIC(name, int, operation ".s32", "r")          \
  WARPMARK_ATOMIC(name, unsigned int, operation ".u32", "r") \
  WARPMARK_ATOMIC(name, long long, operation ".s64", "l")    \
  WARPMARK_ATOMIC(name, unsigned long long, operation ".u64", "l")
#define WARPMARK_ATOMIC_BITS(name, operation)                \
  WARPMARK_ATOMIC(name, int, operation ".b32", "r")          \
  WARPMARK_ATOMIC(name, unsigned int, operation ".b32", "r") \
  WARPMARK_ATOMIC(name, unsigned long long, operation ".b64", "l")

WARPMARK_ATOMIC(atomicAdd, int, "add.u32", "r")
WARPMARK_ATOMIC(atomicAdd, unsigned int, "add.u32", "r")
WARPMARK_ATOMIC(atomicAdd, unsigned long long, "add.u64", "l")
WARPMARK_ATOMIC(atomicAdd, float, "add.f32", "f")
WARPMARK_ATOMIC(atomicAdd, double, "add.f64", "d")
WARPMARK_ATOMIC_INTEGERS(atomicMin, "min")
WARPMARK_ATOMIC_INTEGERS(atomicMax, "max")
WARPMARK_ATOMIC_BITS(atomicAnd, "and")
WARPMARK_ATOMIC_BITS(atomicOr, "or")
WARPMARK_ATOMIC_BITS(atomicXor, "xor")
WARPMARK_ATOMIC_BITS(atomicExch, "exch")
WARPMARK_ATOMIC(atomicExch, float, "exch.b32", "f")
WARPMARK_ATOMIC(atomicInc, unsigned int, "inc.u32", "r")
WARPMARK_ATOMIC(atomicDec, unsigned int, "dec.u32", "r")

#define WARPMARK_ATOMIC_SUB(form, type)                                \
  WARPMARK_DEVICE type atomicSub##form(type* address, type value) {    \
    return atomicAdd##form(address, (type)(0u - (unsigned int)value)); \
  }
WARPMARK_ATOMIC_SUB(, int)
WARPMARK_ATOMIC_SUB(, unsigned int)
WARPMARK_ATOMIC_SUB(_block, int)
WARPMARK_ATOMIC_SUB(_block, unsigned int)
WARPMARK_ATOMIC_SUB(_system, int)
WARPMARK_ATOMIC_SUB(_system, unsigned int)

#define WARPMARK_COMPARE_AND_SWAP_FORM(name, scope, type, bits, constraint) \
  WARPMARK_DEVICE type name(type* address, type expected, type value) {     \
    type old;                                                               \
    asm volatile("atom" scope ".cas." bits " %0, [%1], %2, %3;"             \
                 : "=" constraint(old)                                      \
                 : "l"(address), constraint(expected), constraint(value)    \
                 : "memory");                                               \
    return old;                                                             \
  }
#define WARPMARK_COMPARE_AND_SWAP(type, bits, constraint)                         \
  WARPMARK_COMPARE_AND_SWAP_FORM(atomicCAS, "", type, bits, constraint)           \
  WARPMARK_COMPARE_AND_SWAP_FORM(atomicCAS_block, ".cta", type, bits, constraint) \
  WARPMARK_COMPARE_AND_SWAP_FORM(atomicCAS_system, ".sys", type, bits, constraint)
WARPMARK_COMPARE_AND_SWAP(int, "b32", "r")
WARPMARK_COMPARE_AND_SWAP(unsigned int, "b32", "r")
WARPMARK_COMPARE_AND_SWAP(unsigned long long, "b64", "l")
WARPMARK_COMPARE_AND_SWAP(unsigned short, "b16", "h")

#undef WARPMARK_ATOMIC_FORM
#undef WARPMARK_ATOMIC
#undef WARPMARK_ATOMIC_INTEGERS
#undef WARPMARK_ATOMIC_BITS
#undef WARPMARK_ATOMIC_SUB
#undef WARPMARK_COMPARE_AND_SWAP
#undef WARPMARK_COMPARE_AND_SWAP_FORM
