// What changes: a value and its position become one 64-bit number, and an atomic keeps the best of all.
// What that cures: the tree, its barriers and the second step: one comparison decides value and position.
// What still hurts: every thread does one atomic per extreme, and all of them go to two addresses.
// What to expect: x02's time if each thread reads many values; if it reads few, the atomics dominate.
#include "extremes.h"
#include "no_value.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048
using Packed = unsigned long long;

// Maps a value to a 32-bit number; the numbers have the same order as the values.
__device__ unsigned ordered(int value) {
  // <solution> TODO: negative ints have the highest bit set, and would be the largest unsigned numbers.
  // <stub> return static_cast<unsigned>(value);
  return static_cast<unsigned>(value) ^ 0x80000000U;
  // </solution>
}
__device__ unsigned ordered(float value) {
  // <solution> TODO: the bits of positive floats are in order already (__float_as_uint); those of negative
  // <solution> floats are in reverse order. And -0 and +0, which are equal, have different bits.
  // <stub> return __float_as_uint(value);
  const unsigned bits = __float_as_uint(value + 0.0F);  // -0 + 0 is +0; no other value changes
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
  // </solution>
}
__device__ value_t value_of(unsigned number, int /*type*/) {
  // <solution> TODO: the inverse of ordered().
  // <stub> return static_cast<value_t>(number);
  return static_cast<value_t>(static_cast<int>(number ^ 0x80000000U));
  // </solution>
}
__device__ value_t value_of(unsigned number, float /*type*/) {
  // <solution> TODO: the inverse of ordered().
  // <stub> return static_cast<value_t>(number);
  return static_cast<value_t>(__uint_as_float((number & 0x80000000U) != 0 ? number & 0x7fffffffU : ~number));
  // </solution>
}

// best[0] becomes the smallest of (number, position), best[1] the largest of (number, ~position). No value
// sets all bits of the first or clears all bits of the second, because positions are below 2^32 - 1.
__global__ void packed_atomics(const value_t* values, std::size_t n, Packed* best) {
  // <solution> TODO: each thread keeps both numbers for its values, then does one atomicMin and one atomicMax.
  // <solution> TODO: among equal values the first counts. Why is the position inverted for the greatest?
  // <solution> TODO: skip NaN. Why?
  // <stub> (void)values, (void)n, (void)best;  // delete this line: it only quiets the compiler
  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
  Packed least = ~Packed{0};
  Packed greatest = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += stride) {
    const value_t value = values[i];
    if (!is_number(value)) continue;  // its bits have a place in the order, NaN itself has none
    const Packed number = Packed{ordered(value)} << 32;
    const auto position = static_cast<unsigned>(i);
    if ((number | position) < least) least = number | position;
    // Inverted, the lowest position is the largest number, which atomicMax keeps.
    if ((number | ~position) > greatest) greatest = number | ~position;
  }
  atomicMin(&best[0], least);
  atomicMax(&best[1], greatest);
  // </solution>
}

// One thread: unpacks the two numbers.
__global__ void unpack(const Packed* best, std::size_t n, Extremes* extremes) {
  // <solution> TODO: unpack value and position of both; without any value write extremes_of_nothing(n).
  // <stub> (void)best, (void)n, (void)extremes;  // delete this line: it only quiets the compiler
  Extremes found = extremes_of_nothing(n);
  if (best[1] != 0) {
    found.least = value_of(static_cast<unsigned>(best[0] >> 32), value_t{});
    found.least_at = best[0] & 0xffffffffU;
    found.greatest = value_of(static_cast<unsigned>(best[1] >> 32), value_t{});
    found.greatest_at = ~best[1] & 0xffffffffU;
  }
  *extremes = found;
  // </solution>
}

extern "C" void x03_packed_atomics(const value_t* values, std::size_t n, Extremes* extremes, Workspace work,
                                   cudaStream_t stream) {
  // <solution> TODO: which initial values do the two numbers need before the first atomic? (cudaMemsetAsync sets bytes.)
  // <stub> (void)values, (void)n, (void)extremes, (void)work, (void)stream, (void)kThreads;
  // <stub> (void)kBlocksPerMultiprocessor;
  auto* best = reinterpret_cast<Packed*>(work.data);
  cudaMemsetAsync(&best[0], 0xff, sizeof(Packed), stream);
  cudaMemsetAsync(&best[1], 0, sizeof(Packed), stream);
  int device = 0;
  int multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  std::size_t blocks = (n + kThreads - 1) / kThreads;
  const std::size_t most = std::size_t{kBlocksPerMultiprocessor} * static_cast<unsigned>(multiprocessors);
  if (blocks > most) blocks = most;
  if (n > 0) packed_atomics<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, best);
  unpack<<<1, 1, 0, stream>>>(best, n, extremes);
  // </solution>
}
