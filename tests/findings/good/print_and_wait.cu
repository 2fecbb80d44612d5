// What kernels print is seen when the host waits for them, in whatever way it does.
#include <cstdio>

__global__ void greet() {
  if (threadIdx.x == 0) std::printf("before a wait\n");
}

__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 31) std::printf("filled\n");
}

int main() {
  greet<<<1, 32>>>();
  cudaDeviceSynchronize();

  int* values;
  int last;
  cudaMalloc(&values, 32 * sizeof(int));
  fill<<<1, 32>>>(values);
  cudaMemcpy(&last, values + 31, sizeof last, cudaMemcpyDeviceToHost);

  cudaStream_t stream;
  cudaEvent_t end;
  cudaStreamCreate(&stream);
  cudaEventCreate(&end);
  greet<<<1, 32, 0, stream>>>();
  cudaStreamSynchronize(stream);
  greet<<<1, 32, 0, stream>>>();
  cudaEventRecord(end, stream);
  cudaEventSynchronize(end);
  cudaEventDestroy(end);
  cudaStreamDestroy(stream);

  greet<<<1, 32>>>();
  cudaFree(values);
  greet<<<1, 32>>>();
  cudaDeviceReset();
  return last == 31 ? 0 : 1;
}
