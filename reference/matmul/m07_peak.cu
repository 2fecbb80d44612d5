// <reference only>
// What changes: m05 with two tiles in shared memory: while one is multiplied, the next one is loaded.
// What that cures: the wait for memory at every tile, and one of the two barriers.
// What still hurts: shared memory's bandwidth: four loads of 16 bytes for 64 products are still many.
// What to expect: faster than m05 if few blocks fit on an SM; slower if there are few tiles.
#include <cstdint>

#include "matmul.h"

constexpr unsigned kTile = 128;
constexpr unsigned kDepth = 8;
constexpr unsigned kSide = 16;  // threads in each direction; each computes 2 x 2 squares of 4 x 4 elements
constexpr unsigned kThreads = kSide * kSide;
constexpr unsigned kHalf = kTile / 2;
constexpr unsigned kPadded = kTile + 4;
constexpr std::size_t kMostBlocks = 65535;

__device__ float4 load(const float* matrix, std::size_t rows, std::size_t columns, std::size_t row,
                       std::size_t column, bool aligned) {
  const float* from = matrix + row * columns + column;
  if (row < rows && column + 3 < columns && aligned) return __ldg(reinterpret_cast<const float4*>(from));
  float4 four{0, 0, 0, 0};
  if (row < rows && column < columns) four.x = from[0];
  if (row < rows && column + 1 < columns) four.y = from[1];
  if (row < rows && column + 2 < columns) four.z = from[2];
  if (row < rows && column + 3 < columns) four.w = from[3];
  return four;
}

__device__ float4 quad(const float* at) {
  return *reinterpret_cast<const float4*>(at);
}

__global__ void __launch_bounds__(kThreads, 2) peak(const Product p, bool a_aligned, bool b_aligned) {
  alignas(16) __shared__ float a[2][kDepth][kPadded];  // transposed: [k][row]
  alignas(16) __shared__ float b[2][kDepth][kTile];
  const unsigned x = threadIdx.x % kSide;
  const unsigned y = threadIdx.x / kSide;
  const unsigned row = threadIdx.x / 2;  // two threads load a row of A's tile, 32 a row of B's
  const unsigned k4 = threadIdx.x % 2 * 4;
  const unsigned k = threadIdx.x / 32;
  const unsigned c4 = threadIdx.x % 32 * 4;
  const std::size_t left = std::size_t{blockIdx.x} * kTile;
  for (std::size_t top = std::size_t{blockIdx.y} * kTile; top < p.rows;
       top += std::size_t{gridDim.y} * kTile) {
    float4 next_a = load(p.a, p.rows, p.inner, top + row, k4, a_aligned);
    float4 next_b = load(p.b, p.inner, p.columns, k, left + c4, b_aligned);
    float sums[8][8] = {};
    unsigned now = 0;
    for (std::size_t first = 0; first < p.inner; first += kDepth, now ^= 1) {
      a[now][k4][row] = next_a.x;
      a[now][k4 + 1][row] = next_a.y;
      a[now][k4 + 2][row] = next_a.z;
      a[now][k4 + 3][row] = next_a.w;
      *reinterpret_cast<float4*>(&b[now][k][c4]) = next_b;
      // One barrier per tile: a thread past it has also finished the tile before, whose buffer is overwritten
      // next.
      __syncthreads();
      if (first + kDepth < p.inner) {
        next_a = load(p.a, p.rows, p.inner, top + row, first + kDepth + k4, a_aligned);
        next_b = load(p.b, p.inner, p.columns, first + kDepth + k, left + c4, b_aligned);
      }
#pragma unroll
      for (unsigned depth = 0; depth < kDepth; ++depth) {
        const float4 mine[4] = {quad(&a[now][depth][4 * y]), quad(&a[now][depth][kHalf + 4 * y]),
                                quad(&b[now][depth][4 * x]), quad(&b[now][depth][kHalf + 4 * x])};
        const auto* values = reinterpret_cast<const float*>(mine);
#pragma unroll
        for (unsigned i = 0; i < 64; ++i) sums[i / 8][i % 8] += values[i / 8] * values[8 + i % 8];
      }
    }
    __syncthreads();  // the next tiles of C begin with the first buffer
#pragma unroll
    for (unsigned i = 0; i < 64; ++i) {
      const std::size_t to_row = top + i / 32 * kHalf + 4 * y + i / 8 % 4;
      const std::size_t column = left + i / 4 % 2 * kHalf + 4 * x + i % 4;
      if (to_row < p.rows && column < p.columns) p.c[to_row * p.columns + column] = sums[i / 8][i % 8];
    }
  }
}

extern "C" void m07_peak(Product product, cudaStream_t stream) {
  if (product.rows == 0 || product.columns == 0) return;
  const auto aligned = [](const float* matrix, std::size_t columns) {
    return reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && columns % 4 == 0;
  };
  const std::size_t across = (product.columns + kTile - 1) / kTile;
  std::size_t down = (product.rows + kTile - 1) / kTile;
  if (down > kMostBlocks) down = kMostBlocks;
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down));
  peak<<<grid, kThreads, 0, stream>>>(product, aligned(product.a, product.inner),
                                      aligned(product.b, product.columns));
}
