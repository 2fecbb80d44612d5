// Barriers at which single lanes arrive: half of each warp, or one lane for its warp, which meets the others
// before and after.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void half_of_each_warp(int* values) {
  __shared__ Barrier barrier;
  __shared__ int shared[64], total;
  if (threadIdx.x == 0) init(&barrier, 32);
  if (threadIdx.x == 0) total = 5;
  __syncthreads();
  shared[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 32 >= 16) return;
  int sum = total;
  barrier.arrive_and_wait();
  sum += shared[(threadIdx.x + 32) % 64];
  if (threadIdx.x == 40) total = 6;
  barrier.arrive_and_wait();
  values[threadIdx.x] = sum + total;
}

__global__ void one_lane_for_its_warp(int* values) {
  __shared__ Barrier barrier;
  __shared__ int shared[128];
  if (threadIdx.x == 0) init(&barrier, blockDim.x / 32);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    shared[threadIdx.x] = threadIdx.x + round;
    __syncwarp();
    if (threadIdx.x % 32 == 0) barrier.arrive_and_wait();
    __syncwarp();
    values[64 + threadIdx.x] = shared[127 - threadIdx.x];
    __syncwarp();
    if (threadIdx.x % 32 == 0) barrier.arrive_and_wait();
    __syncwarp();
  }
}

int main() {
  int* values;
  cudaMalloc(&values, 192 * sizeof(int));
  half_of_each_warp<<<1, 64>>>(values);
  one_lane_for_its_warp<<<1, 128>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
