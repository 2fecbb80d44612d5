#pragma once

#include <atomic>

#include "warpmark_cuda/standard/thread_scope.h"

#if defined(__CUDA__)

namespace cuda {

#define WARPMARK_ATOMIC_MEMBER __host__ __device__ __attribute__((always_inline, nodebug))

namespace warpmark {

// Unsigned integer type of 4 or 8 bytes. cuda::atomic in device code changes a value of any type as such a
// word, by CUDA's atomic functions (atomicExch, ...).
template <int Bytes>
struct WordOf;
template <>
struct WordOf<4> {
  typedef unsigned int type;
};
template <>
struct WordOf<8> {
  typedef unsigned long long type;
};

template <thread_scope Scope>
WARPMARK_DEVICE void fence() {
  if (Scope == thread_scope_block)
    __threadfence_block();
  else if (Scope == thread_scope_device)
    __threadfence();
  else if (Scope == thread_scope_system)
    __threadfence_system();
}
template <thread_scope Scope, typename Word>
WARPMARK_DEVICE Word swap_if(Word* at, Word expected, Word value) {
  if (Scope == thread_scope_block || Scope == thread_scope_thread)
    return atomicCAS_block(at, expected, value);
  return Scope == thread_scope_device ? atomicCAS(at, expected, value)
                                      : atomicCAS_system(at, expected, value);
}
template <thread_scope Scope, typename Word>
WARPMARK_DEVICE Word exchange(Word* at, Word value) {
  if (Scope == thread_scope_block || Scope == thread_scope_thread) return atomicExch_block(at, value);
  return Scope == thread_scope_device ? atomicExch(at, value) : atomicExch_system(at, value);
}
#define WARPMARK_LOAD(type, suffix, constraint)                                                         \
  template <thread_scope Scope>                                                                         \
  WARPMARK_DEVICE type load(const type* at) {                                                           \
    type value;                                                                                         \
    if (Scope == thread_scope_block || Scope == thread_scope_thread)                                    \
      asm volatile("ld.relaxed.cta." suffix " %0, [%1];" : "=" constraint(value) : "l"(at) : "memory"); \
    else if (Scope == thread_scope_device)                                                              \
      asm volatile("ld.relaxed.gpu." suffix " %0, [%1];" : "=" constraint(value) : "l"(at) : "memory"); \
    else                                                                                                \
      asm volatile("ld.relaxed.sys." suffix " %0, [%1];" : "=" constraint(value) : "l"(at) : "memory"); \
    return value;                                                                                       \
  }
WARPMARK_LOAD(unsigned int, "u32", "r")
WARPMARK_LOAD(unsigned long long, "u64", "l")
#undef WARPMARK_LOAD
// Stores an atomic's value with system scope in device code, so that the host sees the value while the kernel
// runs.
WARPMARK_DEVICE void store_for_all(unsigned int* at, unsigned int value) {
  asm volatile("st.relaxed.sys.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}
WARPMARK_DEVICE void store_for_all(unsigned long long* at, unsigned long long value) {
  asm volatile("st.relaxed.sys.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}
WARPMARK_DEVICE bool releases(memory_order order) {
  return order == memory_order_release || order == memory_order_acq_rel || order == memory_order_seq_cst;
}
WARPMARK_DEVICE bool acquires(memory_order order) {
  return order != memory_order_relaxed && order != memory_order_release;
}

// Atomic operations of the given scope on a value in memory; static functions that atomic and atomic_ref
// share.
template <typename T, thread_scope Scope>
struct AtomicOperations {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "an atomic has 4 or 8 bytes on the simulator");
  typedef typename WordOf<sizeof(T)>::type Word;

  WARPMARK_ATOMIC_MEMBER static T of_word(Word word) {
    T value;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
  }
  WARPMARK_ATOMIC_MEMBER static Word to_word(T value) {
    Word word;
    __builtin_memcpy(&word, &value, sizeof word);
    return word;
  }
  WARPMARK_ATOMIC_MEMBER static T load(T* at, memory_order order) {
#if defined(__CUDA_ARCH__)
    const T value = of_word(warpmark::load<Scope>((Word*)at));
    if (acquires(order)) warpmark::fence<Scope>();
    return value;
#else
    return of_word(__atomic_load_n((Word*)at, __ATOMIC_SEQ_CST));
#endif
  }
  WARPMARK_ATOMIC_MEMBER static void store(T* at, T value, memory_order order) {
#if defined(__CUDA_ARCH__)
    if (Scope == thread_scope_system) {
      if (releases(order)) warpmark::fence<Scope>();
      warpmark::store_for_all((Word*)at, to_word(value));
      return;
    }
#endif
    exchange(at, value, order);
  }
  WARPMARK_ATOMIC_MEMBER static T exchange(T* at, T value, memory_order order) {
#if defined(__CUDA_ARCH__)
    if (releases(order)) warpmark::fence<Scope>();
    const T old = of_word(warpmark::exchange<Scope>((Word*)at, to_word(value)));
    if (acquires(order)) warpmark::fence<Scope>();
    return old;
#else
    return of_word(__atomic_exchange_n((Word*)at, to_word(value), __ATOMIC_SEQ_CST));
#endif
  }
  WARPMARK_ATOMIC_MEMBER static bool compare_exchange(T* at, T& expected, T value, memory_order order) {
#if defined(__CUDA_ARCH__)
    if (releases(order)) warpmark::fence<Scope>();
    const Word before = to_word(expected);
    const Word old = warpmark::swap_if<Scope>((Word*)at, before, to_word(value));
    if (acquires(order)) warpmark::fence<Scope>();
#else
    const Word before = to_word(expected);
    Word old = before;
    __atomic_compare_exchange_n((Word*)at, &old, to_word(value), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
    if (old == before) return true;
    expected = of_word(old);
    return false;
  }
  template <typename Change>
  WARPMARK_ATOMIC_MEMBER static T changed(T* at, memory_order order, Change change) {
    T old = load(at, memory_order_relaxed);
    while (!compare_exchange(at, old, change(old), order)) {
    }
    return old;
  }
#if defined(__CUDA_ARCH__)
#define WARPMARK_IN_SCOPE(function, at, value)                                               \
  (Scope == thread_scope_block || Scope == thread_scope_thread ? function##_block(at, value) \
   : Scope == thread_scope_device                              ? function(at, value)         \
                                                               : function##_system(at, value))
// Applies a CUDA atomic function to an integer as a word.
#define WARPMARK_OF_WORD(function) (T) WARPMARK_IN_SCOPE(function, (Word*)at, (Word)value)
// Applies a CUDA atomic function to an integer with its signedness kept, on which minimum and maximum depend.
#define WARPMARK_OF_NUMBER(function)                                                                \
  (T(-1) < T(0) ? sizeof(T) == 4 ? (T)WARPMARK_IN_SCOPE(function, (int*)at, (int)value)             \
                                 : (T)WARPMARK_IN_SCOPE(function, (long long*)at, (long long)value) \
                : WARPMARK_OF_WORD(function))
// Defines a read-modify-write operation: one hardware instruction if there is one for T, else a
// compare-and-swap loop.
#define WARPMARK_FETCH(name, instruction, expression)                                           \
  WARPMARK_ATOMIC_MEMBER static T name(T* at, T value, memory_order order) {                    \
    if (!__is_integral(T))                                                                      \
      return changed(at, order, [=] WARPMARK_ATOMIC_MEMBER(T old) { return (T)(expression); }); \
    if (releases(order)) warpmark::fence<Scope>();                                              \
    const T old = instruction;                                                                  \
    if (acquires(order)) warpmark::fence<Scope>();                                              \
    return old;                                                                                 \
  }
#else
#define WARPMARK_FETCH(name, instruction, expression)                                         \
  WARPMARK_ATOMIC_MEMBER static T name(T* at, T value, memory_order order) {                  \
    return changed(at, order, [=] WARPMARK_ATOMIC_MEMBER(T old) { return (T)(expression); }); \
  }
#endif
  WARPMARK_FETCH(fetch_and, WARPMARK_OF_WORD(atomicAnd), old& value)
  WARPMARK_FETCH(fetch_or, WARPMARK_OF_WORD(atomicOr), old | value)
  WARPMARK_FETCH(fetch_xor, WARPMARK_OF_WORD(atomicXor), old ^ value)
  WARPMARK_FETCH(fetch_min, WARPMARK_OF_NUMBER(atomicMin), value < old ? value : old)
  WARPMARK_FETCH(fetch_max, WARPMARK_OF_NUMBER(atomicMax), old < value ? value : old)
#undef WARPMARK_FETCH
#undef WARPMARK_OF_NUMBER
#undef WARPMARK_OF_WORD
  WARPMARK_ATOMIC_MEMBER static T fetch_add(T* at, T value, memory_order order) {
#if defined(__CUDA_ARCH__)
    if (releases(order)) warpmark::fence<Scope>();
    const T old = add(at, value);
    if (acquires(order)) warpmark::fence<Scope>();
    return old;
#else
    return changed(at, order, [=](T before) { return (T)(before + value); });
#endif
  }
  WARPMARK_ATOMIC_MEMBER static T fetch_sub(T* at, T value, memory_order order) {
    return fetch_add(at, (T)-value, order);
  }

 private:
#if defined(__CUDA_ARCH__)
#define WARPMARK_ADD(type)                                       \
  WARPMARK_ATOMIC_MEMBER static type add(type* at, type value) { \
    return WARPMARK_IN_SCOPE(atomicAdd, at, value);              \
  }
  WARPMARK_ADD(int)
  WARPMARK_ADD(unsigned int)
  WARPMARK_ADD(unsigned long long)
  WARPMARK_ADD(float)
  WARPMARK_ADD(double)
#undef WARPMARK_ADD
#undef WARPMARK_IN_SCOPE
  WARPMARK_ATOMIC_MEMBER static long long add(long long* at, long long value) {
    return (long long)add((unsigned long long*)at, (unsigned long long)value);
  }
  WARPMARK_ATOMIC_MEMBER static long add(long* at, long value) {
    return (long)add((unsigned long long*)at, (unsigned long long)value);
  }
  WARPMARK_ATOMIC_MEMBER static unsigned long add(unsigned long* at, unsigned long value) {
    return (unsigned long)add((unsigned long long*)at, (unsigned long long)value);
  }
#endif
};

// Common base (CRTP) of atomic and atomic_ref, with volatile overloads.
template <typename T, thread_scope Scope, typename Self>
class AtomicBase {
  typedef AtomicOperations<T, Scope> Operations;
  WARPMARK_ATOMIC_MEMBER T* at() const volatile {
    return static_cast<const volatile Self*>(this)->__warpmark_place();
  }

 public:
  typedef T value_type;
  static constexpr bool is_always_lock_free = true;
  WARPMARK_ATOMIC_MEMBER bool is_lock_free() const volatile { return true; }
  WARPMARK_ATOMIC_MEMBER T load(memory_order order = memory_order_seq_cst) const volatile {
    return Operations::load(at(), order);
  }
  WARPMARK_ATOMIC_MEMBER operator T() const volatile { return load(); }
  WARPMARK_ATOMIC_MEMBER void store(T value, memory_order order = memory_order_seq_cst) const volatile {
    Operations::store(at(), value, order);
  }
  WARPMARK_ATOMIC_MEMBER T exchange(T value, memory_order order = memory_order_seq_cst) const volatile {
    return Operations::exchange(at(), value, order);
  }
  WARPMARK_ATOMIC_MEMBER bool compare_exchange_strong(T& expected, T value,
                                                      memory_order order = memory_order_seq_cst) const
      volatile {
    return Operations::compare_exchange(at(), expected, value, order);
  }
  WARPMARK_ATOMIC_MEMBER bool compare_exchange_weak(T& expected, T value,
                                                    memory_order order = memory_order_seq_cst) const
      volatile {
    return Operations::compare_exchange(at(), expected, value, order);
  }
  WARPMARK_ATOMIC_MEMBER bool compare_exchange_strong(T& expected, T value, memory_order order,
                                                      memory_order) const volatile {
    return Operations::compare_exchange(at(), expected, value, order);
  }
  WARPMARK_ATOMIC_MEMBER bool compare_exchange_weak(T& expected, T value, memory_order order,
                                                    memory_order) const volatile {
    return Operations::compare_exchange(at(), expected, value, order);
  }
#define WARPMARK_FETCH(name)                                                                         \
  WARPMARK_ATOMIC_MEMBER T name(T value, memory_order order = memory_order_seq_cst) const volatile { \
    return Operations::name(at(), value, order);                                                     \
  }
  WARPMARK_FETCH(fetch_add)
  WARPMARK_FETCH(fetch_sub)
  WARPMARK_FETCH(fetch_and)
  WARPMARK_FETCH(fetch_or)
  WARPMARK_FETCH(fetch_xor)
  WARPMARK_FETCH(fetch_min)
  WARPMARK_FETCH(fetch_max)
#undef WARPMARK_FETCH
  WARPMARK_ATOMIC_MEMBER T operator=(T value) const volatile {
    store(value);
    return value;
  }
  WARPMARK_ATOMIC_MEMBER T operator++() const volatile {
    return (T)(fetch_add((T)1) + (T)1);
  }
  WARPMARK_ATOMIC_MEMBER T operator++(int) const volatile {
    return fetch_add((T)1);
  }
  WARPMARK_ATOMIC_MEMBER T operator--() const volatile {
    return (T)(fetch_sub((T)1) - (T)1);
  }
  WARPMARK_ATOMIC_MEMBER T operator--(int) const volatile {
    return fetch_sub((T)1);
  }
  WARPMARK_ATOMIC_MEMBER T operator+=(T value) const volatile {
    return (T)(fetch_add(value) + value);
  }
  WARPMARK_ATOMIC_MEMBER T operator-=(T value) const volatile {
    return (T)(fetch_sub(value) - value);
  }
  WARPMARK_ATOMIC_MEMBER T operator&=(T value) const volatile {
    return (T)(fetch_and(value) & value);
  }
  WARPMARK_ATOMIC_MEMBER T operator|=(T value) const volatile {
    return (T)(fetch_or(value) | value);
  }
  WARPMARK_ATOMIC_MEMBER T operator^=(T value) const volatile {
    return (T)(fetch_xor(value) ^ value);
  }
  // Implements cuda::atomic's wait(): spins until the value differs from `old`.
  WARPMARK_ATOMIC_MEMBER void wait(T old, memory_order order = memory_order_seq_cst) const volatile {
    while (load(order) == old) {
#if defined(__CUDA_ARCH__)
      __nanosleep(100);
#endif
    }
  }
  WARPMARK_ATOMIC_MEMBER void notify_one() const volatile {}
  WARPMARK_ATOMIC_MEMBER void notify_all() const volatile {}
};

}  // namespace warpmark

template <typename T, thread_scope Scope = thread_scope_system>
class atomic : public warpmark::AtomicBase<T, Scope, atomic<T, Scope>> {
 public:
  atomic() = default;
  __host__ __device__ constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  // Assigns a T to the atomic. For values convertible to T, these overloads are better matches than the
  // deleted copy assignment.
  WARPMARK_ATOMIC_MEMBER T operator=(T value) {
    this->store(value);
    return value;
  }
  WARPMARK_ATOMIC_MEMBER T operator=(T value) volatile {
    this->store(value);
    return value;
  }
  WARPMARK_ATOMIC_MEMBER T* __warpmark_place() const volatile { return &const_cast<atomic*>(this)->value_; }

 private:
  mutable T value_;
};

template <typename T, thread_scope Scope = thread_scope_system>
class atomic_ref : public warpmark::AtomicBase<T, Scope, atomic_ref<T, Scope>> {
 public:
  WARPMARK_ATOMIC_MEMBER explicit atomic_ref(T& value) : value_(&value) {}
  using warpmark::AtomicBase<T, Scope, atomic_ref<T, Scope>>::operator=;
  WARPMARK_ATOMIC_MEMBER T* __warpmark_place() const volatile {
    return const_cast<atomic_ref*>(this)->value_;
  }

 private:
  T* value_;
};

template <thread_scope Scope = thread_scope_system>
class atomic_flag {
 public:
  atomic_flag() = default;
  WARPMARK_ATOMIC_MEMBER bool test_and_set(memory_order order = memory_order_seq_cst) {
    return warpmark::AtomicOperations<unsigned int, Scope>::exchange(&value_, 1, order) != 0;
  }
  WARPMARK_ATOMIC_MEMBER void clear(memory_order order = memory_order_seq_cst) {
    warpmark::AtomicOperations<unsigned int, Scope>::exchange(&value_, 0, order);
  }

 private:
  unsigned int value_ = 0;
};

WARPMARK_ATOMIC_MEMBER inline void atomic_thread_fence(memory_order,
                                                       thread_scope scope = thread_scope_system) {
#if defined(__CUDA_ARCH__)
  if (scope == thread_scope_block)
    __threadfence_block();
  else if (scope == thread_scope_device)
    __threadfence();
  else
    __threadfence_system();
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

}  // namespace cuda

#endif
