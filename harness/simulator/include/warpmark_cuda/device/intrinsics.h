// Intrinsics for barriers, fences, votes, shuffles, and loads and stores with cache hints.
#pragma once

#include <time.h>

#include "warpmark_cuda/types/vector_types.h"

// Barriers and fences are inline assembly with a memory clobber. The barrier intrinsic of LLVM 14 does not
// suffice: LLVM assumes that it leaves memory unchanged that no other function can access, such as a kernel's
// shared array, and keeps values in registers across it although other threads change them.
WARPMARK_DEVICE void warpmark_syncthreads() {
  asm volatile("bar.sync 0;" ::: "memory");
}
// __syncthreads is a macro, because clang does not allow redefining its builtin of that name.
#define __syncthreads() warpmark_syncthreads()
WARPMARK_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
// Waits at a named barrier for the whole block or, with a second argument, for that number of threads.
WARPMARK_DEVICE void __barrier_sync(unsigned int number) {
  asm volatile("barrier.sync %0;" ::"r"(number) : "memory");
}
WARPMARK_DEVICE void __barrier_sync_count(unsigned int number, unsigned int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
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

// Defines a shuffle for 32-bit types; 64-bit values take two. last_lane is the last operand of PTX's
// shfl.sync, which encodes the segments of `width` lanes.
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

// Returns the mask of lanes with the same value. The 64-bit overload combines the matches of both 32-bit
// halves.
WARPMARK_DEVICE unsigned int __match_any_sync(unsigned int mask, unsigned int value) {
  unsigned int equal;
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(equal) : "r"(value), "r"(mask));
  return equal;
}
WARPMARK_DEVICE unsigned int __match_any_sync(unsigned int mask, unsigned long long value) {
  return __match_any_sync(mask, (unsigned int)value) & __match_any_sync(mask, (unsigned int)(value >> 32));
}
#define WARPMARK_MATCH(type, as)                                                 \
  WARPMARK_DEVICE unsigned int __match_any_sync(unsigned int mask, type value) { \
    return __match_any_sync(mask, __builtin_bit_cast(as, value));                \
  }
WARPMARK_MATCH(int, unsigned int)
WARPMARK_MATCH(float, unsigned int)
WARPMARK_MATCH(long, unsigned long long)
WARPMARK_MATCH(unsigned long, unsigned long long)
WARPMARK_MATCH(long long, unsigned long long)
WARPMARK_MATCH(double, unsigned long long)
#undef WARPMARK_MATCH
template <typename T>
WARPMARK_DEVICE unsigned int __match_all_sync(unsigned int mask, T value, int* all) {
  *all = __match_any_sync(mask, value) == mask;
  return *all ? mask : 0;
}

// Block barriers with a predicate reduction: __syncthreads_count, _and, _or.
#define WARPMARK_SYNC_AND(name, operation)                                                   \
  WARPMARK_DEVICE int name(int predicate) {                                                  \
    int result;                                                                              \
    asm volatile("{ .reg .pred %%mine, %%all; setp.ne.s32 %%mine, %1, 0; bar.red." operation \
                 ".pred %%all, 0, %%mine; selp.s32 %0, 1, 0, %%all; }"                       \
                 : "=r"(result)                                                              \
                 : "r"(predicate)                                                            \
                 : "memory");                                                                \
    return result;                                                                           \
  }
WARPMARK_SYNC_AND(__syncthreads_and, "and")
WARPMARK_SYNC_AND(__syncthreads_or, "or")
#undef WARPMARK_SYNC_AND
WARPMARK_DEVICE int __syncthreads_count(int predicate) {
  int result;
  asm volatile("{ .reg .pred %%mine; setp.ne.s32 %%mine, %1, 0; bar.red.popc.u32 %0, 0, %%mine; }"
               : "=r"(result)
               : "r"(predicate)
               : "memory");
  return result;
}

WARPMARK_DEVICE void __nanosleep(unsigned int nanoseconds) {
  asm volatile("nanosleep.u32 %0;" : : "r"(nanoseconds));
}
WARPMARK_DEVICE clock_t clock() {
  int now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now) : : "memory");
  return now;
}
WARPMARK_DEVICE long long clock64() {
  long long now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now) : : "memory");
  return now;
}

// Loads and stores with a cache hint (__ldg, __stcg, ...); the hint has no effect.
#define WARPMARK_LOAD(name)                  \
  template <typename T>                      \
  WARPMARK_DEVICE T name(const T* pointer) { \
    return *pointer;                         \
  }
#define WARPMARK_STORE(name)                       \
  template <typename T>                            \
  WARPMARK_DEVICE void name(T* pointer, T value) { \
    *pointer = value;                              \
  }
WARPMARK_LOAD(__ldg)
WARPMARK_LOAD(__ldca)
WARPMARK_LOAD(__ldcg)
WARPMARK_LOAD(__ldcs)
WARPMARK_LOAD(__ldlu)
WARPMARK_STORE(__stcg)
WARPMARK_STORE(__stcs)
WARPMARK_STORE(__stwb)
WARPMARK_STORE(__stwt)
#undef WARPMARK_LOAD
#undef WARPMARK_STORE
template <typename T>
WARPMARK_DEVICE T __ldcv(const T* pointer) {
  return *(const volatile T*)pointer;
}
