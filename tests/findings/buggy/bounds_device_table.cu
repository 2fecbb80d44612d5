// A table of 16 in device memory, asked for its 17th entry.
#include <cstdio>

__device__ int squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};

__global__ void look_up(int* results) {
  results[threadIdx.x] = squares[threadIdx.x];  // EXPECT(out_of_bounds)
}

int main() {
  int* results;
  cudaMalloc(&results, 17 * sizeof(int));
  look_up<<<1, 17>>>(results);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(results);
  return error;
}
