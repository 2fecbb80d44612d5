// What changes: no kernel of ours. thrust::transform_reduce gets one value's extremes, and the better of two.
// What that cures: what could go wrong: grid, tree and partial results are the library's.
// What still hurts: it allocates memory for its partial results, and waits for the answer.
// What to expect: about x02's time. thrust::minmax_element is shorter, but knows nothing of NaN.
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include "extremes.h"
#include "no_value.h"

// The extremes of value i alone.
struct OfOne {
  const value_t* values;
  std::size_t n;
  __host__ __device__ Extremes operator()(std::size_t i) const {
    // TODO: the value is its own least and greatest. And a NaN?
    return extremes_of_nothing(i);
  }
};

// The better of two in each member. Thrust calls it in any order, so equal values need their positions.
struct Better {
  __host__ __device__ Extremes operator()(Extremes mine, const Extremes& other) const {
    // TODO: as `take` in x02.
    (void)other;  // delete this line: it only quiets the compiler
    return mine;
  }
};

extern "C" void x05_thrust(const value_t* values, std::size_t n, Extremes* extremes, Workspace /*work*/,
                           cudaStream_t stream) {
  // TODO: thrust::transform_reduce with the policy thrust::cuda::par.on(stream) over the positions
  // 0 to n - 1 (thrust::counting_iterator), with OfOne and Better. What is the initial value?
  // TODO: the answer is in host memory; the contract wants it in *extremes.
  (void)values, (void)n, (void)extremes, (void)stream;  // delete it, too
}
