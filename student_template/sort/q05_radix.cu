// What changes: no comparison: numbers are moved to their place by 4 bits at a time, the lowest ones first.
// What that cures: the doublings: 8 passes sort keys of 32 bits, however many there are.
// What still hurts: a pass counts, scans and moves: the numbers are read twice, and written all over memory.
// What to expect: the best of these versions for large n; the libraries do the same with fewer bytes.
#include "packed.h"

constexpr unsigned kThreads = 256;  // and so many numbers a block
constexpr unsigned kWarpSize = 32;
constexpr unsigned kWarps = kThreads / kWarpSize;
constexpr unsigned kDigits = 16;
constexpr unsigned kScanThreads = 1024;
constexpr unsigned kAll = 0xffffffffU;

__device__ unsigned digit_of(Packed number, unsigned shift) {
  return static_cast<unsigned>(number >> shift) % kDigits;
}

// counts[digit * gridDim.x + block]: how many numbers of the block have the digit.
__global__ void count(const Packed* from, std::size_t n, unsigned shift, unsigned* counts) {
  // TODO: 16 counters in shared memory. What has to happen before and after the atomics?
  (void)from, (void)n, (void)shift, (void)counts;  // delete this line: it only quiets the compiler
}

// One block: replaces each count by the sum of all before it.
__global__ void scan(unsigned* counts, std::size_t length) {
  // TODO: each thread adds up a piece of its own; the pieces' sums are scanned in shared memory;
  // then each thread goes through its piece again.
  (void)counts, (void)length, (void)kScanThreads;  // delete this line: it only quiets the compiler
}

// Moves each number behind all smaller digits, and behind those of its digit that come before it.
__global__ void scatter(const Packed* from, Packed* to, std::size_t n, unsigned shift,
                        const unsigned* starts) {
  // TODO: how many numbers of the block have the same digit and come before? In the warp ballots
  // tell who has the same digit; between warps counts in shared memory.
  (void)from, (void)to, (void)n, (void)shift, (void)starts, (void)kWarps, (void)kAll;
}

extern "C" void q05_radix(Pairs pairs, Workspace work, cudaStream_t stream) {
  // TODO: 8 passes over the key's bits, which are bits 32 to 63. Why must each of them be stable?
  (void)pairs, (void)work, (void)stream, (void)kThreads, (void)kWarpSize;  // delete this line, too
}
