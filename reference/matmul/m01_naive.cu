// What changes: nothing yet. Each thread computes one element of C; x is its row, y its column.
// What that cures: nothing yet; but all elements of C are computed at the same time, and no thread waits.
// What still hurts: the lanes of a warp read from 16 rows of A at each step, and write to 16 rows of C.
// What to expect: the right product, and the baseline of every speedup.
//
// This version is given complete, as the worked example. The others have the same shape: a kernel, and a
// launcher of the file's name that queues it.
#include "matmul.h"

constexpr unsigned kSide = 16;              // a block computes 16 x 16 elements of C
constexpr std::size_t kMostBlocks = 65535;  // limit of gridDim.y; that of gridDim.x is 2^31 - 1

__global__ void naive(const Product p) {
  // 64 bits: blockIdx.x * blockDim.x alone is 32 bits wide and wraps around for a large matrix.
  const std::size_t row = std::size_t{blockIdx.x} * kSide + threadIdx.x;
  if (row >= p.rows) return;
  const std::size_t stride = std::size_t{gridDim.y} * kSide;
  for (std::size_t column = std::size_t{blockIdx.y} * kSide + threadIdx.y; column < p.columns;
       column += stride) {
    float sum = 0;
    for (std::size_t k = 0; k < p.inner; ++k) sum += p.a[row * p.inner + k] * p.b[k * p.columns + column];
    p.c[row * p.columns + column] = sum;
  }
}

extern "C" void m01_naive(Product product, cudaStream_t stream) {
  if (product.rows == 0 || product.columns == 0) return;  // an empty grid is an error in CUDA
  const std::size_t across = (product.rows + kSide - 1) / kSide;
  std::size_t down = (product.columns + kSide - 1) / kSide;
  if (down > kMostBlocks) down = kMostBlocks;  // the kernel's loop covers the remaining columns
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down));
  naive<<<grid, dim3(kSide, kSide), 0, stream>>>(product);
}
