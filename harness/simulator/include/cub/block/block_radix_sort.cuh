// Implements cub::BlockRadixSort for the CUDA simulator, and the block-wide sort that cub::BlockMergeSort
// also uses.
#pragma once

#include "cub/block/block_exchange.cuh"
#include "warpmark_cuda/algorithms/radix.h"

namespace cub {
namespace detail {

// Block-wide merge sort in shared memory of a tile of threads * items keys, with optional values.
template <typename Key, typename Value, typename Shape, int items>
class TileSort {
  static constexpr int kThreads = Shape::kThreads;
  static constexpr int kTile = kThreads * items;
  using Rows = warpmark_lib::Rows<Key, Value>;

 public:
  struct TempStorage {
    RawArray<Key, kTile> keys[2];
    RawArray<Value,
             std::is_same_v<Value, NullType> || std::is_same_v<Value, warpmark_lib::NoValues> ? 1 : kTile>
        values[2];
  };

  // Sorts the tile in shared memory and returns pointers to the sorted keys and values there.
  template <typename Before>
  static WARPMARK_LOOK_THROUGH Rows sort(TempStorage& storage, const Key (&keys)[items], const Value* values,
                                         Before before, int valid = kTile) {
    Rows here{&storage.keys[0][0], &storage.values[0][0]};
    Rows there{&storage.keys[1][0], &storage.values[1][0]};
    const int begin = Shape::rank() * items;
    const int count = begin + items < valid ? items : begin < valid ? valid - begin : 0;
    for (int i = 0; i < count; ++i) {
      here.keys[begin + i] = keys[i];
      if constexpr (!std::is_same_v<Value, warpmark_lib::NoValues>) here.values[begin + i] = values[i];
    }
    for (int i = 1; i < count; ++i) warpmark_lib::insert(here, begin, begin + i, here, before);
    for (int length = items; length < valid; length *= 2) {
      __syncthreads();
      if (count > 0) merge(here, there, begin, count, length, valid, before);
      const Rows between = here;
      here = there;
      there = between;
    }
    __syncthreads();
    return here;
  }

 private:
  template <typename Before>
  static WARPMARK_LOOK_THROUGH void merge(const Rows& from, const Rows& to, int first, int count, int length,
                                          int valid, Before& before) {
    const int a = first / (2 * length) * (2 * length);
    const int b = a + length < valid ? a + length : valid;
    const int c = b + length < valid ? b + length : valid;
    int left = a + static_cast<int>(warpmark_lib::taken_from_first(from.keys, a, b, c, first - a, before));
    int right = b + (first - left);
    for (int i = first; i < first + count; ++i) {
      const bool from_right = left >= b || (right < c && before(from.keys[right], from.keys[left]));
      to.set(i, from, from_right ? right++ : left++);
    }
  }
};

}  // namespace detail

template <typename Key, int x, int items, typename Value = NullType, int radix_bits = 4, bool memoize = true,
          int scan_algorithm = 0, int bank_config = 0, int y = 1, int z = 1, int legacy_arch = 0>
class BlockRadixSort {
  using Shape = detail::BlockShape<x, y, z>;
  static constexpr int kThreads = Shape::kThreads;
  static constexpr int kBits = warpmark_lib::kBitsOf<Key>;
  using KeySort = detail::TileSort<Key, warpmark_lib::NoValues, Shape, items>;
  using PairSort = detail::TileSort<Key, Value, Shape, items>;

 public:
  union TempStorage {
    typename KeySort::TempStorage keys;
    typename PairSort::TempStorage pairs;
  };

  WARPMARK_LOOK_THROUGH BlockRadixSort() : storage_(private_storage()) {}
  WARPMARK_LOOK_THROUGH BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  WARPMARK_LOOK_THROUGH void Sort(Key (&keys)[items], int begin_bit = 0, int end_bit = kBits) {
    sort_keys<false, false>(keys, begin_bit, end_bit);
  }
  WARPMARK_LOOK_THROUGH void Sort(Key (&keys)[items], Value (&values)[items], int begin_bit = 0,
                                  int end_bit = kBits) {
    sort_pairs<false, false>(keys, values, begin_bit, end_bit);
  }
  WARPMARK_LOOK_THROUGH void SortDescending(Key (&keys)[items], int begin_bit = 0, int end_bit = kBits) {
    sort_keys<true, false>(keys, begin_bit, end_bit);
  }
  WARPMARK_LOOK_THROUGH void SortDescending(Key (&keys)[items], Value (&values)[items], int begin_bit = 0,
                                            int end_bit = kBits) {
    sort_pairs<true, false>(keys, values, begin_bit, end_bit);
  }
  WARPMARK_LOOK_THROUGH void SortBlockedToStriped(Key (&keys)[items], int begin_bit = 0,
                                                  int end_bit = kBits) {
    sort_keys<false, true>(keys, begin_bit, end_bit);
  }
  WARPMARK_LOOK_THROUGH void SortBlockedToStriped(Key (&keys)[items], Value (&values)[items],
                                                  int begin_bit = 0, int end_bit = kBits) {
    sort_pairs<false, true>(keys, values, begin_bit, end_bit);
  }
  WARPMARK_LOOK_THROUGH void SortDescendingBlockedToStriped(Key (&keys)[items], int begin_bit = 0,
                                                            int end_bit = kBits) {
    sort_keys<true, true>(keys, begin_bit, end_bit);
  }
  WARPMARK_LOOK_THROUGH void SortDescendingBlockedToStriped(Key (&keys)[items], Value (&values)[items],
                                                            int begin_bit = 0, int end_bit = kBits) {
    sort_pairs<true, true>(keys, values, begin_bit, end_bit);
  }

 private:
  template <bool striped>
  static WARPMARK_LOOK_THROUGH int place(int i) {
    return striped ? detail::striped_place<kThreads>(Shape::rank(), i)
                   : detail::blocked_place<items>(Shape::rank(), i);
  }
  template <bool descending, bool striped>
  WARPMARK_LOOK_THROUGH void sort_keys(Key (&keys)[items], int begin_bit, int end_bit) {
    const warpmark_lib::NoValues* none = nullptr;
    const auto rows =
        KeySort::sort(storage_.keys, keys, none, warpmark_lib::BeforeByBits<descending>{begin_bit, end_bit});
    for (int i = 0; i < items; ++i) keys[i] = rows.keys[place<striped>(i)];
  }
  template <bool descending, bool striped>
  WARPMARK_LOOK_THROUGH void sort_pairs(Key (&keys)[items], Value (&values)[items], int begin_bit,
                                        int end_bit) {
    const auto rows = PairSort::sort(storage_.pairs, keys, values,
                                     warpmark_lib::BeforeByBits<descending>{begin_bit, end_bit});
    for (int i = 0; i < items; ++i) {
      keys[i] = rows.keys[place<striped>(i)];
      values[i] = rows.values[place<striped>(i)];
    }
  }
  static WARPMARK_LOOK_THROUGH TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
};

}  // namespace cub
