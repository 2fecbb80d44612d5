// The right answer, computed on the CPU: all pointers are to host memory, and the stream is null.
#include "assignment_name.h"

extern "C" assignment_name_fn expected;

extern "C" void expected(const float* x, std::size_t n, float factor, float* y, cudaStream_t) {
  for (std::size_t i = 0; i < n; ++i) y[i] = factor * x[i] + 1;
}
