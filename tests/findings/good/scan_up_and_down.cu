// Blelloch's scan: up the tree, down the tree, a barrier before every step.
#include <cstdio>

__global__ void exclusive_scan(int* values) {
  extern __shared__ int tree[];
  const unsigned n = 2 * blockDim.x;
  const unsigned tid = threadIdx.x;
  tree[2 * tid] = values[2 * tid];
  tree[2 * tid + 1] = values[2 * tid + 1];
  unsigned offset = 1;
  for (unsigned d = n / 2; d > 0; d /= 2) {
    __syncthreads();
    if (tid < d) tree[offset * (2 * tid + 2) - 1] += tree[offset * (2 * tid + 1) - 1];
    offset *= 2;
  }
  if (tid == 0) tree[n - 1] = 0;
  for (unsigned d = 1; d < n; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (tid < d) {
      const unsigned left = offset * (2 * tid + 1) - 1, right = offset * (2 * tid + 2) - 1;
      const int kept = tree[left];
      tree[left] = tree[right];
      tree[right] += kept;
    }
  }
  __syncthreads();
  values[2 * tid] = tree[2 * tid];
  values[2 * tid + 1] = tree[2 * tid + 1];
}

int main() {
  int* values;
  int host[256];
  for (int i = 0; i < 256; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  exclusive_scan<<<1, 128, 256 * sizeof(int)>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[255]);
  cudaFree(values);
  return cudaGetLastError();
}
