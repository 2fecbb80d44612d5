// atomicAdd() is atomic for the device alone: the host's own atomic operation may come in between.
#include <cstdio>

__global__ void add(int* sum) {
  atomicAdd(sum, 1);  // OTHER(missing_synchronize)
}

int main() {
  int* sum;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  add<<<4, 64>>>(sum);  // OTHER(missing_synchronize)
  for (int i = 0; i < 10; ++i) {
    __sync_fetch_and_add(sum, 1);  // EXPECT(missing_synchronize)
  }
  cudaDeviceSynchronize();
  std::printf("%d\n", *sum);
  cudaFree(sum);
}
