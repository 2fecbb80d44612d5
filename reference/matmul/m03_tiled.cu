// What changes: a block loads a 32 x 32 tile of A and one of B into shared memory, and all threads use both.
// What that cures: loading again and again: each element now comes from memory once for 32 of its uses.
// What still hurts: every product needs two loads from shared memory, which is what everybody waits for.
// What to expect: more than m02 where the matrices do not fit into the caches, about the same where they do.
#include "matmul.h"

constexpr unsigned kSide = 32;
constexpr std::size_t kMostBlocks = 65535;  // of a grid in y

// Computes the tiles of C that fall to this block, one below the other.
__global__ void tiled(const Product p) {
  // <solution> TODO: shared memory for a tile of A and one of B; each thread brings one element of both, or 0
  // <solution> past an edge. Why may no thread return early?
  // <solution> TODO: a loop over the tiles. Where do all threads of the block have to meet, and why twice?
  // <solution> TODO: write the element of C, if there is one; go on with the next tile of rows, if any.
  // <stub> (void)p;  // delete this line: it only quiets the compiler
  __shared__ float a[kSide][kSide];
  __shared__ float b[kSide][kSide];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t column = std::size_t{blockIdx.x} * kSide + x;
  const std::size_t stride = std::size_t{gridDim.y} * kSide;
  // The same number of turns for all threads of the block: they meet in each of them.
  for (std::size_t top = std::size_t{blockIdx.y} * kSide; top < p.rows; top += stride) {
    const std::size_t row = top + y;
    float sum = 0;
    for (std::size_t first = 0; first < p.inner; first += kSide) {
      // A zero changes no sum. Both loads read 32 neighbours a warp.
      a[y][x] = row < p.rows && first + x < p.inner ? p.a[row * p.inner + first + x] : 0;
      b[y][x] = first + y < p.inner && column < p.columns ? p.b[(first + y) * p.columns + column] : 0;
      __syncthreads();  // both tiles are complete
      for (unsigned k = 0; k < kSide; ++k) sum += a[y][k] * b[k][x];
      __syncthreads();  // all threads have read them: the next ones may come
    }
    if (row < p.rows && column < p.columns) p.c[row * p.columns + column] = sum;
  }
  // </solution>
}

extern "C" void m03_tiled(Product product, cudaStream_t stream) {
  // <solution> TODO: blocks of 32 x 32 threads.
  // <stub> (void)product, (void)stream, (void)kSide, (void)kMostBlocks;  // delete this line, too
  if (product.rows == 0 || product.columns == 0) return;
  const std::size_t across = (product.columns + kSide - 1) / kSide;
  std::size_t down = (product.rows + kSide - 1) / kSide;
  if (down > kMostBlocks) down = kMostBlocks;
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down));
  tiled<<<grid, dim3(kSide, kSide), 0, stream>>>(product);
  // </solution>
}
