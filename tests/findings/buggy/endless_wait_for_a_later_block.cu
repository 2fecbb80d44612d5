// Block 0 waits for the last of 5000 blocks, which cannot start before an earlier one has ended.
#include <cstdio>

__global__ void relay(volatile int* done) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x + 1 < gridDim.x) {
    while (done[blockIdx.x + 1] == 0) {  // EXPECT(endless_loop) ALSO(race)
    }
  }
  __threadfence();
  done[blockIdx.x] = 1;  // OTHER(race)
}

int main() {
  int* done;
  cudaMalloc(&done, 5000 * sizeof(int));
  cudaMemset(done, 0, 5000 * sizeof(int));
  relay<<<5000, 32>>>(done);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(done);
  return error;
}
