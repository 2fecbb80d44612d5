// What changes: a fixed number of threads; each sums a contiguous piece and does one atomicAdd at the end.
// What that cures: the queue at *sum: several hundred thousand additions instead of n.
// What still hurts: the lanes of a warp read addresses far apart, so each load touches 32 sectors.
// What to expect: 11 times the speed of v01 (H200, 2^26 ints: 0.14 ms).
#include "atomic_add.h"
#include "reduction.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

// Every thread adds the sum of `piece` neighbouring values to *sum; the last threads may find fewer, or none.
__global__ void atomic_per_thread(const value_t* values, std::size_t n, std::size_t piece, value_t* sum) {
  // TODO: thread t of the grid adds up values[t * piece] to values[t * piece + piece - 1] in a
  // variable of its own, but nothing at or past n; then one atomic_add to *sum.
  // TODO: in which type must t * piece be computed, so that it cannot wrap around?
  (void)values, (void)n, (void)piece, (void)sum;  // delete this line: it only quiets the compiler
}

extern "C" void v02_atomic_per_thread(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                      cudaStream_t stream) {
  // TODO: set *sum to 0 on the stream.
  // TODO: launch as many threads as the GPU can hold at once, whatever n is: ask
  // cudaDeviceGetAttribute for cudaDevAttrMultiProcessorCount. How long is a piece, rounded up?
  (void)values, (void)n, (void)sum, (void)stream, (void)kThreads, (void)kBlocksPerMultiprocessor;
}
