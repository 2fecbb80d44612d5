// CUB's block and warp algorithms against plain loops.
#include <algorithm>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <numeric>

#include "check.h"

constexpr int kThreads = 96;
constexpr int kItems = 4;
constexpr int kTile = kThreads * kItems;

__global__ void sums(const int* in, int* out, int valid) {
  using Reduce = cub::BlockReduce<int, kThreads>;
  __shared__ typename Reduce::TempStorage memory;
  const int all = Reduce(memory).Sum(in[threadIdx.x]);
  __syncthreads();
  const int some = Reduce(memory).Sum(in[threadIdx.x], valid);
  __syncthreads();
  const int largest = Reduce(memory).Reduce(in[threadIdx.x], cub::Max());
  if (threadIdx.x == 0) out[0] = all, out[1] = some, out[2] = largest;
}

// Carries the sum from tile to tile.
struct Running {
  int total;
  __device__ int operator()(int aggregate) {
    const int before = total;
    total += aggregate;
    return before;
  }
};

__global__ void scan(const int* in, int* out, int* aggregate, int tiles) {
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  using Scan = cub::BlockScan<int, kThreads>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } memory;
  Running running{0};
  for (int tile = 0; tile < tiles; ++tile) {
    int items[kItems];
    Load(memory.load).Load(in + tile * kTile, items);
    __syncthreads();
    Scan(memory.scan).ExclusiveSum(items, items, running);
    __syncthreads();
    Store(memory.store).Store(out + tile * kTile, items);
    __syncthreads();
  }
  int sum;
  int total;
  Scan(memory.scan).InclusiveSum(in[threadIdx.x], sum, total);
  if (threadIdx.x == kThreads - 1) aggregate[0] = sum, aggregate[1] = total;
}

__global__ void sort(const int* in, int* keys_out, int* values_out) {
  using Sort = cub::BlockRadixSort<int, kThreads, kItems, int>;
  __shared__ typename Sort::TempStorage memory;
  int keys[kItems];
  int values[kItems];
  cub::LoadDirectBlocked(threadIdx.x, in, keys);
  for (int i = 0; i < kItems; ++i) values[i] = threadIdx.x * kItems + i;
  Sort(memory).SortDescending(keys, values);
  cub::StoreDirectBlocked(threadIdx.x, keys_out, keys);
  cub::StoreDirectBlocked(threadIdx.x, values_out, values);
  __syncthreads();
  Sort(memory).SortBlockedToStriped(keys);
  cub::StoreDirectStriped<kThreads>(threadIdx.x, keys_out + kTile, keys);
}

__global__ void flags_and_counts(const int* in, int* heads, int* counts, int* exchanged) {
  __shared__ typename cub::BlockDiscontinuity<int, kThreads>::TempStorage memory;
  __shared__ typename cub::BlockExchange<int, kThreads, kItems>::TempStorage exchange;
  using Histogram = cub::BlockHistogram<int, kThreads, kItems, 8, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage unused;
  __shared__ int bins[8];
  int items[kItems];
  int flags[kItems];
  cub::LoadDirectBlocked(threadIdx.x, in, items);
  cub::BlockDiscontinuity<int, kThreads>(memory).FlagHeads(flags, items, cub::Inequality());
  cub::StoreDirectBlocked(threadIdx.x, heads, flags);
  Histogram(unused).Histogram(items, bins);
  if (threadIdx.x < 8) counts[threadIdx.x] = bins[threadIdx.x];
  int striped[kItems];
  cub::BlockExchange<int, kThreads, kItems>(exchange).BlockedToStriped(items, striped);
  for (int i = 0; i < kItems; ++i) exchanged[threadIdx.x * kItems + i] = striped[i];
}

__global__ void warps(const int* in, int* sums, double* scanned, int* eights) {
  using Reduce = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage memory[kThreads / 32];
  const int warp = threadIdx.x / 32;
  const int sum = Reduce(memory[warp]).Sum(in[threadIdx.x]);
  if (threadIdx.x % 32 == 0) sums[warp] = sum;
  __shared__ typename cub::WarpScan<double>::TempStorage scan[kThreads / 32];
  double result;
  cub::WarpScan<double>(scan[warp]).ExclusiveSum(in[threadIdx.x], result);
  scanned[threadIdx.x] = result;
  using Eight = cub::WarpReduce<int, 8>;
  __shared__ typename Eight::TempStorage eight[kThreads / 8];
  const int least = Eight(eight[threadIdx.x / 8]).Reduce(in[threadIdx.x], cub::Min());
  if (threadIdx.x % 8 == 0) eights[threadIdx.x / 8] = least;
}

// A functor that takes its arguments by references that are not constant.
struct Difference {
  template <typename T>
  __device__ T operator()(T& a, T& b) {
    return a - b;
  }
};

// Eight tiles of results, one after the other.
__global__ void neighbours(const int* in, int* out, int valid, int before_tile, int behind_tile) {
  using Adjacent = cub::BlockAdjacentDifference<int, kThreads>;
  using Shuffle = cub::BlockShuffle<int, kThreads>;
  __shared__ union {
    typename Adjacent::TempStorage adjacent;
    typename Shuffle::TempStorage shuffle;
  } memory;
  int items[kItems];
  int results[8][kItems];
  cub::LoadDirectBlocked(threadIdx.x, in, items);
  Adjacent(memory.adjacent).SubtractLeft(items, results[0], Difference());
  __syncthreads();
  Adjacent(memory.adjacent).SubtractLeft(items, results[1], Difference(), before_tile);
  __syncthreads();
  Adjacent(memory.adjacent).SubtractLeftPartialTile(items, results[2], Difference(), valid);
  __syncthreads();
  Adjacent(memory.adjacent).SubtractRight(items, results[3], Difference());
  __syncthreads();
  Adjacent(memory.adjacent).SubtractRight(items, results[4], Difference(), behind_tile);
  __syncthreads();
  Adjacent(memory.adjacent).SubtractRightPartialTile(items, results[5], Difference(), valid);
  __syncthreads();
  int end = 0;
  for (int& value : results[6]) value = before_tile;
  for (int& value : results[7]) value = behind_tile;
  Shuffle(memory.shuffle).Up(items, results[6], end);
  if (threadIdx.x == 0) out[8 * kTile] = end;
  __syncthreads();
  Shuffle(memory.shuffle).Down(items, results[7], end);
  if (threadIdx.x == 0) out[8 * kTile + 1] = end;
  for (int i = 0; i < 8; ++i) cub::StoreDirectBlocked(threadIdx.x, out + i * kTile, results[i]);
}

