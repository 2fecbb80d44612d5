// Host functions by the names of CUDA's own: declared once more, or with types of their own.
#include <cstdint>
#include <cstdio>

int32_t min(int32_t a, int32_t b);
unsigned int max(unsigned int a, unsigned int b);

struct Length {
  float metres;
};

Length min(Length a, Length b) {
  return a.metres < b.metres ? a : b;
}

__global__ void extremes(int* result, int a, int b) {
  result[0] = min(a, b);
  result[1] = max(a, b);
}

int main() {
  int* result = nullptr;
  int extremes_of[2];
  cudaMalloc(&result, sizeof extremes_of);
  extremes<<<1, 1>>>(result, 3, -4);
  cudaMemcpy(extremes_of, result, sizeof extremes_of, cudaMemcpyDeviceToHost);
  cudaFree(result);
  const Length shorter = min(Length{2}, Length{1});
  std::printf("%d %d %d %u %g\n", extremes_of[0], extremes_of[1], min(5, 6), max(5u, 6u), shorter.metres);
  return extremes_of[0] == -4 && extremes_of[1] == 3 && min(5, 6) == 5 && max(5u, 6u) == 6u &&
                 shorter.metres == 1
             ? 0
             : 1;
}
