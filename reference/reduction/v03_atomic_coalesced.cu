// What changes: as v02, but a thread's values are a whole grid apart: thread t takes t, t + threads, ...
// What that cures: the loads. The lanes of a warp read neighbours, and every byte of a sector is used.
// What still hurts: one atomic per thread: several hundred thousand at one address.
// What to expect: faster than v02, since no load is wasted; several hundred thousand atomics remain.
#include "atomic_add.h"
#include "reduction.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

__global__ void atomic_coalesced(const value_t* values, std::size_t n, value_t* sum) {
  // <solution> TODO: as v02, but thread t of the grid adds up values[t], values[t + s], values[t + 2 * s], ...
  // <solution> for s = the number of threads in the grid. Which addresses does one warp read in one step now?
  // <stub> (void)values, (void)n, (void)sum;  // delete this line: it only quiets the compiler
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  value_t mine = 0;
  // This is a grid-stride loop. It is correct for every n and every grid, so grid and block size only affect
  // the speed. In one step a warp reads 32 neighbours: 128 bytes of ints, four whole sectors.
  for (std::size_t i = thread; i < n; i += threads) mine += values[i];
  // A thread without values has nothing to add.
  if (thread < n) atomic_add(sum, mine);
  // </solution>
}

extern "C" void v03_atomic_coalesced(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                     cudaStream_t stream) {
  // <solution> TODO: as v02, without the pieces.
  // <stub> (void)values, (void)n, (void)sum, (void)stream, (void)kThreads, (void)kBlocksPerMultiprocessor;
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  if (n == 0) return;
  int device = 0;
  int multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const unsigned blocks = kBlocksPerMultiprocessor * static_cast<unsigned>(multiprocessors);
  atomic_coalesced<<<blocks, kThreads, 0, stream>>>(values, n, sum);
  // </solution>
}
