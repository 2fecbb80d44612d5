// What changes: nothing yet. One kernel writes the height of every rectangle, others add them up.
// What that cures: nothing yet; but each kernel is simple, and the second one is `reduction` once more.
// What still hurts: n heights are written to memory and read once; the tree divides by 2 * s.
// What to expect: pi, and the baseline of every speedup. Memory is busy, the arithmetic units are idle.
//
// This version is given complete, as the worked example. The others have the same shape: kernels, and a
// launcher of the file's name that queues them.
#include "pi.h"

constexpr unsigned kThreads = 256;  // threads in a block: a power of two, because the tree halves it

// Writes the area of rectangle i to areas[i].
__global__ void areas_of_rectangles(const value_t* limits, std::size_t n, value_t* areas) {
  // 64 bits: blockIdx.x * blockDim.x alone is 32 bits wide and wraps around for a large n.
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;  // the last block has more threads than there are rectangles left
  // The limits are in device memory: kernels may read them, the launcher may not.
  const value_t begin = limits[0];
  const value_t h = (limits[1] - begin) / static_cast<value_t>(n);
  const value_t x = begin + (static_cast<value_t>(i) + value_t{0.5}) * h;
  areas[i] = h * (value_t{4} / (value_t{1} + x * x));
}

// Writes the sum of the block's values to partial[blockIdx.x].
__global__ void tree_sum(const value_t* values, std::size_t n, value_t* partial) {
  __shared__ value_t shared[kThreads];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
  // Threads past the end add 0 and do not return: all threads of a block must reach every __syncthreads.
  shared[tid] = i < n ? values[i] : value_t{0};
  __syncthreads();

  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) shared[tid] += shared[tid + s];
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = shared[0];
}

extern "C" void p01_separate_kernels(const value_t* limits, std::size_t n, value_t* area, Workspace work,
                                     cudaStream_t stream) {
  const value_t* values = work.data;
  value_t* partial = work.data + n;  // behind the heights
  // An empty grid is an error in CUDA: for n = 0 there are no heights, and the tree below adds up none.
  if (n > 0) {
    const std::size_t blocks = (n + kThreads - 1) / kThreads;
    areas_of_rectangles<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(limits, n, work.data);
  }
  while (true) {
    const std::size_t blocks = n == 0 ? 1 : (n + kThreads - 1) / kThreads;
    value_t* target = blocks == 1 ? area : partial;
    tree_sum<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, target);
    if (blocks == 1) return;
    values = partial;  // the next pass sums these; its own partial sums go behind them
    n = blocks;
    partial += blocks;
  }
}
