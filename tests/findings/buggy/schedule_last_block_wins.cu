// Atomics, so no race; but which block's number stays depends on which one came last.
#include <cstdio>

__global__ void winner(int* last) {
  if (threadIdx.x == 0) atomicExch(last, static_cast<int>(blockIdx.x));  // EXPECT(schedule_dependent)
}

int main() {
  int* last;
  int result = 0;
  cudaMalloc(&last, sizeof(int));
  cudaMemset(last, 0, sizeof(int));
  winner<<<64, 32>>>(last);
  cudaMemcpy(&result, last, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(last);
  return cudaGetLastError();
}
