// <reference only>
// k09_peak: the order of the search, and the distance of a row.
#pragma once
#include "knn.h"

constexpr unsigned kDims = 16;  // of a padded row
constexpr unsigned kTileRows = 128;
constexpr unsigned kFirstTiles = 4;
constexpr unsigned kThreads = 256;
constexpr unsigned kQueriesPerBlock = 512;
constexpr unsigned kRoom =
    992;  // candidates of a query, in a list for each block that looks at some rows for it
constexpr unsigned kMostLists = 66;
constexpr unsigned kMostK = 32;
constexpr unsigned kKeys = kRoom + kMostK;
constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffU;
constexpr unsigned kSelectWarps = 4;
constexpr std::size_t kFewestRows = 256;
constexpr float kSlack =
    0x1p-18F;  // 64 units in the last place: roundings of 16 dimensions come to less than 40
// Half precision rounds each value by 2^-11 of it, and so x y by less than 2^-11 (|x|^2 + |y|^2); an eighth
// of that is for the sums. What is too small for that is off by 2^-25, and x y by less than 2^-16 in all.
constexpr float kPickSlack = 0x1.2p-10F;  // of |x|^2 / 2 and |y|^2 / 2
constexpr float kPickFloor = 0x1p-15F;

static_assert(kFirstTiles * kTileRows <= kKeys, "all of the first rows are candidates");
static_assert(kTileRows * 2 == kThreads, "two threads load a row");
static_assert(kTileRows >= kMostK, "the first tile gives k rows");

// Tile t of the search is tile (t * step) % count of the data set.
struct Tiles {
  std::size_t count;
  std::size_t step;  // has no factor in common with count, so that each tile comes once
  __device__ std::size_t first_row(std::size_t t) const { return t * step % count * kTileRows; }
};

// In work.more, for each query.
struct Candidates {
  float* limits;          // of |x|^2 / 2 - x y: a candidate has limit + x y >= |x|^2 / 2
  unsigned* largest;      // bits of the largest value of rows and queries
  unsigned* overflows;    // 1: a list had no room
  unsigned* rows;         // [query][list][place]
  unsigned char* counts;  // [list][query]; room + 1: overflow
  unsigned lists;
  unsigned room;  // of a list
};

// The same additions in the same order, whether a row is loaded at once or value by value.
__device__ float squared_distance(const Classification& task, std::size_t row, std::size_t query,
                                  bool aligned) {
  float sum = 0;
  const auto add = [&](float x, float y) { sum += (x - y) * (x - y); };
  if (aligned) {
    const auto* x = reinterpret_cast<const float4*>(task.rows + row * kDims);
    const auto* y = reinterpret_cast<const float4*>(task.queries + query * kDims);
#pragma unroll
    for (unsigned i = 0; i < kDims / 4; ++i) {
      add(x[i].x, y[i].x);
      add(x[i].y, y[i].y);
      add(x[i].z, y[i].z);
      add(x[i].w, y[i].w);
    }
  } else {
    for (std::size_t d = 0; d < task.dims; ++d)
      add(task.rows[row * task.dims + d], task.queries[query * task.dims + d]);
  }
  return sum;
}
