// What changes: a thread loads 16 bytes at a time, and starts four loads before it uses the first.
// What that cures: v16's wait: 4 bytes in flight per thread cannot saturate the memory, 64 can.
// What still hurts: the code: wide loads need aligned addresses, so both ends of the array are special cases.
// What to expect: 1.7 times the speed of v16 (H200, 2^26 ints: 0.067 ms); memory is now the limit.
#include <cstdint>

#include "atomic_add.h"
#include "reduction.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kWarpSize = 32;
constexpr unsigned kWarps = kThreads / kWarpSize;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048
constexpr unsigned kValuesPerPack = 16 / sizeof(value_t);

// The widest load of a thread: 4 ints or floats, 2 long longs or doubles. Its address must be a
// multiple of 16; because of alignas the compiler uses one 16-byte load.
struct alignas(16) Pack {
  value_t values[kValuesPerPack];
};

__device__ value_t sum_of(const Pack& pack) {
  value_t sum = pack.values[0];
  for (unsigned k = 1; k < kValuesPerPack; ++k) sum += pack.values[k];
  return sum;
}

// Adds the sum of this block's values to *sum.
__global__ void vector_loads(const value_t* values, std::size_t n, value_t* sum) {
  // TODO: `values` may start anywhere. How many values are before the next multiple of 16 bytes, how
  // many whole packs follow, and how many values are left after those? (And if n is 1?)
  // TODO: grid-stride over the packs, four loads per step; then the remaining packs one by one.
  // TODO: add the few values before and after the packs, then warp and block sums as in v16.
  (void)values, (void)n, (void)sum, (void)kWarps;  // delete this line: it only quiets the compiler
}

extern "C" void v17_vector_loads(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                 cudaStream_t stream) {
  // TODO: as in v16; a thread now reads kValuesPerPack values per load.
  (void)values, (void)n, (void)sum, (void)stream, (void)kBlocksPerMultiprocessor;
}
