// A sorting network in shared memory: in each step every pair belongs to one thread.
#include <cstdio>

__global__ void sort(int* values) {
  __shared__ int shared[256];
  const unsigned tid = threadIdx.x;
  shared[tid] = values[tid];
  __syncthreads();
  for (unsigned size = 2; size <= 256; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned partner = tid ^ stride;
      if (partner > tid) {
        const bool ascending = (tid & size) == 0;
        if ((shared[tid] > shared[partner]) == ascending) {
          const int kept = shared[tid];
          shared[tid] = shared[partner];
          shared[partner] = kept;
        }
      }
      __syncthreads();
    }
  }
  values[tid] = shared[tid];
}

int main() {
  int* values;
  int host[256];
  for (int i = 0; i < 256; ++i) host[i] = 91 * i % 256;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  sort<<<1, 256>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[255]);
  cudaFree(values);
  return cudaGetLastError();
}
