// What changes: 128 x 128 elements a block, 8 x 8 a thread, and 16 bytes a load, from memory and from shared.
// What that cures: the wait for shared memory: four loads of 16 bytes serve 64 products.
// What still hurts: while a tile is loaded no thread computes; 16 bytes want rows of 4 k elements.
// What to expect: more than m04 for large matrices; small ones have too few tiles for a whole GPU.
#include <cstdint>

#include "matmul.h"

constexpr unsigned kTile = 128;
constexpr unsigned kDepth = 8;
constexpr unsigned kSide = 16;  // threads in each direction; each computes 2 x 2 squares of 4 x 4 elements
constexpr unsigned kThreads = kSide * kSide;
constexpr unsigned kHalf = kTile / 2;       // squares of one thread are so far apart
constexpr unsigned kPadded = kTile + 4;     // a's rows in shared memory: other banks for every row
constexpr std::size_t kMostBlocks = 65535;  // of a grid in y

// Elements (row, column) to (row, column + 3), and 0 for those that the matrix does not have.
__device__ float4 load(const float* matrix, std::size_t rows, std::size_t columns, std::size_t row,
                       std::size_t column, bool aligned) {
  // TODO: one load of 16 bytes, where all four are there and the address is aligned; else one by one.
  (void)matrix, (void)rows, (void)columns, (void)row, (void)column, (void)aligned;
  return float4{0, 0, 0, 0};
}

__global__ void __launch_bounds__(kThreads) vector_loads(const Product p, bool a_aligned, bool b_aligned) {
  // TODO: as m04. The tile of A is stored turned round, a[k][row]: why?
  (void)p, (void)a_aligned, (void)b_aligned;  // delete this line: it only quiets the compiler
}

extern "C" void m05_vector_loads(Product product, cudaStream_t stream) {
  // TODO: when is every row of a matrix aligned to 16 bytes?
  (void)product, (void)stream, (void)kThreads, (void)kHalf, (void)kPadded, (void)kMostBlocks;
  (void)kDepth;
}
