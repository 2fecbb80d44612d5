// cub::BlockExchange on the simulator. Blocked: a thread's items are neighbours; striped: they are a block
// apart; warp-striped: a warp apart, within the warp's part.
#pragma once

#include "cub/block/common.h"

namespace cub {
namespace detail {

// Where item i of a thread lies in the tile.
template <int items>
__device__ __forceinline__ int blocked_place(int rank, int i) {
  return rank * items + i;
}
template <int threads>
__device__ __forceinline__ int striped_place(int rank, int i) {
  return i * threads + rank;
}
template <int threads, int items>
__device__ __forceinline__ int warp_striped_place(int rank, int i) {
  constexpr int kLanes = threads < 32 ? threads : 32;
  return rank / kLanes * kLanes * items + i * kLanes + rank % kLanes;
}

}  // namespace detail

template <typename T, int x, int items, bool time_slicing = false, int y = 1, int z = 1, int legacy_arch = 0>
class BlockExchange {
  using Shape = detail::BlockShape<x, y, z>;
  static constexpr int kThreads = Shape::kThreads;

 public:
  struct TempStorage {
    detail::RawArray<T, kThreads * items> memory;
  };

  __device__ __forceinline__ BlockExchange() : storage_(private_storage()), rank_(Shape::rank()) {}
  __device__ __forceinline__ BlockExchange(TempStorage& storage) : storage_(storage), rank_(Shape::rank()) {}

  template <typename Output>
  __device__ __forceinline__ void StripedToBlocked(const T (&input)[items], Output (&output)[items]) {
    exchange(input, output, Striped(), Blocked());
  }
  template <typename Output>
  __device__ __forceinline__ void BlockedToStriped(const T (&input)[items], Output (&output)[items]) {
    exchange(input, output, Blocked(), Striped());
  }
  template <typename Output>
  __device__ __forceinline__ void WarpStripedToBlocked(const T (&input)[items], Output (&output)[items]) {
    exchange(input, output, WarpStriped(), Blocked());
  }
  template <typename Output>
  __device__ __forceinline__ void BlockedToWarpStriped(const T (&input)[items], Output (&output)[items]) {
    exchange(input, output, Blocked(), WarpStriped());
  }
  template <typename Output, typename Rank>
  __device__ __forceinline__ void ScatterToBlocked(const T (&input)[items], Output (&output)[items],
                                                   Rank (&ranks)[items]) {
    scatter(input, ranks);
    gather(output, Blocked());
  }
  template <typename Output, typename Rank>
  __device__ __forceinline__ void ScatterToStriped(const T (&input)[items], Output (&output)[items],
                                                   Rank (&ranks)[items]) {
    scatter(input, ranks);
    gather(output, Striped());
  }

 private:
  struct Blocked {
    __device__ __forceinline__ int operator()(int rank, int i) {
      return detail::blocked_place<items>(rank, i);
    }
  };
  struct Striped {
    __device__ __forceinline__ int operator()(int rank, int i) {
      return detail::striped_place<kThreads>(rank, i);
    }
  };
  struct WarpStriped {
    __device__ __forceinline__ int operator()(int rank, int i) {
      return detail::warp_striped_place<kThreads, items>(rank, i);
    }
  };

  template <typename Output, typename From, typename To>
  __device__ __forceinline__ void exchange(const T (&input)[items], Output (&output)[items], From from,
                                           To to) {
    for (int i = 0; i < items; ++i) storage_.memory[from(rank_, i)] = input[i];
    gather(output, to);
  }
  template <typename Output, typename To>
  __device__ __forceinline__ void gather(Output (&output)[items], To to) {
    __syncthreads();
    for (int i = 0; i < items; ++i) output[i] = storage_.memory[to(rank_, i)];
  }
  template <typename Rank>
  __device__ __forceinline__ void scatter(const T (&input)[items], Rank (&ranks)[items]) {
    for (int i = 0; i < items; ++i) storage_.memory[static_cast<int>(ranks[i])] = input[i];
  }
  static __device__ __forceinline__ TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
  int rank_;
};

}  // namespace cub
