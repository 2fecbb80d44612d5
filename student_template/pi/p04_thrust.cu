// What changes: no kernel of our own: thrust::transform_reduce with the function of a rectangle's area.
// What that cures: our own mistakes, and most of the code.
// What still hurts: it allocates memory for partial sums, waits for the answer, and returns it to the CPU.
// What to expect: about p02's time for many rectangles; for few, the wait takes longer than the work.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include "pi.h"

// Returns the area of rectangle i.
struct Rectangle {
  const value_t* limits;
  std::size_t n;
  // For host and device: the policy decides where Thrust calls it.
  __host__ __device__ value_t operator()(std::size_t i) const {
    // TODO: return the area of rectangle i. (limits may be read here: this code runs on the GPU.)
    return static_cast<value_t>(i);
  }
};

extern "C" void p04_thrust(const value_t* limits, std::size_t n, value_t* area, Workspace /*work*/,
                           cudaStream_t stream) {
  // TODO: call thrust::transform_reduce with the policy thrust::cuda::par.on(stream) over the numbers
  // 0 to n - 1, which a thrust::counting_iterator yields without any memory.
  // TODO: the answer is in host memory; the contract requires it in *area. Copy it, on the stream.
  (void)limits, (void)n, (void)area, (void)stream;  // delete this line: it only quiets the compiler
}
