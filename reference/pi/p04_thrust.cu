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
    // <solution> TODO: return the area of rectangle i. (limits may be read here: this code runs on the GPU.)
    // <stub> return static_cast<value_t>(i);
    const value_t begin = limits[0];
    const value_t h = (limits[1] - begin) / static_cast<value_t>(n);
    const value_t x = begin + (static_cast<value_t>(i) + value_t{0.5}) * h;
    return h * (value_t{4} / (value_t{1} + x * x));
    // </solution>
  }
};

extern "C" void p04_thrust(const value_t* limits, std::size_t n, value_t* area, Workspace /*work*/,
                           cudaStream_t stream) {
  // <solution> TODO: call thrust::transform_reduce with the policy thrust::cuda::par.on(stream) over the numbers
  // <solution> 0 to n - 1, which a thrust::counting_iterator yields without any memory.
  // <solution> TODO: the answer is in host memory; the contract requires it in *area. Copy it, on the stream.
  // <stub> (void)limits, (void)n, (void)area, (void)stream;  // delete this line: it only quiets the compiler
  const thrust::counting_iterator<std::size_t> numbers(0);
  const value_t total = thrust::transform_reduce(thrust::cuda::par.on(stream), numbers, numbers + n,
                                                 Rectangle{limits, n}, value_t{0}, thrust::plus<value_t>());
  // The source variable goes out of scope when we return. That is allowed: CUDA copies pageable host memory
  // to a staging buffer before cudaMemcpyAsync returns.
  cudaMemcpyAsync(area, &total, sizeof(value_t), cudaMemcpyHostToDevice, stream);
  // </solution>
}
