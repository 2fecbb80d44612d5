// Atomics, as the PTX instructions themselves: the text is then the same from every version of clang.
#pragma once

#include "warpmark_cuda/vector_types.h"

#define WARPMARK_ATOMIC(name, type, instruction, constraint) \
  WARPMARK_DEVICE type name(type* address, type value) {     \
    type old;                                                \
    asm volatile("atom." instruction " %0, [%1], %2;"        \
                 : "=" constraint(old)                       \
                 : "l"(address), constraint(value)           \
                 : "memory");                                \
    return old;                                              \
  }
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

WARPMARK_DEVICE int atomicSub(int* address, int value) {
  return atomicAdd(address, -value);
}
WARPMARK_DEVICE unsigned int atomicSub(unsigned int* address, unsigned int value) {
  return atomicAdd(address, 0u - value);
}

#define WARPMARK_COMPARE_AND_SWAP(type, instruction, constraint)             \
  WARPMARK_DEVICE type atomicCAS(type* address, type expected, type value) { \
    type old;                                                                \
    asm volatile("atom." instruction " %0, [%1], %2, %3;"                    \
                 : "=" constraint(old)                                       \
                 : "l"(address), constraint(expected), constraint(value)     \
                 : "memory");                                                \
    return old;                                                              \
  }
WARPMARK_COMPARE_AND_SWAP(int, "cas.b32", "r")
WARPMARK_COMPARE_AND_SWAP(unsigned int, "cas.b32", "r")
WARPMARK_COMPARE_AND_SWAP(unsigned long long, "cas.b64", "l")

#undef WARPMARK_ATOMIC
#undef WARPMARK_ATOMIC_INTEGERS
#undef WARPMARK_ATOMIC_BITS
#undef WARPMARK_COMPARE_AND_SWAP
