// What changes: a block loads 32 x 32 tiles of A and B into shared memory, for all of its threads.
// What that cures: repeated loads: each element is now loaded from memory once for 32 uses.
// What still hurts: every product needs two loads from shared memory, and all threads wait for those.
// What to expect: faster than m02 if the matrices do not fit into the caches, otherwise about the same.
#include "matmul.h"

constexpr unsigned kSide = 32;
constexpr std::size_t kMostBlocks = 65535;  // limit of gridDim.y

// Computes this block's tiles of C, one below the other.
__global__ void tiled(const Product p) {
  // <solution> TODO: declare shared memory for a tile of A and of B; each thread loads one element of both, or 0
  // <solution> past an edge. Why may no thread return early?
  // <solution> TODO: loop over the tiles. Where must all threads of the block synchronise, and why twice?
  // <solution> TODO: write the element of C, if it exists; go on with the next tile of rows, if any.
  // <stub> (void)p;  // delete this line: it only quiets the compiler
  __shared__ float a[kSide][kSide];
  __shared__ float b[kSide][kSide];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t column = std::size_t{blockIdx.x} * kSide + x;
  const std::size_t stride = std::size_t{gridDim.y} * kSide;
  // All threads of the block make the same number of iterations: each has barriers.
  for (std::size_t top = std::size_t{blockIdx.y} * kSide; top < p.rows; top += stride) {
    const std::size_t row = top + y;
    float sum = 0;
    for (std::size_t first = 0; first < p.inner; first += kSide) {
      // A zero does not change the sum. In both loads a warp reads 32 neighbours.
      a[y][x] = row < p.rows && first + x < p.inner ? p.a[row * p.inner + first + x] : 0;
      b[y][x] = first + y < p.inner && column < p.columns ? p.b[(first + y) * p.columns + column] : 0;
      __syncthreads();  // both tiles are complete
      for (unsigned k = 0; k < kSide; ++k) sum += a[y][k] * b[k][x];
      __syncthreads();  // all threads have read them: the next tiles may be loaded
    }
    if (row < p.rows && column < p.columns) p.c[row * p.columns + column] = sum;
  }
  // </solution>
}

extern "C" void m03_tiled(Product product, cudaStream_t stream) {
  // <solution> TODO: launch blocks of 32 x 32 threads.
  // <stub> (void)product, (void)stream, (void)kSide, (void)kMostBlocks;  // delete this line, too
  if (product.rows == 0 || product.columns == 0) return;
  const std::size_t across = (product.columns + kSide - 1) / kSide;
  std::size_t down = (product.rows + kSide - 1) / kSide;
  if (down > kMostBlocks) down = kMostBlocks;
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down));
  tiled<<<grid, dim3(kSide, kSide), 0, stream>>>(product);
  // </solution>
}
