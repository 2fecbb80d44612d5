// What changes: nothing yet. Every thread sums one segment, from its first value to its last.
// What that cures: nothing yet; but no thread waits for another, and an empty segment is no special case.
// What still hurts: neighbouring lanes read far apart; and one thread works alone on the longest segment.
// What to expect: the right sums, slowly: the baseline of every speedup; very slow with one huge segment.
//
// This version is given complete, as the worked example. The others have the same shape: kernels, and a
// launcher of the file's name that queues them.
#include "segmented.h"

constexpr unsigned kThreads = 256;  // threads in a block: a multiple of the warp's 32, at most 1024

__global__ void thread_per_segment(const Segments input, value_t* sums) {
  // 64 bits: blockIdx.x * blockDim.x alone is 32 bits wide and wraps around for many segments.
  const std::size_t s = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (s >= input.segments) return;  // the last block has more threads than there are segments left
  value_t sum = 0;                  // the sum of an empty segment, too
  for (unsigned i = input.offsets[s]; i < input.offsets[s + 1]; ++i) sum += input.values[i];
  sums[s] = sum;
}

extern "C" void s01_thread_per_segment(Segments input, value_t* sums, Workspace /*work*/,
                                       cudaStream_t stream) {
  if (input.segments == 0) return;  // an empty grid is an error in CUDA
  const std::size_t blocks = (input.segments + kThreads - 1) / kThreads;
  thread_per_segment<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(input, sums);
}
