// The small types of CUB: a key with a value, two buffers that change places, no value.
#pragma once

#include "cub/util_debug.cuh"
#include "cuda_runtime.h"

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

// d_buffers[selector] holds what is current.
template <typename T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;
  __host__ __device__ DoubleBuffer() : d_buffers{nullptr, nullptr} {}
  __host__ __device__ DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  __host__ __device__ T* Current() { return d_buffers[selector]; }
  __host__ __device__ T* Alternate() { return d_buffers[selector ^ 1]; }
};

// Memory for a T that nobody constructs.
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

}  // namespace cub
