// Four blocks read what the first one writes; three wait for its flag.
__device__ int message, ready;

__global__ void pass_on(int* values) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    message = 1;  // OTHER(race)
    __threadfence();
    atomicExch(&ready, 1);
  } else {
    while (blockIdx.x != 2 && atomicAdd(&ready, 0) == 0) {
    }
    __threadfence();
    values[blockIdx.x] = message;  // EXPECT(race)
  }
}

int main() {
  int* values;
  cudaMalloc(&values, 5 * sizeof(int));
  pass_on<<<5, 32>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
