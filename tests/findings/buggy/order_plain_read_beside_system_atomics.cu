// The host adds by atomic operations, as the kernel does, but looks at the sum by a plain read.
#include <cstdio>

__global__ void add(int* sum) {
  atomicAdd_system(sum, 1);  // OTHER(missing_synchronize)
}

int main() {
  int* sum;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  add<<<4, 64>>>(sum);  // OTHER(missing_synchronize)
  for (int i = 0; i < 10; ++i) __sync_fetch_and_add(sum, 1);
  const int so_far = *sum;  // EXPECT(missing_synchronize)
  cudaDeviceSynchronize();
  std::printf("%d, of it %d early\n", *sum, so_far > 10);
  cudaFree(sum);
}
