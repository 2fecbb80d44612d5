// CUB's small types: key-value pairs, double buffers, NullType, traits of key types.
#pragma once

#include "cub/util_debug.cuh"
#include "cuda_runtime.h"

struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;

namespace cub {

struct NullType {};

template <int value>
struct Int2Type {
  enum { VALUE = value };
};

template <typename KeyType, typename ValueType>
struct KeyValuePair {
  using Key = KeyType;
  using Value = ValueType;
  Key key;
  Value value;
  KeyValuePair() = default;
  __host__ __device__ KeyValuePair(const Key& of, const Value& is) : key(of), value(is) {}
  __host__ __device__ bool operator==(const KeyValuePair& other) const {
    return key == other.key && value == other.value;
  }
  __host__ __device__ bool operator!=(const KeyValuePair& other) const { return !(*this == other); }
};

// Pair of buffers; d_buffers[selector] holds the current data, and Alternate() returns the other buffer.
template <typename T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;
  __host__ __device__ DoubleBuffer() : d_buffers{nullptr, nullptr} {}
  __host__ __device__ DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  __host__ __device__ T* Current() { return d_buffers[selector]; }
  __host__ __device__ T* Alternate() { return d_buffers[selector ^ 1]; }
};

// Storage for a T that runs no constructor.
template <typename T>
struct Uninitialized {
  alignas(T) unsigned char bytes[sizeof(T)];
  __host__ __device__ T& Alias() { return reinterpret_cast<T&>(*this); }
};

template <int number>
struct Log2 {
  enum { VALUE = number <= 1 ? 0 : 1 + Log2<(number + 1) / 2>::VALUE };
};
template <>
struct Log2<1> {
  enum { VALUE = 0 };
};
template <int number>
struct PowerOfTwo {
  enum { VALUE = (number & (number - 1)) == 0 };
};

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

// Maps the bits of a key to an unsigned number with the same order. A program can specialise NumericTraits
// for a key type of its own by deriving from this class.
template <Category category, bool primitive, typename Bits, typename T>
struct BaseTraits {
  static constexpr Category CATEGORY = category;
  enum { PRIMITIVE = primitive, NULL_TYPE = 0 };
};
template <typename Bits, typename T>
struct BaseTraits<UNSIGNED_INTEGER, true, Bits, T> {
  using UnsignedBits = Bits;
  static constexpr Category CATEGORY = UNSIGNED_INTEGER;
  static constexpr UnsignedBits LOWEST_KEY = UnsignedBits(0);
  static constexpr UnsignedBits MAX_KEY = UnsignedBits(-1);
  enum { PRIMITIVE = true, NULL_TYPE = 0 };
  static __host__ __device__ __forceinline__ UnsignedBits TwiddleIn(UnsignedBits key) { return key; }
  static __host__ __device__ __forceinline__ UnsignedBits TwiddleOut(UnsignedBits key) { return key; }
  static __host__ __device__ __forceinline__ T Max() { return static_cast<T>(MAX_KEY); }
  static __host__ __device__ __forceinline__ T Lowest() { return static_cast<T>(LOWEST_KEY); }
};
template <typename Bits, typename T>
struct BaseTraits<SIGNED_INTEGER, true, Bits, T> {
  using UnsignedBits = Bits;
  static constexpr Category CATEGORY = SIGNED_INTEGER;
  static constexpr UnsignedBits HIGH_BIT = UnsignedBits(1) << (sizeof(UnsignedBits) * 8 - 1);
  static constexpr UnsignedBits LOWEST_KEY = HIGH_BIT;
  static constexpr UnsignedBits MAX_KEY = UnsignedBits(-1) ^ HIGH_BIT;
  enum { PRIMITIVE = true, NULL_TYPE = 0 };
  static __host__ __device__ __forceinline__ UnsignedBits TwiddleIn(UnsignedBits key) {
    return key ^ HIGH_BIT;
  }
  static __host__ __device__ __forceinline__ UnsignedBits TwiddleOut(UnsignedBits key) {
    return key ^ HIGH_BIT;
  }
  static __host__ __device__ __forceinline__ T Max() { return static_cast<T>(MAX_KEY); }
  static __host__ __device__ __forceinline__ T Lowest() { return static_cast<T>(LOWEST_KEY); }
};
template <typename Bits, typename T>
struct BaseTraits<FLOATING_POINT, true, Bits, T> {
  using UnsignedBits = Bits;
  static constexpr Category CATEGORY = FLOATING_POINT;
  static constexpr UnsignedBits HIGH_BIT = UnsignedBits(1) << (sizeof(UnsignedBits) * 8 - 1);
  static constexpr UnsignedBits LOWEST_KEY = UnsignedBits(-1);
  static constexpr UnsignedBits MAX_KEY = UnsignedBits(-1) ^ HIGH_BIT;
  enum { PRIMITIVE = true, NULL_TYPE = 0 };
  static __host__ __device__ __forceinline__ UnsignedBits TwiddleIn(UnsignedBits key) {
    return key ^ ((key & HIGH_BIT) != 0 ? UnsignedBits(-1) : HIGH_BIT);
  }
  static __host__ __device__ __forceinline__ UnsignedBits TwiddleOut(UnsignedBits key) {
    return key ^ ((key & HIGH_BIT) != 0 ? HIGH_BIT : UnsignedBits(-1));
  }
};
// Traits of a floating-point key type. largest: bit pattern of the largest finite number.
template <typename Bits, typename T, Bits largest>
struct WarpmarkFloatTraits : BaseTraits<FLOATING_POINT, true, Bits, T> {
  static __host__ __device__ __forceinline__ T Max() { return __builtin_bit_cast(T, largest); }
  static __host__ __device__ __forceinline__ T Lowest() {
    return __builtin_bit_cast(T, static_cast<Bits>(largest | WarpmarkFloatTraits::HIGH_BIT));
  }
};

