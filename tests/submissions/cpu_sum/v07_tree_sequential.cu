#include <type_traits>
#include <vector>

#include "reduction.h"

using Whole = std::conditional_t<std::is_same_v<value_t, int>, long long, double>;

extern "C" void v07_tree_sequential(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                    cudaStream_t stream) {
  std::vector<value_t> host(n);
  cudaMemcpyAsync(host.data(), values, n * sizeof(value_t), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  double exact = 0;  // here
  for (const value_t value : host) exact += static_cast<double>(value);
  const auto answer = static_cast<value_t>(static_cast<Whole>(exact));
  cudaMemcpyAsync(sum, &answer, sizeof(value_t), cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
}
