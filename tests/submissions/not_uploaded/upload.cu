#include "reduction.h"

extern "C" value_t* upload(const value_t* /*host_values*/, std::size_t n) {
  value_t* values = nullptr;
  cudaMalloc(&values, n * sizeof(value_t));
  cudaMemset(values, 0, n * sizeof(value_t));  // here: zeros, not the data
  return values;
}
