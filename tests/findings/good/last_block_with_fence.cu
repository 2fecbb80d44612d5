// The last block adds up the others' sums: store, fence, ticket; ticket, fence, loads. Twice, for the ticket.
#include <cstdio>

__device__ unsigned ticket = 0;

__global__ void single_pass(const int* values, int* partial, int* sum) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    int mine = 0;
    for (int k = 0; k < 32; ++k) mine += values[blockIdx.x * 32 + k];
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  int total = threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0;
  for (int offset = 16; offset > 0; offset /= 2) total += __shfl_down_sync(0xffffffffu, total, offset);
  if (threadIdx.x == 0) {
    *sum = total;
    ticket = 0;
  }
}

int main() {
  int *values, *partial, *sum;
  int results[2] = {};
  cudaMalloc(&values, 640 * sizeof(int));
  cudaMalloc(&partial, 20 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 640 * sizeof(int));
  for (int& result : results) {
    single_pass<<<20, 32>>>(values, partial, sum);
    cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  }
  std::printf("%d %d\n", results[0], results[1]);
  cudaFree(values);
  cudaFree(partial);
  cudaFree(sum);
  return cudaGetLastError();
}
