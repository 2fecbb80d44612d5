// <reference only>
// What changes: candidates are picked by |x|^2 / 2 - x y, which tensor cores compute in half precision.
// What that cures: 16 subtractions and multiplications a row and query, in single precision.
// What still hurts: the sums are looked at one by one, in registers, while the tensor cores wait.
// What to expect: 640 times the speed of k04 (H200, 2^20 rows of 16, 4096 queries, k = 8: 1.53 ms).
//
// The selection rounds more than the contract allows, so a row is a candidate if it is below a limit that no
// row of the k nearest exceeds, rounding included. The candidates' distances then follow the contract.
//
// The limit of a query is the distance of the k-th nearest row among those seen so far. The first 512 rows
// give a first one; then each pass reads up to 16 times as many rows as were seen before it, and the
// selection after it lowers the limit. Rows are visited in an order unrelated to their order in the
// data set: if the rows are sorted in some way, the first 512 would say nothing about the others. If too
// many rows are as near as the nearest, a list of candidates overflows, and a block searches that query as in
// k06.
#include <algorithm>
#include <numeric>

#include "block_per_query.h"
#include "k09_pick.h"
#include "k09_select.h"

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
  // As many blocks as can be resident at a time.
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
  candidates.largest = candidates.overflows + task.query_count;
  candidates.counts = reinterpret_cast<unsigned char*>(candidates.largest + 1);

  cudaMemsetAsync(candidates.largest, 0, sizeof(unsigned), stream);
  const auto look_at = [&](const float* values, std::size_t count) {
    const unsigned blocks = std::min(blocks_for(count, 16 * kThreads), 8 * static_cast<unsigned>(processors));
    find_largest<<<blocks, kThreads, 0, stream>>>(values, count, candidates.largest);
  };
  look_at(task.rows, task.row_count * task.dims);
  look_at(task.queries, task.query_count * task.dims);

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
