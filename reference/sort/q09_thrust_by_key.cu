// What changes: no sort of our own: thrust::sort_by_key moves the values along with the packed numbers.
// What that cures: unpacking: values arrive in order, while q06 gathers each from its old position.
// What still hurts: 96 bits per pair move in every pass, though key and value are 64.
// What to expect: about q06's time: moving costs more, unpacking costs less.
//
// This version is given complete, for comparison.
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include "packed.h"

// Writes only the keys, in the order of their numbers.
__global__ void write_keys(Pairs pairs, const Packed* sorted) {
  const std::size_t i = std::size_t{blockIdx.x} * kPackThreads + threadIdx.x;
  if (i < pairs.n) pairs.sorted_keys[i] = pairs.keys[static_cast<unsigned>(sorted[i])];
}

extern "C" void q09_thrust_by_key(Pairs pairs, Workspace work, cudaStream_t stream) {
  if (pairs.n == 0) return;
  pack(pairs, work.data, pairs.n, stream);
  const auto policy = thrust::cuda::par.on(stream);
  Packed* const end = work.data + pairs.n;
  // No two numbers are equal, so even an unstable sort has only one result.
  if (pairs.values == nullptr) {
    thrust::sort(policy, work.data, end);
  } else {
    cudaMemcpyAsync(pairs.sorted_values, pairs.values, pairs.n * sizeof *pairs.values,
                    cudaMemcpyDeviceToDevice, stream);
    thrust::sort_by_key(policy, work.data, end, pairs.sorted_values);
  }
  write_keys<<<blocks_for(pairs.n, kPackThreads), kPackThreads, 0, stream>>>(pairs, work.data);
}
