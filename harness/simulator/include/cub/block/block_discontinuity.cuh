// cub::BlockDiscontinuity, cub::BlockAdjacentDifference and cub::BlockShuffle on the simulator: what looks at
// a neighbour thread's item.
#pragma once

#include "cub/block/common.h"

namespace cub {
namespace detail {

// The last and the first item of each thread.
template <typename T, typename Shape>
class Neighbours {
  static constexpr int kThreads = Shape::kThreads;

 public:
  struct TempStorage {
    RawArray<T, kThreads> first;
    RawArray<T, kThreads> last;
  };
  template <int items>
  static __device__ __forceinline__ void share(TempStorage& storage, const T (&input)[items]) {
    storage.first[Shape::rank()] = input[0];
    storage.last[Shape::rank()] = input[items - 1];
    __syncthreads();
  }
  static __device__ __forceinline__ bool has_before() { return Shape::rank() > 0; }
  static __device__ __forceinline__ bool has_behind() { return Shape::rank() + 1 < kThreads; }
  static __device__ __forceinline__ T before(TempStorage& storage) { return storage.last[Shape::rank() - 1]; }
  static __device__ __forceinline__ T behind(TempStorage& storage) {
    return storage.first[Shape::rank() + 1];
  }
};

// A flag function takes the item's position as a third argument, or does without.
template <typename Function, typename T>
__device__ __forceinline__ auto flag_of(Function& function, const T& a, const T& b, int at)
    -> decltype(function(a, b, at)) {
  return function(a, b, at);
}
template <typename Function, typename T, typename... Nothing>
__device__ __forceinline__ auto flag_of(Function& function, const T& a, const T& b, int, Nothing...)
    -> decltype(function(a, b)) {
  return function(a, b);
}

}  // namespace detail

template <typename T, int x, int y = 1, int z = 1, int legacy_arch = 0>
class BlockDiscontinuity {
  using Shape = detail::BlockShape<x, y, z>;
  using Near = detail::Neighbours<T, Shape>;

 public:
  using TempStorage = typename Near::TempStorage;
  __device__ __forceinline__ BlockDiscontinuity() : storage_(private_storage()) {}
  __device__ __forceinline__ BlockDiscontinuity(TempStorage& storage) : storage_(storage) {}

  // The block's first item is a head, and its last a tail, where nothing stands before or behind them.
  template <int items, typename Flag, typename Function>
  __device__ __forceinline__ void FlagHeads(Flag (&flags)[items], T (&input)[items], Function function) {
    Near::share(storage_, input);
    heads(flags, input, function, Near::has_before() ? 0 : 1, input[0]);
  }
  template <int items, typename Flag, typename Function>
  __device__ __forceinline__ void FlagHeads(Flag (&flags)[items], T (&input)[items], Function function,
                                            T before_tile) {
    Near::share(storage_, input);
    heads(flags, input, function, 0, before_tile);
  }
  template <int items, typename Flag, typename Function>
  __device__ __forceinline__ void FlagTails(Flag (&flags)[items], T (&input)[items], Function function) {
    Near::share(storage_, input);
    tails(flags, input, function, Near::has_behind() ? 0 : 1, input[0]);
  }
  template <int items, typename Flag, typename Function>
  __device__ __forceinline__ void FlagTails(Flag (&flags)[items], T (&input)[items], Function function,
                                            T behind_tile) {
    Near::share(storage_, input);
    tails(flags, input, function, 0, behind_tile);
  }
  template <int items, typename Flag, typename Function>
  __device__ __forceinline__ void FlagHeadsAndTails(Flag (&head_flags)[items], Flag (&tail_flags)[items],
                                                    T (&input)[items], Function function) {
    Near::share(storage_, input);
    heads(head_flags, input, function, Near::has_before() ? 0 : 1, input[0]);
    tails(tail_flags, input, function, Near::has_behind() ? 0 : 1, input[0]);
  }

 private:
  template <int items, typename Flag, typename Function>
  __device__ __forceinline__ void heads(Flag (&flags)[items], T (&input)[items], Function& function,
                                        int forced, const T& otherwise) {
    const int begin = Shape::rank() * items;
    const T before = Near::has_before() ? Near::before(storage_) : otherwise;
    flags[0] = forced ? 1 : detail::flag_of(function, before, input[0], begin);
    for (int i = 1; i < items; ++i) flags[i] = detail::flag_of(function, input[i - 1], input[i], begin + i);
  }
  template <int items, typename Flag, typename Function>
  __device__ __forceinline__ void tails(Flag (&flags)[items], T (&input)[items], Function& function,
                                        int forced, const T& otherwise) {
    const int begin = Shape::rank() * items;
    const T behind = Near::has_behind() ? Near::behind(storage_) : otherwise;
    for (int i = 0; i + 1 < items; ++i)
      flags[i] = detail::flag_of(function, input[i], input[i + 1], begin + i + 1);
    flags[items - 1] = forced ? 1 : detail::flag_of(function, input[items - 1], behind, begin + items);
  }
  static __device__ __forceinline__ TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
};

template <typename T, int x, int y = 1, int z = 1, int legacy_arch = 0>
class BlockAdjacentDifference {
  using Shape = detail::BlockShape<x, y, z>;
  using Near = detail::Neighbours<T, Shape>;

 public:
  using TempStorage = typename Near::TempStorage;
  __device__ __forceinline__ BlockAdjacentDifference() : storage_(private_storage()) {}
  __device__ __forceinline__ BlockAdjacentDifference(TempStorage& storage) : storage_(storage) {}

  template <int items, typename Output, typename Function>
  __device__ __forceinline__ void SubtractLeft(T (&input)[items], Output (&output)[items],
                                               Function function) {
    Near::share(storage_, input);
    for (int i = items - 1; i > 0; --i) output[i] = function(input[i], input[i - 1]);
    output[0] = Near::has_before() ? Output(function(input[0], Near::before(storage_))) : Output(input[0]);
  }
  template <int items, typename Output, typename Function>
  __device__ __forceinline__ void SubtractRight(T (&input)[items], Output (&output)[items],
                                                Function function) {
    Near::share(storage_, input);
    for (int i = 0; i + 1 < items; ++i) output[i] = function(input[i], input[i + 1]);
    output[items - 1] = Near::has_behind() ? Output(function(input[items - 1], Near::behind(storage_)))
                                           : Output(input[items - 1]);
  }

 private:
  static __device__ __forceinline__ TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
};

template <typename T, int x, int y = 1, int z = 1, int legacy_arch = 0>
class BlockShuffle {
  using Shape = detail::BlockShape<x, y, z>;
  static constexpr int kThreads = Shape::kThreads;

 public:
  struct TempStorage {
    detail::RawArray<T, kThreads> memory;
  };
  __device__ __forceinline__ BlockShuffle() : storage_(private_storage()) {}
  __device__ __forceinline__ BlockShuffle(TempStorage& storage) : storage_(storage) {}

  // The item of the thread `distance` further on; a thread without one keeps its output.
  __device__ __forceinline__ void Offset(T input, T& output, int distance = 1) {
    const int rank = Shape::rank();
    storage_.memory[rank] = input;
    __syncthreads();
    if (rank + distance >= 0 && rank + distance < kThreads) output = storage_.memory[rank + distance];
  }
  __device__ __forceinline__ void Rotate(T input, T& output, unsigned int distance = 1) {
    const int rank = Shape::rank();
    storage_.memory[rank] = input;
    __syncthreads();
    output = storage_.memory[(rank + static_cast<int>(distance)) % kThreads];
  }

 private:
  static __device__ __forceinline__ TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
};

}  // namespace cub
