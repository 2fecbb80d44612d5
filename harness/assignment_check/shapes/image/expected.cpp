// The right answer, computed on the CPU: all pointers are to host memory, and the stream is null.
#include <algorithm>

#include "assignment_name.h"

extern "C" assignment_name_fn expected;

extern "C" void expected(const unsigned char* in, std::size_t ny, std::size_t nx, unsigned char* out,
                         cudaStream_t) {
  const long columns = static_cast<long>(nx);
  const long rows = static_cast<long>(ny);
  for (long y = 0; y < rows; ++y) {
    for (long x = 0; x < columns; ++x) {
      unsigned sum = 0;
      for (long dy = -1; dy <= 1; ++dy) {
        for (long dx = -1; dx <= 1; ++dx)
          sum += in[std::clamp(y + dy, 0L, rows - 1) * columns + std::clamp(x + dx, 0L, columns - 1)];
      }
      out[y * columns + x] = static_cast<unsigned char>(sum / 9);
    }
  }
}
