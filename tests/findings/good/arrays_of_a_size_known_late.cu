// Arrays of host code whose size is known when it runs, with initializers, as nvcc's host compiler takes
// them.
#include <cstdio>
#include <cstring>

__global__ void weigh(const float* values, const float* weights, float* results, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) results[i] = values[i] * weights[i % 4];
}

int main(int argc, char**) {
  const int n = 63 + argc;  // 64
  float values[n] =
      {
          1,
          2.5f,
          static_cast<float>(n),
      },
        results[n] = {0};
  const float weights[n / 16] = {1 / 2.f,  // of the first
                                 2, 3, 4};
  int grid[2][n] = {{0}};
  const char* names[n / 32] = {"values", "[{results}]"};
  double none[n] = {}, list[argc + 2]{7, 8};
  constexpr int kFixed[2] = {3, 4};
  float *d_values, *d_weights, *d_results;
  cudaMalloc(&d_values, n * sizeof(float));
  cudaMalloc(&d_weights, sizeof weights);
  cudaMalloc(&d_results, n * sizeof(float));
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpy(d_weights, weights, sizeof weights, cudaMemcpyHostToDevice);
  weigh<<<1, n>>>(d_values, d_weights, d_results, n);
  cudaMemcpy(results, d_results, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += results[i] + grid[0][i] + grid[1][i] + none[i];
  std::printf("%g %zu %g %g %d\n", sum, std::strlen(names[1]), list[1], list[2], kFixed[1]);
  cudaFree(d_values);
  cudaFree(d_weights);
  cudaFree(d_results);
  return sum == 0.5 + 5 + 192 && std::strlen(names[1]) == 11 && list[0] + list[1] + list[2] == 15 ? 0 : 1;
}
