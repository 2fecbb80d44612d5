// <reference only>
// What changes: candidates are picked by |x|^2 / 2 - x y, half of the instructions that (x - y)^2 takes.
// What that cures: half of the arithmetic, and the lists that threads keep while they search.
// What still hurts: a comparison and a share of a load beside the 16 multiplications of each row.
// What to expect: FP32 at 80 to 90 % of its peak for 16 dimensions and thousands of queries.
//
// What picks rounds more than the contract allows, so a row is a candidate if it is below a limit that none
// of the k nearest exceeds, rounding included. Candidates are then measured as the contract says.
//
// The limit of a query is the distance of the k-th nearest row among those seen so far. The first 512 rows
// give a first one; then each pass looks at up to 16 times as many rows as were seen before it, and a
// selection behind it makes the limit lower. Rows come in an order that has nothing to do with theirs in the
// data set: of rows that are sorted in some way the first 512 would say nothing of the others. Where too
// many are as near as the nearest, a list of candidates runs over, and a block searches for that query as in
// k06.
#include <cmath>
#include <numeric>

#include "block_per_query.h"
#include "knn.h"
#include "nearest_list.h"

constexpr unsigned kDims = 16;  // of a padded row
constexpr unsigned kTileRows = 128;
constexpr unsigned kFirstTiles = 4;
constexpr unsigned kThreads = 128;
constexpr unsigned kEach = 8;  // queries a thread, in registers
constexpr unsigned kQueriesPerBlock = kThreads * kEach;
constexpr unsigned kTogether = 2;  // rows
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

static_assert(kFirstTiles * kTileRows <= kKeys, "all of the first rows are candidates");
static_assert(kTogether * kEach <= 32, "a bit for each sum");
static_assert(kTileRows % (2 * kTogether) == 0, "rows come in pairs");
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
  const float limit = 0.5F * (farthest * (1 + kSlack) - square * (1 - 2 * kSlack));
  from.limits[q] = overflows ? -INFINITY : limit;
  from.overflows[q] = overflows ? 1 : 0;
}

static unsigned blocks_for(std::size_t things, std::size_t per_block) {
  return static_cast<unsigned>((things + per_block - 1) / per_block);
}

static Tiles tiles_of(std::size_t rows) {
  Tiles tiles{(rows + kTileRows - 1) / kTileRows, 0};
  for (tiles.step = tiles.count * 5 / 8 + 1; std::gcd(tiles.step, tiles.count) != 1;) ++tiles.step;
  return tiles;
}

static void search(const Classification& task, const Workspace& work, cudaStream_t stream) {
  int device = 0;
  int processors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const unsigned groups = blocks_for(task.query_count, kQueriesPerBlock);
  // As many blocks as run at a time.
  const std::size_t wanted = 2 * static_cast<std::size_t>(processors) / groups;
  const Tiles tiles = tiles_of(task.row_count);
  const auto is_aligned = [](const float* values) {
    return reinterpret_cast<std::size_t>(values) % sizeof(float4) == 0;
  };
  const bool aligned = task.dims == kDims && is_aligned(task.rows) && is_aligned(task.queries);
  Candidates candidates{};
  candidates.rows = static_cast<unsigned*>(work.more);
  candidates.limits = reinterpret_cast<float*>(candidates.rows + kRoom * task.query_count);
  candidates.overflows = reinterpret_cast<unsigned*>(candidates.limits + task.query_count);
  candidates.counts = reinterpret_cast<unsigned char*>(candidates.overflows + task.query_count);

  std::size_t seen = tiles.count / 4 < 1 ? 1 : tiles.count / 4;
  if (seen > kFirstTiles) seen = kFirstTiles;
  const unsigned select_blocks = blocks_for(task.query_count, kSelectWarps);
  select_nearest<<<select_blocks, kSelectWarps * kWarp, 0, stream>>>(
      task, work, candidates, tiles, static_cast<unsigned>(seen), aligned, seen == tiles.count);
  // Of so many times as many rows k times that many are candidates, on average.
  const std::size_t growth = task.k <= 8 ? 16 : 128 / task.k;
  while (seen < tiles.count) {
    const std::size_t end = seen * growth < tiles.count ? seen * growth : tiles.count;
    std::size_t lists = wanted < end - seen ? wanted : end - seen;
    if (lists > kMostLists) lists = kMostLists;
    if (lists == 0) lists = 1;
    candidates.lists = static_cast<unsigned>(lists);
    candidates.room = kRoom / candidates.lists < 254 ? kRoom / candidates.lists : 254;
    pick<<<dim3(candidates.lists, groups), kThreads, 0, stream>>>(task, candidates, tiles, seen, end,
                                                                  aligned);
    select_nearest<<<select_blocks, kSelectWarps * kWarp, 0, stream>>>(task, work, candidates, tiles, 0,
                                                                       aligned, end == tiles.count);
    seen = end;
  }
  block_per_query<<<static_cast<unsigned>(task.query_count), kSearchThreads, 0, stream>>>(
      task, work, task.rows, task.dims, 1, candidates.overflows, 0);
}

extern "C" void k09_peak(Classification task, Workspace work, cudaStream_t stream) {
  if (task.query_count == 0) return;
  if (task.dims <= kDims && task.k <= kMostK && task.row_count >= kFewestRows) {
    search(task, work, stream);
  } else {
    block_per_query<<<static_cast<unsigned>(task.query_count), kSearchThreads, 0, stream>>>(
        task, work, task.rows, task.dims, 1, nullptr, 0);
  }
}
