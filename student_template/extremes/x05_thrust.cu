// What changes: no kernel of our own: thrust::transform_reduce over one-value extremes.
// What that cures: our own mistakes: the library handles grid, tree and partial results.
// What still hurts: it allocates memory for its partial results, and waits for the answer.
// What to expect: about x02's time. thrust::minmax_element is shorter, but does not handle NaN.
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include "extremes.h"
#include "no_value.h"

// Returns the extremes of value i alone.
struct OfOne {
  const value_t* values;
  std::size_t n;
  __host__ __device__ Extremes operator()(std::size_t i) const {
    // TODO: the value is its own least and greatest. What about NaN?
    return extremes_of_nothing(i);
  }
};

// Combines two results. Thrust calls it in any order, so for equal values compare the positions.
struct Better {
  __host__ __device__ Extremes operator()(Extremes mine, const Extremes& other) const {
    // TODO: as `take` in x02.
    (void)other;  // delete this line: it only quiets the compiler
    return mine;
  }
};

extern "C" void x05_thrust(const value_t* values, std::size_t n, Extremes* extremes, Workspace /*work*/,
                           cudaStream_t stream) {
  // TODO: call thrust::transform_reduce with the policy thrust::cuda::par.on(stream) over the positions
  // 0 to n - 1 (thrust::counting_iterator), with OfOne and Better. What is the initial value?
  // TODO: the answer is in host memory; the contract requires it in *extremes.
  (void)values, (void)n, (void)extremes, (void)stream;  // delete it, too
}
