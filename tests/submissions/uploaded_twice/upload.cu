#include "reduction.h"

extern "C" value_t* upload(const value_t* host_values, std::size_t n) {
  value_t* values = nullptr;
  cudaMalloc(&values, n * sizeof(value_t));
  for (int i = 0; i < 2; ++i) {  // here
    cudaMemcpy(values, host_values, n * sizeof(value_t), cudaMemcpyHostToDevice);
  }
  return values;
}
