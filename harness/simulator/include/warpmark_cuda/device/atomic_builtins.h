// Implements nvcc's built-in functions __nv_atomic_..., atomic operations with a memory order and a scope.
#pragma once

#include "warpmark_cuda/device/atomics.h"
#include "warpmark_cuda/device/intrinsics.h"

#if defined(__CUDA__)

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

template <int Bytes>
struct __warpmark_word {
  typedef unsigned int type;
};
template <>
struct __warpmark_word<8> {
  typedef unsigned long long type;
};
#define WARPMARK_BUILTIN \
  template <typename T>  \
  WARPMARK_DEVICE
#define WARPMARK_WORD typename __warpmark_word<sizeof(T)>::type
#define WARPMARK_BY_SCOPE(function, ...)                                \
  (scope <= __NV_THREAD_SCOPE_BLOCK    ? function##_block(__VA_ARGS__)  \
   : scope == __NV_THREAD_SCOPE_SYSTEM ? function##_system(__VA_ARGS__) \
                                       : function(__VA_ARGS__))

WARPMARK_DEVICE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_RELAXED || scope == __NV_THREAD_SCOPE_THREAD) return;
  if (scope == __NV_THREAD_SCOPE_BLOCK)
    __threadfence_block();
  else if (scope == __NV_THREAD_SCOPE_SYSTEM)
    __threadfence_system();
  else
    __threadfence();
}
WARPMARK_DEVICE void __warpmark_release(int order, int scope) {
  if (order >= __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(order, scope);
}
WARPMARK_DEVICE void __warpmark_acquire(int order, int scope) {
  if (order != __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(order, scope);
}

WARPMARK_BUILTIN T __nv_atomic_load_n(const T* at, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  typedef WARPMARK_WORD Word;
  const Word word = WARPMARK_BY_SCOPE(atomicOr, (Word*)at, (Word)0);
  __warpmark_acquire(order, scope);
  return __builtin_bit_cast(T, word);
}
WARPMARK_BUILTIN void __nv_atomic_load(const T* at, T* to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *to = __nv_atomic_load_n(at, order, scope);
}
WARPMARK_BUILTIN T __nv_atomic_exchange_n(T* at, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  typedef WARPMARK_WORD Word;
  __warpmark_release(order, scope);
  const Word word = WARPMARK_BY_SCOPE(atomicExch, (Word*)at, __builtin_bit_cast(Word, value));
  __warpmark_acquire(order, scope);
  return __builtin_bit_cast(T, word);
}
WARPMARK_BUILTIN void __nv_atomic_exchange(T* at, T* value, T* old, int order,
                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *old = __nv_atomic_exchange_n(at, *value, order, scope);
}
WARPMARK_BUILTIN void __nv_atomic_store_n(T* at, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_exchange_n(at, value, order == __NV_ATOMIC_SEQ_CST ? order : order & __NV_ATOMIC_RELEASE,
                         scope);
}
WARPMARK_BUILTIN void __nv_atomic_store(T* at, T* value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(at, *value, order, scope);
}
WARPMARK_BUILTIN bool __nv_atomic_compare_exchange_n(T* at, T* expected, T value, bool, int order, int,
                                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  typedef WARPMARK_WORD Word;
  __warpmark_release(order, scope);
  const Word before = __builtin_bit_cast(Word, *expected);
  const Word old = WARPMARK_BY_SCOPE(atomicCAS, (Word*)at, before, __builtin_bit_cast(Word, value));
  __warpmark_acquire(order, scope);
  if (old != before) *expected = __builtin_bit_cast(T, old);
  return old == before;
}
WARPMARK_BUILTIN bool __nv_atomic_compare_exchange(T* at, T* expected, T* value, bool weak, int order,
                                                   int failed, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(at, expected, *value, weak, order, failed, scope);
}

// Applies a CUDA atomic function to a value of any 4- or 8-byte type, reinterpreted as an unsigned integer.
#define WARPMARK_OF_WORD(function, value)                                              \
  __builtin_bit_cast(T, (WARPMARK_WORD)WARPMARK_BY_SCOPE(function, (WARPMARK_WORD*)at, \
                                                         __builtin_bit_cast(WARPMARK_WORD, value)))
// Applies a CUDA atomic function to an integer with its signedness kept, on which minimum and maximum depend.
#define WARPMARK_OF_NUMBER(function)                                                                \
  (T(-1) < T(0) ? sizeof(T) == 4 ? (T)WARPMARK_BY_SCOPE(function, (int*)at, (int)value)             \
                                 : (T)WARPMARK_BY_SCOPE(function, (long long*)at, (long long)value) \
                : (T)WARPMARK_BY_SCOPE(function, (WARPMARK_WORD*)at, (WARPMARK_WORD)value))
// Defines __nv_atomic_fetch_<name>, which returns the old value, and __nv_atomic_<name>, which returns
// nothing.
#define WARPMARK_FETCH(name, expression)                                              \
  WARPMARK_BUILTIN T __nv_atomic_fetch_##name(T* at, T value, int order,              \
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    __warpmark_release(order, scope);                                                 \
    const T old = expression;                                                         \
    __warpmark_acquire(order, scope);                                                 \
    return old;                                                                       \
  }                                                                                   \
  WARPMARK_BUILTIN void __nv_atomic_##name(T* at, T value, int order,                 \
                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {    \
    __nv_atomic_fetch_##name(at, value, order, scope);                                \
  }
WARPMARK_BUILTIN T __warpmark_add(T* at, T value, int scope) {
  return WARPMARK_OF_WORD(atomicAdd, value);
}
WARPMARK_DEVICE float __warpmark_add(float* at, float value, int scope) {
  return WARPMARK_BY_SCOPE(atomicAdd, at, value);
}
WARPMARK_DEVICE double __warpmark_add(double* at, double value, int scope) {
  return WARPMARK_BY_SCOPE(atomicAdd, at, value);
}
WARPMARK_FETCH(add, __warpmark_add(at, value, scope))
WARPMARK_FETCH(sub, __warpmark_add(at, (T)(T(0) - value), scope))
WARPMARK_FETCH(and, WARPMARK_OF_WORD(atomicAnd, value))
WARPMARK_FETCH(or, WARPMARK_OF_WORD(atomicOr, value))
WARPMARK_FETCH(xor, WARPMARK_OF_WORD(atomicXor, value))
WARPMARK_FETCH(min, WARPMARK_OF_NUMBER(atomicMin))
WARPMARK_FETCH(max, WARPMARK_OF_NUMBER(atomicMax))

#undef WARPMARK_FETCH
#undef WARPMARK_OF_NUMBER
#undef WARPMARK_OF_WORD
#undef WARPMARK_BY_SCOPE
#undef WARPMARK_WORD
#undef WARPMARK_BUILTIN

#endif
