// cuda::barrier: arrive and wait apart, producers and consumers, copies until a barrier, a pipeline of
// stages.
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/pipeline>

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reverse_twice(int* values) {
  __shared__ block_barrier barrier;
  __shared__ int shared[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  shared[threadIdx.x] = values[threadIdx.x];
  block_barrier::arrival_token token = barrier.arrive();
  const int own = threadIdx.x;  // what needs no other thread
  barrier.wait(std::move(token));
  const int reversed = shared[63 - own];
  barrier.arrive_and_wait();
  cuda::memcpy_async(&shared[own], &values[own], sizeof(int), barrier);
  barrier.arrive_and_wait();
  values[own] = reversed + 100 * shared[63 - own];
}

__global__ void produce_and_consume(int* results, int rounds) {
  __shared__ block_barrier ready, done;
  __shared__ int buffer[32];
  if (threadIdx.x == 0) {
    init(&ready, 64);
    init(&done, 64);
  }
  __syncthreads();
  const bool producer = threadIdx.x < 32;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (producer) {
      buffer[threadIdx.x] = round + threadIdx.x;
      ready.arrive();
      done.arrive_and_wait();
    } else {
      ready.arrive_and_wait();
      sum += buffer[63 - threadIdx.x];
      done.arrive();
    }
  }
  if (!producer) results[threadIdx.x - 32] = sum;
}

__global__ void stages(const int* values, int* results, int batches) {
  constexpr int kStages = 2;
  __shared__ int buffer[kStages][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int fetched = 0, batch = 0; batch < batches; ++batch) {
    for (; fetched < batches && fetched < batch + kStages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, buffer[fetched % kStages], values + 32 * fetched, 32 * sizeof(int), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += buffer[batch % kStages][31 - threadIdx.x];
    pipeline.consumer_release();
  }
  __shared__ int own[32];
  __pipeline_memcpy_async(&own[threadIdx.x], values + threadIdx.x, sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  results[threadIdx.x] = sum + own[threadIdx.x];
}

int main() {
  int* values;
  int* results;
  cudaMallocManaged(&values, 128 * sizeof(int));
  cudaMallocManaged(&results, 32 * sizeof(int));
  for (int i = 0; i < 128; ++i) values[i] = i;
  stages<<<1, 32>>>(values, results, 4);
  cudaDeviceSynchronize();
  if (results[3] != 4 * 28 + 32 * 6 + 3) abort();
  produce_and_consume<<<1, 64>>>(results, 3);
  cudaDeviceSynchronize();
  if (results[0] != 3 + 3 * 31) abort();
  reverse_twice<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  if (values[0] != 63 + 100 * 63 || values[60] != 3 + 100 * 3) abort();
  cudaFree(values);
  cudaFree(results);
}
