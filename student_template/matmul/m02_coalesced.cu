// What changes: threadIdx.x counts the columns, and a block is 32 columns wide.
// What that cures: reading far apart: a warp reads one element of A for all, and 32 neighbours in B and C.
// What still hurts: each element of A is loaded once for every column of C, each of B once for every row.
// What to expect: far more than the speed of m01, from nothing but another name for the same threads.
#include "matmul.h"

constexpr unsigned kWide = 32;  // a warp: threads are numbered along x first
constexpr unsigned kHigh = 8;
constexpr std::size_t kMostBlocks = 65535;  // of a grid in y

__global__ void coalesced(const Product p) {
  // TODO: as m01, with the column from x and the row from y.
  (void)p;  // delete this line: it only quiets the compiler
}

extern "C" void m02_coalesced(Product product, cudaStream_t stream) {
  // TODO: the grid for it, at most 65535 blocks in y.
  (void)product, (void)stream, (void)kWide, (void)kHigh, (void)kMostBlocks;  // delete it, too
}
