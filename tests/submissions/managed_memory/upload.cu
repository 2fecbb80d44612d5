#include <cstring>

#include "reduction.h"

extern "C" value_t* upload(const value_t* host_values, std::size_t n) {
  value_t* values = nullptr;
  cudaMallocManaged(&values, n * sizeof(value_t));  // here
  std::memcpy(values, host_values, n * sizeof(value_t));
  return values;
}
