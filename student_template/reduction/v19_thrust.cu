// What changes: no kernel of our own: thrust::reduce chooses kernels and grid for the GPU.
// What that cures: our own mistakes. In a real program start with this.
// What still hurts: it allocates memory for partial sums, waits for the answer, and returns it to the CPU.
// What to expect: 1.1 times the speed of v16 (H200, 2^26 ints: 0.10 ms); on small inputs, slower.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>

#include "reduction.h"

extern "C" void v19_thrust(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                           cudaStream_t stream) {
  // TODO: call thrust::reduce with the policy thrust::cuda::par.on(stream) on values[0..n).
  // TODO: which type must the initial value have? Why is a plain 0 wrong for double?
  // TODO: the answer is in host memory; the contract requires it in *sum. Copy it, on the stream.
  (void)values, (void)n, (void)sum, (void)stream;  // delete this line: it only quiets the compiler
}
