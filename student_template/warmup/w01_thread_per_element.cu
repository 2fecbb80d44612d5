// What changes: a loop over n becomes n threads; each adds p to one value.
// What that cures: one value after the other: the GPU works on a hundred thousand values at a time.
// What still hurts: a thread handles only one value, so starting it costs as much as its work.
// What to expect: memory bandwidth: each value is read and written once (H200, 2^26 ints: 0.20 ms).
#include "warmup.h"

constexpr unsigned kThreads = 256;  // threads in a block: a multiple of the warp's 32, at most 1024

__global__ void thread_per_element(value_t* values, std::size_t n, value_t p) {
  // TODO: compute this thread's index i in the grid (blockIdx, blockDim, threadIdx),
  // and add p to values[i].
  // TODO: the last block has more threads than there are values left. What must they not do?
  (void)values, (void)n, (void)p;  // delete this line: it only quiets the compiler
}

extern "C" void w01_thread_per_element(value_t* values, std::size_t n, value_t p, cudaStream_t stream) {
  // TODO: launch enough blocks of kThreads threads for n values, on the stream. What about n = 0?
  (void)values, (void)n, (void)p, (void)stream, (void)kThreads;  // delete this line, too
}
