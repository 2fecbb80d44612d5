// What changes: no sort of ours: thrust::sort orders the packed numbers.
// What that cures: everything that we could get wrong. In a real program this is what to write first.
// What still hurts: it allocates memory, and moves 64 bits a pair where the key alone has 32.
// What to expect: more than every version before it, for large n; for small n, launches and allocations.
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include "packed.h"

extern "C" void q06_thrust(Pairs pairs, Workspace work, cudaStream_t stream) {
  // <solution> TODO: pack, thrust::sort with the policy thrust::cuda::par.on(stream), unpack.
  // <solution> TODO: thrust::sort is not stable. Why is the result?
  // <stub> (void)pairs, (void)work, (void)stream;  // delete this line: it only quiets the compiler
  if (pairs.n == 0) return;
  pack(pairs, work.data, pairs.n, stream);
  // Equal keys have different positions, so no two numbers are equal.
  thrust::sort(thrust::cuda::par.on(stream), work.data, work.data + pairs.n);
  unpack(pairs, work.data, stream);
  // </solution>
}
