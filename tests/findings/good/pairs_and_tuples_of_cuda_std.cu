// Pairs, tuples and arrays of cuda::std in a kernel: made, assigned, taken apart, compared.
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/std/utility>

__global__ void compute(int* out) {
  cuda::std::tuple<int, float> both(1, 2.5f);
  auto pair = cuda::std::make_pair(3, 4.0);
  auto [first, second] = pair;
  cuda::std::array<int, 2> line{5, 6};
  pair = {7, 8.0};
  cuda::std::pair numbers{1, 2};
  cuda::std::swap(numbers.first, numbers.second);
  const bool ordered = numbers < cuda::std::pair<int, int>(2, 2) && numbers != cuda::std::make_pair(1, 2);
  out[0] = cuda::std::get<0>(both) + cuda::std::get<0>(pair) + first + static_cast<int>(second) +
           cuda::std::get<1>(line) + numbers.first + (ordered ? 100 : 0);
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  compute<<<1, 1>>>(out);
  int sum = 0;
  cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%d\n", sum);
  cudaFree(out);
  return sum == 123 ? 0 : 1;
}
