// Implements cub::BlockDiscontinuity, cub::BlockAdjacentDifference and cub::BlockShuffle for the CUDA
// simulator. In all three, a thread reads a neighbouring thread's item.
#pragma once

#include "cub/block/common.h"

namespace cub {
namespace detail {

// cub::BlockDiscontinuity and cub::BlockAdjacentDifference: each thread publishes its first and last item in
// shared memory, where the threads before and after it read them.
template <typename T, typename Shape>
class Neighbours {
  static constexpr int kThreads = Shape::kThreads;

 public:
  struct TempStorage {
    RawArray<T, kThreads> first;
    RawArray<T, kThreads> last;
  };
  template <int items>
  static WARPMARK_LOOK_THROUGH void share(TempStorage& storage, const T (&input)[items]) {
    storage.first[Shape::rank()] = input[0];
    storage.last[Shape::rank()] = input[items - 1];
    __syncthreads();
  }
  static WARPMARK_LOOK_THROUGH bool has_before() { return Shape::rank() > 0; }
  static WARPMARK_LOOK_THROUGH bool has_behind() { return Shape::rank() + 1 < kThreads; }
  static WARPMARK_LOOK_THROUGH T before(TempStorage& storage) { return storage.last[Shape::rank() - 1]; }
  static WARPMARK_LOOK_THROUGH T behind(TempStorage& storage) { return storage.first[Shape::rank() + 1]; }
};

// Calls the user's flag function with two adjacent items and, if the function accepts a third argument, the
// item's position.
template <typename Function, typename T>
WARPMARK_LOOK_THROUGH auto flag_of(Function& function, const T& a, const T& b, int at)
    -> decltype(function(a, b, at)) {
  return function(a, b, at);
}
template <typename Function, typename T, typename... Nothing>
WARPMARK_LOOK_THROUGH auto flag_of(Function& function, const T& a, const T& b, int, Nothing...)
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
  WARPMARK_LOOK_THROUGH BlockDiscontinuity() : storage_(private_storage()) {}
  WARPMARK_LOOK_THROUGH BlockDiscontinuity(TempStorage& storage) : storage_(storage) {}

  // In cub::BlockDiscontinuity, the block's first item always counts as a head if the caller gives no item
  // before the tile, and its last item as a tail if the caller gives none after it.
  template <int items, typename Flag, typename Function>
  WARPMARK_LOOK_THROUGH void FlagHeads(Flag (&flags)[items], T (&input)[items], Function function) {
    Near::share(storage_, input);
    heads(flags, input, function, Near::has_before() ? 0 : 1, input[0]);
  }
  template <int items, typename Flag, typename Function>
  WARPMARK_LOOK_THROUGH void FlagHeads(Flag (&flags)[items], T (&input)[items], Function function,
                                       T before_tile) {
    Near::share(storage_, input);
    heads(flags, input, function, 0, before_tile);
  }
  template <int items, typename Flag, typename Function>
  WARPMARK_LOOK_THROUGH void FlagTails(Flag (&flags)[items], T (&input)[items], Function function) {
    Near::share(storage_, input);
    tails(flags, input, function, Near::has_behind() ? 0 : 1, input[0]);
  }
  template <int items, typename Flag, typename Function>
  WARPMARK_LOOK_THROUGH void FlagTails(Flag (&flags)[items], T (&input)[items], Function function,
                                       T behind_tile) {
    Near::share(storage_, input);
    tails(flags, input, function, 0, behind_tile);
  }
  template <int items, typename Flag, typename Function>
  WARPMARK_LOOK_THROUGH void FlagHeadsAndTails(Flag (&head_flags)[items], Flag (&tail_flags)[items],
                                               T (&input)[items], Function function) {
    Near::share(storage_, input);
    heads(head_flags, input, function, Near::has_before() ? 0 : 1, input[0]);
    tails(tail_flags, input, function, Near::has_behind() ? 0 : 1, input[0]);
  }
  template <int items, typename Flag, typename Function>
  WARPMARK_LOOK_THROUGH void FlagHeadsAndTails(Flag (&head_flags)[items], Flag (&tail_flags)[items],
                                               T behind_tile, T (&input)[items], Function function) {
    Near::share(storage_, input);
    heads(head_flags, input, function, Near::has_before() ? 0 : 1, input[0]);
    tails(tail_flags, input, function, 0, behind_tile);
  }
  template <int items, typename Flag, typename Function>
  WARPMARK_LOOK_THROUGH void FlagHeadsAndTails(Flag (&head_flags)[items], T before_tile,
                                               Flag (&tail_flags)[items], T (&input)[items],
                                               Function function) {
    Near::share(storage_, input);
    heads(head_flags, input, function, 0, before_tile);
    tails(tail_flags, input, function, Near::has_behind() ? 0 : 1, input[0]);
  }
  template <int items, typename Flag, typename Function>
  WARPMARK_LOOK_THROUGH void FlagHeadsAndTails(Flag (&head_flags)[items], T before_tile,
                                               Flag (&tail_flags)[items], T behind_tile, T (&input)[items],
                                               Function function) {
    Near::share(storage_, input);
    heads(head_flags, input, function, 0, before_tile);
    tails(tail_flags, input, function, 0, behind_tile);
  }