void compare_neighbours() {
  const auto items = numbers<int>(kTile, 1000);
  constexpr int kValid = 203;  // in the middle of a thread's items
  Device<int> in(items);
  Device<int> out(size_t{8 * kTile + 2});
  neighbours<<<1, kThreads>>>(in, out, kValid, 5000, 7000);
  std::vector<int> wanted(8 * kTile);
  for (int i = 0; i < kTile; ++i) {
    const int item = items[size_t(i)];
    const auto store = [&](int which, int value) { wanted[size_t(which * kTile + i)] = value; };
    const bool first = i == 0;
    const bool last = i + 1 == kTile;
    const int before = first ? 5000 : items[size_t(i - 1)];
    const int behind = last ? 7000 : items[size_t(i + 1)];
    store(0, first ? item : item - before);
    store(1, item - before);
    store(2, first || i >= kValid ? item : item - before);
    store(3, last ? item : item - behind);
    store(4, item - behind);
    store(5, i + 1 >= kValid ? item : item - behind);
    store(6, before);
    store(7, behind);
  }
  wanted.push_back(items.back());
  wanted.push_back(items.front());
  expect_equal(out.values(), wanted, "BlockAdjacentDifference and BlockShuffle");
}

int main() {
  constexpr int kTiles = 3;
  auto host = numbers<int>(kTile * kTiles, 50);
  Device<int> in(host);
  Device<int> three(size_t{3});
  sums<<<1, kThreads>>>(in, three, 70);
  expect_equal(three.values(),
               {std::accumulate(host.begin(), host.begin() + kThreads, 0),
                std::accumulate(host.begin(), host.begin() + 70, 0),
                *std::max_element(host.begin(), host.begin() + kThreads)},
               "BlockReduce");

  Device<int> out(host.size());
  Device<int> two(size_t{2});
  scan<<<1, kThreads>>>(in, out, two, kTiles);
  std::vector<int> wanted(host.size());
  std::exclusive_scan(host.begin(), host.end(), wanted.begin(), 0);
  expect_equal(out.values(), wanted, "BlockScan over tiles");
  expect_equal(two.values(), std::vector<int>(2, wanted[kThreads]), "its aggregate");

  Device<int> keys(size_t{2 * kTile});
  Device<int> values(size_t{kTile});
  sort<<<1, kThreads>>>(in, keys, values);
  std::vector<int> order(kTile);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return host[size_t(a)] > host[size_t(b)]; });
  expect_equal(values.values(), order, "BlockRadixSort, descending pairs");
  std::vector<int> sorted(host.begin(), host.begin() + kTile);
  std::sort(sorted.begin(), sorted.end());
  const auto both = keys.values();
  expect_equal(std::vector<int>(both.begin() + kTile, both.end()), sorted, "BlockRadixSort, striped");

  for (int& value : host) value = std::abs(value) % 8 / 3;
  Device<int> small(host);
  Device<int> heads(size_t{kTile});
  Device<int> counts(size_t{8});
  Device<int> exchanged(size_t{kTile});
  flags_and_counts<<<1, kThreads>>>(small, heads, counts, exchanged);
  std::vector<int> first(kTile);
  std::vector<int> bins(8);
  std::vector<int> striped(kTile);
  for (int i = 0; i < kTile; ++i) {
    first[size_t(i)] = i == 0 || host[size_t(i)] != host[size_t(i - 1)];
    ++bins[size_t(host[size_t(i)])];
    striped[size_t(i)] = host[size_t(i % kItems * kThreads + i / kItems)];
  }
  expect_equal(heads.values(), first, "BlockDiscontinuity");
  expect_equal(counts.values(), bins, "BlockHistogram");
  expect_equal(exchanged.values(), striped, "BlockExchange");

  const auto rows = numbers<int>(kThreads, 100);
  Device<int> lanes(rows);
  Device<int> of_warps(size_t{kThreads / 32});
  Device<double> scanned(size_t{kThreads});
  Device<int> eights(size_t{kThreads / 8});
  warps<<<1, kThreads>>>(lanes, of_warps, scanned, eights);
  std::vector<int> warp_sums(kThreads / 32);
  std::vector<double> warp_scan(kThreads);
  std::vector<int> least(kThreads / 8, 1000);
  for (int i = 0; i < kThreads; ++i) {
    warp_scan[size_t(i)] = warp_sums[size_t(i / 32)];
    warp_sums[size_t(i / 32)] += rows[size_t(i)];
    least[size_t(i / 8)] = std::min(least[size_t(i / 8)], rows[size_t(i)]);
  }
  expect_equal(of_warps.values(), warp_sums, "WarpReduce");
  expect_equal(scanned.values(), warp_scan, "WarpScan");
  expect_equal(eights.values(), least, "WarpReduce of 8 lanes");
  compare_neighbours();
  return result();
}
