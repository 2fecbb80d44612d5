// What changes: nothing yet. Every thread adds one value to the result with one atomicAdd.
// What that cures: a plain *sum += value is a race: two threads read the same old sum, one addition is lost.
// What still hurts: all n additions go to one address, so the whole grid waits in one queue.
// What to expect: the right sum, slowly: 1.6 ms for 2^26 ints on an H200, the baseline of every speedup.
//
// This version is given complete, as the worked example. The others have the same shape: a kernel, and a
// launcher of the file's name that queues it.
#include "atomic_add.h"
#include "reduction.h"

constexpr unsigned kThreads = 256;  // threads in a block: a multiple of the warp's 32, at most 1024

__global__ void atomic_per_element(const value_t* values, std::size_t n, value_t* sum) {
  // 64 bits: blockIdx.x * blockDim.x alone is 32 bits wide and wraps around for a large n.
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // The last block has more threads than there are values left.
  if (i < n) atomic_add(sum, values[i]);
}

extern "C" void v01_atomic_per_element(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                       cudaStream_t stream) {
  // All bits zero is the value 0 for every type. On the same stream, so it runs before the kernel.
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  // An empty grid is an error in CUDA, and for n = 0 the sum is complete already.
  if (n == 0) return;
  const std::size_t blocks = (n + kThreads - 1) / kThreads;  // rounded up: the last values need a block, too
  atomic_per_element<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, sum);
}