 private:
  template <int items, typename Flag, typename Function>
  WARPMARK_LOOK_THROUGH void heads(Flag (&flags)[items], T (&input)[items], Function& function, int forced,
                                   const T& otherwise) {
    const int begin = Shape::rank() * items;
    const T before = Near::has_before() ? Near::before(storage_) : otherwise;
    flags[0] = forced ? 1 : detail::flag_of(function, before, input[0], begin);
    for (int i = 1; i < items; ++i) flags[i] = detail::flag_of(function, input[i - 1], input[i], begin + i);
  }
  template <int items, typename Flag, typename Function>
  WARPMARK_LOOK_THROUGH void tails(Flag (&flags)[items], T (&input)[items], Function& function, int forced,
                                   const T& otherwise) {
    const int begin = Shape::rank() * items;
    const T behind = Near::has_behind() ? Near::behind(storage_) : otherwise;
    for (int i = 0; i + 1 < items; ++i)
      flags[i] = detail::flag_of(function, input[i], input[i + 1], begin + i + 1);
    flags[items - 1] = forced ? 1 : detail::flag_of(function, input[items - 1], behind, begin + items);
  }
  static WARPMARK_LOOK_THROUGH TempStorage& private_storage() {
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
  WARPMARK_LOOK_THROUGH BlockAdjacentDifference() : storage_(private_storage()) {}
  WARPMARK_LOOK_THROUGH BlockAdjacentDifference(TempStorage& storage) : storage_(storage) {}

  // cub::BlockAdjacentDifference copies an item without a predecessor (SubtractLeft) or successor
  // (SubtractRight) unchanged: the block's first or last item and, in a partial tile, all items past the
  // valid ones.
  template <int items, typename Output, typename Function>
  WARPMARK_LOOK_THROUGH void SubtractLeft(T (&input)[items], Output (&output)[items], Function function) {
    left(input, output, function, Shape::kThreads * items, nullptr);
  }
  template <int items, typename Output, typename Function>
  WARPMARK_LOOK_THROUGH void SubtractLeft(T (&input)[items], Output (&output)[items], Function function,
                                          T before_tile) {
    left(input, output, function, Shape::kThreads * items, &before_tile);
  }
  template <int items, typename Output, typename Function>
  WARPMARK_LOOK_THROUGH void SubtractLeftPartialTile(T (&input)[items], Output (&output)[items],
                                                     Function function, int valid) {
    left(input, output, function, valid, nullptr);
  }
  template <int items, typename Output, typename Function>
  WARPMARK_LOOK_THROUGH void SubtractLeftPartialTile(T (&input)[items], Output (&output)[items],
                                                     Function function, int valid, T before_tile) {
    left(input, output, function, valid, &before_tile);
  }
  template <int items, typename Output, typename Function>
  WARPMARK_LOOK_THROUGH void SubtractRight(T (&input)[items], Output (&output)[items], Function function) {
    right(input, output, function, Shape::kThreads * items, nullptr);
  }
  template <int items, typename Output, typename Function>
  WARPMARK_LOOK_THROUGH void SubtractRight(T (&input)[items], Output (&output)[items], Function function,
                                           T behind_tile) {
    right(input, output, function, Shape::kThreads * items, &behind_tile);
  }
  template <int items, typename Output, typename Function>
  WARPMARK_LOOK_THROUGH void SubtractRightPartialTile(T (&input)[items], Output (&output)[items],
                                                      Function function, int valid) {
    right(input, output, function, valid, nullptr);
  }

 private:
  // Combines each item of the block with the item before it (cub::BlockAdjacentDifference). The function may
  // take its arguments by non-const reference, and `output` may be `input`.
  template <int items, typename Output, typename Function>
  WARPMARK_LOOK_THROUGH void left(T (&input)[items], Output (&output)[items], Function& function, int valid,
                                  const T* before_tile) {
    Near::share(storage_, input);
    const int begin = Shape::rank() * items;
    for (int i = items - 1; i > 0; --i)
      output[i] = begin + i < valid ? Output(function(input[i], input[i - 1])) : Output(input[i]);
    const bool has = Near::has_before() || before_tile != nullptr;
    T before = Near::has_before() ? Near::before(storage_) : has ? *before_tile : input[0];
    output[0] = has && begin < valid ? Output(function(input[0], before)) : Output(input[0]);
  }
  template <int items, typename Output, typename Function>
  WARPMARK_LOOK_THROUGH void right(T (&input)[items], Output (&output)[items], Function& function, int valid,
                                   const T* behind_tile) {
    Near::share(storage_, input);
    const int begin = Shape::rank() * items;
    for (int i = 0; i + 1 < items; ++i)
      output[i] = begin + i + 1 < valid ? Output(function(input[i], input[i + 1])) : Output(input[i]);
    const int last = items - 1;
    const bool has = Near::has_behind() || behind_tile != nullptr;
    T behind = Near::has_behind() ? Near::behind(storage_) : has ? *behind_tile : input[last];
    const bool ends = Near::has_behind() && begin + items >= valid;
    output[last] = has && !ends ? Output(function(input[last], behind)) : Output(input[last]);
  }
  static WARPMARK_LOOK_THROUGH TempStorage& private_storage() {
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
  WARPMARK_LOOK_THROUGH BlockShuffle() : storage_(private_storage()) {}
  WARPMARK_LOOK_THROUGH BlockShuffle(TempStorage& storage) : storage_(storage) {}

  // cub::BlockShuffle::Offset returns in `output` the item of the thread whose rank is `distance` higher. If
  // there is no such thread, `output` is unchanged.
  WARPMARK_LOOK_THROUGH void Offset(T input, T& output, int distance = 1) {
    const int rank = Shape::rank();
    storage_.memory[rank] = input;
    __syncthreads();
    if (rank + distance >= 0 && rank + distance < kThreads) output = storage_.memory[rank + distance];
  }
  WARPMARK_LOOK_THROUGH void Rotate(T input, T& output, unsigned int distance = 1) {
    const int rank = Shape::rank();
    storage_.memory[rank] = input;
    __syncthreads();
    output = storage_.memory[(rank + static_cast<int>(distance)) % kThreads];
  }
  // cub::BlockShuffle::Up replaces each item of the block by the item before it; the block's first output is
  // unchanged. `behind_all` returns the block's last item.
  template <int items>
  WARPMARK_LOOK_THROUGH void Up(T (&input)[items], T (&output)[items]) {
    T last;
    Up(input, output, last);
  }
  template <int items>
  WARPMARK_LOOK_THROUGH void Up(T (&input)[items], T (&output)[items], T& behind_all) {
    const int rank = Shape::rank();
    storage_.memory[rank] = input[items - 1];
    __syncthreads();
    for (int i = items - 1; i > 0; --i) output[i] = input[i - 1];
    if (rank > 0) output[0] = storage_.memory[rank - 1];
    behind_all = storage_.memory[kThreads - 1];
  }
  // cub::BlockShuffle::Down replaces each item of the block by the item after it; the block's last output is
  // unchanged. `before_all` returns the block's first item.
  template <int items>
  WARPMARK_LOOK_THROUGH void Down(T (&input)[items], T (&output)[items]) {
    T first;
    Down(input, output, first);
  }
  template <int items>
  WARPMARK_LOOK_THROUGH void Down(T (&input)[items], T (&output)[items], T& before_all) {
    const int rank = Shape::rank();
    storage_.memory[rank] = input[0];
    __syncthreads();
    for (int i = 0; i + 1 < items; ++i) output[i] = input[i + 1];
    if (rank + 1 < kThreads) output[items - 1] = storage_.memory[rank + 1];
    before_all = storage_.memory[0];
  }

 private:
  static WARPMARK_LOOK_THROUGH TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
};

}  // namespace cub
