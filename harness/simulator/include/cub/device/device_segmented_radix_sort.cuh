// Implements cub::DeviceSegmentedRadixSort and cub::DeviceSegmentedSort for the CUDA simulator.
#pragma once

#include "cub/device/common.h"
#include "warpmark_cuda/algorithms/radix.h"

namespace cub {
namespace detail {

template <bool descending, typename Key, typename Value, typename Begins, typename Ends>
cudaError_t sort_segments(void* memory, size_t& bytes, const Key* keys, Key* keys_out, const Value* values,
                          Value* values_out, Index count, Index segments, Begins begins, Ends ends,
                          int begin_bit, int end_bit, cudaStream_t stream) {
  return with_memory_of_caller(memory, bytes, [&](Scratch& scratch) {
    return warpmark_lib::segmented_sort(
        scratch, warpmark_lib::Sources<const Key*, const Value*>{keys, values},
        warpmark_lib::Rows<Key, Value>{keys_out, values_out}, count, segments, begins, ends,
        warpmark_lib::BeforeByBits<descending>{begin_bit, end_bit}, stream);
  });
}

constexpr warpmark_lib::NoValues* kNoValues = nullptr;

}  // namespace detail

struct DeviceSegmentedRadixSort {
  template <typename Key, typename Value, typename Begins, typename Ends>
  static cudaError_t SortPairs(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                               const Value* values, Value* values_out, long long count, long long segments,
                               Begins begins, Ends ends, int begin_bit = 0,
                               int end_bit = warpmark_lib::kBitsOf<Key>, cudaStream_t stream = 0,
                               bool = false) {
    return detail::sort_segments<false>(memory, bytes, keys, keys_out, values, values_out, count, segments,
                                        begins, ends, begin_bit, end_bit, stream);
  }
  template <typename Key, typename Value, typename Begins, typename Ends>
  static cudaError_t SortPairsDescending(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                                         const Value* values, Value* values_out, long long count,
                                         long long segments, Begins begins, Ends ends, int begin_bit = 0,
                                         int end_bit = warpmark_lib::kBitsOf<Key>, cudaStream_t stream = 0,
                                         bool = false) {
    return detail::sort_segments<true>(memory, bytes, keys, keys_out, values, values_out, count, segments,
                                       begins, ends, begin_bit, end_bit, stream);
  }
  template <typename Key, typename Begins, typename Ends>
  static cudaError_t SortKeys(void* memory, size_t& bytes, const Key* keys, Key* keys_out, long long count,
                              long long segments, Begins begins, Ends ends, int begin_bit = 0,
                              int end_bit = warpmark_lib::kBitsOf<Key>, cudaStream_t stream = 0,
                              bool = false) {
    return detail::sort_segments<false>(memory, bytes, keys, keys_out, detail::kNoValues, detail::kNoValues,
                                        count, segments, begins, ends, begin_bit, end_bit, stream);
  }
  template <typename Key, typename Begins, typename Ends>
  static cudaError_t SortKeysDescending(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                                        long long count, long long segments, Begins begins, Ends ends,
                                        int begin_bit = 0, int end_bit = warpmark_lib::kBitsOf<Key>,
                                        cudaStream_t stream = 0, bool = false) {
    return detail::sort_segments<true>(memory, bytes, keys, keys_out, detail::kNoValues, detail::kNoValues,
                                       count, segments, begins, ends, begin_bit, end_bit, stream);
  }
};

// cub::DeviceSegmentedSort: sorts each segment by whole keys, into the order that DeviceSegmentedRadixSort
// yields for all key bits.
struct DeviceSegmentedSort {
  template <typename Key, typename Begins, typename Ends>
  static cudaError_t SortKeys(void* memory, size_t& bytes, const Key* keys, Key* keys_out, long long count,
                              long long segments, Begins begins, Ends ends, cudaStream_t stream = 0) {
    return DeviceSegmentedRadixSort::SortKeys(memory, bytes, keys, keys_out, count, segments, begins, ends, 0,
                                              warpmark_lib::kBitsOf<Key>, stream);
  }
  template <typename Key, typename Begins, typename Ends>
  static cudaError_t StableSortKeys(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                                    long long count, long long segments, Begins begins, Ends ends,
                                    cudaStream_t stream = 0) {
    return SortKeys(memory, bytes, keys, keys_out, count, segments, begins, ends, stream);
  }
  template <typename Key, typename Begins, typename Ends>
  static cudaError_t SortKeysDescending(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                                        long long count, long long segments, Begins begins, Ends ends,
                                        cudaStream_t stream = 0) {
    return DeviceSegmentedRadixSort::SortKeysDescending(memory, bytes, keys, keys_out, count, segments,
                                                        begins, ends, 0, warpmark_lib::kBitsOf<Key>, stream);
  }
  template <typename Key, typename Value, typename Begins, typename Ends>
  static cudaError_t SortPairs(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                               const Value* values, Value* values_out, long long count, long long segments,
                               Begins begins, Ends ends, cudaStream_t stream = 0) {
    return DeviceSegmentedRadixSort::SortPairs(memory, bytes, keys, keys_out, values, values_out, count,
                                               segments, begins, ends, 0, warpmark_lib::kBitsOf<Key>, stream);
  }
  template <typename Key, typename Value, typename Begins, typename Ends>
  static cudaError_t StableSortPairs(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                                     const Value* values, Value* values_out, long long count,
                                     long long segments, Begins begins, Ends ends, cudaStream_t stream = 0) {
    return SortPairs(memory, bytes, keys, keys_out, values, values_out, count, segments, begins, ends,
                     stream);
  }
  template <typename Key, typename Value, typename Begins, typename Ends>
  static cudaError_t SortPairsDescending(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                                         const Value* values, Value* values_out, long long count,
                                         long long segments, Begins begins, Ends ends,
                                         cudaStream_t stream = 0) {
    return DeviceSegmentedRadixSort::SortPairsDescending(memory, bytes, keys, keys_out, values, values_out,
                                                         count, segments, begins, ends, 0,
                                                         warpmark_lib::kBitsOf<Key>, stream);
  }
};

}  // namespace cub