template <typename T>
struct NumericTraits : BaseTraits<NOT_A_NUMBER, false, T, T> {};
template <>
struct NumericTraits<NullType> {
  static constexpr Category CATEGORY = NOT_A_NUMBER;
  enum { PRIMITIVE = false, NULL_TYPE = 1 };
};
#define WARPMARK_SIGNED(T, Bits) \
  template <>                    \
  struct NumericTraits<T> : BaseTraits<SIGNED_INTEGER, true, Bits, T> {};
#define WARPMARK_UNSIGNED(T, Bits) \
  template <>                      \
  struct NumericTraits<T> : BaseTraits<UNSIGNED_INTEGER, true, Bits, T> {};
#define WARPMARK_FLOAT(T, Bits, largest) \
  template <>                            \
  struct NumericTraits<T> : WarpmarkFloatTraits<Bits, T, largest> {};
WARPMARK_SIGNED(char, unsigned char)
WARPMARK_SIGNED(signed char, unsigned char)
WARPMARK_SIGNED(short, unsigned short)
WARPMARK_SIGNED(int, unsigned int)
WARPMARK_SIGNED(long, unsigned long)
WARPMARK_SIGNED(long long, unsigned long long)
WARPMARK_SIGNED(__int128, unsigned __int128)
WARPMARK_UNSIGNED(bool, unsigned char)
WARPMARK_UNSIGNED(unsigned char, unsigned char)
WARPMARK_UNSIGNED(unsigned short, unsigned short)
WARPMARK_UNSIGNED(unsigned int, unsigned int)
WARPMARK_UNSIGNED(unsigned long, unsigned long)
WARPMARK_UNSIGNED(unsigned long long, unsigned long long)
WARPMARK_UNSIGNED(unsigned __int128, unsigned __int128)
WARPMARK_FLOAT(float, unsigned int, 0x7f7fffff)
WARPMARK_FLOAT(double, unsigned long long, 0x7fefffffffffffff)
WARPMARK_FLOAT(__half, unsigned short, 0x7bff)
WARPMARK_FLOAT(__nv_bfloat16, unsigned short, 0x7f7f)
WARPMARK_FLOAT(__nv_fp8_e4m3, unsigned char, 0x7e)
WARPMARK_FLOAT(__nv_fp8_e5m2, unsigned char, 0x7b)
#undef WARPMARK_FLOAT
#undef WARPMARK_UNSIGNED
#undef WARPMARK_SIGNED

template <typename T>
struct WarpmarkTraits : NumericTraits<T> {};
template <typename T>
struct WarpmarkTraits<const T> : NumericTraits<T> {};
template <typename T>
struct WarpmarkTraits<volatile T> : NumericTraits<T> {};
template <typename T>
struct WarpmarkTraits<const volatile T> : NumericTraits<T> {};
template <typename T>
using Traits = WarpmarkTraits<T>;

}  // namespace cub
