// <reference only>
// k09_peak: which rows are candidates of which queries.
#pragma once
#include <cmath>

#include "k09_shape.h"

// The tile's rows, padded with zeros.
__device__ void load_tile(const Classification& task, std::size_t first, bool aligned,
                          float4 (*tile)[kDims / 4]) {
  const std::size_t left = task.row_count - first;
  if (aligned && left >= kTileRows) {
    const auto* from = reinterpret_cast<const float4*>(task.rows + first * kDims);
#pragma unroll
    for (unsigned i = 0; i < kTileRows * kDims / 4; i += kThreads)
      tile[(i + threadIdx.x) / 4][threadIdx.x % 4] = from[i + threadIdx.x];
  } else {
    auto* values = reinterpret_cast<float*>(tile);
    for (unsigned i = threadIdx.x; i < kTileRows * kDims; i += kThreads) {
      const unsigned row = i / kDims;
      const unsigned d = i % kDims;
      values[i] = row < left && d < task.dims ? task.rows[(first + row) * task.dims + d] : 0;
    }
  }
}

// A little less than |x|^2 / 2 of the tile's rows, less by the part of the rounding that grows with the row;
// rows past the last one are infinitely far away.
__device__ void make_halves(const float4 (*tile)[kDims / 4], std::size_t left, float* halves) {
  for (unsigned row = threadIdx.x; row < kTileRows; row += kThreads) {
    float sum = 0;
#pragma unroll
    for (unsigned i = 0; i < kDims / 4; ++i) {
      const float4 x = tile[row][i];
      sum += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
    }
    halves[row] = row < left ? 0.5F * sum * (1 - 2 * kSlack) : INFINITY;
  }
}

// Of numbers of which only those from 0 on matter: the bits of these are ordered as they are.
template <unsigned Count>
__device__ int largest_bits(const float (&values)[Count]) {
  int largest = __float_as_int(values[0]);
#pragma unroll
  for (unsigned i = 1; i + 1 < Count; i += 2)
    largest = max(max(largest, __float_as_int(values[i])), __float_as_int(values[i + 1]));
  return Count % 2 == 0 ? max(largest, __float_as_int(values[Count - 1])) : largest;
}

using Sums = float[kTogether][kEach];  // of some rows with the queries of one thread

// limit + x y, for rows of the tile.
__device__ __forceinline__ void multiply(const float4 (*rows)[kDims / 4], const float (&query)[kEach][kDims],
                                         const float (&limit)[kEach], Sums& sums) {
#pragma unroll
  for (unsigned r = 0; r < kTogether; ++r) {
#pragma unroll
    for (unsigned i = 0; i < kEach; ++i) sums[r][i] = limit[i];
  }
#pragma unroll
  for (unsigned d = 0; d < kDims; d += 4) {
#pragma unroll
    for (unsigned r = 0; r < kTogether; ++r) {
      const float4 x = rows[r][d / 4];  // the same for all lanes
#pragma unroll
      for (unsigned i = 0; i < kEach; ++i) {
        sums[r][i] = fmaf(x.x, query[i][d], sums[r][i]);
        sums[r][i] = fmaf(x.y, query[i][d + 1], sums[r][i]);
        sums[r][i] = fmaf(x.z, query[i][d + 2], sums[r][i]);
        sums[r][i] = fmaf(x.w, query[i][d + 3], sums[r][i]);
      }
    }
  }
}

// A bit for each of the sums that make their row a candidate. One comparison a row says that there is none,
// as there mostly is: no |x|^2 / 2 is negative.
__device__ __forceinline__ unsigned candidates_in(const Sums& sums, const float* halves) {
  bool any = false;
#pragma unroll
  for (unsigned r = 0; r < kTogether; ++r) any |= largest_bits(sums[r]) >= __float_as_int(halves[r]);
  unsigned found = 0;
  if (any) {
#pragma unroll
    for (unsigned r = 0; r < kTogether; ++r) {
#pragma unroll
      for (unsigned i = 0; i < kEach; ++i) found |= (sums[r][i] >= halves[r] ? 1U : 0U) << (r * kEach + i);
    }
  }
  return found;
}

// Block (x, y) looks at every gridDim.x-th tile from begin + x on, for kQueriesPerBlock queries; list x is
// its. The sums of some rows are looked at while those of the next ones are made.
__global__ void __launch_bounds__(kThreads, 2) pick(const Classification task, Candidates to, Tiles tiles,
                                                    std::size_t begin, std::size_t end, bool aligned) {
  __shared__ float4
      tile[kTileRows + kTogether][kDims / 4];  // rows behind the tile's are multiplied for nothing
  __shared__ float halves[kTileRows];
  __shared__ unsigned char counts[kEach][kThreads];
  const std::size_t first_query = std::size_t{blockIdx.y} * kQueriesPerBlock + threadIdx.x;
  float query[kEach][kDims];
  float limit[kEach];
#pragma unroll
  for (unsigned i = 0; i < kEach; ++i) {
    const std::size_t q = first_query + i * kThreads;
    const bool is_there = q < task.query_count;
#pragma unroll
    for (unsigned d = 0; d < kDims; ++d)
      query[i][d] = is_there && d < task.dims ? task.queries[q * task.dims + d] : 0;
    limit[i] = is_there ? to.limits[q] : -INFINITY;
    counts[i][threadIdx.x] = 0;
  }
  if (threadIdx.x < kTogether * kDims / 4)
    tile[kTileRows + threadIdx.x / (kDims / 4)][threadIdx.x % (kDims / 4)] = float4{0, 0, 0, 0};
  for (std::size_t t = begin + blockIdx.x; t < end; t += gridDim.x) {
    const std::size_t first = tiles.first_row(t);
    load_tile(task, first, aligned, tile);
    __syncthreads();
    make_halves(tile, task.row_count - first, halves);
    __syncthreads();
    const auto keep = [&](unsigned found, unsigned row) {
      for (; found != 0; found &= found - 1) {
        const auto bit = static_cast<unsigned>(__ffs(static_cast<int>(found)) - 1);
        const unsigned i = bit % kEach;
        const unsigned place = counts[i][threadIdx.x];  // this thread's own
        const std::size_t q = first_query + i * kThreads;
        if (place < to.room)
          to.rows[(q * to.lists + blockIdx.x) * to.room + place] =
              static_cast<unsigned>(first + row + bit / kEach);
        if (place <= to.room) counts[i][threadIdx.x] = static_cast<unsigned char>(place + 1);
      }
    };
    Sums even;
    Sums odd;
    multiply(tile, query, limit, even);
#pragma unroll 1
    for (unsigned row = 0; row < kTileRows; row += 2 * kTogether) {
      multiply(tile + row + kTogether, query, limit, odd);
      keep(candidates_in(even, halves + row), row);
      multiply(tile + row + 2 * kTogether, query, limit, even);
      keep(candidates_in(odd, halves + row + kTogether), row + kTogether);
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned i = 0; i < kEach; ++i) {
    const std::size_t q = first_query + i * kThreads;
    if (q < task.query_count) to.counts[blockIdx.x * task.query_count + q] = counts[i][threadIdx.x];
  }
}
