// cub::BlockMergeSort on the simulator.
#pragma once

#include "cub/block/block_radix_sort.cuh"

namespace cub {

template <typename Key, int x, int items, typename Value = NullType, int y = 1, int z = 1>
class BlockMergeSort {
  using Shape = detail::BlockShape<x, y, z>;
  using KeySort = detail::TileSort<Key, warpmark_lib::NoValues, Shape, items>;
  using PairSort = detail::TileSort<Key, Value, Shape, items>;

 public:
  union TempStorage {
    typename KeySort::TempStorage keys;
    typename PairSort::TempStorage pairs;
  };

  __device__ __forceinline__ BlockMergeSort() : storage_(private_storage()) {}
  __device__ __forceinline__ BlockMergeSort(TempStorage& storage) : storage_(storage) {}

  template <typename Less>
  __device__ __forceinline__ void Sort(Key (&keys)[items], Less less) {
    const warpmark_lib::NoValues* none = nullptr;
    get(keys, KeySort::sort(storage_.keys, keys, none, less));
  }
  // valid: how many items of the tile there are; the others become `last`, which comes behind all.
  template <typename Less>
  __device__ __forceinline__ void Sort(Key (&keys)[items], Less less, int valid, Key last) {
    for (int i = 0; i < items; ++i) {
      if (Shape::rank() * items + i >= valid) keys[i] = last;
    }
    Sort(keys, less);
  }
  template <typename Less>
  __device__ __forceinline__ void Sort(Key (&keys)[items], Value (&values)[items], Less less) {
    const auto rows = PairSort::sort(storage_.pairs, keys, values, less);
    get(keys, rows);
    for (int i = 0; i < items; ++i) values[i] = rows.values[Shape::rank() * items + i];
  }
  template <typename Less>
  __device__ __forceinline__ void StableSort(Key (&keys)[items], Less less) {
    Sort(keys, less);
  }
  template <typename Less>
  __device__ __forceinline__ void StableSort(Key (&keys)[items], Value (&values)[items], Less less) {
    Sort(keys, values, less);
  }

 private:
  template <typename Rows>
  static __device__ __forceinline__ void get(Key (&keys)[items], const Rows& rows) {
    for (int i = 0; i < items; ++i) keys[i] = rows.keys[Shape::rank() * items + i];
  }
  static __device__ __forceinline__ TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
};

}  // namespace cub
