// Two buffers save one barrier a step, not both: without any, fast warps overwrite what slow ones read.
#include <cstdio>

__global__ void diffuse(float* values, int steps) {
  __shared__ float buffers[2][128];
  const int tid = threadIdx.x;
  buffers[0][tid] = values[tid];
  buffers[1][tid] = 0;
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const float* from = buffers[step % 2];
    float* to = buffers[(step + 1) % 2];
    // EXPECT-NEXT(race) ALSO-NEXT(warp_synchronous)
    to[tid] = (from[(tid + 127) % 128] + from[(tid + 1) % 128]) / 2;
  }
  values[tid] = buffers[steps % 2][tid];
}

int main() {
  float* values;
  cudaMalloc(&values, 128 * sizeof(float));
  cudaMemset(values, 0, 128 * sizeof(float));
  diffuse<<<1, 128>>>(values, 10);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
