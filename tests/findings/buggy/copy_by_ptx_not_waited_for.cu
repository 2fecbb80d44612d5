// A tile is fetched by cp.async, and the block meets at a barrier without waiting for its copies.
#include <cstdint>

__global__ void sums_of_neighbours(const int* from, int* to) {
  __shared__ alignas(16) int tile[256];
  const int t = threadIdx.x;
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(tile + t));
  // OTHER-NEXT(race)
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(from + t) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  __syncthreads();
  to[t] = tile[t] + tile[(t + 1) % 256];  // EXPECT(race)
}

int main() {
  int *from, *to;
  cudaMalloc(&from, 256 * sizeof(int));
  cudaMalloc(&to, 256 * sizeof(int));
  cudaMemset(from, 0, 256 * sizeof(int));
  sums_of_neighbours<<<1, 256>>>(from, to);
  const bool ok = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(from);
  cudaFree(to);
  return ok ? 0 : 1;
}
