#include <cstring>

#include "reduction.h"

extern "C" value_t* upload(const value_t* host_values, std::size_t n) {
  void* host = nullptr;
  void* device = nullptr;
  cudaHostAlloc(&host, n * sizeof(value_t), cudaHostAllocMapped);  // here
  std::memcpy(host, host_values, n * sizeof(value_t));
  cudaHostGetDevicePointer(&device, host, 0);
  return static_cast<value_t*>(device);
}
