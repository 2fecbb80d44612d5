// Each thread takes the next free place: all values arrive, in an order that nobody chose.
#include <cstdio>

__global__ void append(int* list, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3 == 0) list[atomicAdd(count, 1)] = i;  // EXPECT(schedule_dependent)
}

int main() {
  int *list, *count;
  int host[342];
  cudaMalloc(&list, sizeof host);
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  append<<<8, 128>>>(list, count);
  cudaMemcpy(host, list, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 342; i += 10) std::printf("%d ", host[i]);
  cudaFree(list);
  cudaFree(count);
  return cudaGetLastError();
}
