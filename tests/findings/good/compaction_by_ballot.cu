// The values that stay, in their order: places within a warp by ballot, between warps by a scan of counts.
#include <cstdio>

__global__ void keep_even(const int* values, int* kept, int* count) {
  __shared__ int counts[4];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const int mine = values[threadIdx.x];
  const bool stays = mine % 2 == 0;
  const unsigned votes = __ballot_sync(0xffffffffu, stays);
  if (lane == 0) counts[warp] = __popc(votes);
  __syncthreads();
  int base = 0;
  for (unsigned w = 0; w < warp; ++w) base += counts[w];
  if (stays) kept[base + __popc(votes & ((1u << lane) - 1))] = mine;
  if (threadIdx.x == 127) *count = base + __popc(votes);
}

int main() {
  int *values, *kept, *count;
  int host[128];
  for (int i = 0; i < 128; ++i) host[i] = i * 7 / 3;
  int result = 0;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&kept, sizeof host);
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  keep_even<<<1, 128>>>(values, kept, count);
  cudaMemcpy(&result, count, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(host, kept, result * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", result, host[result - 1]);
  cudaFree(values);
  cudaFree(kept);
  cudaFree(count);
  return cudaGetLastError();
}
