// What changes: 128 x 128 elements per block, 8 x 8 per thread, and all loads take 16 bytes.
// What that cures: the wait for shared memory: four loads of 16 bytes serve 64 products.
// What still hurts: while a tile is loaded no thread computes; 16-byte loads need rows of 4 k elements.
// What to expect: faster than m04 for large matrices; small ones have too few tiles to fill the GPU.
#include <cstdint>

#include "matmul.h"

constexpr unsigned kTile = 128;
constexpr unsigned kDepth = 8;
constexpr unsigned kSide = 16;  // threads in each direction; each computes 2 x 2 squares of 4 x 4 elements
constexpr unsigned kThreads = kSide * kSide;
constexpr unsigned kHalf = kTile / 2;       // distance between the squares of one thread
constexpr unsigned kPadded = kTile + 4;     // row length of a: each row starts in other banks
constexpr std::size_t kMostBlocks = 65535;  // limit of gridDim.y

// Loads elements (row, column) to (row, column + 3), with 0 for elements outside the matrix.
__device__ float4 load(const float* matrix, std::size_t rows, std::size_t columns, std::size_t row,
                       std::size_t column, bool aligned) {
  // <solution> TODO: one 16-byte load if all four exist and the address is aligned; otherwise load one by one.
  // <stub> (void)matrix, (void)rows, (void)columns, (void)row, (void)column, (void)aligned;
  // <stub> return float4{0, 0, 0, 0};
  const float* from = matrix + row * columns + column;
  if (row < rows && column + 3 < columns && aligned) return *reinterpret_cast<const float4*>(from);
  float4 four{0, 0, 0, 0};
  if (row < rows && column < columns) four.x = from[0];
  if (row < rows && column + 1 < columns) four.y = from[1];
  if (row < rows && column + 2 < columns) four.z = from[2];
  if (row < rows && column + 3 < columns) four.w = from[3];
  return four;
  // </solution>
}

__global__ void __launch_bounds__(kThreads) vector_loads(const Product p, bool a_aligned, bool b_aligned) {
  // <solution> TODO: as m04. The tile of A is stored transposed, a[k][row]: why?
  // <stub> (void)p, (void)a_aligned, (void)b_aligned;  // delete this line: it only quiets the compiler
  alignas(16) __shared__ float a[kDepth][kPadded];
  alignas(16) __shared__ float b[kDepth][kTile];
  const unsigned x = threadIdx.x % kSide;
  const unsigned y = threadIdx.x / kSide;
  const std::size_t left = std::size_t{blockIdx.x} * kTile;
  for (std::size_t top = std::size_t{blockIdx.y} * kTile; top < p.rows;
       top += std::size_t{gridDim.y} * kTile) {
    float sums[8][8] = {};
    for (std::size_t first = 0; first < p.inner; first += kDepth) {
      const unsigned row = threadIdx.x / 2;  // two threads load a row of A's tile, 32 a row of B's
      const unsigned k4 = threadIdx.x % 2 * 4;
      const float4 of_a = load(p.a, p.rows, p.inner, top + row, first + k4, a_aligned);
      // Transposed, so that the four elements that a thread needs below are neighbours.
      a[k4][row] = of_a.x;
      a[k4 + 1][row] = of_a.y;
      a[k4 + 2][row] = of_a.z;
      a[k4 + 3][row] = of_a.w;
      const unsigned k = threadIdx.x / 32;
      const unsigned c4 = threadIdx.x % 32 * 4;
      *reinterpret_cast<float4*>(&b[k][c4]) = load(p.b, p.inner, p.columns, first + k, left + c4, b_aligned);
      __syncthreads();
#pragma unroll
      for (unsigned depth = 0; depth < kDepth; ++depth) {
        float4 mine[4];  // 8 elements of A, then 8 of B
        mine[0] = *reinterpret_cast<const float4*>(&a[depth][4 * y]);
        mine[1] = *reinterpret_cast<const float4*>(&a[depth][kHalf + 4 * y]);
        mine[2] = *reinterpret_cast<const float4*>(&b[depth][4 * x]);
        mine[3] = *reinterpret_cast<const float4*>(&b[depth][kHalf + 4 * x]);
        const auto* values = reinterpret_cast<const float*>(mine);
#pragma unroll
        for (unsigned i = 0; i < 64; ++i) sums[i / 8][i % 8] += values[i / 8] * values[8 + i % 8];
      }
      __syncthreads();
    }
#pragma unroll
    for (unsigned i = 0; i < 64; ++i) {
      const std::size_t row = top + i / 32 * kHalf + 4 * y + i / 8 % 4;
      const std::size_t column = left + i / 4 % 2 * kHalf + 4 * x + i % 4;
      if (row < p.rows && column < p.columns) p.c[row * p.columns + column] = sums[i / 8][i % 8];
    }
  }
  // </solution>
}

extern "C" void m05_vector_loads(Product product, cudaStream_t stream) {
  // <solution> TODO: when is every row of a matrix aligned to 16 bytes?
  // <stub> (void)product, (void)stream, (void)kThreads, (void)kHalf, (void)kPadded, (void)kMostBlocks;
  // <stub> (void)kDepth;
  if (product.rows == 0 || product.columns == 0) return;
  const auto aligned = [](const float* matrix, std::size_t columns) {
    return reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && columns % 4 == 0;
  };
  const std::size_t across = (product.columns + kTile - 1) / kTile;
  std::size_t down = (product.rows + kTile - 1) / kTile;
  if (down > kMostBlocks) down = kMostBlocks;
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down));
  vector_loads<<<grid, kThreads, 0, stream>>>(product, aligned(product.a, product.inner),
                                              aligned(product.b, product.columns));
  // </solution>
}
