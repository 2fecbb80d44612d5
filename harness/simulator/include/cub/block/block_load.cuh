// Implements cub::BlockLoad and cub::BlockStore for the CUDA simulator. Each thread gets the same items as
// with CUB; the memory access pattern of the chosen algorithm is not reproduced.
#pragma once

#include "cub/block/block_exchange.cuh"
#include "warpmark_cuda/algorithms/run.h"

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <typename T, int items, typename Input>
WARPMARK_LOOK_THROUGH void LoadDirectBlocked(int rank, Input from, T (&values)[items]) {
  for (int i = 0; i < items; ++i) values[i] = from[rank * items + i];
}
template <typename T, int items, typename Input>
WARPMARK_LOOK_THROUGH void LoadDirectBlocked(int rank, Input from, T (&values)[items], int valid) {
  for (int i = 0; i < items; ++i) {
    if (rank * items + i < valid) values[i] = from[rank * items + i];
  }
}
template <typename T, int items, typename Input, typename Default>
WARPMARK_LOOK_THROUGH void LoadDirectBlocked(int rank, Input from, T (&values)[items], int valid,
                                             Default otherwise) {
  for (int i = 0; i < items; ++i) values[i] = otherwise;
  LoadDirectBlocked(rank, from, values, valid);
}
template <int threads, typename T, int items, typename Input>
WARPMARK_LOOK_THROUGH void LoadDirectStriped(int rank, Input from, T (&values)[items]) {
  for (int i = 0; i < items; ++i) values[i] = from[i * threads + rank];
}
template <int threads, typename T, int items, typename Input>
WARPMARK_LOOK_THROUGH void LoadDirectStriped(int rank, Input from, T (&values)[items], int valid) {
  for (int i = 0; i < items; ++i) {
    if (i * threads + rank < valid) values[i] = from[i * threads + rank];
  }
}
template <int threads, typename T, int items, typename Input, typename Default>
WARPMARK_LOOK_THROUGH void LoadDirectStriped(int rank, Input from, T (&values)[items], int valid,
                                             Default otherwise) {
  for (int i = 0; i < items; ++i) values[i] = otherwise;
  LoadDirectStriped<threads>(rank, from, values, valid);
}
template <typename T, int items, typename Output>
WARPMARK_LOOK_THROUGH void StoreDirectBlocked(int rank, Output to, T (&values)[items]) {
  for (int i = 0; i < items; ++i) to[rank * items + i] = values[i];
}
template <typename T, int items, typename Output>
WARPMARK_LOOK_THROUGH void StoreDirectBlocked(int rank, Output to, T (&values)[items], int valid) {
  for (int i = 0; i < items; ++i) {
    if (rank * items + i < valid) to[rank * items + i] = values[i];
  }
}
template <int threads, typename T, int items, typename Output>
WARPMARK_LOOK_THROUGH void StoreDirectStriped(int rank, Output to, T (&values)[items]) {
  for (int i = 0; i < items; ++i) to[i * threads + rank] = values[i];
}
template <int threads, typename T, int items, typename Output>
WARPMARK_LOOK_THROUGH void StoreDirectStriped(int rank, Output to, T (&values)[items], int valid) {
  for (int i = 0; i < items; ++i) {
    if (i * threads + rank < valid) to[i * threads + rank] = values[i];
  }
}

// cub::BlockLoad: as in CUB, TempStorage takes up shared memory if the algorithm transposes, so that the
// simulator notices a missing allocation or barrier; for the direct and striped algorithms it is empty.
template <typename Input, int x, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int y = 1,
          int z = 1, int legacy_arch = 0>
class BlockLoad {
  using Shape = detail::BlockShape<x, y, z>;
  static constexpr int kThreads = Shape::kThreads;
  static constexpr bool kDirect = algorithm == BLOCK_LOAD_DIRECT || algorithm == BLOCK_LOAD_VECTORIZE;
  static constexpr bool kStriped = algorithm == BLOCK_LOAD_STRIPED;
  using Exchange = BlockExchange<Input, x, items, false, y, z>;
  struct None {};

 public:
  using TempStorage = std::conditional_t<kDirect || kStriped, None, typename Exchange::TempStorage>;

  WARPMARK_LOOK_THROUGH BlockLoad() : storage_(private_storage()), rank_(Shape::rank()) {}
  WARPMARK_LOOK_THROUGH BlockLoad(TempStorage& storage) : storage_(storage), rank_(Shape::rank()) {}

  // cub::BlockLoad::Load: loads a tile into the threads' registers. rest: optionally, the number of valid
  // items and the default value of all others.
  template <typename From, typename... Rest>
  WARPMARK_LOOK_THROUGH void Load(From from, Input (&values)[items], Rest... rest) {
    if constexpr (kDirect) {
      LoadDirectBlocked(rank_, from, values, rest...);
    } else {
      LoadDirectStriped<kThreads>(rank_, from, values, rest...);
      if constexpr (!kStriped) Exchange(storage_).StripedToBlocked(values, values);
    }
  }

 private:
  static WARPMARK_LOOK_THROUGH TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
  int rank_;
};

template <typename T, int x, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int y = 1,
          int z = 1, int legacy_arch = 0>
class BlockStore {
  using Shape = detail::BlockShape<x, y, z>;
  static constexpr int kThreads = Shape::kThreads;
  static constexpr bool kDirect = algorithm == BLOCK_STORE_DIRECT || algorithm == BLOCK_STORE_VECTORIZE;
  static constexpr bool kStriped = algorithm == BLOCK_STORE_STRIPED;
  using Exchange = BlockExchange<T, x, items, false, y, z>;
  struct None {};

 public:
  using TempStorage = std::conditional_t<kDirect || kStriped, None, typename Exchange::TempStorage>;

  WARPMARK_LOOK_THROUGH BlockStore() : storage_(private_storage()), rank_(Shape::rank()) {}
  WARPMARK_LOOK_THROUGH BlockStore(TempStorage& storage) : storage_(storage), rank_(Shape::rank()) {}

  template <typename To, typename... Rest>
  WARPMARK_LOOK_THROUGH void Store(To to, T (&values)[items], Rest... rest) {
    if constexpr (kDirect) {
      StoreDirectBlocked(rank_, to, values, rest...);
    } else {
      if constexpr (!kStriped) Exchange(storage_).BlockedToStriped(values, values);
      StoreDirectStriped<kThreads>(rank_, to, values, rest...);
    }
  }

 private:
  static WARPMARK_LOOK_THROUGH TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
  int rank_;
};

}  // namespace cub
