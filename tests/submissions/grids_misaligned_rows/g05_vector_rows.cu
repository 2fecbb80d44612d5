#include "grids.h"

// Four columns a thread, whatever the alignment.
__global__ void compute(const Matrices m) {
  const std::size_t column = (std::size_t{blockIdx.x} * 32 + threadIdx.x) * 4;
  for (std::size_t row = blockIdx.y; row < m.rows; row += gridDim.y) {
    const value_t* from = m.a.data + row * m.a.pitch + column;
    value_t* to = m.b.data + row * m.b.pitch + column;
    if (column + 4 <= m.columns) {
      int4 bits = *reinterpret_cast<const int4*>(from);  // here
      auto* values = reinterpret_cast<value_t*>(&bits);
      for (unsigned k = 0; k < 4; ++k) to[k] = values[k] + m.x[row] * m.y[column + k];
    } else {
      for (unsigned k = 0; column + k < m.columns; ++k) to[k] = from[k] + m.x[row] * m.y[column + k];
    }
  }
}

extern "C" void g05_vector_rows(Matrices m, cudaStream_t stream) {
  if (m.rows == 0 || m.columns == 0) return;
  const auto across = static_cast<unsigned>((m.columns + 127) / 128);
  const auto down = static_cast<unsigned>(m.rows > 65535 ? 65535 : m.rows);
  compute<<<dim3(across, down), 32, 0, stream>>>(m);
}
