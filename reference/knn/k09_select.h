// <reference only>
// k09_peak: the nearest among the candidates, their vote, and the limit for the next ones.
#pragma once
#include <cmath>

#include "k09_shape.h"

using Key = unsigned long long;  // a squared distance, whose bits are ordered as its values are, above a row

__device__ Key key_of(const Classification& task, std::size_t row, std::size_t query, bool aligned) {
  return Key{__float_as_uint(squared_distance(task, row, query, aligned))} << 32 | row;
}

__device__ Key warp_min(Key key) {
  for (unsigned other = kWarp / 2; other > 0; other /= 2) {
    const Key theirs = __shfl_xor_sync(kAllLanes, key, other);
    key = theirs < key ? theirs : key;
  }
  return key;
}

// The vote of the first k lanes, one label each. The others hold a label behind all.
__device__ int majority_of_lanes(int label, std::size_t k) {
  unsigned votes = 0;
  for (unsigned other = 0; other < k; ++other)
    votes += __shfl_sync(kAllLanes, label, static_cast<int>(other)) == label ? 1 : 0;
  // The most votes, and of labels with as many the lowest.
  Key best = Key{kWarp - votes} << 32 | static_cast<unsigned>(label);
  return static_cast<int>(warp_min(best));
}

// A warp a query: the k nearest of those it has and of its candidates, in work.distances and work.nearest,
// and its new limit. first_tiles: not 0: all rows of so many tiles are the candidates, and there are none
// before.
__global__ void select_nearest(const Classification task, const Workspace work, Candidates from, Tiles tiles,
                               unsigned first_tiles, bool aligned, bool is_last) {
  __shared__ Key all_keys[kSelectWarps][kKeys];
  __shared__ unsigned all_counts[kSelectWarps];
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  const std::size_t q = std::size_t{blockIdx.x} * kSelectWarps + warp;
  if (q >= task.query_count) return;
  Key* keys = all_keys[warp];
  float* distances = work.distances + q * task.k;
  unsigned* nearest = work.nearest + q * task.k;
  bool overflows = false;
  if (lane == 0) all_counts[warp] = first_tiles == 0 ? static_cast<unsigned>(task.k) : 0;
  __syncwarp();
  if (first_tiles != 0) {
    for (unsigned i = lane; i < first_tiles * kTileRows; i += kWarp) {
      const std::size_t row = tiles.first_row(i / kTileRows) + i % kTileRows;
      if (row < task.row_count) keys[atomicAdd(&all_counts[warp], 1U)] = key_of(task, row, q, aligned);
    }
  } else {
    overflows = from.overflows[q] != 0;
    for (unsigned i = lane; i < task.k; i += kWarp)
      keys[i] = Key{__float_as_uint(distances[i])} << 32 | nearest[i];
    for (unsigned list = lane; list < from.lists; list += kWarp) {
      const unsigned count = from.counts[list * task.query_count + q];
      overflows |= count > from.room;
      for (unsigned i = 0; i < count && i < from.room; ++i) {
        const unsigned row = from.rows[(q * from.lists + list) * from.room + i];
        keys[atomicAdd(&all_counts[warp], 1U)] = key_of(task, row, q, aligned);
      }
    }
    overflows = __any_sync(kAllLanes, overflows);
  }
  __syncwarp();
  const unsigned count = all_counts[warp];
  Key least = 0;
  Key found = 0;  // the one of this lane's place
  for (unsigned i = 0; i < task.k; ++i) {
    Key mine = ~Key{0};
    for (unsigned j = lane; j < count; j += kWarp) {
      if (keys[j] >= least && keys[j] < mine) mine = keys[j];
    }
    mine = warp_min(mine);
    if (lane == i) found = mine;
    least = mine + 1;
  }
  const auto row = static_cast<unsigned>(found);
  if (lane < task.k) {
    distances[lane] = __uint_as_float(static_cast<unsigned>(found >> 32));
    nearest[lane] = row;
  }
  if (is_last) {
    const int label = majority_of_lanes(lane < task.k ? task.labels[row] : task.label_count, task.k);
    if (lane == 0) task.answers[q] = label;
  }
  float square = lane < task.dims ? task.queries[q * task.dims + lane] : 0;
  square *= square;
  for (unsigned other = kWarp / 2; other > 0; other /= 2) square += __shfl_xor_sync(kAllLanes, square, other);
  if (lane != 0) return;
  // |x - y|^2 <= D means |x|^2 / 2 - x y <= (D - |y|^2) / 2.
  const float farthest = __uint_as_float(static_cast<unsigned>((least - 1) >> 32));
  const float limit = 0.5F * (farthest * (1 + kSlack) - square * (1 - kPickSlack));
  from.limits[q] = overflows ? -INFINITY : limit;
  from.overflows[q] = overflows ? 1 : 0;
}
