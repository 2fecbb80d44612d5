// Variables that host and kernels both use.
#include <cstdlib>

__device__ __managed__ int counter;
static __managed__ float table[8] = {1, 2, 3};
struct Pair {
  int a;
  double b;
};
__managed__ Pair pair = {4, 2.5};

__global__ void use(int* through_a_pointer) {
  atomicAdd(&counter, 1);
  table[threadIdx.x] += static_cast<float>(pair.b);
  if (threadIdx.x == 0) *through_a_pointer += 5;
}

int main() {
  if (counter != 0 || table[2] != 3 || table[3] != 0 || pair.a != 4 || pair.b != 2.5) abort();
  use<<<1, 4>>>(&pair.a);
  cudaDeviceSynchronize();
  if (counter != 4 || table[2] != 5.5f || pair.a != 9) abort();
  counter = 100;
  use<<<1, 4>>>(&pair.a);
  cudaDeviceSynchronize();
  if (counter != 104 || pair.a != 14) abort();
}
