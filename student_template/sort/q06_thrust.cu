// What changes: no sort of our own: thrust::sort orders the packed numbers.
// What that cures: our own mistakes. In a real program start with this.
// What still hurts: it allocates memory, and moves 64 bits per pair, though the key has only 32.
// What to expect: the fastest so far for large n; for small n, launches and allocations dominate.
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include "packed.h"

extern "C" void q06_thrust(Pairs pairs, Workspace work, cudaStream_t stream) {
  // TODO: pack, call thrust::sort with the policy thrust::cuda::par.on(stream), unpack.
  // TODO: thrust::sort is not stable. Why is the result?
  (void)pairs, (void)work, (void)stream;  // delete this line: it only quiets the compiler
}
