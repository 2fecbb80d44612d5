// Barriers, fences, votes, shuffles and single instructions.
#pragma once

#include "warpmark_cuda/vector_types.h"

// Barriers and fences are assembly that may change memory. Of its own barrier LLVM 14 believes that it leaves
// alone what no other function can name, as a kernel's shared array: it carried values past it that another
// thread had changed meanwhile.
WARPMARK_DEVICE void warpmark_syncthreads() {
  asm volatile("bar.sync 0;" ::: "memory");
}
#define __syncthreads() warpmark_syncthreads()  // a builtin, which cannot be defined again
WARPMARK_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
WARPMARK_DEVICE void __threadfence_block() {
  asm volatile("membar.cta;" ::: "memory");
}
WARPMARK_DEVICE void __threadfence() {
  asm volatile("membar.gl;" ::: "memory");
}
WARPMARK_DEVICE void __threadfence_system() {
  asm volatile("membar.sys;" ::: "memory");
}

WARPMARK_DEVICE void __trap() {
  asm volatile("trap;");
}

WARPMARK_DEVICE int __all_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
WARPMARK_DEVICE int __any_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
WARPMARK_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}
WARPMARK_DEVICE unsigned int __activemask() {
  unsigned int mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}

// A shuffle moves 32 bits. The last operand says where a segment of `width` lanes ends (PTX, shfl.sync).
#define WARPMARK_SHUFFLE(name, mode, second, last_lane)                                                     \
  WARPMARK_DEVICE int name(unsigned int mask, int value, second lane, int width = 32) {                     \
    return __nvvm_shfl_sync_##mode##_i32(mask, value, (int)lane, ((32 - width) << 8) | last_lane);          \
  }                                                                                                         \
  WARPMARK_DEVICE unsigned int name(unsigned int mask, unsigned int value, second lane, int width = 32) {   \
    return (unsigned int)name(mask, (int)value, lane, width);                                               \
  }                                                                                                         \
  WARPMARK_DEVICE unsigned long long name(unsigned int mask, unsigned long long value, second lane,         \
                                          int width = 32) {                                                 \
    unsigned int low = name(mask, (unsigned int)value, lane, width);                                        \
    unsigned int high = name(mask, (unsigned int)(value >> 32), lane, width);                               \
    return (unsigned long long)high << 32 | low;                                                            \
  }                                                                                                         \
  WARPMARK_DEVICE long long name(unsigned int mask, long long value, second lane, int width = 32) {         \
    return (long long)name(mask, (unsigned long long)value, lane, width);                                   \
  }                                                                                                         \
  WARPMARK_DEVICE unsigned long name(unsigned int mask, unsigned long value, second lane, int width = 32) { \
    return (unsigned long)name(mask, (unsigned long long)value, lane, width);                               \
  }                                                                                                         \
  WARPMARK_DEVICE long name(unsigned int mask, long value, second lane, int width = 32) {                   \
    return (long)name(mask, (unsigned long long)value, lane, width);                                        \
  }                                                                                                         \
  WARPMARK_DEVICE float name(unsigned int mask, float value, second lane, int width = 32) {                 \
    return __builtin_bit_cast(float, name(mask, __builtin_bit_cast(int, value), lane, width));              \
  }                                                                                                         \
  WARPMARK_DEVICE double name(unsigned int mask, double value, second lane, int width = 32) {               \
    return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(long long, value), lane, width));       \
  }

WARPMARK_SHUFFLE(__shfl_sync, idx, int, 0x1f)
WARPMARK_SHUFFLE(__shfl_up_sync, up, unsigned int, 0)
WARPMARK_SHUFFLE(__shfl_down_sync, down, unsigned int, 0x1f)
WARPMARK_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)
#undef WARPMARK_SHUFFLE

#define WARPMARK_WARP_REDUCE(name, type, operation)                                              \
  WARPMARK_DEVICE type name(unsigned int mask, type value) {                                     \
    type result;                                                                                 \
    asm volatile("redux.sync." operation " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
    return result;                                                                               \
  }
WARPMARK_WARP_REDUCE(__reduce_add_sync, unsigned int, "add.u32")
WARPMARK_WARP_REDUCE(__reduce_add_sync, int, "add.s32")
WARPMARK_WARP_REDUCE(__reduce_min_sync, unsigned int, "min.u32")
WARPMARK_WARP_REDUCE(__reduce_min_sync, int, "min.s32")
WARPMARK_WARP_REDUCE(__reduce_max_sync, unsigned int, "max.u32")
WARPMARK_WARP_REDUCE(__reduce_max_sync, int, "max.s32")
WARPMARK_WARP_REDUCE(__reduce_and_sync, unsigned int, "and.b32")
WARPMARK_WARP_REDUCE(__reduce_or_sync, unsigned int, "or.b32")
WARPMARK_WARP_REDUCE(__reduce_xor_sync, unsigned int, "xor.b32")
#undef WARPMARK_WARP_REDUCE

// Loads with a hint for the cache: plain loads here.
template <typename T>
WARPMARK_DEVICE T __ldg(const T* pointer) {
  return *pointer;
}
template <typename T>
WARPMARK_DEVICE T __ldcg(const T* pointer) {
  return *pointer;
}
template <typename T>
WARPMARK_DEVICE T __ldcs(const T* pointer) {
  return *pointer;
}

WARPMARK_DEVICE int __popc(unsigned int value) {
  return __builtin_popcount(value);
}
WARPMARK_DEVICE int __popcll(unsigned long long value) {
  return __builtin_popcountll(value);
}
WARPMARK_DEVICE int __clz(int value) {
  return value == 0 ? 32 : __builtin_clz((unsigned int)value);
}
WARPMARK_DEVICE int __clzll(long long value) {
  return value == 0 ? 64 : __builtin_clzll((unsigned long long)value);
}
WARPMARK_DEVICE int __ffs(int value) {
  return __builtin_ffs(value);
}
WARPMARK_DEVICE int __ffsll(long long value) {
  return __builtin_ffsll(value);
}
WARPMARK_DEVICE unsigned int __brev(unsigned int value) {
  return __builtin_bitreverse32(value);
}
WARPMARK_DEVICE int __float_as_int(float value) {
  return __builtin_bit_cast(int, value);
}
WARPMARK_DEVICE float __int_as_float(int value) {
  return __builtin_bit_cast(float, value);
}
WARPMARK_DEVICE unsigned int __float_as_uint(float value) {
  return __builtin_bit_cast(unsigned int, value);
}
WARPMARK_DEVICE float __uint_as_float(unsigned int value) {
  return __builtin_bit_cast(float, value);
}
WARPMARK_DEVICE long long __double_as_longlong(double value) {
  return __builtin_bit_cast(long long, value);
}
WARPMARK_DEVICE double __longlong_as_double(long long value) {
  return __builtin_bit_cast(double, value);
}
