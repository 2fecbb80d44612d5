// States of cuRAND that no curand_init() made.
#include <curand_kernel.h>

__global__ void draw(curandState* states, float* numbers) {
  curandState state = states[threadIdx.x];  // EXPECT(uninitialised_read)
  numbers[threadIdx.x] = curand_uniform(&state);
}

int main() {
  curandState* states = nullptr;
  float* numbers = nullptr;
  cudaMalloc(&states, 64 * sizeof(curandState));
  cudaMalloc(&numbers, 64 * sizeof(float));
  draw<<<1, 64>>>(states, numbers);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(states);
  cudaFree(numbers);
  return error;
}
