// What changes: no sort of our own: thrust::sort orders the packed numbers.
// What that cures: our own mistakes. In a real program start with this.
// What still hurts: it allocates memory, and moves 64 bits per pair, though the key has only 32.
// What to expect: the fastest so far for large n; for small n, launches and allocations dominate.
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include "packed.h"

extern "C" void q06_thrust(Pairs pairs, Workspace work, cudaStream_t stream) {
  // <solution> TODO: pack, call thrust::sort with the policy thrust::cuda::par.on(stream), unpack.
  // <solution> TODO: thrust::sort is not stable. Why is the result?
  // <stub> (void)pairs, (void)work, (void)stream;  // delete this line: it only quiets the compiler
  if (pairs.n == 0) return;
  pack(pairs, work.data, pairs.n, stream);
  // Equal keys have different positions, so no two numbers are equal.
  thrust::sort(thrust::cuda::par.on(stream), work.data, work.data + pairs.n);
  unpack(pairs, work.data, stream);
  // </solution>
}
