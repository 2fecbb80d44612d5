// A thread's pipeline fetches its own value and adds it up before it waits.
#include <cuda/pipeline>

__global__ void squares(const float* from, float* to) {
  __shared__ float held[64];
  const int t = threadIdx.x;
  auto pipeline = cuda::make_pipeline();
  pipeline.producer_acquire();
  cuda::memcpy_async(&held[t], &from[t], sizeof(float), pipeline);  // OTHER(race)
  pipeline.producer_commit();
  const float value = held[t];  // EXPECT(race)
  pipeline.consumer_wait();
  to[t] = value * value;
  pipeline.consumer_release();
}

int main() {
  float *from, *to;
  cudaMalloc(&from, 64 * sizeof(float));
  cudaMalloc(&to, 64 * sizeof(float));
  cudaMemset(from, 0, 64 * sizeof(float));
  squares<<<1, 64>>>(from, to);
  const bool ok = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(from);
  cudaFree(to);
  return ok ? 0 : 1;
}
