// What changes: no kernel of ours. thrust::reduce chooses kernels and grid for the GPU at hand.
// What that cures: everything that we could get wrong. In a real program this is what to write first.
// What still hurts: it allocates memory for its partial sums, waits for the answer, and hands it to the CPU.
// What to expect: 1.1 times the speed of v16 (H200, 2^26 ints: 0.10 ms); on small inputs, slower.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>

#include "reduction.h"

extern "C" void v19_thrust(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                           cudaStream_t stream) {
  // TODO: call thrust::reduce with the policy thrust::cuda::par.on(stream) on values[0..n).
  // TODO: of which type must the initial value be? Why does a plain 0 go wrong for double?
  // TODO: the answer is in host memory; the contract wants it in *sum. Copy it, on the stream.
  (void)values, (void)n, (void)sum, (void)stream;  // delete this line: it only quiets the compiler
}
