// Atomic loads and stores for host code, emitted as x86 moves with a redundant segment prefix. By the prefix,
// the simulator recognises atomic accesses to memory that a running kernel also uses. Other atomic operations
// are recognisable by their lock prefix.
#pragma once

#if defined(__CUDA__) && !defined(__CUDA_ARCH__) && defined(__x86_64__)

namespace warpmark_host {

template <typename T>
struct Plain {
  typedef T type;
};
template <typename T>
struct Plain<const T> : Plain<T> {};
template <typename T>
struct Plain<volatile T> : Plain<T> {};
template <typename T>
struct Plain<const volatile T> : Plain<T> {};

template <int Bytes>
struct Move {
  template <typename T>
  static void load(const volatile T* from, T* to) {
    __atomic_load(from, to, __ATOMIC_SEQ_CST);
  }
  template <typename T>
  static void store(volatile T* to, T* from, int) {
    __atomic_store(to, from, __ATOMIC_SEQ_CST);
  }
};
#define WARPMARK_HOST_MOVE(bytes, type, in, out)                                                           \
  template <>                                                                                              \
  struct Move<bytes> {                                                                                     \
    template <typename T>                                                                                  \
    __attribute__((always_inline, nodebug)) static void load(const volatile T* from, T* to) {              \
      type value;                                                                                          \
      asm volatile(".byte 0x3e\n\tmov %1, %0" : out(value) : "m"(*(const volatile type*)from) : "memory"); \
      __builtin_memcpy(to, &value, sizeof value);                                                          \
    }                                                                                                      \
    template <typename T>                                                                                  \
    __attribute__((always_inline, nodebug)) static void store(volatile T* to, T* from, int order) {        \
      type value;                                                                                          \
      __builtin_memcpy(&value, from, sizeof value);                                                        \
      if (order == __ATOMIC_SEQ_CST)                                                                       \
        __atomic_store((volatile type*)to, &value, __ATOMIC_SEQ_CST);                                      \
      else                                                                                                 \
        asm volatile(".byte 0x3e\n\tmov %1, %0" : "=m"(*(volatile type*)to) : in(value) : "memory");       \
    }                                                                                                      \
  };
WARPMARK_HOST_MOVE(1, unsigned char, "q", "=q")
WARPMARK_HOST_MOVE(2, unsigned short, "r", "=r")
WARPMARK_HOST_MOVE(4, unsigned int, "r", "=r")
WARPMARK_HOST_MOVE(8, unsigned long long, "r", "=r")
#undef WARPMARK_HOST_MOVE

template <typename T>
__attribute__((always_inline, nodebug)) inline auto load(T* from, int) {
  typename Plain<T>::type value;
  Move<sizeof(T)>::load(from, &value);
  return value;
}
template <typename T, typename V>
__attribute__((always_inline, nodebug)) inline void store(T* to, V&& value, int order) {
  typename Plain<T>::type stored = (V &&) value;
  Move<sizeof(T)>::store(to, &stored, order);
}

template <typename T>
__attribute__((always_inline, nodebug)) inline void load_into(T* from, typename Plain<T>::type* to, int) {
  Move<sizeof(T)>::load(from, to);
}
template <typename T>
__attribute__((always_inline, nodebug)) inline void store_from(T* to, typename Plain<T>::type* value,
                                                               int order) {
  Move<sizeof(T)>::store(to, value, order);
}

}  // namespace warpmark_host

#define __atomic_load_n(from, order) (::warpmark_host::load(from, order))
#define __atomic_load(from, to, order) (::warpmark_host::load_into(from, to, order))
#define __atomic_store(to, value, order) (::warpmark_host::store_from(to, value, order))
#define __atomic_store_n(to, value, order) (::warpmark_host::store(to, value, order))

#endif
