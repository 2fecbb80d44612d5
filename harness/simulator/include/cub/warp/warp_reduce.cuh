// Implements cub::WarpReduce and cub::WarpScan for the CUDA simulator by shuffles, so that TempStorage is
// empty.
#pragma once

#include "cub/block/common.h"

namespace cub {
namespace detail {

// A logical warp of up to 32 lanes: lane number, member mask, and data exchange by shuffles.
template <int lanes>
struct LogicalWarp {
  static WARPMARK_LOOK_THROUGH int lane() { return static_cast<int>(LaneId()) % lanes; }
  static WARPMARK_LOOK_THROUGH unsigned int mask() {
    const int threads = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
    const int rank = RowMajorTid(static_cast<int>(blockDim.x), static_cast<int>(blockDim.y), 1);
    // number of the block's threads in this warp and all later ones; below 32 if this is an incomplete last
    // warp
    const int in_warp = threads - rank / 32 * 32;
    const unsigned int there = in_warp >= 32 ? 0xffffffffu : (1u << in_warp) - 1;
    const unsigned int logical =
        lanes == 32 ? 0xffffffffu : ((1u << (lanes % 32)) - 1) << (LaneId() / lanes * lanes);
    return there & logical;
  }
  // Returns the value of lane `source` of the logical warp, transferred by one shuffle per 32-bit word.
  template <typename T>
  static WARPMARK_LOOK_THROUGH T from(const T& value, int source) {
    constexpr int kWords = static_cast<int>((sizeof(T) + 3) / 4);
    unsigned int words[kWords] = {};
    __builtin_memcpy(words, &value, sizeof(T));
    const int lane = static_cast<int>(LaneId()) / lanes * lanes + source;
    const unsigned int members = mask();
    for (int i = 0; i < kWords; ++i) words[i] = __shfl_sync(members, words[i], lane);
    T moved;
    __builtin_memcpy(&moved, words, sizeof(T));
    return moved;
  }
};

}  // namespace detail

template <int lanes, typename T>
WARPMARK_LOOK_THROUGH T ShuffleIndex(T value, int source, unsigned int) {
  return detail::LogicalWarp<lanes>::from(value, source);
}
template <int lanes, typename T>
WARPMARK_LOOK_THROUGH T ShuffleDown(T value, int distance, int last, unsigned int) {
  const int lane = detail::LogicalWarp<lanes>::lane();
  return detail::LogicalWarp<lanes>::from(value, lane + distance <= last ? lane + distance : lane);
}
template <int lanes, typename T>
WARPMARK_LOOK_THROUGH T ShuffleUp(T value, int distance, int first, unsigned int) {
  const int lane = detail::LogicalWarp<lanes>::lane();
  return detail::LogicalWarp<lanes>::from(value, lane - distance >= first ? lane - distance : lane);
}

// Reduction over a logical warp. Only lane 0 gets the result; it is undefined in the other lanes.
template <typename T, int lanes = 32, int legacy_arch = 0>
class WarpReduce {
  using Warp = detail::LogicalWarp<lanes>;

 public:
  struct TempStorage {};
  WARPMARK_LOOK_THROUGH WarpReduce(TempStorage&) {}

  template <typename Operation>
  WARPMARK_LOOK_THROUGH T Reduce(T value, Operation operation, int valid = lanes) {
    const int lane = Warp::lane();
    for (int step = 1; step < lanes; step *= 2) {
      const int source = lane + step < lanes ? lane + step : lane;
      const T other = Warp::from(value, source);
      if (lane % (2 * step) == 0 && lane + step < valid) value = operation(value, other);
    }
    return value;
  }
  WARPMARK_LOOK_THROUGH T Sum(T value) { return Reduce(value, cub::Sum()); }
  WARPMARK_LOOK_THROUGH T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }

  // Reduces each segment of lanes. A nonzero flag marks the first lane of a segment, which gets the result.
  template <typename Flag, typename Operation>
  WARPMARK_LOOK_THROUGH T HeadSegmentedReduce(T value, Flag flag, Operation operation) {
    return segmented(value,
                     Warp::from(static_cast<int>(flag), Warp::lane() + 1 < lanes ? Warp::lane() + 1 : 0),
                     operation);
  }
  template <typename Flag>
  WARPMARK_LOOK_THROUGH T HeadSegmentedSum(T value, Flag flag) {
    return HeadSegmentedReduce(value, flag, cub::Sum());
  }
  // Reduces each segment of lanes. A nonzero flag marks the last lane of a segment; the first one gets the
  // result.
  template <typename Flag, typename Operation>
  WARPMARK_LOOK_THROUGH T TailSegmentedReduce(T value, Flag flag, Operation operation) {
    return segmented(value, static_cast<int>(flag), operation);
  }
  template <typename Flag>
  WARPMARK_LOOK_THROUGH T TailSegmentedSum(T value, Flag flag) {
    return TailSegmentedReduce(value, flag, cub::Sum());
  }

