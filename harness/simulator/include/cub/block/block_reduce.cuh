// Implements cub::BlockReduce for the CUDA simulator.
#pragma once

#include "cub/block/common.h"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

// cub::BlockReduce: block-wide reduction. Only thread 0 gets the result; it is undefined in the other
// threads.
template <typename T, int x, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1,
          int z = 1, int legacy_arch = 0>
class BlockReduce {
  using Shape = detail::BlockShape<x, y, z>;
  static constexpr int kThreads = Shape::kThreads;
  using Memory = detail::RawArray<T, kThreads>;

 public:
  struct TempStorage {
    Memory memory;
  };

  WARPMARK_LOOK_THROUGH BlockReduce() : storage_(private_storage()) {}
  WARPMARK_LOOK_THROUGH BlockReduce(TempStorage& storage) : storage_(storage) {}

  template <typename Operation>
  WARPMARK_LOOK_THROUGH T Reduce(T value, Operation operation) {
    return detail::reduce_threads<kThreads>(storage_.memory, Shape::rank(), value, operation, kThreads);
  }
  template <typename Operation>
  WARPMARK_LOOK_THROUGH T Reduce(T value, Operation operation, int valid) {
    return detail::reduce_threads<kThreads>(storage_.memory, Shape::rank(), value, operation, valid);
  }
  template <int items, typename Operation>
  WARPMARK_LOOK_THROUGH T Reduce(T (&values)[items], Operation operation) {
    return Reduce(ThreadReduce(values, operation), operation);
  }
  WARPMARK_LOOK_THROUGH T Sum(T value) { return Reduce(value, cub::Sum()); }
  WARPMARK_LOOK_THROUGH T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <int items>
  WARPMARK_LOOK_THROUGH T Sum(T (&values)[items]) {
    return Reduce(values, cub::Sum());
  }

 private:
  static WARPMARK_LOOK_THROUGH TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
};

}  // namespace cub
