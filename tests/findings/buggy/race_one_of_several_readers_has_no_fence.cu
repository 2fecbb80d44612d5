// The writer waits until all four have read; one of them says so without a fence between the read and the count.
__device__ int message, seen;

__global__ void hand_back(int* values) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (atomicAdd(&seen, 0) != gridDim.x - 1) {
    }
    __threadfence();
    message = 2;  // OTHER(race)
  } else {
    values[blockIdx.x] = message;  // EXPECT(race)
    if (blockIdx.x != 2) __threadfence();
    atomicAdd(&seen, 1);
  }
}

int main() {
  int* values;
  cudaMalloc(&values, 5 * sizeof(int));
  hand_back<<<5, 32>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
