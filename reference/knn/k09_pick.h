// <reference only>
// k09_peak: which rows are candidates of which queries.
//
// A row is one of 32 numbers in half precision: its values x, scaled; minus |x|^2 / 2 in three parts; and 1
// three times. A query is one of its values y, 1 three times, and its limit in three parts. Their product is
// limit + x y - |x|^2 / 2, which is not negative for a candidate: all that is left to look at is a sign.
#pragma once
#include <cmath>

#include <mma.h>

#include "k09_shape.h"

namespace wmma = nvcuda::wmma;

constexpr unsigned kEdge = 16;              // of the matrices that are multiplied
constexpr unsigned kColumns = 2 * kEdge;    // the numbers of a row
constexpr unsigned kPadded = kColumns + 8;  // so that eight rows lie in all banks of shared memory
constexpr unsigned kWarps = kThreads / kWarp;
constexpr unsigned kEachTiles = kQueriesPerBlock / kWarps / kEdge;  // of 16 queries, a warp
constexpr float kFar = 60000;  // more than all sums, less than the largest half

using Values = wmma::fragment<wmma::matrix_a, kEdge, kEdge, kEdge, __half, wmma::row_major>;
using Rows = wmma::fragment<wmma::matrix_b, kEdge, kEdge, kEdge, __half, wmma::col_major>;
using Sums = wmma::fragment<wmma::accumulator, kEdge, kEdge, kEdge, float>;

// The largest of all values, as bits: ordered as the values are.
__global__ void find_largest(const float* values, std::size_t count, unsigned* largest) {
  unsigned most = 0;
  const std::size_t all = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += all)
    most = max(most, __float_as_uint(fabsf(values[i])));
  most = __reduce_max_sync(kAllLanes, most);
  if (threadIdx.x % kWarp == 0) atomicMax(largest, most);
}

// A power of two that brings the largest value below 16: exact, and all sums are below kFar. 0: the values
// are so small or so large that their squares may not be normal numbers.
__device__ float scale_for(unsigned largest) {
  const int exponent = static_cast<int>(largest >> 23) - 127;
  if (largest == 0) return 1;
  return exponent < -50 || exponent > 60 ? 0
                                         : __uint_as_float(static_cast<unsigned>(127 + 3 - exponent) << 23);
}

// Three halves whose sum is the value, but for 2^-33 of it.
__device__ void split(float value, __half* parts) {
#pragma unroll
  for (unsigned i = 0; i < 3; ++i) {
    parts[i] = __float2half_rn(value);
    value -= __half2float(parts[i]);
  }
}

// The values from 8 * part on of a row or query, scaled; zeros past the last one, and of what is not there.
struct Eight {
  float values[8];
};
__device__ Eight load_eight(const float* from, std::size_t number, std::size_t count, std::size_t dims,
                            unsigned part, bool aligned) {
  Eight eight{};
  if (number >= count) return eight;
  if (aligned) {
    const auto* wide = reinterpret_cast<const float4*>(from + number * kDims) + 2 * part;
    const float4 low = wide[0];
    const float4 high = wide[1];
    return {{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
  }
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    if (8 * part + i < dims) eight.values[i] = from[number * dims + 8 * part + i];
  }
  return eight;
}

// Writes eight numbers, and gives the sum of the squares before they were rounded.
__device__ float store_eight(const Eight& eight, float scale, __half* to) {
  float sum = 0;
  __half2 pairs[4];
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const float x = eight.values[2 * i] * scale;
    const float y = eight.values[2 * i + 1] * scale;
    sum += x * x + y * y;
    pairs[i] = __floats2half2_rn(x, y);
  }
  *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(pairs);
  return sum;
}

// Two lanes a row: its values, and behind them two sets of three numbers and zeros.
__device__ void store_row(const Eight& eight, float scale, unsigned part, bool is_query, float limit,
                          bool there, __half* row) {
  float sum = store_eight(eight, scale, row + 8 * part);
  sum += __shfl_xor_sync(kAllLanes, sum, 1);
  __half more[8];
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) more[i] = __float2half_rn(0);
  if (part == 0) {
    const float value = is_query ? limit : there ? -0.5F * sum * (1 - kPickSlack) : -kFar;
    split(value, is_query ? more + 3 : more);
#pragma unroll
    for (unsigned i = 0; i < 3; ++i) more[is_query ? i : 3 + i] = __float2half_rn(1);
  }
  *reinterpret_cast<uint4*>(row + kEdge + 8 * part) = *reinterpret_cast<const uint4*>(more);
}

// Negative if all sums of the lane are.
__device__ __forceinline__ int signs_of(const Sums& sums) {
  int all = -1;
#pragma unroll
  for (int i = 0; i < sums.num_elements; ++i) all &= __float_as_int(sums.x[i]);
  return all;
}

