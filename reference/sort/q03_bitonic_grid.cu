// What changes: one bitonic network over all pairs, one kernel per step; no merge, no second array.
// What that cures: searching: only the indices decide which two numbers are compared.
// What still hurts: log n (log n + 1) / 2 steps, each a launch that reads and writes everything; padding.
// What to expect: slower than q02 for large n: a million pairs take 210 steps. Use it within a block.
#include "packed.h"

constexpr unsigned kThreads = 256;

// One step: sorts pairs of numbers that are `distance` apart, one thread per pair.
__global__ void step(Packed* packed, std::size_t threads, std::size_t size, std::size_t distance) {
  // <solution> TODO: as one step in q02, in device memory. Why is no barrier needed?
  // <stub> (void)packed, (void)threads, (void)size, (void)distance;  // delete this line, too
  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (thread >= threads) return;
  const std::size_t low = 2 * thread - thread % distance;
  const std::size_t high = low + distance;
  const bool rising = (low & size) == 0;
  const Packed one = packed[low];
  const Packed other = packed[high];
  if ((one > other) != rising) return;
  packed[low] = other;
  packed[high] = one;
  // </solution>
}

extern "C" void q03_bitonic_grid(Pairs pairs, Workspace work, cudaStream_t stream) {
  // <solution> TODO: the network needs a power of two. How large is the workspace, and what fills the rest?
  // <solution> TODO: do one launch per step: kernels on one stream run in order.
  // <stub> (void)pairs, (void)work, (void)stream, (void)kThreads;  // delete this line, too
  if (pairs.n == 0) return;
  std::size_t room = 1;
  while (room < pairs.n) room *= 2;  // less than 2 n
  pack(pairs, work.data, room, stream);
  for (std::size_t size = 2; size <= room; size *= 2) {
    for (std::size_t distance = size / 2; distance > 0; distance /= 2) {
      step<<<blocks_for(room / 2, kThreads), kThreads, 0, stream>>>(work.data, room / 2, size, distance);
    }
  }
  unpack(pairs, work.data, stream);
  // </solution>
}
