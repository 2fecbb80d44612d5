// What changes: nothing yet. Threads are numbered from 0; a division turns the number into row and column.
// What that cures: nothing yet; but one bounds test is enough, and any shape works with any grid.
// What still hurts: one 64-bit division per element: dozens of instructions for one addition.
// What to expect: the right matrix, and the baseline of every speedup.
//
// This version is given complete, as the worked example. The others have the same shape: a kernel, and a
// launcher of the file's name that queues it.
#include "grids.h"

constexpr unsigned kThreads = 256;  // threads in a block: a multiple of the warp's 32, at most 1024

__global__ void one_dimension(const Matrices m) {
  // 64 bits: blockIdx.x * blockDim.x alone is 32 bits wide and wraps around for a large matrix.
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= m.rows * m.columns) return;  // the last block has more threads than there are elements left
  // i counts elements, not memory locations: padding is not counted.
  const std::size_t row = i / m.columns;
  const std::size_t column = i % m.columns;
  m.b.data[row * m.b.pitch + column] = m.a.data[row * m.a.pitch + column] + m.x[row] * m.y[column];
}

extern "C" void g01_one_dimension(Matrices matrices, cudaStream_t stream) {
  const std::size_t elements = matrices.rows * matrices.columns;
  if (elements == 0) return;                                        // an empty grid is an error in CUDA
  const std::size_t blocks = (elements + kThreads - 1) / kThreads;  // rounded up: the last ones need a block
  one_dimension<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(matrices);
}
