#include "grids.h"

__global__ void compute(const Matrices m) {
  const std::size_t column = std::size_t{blockIdx.x} * 16 + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.y} * 16;
  for (std::size_t row = std::size_t{blockIdx.y} * 16 + threadIdx.y; row < m.rows; row += stride) {
    m.b.data[row * m.b.pitch + column] =
        m.a.data[row * m.a.pitch + column] +  // here
        m.x[row] * m.y[column];
  }
}

extern "C" void g02_square_blocks(Matrices m, cudaStream_t stream) {
  if (m.rows == 0 || m.columns == 0) return;
  const auto across = static_cast<unsigned>((m.columns + 15) / 16);
  auto down = static_cast<unsigned>((m.rows + 15) / 16);
  if (down > 65535) down = 65535;
  compute<<<dim3(across, down), dim3(16, 16), 0, stream>>>(m);
}
