// Implements cub::DeviceMergeSort for the CUDA simulator.
#pragma once

#include "cub/device/common.h"
#include "warpmark_cuda/algorithms/sort.h"

namespace cub {

struct DeviceMergeSort {
  template <typename Keys, typename Values, typename Less>
  static cudaError_t StableSortPairs(void* memory, size_t& bytes, Keys keys, Values values, long long count,
                                     Less less, cudaStream_t stream = 0, bool = false) {
    return sort(memory, bytes, keys, values, &*keys, &*values, count, less, stream);
  }
  template <typename Keys, typename Values, typename Less>
  static cudaError_t SortPairs(void* memory, size_t& bytes, Keys keys, Values values, long long count,
                               Less less, cudaStream_t stream = 0, bool = false) {
    return StableSortPairs(memory, bytes, keys, values, count, less, stream);
  }
  template <typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Less>
  static cudaError_t SortPairsCopy(void* memory, size_t& bytes, Keys keys, Values values, KeysOut keys_out,
                                   ValuesOut values_out, long long count, Less less, cudaStream_t stream = 0,
                                   bool = false) {
    return sort(memory, bytes, keys, values, &*keys_out, &*values_out, count, less, stream);
  }
  template <typename Keys, typename Less>
  static cudaError_t StableSortKeys(void* memory, size_t& bytes, Keys keys, long long count, Less less,
                                    cudaStream_t stream = 0, bool = false) {
    return sort(memory, bytes, keys, kNone, &*keys, kNone, count, less, stream);
  }
  template <typename Keys, typename Less>
  static cudaError_t SortKeys(void* memory, size_t& bytes, Keys keys, long long count, Less less,
                              cudaStream_t stream = 0, bool = false) {
    return StableSortKeys(memory, bytes, keys, count, less, stream);
  }
  template <typename Keys, typename KeysOut, typename Less>
  static cudaError_t SortKeysCopy(void* memory, size_t& bytes, Keys keys, KeysOut keys_out, long long count,
                                  Less less, cudaStream_t stream = 0, bool = false) {
    return sort(memory, bytes, keys, kNone, &*keys_out, kNone, count, less, stream);
  }
  template <typename Keys, typename KeysOut, typename Less>
  static cudaError_t StableSortKeysCopy(void* memory, size_t& bytes, Keys keys, KeysOut keys_out,
                                        long long count, Less less, cudaStream_t stream = 0) {
    return sort(memory, bytes, keys, kNone, &*keys_out, kNone, count, less, stream);
  }

 private:
  static constexpr warpmark_lib::NoValues* kNone = nullptr;

  template <typename Keys, typename Values, typename Key, typename Value, typename Less>
  static cudaError_t sort(void* memory, size_t& bytes, Keys keys, Values values, Key* keys_out,
                          Value* values_out, detail::Index count, Less less, cudaStream_t stream) {
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      return warpmark_lib::sort(scratch, warpmark_lib::Sources<Keys, Values>{keys, values},
                                warpmark_lib::Rows<Key, Value>{keys_out, values_out}, count, less, stream);
    });
  }
};

}  // namespace cub
