// The kernel tells the host by a volatile flag in mapped memory that its value is there; nothing else waits.
#include <cstdio>

__global__ void answer(int* value, volatile int* ready) {
  *value = 42;
  __threadfence_system();
  *ready = 1;
}

int main() {
  int *value, *flag;
  cudaMallocHost(&value, sizeof(int));
  cudaMallocHost(&flag, sizeof(int));
  volatile int* ready = flag;
  *value = 0;
  *ready = 0;
  answer<<<1, 1>>>(value, flag);
  while (*ready == 0) {
  }
  std::printf("%d\n", *value);
  cudaDeviceSynchronize();
  cudaFreeHost(value);
  cudaFreeHost(flag);
}
