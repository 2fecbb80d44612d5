// Implements cub::BlockScan for the CUDA simulator.
#pragma once

#include "cub/block/common.h"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <typename T, int x, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1,
          int legacy_arch = 0>
class BlockScan {
  using Shape = detail::BlockShape<x, y, z>;
  static constexpr int kThreads = Shape::kThreads;

 public:
  struct TempStorage {
    detail::RawArray<T, kThreads> memory;
    detail::RawArray<T, 1> prefix;
  };

  WARPMARK_LOOK_THROUGH BlockScan() : storage_(private_storage()), rank_(Shape::rank()) {}
  WARPMARK_LOOK_THROUGH BlockScan(TempStorage& storage) : storage_(storage), rank_(Shape::rank()) {}

  WARPMARK_LOOK_THROUGH void ExclusiveSum(T input, T& output) {
    ExclusiveScan(input, output, T{}, cub::Sum());
  }
  WARPMARK_LOOK_THROUGH void ExclusiveSum(T input, T& output, T& aggregate) {
    ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
  }
  template <typename Prefix>
  WARPMARK_LOOK_THROUGH void ExclusiveSum(T input, T& output, Prefix& prefix) {
    ExclusiveScan(input, output, cub::Sum(), prefix);
  }
  template <int items>
  WARPMARK_LOOK_THROUGH void ExclusiveSum(T (&input)[items], T (&output)[items]) {
    ExclusiveScan(input, output, T{}, cub::Sum());
  }
  template <int items>
  WARPMARK_LOOK_THROUGH void ExclusiveSum(T (&input)[items], T (&output)[items], T& aggregate) {
    ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
  }
  template <int items, typename Prefix>
  WARPMARK_LOOK_THROUGH void ExclusiveSum(T (&input)[items], T (&output)[items], Prefix& prefix) {
    ExclusiveScan(input, output, cub::Sum(), prefix);
  }

  template <typename Operation>
  WARPMARK_LOOK_THROUGH void ExclusiveScan(T input, T& output, T initial, Operation operation) {
    detail::scan_threads<kThreads>(storage_.memory, rank_, input, operation);
    output = rank_ == 0 ? initial : operation(initial, storage_.memory[rank_ - 1]);
  }
  template <typename Operation>
  WARPMARK_LOOK_THROUGH void ExclusiveScan(T input, T& output, T initial, Operation operation, T& aggregate) {
    ExclusiveScan(input, output, initial, operation);
    aggregate = storage_.memory[kThreads - 1];
  }
  // Exclusive scan without an initial value: the output of thread 0 is undefined.
  template <typename Operation>
  WARPMARK_LOOK_THROUGH void ExclusiveScan(T input, T& output, Operation operation) {
    detail::scan_threads<kThreads>(storage_.memory, rank_, input, operation);
    if (rank_ != 0) output = storage_.memory[rank_ - 1];
  }
  // Exclusive scan with a prefix. The first warp calls prefix(aggregate), which returns the value to put
  // before the block's items.
  template <typename Operation, typename Prefix>
  WARPMARK_LOOK_THROUGH auto ExclusiveScan(T input, T& output, Operation operation, Prefix& prefix)
      -> decltype(prefix(input), void()) {
    detail::scan_threads<kThreads>(storage_.memory, rank_, input, operation);
    const T before = block_prefix(prefix);
    output = rank_ == 0 ? before : operation(before, storage_.memory[rank_ - 1]);
  }
  template <int items, typename Operation>
  WARPMARK_LOOK_THROUGH void ExclusiveScan(T (&input)[items], T (&output)[items], T initial,
                                           Operation operation) {
    T before;
    ExclusiveScan(ThreadReduce(input, operation), before, initial, operation);
    ThreadScanExclusive(input, output, operation, before);
  }
  template <int items, typename Operation>
  WARPMARK_LOOK_THROUGH void ExclusiveScan(T (&input)[items], T (&output)[items], T initial,
                                           Operation operation, T& aggregate) {
    ExclusiveScan(input, output, initial, operation);
    aggregate = storage_.memory[kThreads - 1];
  }
  template <int items, typename Operation, typename Prefix>
  WARPMARK_LOOK_THROUGH auto ExclusiveScan(T (&input)[items], T (&output)[items], Operation operation,
                                           Prefix& prefix) -> decltype(prefix(input[0]), void()) {
    T before;
    ExclusiveScan(ThreadReduce(input, operation), before, operation, prefix);
    ThreadScanExclusive(input, output, operation, before);
  }

  WARPMARK_LOOK_THROUGH void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  WARPMARK_LOOK_THROUGH void InclusiveSum(T input, T& output, T& aggregate) {
    InclusiveScan(input, output, cub::Sum(), aggregate);
  }
  template <typename Prefix>
  WARPMARK_LOOK_THROUGH void InclusiveSum(T input, T& output, Prefix& prefix) {
    InclusiveScan(input, output, cub::Sum(), prefix);
  }
  template <int items>
  WARPMARK_LOOK_THROUGH void InclusiveSum(T (&input)[items], T (&output)[items]) {
    InclusiveScan(input, output, cub::Sum());
  }
  template <int items>
  WARPMARK_LOOK_THROUGH void InclusiveSum(T (&input)[items], T (&output)[items], T& aggregate) {
    InclusiveScan(input, output, cub::Sum(), aggregate);
  }

  template <typename Operation>
  WARPMARK_LOOK_THROUGH void InclusiveScan(T input, T& output, Operation operation) {
    output = detail::scan_threads<kThreads>(storage_.memory, rank_, input, operation);
  }
  template <typename Operation>
  WARPMARK_LOOK_THROUGH void InclusiveScan(T input, T& output, Operation operation, T& aggregate) {
    InclusiveScan(input, output, operation);
    aggregate = storage_.memory[kThreads - 1];
  }
  template <typename Operation, typename Prefix>
  WARPMARK_LOOK_THROUGH auto InclusiveScan(T input, T& output, Operation operation, Prefix& prefix)
      -> decltype(prefix(input), void()) {
    const T sum = detail::scan_threads<kThreads>(storage_.memory, rank_, input, operation);
    output = operation(block_prefix(prefix), sum);
  }
  template <int items, typename Operation>
  WARPMARK_LOOK_THROUGH void InclusiveScan(T (&input)[items], T (&output)[items], Operation operation) {
    detail::scan_threads<kThreads>(storage_.memory, rank_, ThreadReduce(input, operation), operation);
    T sum = rank_ == 0 ? input[0] : operation(storage_.memory[rank_ - 1], input[0]);
    output[0] = sum;
    for (int i = 1; i < items; ++i) output[i] = sum = operation(sum, input[i]);
  }
  template <int items, typename Operation>
  WARPMARK_LOOK_THROUGH void InclusiveScan(T (&input)[items], T (&output)[items], Operation operation,
                                           T& aggregate) {
    InclusiveScan(input, output, operation);
    aggregate = storage_.memory[kThreads - 1];
  }

 private:
  template <typename Prefix>
  WARPMARK_LOOK_THROUGH T block_prefix(Prefix& prefix) {
    if (rank_ < 32) {
      const T before = prefix(storage_.memory[kThreads - 1]);
      if (rank_ == 0) storage_.prefix[0] = before;
    }
    __syncthreads();
    return storage_.prefix[0];
  }
  static WARPMARK_LOOK_THROUGH TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
  int rank_;
};

}  // namespace cub
