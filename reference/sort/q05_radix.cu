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
  // <solution> TODO: count in 16 counters in shared memory. What must happen before and after the atomics?
  // <stub> (void)from, (void)n, (void)shift, (void)counts;  // delete this line: it only quiets the compiler
  __shared__ unsigned of_digit[kDigits];
  if (threadIdx.x < kDigits) of_digit[threadIdx.x] = 0;
  __syncthreads();
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) atomicAdd(&of_digit[digit_of(from[i], shift)], 1U);
  __syncthreads();
  if (threadIdx.x < kDigits)
    counts[std::size_t{threadIdx.x} * gridDim.x + blockIdx.x] = of_digit[threadIdx.x];
  // </solution>
}

// One block: replaces each count by the sum of all before it (exclusive scan).
__global__ void scan(unsigned* counts, std::size_t length) {
  // <solution> TODO: each thread sums its own piece; the pieces' sums are scanned in shared memory;
  // <solution> then each thread goes through its piece again.
  // <stub> (void)counts, (void)length, (void)kScanThreads;  // delete this line: it only quiets the compiler
  __shared__ unsigned sums[kScanThreads];
  const unsigned tid = threadIdx.x;
  const std::size_t piece = (length + kScanThreads - 1) / kScanThreads;
  const std::size_t begin = tid * piece < length ? tid * piece : length;
  const std::size_t end = begin + piece < length ? begin + piece : length;
  unsigned mine = 0;
  for (std::size_t k = begin; k < end; ++k) mine += counts[k];
  sums[tid] = mine;
  for (unsigned distance = 1; distance < kScanThreads; distance *= 2) {
    __syncthreads();
    const unsigned before = tid >= distance ? sums[tid - distance] : 0;
    __syncthreads();  // all have read before any thread writes
    sums[tid] += before;
  }
  unsigned sum = sums[tid] - mine;  // sum of the threads before this one
  for (std::size_t k = begin; k < end; ++k) {
    const unsigned own = counts[k];
    counts[k] = sum;
    sum += own;
  }
  // </solution>
}

// Moves each number behind all smaller digits, and behind earlier numbers with the same digit.
__global__ void scatter(const Packed* from, Packed* to, std::size_t n, unsigned shift,
                        const unsigned* starts) {
  // <solution> TODO: how many earlier numbers of the block have the same digit? Within the warp, ballots
  // <solution> tell which lanes have the same digit; between warps, use counts in shared memory.
  // <stub> (void)from, (void)to, (void)n, (void)shift, (void)starts, (void)kWarps, (void)kAll;
  __shared__ unsigned of_warp[kWarps][kDigits];
  const unsigned lane = threadIdx.x % kWarpSize;
  const unsigned warp = threadIdx.x / kWarpSize;
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const Packed number = i < n ? from[i] : kBehindAll;
  const unsigned digit = digit_of(number, shift);
  if (lane < kDigits) of_warp[warp][lane] = 0;
  __syncwarp();
  unsigned same = __ballot_sync(kAll, i < n);  // lanes past the end are not counted
  for (unsigned bit = 1; bit < kDigits; bit *= 2) {
    const unsigned with = __ballot_sync(kAll, (digit & bit) != 0);
    same &= (digit & bit) != 0 ? with : ~with;
  }
  const unsigned before = __popc(same & ((1U << lane) - 1));
  if (i < n && before == 0) of_warp[warp][digit] = __popc(same);  // the first lane of each digit
  __syncthreads();
  if (i >= n) return;
  std::size_t place = starts[std::size_t{digit} * gridDim.x + blockIdx.x] + before;
  for (unsigned w = 0; w < warp; ++w) place += of_warp[w][digit];
  to[place] = number;
  // </solution>
}

extern "C" void q05_radix(Pairs pairs, Workspace work, cudaStream_t stream) {
  // <solution> TODO: do 8 passes over the key's bits, which are bits 32 to 63. Why must each of them be stable?
  // <stub> (void)pairs, (void)work, (void)stream, (void)kThreads, (void)kWarpSize;  // delete this line, too
  if (pairs.n == 0) return;
  Packed* from = work.data;
  Packed* to = work.data + pairs.n;
  auto* counts = reinterpret_cast<unsigned*>(work.data + 2 * pairs.n);  // n / 16 + 16 at most
  pack(pairs, from, pairs.n, stream);
  const unsigned blocks = blocks_for(pairs.n, kThreads);
  for (unsigned shift = 32; shift < 64; shift += 4) {
    count<<<blocks, kThreads, 0, stream>>>(from, pairs.n, shift, counts);
    scan<<<1, kScanThreads, 0, stream>>>(counts, std::size_t{kDigits} * blocks);
    scatter<<<blocks, kThreads, 0, stream>>>(from, to, pairs.n, shift, counts);
    Packed* const moved = to;
    to = from;
    from = moved;
  }
  unpack(pairs, from, stream);
  // </solution>
}
