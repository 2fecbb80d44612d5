// Implements cub::BlockExchange for the CUDA simulator. In a blocked arrangement a thread's items are
// consecutive; in a striped one they are a block size apart; in a warp-striped one a warp size apart, within
// the warp's part of the tile.
#pragma once

#include "cub/block/common.h"

namespace cub {
namespace detail {

// Returns the index in the tile of item i of a thread, in a blocked arrangement.
template <int items>
WARPMARK_LOOK_THROUGH int blocked_place(int rank, int i) {
  return rank * items + i;
}
template <int threads>
WARPMARK_LOOK_THROUGH int striped_place(int rank, int i) {
  return i * threads + rank;
}
template <int threads, int items>
WARPMARK_LOOK_THROUGH int warp_striped_place(int rank, int i) {
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

  WARPMARK_LOOK_THROUGH BlockExchange() : storage_(private_storage()), rank_(Shape::rank()) {}
  WARPMARK_LOOK_THROUGH BlockExchange(TempStorage& storage) : storage_(storage), rank_(Shape::rank()) {}

  template <typename Output>
  WARPMARK_LOOK_THROUGH void StripedToBlocked(const T (&input)[items], Output (&output)[items]) {
    exchange(input, output, Striped(), Blocked());
  }
  template <typename Output>
  WARPMARK_LOOK_THROUGH void BlockedToStriped(const T (&input)[items], Output (&output)[items]) {
    exchange(input, output, Blocked(), Striped());
  }
  template <typename Output>
  WARPMARK_LOOK_THROUGH void WarpStripedToBlocked(const T (&input)[items], Output (&output)[items]) {
    exchange(input, output, WarpStriped(), Blocked());
  }
  template <typename Output>
  WARPMARK_LOOK_THROUGH void BlockedToWarpStriped(const T (&input)[items], Output (&output)[items]) {
    exchange(input, output, Blocked(), WarpStriped());
  }
  template <typename Output, typename Rank>
  WARPMARK_LOOK_THROUGH void ScatterToBlocked(const T (&input)[items], Output (&output)[items],
                                              Rank (&ranks)[items]) {
    scatter(input, ranks);
    gather(output, Blocked());
  }
  template <typename Output, typename Rank>
  WARPMARK_LOOK_THROUGH void ScatterToStriped(const T (&input)[items], Output (&output)[items],
                                              Rank (&ranks)[items]) {
    scatter(input, ranks);
    gather(output, Striped());
  }

 private:
  struct Blocked {
    WARPMARK_LOOK_THROUGH int operator()(int rank, int i) { return detail::blocked_place<items>(rank, i); }
  };
  struct Striped {
    WARPMARK_LOOK_THROUGH int operator()(int rank, int i) { return detail::striped_place<kThreads>(rank, i); }
  };
  struct WarpStriped {
    WARPMARK_LOOK_THROUGH int operator()(int rank, int i) {
      return detail::warp_striped_place<kThreads, items>(rank, i);
    }
  };

  template <typename Output, typename From, typename To>
  WARPMARK_LOOK_THROUGH void exchange(const T (&input)[items], Output (&output)[items], From from, To to) {
    for (int i = 0; i < items; ++i) storage_.memory[from(rank_, i)] = input[i];
    gather(output, to);
  }
  template <typename Output, typename To>
  WARPMARK_LOOK_THROUGH void gather(Output (&output)[items], To to) {
    __syncthreads();
    for (int i = 0; i < items; ++i) output[i] = storage_.memory[to(rank_, i)];
  }
  template <typename Rank>
  WARPMARK_LOOK_THROUGH void scatter(const T (&input)[items], Rank (&ranks)[items]) {
    for (int i = 0; i < items; ++i) storage_.memory[static_cast<int>(ranks[i])] = input[i];
  }
  static WARPMARK_LOOK_THROUGH TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
  int rank_;
};

}  // namespace cub
