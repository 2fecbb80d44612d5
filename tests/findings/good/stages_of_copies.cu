// Tiles are fetched while others are used: a thread waits for its copies of the stage that comes next, all
// threads meet at a barrier, and a tile is filled again when nobody reads it any more.
#include <cuda/pipeline>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

constexpr int kTile = 64, kTiles = 5;

__global__ void by_primitives(const int* from, int* to) {
  __shared__ int tile[2][kTile];
  const int t = threadIdx.x;
  int sum = 0;
  __pipeline_memcpy_async(&tile[0][t], &from[t], sizeof(int));
  __pipeline_commit();
  for (int i = 0; i < kTiles; ++i) {
    if (i + 1 < kTiles)
      __pipeline_memcpy_async(&tile[(i + 1) % 2][t], &from[kTile * (i + 1) + t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[i % 2][kTile - 1 - t];
    __syncthreads();
  }
  to[t] = sum;
}

__global__ void by_a_pipeline(const int* from, int* to) {
  __shared__ int tile[2][kTile];
  const int t = threadIdx.x;
  int sum = 0;
  auto pipeline = cuda::make_pipeline();
  for (int fetched = 0, i = 0; i < kTiles; ++i) {
    for (; fetched < kTiles && fetched < i + 2; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&tile[fetched % 2][t], &from[kTile * fetched + t], sizeof(int), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    __syncthreads();
    sum += tile[i % 2][kTile - 1 - t];
    __syncthreads();
    pipeline.consumer_release();
  }
  to[t] = sum;
}

__global__ void by_a_group(const int* from, int* to) {
  __shared__ int tile[2][kTile];
  const cg::thread_block block = cg::this_thread_block();
  const int t = threadIdx.x;
  int sum = 0;
  cg::memcpy_async(block, tile[0], from, kTile * sizeof(int));
  for (int i = 0; i < kTiles; ++i) {
    if (i + 1 < kTiles) {
      cg::memcpy_async(block, tile[(i + 1) % 2], from + kTile * (i + 1), kTile * sizeof(int));
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += tile[i % 2][kTile - 1 - t];
    block.sync();
  }
  to[t] = sum;
}

int main() {
  int values[kTile * kTiles], sums[kTile], wanted[kTile] = {};
  for (int i = 0; i < kTile * kTiles; ++i) {
    values[i] = i * i % 101;
    wanted[kTile - 1 - i % kTile] += values[i];
  }
  int *from, *to;
  cudaMalloc(&from, sizeof values);
  cudaMalloc(&to, sizeof sums);
  cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice);
  bool ok = true;
  void (*const kernels[])(const int*, int*) = {by_primitives, by_a_pipeline, by_a_group};
  for (auto kernel : kernels) {
    kernel<<<1, kTile>>>(from, to);
    cudaMemcpy(sums, to, sizeof sums, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kTile; ++i) ok = ok && sums[i] == wanted[i];
  }
  cudaFree(from);
  cudaFree(to);
  return ok ? 0 : 1;
}
