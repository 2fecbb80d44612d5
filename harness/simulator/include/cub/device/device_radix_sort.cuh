// Implements cub::DeviceRadixSort for the CUDA simulator, as a stable merge sort by the selected key bits.
#pragma once

#include "cub/device/common.h"
#include "warpmark_cuda/algorithms/radix.h"

namespace cub {

struct DeviceRadixSort {
  template <typename Key, typename Value>
  static cudaError_t SortPairs(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                               const Value* values, Value* values_out, long long count, int begin_bit = 0,
                               int end_bit = warpmark_lib::kBitsOf<Key>, cudaStream_t stream = 0,
                               bool = false) {
    return sort<false>(memory, bytes, keys, keys_out, values, values_out, count, begin_bit, end_bit, stream);
  }
  template <typename Key, typename Value>
  static cudaError_t SortPairsDescending(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                                         const Value* values, Value* values_out, long long count,
                                         int begin_bit = 0, int end_bit = warpmark_lib::kBitsOf<Key>,
                                         cudaStream_t stream = 0, bool = false) {
    return sort<true>(memory, bytes, keys, keys_out, values, values_out, count, begin_bit, end_bit, stream);
  }
  template <typename Key>
  static cudaError_t SortKeys(void* memory, size_t& bytes, const Key* keys, Key* keys_out, long long count,
                              int begin_bit = 0, int end_bit = warpmark_lib::kBitsOf<Key>,
                              cudaStream_t stream = 0, bool = false) {
    return sort<false>(memory, bytes, keys, keys_out, kNone, kNone, count, begin_bit, end_bit, stream);
  }
  template <typename Key>
  static cudaError_t SortKeysDescending(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                                        long long count, int begin_bit = 0,
                                        int end_bit = warpmark_lib::kBitsOf<Key>, cudaStream_t stream = 0,
                                        bool = false) {
    return sort<true>(memory, bytes, keys, keys_out, kNone, kNone, count, begin_bit, end_bit, stream);
  }

  template <typename Key, typename Value>
  static cudaError_t SortPairs(void* memory, size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, long long count, int begin_bit = 0,
                               int end_bit = warpmark_lib::kBitsOf<Key>, cudaStream_t stream = 0,
                               bool = false) {
    return sort_buffers<false>(memory, bytes, keys, &values, count, begin_bit, end_bit, stream);
  }
  template <typename Key, typename Value>
  static cudaError_t SortPairsDescending(void* memory, size_t& bytes, DoubleBuffer<Key>& keys,
                                         DoubleBuffer<Value>& values, long long count, int begin_bit = 0,
                                         int end_bit = warpmark_lib::kBitsOf<Key>, cudaStream_t stream = 0,
                                         bool = false) {
    return sort_buffers<true>(memory, bytes, keys, &values, count, begin_bit, end_bit, stream);
  }
  template <typename Key>
  static cudaError_t SortKeys(void* memory, size_t& bytes, DoubleBuffer<Key>& keys, long long count,
                              int begin_bit = 0, int end_bit = warpmark_lib::kBitsOf<Key>,
                              cudaStream_t stream = 0, bool = false) {
    DoubleBuffer<warpmark_lib::NoValues>* none = nullptr;
    return sort_buffers<false>(memory, bytes, keys, none, count, begin_bit, end_bit, stream);
  }
  template <typename Key>
  static cudaError_t SortKeysDescending(void* memory, size_t& bytes, DoubleBuffer<Key>& keys, long long count,
                                        int begin_bit = 0, int end_bit = warpmark_lib::kBitsOf<Key>,
                                        cudaStream_t stream = 0, bool = false) {
    DoubleBuffer<warpmark_lib::NoValues>* none = nullptr;
    return sort_buffers<true>(memory, bytes, keys, none, count, begin_bit, end_bit, stream);
  }

 private:
  static constexpr warpmark_lib::NoValues* kNone = nullptr;

  template <bool descending, typename Key, typename Value>
  static cudaError_t sort(void* memory, size_t& bytes, const Key* keys, Key* keys_out, const Value* values,
                          Value* values_out, detail::Index count, int begin_bit, int end_bit,
                          cudaStream_t stream) {
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      return warpmark_lib::sort(scratch, warpmark_lib::Sources<const Key*, const Value*>{keys, values},
                                warpmark_lib::Rows<Key, Value>{keys_out, values_out}, count,
                                warpmark_lib::BeforeByBits<descending>{begin_bit, end_bit}, stream);
    });
  }

  // Sorts between the two halves of each DoubleBuffer, without temporary memory. On return, `selector` names
  // the half that holds the result.
  template <bool descending, typename Key, typename Value>
  static cudaError_t sort_buffers(void* memory, size_t& bytes, DoubleBuffer<Key>& keys,
                                  DoubleBuffer<Value>* values, detail::Index count, int begin_bit,
                                  int end_bit, cudaStream_t stream) {
    using Rows = warpmark_lib::Rows<Key, Value>;
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      if (scratch.measures()) return cudaSuccess;
      const Rows current{keys.Current(), values == nullptr ? nullptr : values->Current()};
      const Rows other{keys.Alternate(), values == nullptr ? nullptr : values->Alternate()};
      const cudaError_t error = warpmark_lib::merge_sort(
          current, current, other, count, warpmark_lib::BeforeByBits<descending>{begin_bit, end_bit}, stream);
      if (warpmark_lib::ends_in_second(count)) {
        keys.selector ^= 1;
        if (values != nullptr) values->selector ^= 1;
      }
      return error;
    });
  }
};

}  // namespace cub
