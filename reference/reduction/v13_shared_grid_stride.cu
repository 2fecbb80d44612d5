// What changes: a grid of fixed size; every thread sums many values, then a tree, then one atomic per block.
// What that cures: idle threads and further passes; the number of trees no longer depends on n.
// What still hurts: each load brings one value, so many instructions are needed to keep the memory busy.
// What to expect: 2.8 times the speed of v07 (H200, 2^26 ints: 0.11 ms).
#include "atomic_add.h"
#include "reduction.h"

constexpr unsigned kThreads = 256;                // a power of two: the tree halves it down to 1
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

// Adds the sum of this block's values to *sum.
__global__ void shared_grid_stride(const value_t* values, std::size_t n, value_t* sum) {
  // <solution> TODO: every thread sums values[i] for i = its index in the grid, one grid further, ...
  // <solution> TODO: why not a contiguous piece for each thread? Think of what one warp loads at a time.
  // <solution> TODO: then the tree of v07 over the threads' sums, and one atomic_add to *sum per block.
  // <stub> (void)values, (void)n, (void)sum;  // delete this line: it only quiets the compiler
  __shared__ value_t shared[kThreads];
  const unsigned tid = threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  // At each step the 32 lanes of a warp load 32 neighbouring values: a few whole sectors, nothing wasted.
  value_t mine = 0;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + tid;
  for (std::size_t i = first; i < n; i += stride) mine += values[i];
  shared[tid] = mine;
  __syncthreads();

  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) shared[tid] += shared[tid + s];
    __syncthreads();
  }
  // About a thousand atomics in all, where v01 needs n.
  if (tid == 0) atomic_add(sum, shared[0]);
  // </solution>
}

extern "C" void v13_shared_grid_stride(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                       cudaStream_t stream) {
  // <solution> TODO: set *sum to 0 on the stream, then launch as many blocks as the GPU can hold at once
  // <solution> (ask cudaDeviceGetAttribute for cudaDevAttrMultiProcessorCount), but no more than n needs.
  // <stub> (void)values, (void)n, (void)sum, (void)stream, (void)kThreads, (void)kBlocksPerMultiprocessor;
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  if (n == 0) return;
  int device = 0;
  int multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);

  std::size_t blocks = (n + kThreads - 1) / kThreads;
  const std::size_t most = std::size_t{kBlocksPerMultiprocessor} * static_cast<unsigned>(multiprocessors);
  if (blocks > most) blocks = most;
  shared_grid_stride<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, sum);
  // </solution>
}
