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
  // TODO: negative ints have the highest bit set, and would be the largest unsigned numbers.
  return static_cast<unsigned>(value);
}
__device__ unsigned ordered(float value) {
  // TODO: the bits of positive floats are in order already (__float_as_uint); those of negative
  // floats are in reverse order. And -0 and +0, which are equal, have different bits.
  return __float_as_uint(value);
}
__device__ value_t value_of(unsigned number, int /*type*/) {
  // TODO: the inverse of ordered().
  return static_cast<value_t>(number);
}
__device__ value_t value_of(unsigned number, float /*type*/) {
  // TODO: the inverse of ordered().
  return static_cast<value_t>(number);
}

// best[0] becomes the smallest of (number, position), best[1] the largest of (number, ~position). No value
// sets all bits of the first or clears all bits of the second, because positions are below 2^32 - 1.
__global__ void packed_atomics(const value_t* values, std::size_t n, Packed* best) {
  // TODO: each thread keeps both numbers for its values, then does one atomicMin and one atomicMax.
  // TODO: among equal values the first counts. Why is the position inverted for the greatest?
  // TODO: skip NaN. Why?
  (void)values, (void)n, (void)best;  // delete this line: it only quiets the compiler
}

// One thread: unpacks the two numbers.
__global__ void unpack(const Packed* best, std::size_t n, Extremes* extremes) {
  // TODO: unpack value and position of both; without any value write extremes_of_nothing(n).
  (void)best, (void)n, (void)extremes;  // delete this line: it only quiets the compiler
}

extern "C" void x03_packed_atomics(const value_t* values, std::size_t n, Extremes* extremes, Workspace work,
                                   cudaStream_t stream) {
  // TODO: which initial values do the two numbers need before the first atomic? (cudaMemsetAsync sets bytes.)
  (void)values, (void)n, (void)extremes, (void)work, (void)stream, (void)kThreads;
  (void)kBlocksPerMultiprocessor;
}
