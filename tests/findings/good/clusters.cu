// Clusters by attribute of the kernel and of the launch: blocks that read, write and update each other's
// shared memory, and hand values over in global memory, each time behind a barrier of the cluster.
#include <cstdlib>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 64, kBlocks = 8, kBins = 32;

// Each block of a cluster has half of the bins.
__global__ void __cluster_dims__(2, 1, 1) histogram(const int* values, int n, int* bins) {
  __shared__ int counts[kBins / 2];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < kBins / 2) counts[threadIdx.x] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = values[i];
    int* there = cluster.map_shared_rank(counts, bin / (kBins / 2));
    atomicAdd(there + bin % (kBins / 2), 1);
  }
  cluster.sync();
  if (threadIdx.x < kBins / 2) {
    const int first = cluster.block_rank() * (kBins / 2);
    atomicAdd(&bins[first + threadIdx.x], counts[threadIdx.x]);
  }
}

// The sum of the cluster's blocks to each of them, by way of its neighbours.
__global__ void sums(int* scratch, int* results) {
  __shared__ int mine, from_left;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned int rank = cluster.block_rank();
  if (threadIdx.x == 0) mine = 10 * (blockIdx.x + 1);
  if (threadIdx.x == 1) scratch[blockIdx.x] = blockIdx.x;
  cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&from_left, (rank + 1) % cluster.num_blocks()) = mine;
  int sum = 0;
  for (unsigned int other = 0; other < cluster.num_blocks(); ++other)
    sum += *cluster.map_shared_rank(&mine, other);
  const unsigned int first = blockIdx.x - cluster.block_index().x;
  const int beside = scratch[first + (rank + 1) % cluster.num_blocks()];
  cluster.sync();
  if (threadIdx.x == 0) results[blockIdx.x] = sum * 1000 + from_left * 10 + beside;
}

int main() {
  constexpr int kValues = 1000;
  int host[kValues];
  int expected[kBins] = {};
  for (int i = 0; i < kValues; ++i) ++expected[host[i] = i * 7 % kBins];
  int *values, *bins, *scratch, *results;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&bins, sizeof expected);
  cudaMalloc(&scratch, kBlocks * sizeof(int));
  cudaMalloc(&results, kBlocks * sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, sizeof expected);
  histogram<<<kBlocks, kThreads>>>(values, kValues, bins);
  int counted[kBins];
  cudaMemcpy(counted, bins, sizeof counted, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kBins; ++i) {
    if (counted[i] != expected[i]) abort();
  }

  cudaLaunchConfig_t launch = {};
  launch.gridDim = kBlocks;
  launch.blockDim = kThreads;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  int clusters = 0;
  if (cudaOccupancyMaxActiveClusters(&clusters, sums, &launch) != cudaSuccess || clusters < 1) abort();
  if (cudaLaunchKernelEx(&launch, sums, scratch, results) != cudaSuccess) abort();
  int got[kBlocks];
  cudaMemcpy(got, results, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kBlocks; ++i) {
    const int first = i / 4 * 4;
    const int sum = 10 * (4 * first + 10);
    const int left = 10 * (first + (i + 3) % 4 + 1);
    if (got[i] != sum * 1000 + left * 10 + first + (i + 1) % 4) abort();
  }
  // A grid that is no multiple of the cluster is refused.
  launch.gridDim = kBlocks + 1;
  if (cudaLaunchKernelEx(&launch, sums, scratch, results) == cudaSuccess) abort();
  cudaGetLastError();
  cudaFree(values);
  cudaFree(bins);
  cudaFree(scratch);
  cudaFree(results);
}