// Block (x, y) looks at every gridDim.x-th tile from begin + x on, for kQueriesPerBlock queries; list x is
// its. A warp has the queries of four matrices.
__global__ void __launch_bounds__(kThreads, 2) pick(const Classification task, Candidates to, Tiles tiles,
                                                    std::size_t begin, std::size_t end, bool aligned) {
  __shared__ alignas(32) __half tile[kTileRows * kPadded];
  __shared__ alignas(32) __half room[kWarps][kEdge * kPadded];
  __shared__ unsigned counts[kQueriesPerBlock];
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned part = threadIdx.x % 2;
  const unsigned first_own = warp * kEachTiles * kEdge;
  const std::size_t first_query = std::size_t{blockIdx.y} * kQueriesPerBlock + first_own;
  const std::size_t left = first_query < task.query_count ? task.query_count - first_query : 0;
  const unsigned own_tiles =
      static_cast<unsigned>(min(left + kEdge - 1, std::size_t{kEachTiles} * kEdge) / kEdge);
  const float scale = scale_for(*to.largest);
  for (unsigned i = lane; i < kEachTiles * kEdge; i += kWarp) counts[first_own + i] = 0;

  Values queries[kEachTiles][2];
#pragma unroll
  for (unsigned m = 0; m < kEachTiles; ++m) {
    const std::size_t q = first_query + m * kEdge + lane / 2;
    const bool there = q < task.query_count;
    const float limit = there ? fmaxf(to.limits[q] * scale * scale + kPickFloor, -kFar) : -kFar;
    __syncwarp();
    store_row(load_eight(task.queries, q, task.query_count, task.dims, part, aligned), scale, part, true,
              limit, there, room[warp] + lane / 2 * kPadded);
    __syncwarp();
    wmma::load_matrix_sync(queries[m][0], room[warp], kPadded);
    wmma::load_matrix_sync(queries[m][1], room[warp] + kEdge, kPadded);
  }
  __syncwarp();

  // What a lane finds in the sums of 16 queries with 16 rows is written where only this warp writes.
  const auto keep = [&](const Sums& sums, unsigned m, std::size_t first_row) {
    auto* stored = reinterpret_cast<float*>(room[warp]);
    wmma::store_matrix_sync(stored, sums, kEdge, wmma::mem_row_major);
    __syncwarp();
#pragma unroll
    for (unsigned i = 0; i < kEdge * kEdge; i += kWarp) {
      const unsigned at = i + lane;
      if (stored[at] < 0) continue;
      const unsigned own = m * kEdge + at / kEdge;
      const unsigned place = atomicAdd(&counts[first_own + own], 1U);
      if (place < to.room)
        to.rows[((first_query + own) * to.lists + blockIdx.x) * to.room + place] =
            static_cast<unsigned>(first_row + at % kEdge);
    }
    __syncwarp();
  };

  const auto row_of = [&](std::size_t t) { return tiles.first_row(t) + threadIdx.x / 2; };
  std::size_t t = begin + blockIdx.x;
  Eight next{};
  if (t < end) next = load_eight(task.rows, row_of(t), task.row_count, task.dims, part, aligned);
  for (; t < end; t += gridDim.x) {
    const std::size_t first = tiles.first_row(t);
    store_row(next, scale, part, false, 0, row_of(t) < task.row_count, tile + threadIdx.x / 2 * kPadded);
    __syncthreads();
    if (t + gridDim.x < end)
      next = load_eight(task.rows, row_of(t + gridDim.x), task.row_count, task.dims, part, aligned);
#pragma unroll 1
    for (unsigned row = 0; row < kTileRows && own_tiles > 0; row += kEdge) {
      Rows values;
      Rows more;
      wmma::load_matrix_sync(values, tile + row * kPadded, kPadded);
      wmma::load_matrix_sync(more, tile + row * kPadded + kEdge, kPadded);
      Sums sums[kEachTiles];
      int none = -1;
#pragma unroll
      for (unsigned m = 0; m < kEachTiles; ++m) {
        wmma::fill_fragment(sums[m], -1.0F);
        if (m >= own_tiles) continue;
        wmma::fill_fragment(sums[m], 0.0F);
        wmma::mma_sync(sums[m], queries[m][1], more, sums[m]);
      }
#pragma unroll
      for (unsigned m = 0; m < kEachTiles; ++m) {
        if (m < own_tiles) wmma::mma_sync(sums[m], queries[m][0], values, sums[m]);
        none &= signs_of(sums[m]);
      }
      if (!__any_sync(kAllLanes, none >= 0)) continue;  // as there mostly is none
#pragma unroll
      for (unsigned m = 0; m < kEachTiles; ++m) {
        if (__any_sync(kAllLanes, signs_of(sums[m]) >= 0)) keep(sums[m], m, first + row);
      }
    }
    __syncthreads();
  }
  __syncwarp();
  for (unsigned i = lane; i < kEachTiles * kEdge; i += kWarp) {
    if (first_query + i >= task.query_count) continue;
    const unsigned count = counts[first_own + i];
    const bool overflows = count > to.room || scale == 0;
    to.counts[blockIdx.x * task.query_count + first_query + i] =
        static_cast<unsigned char>(overflows ? to.room + 1 : count);
  }
}
