// Implements cub::BlockMergeSort for the CUDA simulator.
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

  WARPMARK_LOOK_THROUGH BlockMergeSort() : storage_(private_storage()) {}
  WARPMARK_LOOK_THROUGH BlockMergeSort(TempStorage& storage) : storage_(storage) {}

  template <typename Less>
  WARPMARK_LOOK_THROUGH void Sort(Key (&keys)[items], Less less) {
    const warpmark_lib::NoValues* none = nullptr;
    get(keys, KeySort::sort(storage_.keys, keys, none, less));
  }
  // cub::BlockMergeSort: sorts the first `valid` items of the tile. The other items become `last`, which must
  // not sort before any key.
  template <typename Less>
  WARPMARK_LOOK_THROUGH void Sort(Key (&keys)[items], Less less, int valid, Key last) {
    for (int i = 0; i < items; ++i) {
      if (Shape::rank() * items + i >= valid) keys[i] = last;
    }
    Sort(keys, less);
  }
  template <typename Less>
  WARPMARK_LOOK_THROUGH void Sort(Key (&keys)[items], Value (&values)[items], Less less) {
    const auto rows = PairSort::sort(storage_.pairs, keys, values, less);
    get(keys, rows);
    for (int i = 0; i < items; ++i) values[i] = rows.values[Shape::rank() * items + i];
  }
  template <typename Less>
  WARPMARK_LOOK_THROUGH void StableSort(Key (&keys)[items], Less less) {
    Sort(keys, less);
  }
  template <typename Less>
  WARPMARK_LOOK_THROUGH void StableSort(Key (&keys)[items], Value (&values)[items], Less less) {
    Sort(keys, values, less);
  }

 private:
  template <typename Rows>
  static WARPMARK_LOOK_THROUGH void get(Key (&keys)[items], const Rows& rows) {
    for (int i = 0; i < items; ++i) keys[i] = rows.keys[Shape::rank() * items + i];
  }
  static WARPMARK_LOOK_THROUGH TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
};

}  // namespace cub
