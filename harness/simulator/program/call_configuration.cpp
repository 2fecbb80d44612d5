// Passes the launch configuration from a k<<<...>>>() expression to the kernel's host stub.
#include <vector>

#include <cuda_runtime_api.h>

namespace {

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

// Pending launch configurations (grid, block, ...) of k<<<...>>>(), as a stack per host thread, because
// launches nest: an argument of the launch expression may launch another kernel.
thread_local std::vector<CallConfiguration> call_configurations;

}  // namespace

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, CUstream_st* stream) {
  call_configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (call_configurations.empty()) return cudaErrorInvalidConfiguration;
  const CallConfiguration last = call_configurations.back();
  call_configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared_bytes = last.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}
