// Kernels that launch kernels: templates, recursion, a tail; and host code that launches the same ones.
#include <cstdio>
#include <cstdlib>

__global__ void add(int* values, int amount) {
  values[threadIdx.x] += amount;
}
template <typename T>
__global__ void scale(T* values, T factor) {
  __shared__ T shared[32];
  shared[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = shared[31 - threadIdx.x] * factor;
}
__global__ void countdown(int* steps, int left) {
  *steps += 1;
  if (left > 0) countdown<<<1, 1>>>(steps, left - 1);
}
__global__ void parent(int* values, int* steps) {
  if (threadIdx.x != 0) return;
  scale<int><<<1, 32, 0, cudaStreamTailLaunch>>>(values, 10);
  add<<<1, 32>>>(values, 5);
  add<<<dim3(1), dim3(32)>>>(values, 1);
  countdown<<<1, 1>>>(steps, 3);
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaEventRecord(done, nullptr);
  cudaStreamWaitEvent(nullptr, done, 0);
  cudaEventDestroy(done);
  if (cudaGetLastError() != cudaSuccess) printf("cannot launch\n");
}

int main() {
  int* values;
  cudaMallocManaged(&values, 33 * sizeof(int));
  for (int i = 0; i < 33; ++i) values[i] = i % 32;
  parent<<<1, 32>>>(values, values + 32);
  cudaDeviceSynchronize();
  if (values[0] != 370 || values[31] != 60 || values[32] != 4) abort();
  add<<<1, 32>>>(values, 1);
  cudaDeviceSynchronize();
  if (values[0] != 371) abort();
  cudaFree(values);
}