 private:
  // Reduces each segment of lanes; ends is nonzero in the last lane of each segment.
  template <typename Operation>
  WARPMARK_LOOK_THROUGH T segmented(T value, int ends, Operation operation) {
    const int lane = Warp::lane();
    int last = lane;  // last lane of the calling lane's segment
    for (int i = lanes - 1; i >= 0; --i) {
      const int end = Warp::from(ends, i) != 0 || i == lanes - 1;
      if (i >= lane && end) last = i;
    }
    T sum = value;
    for (int i = 1; i < lanes; ++i) {
      const T other = Warp::from(value, lane + i < lanes ? lane + i : lane);
      if (lane + i <= last) sum = operation(sum, other);
    }
    return sum;
  }
};

template <typename T, int lanes = 32, int legacy_arch = 0>
class WarpScan {
  using Warp = detail::LogicalWarp<lanes>;

 public:
  struct TempStorage {};
  WARPMARK_LOOK_THROUGH WarpScan(TempStorage&) {}

  template <typename Operation>
  WARPMARK_LOOK_THROUGH void InclusiveScan(T input, T& output, Operation operation) {
    const int lane = Warp::lane();
    for (int step = 1; step < lanes; step *= 2) {
      const T other = Warp::from(input, lane >= step ? lane - step : lane);
      if (lane >= step) input = operation(other, input);
    }
    output = input;
  }
  template <typename Operation>
  WARPMARK_LOOK_THROUGH void InclusiveScan(T input, T& output, Operation operation, T& aggregate) {
    InclusiveScan(input, output, operation);
    aggregate = Warp::from(output, lanes - 1);
  }
  WARPMARK_LOOK_THROUGH void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  WARPMARK_LOOK_THROUGH void InclusiveSum(T input, T& output, T& aggregate) {
    InclusiveScan(input, output, cub::Sum(), aggregate);
  }
  template <typename Operation>
  WARPMARK_LOOK_THROUGH void ExclusiveScan(T input, T& output, T initial, Operation operation) {
    T inclusive;
    InclusiveScan(input, inclusive, operation);
    const int lane = Warp::lane();
    const T before = Warp::from(inclusive, lane > 0 ? lane - 1 : 0);
    output = lane == 0 ? initial : operation(initial, before);
  }
  template <typename Operation>
  WARPMARK_LOOK_THROUGH void ExclusiveScan(T input, T& output, T initial, Operation operation, T& aggregate) {
    T inclusive;
    InclusiveScan(input, inclusive, operation, aggregate);
    const int lane = Warp::lane();
    const T before = Warp::from(inclusive, lane > 0 ? lane - 1 : 0);
    output = lane == 0 ? initial : operation(initial, before);
  }
  // Exclusive scan without an initial value: the output of lane 0 is undefined.
  template <typename Operation>
  WARPMARK_LOOK_THROUGH void ExclusiveScan(T input, T& output, Operation operation) {
    T inclusive;
    InclusiveScan(input, inclusive, operation);
    const int lane = Warp::lane();
    output = Warp::from(inclusive, lane > 0 ? lane - 1 : 0);
  }
  WARPMARK_LOOK_THROUGH void ExclusiveSum(T input, T& output) {
    ExclusiveScan(input, output, T{}, cub::Sum());
  }
  WARPMARK_LOOK_THROUGH void ExclusiveSum(T input, T& output, T& aggregate) {
    ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
  }
  WARPMARK_LOOK_THROUGH void Scan(T input, T& inclusive, T& exclusive, cub::Sum operation) {
    InclusiveScan(input, inclusive, operation);
    ExclusiveScan(input, exclusive, T{}, operation);
  }
  WARPMARK_LOOK_THROUGH T Broadcast(T input, unsigned int source) {
    return Warp::from(input, static_cast<int>(source));
  }
};

}  // namespace cub
