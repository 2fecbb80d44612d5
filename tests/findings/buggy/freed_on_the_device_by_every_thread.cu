// The block's buffer is freed by each of its threads.
__global__ void blockwise(int* results) {
  __shared__ int* buffer;
  if (threadIdx.x == 0) buffer = new int[64];
  __syncthreads();
  buffer[threadIdx.x] = threadIdx.x;
  __syncthreads();
  results[threadIdx.x] = buffer[63 - threadIdx.x];
  __syncthreads();
  delete[] buffer;  // EXPECT(use_after_free)
}

int main() {
  int* results;
  cudaMalloc(&results, 64 * sizeof(int));
  blockwise<<<1, 64>>>(results);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(results);
  return error;
}
