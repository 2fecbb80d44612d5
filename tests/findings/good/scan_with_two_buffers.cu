// Each step reads one buffer and writes the other: one barrier a step is enough.
#include <cstdio>

__global__ void inclusive_scan(int* values) {
  __shared__ int buffers[2][128];
  const unsigned tid = threadIdx.x;
  int from = 0;
  buffers[from][tid] = values[tid];
  __syncthreads();
  for (unsigned offset = 1; offset < 128; offset *= 2) {
    const int left = tid >= offset ? buffers[from][tid - offset] : 0;
    buffers[1 - from][tid] = buffers[from][tid] + left;
    from = 1 - from;
    __syncthreads();
  }
  values[tid] = buffers[from][tid];
}

int main() {
  int* values;
  int host[128];
  for (int i = 0; i < 128; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  inclusive_scan<<<1, 128>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[127]);
  cudaFree(values);
  return cudaGetLastError();
}
