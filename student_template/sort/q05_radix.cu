// What changes: no comparison: numbers are sorted by 4 bits at a time, the lowest bits first.
// What that cures: the doublings: 8 passes sort any number of 32-bit keys.
// What still hurts: each pass counts, scans and moves: it reads the numbers twice, and scatters the writes.
// What to expect: the fastest of these versions for large n; the libraries move fewer bytes.
#include "packed.h"

constexpr unsigned kThreads = 256;  // threads and numbers per block
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
  // TODO: count in 16 counters in shared memory. What must happen before and after the atomics?
  (void)from, (void)n, (void)shift, (void)counts;  // delete this line: it only quiets the compiler
}

// One block: replaces each count by the sum of all before it (exclusive scan).
__global__ void scan(unsigned* counts, std::size_t length) {
  // TODO: each thread sums its own piece; the pieces' sums are scanned in shared memory;
  // then each thread goes through its piece again.
  (void)counts, (void)length, (void)kScanThreads;  // delete this line: it only quiets the compiler
}

// Moves each number behind all smaller digits, and behind earlier numbers with the same digit.
__global__ void scatter(const Packed* from, Packed* to, std::size_t n, unsigned shift,
                        const unsigned* starts) {
  // TODO: how many earlier numbers of the block have the same digit? Within the warp, ballots
  // tell which lanes have the same digit; between warps, use counts in shared memory.
  (void)from, (void)to, (void)n, (void)shift, (void)starts, (void)kWarps, (void)kAll;
}

extern "C" void q05_radix(Pairs pairs, Workspace work, cudaStream_t stream) {
  // TODO: do 8 passes over the key's bits, which are bits 32 to 63. Why must each of them be stable?
  (void)pairs, (void)work, (void)stream, (void)kThreads, (void)kWarpSize;  // delete this line, too
}
