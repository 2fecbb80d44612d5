// States of cuRAND, made by one kernel and used by the next.
#include <curand_kernel.h>

__global__ void make(curandState* states) {
  curand_init(7, threadIdx.x, 0, &states[threadIdx.x]);
}

__global__ void draw(curandState* states, float* numbers) {
  curandState state = states[threadIdx.x];
  numbers[threadIdx.x] = curand_uniform(&state) + curand_normal(&state);
  states[threadIdx.x] = state;
}

int main() {
  curandState* states = nullptr;
  float* numbers = nullptr;
  cudaMalloc(&states, 64 * sizeof(curandState));
  cudaMalloc(&numbers, 64 * sizeof(float));
  make<<<1, 64>>>(states);
  draw<<<1, 64>>>(states, numbers);
  draw<<<1, 64>>>(states, numbers);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(states);
  cudaFree(numbers);
  return error;
}
