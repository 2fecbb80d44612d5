// What changes: a value and its position become one 64-bit number, and an atomic keeps the best of all.
// What that cures: the tree, its barriers and the second step: one comparison decides value and position.
// What still hurts: every thread has an atomic for each extreme, and all of them go to two addresses.
// What to expect: x02's time where each thread looks at many values; the atomics' queue where at few.
#include "extremes.h"
#include "no_value.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048
using Packed = unsigned long long;

// Numbers of 32 bits that are ordered as the values are.
__device__ unsigned ordered(int value) {
  // TODO: negative ints have the highest bit set, and would be the largest unsigned numbers.
  return static_cast<unsigned>(value);
}
__device__ unsigned ordered(float value) {
  // TODO: the bits of positive floats are ordered already (__float_as_uint); those of negative
  // ones the other way round. And -0 and +0, which are equal, have different bits.
  return __float_as_uint(value);
}
__device__ value_t value_of(unsigned number, int /*type*/) {
  // TODO: the way back.
  return static_cast<value_t>(number);
}
__device__ value_t value_of(unsigned number, float /*type*/) {
  // TODO: the way back.
  return static_cast<value_t>(number);
}

// best[0] becomes the smallest of (number, position), best[1] the largest of (number, ~position). No value
// makes all bits 1 of the one or all bits 0 of the other, because positions are below 2^32 - 1.
__global__ void packed_atomics(const value_t* values, std::size_t n, Packed* best) {
  // TODO: each thread keeps both numbers for its values, then one atomicMin and one atomicMax.
  // TODO: of equal values the first counts. Why is its position turned round for the greatest?
  // TODO: what must a NaN not become?
  (void)values, (void)n, (void)best;  // delete this line: it only quiets the compiler
}

// One thread: takes the two numbers apart.
__global__ void unpack(const Packed* best, std::size_t n, Extremes* extremes) {
  // TODO: value and position of both, or extremes_of_nothing(n).
  (void)best, (void)n, (void)extremes;  // delete this line: it only quiets the compiler
}

extern "C" void x03_packed_atomics(const value_t* values, std::size_t n, Extremes* extremes, Workspace work,
                                   cudaStream_t stream) {
  // TODO: what must stand in the two numbers before the first atomic? (cudaMemsetAsync sets bytes.)
  (void)values, (void)n, (void)extremes, (void)work, (void)stream, (void)kThreads;
  (void)kBlocksPerMultiprocessor;
}
