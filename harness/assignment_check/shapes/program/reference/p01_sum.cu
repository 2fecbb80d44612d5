// Reads two vectors of n numbers from standard input, adds them on the GPU, and prints one sum per line.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const float* a, const float* b, float* sum, int n) {
  // <solution> TODO: each thread adds one pair
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
  // </solution>
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 0;
  std::vector<float> a(n), b(n), sum(n);
  for (float& x : a) {
    if (std::scanf("%f", &x) != 1) return 1;
  }
  for (float& x : b) {
    if (std::scanf("%f", &x) != 1) return 1;
  }
  if (n == 0) return 0;
  constexpr int kThreads = 128;
  const int blocks = (n + kThreads - 1) / kThreads;
  // <solution> TODO: copy the vectors to the GPU, call the kernel, and copy the sums back
  const std::size_t bytes = n * sizeof(float);
  float *on_gpu_a, *on_gpu_b, *on_gpu_sum;
  cudaMalloc(&on_gpu_a, bytes);
  cudaMalloc(&on_gpu_b, bytes);
  cudaMalloc(&on_gpu_sum, bytes);
  cudaMemcpy(on_gpu_a, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(on_gpu_b, b.data(), bytes, cudaMemcpyHostToDevice);
  add<<<blocks, kThreads>>>(on_gpu_a, on_gpu_b, on_gpu_sum, n);
  cudaMemcpy(sum.data(), on_gpu_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(on_gpu_a);
  cudaFree(on_gpu_b);
  cudaFree(on_gpu_sum);
  // </solution>
  for (const float x : sum) std::printf("%g\n", x);
}
