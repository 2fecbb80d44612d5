// The right answer, computed on the CPU: all pointers are to host memory, and the stream is null.
#include "assignment_name.h"

extern "C" assignment_name_fn expected;

extern "C" void expected(const float* in, std::size_t rows, std::size_t columns, float* out, cudaStream_t) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column)
      out[column * rows + row] = in[row * columns + column];
  }
}
